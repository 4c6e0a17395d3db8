"""Doors: pins, tokens, secrets, ids that are words, TLS, IPv6, a relay. Each opened, and something recorded behind it."""
import contextlib, pathlib, re, subprocess, time, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Recording
from endtoend.room import People, Room

SMALL = {"codec": "vp8", "width": 320, "height": 180, "fps": 10}


class Access(unittest.TestCase):
    def records(self, room, person, *options, address=None, secrets=(), **more):
        with People(room, [{"key": "ada", **SMALL, **person}]) as people:
            people.wait(event="published")
            with Call(address or room.address, *options, "--no-composite", **more) as call:
                call.tracks_begun(2)
                lines = pathlib.Path(f"/proc/{call.pid}/cmdline").read_bytes().decode()
                time.sleep(2)
                self.assertEqual(call.stop(), 130, call.log[-2000:])
                recording, log = Recording(call.recording), call.log
        self.assertGreater(len(recording.of(0, "video")[0].frames), 10)
        self.assertEqual(recording.of(0, "audio")[0].signal["audio"]["tone"], 400)
        for s in secrets:
            self.assertNotIn(s, lines, "seen in ps"); self.assertNotIn(s, log, "seen in the log")
            for p in recording.path.rglob("*"):
                if p.is_file(): self.assertNotIn(s.encode(), p.read_bytes(), f"seen in {p.name}")

    def test_words_for_ids_pin_and_api_secret(self):
        with Room("--string-ids", "--api-secret", "api-5ecret", room="stand-up,publishers=3,pin=s3same,require_pvtid=true", textroom=None) as room:
            self.records(room, {"room": "stand-up", "pin": "s3same", "apisecret": "api-5ecret"}, "--pin", "env:ROOM_PIN", "--apisecret", "api-5ecret",
                         environment={"ROOM_PIN": "s3same"}, secrets=("s3same", "api-5ecret"))

    def test_stored_token(self):
        with Room("--token", "sh0wn", textroom=None) as room:
            secret = places.folder("secret") / "token"; secret.write_text("sh0wn\n")
            self.records(room, {"token": "sh0wn"}, "--token", f"file:{secret}", secrets=("sh0wn",))

    def test_signed_token(self):
        token = subprocess.run([str(places.ROOMS / "janus-room"), "sign", "topsecret"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        with Room("--token-secret", "topsecret", textroom=None) as room:
            self.records(room, {"token": token}, "--token", token, secrets=(token.rsplit(":", 1)[1],))

    def test_tls(self):
        with Room("--wss", textroom=None) as room:
            address = f"janus+{room.where['wss']}/{room.id}"
            self.records(room, {}, "--ca-file", room.where["certificate"], address=address)
            with self.subTest("a certificate that nobody knows"), Call(address) as call:
                self.assertEqual(call.wait(20), 20, call.log[-1500:])
                self.assertRegex(call.log, "(?i)certificate|secure")

    def test_ipv6(self):
        with Room("--ipv6", textroom=None) as room: self.records(room, {})

    def test_relay(self):
        folder = places.folder("turn")
        turn = subprocess.Popen(["turnserver", "-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--listening-port=33478", "--min-port=33500",
                                 "--max-port=33600", "--lt-cred-mech", "--user=u:relay-pa55", "--realm=test", "--no-tls", "--no-dtls", "--no-cli", "-v",
                                 "--allow-loopback-peers", f"--pidfile={folder}/pid", f"--userdb={folder}/db", "--log-file=stdout", "--simple-log"],
                                stdout=open(folder / "log", "w"), stderr=subprocess.STDOUT)
        self.addCleanup(turn.wait); self.addCleanup(turn.terminate)
        with Room(textroom=None) as room:
            self.records(room, {}, "--turn", "turn:127.0.0.1:33478,u,relay-pa55", secrets=("relay-pa55",))
        self.assertRegex((folder / "log").read_text(), r"ALLOCATE processed, success", "callbot asked the relay for an address")
