"""The daemon's site: its page in a real browser, its API, links for others, and those who mean no good."""
import atexit, functools, json, os, re, signal, socket, subprocess, time, unittest, urllib.error, urllib.request

from endtoend import places
from endtoend.browser import Page
from endtoend.room import People, Room
from test_daemon import Daemon, later
from test_playback import EVIL, HEBREW, SMALL, shot

TOKEN = "t0ken"


class Stay(urllib.request.HTTPRedirectHandler):
    """Redirections are answers like others."""
    def redirect_request(self, *a): return None


class Site:
    """One room, one daemon and one recording for all tests; and what the daemon says."""

    def __init__(self):
        os.environ["WEB_TOKEN"] = TOKEN
        self.room = Room()
        self.people = People(self.room, [{"key": "ada", "display": "Ada", **SMALL}, {"key": "eve", "display": EVIL, **SMALL}, {"key": "dov", "display": HEBREW, **SMALL}])
        self.people.wait(event="published", count=3)
        self.daemon = Daemon(); self.daemon.end()
        atexit.register(self.close)
        self.daemon.start("--listen", "127.0.0.1:0", "--web-token", "env:WEB_TOKEN")
        self.port = int(re.search(r"over HTTP.* port=(\d+)", self.daemon.log)[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.empty()
        self.recipe = self.daemon.folder / "standup.json5"
        self.recipe.write_text('{ room: "%s", size: "320x180", fps: 10 }' % self.room.address)
        self.daemon.schedule("add", "0 3 1 1 *", self.recipe, "--duration", "1h", "--id", "yearly", "--name", EVIL)
        self.daemon.schedule("add", later(2), self.recipe, "--duration", "1h", "--id", "soon")
        self.record()

    def empty(self):
        """What is seen while there is nothing."""
        with Page() as page:
            page.open(f"{self.url}/?token={TOKEN}")
            page.until("document.getElementById('nothing')?.hidden === false")
            self.said = page.see("document.getElementById('nothing').textContent")
            shot(page, "site-empty")

    def record(self):
        self.folder = self.daemon.recording()
        self.id = json.loads((self.folder / "recording.json").read_text())["id"]
        status, _, _ = self.ask(f"/api/recordings/{self.id}/control", {"mark": "Questions " + EVIL})
        assert status == 204, status
        for who, text in (("ada", "Gooseberries, anyone?"), ("eve", EVIL), ("dov", HEBREW)):
            time.sleep(0.7)
            self.people.act(who, do="chat", text=text)
        time.sleep(1)
        self.during = self.ask("/api/status")[1], self.ask("/metrics")[1]
        run = self.during[0]["runs"][0]["run"]
        assert self.ask(f"/api/runs/{run}/stop", {})[0] == 202
        self.daemon.says("a run is over", timeout=30)

    def ask(self, path, body=None, method=None, **headers):
        headers = {"Authorization": f"Bearer {TOKEN}", **({"Content-Type": "application/json"} if body is not None else {}), **headers}
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try: r = urllib.request.build_opener(Stay).open(request, timeout=10)
        except urllib.error.HTTPError as error: r = error
        text = r.read().decode(errors="replace")
        return r.status, json.loads(text) if r.headers.get("Content-Type") == "application/json" else text, r.headers

    def raw(self, data, seconds=5):
        """What is answered to bytes as they are."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as s:
            s.sendall(data)
            answer = b""
            try:
                while part := s.recv(65536): answer += part
            except (TimeoutError, ConnectionResetError): pass
            return answer

    def close(self):
        self.daemon.close(); self.people.close(); self.room.close()


@functools.cache
def the_site():
    return Site()


CARDS = "document.querySelectorAll('#runs .card').length"
ROWS = "document.querySelectorAll('#list .recording').length"


class Browsing(unittest.TestCase):
    alone = True

    def setUp(self): self.site = the_site()

    def enter(self, page, path="/"):
        page.open(f"{self.site.url}{path}?token={TOKEN}")
        page.until(f"{ROWS} > 0")
        self.assertNotIn("token", page.see("location.href"))

    def test_the_page(self):
        s = self.site
        self.assertIn("Nothing has been recorded yet", s.said)
        with Page() as page:
            self.enter(page)
            page.until("document.querySelectorAll('#history li').length > 0 && document.querySelectorAll('#schedules > li').length === 2")
            with self.subTest("the list"):
                self.assertIn("Ada", page.see("document.querySelector('.recording .people').textContent"))
                self.assertIn(EVIL, page.see("[...document.querySelectorAll('.recording .people bdi')].map(e => e.textContent)"))
                self.assertIn(EVIL, page.see("[...document.querySelectorAll('#schedules .head b')].map(e => e.textContent)"))
                page.until("document.querySelector('.poster img')?.naturalWidth > 0")
                self.assertNotEqual(page.see("document.title"), "owned")
                shot(page, "site-desktop-light")
            with self.subTest("what runs now"):
                page.click("#start"); page.until("document.getElementById('start-dialog').open")
                page.see("document.getElementById('start-recipe').value = 'nothing', 0")
                page.press("Enter") if page.see("document.getElementById('start-recipe').focus(), 1") else None
                page.until("!document.getElementById('start-fault').hidden")
                shot(page, "site-start")
                page.see(f"document.getElementById('start-recipe').value = {json.dumps(str(s.recipe))}, document.getElementById('start-name').value = 'by-hand', document.getElementById('start-duration').value = '10m', 0")
                page.click("#start-form [type=submit]"); page.until("!document.getElementById('start-dialog').open")
                page.until(f"{CARDS} === 1 && document.querySelector('.card .facts').textContent.includes('3 people')", 30)
                self.assertEqual(page.see("document.querySelector('.card .name').textContent"), "by-hand")
                page.until("!document.querySelector('.card a').hidden && [...document.querySelectorAll('.chip.live')].length === 1")
                before = page.see("document.querySelector('.card .time').textContent")
                page.until(f"document.querySelector('.card .time').textContent !== {json.dumps(before)}")
                shot(page, "site-running")
            with self.subTest("on a phone, and in the dark"):
                page.reshape(390, 844, touch=True); time.sleep(0.4)
                self.assertEqual(page.see("[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('.hidden, svg, option, bdi') && e.getBoundingClientRect().right > 391).map(e => e.outerHTML.slice(0, 90))"), [])
                shot(page, "site-phone-light", whole=True)
                page.click("#to-schedules"); page.until("document.querySelector('aside').checkVisibility() && !document.getElementById('filters').checkVisibility()")
                shot(page, "site-phone-schedules", whole=True)
                page.click("#to-recordings"); page.reshape(390, 844, dark=True, touch=True); time.sleep(0.3)
                shot(page, "site-phone-dark", whole=True)
                page.reshape(1280, 800, dark=True); time.sleep(0.3); shot(page, "site-desktop-dark"); page.reshape(1280, 800)
            with self.subTest("it is stopped, when it is meant so"):
                page.click(".card .danger"); page.until("document.getElementById('ask').open"); shot(page, "site-ask")
                page.press("Escape"); page.until("!document.getElementById('ask').open")
                self.assertEqual(s.ask("/api/status")[1]["runs"][0]["state"], "recording")
                page.click(".card .danger"); page.until("document.getElementById('ask').open")
                page.press("Tab"); page.press("Enter")
                page.until(f"{CARDS} === 0 && {ROWS} === 2 && document.querySelectorAll('.chip.live').length === 0", 30)
            with self.subTest("a schedule is paused, by keys"):
                page.see("document.querySelector('[aria-label^=\"Pause\"]').focus()")
                page.press("Enter"); page.until("document.querySelectorAll('#schedules .chip').length === 1")
                page.press("Enter"); page.until("document.querySelectorAll('#schedules .chip').length === 0")
            with self.subTest("a schedule is added, and removed"):
                page.click("#start"); page.until("document.getElementById('start-dialog').open")
                put = lambda **values: page.see("0, " + ", ".join(f"document.getElementById('start-{key}').value = {json.dumps(value)}" for key, value in values.items()))
                put(name="weekly", when="0 9 30 2 *"); page.see("document.getElementById('start-when').dispatchEvent(new Event('input')), 0")
                self.assertEqual(page.see("document.getElementById('start-submit').textContent"), "Schedule")
                page.click("#start-submit"); page.until("document.getElementById('start-fault').textContent.includes('never')")
                put(when="0 9 * * MON"); page.click("#start-submit")
                page.until("document.querySelectorAll('#schedules > li').length === 3"); shot(page, "site-scheduled")
                schedule, = [one for one in s.ask("/api/schedules")[1]["schedules"] if one.get("name") == "weekly"]
                self.assertEqual((schedule["cron"], schedule["duration"], len(schedule["next"])), ("0 9 * * MON", 600, 5))
                page.click(f"[data-schedule={schedule['id']}] [aria-label='Remove weekly']"); page.until("document.getElementById('ask').open")
                page.click("#ask-yes"); page.until("document.querySelectorAll('#schedules > li').length === 2")
            with self.subTest("a recording is held, shared and removed"):
                page.click(".recording .icon"); page.until("document.getElementById('actions').open")
                page.click("#actions-hold"); page.until("document.getElementById('actions-hold').textContent === 'Release' && document.querySelector('.recording').textContent.includes('held')")
                page.click("#actions-share"); page.until(f"document.getElementById('actions-url').value.startsWith('{s.url}/r/')"); shot(page, "site-actions")
                page.click("#actions-hold"); page.until("!document.querySelector('.recording').textContent.includes('held')")
                page.click("#actions-remove"); page.until("document.getElementById('ask').open")
                page.click("#ask-yes"); page.until(f"{ROWS} === 1 && document.querySelector('.recording').dataset.id === '{s.id}'")
            with self.subTest("a filter"):
                page.see("(() => { const p = document.getElementById('person'); p.value = 'nobody'; p.dispatchEvent(new Event('input', {bubbles: true})); })()")
                page.until(f"{ROWS} === 0 && !document.getElementById('nothing').hidden")
                page.see("(() => { const p = document.getElementById('person'); p.value = ''; p.dispatchEvent(new Event('input', {bubbles: true})); })()")
                page.until(f"{ROWS} === 1")
            with self.subTest("from what was said to its moment, and back"):
                page.see("document.getElementById('words').focus()")
                for letter in "gooseb*": page.press(letter)
                page.until("document.querySelectorAll('#lines li').length === 1")
                self.assertIn("Gooseberries, anyone?", page.see("document.querySelector('#lines li').textContent"))
                shot(page, "site-found")
                page.click("#lines a")
                page.until("document.querySelector('#stage video')?.readyState >= 2")
                line = next(json.loads(l) for l in (s.folder / "chat.jsonl").read_text().splitlines() if "Gooseb" in l)
                page.until(f"Math.abs(document.querySelector('#stage video').currentTime - {line['at'] / 1e6}) < 0.1")
                shot(page, "site-player")
                page.click("#list"); page.until(f"{ROWS} === 1")
                page.see("history.go(-2)")
                page.until("document.querySelectorAll('#lines li').length === 1 && document.getElementById('words').value === 'gooseb*'")
            with self.subTest("everything that acts has a name"):
                names = page.see("[...document.querySelectorAll('button, input, select, a')].filter(e => e.checkVisibility()).map(e => (e.ariaLabel || e.labels?.[0]?.innerText || e.innerText || e.placeholder || '').trim())")
                self.assertNotIn("", names)
            self.assertEqual([c for c in page.complaints if "400" not in c], [])

    def test_a_link_for_somebody_else(self):
        s = self.site
        p = subprocess.run([str(places.CALLBOT), "link", s.id[:-2], "--for", "1d", "--state", str(s.daemon.state), "--archive", str(s.daemon.archive)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(p.returncode, 0, p.stdout)
        url = p.stdout.strip()
        self.assertTrue(url.startswith(f"{s.url}/r/{s.id}/?link="), url)
        path = url[len(s.url):]
        self.assertEqual(oct((s.daemon.state / "link.key").stat().st_mode & 0o777), "0o600")
        with Page() as page:
            page.open(url); page.until("document.querySelector('#stage video')?.readyState >= 2")
            self.assertEqual(page.see("location.pathname + location.search"), f"/r/{s.id}/")
            self.assertTrue(page.see("document.getElementById('list').hidden"))
            self.assertEqual(page.see("document.cookie"), "")
            for other in ("/api/recordings", f"/api/recordings/{s.id}", "/api/events", "/metrics", "/"):
                with self.subTest("and nothing else", path=other): self.assertEqual(page.see(f"fetch({json.dumps(other)}).then(a => a.status)"), 401)
            self.assertEqual([c for c in page.complaints if "401" not in c], [])
            page.open(s.url + "/"); page.until("!!document.getElementById('token')"); shot(page, "site-signin")
            page.see("document.getElementById('token').focus()")
            for letter in "wrong": page.press(letter)
            page.press("Enter"); page.until("!document.getElementById('fault').hidden")
            for letter in TOKEN: page.press(letter)
            page.press("Enter"); page.until(f"{ROWS} > 0")
            page.click("#leave"); page.until("!!document.getElementById('token')")
        status, _, headers = s.ask(path, Authorization="")
        self.assertEqual((status, headers["Location"]), (303, f"/r/{s.id}/"))
        for words in (f"Path=/r/{s.id}/", "HttpOnly", "SameSite=Lax", "Max-Age=86"): self.assertIn(words, headers["Set-Cookie"])
        cookie = headers["Set-Cookie"].split(";")[0]
        self.assertEqual(s.ask(f"/r/{s.id}/files/call.webm", Authorization="", Cookie=cookie, Range="bytes=0-3")[0], 206)
        self.assertEqual(s.ask(f"/r/{s.id}/", {}, Authorization="", Cookie=cookie)[0], 401)
        seconds, signature = path.split("link=")[1].split(".")
        short = s.ask(f"/api/recordings/{s.id}/link", {"for": 1})
        self.assertEqual(short[0], 201)
        end = time.monotonic() + 10
        while s.ask(short[1]["url"].replace(s.url, ""), Authorization="")[0] == 303 and time.monotonic() < end: time.sleep(0.1)
        for link, words in ((f"{int(seconds) + 1}.{signature}", "not good"), (f"{seconds}.{'0' * 64}", "not good"), ("x", "not good"), (short[1]["url"].split("link=")[1], "was good until")):
            with self.subTest(link=link):
                status, said, _ = s.ask(f"/r/{s.id}/?link={link}", Authorization="", Accept="text/html")
                self.assertEqual(status, 403); self.assertIn(words, said); self.assertIn("<h1>Sorry", said)
                self.assertEqual(s.ask(f"/r/{s.id}/view.json", Authorization="", Cookie=f"callbot-link={link}")[0], 403)
        self.assertEqual(s.ask("/r/another/", Authorization="", Cookie=cookie)[0], 403)
        for time_, text in ((0, "a year"), ("2y", "seconds"), (40_000_000, "a year"), ([], "seconds")):
            status, said, _ = s.ask(f"/api/recordings/{s.id}/link", {"for": time_})
            self.assertEqual(status, 400); self.assertIn(text, said["error"])
        p = subprocess.run([str(places.CALLBOT), "link", "--revoke-all", "--state", str(s.daemon.state)], stdout=subprocess.PIPE, text=True)
        self.assertEqual((p.returncode, p.stdout), (0, "no link that was given out is good any more\n"))
        self.assertEqual(s.ask(path, Authorization="")[0], 403)
        p = subprocess.run([str(places.CALLBOT), "link", s.id, "--state", str(s.daemon.folder / "none"), "--archive", str(s.daemon.archive)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(p.returncode, 69); self.assertIn("no daemon runs", p.stdout)

    def test_the_api(self):
        s = self.site
        status, figures = s.during
        run = status["runs"][0]
        self.assertEqual((run["name"], run["schedule"], run["state"], run["people"], run["recording"]), ("soon", "soon", "recording", 3, s.id))
        for words in ("callbot_recordings 1.0\n", f'callbot_people{{run="{run["run"]}"}} 3.0\n', "# TYPE callbot_loss_ratio gauge\n", "callbot_disk_free_bytes ", f'callbot_composite_lag_seconds{{run="{run["run"]}"}} '): self.assertIn(words, figures)
        document = s.ask("/api/openapi.json")[1]
        holds(self, document)
        with self.subTest("recordings"):
            found = next(r for r in s.ask("/api/recordings")[1]["recordings"] if r["id"] == s.id)
            fits(self, document, found, "Recording")
            one = s.ask(f"/api/recordings/{s.id}")[1]
            self.assertEqual(one["report"]["verdict"]["grade"], found["verdict"]["grade"])
            self.assertEqual(s.ask(found["poster"])[0], 200)
            first = s.ask("/api/recordings?limit=1")[1]
            self.assertEqual(len(first["recordings"]), 1)
            line, = s.ask("/api/search?words=gooseb*")[1]["lines"]
            fits(self, document, line, "Line")
            self.assertRegex(line["page"], rf"^/r/{s.id}/#t=\d+\.\d\d\d$")
            self.assertEqual(s.ask("/api/search?words=questions&kind=mark")[1]["lines"][0]["kind"], "mark")
            for verb, held in (("hold", True), ("release", False)):
                self.assertEqual(s.ask(f"/api/recordings/{s.id}/{verb}", {})[0], 204)
                self.assertEqual(s.ask(f"/api/recordings/{s.id}")[1]["held"], held)
                if held: self.assertEqual(s.ask(f"/api/recordings/{s.id}", method="DELETE")[0], 409)
            status, said, _ = s.ask(f"/api/recordings/{s.id}/control", {"mark": "late"})
            self.assertEqual((status, said), (409, {"error": "it is not being recorded now"}))
        with self.subTest("schedules"):
            status, made, headers = s.ask("/api/schedules", {"id": "noon", "cron": "0 12 * * *", "zone": "Europe/Berlin", "recipe": s.room.address, "duration": "45m"})
            self.assertEqual((status, headers["Location"], len(made["next"])), (201, "/api/schedules/noon", 5))
            fits(self, document, made, "Schedule")
            self.assertEqual(s.ask("/api/schedules/noon/pause", {})[1]["paused"], True)
            self.assertEqual(s.ask("/api/schedules/noon")[1]["next"], [])
            self.assertEqual(s.ask("/api/schedules/noon/resume", {})[1]["paused"], False)
            self.assertIn("noon", [x["id"] for x in s.ask("/api/schedules")[1]["schedules"]])
            for body, text in (({"cron": "61 * * * *", "recipe": s.room.address}, "minute"), ({"cron": "@daily", "recipe": "--output"}, "recipe must be"), ({"recipe": s.room.address, "id": "../x", "cron": "@daily"}, "letters"),
                               ({"cron": "0 0 30 2 *", "recipe": s.room.address}, "never"), ({"once": "2020-01-01 09:00", "recipe": s.room.address, "zone": "UTC"}, "over already"), ({"cron": "@daily", "recipe": "/nowhere.json5"}, "nowhere"),
                               ({"cron": "@daily", "recipe": s.room.address, "zone": "Mars/Base"}, "Mars"), ({"recipe": s.room.address}, "one of cron"), ({"cron": "@daily", "recipe": s.room.address, "colour": 1}, "'colour' is not known")):
                status, said, _ = s.ask("/api/schedules", body)
                self.assertEqual(status, 400, body); self.assertIn(text, said["error"])
            self.assertEqual(s.ask("/api/schedules", {"id": "noon", "cron": "@daily", "recipe": s.room.address})[0], 409)
            self.assertEqual(s.ask("/api/schedules/noon", method="DELETE")[0], 204)
            self.assertEqual(s.ask("/api/schedules/noon")[0], 404)
        with self.subTest("what happened"):
            entries = s.ask("/api/history?schedule=soon")[1]["history"]
            self.assertEqual([e["outcome"] for e in entries], ["ran"]); fits(self, document, entries[0], "HistoryEntry")
            self.assertEqual(s.ask("/api/webhooks")[1], {"addresses": [], "deliveries": []})
        with self.subTest("events"):
            events, = [s.raw(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n{back}\r\n".encode(), 0.5).decode() for back in ("",)]
            self.assertRegex(events, r"id: \w+-\d+\nevent: state\ndata: \{")
            last = re.findall(r"id: (\S+)", events)[-1]
            again = s.raw(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nLast-Event-ID: {last}\r\n\r\n".encode(), 0.5).decode()
            self.assertNotIn("event: state", again); self.assertIn("200 OK", again)
        with self.subTest("it is well"):
            self.assertEqual(s.ask("/health", Authorization="")[:2], (200, {"alive": True}))
            self.assertEqual(s.ask("/ready", Authorization="")[:2], (200, {"ready": True}))

    def test_those_who_mean_no_good(self):
        s = self.site
        for path in ("/metrics", "/api/status", "/api/recordings", f"/r/{s.id}/", f"/r/{s.id}/files/call.webm", "/", "/api/openapi.json", "/api/events", "/nothing"):
            for header in ("", "Bearer t0kem", "Bearer ", "Basic dDBrZW4=", TOKEN):
                with self.subTest("without the token", path=path, header=header):
                    status, said, headers = s.ask(path, Authorization=header)
                    self.assertEqual(status, 401); self.assertIn("error", said); self.assertEqual(headers["WWW-Authenticate"], "Bearer")
        self.assertEqual(s.ask("/?token=wrong", Authorization="")[0], 401)
        status, _, headers = s.ask(f"/r/{s.id}/?token={TOKEN}", Authorization="")
        self.assertEqual((status, headers["Location"]), (303, f"/r/{s.id}/"))
        self.assertIn("HttpOnly; SameSite=Strict", headers["Set-Cookie"]); self.assertNotIn(TOKEN, headers["Set-Cookie"])
        for path in ("/r/x/", f"/r/{s.id}/files/..%2f..%2fstate%2flink.key", f"/r/{s.id}/files/%2e%2e/recording.json", f"/r/{s.id}/files/recorder.log", "/r/..%2f/", "/page/..%2flist.html", "/page/nothing.js", "/api/none", "/api/recordings/..%2f..", "/api/recordings/%27%20OR%201=1--",
                     "/api/runs/none", "/api/schedules/..%2fdaemon", f"/api/recordings/{s.id[:-1]}"):
            with self.subTest("what is not there", path=path): self.assertIn(s.ask(path)[0], (400, 404))
        for path, text in (("/api/recordings?limit=0", "limit must be"), ("/api/recordings?limit=x", "limit must be"), ("/api/recordings?after=x", "after must be"), ("/api/recordings?verdict=fine", "verdict must be"), ("/api/recordings?form=1", "'form' is no parameter"),
                           ("/api/recordings?from=yesterday", "from must be"), ("/api/recordings?held=maybe", "held must be"), ("/api/search", "words are missing"), ("/api/search?words=%22", "words are missing"), ("/api/history?limit=9999", "limit must be")):
            with self.subTest("what is not right", path=path):
                status, said, _ = s.ask(path)
                self.assertEqual(status, 400); self.assertIn(text, said["error"])
        for words in ("%22;DROP%20TABLE%20recordings;--", "'", "%00", "NEAR(a%20b", "*", "a*%20AND%20OR", "x" * 3000): self.assertIn(s.ask(f"/api/recordings?words={words}&room={words[:500]}")[0], (200, 400))
        for method, path, allowed in (("DELETE", "/api/recordings", "GET, HEAD"), ("PUT", "/api/runs", "GET, HEAD, POST"), ("POST", "/api/status", "GET, HEAD"), ("POST", f"/r/{s.id}/", "GET, HEAD"), ("GET", f"/api/recordings/{s.id}/hold", "POST")):
            with self.subTest("other methods", path=path):
                status, _, headers = s.ask(path, b"{}" if method != "GET" else None, method)
                self.assertEqual((status, headers["Allow"]), (405, allowed))
        for body, kind, status, text in ((b"{}", "text/plain", 415, "Content-Type"), (b"{", "application/json", 400, "not JSON"), (b"[]", "application/json", 400, "a JSON object"), (b'{"recipe": 1}', "application/json", 400, "a text"), (b"{}", "application/json", 400, "recipe is missing"),
                                         (b'{"recipe": "-o /etc/x"}', "application/json", 400, "recipe must be"), (b'{"recipe": "relative.json5"}', "application/json", 400, "begins with /"), (b'{"recipe": "/etc/passwd"}', "application/json", 400, ""), (b'{"arguments": []}', "application/json", 400, "'arguments'"),
                                         (json.dumps({"recipe": s.room.address, "name": "a b"}).encode(), "application/json", 400, "letters"), (json.dumps({"recipe": s.room.address, "duration": -1}).encode(), "application/json", 400, "from a second"), (b"x" * 70_000, "application/json", 413, "too long")):
            with self.subTest("orders that are none", body=body[:40]):
                found, said, _ = s.ask("/api/runs", body, **{"Content-Type": kind})
                self.assertEqual(found, status); self.assertIn(text, said["error"])
        for value in ("bytes=9-3", "bytes=x", "bytes=-", "lines=1-2", "bytes=0-1,4-5", "bytes=99999999999999999999-"): self.assertIn(s.ask(f"/r/{s.id}/files/chat.jsonl", Range=value)[0], (200, 206, 416))
        for data, status in ((b"GET /api/status HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"421"), (b"NONSENSE\r\n\r\n", b"400"), (b"BREW /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"501"), (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"414"),
                             (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 30_000 + b"\r\n\r\n", b"431")):
            with self.subTest(data=data[:30]):
                answer = s.raw(data)
                self.assertEqual(answer.split(b" ", 2)[1], status)
        with self.subTest("those who say little, or do not listen, hold up nobody"):
            slow = [socket.create_connection(("127.0.0.1", s.port)) for _ in range(30)]
            for one in slow[:15]: one.sendall(b"GET /api/stat")
            for one in slow[15:]: one.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
            begin = time.monotonic()
            self.assertEqual(s.ask("/api/status")[0], 200)
            self.assertLess(time.monotonic() - begin, 2)
            for one in slow: one.close()
        self.assertEqual(s.ask("/health")[0], 200)


# What an OpenAPI document must be like, as far as it matters here.

def holds(test, document):
    test.assertEqual(document["openapi"], "3.1.0")
    test.assertTrue(document["info"]["title"] and document["info"]["version"])
    ids = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            test.assertIn(method, ("get", "post", "put", "delete"))
            ids.append(operation["operationId"])
            inside = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
            test.assertEqual(inside, set(re.findall(r"\{(\w+)\}", path)), path)
            test.assertTrue(operation["summary"] and operation["responses"])
            for status, answer in operation["responses"].items(): test.assertRegex(status, r"^[2345]\d\d$"); test.assertTrue(answer["description"])
            for scheme in operation["security"]: test.assertIn(list(scheme)[0], document["components"]["securitySchemes"])
    test.assertEqual(len(ids), len(set(ids)))
    for name in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)): test.assertIn(name, document["components"]["schemas"])


def fits(test, document, value, name):
    """Whether an answer is as the document says: it has what must be there, and nothing that is not said."""
    schema = document["components"]["schemas"][name]
    test.assertEqual(set(schema["required"]) - set(value), set(), name)
    test.assertEqual(set(value) - set(schema["properties"]), set(), name)
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict, "null": type(None)}
    for key, part in value.items():
        wanted = schema["properties"][key].get("type")
        if wanted: test.assertIsInstance(part, tuple(k for t in (wanted if isinstance(wanted, list) else [wanted]) for k in (kinds[t] if isinstance(kinds[t], tuple) else (kinds[t],))), key)
