"""Tokens of receives that were cut."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zfs.streams import native
from zconsole.base.errors import ParseError
from zconsole.model.datasets.replication import CutReceive
from zconsole.zfs.stream.resume_token import parse_resume_token


def token(**values: int | str) -> str:
    packed = native(dict(values))
    return f"1-0123456789abcdef-{len(packed):x}-{zlib.compress(packed).hex()}"


def test_a_token_tells_what_was_received_and_how_far() -> None:
    text = token(
        object=5, offset=131072, bytes=9_000_000, toguid=2**63 + 1, toname="tank/home@b", fromguid=11
    )

    assert CutReceive("tank/home@b", 2**63 + 1, 11, 9_000_000) == parse_resume_token(text)
    assert CutReceive() == parse_resume_token(token(compressok="x"))


@pytest.mark.parametrize(
    "text", ["", "-", "2-1-1-78", "1-1-zz-78", "1-1-10-xyz", "1-1-10-789c", "1-1-fffffffff-78"]
)
def test_what_is_no_token_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_resume_token(text)


@given(st.binary(max_size=200))
def test_any_list_in_a_token_is_read_or_refused(data: bytes) -> None:
    try:
        parse_resume_token(f"1-0-ff-{zlib.compress(data).hex()}")
    except ParseError:
        return
