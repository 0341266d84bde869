"""Conditions in words."""

from __future__ import annotations

from tests.execution.outcomes.tellings import (
    FALSE,
    LINE,
    TRUE,
    UNKNOWN,
    A,
    B,
)
from zconsole.execution.outcomes.step_condition_in_words import in_words
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck
from zconsole.execution.outcomes.uncertain_step import judge


def test_words_name_what_to_look_at() -> None:
    assert "check: zfs hold new tank/home@a" in judge(LINE, [], None).words
    partly = judge(LINE, [(A, True), (B, False)], None).words
    assert "so: tank/a is there" in partly
    assert "not known: tank/b is there" in partly
    assert all(in_words(ConditionCheck(condition)) for condition in (*TRUE, *FALSE, *UNKNOWN))
