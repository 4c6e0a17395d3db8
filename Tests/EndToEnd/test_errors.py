"""What cannot be recorded is said in one clear sentence and an exit code of its own, and leaves nothing behind."""
import http.server, os, pathlib, threading, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Recording
from endtoend.room import Network, People, Room


class Errors(unittest.TestCase):
    def refused(self, code, says, address, *options, **more):
        with Call(address, *options, **more) as call:
            got = call.wait(20)
            log = [line for line in call.log.splitlines() if line.strip()]
            self.assertEqual(got, code, call.log[-1500:])
            self.assertRegex(call.log, says)
            self.assertNotRegex(call.log, r"(?i)fatal error|unexpectedly|backtrace|assertion")
            self.assertLessEqual(len(log), 12, call.log)
            left = [p for p in call.archive.rglob("*") if p.is_file()] if pathlib.Path(call.archive).is_dir() else []
            self.assertEqual(left, [], "files left behind")

    def test_unreachable(self): self.refused(69, r"(?i)reach|refused", "janus+ws://127.0.0.1:9/1234")

    def test_not_a_janus(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
        threading.Thread(target=server.serve_forever, daemon=True).start(); self.addCleanup(server.shutdown)
        self.refused(76, r"(?i)not a janus", f"janus+ws://127.0.0.1:{server.server_port}/1234")

    def test_rooms_that_refuse(self):
        with Room("--token", "right", "--room", "77,pin=open", textroom=None) as room:
            base = f"janus+{room.ws}"
            with self.subTest("wrong token"): self.refused(77, r"(?i)token", room.address, "--token", "wrong")
            with self.subTest("no token"): self.refused(77, r"(?i)token", room.address)
            with self.subTest("no such room"): self.refused(21, r"(?i)no such room", base + "/4321", "--token", "right")
            with self.subTest("wrong pin"): self.refused(22, r"(?i)pin", base + "/77", "--token", "right", "--pin", "closed")
            with self.subTest("no pin"): self.refused(22, r"(?i)pin", base + "/77", "--token", "right")

    def test_media_that_never_comes(self):
        """Somebody publishes, but is silenced by the room's owner; where no datagram passes there is not even a way."""
        with Room(textroom=None) as room, People(room, [{"key": "ada", "width": 320, "height": 180}]) as people:
            people.wait(event="published"); ada = room.participants()[0]["id"]
            for mid in ("0", "1"): room.ask("videoroom", request="moderate", room=room.number, id=ada, mid=mid, mute=True)
            with Call(room.address, "--media-timeout", "3s") as call:
                self.assertEqual(call.wait(15), 32, call.log[-1500:])
                self.assertRegex(call.log, r"(?i)no media")
                recording = Recording(call.recording)
                self.assertEqual(recording.json["end"]["exitCode"], 32)
                self.assertEqual(recording.lines("events.jsonl")[-1]["event"], "recording-ended")

    def test_no_way_for_media(self):
        if os.geteuid() != 0: self.skipTest("network namespaces need root")
        network = Network(ab="loss=100,only=udp", ba="loss=100,only=udp"); self.addCleanup(network.close)
        with Room(network=network, textroom=None) as room, People(room, [{"key": "ada", "width": 320, "height": 180}]) as people:
            people.wait(event="published")
            with Call(room.address, network=network) as call:
                self.assertEqual(call.wait(40), 30, call.log[-1500:])
                self.assertRegex(call.log, r"(?i)no (path|way)|ICE")
                self.assertEqual(Recording(call.recording).json["end"]["exitCode"], 30)

    def test_misuse(self):
        address = "janus+ws://127.0.0.1:9/1234"
        with self.subTest("unknown flag"): self.refused(64, r"--colour", address, "--colour", "red")
        with self.subTest("near miss"): self.refused(64, r"--duration", address, "--duratoin", "1h")
        with self.subTest("bad value"): self.refused(64, r"--duration.*|soon", address, "--duration", "soon")
        with self.subTest("not an address"): self.refused(64, r"janus\+ws", "http://127.0.0.1/1234")
        with self.subTest("secret that is not there"): self.refused(64, r"NOT_SET_ANYWHERE", address, "--pin", "env:NOT_SET_ANYWHERE")

    def test_recipes(self):
        folder = places.folder("recipes")
        def recipe(name, text): (folder / name).write_text(text); return str(folder / name)
        with self.subTest("unknown key"):
            self.refused(65, r"key\.json5:4:", recipe("key.json5", '{\n  // a room\n  room: "janus+ws://127.0.0.1:9/1234",\n  colour: "red",\n}\n'))
        with self.subTest("no JSON5"): self.refused(65, r"syntax\.json5:[23]:", recipe("syntax.json5", '{\n  room: "janus+ws://127.0.0.1:9/1234\n}\n'))
        with self.subTest("bad value"): self.refused(65, r"value\.json5:2:", recipe("value.json5", '{ room: "janus+ws://127.0.0.1:9/1",\n  fps: 0 }'))
        with self.subTest("not there"): self.refused(66, r"nowhere\.json5", str(folder / "nowhere.json5"))

    def test_places_that_cannot_be_written(self):
        folder = places.folder("places"); (folder / "file").write_text("in the way"); (folder / "there").mkdir()
        with Room() as room:
            with self.subTest("archive under a file"): self.refused(73, r"(?i)written|directory", room.address, archive=folder / "file" / "archive")
            with self.subTest("output exists"): self.refused(40, r"there already", room.address, output=folder / "there")
            self.assertEqual(list((folder / "there").iterdir()), [])
