"""A recording watched in a real browser: `callbot play` in step with its chat, by mouse and by keys, on a phone and on a desk."""
import functools, json, os, pathlib, re, shutil, signal, socket, subprocess, time, unittest

from endtoend import places
from endtoend.browser import Page
from endtoend.call import Call
from endtoend.room import People, Room

SMALL = {"codec": "vp8", "width": 320, "height": 180, "fps": 12, "textroom": 1234}
EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
HEBREW = "שלום \u202Etxt.exe " + "ארוך" * 30


class Play:
    """`callbot play`, and the address that it says."""

    def __init__(self, folder, *options):
        self.process = subprocess.Popen([str(places.CALLBOT), "play", str(folder), "--no-browser", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url: raise AssertionError("no address: " + self.process.stderr.read())

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        return self.process.wait(20)

    def __enter__(self): return self

    def __exit__(self, *a):
        if self.process.poll() is None: self.process.kill()
        self.process.wait(); self.process.stdout.close(); self.process.stderr.close()


def shot(page, name, whole=False):
    """Pictures for people to look at, where they are asked for."""
    if where := os.environ.get("CALLBOT_TEST_PICTURES"):
        os.makedirs(where, exist_ok=True)
        page.picture(places.pathlib.Path(where) / f"{name}.png", whole)


NOW = "document.querySelector('#stage video').currentTime"
LINE = "document.querySelector('#chat [aria-current]')?.innerText"
READY = "document.querySelector('#stage video')?.readyState >= 2 && document.querySelectorAll('#chat button').length > 0"


@functools.cache
def the_call():
    """One call for all of it: three people, two of them with names that mean no good, a chat, and a chapter."""
    seen = {}
    with Room() as room, People(room, [
            {"key": "ada", "display": "Ada", **SMALL}, {"key": "eve", "display": EVIL, **SMALL}, {"key": "dov", "display": HEBREW, **SMALL}]) as people:
        people.wait(event="published", count=3)
        with Call(room.address, pictures=True) as call:
            folder = call.tracks_begun(6)
            followers = Followers(folder)
            for number, (who, text) in enumerate([("ada", "one: good morning"), ("eve", EVIL), ("dov", HEBREW), ("ada", "four: https://example.org/ " + "long" * 40), ("ada", "five: bye")]):
                time.sleep(1.5)
                people.act(who, do="chat", text=text)
                if number == 2: subprocess.run([str(places.CALLBOT), "control", str(folder), "mark", "Questions"], check=True, stdout=subprocess.DEVNULL)
                if number == 3: seen = while_it_runs(folder)
            time.sleep(1.5)
            seen["code"], seen["log"] = call.stop(), call.log
            seen.update(followers.end())
    return folder, seen


class Followers:
    """`callbot play --text`, twice, from soon after the recording's beginning: one as fast as it can, one in true time with its sound."""

    def __init__(self, folder):
        self.sound = places.folder("sound") / "call.wav"
        words = [str(places.CALLBOT), "play", str(folder), "--text"]
        self.text = subprocess.Popen([*words, "--speed", "100"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.heard = subprocess.Popen([*words, "--sound", f"cat > {self.sound}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def end(self):
        try:
            text, heard = self.text.communicate(timeout=15)[0].decode(), self.heard.communicate(timeout=30)[0].decode()
            return {"text": text, "text-code": self.text.returncode, "heard": heard, "heard-code": self.heard.returncode, "sound": self.sound.stat().st_size}
        except subprocess.TimeoutExpired: return {"text": "it did not end", "text-code": None}
        finally:
            for process in (self.text, self.heard):
                if process.poll() is None: process.kill(); process.wait()
                process.stdout.close()


def while_it_runs(folder):
    """What can be seen of it before it is over."""
    with Play(folder) as play, Page() as page:
        page.open(play.url); page.until(READY)
        seen = {"badge": page.see("!document.getElementById('live').hidden"), "newest": page.see("!document.getElementById('newest').hidden"),
                "length": page.see("document.getElementById('seek').max")}
        time.sleep(4)
        page.click("#newest")
        try: seen["played"] = page.until(f"{NOW} > {seen['length']} - 2 && {NOW}")
        except AssertionError as error: seen["error"] = str(error)
        seen["later"] = page.see("document.getElementById('seek').max")
        time.sleep(1)
        shot(page, "running")
        # what it has is a few seconds; it goes on with what there is by then
        try: page.until(f"{NOW} > {seen['later']} + 2", 40)
        except AssertionError as error: seen["error"] = str(error)
        seen["complaints"] = page.complaints
    return seen


class WatchingARecording(unittest.TestCase):
    alone = True

    def setUp(self):
        self.folder, self.running = the_call()
        self.chat = [json.loads(line) for line in (self.folder / "chat.jsonl").read_text().splitlines()]

    def at(self, number): return self.chat[number]["at"] / 1e6

    def test_while_it_is_recorded(self):
        r = self.running
        self.assertEqual(r["code"], 130, r["log"][-2000:])
        self.assertTrue(r["badge"]); self.assertTrue(r["newest"])
        self.assertGreater(float(r["later"]), float(r["length"]), "it grows")
        self.assertNotIn("error", r); self.assertEqual(r["complaints"], [])

    def test_text_and_sound_follow_it_to_its_end(self):
        r = self.running
        length = json.loads((self.folder / "recording.json").read_text())["duration"] / 1e6
        for text, code in ((r["text"], r["text-code"]), (r["heard"], r["heard-code"])):
            self.assertEqual(code, 0, text)
            for words in ("Ada is here", "one: good morning", "-- Questions --", "five: bye"): self.assertEqual(text.count(words), 1, text)
        # 48 kHz, two channels, 16 bits, and a header
        self.assertAlmostEqual((r["sound"] - 44) / 192_000, length, delta=0.5)

    def test_pictures(self):
        pictures = {"thumbnails.jpg", "thumbnails.vtt", "waveform.json", "speaking.json", "poster.jpg"}
        listed = {f["path"]: f["bytes"] for f in json.loads((self.folder / "recording.json").read_text())["files"]}
        self.assertEqual({p: (self.folder / p).stat().st_size for p in pictures}, {p: listed.get(p) for p in pictures})
        probe = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", str(self.folder / "thumbnails.jpg")], stdout=subprocess.PIPE, text=True)
        width, height = map(int, probe.stdout.split()[0].split(","))
        self.assertEqual((width % 160, height % 90), (0, 0))
        self.assertGreater(max(json.loads((self.folder / "waveform.json").read_text())["peaks"]), 5, "it sounds")
        again = subprocess.run([str(places.CALLBOT), "pictures", str(self.folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, "", ""))
        proof = subprocess.run([str(places.CALLBOT), "show", "--verify", str(self.folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(proof.returncode, 0, proof.stdout)

        with self.subTest("everybody else goes first, and a signal ends it"):
            at_work = subprocess.Popen([str(places.CALLBOT), "pictures", str(self.folder), "--force"])
            niceness = 0
            while at_work.poll() is None and niceness != 19:
                niceness = int(pathlib.Path(f"/proc/{at_work.pid}/stat").read_text().rpartition(")")[2].split()[16])
            at_work.send_signal(signal.SIGINT)
            self.assertEqual((niceness, at_work.wait(20)), (19, 130))

        preview = "document.querySelector('.preview')"
        shown = f"!{preview}.hidden && {preview}.querySelector('.picture').style.backgroundImage.includes('thumbnails.jpg')"
        with Play(self.folder) as play, Page() as page:
            page.open(play.url); page.until(READY); page.until("'wave' in document.getElementById('seekbar').dataset")
            with self.subTest("by mouse"):
                page.move("#seek", x=0.75); page.until(shown)
                self.assertIn("Questions", page.see(f"{preview}.innerText"))
                time.sleep(0.4); shot(page, "preview")
                page.move("#chat", x=0.5); page.until(f"{preview}.hidden")
            with self.subTest("by keys, told to screen readers"):
                page.see("document.getElementById('seek').focus({ focusVisible: true })"); page.press("ArrowRight"); page.until(shown)
                page.until(f"{preview}.querySelector('.when').textContent === '0:05'")
                self.assertRegex(page.see("document.getElementById('seek').getAttribute('aria-valuetext')"), r"^5 seconds of \d+ seconds")
                page.press("Escape"); page.until(f"{preview}.hidden")
            with self.subTest("who spoke how much"):
                self.assertRegex(page.see("document.querySelector('.names li').innerText"), r"\d+ %")
                self.assertRegex(page.see("document.querySelector('.names li').ariaLabel"), r", spoke .*, \d+ %$")
            self.assertEqual(page.complaints, [])

    def test_by_mouse(self):
        with Play(self.folder) as play, Page() as page:
            page.open(play.url); page.until(READY)
            shot(page, "desktop-light", whole=True)
            with self.subTest("it plays"):
                page.click("#play"); page.until(f"{NOW} > 1")
                self.assertGreater(page.see("document.querySelector('#stage video').getVideoPlaybackQuality().totalVideoFrames"), 5)
                page.click("#play"); page.until("document.querySelector('#stage video').paused")
            with self.subTest("a click on a line goes to its moment"):
                for number in (3, 0, 4, 1):
                    page.click("#chat button", index=number)
                    page.until(f"Math.abs({NOW} - {self.at(number)}) < 0.05")
                    page.until(f"[...document.querySelectorAll('#chat button')].findIndex(b => b.hasAttribute('aria-current')) === {number}")
            with self.subTest("the line of the time is marked"):
                for number in range(5):
                    page.see(f"{NOW} = {self.at(number) + 0.4}, 0")
                    page.until(f"[...document.querySelectorAll('#chat button')].findIndex(b => b.hasAttribute('aria-current')) === {number}")
                    self.assertIn(self.chat[number]["text"].split()[0], page.see(LINE))
                page.see(f"{NOW} = 0, 0"); page.until(f"{LINE} === undefined || {LINE} === null")
            with self.subTest("the timeline goes to a place"):
                page.click(".area canvas", x=0.5, y=0.7)
                page.until(f"Math.abs({NOW} - document.querySelector('#stage video').duration / 2) < 0.2")
            with self.subTest("chapters"):
                mark = next(json.loads(line) for line in (self.folder / "events.jsonl").read_text().splitlines() if '"mark"' in line)
                page.see("(() => { const s = document.getElementById('chapters'); s.value = '0'; s.dispatchEvent(new Event('change')); })()")
                page.until(f"Math.abs({NOW} - {mark['at'] / 1e6}) < 0.05")
                self.assertIn("Questions", page.see("document.getElementById('chapters').selectedOptions[0].text"))
            with self.subTest("one alone, at the same moment"):
                before = page.see(NOW)
                options = page.see("[...document.getElementById('source').options].map(o => o.text)")
                self.assertEqual(options[0], "Everybody"); self.assertIn("Ada", options); self.assertIn("Ada: microphone", options)
                page.see("(() => { const s = document.getElementById('source'); s.value = [...s.options].find(o => o.text === 'Ada').value; s.dispatchEvent(new Event('change')); })()")
                page.until(f"document.querySelector('#stage video').readyState >= 2 && Math.abs({NOW} - {before}) < 0.4")
                page.click("#play"); page.until(f"{NOW} > {before} + 1"); page.click("#play")
                self.assertLess(page.see(f"Math.abs({NOW} - document.querySelector('#stage audio').currentTime)"), 0.4)
                shot(page, "one-alone")
            self.assertEqual(page.complaints, [])
            self.assertEqual(play.stop(), 130)

    def test_names_that_mean_no_good(self):
        with Play(self.folder) as play, Page() as page:
            page.open(play.url); page.until(READY)
            page.see("(() => { const s = document.getElementById('source'); s.value = [...s.options].find(o => o.text === 'All tracks side by side').value; s.dispatchEvent(new Event('change')); })()")
            page.see("document.getElementById('play').click()"); page.until("document.querySelectorAll('#stage figure:not([hidden])').length === 3"); time.sleep(1)
            shot(page, "all-tracks")
            with self.subTest("the chat as captions, as text"):
                page.press("k"); page.press("c"); page.click("#chat button", index=1)
                page.until("document.querySelector('.caption')?.checkVisibility()"); self.assertIn(EVIL, page.see("document.querySelector('.caption').textContent"))
                shot(page, "tracks-captions")
                page.press("c"); page.until("document.querySelector('.caption').hidden")
            self.assertNotEqual(page.see("document.title"), "owned")
            self.assertEqual(page.see("document.querySelectorAll('img, main script').length"), 0)
            self.assertIn(EVIL, page.see("[...document.querySelectorAll('#chat .what > span')].map(e => e.textContent)"))
            self.assertIn(EVIL, page.see("[...document.querySelectorAll('.names .who')].map(e => e.textContent)"))
            self.assertEqual(page.complaints, [])

    def test_by_keys(self):
        paused = "document.querySelector('#stage video').paused"
        with Play(self.folder) as play, Page() as page:
            page.open(play.url); page.until(READY)
            page.press("k"); page.until(f"!{paused}"); page.press(" "); page.until(paused)
            for key, change in (("3", 0.3), ("0", 0)):
                page.press(key); page.until(f"Math.abs({NOW} - document.querySelector('#stage video').duration * {change}) < 0.05")
            page.press("ArrowRight"); page.until(f"Math.abs({NOW} - 5) < 0.05")
            page.press("ArrowLeft"); page.until(f"{NOW} < 0.05")
            page.press("l"); page.until(f"{NOW} > 5"); page.press("j"); page.until(f"{NOW} < 0.05")
            page.press("m"); page.until("document.querySelector('#stage video').muted"); page.press("m"); page.until("!document.querySelector('#stage video').muted")
            page.press("c"); page.until("document.querySelector('#stage video').textTracks[0].mode === 'showing'")
            page.see(f"{NOW} = {self.at(0) + 0.2}, 0"); page.until("document.querySelector('#stage video').textTracks[0].activeCues?.length === 1")
            self.assertIn("good morning", page.see("document.querySelector('#stage video').textTracks[0].activeCues[0].text"))
            shot(page, "captions")
            page.press(">"); page.until("document.querySelector('#stage video').playbackRate === 1.25")
            page.press("?"); page.until("document.getElementById('help').open"); shot(page, "help")
            page.press("Escape"); page.until("!document.getElementById('help').open")
            page.press("f"); page.until("document.fullscreenElement?.id === 'player'"); page.press("f"); page.until("!document.fullscreenElement")
            with self.subTest("everything that acts has a name, and shows when it has the focus"):
                names = page.see("[...document.querySelectorAll('button, input, select, a')].filter(e => e.checkVisibility()).map(e => (e.ariaLabel || e.labels?.[0]?.innerText || e.innerText || '').trim())")
                self.assertNotIn("", names)
                for _ in range(4): page.press("Tab")
                self.assertNotEqual(page.see("getComputedStyle(document.activeElement).outlineStyle"), "none")
            with self.subTest("lines of the chat by arrows"):
                page.see("document.querySelector('#chat button[tabindex=\"0\"]').focus()")
                page.press("ArrowDown"); page.press("Enter")
                page.until(f"Math.abs({NOW} - {self.at(1)}) < 0.05")
            self.assertEqual(page.complaints, [])

    def test_on_a_phone_and_in_the_dark(self):
        with Play(self.folder) as play, Page(360, 740, touch=True) as page:
            page.open(play.url); page.until(READY); time.sleep(0.5)
            fits = "document.documentElement.scrollWidth <= 360 && [...document.querySelectorAll('main *')].every(e => !e.checkVisibility() || e.closest('#chat, canvas, svg, option, optgroup') || e.getBoundingClientRect().right <= 361)"
            self.assertTrue(page.see(fits), page.see("[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > 361).map(e => e.outerHTML.slice(0, 90))"))
            shot(page, "phone-light", whole=True)
            page.touch("#seek", 0.3, 0.5, 0.7); page.until("!document.querySelector('.preview').hidden"); time.sleep(0.4); shot(page, "phone-preview")
            self.assertTrue(page.see(fits)); page.lift(); page.until("document.querySelector('.preview').hidden")
            light = page.see("getComputedStyle(document.body).backgroundColor")
            page.reshape(360, 740, dark=True, touch=True); page.until(f"getComputedStyle(document.body).backgroundColor !== '{light}'"); time.sleep(0.3)
            shot(page, "phone-dark", whole=True)
            page.reshape(1440, 900, dark=True); time.sleep(0.5); shot(page, "desktop-dark", whole=True)
            contrast = page.see("""(() => { const n = c => c.match(/[0-9.]+/g).slice(0, 3).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
                const s = getComputedStyle(document.querySelector('.chat')), q = getComputedStyle(document.querySelector('#date')), a = n(q.color), b = n(s.backgroundColor); return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })()""")
            self.assertGreater(contrast, 4.5)
            self.assertEqual(page.complaints, [])

    def test_without_a_composite(self):
        bare = places.folder("bare") / "recording"
        shutil.copytree(self.folder, bare); (bare / "call.webm").unlink()
        for name in ("thumbnails.jpg", "thumbnails.vtt", "waveform.json", "speaking.json", "poster.jpg"): (bare / name).unlink()
        with Play(bare) as play, Page() as page:
            page.open(play.url); page.until("document.querySelectorAll('#stage figure').length === 3")
            page.see("document.getElementById('play').click()")
            page.until("[...document.querySelectorAll('#stage audio')].filter(a => !a.paused && a.currentTime > 1).length === 3")
            page.click("#chat button", index=3)
            page.until(f"[...document.querySelectorAll('#stage video, #stage audio')].every(e => Math.abs(e.currentTime - {self.at(3)}) < 2)")
            page.move("#seek", x=0.5); page.until("!document.querySelector('.preview').hidden && document.querySelector('.preview .picture').hidden")
            shot(page, "tracks-only"); self.assertEqual(page.complaints, [])

    def test_a_stranger_sees_nothing(self):
        with Play(self.folder, "--for", "6s") as play:
            import urllib.error, urllib.request
            base = re.match(r"http://127.0.0.1:\d+", play.url)[0]
            for path in ("/", "/r/", play.url[len(base):].replace("/r/", "x/r/"), play.url[len(base):] + "files/../../secret", play.url[len(base):] + "files/control.socket"):
                with self.subTest(path=path), self.assertRaises(urllib.error.HTTPError) as raised: urllib.request.urlopen(base + path)
                self.assertIn(raised.exception.code, (400, 404))
            with self.assertRaises(urllib.error.HTTPError) as raised:
                urllib.request.urlopen(urllib.request.Request(play.url, headers={"Host": "evil.example"}))
            self.assertEqual(raised.exception.code, 421)
            self.assertEqual(play.process.wait(20), 0)

    def test_on_the_terminal(self):
        def run(*options): return subprocess.run([str(places.CALLBOT), "play", str(self.folder), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        p = run("--text", "--speed", "100")
        self.assertEqual(p.returncode, 0, p.stderr)
        text = p.stdout.decode()
        for words in ("Ada is here", "Ada: one: good morning", "-- Questions --"): self.assertIn(words, text)
        self.assertNotIn("\u202E", text)
        begin = time.monotonic()
        p = run("--text", "--sound", "-", "--from", f"{self.at(3) - 0.5:.3f}s", "--for", "2s")
        self.assertEqual(p.returncode, 0, p.stderr); self.assertGreater(time.monotonic() - begin, 1.8)
        self.assertEqual(p.stdout[:4], b"RIFF"); self.assertGreater(len(p.stdout), 150_000); self.assertNotIn(b"one: good", p.stderr); self.assertIn(b"four:", p.stderr)
        self.assertGreater(max(abs(int.from_bytes(p.stdout[i:i + 2], "little", signed=True)) for i in range(44, 200_000, 2)), 500, "it sounds")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            p = subprocess.run([str(places.CALLBOT), "play", str(self.folder), "--no-browser", "--port", str(taken.getsockname()[1])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=20)
            self.assertEqual(p.returncode, 44, p.stderr); self.assertIn("--port (0 for any", p.stderr)
        for words, code, said in ((("/nowhere",), 66, "no recording's folder"), ((str(self.folder), "--speed", "2"), 64, "is for --text"), ((str(self.folder), "--port", "x"), 64, "whole number")):
            p = subprocess.run([str(places.CALLBOT), "play", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(p.returncode, code); self.assertIn(said, p.stderr)
