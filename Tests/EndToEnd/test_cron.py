"""The lines of recipes/cron, run by cron itself: what is recorded, and which mail comes of it."""
import os, re, subprocess, time, unittest

from endtoend import places
from endtoend.recording import Recording, libwebm
from endtoend.room import People, Room


class Cron(unittest.TestCase):
    def test_lines_of_the_recipe(self):
        """Cron has its own idea of a minute, so this takes up to one."""
        if os.geteuid() != 0: self.skipTest("cron needs root")
        folder = places.folder("cron")
        archive, spool, mail, programs = (folder / name for name in ("archive", "spool", "mail", "bin"))
        for place in (spool / "crontabs", mail, programs): place.mkdir(parents=True)
        (programs / "callbot").symlink_to(places.CALLBOT.resolve())
        (programs / "sendmail").write_text(f"#!/bin/sh\nexec cat > {mail}/$$\n"); (programs / "sendmail").chmod(0o755)
        room = Room(); self.addCleanup(room.close)
        people = People(room, [{"key": "ada", "codec": "vp8", "width": 320, "height": 180, "fps": 10, "textroom": 1234}]); self.addCleanup(people.close)
        people.wait(event="published")
        recipe = folder / "standup.json5"
        recipe.write_text(f'{{ room: "{room.address}", size: "320x180", fps: 10 }}')

        lines = (places.ROOT / "recipes" / "cron" / "callbot.crontab").read_text()
        for ours, theirs in (("CALLBOT_ARCHIVE=/srv/calls", f"CALLBOT_ARCHIVE={archive}\nPATH={programs}:/usr/bin:/bin"), ("0 9 * * 1-5", "* * * * *"),
                             ("/etc/callbot/standup.json5", str(recipe)), ("--duration 45m", "--duration 8s"), ("127.0.0.1:8188/4321", "127.0.0.1:1/4321")):
            self.assertIn(ours, lines); lines = lines.replace(ours, theirs)
        daily, = re.findall(r"^\* \* \* \* \* .*standup.*$", lines, re.M)
        table = spool / "crontabs" / "root"
        nowhere = daily.replace(str(recipe), "janus+ws://127.0.0.1:2/4321")
        table.write_text(f"{lines}\n# somebody else's line for the same room, and one that cannot be\n{daily}\n{nowhere}\n"); table.chmod(0o600)
        # a cron of its own, with a spool and a sendmail of its own
        script = (f"mount --bind {spool} /var/spool/cron && mount -t tmpfs none /run && mount -t overlay overlay -o lowerdir={programs}:/usr/sbin /usr/sbin && exec cron -f")
        cron = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-c", script], stdin=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(cron.wait); self.addCleanup(cron.kill)

        def until(what, seconds, sentence):
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                if found := what(): return found
                time.sleep(0.1)
            self.fail(sentence)

        recordings = lambda: [p.parent for p in archive.rglob("recording.json")]
        found, = until(lambda: [r for r in recordings() if len([t for t in (r / "tracks").glob("*.webm") if t.stat().st_size > 500]) >= 2], 90, "nothing is recorded")
        cron.kill()
        people.act("ada", do="chat", text="Elderberries")
        until(lambda: Recording(found).json["state"] == "finished", 30, "it does not end")
        self.assertEqual(recordings(), [found], "the second line of the same room was to do nothing")
        recording = Recording(found)
        self.assertAlmostEqual(recording.json["duration"] / 1e6, 8, delta=1)
        for path in recording.files: self.assertRegex(libwebm(path), r"^ok [1-9]")
        ask = lambda *words: subprocess.run([str(places.CALLBOT), *words], stdout=subprocess.PIPE, text=True, check=True, env=dict(os.environ, CALLBOT_ARCHIVE=str(archive))).stdout
        self.assertRegex(ask("search", "elderberr*"), r"0:00:0\d.*Elderberries")
        self.assertIn("Elderberries", ask("play", "last", "--text", "--speed", "100"))
        # one mail: of the line that cannot be, in words
        letters = until(lambda: [p.read_text() for p in mail.iterdir() if p.stat().st_size], 10, "no mail")
        self.assertEqual(len(letters), 1, letters)
        self.assertIn("To: you@example.org", letters[0])
        self.assertRegex(letters[0], r"nobody listens|cannot be reached|refused")
        body = letters[0].split("\n\n", 1)[1].strip()
        self.assertEqual(len(body.splitlines()), 1, body)
        self.assertNotIn("\x1b", body)
