"""kill -9 at ten random moments: what was captured until two seconds before can be read."""
import concurrent.futures, json, random, signal, subprocess, time, unittest

from endtoend import places
from endtoend.call import Call
from endtoend.recording import Track, libwebm, probe
from endtoend.room import People, Room


class Crash(unittest.TestCase):
    def test_kill_at_random_moments(self):
        dice = random.Random(20)
        chat = [{"at": 3 + k / 2, "do": "chat", "text": f"tick {k}"} for k in range(200)]
        with Room(room="1234,publishers=8") as room, \
                People(room, [{"key": "ada", "codec": "vp8", "width": 320, "height": 180, "textroom": 1234, "do": chat}]) as people:
            people.wait(event="did", do="chat", who="ada")
            zero = people.all(event="clock")[-1]["zero"]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                for number, told in enumerate(pool.map(lambda n: self.once(room, *n), [(dice.uniform(0.2, 6), n % 2) for n in range(10)])):
                    with self.subTest("killed", number=number): self.check(people, zero, *told)

    def once(self, room, wait, composed):
        with Call(room.address, *([] if composed else ["--no-composite"])) as call:
            call.tracks_begun(2)
            time.sleep(wait)
            call.send(signal.SIGKILL); killed = time.time()
            call.process.wait()
            return call.recording, killed, wait, composed

    def check(self, people, zero, recording, killed, wait, composed):
        whole = [line for line in (recording / "events.jsonl").read_text().split("\n")]
        events = [json.loads(line) for line in whole[:-1]]   # a last line without its end may be cut
        self.assertTrue(events)
        json.loads((recording / "recording.json").read_text())
        tracks = [Track(p) for p in sorted((recording / "tracks").glob("*.webm"))]
        self.assertEqual(sorted(t.kind for t in tracks), ["audio", "video"])
        video, audio = (next(t for t in tracks if t.kind == k) for k in ("video", "audio"))
        if wait > 2.5:
            last = video.frames[-1]
            self.assertGreaterEqual(zero + last["ms"] / 1000, killed - 2)
            origin = zero + last["ms"] / 1000 - last["pts"]
            self.assertGreaterEqual(origin + audio.signal["audio"]["duration"], killed - 2)
        # the composite is drawn some two seconds behind the call, and can be made again from the tracks
        if composed and wait > 4:
            self.assertRegex(libwebm(recording / "call.webm"), r"^ok [1-9]")
            again = recording.parent / "again.webm"
            subprocess.run([str(places.CALLBOT), "render", str(recording), "-o", str(again)], check=True, stdout=subprocess.DEVNULL)
            self.assertGreater(float(probe(again)["format"]["duration"]), wait - 2)
        text = (recording / "events.jsonl").read_text()
        begun = origin if wait > 2.5 else killed
        for told in people.all(event="did", do="chat", who="ada"):
            if begun + 1.5 < told["at"] < killed - 2: self.assertIn(f'"{told["text"]}"', text)
