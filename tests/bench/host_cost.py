"""What the console costs the host that it looks at over SSH: processes started, and time of the processor.

On a lab guest with 1, 4 and 12 pools at rest, counted by the guest's own kernel: nothing, `zpool iostat -v 1`
and `zpool status` each second in a session, and the console's first screen. The processors of the guest are
emulated, so that its ticks are worth something as a ratio only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.guest import CONSOLE, INSTALLED, PATIENCE_S, install_console, started_guest
from tests.bench.report import Result, put_section
from tests.bench.terminal import Terminal
from tests.lab import guests
from tests.lab.guests import Guest
from tests.lab.images import SERIES

NEWEST: Final = "2.4"
POOLS: Final = (1, 4, 12)
SETTLES_S: Final = 150.0  # what is read once, and the first readings that follow
COUNTED_S: Final = 120.0
MOST_PROCESSES: Final = 0.1  # a second
MOST_TIMES: Final = 2.0  # the ticks of `zpool iostat -v 1`
HEADING: Final = "## What the host pays"
HOW: Final = """\
Written by `python -m tests.bench host`: a lab guest with pools at rest, at which a console looks over SSH,
counted by the guest's own kernel for two minutes, less what it does by itself. Its processors are emulated:
ticks are comparable only with those of the peers in the same row. *A user without events* is not root: ZFS
tells its events to root alone. *Started there*: the console runs on the guest, and its own ticks are counted.
"""
IOSTAT: Final = "zpool iostat -v 1"
USER: Final = "look"
MAKE_USER: Final = f"""\
id {USER} >/dev/null 2>&1 || useradd -m -s /bin/sh {USER}
mkdir -p ~{USER}/.ssh && cp ~/.ssh/authorized_keys ~{USER}/.ssh/ && chown -R {USER}: ~{USER}/.ssh
"""
STATUS: Final = "while zpool status; do sleep 1; done"
COUNTING: Final = """\
import json, os, sys, time

def own(words):
    # ticks of the process with this command line, without its children
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if words and open(f"/proc/{name}/cmdline").read().rstrip("\\0").split("\\0") == words:
                fields = open(f"/proc/{name}/stat").read().rpartition(")")[2].split()
                return int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return 0

def counted():
    words = {line.split()[0]: line.split()[1:] for line in open("/proc/stat")}
    busy = [int(each) for at, each in enumerate(words["cpu"][:8]) if at not in (3, 4)]
    return int(words["processes"][0]), sum(busy), own(sys.argv[2:])

