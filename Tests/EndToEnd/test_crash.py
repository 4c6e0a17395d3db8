"""kill -9 at random moments, several recorders at once in one room: what was captured until a second before is there, in files
that can be played as they are; a killed recording is repaired, or gone on with and then one recording.

CALLBOT_KILLS and CALLBOT_RESUMES say how often (20 and 5), CALLBOT_FIGURES in which file the figures go (recipes/bench/kills)."""
import concurrent.futures, json, os, random, signal, statistics, subprocess, threading, time, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Recording, Track, libwebm, packets, probe, signal as read_signal
from endtoend.room import People, Room

KILLS, RESUMES = int(os.environ.get("CALLBOT_KILLS", 20)), int(os.environ.get("CALLBOT_RESUMES", 5))
AT_ONCE = 3
SMALL = ["--size", "320x180", "--fps", "10"]
INTERVAL = 0.1          # between two frames of the picture
LOSS = 1 + INTERVAL     # seconds before the kill that may be missing
# The composite is drawn 2.3 s behind the call, and more where other recorders want the processor, too: it can be made again.
DRAWN = 8


def figures(**found):
    if path := os.environ.get("CALLBOT_FIGURES"):
        with open(path, "a") as f: f.write(json.dumps(found) + "\n")


def spread(losses): return {"median": round(statistics.median(losses), 3), "worst": round(max(losses), 3)} if losses else {}


