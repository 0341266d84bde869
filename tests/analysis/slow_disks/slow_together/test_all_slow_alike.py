"""All disks of a pool take far longer than such media do: told, and what a queue explains is no verdict."""

from __future__ import annotations

import pytest

from tests.analysis.slow_disks.streams import RAIDZ, Did, sample
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.analysis.slow_disks.verdict_sentence import all_slow_sentence
from zconsole.cli.commands.state.slow import exit_code
from zconsole.model.pools.slow_disk import Judgement


def judged(did: Did, fast: str = "") -> Judgement:
    detector = Detector(inferred_layout, has_bounds=True)
    for number in range(60):
        detector.feed(sample(number, RAIDZ, lambda _, name: Did(30, 9, 30, 9) if name == fast else did))
    return detector.judgement()


def test_a_few_operations_that_take_long_are_a_verdict() -> None:
    judgement = judged(Did(2, 600, 2, 700))

    assert judgement.all_slow is not None
    assert judgement.all_slow.is_sure
    assert 1 == exit_code([judgement], [])
    assert "a queue does not explain it" in all_slow_sentence(judgement.all_slow)


def test_what_a_queue_explains_is_told_and_no_verdict() -> None:
    judgement = judged(Did(60, 300, 60, 300))

    assert judgement.all_slow is not None
    assert not judgement.all_slow.is_sure
    assert 36 == pytest.approx(judgement.all_slow.outstanding, rel=0.05)
    assert 0 == exit_code([judgement], [])


def test_usual_latencies_and_a_pool_with_a_fast_disk_are_not_told() -> None:
    assert judged(Did(60, 40, 60, 60)).all_slow is None
    assert judged(Did(2, 600, 2, 700), fast="d3").all_slow is None
