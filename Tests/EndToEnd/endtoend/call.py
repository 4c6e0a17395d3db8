"""callbot itself, recording."""
import contextlib, os, pathlib, signal, subprocess, time

from . import places
from .room import inside


class Call:
    """`callbot record ADDRESS ...`. Everything it prints is in `log`; its recording in `recording`."""

    def __init__(self, address, *options, network=None, environment=None, archive=None, name="Recorder", output=None, within=None, resume=None, program=None, pictures=False):
        self.folder = places.folder("call")
        self.archive = archive or self.folder / "archive"
        self.output = resume or output
        where = ["--resume", str(resume)] if resume else ["--output", str(output)] if output else ["--archive", str(self.archive)]
        # `within` is the folder of a control group that it is in from the beginning
        carried = ["sh", "-c", f"echo $$ > '{within}/cgroup.procs' && exec \"$@\"", "sh"] if within else []
        words = [*carried, str(program or places.CALLBOT), "record", address, *(["--name", name] if name else []), *where, *([] if pictures else ["--no-pictures"]), *options]
        self.out = open(self.folder / "log", "w")
        self.began = time.time()
        self.process = subprocess.Popen(inside(network and network.b, words), stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.STDOUT,
                                        env=dict(os.environ, SWIFT_BACKTRACE="enable=no", **(environment or {})))

    @property
    def log(self): return (self.folder / "log").read_text(errors="replace")

    @property
    def recording(self):
        if self.output: return pathlib.Path(self.output)
        found = sorted(self.archive.rglob("recording.json")) if self.archive.exists() else []
        return found[-1].parent if found else None

    @property
    def pid(self):
        """The process that is callbot, whatever carries it into a namespace (ip netns exec becomes it)."""
        return self.process.pid

    def recording_begun(self, timeout=20):
        """Waits for the folder, with its journal."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            r = self.recording
            if r and (r / "events.jsonl").exists() and (r / "events.jsonl").stat().st_size: return r
            if self.process.poll() is not None: break
            time.sleep(0.02)
        raise AssertionError(f"no recording begun (exit {self.process.poll()}): {self.log[-2000:]}")

    def tracks_begun(self, count, timeout=20):
        """Waits until so many track files hold something."""
        r = self.recording_begun(timeout)
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if len([t for t in (r / "tracks").glob("*.webm") if t.stat().st_size > 500]) >= count: return r
            if self.process.poll() is not None: break
            time.sleep(0.05)
        raise AssertionError(f"fewer than {count} tracks (exit {self.process.poll()}): {self.log[-2000:]}")

    def send(self, number): self.process.send_signal(number)

    def wait(self, timeout=60):
        """Its exit code. `took` is how long it was waited for."""
        begin = time.monotonic()
        try: code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill(); self.process.wait()
            raise AssertionError(f"callbot did not end within {timeout} s: {self.log[-2000:]}")
        self.took = time.monotonic() - begin
        self.out.flush()
        return code

    def stop(self, number=signal.SIGINT, timeout=20):
        self.send(number); return self.wait(timeout)

    def close(self):
        if self.process.poll() is None: self.process.kill()
        with contextlib.suppress(Exception): self.process.wait(5)
        self.out.close()

    def __enter__(self): return self
    def __exit__(self, *a): self.close()
