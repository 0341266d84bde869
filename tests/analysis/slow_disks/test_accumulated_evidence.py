"""Evidence grows, fades and is bounded."""

from __future__ import annotations

import pytest

from zconsole.analysis.slow_disks.accumulated_evidence import Track


def test_a_mean_fades_and_is_gone_in_the_end() -> None:
    track = Track()
    track.learn(0, 10, 8e6, 0)

    assert pytest.approx(8e6) == track.recent_ns(0) == track.recent_ns(7)
    assert track.recent_ns(8) is None
    assert 8e6 == track.last_ns


def test_a_score_has_a_ceiling_and_a_floor() -> None:
    track = Track()
    for number in range(30):
        track.add(number, 0.0, 2.0)
    high = track.score
    for number in range(30):
        track.add(number, 0.0, -0.5)

    assert (12.0, 0.0, None) == (high, track.score, track.suspicion)
