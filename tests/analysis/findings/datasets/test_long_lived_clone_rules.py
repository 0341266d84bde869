"""Old clones: what is proposed; when it is said is in the cases of all findings."""

from __future__ import annotations

from tests.analysis.build import DAY, NOW
from tests.analysis.findings.datasets.cases import cloned
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import ProposedAction


def test_the_promotion_of_a_clone_is_one_key_away() -> None:
    (found,) = findings(cloned(), NOW, Thresholds())

    assert found.advised is not None
    assert ProposedAction("promote", "tank/vm") == found.advised.action
    assert "tank/images@gold" == found.subject
    assert 200 * DAY == found.evidence["oldest_clone_s"]
