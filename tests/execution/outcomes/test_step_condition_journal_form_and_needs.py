"""Conditions in the journal, and the facts that they need."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.execution.outcomes.tellings import (
    FALSE,
    TRUE,
    UNKNOWN,
    K,
)
from zconsole.actions.plan import Condition
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import (
    ConditionCheck,
    from_json,
    needs_of,
    to_json,
)


def test_conditions_are_kept_in_the_journal_as_they_are() -> None:
    told = tuple(ConditionCheck(condition, "scrub finished 1") for condition in (*TRUE, *FALSE, *UNKNOWN))

    told += tuple(replace(each, is_aim=True) for each in told)
    assert told == from_json(to_json(told))


def test_only_what_is_needed_is_read() -> None:
    assert ((), False, ()) == _needs(Condition(K.VDEV_GONE, "1", "tank"))
    assert (("tank",), True, ()) == _needs(Condition(K.HOLD_THERE, "tank/home@a", value="x"))
    assert ((), False, (("tank", "autotrim"), ("tank", "all"))) == _needs(
        Condition(K.PROPERTY_IS, "tank", "tank", "autotrim", "on")
    )
    assert ("/dev/x",) == needs_of([ConditionCheck(Condition(K.LABEL_GONE, "/dev/x"))]).labels


def _needs(condition: Condition) -> tuple[object, object, object]:
    needs = needs_of([ConditionCheck(condition)])
    return needs.datasets, needs.holds, needs.properties


@pytest.mark.parametrize("text", ["{}", "[1]", '[["nonsense", "a", "b", "c", "d", "e"]]', "[" * 100_000])
def test_what_is_no_list_of_conditions_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"condition|nonsense|Expecting"):
        from_json(text)
