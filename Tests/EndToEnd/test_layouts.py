"""Layouts in real calls: what they ask of the server, and that rendering again gives what was drawn live."""
import json, subprocess, time, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Recording
from endtoend.room import People, Room


def decoded(path, stream):
    """A digest of every decoded frame of a stream, with its time."""
    words = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", stream, "-f", "framemd5", "-"]
    return [line for line in subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines() if not line.startswith("#")]


class Layouts(unittest.TestCase):
    def test_rendered_again_as_live(self):
        """ALL-02: every picture and every sample is the same, whoever came, left and spoke."""
        people = [{"key": k, "display": k.title(), "codec": "vp8"} for k in ("ada", "bob", "eve")]
        people[2]["join_at"] = 4; people[1]["do"] = [{"at": 7, "do": "leave"}]
        with Room(textroom=None) as room, People(room, people) as browsers:
            browsers.wait(event="published", count=2)
            with Call(room.address, "--layout", "speaker", "--duration", "10s") as call:
                self.assertEqual(call.wait(30), 0, call.log[-2000:])
                again = call.folder / "again.webm"
                subprocess.run([str(places.CALLBOT), "render", str(call.recording), "-o", str(again), "--layout", "speaker"], check=True, stdout=subprocess.DEVNULL)
                for stream, least in (("0:v", 250), ("0:a", 500)):
                    live = decoded(call.recording / "call.webm", stream)
                    self.assertGreaterEqual(len(live), least)
                    self.assertEqual(decoded(again, stream), live)

    def test_layers_by_the_size_of_the_tile(self):
        """OL-07: with somebody full, the server sends their highest layer and the others' lowest, as it says itself."""
        people = [{"key": k, "display": k.title(), "codec": "vp8", "width": 960, "height": 540, "fps": 10, "simulcast": True} for k in ("ada", "bob")]
        with Room(textroom=None) as room, People(room, people) as browsers:
            browsers.wait(event="published", count=2)
            with Call(room.address, "--layout", "openlive", "--full", "Ada") as call:
                folder = call.tracks_begun(4)
                # a sender takes its time to send its higher layers: until it has found out what the way carries
                end = time.monotonic() + 40
                while not (done := self.layers(folder, {"Ada": (1, 2), "Bob": (0,)})) and time.monotonic() < end: time.sleep(0.5)
                self.assertEqual(call.stop(), 130, call.log[-2000:])
            self.assertTrue(done, [e for e in Recording(folder).events if "layer" in e["event"]])
            # lower ones are asked for of whoever is small, and of nobody else
            self.assertEqual({(w, s) for w, s in self.told(folder, "layer-requested") if s < 2}, {("Bob", 0)})

    def told(self, folder, event):
        events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines(keepends=True) if line.endswith("\n")]
        owners = {e["track"]: e["participant"] for e in events if e["event"] == "track-started" and e["kind"] == "video"}
        names = {e["participant"]: e["name"] for e in events if e["event"] == "participant-joined"}
        return [(names[owners[e["track"]]], e["spatial"]) for e in events if e["event"] == event and e.get("spatial") is not None]

    def layers(self, folder, wanted):
        """Whether the last layer that the server said it forwards is among those wanted, for everybody."""
        last = dict(self.told(folder, "layer-forwarded"))
        return self.told(folder, "layer-requested") and all(last.get(who) in layers for who, layers in wanted.items())
