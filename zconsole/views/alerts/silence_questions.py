"""Questions that are asked before a finding is silenced, and their proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.analysis.findings.silenced_findings import object_of
from zconsole.base.fixed_width_formatting import moment
from zconsole.base.notifications.silences import END
from zconsole.model.finding import Finding
from zconsole.views.layout.styled_text import FixedLines, Line, line

ONE: Final = "one"  # the scopes of a silence
ALL: Final = "all"
ALARM_LASTS: Final = "1d"  # somebody looks again tomorrow
ADVICE_LASTS: Final = "90d"  # how a pool is built changes slowly
UNLIKE_ACKNOWLEDGED: Final = line(
    (
        "A silence keeps findings from counting everywhere (console, check, watch, exporter) until its end; ",
        "dim",
    ),
    ("z on Alerts acknowledges one alert: the finding goes on counting.", "dim"),
)
REASON_QUESTION: Final = line(("Why it need not count, for those who read it later:", "dim"))
NO_REASON: Final = "A reason is needed: whoever finds the silence must know whether it still holds."
END_QUESTION: Final = line(
    ("For how long (12h, 7d, 6mo), or until when (18:00, tomorrow, mon 08:00, 2027-01-31; UTC):", "dim")
)


def scopes(finding: Finding, of_object: Sequence[Finding]) -> FixedLines:
    """The finding alone, and all of its object with those that it has now."""
    ids = ", ".join(dict.fromkeys(each.id for each in of_object))
    thing = "this disk" if finding.disk else object_of(finding)
    return FixedLines(
        (
            line(("this finding alone  ", "title"), (finding.id, "dim")),
            line((f"all findings of {thing}  ", "title"), (f"now {ids}", "dim")),
        ),
        (ONE, ALL),
    )


def scopes_explained(finding: Finding) -> dict[str, Line]:
    """What each of them is on."""
    return {
        ONE: line((f"{finding.id} of {finding.subject}; others of it are shown as before", "dim")),
        ALL: line((f"{object_of(finding)}: also those to come; critical ones speak all the same", "dim")),
    }


def proposed_end(finding: Finding) -> str:
    """How long a silence lasts that is not told otherwise."""
    return ADVICE_LASTS if finding.is_advice else ALARM_LASTS


def lasts(now: float) -> Line:
    """The time now, from which `12h` counts."""
    return line((f"It is {moment(now, END)} now. The end is shown before anything is kept.", "dim"))
