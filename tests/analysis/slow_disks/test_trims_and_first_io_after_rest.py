"""A TRIM that is held, and a first I/O after a minute of rest: told where the queues prove it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.slow_disks.streams import HEALTHY, IDLE, RAIDZ, Did, judge, sample
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.analysis.slow_disks.verdict_sentence import pause_sentence
from zconsole.cli.commands.state.slow import exit_code
from zconsole.model.pools.iostat import IoSample, Queues
from zconsole.model.pools.slow_disk import Judgement


def trimming(number: int, seconds: int) -> IoSample:
    seen = sample(number, RAIDZ, lambda *_: HEALTHY)
    if not 20 <= number < 20 + seconds:
        return seen
    rows = [replace(row, queues=Queues(trim_active=2)) if row.name == "d3" else row for row in seen.rows]
    return replace(seen, rows=tuple(rows))


def of_held_trim(seconds: int) -> Judgement:
    """A minute in which a disk does not end a TRIM for so long."""
    detector = Detector(inferred_layout, has_bounds=True)
    for number in range(60):
        detector.feed(trimming(number, seconds))
    return detector.judgement()


@pytest.mark.parametrize(("seconds", "told"), [(8, []), (21, [20e9])])
def test_a_trim_that_is_held_for_long_is_told(seconds: int, told: list[float]) -> None:
    judgement = of_held_trim(seconds)

    assert told == [one.longest_ns for one in judgement.pauses]
    assert 0 == exit_code([judgement], [])
    assert [] == told or "d3 held a TRIM and completed none for 20 s or more, with 2 I/Os outstanding" == (
        pause_sentence(judgement.pauses[0])
    )


def test_a_first_io_after_a_minute_of_rest_that_waits_is_told() -> None:
    def act(number: int, name: str) -> Did:
        if 10 <= number < 90:
            return IDLE
        return Did(active=3) if name == "d3" and 90 <= number < 102 else HEALTHY

    judgement = judge(RAIDZ, act, 150)

    (one,) = judgement.pauses
    assert pause_sentence(one).startswith(
        "d3 left its first I/O after a minute without any waiting once, for 11 s or more"
    )
    assert () == judgement.verdicts
