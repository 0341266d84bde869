"""Lines come back as they were, and take less memory than deflated text."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.history.numeric_text_packing import LEVEL, NOISE, pack, unpack
from zconsole.zfs.iostat.iostat_stream import IostatReader
from zconsole.zfs.iostat.row_to_scripted_line import lines_of

FIELD = st.text("0123456789-", max_size=3).map(str.encode)
LINE = st.text("0123456789-\t", min_size=1, max_size=2 * NOISE).map(str.encode)


@given(st.lists(LINE, min_size=1, max_size=40))
def test_lines_come_back_as_they_were(lines: list[bytes]) -> None:
    assert lines == unpack(pack(lines))


@given(st.integers(1, 40).flatmap(lambda width: st.lists(st.lists(FIELD, min_size=width, max_size=width))))
def test_lines_with_as_many_fields_come_back_as_they_were(rows: list[list[bytes]]) -> None:
    lines = [line for row in rows if (line := b"\t".join(row))]

    if lines:
        assert lines == unpack(pack(lines))


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_lines_of_a_real_pool_take_less_than_as_text(version: str) -> None:
    text = (CAPTURES / "live" / version / "iostat_changes.txt").read_bytes()
    samples = IostatReader({"tank": (), "bulk": ()}).feed(text)
    lines = [line.partition(b"\t")[2] for sample in samples for line in lines_of(sample.rows)]

    packed = pack(lines)

    assert lines == unpack(packed)
    assert len(packed) < 0.95 * len(zlib.compress(b"\n".join(lines), LEVEL))
