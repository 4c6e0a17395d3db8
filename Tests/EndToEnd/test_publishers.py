"""Publishers that come and go, add and remove, share a screen, rename themselves and publish anew: each picture in its own file."""
import time, unittest

from endtoend.call import Call
from endtoend.recording import Recording, libwebm, missing
from endtoend.room import People, Room

SMALL = {"codec": "vp8", "width": 320, "height": 180, "fps": 12}


class Publishers(unittest.TestCase):
    alone = True

    def test_changes(self):
        with Room(record=True) as room, People(room, [{"key": "ada", **SMALL}, {"key": "bob", **SMALL, "join_at": None},
                                                      {"key": "eve", **SMALL, "video": False, "join_at": None}]) as people:
            people.wait(event="published", who="ada")
            with Call(room.address) as call:
                call.tracks_begun(2)
                pause = lambda: time.sleep(1.5)
                people.act("bob", do="join"); pause()
                people.act("ada", do="screen-on", width=640, height=360); pause()
                people.act("bob", do="remove", kind="video"); pause()
                people.act("bob", do="add", kind="video"); pause()
                people.act("ada", do="rename", display="Ada Lovelace"); people.act("ada", do="screen-off"); pause()
                people.act("bob", do="unpublish"); pause()
                people.act("eve", do="join"); pause()            # takes over media sections that were bob's
                people.act("bob", do="publish"); pause()
                people.act("ada", do="pause", kind="video"); pause()
                people.act("ada", do="resume", kind="video"); pause()
                people.act("bob", do="leave"); people.act("bob", do="join"); pause()
                self.assertEqual(call.stop(), 130, call.log[-2000:])
                recording = Recording(call.recording)
            people.close(); room.close()
            lost = missing(room, recording)
        with self.subTest("every publishing is held"):
            self.assertGreaterEqual(len(lost), 5)
            for index, screen, wanted, gone in lost: self.assertLessEqual(len(gone), 0.01 * wanted, f"{index} {screen}: {len(gone)} of {wanted}")
        for t in recording.tracks:
            with self.subTest("whole, and of one person", track=t.path.name):
                self.assertRegex(libwebm(t.path), r"^ok")
                if t.kind == "video" and t.frames: self.assertEqual(t.signal["video"]["others"], [])
        with self.subTest("who is seen and heard"):
            seen = {(t.index, t.signal["video"]["screen"]) for t in recording.tracks if t.kind == "video" and t.frames}
            self.assertEqual(seen, {(0, False), (0, True), (1, False)})
            self.assertEqual({t.index for t in recording.tracks if t.kind == "audio"}, {0, 1, 2})
        with self.subTest("the new name is in the archive"): self.assertIn("Ada Lovelace", (recording.path / "recording.json").read_text())
