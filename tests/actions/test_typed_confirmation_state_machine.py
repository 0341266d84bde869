"""No key that was not meant gets through the guard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.actions.typed_confirmation_state_machine import (
    AT_ONCE,
    COUNTDOWN_S,
    NO_USE,
    NOTHING_TYPED,
    QUIET_S,
    TOO_FAST,
    WRONG_KEY,
    Guard,
    GuardStage,
)

CONFIRM = "storage1:tank/home"


def _type(guard: Guard, text: str, now: float, step: float = 0.1) -> tuple[Guard, float]:
    for character in text:
        now += step
        guard = guard.key(character, character, now)
    return guard, now


def test_a_routine_plan_wants_yes_and_quiet_around_it() -> None:
    guard = Guard(None).painted(10.0)
    guard, now = _type(guard, "yes", 10.0 + QUIET_S)
    assert guard.stage is GuardStage.PRESSED
    assert guard.tick(now + QUIET_S - 0.01).stage is GuardStage.PRESSED
    assert guard.tick(now + QUIET_S + 0.01).stage is GuardStage.GO


def test_yes_too_soon_after_another_key_does_not_count() -> None:
    seen = Guard(None).painted(10.0).key("j", "j", 11.0)
    early, now = _type(seen, "yes", 11.0)
    assert early.tick(now + 5.0).stage is GuardStage.READY


@pytest.mark.parametrize("step", [0.08, 0.15, 0.25])
@pytest.mark.parametrize("word", ["yes", "yes please", "y"])
def test_why_yes_did_not_count_stays_until_it_is_typed_anew(word: str, step: float) -> None:
    """Behind the name at one pace: the letters that follow take the reason away from nobody."""
    early, now = _type(Guard(CONFIRM).painted(0.0), CONFIRM + word, 1.0, step)
    assert (early.stage, early.said) == (GuardStage.READY, TOO_FAST)
    again, now = _type(early, "yes", now + 1.0, step)
    assert (again.stage, again.said) == (GuardStage.PRESSED, "")


def test_why_it_was_stopped_stays_while_keys_come() -> None:
    pressed, now = _type(Guard(None).painted(0.0), "yes", 1.0)
    stopped, now = _type(pressed, "sss", now)
    assert "another key came; nothing was done" == stopped.said
    counting = _type(Guard(None, has_countdown=True).painted(0.0), "yes", 1.0)[0].tick(3.0)
    stopped, now = _type(counting, "no!", 3.0)
    assert "stopped; nothing was done" == stopped.said


def test_what_follows_text_that_came_at_once_does_not_hide_why_it_is_gone() -> None:
    """A lagging link hands over the first letters together, and the rest of the name key by key."""
    early, now = _type(Guard(CONFIRM).painted(0.0), CONFIRM[:4], 1.0, step=0.001)
    rest, now = _type(early, CONFIRM[4:], now, step=0.15)
    assert rest.said == AT_ONCE


def test_enter_behind_yes_changes_nothing() -> None:
    """Many close a word with it."""
    guard, now = _type(Guard(None).painted(10.0), "yes", 11.0)
    entered = guard.key("enter", "\r", now + 0.1)
    assert entered.tick(now + QUIET_S - 0.01).stage is GuardStage.PRESSED
    assert entered.tick(now + QUIET_S + 0.01).stage is GuardStage.GO


def test_any_other_key_behind_yes_stops_it() -> None:
    guard, now = _type(Guard(None).painted(10.0), "yes", 11.0)
    stopped = guard.key("l", "l", now + 0.1)
    assert "another key came; nothing was done" == stopped.said
    assert stopped.tick(now + 5.0).stage is GuardStage.READY


def test_keys_from_before_the_painting_are_dropped() -> None:
    unseen = Guard(None).key("y", "y", 1.0).key("y", "y", 2.0)
    assert unseen.stage is GuardStage.UNSEEN
    seen = unseen.painted(10.0)
    assert seen.key("y", "y", 9.9) == seen  # pressed before, told later
    assert seen.tick(20.0).stage is GuardStage.READY


@pytest.mark.parametrize("repeats_a_second", [20, 30, 60])
@pytest.mark.parametrize("first_repeat_s", [0.25, 0.5, 0.66, 1.0, 2.0])
@pytest.mark.parametrize("key", ["y", "e", "s", "enter", "space", "1"])
def test_a_held_key_never_confirms(key: str, first_repeat_s: float, repeats_a_second: int) -> None:
    """However long it takes to repeat, and however often a link holds some of that up."""
    guard = Guard(None).painted(10.0)
    now = 11.0
    for step in range(200):
        guard = guard.key(key, key if len(key) == 1 else None, now)
        now += first_repeat_s if step in {0, 50, 100} else 1 / repeats_a_second
        guard = guard.tick(now - 0.001)
        assert guard.stage is not GuardStage.GO
        assert guard.answer in {"", "y"}


@given(st.sampled_from("yesn1 "), st.lists(st.floats(0.0, 5.0), max_size=80))
def test_no_key_alone_confirms_whenever_it_comes(key: str, gaps: list[float]) -> None:
    guard, now = Guard(None).painted(0.0), 0.0
    for gap in gaps:
        now += gap
        guard = guard.tick(now).key(key, key, now)
        assert guard.stage is not GuardStage.GO


def test_a_key_held_since_before_the_painting_never_confirms() -> None:
    guard = Guard(None).painted(10.0)
    now = 10.45
    for _ in range(100):
        guard = guard.key("y", "y", now)
        assert guard.stage is not GuardStage.GO
        now += 0.033


def test_text_faster_than_a_person_types_is_refused_and_can_be_typed_again() -> None:
    pasted, now = _type(Guard(CONFIRM).painted(0.0), CONFIRM, 1.0, step=0.0005)
    assert pasted.stage is GuardStage.TYPING
    assert (pasted.typed, pasted.said) == ("", AT_ONCE)
    typed, now = _type(pasted, CONFIRM, now + 1.0)
    assert typed.stage is GuardStage.READY
    assert typed.typed == CONFIRM


def test_yes_that_comes_all_at_once_is_refused_in_words() -> None:
    pasted, now = _type(Guard(None).painted(0.0), "yes", 1.0, step=0.001)
    assert pasted.said == AT_ONCE
    assert pasted.tick(now + 5.0).stage is GuardStage.READY
    again, now = _type(pasted, "yes", now + 1.0)
    assert again.tick(now + 1.0).stage is GuardStage.GO


@pytest.mark.parametrize("gaps", [(0.3, 0.001), (0.001, 0.3)], ids=["y, es", "ye, s"])
@pytest.mark.parametrize("confirm", [None, CONFIRM])
def test_two_letters_of_yes_in_one_piece_do_not_confirm(
    confirm: str | None, gaps: tuple[float, float]
) -> None:
    guard, now = _type(Guard(confirm).painted(0.0), confirm or "", 1.0)
    guard, now = _type(guard, "y", now + 1.0)
    guard, now = _type(guard, "e", now, step=gaps[0])
    rest, now = _type(guard, "s", now, step=gaps[1])
    assert ("", AT_ONCE) == (rest.answer, rest.said)
    assert rest.tick(now + 5.0).stage is GuardStage.READY
    again, now = _type(rest, "yes", now + 1.0)
    assert again.tick(now + 1.0).stage is GuardStage.GO


def test_quick_hands_are_no_paste() -> None:
    """The fastest typists write a letter in 50 ms, and now and then two keys at once."""
    guard, now = Guard(CONFIRM).painted(0.0), 1.0
    for at, character in enumerate(CONFIRM):
        now += 0.012 if at % 4 == 3 else 0.055
        guard = guard.key(character, character, now)
    assert guard.stage is GuardStage.READY


def test_enter_is_no_and_never_yes() -> None:
    assert Guard(None).painted(0.0).key("enter", "\r", 1.0).stage is GuardStage.NO
    typed, now = _type(Guard(CONFIRM).painted(0.0), CONFIRM, 0.0)
    entered = typed.key("enter", "\r", now + 1.0)
    assert entered.stage is GuardStage.READY
    assert "Enter never confirms: type yes" == entered.said
    assert entered.tick(now + 20).stage is GuardStage.READY


@pytest.mark.parametrize("letter", ["n", "N", "q", "x", "1"])
def test_a_letter_in_front_of_yes_is_told_that_it_does_not_count(letter: str) -> None:
    wrong = Guard(None).painted(0.0).key(letter, letter, 1.0)

    assert GuardStage.READY is wrong.stage
    assert WRONG_KEY == wrong.said
    assert NOTHING_TYPED == wrong.key("enter", "\r", 2.0).said


@pytest.mark.parametrize("confirm", [None, CONFIRM])
def test_a_key_without_a_letter_is_told_that_it_does_nothing(confirm: str | None) -> None:
    assert NO_USE == Guard(confirm).painted(0.0).key("tab", "\t", 1.0).said


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (CONFIRM[:4], f"Enter never confirms: type {CONFIRM} to its end, then yes"),
        ("storage2", f"this is not {CONFIRM}"),
    ],
)
def test_enter_says_what_is_missing(typed: str, said: str) -> None:
    guard, now = _type(Guard(CONFIRM).painted(0.0), typed, 0.0)
    assert said == guard.key("enter", "\r", now + 1.0).said


def test_enter_behind_a_burst_says_that_it_did_not_count() -> None:
    """The first letters of a serial come at once, and only the others stand in the field."""
    guard = Guard(CONFIRM).painted(0.0)
    for at, letter in enumerate(CONFIRM[:4]):
        guard = guard.key(letter, letter, 1.0 + at / 1000)
    guard, now = _type(guard, CONFIRM[4:], 2.0)

    assert GuardStage.TYPING is guard.stage
    assert f"this is not {CONFIRM}; {AT_ONCE}" == guard.key("enter", "\r", now + 1.0).said


def test_the_confirmation_is_typed_and_then_yes() -> None:
    typed, now = _type(Guard(CONFIRM).painted(0.0), CONFIRM, 0.0)
    assert typed.stage is GuardStage.READY
    assert "" == typed.key("y", "y", now + 0.1).answer  # still part of the typing
    pressed, now = _type(typed, "yes", now + QUIET_S)
    assert pressed.tick(now + 1.0).stage is GuardStage.GO


def test_a_wrong_letter_is_told_and_can_be_taken_back() -> None:
    wrong, now = _type(Guard(CONFIRM).painted(0.0), "storage2", 0.0)
    assert "this does not match" == wrong.said
    right, now = _type(wrong.key("backspace", None, now + 0.1), CONFIRM[7:], now + 0.1)
    assert right.typed == CONFIRM
    assert right.stage is GuardStage.READY


def test_pasting_types_nothing_and_stops_what_was_begun() -> None:
    guard = Guard(CONFIRM).painted(0.0).pasted(1.0)
    assert "" == guard.typed
    assert "pasting" in guard.said
    pressed, now = _type(Guard(None).painted(0.0), "yes", 1.0)
    assert pressed.stage is GuardStage.PRESSED
    assert pressed.pasted(now + 0.1).tick(5.0).stage is GuardStage.READY


def test_a_catastrophe_counts_down_and_any_key_stops_it() -> None:
    typed, now = _type(Guard("h:tank 2", has_countdown=True).painted(0.0), "h:tank 2", 0.0)
    pressed, now = _type(typed, "yes", now + 1.0)
    counting = pressed.tick(now + QUIET_S)
    assert counting.stage is GuardStage.COUNTING
    for key in ("x", "enter"):
        assert counting.key(key, key if len(key) == 1 else None, now + 3.0).stage is GuardStage.READY
    assert counting.key("escape", None, now + 3.0).stage is GuardStage.NO
    assert counting.tick(now + QUIET_S + COUNTDOWN_S).stage is GuardStage.GO


def test_a_plan_does_not_expire_while_it_is_read_or_typed_at() -> None:
    """The host is read again before it runs; the serial is read on the disk itself, in another room."""
    guard, now = _type(Guard(CONFIRM).painted(0.0), CONFIRM[:4], 600.0)
    guard, now = _type(guard.tick(now + 3600.0), CONFIRM[4:], now + 7200.0)
    assert GuardStage.READY is guard.stage

    pressed, now = _type(guard, "yes", now + 86400.0)

    assert GuardStage.GO is pressed.tick(now + QUIET_S).stage


_KEYS = st.sampled_from(["y", "e", "s", "n", "a", "enter", "backspace", "tab", "space", "h", ":", "t"])


@given(st.lists(st.tuples(_KEYS, st.floats(0.0, 0.29)), max_size=60), st.booleans())
def test_nothing_goes_through_without_a_pause(keys: list[tuple[str, float]], has_text: bool) -> None:
    guard = Guard("h:t" if has_text else None).painted(0.0)
    now = 0.0
    for key, gap in keys:
        now += gap
        guard = guard.key(key, key if len(key) == 1 else None, now)
        assert guard.stage is not GuardStage.GO


@given(st.lists(st.tuples(_KEYS, st.floats(0.0, 2.0)), max_size=60))
def test_nothing_goes_through_without_the_text(keys: list[tuple[str, float]]) -> None:
    guard = Guard("storage1:tank 17", has_countdown=True).painted(0.0)
    now = 0.0
    for key, gap in keys:
        now += gap
        guard = guard.key(key, key if len(key) == 1 else None, now)
        assert guard.stage is not GuardStage.GO or guard.typed == guard.confirm


@pytest.mark.parametrize("confirm", [CONFIRM, None])
def test_enter_after_text_that_did_not_count_does_not_decline(confirm: str | None) -> None:
    ready = Guard(confirm).painted(0.0)
    for refused in (ready.pasted(1.0), ready.unheard(), _type(ready, "yes", 1.0, step=0.001)[0]):
        entered = refused.key("enter", "\r", 5.0).key("enter", "\r", 6.0)
        assert (False, NOTHING_TYPED) == (entered.stage.is_end, entered.said)
        assert GuardStage.NO is entered.key("escape", None, 7.0).stage
    assert GuardStage.NO is ready.key("enter", "\r", 5.0).stage
