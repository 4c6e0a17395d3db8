"""Full disks, slow disks, slow machines, little memory, clocks that are set: what is captured is whole, and what gave way is said."""
import contextlib, json, os, pathlib, signal, subprocess, time, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Recording, libwebm, missing, packets, probe
from endtoend.room import People, Room

THREE = [{"key": k, "display": k.title(), "codec": "vp8", "fps": 25} for k in ("ada", "bob", "eve")]
PEOPLE = [{**p, "fps": 15, "width": 320, "height": 180} for p in THREE[:2]]

BROKEN = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is_broken(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    if (!strstr(path, getenv("BROKEN_OF")) || access(getenv("BROKEN_WHEN"), F_OK)) return 0;
    errno = EIO;
    return 1;
}
#define PASS(name, type, ...) ((type)dlsym(RTLD_NEXT, name))(__VA_ARGS__)
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return is_broken(fd) ? -1 : PASS("pwrite", ssize_t (*)(int, const void *, size_t, off_t), fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { return is_broken(fd) ? -1 : PASS("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t), fd, b, n, o); }
int fsync(int fd) { return is_broken(fd) ? -1 : PASS("fsync", int (*)(int), fd); }
int fdatasync(int fd) { return is_broken(fd) ? -1 : PASS("fdatasync", int (*)(int), fd); }
"""
# A wall clock that is set: off by the seconds in a file. (libfaketime moves the environment, by which Swift finds the arguments.)
SET = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long offset(void) {
    char text[32] = {0};
    int fd = open(getenv("OFFSET"), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    return n > 0 ? atol(text) : 0;
}
int clock_gettime(clockid_t clock, struct timespec *t) {
    int result = syscall(SYS_clock_gettime, clock, t);
    if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) t->tv_sec += offset();
    return result;
}
int gettimeofday(struct timeval *t, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec; t->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *t) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (t) *t = now.tv_sec;
    return now.tv_sec;
}
"""


def run(*words): subprocess.run([str(w) for w in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def preloaded(source, **variables):
    """The environment in which functions of the C library are replaced by these."""
    folder = places.folder("library"); (folder / "source.c").write_text(source)
    run("gcc", "-shared", "-fPIC", "-o", folder / "library.so", folder / "source.c", "-ldl")
    return {"LD_PRELOAD": str(folder / "library.so"), **{k: str(v) for k, v in variables.items()}}


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
                    self.assertEqual(call.wait(10), 43, call.log)
                    self.assertRegex(call.log, r"The disk is full: 2\d MB are free, and 32 MB are to stay free")
                    self.assertEqual([p for p in disk.rglob("*") if p.is_file()], [])
            with self.subTest("filled by and by"), mounted("-t", "tmpfs", "-o", "size=200m", "none") as disk:
                with Call(room.address, archive=disk / "archive") as call:
                    call.tracks_begun(4); time.sleep(3)
                    with open(disk / "filler", "wb") as filler:
                        while call.process.poll() is None: filler.write(bytes(1 << 20)); filler.flush(); time.sleep(0.03)
                    self.assertEqual(call.wait(10), 43, call.log)
                    self.assertRegex(call.log, r"The disk is full: \d+ MB are free.*kept")
                    self.assertIn(f"callbot render {call.recording}", call.log)
                    recording = Recording(call.recording)
                    self.assertFalse((recording.path / "call.webm").exists())
                    self.assertEqual([e["level"] for e in recording.events if e["event"] == "disk-space"], ["low", "scarce", "exhausted"])
                    self.assertEqual([e["level"] for e in recording.events if e["event"] == "composite-stepped-down"], ["off"])
                    self.assertEqual((recording.json["end"]["reason"], recording.json["end"]["exitCode"]), ("diskFull", 43))
                    self.whole(recording)
                    self.nothing_missing(room, recording, 2)
            with self.subTest("full from one moment to the next"), mounted("-t", "tmpfs", "-o", "size=100m", "none") as disk:
                with Call(room.address, archive=disk / "archive") as call:
                    call.tracks_begun(4); time.sleep(3)
                    # until there is no space: that dd then fails is what it is for
                    subprocess.run(["dd", "if=/dev/zero", f"of={disk}/filler", "bs=64k"], stderr=subprocess.DEVNULL)
                    self.assertIn(call.wait(20), (43, 74), call.log)
                    self.assertRegex(call.log, r"The disk is full|no space left")
                    recording = Recording(call.recording)
                    self.whole(recording)
                    self.nothing_missing(room, recording, 2)

    def test_slow_machine(self):
        with Room(record=True, textroom=None) as room, People(room, THREE) as people:
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
            self.assertIn(f"'callbot render {recording.path} --replace' makes a whole one", call.log)
            self.whole(recording)
            self.nothing_missing(room, recording, 3)
        sound = [p[0] for p in packets(recording.path / "call.webm", "a")]
        self.assertGreaterEqual(len(sound), recording.json["duration"] / 20_000)
        self.assertLess(max(b - a for a, b in zip(sound, sound[1:])), 0.025)

    def test_stalled_disk(self):
        image = places.folder("image") / "disk"
        run("truncate", "-s", "300M", image); run("mkfs.ext4", "-q", image)
        with mounted("-o", "loop", image) as disk, Room(record=True, textroom=None) as room, People(room, PEOPLE) as people:
            people.wait(event="published", count=2)
            with Call(room.address, archive=disk / "archive") as call:
                recording = call.tracks_begun(4); time.sleep(2)
                run("fsfreeze", "-f", disk); frozen = time.monotonic()
                try:
                    time.sleep(5)
                    # the event loop answers all the time
                    p = subprocess.run([str(places.CALLBOT), "control", str(recording), "mark", "Frozen"], timeout=3)
                    self.assertEqual(p.returncode, 0)
                    time.sleep(10 - (time.monotonic() - frozen))
                finally: run("fsfreeze", "-u", disk)
                time.sleep(3)
                self.assertEqual(call.stop(), 130, call.log)
                recording = Recording(recording)
            people.close(); room.close()
            self.whole(recording)
            self.nothing_missing(room, recording, 2)
            for track in recording.of(0, "audio") + recording.of(1, "audio"):
                times = [p[0] for p in packets(track.path)]
                self.assertGreater(len(times), 700)
                self.assertLess(max(b - a for a, b in zip(times, times[1:])), 0.1)
            self.assertNotIn("frames-dropped", [e["event"] for e in recording.events if not e.get("reason", "").startswith("before")])

    def test_broken_disk(self):
        """Writing fails with an input/output error (EIO), of one file or of all, from one moment on."""
        folder = places.folder("broken")
        with Room(textroom=None) as room, People(room, PEOPLE) as people:
            people.wait(event="published", count=2)
            for of, name in (("Ada-camera", "one file"), ("/archive/", "all files")):
                with self.subTest(name):
                    now = folder / of.strip("/")
                    with Call(room.address, environment=preloaded(BROKEN, BROKEN_OF=of, BROKEN_WHEN=now)) as call:
                        recording = call.tracks_begun(4); time.sleep(1); now.touch()
                        if name == "one file": time.sleep(2); call.send(signal.SIGINT)
                        self.assertEqual(call.wait(20), 74, call.log)
                        self.assertRegex(call.log, r"Writing failed: .*input/output error.*What was written before is kept")
                        for path in (recording / "tracks").glob("*.webm"): self.assertRegex(libwebm(path), r"^ok [1-9]")
                        if name == "all files": continue
                        recording = Recording(recording)
                        self.assertEqual((recording.json["state"], recording.json["end"]["exitCode"]), ("finished", 74))
                        failed = [t["file"] for t in recording.json["tracks"] if t.get("failure")]
                        self.assertEqual([f for f in failed if "Ada-camera" in f], failed); self.assertEqual(len(failed), 1)
                        self.assertIn(failed[0], [e.get("file") for e in recording.events if e["event"] == "failed"])
                        for path in (recording.path / "tracks").glob("*.webm"):
                            if path.name not in failed[0]: self.assertGreater(float(probe(path)["format"]["duration"]), 3)

    def test_clock_that_is_set(self):
        offset = places.folder("clock") / "offset"; offset.write_text("0")
        fake = preloaded(SET, OFFSET=offset)
        with Room(record=True, textroom=None) as room, People(room, PEOPLE) as people:
            people.wait(event="published", count=2)
            with Call(room.address, "--duration", "8s", environment=fake) as call:
                call.tracks_begun(4); begun = time.monotonic(); time.sleep(2)
                for seconds in (3600, -1800):
                    (offset.parent / "new").write_text(str(seconds)); (offset.parent / "new").rename(offset); time.sleep(2)
                self.assertEqual(call.wait(30), 0, call.log)
                self.assertLess(time.monotonic() - begun, 12)
                recording = Recording(call.recording)
            people.close(); room.close()
            steps = [e for e in recording.events if e["event"] == "clock-stepped"]
            self.assertEqual([round(e["by"] / 1e6) for e in steps], [3600, -5400], call.log)
            self.assertTrue(all("wall" in e for e in steps))
            self.assertAlmostEqual(recording.json["duration"] / 1e6, 8, delta=0.05)
            self.whole(recording)
            self.nothing_missing(room, recording, 2)
            # events come from several places, but no hour apart
            times = [e["at"] for e in recording.events]
            self.assertGreater(min(b - a for a, b in zip(times, times[1:])), -1e6); self.assertLess(max(times), 12e6)

    def test_little_memory(self):
        with Room(record=True, textroom=None) as room, People(room, THREE) as people:
            people.wait(event="published", count=3)
            with limited("memory") as group:
                (group / "memory.limit_in_bytes").write_text("300M")
                # from its first moment on, so that all of it counts
                with Call(room.address, "--duration", "8s", within=group) as call:
                    self.assertEqual(call.wait(40), 0, call.log)
                    recording = Recording(call.recording)
                peak = int((group / "memory.max_usage_in_bytes").read_text())
            people.close(); room.close()
            print(f"       peak {peak / 1e6:.0f} MB of memory, caches of files among it", flush=True)
            self.whole(recording)
            self.nothing_missing(room, recording, 3)
            self.assertNotIn("composite-stepped-down", [e["event"] for e in recording.events])
