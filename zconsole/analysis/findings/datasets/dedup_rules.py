"""Rules on deduplication: what it gains, its table against memory, the quota of the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.datasets.settings_rules import in_words, places, setting
from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.base.fixed_width_formatting import size, used_percent
from zconsole.base.quantities import grouped
from zconsole.model.finding import Advised, Finding

OFF: Final = "off"
PAYS_FROM: Final = 2.0  # ratio: half of the space is saved
LARGE_PERCENT: Final = 25  # of the limit of the ARC, which data and other metadata need as well
NEAR_PERCENT: Final = 90
PERCENT: Final = 100
FAST_CLASSES: Final = ("dedup", "special")


def dedup_does_not_pay(facts: RuleInput) -> Iterator[Finding]:
    """Deduplication of all that is written, unless it saves half of the pool's space.

    What its table costs is a finding of its own.
    """
    ratio = facts.pool.dedup_ratio
    if ratio is not None and ratio >= PAYS_FROM:
        return
    told = "" if ratio is None else f"; the ratio of the pool is {ratio:.2f}"
    gain = "its gain is not known" if ratio is None else f"a ratio of {ratio:.2f} in the pool"
    for each in places(facts, lambda each: each.dedup not in (None, OFF)):
        yield facts.advised(
            "dedup-on",
            f"dedup={each.dedup} {in_words(facts, each)}{told}",
            Advised(
                f"dedup={each.dedup}, {gain}",
                f"dedup=off, or a ratio of {PAYS_FROM:g}",
                setting(each, "dedup=off"),
            ),
            on=each.name,
            dataset=each.name,
            dedup=each.dedup,
            dedup_ratio=ratio,
            limit_ratio=PAYS_FROM,
        )


def dedup_table_is_large(facts: RuleInput) -> Iterator[Finding]:
    """A table that takes much of the memory that the ARC may have, or does not fit into it."""
    table, most = facts.state.dedup.value, _arc_limit(facts)
    if table is None or not most or PERCENT * table.core_bytes < LARGE_PERCENT * most:
        return
    percent = PERCENT * table.core_bytes / most
    fast = any(facts.pool.of_class(each) for each in FAST_CLASSES)
    reads = "the dedup or special vdevs" if fast else "the data vdevs"
    yield facts.advised(
        "dedup-table-large",
        f"its deduplication table of {grouped(table.entries)} entries takes {size(table.core_bytes)} of "
        f"memory when all of it is loaded, {used_percent(percent)} of the {size(most)} that the ARC may have"
        f"; what is not loaded is read from {reads} before a block is written or freed",
        Advised(f"{used_percent(percent)} of the ARC", f"{LARGE_PERCENT}%", None),
        entries=table.entries,
        core_bytes=table.core_bytes,
        disk_bytes=table.disk_bytes,
        arc_max_bytes=most,
        has_fast_vdevs=fast,
        limit_percent=LARGE_PERCENT,
    )


def dedup_quota_is_near(facts: RuleInput) -> Iterator[Finding]:
    """A table that has nearly reached its quota, beyond which nothing new is deduplicated."""
    table = facts.state.dedup.value
    if table is None or not table.quota_bytes:
        return
    percent = PERCENT * table.disk_bytes / table.quota_bytes
    if percent >= NEAR_PERCENT:
        yield facts.advised(
            "dedup-quota-near",
            f"its deduplication table has {size(table.disk_bytes)}, {used_percent(percent)} of its quota of "
            f"{size(table.quota_bytes)}: beyond it new blocks are not deduplicated",
            Advised(f"{used_percent(percent)} of dedup_table_quota", f"{NEAR_PERCENT}%", None),
            disk_bytes=table.disk_bytes,
            quota_bytes=table.quota_bytes,
            limit_percent=NEAR_PERCENT,
        )


def _arc_limit(facts: RuleInput) -> int | None:
    return None if facts.host_settings is None else facts.host_settings.arc_max_bytes


RULES: Final[tuple[Rule, ...]] = (
    dedup_does_not_pay,
    dedup_table_is_large,
    dedup_quota_is_near,
)
