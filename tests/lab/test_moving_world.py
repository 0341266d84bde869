"""A real world that moves right before each `zfs` and `zpool` call: no wrong object, no false `done`.

In the guest, programs that stand in front of ZFS's own count the calls of the console, and before the k-th
they let somebody else act. With `--long` that is every k of a run, else from some before the command that
acts to the last with which the run looks at what it did. For snapshots and file systems nothing comes between
check and act. A command of zpool takes no guid: what happens right before it, after the last look, it cannot
know, and only there.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pytest

from tests.lab.acting import Acting
from tests.lab.guests import Guest
from zconsole.actions.plan import Plan
from zconsole.model.run import Run, RunState

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it

IN_FRONT: Final = """\
#!/bin/sh
# $0 TOOL ARGUMENTS: notes the call, and before the one that is waited for lets somebody else act.
tool=${0##*/}
exec 9>>/run/moving/lock
flock 9
echo "$tool $*" | tr '\\n' ' ' >> /run/moving/calls
echo >> /run/moving/calls
at=$(cat /run/moving/at)
case "$tool $* " in "$at "*) now=yes ;; *) now= ;; esac
[ "$(wc -l < /run/moving/calls)" = "$at" ] && now=yes
if [ "$now" ] && [ ! -s /run/moving/other ]; then
    PATH=/usr/sbin:/usr/bin:/sbin:/bin sh /run/moving/change >/run/moving/other 2>/dev/null 9>&- </dev/null
fi
exec 9>&-
exec /usr/sbin/$tool "$@"
"""
INSTALL: Final = (
    "mkdir -p /run/moving /usr/local/sbin; echo 0 > /run/moving/at; : > /run/moving/calls; "
    "cat > /usr/local/sbin/zfs; cp /usr/local/sbin/zfs /usr/local/sbin/zpool; "
    "chmod +x /usr/local/sbin/zfs /usr/local/sbin/zpool"
)
BEFORE: Final = 1  # calls before the one that acts; earlier ones are of the check, which reads all again
REMOVE: Final = "rm -f /usr/local/sbin/zfs /usr/local/sbin/zpool"
SET: Final = (
    "cat > /run/moving/change; : > /run/moving/calls; : > /run/moving/other; echo {at} > /run/moving/at"
)
PAST: Final = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"  # what stands in front
SHOW: Final = (
    "cat /run/moving/calls; echo --; cat /run/moving/other; echo --; {{ {there}; }} 2>/dev/null; true"
)


@dataclass(frozen=True, slots=True)
class Case:
    """An object, an action on it, and how another takes its place; all of it in lines of shell."""

    action: str
    words: tuple[str, ...]
    make: str
    planned: str  # tells what identifies the planned one
    change: str  # tells what identifies the other one
    back: str  # the planned one where it was, and the other gone
    clean: str  # nothing left of either
    there: str  # tells what identifies all that is there
    is_destroyed: bool = True  # else it is there afterwards
    has_window: bool = False  # whether what comes right before the command that acts is seen too late


NAMED: Final = (
    "if [ ! -s /run/moving/ours ]; then udevadm settle; find /dev/disk -lname '*/{sd2}' > /run/moving/ours; "
    "find /dev/disk -lname '*/{sd3}' > /run/moving/theirs; fi"
)  # every name that udev has given to the two disks, kept while the guest is up
LINK: Final = "for link in $(cat /run/moving/{names}); do ln -sfn ../../{disk} $link; done"
SWAP: Final = f"{LINK.format(names='ours', disk='{sd3}')}; {LINK.format(names='theirs', disk='{sd2}')}"
UNSWAP: Final = f"{LINK.format(names='ours', disk='{sd2}')}; {LINK.format(names='theirs', disk='{sd3}')}"
IN_POOLS: Final = "zfs list -Ht all -o guid; zpool list -Ho guid"
CASES: Final = {
    "file system": Case(
        "destroy", ("tank/race",),
        make="zfs create tank/race",
        planned="zfs get -Hpo value guid tank/race",
        change="zfs rename tank/race tank/safe; zfs create tank/race; zfs get -Hpo value guid tank/race",
        back="zfs destroy -r tank/race; zfs rename tank/safe tank/race; zfs mount tank/race",
        clean="zfs destroy -r tank/race; zfs destroy -r tank/safe",
        there=IN_POOLS,
    ),
    "snapshot": Case(
        "destroy", ("tank/race@a",),
        make="zfs create tank/race; zfs snapshot tank/race@a",
        planned="zfs get -Hpo value guid tank/race@a",
        change="zfs rename tank/race@a tank/race@safe; zfs snapshot tank/race@a; "
        "zfs get -Hpo value guid tank/race@a",
        back="zfs destroy tank/race@a; zfs rename tank/race@safe tank/race@a",
        clean="zfs destroy -r tank/race",
        there=IN_POOLS,
    ),
    "pool": Case(
        "destroy", ("race",),
        make="truncate -s 128M /var/tmp/race-1 /var/tmp/race-2; zpool create -f race /var/tmp/race-1",
        planned="zpool get -Hpo value guid race",
        change="zpool export race; zpool import -d /var/tmp/race-1 race safe; "
        "zpool create -f race /var/tmp/race-2; zpool get -Hpo value guid race",
        back="zpool destroy -f race; zpool export safe; zpool import -d /var/tmp/race-1 safe race",
        clean="zpool destroy -f race; zpool destroy -f safe; rm -f /var/tmp/race-1 /var/tmp/race-2",
        there=IN_POOLS,
        has_window=True,
    ),
    "disk": Case(
        "attach", ("tank", "{0}", "{2}"),
        make=f"{NAMED}; {UNSWAP}",
        planned="readlink -f {2}",
        change=f"{SWAP}; readlink -f {{2}}",
        back=UNSWAP,
        clean=f"{UNSWAP}; "
        "zpool detach tank $(zpool status -P tank | grep -o '/dev/[^ ]*-part1' | tail -n 1); "
        "zpool labelclear -f {2}-part1; zpool labelclear -f {3}-part1; "
        "for disk in {2} {3}; do wipefs -aq $disk; sgdisk -Z $disk >/dev/null; done; "
        "udevadm trigger; udevadm settle",
        there="zpool status -LP tank | grep -o '/dev/sd[a-z]*'",
        is_destroyed=False,
        has_window=True,
    ),
}  # fmt: skip


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A guest with one pool on a disk, and what stands in front of ZFS's programs."""
    bare_guest.create_pool(f"tank {bare_guest.disk(0)}")
    bare_guest.blank()
    bare_guest.ssh(INSTALL, stdin=IN_FRONT.encode())
    yield bare_guest
    bare_guest.ssh(REMOVE)
    bare_guest.wipe()


