"""Random moves of a guest between pools and hosts, while another user acts and consoles are killed.

`python -m tests.scenarios.walks.guest_moves --count 1000` walks many seeds, `--seed N` repeats one and prints
its log.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from tests.doubles.faulty_host import Crashed
from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import GUEST, NEW, OLD, MovingGuest, in_short
from tests.doubles.replicating import NAS, VAULT, PipedHost
from tests.scenarios.walks.another_user_of_guests import ACTS, AnotherUser
from tests.scenarios.walks.what_the_guest_wrote import GuestWrites, Write, is_open, place_of
from zconsole.actions.intent import Intent, OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan, Risk
from zconsole.base.errors import LinkLost, UsageError
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.hosts.host import Command, Completed, Effect, Host, Piped
from zconsole.model.run import RunState
from zconsole.service.prepare_execute_and_recover_plans import Operator

TURNS: Final = 7
CHANGES, READS = 14, 140  # the longest runs have about so many commands
KILL, CUT = "kill", "cut"
FAULTS: Final = (KILL, CUT, CUT)
LATER_S: Final = 120


class MovesHost(PipedHost):
    """Tells the walk of each command right before and right behind it."""

    def __init__(self, inner: Host, walk: GuestMoves) -> None:
        super().__init__(inner)
        self._walk = walk

    async def run(self, command: Command) -> Completed:
        self._walk.before(command, self.label)
        done = await super().run(command)
        self._walk.behind(command, self.label, is_done=done.is_done)
        return done

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        self._walk.before(command, self.label)
        async with super().pipe(command) as running:
            yield running
        self._walk.behind(command, self.label, is_done=True)


@dataclass
class Before:
    """How it was before another user did something right before a command, which no console can see."""

    expected: frozenset[Write]
    running_on: frozenset[str]
    open_on: frozenset[str]


@dataclass
class Interruptions:
    """What happens in a run, by the number of the command before or behind which it does."""

    before_change: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    before_read: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    behind_change: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    changes: int = 0
    reads: int = 0

    @classmethod
    def drawn(cls, dice: random.Random) -> Interruptions:
        """Up to six of them."""
        made, names = cls(), (*ACTS, *FAULTS)
        for _ in range(dice.choice((0, 1, 1, 2, 2, 3))):
            made.before_change[dice.randrange(1, CHANGES)].append(dice.choice(names))
        for _ in range(dice.choice((0, 1, 1, 2))):
            made.before_read[dice.randrange(1, READS)].append(dice.choice(names))
        if dice.random() < 0.3:
            made.behind_change[dice.randrange(1, CHANGES)].append(dice.choice((KILL, CUT)))
        return made

    def before(self, *, is_change: bool) -> list[str]:
        """What happens before the next command."""
        if is_change:
            self.changes += 1
            return self.before_change.pop(self.changes, [])
        self.reads += 1
        return self.before_read.pop(self.reads, [])


class GuestMoves:
    """One walk. All that it draws follows from the seed."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311 - the same every time
        self.is_between_hosts, on_volume = seed % 2 == 0, seed // 2 % 2 == 0
        self.hosts: MovingBetweenHosts | MovingGuest
        self.hosts = (MovingBetweenHosts if self.is_between_hosts else MovingGuest)(on_volume=on_volume)
        if isinstance(self.hosts, MovingGuest) and not on_volume and self.dice.random() < 0.4:
            self.hosts.add_disk()
        is_one = self.hosts.vault is self.hosts.nas
        self.hosts.nas = MovesHost(self.hosts.nas.inner, self)
        self.hosts.vault = self.hosts.nas if is_one else MovesHost(self.hosts.vault.inner, self)
        self.log: list[str] = []
        self.faults: list[str] = []
        self.ends: Counter[str] = Counter()
        worlds = list(dict.fromkeys((self.hosts.nas_world, self.hosts.vault_world)))
        self.writes = GuestWrites(worlds)
        self.user = AnotherUser(self.hosts, self.dice, self.writes, self.log)
        self.writes.follow()
        self.plan: Plan | None = None  # while it is carried out
        self.interruptions = Interruptions()
        self.was = Before(frozenset(), frozenset(), frozenset())
        self.was_whole = False  # at the place moved to, at any moment since the last change

    async def walk(self) -> None:
        """Some actions of the console, one after the other, until one is wrong."""
        for _ in range(TURNS):
            if self.faults:
                return
            if self.dice.random() < 0.4:
                self.user.acts(self.dice.choice((*ACTS, "lets the guest write")))
            else:
                self.user.guest_writes()
            await self._turn()
            self.hosts.manual.advance(LATER_S)

    async def _turn(self) -> None:
        """Plan something and carry it out."""
        host, wanted = self._wanted()
        self.log.append(f"plan {wanted.action} {wanted.arguments} {dict(wanted.options)} on {host}")
        operator = self.hosts.another()
        try:
            plan = await operator.prepare(host, wanted)
        except UsageError as error:
            self._end("usage", str(error))
            return
        if plan.is_refused:
            self._end("refused", "; ".join(f"{each.rule}: {each.reason}" for each in plan.refusals))
            return
        self.interruptions = Interruptions.drawn(self.dice)
        if self.dice.random() < 0.15:
            self.user.acts(self.dice.choice(list(ACTS)))
        self.plan, self.was_whole = plan, self._is_whole(plan)
        try:
            await self._carried_out(operator, plan)
        except (Crashed, LinkLost) as error:
            self._end(type(error).__name__)
        finally:
            self.plan = None

    async def _carried_out(self, operator: Operator, plan: Plan) -> None:
        run = await operator.execute(
            plan.identity.label, plan, plan.confirm or "", {}, lasts_s=SAVED_PLAN_LASTS_S
        )
        self._end(run.state.value, run.words)
        if (
            run.state is RunState.DONE
            and plan.intent.action == "guest-move"
            and not (self.was_whole or self._is_told(plan))
        ):
            self.faults.append(f"done, but the guest is not whole at {plan.intent.argument(0)}")

    def _end(self, what: str, words: str = "") -> None:
        self.ends[what] += 1
        self.log.append(f"  {what}: {words[:400]}")

    def _wanted(self) -> tuple[str, Intent]:
        """What the console is asked for, and on which host: most often a move."""
        dice, is_two = self.dice, self.is_between_hosts
        any_host = dice.choice((NAS, VAULT)) if is_two else NAS
        other = NAS if any_host == VAULT else VAULT
        options: dict[str, OptionValue] = {"leave-off": True} if dice.random() < 0.15 else {}
        match dice.choices(("there", "back", "aside", "start", "shutdown", "forget"), (60, 20, 7, 6, 4, 3))[
            0
        ]:
            case "there":
                host, target = NAS, NEW
            case "back":
                host, target = (VAULT if is_two else NAS), OLD
            case "aside":
                host, target = NAS, dice.choice(("vault/third", "tank/third"))
            case "start":
                return any_host, intent("guest-start", GUEST)
            case "forget" if is_two:
                return any_host, intent("guest-forget", GUEST, options={"to": other})
            case _:
                return any_host, intent("guest-shutdown", GUEST)
        to = VAULT if target.startswith("vault") else NAS
        if is_two and to != host:
            options["to"] = to
        return host, intent("guest-move", GUEST, target, options=options)

    # Commands of the console

    def before(self, command: Command, label: str) -> None:
        """What another user does right before it."""
        if self.plan is None or command.argv == TAKE_AS_ROOT:
            return
        is_change = command.effect is Effect.CHANGE
        if is_change:
            self.was = self._as_it_is()
        for name in self.interruptions.before(is_change=is_change):
            if name in FAULTS:
                self._interrupt(name, f"before {' '.join(command.argv)[:100]}")
            if not is_change:
                self.log.append(f"   before {' '.join(command.argv)[:100]} on {label}:")
            self.user.acts(name)
            self.was_whole = self.was_whole or self._is_whole(self.plan)
        if is_change:
            number = self.interruptions.changes
            self.log.append(f"  {number}. {' '.join(command.argv)[:150]} on {label}")

    def behind(self, command: Command, label: str, *, is_done: bool) -> None:
        """Look at what it did."""
        if self.plan is None or command.argv == TAKE_AS_ROOT:
            return
        if command.effect is not Effect.CHANGE:
            if command.argv[:2] == ("zfs", "get") and any("readonly" in each for each in command.argv):
                self.user.unread.discard(label)
            return
        self.writes.follow()
        is_said = bool(self.plan.loses) or self.plan.risk.rank >= Risk.DESTRUCTIVE.rank
        what = in_short(command.argv)
        if what == "start" and is_done and not is_said:
            self.faults += self._wrong_start(label)
        if what in {"set", "inherit"} and is_done:
            self.faults += self._both_open(label)
        if (lost := self.writes.forget_lost()) and not is_said:
            self.faults.append(f"{sorted(lost)} destroyed by {' '.join(command.argv)}")
        self.was_whole = self._is_whole(self.plan)
        for name in self.interruptions.behind_change.pop(self.interruptions.changes, []):
            self._interrupt(name, "behind it")

    def _interrupt(self, name: str, where: str) -> None:
        self.log.append(f"   {name} {where}")
        raise Crashed if name == KILL else LinkLost(name)

    # What must be so

    def _as_it_is(self) -> Before:
        found = [(self.user.label(world), world, guest) for world, guest in self.user.guests()]
        return Before(
            frozenset(self.writes.expected),
            frozenset(label for label, _, guest in found if guest.is_active),
            frozenset(label for label, world, guest in found if is_open(world, guest)),
        )

    def _wrong_start(self, label: str) -> Iterator[str]:
        """A start without a word, where not all is that the guest wrote; or while it runs elsewhere."""
        places = [
            (disk, place_of(world, disk))
            for world, guest in self.user.guests()
            if self.user.label(world) == label
            for disk in guest.disks
        ]
        if self.plan is None or self._is_told(self.plan):
            return
        if self.was.running_on - {label}:
            yield f"started on {label}, while it runs on {', '.join(self.was.running_on)}"
        for disk, place in places:
            if lacking := self.writes.lacking(disk.target, place, self.was.expected):
                name = place.name if place is not None else disk.source
                yield f"{disk.target} started on {name}, which lacks {sorted(lacking)}"

    def _is_told(self, plan: Plan) -> bool:
        """Whether another user opened a place by hand: a plan of one host believes that it counts."""
        return self.is_between_hosts and bool(self.user.opened) and not plan.intent.text("to")

    def _both_open(self, label: str) -> Iterator[str]:
        """The console has opened a place while another one was open, as it could see."""
        others = self.was.open_on - {label} - self.user.unread
        is_opened = label in self._as_it_is().open_on - self.was.open_on
        if is_opened and others:
            yield f"could be started on {label} and on {', '.join(others)}"

    def _is_whole(self, plan: Plan) -> bool:
        """Whether the guest is defined at the place that it is moved to, with all that it wrote."""
        target = plan.intent.argument(0)
        host = VAULT if self.is_between_hosts and target.startswith("vault") else NAS
        for world, guest in self.user.guests():
            if self.user.label(world) == host:
                places = [(disk.target, place_of(world, disk)) for disk in guest.disks]
                return any(each is not None and each.name == target for _, each in places) and not any(
                    self.writes.lacking(disk, each, self.writes.expected) for disk, each in places
                )
        return False


