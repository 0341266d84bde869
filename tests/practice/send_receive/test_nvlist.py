"""Packed nvlists are read back, by this host and by the console's own reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.practice.send_receive.nvlist import NvList, pack, unpack

VALUES = st.integers(0, (1 << 64) - 1) | st.text(max_size=20) | st.just(value=True)
LISTS = st.recursive(
    st.dictionaries(st.text(min_size=1, max_size=12), VALUES, max_size=5),
    lambda inner: st.dictionaries(st.text(min_size=1, max_size=12), VALUES | inner, max_size=4),
    max_leaves=12,
)


@given(listed=LISTS)
def test_a_packed_list_is_read_back(listed: NvList) -> None:
    assert listed == unpack(pack(listed))


def test_a_flag_that_is_false_is_left_out() -> None:
    assert {"on": True} == unpack(pack({"on": True, "off": False}))


@pytest.mark.parametrize(("value", "kind"), [(True, 1), (7, 8), ("text", 9), ({"a": 1}, 19)])
def test_a_value_has_the_number_of_its_type(value: int | str | NvList, kind: int) -> None:
    """The numbers of data_type_t in sys/nvpair.h."""
    packed = pack({"name": value})

    assert kind == int.from_bytes(packed[28:32], "big")
