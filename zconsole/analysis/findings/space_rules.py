"""Rules on space: capacity, fragmentation, and space held by a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.guests.full_pool_sentences import full_in_short, full_now_in_short
from zconsole.analysis.guests.guests_of_a_full_pool import FullEffect, GuestWhenFull, guests_when_full
from zconsole.analysis.pool_layouts.usable_space import slop_of_usable
from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.base.finding_thresholds import LAST_PERCENT
from zconsole.base.fixed_width_formatting import duration, size, used_percent
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Advised, Finding, Severity

FRAGMENTED_PERCENT: Final = 71  # free space in pieces of 64 KiB (since 2.3.1), before of 32 KiB
FRAGMENTED_PIECE_BYTES: Final = 64 << 10
NAMED: Final = 4
CHECKPOINT_SHARE: Final = 0.01  # of the pool: a checkpoint that is to be discarded before snapshots go


def pool_is_filling(facts: RuleInput) -> Iterator[Finding]:
    """A pool slows down as it fills, and when full not even deletes succeed."""
    full = fill(facts.pool)
    if full is None:
        return
    limits = facts.thresholds
    if full.percent >= limits.used_critical_percent:
        finding_id, severity, limit = "capacity-critical", Severity.CRITICAL, limits.used_critical_percent
    elif full.percent >= limits.used_warning_percent:
        finding_id, severity, limit = "capacity-warning", Severity.WARNING, limits.used_warning_percent
    else:
        return
    kind = "raw" if full.is_raw else "usable"
    slop = None if full.is_raw else slop_of_usable(full.total_bytes)
    left = full.total_bytes - full.used_bytes
    guests = guests_when_full(facts.residents, facts.pool.name)
    then = full_now_in_short(guests) if left <= 0 else full_in_short(guests)
    last = full.percent >= LAST_PERCENT and slop is not None
    when = "writes fail now" if left <= 0 else "when it is used up writes fail"
    end = f"; {when}: {size(slop)} more are kept for deletes and administration" if last else ""
    held = facts.pool.checkpoint_bytes or 0
    yield facts.advised(
        finding_id,
        f"{used_percent(full.percent)} of {size(full.total_bytes)} {kind} space used, {size(left)} left{end}"
        f"{f'; {then}' if then else ''}",
        Advised(f"{used_percent(full.percent)} used", f"less than {limit:g}%", None),
        risk=severity,
        used_percent=round(full.percent, 2),
        used_bytes=full.used_bytes,
        total_bytes=full.total_bytes,
        is_raw=full.is_raw,
        limit_percent=limit,
        slop_bytes=slop,
        checkpoint_bytes=held if held >= CHECKPOINT_SHARE * full.total_bytes else None,
        guests_paused=_with(guests, FullEffect.PAUSED),
        guests_with_errors=(
            *_with(guests, FullEffect.WRITES_LOST),
            *_with(guests, FullEffect.SEES_ERRORS),
            *_with(guests, FullEffect.PROGRAMS_FAIL),
        ),
    )


def free_space_is_fragmented(facts: RuleInput) -> Iterator[Finding]:
    """Data vdevs whose free space lies in pieces smaller than the records that are to be written there.

    Special and dedup vdevs are left alone: what they take is small. So is a pool whose datasets are known to
    write small blocks only.
    """
    blocks = [each.recordsize_bytes or each.volblocksize_bytes for each in facts.state.settings.value or ()]
    if blocks and all(each is not None and each <= FRAGMENTED_PIECE_BYTES for each in blocks):
        return
    bad = [
        (top.fragmentation_percent, top.name)
        for top in facts.pool.of_class("data")
        if (top.fragmentation_percent or 0) >= FRAGMENTED_PERCENT
    ]
    if bad:
        told = tuple(f"{name} {percent}%" for percent, name in sorted(bad, key=lambda each: -(each[0] or 0)))
        yield facts.advised(
            "fragmentation",
            "its free space lies in pieces of 64 KiB or less on average, too small for large records: "
            f"fragmentation of {shortened(told, NAMED)}",
            Advised(told[0], f"less than {FRAGMENTED_PERCENT}%", None),
            vdevs=told,
            limit_percent=FRAGMENTED_PERCENT,
        )


def checkpoint_exists(facts: RuleInput) -> Iterator[Finding]:
    """A checkpoint holds all space freed since, and forbids most changes of vdevs."""
    held, created = facts.pool.checkpoint_bytes, facts.pool.checkpoint_created
    if held:
        age = "" if created is None else f" made {duration(facts.now - created)} ago"
        yield facts.found(
            "checkpoint-exists",
            Severity.INFO,
            f"a checkpoint{age} holds {size(held)}; with it no device can be replaced, attached, detached or "
            "removed",
            checkpoint_bytes=held,
            created=created,
        )


def _with(guests: Sequence[GuestWhenFull], effect: FullEffect) -> tuple[str, ...]:
    return tuple(each.guest for each in guests if each.effect is effect)


RULES: Final[tuple[Rule, ...]] = (pool_is_filling, free_space_is_fragmented, checkpoint_exists)
