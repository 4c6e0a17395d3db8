"""The daemon: what is scheduled is recorded, whatever becomes of recorders and of the daemon itself."""
import datetime, hashlib, hmac, http.server, json, os, pathlib, re, shutil, signal, socket, subprocess, threading, time, unittest, zoneinfo

from endtoend import places
from endtoend.recording import Recording, libwebm, probe
from endtoend.room import People, Room

RECIPE = """{ room: "%s", size: "320x180", fps: 10 }"""


class Daemon:
    """`callbot daemon` with a state and an archive of its own."""

    def __init__(self):
        self.folder = places.folder("daemon")
        self.state, self.archive = self.folder / "state", self.folder / "archive"
        self.start()

    def start(self, *options):
        self.out = open(self.folder / "log", "a")
        before = self.log.count("the daemon is there")
        self.process = subprocess.Popen([str(places.CALLBOT), "daemon", "--state", str(self.state), "--archive", str(self.archive), *options],
                                        stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.STDOUT, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
        self.says("the daemon is there", count=before + 1)

    @property
    def log(self): return (self.folder / "log").read_text(errors="replace")

    def says(self, text, timeout=20, count=1):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.log.count(text) >= count: return
            time.sleep(0.05)
        raise AssertionError(f"never said {text!r}: {self.log[-3000:]}")

    def schedule(self, *words):
        p = subprocess.run([str(places.CALLBOT), "schedule", *map(str, words), "--state", str(self.state)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return p.returncode, p.stdout

    def recordings(self): return sorted(p.parent for p in self.archive.rglob("recording.json"))

    def recording(self, timeout=20):
        """The one recording, once both of its tracks hold something."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            found = self.recordings()
            if found and len([t for t in (found[0] / "tracks").glob("*.webm") if t.stat().st_size > 500]) >= 2: return found[0]
            time.sleep(0.05)
        raise AssertionError(f"no recording: {self.log[-3000:]}")

    def recorder(self):
        """The process of the one recorder."""
        return json.loads(next((self.state / "runs").glob("*/status.json")).read_text())["process"]

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number); self.process.wait(20); self.out.close()

    def close(self):
        if self.process.poll() is None: self.end()
        for status in (self.state / "runs").glob("*/status.json"):
            try: os.kill(json.loads(status.read_text())["process"], signal.SIGKILL)
            except ProcessLookupError: pass


class Hook(http.server.BaseHTTPRequestHandler):
    """Refuses the first message once, and keeps what it takes."""
    log_message = lambda *a: None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.headers["Callbot-Delivery"], self.headers["Callbot-Signature"], body))
        self.send_response(503 if len(self.server.seen) == 1 else 200); self.end_headers()


def later(seconds):
    """A whole second, so much later or up to a second more."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds + 1)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Schedules(unittest.TestCase):
    def setUp(self):
        self.room = Room(); self.addCleanup(self.room.close)
        self.people = People(self.room, [{"key": "ada", "codec": "vp8", "width": 320, "height": 180, "fps": 10, "textroom": 1234}]); self.addCleanup(self.people.close)
        self.people.wait(event="published")
        self.daemon = Daemon(); self.addCleanup(self.daemon.close)
        self.recipe = self.daemon.folder / "standup.json5"
        self.recipe.write_text(RECIPE % self.room.address)

    def archive(self, *words):
        p = subprocess.run([str(places.CALLBOT), *words, "--archive", str(self.daemon.archive)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return p.returncode, p.stdout

    def add(self, *words):
        code, said = self.daemon.schedule("add", *words)
        self.assertEqual(code, 0, said)
        return said

    def whole(self, duration, delta=1.5):
        recording, = self.daemon.recordings()
        found = Recording(recording)
        self.assertEqual(found.json["state"], "finished")
        self.assertAlmostEqual(found.json["duration"] / 1e6, duration, delta=delta)
        for path in found.files:
            self.assertRegex(libwebm(path), r"^ok [1-9]")
            self.assertAlmostEqual(float(probe(path)["format"]["duration"]), found.json["duration"] / 1e6, delta=0.05)
        return found

    def test_what_is_scheduled_is_recorded_and_found_by_a_word(self):
        said = self.add(later(3), self.recipe, "--duration", "4s", "--tz", "Europe/Berlin")
        self.assertRegex(said, r"'standup' is scheduled\n  \w{3} \d{4}-\d\d-\d\d .* Europe/Berlin")
        self.daemon.recording()
        self.people.act("ada", do="chat", text="Cranberries, anyone?")
        self.daemon.says("a run is over", timeout=30)
        found = self.whole(4)
        code, said = self.archive("search", "cranberr*")
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"0:00:0\d.*Cranberries, anyone")
        self.assertIn(found.json["id"], self.archive("list", "--json")[1])
        code, said = self.daemon.schedule("history")
        self.assertRegex(said, r"standup  ran from .* to ")
        self.assertEqual(self.daemon.schedule("list")[1].count("never again"), 1)
        self.assertEqual(list((self.daemon.state / "runs").iterdir()), [])

    def test_a_recorder_that_is_killed_goes_on_in_the_same_recording(self):
        self.add(later(3), self.recipe, "--duration", "9s")
        recording = self.daemon.recording()
        time.sleep(2)
        os.kill(self.daemon.recorder(), signal.SIGKILL)
        self.daemon.says("to go on with a recording")
        self.daemon.says("a run is over", timeout=30)
        found = self.whole(9, delta=2)
        self.assertEqual(self.daemon.recordings(), [recording])
        gap = [e for e in found.events if e["event"] == "gap" and "track" not in e]
        self.assertEqual(len(gap), 1)
        self.assertLess(gap[0]["to"] - gap[0]["from"], 1.5e6)
        self.assertEqual(len([e for e in found.events if e["event"] == "recording-resumed"]), 1)

    def test_recordings_outlive_the_daemon(self):
        """What a calendar says is recorded; the daemon is killed, and another one finds what runs, and ends it at its time."""
        berlin = zoneinfo.ZoneInfo("Europe/Berlin")
        start = datetime.datetime.now(berlin).replace(microsecond=0) + datetime.timedelta(seconds=4)
        local = lambda time: time.strftime("%Y%m%dT%H%M%S")
        calendar = self.daemon.folder / "team.ics"
        calendar.write_text("\r\n".join([
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example.org//team//EN", "BEGIN:VEVENT", "UID:1@example.org", "SUMMARY:Stand-up",
            f"DTSTART;TZID=Europe/Berlin:{local(start)}", f"DTEND;TZID=Europe/Berlin:{local(start + datetime.timedelta(seconds=10))}",
            "RRULE:FREQ=DAILY;COUNT=4", f"EXDATE;TZID=Europe/Berlin:{local(start + datetime.timedelta(days=1))}", "END:VEVENT", "END:VCALENDAR", ""]))
        code, said = self.daemon.schedule("import", calendar, self.recipe)
        self.assertEqual(code, 0, said)
        listed = self.daemon.schedule("list")[1]
        for days, count in ((0, 1), (1, 0), (2, 1), (3, 1), (4, 0)):
            day = (start + datetime.timedelta(days=days)).strftime("%Y-%m-%d")
            self.assertEqual(len(re.findall(rf"{day} \d\d:\d\d", listed)), count, (day, listed))
        self.daemon.recording()
        recorder = self.daemon.recorder()
        self.daemon.end(signal.SIGKILL)
        time.sleep(2)
        os.kill(recorder, 0)
        self.daemon.start()
        self.daemon.says("a recorder runs on")
        self.assertEqual(self.daemon.recorder(), recorder)
        self.daemon.says("a run is over", timeout=30)
        found = self.whole(10)
        self.assertEqual([e for e in found.events if e["event"] == "gap" and "track" not in e], [])
        self.assertEqual(self.daemon.schedule("history")[1].count("ran from"), 1)

    def test_a_room_that_is_not_open_yet_is_tried_again(self):
        self.recipe.write_text(RECIPE % self.room.address.replace("/1234", "/77"))
        self.add(later(3), self.recipe, "--duration", "40s", "--missed", "5m")
        self.daemon.says("started again", timeout=20)
        self.room.ask("videoroom", request="create", room=77, publishers=4)
        end = time.monotonic() + 30
        while not self.daemon.recordings() and time.monotonic() < end: time.sleep(0.1)
        self.assertEqual(len(self.daemon.recordings()), 1, self.daemon.log[-2000:])

    def test_webhooks_are_signed_in_order_and_tried_again(self):
        self.daemon.end()
        hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook); hook.seen = []; self.addCleanup(hook.server_close)
        threading.Thread(target=hook.serve_forever, daemon=True).start(); self.addCleanup(hook.shutdown)
        os.environ["HOOK_SECRET"] = "s3cret"; self.addCleanup(os.environ.pop, "HOOK_SECRET")
        self.daemon.start("--webhook", f"http://127.0.0.1:{hook.server_port}/hook", "--webhook-secret", "env:HOOK_SECRET")
        self.add("0 3 1 1 *", self.recipe, "--duration", "3s", "--id", "yearly")
        self.assertEqual(self.daemon.schedule("run", "yearly")[0], 0)
        self.daemon.says("a run is over", timeout=30)
        end = time.monotonic() + 20
        while len(hook.seen) < 3 and time.monotonic() < end: time.sleep(0.1)
        self.assertEqual([json.loads(body)["event"] for _, _, body in hook.seen], ["recording-started", "recording-started", "recording-ended"])
        self.assertEqual(hook.seen[0][0], hook.seen[1][0])
        for _, signature, body in hook.seen:
            stamp, mac = (part.split("=")[1] for part in signature.split(","))
            self.assertEqual(mac, hmac.new(b"s3cret", stamp.encode() + b"." + body, hashlib.sha256).hexdigest())
        # what was answered is written down a moment later
        while time.monotonic() < end:
            log = [json.loads(line)["outcome"] for line in (self.daemon.state / "webhooks.jsonl").read_text().splitlines()]
            if len(log) == 3: break
            time.sleep(0.05)
        self.assertEqual(log, ["status 503", "delivered", "delivered"])

    def test_it_looks_after_itself(self):
        """By a file of settings: recipes that say when, a composite that is left for later and made afterwards, and what has had its time goes."""
        self.daemon.end()
        settings, recipes = self.daemon.folder / "daemon.json5", self.daemon.folder / "recipes"
        recipes.mkdir()
        settings.write_text('{ recipes: "recipes", processors: 1 }')
        self.daemon.start("--config", str(settings))
        due = later(3)
        for name in ("first", "second"):
            (recipes / f"{name}.json5").write_text('{ room: "%s", size: "320x180", fps: 10, name: "%s", schedule: { when: "%s", duration: "5s" } }' % (self.room.address, name, due))
        (recipes / "wrong.json5").write_text('{ room: "%s",\n  schedule: { whn: "@daily" } }' % self.room.address)
        self.daemon.says("wrong.json5:2:15: unknown key 'whn' (did you mean 'when'?)")
        self.daemon.says("a schedule is there", count=2)
        with self.subTest("they are listed, paused and not removed"):
            code, said = self.daemon.schedule("list")
            self.assertIn(f"as it says itself in {recipes}/second.json5", said)
            code, said = self.daemon.schedule("remove", "second")
            self.assertEqual(code, 64, said); self.assertIn(f"comes from {recipes}/second.json5", said)
            self.assertEqual(self.daemon.schedule("pause", "second")[0], 0)
            self.assertIn("second  (paused)", self.daemon.schedule("list")[1])
            self.assertEqual(self.daemon.schedule("resume", "second")[0], 0)
        with self.subTest("a port that is in use"), socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            p = subprocess.run([str(places.CALLBOT), "daemon", "--state", str(self.daemon.folder / "other"), "--listen", str(port), "--web-token", "x"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20)
            self.assertEqual(p.returncode, 44, p.stdout); self.assertIn(f"127.0.0.1:{port}", p.stdout); self.assertIn("--listen", p.stdout)
        self.daemon.says("a run is over", timeout=30, count=2)
        self.assertIn("only the tracks are recorded", self.daemon.log)
        self.daemon.says("a job is done job=render", timeout=30)
        for folder in self.daemon.recordings():
            found = Recording(folder)
            report = json.loads((folder / "report.json").read_text())
            with self.subTest("both have a whole composite", name=found.json["recipe"]["name"]):
                self.assertEqual(report["composite"]["state"], "afterwards" if found.json["recipe"]["name"] == "second" else "live")
                self.assertEqual([f["bytes"] for f in found.json["files"] if f["kind"] == "composite"], [(folder / "call.webm").stat().st_size])
                self.assertRegex(libwebm(folder / "call.webm"), r"^ok [1-9]")
                self.assertAlmostEqual(float(probe(folder / "call.webm")["format"]["duration"]), found.json["duration"] / 1e6, delta=0.05)
                p = subprocess.run([str(places.CALLBOT), "show", str(folder), "--verify"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertIn("Everything holds", p.stdout)
        self.assertRegex(self.daemon.schedule("history")[1], r"second  ran from")
        self.assertRegex(self.daemon.schedule("history")[1], r"  render: done")
        with self.subTest("what is old goes, and what is held stays"):
            new, = [r for r in self.daemon.recordings() if json.loads((r / "recording.json").read_text())["recipe"]["name"] == "first"]
            for number, name in enumerate(("old", "held")):
                copy = self.daemon.archive / "2020/01/0" f"{number + 1}" / f"2020010{number + 1}T000000Z-000{number}-x"
                shutil.copytree(new, copy)
                manifest = json.loads((copy / "recording.json").read_text())
                manifest.update(id=copy.name[:21], origin=f"2020-01-0{number + 1}T00:00:00.000000Z")
                (copy / "recording.json").write_text(json.dumps(manifest))
                if name == "held": (copy / "held").write_text("")
            settings.write_text('{ recipes: "recipes", processors: 1, keepFor: "30d", archive: "elsewhere", most: 0 }')
            self.daemon.process.send_signal(signal.SIGHUP)
            self.daemon.says("most must be from 1 to 10000")
            settings.write_text('{ recipes: "recipes", processors: 1, keepFor: "30d", listen: "1" , webToken: "x" }')
            self.daemon.process.send_signal(signal.SIGHUP)
            self.daemon.says("'listen' has changed: that needs a restart")
            self.daemon.says("a recording is removed: older than is kept")
            self.assertEqual(len(self.daemon.recordings()), 3)
            self.assertTrue((self.daemon.archive / "2020/01/02").exists()); self.assertFalse((self.daemon.archive / "2020/01/01/20200101T000000Z-0000-x").exists())
        (recipes / "second.json5").unlink()
        self.daemon.says("a schedule is removed")

    def test_run_pause_and_what_cannot_be(self):
        self.add("0 3 1 1 *", self.recipe, "--duration", "3s", "--id", "yearly")
        code, said = self.daemon.schedule("run", "yearly")
        self.assertEqual(code, 0, said)
        self.daemon.says("a run is over", timeout=30)
        self.whole(3)
        self.assertEqual(self.daemon.schedule("pause", "yearly")[0], 0)
        self.assertIn("(paused)", self.daemon.schedule("list")[1])
        for words, expected, text in ((("run", "x"), 69, "no schedule 'x'"), (("pause", "yerly"), 66, "did you mean 'yearly'"), (("add", "61 * * * *", self.recipe), 64, "minute"),
                                      (("add", "@daily", self.recipe, "--tz", "Europe/Berln"), 64, "Berlin"), (("add", "@daily", self.recipe, "--id", "yearly"), 40, "already"),
                                      (("add", "2020-01-01 09:00", self.recipe), 64, "over already"), (("add", "0 0 30 2 *", self.recipe), 64, "never"),
                                      (("add", "@daily", "none.json5"), 66, "none.json5"), (("import", "none.ics", self.recipe), 66, "none.ics")):
            with self.subTest(words):
                code, said = self.daemon.schedule(*words)
                self.assertEqual(code, expected, said)
                self.assertIn(text, said)
        with self.subTest("a second daemon"):
            p = subprocess.run([str(places.CALLBOT), "daemon", "--state", str(self.daemon.state)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20)
            self.assertEqual(p.returncode, 44, p.stdout)
        self.daemon.end()
        with self.subTest("no daemon"):
            code, said = self.daemon.schedule("run", "yearly")
            self.assertEqual(code, 69, said)
            self.assertIn("start 'callbot daemon'", said)
