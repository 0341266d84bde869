"""A finding names its pool, and its vdev by name and guid."""

from __future__ import annotations

from tests.analysis.build import disk
from tests.analysis.findings.judging import given
from zconsole.model.finding import Severity


def test_a_finding_on_a_pool_is_about_the_pool() -> None:
    found = given().found("x", Severity.INFO, "so", number=3)

    assert "tank" == found.subject
    assert {"pool": "tank", "number": 3} == found.evidence


def test_a_finding_on_a_vdev_has_its_guid_as_text_or_unknown() -> None:
    known = given().found("x", Severity.INFO, "so", vdev=disk("sda", guid=2**63))
    unknown = given().found("x", Severity.INFO, "so", vdev=disk("sda"))

    assert "tank sda" == known.subject
    assert str(2**63) == known.evidence["vdev_guid"]
    assert unknown.evidence["vdev_guid"] is None
