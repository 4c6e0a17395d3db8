"""A Janus server of its own, its people, and the network between them and callbot."""
import contextlib, json, os, pathlib, signal, socket, struct, subprocess, threading, time

from . import places


class Network:
    """Two hosts with a bad network between them (recipes/rooms/impair): people and server in A, callbot in B."""

    def __init__(self, ab="", ba=""):
        words = [str(places.ROOMS / "impair"), "run", "--ab", ab, "--ba", ba, "--", "sh", "-c", "echo $NET_A $NET_B $NET_A_ADDR $NET_SET; read end"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        words = self.process.stdout.readline().split()
        if len(words) != 4: raise RuntimeError("no network namespaces")
        self.a, self.b, self.address, self.control = words

    def set(self, way, spec):
        subprocess.run([str(places.ROOMS / "impair"), "set", way, spec], env=dict(os.environ, NET_SET=self.control), check=True)

    def readdress(self):
        """B's host has another address from now on, and the old one is gone."""
        tag, new = self.b.rsplit("-", 1)[1], "10.77.0.3"
        for words in (["-n", self.a, "route", "add", new, "dev", f"ca{tag}"], ["-n", self.b, "addr", "flush", "dev", f"cb{tag}"],
                      ["-n", self.b, "addr", "add", new, "peer", self.address, "dev", f"cb{tag}"]):
            subprocess.run(["ip", *words], check=True)

    def close(self):
        with contextlib.suppress(OSError): self.process.stdin.write("\n"); self.process.stdin.close()
        try: self.process.wait(20)
        except subprocess.TimeoutExpired: self.process.terminate(); self.process.wait()


def inside(namespace, words):
    return ["ip", "netns", "exec", namespace, *words] if namespace else list(words)


class Room:
    """A server with the rooms asked for. `ws` is its address; `address` that of a room as callbot takes it."""

    def __init__(self, *options, room="1234,publishers=8,notify_joining=true", textroom="1234", record=False, network=None):
        self.network, self.folder = network, places.folder("room")
        words = [str(places.ROOMS / "janus-room"), "start", "--dir", str(self.folder), "--for", "300", "--room", room,
                 *(["--textroom", textroom] if textroom else []), *(["--record"] if record else []),
                 *(["--address", network.address] if network else []), *options]
        self.id = room.split(",")[0]
        self.words = words
        self.start()
        self.ws = self.where["ws"]
        self.address = f"janus+{self.ws}/{self.id}"

    def start(self, *options):
        p = subprocess.run(inside(self.network and self.network.a, [*self.words, *options]), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        if p.returncode: raise RuntimeError("no Janus: " + p.stderr[-2000:])
        self.where = json.loads(p.stdout.strip().split("\n")[-1])

    def restart(self):
        """Another server at the same address, with the same rooms, that knows nothing of the one before."""
        keeper = pathlib.Path("/proc") / (self.folder / "pid").read_text().split()[0]
        self.vanish()
        end = time.monotonic() + 10
        while keeper.exists() and time.monotonic() < end: time.sleep(0.01)
        self.start("--ws-port", self.ws.rsplit(":", 1)[1])

    def command(self, *words):
        p = subprocess.run(inside(self.network and self.network.a, [str(places.ROOMS / "janus-room"), *words]), stdout=subprocess.PIPE, text=True, timeout=30)
        return p.stdout

    def ask(self, plugin, **request): return json.loads(self.command("call", str(self.folder), plugin, json.dumps(request)) or "{}")

    def participants(self):
        answer = self.ask("videoroom", request="listparticipants", room=self.number)
        return answer.get("response", answer).get("participants", [])

    @property
    def number(self): return int(self.id) if self.id.isdigit() else self.id

    def vanish(self):
        """The server's process is gone from one moment to the next."""
        keeper = int((self.folder / "pid").read_text().split()[0])
        for child in pathlib.Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split(): os.kill(int(child), signal.SIGKILL)

    def close(self): self.command("stop", str(self.folder))

    def __enter__(self): return self
    def __exit__(self, *a): self.close()


class Door:
    """A way to the room's WebSocket that can be shut: `slam` resets all connections that go through it."""

    def __init__(self, room):
        self.target = ("127.0.0.1", int(room.ws.rsplit(":", 1)[1]))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"janus+ws://127.0.0.1:{self.listener.getsockname()[1]}/{room.id}"
        self.ends = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                try: far = socket.create_connection(self.target)
                except OSError: near.close(); continue
                self.ends += [near, far]
                for a, b in ((near, far), (far, near)): threading.Thread(target=self.carry, args=(a, b), daemon=True).start()

    def carry(self, a, b):
        with contextlib.suppress(OSError):
            while data := a.recv(65536): b.sendall(data)
            b.shutdown(socket.SHUT_WR)

    def slam(self):
        ends, self.ends = self.ends, []
        for end in ends:
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RD); end.close()

    def close(self): self.slam(); self.listener.close()

    def __enter__(self): return self
    def __exit__(self, *a): self.close()


class People:
    """Browser participants (recipes/rooms/participant). Their log is the truth."""

    def __init__(self, room, participants, seconds=120, options=()):
        self.folder = places.folder("people")
        (self.folder / "scenario.json").write_text(json.dumps({"seconds": seconds, "participants": participants}))
        for p in participants: p.setdefault("room", room.number)
        (self.folder / "scenario.json").write_text(json.dumps({"seconds": seconds, "participants": participants}))
        words = [str(places.ROOMS / "participant"), "--server", room.ws, "--stdin", *options, str(self.folder / "scenario.json")]
        self.errors = open(self.folder / "errors", "w")
        self.process = subprocess.Popen(inside(room.network and room.network.a, words), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True)
        self.log, self.changed = [], threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                entry = json.loads(line)
                with self.changed: self.log.append(entry); self.changed.notify_all()
        with self.changed: self.log.append({"event": "end"}); self.changed.notify_all()

    def all(self, **wanted):
        with self.changed: return [e for e in self.log if all(e.get(k) == v for k, v in wanted.items())]

    def wait(self, timeout=30, count=1, **wanted):
        """Waits until the log has such an entry; returns the last of them."""
        end = time.monotonic() + timeout
        with self.changed:
            while True:
                found = [e for e in self.log if all(e.get(k) == v for k, v in wanted.items())]
                if len(found) >= count: return found[-1]
                left = end - time.monotonic()
                if left <= 0 or self.process.poll() is not None and any(e.get("event") == "end" for e in self.log):
                    raise AssertionError(f"the participants never came to {wanted}: " + (self.folder / "errors").read_text()[-1500:])
                self.changed.wait(min(left, 0.5))

    def act(self, who, wait=True, **action):
        before = len(self.all(event="did", who=who, do=action["do"]))
        self.process.stdin.write(json.dumps({"who": who, **action}) + "\n"); self.process.stdin.flush()
        return self.wait(event="did", who=who, do=action["do"], count=before + 1) if wait else None

    def close(self):
        with contextlib.suppress(OSError): self.process.stdin.close()
        try: self.process.wait(20)
        except subprocess.TimeoutExpired: self.process.terminate(); self.process.wait()
        self.errors.close()

    def __enter__(self): return self
    def __exit__(self, *a): self.close()
