"""Confidence in a verdict."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.slow_disks.verdict_from_evidence import confidence


@given(st.floats(8, 24), st.integers(5, 99), st.integers(1, 30))
def test_confidence_grows_with_all_it_rests_on(score: float, samples: int, peers: int) -> None:
    here = confidence(score, samples, peers)

    assert 0 < here < 1
    assert here < confidence(score + 1, samples, peers)
    assert here < confidence(score, samples + 1, peers)
    assert here < confidence(score, samples, peers + 1)
