"""An alert as a title and a text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Severity
from zconsole.reports.notifications.alert_in_words import LONGEST_TITLE, TEST_ID, body, one_line, title

ALERT = Alert(
    AlertKey("nas1", "pool-suspended", "tank"), Severity.CRITICAL, "tank: all I/O waits", 1_800_000_060.0,
    "pool-suspended", "tank", "tank", since=1_800_000_000.0, what_to_do="Bring the devices back.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "phase", "severity"),
    [
        ("CRITICAL", AlertPhase.RAISED, Severity.CRITICAL),
        ("WARNING", AlertPhase.RAISED, Severity.WARNING),
        ("WORSE, CRITICAL", AlertPhase.WORSE, Severity.CRITICAL),
        ("FLAPPING WARNING", AlertPhase.FLAPPING, Severity.WARNING),
        ("STILL CRITICAL", AlertPhase.REMINDER, Severity.CRITICAL),
        ("OVER", AlertPhase.OVER, Severity.CRITICAL),
        ("DONE", AlertPhase.HAPPENED, Severity.INFO),
        ("WARNING", AlertPhase.HAPPENED, Severity.WARNING),
    ],
)
def test_the_title_begins_with_how_bad_it_is(expected: str, phase: AlertPhase, severity: Severity) -> None:
    told = title(replace(ALERT, phase=phase, severity=severity))
    assert f"{expected} nas1: tank: all I/O waits" == told


def test_a_message_that_tries_a_channel_says_so() -> None:
    assert "TEST nas1: hello" == title(
        replace(ALERT, id=TEST_ID, words="hello", phase=AlertPhase.HAPPENED, severity=Severity.INFO)
    )


def test_the_title_has_the_worst_alone() -> None:
    words = "tank: no redundancy left in mirror-0; DEGRADED: sda FAULTED; sda is FAULTED (too many errors)"
    alert = replace(ALERT, words=words)
    assert "CRITICAL nas1: tank: no redundancy left in mirror-0" == title(alert)
    assert f"CRITICAL nas1: {words}" == one_line(alert)


def test_what_is_due_now_has_one_lead_in() -> None:
    told = body(replace(ALERT, what_to_do="Now: pull nothing.")).splitlines()
    assert "What to do now: pull nothing." == told[1]


def test_the_text_says_what_to_do_where_and_since_when() -> None:
    assert (
        "tank: all I/O waits\n"
        "What to do: Bring the devices back.\n"
        "\n"
        "Host:     nas1\n"
        "Pool:     tank\n"
        "Subject:  tank\n"
        "Finding:  pool-suspended\n"
        "Seen:     2027-01-15 08:00:00 UTC\n"
        "Told:     2027-01-15 08:01:00 UTC"
    ) == body(ALERT)
    assert "What to do" not in body(replace(ALERT, phase=AlertPhase.OVER))
    assert "comes and goes" in body(replace(ALERT, phase=AlertPhase.FLAPPING))


@given(st.text())
def test_no_text_of_a_host_has_a_line_of_its_own(evil: str) -> None:
    found = replace(ALERT, key=AlertKey(evil, "x", evil), words=evil, subject=evil, what_to_do=evil or "x")

    assert title(found).isprintable()
    assert len(title(found)) <= LONGEST_TITLE + len("...")
    assert all(line.isprintable() for line in body(found).split("\n"))
    assert len(body(ALERT).split("\n")) == len(body(found).split("\n")) + (not evil) * 2
