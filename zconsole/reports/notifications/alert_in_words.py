"""Alert in words: a title of one line, and a text. Text of hosts is escaped, so that it is one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.errors import shortened
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import SECOND, moment
from zconsole.model.alert import Alert, AlertPhase
from zconsole.model.finding import Severity
from zconsole.views.repair.due_step import what_to_do_line

LONGEST_TITLE: Final = 150  # characters
LONGEST_LINE: Final = 400  # the same
MOMENT: Final = SECOND
TEST_ID: Final = "test"  # of the message that only tries a channel
_EVENTS: Final = {
    "link-lost": "link",
    "scan-finished": "scan",
    "run-ended": "run",
}


def title(alert: Alert) -> str:
    """`CRITICAL nas1: tank: all I/O waits`, the worst alone, in at most 150 characters."""
    host, worst = visible(alert.key.host), visible(alert.words).partition("; ")[0]
    return shortened(f"{phase_word(alert)} {host}: {worst}", LONGEST_TITLE)


def one_line(alert: Alert) -> str:
    """The title with all that it says, where no text follows."""
    return f"{phase_word(alert)} {visible(alert.key.host)}: {shortened(visible(alert.words), LONGEST_LINE)}"


def phase_word(alert: Alert) -> str:
    """How bad it is, or that it is over."""
    severity = alert.severity.word.upper()
    if alert.id == TEST_ID:
        return "TEST"
    match alert.phase:
        case AlertPhase.OVER:
            return "OVER"
        case AlertPhase.FLAPPING:
            return f"FLAPPING {severity}"
        case AlertPhase.REMINDER:
            return f"STILL {severity}"
        case AlertPhase.WORSE:
            return f"WORSE, {severity}"
        case AlertPhase.HAPPENED if alert.severity is Severity.INFO:
            return "DONE"
        case _:
            return severity


def body(alert: Alert) -> str:
    """The whole alert: what, what to do, where, since when."""
    return "\n".join(map(visible, _lines(alert)))


def _lines(alert: Alert) -> Iterator[str]:
    yield alert.words
    match alert.phase:
        case AlertPhase.OVER:
            yield "This holds no more."
        case AlertPhase.FLAPPING:
            yield "This comes and goes. Nothing more is told of it until it stays as it is for 15 minutes."
        case _:
            if alert.what_to_do:
                yield what_to_do_line(alert.what_to_do)
    yield ""
    since = "Since" if alert.phase is AlertPhase.HAPPENED else "Seen"  # of a state the first reading
    facts = (
        ("Host", alert.key.host),
        ("Pool", alert.pool),
        ("Subject", alert.subject),
        ("Finding" if alert.id not in _EVENTS else "Event", alert.id),
        (since, f"{moment(alert.since, MOMENT)} UTC" if alert.since is not None else ""),
        ("Told", f"{moment(alert.at, MOMENT)} UTC"),
    )
    for name, value in facts:
        if value:
            yield f"{name + ':':<9} {value}"
