"""The one list of actions is sound, and everything that derives from it is up to date."""

from __future__ import annotations

from collections import Counter

import pytest

from zconsole.actions.available_actions import SPECS
from zconsole.views.layout.screen_key_registry import (
    ACTIONS,
    EVERYWHERE,
    PLACES,
    actions,
    footer,
    key_name,
)


@pytest.mark.parametrize("place", PLACES)
def test_no_key_means_two_things_on_one_screen(place: str) -> None:
    used = Counter(key for action in actions(place) for key in action.keys)

    assert [] == [key for key, times in used.items() if times > 1]


def meanings() -> dict[str, set[str]]:
    """What each key means, on whatever screen."""
    found: dict[str, set[str]] = {}
    for action in ACTIONS:
        for key in action.keys:
            found.setdefault(key, set()).add(action.meaning)
    return found


def test_a_key_has_one_meaning_on_all_screens() -> None:
    assert {} == {key: what for key, what in meanings().items() if len(what) > 1}


def test_no_key_that_destroys_means_anything_else() -> None:
    destroying = {key for action in ACTIONS if action.meaning == "destroy" for key in action.keys}
    others = {key for action in ACTIONS if action.meaning != "destroy" for key in action.keys}

    assert {"delete", "ctrl+d"} == destroying
    assert set() == destroying & others


def test_the_keys_of_the_menu_of_actions_mean_there_what_they_mean_on_screens() -> None:
    same = {"destroy": "destroy", "replace": "repair"}
    for spec in SPECS:
        if spec.key:
            assert {same.get(spec.id, spec.id)} >= meanings().get(spec.key, set()), spec.id


def test_ids_are_unique_and_places_are_known() -> None:
    assert len(ACTIONS) == len({action.id for action in ACTIONS})
    assert {place for action in ACTIONS for place in action.where} <= {EVERYWHERE, *PLACES}


def test_every_help_is_a_sentence() -> None:
    assert all(action.help[0].isupper() and action.help.endswith(".") for action in ACTIONS)


@pytest.mark.parametrize("place", PLACES)
def test_every_screen_tells_how_to_see_all_keys_or_is_that(place: str) -> None:
    assert place == "help" or "keys" in {action.id for action in footer(place)}


@pytest.mark.parametrize(
    ("expected", "key"),
    [("/", "slash"), ("Ctrl+P", "ctrl+p"), ("Esc", "escape"), ("O", "O"), ("?", "question_mark")],
)
def test_keys_are_named_as_users_know_them(expected: str, key: str) -> None:
    assert expected == key_name(key)
