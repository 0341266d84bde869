"""A plan: everything that an action will do, known before it is done. A value; nothing here acts."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

from zconsole.actions.binding_figure import Figure
from zconsole.actions.intent import Intent
from zconsole.actions.step_subject import StepSubject
from zconsole.model.host.plan_facts import Becoming, MachineIdentity
from zconsole.model.pools.pool import Pool

DIALOG_PLAN_LASTS_S: Final = 60.0
SAVED_PLAN_LASTS_S: Final = 15 * 60.0
STEP_TIMEOUT_S: Final = 60.0
FIRST: Final = 6  # of a long list: so many stand before what is to be read first
COMMAND_CHARACTERS: Final = 400
T = TypeVar("T")
SUDO_SECRET: Final = "password for sudo"  # noqa: S105  # the name that it is asked for by


class Risk(Enum):
    """What the guard asks for before the plan may run, in rising order."""

    ROUTINE = "routine"  # a key
    CAUTION = "caution"  # the object's name
    DESTRUCTIVE = "destructive"  # host:object
    CATASTROPHIC = "catastrophic"  # host:object, the number of objects lost, and a countdown
    REFUSED = "refused"  # no guard opens it

    @property
    def rank(self) -> int:
        """0 for routine, rising."""
        return tuple(Risk).index(self)


@dataclass(frozen=True, slots=True)
class Sender:
    """The command whose output a step gets on its stdin, and the host where it runs. It only reads."""

    identity: MachineIdentity
    argv: tuple[str, ...]
    becoming: Becoming
    size_bytes: int | None = None  # as it was estimated
    is_elsewhere: bool = False  # on another host than the step

    @property
    def secret(self) -> str:
        """What must be asked for, by name, before it can run; nothing where nothing must."""
        if self.becoming is not Becoming.SUDO_PASSWORD:
            return ""
        return f"{SUDO_SECRET} on {self.identity.label}" if self.is_elsewhere else SUDO_SECRET


@dataclass(frozen=True, slots=True)
class Step:
    """One command. It runs as it is shown, or not at all."""

    argv: tuple[str, ...]
    why: str  # what it does, a clause
    stdin: str | None = None  # no secrets: those are asked for when the step runs, see `wants_secret`
    wants_secret: str = ""  # what the user is asked for, which goes to stdin (a key's passphrase)
    timeout_s: float = STEP_TIMEOUT_S
    settled_by: tuple[Condition, ...] = ()  # facts that hold once it has happened, and did not before
    leads_to: tuple[Condition, ...] = ()  # what it is done for, and may miss although it has happened
    permissions: tuple[tuple[str, str], ...] = ()  # of `zfs allow`, and on what; without any it takes root
    sender: Sender | None = None  # it is fed by that, for as long as it takes
    is_followed: bool = False  # it takes as long as it takes, and tells how far it is by what it prints
    subjects: tuple[
        StepSubject, ...
    ] = ()  # looked at again right before it; a channel program looks by itself
    put_back: tuple[tuple[str, ...], ...] = ()  # commands that undo it where what follows was not done

    @property
    def is_receive(self) -> bool:
        """Whether it receives into the dataset that it names last, and may leave something of that behind."""
        return any(each.kind is ConditionKind.RECEIVED for each in self.settled_by)


def split_long(names: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
    """The first few of a list, and the rest, which stands behind all that is to be read before it."""
    most = len(names) if len(names) <= FIRST + 1 else FIRST
    return names[:most], names[most:]


def split_command(argv: Sequence[str]) -> tuple[str, int]:
    """A command as it is typed, up to a length that is read, and how many of its words that leaves out."""
    taken = 0
    length = 0
    for word in map(shlex.quote, argv):
        length += len(word) + 1
        if length > COMMAND_CHARACTERS and taken:
            break
        taken += 1
    return shlex.join(argv[:taken]), len(argv) - taken


class ConditionKind(Enum):
    """What a fact is about that tells whether a step has happened."""

    DATASET_GONE = "dataset gone"  # object: guid; pool; key: type; value: createtxg (copies share a guid)
    DATASET_THERE = "dataset there"  # object: name
    ORIGIN_IS = "origin is"  # object: name; value: the origin, "" for none
    NAME_IS = "name is"  # object: guid of a dataset; pool; key: createtxg; value: its name
    PROPERTY_IS = "property is"  # object: name; key: property; value
    HOLD_THERE = "hold there"  # object: snapshot; value: tag
    HOLD_GONE = "hold gone"
    RECEIVED = "received"  # object: dataset; pool; key: its snapshot's short name; value: guid of that
    POOL_GONE = "pool gone"  # object: guid
    POOL_THERE = "pool there"  # object: guid or name
    VDEV_GONE = "vdev gone"  # object: guid; pool
    VDEV_STATE = "vdev state"  # object: guid; pool; value: states, `|` between them
    LEAF_THERE = "device there"  # object: path; pool
    SCAN_IS = "scan is"  # object: pool guid; key: function; value: states; `since` is its earliest start
    ACTIVITY_IS = "activity is"  # object: vdev guid; pool; key: kind; value: states
    ERRORS_ZERO = "errors zero"  # object: guid of a pool or vdev; pool
    CHECKPOINT_THERE = "checkpoint there"  # object: pool guid
    CHECKPOINT_GONE = "checkpoint gone"
    LABEL_GONE = "label gone"  # object: path
    FILE_THERE = "file there"  # object: path; pool
    FILE_IS = (
        "file is"  # object: path; pool; key: type; value: bytes and epoch nanoseconds, or inodes of a folder
    )
    HISTORY = "history"  # pool; value: the command line that `zpool history` has once it succeeded
    ROLLED_BACK = "rolled back"  # pool; value: the snapshot, in what `zpool history -i` has of the kernel


OF_HISTORY: Final = frozenset({ConditionKind.HISTORY, ConditionKind.ROLLED_BACK})


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact that can be read."""

    kind: ConditionKind
    object: str
    pool: str = ""
    key: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Dependent:
    """Something that stops working, or is lost with the target, or blocks the way."""

    kind: str  # clone, mount, share, process, swap, holder, guest, hold, bookmark, send base, child, snapshot
    name: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RedundancyChange:
    """Failures that a top-level vdev survives, before, while it runs, and when it is done.

    Below 0 it has lost data. A vdev that comes or goes has None where it is not there.
    """

    vdev: str
    before: int | None
    during: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class RefusalReason:
    """Why no guard opens a plan, and what would."""

    rule: str  # a stable word, such as `last-replica`
    reason: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """ZFS's own dry run: the command, and what it said once it ran. It only reads."""

    argv: tuple[str, ...]
    said: str = ""
    status: int | None = None
    stdin: str | None = None
    decides: bool = True  # whether what it refuses is refused; otherwise it only measures
    host: str = ""  # of ours, where it is another than that of the plan


