"""Breaks of the connection: the bot comes back into the same recording, and the gap is as long as it was.

CALLBOT_TEST_CUT says how long the long one is: 15 s, or 45."""
import json, os, statistics, time, unittest

from endtoend.call import Call
from endtoend.recording import Recording, flashes, libwebm, offsets, probe
from endtoend.room import Door, Network, People, Room

LONG = int(os.environ.get("CALLBOT_TEST_CUT", 15))
ADA = {"key": "ada", "display": "Ada", "codec": "vp8", "textroom": 1234}


def connection(recording): return [e["state"] for e in recording.events if e["event"] == "connection"]
def gaps(recording): return [(e["from"] / 1e6, e["to"] / 1e6) for e in recording.events if e["event"] == "gap" and "track" not in e]


class Cut(unittest.TestCase):
    """The bot's network is cut; the others' is not."""
    alone = True

    def setUp(self):
        if os.geteuid() != 0: self.skipTest("network namespaces need root")
        self.network = Network(ab="delay=20", ba="delay=20"); self.addCleanup(self.network.close)
        self.room = Room(network=self.network); self.addCleanup(self.room.close)

    def cut(self, seconds):
        """Returns how long nothing came through to the bot: (at least, at most), since setting the network takes a while itself."""
        self.network.set("ba", "down=1")
        before = time.monotonic(); self.network.set("ab", "down=1"); cut = time.monotonic()
        time.sleep(seconds)
        self.network.set("ba", "delay=20")
        healing = time.monotonic(); self.network.set("ab", "delay=20"); healed = time.monotonic()
        return healing - cut, healed - before

    def exact(self, gap, cut):
        """To 100 ms."""
        self.assertGreater(gap[1] - gap[0], cut[0] - 0.1)
        self.assertLess(gap[1] - gap[0], cut[1] + 0.1)

    def test_short_and_long(self):
        """OVC-15, OVC-17: 0.2, 5 and 15 s."""
        with People(self.room, [dict(ADA)], seconds=120 + LONG) as people:
            people.wait(event="published")
            with Call(self.room.address, network=self.network) as call:
                call.tracks_begun(2); time.sleep(3)
                self.cut(0.2); time.sleep(3)
                cuts = [self.cut(5)]; time.sleep(4)
                people.act("ada", do="chat", text="between")
                cuts.append(self.cut(LONG)); time.sleep(6)
                people.act("ada", do="chat", text="after"); time.sleep(1)
                self.assertEqual(call.stop(), 130, call.log[-2000:])
                recording = Recording(call.recording)
        self.assertEqual(connection(recording), ["interrupted", "restored", "interrupted", "lost", "restored"])
        chat = [json.loads(line) for line in (recording.path / "chat.jsonl").read_text().splitlines()]
        alerts = [(c["at"] / 1e6, c["text"]) for c in chat if c["kind"] == "alert"]
        self.assertEqual([t for _, t in alerts], ["Connection Interrupted", "Connection Restored", "Connection Interrupted", "Connection Lost", "Connection Restored"])
        self.assertEqual([c["text"] for c in chat if c["kind"] == "message"], ["between", "after"])
        found = gaps(recording)
        self.assertEqual(len(found), 2)
        for cut, (gap_from, gap_to) in zip(cuts, found):
            with self.subTest("the gap is exact", cut=cut):
                self.exact((gap_from, gap_to), cut)
                # the alerts by the app's own times
                interrupted = next(at for at, text in alerts if text.endswith("Interrupted") and at > gap_from)
                self.assertAlmostEqual(interrupted - gap_from, 4, delta=0.5)
        with self.subTest("the same people and tracks throughout"):
            self.assertEqual(len(recording.json["participants"]), 1)
            self.assertEqual(len(recording.json["participants"][0]["stays"]), 1)
            self.assertEqual(len(recording.json["tracks"]), 2)
        with self.subTest("sound and picture together before, between and after"):
            self.together(recording, [g[1] for g in found])

    def together(self, recording, ends):
        """OVC-17: within 80 ms, in the tracks and in the composite."""
        people, sound = recording.composite
        video, audio = (next(t for t in recording.tracks if t.kind == k) for k in ("video", "audio"))
        for name, frames, beeps in ("tracks", video.frames, audio.signal["audio"]["beeps"]), ("composite", people[0], sound["beeps"]):
            lights = flashes(frames)
            for end in ends:
                with self.subTest("after the gap", of=name, end=end):
                    found = offsets([f for f in lights if end < f < end + 4.5], beeps)
                    self.assertTrue(found, f"no flash with its sound after {end}: {lights} {beeps}")
                    self.assertLess(abs(statistics.median(found)), 0.08)

    def test_changed_address(self):
        """The bot's host gets another address: all that it had is dead, and it joins anew."""
        with People(self.room, [dict(ADA)], seconds=60) as people:
            people.wait(event="published")
            with Call(self.room.address, network=self.network) as call:
                call.tracks_begun(2); time.sleep(2)
                self.network.readdress(); time.sleep(12)
                self.assertEqual(call.stop(), 130, call.log[-2000:])
                recording = Recording(call.recording)
        (begin, end), = gaps(recording)
        self.assertLess(end - begin, 8)
        self.assertEqual([(p["name"], len(p["stays"])) for p in recording.json["participants"]], [("Ada", 1)])
        self.assertEqual(sorted(t["kind"] for t in recording.json["tracks"]), ["audio", "audio", "video", "video"])
        later = [t for t in recording.tracks if t.kind == "video"][-1]
        self.assertGreater(len(later.frames), 40)

    def test_window_of_the_app(self):
        """ARC-11: 20 s survive, 40 s end with netError."""
        with People(self.room, [dict(ADA)], seconds=120) as people:
            people.wait(event="published")
            with Call(self.room.address, "--layout", "arcall", "--size", "320x180", network=self.network) as call:
                call.tracks_begun(2); time.sleep(2)
                cut = self.cut(20); time.sleep(4)
                self.assertIsNone(call.process.poll(), call.log[-2000:])
                for way in "ab", "ba": self.network.set(way, "down=1")
                since = time.monotonic()
                self.assertEqual(call.wait(45), 33, call.log[-2000:])
                self.assertAlmostEqual(time.monotonic() - since, 31.5, delta=2.5)
                recording = Recording(call.recording)
        self.assertEqual(recording.json["end"]["reason"], "netError")
        self.exact(gaps(recording)[0], cut)
        for path in recording.files: self.assertRegex(libwebm(path), r"^ok [1-9]")