before, began = counted(), time.monotonic()
time.sleep(float(sys.argv[1]))
after, took = counted(), time.monotonic() - began
print(json.dumps([(one - other) / took for one, other in zip(after, before)]))
"""


@dataclass(frozen=True, slots=True)
class HostCost:
    """What a host did while something ran, a second."""

    processes: float
    ticks: float
    own: float = 0.0  # of the ticks those of a console that runs there

    def beyond(self, nothing: HostCost) -> HostCost:
        """What it did more than with nothing running."""
        processes = max(0.0, self.processes - nothing.processes)
        return HostCost(processes, max(0.0, self.ticks - nothing.ticks), self.own)


def host_cost() -> Iterator[Result]:
    """One row for each number of pools; nothing where there is no guest to be had."""
    if not os.environ.get("ZFSLAB_GUEST") and not SERIES[NEWEST].image.exists():
        return
    with started_guest() as guest:
        guest.wipe()
        guest.ssh(MAKE_USER)
        if guest.ssh(f"test -d {INSTALLED} || echo missing").strip():
            install_console(guest)
        made = 0
        for wanted in POOLS:
            for number in range(made, wanted):
                guest.ssh(
                    f"mkdir -p /var/pools && truncate -s 256M /var/pools/{number} && "
                    f"zpool create -f p{number} /var/pools/{number}"
                )
            made = wanted
            peers = [_beside(guest, command) for command in ("", IOSTAT, STATUS)]
            yield _row(wanted, "over SSH", *peers, _console(guest, "root"))
            yield _row(wanted, "over SSH, by a user without events", *peers, _console(guest, USER))
            yield _row(wanted, "started there", *peers, _console_there(guest))
        guest.wipe()


def section() -> str:
    """The section of the page; empty where there is no guest to be had."""
    rows = []
    for each in host_cost():
        print(f"{'ok  ' if each.is_met else 'MISS'} {each.what}: {each.seen} ({each.goal})", flush=True)
        rows.append(f"| {each.what} | {each.goal} | {each.seen} | {'yes' if each.is_met else '**no**'} |")
    if not rows:
        return ""
    return "\n".join([HEADING, "", HOW, "| what | goal | seen | met |", "|---|---|---|---|", *rows, ""])


def rewrite(page: Path) -> None:
    """Put the section in its place on the page, unless nothing could be measured."""
    if text := section():
        put_section(page, HEADING, text)


def _row(  # noqa: PLR0917 - what is compared
    pools: int, how: str, nothing: HostCost, iostat: HostCost, status: HostCost, console: HostCost
) -> Result:
    ours, theirs, polled = (each.beyond(nothing) for each in (console, iostat, status))
    own = f", {ours.own:.1f} of them its own" if ours.own else ""
    times = ours.ticks / theirs.ticks if theirs.ticks else float("inf")
    return Result(
        f"{pools} pool{'s' * (pools > 1)} at rest, {how}: the host's processes and CPU",
        f"<= {MOST_PROCESSES:g} a second, {MOST_TIMES:g}x `{IOSTAT}`",
        f"{ours.processes:.2f} a second, {times:.1f}x "
        f"({ours.ticks:.1f} ticks a second{own}; `{IOSTAT}` {theirs.ticks:.1f}; "
        f"`zpool status` each second {polled.ticks:.1f} and {polled.processes:.1f} processes)",
        ours.processes <= MOST_PROCESSES and times <= MOST_TIMES,
    )


def _beside(guest: Guest, command: str) -> HostCost:
    """Count while a command runs in a session with a terminal; "" for nothing."""
    with ExitStack() as stack:
        if command:
            argv = guest.ssh_argv(command)
            argv.insert(1, "-tt")
            terminal = stack.enter_context(Terminal(argv))
            terminal.read_for(10)
            return _count(guest, terminal)
        return _count(guest, None)


def _console(guest: Guest, user: str) -> HostCost:
    """Count while the console on this machine looks at the guest as this user."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / ".ssh"
        folder.mkdir(mode=0o700)
        config = guests.ssh_config(guest, "nas", known_hosts=guest.known_hosts)
        (folder / "config").write_text(config.replace("User root", f"User {user}"))
        with Terminal([sys.executable, "-m", "zconsole", "nas"], env={"HOME": home}) as terminal:
            terminal.read_until(b"p0", within_s=120)
            terminal.read_for(SETTLES_S)
            return _count(guest, terminal)


def _console_there(guest: Guest) -> HostCost:
    """Count while a console of the guest's own looks at its pools, in a session with a terminal."""
    argv = guest.ssh_argv(f"cd {INSTALLED} && exec {CONSOLE}")
    argv.insert(1, "-tt")
    with Terminal(argv) as terminal:
        terminal.read_until(b"live", within_s=PATIENCE_S)
        terminal.read_for(SETTLES_S)
        return _count(guest, terminal, CONSOLE)


def _count(guest: Guest, terminal: Terminal | None, command: str = "") -> HostCost:
    """Let the guest count itself, and read the terminal meanwhile."""
    argv = guest.ssh_argv(f"python3 - {COUNTED_S:g} {command}")
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as counter:
        assert counter.stdin is not None
        assert counter.stdout is not None
        counter.stdin.write(COUNTING.encode())
        counter.stdin.close()
        if terminal is not None:
            terminal.read_for(COUNTED_S)
        return HostCost(*json.loads(counter.stdout.read()))
