"""Rules on the disks of guests on a pool: cache and discard mode, error policy, read-only storage, images.

By QEMU's own defaults flushes reach ZFS, a guest on a file is paused where there is no space, one on a volume
sees write errors there, and discards are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.rule_input import EvidenceValue, Rule, RuleInput
from zconsole.analysis.guests.guests_of_a_full_pool import PAST_PAGE_CACHE
from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.base.fixed_width_formatting import used_percent
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.finding import Advised, Finding, ProposedAction, Severity
from zconsole.model.guests.guest import Guest, StoredDisk

UNSAFE: Final = "unsafe"  # cache mode of QEMU: each flush is answered at once
IGNORE: Final = "ignore"  # error policy
REPORT: Final = "report"
THROUGH: Final = "writethrough"  # cache mode: each write is followed by a flush
UNMAP: Final = "unmap"  # discard mode
UNSAID: Final = frozenset({"", "default"})  # cache modes that leave it to QEMU, which writes back
NAMED: Final = 3


def cache_is_unsafe(facts: RuleInput) -> Iterator[Finding]:
    """Disks whose flushes are thrown away.

    A file is at a crash as it was at the end of a txg, with all writes before and none after. A volume is
    written by the host's page cache, which keeps no order.
    """
    for guest, disks in _guests_with(facts, lambda disk: disk.disk.cache == UNSAFE):
        has_volume = any(disk.images[0].is_volume for disk in disks)
        order = ", and may write others before them" if has_volume else ""
        yield _advised(
            facts,
            "guest-cache-unsafe",
            (guest, disks),
            f"{_whose(guest, disks)} has cache=unsafe: a crash of the host loses writes that the guest "
            f"believes stored{order}",
            Advised("cache=unsafe", "a cache mode that passes flushes on, as all others do", None),
        )


def volume_is_behind_page_cache(facts: RuleInput) -> Iterator[Finding]:
    """Volumes whose reads and writes the host keeps in its page cache, beside the ARC.

    A file of ZFS has no pages there until it is mapped: its cache mode only matters for Direct I/O. Of
    cache=unsafe more is said elsewhere.
    """
    for guest, disks in _guests_with(facts, _is_behind_page_cache):
        modes = sorted({disk.disk.cache for disk in disks} - UNSAID)
        is_default = any(disk.disk.cache in UNSAID for disk in disks)
        named = [f"cache={each}" for each in modes]
        if is_default:
            named.append("no cache mode, which is cache=writeback")
        errors = (
            "sees write errors when the pool is full"
            if all(disk.disk.cache == THROUGH for disk in disks)
            else "is told of a failed write with its next flush only, also when the pool is full"
        )
        yield _advised(
            facts,
            "guest-volume-page-cache",
            (guest, disks),
            f"{_whose(guest, disks)}, on {_volumes(disks)}, {_has(disks)} {' or '.join(named)}: the host "
            f"keeps the data in its page cache beside the ARC, and the guest {errors}",
            Advised(" or ".join(named), "cache=none, or directsync", None),
            caches=tuple(dict.fromkeys(disk.disk.cache or "default" for disk in disks)),
        )


def storage_is_read_only(facts: RuleInput) -> Iterator[Finding]:
    """Disks that a guest which is not off may write to, on a dataset or volume with readonly=on.

    QEMU opens no such disk for writing: readonly was set after the start of the guest.
    """
    read_only = {each.name: each for each in facts.state.settings.value or () if each.is_read_only}
    if not read_only:
        return
    lies_there = _guests_with(facts, lambda disk: disk.images[0].place in read_only)
    for guest, disks in lies_there:
        if not guest.status.state.is_active:
            continue
        places = tuple(dict.fromkeys(disk.images[0].place for disk in disks))
        yield _advised(
            facts,
            "guest-storage-read-only",
            (guest, disks),
            f"{_whose(guest, disks)} {_is(disks)} on {shortened(places, NAMED)}, which {_is(places)} "
            f"read-only while the guest is {guest.status.state.in_words}: its writes fail",
            Advised("readonly=on", "readonly=off", ProposedAction("set", places[0], ("readonly=off",))),
            risk=Severity.WARNING,
        )


def errors_are_ignored(facts: RuleInput) -> Iterator[Finding]:
    """Disks of which a guest is told that each write has succeeded."""
    for guest, disks in _guests_with(facts, lambda disk: disk.disk.error_policy == IGNORE):
        yield _advised(
            facts,
            "guest-errors-ignored",
            (guest, disks),
            f"{_whose(guest, disks)} has error_policy=ignore: the guest takes writes that have failed for "
            "done",
            Advised("error_policy=ignore", "enospace, which is QEMU's default, or stop", None),
            risk=Severity.WARNING,
        )


def errors_are_reported(facts: RuleInput) -> Iterator[Finding]:
    """Disks whose guest sees errors where it could wait. One with disks elsewhere may mirror them itself."""
    reported = _guests_with(facts, lambda disk: disk.disk.error_policy == REPORT)
    for guest, disks in reported:
        if not _writes_elsewhere(facts, guest):
            yield _advised(
                facts,
                "guest-errors-reported",
                (guest, disks),
                f"{_whose(guest, disks)} has error_policy=report: when the pool is full the guest sees write "
                "errors instead of being paused",
                Advised("error_policy=report", "stop, or enospace for images in files", None),
            )


def discards_are_ignored(facts: RuleInput) -> Iterator[Finding]:
    """Thin disks that never give back what their guest deletes, in a pool that is short of space."""
    full, limit = fill(facts.pool), facts.thresholds.used_warning_percent
    if full is None or full.percent < limit:
        return
    thin = _guests_with(facts, lambda disk: disk.disk.discard != UNMAP and _is_thin(facts, disk))
    for guest, disks in thin:
        yield _advised(
            facts,
            "guest-discard-off",
            (guest, disks),
            f"{_whose(guest, disks)} does not pass discards on: what the guest deletes stays taken, in a "
            f"pool that is {used_percent(full.percent)} full",
            Advised("no discard=unmap", f"discard=unmap from {limit:g}% used on", None),
            used_percent=round(full.percent, 2),
            limit_percent=limit,
        )


def images_are_corrupt(facts: RuleInput) -> Iterator[Finding]:
    """Images that QEMU has marked as damaged in their own metadata."""
    for guest, disks in _guests_with(facts, lambda disk: any(each.image.is_corrupt for each in disk.images)):
        paths = tuple(each.image.path for disk in disks for each in disk.images if each.image.is_corrupt)
        yield _advised(
            facts,
            "guest-image-corrupt",
            (guest, disks),
            f"{_whose(guest, disks)} has an image that QEMU has marked as corrupt: {shortened(paths, NAMED)}",
            Advised("an image marked as corrupt", "none", None),
            risk=Severity.WARNING,
            images=paths,
        )


def _is_behind_page_cache(disk: StoredDisk) -> bool:
    return disk.images[0].is_volume and disk.disk.cache not in {UNSAFE, *PAST_PAGE_CACHE}


def _is(named: Sequence[object]) -> str:
    return "is" if len(named) == 1 else "are"


def _has(named: Sequence[object]) -> str:
    return "has" if len(named) == 1 else "have"


def _volumes(disks: Sequence[StoredDisk]) -> str:
    return "a volume" if len(disks) == 1 else "volumes"


def _guests_with(
    facts: RuleInput, is_so: Callable[[StoredDisk], bool]
) -> Iterator[tuple[Guest, tuple[StoredDisk, ...]]]:
    """Virtual machines of libvirt with the disks that they write to the pool and of which this is so."""
    for guest in facts.guests:
        if not guest.is_of_libvirt or guest.definition.is_container:
            continue
        disks = tuple(disk for disk in guest.disks if _is_written_to(facts, disk) and is_so(disk))
        if disks:
            yield guest, disks


def _is_written_to(facts: RuleInput, disk: StoredDisk) -> bool:
    if not disk.is_written or not disk.images:
        return False
    place = disk.images[0].place
    return bool(place) and not place.startswith("/") and pool_of(place) == facts.pool.name


def _writes_elsewhere(facts: RuleInput, guest: Guest) -> bool:
    return any(disk.is_written and not _is_written_to(facts, disk) for disk in guest.disks)


def _is_thin(facts: RuleInput, disk: StoredDisk) -> bool:
    """A file, or a volume whose reservation does not cover its size; a volume that was not read is not."""
    image = disk.images[0]
    if not image.is_volume:
        return True
    listed = {each.name: each for each in facts.state.settings.value or ()}
    volume = listed.get(image.place)
    if volume is None or volume.volsize_bytes is None:
        return False
    return (volume.refreservation_bytes or 0) < volume.volsize_bytes


def _whose(guest: Guest, disks: Sequence[StoredDisk]) -> str:
    """`vda of guest web01`."""
    return f"{shortened([disk.disk.target for disk in disks], NAMED)} of guest {guest.name}"


def _advised(  # noqa: PLR0913 - what a finding consists of
    facts: RuleInput,
    finding_id: str,
    of: tuple[Guest, Sequence[StoredDisk]],
    summary: str,
    advised: Advised,
    *,
    risk: Severity | None = None,
    **evidence: EvidenceValue,
) -> Finding:
    """A finding on a guest; two of one name, of the system and of a session, are told by their libvirt."""
    guest, disks = of
    name, uri = guest.name, guest.definition.uri
    is_alone = sum(each.name == name for each in facts.guests) == 1
    made = facts.advised(
        finding_id,
        summary,
        advised,
        risk=risk,
        on=f"{facts.pool.name} {name}" if is_alone else f"{facts.pool.name} {name} of {uri}",
        guest=name,
        uuid=guest.definition.uuid,
        disks=tuple(disk.disk.target for disk in disks),
        places=tuple(dict.fromkeys(disk.images[0].place for disk in disks)),
    )
    return replace(made, evidence={**made.evidence, **evidence})


RULES: Final[tuple[Rule, ...]] = (
    images_are_corrupt,
    storage_is_read_only,
    errors_are_ignored,
    cache_is_unsafe,
    volume_is_behind_page_cache,
    errors_are_reported,
    discards_are_ignored,
)
