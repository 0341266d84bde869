"""New vdevs for a pool: devices, redundancy, similarity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.vdev_change_checks import vital_tops
from zconsole.actions.plan import WayOut
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import sector_fit
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice
from zconsole.analysis.vdevs.redundancy import vdev_redundancy
from zconsole.analysis.vdevs.topology_after_change import new_group, new_leaf, parity
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.vdev_arguments import DATA, LONE, Group

VITAL_CLASSES: Final = frozenset({DATA, "special", "dedup"})
BELOW: Final = "below-redundancy"
SIZE_TOLERANCE_BYTES: Final = 16 << 20  # size difference that ZFS tolerates within a vdev
CLASS_NOTES: Final = {
    DATA: "data is written to it from now on, and while it is part of the pool, losing it loses the pool",
    "special": "metadata and small blocks go there: losing it loses the whole pool",
    "dedup": "the deduplication table goes there: losing it loses the whole pool",
    "log": "synchronous writes go there first; it holds no data for longer than some seconds",
    "cache": "copies of what is read go there; losing it loses nothing",
    "spare": "it is idle until a device fails",
}


@dataclass(frozen=True, slots=True)
class Profile:
    """Properties that ZFS compares between vdevs: type, parity, width."""

    kind: str  # disk, file, mirror, raidz, draid
    failures: int
    width: int

    @property
    def in_words(self) -> str:
        """`raidz2 of 6`, `single disks`."""
        if self.width == 1:
            return f"single {self.kind}s"
        return f"{self.kind if self.kind == 'mirror' else f'{self.kind}{self.failures}'} of {self.width}"


def new_vdevs(
    groups: Sequence[Group], devices: Mapping[str, JoiningDevice], ashift: int | None
) -> tuple[Vdev, ...]:
    """The vdevs of the groups, in the form expected by `topology_after_change.added`."""
    made = []
    for group in groups:
        leaves = [new_leaf(devices[word].path, group.vdev_class) for word in group.devices]
        top = leaves[0] if group.type == LONE else new_group(group.type, group.kind, leaves)
        made.append(replace(top, configured_ashift=ashift) if group.vdev_class in VITAL_CLASSES else top)
    return tuple(made)


def classes_in_words(groups: Sequence[Group]) -> str:
    """The added classes in order: `data`, `special and log`."""
    return joined_by_and(list(dict.fromkeys(group.vdev_class for group in groups)))


def in_words(group: Group) -> str:
    """`a special mirror of 2`, `a data disk`, `a raidz2 of 6`."""
    what = "" if group.vdev_class == DATA else f"{group.vdev_class} "
    if group.type == LONE:
        return f"a {what or 'data '}device"
    return f"a {what}{group.type} of {len(group.devices)}"


def judge_sizes(groups: Sequence[Group], devices: Mapping[str, JoiningDevice], draft: Draft) -> None:
    """Refuse vdevs with devices of different sizes, or of disks and files."""
    for group in groups:
        members = [devices[word] for word in group.devices]
        if len({device.is_file for device in members}) > 1:
            draft.refuse("files-and-disks", f"{in_words(group)} has both files and disks", "take one kind")
        sizes = [device.disk.size_bytes for device in members if device.disk and device.disk.size_bytes]
        if sizes and max(sizes) - min(sizes) > SIZE_TOLERANCE_BYTES:
            draft.refuse_answer(
                WayOut.DISKS,
                "sizes",
                f"{in_words(group)} has disks of {size(min(sizes))} and {size(max(sizes))}: "
                "the extra space of the larger ones would stay unused",
                "take disks of one size",
            )


def judge_sectors(
    groups: Sequence[Group],
    devices: Mapping[str, JoiningDevice],
    ashift: int | None,
    draft: Draft,
    where: str,
) -> None:
    """Compare the sectors with the ashift of the new vdevs."""
    for group in groups:
        for word in group.devices if group.vdev_class not in {"cache", "spare"} else ():
            suits = sector_fit(devices[word], ashift, where)
            for each in suits.objections:
                draft.refuse_answer(WayOut.DISKS, each.rule, each.reason, each.instead)
            draft.warnings += suits.warnings


def design(pool: Pool) -> int | None:
    """Failures that every data vdev survives by design; None without data vdevs."""
    found = [vdev_redundancy(top) for top in vital_tops(pool) if top.vdev_class == DATA]
    return min((each.by_design for each in found if each is not None), default=None)


def judge_redundancy(groups: Sequence[Group], least: int, of: str, draft: Draft) -> None:
    """Refuse data, special or dedup vdevs with less redundancy than the pool."""
    for group in groups:
        if group.vdev_class in VITAL_CLASSES and group.failures < least:
            failures = "failure" if group.failures == 1 else "failures"
            draft.refuse(
                BELOW,
                f"{in_words(group)} survives {group.failures} {failures}, and {of} {least}: "
                "if it is lost, the whole pool is",
                f"give it the redundancy of the pool: {_like(least, group)}",
            )


def warn_of_narrow_raidz(groups: Sequence[Group], draft: Draft) -> None:
    """A raidz with one disk for data: a mirror of that many disks is better in each respect."""
    for group in groups:
        if group.kind.startswith("raidz") and len(group.devices) <= group.failures + 1:
            draft.warnings.append(
                f"{in_words(group)} holds as much as a mirror of {len(group.devices)} and survives as many "
                "failures; a mirror is faster, and devices can be attached to it and detached"
            )


def mismatch(groups: Sequence[Group], pool: Pool | None, devices: Mapping[str, JoiningDevice]) -> str:
    """Difference between the new vdevs and the pool's, or among each other, in ZFS's sense; "" if none."""
    current = _common(_profile(top) for top in pool.vdevs if _counts(top)) if pool is not None else None
    if pool is not None and current is None:
        return ""  # ZFS does not compare when the pool itself is mixed
    for group in groups:
        if group.vdev_class in {"log", "cache", "spare"}:
            continue
        new = _profile_of(group, devices)
        if current is not None and not _alike(current, new):
            first = "the pool is made of" if pool is not None else "one vdev is"
            return f"{first} {current.in_words}, and the new vdev is {new.in_words}"
        current = current or new
    return ""


def _like(least: int, group: Group) -> str:
    count = max(least + 1, len(group.devices))
    kind = "mirror" if group.type in {LONE, "mirror"} or least == 0 else f"raidz{min(least, 3)}"
    return f"{'' if group.vdev_class == DATA else group.vdev_class + ' '}{kind} of {count} disks"


def _counts(top: Vdev) -> bool:
    return top.vdev_class in VITAL_CLASSES and top.type not in {"indirect", "hole", "missing"}


def _profile(top: Vdev) -> Profile:
    if not top.children or top.type in {"spare", "replacing"}:
        return Profile(next(top.leaves()).type, 0, 1)
    if top.type == "mirror":
        return Profile("mirror", len(top.children) - 1, len(top.children))
    return Profile(top.type.rstrip("0123456789"), parity(top), len(top.children))


def _profile_of(group: Group, devices: Mapping[str, JoiningDevice]) -> Profile:
    if group.type == LONE:
        return Profile("file" if devices[group.devices[0]].is_file else "disk", 0, 1)
    return Profile(group.kind.rstrip("0123456789"), group.failures, len(group.devices))


def _common(profiles: Iterator[Profile]) -> Profile | None:
    """Common profile of all vdevs of the pool; None if mixed."""
    found = list(profiles)
    if not found or not all(_alike(found[0], each) for each in found):
        return None
    return found[0]


def _alike(one: Profile, other: Profile) -> bool:
    """Whether ZFS considers two vdevs equally redundant: for different types it compares the parity."""
    if one.kind != other.kind:
        return one.width > 1 and other.width > 1 and one.failures == other.failures
    return one == other
