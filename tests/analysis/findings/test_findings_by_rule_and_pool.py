"""One point of a rule for each pool: severities and pools stay apart, the order stays."""

from __future__ import annotations

from dataclasses import replace

from zconsole.analysis.findings.findings_by_rule_and_pool import by_rule_and_pool
from zconsole.model.finding import Finding, Severity

A = Finding("quota-near", Severity.INFO, "tank/a", "a", {"pool": "tank"})
B = replace(A, subject="tank/b")


def test_objects_of_one_pool_are_together_in_the_place_of_the_first() -> None:
    other = replace(A, id="atime-on")

    assert ((A, B), (other,)) == by_rule_and_pool([A, other, B])


def test_pools_and_severities_stay_apart() -> None:
    elsewhere = replace(A, evidence={"pool": "bulk"})
    worse = replace(B, severity=Severity.WARNING)

    assert ((A,), (elsewhere,), (worse,)) == by_rule_and_pool([A, elsewhere, worse])


def test_without_a_pool_each_object_is_by_itself() -> None:
    first, second = replace(A, evidence={}), replace(B, evidence={})

    assert ((first,), (second,)) == by_rule_and_pool([first, second])
