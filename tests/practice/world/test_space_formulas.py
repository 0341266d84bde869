"""Partitions, labels and metaslabs take the bytes that they take on a real host."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.practice.world import space_formulas


def test_a_disk_of_eight_gibibytes_is_cut_up_as_on_a_real_host() -> None:
    """The numbers of the captured guests."""
    start, sectors = space_formulas.data_partition(8 << 30)

    assert (2048, 8_579_448_832) == (start, sectors * 512)
    leaf = space_formulas.leaf_asize(sectors * 512)
    assert 8_053_063_680 == leaf >> space_formulas.metaslab_shift(leaf) << space_formulas.metaslab_shift(leaf)


@given(
    size=st.integers(1, 1 << 24),
    parity=st.integers(1, 3),
    data=st.integers(1, 12),
    ashift=st.sampled_from([9, 12]),
)
def test_a_block_on_a_raidz_takes_at_least_itself_and_its_parity(
    size: int, parity: int, data: int, ashift: int
) -> None:
    taken = space_formulas.raidz_allocation(size, ashift, data + parity, parity)

    assert size < taken
    assert 0 == taken % ((parity + 1) << ashift)
    assert taken <= size * (data + parity) / data + ((2 * parity + data + 2) << ashift) * (parity + 1)
