"""Rules on settings of file systems and volumes that others inherit: each is told where it begins.

The root dataset is read with the pool's space, the others hourly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.vdevs.redundancy import pool_redundancy
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding, ProposedAction, Severity

OFF: Final = "off"
DISABLED: Final = "disabled"
SLOW_COMPRESSIONS: Final = frozenset({"gzip-7", "gzip-8", "gzip-9"})
INHERITED: Final = "on its root dataset, and where that is inherited"
POSIX_ACLS: Final = frozenset({"posix", "posixacl"})  # in 2.0 and before: posixacl
LARGE_RECORD: Final = 64 * 1024
NAMED: Final = 4
Question = Callable[[DatasetSettings], object]


def checksums_are_off(facts: RuleInput) -> Iterator[Finding]:
    """Data without checksums: damage is neither found nor repaired, whatever redundancy there is."""
    if where := places(facts, lambda each: each.checksum == OFF):
        yield facts.advised(
            "checksum-off",
            f"checksum=off {in_words(facts, where)}: damaged data is neither found nor repaired",
            Advised("checksum=off", "any checksum", set_first(where, "checksum=on")),
            risk=Severity.WARNING,
            checksum=OFF,
            datasets=where,
        )


def sync_is_disabled(facts: RuleInput) -> Iterator[Finding]:
    """Synchronous writes that are acknowledged before they are stored."""
    if where := places(facts, lambda each: each.sync == DISABLED):
        yield facts.advised(
            "sync-disabled",
            f"sync=disabled {in_words(facts, where)}: a crash loses writes that programs believe stored",
            Advised("sync=disabled", "sync=standard or always", set_first(where, "sync=standard")),
            sync=DISABLED,
            datasets=where,
        )


def compression_is_odd(facts: RuleInput) -> Iterator[Finding]:
    """No compression, or one that costs far more than it saves."""
    if where := places(facts, lambda each: each.compression == OFF):
        yield facts.advised(
            "compression-off",
            f"compression=off {in_words(facts, where)}",
            Advised("compression=off", "any compression", set_first(where, "compression=lz4")),
            compression=OFF,
            datasets=where,
        )
    for slow in sorted(SLOW_COMPRESSIONS):
        if where := places(facts, lambda each, slow=slow: each.compression == slow):  # type: ignore[misc]
            yield facts.advised(
                "compression-slow",
                f"compression={slow} {in_words(facts, where)}",
                Advised(f"compression={slow}", "at most gzip-6", set_first(where, "compression=zstd")),
                on=where[0],
                compression=slow,
                datasets=where,
            )


def copies_are_many(facts: RuleInput) -> Iterator[Finding]:
    """Copies in place of redundancy, or beside it."""
    by_design = min((each.by_design for each in pool_redundancy(facts.pool)), default=None)
    where = places(facts, lambda each: (each.copies or 1) > 1)
    if not where or by_design is None:
        return
    listed = datasets_of(facts)
    copies = max(listed[name].copies or 1 for name in where)
    what = "its vdevs have redundancy as well" if by_design else "they do not survive the loss of a device"
    yield facts.advised(
        "copies-many",
        f"copies={copies} {in_words(facts, where)}: {what}",
        Advised(f"copies={copies}", "copies=1", set_first(where, "copies=1")),
        copies=copies,
        by_design=by_design,
        datasets=where,
    )


def atime_is_on(facts: RuleInput) -> Iterator[Finding]:
    """A write for each read of a file."""
    if where := places(facts, lambda each: each.atime == "on" and each.relatime == OFF):
        yield facts.advised(
            "atime-on",
            f"atime=on without relatime {in_words(facts, where)}: each read of a file writes",
            Advised("atime=on, relatime=off", "relatime=on or atime=off", set_first(where, "relatime=on")),
            atime="on",
            relatime=OFF,
            datasets=where,
        )


def acls_are_in_directories(facts: RuleInput) -> Iterator[Finding]:
    """POSIX ACLs that are kept in a hidden directory for each file."""

    def is_so(each: DatasetSettings) -> bool:
        return bool(each.has_directory_xattrs) and each.acltype in POSIX_ACLS

    if where := places(facts, is_so):
        yield facts.advised(
            "acl-in-directories",
            f"acltype=posix with xattr=dir {in_words(facts, where)}: each ACL takes objects of its own",
            Advised("xattr=dir with acltype=posix", "xattr=sa", set_first(where, "xattr=sa")),
            datasets=where,
        )


def cache_is_odd(facts: RuleInput) -> Iterator[Finding]:
    """Data that is read from the disks each time."""

    def is_so(each: DatasetSettings) -> bool:
        is_large = (
            each.recordsize_bytes or 0
        ) >= LARGE_RECORD  # a database with its own cache has small ones
        return each.primarycache == "none" or (each.primarycache == "metadata" and is_large)

    if where := places(facts, is_so):
        listed = datasets_of(facts)
        values = tuple(sorted({listed[name].primarycache or "" for name in where}))
        yield facts.advised(
            "cache-off",
            f"primarycache={' or '.join(values)} {in_words(facts, where)}: each read goes to the disks, "
            "of a whole record even for a part of it",
            Advised(
                f"primarycache={' or '.join(values)}",
                "primarycache=all",
                set_first(where, "primarycache=all"),
            ),
            primarycache=values,
            datasets=where,
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


def places(facts: RuleInput, is_so: Question) -> tuple[str, ...]:
    """Datasets at which a state begins: it is so there, and not in the parent. Sorted by name."""
    such = {name for name, each in datasets_of(facts).items() if is_so(each)}
    return tuple(sorted(name for name in such if name.rpartition("/")[0] not in such))


def set_first(where: tuple[str, ...], setting: str) -> ProposedAction:
    """The action for the first of these datasets; each has one of its own."""
    return ProposedAction("set", where[0], (setting,))


def in_words(facts: RuleInput, where: tuple[str, ...]) -> str:
    """Where a state begins: `on tank/a, tank/b and 3 more`."""
    others = tuple(name for name in where if name != facts.pool.name)
    if len(others) == len(where):
        return f"on {shortened(others, NAMED)}"
    return INHERITED + (f"; also on {shortened(others, NAMED)}" if others else "")


RULES: Final[tuple[Rule, ...]] = (
    checksums_are_off,
    sync_is_disabled,
    compression_is_odd,
    copies_are_many,
    atime_is_on,
    acls_are_in_directories,
    cache_is_odd,
)
