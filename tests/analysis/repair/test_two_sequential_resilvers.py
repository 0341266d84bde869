"""Two vdevs that are resilvered in sequence at once: each has its own progress, everywhere it is told."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group, scrubbed
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Scan
from zconsole.model.repair import RepairStepKind
from zconsole.reports.json.status import status_document
from zconsole.reports.text.status import status_lines

FAST = Scan("resilver", "scanning", start=int(NOW) - 600, percent=87.0, vdev="mirror-0")
SLOW = Scan("resilver", "scanning", start=int(NOW) - 60, percent=45.0, vdev="mirror-1")
SCRUB = scrubbed(days_ago=4)


def filling() -> HostState:
    tops = (
        group("mirror-0", leaf(0), group("replacing-1", leaf(1, "FAULTED"), leaf(2, is_resilvering=True))),
        group("mirror-1", leaf(3), group("replacing-1", leaf(4, "FAULTED"), leaf(5, is_resilvering=True))),
    )
    return trouble_at(*tops, scan=FAST, scans_beside=(SLOW, SCRUB))


def test_the_repair_of_each_has_the_progress_of_its_own_vdev() -> None:
    for number, done in ((1, "resilver 87%"), (4, "resilver 45%")):
        steps = the_repair(filling(), number).steps
        copying = next(each for each in steps if each.kind is RepairStepKind.RESILVER)

        assert any(done in each for each in copying.found), copying.found


def test_each_is_a_finding_and_a_line() -> None:
    state = filling()
    found = findings(state, NOW, Thresholds())

    assert {"mirror-0: resilver 87%", "mirror-1: resilver 45%"} <= {each.summary[:22] for each in found}
    text = "\n".join(status_lines(state, found, NOW))
    assert "resilver 87% (started" in text
    assert "beside it: resilver 45% (started" in text
    assert "of mirror-1." in text
    assert "beside it: scrub 4d ago" in text
    scans = status_document(state, found)["pools"][0]["scans_beside"]  # type: ignore[index,call-overload]
    assert [("resilver", "mirror-1"), ("scrub", None)] == [(each["function"], each["vdev"]) for each in scans]  # type: ignore[index]


def test_the_scrub_beside_them_is_known() -> None:
    state = filling()
    triage = the_repair(state, 1).steps[0]

    assert "no finished scrub is known" not in " ".join(triage.found)
    quiet = trouble_at(*(state.pools[0].pool.value.vdevs), scan=replace(FAST, state="finished", end=int(NOW)),  # type: ignore[union-attr]
                       scans_beside=(SCRUB,))  # fmt: skip
    assert "scrub-overdue" not in {each.id for each in findings(quiet, NOW, Thresholds())}
