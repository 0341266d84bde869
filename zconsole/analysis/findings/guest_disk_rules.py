"""Rules on the disks of guests on a pool: cache and discard mode, error policy, damaged images.

By QEMU's own defaults flushes reach ZFS, a guest is paused where there is no space, and discards are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.rule_input import EvidenceValue, Rule, RuleInput
from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.finding import Advised, Finding, Severity
from zconsole.model.guests.guest import Guest, StoredDisk

UNSAFE: Final = "unsafe"  # cache mode of QEMU: each flush is answered at once
IGNORE: Final = "ignore"  # error policy
REPORT: Final = "report"
UNMAP: Final = "unmap"  # discard mode
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
            f"pool that is {int(full.percent)}% full",
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
    errors_are_ignored,
    cache_is_unsafe,
    errors_are_reported,
    discards_are_ignored,
)
