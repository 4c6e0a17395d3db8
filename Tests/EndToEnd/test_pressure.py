"""Full disks, slow disks, slow machines, little memory, clocks that are set: what is captured is whole, and what gave way is said."""
import contextlib, json, os, pathlib, signal, subprocess, time, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Recording, libwebm, missing, packets, probe
from endtoend.room import People, Room

PEOPLE = [{"key": k, "display": k.title(), "codec": "vp8"} for k in ("ada", "bob")]
THREE = [*PEOPLE, {"key": "eve", "display": "Eve", "codec": "vp8"}]


def run(*words): subprocess.run([str(w) for w in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@contextlib.contextmanager
def mounted(*words):
    """A file system of its own; it is gone afterwards, whatever was written to it."""
    folder = places.folder("disk")
    run("mount", *words, folder)
    try: yield folder
    finally: subprocess.run(["umount", "-l", str(folder)])


@contextlib.contextmanager
def limited(controller):
    """A control group (version 1) to put processes into."""
    with mounted("-t", "cgroup", "-o", controller, "none") as root:
        group = root / f"callbot-{os.getpid()}"; group.mkdir()
        try: yield group
        finally:
            for pid in (group / "cgroup.procs").read_text().split(): (root / "cgroup.procs").write_text(pid)
            group.rmdir()


def until(happened, timeout=20):
    end = time.monotonic() + timeout
    while not happened():
        if time.monotonic() > end: raise AssertionError("it never happened")
        time.sleep(0.05)


class Pressure(unittest.TestCase):
    alone = True

    def setUp(self):
        if os.geteuid() != 0: self.skipTest("disks and control groups need root")

    def whole(self, recording, seconds=None):
        """Every file that there is can be read to its end, and lasts as long as the recording."""
        seconds = seconds or recording.json["duration"] / 1e6
        for path in [*(recording.path / "tracks").glob("*.webm"), *recording.path.glob("call.webm")]:
            with self.subTest("a whole file", file=path.name):
                self.assertRegex(libwebm(path), r"^ok [1-9]")
                self.assertAlmostEqual(float(probe(path)["format"]["duration"]), seconds, delta=0.05)
        for line in (recording.path / "events.jsonl").read_text().splitlines(): self.assertTrue(line.endswith("}"))
        self.assertEqual(recording.events[-1]["event"], "recording-ended")
        self.assertEqual(recording.json["state"], "finished")
        self.assertEqual([t.get("failure") for t in recording.json["tracks"]], [None] * len(recording.json["tracks"]))

    def nothing_missing(self, room, recording, people):
        found = missing(room, recording)
        self.assertEqual(sorted(index for index, *_ in found), list(range(people)))
        for index, _, wanted, lost in found:
            with self.subTest("every frame", participant=index):
                self.assertGreater(wanted, 30); self.assertEqual(lost, [])

    def test_full_disk(self):
        with Room(record=True, textroom=None) as room, People(room, PEOPLE) as people:
            people.wait(event="published", count=2)
            with self.subTest("hardly any space to begin with"), mounted("-t", "tmpfs", "-o", "size=20m", "none") as disk:
                with Call(room.address, archive=disk / "archive") as call:
                    self.assertEqual(call.wait(10), 41, call.log)
                    self.assertRegex(call.log, r"The disk is full: 2\d MB are free, and 32 MB are to stay free")
                    self.assertEqual([p for p in disk.rglob("*") if p.is_file()], [])
            with self.subTest("filled by and by"), mounted("-t", "tmpfs", "-o", "size=200m", "none") as disk:
                with Call(room.address, archive=disk / "archive") as call:
                    call.tracks_begun(4); time.sleep(3)
                    with open(disk / "filler", "wb") as filler:
                        while call.process.poll() is None: filler.write(bytes(1 << 20)); filler.flush(); time.sleep(0.03)
                    self.assertEqual(call.wait(10), 41, call.log)
                    self.assertRegex(call.log, r"The disk is full: \d+ MB are free.*kept")
                    self.assertIn(f"callbot render {call.recording}", call.log)
                    recording = Recording(call.recording)
                    self.assertFalse((recording.path / "call.webm").exists())
                    self.assertEqual([e["level"] for e in recording.events if e["event"] == "disk-space"], ["low", "scarce", "exhausted"])
                    self.assertEqual([e["level"] for e in recording.events if e["event"] == "composite-stepped-down"], ["off"])
                    self.assertEqual((recording.json["end"]["reason"], recording.json["end"]["exitCode"]), ("diskFull", 41))
                    self.whole(recording)
                    self.nothing_missing(room, recording, 2)
            with self.subTest("full from one moment to the next"), mounted("-t", "tmpfs", "-o", "size=100m", "none") as disk:
                with Call(room.address, archive=disk / "archive") as call:
                    call.tracks_begun(4); time.sleep(3)
                    run("fallocate", "-l", os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize, disk / "filler")
                    self.assertIn(call.wait(20), (41, 74), call.log)
                    self.assertRegex(call.log, r"The disk is full|no space left")
                    recording = Recording(call.recording)
                    self.whole(recording)
                    self.nothing_missing(room, recording, 2)

    def test_slow_machine(self):
        with Room(record=True, textroom=None) as room, People(room, [{**p, "fps": 25} for p in THREE]) as people:
            people.wait(event="published", count=3)
            with limited("cpu") as group, Call(room.address, "--fps", "30") as call:
                recording = call.tracks_begun(6)
                def steps(name): return [json.loads(e)["level"] for e in (recording / "events.jsonl").read_text().splitlines() if f'"{name}"' in e]
                time.sleep(3)
                (group / "cpu.cfs_period_us").write_text("50000"); (group / "cpu.cfs_quota_us").write_text("3500")
                (group / "cgroup.procs").write_text(str(call.pid))
                until(lambda: "off" in steps("composite-stepped-down"), 60)
                self.assertEqual(steps("composite-stepped-down"), ["half-rate", "half-size", "off"])
                (group / "cpu.cfs_quota_us").write_text("-1")
                until(lambda: steps("composite-stepped-up"), 60)
                # in a hurry, so that what was made during the call is what there is
                call.send(signal.SIGINT); time.sleep(0.3)
                self.assertEqual(call.stop(), 130, call.log)
                recording = Recording(recording)
            people.close(); room.close()
            self.assertRegex(call.log, "(?s)too slow.*every second picture.*half as wide.*no new pictures.*keeps up")
            self.assertIn(f"'callbot render {recording.path}' makes a whole one", call.log)
            self.whole(recording)
            self.nothing_missing(room, recording, 3)
        sound = [p[0] for p in packets(recording.path / "call.webm", "a")]
        self.assertGreaterEqual(len(sound), recording.json["duration"] / 20_000)
        self.assertLess(max(b - a for a, b in zip(sound, sound[1:])), 0.025)
