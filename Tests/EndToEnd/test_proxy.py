"""The daemon's site behind nginx and Caddy, as recipes/proxy has them."""
import http.client, json, os, re, socket, ssl, subprocess, time, unittest

from endtoend import places
from test_daemon import Daemon

NAME = "calls.example.org"


def free():
    with socket.create_server(("127.0.0.1", 0)) as s: return s.getsockname()[1]


class Proxies(unittest.TestCase):
    def setUp(self):
        os.environ["WEB_TOKEN"] = "t0ken"; self.addCleanup(os.environ.pop, "WEB_TOKEN", None)
        self.daemon = Daemon(); self.addCleanup(self.daemon.close); self.daemon.end()
        self.daemon.start("--listen", "127.0.0.1:0", "--web-token", "env:WEB_TOKEN", "--public-url", f"https://{NAME}")
        self.upstream = re.search(r"over HTTP.* port=(\d+)", self.daemon.log)[1]
        self.folder, self.port = places.folder("proxy"), free()

    def recipe(self, file, *changes):
        text = (places.ROOT / "recipes/proxy" / file).read_text()
        for ours, theirs in (("127.0.0.1:8080", f"127.0.0.1:{self.upstream}"), *changes):
            self.assertIn(ours, text); text = text.replace(ours, theirs)
        return text

    def serve(self, *words):
        log = open(self.folder / "log", "w")
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=dict(os.environ, HOME=str(self.folder)))
        self.addCleanup(log.close); self.addCleanup(process.wait); self.addCleanup(process.kill)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try: return socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError: time.sleep(0.05)
        self.fail((self.folder / "log").read_text())

    def works(self, connect):
        def ask(path, body=None, host=NAME, **headers):
            c = connect(); self.addCleanup(c.close)
            data = None if body is None else json.dumps(body)
            c.request("GET" if body is None else "POST", path, data, {"Host": host, "Authorization": "Bearer t0ken", **({"Content-Type": "application/json"} if body is not None else {}), **headers})
            return c.getresponse()

        said = ask("/api/openapi.json")
        self.assertEqual(said.status, 200); self.assertEqual(json.loads(said.read())["openapi"][:2], "3.")
        self.assertEqual(ask("/api/status", Authorization="").status, 401)
        entry = ask("/?token=t0ken", Authorization="")
        self.assertEqual(entry.status, 303); self.assertIn("Secure", entry.headers["Set-Cookie"])
        # what goes on is told at once, and not when a buffer is full
        events = ask("/api/events")
        self.assertEqual(events.status, 200); self.assertEqual(events.headers["Content-Type"].split(";")[0], "text/event-stream")
        heard = lambda name: any(line == f"event: {name}\n".encode() for line in iter(events.fp.readline, b""))
        self.assertTrue(heard("state"))
        made = ask("/api/schedules", {"recipe": "janus+ws://127.0.0.1:1/1", "cron": "0 3 1 1 *", "id": "yearly"})
        self.assertEqual(made.status, 201, made.read())
        self.assertTrue(heard("schedules"))

    def test_nginx(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
                        "-keyout", str(self.folder / "key.pem"), "-out", str(self.folder / "certificate.pem")], check=True, stderr=subprocess.DEVNULL)
        (self.folder / "site.conf").write_text(self.recipe("nginx.conf", ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
            (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(self.folder / "certificate.pem")), (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(self.folder / "key.pem"))))
        paths = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(f"{user} daemon off; pid {self.folder}/pid; events {{}} http {{ access_log off; {paths} include {self.folder}/site.conf; }}")
        self.serve("/usr/sbin/nginx", "-c", str(self.folder / "nginx.conf"), "-e", "stderr")
        context = ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))

        def connect():
            c = http.client.HTTPSConnection(NAME, self.port, context=context, timeout=10)
            c.sock = context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), timeout=10), server_hostname=NAME)
            return c
        self.works(connect)

    def test_caddy(self):
        """Without its certificate, which it gets from the web."""
        (self.folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + self.recipe("Caddyfile", (f"{NAME} {{", f"http://{NAME}:{self.port} {{\n\tbind 127.0.0.1")))
        self.serve("caddy", "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile"))
        self.works(lambda: http.client.HTTPConnection("127.0.0.1", self.port, timeout=10))
