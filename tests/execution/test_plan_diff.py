"""How a plan would do something else now."""

from __future__ import annotations

from dataclasses import replace

from tests.actions.test_plan import PLAN
from zconsole.actions.plan import Risk, Step
from zconsole.execution.plan_diff import other_doing


def test_the_same_plan_does_nothing_else() -> None:
    assert () == other_doing(PLAN, replace(PLAN, made_at=9.0, notes=("other words",)))


def test_other_commands_are_told() -> None:
    other = replace(PLAN, steps=(Step(("zfs", "destroy", "-r", "tank/a"), "destroy it"),))

    assert ("the commands would be others: zfs destroy -r tank/a",) == other_doing(PLAN, other)


def test_what_would_be_lost_besides_or_no_more_is_named() -> None:
    other = replace(PLAN, destroys=("tank/a", "tank/a@2"))

    assert ("tank/a@1 would not be destroyed any more", "tank/a@2 would be destroyed too") == (
        other_doing(PLAN, other)
    )


def test_a_higher_risk_is_told_and_a_lower_one_is_another_confirmation() -> None:
    higher, lower = replace(PLAN, risk=Risk.CATASTROPHIC), replace(PLAN, risk=Risk.CAUTION)

    assert ("it is catastrophic now, and was destructive",) == other_doing(PLAN, higher)
    assert ("what confirms it is 'tank/a' now, and was 'storage1:tank/a'",) == other_doing(PLAN, lower)
