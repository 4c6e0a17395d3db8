"""ALL-05: the layout changes while it is recorded, at the moment that the journal says, and marks are chapters; again when rendered."""
import json, os, socket, stat, subprocess, time, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Recording, grid, libwebm, signal
from endtoend.room import People, Room

ADA, BOB = 0, 1
ALONE = "{ regions: [{ name: 'alone', x: 0, y: 0, width: 1, height: 1, who: { name: 'Ada' } }] }"
TICK = 0.04


def control(*words):
    p = subprocess.run([str(places.CALLBOT), "control", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20)
    return p.returncode, p.stdout


def chapters(path):
    p = subprocess.run(["ffprobe", "-v", "error", "-show_chapters", "-of", "json", str(path)], stdout=subprocess.PIPE, text=True)
    return [(c["tags"]["title"], float(c["start_time"]), float(c["end_time"])) for c in json.loads(p.stdout)["chapters"]]


def shown(path):
    """When each of the two is seen, alone or in the grid."""
    rectangles = sorted({r for n in (1, 2) for r in grid(n)})
    tiles = signal(path, "--audio", "-1", "--frames", *(w for r in rectangles for w in ("--crop", ",".join(map(str, r)))))["tiles"]
    return [sorted({f["pts"] for t in tiles for f in t["all"] if f["ok"] and f["index"] == index}) for index in (ADA, BOB)]


class Control(unittest.TestCase):
    alone = True

    def setUp(self):
        self.room = Room(); self.addCleanup(self.room.close)
        people = [{"key": k, "display": k.title(), "codec": "vp8", "fps": 15} for k in ("ada", "bob")]
        self.people = People(self.room, people); self.addCleanup(self.people.close)
        self.people.wait(event="published", count=2)

    def say(self, folder, data):
        """What is answered to bytes of any kind, however long the socket's path is."""
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(10); s.connect(f"/proc/self/fd/{place}/control.socket"); s.sendall(data); s.shutdown(socket.SHUT_WR)
                heard = b""
                while more := s.recv(4096): heard += more
                return heard
        finally: os.close(place)

    def test_while_it_is_recorded(self):
        # the path of the socket itself is longer than a socket's may be
        long = places.folder("long") / ("folder-" * 20)
        long.mkdir()
        with Call(self.room.address, "--duration", "15s", output=long / "call") as call:
            folder = call.tracks_begun(4)
            self.assertEqual(stat.S_IMODE((folder / "control.socket").stat().st_mode), 0o600)
            layout = call.folder / "alone.json5"; layout.write_text(ALONE)
            time.sleep(3)  # of call, so that there is enough of it to look at
            self.assertEqual(control(folder, "mark", "Ada"), (0, ""))
            self.assertEqual(control(folder, "layout", layout), (0, ""))
            code, said = control(folder, "layout", "gird")
            self.assertEqual(code, 64); self.assertIn("did you mean 'grid'?", said)
            for noise in (b"\0\xff\n", b"GET / HTTP/1.1\r\n\r\n", b"{}\n" * 20, b"[" * 1000 + b"\n", b"x" * 70000):
                for line in self.say(folder, noise).splitlines(): self.assertIs(json.loads(line)["ok"], False)
            self.assertEqual(self.say(folder, b"half a li"), b"")
            time.sleep(4)  # of Ada alone: the pictures are counted below
            self.assertEqual(control(folder, "mark", "Ada and Bob"), (0, ""))
            self.assertEqual(control(folder, "layout", "grid"), (0, ""))
            self.assertEqual(control(folder, "pin", "nobody like that"), (0, ""))
            self.assertEqual(call.wait(30), 0, call.log[-2000:])
        self.assertFalse((folder / "control.socket").exists())
        code, said = control(folder, "mark", "late")
        self.assertEqual(code, 69); self.assertIn("is not being recorded now", said)
        self.assertEqual(control(folder / "nowhere", "mark", "late")[0], 66)

        events = Recording(folder).events
        self.assertNotIn("composite-stepped-down", [e["event"] for e in events])
        alone, both = [e["at"] / 1e6 for e in events if e["event"] == "layout-chosen"]
        marks = [(e["text"], e["at"] / 1e6) for e in events if e["event"] == "mark"]
        self.assertEqual([e["who"] for e in events if e["event"] == "pinned-chosen"], ["nobody like that"])
        self.assertEqual([text for text, _ in marks], ["Ada", "Ada and Bob"])
        again, fixed = call.folder / "again.webm", call.folder / "fixed.webm"
        for words in ((again,), (fixed, "--layout", "grid")):
            subprocess.run([str(places.CALLBOT), "render", str(folder), "-o", *map(str, words)], check=True, stdout=subprocess.DEVNULL, timeout=120)
        for path in (folder / "call.webm", again, fixed):
            with self.subTest(path.name):
                self.assertRegex(libwebm(path), r"^ok [1-9]")
                found = chapters(path)
                self.assertEqual([c[0] for c in found], ["Ada", "Ada and Bob"])
                for (_, start, end), (_, at), until in zip(found, marks, (marks[1][1], 15)):
                    self.assertAlmostEqual(start, at, delta=0.002); self.assertAlmostEqual(end, until, delta=0.002)
                ada, bob = shown(path)
                self.assertGreater(len([t for t in ada if alone < t < both]), 50)
                while_alone = [t for t in bob if alone + TICK <= t <= both - TICK]
                if path == fixed: self.assertGreater(len(while_alone), 50); continue
                self.assertEqual(while_alone, [])
                # he goes and comes back at the very moment
                self.assertAlmostEqual(max(t for t in bob if t < both - TICK), alone, delta=2 * TICK)
                self.assertAlmostEqual(min(t for t in bob if t > alone + TICK), both, delta=2 * TICK)
