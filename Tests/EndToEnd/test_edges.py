"""The first word and the last one: numbered beeps, four in a second, from before the call to after it."""
import unittest

from endtoend.call import Call
from endtoend.recording import Recording
from endtoend.room import People, Room


class Edges(unittest.TestCase):
    alone = True

    def test_first_and_last_word(self):
        with Room(room="1234,publishers=8") as room, \
                People(room, [{"key": "ada", "codec": "vp8", "numbered": True}, {"key": "bob", "codec": "vp8", "numbered": True, "join_at": None}],
                       options=("--flash", "1")) as people:
            people.wait(event="published", who="ada")
            with Call(room.address) as call:
                call.tracks_begun(2)
                people.act("bob", do="join")
                call.tracks_begun(4)
                people.wait(event="flash", who="bob", count=12)
                left = people.act("bob", do="leave")["at"]
                people.wait(event="flash", who="ada", count=len(people.all(event="flash", who="ada")) + 6)
                stopped = people.all(event="flash", who="ada")[-1]["at"]
                code = call.stop()
                self.assertEqual(code, 130, call.log[-2000:])
                recording = Recording(call.recording)
            zero = people.all(event="clock")[-1]["zero"]
            # ada began before the call, bob within it
            with self.subTest("the first audio is there within 300 ms of the subscription"):
                for index in (0, 1):
                    audio, video = recording.of(index, "audio")[0], recording.of(index, "video")[0]
                    self.assertLessEqual(audio.start, self.subscribed(recording, audio) + 0.3)
                    beeps, numbers = audio.signal["audio"]["beeps"], audio.signal["audio"]["numbers"]
                    self.assertLessEqual(beeps[0], audio.start + 0.3 + 0.25)
                    steps = {(b - a) % 16 for a, b in zip(numbers, numbers[1:])}
                    self.assertEqual(steps, {1}, f"every beep once and in order: {numbers}")
            for index, who, end in ((0, "ada", stopped), (1, "bob", left)):
                with self.subTest("the last word is there", who=who):
                    told = [e for e in people.all(event="flash", who=who) if e["at"] + 0.06 < end]
                    audio, video = recording.of(index, "audio")[0], recording.of(index, "video")[0]
                    # wall time of the file's zero, by the picture's own clock
                    origin = zero + sorted(f["ms"] / 1000 - f["pts"] for f in video.frames)[len(video.frames) // 2]
                    last = audio.signal["audio"]["beeps"][-1] + origin
                    self.assertGreaterEqual(audio.signal["audio"]["numbers"][-1], 0)
                    self.assertIn(audio.signal["audio"]["numbers"][-1], {e["number"] % 16 for e in told[-1:]} | {(told[-1]["number"] + 1) % 16},
                                  f"beeps told {[e['number'] % 16 for e in told[-4:]]}, heard {audio.signal['audio']['numbers'][-4:]}")
                    self.assertGreater(last, told[-1]["at"] - 0.2)

    def subscribed(self, recording, track):
        """When the journal says that the track began, in seconds; 0 at the earliest."""
        number = int(track.number)
        for e in recording.events:
            if e["event"] == "track-started" and e["track"] == number: return e["at"] / 1e6
        self.fail(f"the journal does not say when track {number} began: {recording.events[:6]}")
