"""Streams of the practice host and of a simulated pool: the slow disk is found, and nobody else is named."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.bench.slow import judge
from tests.bench.slow_streams import Stream, practised, simulated

SOME: list[Stream] = list(islice(simulated(), 0, None, 9))  # of other layouts, workloads and faults each


def identity(stream: Stream) -> str:
    return f"{stream.layout}-{stream.workload}-{stream.fault}"


@pytest.mark.parametrize("stream", list(practised()), ids=identity)
def test_a_stream_of_the_practice_host(stream: Stream) -> None:
    named, _ = judge(stream)

    assert stream.disks == named.keys()
    assert all(at >= stream.from_sample for at in named.values())


@pytest.mark.parametrize("stream", SOME, ids=identity)
def test_a_simulated_stream(stream: Stream) -> None:
    """A stall while nothing is written is not seen: such a disk may go unnamed."""
    named, _ = judge(stream)

    assert named.keys() <= stream.disks
    if (stream.workload, stream.fault) != ("randwrite", "stall"):
        assert stream.disks == named.keys()
