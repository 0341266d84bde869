"""The strip of history: a fixed scale, and only new samples are looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.io import IoRow, IoSample, Latency
from zconsole.ui.present.cells import plain
from zconsole.ui.present.history import CELLS, History, level

MS = 1_000_000
WAITS = st.lists(st.one_of(st.none(), st.floats(0.01, 900)), min_size=1, max_size=200)


def sample(at: float, *waits_ms: float | None) -> IoSample:
    rows = tuple(
        IoRow(
            f"sd{place}", None, None, 0, 0, 0, 0, latency=Latency(total_read=None if ms is None else ms * MS)
        )
        for place, ms in enumerate(waits_ms)
    )
    return IoSample("tank", at, rows)


@pytest.mark.parametrize(
    ("expected", "wait_ms"),
    [(0, 0.29), (1, 0.3), (2, 1), (3, 5), (4, 10), (5, 30), (6, 100), (7, 300), (7, 1e6)],
)
def test_the_scale_is_the_same_for_every_disk(expected: int, wait_ms: float) -> None:
    assert expected == level(wait_ms * MS)


def test_idle_is_blank() -> None:
    history = History()

    history.take_in([sample(5.0 * second, 5.0 if second % 2 else None) for second in range(4)], 1.0)

    assert " ▄ ▄" == plain(history.strip(0))[-4:]


@given(WAITS, st.integers(1, 30))
def test_taking_in_bit_by_bit_gives_the_same_as_all_at_once(waits: list[float | None], step: int) -> None:
    samples = [sample(1000.0 + second, wait) for second, wait in enumerate(waits)]
    at_once, bit_by_bit = History(), History()

    at_once.take_in(samples, 1.0)
    for end in range(step, len(samples) + step, step):
        bit_by_bit.take_in(samples[max(0, end - 120) : end], 1.0)

    if len(samples) <= 100:
        assert at_once.strip(0) == bit_by_bit.strip(0)
    assert CELLS == len(plain(bit_by_bit.strip(0)))


def test_another_topology_starts_over() -> None:
    history = History()
    history.take_in([sample(1.0, 400.0)], 1.0)

    history.take_in([sample(1.0, 400.0), sample(2.0, 1.0, 1.0)], 1.0)

    assert "▃" == plain(history.strip(0))[-1]


def test_a_line_that_is_not_there_has_no_history() -> None:
    assert () == History().strip(3)
