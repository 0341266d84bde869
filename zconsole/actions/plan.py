"""Plan: everything that an action will do. A value; nothing here acts."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, TypeVar

from zconsole.actions.byte_count_tolerance import Figure
from zconsole.actions.checks.command_to_free_space import SpaceToFree
from zconsole.actions.intent import Intent
from zconsole.actions.step_subject import StepSubject
from zconsole.actions.storage_at_rest import StorageAtRest
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.model.pools.pool import Pool

SAVED_PLAN_LASTS_S: Final = 15 * 60.0
STEP_TIMEOUT_S: Final = 60.0
LONG_STEP_TIMEOUT_S: Final = 1800.0  # ZFS takes long with many snapshots, and with a full pool
FIRST: Final = 6  # items of a long list shown before the rest of the plan
COMMAND_CHARACTERS: Final = 160
T = TypeVar("T")
IRREVERSIBLE: Final = "cannot be undone"  # how the undo of such a plan begins
PARTS_OF_GUESTS: Final = ("guest ", "state of guest ", "saved memory of ", "error of ")  # of a basis
SUDO_SECRET: Final = "password for sudo"  # noqa: S105  # the name of the secret


class Risk(Enum):
    """Confirmation required before the plan may run, in rising order."""

    ROUTINE = "routine"  # `yes` only
    CAUTION = "caution"  # name of the object
    DESTRUCTIVE = "destructive"  # host:object
    CATASTROPHIC = "catastrophic"  # host:object, the number of what is lost, and a countdown
    REFUSED = "refused"  # cannot be confirmed

    @property
    def rank(self) -> int:
        """0 for routine, rising."""
        return tuple(Risk).index(self)


@dataclass(frozen=True, slots=True)
class Sender:
    """Command whose output feeds a step's stdin, and its host. It only reads."""

    identity: MachineIdentity
    argv: tuple[str, ...]
    privilege_mode: PrivilegeMode
    size_bytes: int | None = None  # estimate
    is_elsewhere: bool = False  # on another host than the step
    is_on_plans_host: bool = False  # although it is elsewhere: the step is on the plan's other host

    @property
    def secret(self) -> str:
        """Name of a secret that must be requested first, or an empty string."""
        if self.privilege_mode is not PrivilegeMode.SUDO_PASSWORD:
            return ""
        is_other = self.is_elsewhere and not self.is_on_plans_host
        return sudo_secret_on(self.identity.label) if is_other else SUDO_SECRET


@dataclass(frozen=True, slots=True)
class OtherHost:
    """Second host that steps of a plan change."""

    identity: MachineIdentity
    privilege_mode: PrivilegeMode = PrivilegeMode.ROOT  # how its steps become root

    @property
    def secret(self) -> str:
        """Name of a secret that must be requested first, or an empty string."""
        is_asked = self.privilege_mode is PrivilegeMode.SUDO_PASSWORD
        return sudo_secret_on(self.identity.label) if is_asked else ""


@dataclass(frozen=True, slots=True)
class Step:
    """One command. It runs exactly as shown, or not at all."""

    argv: tuple[str, ...]
    why: str  # its effect, a clause
    stdin: str | None = None  # without secrets, which are requested when the step runs: see `wants_secret`
    wants_secret: str = ""  # secret requested from the user for stdin (a passphrase)
    timeout_s: float = STEP_TIMEOUT_S
    settled_by: tuple[Condition, ...] = ()  # conditions that hold once it has happened, and did not before
    leads_to: tuple[Condition, ...] = ()  # intended result, which may fail although the step has happened
    # of `zfs allow`, with objects; without any it requires root
    permissions: tuple[tuple[str, str], ...] = ()
    sender: Sender | None = None  # feeds its stdin, for any length of time
    is_followed: bool = False  # runs for any length of time and prints its progress
    subjects: tuple[StepSubject, ...] = ()  # checked again right before it; a channel program checks itself
    at_rest: StorageAtRest | None = None  # what is looked at right before it; otherwise the run ends
    put_back: tuple[tuple[str, ...], ...] = ()  # commands that undo it when the following steps were not done
    waits_s: float = 0.0  # after its success, at most, for `settled_by`: the command only asks for it
    on: str = ""  # label of the plan's other host, which it changes; "" for the plan's own
    # commands that its script runs as root by `sudo -n`, where it is run as a user who is not root
    escalates: tuple[tuple[str, ...], ...] = ()

    @property
    def is_receive(self) -> bool:
        """Whether it receives into its last dataset, and may leave a partial state there."""
        return any(each.kind in OF_RECEIVES for each in self.settled_by)