class Restart(unittest.TestCase):
    def test_server_restarts(self):
        """Everybody comes back with another id, and is known again."""
        with Room() as room:
            with People(room, [dict(ADA)], seconds=90) as people, Call(room.address) as call:
                call.tracks_begun(2); time.sleep(3)
                room.restart()
                with People(room, [dict(ADA)], seconds=60) as again:
                    again.wait(event="published"); time.sleep(6)
                    self.assertEqual(call.stop(), 130, call.log[-2000:])
                recording = Recording(call.recording)
        self.assertEqual(connection(recording)[-1:], ["restored"] if connection(recording) else [])
        self.assertEqual([p["name"] for p in recording.json["participants"]], ["Ada"])
        self.assertEqual(len(gaps(recording)), 1)
        kinds = sorted((t["kind"], t["track"]) for t in recording.json["tracks"])
        self.assertEqual(len(kinds), 4)
        for path in recording.files:
            self.assertRegex(libwebm(path), r"^ok [1-9]")
            self.assertAlmostEqual(float(probe(path)["format"]["duration"]), recording.json["duration"] / 1e6, delta=0.05)

    def test_signalling_alone_is_lost(self):
        """The WebSocket is reset while media flows: the server ends the stay, and the bot is back within two seconds."""
        with Room() as room, People(room, [dict(ADA)], seconds=60) as people:
            people.wait(event="published")
            with Door(room) as door, Call(door.address) as call:
                call.tracks_begun(2); time.sleep(2)
                door.slam(); time.sleep(5)
                self.assertEqual(call.stop(), 130, call.log[-2000:])
                recording = Recording(call.recording)
        (begin, end), = gaps(recording)
        self.assertLess(end - begin, 2)
        self.assertEqual([len(p["stays"]) for p in recording.json["participants"]], [1])
        self.assertNotIn("Recorder", [p["name"] for p in recording.json["participants"]])
        self.assertEqual(len(recording.json["tracks"]), 4)
