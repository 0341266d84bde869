"""Advice on recordsize against what lives on a file system: database pages, large files, images of guests.

A kind is told from files that a program holds open, or from most of the bytes of a sample that covers most
of the data; a program or a few names alone tell nothing. recordsize is that of files created from now on:
ZFS does not list what older files have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from zconsole.analysis.findings.datasets.settings_rules import datasets_of
from zconsole.analysis.findings.datasets.volume_rules import block_cost, parity_vdevs
from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.base.fixed_width_formatting import size, zfs_size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset_contents import ContentKind, DatasetContents, FileSample
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding, ProposedAction

if TYPE_CHECKING:
    from zconsole.model.guests.guest import StoredImage  # not needed by the first frame

KIB: Final = 1 << 10
PAGES: Final[Mapping[ContentKind, int]] = {  # both by default
    ContentKind.INNODB: 16 * KIB,
    ContentKind.POSTGRESQL: 8 * KIB,
}
LARGE_FOR_PAGES: Final = 128 * KIB  # the default; 64 KiB and less is in use for databases that compress well
LARGEST_FOR_PAGES: Final = 64 * KIB
FOR_LARGE_FILES: Final = 1024 * KIB
SMALL_FOR_LARGE_FILES: Final = 128 * KIB
LARGE_FOR_IMAGE: Final = 256 * KIB  # twice the default, which fares well
FOR_IMAGE: Final = 64 * KIB  # as is a cluster of qcow2 by default
MOST_PERCENT: Final = 80  # of the bytes of a sample, to say what lives there
COVERED_PERCENT: Final = 50  # of the data, that a sample has to cover
PERCENT: Final = 100
NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class _Told:
    """File system with what lives there, and the evidence in words."""

    settings: DatasetSettings
    record_bytes: int
    evidence: str

    @property
    def name(self) -> str:
        return self.settings.name


def records_do_not_fit_pages(facts: RuleInput) -> Iterator[Finding]:
    """Databases whose pages are much smaller than a record, or larger than one.

    Where several live on one file system, the one with the largest pages is told.
    """
    seen: set[str] = set()
    for kind, page in sorted(PAGES.items(), key=lambda each: -each[1]):
        for each in _told(facts, kind):
            if each.name in seen:
                continue
            seen.add(each.name)
            if each.record_bytes < LARGE_FOR_PAGES and each.record_bytes >= page:
                continue
            proposed = _for_pages(facts, page)
            effect = (
                f"a write of one page may rewrite {each.record_bytes // page}"
                if each.record_bytes >= page
                else f"a page takes {page // each.record_bytes} records"
            )
            yield facts.advised(
                "recordsize-database",
                f"recordsize={zfs_size(each.record_bytes)} on {each.name}, for {kind.value} with pages of "
                f"{zfs_size(page)} ({each.evidence}): {effect}",
                Advised(
                    f"recordsize={zfs_size(each.record_bytes)} for pages of {zfs_size(page)}",
                    f"{zfs_size(page)} to {zfs_size(LARGEST_FOR_PAGES)}",
                    _record(each.name, proposed),
                ),
                on=each.name,
                dataset=each.name,
                holds=kind.value,
                recordsize_bytes=each.record_bytes,
                page_bytes=page,
                proposed_bytes=proposed,
                seen=each.evidence,
            )


def records_are_small_for_large_files(facts: RuleInput) -> Iterator[Finding]:
    """Media and torrents, which are large files read in order, in records of 128 KiB or less.

    A file system with the image of a guest on it is left alone: its records would be too large for that.
    """
    seen: set[str] = set(_images(facts))
    for kind in (ContentKind.MEDIA, ContentKind.TORRENTS):
        for each in _told(facts, kind):
            is_small = each.record_bytes <= SMALL_FOR_LARGE_FILES
            if each.name in seen or not is_small or each.settings.is_read_only:
                continue
            seen.add(each.name)
            yield facts.advised(
                "recordsize-large-files",
                f"recordsize={zfs_size(each.record_bytes)} on {each.name}, where {kind.value} are "
                f"({each.evidence}): in records of {zfs_size(FOR_LARGE_FILES)} they have "
                f"{FOR_LARGE_FILES // each.record_bytes} times fewer blocks",
                Advised(
                    f"recordsize={zfs_size(each.record_bytes)} for large files",
                    zfs_size(FOR_LARGE_FILES),
                    _record(each.name, FOR_LARGE_FILES),
                ),
                on=each.name,
                dataset=each.name,
                holds=kind.value,
                recordsize_bytes=each.record_bytes,
                proposed_bytes=FOR_LARGE_FILES,
                seen=each.evidence,
            )


def records_are_large_for_images(facts: RuleInput) -> Iterator[Finding]:
    """Disk images of guests in records that are much larger than what a guest writes at a time.

    A guest writes sectors and pages of its own file systems, whatever the format of the image: a cluster of
    a qcow2 is how it is allocated, and not how it is written.
    """
    listed = datasets_of(facts)
    for name, images in sorted(_images(facts).items()):
        record = listed[name].recordsize_bytes if name in listed else None
        if record is None or record < LARGE_FOR_IMAGE:
            continue
        guests = tuple(sorted({guest for guest, _ in images}))
        formats = tuple(sorted({image.image.format for _, image in images if image.image.format}))
        yield facts.advised(
            "recordsize-image",
            f"recordsize={zfs_size(record)} on {name}, for disk images of {shortened(guests, NAMED)}: "
            "a small write rewrites a record",
            Advised(
                f"recordsize={zfs_size(record)} for disk images",
                f"less than {zfs_size(LARGE_FOR_IMAGE)}",
                _record(name, FOR_IMAGE),
            ),
            on=name,
            dataset=name,
            guests=guests,
            formats=formats,
            recordsize_bytes=record,
            proposed_bytes=FOR_IMAGE,
        )


def _images(facts: RuleInput) -> dict[str, list[tuple[str, StoredImage]]]:
    """By file system the images on it that guests write to, with the guest."""
    found: dict[str, list[tuple[str, StoredImage]]] = {}
    for guest in facts.guests:
        for disk in guest.disks:
            if disk.images and not disk.disk.is_read_only and not disk.images[0].is_volume:
                found.setdefault(disk.images[0].place, []).append((guest.name, disk.images[0]))
    return found


def _told(facts: RuleInput, kind: ContentKind) -> list[_Told]:
    """File systems on which this kind lives, by name."""
    contents = facts.state.contents.value or ()
    if not contents:
        return []
    listed = datasets_of(facts)
    found = []
    for each in contents:
        settings = listed.get(each.name)
        if settings is None or not settings.recordsize_bytes:
            continue
        evidence = _evidence(each, kind, settings)
        if evidence:
            found.append(_Told(settings, settings.recordsize_bytes, evidence))
    return sorted(found, key=lambda each: each.name)


def _evidence(each: DatasetContents, kind: ContentKind, settings: DatasetSettings) -> str:
    """How it is known that this kind lives there; empty where it is not."""
    program = next((held for held in each.programs if held.kind is kind), None)
    is_random = any(held.kind in (*PAGES, ContentKind.IMAGES) for held in each.programs)
    if kind is ContentKind.MEDIA:
        return "" if is_random else _of_sample(each.sample, kind, settings)
    if kind is ContentKind.TORRENTS and (is_random or not _is_of_large_files(each.sample, settings)):
        return ""
    if program is not None:
        more = f" and {program.files - 1} more" if program.files > 1 else ""
        return f"{program.program} [{program.process}] has {program.example}{more} open"
    return _of_sample(each.sample, kind, settings)


def _of_sample(sample: FileSample | None, kind: ContentKind, settings: DatasetSettings) -> str:
    """What a sample tells of a kind; empty where it is too small, or most of it is something else."""
    if sample is None or not _covers(sample, settings):
        return ""
    share = PERCENT * sample.bytes_of(kind) // max(1, sample.size_bytes)
    if share < MOST_PERCENT or (kind is ContentKind.MEDIA and not _is_of_large_files(sample, settings)):
        return ""
    files = "files" if sample.is_whole else "first files"
    return f"by their names {share}% of the {size(sample.size_bytes)} in {sample.files} {files}"


def _is_of_large_files(sample: FileSample | None, settings: DatasetSettings) -> bool:
    return (
        sample is not None
        and _covers(sample, settings)
        and PERCENT * sample.large_bytes >= MOST_PERCENT * sample.size_bytes
    )


def _covers(sample: FileSample, settings: DatasetSettings) -> bool:
    """Whether what was looked at is most of the data."""
    held = settings.referenced_bytes
    return bool(held) and held is not None and PERCENT * sample.size_bytes >= COVERED_PERCENT * held


def _for_pages(facts: RuleInput, page: int) -> int:
    """The page size, or what costs little parity and padding on the vdevs of the pool."""
    fair = (
        block_cost(shape, ashift, page, name).fair_bytes for name, shape, ashift in parity_vdevs(facts.pool)
    )
    return min(max((page, *fair)), LARGEST_FOR_PAGES)


def _record(name: str, value: int) -> ProposedAction:
    return ProposedAction("set", name, (f"recordsize={value // KIB}K",))


RULES: Final[tuple[Rule, ...]] = (
    records_do_not_fit_pages,
    records_are_small_for_large_files,
    records_are_large_for_images,
)
