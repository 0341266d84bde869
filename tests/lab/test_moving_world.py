"""A real world that moves right before each `zfs` and `zpool` call: no wrong object, no false `done`.

In the guest, programs that stand in front of ZFS's own count the calls of the console, and before the k-th
they let somebody else act. For snapshots and file systems nothing comes between check and act. A command of
zpool takes no guid: what happens right before it, after the last look, it cannot know, and only there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.lab.acting import Acting, acting_on
from tests.lab.guests import Guest
from zconsole.model.run import RunState

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it

LAST: Final = 6  # calls before which the world moves; the one that acts is among them
IN_FRONT: Final = """\
#!/bin/sh
# $0 TOOL ARGUMENTS: notes the call, and before the one that is waited for lets somebody else act.
tool=${0##*/}
exec 9>>/run/moving/lock
flock 9
echo "$tool $*" | tr '\\n' ' ' >> /run/moving/calls
echo >> /run/moving/calls
if [ "$(wc -l < /run/moving/calls)" = "$(cat /run/moving/at)" ]; then
    PATH=/usr/sbin:/usr/bin:/sbin:/bin sh /run/moving/change > /run/moving/said 2>&1 9>&- < /dev/null
    echo $? >> /run/moving/said
fi
exec 9>&-
exec /usr/sbin/$tool "$@"
"""
INSTALL: Final = (
    "mkdir -p /run/moving /usr/local/sbin; echo 0 > /run/moving/at; : > /run/moving/calls; "
    "cat > /usr/local/sbin/zfs; cp /usr/local/sbin/zfs /usr/local/sbin/zpool; "
    "chmod +x /usr/local/sbin/zfs /usr/local/sbin/zpool"
)
REMOVE: Final = "rm -f /usr/local/sbin/zfs /usr/local/sbin/zpool"
ZFS, ZPOOL = "/usr/sbin/zfs", "/usr/sbin/zpool"  # not those that stand in front


@dataclass(frozen=True, slots=True)
class Moving:
    """An object, an action on it, and how another takes its place."""

    action: str
    words: tuple[str, ...]
    make: str  # lines of shell
    change: str
    planned: str  # tells what identifies the planned one; nothing once it is gone
    other: str  # and the one that takes its place
    window: bool  # whether what comes right before the command that acts is seen too late


FILE: Final = "truncate -s 256M /var/tmp/{0}; "
CASES: Final = {
    "file system": Moving(
        "destroy", ("tank/race",),
        f"{ZFS} create tank/race",
        f"{ZFS} rename tank/race tank/safe && {ZFS} create tank/race",
        "zfs list -Ho guid tank/safe || zfs list -Ho guid tank/race",
        "zfs list -Ho guid tank/race", window=False,
    ),
    "snapshot": Moving(
        "destroy", ("tank/race@a",),
        f"{ZFS} create tank/race && {ZFS} snapshot tank/race@a",
        f"{ZFS} rename tank/race@a tank/race@safe && {ZFS} snapshot tank/race@a",
        "zfs list -Ho guid tank/race@safe || zfs list -Ho guid tank/race@a",
        "zfs list -Ho guid tank/race@a", window=False,
    ),
    "pool": Moving(
        "destroy", ("race",),
        f"{FILE.format('race-1')}{FILE.format('race-2')}{ZPOOL} create -f race /var/tmp/race-1",
        f"{ZPOOL} export race && {ZPOOL} import -d /var/tmp/race-1 race safe && "
        f"{ZPOOL} create -f race /var/tmp/race-2",
        "zpool list -Ho guid safe || zpool list -Ho guid race",
        "zpool list -Ho guid race", window=True,
    ),
    "disk": Moving(
        "attach", ("tank", "{0}", "{2}"),
        "true",
        "mv {2} /run/kept; cp -P {3} {2}; mv /run/kept {3}",
        "echo {2}", "echo {3}", window=True,
    ),
}  # fmt: skip


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A guest with one pool on a disk, and what stands in front of ZFS's programs."""
    bare_guest.create_pool(f"tank {bare_guest.disk(0)}")
    bare_guest.ssh(INSTALL, stdin=IN_FRONT.encode())
    yield bare_guest
    bare_guest.ssh(REMOVE)
    bare_guest.wipe()


@pytest.fixture
async def nas(tank: Guest, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """Who acts on that guest."""
    async with acting_on(tank, ssh_alias, tmp_path / "journal.sqlite") as acting:
        yield acting


def said(guest: Guest, line: str) -> str:
    """What ZFS itself tells, past what stands in front of it."""
    return guest.ssh(f"PATH=/usr/sbin:/usr/bin:/sbin:/bin; {{ {line}; }} 2>/dev/null || true").strip()


def devices(guest: Guest) -> set[str]:
    """The kernel's names of the drives that serve in tank."""
    return set(said(guest, "zpool status -LP tank | grep -o '/dev/sd[a-z]*'").split())


async def one(nas: Acting, case: Moving, back: int) -> tuple[str, RunState, list[str]]:
    """A run in which the world moves before the last call but `back`; the call, its end, what is wrong."""
    guest = nas.guest
    disks = [guest.disk(bay) for bay in range(4)]
    at = await calls_of(nas, case) - back
    guest.ssh(case.make.format(*disks))
    real = [said(guest, f"readlink -f {disk}") for disk in disks]
    words = [word.format(*(disk.rpartition("/")[2] for disk in disks)) for word in case.words]
    guest.ssh(f"printf %s '{case.change.format(*disks)}' > /run/moving/change; echo 0 > /run/moving/at")
    plan = await nas.plan(case.action, *words)
    assert not plan.is_refused, plan.refusals
    planned = said(guest, case.planned.format(*real))
    guest.ssh(f": > /run/moving/calls; : > /run/moving/said; echo {at} > /run/moving/at")

    run = await nas.run(plan)

    calls = guest.ssh("cat /run/moving/calls").split("\n")
    call = calls[at - 1] if len(calls) >= at else ""
    wrong = []
    if case.action == "attach":
        there = devices(guest)
        if real[3] in there:
            wrong.append("the other disk serves in the pool")
        if run.state is RunState.DONE and real[2] not in there:
            wrong.append("done, and the planned disk does not serve")
    else:
        there = set(said(guest, "zfs list -Ht all -o guid; zpool list -Ho guid").split())
        other = said(guest, case.other)
        if call and not other:
            wrong.append("the other one is gone")
        if run.state is RunState.DONE and planned in there:
            wrong.append("done, and the planned one is there")
        if run.state is not RunState.DONE and planned not in there:
            wrong.append(f"{run.state.value}, and the planned one is gone")
    entry = nas.journal.entries()
    if entry and entry[0].id == run.id and entry[0].state is not run.state:
        wrong.append(f"the journal says {entry[0].state.value}")
    clean(guest, case, disks, real)
    return call, run.state, wrong


_CALLS: Final[dict[tuple[str, str], int]] = {}


async def calls_of(nas: Acting, case: Moving) -> int:
    """How many calls of ZFS a run makes that nobody disturbs, up to the one that acts."""
    key = (nas.guest.series, " ".join((case.action, *case.words)))
    if key not in _CALLS:
        disks = [nas.guest.disk(bay) for bay in range(4)]
        nas.guest.ssh(case.make.format(*disks))
        words = [word.format(*(disk.rpartition("/")[2] for disk in disks)) for word in case.words]
        plan = await nas.plan(case.action, *words)
        nas.guest.ssh(": > /run/moving/calls; echo 0 > /run/moving/at")
        run = await nas.run(plan)
        assert RunState.DONE is run.state, run
        calls = [line for line in nas.guest.ssh("cat /run/moving/calls").split("\n") if line]
        acting = [" ".join(step.argv[:2]) for step in plan.steps]
        _CALLS[key] = max(number for number, line in enumerate(calls, 1) if line.startswith(tuple(acting)))
        real = [said(nas.guest, f"readlink -f {disk}") for disk in disks]
        clean(nas.guest, case, disks, real)
    return _CALLS[key]


def clean(guest: Guest, case: Moving, disks: list[str], real: list[str]) -> None:
    """As before the run."""
    if case.action == "attach":
        for disk, name in zip(disks, real, strict=True):
            said(guest, f"ln -sfn {name} {disk}")
        for name in real[1:]:
            said(guest, f"zpool detach tank {name}; zpool detach tank {name}1")
        guest.ssh("udevadm trigger; udevadm settle")
        guest.blank()
        return
    said(guest, "zfs destroy -r tank/race; zfs destroy -r tank/safe")
    said(guest, "zpool destroy -f race; zpool destroy -f safe; rm -f /var/tmp/race-*")


@pytest.mark.parametrize("name", CASES)
async def test_what_took_the_place_of_the_planned_one_stays(nas: Acting, name: str) -> None:
    """Before each of the last calls, the one that acts first of all."""
    case = CASES[name]
    told = []
    for back in range(LAST):
        call, state, wrong = await one(nas, case, back)
        told.append(f"{back} back, before {call[:60]!r}: {state.value} {'; '.join(wrong)}")
        if case.window and back == 0:
            assert "done, and" not in " ".join(wrong), told
            continue
        assert not wrong, told
