"""True time on a bad network: sound and picture stay together, from the first minute to the last, in the tracks and in the composite.

CALLBOT_TEST_SECONDS says how long the call lasts (60), CALLBOT_TEST_NETWORK how bad the network is each way, such as
loss=20,burst=4,delay=50,jitter=15.
"""
import os, statistics, unittest

from endtoend.call import Call
from endtoend.recording import Recording, flashes, libwebm, offsets, probe
from endtoend.room import Network, People, Room

NETWORK = os.environ.get("CALLBOT_TEST_NETWORK", "loss=3,delay=50,jitter=15")
SECONDS = int(os.environ.get("CALLBOT_TEST_SECONDS", 60))


class Time(unittest.TestCase):
    alone = True

    def test_of_a_long_call(self):
        """3 % loss, 50 ms and up to 15 ms more each way: the median is within 40 ms, and the second half is as the first. A composite of 25
        pictures a second shows a flash up to 40 ms early, so that of it the mean is what does not jump."""
        if os.geteuid() != 0: self.skipTest("network namespaces need root")
        network = Network(ab=NETWORK, ba=NETWORK); self.addCleanup(network.close)
        with Room("--for", str(SECONDS + 120), network=network, textroom=None) as room, \
                People(room, [{"key": "ada", "codec": "vp8"}, {"key": "bob", "codec": "vp8"}], seconds=SECONDS + 60) as people:
            people.wait(event="published", count=2)
            with Call(room.address, "--duration", f"{SECONDS}s", network=network) as call:
                self.assertEqual(call.wait(SECONDS + 30), 0, call.log[-2000:])
                recording = Recording(call.recording)
        composite, sound = recording.composite
        for index in 0, 1:
            video, audio = recording.of(index, "video")[0], recording.of(index, "audio")[0]
            for name, frames, beeps in ("tracks", video.frames, audio.signal["audio"]["beeps"]), ("composite", composite[index], sound["beeps"]):
                found = [(f, o) for f in flashes(frames) for o in offsets([f], beeps)]
                early, late = ([o for at, o in found if a <= at < b] for a, b in ((0, SECONDS / 2), (SECONDS / 2, SECONDS)))
                with self.subTest(of=name, participant=index):
                    self.assertGreater(len(found), SECONDS * 0.4)
                    median = statistics.median(o for _, o in found)
                    average = statistics.median if name == "tracks" else statistics.mean
                    growth = average(late) - average(early)
                    print(f"    {name} of {index}: {len(found)} flashes, median {median * 1000:+.1f} ms, from first half to second {growth * 1000:+.1f} ms")
                    self.assertLess(abs(median), 0.04)
                    self.assertLess(abs(growth), 0.02 if name == "tracks" else 0.04)
        for path in recording.files:
            with self.subTest("its length", file=path.name):
                self.assertRegex(libwebm(path), r"^ok [1-9]")
                self.assertAlmostEqual(float(probe(path)["format"]["duration"]), SECONDS, delta=0.04)
