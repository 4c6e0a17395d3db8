"""A call of three: one joins late, one leaves and comes back, one mutes and unmutes, one has a name in another script, all chat."""
import os, statistics, unittest

from endtoend.browser import plays
from endtoend.call import Call
from endtoend.recording import Recording, flashes, libwebm, missing, offsets, probe
from endtoend.room import Network, People, Room

SECONDS = 22
PEOPLE = [
    {"key": "ada", "display": "Ada Lovelace", "textroom": 1234, "codec": "vp8", "do": [
        {"at": 5, "do": "chat", "text": "1 good morning"}, {"at": 8, "do": "mute", "kind": "video"}, {"at": 8.2, "do": "mute", "kind": "audio"},
        {"at": 11, "do": "unmute", "kind": "video"}, {"at": 11.2, "do": "unmute", "kind": "audio"}, {"at": 19, "do": "chat", "text": "5 until tomorrow"}]},
    {"key": "zoe", "display": "Zoë 佐伊 🎈", "textroom": 1234, "codec": "vp8", "do": [
        {"at": 6, "do": "chat", "text": "2 早上好 ✓"}, {"at": 10, "do": "leave"}, {"at": 14, "do": "join"}, {"at": 18, "do": "chat", "text": "4 back again"}]},
    {"key": "bob", "display": "Bob", "textroom": 1234, "codec": "vp8", "join_at": 7, "do": [{"at": 16, "do": "chat", "text": "3 sorry, late"}]},
]
ADA, ZOE, BOB = 0, 1, 2


