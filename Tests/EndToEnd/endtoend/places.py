"""Where things are, and temporary folders that go when they are no longer needed."""
import atexit, os, pathlib, shutil, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROOMS = ROOT / "recipes" / "rooms"
CALLBOT = pathlib.Path(os.environ.get("CALLBOT") or ROOT / ".build" / "release" / "callbot")
KEEP = bool(os.environ.get("CALLBOT_TEST_KEEP"))
WORK = pathlib.Path(tempfile.mkdtemp(prefix="callbot-e2e."))
if not KEEP: atexit.register(shutil.rmtree, WORK, True)


def folder(name):
    """A new folder for one test."""
    return pathlib.Path(tempfile.mkdtemp(prefix=name + ".", dir=WORK))