def run(*words):
    p = subprocess.run([str(places.CALLBOT), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return p.returncode, p.stdout


class Crash(unittest.TestCase):
    def setUp(self):
        self.dice, self.lock = random.Random(20), threading.Lock()
        chat = [{"at": 3 + k / 2, "do": "chat", "text": f"tick {k}"} for k in range(4000)]
        seconds = 60 + 3 * KILLS + 8 * RESUMES
        self.room = Room("--for", str(seconds + 60), room="1234,publishers=8"); self.addCleanup(self.room.close)
        self.people = People(self.room, [{"key": "ada", "codec": "vp8", "width": 320, "height": 180, "fps": 10, "textroom": 1234, "do": chat}],
                             seconds=seconds)
        self.addCleanup(self.people.close)
        self.people.wait(event="did", do="chat", who="ada")
        self.zero = self.people.all(event="clock")[-1]["zero"]

    def each(self, do, moments):
        """Does it for every moment, some at once; what goes wrong is told with its number."""
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for number, done in enumerate([pool.submit(do, *m) for m in moments]):
                with self.subTest(number=number): done.result()

    def killed(self, wait, *options):
        """A recording whose recorder was killed, and when."""
        with Call(self.room.address, *SMALL, *options) as call:
            call.tracks_begun(2)
            time.sleep(wait)
            call.send(signal.SIGKILL); killed = time.time()
            call.process.wait()
            return call.recording, killed

    # kill

    def test_kill_at_random_moments(self):
        self.losses, self.sounds, self.drawn = [], [], []
        self.each(self.kill, [(self.dice.uniform(0, 5), n % 10 == 0) for n in range(KILLS)])
        figures(kills=KILLS, picture=spread(self.losses), sound=spread(self.sounds), composite=spread(self.drawn))

    def kill(self, wait, again):
        recording, killed = self.killed(wait)
        text = (recording / "events.jsonl").read_text()
        events = [json.loads(line) for line in text.split("\n")[:-1]]   # a last line without its end may be cut
        self.assertTrue(events)
        json.loads((recording / "recording.json").read_text())
        paths = sorted((recording / "tracks").glob("*.webm"))
        for path in paths: self.assertRegex(libwebm(path), r"^ok")
        tracks = [Track(p) for p in paths]
        self.assertEqual(sorted(t.kind for t in tracks), ["audio", "video"])
        video, audio = (next(t for t in tracks if t.kind == k) for k in ("video", "audio"))
        # in the first moments there may be no frame that is a second old
        if wait < 1.2: return
        last = video.frames[-1]
        lost = killed - self.zero - last["ms"] / 1000
        origin = self.zero + last["ms"] / 1000 - last["pts"]
        silent = killed - origin - packets(audio.path)[-1][0]
        with self.lock: self.losses.append(lost); self.sounds.append(silent)
        self.assertLessEqual(lost, LOSS, "picture")
        self.assertLessEqual(silent, LOSS, "sound")
        for told in self.people.all(event="did", do="chat", who="ada"):
            if origin + 1.5 < told["at"] < killed - 1: self.assertIn(f'"{told["text"]}"', text)
        if killed - origin > DRAWN + 1:
            self.assertRegex(libwebm(recording / "call.webm"), r"^ok [1-9]")
            behind = killed - origin - packets(recording / "call.webm")[-1][0]
            with self.lock: self.drawn.append(behind)
            self.assertLessEqual(behind, DRAWN, "composite")
        if again:
            film = recording.parent / "again.webm"
            self.assertEqual(run("render", recording, "-o", film)[0], 0)
            self.assertGreater(float(probe(film)["format"]["duration"]), wait - 1)

    # repair

    def test_repair(self):
        self.each(self.repair, [(self.dice.uniform(0.5, 6), n % 2) for n in range(max(4, RESUMES // 2))])

    def repair(self, wait, manifest):
        recording, killed = self.killed(wait)
        before = {p: packets(p) for p in (recording / "tracks").glob("*.webm")}
        if manifest: (recording / "recording.json").unlink()
        code, said = run("repair", recording)
        self.assertEqual(code, 0, said)
        found = Recording(recording)
        self.assertEqual((found.json["state"], found.json["end"]["reason"]), ("interrupted", "interrupted"))
        self.assertEqual(len(found.tracks), 2)
        for path in found.files:
            self.assertRegex(libwebm(path), r"^ok [1-9]")
            self.assertAlmostEqual(float(probe(path)["format"]["duration"]), found.json["duration"] / 1e6, delta=0.05)
        for path, there in before.items(): self.assertEqual(packets(path), there, path)
        self.assertEqual(found.events[-1]["event"], "recording-ended")
        contents = {p: p.read_bytes() for p in recording.rglob("*") if p.is_file()}
        self.assertEqual(run("repair", recording)[0], 0)
        self.assertEqual({p: p.read_bytes() for p in recording.rglob("*") if p.is_file()}, contents, "a second time does nothing")

    def test_repair_of_a_running_recording_is_refused(self):
        with Call(self.room.address, *SMALL) as call:
            call.tracks_begun(2)
            for words in (["repair", call.recording], ["repair", next((call.recording / "tracks").glob("*.webm"))], ["record", "--resume", call.recording]):
                code, said = run(*words)
                self.assertEqual(code, 41, said)
            self.assertEqual(call.stop(), 130)

    # go on

    def test_resume(self):
        self.gaps = []
        self.each(self.resume, [(self.dice.uniform(1.5, 4), self.dice.uniform(0, 1.5), n % 5 == 4) for n in range(RESUMES)])
        figures(resumes=RESUMES, gap=spread(self.gaps))

    def resume(self, wait, pause, torn):
        recording, killed = self.killed(wait)
        first = json.loads((recording / "recording.json").read_text())
        if torn:
            with open(recording / "events.jsonl", "a") as f: f.write('{"at":12')
        time.sleep(pause)
        with Call(self.room.address, *SMALL, resume=recording) as call:
            call.tracks_begun(4)
            begun = time.time()
            time.sleep(2.5)
            self.assertEqual(call.stop(timeout=60), 130, call.log[-2000:])
            self.assertRegex(call.log, "going on")
        found = Recording(recording)
        j = found.json
        self.assertEqual((j["id"], j["origin"], j["state"]), (first["id"], first["origin"], "finished"))
        self.assertEqual([t["track"] for t in j["tracks"]], [1, 2, 3, 4])
        self.assertEqual(sorted(p.name[:2] for p in (recording / "tracks").iterdir()), ["01", "02", "03", "04"])
        self.assertEqual(len({t["participant"] for t in j["tracks"]}), 1, "the same person")
        self.assertEqual([len(p["stays"]) for p in j["participants"] if p["id"] == j["tracks"][0]["participant"]], [1])
        resumed = [e for e in found.events if e["event"] == "recording-resumed"]
        gap = [e for e in found.events if e["event"] == "gap" and "track" not in e]
        self.assertEqual((len(resumed), len(gap)), (1, 1))
        self.assertEqual(j["interruptions"], [{"from": gap[0]["from"], "to": gap[0]["to"]}])
        with self.lock: self.gaps.append((gap[0]["to"] - gap[0]["from"]) / 1e6)
        # the last frame may sound on for a moment after the kill
        self.assertGreater(gap[0]["to"] - gap[0]["from"], (pause - 0.2) * 1e6)
        for path in found.files:
            self.assertRegex(libwebm(path), r"^ok [1-9]")
            self.assertAlmostEqual(float(probe(path)["format"]["duration"]), j["duration"] / 1e6, delta=0.05, msg=path)
        # one timeline: the sender's clock says so of both halves, and of the composite
        # (of some frames the middle one: a page that is held up captures a frame some tenths of a second after it was drawn)
        offsets = [statistics.median(f["pts"] - f["ms"] / 1000 for f in frames)
                   for t in found.tracks if t.kind == "video" for frames in (t.frames[:7], t.frames[-7:])]
        self.assertLess(max(offsets) - min(offsets), 0.15, offsets)
        frames = [f for f in read_signal(recording / "call.webm", "--frames")["video"]["all"] if f["ok"]]
        self.assertTrue([f for f in frames if f["pts"] < gap[0]["from"] / 1e6], "the composite shows what was before")
        self.assertTrue([f for f in frames if f["pts"] > gap[0]["to"] / 1e6], "and what was after")
        self.assertEqual(run("repair", recording)[1].count("whole"), 5)
