"""One case of a repair: its place, what was judged, and the disks to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Final

from zconsole.actions.disk_choices import DiskChoice
from zconsole.actions.repair.new_disk_choices_for_boot_partition import BootDiskChoices
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import is_dead
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.need_of_spare import need_of_spare
from zconsole.analysis.repair.other_work_first.spare_freed_first import FreedSpare
from zconsole.analysis.repair.reasons_not_to_replace import (
    TURN_OF_OTHERS,
    VDEV_INCOMPLETE,
    WAY_CHECKS,
    reasons_not_now,
)
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.repair.wrong_disk_pulled import PutBack
from zconsole.analysis.vdevs.redundancy import has_all_data, is_scrub_for_later
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import SUSPENDED, Vdev
from zconsole.model.repair import (
    Certainty,
    DeviceIdentity,
    NotNow,
    RepairCause,
    RepairOffer,
    RepairRun,
    RepairTrouble,
)

BY_CHOICE: Final = CauseFound(RepairCause.ADMINISTRATOR, Certainty.SURE, "an administrator asked for it")
WITHOUT_DATA: Final = {"cache": "a cache", "spare": "a hot spare"}


@dataclass(frozen=True, slots=True)
class RepairCase:
    """Everything that the steps of one repair are derived from."""

    facts: PoolFacts
    place: DevicePlace
    trouble: RepairTrouble
    cause: CauseFound
    not_now: tuple[NotNow, ...] = ()
    choices: tuple[DiskChoice, ...] = ()  # those that fit first
    boot: BootDiskChoices | None = None  # where the pool has a partition of the disk only
    runs: tuple[RepairRun, ...] = ()
    put_back: PutBack | None = None  # sound disks that are gone, and come first
    others: tuple[DevicePlace, ...] = ()  # in the same trouble, from one cause on the way to them
    joined: tuple[RepairCase, ...] = ()  # the cases of the device and of the others, each by itself
    freed: FreedSpare | None = None  # a spare that is detached first, and stands in then
    device: DeviceIdentity = field(default_factory=lambda: DeviceIdentity(""))

    @property
    def members(self) -> tuple[Vdev, ...]:
        """The device, and those with the same trouble from one cause."""
        return (self.place.member, *(each.member for each in self.others))

    @property
    def spares(self) -> tuple[Vdev, ...]:
        """The hot spares that stand in, or stood, for the device and for those of the same trouble."""
        return tuple(spare for each in (self.place, *self.others) for spare in each.spares)

    @property
    def is_of_the_way(self) -> bool:
        """Whether the way to the device is to be checked before the device is thought of."""
        return any(each.id in WAY_CHECKS for each in self.not_now)

    @property
    def is_way_first(self) -> bool:
        """Whether a person has to look at a cable, a controller or a shelf before any command helps."""
        is_first = next((each.id for each in self.not_now), "") in WAY_CHECKS
        return is_first and self.cause.returned is None

    @property
    def waits(self) -> bool:
        """Whether another device has its turn, or a new disk that failed: no disk is touched meanwhile.

        A failed disk may be found and taken out while its own spare is filled.
        """
        if self.trouble is RepairTrouble.NEW_DISK_FAILED:
            return True
        held = {each.id for each in self.not_now} & (TURN_OF_OTHERS | {VDEV_INCOMPLETE})
        is_own_spare = any(spare.is_resilvering for spare in self.place.spares)
        return bool(held - {"resilver-runs"} if is_own_spare else held)

    @property
    def fitting(self) -> tuple[DiskChoice, ...]:
        """The disks that a plan would accept, best first."""
        found = tuple(
            each
            for each in self.choices
            if not each.why_not and not each.is_warned and not (each.is_spare and self.place.spares)
        )
        if self.boot is None:
            return found
        return (*(each for each in found if each.is_spare), *self.boot.prepared)

    @property
    def doubtful(self) -> tuple[DiskChoice, ...]:
        """Disks that a plan would accept and that SMART warns of."""
        return tuple(each for each in self.choices if not each.why_not and each.is_warned)

    @property
    def is_gone(self) -> bool:
        """Whether the host does not see the disk any more."""
        if self.device.is_present is None:
            return self.place.member.state in {"REMOVED", "UNAVAIL", "CANT_OPEN"}
        return not self.device.is_present

    @property
    def is_back(self) -> bool:
        """Whether the disk that ZFS lost is certainly in the host again."""
        return self.cause.returned is not None and self.cause.returned.is_certain

    @property
    def is_suspended(self) -> bool:
        """Whether all I/O of the pool waits."""
        return self.facts.of.state == SUSPENDED

    @property
    def is_copying(self) -> bool:
        """Whether a new disk is in its place and works."""
        return self.place.newcomer is not None and not is_dead(self.place.newcomer)

    @property
    def serves(self) -> bool:
        """Whether the device itself still has all its data."""
        return has_all_data(self.place.member)

    @property
    def spare_stays(self) -> bool:
        """Whether the spare that stands in for the device is still needed."""
        known = self.facts.of_leaf(self.place.member)
        return need_of_spare(self.facts.pool, self.place.member, is_suspect=known.is_suspect) is not None

    @property
    def has_nothing_to_copy(self) -> bool:
        """Whether it is a cache or a hot spare, which is removed instead of replaced."""
        return self.place.top.vdev_class in WITHOUT_DATA

    @property
    def has_both(self) -> bool:
        """Whether a disk for the replacement is there while the old one is still in its place."""
        return bool(self.fitting or (self.boot and self.boot.bare)) and not self.is_gone

    @property
    def freed_label(self) -> str:
        """What the spare is called that is free for it after a detach; empty without one."""
        return "" if self.freed is None else self.facts.identity(self.freed.spare).label

    def offer(self, words: str, action: str, *arguments: str, **options: str | bool | int) -> RepairOffer:
        """An offer on the pool."""
        return RepairOffer(words, action, self.facts.pool.name, arguments, tuple(sorted(options.items())))

    def offer_of_scrub(self) -> Iterator[RepairOffer]:
        """A scrub of the pool; none while a scan runs, or a vdev has no redundancy to lose meanwhile."""
        scan = self.facts.pool.scan
        if (scan is None or not scan.is_running) and not is_scrub_for_later(self.facts.pool):
            yield self.offer(f"scrub {self.facts.pool.name}", "scrub")

    @property
    def word(self) -> str:
        """The device's word for a plan."""
        return word_of(self.place.member)


def to_be_tested(case: RepairCase) -> DiskChoice | None:
    """The best disk, where it has had no read test."""
    first = next((each for each in case.fitting if not each.is_spare), None)
    return None if first is None or first.is_tested else first


def cause_in_words(cause: CauseFound) -> str:
    """`cause (likely): 5.4x the latency of its peers`."""
    return f"cause ({cause.certainty.in_words}): {cause.words}"


def word_of(vdev: Vdev) -> str:
    """A vdev's word for a plan: its guid, or else its name."""
    return str(vdev.guid or vdev.name)


def as_asked(case: RepairCase) -> RepairCase:
    """The case with the user's wish as its cause."""
    against = reasons_not_now(case.facts, case.place, case.trouble, BY_CHOICE)
    return replace(case, cause=BY_CHOICE, not_now=against)
