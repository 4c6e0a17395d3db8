"""A real browser that plays a file, from a server on loopback that knows byte ranges."""
import asyncio, functools, http.server, importlib.machinery, importlib.util, json, os, re, shutil, threading

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
