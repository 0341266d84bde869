"""Output is bounded, and a slow reader holds up its source instead of filling the memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.hosts.build_command_results import MAX_STDERR_BYTES
from zconsole.hosts.collected_and_streamed_output import (
    HIGH_WATER_BYTES,
    MOST_TOGETHER_BYTES,
    CollectedOutput,
    LastWords,
    OutputFeed,
)


class Tap:
    """A source that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def pause(self) -> None:
        self.told.append("pause")

    def resume(self) -> None:
        self.told.append("resume")


@given(pieces=st.lists(st.binary(max_size=20)), bound=st.integers(0, 100))
def test_gathered_output_is_a_prefix_and_the_overrun_is_told_once(pieces: list[bytes], bound: int) -> None:
    told: list[bool] = []
    gathered = CollectedOutput(bound, lambda: told.append(True))

    for piece in pieces:
        gathered.out(piece)

    everything = b"".join(pieces)
    assert everything[:bound] == gathered.stdout
    assert (len(everything) > bound) == bool(gathered.overran) == bool(told)
    assert len(told) <= 1


@given(pieces=st.lists(st.binary(max_size=20)), bound=st.integers(0, 100))
def test_the_kept_end_begins_with_a_line_and_has_at_most_the_bound(pieces: list[bytes], bound: int) -> None:
    collected = CollectedOutput(bound, pytest.fail, keeps_end=True)

    for piece in pieces:
        collected.out(piece)

    everything = b"".join(pieces)
    assert everything.endswith(collected.stdout)
    assert len(collected.stdout) <= bound
    assert collected.is_cut == (len(everything) > bound)
    assert (
        not collected.is_cut
        or everything[: -len(collected.stdout) or None].endswith(b"\n")
        or (not collected.stdout)
    )
    collected.end()


def test_answers_that_are_too_large_together_cost_the_largest_of_them() -> None:
    told: list[str] = []
    small = CollectedOutput(MOST_TOGETHER_BYTES, lambda: told.append("small"))
    large = CollectedOutput(2 * MOST_TOGETHER_BYTES, lambda: told.append("large"))
    try:
        large.out(bytes(MOST_TOGETHER_BYTES))
        small.out(b"an answer")
    finally:
        large.end()
        small.end()

    assert ["large"] == told
    assert "together" in large.overran
    assert not small.overran


@given(pieces=st.lists(st.binary(max_size=3 * MAX_STDERR_BYTES), max_size=4))
def test_the_last_words_are_the_end_of_what_was_said(pieces: list[bytes]) -> None:
    words = LastWords()

    for piece in pieces:
        words.add(piece)

    assert b"".join(pieces)[-MAX_STDERR_BYTES:] == words.text()


async def test_a_source_waits_for_a_reader_that_is_behind() -> None:
    tap, feed = Tap(), OutputFeed()
    feed.source = tap

    feed.out(b"x" * (HIGH_WATER_BYTES + 1))
    feed.out(b"y")

    assert ["pause"] == tap.told
    assert b"x" * (HIGH_WATER_BYTES + 1) + b"y" == await feed.next()
    assert ["pause", "resume"] == tap.told


async def test_a_feed_gives_what_is_left_before_its_end() -> None:
    feed = OutputFeed()

    feed.out(b"last")
    feed.err(b"why")
    feed.end()

    assert [b"last", b"", b""] == [await feed.next(), await feed.next(), await feed.next()]
    assert b"why" == feed.stderr
