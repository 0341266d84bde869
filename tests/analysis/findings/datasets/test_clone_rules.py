"""Clones that share little and pin much."""

from __future__ import annotations

from tests.analysis.build import NOW
from tests.analysis.dependencies.machines import machines
from tests.doubles.plan_worlds import GIB, filesystem, linked, snapshot
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.findings.datasets.clone_rules import clone_findings
from zconsole.model.finding import Severity


def test_a_clone_that_shares_little_and_pins_much_is_found() -> None:
    first, second = clone_findings(machines(), NOW)

    assert ("clone-diverged", Severity.WARNING, "tank/vm") == (first.id, first.severity, first.subject)
    assert "shares only 1.00 GiB with tank/images@gold, which keeps at least 38.0 GiB" in first.summary
    assert ("clone-long-lived", Severity.INFO, "tank/images@gold") == (
        second.id,
        second.severity,
        second.subject,
    )
    assert "is 400d old and cannot be destroyed while tank/vm needs it" in second.summary


def test_a_young_clone_that_shares_much_is_fine() -> None:
    graph = build_graph(linked((
        filesystem("tank/images"),
        snapshot("tank/images@gold", 20, used_bytes=40 * GIB, referenced_bytes=41 * GIB),
        filesystem("tank/vm", origin="tank/images@gold", referenced_bytes=41 * GIB,
                   used_by_dataset_bytes=GIB),
    )))  # fmt: skip

    assert () == clone_findings(graph, NOW)
