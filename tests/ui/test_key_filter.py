"""Which keys go nowhere after a dialog has closed, on a clock of their own."""

from __future__ import annotations

import pytest

from zconsole.ui.key_filter import EXPECTED_S, HELD_S, QUIET_S, REPEAT_S, AfterClosing, KeyFate, KeyFilter


def closed(key: str = "enter", at: float = 10.0) -> KeyFilter:
    """A dialog that a key has just closed."""
    quiet = KeyFilter()
    assert KeyFate.PASSES is quiet.fate(key, at - 0.01, at - 0.01)
    quiet.closed(at)
    return quiet


def test_the_rest_of_a_typed_name_goes_nowhere_when_its_dialog_has_closed() -> None:
    quiet, now = closed(), 10.0
    for key in "tank/home D q":
        now += 0.15
        assert KeyFate.DROPPED is quiet.fate(key, now, now)

    assert KeyFate.PASSES is quiet.fate("D", now + QUIET_S + 0.01, now + QUIET_S + 0.01)


def test_what_was_pressed_before_and_comes_later_goes_nowhere() -> None:
    """The screen was busy for a second: nothing of what was pressed meanwhile is for what is in front now."""
    assert KeyFate.DROPPED is closed().fate("q", 9.9, 11.5)


def test_a_person_is_heard_half_a_second_later() -> None:
    assert KeyFate.PASSES is closed().fate("D", 10.5, 10.5)


@pytest.mark.parametrize("key", ["q", "escape"])
@pytest.mark.parametrize("repeats_a_second", [20, 30, 60])
@pytest.mark.parametrize("first_repeat_s", [0.25, 0.5, 0.66, 1.0])
def test_the_key_that_closed_it_is_not_heard_while_it_is_held(
    first_repeat_s: float, repeats_a_second: int, key: str
) -> None:
    quiet, now = closed(key), 10.0
    now += first_repeat_s
    for _ in range(100):
        assert KeyFate.PASSES is not quiet.fate(key, now, now)
        now += 1 / repeats_a_second
        assert not quiet.is_still_doubted(now)


def test_the_same_key_pressed_once_more_is_heard_a_moment_later() -> None:
    quiet = closed("escape")
    pressed = 10.0 + QUIET_S + 0.1
    assert KeyFate.DOUBTED is quiet.fate("escape", pressed, pressed)
    assert quiet.is_still_doubted(pressed)

    again = pressed + REPEAT_S + 0.1
    assert KeyFate.PASSES is quiet.fate("escape", again, again)


def test_the_same_key_is_heard_at_once_later_on() -> None:
    now = 10.0 + HELD_S + 0.1
    assert KeyFate.PASSES is closed("escape").fate("escape", now, now)


def test_a_dialog_that_opens_by_itself_takes_no_key_of_a_person_who_types() -> None:
    quiet = KeyFilter()
    quiet.opened(10.0, is_unasked=True)
    assert KeyFate.DROPPED is quiet.fate("enter", 10.2, 10.2)
    assert KeyFate.DROPPED is quiet.fate("escape", 10.3, 10.3)
    assert KeyFate.PASSES is quiet.fate("enter", 11.0, 11.0)


def test_a_dialog_that_was_asked_for_takes_keys_at_once_but_none_from_before() -> None:
    quiet = KeyFilter()
    quiet.opened(10.0, is_unasked=False)
    assert KeyFate.DROPPED is quiet.fate("enter", 9.99, 10.01)
    other = KeyFilter()
    other.opened(10.0, is_unasked=False)
    assert KeyFate.PASSES is other.fate("s", 10.1, 10.1)


def test_between_the_wish_and_the_dialog_no_key_is_for_the_list() -> None:
    quiet = KeyFilter()
    quiet.expect(10.0)
    assert KeyFate.DROPPED is quiet.fate("D", 10.1, 10.1)
    quiet.expect(20.0)
    assert KeyFate.PASSES is quiet.fate("D", 20.0 + EXPECTED_S + 0.1, 20.0 + EXPECTED_S + 0.1)


def test_a_further_step_back_is_heard_at_once_and_no_other_key() -> None:
    """Two presses of a hand are two steps; two that come together are one."""
    assert KeyFate.DROPPED is closed("escape").fate("escape", 10.05, 10.05)
    quiet = closed("escape")
    assert KeyFate.DROPPED is quiet.fate("enter", 10.15, 10.15)
    assert KeyFate.DOUBTED is quiet.fate("escape", 10.2, 10.2)
    assert quiet.is_still_doubted(10.2)


def test_after_a_text_to_read_keys_are_for_the_screen() -> None:
    quiet = KeyFilter()
    assert KeyFate.PASSES is quiet.fate("enter", 9.99, 9.99)
    quiet.closed(10.0, AfterClosing.FOR_SCREEN)

    assert KeyFate.DROPPED is quiet.fate("D", 9.995, 10.1)
    assert KeyFate.PASSES is quiet.fate("D", 10.01, 10.1)


@pytest.mark.parametrize("pressed", [9.995, 10.001, 10.1, 10.35])
def test_a_key_right_behind_a_step_back_from_a_list_is_for_the_screen(pressed: float) -> None:
    """A copy menu, a command line, a question: the hand that left it goes on at once."""
    quiet = KeyFilter()
    assert KeyFate.PASSES is quiet.fate("escape", 9.99, 9.99)
    quiet.closed(10.0, AfterClosing.FOR_SCREEN)

    assert KeyFate.PASSES is quiet.fate("j", pressed, max(10.0, pressed))


def test_two_steps_back_that_come_together_are_one() -> None:
    quiet = KeyFilter()
    assert KeyFate.PASSES is quiet.fate("escape", 9.99, 9.99)
    quiet.closed(10.0, AfterClosing.FOR_SCREEN)

    assert KeyFate.DROPPED is quiet.fate("escape", 10.02, 10.02)
    assert KeyFate.DOUBTED is quiet.fate("escape", 10.2, 10.2)


@pytest.mark.parametrize(
    ("key", "after"),
    [
        ("escape", AfterClosing.TYPED_ON),
        ("escape", AfterClosing.CONFIRMED),
        ("enter", AfterClosing.CONFIRMED),
    ],
)
def test_dropped_keys_do_not_make_it_longer_where_nobody_types_on(key: str, after: AfterClosing) -> None:
    """Enter in a plan may be a slip amid its words; Esc is a decision, and a report asks for no words."""
    quiet = KeyFilter()
    assert KeyFate.PASSES is quiet.fate(key, 9.99, 9.99)
    quiet.closed(10.0, after)

    assert KeyFate.DROPPED is quiet.fate("j", 10.2, 10.2)
    assert KeyFate.DROPPED is quiet.fate("j", 10.0 + QUIET_S - 0.01, 10.0 + QUIET_S - 0.01)
    assert KeyFate.PASSES is quiet.fate("j", 10.0 + QUIET_S + 0.01, 10.0 + QUIET_S + 0.01)