@dataclass
class Walked:
    """What came of some seeds."""

    ends: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


async def walk_seed(seed: int) -> GuestMoves:
    """Walk one seed; an exception is a fault too."""
    moves = GuestMoves(seed)
    try:
        await moves.walk()
    except Exception as error:
        error.add_note(f"seed {seed}\n" + "\n".join(moves.log))
        raise
    return moves


def walk_seeds(seeds: Sequence[int]) -> Walked:
    """Walk each of them."""
    walked = Walked()
    for seed in seeds:
        moves = asyncio.run(walk_seed(seed))
        walked.ends += moves.ends
        if moves.faults:
            log = "\n".join(moves.log)
            walked.failures.append(f"seed {seed}: {'; '.join(moves.faults)}\n{log}")
    return walked


def main(arguments: Sequence[str]) -> int:
    """Walk, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios.walks.guest_moves", description=__doc__)
    parser.add_argument("--seed", type=int, help="repeat this one, and print its log")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    found = parser.parse_args(arguments)
    if found.seed is not None:
        moves = asyncio.run(walk_seed(found.seed))
        sys.stdout.write("\n".join((*moves.log, *(f"fault: {each}" for each in moves.faults))) + "\n")
        return 1 if moves.faults else 0
    walked = Walked()
    for seed in range(found.first, found.first + found.count):
        made = walk_seeds([seed])
        walked.ends += made.ends
        walked.failures += made.failures
        for each in made.failures:
            sys.stdout.write(f"{each}\n\n")
            sys.stdout.flush()
    told = ", ".join(f"{count} {name}" for name, count in sorted(walked.ends.items()))
    sys.stdout.write(f"{len(walked.failures)} failures; {told}\n")
    return 1 if walked.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
