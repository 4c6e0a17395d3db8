"""A Debian that has never seen Swift nor callbot, to install a package in."""
import functools, hashlib, os, pathlib, re, shutil, subprocess, tempfile

from . import places

# what a server has that installs recommended packages, but for the large fonts
BESIDES = ["ca-certificates", "fonts-dejavu-core"]


def missing():
    """Why there can be no clean root, or nothing."""
    if os.geteuid() != 0: return "not root"
    if not shutil.which("mmdebstrap"): return "mmdebstrap is not installed"
    return None


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", str(package), name], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def release():
    return re.search(r"^VERSION_CODENAME=(\S+)", pathlib.Path("/etc/os-release").read_text(), re.M)[1]


class NoRoot(Exception): pass


@functools.cache
def base(packages):
    """A root with only what is essential, and these packages; kept in the temporary folder for the next time."""
    name = hashlib.sha256(" ".join([release(), *packages]).encode()).hexdigest()[:12]
    kept = pathlib.Path(tempfile.gettempdir()) / f"callbot-clean-root-{name}"
    if kept.exists(): return kept
    making = pathlib.Path(tempfile.mkdtemp(prefix="callbot-clean-root-making.", dir=kept.parent))
    try:
        # from where this machine takes its own packages, in the way it does
        sources = subprocess.run(["apt-get", "indextargets", "--format", "deb $(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages"],
                                 stdout=subprocess.PIPE, text=True).stdout.split("\n")
        settings = subprocess.run(["apt-config", "dump"], stdout=subprocess.PIPE, text=True).stdout.split("\n")
        proxies = [f"--aptopt={line}" for line in settings if re.match(r"Acquire::https?::.*Proxy", line)]
        made = subprocess.run(["mmdebstrap", "--quiet", "--mode=root", "--variant=essential", "--dpkgopt=force-unsafe-io", '--aptopt=Acquire::Languages "none"', *proxies,
                               "--include=" + ",".join(packages), release(), str(making), *sorted({s for s in sources if s})],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if made.returncode: raise NoRoot("no clean root could be made: " + " ".join(made.stderr.split("\n")[-4:])[-300:])
        making.rename(kept)
        kept.chmod(0o755)
    finally: shutil.rmtree(making, True)
    return kept


class CleanRoot:
    """A root of its own in which a package has been installed. `program` runs its /usr/bin/callbot from outside, in the
    same network, seeing the tests' folders where they are."""

    def __init__(self, package):
        names = [re.split(r"[ (|:]", d.strip())[0] for d in field(package, "Depends").split(",")]
        kept = base(tuple(sorted({*names, *BESIDES})))
        self.path = places.folder("clean-root")
        subprocess.run(["cp", "-a", "--reflink=auto", f"{kept}/.", str(self.path)], check=True)
        (self.path / places.WORK.relative_to("/")).mkdir(parents=True, exist_ok=True)
        shutil.copy(package, self.path / "package.deb")
        # The mounts are in a namespace of the process's own, so that nothing is left of them when it ends.
        self.enter = self.path.parent / (self.path.name + ".enter")
        self.enter.write_text(f"""#!/bin/sh
exec unshare --mount --propagation private sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --bind {places.WORK} "$0{places.WORK}" && exec chroot "$0" "$@"' {self.path} "$@"
""")
        self.program = self.path.parent / (self.path.name + ".callbot")
        self.program.write_text(f'#!/bin/sh\nexec {self.enter} /usr/bin/callbot "$@"\n')
        for f in (self.enter, self.program): f.chmod(0o755)
        self.run("dpkg", "--install", "/package.deb")

    def run(self, *words, code=0):
        """What a program in it prints; it must end with `code`."""
        p = subprocess.run([str(self.enter), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"})
        if p.returncode != code: raise AssertionError(f"{' '.join(words)} ended with {p.returncode}: {p.stdout[-1500:]} {p.stderr[-1500:]}")
        return p.stdout
