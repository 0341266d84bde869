"""What dd prints of a piece that it read, and where the pieces are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Effect
from zconsole.system.dd_disk_reads import (
    BURST_MIB,
    MIB,
    PIECE_MIB,
    Piece,
    offsets_mib,
    parse_piece,
    read_burst,
    read_piece,
)

REAL = """\
64+0 records in
64+0 records out
67108864 bytes (67 MB, 64 MiB) copied, 0.352184 s, 191 MB/s
"""  # coreutils 9.1
FAST = "64+0 records in\n64+0 records out\n67108864 bytes (67 MB, 64 MiB) copied, 9.1e-05 s, 737 GB/s\n"
BUSYBOX = "64+0 records in\n64+0 records out\n67108864 bytes (64.0MB) copied, 0.006115 seconds, 10.2GB/s\n"
NOTHING = "0+0 records in\n0+0 records out\n0 bytes copied, 3.1415 s, 0.0 kB/s\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (REAL, Piece(67108864, 0.352184)),
        (FAST, Piece(67108864, 9.1e-05)),
        (BUSYBOX, Piece(67108864, 0.006115)),
        (NOTHING, Piece(0, 3.1415)),
    ],
)
def test_the_last_line_tells_bytes_and_seconds(text: str, expected: Piece) -> None:
    assert expected == parse_piece(text)


def test_anything_else_is_refused_at_every_length() -> None:
    for end in range(len(REAL)):
        text = REAL[:end]
        if " s" in text:
            assert Piece(67108864, 0.352184) == parse_piece(text)
        else:
            with pytest.raises(ParseError):
                parse_piece(text)


def test_a_piece_is_read_past_the_cache_and_goes_nowhere() -> None:
    command = read_piece("/dev/disk/by-id/wwn-0x5", 7)

    assert Effect.READ is command.effect
    assert {"of=/dev/null", "iflag=direct", "skip=7", "count=64"} < set(command.argv)


def test_a_burst_is_bounded_reads_past_the_cache_and_writes_nothing() -> None:
    command = read_burst("/dev/sdc", 256)

    assert (
        "dd", "if=/dev/sdc", "of=/dev/null", "bs=1M", f"count={BURST_MIB}", "skip=256", "iflag=direct",
    ) == command.argv  # fmt: skip
    assert Effect.READ is command.effect
    assert 10 >= command.timeout_s


@given(size=st.integers(min_value=1, max_value=1 << 46))
def test_the_pieces_begin_on_the_disk_and_end_on_it(size: int) -> None:
    found = offsets_mib(size)

    assert 0 == found[0]
    assert 1 <= len(found) <= 3
    assert all((each + PIECE_MIB) * MIB <= size for each in found) or (0,) == found