def sudo_secret_on(label: str) -> str:
    """Name of the password for sudo on another host than the plan's."""
    return f"{SUDO_SECRET} on {label}"


def permissions_on(permissions: str, *on: str) -> tuple[tuple[str, str], ...]:
    """Permissions a user without root needs on each of these datasets and snapshots."""
    return tuple((word, each) for each in dict.fromkeys(on) for word in permissions.split(","))


def split_long(names: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
    """The first items of a list, and the rest, shown after the other parts of the plan."""
    most = len(names) if len(names) <= FIRST + 1 else FIRST
    return names[:most], names[most:]


def split_command(argv: Sequence[str]) -> tuple[str, int]:
    """A command as typed, shortened to a readable length, and the number of omitted words."""
    taken = 0
    length = 0
    for word in map(shlex.quote, argv):
        length += len(word) + 1
        if length > COMMAND_CHARACTERS and taken:
            break
        taken += 1
    return shlex.join(argv[:taken]), len(argv) - taken


class ConditionKind(Enum):
    """Kind of fact that shows whether a step has happened."""

    DATASET_GONE = "dataset gone"  # object: guid; pool; key: type; value: createtxg (copies share a guid)
    DATASET_THERE = "dataset there"  # object: name
    ORIGIN_IS = "origin is"  # object: name; value: the origin, "" for none
    NAME_IS = "name is"  # object: guid of a dataset; pool; key: createtxg; value: its name
    PROPERTY_IS = "property is"  # object: name; key: property; value
    HOLD_THERE = "hold there"  # object: snapshot; value: tag
    HOLD_GONE = "hold gone"
    RECEIVED = "received"  # object: dataset; pool; key: its snapshot's short name; value: guid of that
    # object: snapshot; pool; value: another with the guid that it must have; key: the host of that, "" for
    # the same
    SAME_SNAPSHOT = "same snapshot"
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
    GUEST_STATE = "guest state"  # object: address; key: name; value: states in words, `|` between them
    GUEST_DISK = "guest disk"  # object: uuid; key: target; value: its path in the stored definition
    GUEST_AT_BOOT = "guest at boot"  # object: uuid; key: name; value: whether it is started then: on, off
    GUEST_GONE = "guest gone"  # object: uuid; key: name: libvirt has no definition of it
    ROLLED_BACK = "rolled back"  # pool; value: the snapshot, in what `zpool history -i` has of the kernel


RUNNING: Final = frozenset({"guest", "container"})  # kinds of dependents
OF_RECEIVES: Final = frozenset({ConditionKind.RECEIVED, ConditionKind.SAME_SNAPSHOT})
OF_HISTORY: Final = frozenset({ConditionKind.HISTORY, ConditionKind.ROLLED_BACK})


@dataclass(frozen=True, slots=True)
class Condition:
    """Fact that can be read."""

    kind: ConditionKind
    object: str
    pool: str = ""
    key: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Dependent:
    """Object that stops working, is lost with the target, or blocks the action."""

    kind: str  # clone, mount, share, process, swap, holder, guest, hold, bookmark, send base, child, snapshot
    name: str
    detail: str = ""


Hedge = tuple[str, str]  # `at most `, `perhaps none`
SURE: Final[Hedge] = ("", "")


@dataclass(frozen=True, slots=True)
class RedundancyChange:
    """Failures that a top-level vdev survives before, during and after the action.

    Negative: more devices are out than it can make up for, which may come back. None when the vdev does not
    exist at that time. `hedges` has for each of the three what stands before and behind the number where it
    is not sure (`Redundancy.hedge`); empty where all are.
    """

    vdev: str
    before: int | None
    during: int | None
    after: int | None
    hedges: tuple[Hedge, ...] = ()

    @property
    def told(self) -> tuple[tuple[int | None, Hedge], ...]:
        """Each number with its hedge: before, during, after."""
        return tuple(zip((self.before, self.during, self.after), self.hedges or (SURE,) * 3, strict=True))


class WayOut(Enum):
    """Answer of the user whose change may end a refusal."""

    NAME = "name"
    VALUE = "value"
    MOUNTPOINT = "mountpoint"
    DISKS = "disks"


@dataclass(frozen=True, slots=True)
class RefusalReason:
    """Reason for a refusal, and a remedy."""

    rule: str  # stable identifier, such as `last-replica`
    reason: str
    instead: str = ""
    command: tuple[str, ...] = ()  # of zconsole, which does that; it selects a host other than the plan's
    way_out: WayOut | None = None
    frees: SpaceToFree | None = None  # what `command` frees: the console asks how much of it


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Dry run by ZFS: the command and its output. It only reads."""

    argv: tuple[str, ...]
    said: str = ""
    status: int | None = None
    stdin: str | None = None
    decides: bool = True  # whether an error of it refuses the plan; otherwise it only measures
    host: str = ""  # one of our hosts, if not the plan's


@dataclass(frozen=True, slots=True)
class PlanBasis:
    """Basis of a plan: if any part differs when it is to run, the plan is stale.

    Pairs of description (`guid of tank`) and value; and byte counts with their tolerances.
    """

    parts: tuple[tuple[str, str], ...]
    figures: tuple[Figure, ...] = ()
    guests_unread: str = ""  # why a libvirt told of no guest: what is missing of them is not known

    @property
    def digest(self) -> str:
        """SHA-256 over all parts and figures, hexadecimal."""
        figures = sorted([each.what, each.measure.value, str(each.bytes)] for each in self.figures)
        return hashlib.sha256(json.dumps([sorted(self.parts), figures]).encode()).hexdigest()

    def missing(self, what: str, was: str) -> str:
        """A part of an earlier basis that this one has not, in a sentence."""
        if self.guests_unread and what.startswith(PARTS_OF_GUESTS):
            return f"{what} was {was}, and is not known now: {self.guests_unread}"
        return f"{what} is gone (was {was})"

    def differences(self, now: PlanBasis) -> tuple[str, ...]:
        """Differences in sentences: `state of mirror-0 was ONLINE, is DEGRADED`."""
        before, after = dict(self.parts), dict(now.parts)
        changed = [
            f"{what} was {before[what]}, is {after[what]}"
            for what in before
            if what in after and before[what] != after[what]
        ]
        gone = [now.missing(what, before[what]) for what in before if what not in after]
        new = [f"{what} is new ({after[what]})" for what in after if what not in before]
        figures = {each.what: each for each in now.figures}
        moved = [each.difference(figures[each.what]) for each in self.figures if each.what in figures]
        return (*changed, *gone, *new, *filter(None, moved))


@dataclass(frozen=True, slots=True)
class Plan:
    """Complete plan. `risk` is REFUSED exactly when there are refusals."""

    intent: Intent
    title: str  # `destroy snapshot tank/home@a`, without the host
    target: str  # object name for the confirmation
    identity: MachineIdentity
    risk: Risk
    made_at: float  # epoch seconds
    steps: tuple[Step, ...] = ()
    destroys: tuple[str, ...] = ()  # names of all destroyed objects, sorted; clones elsewhere included
    loses: tuple[str, ...] = ()  # data that is lost and has no name of its own, a clause each
    live: tuple[str, ...] = ()  # the part that is in use, or file systems and volumes with data
    frees_bytes: int | None = None
    dependents: tuple[Dependent, ...] = ()
    redundancy: tuple[RedundancyChange, ...] = ()
    before: Pool | None = None  # the vdev tree, if the topology changes
    after: Pool | None = None
    is_reversible: bool = False
    undo: str | None = None  # how to undo it, or the nearest equivalent
    # that of a run that failed, by the number of steps done; of more, and of other plans, `undo` is
    undo_after: tuple[str, ...] = ()
    undo_of_nothing_kept: str = ""  # of a first receive of which the target has kept nothing
    at_rest_behind: StorageAtRest | None = None  # what is looked at behind the last step; otherwise it failed
    alternatives: tuple[tuple[str, Intent], ...] = ()  # (a sentence, what to do instead)
    downtime: tuple[str, ...] = ()  # how long guests are off; behind it what that rests on
    space: tuple[str, ...] = ()  # what it takes, and what is left for others
    stays: tuple[str, ...] = ()  # what is left where it was
    notes: tuple[str, ...] = ()  # further remarks
    warnings: tuple[str, ...] = ()
    refusals: tuple[RefusalReason, ...] = ()
    rehearsals: tuple[Rehearsal, ...] = ()
    basis: PlanBasis = PlanBasis(())
    not_binding: tuple[str, ...] = ()  # statements that may differ when it runs, a clause each
    privilege_mode: PrivilegeMode = PrivilegeMode.ROOT  # how its steps become root
    other: OtherHost | None = None  # that some of its steps change

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the secrets to be requested before it can run."""
        asked = [step.wants_secret for step in self.steps if step.wants_secret]
        asked += [step.sender.secret for step in self.steps if step.sender and step.sender.secret]
        asked += [self.other.secret] if self.other is not None and self.other.secret else []
        own = (SUDO_SECRET,) if self.privilege_mode is PrivilegeMode.SUDO_PASSWORD else ()
        return tuple(dict.fromkeys((*own, *asked)))

    @property
    def lost(self) -> tuple[str, ...]:
        """Everything to be destroyed, live objects first; empty for a refused plan."""
        if self.is_refused:
            return ()
        live = frozenset(self.live)
        return (
            *(name for name in self.destroys if name in live),
            *(name for name in self.destroys if name not in live),
        )

    @property
    def in_use(self) -> str:
        """Number of destroyed live objects, as a suffix to the total."""
        if not self.live:
            return ""
        if len(self.destroys) == 1:
            return ", in use or with data of its own"
        return f", {len(self.live)} of them in use or with data of their own"

    def undo_of_failed(self, done: int, *, is_nothing_kept: bool = False) -> str | None:
        """How to undo what a run has done that failed behind so many steps.

        `is_nothing_kept`: it failed at a receive, of which the target has kept nothing.
        """
        has_received = any(step.is_receive for step in self.steps[:done])
        if is_nothing_kept and self.undo_of_nothing_kept and not has_received:
            return self.undo_of_nothing_kept
        return self.undo_after[done] if done < len(self.undo_after) else self.undo

    @property
    def refusals_with_remedies(self) -> Iterator[tuple[RefusalReason, str]]:
        """Each refusal with its remedy, which is given once for equal consecutive ones."""
        for at, each in enumerate(self.refusals):
            is_last = at + 1 == len(self.refusals) or self.refusals[at + 1].instead != each.instead
            yield each, each.instead if is_last else ""

    @property
    def is_refused(self) -> bool:
        """Whether it is refused."""
        return bool(self.refusals)

    @property
    def fingerprint(self) -> str:
        """Digest of its basis and effect."""
        doing = ((argv_with_host(step.argv, step.on), step.stdin) for step in self.steps)
        return fingerprint(self.basis, doing, self.destroys)

    @property
    def count_to_type(self) -> int:
        """Number of objects destroyed; else of other losses; else of the guests and containers concerned."""
        running = {(each.kind, each.name) for each in self.dependents if each.kind in RUNNING}
        return len(self.destroys) or len(self.loses) or len(running)

    @property
    def confirm(self) -> str | None:
        """Text to be typed; None if a key suffices or the plan is refused."""
        match self.risk:
            case Risk.CAUTION:
                return self.target
            case Risk.DESTRUCTIVE:
                return f"{self.identity.label}:{self.target}"
            case Risk.CATASTROPHIC:
                return f"{self.identity.label}:{self.target} {self.count_to_type}"
            case _:
                return None


def argv_with_host(argv: Sequence[str], host: str) -> tuple[str, ...]:
    """A command with the host that it runs on; empty if it is the plan's, and not told then."""
    return (*argv, "\0on", host) if host else tuple(argv)


def fingerprint(
    basis: PlanBasis, doing: Iterable[tuple[Sequence[str], str | None]], destroys: Sequence[str]
) -> str:
    """Digest of a plan's basis, its commands with stdin, and the destroyed objects."""
    whole = json.dumps([basis.digest, [[*argv, stdin or ""] for argv, stdin in doing], list(destroys)])
    return hashlib.sha256(whole.encode()).hexdigest()
