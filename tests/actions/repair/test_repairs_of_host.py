"""The repairs of real hosts in real states, with the step that is due worked out by hand."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, disk, group, host, in_class, pool
from tests.reports.captured import RECORDED_AT, captured
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.repair import Repair, RepairStepKind, RepairTrouble


def of_capture(series: str, state: str) -> list[Repair]:
    return list(repairs(captured(series, state), (), RECORDED_AT))


@pytest.mark.parametrize("series", ["2.1", "2.3", "2.4"])
@pytest.mark.parametrize(
    ("state", "device", "step"),
    [
        ("spare-in-use", "LAB0000", RepairStepKind.REPLACE),
        ("raidz2-replacing", "LAB0000", RepairStepKind.RESILVER),
        ("replacing", "LAB0003", RepairStepKind.RESILVER),
    ],
)
def test_a_captured_state_is_at_the_step_that_is_due(
    series: str, state: str, device: str, step: RepairStepKind
) -> None:
    found = next(each for each in of_capture(series, state) if each.device.label == device)
    current = found.current

    assert RepairTrouble.FAILED is found.trouble
    assert current is not None
    assert step is current.kind
    assert () == found.not_now


@pytest.mark.parametrize(("series", "state"), [("2.4", "healthy-mirrors"), ("2.4", "raidz2-healthy")])
def test_a_sound_pool_needs_no_repair(series: str, state: str) -> None:
    assert [] == of_capture(series, state)


def test_what_the_pool_depends_on_comes_before_a_log() -> None:
    of = pool(in_class(disk("log", "FAULTED"), "log"), group("mirror-0", disk("a", "FAULTED"), disk("b")))

    assert ["a", "log"] == [each.device.name for each in repairs(host(of), (), NOW)]
