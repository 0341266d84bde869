"""Findings of one rule on one pool, put together: of forty datasets one point is made, not forty."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.model.finding import Finding, Severity


def by_rule_and_pool(found: Iterable[Finding]) -> tuple[tuple[Finding, ...], ...]:
    """The findings of each rule, pool and severity together, in the order of the first of each."""
    groups: dict[tuple[str, str, Severity, bool], list[Finding]] = {}
    for each in found:
        pool = each.evidence.get("pool")
        of = pool if isinstance(pool, str) else each.subject
        groups.setdefault((each.id, of, each.severity, each.is_advice), []).append(each)
    return tuple(map(tuple, groups.values()))


def points_of_advice(found: Iterable[Finding]) -> int:
    """The number of points of advice: what a rule says of several objects of a pool is one point."""
    return len(by_rule_and_pool(each for each in found if each.is_advice))
