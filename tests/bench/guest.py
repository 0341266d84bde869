"""The console beside `zpool iostat -v 1` where there is a real pool: in terminals of one lab guest.

Its processors are emulated, so that everything takes many times as long as on real ones: what is measured
there is worth something only as a ratio. Both are counted with all processes that they start.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.bench.terminal import Cost, Terminal
from tests.lab import guests
from tests.lab.guests import Guest
from tests.lab.images import SERIES

ROOT: Final = Path(__file__).parents[2]
NEWEST: Final = "2.4"
MIRRORS: Final = 5
WATCHED_S: Final = 60.0
PATIENCE_S: Final = 180.0
IOSTAT: Final = "zpool iostat -v 1"
CONSOLE: Final = "python3 -m zconsole"
INSTALLED: Final = "/opt/zconsole"
WORK: Final = "while dd if=/dev/urandom of=/tank/work bs=16k count=8 conv=fsync status=none; do sleep 1; done"
PLATFORM: Final = ("--platform", "manylinux_2_28_x86_64", "--platform", "manylinux2014_x86_64")
PIP: Final = (sys.executable, "-m", "pip", "-q")
COUNTING: Final = '''\
import json, os, sys, time

def tree(root):
    """Seconds of the processor that a process, its children and those that they waited for have taken."""
    stats = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = open(f"/proc/{name}/stat").read().rpartition(")")[2].split()
        except OSError:
            continue
        stats[int(name)] = int(fields[1]), sum(map(int, fields[11:15])), int(fields[21])
    taken, resident, wanted = 0, 0, [root]
    while wanted:
        pid = wanted.pop()
        wanted += [child for child, (parent, _, _) in stats.items() if parent == pid]
        taken, resident = taken + stats[pid][1], resident + stats[pid][2]
    return taken / os.sysconf("SC_CLK_TCK"), resident * os.sysconf("SC_PAGE_SIZE")

def find(words):
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if open(f"/proc/{name}/cmdline").read().rstrip("\\0").split("\\0") == words:
                return int(name)
        except OSError:
            continue

pid = find(sys.argv[2:])
before, began = tree(pid)[0], time.monotonic()
time.sleep(float(sys.argv[1]))
after, resident = tree(pid)
print(json.dumps({"share": (after - before) / (time.monotonic() - began), "resident": resident}))
'''


def beside_iostat() -> dict[str, Cost]:
    """What both cost, by their command lines; nothing where there is no guest to be had."""
    if not os.environ.get("ZFSLAB_GUEST") and not SERIES[NEWEST].image.exists():
        return {}
    with started_guest() as guest:
        guest.wipe()
        disks = [guest.disk(bay) for bay in range(2 * MIRRORS)]
        pairs = zip(disks[::2], disks[1::2], strict=True)
        guest.create_pool("tank " + " ".join(f"mirror {one} {other}" for one, other in pairs))
        guest.ssh(f"nohup sh -c {WORK!r} >/dev/null 2>&1 &")
        install_console(guest)
        with _terminal(guest, IOSTAT) as terminal:
            terminal.read_until(b"tank", within_s=PATIENCE_S)
            iostat = _watch(guest, terminal, IOSTAT)
        with _terminal(guest, f"cd /opt/zconsole && exec {CONSOLE}") as terminal:
            terminal.read_until(b"live", within_s=PATIENCE_S)
            terminal.send(b"\r")
            terminal.read_until(b"mirror-0", within_s=PATIENCE_S)
            terminal.read_for(20)
            console = _watch(guest, terminal, CONSOLE)
        guest.ssh("pkill -f of=/tank/work", check=False)
    return {IOSTAT: iostat, "zconsole, its Pool screen": console}


@contextmanager
def started_guest() -> Iterator[Guest]:
    """The guest that ZFSLAB_GUEST names, whose pools are destroyed; or else one of our own."""
    if name := os.environ.get("ZFSLAB_GUEST"):
        yield guests.find(name)
        return
    guest = guests.start(NEWEST, f"bench-{os.getpid()}")
    try:
        yield guest
    finally:
        guest.down()


def _terminal(guest: Guest, command: str) -> Terminal:
    argv = guest.ssh_argv(command)
    argv.insert(1, "-tt")
    return Terminal(argv)


def _watch(guest: Guest, terminal: Terminal, command: str) -> Cost:
    """Count in the guest while the terminal is read."""
    counting = guest.ssh_argv(f"python3 - {WATCHED_S:g} {command}")
    with subprocess.Popen(counting, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as counter:
        assert counter.stdin is not None
        assert counter.stdout is not None
        counter.stdin.write(COUNTING.encode())
        counter.stdin.close()
        written = terminal.read_for(WATCHED_S)
        found = json.loads(counter.stdout.read())
    return Cost(
        cpu_percent=100 * found["share"],
        bytes_per_s=written / WATCHED_S,
        rss_mib=found["resident"] / 1024 / 1024,
    )


def install_console(guest: Guest) -> None:
    """Unpack zconsole and what it needs from wheels, for the guest's own Python, and compile it."""
    version = guest.ssh("python3 -c 'import sys; print(*sys.version_info[:2], sep=\".\")'").strip()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*PIP, "wheel", "--no-deps", "-w", folder, str(ROOT)], check=True)
        wheel = str(next(Path(folder).glob("zconsole-*.whl")))
        subprocess.run(
            [
                *PIP, "download", *PLATFORM, "--only-binary=:all:", "--python-version", version,
                "-c", str(ROOT / "requirements.lock"), "-d", folder, wheel,
            ],
            check=True,
        )  # fmt: skip
        guest.copy_in(Path(folder), "/opt/wheels")
    unpack = "cd /opt/wheels && for w in *.whl; do python3 -m zipfile -e $w /opt/zconsole; done"
    guest.ssh(f"{unpack} && python3 -m compileall -q /opt/zconsole", timeout_s=900, check=False)
