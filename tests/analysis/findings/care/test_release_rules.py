"""What is said of the versions of a host."""

from __future__ import annotations

from tests.analysis.findings.care.care_cases import dedup_below, of_release
from zconsole.analysis.findings.care.release_rules import findings_of_releases


def test_all_errors_of_a_release_are_one_finding_with_what_to_look_for() -> None:
    (found,) = findings_of_releases(dedup_below("2.4.1-1"))

    assert ("openzfs/zfs#18366", "openzfs/zfs#18412") == found.evidence["issues"]
    assert "2.4.4" == found.evidence["fixed_in"]
    looks = found.evidence["look_for"]
    assert isinstance(looks, tuple)
    assert looks[0].startswith("files written to datasets with dedup on")


def test_a_module_behind_its_commands_is_judged_by_itself() -> None:
    found = list(findings_of_releases(of_release("2.4.4-1", "2.2.0-1")))

    assert ["release-known-bad", "versions-differ"] == [each.id for each in found]
