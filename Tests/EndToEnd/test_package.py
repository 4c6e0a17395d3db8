"""The Debian package, installed where there is no Swift and nothing else that callbot was built with."""
import json, subprocess, unittest

from endtoend import cleanroot, places
from endtoend.call import Call
from endtoend.recording import Recording
from endtoend.room import People, Room


def built():
    """The package of the callbot that is tested; of another one where that needs Swift's libraries."""
    needs = subprocess.run(["ldd", str(places.CALLBOT)], stdout=subprocess.PIPE, text=True).stdout
    words = [] if "libswift" in needs else ["--binary", str(places.CALLBOT)]
    p = subprocess.run([str(places.ROOT / "recipes/package"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if p.returncode: raise AssertionError(f"no package: {p.stderr[-2000:]}")
    return p.stdout.strip().split("\n")[-1]


class Package(unittest.TestCase):
    @unittest.skipIf(cleanroot.missing(), cleanroot.missing())
    def test_installs_and_records_where_there_is_no_swift(self):
        package = built()
        try: root = cleanroot.CleanRoot(package)
        except cleanroot.NoRoot as why: self.skipTest(str(why))
        self.assertEqual(list(root.path.rglob("libswift*")), [])
        self.assertEqual(root.run("dpkg-query", "--show", "--showformat", "${db:Status-Status}", "callbot"), "installed")
        with self.subTest("what it needs is there, by its dependencies alone"):
            self.assertNotIn("not found", root.run("ldd", "/usr/bin/callbot"))
        with self.subTest("it has a user, and a place for recordings"):
            self.assertIn(":/var/lib/callbot:/usr/sbin/nologin", root.run("getent", "passwd", "callbot"))
            self.assertEqual(root.run("stat", "-c", "%U:%G %a", "/var/lib/callbot").strip(), "callbot:callbot 750")
        with self.subTest("it says what it is"):
            self.assertRegex(root.run("/usr/bin/callbot", "version"), r"\Acallbot \d+\.\d+\.\d+\n\Z")
        with self.subTest("the doctor finds all that the package asks for"):
            p = subprocess.run([str(root.program), "doctor", "--json"], stdout=subprocess.PIPE, text=True)
            self.assertIn(p.returncode, (0, 51), p.stdout)
            levels = {f["subject"]: f["level"] for f in json.loads(p.stdout)["findings"]}
            for subject in ("pictures", "certificates", "time zones", "libraries", "processors", "network"): self.assertNotEqual(levels[subject], "problem", p.stdout)
            self.assertEqual((levels["certificates"], levels["time zones"]), ("ok", "ok"), p.stdout)
        with Room() as room, People(room, [{"key": "ada", "codec": "vp8"}]) as people:
            people.wait(event="published")
            with Call(room.address, "--duration", "5s", program=root.program) as call:
                self.assertEqual(call.wait(30), 0, call.log[-2000:])
                recording = Recording(call.recording)
        self.assertGreater(len(recording.of(0, "video")[0].frames), 50)
        self.assertEqual(recording.of(0, "audio")[0].signal["audio"]["tone"], 400)
        self.assertIn(0, recording.composite[0], "ada is on the composite")
        self.assertIn("Everything holds", root.run("/usr/bin/callbot", "show", str(recording.path), "--verify"))
        with self.subTest("it goes as it came, and leaves recordings alone"):
            (root.path / "var/lib/callbot/kept").write_text("")
            root.run("dpkg", "--purge", "callbot")
            self.assertFalse((root.path / "usr/bin/callbot").exists())
            self.assertTrue((root.path / "var/lib/callbot/kept").exists())
