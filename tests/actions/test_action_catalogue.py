"""Every action explains itself."""

from __future__ import annotations

import pytest

from zconsole.actions.action_catalogue import SPECS, spec
from zconsole.actions.action_usage_and_plan_command import usage_of
from zconsole.base.errors import UsageError


@pytest.mark.parametrize("known", SPECS, ids=lambda known: known.id)
def test_every_help_is_a_sentence_and_every_word_explained(known: object) -> None:
    action = known

    assert action.help[0].isupper()  # type: ignore[attr-defined]
    assert action.help.endswith(".")  # type: ignore[attr-defined]
    assert all(each.help for each in (*action.arguments, *action.options))  # type: ignore[attr-defined]
    assert usage_of(action).startswith(f"{action.id} ")  # type: ignore[arg-type, attr-defined]


def test_an_action_that_is_none_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="there is no action 'scrap'") as raised:
        spec("scrap")

    assert "scrub" in (raised.value.hint or "")


def test_without_a_near_one_all_are_named() -> None:
    with pytest.raises(UsageError) as raised:
        spec("0")

    assert f"Known: {', '.join(sorted(each.id for each in SPECS))}." == raised.value.hint


def test_no_two_actions_have_one_name() -> None:
    assert len(SPECS) == len({each.id for each in SPECS})


def test_no_help_of_an_action_names_an_option_of_the_command_line() -> None:
    """Menus show it, where options have no dashes."""
    assert [] == [each.id for each in SPECS if "--" in each.help]
