"""Rules on settings of file systems and volumes that others inherit: one finding for each at which it begins.

The root dataset is read with the pool's space, the others hourly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.vdevs.redundancy import pool_redundancy
from zconsole.analysis.vdevs.topology_after_change import ashift_of
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding, ProposedAction, Severity

OFF: Final = "off"
DISABLED: Final = "disabled"
SLOW_COMPRESSIONS: Final = frozenset({"gzip-7", "gzip-8", "gzip-9"})
INHERITED: Final = "on its root dataset, and where that is inherited"
POSIX_ACLS: Final = frozenset({"posix", "posixacl"})  # in 2.0 and before: posixacl
CACHES_LITTLE: Final = frozenset({"none", "metadata"})
LARGE_RECORD: Final = 64 * 1024
NAMED: Final = 3
Question = Callable[[DatasetSettings], object]


def checksums_are_off(facts: RuleInput) -> Iterator[Finding]:
    """Data without checksums: damage is neither found nor repaired, whatever redundancy there is."""
    for each in places(facts, lambda each: each.checksum == OFF):
        yield facts.advised(
            "checksum-off",
            f"checksum=off {in_words(facts, each)}: damaged data is neither found nor repaired",
            Advised("checksum=off", "any checksum", setting(each, "checksum=on")),
            risk=Severity.WARNING,
            on=each.name,
            dataset=each.name,
            checksum=OFF,
        )


def sync_is_disabled(facts: RuleInput) -> Iterator[Finding]:
    """Synchronous writes that are acknowledged before they are stored. A receive has none.

    The flushes of a guest are such writes, whatever the cache mode of its disk.
    """

    def is_so(each: DatasetSettings) -> bool:
        return each.sync == DISABLED and not each.is_read_only

    guests = _guests_by_place(facts, is_so)
    for each in places(facts, is_so):
        here = guests.get(each.name, ())
        who = f"programs, and guests ({shortened(here, NAMED)})," if here else "programs"
        yield facts.advised(
            "sync-disabled",
            f"sync=disabled {in_words(facts, each)}: a crash loses writes that {who} believe stored",
            Advised("sync=disabled", "sync=standard or always", setting(each, "sync=standard")),
            on=each.name,
            dataset=each.name,
            sync=DISABLED,
            guests=here,
        )


def compression_is_odd(facts: RuleInput) -> Iterator[Finding]:
    """No compression, or one that costs far more than it saves."""
    for each in places(facts, lambda each: each.compression == OFF and _is_compressible(facts, each)):
        yield facts.advised(
            "compression-off",
            f"compression=off {in_words(facts, each)}",
            Advised("compression=off", "any compression", setting(each, "compression=lz4")),
            on=each.name,
            dataset=each.name,
            compression=OFF,
        )
    for each in places(facts, lambda each: each.compression in SLOW_COMPRESSIONS):
        yield facts.advised(
            "compression-slow",
            f"compression={each.compression} {in_words(facts, each)}",
            Advised(f"compression={each.compression}", "at most gzip-6", setting(each, "compression=gzip-6")),
            on=each.name,
            dataset=each.name,
            compression=each.compression,
        )


def copies_are_many(facts: RuleInput) -> Iterator[Finding]:
    """Copies in place of redundancy, or beside it.

    On a single device they are the only repair of a damaged block: nothing is said of them there.
    """
    redundancies = pool_redundancy(facts.pool)
    if not redundancies:
        return
    by_design = min(each.by_design for each in redundancies)
    if by_design == 0 and len(redundancies) == 1:
        return
    what = (
        "its vdevs have redundancy as well"
        if by_design
        else "losing one of its devices loses the pool all the same"
    )
    for each in places(facts, lambda each: (each.copies or 1) > 1):
        yield facts.advised(
            "copies-many",
            f"copies={each.copies} {in_words(facts, each)}: {what}",
            Advised(
                f"copies={each.copies}",
                "copies=1" if by_design else "redundancy in the vdevs",
                setting(each, "copies=1") if by_design else None,
            ),
            on=each.name,
            dataset=each.name,
            copies=each.copies,
            by_design=by_design,
        )


def atime_is_on(facts: RuleInput) -> Iterator[Finding]:
    """A write for each read of a file."""

    def is_so(each: DatasetSettings) -> bool:
        return each.atime == "on" and each.relatime == OFF and not each.is_read_only

    for each in places(facts, is_so):
        yield facts.advised(
            "atime-on",
            f"atime=on without relatime {in_words(facts, each)}: each read of a file writes",
            Advised("atime=on, relatime=off", "relatime=on or atime=off", setting(each, "relatime=on")),
            on=each.name,
            dataset=each.name,
            atime="on",
            relatime=OFF,
        )


def acls_are_in_directories(facts: RuleInput) -> Iterator[Finding]:
    """POSIX ACLs that are kept in a hidden directory for each file. A receive writes what was sent."""

    def is_so(each: DatasetSettings) -> bool:
        return bool(each.has_directory_xattrs) and each.acltype in POSIX_ACLS and not each.is_read_only

    for each in places(facts, is_so):
        yield facts.advised(
            "acl-in-directories",
            f"acltype=posix with xattr=dir {in_words(facts, each)}: each ACL takes objects of its own",
            Advised("xattr=dir with acltype=posix", "xattr=sa", setting(each, "xattr=sa")),
            on=each.name,
            dataset=each.name,
        )


def cache_is_odd(facts: RuleInput) -> Iterator[Finding]:
    """Data that is read from the disks each time. A copy, which is read-only, may be kept out of the ARC.

    A database with a cache of its own has small records; what inherits from it, such as its log, belongs to
    it.
    """
    little = places(facts, lambda each: each.primarycache in CACHES_LITTLE and not each.is_read_only)
    for each in little:
        if each.primarycache == "metadata" and (each.recordsize_bytes or 0) < LARGE_RECORD:
            continue
        yield facts.advised(
            "cache-off",
            f"primarycache={each.primarycache} {in_words(facts, each)}: each read goes to the disks, "
            "of a whole block even for a part of it",
            Advised(
                f"primarycache={each.primarycache}",
                "primarycache=all",
                setting(each, "primarycache=all"),
            ),
            on=each.name,
            dataset=each.name,
            primarycache=each.primarycache,
        )


def datasets_of(facts: RuleInput) -> Mapping[str, DatasetSettings]:
    """File systems and volumes of the pool by name, as far as read; the root dataset is the newest."""
    found = {each.name: each for each in facts.state.settings.value or ()}
    root, name = facts.pool.settings, facts.pool.name
    if root is not None:
        found[name] = replace(
            found.get(name) or DatasetSettings(name, "filesystem"),
            compression=root.compression,
            checksum=root.checksum,
            sync=root.sync,
            dedup=root.dedup,
            copies=root.copies,
            atime=root.atime,
            relatime=root.relatime,
        )
    return found


def places(facts: RuleInput, is_so: Question) -> tuple[DatasetSettings, ...]:
    """Datasets at which a state begins: it is so there, and not in the parent. Sorted by name.

    Each is told by itself, so that a silence on one of them is none on the others.
    """
    such = {name: each for name, each in datasets_of(facts).items() if is_so(each)}
    return tuple(such[name] for name in sorted(such) if such[name].parent not in such)


def _guests_by_place(facts: RuleInput, is_so: Question) -> dict[str, tuple[str, ...]]:
    """Guests of libvirt that write to datasets of which this is so, by the dataset at which it begins."""
    listed = datasets_of(facts)
    found: dict[str, set[str]] = {}
    for guest in facts.guests:
        for disk in guest.disks:
            place = disk.images[0].place if disk.images and disk.is_written else ""
            if place not in listed or not is_so(listed[place]):
                continue
            while (parent := listed[place].parent) in listed and is_so(listed[parent]):
                place = parent
            found.setdefault(place, set()).add(guest.name)
    return {place: tuple(sorted(names)) for place, names in found.items()}


def setting(of: DatasetSettings, assignment: str) -> ProposedAction:
    """The action that sets a property of a dataset."""
    return ProposedAction("set", of.name, (assignment,))


def in_words(facts: RuleInput, where: DatasetSettings) -> str:
    """Where a state begins: `on tank/a`."""
    return INHERITED if where.name == facts.pool.name else f"on {where.name}"


def _is_compressible(facts: RuleInput, each: DatasetSettings) -> bool:
    """Whether its blocks are larger than a sector: what is not has no room to become smaller."""
    block = each.volblocksize_bytes or each.recordsize_bytes
    sector = max((ashift_of(top) or 0 for top in facts.pool.of_class("data")), default=0) or facts.pool.ashift
    return not block or not sector or block > 1 << sector


RULES: Final[tuple[Rule, ...]] = (
    checksums_are_off,
    sync_is_disabled,
    compression_is_odd,
    copies_are_many,
    atime_is_on,
    acls_are_in_directories,
    cache_is_odd,
)
