"""Whether a terminal keeps up, told by its answers."""

from __future__ import annotations

from math import inf

from zconsole.ui.terminal.terminal_lag import SLOWEST_S, Answering


def answering(*, behind: bool = False) -> tuple[Answering, list[str]]:
    asked: list[str] = []
    return Answering(lambda: asked.append("cursor?"), lambda: behind), asked


def test_the_first_answer_tells_what_is_usual() -> None:
    times, asked = answering()

    times.ask(10.0)

    assert ["cursor?"] == asked
    assert 0.0 == times.answered(10.2)
    assert 0.2 == round(times.usual_s or 0.0, 3)
    assert 10.0 == times.seen_until(11.0)


def test_an_answer_that_takes_longer_is_late_by_the_difference() -> None:
    times, _ = answering()
    times.ask(0.0)
    times.answered(0.25)
    times.ask(10.0)

    assert 0.0 == times.late_s(10.25)
    assert 0.75 == times.late_s(11.0)
    assert 0.75 == times.answered(11.0)
    assert 0.0 == times.late_s(12.0)


def test_what_is_very_slow_is_no_rule() -> None:
    times, _ = answering()
    times.ask(0.0)
    times.answered(60.0)

    assert SLOWEST_S == times.usual_s


def test_an_answer_that_nobody_asked_for_tells_nothing() -> None:
    times, _ = answering()
    times.ask(0.0)
    times.forget()

    assert 0.0 == times.answered(5.0)
    assert times.usual_s is None


def test_a_mute_terminal_is_late_since_frames_wait_for_it() -> None:
    reads, _ = answering()
    stuck, _ = answering(behind=True)

    assert (0.0, inf) == (reads.late_s(5.0), reads.seen_until(5.0))
    assert 0.0 == stuck.late_s(5.0)
    assert 2.0 == stuck.late_s(7.0)
    assert 5.0 == stuck.seen_until(7.0)
