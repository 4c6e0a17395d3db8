"""A real browser that plays a file, from a server on loopback that knows byte ranges."""
import asyncio, base64, functools, http.server, importlib.machinery, importlib.util, json, os, re, shutil, threading, time

from . import places

PAGE = """<!doctype html><video id=v muted preload=metadata src=/file></video><script>
const v = document.getElementById('v'), once = n => new Promise((r, e) => { v.addEventListener(n, r, {once: true}); v.addEventListener('error', () => e(new Error('media error ' + v.error.code + ' ' + v.error.message)), {once: true}); });
window.check = async at => {
  if (v.readyState < 1) await once('loadedmetadata');
  const out = { duration: v.duration, width: v.videoWidth, height: v.videoHeight };
  v.muted = false; v.volume = 0.01;
  await v.play(); await new Promise(r => setTimeout(r, 1500)); v.pause();
  out.played = v.currentTime; out.frames = v.getVideoPlaybackQuality().totalVideoFrames;
  out.sought = [];
  for (const t of at) { v.currentTime = t; await once('seeked');
    const c = document.createElement('canvas'); c.width = 480; c.height = 270; const p = c.getContext('2d'); p.drawImage(v, 0, 0, 480, 270);
    const d = p.getImageData(0, 0, 480, 270).data; let sum = 0; for (let i = 0; i < d.length; i += 4) sum += d[i] + d[i + 1] + d[i + 2];
    out.sought.push([t, v.currentTime, sum / (d.length / 4 * 3)]); }
  return out; };
</script>"""


class Ranges(http.server.BaseHTTPRequestHandler):
    def __init__(self, path, asked, *rest): self.path_, self.asked = path, asked; super().__init__(*rest)

    def do_GET(self):
        if self.path != "/file":
            body, kind, code, extra = PAGE.encode(), "text/html", 200, {}
        else:
            whole = self.path_.read_bytes(); kind = "video/webm"
            m = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            self.asked.append(self.headers.get("Range"))
            if m:
                a, b = int(m[1]), min(int(m[2] or len(whole) - 1), len(whole) - 1)
                body, code, extra = whole[a:b + 1], 206, {"Content-Range": f"bytes {a}-{b}/{len(whole)}"}
            else: body, code, extra = whole, 200, {}
            extra["Accept-Ranges"] = "bytes"
        self.send_response(code)
        for k, v in {"Content-Type": kind, "Content-Length": str(len(body)), **extra}.items(): self.send_header(k, v)
        self.end_headers()
        try: self.wfile.write(body)
        except OSError: pass

    def log_message(self, *a): pass


def plays(path, at):
    """Plays a file for a second and a half, then seeks to each time of `at`; what came of it."""
    loader = importlib.machinery.SourceFileLoader("participant", str(places.ROOMS / "participant"))
    participant = importlib.util.module_from_spec(importlib.util.spec_from_loader("participant", loader)); loader.exec_module(participant)
    asked = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Ranges, path, asked)); server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()

    async def main():
        browser = participant.Browser(lambda m: None)
        flags = ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--autoplay-policy=no-user-gesture-required", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
        if os.geteuid() == 0: flags.append("--no-sandbox")
        try:
            await browser.start(shutil.which("chromium"), flags)
            target = (await browser.call("Target.createTarget", {"url": "about:blank"}))["targetId"]
            session = (await browser.call("Target.attachToTarget", {"targetId": target, "flatten": True}))["sessionId"]
            await browser.call("Page.enable", {}, session); await browser.call("Runtime.enable", {}, session)
            await browser.call("Page.navigate", {"url": f"http://127.0.0.1:{server.server_port}/"}, session)
            for _ in range(50):
                r = await browser.call("Runtime.evaluate", {"expression": "typeof window.check", "returnByValue": True}, session)
                if r["result"].get("value") == "function": break
                await asyncio.sleep(0.1)
            r = await browser.call("Runtime.evaluate", {"expression": f"check({json.dumps(at)})", "awaitPromise": True, "returnByValue": True}, session, timeout=40)
            if "exceptionDetails" in r: raise AssertionError(r["exceptionDetails"].get("exception", {}).get("description", "the page failed"))
            return r["result"]["value"]
        finally: await browser.stop()

    try: result = asyncio.run(main())
    finally: server.shutdown()
    result["ranges"] = sum(1 for a in asked if a)
    return result


