"""What syncoid 2.1.0 and pv 1.6.20 print without a terminal, as a real pair of pools made them do it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.zfs.stream.syncoid_progress import Counted, StreamProgress, counted, last_stream, without_counts

FIRST = (
    "WARN: lzop not available on source [local machine]- sync will continue without compression.\n"
    "NEWEST SNAPSHOT: autosnap_2026-11-23_00:00:00_daily\n"
    "INFO: Sending oldest full snapshot tank/data@autosnap_2026-11-21_00:00:00_daily (~ 60.1 MB)"
    " to new target filesystem:\n"
)
THEN = (
    "INFO: Updating new target filesystem with incremental tank/data@autosnap_2026-11-21_00:00:00_daily ..."
    " autosnap_2026-11-23_00:00:00_daily (~ 120.2 MB):\n"
)
MIB = 1 << 20
COUNTS = st.lists(st.integers(0, 10**15), min_size=1).map(sorted)


def test_the_stream_that_was_named_last_is_on_its_way() -> None:
    assert last_stream("NEWEST SNAPSHOT: a\n") is None
    first, then = last_stream(FIRST), last_stream(FIRST + THEN)
    assert first is not None
    assert first.words.startswith("INFO: Sending oldest full")
    assert round(60.1 * MIB) == first.total_bytes
    assert then == StreamProgress(THEN.strip(), round(120.2 * MIB))


def test_sizes_are_taken_as_syncoid_divides_them() -> None:
    def total(words: str) -> int | None:
        found = last_stream(f"Sending incremental a@1 ... 2 (~ {words}):\n")
        assert found is not None
        return found.total_bytes

    assert [12 << 10, 3 << 29, None] == [total("12 KB"), total("1.5 GB"), total("UNKNOWN")]
    assert 4 * MIB == total("4.0 MB remaining")


def test_a_snapshot_that_is_named_like_a_size_is_none() -> None:
    assert last_stream("NEWEST SNAPSHOT: (~ 5 MB\n") is None


@given(st.lists(COUNTS.filter(lambda found: found[-1] > 0), min_size=1))
def test_each_stream_is_counted_from_nothing(streams: list[list[int]]) -> None:
    """Each begins below where the one before it ended."""
    told = "".join(f"{each}\n" for stream in streams for each in (0, *stream))

    found = counted(told.encode())

    assert Counted(streams[-1][-1], sum(stream[-1] for stream in streams[:-1])) == found


@given(st.lists(st.one_of(st.text(st.characters(exclude_characters="\n")), st.integers(0, 10**17).map(str))))
def test_words_beside_the_numbers_are_kept(lines: list[str]) -> None:
    """Whatever they are; a number of a line alone is none of them."""
    told = "\n".join(lines).encode("utf-8", "surrogatepass")

    kept = without_counts(told)

    assert counted(kept) is None
    assert all(line.encode("utf-8", "surrogatepass") in kept for line in lines if not line.strip().isdigit())


def test_nothing_is_counted_where_there_is_no_pv() -> None:
    assert counted(b"WARN: pv not available on local machine\n") is None
    assert counted(b"12") is None  # a line that is not whole may be the beginning of a larger number
