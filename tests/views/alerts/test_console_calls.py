"""The line that stays, the title, and what was missed."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.alerts.states_and_events_of_host import RUN_ENDED
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Severity
from zconsole.views.alerts.console_calls import (
    REPAIR,
    ConsoleCall,
    call_of,
    line_of_absence,
    line_of_calls,
    seen_by_a_later_end,
    title_of_calls,
    worst_first,
)
from zconsole.views.layout.styled_text import EMPTY, Line, plain

WARNING = ConsoleCall(1, 10.0, "nas1", "tank", "tank: DEGRADED", "warn", Severity.WARNING, "pool-degraded")
CRITICAL = ConsoleCall(
    2, 9.0, "nas2", "bulk", "bulk: all I/O waits", "bad", Severity.CRITICAL, "pool-suspended"
)
DONE = ConsoleCall(3, 11.0, "nas1", "tank", "tank: the scrub finished", "ok", Severity.INFO, "scan-finished")
NEXT = replace(DONE, number=4, at=12.0, id=REPAIR, words="tank: the resilver ended; next: scrub")
ALL = (WARNING, CRITICAL, DONE)


def text(line: Line) -> str:
    return "".join(span.text for span in line)


def test_the_worst_comes_first_and_the_newest_of_equals() -> None:
    assert [CRITICAL, WARNING, NEXT, DONE] == worst_first([WARNING, CRITICAL, DONE, NEXT])
    assert [DONE] == worst_first([replace(WARNING, is_seen=True), DONE])


def test_of_equals_a_pool_that_lacks_a_device_comes_before_a_slow_disk() -> None:
    slow = replace(WARNING, number=9, at=99.0, id="disk-slow", words="bulk: ZL2F1D04 has 20x")

    assert [WARNING, slow] == worst_first([slow, WARNING])


def test_the_line_has_the_worst_and_how_many_others() -> None:
    told = text(line_of_calls(ALL, are_many_hosts=True, has_repair_key=True))
    assert "! nas2 bulk: all I/O waits · 2 more alerts: !" == told
    assert "! tank: DEGRADED" == text(line_of_calls([WARNING], are_many_hosts=False, has_repair_key=True))
    assert EMPTY == line_of_calls([replace(WARNING, is_seen=True)], are_many_hosts=True, has_repair_key=True)


def test_the_step_of_a_repair_has_the_key_of_the_repair_where_there_is_one() -> None:
    for key, has_key in (("R ", True), ("", False)):
        line = line_of_calls([NEXT], are_many_hosts=False, has_repair_key=has_key)
        assert f"{key}tank: the resilver ended; next: scrub" == text(line)


def test_the_title_begins_with_the_worst_state() -> None:
    assert "CRITICAL zconsole nas2 bulk: all I/O waits (+2)" == title_of_calls(ALL)
    assert "zconsole nas1 tank: the scrub finished" == title_of_calls([DONE])
    assert "" == title_of_calls([])


def test_the_title_has_what_nobody_has_seen_and_then_a_worse_state_that_was_seen() -> None:
    """A state that is new is counted once."""
    key = AlertKey("nas1", "finding", "vault")
    holding = [
        Alert(key, Severity.CRITICAL, "vault: no redundancy left", 1.0, "no-redundancy", "vault"),
        Alert(replace(key, about="tank"), Severity.WARNING, "tank: 92% full", 1.0, "pool-full", "tank"),
    ]

    assert "CRITICAL zconsole nas1 vault: no redundancy left (+1)" == title_of_calls((), holding)
    held = "CRITICAL nas1 vault: no redundancy left (+1)"
    assert f"WARNING zconsole nas1 tank: DEGRADED; {held}" == title_of_calls((WARNING,), holding)
    assert "CRITICAL zconsole nas2 bulk: all I/O waits (+2)" == title_of_calls((CRITICAL,), holding)
    assert f"zconsole nas1 {NEXT.words}; {held}" == title_of_calls((NEXT,), holding)
    assert f"zconsole nas1 tank: the scrub finished; {held}" == title_of_calls((DONE,), holding)
    assert "CRITICAL zconsole nas2 bulk: all I/O waits (+1)" == title_of_calls(
        (replace(CRITICAL, key=key),), holding
    )
    assert "zconsole nas1 tank: the scrub finished" == title_of_calls(
        (DONE,), [replace(holding[0], severity=Severity.INFO)]
    )


def test_what_was_missed_is_counted_since_the_user_left() -> None:
    told = text(line_of_absence((*ALL, NEXT), 9.0, 9.0 + 3600))
    assert "! while you were away (1h): 1 critical 1 warning 2 info · bulk: all I/O waits" == told
    assert EMPTY == line_of_absence(ALL, 100.0, 200.0)


def test_the_end_of_a_state_is_good_news() -> None:
    alert = Alert(AlertKey("nas1", "x", "y"), Severity.CRITICAL, "tank: bad", 1.0, "x", "y")
    over = call_of(replace(alert, phase=AlertPhase.OVER), 7)
    assert ("ended: tank: bad", "ok", Severity.INFO) == (over.words, over.style, over.severity)
    assert "comes and goes: tank: bad" == call_of(replace(alert, phase=AlertPhase.FLAPPING), 7).words
    assert call_of(replace(alert, phase=AlertPhase.HAPPENED), 7).key is None


@given(st.text(max_size=80))
def test_no_name_is_more_than_text_on_the_line(evil: str) -> None:
    call = replace(WARNING, words=evil, host=evil)
    for line in (
        line_of_calls([call], are_many_hosts=True, has_repair_key=True),
        line_of_absence([call], 0.0, 10.0),
    ):
        assert all(char.isprintable() for span in line for char in span.text)


def test_the_newer_end_of_a_run_takes_the_older_one_from_the_line() -> None:
    stale = Alert(
        AlertKey("nas", RUN_ENDED, "1"), Severity.WARNING, "destroy tank/a: stale", 1.0, RUN_ENDED,
        "destroy tank/a", phase=AlertPhase.HAPPENED,
    )  # fmt: skip
    done = replace(stale, key=AlertKey("nas", RUN_ENDED, "2"), severity=Severity.INFO, words="x", at=2.0)
    other = replace(done, subject="destroy tank/b")

    assert (True,) == tuple(each.is_seen for each in seen_by_a_later_end((call_of(stale, 1),), done))
    assert (False,) == tuple(each.is_seen for each in seen_by_a_later_end((call_of(stale, 1),), other))


def test_an_alert_that_the_details_tell_is_only_counted() -> None:
    call = ConsoleCall(1, 0.0, "nas", "tank", "tank: no redundancy left", "bad", Severity.CRITICAL, "x")
    worse = replace(call, number=2, words="tank: 2 errors", severity=Severity.WARNING)

    def words(*told: str) -> str:
        return plain(line_of_calls((call, worse), are_many_hosts=False, has_repair_key=False, told=told))

    assert "! 2 new alerts, the worst told below" == words("✗ tank: no redundancy left in mirror-0")
    assert words("✗ bulk: no redundancy left").startswith("! tank: no redundancy left")
