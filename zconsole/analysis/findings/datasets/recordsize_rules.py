"""Advice on recordsize against what lives on a file system: database pages, large files, images of guests.

A kind is told from files that a program holds open, or from most of the bytes of a sample that covers most
of the data; a program or a few names alone tell nothing. recordsize is that of files created from now on:
ZFS does not list what older files have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from zconsole.analysis.findings.datasets.settings_rules import datasets_of
from zconsole.analysis.findings.datasets.volume_rules import block_cost, parity_vdevs
from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.base.fixed_width_formatting import size
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
LARGE_FOR_RAW_IMAGE: Final = 256 * KIB
FOR_RAW_IMAGE: Final = 64 * KIB
QCOW2: Final = "qcow2"
RAW: Final = "raw"
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
    """Databases whose pages are much smaller than a record, or larger than one."""
    for kind, page in PAGES.items():
        told = [
            each
            for each in _told(facts, kind)
            if each.record_bytes >= LARGE_FOR_PAGES or each.record_bytes < page
        ]
        if not told:
            continue
        first = told[0]
        proposed = _for_pages(facts, page)
        effect = (
            f"a write of one page may rewrite {first.record_bytes // page}"
            if first.record_bytes >= page
            else f"a page takes {page // first.record_bytes} records"
        )
        yield facts.advised(
            "recordsize-database",
            f"recordsize={size(first.record_bytes)} on {_names(told)}, for {kind.value} with pages of "
            f"{size(page)} ({first.evidence}): {effect}",
            Advised(
                f"recordsize={size(first.record_bytes)} for pages of {size(page)}",
                f"{size(page)} to {size(LARGEST_FOR_PAGES)}",
                _record(first, proposed),
            ),
            on=first.name,
            datasets=_all_names(told),
            holds=kind.value,
            recordsize_bytes=first.record_bytes,
            page_bytes=page,
            proposed_bytes=proposed,
            seen=first.evidence,
        )


def records_are_small_for_large_files(facts: RuleInput) -> Iterator[Finding]:
    """Media and torrents, which are large files read in order, in records of 128 KiB or less."""
    for kind in (ContentKind.MEDIA, ContentKind.TORRENTS):
        told = [
            each
            for each in _told(facts, kind)
            if each.record_bytes <= SMALL_FOR_LARGE_FILES and not each.settings.is_read_only
        ]
        if not told:
            continue
        first = told[0]
        yield facts.advised(
            "recordsize-large-files",
            f"recordsize={size(first.record_bytes)} on {_names(told)}, where {kind.value} are "
            f"({first.evidence}): in records of {size(FOR_LARGE_FILES)} they have "
            f"{FOR_LARGE_FILES // first.record_bytes} times fewer blocks",
            Advised(
                f"recordsize={size(first.record_bytes)} for large files",
                size(FOR_LARGE_FILES),
                _record(first, FOR_LARGE_FILES),
            ),
            on=first.name,
            datasets=_all_names(told),
            holds=kind.value,
            recordsize_bytes=first.record_bytes,
            proposed_bytes=FOR_LARGE_FILES,
            seen=first.evidence,
        )


def records_are_large_for_images(facts: RuleInput) -> Iterator[Finding]:
    """Disk images of guests whose clusters, or usual writes, are smaller than a record."""
    listed = datasets_of(facts)
    by_place: dict[str, list[tuple[str, StoredImage]]] = {}
    for guest in facts.guests:
        for disk in guest.disks:
            if disk.images and not disk.disk.is_read_only and not disk.images[0].is_volume:
                by_place.setdefault(disk.images[0].place, []).append((guest.name, disk.images[0]))
    for name, images in sorted(by_place.items()):
        record = listed[name].recordsize_bytes if name in listed else None
        guest_name, image = min(images, key=lambda each: _fitting(each[1]))
        fitting = _fitting(image)
        if (
            record is None
            or record <= fitting
            or (image.image.format == RAW and record < LARGE_FOR_RAW_IMAGE)
        ):
            continue
        clusters = image.image.cluster_bytes
        what = f"qcow2 with clusters of {size(clusters)}" if clusters else "a raw image"
        yield facts.advised(
            "recordsize-image",
            f"recordsize={size(record)} on {name}, for {what} of {guest_name}: "
            "a small write rewrites a record",
            Advised(
                f"recordsize={size(record)} for {what}",
                f"at most {size(fitting)}" if clusters else f"less than {size(LARGE_FOR_RAW_IMAGE)}",
                ProposedAction("set", name, (f"recordsize={fitting // KIB}K",)),
            ),
            on=name,
            dataset=name,
            guests=tuple(sorted({each for each, _ in images})),
            recordsize_bytes=record,
            cluster_bytes=clusters,
            proposed_bytes=fitting,
        )


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
    fair = (block_cost(shape, ashift, page, name).fair_bytes for name, shape, ashift in parity_vdevs(facts))
    return min(max((page, *fair)), LARGEST_FOR_PAGES)


def _fitting(stored: StoredImage) -> int:
    """The largest record that a small write of the guest does not make worse than its image does."""
    image = stored.image
    if image.format == QCOW2 and image.cluster_bytes:
        return image.cluster_bytes
    return FOR_RAW_IMAGE if image.format == RAW else 1 << 62


def _record(told: _Told, value: int) -> ProposedAction:
    return ProposedAction("set", told.name, (f"recordsize={value // KIB}K",))


def _names(told: list[_Told]) -> str:
    return shortened(_all_names(told), NAMED)


def _all_names(told: list[_Told]) -> tuple[str, ...]:
    return tuple(each.name for each in told)


RULES: Final[tuple[Rule, ...]] = (
    records_do_not_fit_pages,
    records_are_small_for_large_files,
    records_are_large_for_images,
)
