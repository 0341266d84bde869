"""Room for the listings of one reading."""

from __future__ import annotations

import pytest

from zconsole.base.errors import CommandFailed
from zconsole.collect.listing_room import ListingRoom


def test_answers_share_the_room() -> None:
    room = ListingRoom(2 << 20)

    first = room.take(bytes(1 << 20))
    with pytest.raises(CommandFailed, match="more than 2 MiB"):
        room.take(bytes((1 << 20) + 1))

    assert 1 << 20 == len(first)


def test_a_repeated_reading_has_the_whole_room() -> None:
    room = ListingRoom(1 << 20)
    room.take(bytes(1 << 20))

    assert b"x" == room.again().take(b"x")
