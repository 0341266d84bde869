"""Records of send streams, made field by field as `dmu_replay_record_t` has them."""

from __future__ import annotations

import struct

import pytest

from zconsole.zfs.stream.record import (
    BEGIN,
    CHECKSUM_AT,
    COMPOUND,
    END,
    FREE,
    LARGEST_BLOCK,
    MAGIC,
    OBJECT,
    RECORD_BYTES,
    SPILL,
    SUBSTREAM,
    WRITE,
    WRITE_EMBEDDED,
    Begin,
    byte_order,
    checksum,
    end_guid,
    parse_begin,
    payload_bytes,
    record_type,
)

RAW_AND_NEW = 1 << 24 | 1 << 15


def whole(data: bytes) -> bytes:
    return data.ljust(RECORD_BYTES, b"\0")


def begin(
    order: str = "<", *, version: int = SUBSTREAM, magic: int = MAGIC, name: bytes = b"tank/a@1"
) -> bytes:
    fields = struct.pack(f"{order}IIQQQIIQQ", BEGIN, 96, magic, version, 1_700_000_000, 2, 1, 7, 5)
    return whole(fields + name)


@pytest.mark.parametrize("order", ["<", ">"])
def test_the_magic_tells_the_byte_order(order: str) -> None:
    record = begin(order)

    assert order == byte_order(record)
    assert BEGIN == record_type(record, order)
    assert byte_order(begin(order, magic=MAGIC + 1)) is None


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_beginning_is_read_in_either_order(order: str) -> None:
    expected = Begin(SUBSTREAM, ("feature 15", "raw"), 1_700_000_000, "filesystem", 1, 7, 5, "tank/a@1", 96)

    assert expected == parse_begin(begin(order, version=SUBSTREAM | RAW_AND_NEW << 2), order)


def test_a_package_is_told_from_a_snapshot() -> None:
    package, snapshot = parse_begin(begin(version=COMPOUND), "<"), parse_begin(begin(), "<")

    assert package is not None
    assert snapshot is not None
    assert package.is_compound
    assert not snapshot.is_compound


@pytest.mark.parametrize(
    "record",
    [begin(magic=1), begin(version=0), begin(version=3), begin(name=b""), begin(name=b"tank\0rubbish")],
)
def test_what_cannot_be_a_beginning_is_none(record: bytes) -> None:
    assert parse_begin(record, "<") is None


@pytest.mark.parametrize(
    ("expected", "record"),
    [
        (0, struct.pack("<I", FREE)),
        (0, struct.pack("<I", OBJECT)),
        (168, struct.pack("<I24xI4xI", OBJECT, 161, 0)),
        (512, struct.pack("<I24xI4xI", OBJECT, 161, 512)),
        (None, struct.pack("<I24xI4xI", OBJECT, 2**21, 0)),
        (4096, struct.pack("<I28xQ10xB45xQ", WRITE, 4096, 0, 512)),
        (512, struct.pack("<I28xQ10xB45xQ", WRITE, 4096, 1, 512)),
        (None, struct.pack("<I28xQ10xB45xQ", WRITE, LARGEST_BLOCK + 4, 0, 0)),
        (None, struct.pack("<I28xQ10xB45xQ", WRITE, 0, 0, 0)),
        (8, struct.pack("<I12xQ16xQ", SPILL, 8, 0)),
        (4, struct.pack("<I12xQ16xQ", SPILL, 8, 4)),
        (16, struct.pack("<I48xI", WRITE_EMBEDDED, 9)),
        (None, struct.pack("<I48xI", WRITE_EMBEDDED, 0)),
    ],
)
def test_the_size_behind_a_record_is_that_of_its_fields_or_none_that_a_block_has(
    expected: int | None, record: bytes
) -> None:
    assert expected == payload_bytes(whole(record), "<")


def test_sums_and_the_guid_of_an_end_stand_at_their_places() -> None:
    end = struct.pack("<I4x4QQ", END, 1, 2, 3, 4, 99)
    free = struct.pack("<I", FREE).ljust(CHECKSUM_AT, b"\0") + struct.pack("<4Q", 5, 6, 7, 8)

    assert (1, 2, 3, 4) == checksum(whole(end), "<", 8)
    assert 99 == end_guid(whole(end), "<")
    assert (5, 6, 7, 8) == checksum(free, "<", CHECKSUM_AT)
