"""Limits of size properties: values that ZFS refuses, and shrinking volumes."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.property_value_checks import size_bytes
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Risk, WayOut
from zconsole.analysis.dependencies.dataset_or_device_of_path import device_of_volume
from zconsole.analysis.dependencies.volume_overhead import taken_by_blocks
from zconsole.base.bounded_int import natural
from zconsole.base.fixed_width_formatting import size, zfs_size
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Pool

BEYOND: Final = "all data of the volume"  # at the beginning of a loss
VOLSIZE, LOGICAL = "volsize", "logicalreferenced"
WORTH_TELLING: Final = 1.05  # of the space that data takes, to its size
_SAMPLE: Final = 1 << 40  # bytes
MOST_SPECIAL_SHARE: Final = "blocks as large as a record go to the special vdevs: all data will"


def refuse_beyond_limits(draft: Draft, dataset: Dataset, name: str, value: str, facts: PlanFacts) -> None:
    """Check against used and available space."""
    wanted = 0 if value == "none" else size_bytes(value)
    if wanted is None:
        return
    match name:
        case "quota" if wanted and wanted < (dataset.used_bytes or 0):
            _refuse_below(draft, dataset.name, "used", dataset.used_bytes)
        case "refquota" if wanted and wanted < (dataset.referenced_bytes or 0):
            _refuse_below(draft, dataset.name, "referenced", dataset.referenced_bytes)
        case "reservation":
            _refuse_above(draft, dataset, wanted, dataset.used_bytes)
        case "refreservation":
            _refuse_above(draft, dataset, wanted, dataset.used_by_dataset_bytes)
        case "volsize":
            _volume_size(draft, dataset, wanted, facts)
        case "special_small_blocks" if dataset.recordsize_bytes and wanted >= dataset.recordsize_bytes:
            draft.warnings.append(MOST_SPECIAL_SHARE)
        case "recordsize":
            warn_of_small_records(draft, facts.pool(dataset.pool), wanted)
        case _:
            pass


def warn_of_small_records(draft: Draft, pool: Pool | None, wanted: int, *, is_volume: bool = False) -> None:
    """Records of one sector or less: nothing is saved by compression, and a raidz becomes a mirror.

    On a raidz or draid larger records too take more than their size, by parity and padding; of a volume, of
    which the size is known, that is told with the bytes that it takes.
    """
    data = [top for top in pool.vdevs if top.vdev_class == "data"] if pool is not None else []
    sector = max((1 << top.configured_ashift for top in data if top.configured_ashift), default=None)
    if sector is None:
        return
    if wanted > sector:
        taken = taken_by_blocks(pool, _SAMPLE, wanted) if pool is not None else None
        if not is_volume and taken is not None and taken > _SAMPLE * WORTH_TELLING:
            draft.warnings.append(
                f"data in records of {zfs_size(wanted)} takes {taken / _SAMPLE:.2f} times its size "
                "in this pool: parity and padding are per block"
            )
        return
    each = "block" if is_volume else "record"
    parity = any(top.type.startswith(("raidz", "draid")) for top in data)
    draft.warnings.append(
        f"a block takes {zfs_size(sector)} (ashift) at least, so each {each} of {zfs_size(wanted)} "
        "does, unless it is zeros or compresses to 112 bytes: compression saves nothing else, and each "
        "needs its own pointer and checksum"
        + ("; parity takes as much as the data, or more" if parity else "")
    )


def _refuse_below(draft: Draft, name: str, what: str, bytes_now: int | None) -> None:
    draft.refuse_answer(
        WayOut.VALUE,
        "below-used",
        f"{size(bytes_now)} of {name} are {what}, which is more",
        "choose more, or free space first",
    )


def _refuse_above(draft: Draft, dataset: Dataset, wanted: int, has: int | None) -> None:
    if has is None or dataset.available_bytes is None:
        return
    most = has + dataset.available_bytes
    if wanted > most:
        draft.refuse_answer(
            WayOut.VALUE,
            "full",
            f"{dataset.name} can have {size(most)} at most: so much is there and left",
            "choose less, or free space first",
        )


def _volume_size(draft: Draft, dataset: Dataset, wanted: int, facts: PlanFacts) -> None:
    if dataset.type != "volume":
        return
    block = dataset.volblocksize_bytes
    if block and wanted % block:
        draft.refuse_answer(
            WayOut.VALUE,
            "block-size",
            f"the size of {dataset.name} must be a multiple of its volblocksize, {zfs_size(block)}",
            f"for example {(wanted // block + 1) * block}",
        )
    now = natural(facts.property(dataset.name, VOLSIZE) or "")
    if now is None:
        draft.loses.append(f"{BEYOND} beyond {size(wanted)}, if it is larger now: its size was not read")
        draft.raise_risk(Risk.DESTRUCTIVE)
        _refuse_data_beyond(draft, dataset, wanted, facts)
    elif wanted < now:
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.is_reversible, draft.undo = False, None
        draft.loses.append(f"{BEYOND} between {size(wanted)} and {size(now)}, its present size")
        _refuse_data_beyond(draft, dataset, wanted, facts)
        _tell_shrink(draft, dataset, wanted, facts)
        pattern = facts.policy.protects(dataset.name)
        if pattern is not None:
            draft.refuse(
                "protected", f"{dataset.name} is protected by the pattern {pattern!r} of the configuration",
                "remove it from `protected` there",
            )  # fmt: skip
    else:
        draft.is_reversible, draft.undo = False, None
        draft.notes.append("what is in it must be grown too; making it smaller again loses data")


def _tell_shrink(draft: Draft, volume: Dataset, wanted: int, facts: PlanFacts) -> None:
    """How much of a volume is in use, that its place is not known, and what keeps it."""
    device = _device(volume, facts)
    kind = device.fstype if device is not None else ""
    what = f"the {kind}" if kind else "the partition table and file systems"
    draft.warnings.append(
        f"{what} on {volume.name} must have been reduced to {size(wanted)} before, by the tools "
        "of the file system: ZFS does not do that, and what lies beyond is destroyed at once"
    )
    held = _held_bytes(volume, facts)
    if held is None:
        draft.warnings.append(f"how much data {volume.name} holds was not read")
    else:
        draft.notes.append(
            f"{volume.name} holds {size(held)} of data (logicalreferenced); ZFS does not tell "
            "where in the volume it lies"
        )


def offer_snapshot_first(draft: Draft, volume: Dataset, value: str, facts: PlanFacts) -> None:
    """Offer a snapshot before a volume shrinks: zvols keep their size in the dataset that is rolled back."""
    name = f"{volume.name}@before-volsize-{value}"
    if any(each.startswith(BEYOND) for each in draft.loses) and facts.dataset(name) is None:
        words = "take a snapshot first: a rollback to it brings the size and the data back"
        draft.alternatives.append((words, Intent("snapshot", name)))


def _refuse_data_beyond(draft: Draft, volume: Dataset, wanted: int, facts: PlanFacts) -> None:
    """Refuse a size below what a volume holds, or below its partitions: some of it lies beyond for certain.

    Blocks that the file system has given up count until they are discarded, so a volume whose contents were
    reduced has to be trimmed before.
    """
    held, device = _held_bytes(volume, facts), _device(volume, facts)
    partitions = [each for each in device.children if each.type == "part"] if device is not None else []
    partitioned = sum(each.size_bytes or 0 for each in partitions)
    if partitioned > wanted:
        words = f"the partition{'s' if len(partitions) > 1 else ''} on {volume.name}"
        draft.refuse(
            "data-beyond-end", f"{words} take {size(partitioned)}, more than {size(wanted)}",
            "reduce the file system, then its partition, before the volume",
        )  # fmt: skip
    if held is not None and held > wanted:
        draft.refuse(
            "data-beyond-end", f"{volume.name} holds {size(held)} of data, more than "
            f"{size(wanted)}: at least {size(held - wanted)} of it would be destroyed",
            f"reduce what is on it first; if it was reduced already, discard the rest from inside the guest "
            f"(blkdiscard --offset {wanted} DISK), after which {volume.name} refers to less",
        )  # fmt: skip


def path_of_shrinking(name: str, value: str, facts: PlanFacts) -> tuple[str, ...]:
    """Path of a volume that this size would make smaller; its partitions are looked at."""
    now, wanted = natural(facts.property(name, VOLSIZE) or ""), size_bytes(value)
    is_smaller = now is not None and wanted is not None and wanted < now
    return (device_of_volume(name),) if is_smaller else ()


def _device(volume: Dataset, facts: PlanFacts) -> Disk | None:
    path = device_of_volume(volume.name)
    return facts.disk(facts.files.real(path) or path)


def _held_bytes(volume: Dataset, facts: PlanFacts) -> int | None:
    """Bytes that a volume holds before compression, or what they take after it, which is a lower bound."""
    logical = natural(facts.property(volume.name, LOGICAL) or "")
    return logical if logical is not None else volume.referenced_bytes
