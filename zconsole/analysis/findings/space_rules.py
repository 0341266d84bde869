"""Rules on space: capacity, and space held by a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.guests.full_pool_sentences import full_in_short
from zconsole.analysis.guests.guests_of_a_full_pool import FullEffect, GuestWhenFull, guests_when_full
from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.base.fixed_width_formatting import duration, size
from zconsole.model.finding import Finding, Severity


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
    left = full.total_bytes - full.used_bytes
    guests = guests_when_full(facts.guests, facts.pool.name)
    then = full_in_short(guests)
    yield facts.found(
        finding_id,
        severity,
        f"{int(full.percent)}% of {size(full.total_bytes)} {kind} space used, {size(left)} left"
        f"{f'; {then}' if then else ''}",
        used_percent=round(full.percent, 2),
        used_bytes=full.used_bytes,
        total_bytes=full.total_bytes,
        is_raw=full.is_raw,
        limit_percent=limit,
        guests_paused=_with(guests, FullEffect.PAUSED),
        guests_with_errors=(*_with(guests, FullEffect.WRITES_LOST), *_with(guests, FullEffect.SEES_ERRORS)),
    )


def checkpoint_exists(facts: RuleInput) -> Iterator[Finding]:
    """A checkpoint holds all space freed since, and forbids most changes of vdevs."""
    held, created = facts.pool.checkpoint_bytes, facts.pool.checkpoint_created
    if held:
        age = "" if created is None else f" made {duration(facts.now - created)} ago"
        yield facts.found(
            "checkpoint-exists",
            Severity.INFO,
            f"a checkpoint{age} holds {size(held)}; with it no device can be replaced, attached or removed",
            checkpoint_bytes=held,
            created=created,
        )


def _with(guests: Sequence[GuestWhenFull], effect: FullEffect) -> tuple[str, ...]:
    return tuple(each.guest for each in guests if each.effect is effect)


RULES: Final[tuple[Rule, ...]] = (pool_is_filling, checkpoint_exists)
