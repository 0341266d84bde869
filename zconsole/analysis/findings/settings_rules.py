"""Rules on the settings of a pool's root dataset, which its other datasets inherit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.vdevs.redundancy import pool_redundancy
from zconsole.model.finding import Advised, Finding, Severity

OFF: Final = "off"
SLOW_COMPRESSIONS: Final = frozenset({"gzip-7", "gzip-8", "gzip-9"})
INHERITED: Final = "on its root dataset, and where that is inherited"


def checksums_are_off(facts: RuleInput) -> Iterator[Finding]:
    """Data without checksums: damage is neither found nor repaired, whatever redundancy there is."""
    if facts.pool.settings is not None and facts.pool.settings.checksum == OFF:
        yield facts.advised(
            "checksum-off",
            f"checksum=off {INHERITED}: damaged data is neither found nor repaired",
            Advised("checksum=off", "any checksum", facts.setting("checksum", "on")),
            risk=Severity.WARNING,
            checksum=OFF,
        )


def sync_is_disabled(facts: RuleInput) -> Iterator[Finding]:
    """Synchronous writes that are acknowledged before they are stored."""
    if facts.pool.settings is not None and facts.pool.settings.sync == "disabled":
        yield facts.advised(
            "sync-disabled",
            f"sync=disabled {INHERITED}: a crash loses writes that programs believe stored",
            Advised("sync=disabled", "sync=standard or always", facts.setting("sync", "standard")),
            sync="disabled",
        )


def compression_is_odd(facts: RuleInput) -> Iterator[Finding]:
    """No compression, or one that costs far more than it saves."""
    settings = facts.pool.settings
    if settings is None:
        return
    if settings.compression == OFF:
        yield facts.advised(
            "compression-off",
            f"compression=off {INHERITED}",
            Advised("compression=off", "any compression", facts.setting("compression", "lz4")),
            compression=settings.compression,
        )
    elif settings.compression in SLOW_COMPRESSIONS:
        yield facts.advised(
            "compression-slow",
            f"compression={settings.compression} {INHERITED}",
            Advised(
                f"compression={settings.compression}", "at most gzip-6", facts.setting("compression", "zstd")
            ),
            compression=settings.compression,
        )


def dedup_is_on(facts: RuleInput) -> Iterator[Finding]:
    """Deduplication of everything that is written."""
    settings, ratio = facts.pool.settings, facts.pool.dedup_ratio
    if settings is not None and settings.dedup != OFF:
        told = "" if ratio is None else f"; its ratio is {ratio:.2f}"
        yield facts.advised(
            "dedup-on",
            f"dedup={settings.dedup} {INHERITED}{told}",
            Advised(f"dedup={settings.dedup}", "dedup=off", facts.setting("dedup", OFF)),
            dedup=settings.dedup,
            dedup_ratio=ratio,
        )


def copies_are_many(facts: RuleInput) -> Iterator[Finding]:
    """Copies in place of redundancy, or beside it."""
    copies = facts.pool.settings.copies if facts.pool.settings is not None else None
    by_design = min((each.by_design for each in pool_redundancy(facts.pool)), default=None)
    if copies is None or copies < 2 or by_design is None:
        return
    what = "its vdevs have redundancy as well" if by_design else "they do not survive the loss of a device"
    yield facts.advised(
        "copies-many",
        f"copies={copies} {INHERITED}: {what}",
        Advised(f"copies={copies}", "copies=1", facts.setting("copies", "1")),
        copies=copies,
        by_design=by_design,
    )


def atime_is_on(facts: RuleInput) -> Iterator[Finding]:
    """A write for each read of a file."""
    settings = facts.pool.settings
    if settings is not None and settings.atime == "on" and settings.relatime == OFF:
        yield facts.advised(
            "atime-on",
            f"atime=on without relatime {INHERITED}: each read of a file writes",
            Advised("atime=on, relatime=off", "relatime=on or atime=off", facts.setting("relatime", "on")),
            atime=settings.atime,
            relatime=settings.relatime,
        )


RULES: Final[tuple[Rule, ...]] = (
    checksums_are_off,
    sync_is_disabled,
    compression_is_odd,
    dedup_is_on,
    copies_are_many,
    atime_is_on,
)
