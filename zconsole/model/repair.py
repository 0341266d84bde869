"""Guided repair of a pool's device: the steps from the finding to verified redundancy.

A repair is derived from the state of a host. The journal adds who did what and when, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import in_ranges

STOP: Final = "STOP"  # begin of an alarm on a sound disk that is gone
_CERTAINTY_WORDS: Final = {"sure": "certain", "unclear": "uncertain"}


class RepairStepKind(Enum):
    """The steps, in their order."""

    TRIAGE = "triage"
    IDENTIFY = "identify"
    TAKE_OUT = "take out"
    NEW_DISK = "new disk"
    REPLACE = "replace"
    RESILVER = "resilver"
    AFTER_CARE = "after-care"


class RepairStepState(Enum):
    """Where a step stands."""

    DONE = "done"
    NOW = "now"  # something is to be done, or is under way
    NEXT = "next"
    NOT_NEEDED = "not needed"
    HELD = "held"  # must not be done now; the step has the reason


class RepairTrouble(Enum):
    """What is wrong with the device, the most urgent first."""

    FAILED = "failed"  # ZFS no longer uses it
    NEW_DISK_FAILED = "the new disk failed"  # during its own replacement
    FAILING = "failing"  # it works, with errors or a bad SMART verdict
    OFFLINE = "taken offline"
    REPLACING = "being replaced"  # a healthy device
    SLOW = "slow"
    WARNED = "warned of by SMART"  # it serves without an error; a prediction
    SPARE_IN_USE = "a spare stands in"  # for a device that is whole again
    TOO_SMALL = "to be replaced by a larger one"  # as the user asks
    UNMIRRORED = "to be mirrored"  # as the user asks
    AFTER_CARE = "after-care"  # redundant again, not verified


class ProcedureKind(Enum):
    """What a user may ask for on a sound vdev."""

    GROW = "grow"  # every disk is replaced by a larger one, one by one
    MIRROR = "mirror"  # a single disk gets a second one with the same data


@dataclass(frozen=True, slots=True)
class Procedure:
    """Change of a sound vdev in the steps of a repair. `vdev` names it or a device in it, or is a guid."""

    kind: ProcedureKind
    pool: str
    vdev: str


class RepairCause(Enum):
    """Which part is to blame."""

    DISK = "the disk"
    CABLE = "the cable or the slot"
    CONTROLLER = "the controller or its cable"
    SHELF = "the shelf or its cable"
    MOVED = "the disk is there under another name"
    ADMINISTRATOR = "an administrator"
    UNKNOWN = "unknown"


class Certainty(Enum):
    """How certain a judgement is."""

    SURE = "sure"
    LIKELY = "likely"
    UNCLEAR = "unclear"

    @property
    def in_words(self) -> str:
        """The word for a person."""
        return _CERTAINTY_WORDS.get(self.value, self.value)


@dataclass(frozen=True, slots=True)
class RepairOffer:
    """Change that a step offers: what it does in words, and the words of the intent for its plan."""

    words: str
    action: str
    target: str
    arguments: tuple[str, ...] = ()
    options: tuple[tuple[str, str | bool | int], ...] = ()
    wants_disk: bool = False  # the last argument is missing: a disk that has to be chosen


@dataclass(frozen=True, slots=True)
class NotNow:
    """Reason not to replace the device now, and what to do instead. `id` is stable."""

    id: str
    reason: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class RepairStep:
    """One step: its state, what was found, and why it is held or not needed."""

    kind: RepairStepKind
    state: RepairStepState
    found: tuple[str, ...] = ()
    reason: str = ""
    offers: tuple[RepairOffer, ...] = ()  # the advised one first
    untested: str = ""  # the advised new disk's word, where it has had no read test
    name: str = ""  # instead of its kind's
    act: str = ""  # what to do now, as an instruction; empty where the advised offer says it
    is_by_hand: bool = False  # `act` comes before any of the offers, and none is advised

    @property
    def title(self) -> str:
        """What it is called on the screen."""
        return self.name or self.kind.value


@dataclass(frozen=True, slots=True)
class DeviceIdentity:
    """How a device is found in its shelf; empty where unknown."""

    name: str  # as in `zpool status`
    guid: int | None = None
    serial: str = ""
    model: str = ""
    bay: str = ""
    path: str = ""  # where ZFS or the kernel found it: controller, port, slot
    size_bytes: int | None = None
    is_present: bool | None = None  # whether the host sees the disk; None: its disks are not known
    is_bay_taken: bool = False  # the bay in which it was last seen has another disk now
    last_name: str = ""  # of its path, where ZFS calls the device by its guid

    @property
    def label(self) -> str:
        """What is printed on it, or else its name in the pool."""
        return self.serial or self.last_name or self.name

    @property
    def where(self) -> str:
        """`bay 18`, `was in bay 18`, `at pci-0000:03:00.0-sas-phy18-lun-0`; empty where unknown."""
        if self.bay:
            return f"{'was in ' if self.is_bay_taken else ''}bay {self.bay}"
        return f"at {self.path}" if self.path else ""

    @property
    def labelled(self) -> str:
        """`VLGX4P7Y (bay 18)`."""
        return f"{self.label} ({self.where})" if self.where else self.label

    @property
    def in_bay(self) -> str:
        """`VLGX4P7Y (bay 18)`; the label alone where the bay is not known."""
        return f"{self.label} ({self.where})" if self.bay else self.label


def bays_of(devices: Sequence[DeviceIdentity]) -> str:
    """`bays 5-8`; empty where one of the bays is not known."""
    bays = [each.bay for each in devices]
    return f"bays {in_ranges(bays)}" if all(bays) else ""


def bay_order(device: DeviceIdentity) -> tuple[int, str, str]:
    """Order by bay: numbers as numbers, then names."""
    number = natural(device.bay)
    return (1 << 30 if number is None else number, device.bay, device.label)


def several_named(devices: Sequence[DeviceIdentity]) -> str:
    """`4 disks (bays 5-8)`; `ZC13B0T4 and 3 other disks` where a bay is not known."""
    if bays := bays_of(devices):
        return f"{len(devices)} disks ({bays})"
    others = len(devices) - 1
    return f"{devices[0].label} and {others} other disk{'s' if others > 1 else ''}"


@dataclass(frozen=True, slots=True)
class RepairRun:
    """Run of a plan that belongs to a repair, from the journal of this console."""

    at: float  # epoch seconds
    who: str
    title: str
    commands: tuple[tuple[str, ...], ...]
    outcome: str
    ended: float | None = None
    is_done: bool = True  # whether every command took effect


@dataclass(frozen=True, slots=True)
class Repair:
    """Repair of one device. `steps` has every kind once, in order."""

    host: str
    pool: str
    vdev: str  # its top-level vdev
    device: DeviceIdentity
    trouble: RepairTrouble
    cause: RepairCause
    certainty: Certainty
    steps: tuple[RepairStep, ...]
    since: float | None = None  # epoch seconds
    not_now: tuple[NotNow, ...] = ()
    alarm: str = ""  # to be dealt with before anything else: the wrong disk was pulled, a second one failed
    safety: str = ""  # what still has the data
    survives: tuple[str, ...] = ()  # how many more failures each vdev survives
    spare: DeviceIdentity | None = None  # that stands in
    newcomer: DeviceIdentity | None = None  # that replaces it
    runs: tuple[RepairRun, ...] = ()  # oldest first
    is_vital: bool = True  # whether the pool's data depends on the vdev
    others: tuple[DeviceIdentity, ...] = ()  # in the same trouble, from one cause on the way to them
    other_spares: tuple[DeviceIdentity, ...] = ()  # that stand in for these, or stood in for the device

    @property
    def key(self) -> str:
        """Identity of the repair on its host: the same from one reading to the next."""
        return f"{self.pool}/{self.device.guid or self.device.name}"

    @property
    def is_stop(self) -> bool:
        """Whether the alarm is that a sound disk has to be put back."""
        return self.alarm.startswith(STOP)

    @property
    def named(self) -> str:
        """`VLGX4P7Y (bay 18)`; `4 disks (bays 5-8)` of a cause that they share."""
        return several_named((self.device, *self.others)) if self.others else self.device.in_bay

    @property
    def concerned(self) -> tuple[DeviceIdentity, ...]:
        """Every device that it is about: those in trouble, the new disk, the spare."""
        found = (self.device, *self.others, self.newcomer, self.spare, *self.other_spares)
        return tuple(each for each in found if each is not None)

    @property
    def current(self) -> RepairStep | None:
        """The step that is to be done or waited for, else the first that is held; None when all is done.

        While a sound disk has to be put back it is the step that says so.
        """
        held = (each for each in self.steps if each.state is RepairStepState.HELD and each.act)
        if self.is_stop and (stop := next(held, None)) is not None:
            return stop
        for state in (RepairStepState.NOW, RepairStepState.HELD):
            for step in self.steps:
                if step.state is state:
                    return step
        return None

    @property
    def begun(self) -> RepairRun | None:
        """The first run that belongs to it."""
        return self.runs[0] if self.runs else None

    def step(self, kind: RepairStepKind) -> RepairStep:
        """The step of a kind."""
        return next(each for each in self.steps if each.kind is kind)
