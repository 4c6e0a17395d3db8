"""However a recording ends: the reason is said, the files are closed within five seconds and are whole."""
import json, pathlib, signal, stat, subprocess, time, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Recording, libwebm, probe
from endtoend.room import People, Room

SMALL = {"codec": "vp8", "width": 320, "height": 180, "fps": 10}


class Endings(unittest.TestCase):
    def setUp(self):
        self.room = Room(); self.addCleanup(self.room.close)
        self.people = People(self.room, [{"key": "ada", **SMALL}]); self.addCleanup(self.people.close)
        self.people.wait(event="published")

    def ends(self, call, code, says, since=None, timeout=15):
        since = since or time.monotonic()
        self.assertEqual(call.wait(timeout), code, call.log[-2000:])
        self.assertLess(time.monotonic() - since, 5.5, "closed within five seconds")
        self.assertRegex(call.log, says)
        recording = Recording(call.recording)
        for path in recording.files:
            with self.subTest(file=path.name):
                probe(path)
                self.assertRegex(libwebm(path), r"^ok [1-9]")
        for path in [recording.path, *recording.path.rglob("*")]:
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o700 if path.is_dir() else 0o600, path)
        return recording

    def test_stopped_and_timed(self):
        for number, code, says in ((signal.SIGINT, 130, "SIGINT"), (signal.SIGTERM, 143, "SIGTERM")):
            with self.subTest(says), Call(self.room.address) as call:
                call.tracks_begun(2); time.sleep(1); call.send(number); self.ends(call, code, says)
                for _ in range(20):
                    if not any(p.get("display") == "Recorder" for p in self.room.participants()): break
                    time.sleep(0.1)
                else: self.fail("still listed in the room")
        with self.subTest("duration"), Call(self.room.address, "--duration", "3s") as call:
            call.tracks_begun(2)
            self.assertIn("Recorder", [p.get("display") for p in self.room.participants()])
            recording = self.ends(call, 0, r"(?i)duration", since=call.began and time.monotonic() + 2.5)
            for path in recording.files: self.assertAlmostEqual(float(probe(path)["format"]["duration"]), 3, delta=0.05)

    def test_one_recorder_a_room_and_what_it_says(self):
        status = places.folder("status") / "status.json"
        def said(): return json.loads(status.read_text())
        with Call(self.room.address, "--once", "--status", str(status)) as call:
            call.tracks_begun(2)
            for _ in range(60):
                if said().get("people") and said().get("incomingBitRate"): break
                time.sleep(0.1)
            self.assertEqual((said()["state"], said()["process"], said()["people"]), ("recording", call.pid, 1), said())
            self.assertEqual(pathlib.Path(said()["folder"]), call.recording)
            for options in (["--once"], ["--status", str(status)]):
                with self.subTest(options), Call(self.room.address, *options, archive=call.archive) as other:
                    self.assertEqual(other.wait(10), 44, other.log)
                    self.assertIn("another recorder", other.log)
            self.assertEqual(call.stop(), 130)
        self.assertEqual((said()["state"], said()["exitCode"], said()["verdict"]), ("ended", 130, "good"), said())
        self.assertEqual(len(list(call.archive.rglob("recording.json"))), 1)

    def test_rendering_stopped(self):
        with Call(self.room.address, "--duration", "5s", "--no-composite") as call: call.wait(20); recording = call.recording
        film = call.folder / "again.webm"
        words = [str(places.CALLBOT), "render", str(recording), "-o", str(film), "--size", "1920x1080", "--fps", "60", "--codec", "vp9"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        while not film.exists() or film.stat().st_size < 20000: self.assertIsNone(process.poll()); time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=20)[0]
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("stopped before the end", said)
        self.assertLess(float(probe(film)["format"]["duration"]), 4.9)
        self.assertRegex(libwebm(film), r"^ok [1-9]")

    def test_empty(self):
        with Call(self.room.address, "--empty-timeout", "2s") as call:
            call.tracks_begun(2); self.people.act("ada", do="leave")
            self.ends(call, 10, r"(?i)nobody", since=time.monotonic() + 2)

    def test_destroyed(self):
        with Call(self.room.address) as call:
            call.tracks_begun(2); time.sleep(1); since = time.monotonic()
            self.room.ask("videoroom", request="destroy", room=self.room.number)
            self.ends(call, 11, r"(?i)destroyed", since)

    def test_kicked(self):
        with Call(self.room.address) as call:
            call.tracks_begun(2); time.sleep(1)
            me = next(p["id"] for p in self.room.participants() if p.get("display") == "Recorder")
            since = time.monotonic()
            self.room.ask("videoroom", request="kick", room=self.room.number, id=me)
            self.ends(call, 12, r"(?i)kicked", since)

    def test_server_vanishes(self):
        with Call(self.room.address, "--reconnect", "never") as call:
            call.tracks_begun(2); time.sleep(2); since = time.monotonic()
            self.room.vanish()
            self.ends(call, 75, r"(?i)vanished", since)
