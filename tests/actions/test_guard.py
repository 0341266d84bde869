"""No key that was not meant gets through the guard."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.actions.guard import COUNTDOWN_S, QUIET_S, Guard, Stage
from zconsole.actions.plan import DIALOG_PLAN_LASTS_S

REPEAT_S = 0.033  # of a key that is held, once it repeats
FIRST_REPEAT_S = 0.5  # how long it takes to begin with that
CONFIRM = "storage1:tank/home"


def _type(guard: Guard, text: str, now: float, step: float = 0.1) -> tuple[Guard, float]:
    for character in text:
        now += step
        guard = guard.key(character, character, now)
    return guard, now


def test_a_routine_plan_wants_y_and_quiet_around_it() -> None:
    seen = Guard(None).painted(10.0)
    pressed = seen.key("y", "y", 10.0 + QUIET_S)
    assert pressed.stage is Stage.PRESSED
    assert pressed.tick(10.0 + QUIET_S + 0.1).stage is Stage.PRESSED
    assert pressed.tick(10.01 + 2 * QUIET_S).stage is Stage.GO


def test_y_too_soon_after_another_key_does_not_count() -> None:
    seen = Guard(None).painted(10.0).key("j", "j", 11.0)
    assert seen.key("y", "y", 11.1).stage is Stage.READY


def test_keys_from_before_the_painting_are_dropped() -> None:
    unseen = Guard(None).key("y", "y", 1.0).key("y", "y", 2.0)
    assert unseen.stage is Stage.UNSEEN
    seen = unseen.painted(10.0)
    assert seen.key("y", "y", 9.9) == seen  # pressed before, told later
    assert seen.tick(20.0).stage is Stage.READY


def test_a_held_key_never_confirms_whenever_it_was_pressed() -> None:
    for offset in (0.0, 0.1, 0.2, 0.31, 0.45, 0.6):
        guard = Guard(None).painted(10.0)
        now = 10.0 + offset
        for _ in range(200):
            guard = guard.key("y", "y", now)
            assert guard.stage is not Stage.GO
            now += REPEAT_S
    guard = Guard(None).painted(10.0).key("y", "y", 10.4)  # pressed now, and held from then on
    now = 10.4 + FIRST_REPEAT_S
    before = guard.tick(now - 0.01)
    assert before.stage is Stage.GO  # half a second alone is a press


def test_a_key_held_since_before_the_painting_never_confirms() -> None:
    guard = Guard(None).painted(10.0)
    now = 10.45  # the first repeat comes after more than the quiet time
    for _ in range(100):
        guard = guard.key("y", "y", now)
        assert guard.stage is not Stage.GO
        now += REPEAT_S


def test_enter_is_no_and_never_yes() -> None:
    assert Guard(None).painted(0.0).key("enter", "\r", 1.0).stage is Stage.NO
    typed, now = _type(Guard(CONFIRM).painted(0.0), CONFIRM, 0.0)
    entered = typed.key("enter", "\r", now + 1.0)
    assert entered.stage is Stage.READY
    assert entered.said == "Enter never confirms"
    assert entered.tick(now + 20).stage is Stage.READY


def test_the_confirmation_is_typed_and_then_y() -> None:
    typed, now = _type(Guard(CONFIRM).painted(0.0), CONFIRM, 0.0)
    assert typed.stage is Stage.READY
    assert typed.key("y", "y", now + 0.1).stage is Stage.READY  # still part of the typing
    pressed = typed.key("y", "y", now + 0.5)
    assert pressed.tick(now + 1.0).stage is Stage.GO


def test_a_wrong_letter_is_told_and_can_be_taken_back() -> None:
    wrong, now = _type(Guard(CONFIRM).painted(0.0), "storage2", 0.0)
    assert wrong.said == "this is not it"
    right, now = _type(wrong.key("backspace", None, now + 0.1), CONFIRM[7:], now + 0.1)
    assert right.typed == CONFIRM
    assert right.stage is Stage.READY


def test_pasting_types_nothing_and_stops_what_was_begun() -> None:
    guard = Guard(CONFIRM).painted(0.0).pasted(1.0)
    assert guard.typed == ""
    assert "pasting" in guard.said
    pressed = Guard(None).painted(0.0).key("y", "y", 1.0)
    assert pressed.pasted(1.1).tick(5.0).stage is Stage.READY


def test_a_catastrophe_counts_down_and_any_key_stops_it() -> None:
    typed, now = _type(Guard("h:tank 2", has_countdown=True).painted(0.0), "h:tank 2", 0.0)
    counting = typed.key("y", "y", now + 1.0).tick(now + 1.0 + QUIET_S)
    assert counting.stage is Stage.COUNTING
    assert counting.key("x", "x", now + 3.0).stage is Stage.READY
    assert counting.key("escape", None, now + 3.0).stage is Stage.NO
    assert counting.tick(now + 1.0 + QUIET_S + COUNTDOWN_S).stage is Stage.GO


def test_the_plan_expires() -> None:
    guard = Guard(None).painted(0.0)
    assert guard.tick(DIALOG_PLAN_LASTS_S).stage is Stage.EXPIRED
    assert guard.key("y", "y", DIALOG_PLAN_LASTS_S + 1).stage is Stage.EXPIRED


_KEYS = st.sampled_from(["y", "n", "a", "enter", "backspace", "tab", "space", "h", ":", "t"])


@given(st.lists(st.tuples(_KEYS, st.floats(0.0, 0.29)), max_size=60), st.booleans())
def test_nothing_goes_through_without_a_pause(keys: list[tuple[str, float]], has_text: bool) -> None:
    guard = Guard("h:t" if has_text else None).painted(0.0)
    now = 0.0
    for key, gap in keys:
        now += gap
        guard = guard.key(key, key if len(key) == 1 else None, now)
        assert guard.stage is not Stage.GO


@given(st.lists(st.tuples(_KEYS, st.floats(0.0, 2.0)), max_size=60))
def test_nothing_goes_through_without_the_text(keys: list[tuple[str, float]]) -> None:
    guard = Guard("storage1:tank 17", has_countdown=True).painted(0.0)
    now = 0.0
    for key, gap in keys:
        now += gap
        guard = guard.key(key, key if len(key) == 1 else None, now)
        assert guard.stage is not Stage.GO or guard.typed == guard.confirm
