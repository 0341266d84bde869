"""One rule on one pool."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW
from tests.analysis.build import pool as healthy
from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.pool import Pool


def given(pool: Pool | None = None, **state: object) -> RuleInput:
    """What a rule is given: a healthy pool unless told."""
    of = pool or healthy()
    made = replace(PoolState(of.name), **state)  # type: ignore[arg-type]
    return RuleInput(made, of, NOW, Thresholds())


def said(rule: Rule, pool: Pool | None = None, **state: object) -> list[tuple[str, str]]:
    """Ids and sentences of what a rule finds."""
    return [(each.id, each.summary) for each in rule(given(pool, **state))]
