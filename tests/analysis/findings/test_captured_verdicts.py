"""Every captured pool in one table: redundancy of each vdev, exit code of `check`, findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from tests.reports.captured import ALL, RECORDED_AT, advised
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.vdevs.redundancy import Redundancy, pool_redundancy
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding
from zconsole.reports.monitoring_check import check_host

TABLE = Path(__file__).parent / "golden" / "verdicts.txt"
SERIES = ("2.1", "2.3", "2.4")
WITHOUT_STATUS = {  # of no imported pool, or of one whose status was not recorded whole
    *("import-missing", "no-pools", "version", "importable", "foreign", "no-module", "expansion-refused"),
    *("not-root-device-closed", "log-missing", "delegated", "error-names-binary"),
}
MARKS = "i!X"  # of a severity, from info to critical
HEAD = """\
release capture: exit code of check; redundancy left/by design of each vdev (<= at most, 0- or none); findings
findings: X critical, ! warning, i info, ~ advice; with a number where there are several
"""


def table() -> str:
    """A line a capture."""
    return HEAD + "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    for series, state in ALL:
        host = advised(series, state)
        found = findings(host, RECORDED_AT, Thresholds())
        (pool,) = host.pools
        assert pool.pool.value is not None
        left = ", ".join(_redundancy(each) for each in pool_redundancy(pool.pool.value)) or "-"
        said: dict[str, int] = {}
        for each in found:
            said[_named(each)] = said.get(_named(each), 0) + 1
        named = " ".join(each if number == 1 else f"{each}({number})" for each, number in said.items())
        yield f"{series} {state}: {int(check_host(host, found).level)}; {left}; {named or '-'}"


def _redundancy(each: Redundancy) -> str:
    at_most = "0-" if each.may_be_used_up else "<=" if each.is_at_most else ""
    return f"{each.vdev} {at_most}{each.left}/{each.by_design}"


def _named(finding: Finding) -> str:
    return f"{'~' if finding.is_advice else MARKS[finding.severity]}{finding.id}"


def test_redundancy_exit_code_and_findings_of_every_capture_are_what_was_reviewed(
    request: pytest.FixtureRequest,
) -> None:
    """Run once with --update-golden to accept a change, and read each line of the difference."""
    found = table()
    if request.config.getoption("--update-golden"):
        TABLE.write_text(found, "utf-8")

    assert TABLE.read_text("utf-8") == found


def test_no_capture_is_left_out_but_those_without_a_status() -> None:
    there = {(series, folder.name) for series in SERIES for folder in (CAPTURES / series).iterdir()}

    assert set() == {state for _, state in there - set(ALL)} - WITHOUT_STATUS
    assert 177 <= len(ALL)
