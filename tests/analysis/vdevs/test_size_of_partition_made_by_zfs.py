"""What ZFS leaves of a whole disk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes


def test_it_is_the_size_that_a_real_leaf_had_on_a_real_disk() -> None:
    assert 4_284_481_536 == partition_bytes(4 << 30)


@pytest.mark.parametrize("size", [0, 512, 9 << 20])
def test_of_a_disk_that_is_too_small_nothing_is_left(size: int) -> None:
    assert 0 == partition_bytes(size)


@given(st.integers(2**27, 10**15))
def test_the_partition_is_a_little_smaller_and_aligned(whole: int) -> None:
    made = partition_bytes(whole)

    assert 0 == made % 2**20
    assert 9 * 2**20 < whole - made < 11 * 2**20
