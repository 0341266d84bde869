"""A guest whose dataset is left out of the snapshots of the others is told once, by its dataset."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW
from tests.analysis.findings.care.guest_snapshot_cases import IMAGES, VOLUME, mail_and_web, taken
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState

BESIDE = taken(1, replace(IMAGES, name="tank/vm/files"))


def told(state: HostState) -> list[tuple[str, str]]:
    ids = {"snapshots-left-out", "guest-without-snapshots"}
    return [(each.id, each.subject) for each in findings(state, NOW, Thresholds()) if each.id in ids]


def test_a_file_system_of_images_beside_volumes_alone_is_told_by_its_guest() -> None:
    assert [("guest-without-snapshots", "tank/vm/images")] == told(mail_and_web())


def test_beside_file_systems_with_snapshots_it_is_told_once_by_these() -> None:
    assert [("snapshots-left-out", "tank/vm/images")] == told(mail_and_web(IMAGES, taken(1), BESIDE))


def test_where_no_guest_has_snapshots_it_is_no_omission_of_one() -> None:
    assert [] == told(mail_and_web(IMAGES, VOLUME))


def test_the_evidence_has_the_guests_and_those_that_have_snapshots() -> None:
    (found,) = (each for each in findings(mail_and_web(), NOW, Thresholds()) if each.id.startswith("guest-w"))

    assert ("mail01",) == found.evidence["guests"]
    assert ("tank/vm/web01",) == found.evidence["others"]
