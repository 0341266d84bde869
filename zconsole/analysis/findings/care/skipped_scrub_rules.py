"""Rule on a scrub that was skipped: canceled, or left out while other pools of the host were scrubbed.

ZFS records only the last scan of a pool: what is said of a scrub is said of that one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.base.fixed_width_formatting import duration
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Advised, Finding, ProposedAction
from zconsole.model.pools.pool import Pool

RESUMED_WITHIN_S: Final = 2 * DAY_S  # a scrub that is canceled for work is begun again by then
NAMED: Final = 4


def scrub_was_skipped(facts: RuleInput) -> Iterator[Finding]:
    """A period without a full scrub, although other pools had one in it; or a scrub that was canceled."""
    scan, period_s = facts.pool.scan, facts.thresholds.scrub_overdue_days * DAY_S
    if scan is not None and (scan.is_running or scan.state == "paused"):
        return
    last = facts.pool.creation if scan is None else scan.end
    if last is None:
        return
    age_s = facts.now - last
    others = _scrubbed_since(facts, max(last, facts.now - period_s) + DAY_S)
    if age_s > period_s and others:
        verb = "was" if len(others) == 1 else "were"
        yield _skipped(
            facts,
            f"it was left out when {shortened(others, NAMED)} {verb} scrubbed: its timer does not name it, "
            "or passed it over",
            f"nothing for {duration(age_s)}",
            others,
        )
    elif (
        scan is not None
        and (scan.function, scan.state) == ("scrub", "canceled")
        and RESUMED_WITHIN_S < age_s <= period_s
    ):
        yield _skipped(
            facts,
            f"its last scrub was canceled {duration(age_s)} ago, and none has begun since",
            f"canceled {duration(age_s)} ago",
            (),
        )


def _skipped(facts: RuleInput, summary: str, found: str, others: tuple[str, ...]) -> Finding:
    days = facts.thresholds.scrub_overdue_days
    return facts.advised(
        "scrub-skipped",
        summary,
        Advised(found, f"a full scrub in {days:g}d", ProposedAction("scrub", facts.pool.name)),
        last_scan=None if facts.pool.scan is None else facts.pool.scan.end,
        scrubbed_meanwhile=others,
        limit_days=days,
    )


def _scrubbed_since(facts: RuleInput, since: float) -> tuple[str, ...]:
    """Other pools whose last scrub began since then, and not within the last two days."""
    until = facts.now - RESUMED_WITHIN_S  # a timer may go from pool to pool
    return tuple(
        sorted(each.name for each in facts.neighbours if since <= (_scrub_start(each) or 0.0) <= until)
    )


def _scrub_start(pool: Pool) -> float | None:
    scan = pool.scan if pool.last_scrub is None else pool.last_scrub
    if scan is None or scan.function != "scrub" or scan.state == "canceled":
        return None
    return scan.start


RULES: Final[tuple[Rule, ...]] = (scrub_was_skipped,)