@dataclass(frozen=True, slots=True)
class PlanBasis:
    """What the plan rests on: if any of it is different when it is to run, the plan is stale.

    Pairs of what was looked at, in words (`guid of tank`), and what was seen; and numbers of bytes, which
    may differ by as much as each allows.
    """

    parts: tuple[tuple[str, str], ...]
    figures: tuple[Figure, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 over all parts and figures, hexadecimal."""
        figures = sorted([each.what, each.measure.value, str(each.bytes)] for each in self.figures)
        return hashlib.sha256(json.dumps([sorted(self.parts), figures]).encode()).hexdigest()

    def differences(self, now: PlanBasis) -> tuple[str, ...]:
        """What is not as it was, a sentence each: `state of mirror-0 was ONLINE, is DEGRADED`."""
        before, after = dict(self.parts), dict(now.parts)
        changed = [
            f"{what} was {before[what]}, is {after[what]}"
            for what in before
            if what in after and before[what] != after[what]
        ]
        gone = [f"{what} is gone (was {before[what]})" for what in before if what not in after]
        new = [f"{what} is new ({after[what]})" for what in after if what not in before]
        figures = {each.what: each for each in now.figures}
        moved = [each.difference(figures[each.what]) for each in self.figures if each.what in figures]
        return (*changed, *gone, *new, *filter(None, moved))


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be done, lost and changed. `risk` is REFUSED exactly when there are refusals."""

    intent: Intent
    title: str  # `destroy snapshot tank/home@a`, without the host
    target: str  # the object that the guard wants typed
    identity: MachineIdentity
    risk: Risk
    made_at: float  # epoch seconds
    steps: tuple[Step, ...] = ()
    destroys: tuple[str, ...] = ()  # every object by name, sorted; clones elsewhere included
    live: tuple[str, ...] = ()  # those of them that are in use or are file systems and volumes with data
    frees_bytes: int | None = None
    dependents: tuple[Dependent, ...] = ()
    redundancy: tuple[RedundancyChange, ...] = ()
    before: Pool | None = None  # the tree, where the topology changes
    after: Pool | None = None
    is_reversible: bool = False
    undo: str | None = None  # how, or what comes nearest
    alternatives: tuple[tuple[str, Intent], ...] = ()  # (a sentence, what to do instead)
    notes: tuple[str, ...] = ()  # what else is good to know, before anything is lost
    warnings: tuple[str, ...] = ()
    refusals: tuple[RefusalReason, ...] = ()
    rehearsals: tuple[Rehearsal, ...] = ()
    basis: PlanBasis = PlanBasis(())
    not_binding: tuple[str, ...] = ()  # what is told and may be otherwise when it runs, a clause each
    becoming: Becoming = Becoming.ROOT  # how its steps become root

    @property
    def secrets(self) -> tuple[str, ...]:
        """What the user must be asked for, by name, before it can run."""
        asked = [step.wants_secret for step in self.steps if step.wants_secret]
        asked += [step.sender.secret for step in self.steps if step.sender and step.sender.secret]
        return (*((SUDO_SECRET,) if self.becoming is Becoming.SUDO_PASSWORD else ()), *dict.fromkeys(asked))

    @property
    def lost(self) -> tuple[str, ...]:
        """All that will be destroyed, what is alive first; nothing where the plan is refused."""
        if self.is_refused:
            return ()
        live = frozenset(self.live)
        return (
            *(name for name in self.destroys if name in live),
            *(name for name in self.destroys if name not in live),
        )

    @property
    def in_use(self) -> str:
        """How many of what it destroys are live, in words behind their count."""
        if not self.live:
            return ""
        if len(self.destroys) == 1:
            return ", in use or with data of its own"
        return f", {len(self.live)} of them in use or with data of their own"

    @property
    def refusals_told(self) -> Iterator[tuple[RefusalReason, str]]:
        """Each refusal with what to do instead, which stands once where one after another says the same."""
        for at, each in enumerate(self.refusals):
            is_last = at + 1 == len(self.refusals) or self.refusals[at + 1].instead != each.instead
            yield each, each.instead if is_last else ""

    @property
    def is_refused(self) -> bool:
        """Whether no guard opens it."""
        return bool(self.refusals)

    @property
    def fingerprint(self) -> str:
        """The digest of what it rests on and of what it does."""
        return fingerprint(self.basis, ((step.argv, step.stdin) for step in self.steps), self.destroys)

    @property
    def confirm(self) -> str | None:
        """What must be typed; None where a key is enough, and where nothing opens it."""
        match self.risk:
            case Risk.CAUTION:
                return self.target
            case Risk.DESTRUCTIVE:
                return f"{self.identity.label}:{self.target}"
            case Risk.CATASTROPHIC:
                return f"{self.identity.label}:{self.target} {len(self.destroys)}"
            case _:
                return None


def fingerprint(
    basis: PlanBasis, doing: Iterable[tuple[Sequence[str], str | None]], destroys: Sequence[str]
) -> str:
    """The digest of what a plan rests on, of its commands with their stdin, and of what they destroy."""
    whole = json.dumps([basis.digest, [[*argv, stdin or ""] for argv, stdin in doing], list(destroys)])
    return hashlib.sha256(whole.encode()).hexdigest()
