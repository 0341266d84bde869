"""Packed lists in both encodings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zfs.streams import native, xdr
from zconsole.base.errors import ParseError
from zconsole.zfs.stream.nvlist import parse_nvlist

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2**64 - 1) | st.text("abcé", max_size=9),
    lambda inner: st.dictionaries(st.text("abc:_", min_size=1, max_size=9), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text("abc:_", min_size=1, max_size=9), VALUES, max_size=5), st.sampled_from("x<>"))
def test_lists_are_read_as_they_were_packed(values: dict[str, Any], how: str) -> None:
    packed = xdr(values) if how == "x" else native(values, how)

    assert _flags(values) == parse_nvlist(packed)
    for cut in range(len(packed)):
        with pytest.raises(ParseError):
            parse_nvlist(packed[:cut])


def _flags(values: Any) -> Any:
    if isinstance(values, dict):
        return {name: _flags(value) for name, value in values.items()}
    return True if values is None else values


@pytest.mark.parametrize("pack", [xdr, native])
def test_pairs_of_other_kinds_are_left_out(pack: Any) -> None:
    assert {"b": 2} == parse_nvlist(pack({"a": [1, 2, 3], "b": 2}))


@given(st.sampled_from([b"\0\x01\0\0", b"\x01\x01\0\0", b"\0\0\0\0"]), st.binary(max_size=300))
def test_rubbish_is_no_list(head: bytes, data: bytes) -> None:
    try:
        parse_nvlist(head + data)
    except ParseError:
        return
