"""OL-07: with somebody full, the server sends their highest layer and the others' lowest, as the journal and the server say."""
import time, unittest

from endtoend.call import Call
from endtoend.recording import Recording
from endtoend.room import People, Room


class Layers(unittest.TestCase):
    def test_by_the_size_of_the_tile(self):
        people = [{"key": k, "display": k.title(), "codec": "vp8", "width": 1280, "height": 720, "simulcast": True} for k in ("ada", "bob")]
        with Room(textroom=None) as room, People(room, people) as browsers:
            browsers.wait(event="published", count=2)
            with Call(room.address, "--layout", "openlive", "--full", "Ada", "--duration", "12s") as call:
                self.assertEqual(call.wait(30), 0, call.log[-2000:])
                events = Recording(call.recording).events
        owners = {e["track"]: e["participant"] for e in events if e["event"] == "track-started" and e["kind"] == "video"}
        names = {e["participant"]: e["name"] for e in events if e["event"] == "participant-joined"}
        def of(event): return [(names[owners[e["track"]]], e["spatial"]) for e in events if e["event"] == event and e.get("spatial") is not None]
        self.assertEqual(of("layer-requested"), [("Bob", 0)])
        forwarded = dict(of("layer-forwarded"))
        self.assertEqual(forwarded["Bob"], 0, of("layer-forwarded"))
        self.assertGreaterEqual(forwarded["Ada"], 1, of("layer-forwarded"))
