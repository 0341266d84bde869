"""A dataset is left out of a schedule when its siblings have snapshots; some names are left out by all."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW
from tests.analysis.findings.care.care_cases import HAVE, family, sibling
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.care.left_out_snapshot_rules import is_not_kept
from zconsole.base.finding_thresholds import Thresholds


def left_out(*members: object) -> list[str]:
    state = family(*members)  # type: ignore[arg-type]
    return [each.subject for each in findings(state, NOW, Thresholds()) if each.id == "snapshots-left-out"]


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (True, "tank/tmp"),
        (True, "tank/vm-101-swap"),
        (True, "tank/var/cache/apt"),
        (True, "tank/Downloads"),
        (True, "tank/docker/" + "0f" * 32),
        (False, "tmp/data"),  # the pool's own name says nothing
        (False, "tank/template"),
        (False, "tank/cached-reports"),
        (False, "tank/builder"),
        (False, "tank/db"),
    ],
)
def test_what_nobody_keeps_is_told_by_whole_words_of_its_name(expected: bool, name: str) -> None:
    assert expected is is_not_kept(name)


def test_each_that_is_left_out_is_a_finding_of_its_own_so_that_a_silence_hides_no_other() -> None:
    assert ["tank/db", "tank/git"] == left_out(*HAVE, sibling("tank/db", None), sibling("tank/git", None))


def test_only_datasets_of_one_parent_are_siblings() -> None:
    assert [] == left_out(*HAVE, sibling("tank/vm/db", None))
