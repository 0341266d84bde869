"""Old clones: what is proposed; when it is said is in the cases of all findings."""

from __future__ import annotations

from tests.analysis.build import DAY, NOW
from tests.analysis.findings.datasets.cases import cloned
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.views.findings.advice import ADVICE


def test_no_promotion_is_proposed_because_it_frees_nothing() -> None:
    """A promotion turns the dependency round; of several clones only a person knows which is to stay."""
    (found,) = findings(cloned(), NOW, Thresholds())

    assert found.advised is not None
    assert found.advised.action is None
    assert "zconsole tree" in ADVICE[found.id].action
    assert "tank/images@gold" == found.subject
    assert 200 * DAY == found.evidence["oldest_clone_s"]