class TheCall(unittest.TestCase):
    alone = True

    def test_on_loopback(self): self.hold(None, share=1.0)

    def test_with_loss_and_jitter(self):
        if os.geteuid() != 0: self.skipTest("network namespaces need root")
        network = Network(ab="loss=3,delay=40,jitter=10", ba="loss=3,delay=40,jitter=10")
        self.addCleanup(network.close)
        self.hold(network, share=0.99)

    def test_of_four_at_full_rate(self):
        """25 pictures a second of each, all of them held and drawn in time, beside the browsers on the same machine."""
        four = [{"key": k, "display": k.title(), "codec": "vp8", "fps": 25} for k in ("ada", "bob", "eve", "zoe")]
        with Room(record=True, textroom=None) as room, People(room, four, seconds=60) as people:
            people.wait(event="published", count=4)
            with Call(room.address, "--duration", "15s") as call:
                self.assertEqual(call.wait(30), 0, call.log[-2000:])
                recording = Recording(call.recording)
            people.close(); room.close()
            found = missing(room, recording)
            self.assertEqual(sorted(index for index, *_ in found), [0, 1, 2, 3])
            for index, _, wanted, lost in found:
                with self.subTest(participant=index):
                    self.assertGreater(wanted, 300)
                    self.assertEqual(lost, [])
        self.assertNotIn("composite-stepped-down", [e["event"] for e in recording.events])
        recording.composite
        self.assertEqual(len(recording.frame_times), 15 * 25)

    def hold(self, network, share):
        people_of_it = [{**p, "do": [dict(a) for a in p["do"]]} for p in PEOPLE]
        with Room(record=True, network=network) as room, People(room, people_of_it, seconds=60) as people:
            people.wait(event="published", count=2)
            with Call(room.address, "--duration", f"{SECONDS}s", network=network) as call:
                code = call.wait(SECONDS + 15)
                self.assertEqual(code, 0, call.log[-2000:])
                recording = Recording(call.recording)
            self.assertEqual([e for e in people.log if e.get("event") == "failed"], [])
            people.close(); room.close()
            for index, screen, wanted, lost in missing(room, recording):
                with self.subTest("every frame sent is held", participant=index):
                    self.assertGreater(wanted, 20)
                    self.assertLessEqual(len(lost), (1 - share) * wanted, f"{len(lost)} of {wanted} are missing: {lost[:10]}")
            chat = sorted((e for e in people.log if e.get("event") == "did" and e.get("do") == "chat"), key=lambda e: e["at"])
        self.check_tracks(recording)
        self.check_files(recording)
        self.check_composite(recording)
        self.check_chat(recording, [e["text"] for e in chat])
        self.check_playback(recording)

    def check_tracks(self, recording):
        for index, sessions in ((ADA, 1), (ZOE, 2), (BOB, 1)):
            videos, audios = recording.of(index, "video"), recording.of(index, "audio")
            with self.subTest("one file a track", participant=index):
                self.assertEqual((len(videos), len(audios)), (sessions, sessions), [t.path.name for t in recording.tracks])
            for v, a in zip(videos, audios):
                with self.subTest("frames in order, of one person", track=v.path.name):
                    s = v.signal["video"]
                    self.assertEqual((s["others"], s["backward"], s["not_rising"]), ([], 0, 0))
                with self.subTest("sound against picture", track=v.path.name):
                    found = offsets(flashes(v.frames), a.signal["audio"]["beeps"])
                    self.assertGreaterEqual(len(found), 2)
                    self.assertLessEqual(abs(statistics.median(found)), 0.060, found)

    def check_files(self, recording):
        with self.subTest("the manifest says how long"): self.assertAlmostEqual(recording.json["duration"] / 1e6, SECONDS, delta=0.050)
        for path in recording.files:
            with self.subTest("lasts as long as the call", file=path.name):
                self.assertAlmostEqual(float(probe(path)["format"]["duration"]), SECONDS, delta=0.050)
            with self.subTest("libwebm accepts it", file=path.name): self.assertRegex(libwebm(path), r"^ok [1-9]")

    def check_composite(self, recording):
        people, sound = recording.composite
        for index in (ADA, ZOE, BOB):
            frames = people.get(index, [])
            held = sorted((f["pts"], f["number"]) for t in recording.of(index, "video") for f in t.frames)
            with self.subTest("in the composite", participant=index):
                times = [t for t, _ in held]
                shown = {f["pts"] for f in frames}
                # a moment counts when the track has had a new picture shortly before and goes on after it
                due = [t for t in recording.frame_times if any(t - 0.15 < u <= t - 0.05 for u in times) and any(t < u < t + 0.2 for u in times)]
                self.assertGreater(len(due), 60)
                self.assertGreaterEqual(sum(t in shown for t in due), 0.95 * len(due))
            with self.subTest("the right frame at the right time", participant=index):
                late = []
                for f in frames:
                    same = [t for t, n in held if n == f["number"] and abs(t - f["pts"]) < 3]
                    late.append(min((f["pts"] - t for t in same), key=abs, default=9))
                self.assertGreaterEqual(sum(-0.045 <= x <= 0.18 for x in late), 0.97 * len(late), sorted(late)[:5] + sorted(late)[-5:])
            with self.subTest("sound against picture", participant=index):
                found = offsets(flashes(frames), sound["beeps"])
                self.assertGreaterEqual(len(found), 2)
                self.assertLessEqual(abs(statistics.median(found)), 0.060, found)
            with self.subTest("heard", participant=index): self.assertIn(str(400 + 100 * index), sound["spans"])
        with self.subTest("muted is silent"):
            runs = sound["spans"]["400"]
            self.assertTrue(any(1.5 < b[0] - a[1] < 4.5 for a, b in zip(runs, runs[1:])), runs)

    def check_chat(self, recording, told):
        texts = [m["text"] for m in recording.lines("chat.jsonl") if "text" in m]
        with self.subTest("every message once and in order"):
            self.assertEqual([t for t in texts if t in told], told)
            self.assertEqual(len(told), 5)
        with self.subTest("subtitles"):
            vtt = (recording.path / "chat.vtt").read_text()
            self.assertTrue(vtt.startswith("WEBVTT"))
            for t in told: self.assertIn(t, vtt)
            self.assertIn("Zoë 佐伊 🎈", vtt)

    def check_playback(self, recording):
        with self.subTest("a browser plays and seeks"):
            seen = plays(recording.path / "call.webm", [SECONDS * 0.8, SECONDS * 0.25])
            self.assertAlmostEqual(seen["duration"], SECONDS, delta=0.05)
            self.assertEqual((seen["width"], seen["height"]), (1280, 720))
            self.assertGreater(seen["played"], 0.8)
            self.assertGreater(seen["frames"], 10)
            for wanted, at, light in seen["sought"]:
                self.assertAlmostEqual(wanted, at, delta=0.1)
                self.assertGreater(light, 5)
            self.assertGreater(seen["ranges"], 1)
