"""What a recording holds, by programs that are not callbot's: ffprobe, read-signal, libwebm's parser, Janus's own recording."""
import functools, json, pathlib, subprocess, threading

from . import places


def signal(path, *options):
    p = subprocess.run([str(places.ROOMS / "read-signal"), str(path), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    try: return json.loads(p.stdout)
    except ValueError: raise AssertionError(f"{path} cannot be read: {p.stderr[-800:]}")


def probe(path):
    p = subprocess.run(["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if p.returncode: raise AssertionError(f"ffprobe: {path}: {p.stderr[-500:]}")
    return json.loads(p.stdout)


def packets(path, streams=None):
    """(time, bytes, flags) of each packet of all streams or of some ("a", "v"), as libavformat finds them."""
    p = subprocess.run(["ffprobe", "-v", "error", *(["-select_streams", streams] if streams else []), "-show_entries", "packet=pts_time,size,flags", "-of", "csv=p=0", str(path)], stdout=subprocess.PIPE, text=True)
    rows = [line.strip(",").split(",") for line in p.stdout.split()]
    return [(float(r[0]), int(r[1]), r[2]) for r in rows if len(r) >= 3 and r[0] != "N/A"]


_building = threading.Lock()


@functools.cache
def _parser():
    program = places.WORK / "accepts"
    subprocess.run(["g++", "-std=c++17", "-O1", "-o", str(program), str(places.ROOT / "Tests/EndToEnd/accepts.cc"), "-lwebm"], check=True)
    return program


def libwebm(path):
    """What libwebm's parser says of a file: "ok FRAMES", or why not."""
    with _building: program = _parser()
    return subprocess.run([str(program), str(path)], stdout=subprocess.PIPE, text=True).stdout.strip()


def grid(count, width=1280, height=720, gap=4):
    """The places of the tiles of the plain grid, as recipes/ describe it: 16:9, as large as possible, the last row centred."""
    best = None
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        w, h = (width - gap * (columns - 1)) // columns, (height - gap * (rows - 1)) // rows
        w, h = min(w, h * 16 // 9) & ~1, min(h, w * 9 // 16) & ~1
        if not best or w * h > best[1] * best[2]: best = (columns, w, h)
    columns, w, h = best
    rows = -(-count // columns)
    top = (height - rows * h - (rows - 1) * gap) // 2 & ~1
    places_ = []
    for i in range(count):
        row, column = divmod(i, columns)
        n = min(columns, count - row * columns)
        left = (width - n * w - (n - 1) * gap) // 2 & ~1
        places_.append((left + column * (w + gap), top + row * (h + gap), w, h))
    return places_


class Track:
    def __init__(self, path):
        self.path, self.number = path, path.name.split("-")[0]
        self.probe = probe(path)
        self.kind = self.probe["streams"][0]["codec_type"]
        self.duration = float(self.probe["format"].get("duration", "nan"))

    @functools.cached_property
    def signal(self): return signal(self.path, "--frames")

    @property
    def index(self):
        """Which test participant it is of: by the picture's code, or by the tone."""
        if self.kind == "video": return self.signal["video"].get("index")
        tone = self.signal["audio"]["tone"]
        return (tone - 400) // 100 if tone else None

    @property
    def frames(self): return [f for f in self.signal["video"]["all"] if f["ok"]]

    @property
    def start(self): return self.signal[self.kind]["start"]


class Recording:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.json = json.loads((self.path / "recording.json").read_text())

    def lines(self, name): return [json.loads(line) for line in (self.path / name).read_text().splitlines() if line.strip()]

    @functools.cached_property
    def events(self): return self.lines("events.jsonl")

    @functools.cached_property
    def tracks(self): return [Track(p) for p in sorted((self.path / "tracks").glob("*.webm"))]

    def of(self, index, kind): return [t for t in self.tracks if t.kind == kind and t.index == index]

    @functools.cached_property
    def composite(self):
        """Frames of each participant in the composite, wherever their tile was: {index: [frame, ...]}; and the sound."""
        rectangles = sorted({r for n in range(1, 6) for r in grid(n)})
        s = signal(self.path / "call.webm", "--frames", *(w for r in rectangles for w in ("--crop", ",".join(map(str, r)))))
        people, seen = {}, []
        for tile in s["tiles"]:
            for index in {f["index"] for f in tile["all"] if f["ok"]}:
                frames = [f for f in tile["all"] if f["ok"] and f["index"] == index]
                # black and white places that happen to read as a code do not count on
                if len({f["number"] for f in frames}) >= 5: seen.append(frames)
        for frames in sorted(seen, key=len, reverse=True):
            for f in frames: people.setdefault(f["index"], {}).setdefault(f["pts"], f)
        self.frame_times = [f["pts"] for f in s["tiles"][0]["all"]]
        return {i: [f[t] for t in sorted(f)] for i, f in people.items()}, s.get("audio")

    @property
    def files(self): return [*sorted((self.path / "tracks").glob("*.webm")), self.path / "call.webm"]


def flashes(frames):
    found, lit = [], False
    for f in frames:
        if f["body"] > 200 and not lit: found.append(f["pts"])
        lit = f["body"] > 200
    return found


def offsets(lights, beeps):
    """Sound minus picture at each flash, in seconds."""
    return [b - f for f in lights for b in ([min(beeps, key=lambda b: abs(b - f))] if beeps else []) if abs(b - f) < 0.5]


def converted(path, out):
    """What Janus has recorded as a file. Its program may wait for ever in its exit handler, when all is written: for its log's thread, which has
    missed that it was to end. That is when it takes no time any more."""
    process = subprocess.Popen(["janus-pp-rec", str(path), str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    taken = None
    while True:
        try: return process.wait(5)
        except subprocess.TimeoutExpired: before, taken = taken, pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        if taken == before: process.kill()


def sent(room):
    """What the server's own recording holds: for each publishing of a picture (participant index, is it a screen, the senders'
    clocks of its frames). A frame's clock in milliseconds names it: all participants of a page share one."""
    found = []
    for path in sorted((room.folder / "recordings").glob("*-video-*.mjr")):
        out = path.with_suffix(".webm")
        converted(path, out)
        if not out.exists(): continue
        v = signal(out, "--audio", "-1", "--frames").get("video", {})
        clocks = sorted({f["ms"] for f in v.get("all", []) if f["ok"] and f["index"] == v["index"]})
        if clocks: found.append((v["index"], v["screen"], clocks))
    return found


def missing(room, recording):
    """For each publishing: (index, screen, frames sent while subscribed, those that no track file holds).

    Subscribed is from the first frame that was held (a subscription begins with a keyframe that the server asks for) to the
    end of the publishing or of the recording."""
    held = {}
    for t in recording.tracks:
        if t.kind == "video" and t.frames: held.setdefault((t.index, t.signal["video"]["screen"]), set()).update(f["ms"] for f in t.frames)
    end = max((max(h) for h in held.values()), default=0)
    found = []
    for index, screen, clocks in sent(room):
        mine = held.get((index, screen), set())
        first = min(mine & set(clocks), default=None)
        if first is None:
            found.append((index, screen, len(clocks), clocks)); continue
        # the last frames may be in the air between server and callbot when it leaves
        wanted = [c for c in clocks if first <= c <= end - 150]
        found.append((index, screen, len(wanted), [c for c in wanted if c not in mine]))
    return found
