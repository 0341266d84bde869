"""Fitness of an unused disk as a new one: SMART, read test, age, and how its model does on this host."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.base.fixed_width_formatting import bandwidth
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome
from zconsole.model.pools.smart_health import DiskHealth, PowerMode, Unreadable

HOURS_A_YEAR: Final = 8766
OLD_YEARS: Final = 5  # of operation; from then on hard disks fail clearly more often
FAILED_OF_MODEL: Final = 2  # disks; a single one tells nothing of its model
FAILED_STATES: Final = frozenset({"FAULTED"})  # not those of a disk that was pulled, or that serves
SMART_OK: Final = "SMART ok"


@dataclass(frozen=True, slots=True)
class NewDisk:
    """What is said of a disk: why it is not to be used, else remarks; `rank` is 0 with nothing against it."""

    objection: DeviceObjection | None = None
    in_short: str = ""  # the objection in a few words
    remarks: tuple[str, ...] = ()
    rank: int = 0
    bay: str = ""
    is_asleep: bool = False
    is_warned: bool = False  # by its SMART data
    is_tested: bool = False  # whether its read test has ended with a result


class NewDisks:
    """Judge of the unused disks of one host."""

    def __init__(self, disks: Iterable[HostDisk] = (), tests: Iterable[ReadTest] = ()) -> None:
        self._disks = {disk_identity(each.disk): each for each in disks if each.disk is not None}
        self._tests = {each.disk: each for each in tests}
        self._models = _Tally(self._disks.values(), lambda disk: (disk.model,))
        self._firmwares = _Tally(self._disks.values(), lambda disk: (disk.model, disk.revision))

    def of(self, disk: Disk) -> NewDisk:
        """What is said of one disk."""
        known, test = self._disks.get(disk_identity(disk)), self._tests.get(disk_identity(disk))
        failed = _failed_test(test) or _failing(known)
        found = NewDisk(
            bay=known.bay if known is not None else "",
            is_asleep=known is not None
            and isinstance(known.health, DiskHealth)
            and known.health.power_mode is PowerMode.STANDBY,
            is_tested=test is not None and test.outcome is not ReadTestOutcome.NOT_RUN,
        )
        if failed is not None:
            return replace(found, objection=failed[0], in_short=failed[1], rank=3)
        against = tuple(filter(None, (self._model(disk), _age(known))))
        warned = tuple(_warned(known))
        remarks = (*against, *warned, *_smart(known, is_warned=bool(warned)), *_passed(test))
        return replace(found, remarks=remarks, rank=len(against) + bool(warned), is_warned=_is_warned(known))

    def _model(self, disk: Disk) -> str:
        failed, of = self._models.of(disk)
        if not disk.model or failed < FAILED_OF_MODEL:
            return ""
        same, of_same = self._firmwares.of(disk)
        if disk.revision and same == failed and of_same < of:
            return f"{same} of {of_same} in use of this model with firmware {disk.revision} failed here"
        return f"{failed} of {of} in use of this model failed here"


class _Tally:
    """Failed disks, and all that serve or failed, of each kind."""

    def __init__(self, disks: Iterable[HostDisk], kind: Callable[[Disk], tuple[str, ...]]) -> None:
        self._kind = kind
        known = [
            (kind(each.disk), has_failed)
            for each in disks
            if each.disk is not None and ((has_failed := _has_failed(each)) or each.leaf is not None)
        ]  # of disks that serve: one that is unused has had no chance to fail
        self._all = Counter(key for key, _ in known)
        self._failed = Counter(key for key, has_failed in known if has_failed)

    def of(self, disk: Disk) -> tuple[int, int]:
        """Failed and all disks of the same kind."""
        return self._failed[self._kind(disk)], self._all[self._kind(disk)]


def _has_failed(known: HostDisk) -> bool:
    """Whether a disk itself has failed or is failing, as opposed to its cable."""
    if any(each.blame is Blame.CABLE and each.severity > Severity.INFO for each in known.complaints):
        return False
    return (known.leaf is not None and known.leaf.state in FAILED_STATES) or _failing(known) is not None


def _failed_test(test: ReadTest | None) -> tuple[DeviceObjection, str] | None:
    if test is None or test.outcome is not ReadTestOutcome.FAILED:
        return None
    return (
        DeviceObjection("read-test", f"its read test failed: {test.words}", "take another disk"),
        f"read test failed: {test.words}",
    )


def _failing(known: HostDisk | None) -> tuple[DeviceObjection, str] | None:
    worst = [
        each
        for each in (known.complaints if known is not None else ())
        if each.severity is Severity.CRITICAL and each.blame is Blame.DISK
    ]
    if not worst:
        return None
    return DeviceObjection("failing", f"it is failing: {worst[0].words}", "take another disk"), worst[0].words


def _warned(known: HostDisk | None) -> Iterator[str]:
    for each in known.complaints if known is not None else ():
        if each.severity is Severity.WARNING:
            yield each.words
            return


def _is_warned(known: HostDisk | None) -> bool:
    """Whether SMART says against the disk itself what makes one that serves a case for a repair."""
    found = known.complaints if known is not None else ()
    return any(
        each.severity is Severity.WARNING and each.blame is Blame.DISK and not each.is_steady
        for each in found
    )


def _age(known: HostDisk | None) -> str:
    hours = known.known.power_on_hours if known is not None and known.known is not None else None
    years = hours / HOURS_A_YEAR if hours is not None else 0.0
    return f"{years:.1f}y in service" if years >= OLD_YEARS else ""


def _smart(known: HostDisk | None, *, is_warned: bool) -> Iterator[str]:
    if known is None:
        return
    if known.known is None:
        why = known.health if isinstance(known.health, Unreadable) else None
        yield "SMART unknown" if why is None else f"SMART unknown: {why.value}"
    elif not is_warned:
        yield SMART_OK


def _passed(test: ReadTest | None) -> Iterator[str]:
    if test is None:
        return
    if test.outcome is ReadTestOutcome.NOT_RUN:
        yield f"read test not run: {test.words}"
    elif test.bytes_per_s is not None:
        yield f"read test {bandwidth(test.bytes_per_s)}"