class Page:
    """A page in a real browser, driven as a person would: `see` asks it, `click` and `press` are real input. `complaints` has what its console says."""

    KEYS = {" ": ("Space", 32), "ArrowLeft": ("ArrowLeft", 37), "ArrowUp": ("ArrowUp", 38), "ArrowRight": ("ArrowRight", 39), "ArrowDown": ("ArrowDown", 40),
            "Tab": ("Tab", 9), "Enter": ("Enter", 13), "Escape": ("Escape", 27)}

    def __init__(self, width=1280, height=800, dark=False, touch=False):
        self.loop = asyncio.new_event_loop(); self.complaints = []
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.wait(self.start(width, height, dark, touch))

    def wait(self, coroutine, timeout=60): return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(timeout)

    def heard(self, m):
        p = m.get("params", {})
        if m.get("method") == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning"): self.complaints.append(" ".join(str(a.get("value", a.get("description", ""))) for a in p["args"]))
        elif m.get("method") == "Runtime.exceptionThrown": self.complaints.append(p["exceptionDetails"].get("exception", {}).get("description", p["exceptionDetails"].get("text")))
        elif m.get("method") == "Log.entryAdded" and p["entry"]["level"] == "error": self.complaints.append(p["entry"]["text"])

    async def start(self, width, height, dark, touch):
        loader = importlib.machinery.SourceFileLoader("participant", str(places.ROOMS / "participant"))
        participant = importlib.util.module_from_spec(importlib.util.spec_from_loader("participant", loader)); loader.exec_module(participant)
        self.browser = participant.Browser(self.heard)
        flags = ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
                 "--autoplay-policy=no-user-gesture-required", "--disable-dev-shm-usage", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
        if os.geteuid() == 0: flags.append("--no-sandbox")
        await self.browser.start(shutil.which("chromium"), flags)
        target = (await self.browser.call("Target.createTarget", {"url": "about:blank"}))["targetId"]
        self.session = (await self.browser.call("Target.attachToTarget", {"targetId": target, "flatten": True}))["sessionId"]
        for domain in ("Page", "Runtime", "Log"): await self.call(f"{domain}.enable")
        await self.shape(width, height, dark, touch)

    async def shape(self, width, height, dark, touch):
        await self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        await self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def call(self, method, **params): return self.browser.call(method, params, self.session)

    def reshape(self, width, height, dark=False, touch=False): self.wait(self.shape(width, height, dark, touch))

    def open(self, url): self.wait(self.call("Page.navigate", url=url))

    def see(self, expression):
        r = self.wait(self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True))
        if "exceptionDetails" in r: raise AssertionError(r["exceptionDetails"].get("exception", {}).get("description", "the page failed"))
        return r["result"].get("value")

    def until(self, expression, timeout=15):
        """Waits until it is true; returns it."""
        end = time.monotonic() + timeout
        while True:
            found = self.see(expression)
            if found: return found
            if time.monotonic() > end: raise AssertionError(f"never true in the page: {expression}; {self.complaints}")
            time.sleep(0.1)

    def place(self, selector, x, y, index=0):
        """Where a part of an element is in the window."""
        return self.see(f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{index}]; e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect(); return [r.left + r.width * {x}, r.top + r.height * {y}]; }})()")

    def move(self, selector, x=0.5, y=0.5):
        at = self.place(selector, x, y)
        self.wait(self.call("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1]))

    def touch(self, selector, *xs, y=0.5):
        """A finger comes down, and goes from place to place; `lift` takes it away."""
        for number, x in enumerate(xs):
            at = self.place(selector, x, y)
            self.wait(self.call("Input.dispatchTouchEvent", type="touchMove" if number else "touchStart", touchPoints=[{"x": at[0], "y": at[1]}]))

    def lift(self): self.wait(self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[]))

    def click(self, selector, x=0.5, y=0.5, index=0):
        at = self.place(selector, x, y, index)
        for kind in ("mousePressed", "mouseReleased"): self.wait(self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1))

    def press(self, key):
        code, number = self.KEYS.get(key, (key, ord(key.upper()) if len(key) == 1 else 0))
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        self.wait(self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, windowsVirtualKeyCode=number, **text))
        self.wait(self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, windowsVirtualKeyCode=number))

    def picture(self, path, whole=False):
        r = self.wait(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **({"clip": {"x": 0, "y": 0, "width": self.see("innerWidth"), "height": self.see("document.documentElement.scrollHeight"), "scale": 1}} if whole else {})))
        path.write_bytes(base64.b64decode(r["data"]))

    def close(self):
        self.wait(self.browser.stop()); self.loop.call_soon_threadsafe(self.loop.stop)

    def __enter__(self): return self
    def __exit__(self, *a): self.close()
