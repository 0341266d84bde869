"""Actions are found by what people want, by words at their beginning; all rows of the index exist."""

from __future__ import annotations

import pytest

from tests.generated import index_rows
from zconsole.views.layout.screen_key_registry import ACTIONS
from zconsole.views.layout.words_of_need import NEEDS, begins, in_menu, is_named, near_words

BY_ID = {each.id: each for each in ACTIONS}


@pytest.mark.parametrize(
    ("typed", "action_id"),
    [
        ("destroyed", "history"),
        ("deleted", "history"),
        ("who", "history"),
        ("units", "settings"),
        ("binary", "settings"),
        ("scrub", "act"),
        ("free space", "free_pool"),
        ("silence", "silence"),
        ("mute", "silence"),
        ("led", "locate"),
        ("PAUSED guest", "resume_guest"),
    ],
)
def test_an_action_is_found_by_words_of_need(typed: str, action_id: str) -> None:
    assert is_named(BY_ID[action_id], typed)


@pytest.mark.parametrize(
    ("expected", "words"),
    [(True, "sna"), (False, "shots"), (True, "of a"), (False, "of z"), (True, "ctrl+"), (True, "")],
)
def test_words_are_matched_at_their_beginning(expected: bool, words: str) -> None:
    assert expected is begins("Ctrl+L snapshots of a pool", words)


def test_actions_of_the_menu_are_found_by_their_titles_first() -> None:
    assert "Scrub" == in_menu("scrub")[0][0]
    assert "Destroy" in [title for title, _ in in_menu("destroy")][:1]
    assert [] == in_menu(" ")
    assert [] == in_menu("no-such-thing")


def test_every_need_has_actions_that_exist_and_its_own_words_find_them() -> None:
    assert len(NEEDS) == len(list(index_rows()))
    for need in NEEDS:
        for each in need.actions:
            assert is_named(BY_ID[each], need.wish), need.wish


def test_an_action_that_is_no_more_is_no_row_of_the_index() -> None:
    with pytest.raises(KeyError):
        list(index_rows(each for each in ACTIONS if each.id != "history"))


@pytest.mark.parametrize(
    ("near", "typed"),
    [("scrub", "scurb"), ("snapshot", "snapshto"), ("destroy", "destory"), ("", "zzzqq"), ("", "scrub")],
)
def test_a_word_that_nothing_has_is_answered_with_one_that_may_be_meant(near: str, typed: str) -> None:
    assert near == near_words(typed)
