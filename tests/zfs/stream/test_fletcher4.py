"""The checksum of send streams against its definition."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.zfs.streams import fletcher4
from zconsole.zfs.stream.fletcher4 import Fletcher4


@given(st.lists(st.integers(0, 2**32 - 1), max_size=300), st.sampled_from("<>"), st.integers(0, 300))
def test_sums_are_those_of_the_definition(words: list[int], order: str, cut: int) -> None:
    data = b"".join(word.to_bytes(4, "little" if order == "<" else "big") for word in words)
    sums = Fletcher4(is_little=order == "<")
    sums.update(data[: 4 * cut])
    sums.update(data[4 * cut :])

    assert fletcher4(data, order) == sums.sums


def test_sums_of_much_stay_within_their_words() -> None:
    data = b"\xff" * 300_000
    sums = Fletcher4(is_little=True)
    sums.update(data)

    assert fletcher4(data, "<") == sums.sums