@dataclass(frozen=True, slots=True)
class After:
    """What is to be seen after a run: the calls of ZFS, who took the place, and who is there."""

    calls: list[str]
    other: str  # "" where the run did not come to that call
    there: frozenset[str]

    def number_of(self, words: str) -> int:
        """Of the first call that begins so; 0 if none does."""
        found = (number for number, call in enumerate(self.calls, 1) if call.startswith(f"{words} "))
        return next(found, 0)


@dataclass(frozen=True, slots=True)
class Ended:
    """A run in which the world moved, and what came of it."""

    after: After
    acting: int  # the number of the call of the last step; 0 where the run did not come to it
    words: str
    is_wrong: bool


class Scene:
    """A case on a guest; plans are made anew only where the planned object is not as it was."""

    def __init__(self, nas: Acting, case: Case) -> None:
        disks = [nas.guest.disk(bay) for bay in range(4)]
        real = nas.guest.ssh(f"readlink -f {shlex.join(disks)}").split()
        self.nas = nas
        self.case = case
        self._disks = disks
        self._named = {f"real{bay}": name for bay, name in enumerate(real)}
        self._named |= {f"sd{bay}": name.rpartition("/")[2] for bay, name in enumerate(real)}
        self.planned = ""
        self._plan: Plan | None = None

    def shell(self, line: str) -> str:
        """Lines of shell, past what stands in front of ZFS's programs; what they tell."""
        lines = line.format(*self._disks, **self._named)
        return self.nas.guest.ssh(f"{PAST}; {{ {lines}; }} 2>/dev/null; true").strip()

    async def plan(self) -> Plan:
        """Of the object as it is."""
        if self._plan is None:
            self.planned = self.shell(f"{self.case.make}; {self.case.planned}")
            words = [
                word.format(*(disk.rpartition("/")[2] for disk in self._disks)) for word in self.case.words
            ]
            self._plan = await self.nas.plan(self.case.action, *words)
            assert not self._plan.is_refused, self._plan.refusals
        return self._plan

    async def acts(self) -> tuple[str, ...]:
        """The first words of each step of the plan, by which its call is known."""
        return tuple(" ".join(step.argv[:3]) for step in (await self.plan()).steps)

    async def moved(self, at: int | str) -> Ended | None:
        """Run it; before the call of that number, or that begins so, another one takes the place.

        None where the run did not come to that call.
        """
        seen = await self.run(at)
        return seen if seen.is_wrong or seen.after.other else None

    async def run(self, at: int | str) -> Ended:
        """Carry it out, see what there is, and make good what was done; before call 0 nobody acts."""
        plan, act = await self.plan(), (await self.acts())[-1]
        change = self.case.change.format(*self._disks, **self._named)
        self.nas.guest.ssh(SET.format(at=at), stdin=change.encode())
        run = await self.nas.run(plan)
        shown = self.nas.guest.ssh(f"{PAST}; {SHOW.format(there=self.case.there)}")
        calls, other, there = shown.split("--\n")
        after = After(calls.splitlines(), other.strip(), frozenset(there.split()))
        acting = after.number_of(act)
        number = at if isinstance(at, int) else after.number_of(at)
        call = after.calls[number - 1] if 0 < number <= len(after.calls) else ""
        wrong = self.wrong(run, after, is_window=self.case.has_window and 0 < acting == number)
        self.restore(after)
        words = f"before call {number}, {call[:60]!r}: {run.state.value} {'; '.join(wrong)}"
        print(words, flush=True)
        return Ended(after, acting, words, is_wrong=bool(wrong))

    def restore(self, after: After) -> None:
        """The planned one where it was, where neither was hit; else nothing of them, and a new plan."""
        is_as_before = self._happened(after) is self._hit(after) is False
        if is_as_before and self.shell(f"{self.case.back}; {self.case.planned}") == self.planned:
            return
        self.shell(self.case.clean)
        self._plan = None

    def _happened(self, after: After) -> bool:
        return (self.planned in after.there) is not self.case.is_destroyed

    def _hit(self, after: After) -> bool:
        return bool(after.other) and (after.other in after.there) is not self.case.is_destroyed

    def wrong(self, run: Run, after: After, *, is_window: bool) -> list[str]:
        """What must not be: another one hit, a state that is not so, a journal that says something else."""
        happened, wrong = self._happened(after), []
        if after.other == self.planned:
            wrong.append("nobody took its place")
        if self._hit(after) and not is_window:
            wrong.append("another one was hit")
        if run.state is RunState.DONE and not happened:
            wrong.append("done, and it did not happen")
        if happened and run.state not in {RunState.DONE, RunState.UNKNOWN}:
            wrong.append(f"{run.state.value}, and it happened")
        entry = next((each for each in self.nas.journal.entries() if each.id == run.id), None)
        if entry is not None and entry.state is not run.state:
            wrong.append(f"the journal says {entry.state.value}")
        return wrong


@pytest.mark.parametrize("name", CASES)
async def test_what_took_the_place_directly_before_a_step_stays(nas: Acting, name: str) -> None:
    scene = Scene(nas, CASES[name])
    for words in reversed(await scene.acts()):
        seen = await scene.moved(words)
        assert seen is not None, f"the run did not come to {words}"
        assert not seen.is_wrong, seen.words


@pytest.mark.parametrize("name", CASES)
async def test_what_took_the_place_before_any_other_call_stays(
    nas: Acting, name: str, request: pytest.FixtureRequest
) -> None:
    """Calls are counted in a run that nobody disturbs."""
    scene = Scene(nas, CASES[name])
    alone = await scene.run(0)
    assert (False, True) == (alone.is_wrong, alone.acting > 0), alone.words
    first = 1 if request.config.getoption("--long") else max(1, alone.acting - BEFORE)
    numbers = range(first, len(alone.after.calls) + 1)
    seen = [await scene.moved(number) for number in numbers if number != alone.acting]
    print(f"{name}: {len(seen)} positions")
    assert None not in seen
    assert not [each.words for each in seen if each is not None and each.is_wrong]
