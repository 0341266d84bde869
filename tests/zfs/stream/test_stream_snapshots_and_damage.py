"""Files of send streams: what is in them, whether it is whole, and where it is not."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zfs.streams import Writer, native, package
from zconsole.model.datasets.send_stream import SendStream, StreamFault, StreamProblem
from zconsole.zfs.stream.stream_snapshots_and_damage import read_streams

FULL = bytes(Writer().snapshot("tank/home@a", 11).data)
LISTED = {
    "tosnap": "c",
    "not_recursive": None,
    "fss": {"0x1": {"name": "tank/home", "parentfromsnap": 0, "snaps": {"a": 11, "b": 12, "c": 13}}},
}


def read(data: bytes, *, verify: bool = True) -> tuple[tuple[SendStream, ...], StreamProblem | None]:
    """Once by reading everything, once by seeking: both must find the same but for checksums."""
    found = read_streams(io.BytesIO(data), verify=verify)
    sought = read_streams(io.BytesIO(data), size_bytes=len(data))
    plain = read_streams(io.BytesIO(data))
    assert plain == sought
    return found


@pytest.mark.parametrize("order", "<>")
def test_a_full_stream_tells_what_it_is(order: str) -> None:
    writer = Writer(order).snapshot(
        "tank/home@a", 2**63 + 11, created=1_795_218_812, features=1 << 22 | 1 << 16
    )
    ((stream,), problem) = read(bytes(writer.data))
    (sent,) = stream.snapshots

    assert problem is None
    assert ("tank/home@a", "tank/home", 2**63 + 11, None) == (
        sent.name,
        sent.dataset,
        sent.guid,
        sent.from_guid,
    )
    assert (1_795_218_812, "filesystem", ("embedded data", "compressed")) == (
        sent.created,
        sent.kind,
        sent.features,
    )
    assert (0, len(writer.data), True) == (sent.offset, sent.length_bytes, sent.is_checksum_good)
    assert (False, len(writer.data)) == (stream.is_package, stream.length_bytes)


def test_an_increment_a_clone_and_a_volume_are_told_apart() -> None:
    writer = Writer().snapshot("tank/home@b", 12, 11)
    writer.snapshot("tank/twin@b", 13, 11, flags=1)
    writer.snapshot("tank/disk@b", 14, kind=3, features=1 << 24 | 1 << 29)
    streams, problem = read(bytes(writer.data))
    first, second, third = (stream.snapshots[0] for stream in streams)

    assert problem is None
    assert (11, False) == (first.from_guid, first.is_clone)
    assert (11, True) == (second.from_guid, second.is_clone)
    assert ("volume", ("raw", "large microzap")) == (third.kind, third.features)
    assert [0, first.length_bytes, third.offset] == [stream.offset for stream in streams]


@pytest.mark.parametrize("order", "<>")
def test_a_resumed_stream_says_where_it_goes_on(order: str) -> None:
    payload = native(
        {"crypt_keydata": {"a": 1, "b": "x"}, "resume_object": 5, "resume_offset": 1 << 40}, order
    )
    writer = Writer(order).snapshot("tank/home@a", 11, payload=payload, features=1 << 20)
    ((stream,), problem) = read(bytes(writer.data))

    assert problem is None
    assert (5, 1 << 40) == stream.snapshots[0].resumes_at


@pytest.mark.parametrize("order", "<>")
def test_a_package_has_its_snapshots_and_the_names_of_its_list(order: str) -> None:
    data = package(
        "tank/home@c", [("tank/home@b", 12, 11), ("tank/home@c", 13, 12)], listed=LISTED, order=order
    )
    ((stream,), problem) = read(data)

    assert problem is None
    assert (True, False, len(data)) == (stream.is_package, stream.is_recursive, stream.length_bytes)
    assert [12, 13] == [sent.guid for sent in stream.snapshots]
    assert [(11, "tank/home@a"), (12, "tank/home@b"), (13, "tank/home@c")] == list(stream.names)
    assert all(sent.is_checksum_good for sent in stream.snapshots)


def test_a_package_of_a_tree_is_recursive() -> None:
    listed = {key: value for key, value in LISTED.items() if key != "not_recursive"}
    ((stream,), problem) = read(package("tank@c", [], listed=listed))

    assert (None, True) == (problem, stream.is_recursive)


def test_a_file_cut_at_any_byte_is_truncated_there() -> None:
    writer = Writer().begin("t@a", 1).record(3, b"d" * 512, drr_object=1, drr_logical_size=512, drr_toguid=1)
    whole = bytes(writer.end(1).data)
    for cut in range(1, len(whole)):
        streams, problem = read_streams(io.BytesIO(whole[:cut]), size_bytes=cut)

        assert problem is not None
        if cut < 13:  # the magic is not there
            assert (StreamFault.NO_STREAM, ()) == (problem.fault, streams)
            continue
        assert StreamFault.TRUNCATED == problem.fault
        assert cut in {problem.offset, cut + problem.offset}
        assert not any(sent.is_whole for stream in streams for sent in stream.snapshots)


@pytest.mark.parametrize("cut", [1, 311, 312, 313, 700, len(FULL) - 312, len(FULL) - 1])
def test_a_cut_is_found_alike_by_reading_and_by_seeking(cut: int) -> None:
    problem = read(FULL[:cut])[1]

    assert problem is not None
    assert problem.fault in {StreamFault.TRUNCATED, StreamFault.NO_STREAM}


def test_a_package_cut_after_its_first_snapshot_keeps_that_one() -> None:
    data = package("tank/home@c", [("tank/home@b", 12, 11), ("tank/home@c", 13, 12)], listed=LISTED)
    ((stream,), problem) = read(data[:-1000])

    assert problem is not None
    assert (StreamFault.TRUNCATED, None) == (problem.fault, stream.length_bytes)
    assert [True, False] == [sent.is_whole for sent in stream.snapshots]


def test_a_package_that_lacks_only_its_last_end_is_truncated() -> None:
    """Every snapshot in it is whole: they are used, and the file is named all the same."""
    data = package("tank/home@c", [("tank/home@b", 12, 11)], listed=LISTED)
    ((stream,), problem) = read(data[:-312])

    assert problem == StreamProblem(StreamFault.TRUNCATED, len(data) - 312, "it ends before the stream does")
    assert [True] == [sent.is_whole for sent in stream.snapshots]


@given(at=st.integers(312, len(FULL) - 1), bit=st.integers(0, 7))
def test_a_flipped_bit_is_found_by_the_checksums(at: int, bit: int) -> None:
    data = bytearray(FULL)
    data[at] ^= 1 << bit
    streams, problem = read_streams(io.BytesIO(bytes(data)), verify=True)

    assert problem is not None
    assert problem.fault in {StreamFault.DAMAGED, StreamFault.TRUNCATED}
    assert not any(sent.is_whole for stream in streams for sent in stream.snapshots)


@given(st.binary(max_size=2000))
def test_rubbish_is_no_stream(data: bytes) -> None:
    streams, problem = read(data)

    assert (StreamFault.NO_STREAM, ()) == (problem and problem.fault, streams)


@given(st.integers(0, len(FULL) - 1), st.binary(min_size=1, max_size=400))
def test_rubbish_within_a_stream_never_breaks_the_reader(at: int, rubbish: bytes) -> None:
    data = FULL[:at] + rubbish + FULL[at + len(rubbish) :]
    for verify in (False, True):
        streams, problem = read_streams(io.BytesIO(data), verify=verify)
        assert problem is None or problem.offset <= len(data)
        assert len(streams) <= 2


def test_a_payload_that_ends_within_a_word_is_damage_and_no_crash() -> None:
    data = FULL[:4] + b"\x01" + FULL[5:]

    _, problem = read_streams(io.BytesIO(data), verify=True)

    assert problem is not None
    assert StreamFault.DAMAGED is problem.fault
    assert "which is impossible" in problem.reason


def test_what_stands_behind_a_stream_is_told_unless_it_is_filled_up_with_zeros() -> None:
    assert read(FULL + bytes(5000))[1] is None
    problem = read(FULL + b"once upon a time" * 50)[1]
    assert problem == StreamProblem(
        StreamFault.DAMAGED, len(FULL), "the data after the stream is not a stream"
    )


@pytest.mark.parametrize(
    ("reason", "broken"),
    [
        ("end record of another snapshot", Writer().begin("t@a", 1).end(2)),
        ("a stream begins within another", Writer().begin("t@a", 1).begin("t@b", 2)),
        (
            "a record has an impossible size",
            Writer().begin("t@a", 1).record(3, drr_object=1, drr_logical_size=1 << 40),
        ),
        (
            "its list of properties cannot be read: unknown encoding 7",
            Writer().begin("t@a", 1, payload=b"\x07" * 64),
        ),
        ("the list of the package does not end", Writer().begin("t@a", 1, header=2).begin("t@a", 1)),
        (
            "a package begins within a package",
            Writer().begin("t@a", 0, header=2).end(0).begin("t@a", 0, header=2),
        ),
        ("expected the beginning of a stream", Writer().begin("t@a", 0, header=3)),
    ],
)
def test_what_cannot_be_is_damaged(reason: str, broken: Writer) -> None:
    problem = read(bytes(broken.data))[1]

    assert problem is not None
    assert (StreamFault.DAMAGED, reason) == (problem.fault, problem.reason)


@pytest.mark.parametrize(
    ("pack", "unpack"), [(gzip.compress, gzip.open), (lzma.compress, lzma.open), (bz2.compress, bz2.open)]
)
def test_what_is_compressed_is_read_and_its_cut_is_told(pack: Any, unpack: Any) -> None:
    packed = pack(FULL + FULL)

    with unpack(io.BytesIO(packed), "rb") as file:
        streams, problem = read_streams(file)
    assert (2, None) == (len(streams), problem)
    with unpack(io.BytesIO(packed[:-20]), "rb") as file:
        streams, problem = read_streams(file)
    assert problem is not None
    assert StreamFault.TRUNCATED == problem.fault
    with unpack(io.BytesIO(packed[:30] + b"\xff\xff" + packed[32:]), "rb") as file:
        streams, problem = read_streams(file)
    assert problem is not None
    assert StreamFault.NO_STREAM != problem.fault
