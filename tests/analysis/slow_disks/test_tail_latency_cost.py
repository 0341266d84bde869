"""What a long tail makes a vdev and a pool wait."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.slow_disks.streams import HEALTHY, MIRRORS, RAIDZ, Did, sample
from zconsole.analysis.slow_disks.peer_groups import PeerGroups, inferred_layout
from zconsole.analysis.slow_disks.tail_latency_cost import tail_cost
from zconsole.model.pools.slow_disk import READ, WRITE, Cost
from zconsole.zfs.iostat.disk_wait_histogram import POWERS

QUICK, LATE = 23, 28  # buckets up to 8 and up to 268 ms


def healthy(_number: int, _name: str) -> Did:
    return HEALTHY


def buckets(quick: int, late: int = 0) -> list[int]:
    found = [0] * POWERS
    found[QUICK], found[LATE] = quick, late
    return found


def cost_of(
    names: Sequence[str], disk: str, took: list[int], operation: str = READ, share: float = 0.99
) -> Cost | None:
    layout = inferred_layout(sample(0, names, healthy))
    at = next(at for at, member in enumerate(layout.members) if member.disk == disk)
    counts = [took if each == at else buckets(1000) for each in range(len(layout.members))]
    return tail_cost(layout, counts, at, operation, share)


def milliseconds(cost: Cost | None) -> tuple[int, int, int, int]:
    assert cost is not None
    each = (cost.vdev_with_ns, cost.vdev_without_ns, cost.pool_with_ns, cost.pool_without_ns)
    return tuple(round(one / 1e6) for one in each)  # type: ignore[return-value]


def test_all_of_a_raidz_waits_for_the_late_one() -> None:
    assert (268, 8, 268, 8) == milliseconds(cost_of(RAIDZ, "d3", buckets(980, 20)))
    assert (268, 8, 268, 8) == milliseconds(cost_of(RAIDZ, "d3", buckets(988, 12), WRITE))


def test_a_read_of_a_raidz_waits_for_its_data_alone() -> None:
    """Of eight disks six have data of a stripe: 1.2 % of the reads of a disk are 0.9 % of the vdev's."""
    assert (8, 8, 8, 8) == milliseconds(cost_of(RAIDZ, "d3", buckets(988, 12)))
    assert (268, 8, 268, 8) == milliseconds(cost_of(RAIDZ, "d3", buckets(986, 14)))


def test_a_read_of_a_mirror_waits_for_the_disk_that_it_went_to() -> None:
    """Two in a hundred of one disk's reads are one in a hundred of the mirror's, and fewer of the pool's."""
    assert (268, 8, 8, 8) == milliseconds(cost_of(MIRRORS, "c", buckets(970, 30)))
    assert (8, 8, 8, 8) == milliseconds(cost_of(MIRRORS, "c", buckets(985, 15)))


def test_a_write_to_a_mirror_waits_for_both() -> None:
    assert (268, 8, 8, 8) == milliseconds(cost_of(MIRRORS, "c", buckets(985, 15), WRITE))


def test_lone_disks_are_each_others_like() -> None:
    with_it, without, pool_with, pool_without = milliseconds(
        cost_of(("d1", "d2", "d3"), "d3", buckets(900, 100))
    )

    assert (268, 8) == (with_it, without)
    assert (268, 8) == (pool_with, pool_without)


def test_without_peers_that_did_anything_nothing_is_known() -> None:
    layout = inferred_layout(sample(0, RAIDZ, healthy))
    counts = [buckets(100, 5), *([0] * POWERS for _ in layout.members[1:])]

    assert None is tail_cost(layout, counts, 0, READ, 0.99)
    assert None is tail_cost(layout, counts, 1, READ, 0.99)


COUNTS = st.lists(st.integers(0, 50), min_size=POWERS, max_size=POWERS)


@given(
    names=st.sampled_from([RAIDZ, MIRRORS, ("a", "b", "c")]),
    data=st.data(),
    share=st.sampled_from([0.5, 0.99, 0.999]),
    operation=st.sampled_from([READ, WRITE]),
)
def test_a_disk_that_never_answers_sooner_than_its_peers_costs_no_less_than_nothing(
    names: Sequence[str], data: st.DataObject, share: float, operation: str
) -> None:
    layout: PeerGroups = inferred_layout(sample(0, names, healthy))
    usual = data.draw(COUNTS)
    later = data.draw(st.integers(0, 5))
    counts = [usual for _ in layout.members]
    counts[0] = [0] * later + usual[: POWERS - later]
    counts[0][-1] += sum(usual) - sum(counts[0])

    cost = tail_cost(layout, counts, 0, operation, share)

    if not any(usual):
        assert cost is None
        return
    assert cost is not None
    assert cost.vdev_with_ns >= cost.vdev_without_ns
    assert cost.pool_with_ns >= cost.pool_without_ns
    if not later:
        assert cost.vdev_with_ns == cost.vdev_without_ns


@pytest.mark.parametrize("share", [0.99, 0.999])
def test_it_says_of_which_share_it_speaks(share: float) -> None:
    cost = cost_of(RAIDZ, "d3", buckets(980, 20), share=share)

    assert cost is not None
    assert share == cost.share
