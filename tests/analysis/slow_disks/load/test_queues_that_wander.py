"""Near saturation the queues of disks that are alike wander: none of them is slow for that."""

from __future__ import annotations

import io

import pytest

from tests.analysis.slow_disks.load.closed_loop import ClosedLoop
from zconsole.analysis.slow_disks.load.load_in_a_queue import DiskLoad, queueing, wandering_queue
from zconsole.cli.commands.state.slow import exit_code, judge_recording
from zconsole.model.pools.slow_disk import Judgement

TILTED = tuple(1.0 - 0.05 * at for at in range(12))


def judged(loop: ClosedLoop) -> Judgement:
    return judge_recording(io.BytesIO("".join(loop.lines()).encode()))


@pytest.mark.parametrize(
    "loop",
    [
        ClosedLoop(clients=32, columns=4, seed=1),
        ClosedLoop(clients=32, columns=4, seed=2),
        ClosedLoop(clients=64, columns=8, spread=0.0, seed=2),
        ClosedLoop(clients=64, columns=8, seed=1),
        ClosedLoop(clients=24, columns=10, seed=1),
        ClosedLoop(clients=32, columns=4, weights=TILTED, seed=1),
    ],
)
def test_a_healthy_disk_with_the_queue_of_the_pool_is_not_named(loop: ClosedLoop) -> None:
    judgement = judged(loop)

    assert ((), None, ()) == (judgement.verdicts, judgement.half_slow, judgement.slow_vdevs)
    assert 0 == exit_code([judgement], [])


@pytest.mark.parametrize("clients", [4, 32])
def test_a_disk_that_serves_four_times_as_long_is_named(clients: int) -> None:
    judgement = judged(ClosedLoop(clients=clients, slow=5, times=4.0))

    assert {"d5"} == {one.disk for one in judgement.verdicts}


def test_queues_that_are_even_do_not_wander() -> None:
    even = [DiskLoad(300, 3.0), DiskLoad(300, 3.1), DiskLoad(300, 2.9), DiskLoad(300, 3.0)]
    uneven = [DiskLoad(300, 1.0), DiskLoad(300, 5.0), DiskLoad(300, 2.0), DiskLoad(300, 6.0)]

    assert 0 == wandering_queue(DiskLoad(300, 12.0), even)
    assert pytest.approx(2.0) == wandering_queue(DiskLoad(300, 12.0), uneven)
    assert pytest.approx(2.0) == queueing(DiskLoad(300, 12.0), uneven)
    assert 0 == wandering_queue(DiskLoad(300, 60.0), uneven)
