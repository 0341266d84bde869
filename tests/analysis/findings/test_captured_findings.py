"""What is said of every captured pool: a reviewed list, so that a rule that speaks wrongly is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.captured import RECORDED_AT, advised, states
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.escape_control_characters import visible
from zconsole.base.finding_thresholds import Thresholds

GOLDEN = Path(__file__).parent / "golden"
SERIES = ("2.1", "2.3", "2.4")


def said(series: str) -> str:
    """A line a finding, of each captured state; a state without findings has a line as well."""
    lines: list[str] = []
    for state in states(series):
        found = findings(advised(series, state), RECORDED_AT, Thresholds())
        lines.append(state)
        for each in found:
            kind = "advice" if each.is_advice else each.severity.word
            lines.append(f"  {kind:<8} {each.id}: {each.subject}: {visible(each.summary)}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("series", SERIES)
def test_what_is_said_of_every_capture_is_what_was_reviewed(
    series: str, request: pytest.FixtureRequest
) -> None:
    """Run once with --update-golden to accept a change, and read each line of the difference."""
    path = GOLDEN / f"findings-{series}.txt"
    text = said(series)
    if request.config.getoption("--update-golden"):
        path.write_text(text, "utf-8")

    assert path.read_text("utf-8") == text, f"{path.name} differs; look at it, then --update-golden"


@pytest.mark.parametrize("series", SERIES)
def test_no_two_findings_of_a_capture_have_an_id_and_an_object_in_common(series: str) -> None:
    """A silence is given for these two."""
    for state in states(series):
        keys = [
            (each.id, each.subject) for each in findings(advised(series, state), RECORDED_AT, Thresholds())
        ]

        assert sorted(set(keys)) == sorted(keys), state
