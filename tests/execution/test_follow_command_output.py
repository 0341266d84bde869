"""Streams one after the other, as they are told while they run."""

from __future__ import annotations

from zconsole.execution.follow_command_output import Streams

FIRST = b"INFO: Sending oldest full snapshot a@1 (~ 100 KB) to new target filesystem:\n"
THEN = FIRST + b"INFO: Updating new target filesystem with incremental a@1 ... 3 (~ 50 KB):\n"


def test_nothing_is_told_before_something_is_counted() -> None:
    assert Streams().moved(0.0, FIRST, b"WARN: no lzop\n") is None
    assert Streams().whole(b"WARN: no lzop\n") is None


def test_each_stream_has_its_own_count_and_its_own_total() -> None:
    streams = Streams()

    def told(at: float, stdout: bytes, stderr: bytes) -> tuple[int, int | None]:
        found = streams.moved(at, stdout, stderr)
        assert found is not None
        return found.bytes, found.total_bytes

    assert (60_000, 102_400) == told(1.0, FIRST, b"60000\n")
    assert (102_000, 102_400) == told(2.0, FIRST, b"60000\n102000\n")
    assert (0, 51_200) == told(3.0, THEN, b"60000\n102000\n")
    assert (10_000, 51_200) == told(4.0, THEN, b"60000\n102000\n10000\n")
    whole = streams.whole(b"60000\n102000\n10000\n50000\n")
    assert whole is not None
    assert 152_000 == whole.bytes


def test_what_is_no_longer_kept_of_its_words_was_counted() -> None:
    """Of what it says only the end is kept."""
    streams = Streams()
    streams.moved(1.0, THEN, b"102000\n10000\n")

    whole = streams.whole(b"40000\n50000\n")

    assert whole is not None
    assert 152_000 == whole.bytes


def test_its_pace_begins_anew_with_each_stream() -> None:
    streams = Streams()
    for at in range(20):
        before = streams.moved(float(at), FIRST, f"{5000 * at}\n".encode())
    after = streams.moved(20.0, THEN, b"95000\n100\n")

    assert before is not None
    assert before.rate is not None
    assert 5000 == round(before.rate)
    assert after is not None
    assert after.rate is None
