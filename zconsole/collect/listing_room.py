"""Bound on the listings that one reading holds in memory, over all of its pools and commands."""

from __future__ import annotations

from zconsole.base.errors import CommandFailed
from zconsole.hosts.host import LISTING_MAX_BYTES


class ListingRoom:
    """Bytes of listings that a reading may still take. Their rows become objects, four times as large."""

    def __init__(self, room_bytes: int = LISTING_MAX_BYTES) -> None:
        self._all_bytes = self._left_bytes = room_bytes

    def take(self, answer: bytes) -> bytes:
        """An answer for which there is room. Raises CommandFailed."""
        self._left_bytes -= len(answer)
        if self._left_bytes < 0:
            raise CommandFailed(
                f"what has to be listed is more than {self._all_bytes >> 20} MiB",
                hint="Name a dataset with fewer snapshots, or fewer of them at a time.",
            )
        return answer

    def again(self) -> ListingRoom:
        """The whole room, for a reading that is repeated and keeps nothing of the first time."""
        return ListingRoom(self._all_bytes)
