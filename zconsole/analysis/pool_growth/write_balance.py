"""How writes will spread over vdevs that are not equally full, and when these are even.

By free space: a vdev with twice the free space of another gets twice the new blocks, so that all of them
become full at the same time, and how full they are comes together in a straight line till then. Where
blocks are freed as well it goes faster, since new ones go where there is room. Speed has a part in it
since OpenZFS 0.7: a vdev that is much slower gets less than its share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

EVEN: Final = 0.05  # of their size: vdevs whose use differs by no more are even


@dataclass(frozen=True, slots=True)
class Share:
    """One vdev's part of new writes, 0 to 1, and how full it is."""

    vdev: str
    size_bytes: int
    free_bytes: int
    part: float

    @property
    def used(self) -> float:
        """The part of it that is allocated, 0 to 1."""
        return 1 - self.free_bytes / self.size_bytes


def shares(vdevs: Sequence[tuple[str, int, int]]) -> tuple[Share, ...]:
    """Return each vdev's part, from its name, size and free bytes; equal parts where none has room."""
    free = sum(each[2] for each in vdevs)
    return tuple(
        Share(name, size, here, here / free if free else 1 / len(vdevs)) for name, size, here in vdevs
    )


def used_after(spread: Sequence[Share], written_bytes: int) -> tuple[float, ...]:
    """Return how full each vdev is once so much more is allocated, parity included; 0 to 1."""
    return tuple(min(1.0, each.used + each.part * written_bytes / each.size_bytes) for each in spread)


def even_after_bytes(spread: Sequence[Share], *, within: float = EVEN) -> int:
    """Return how much must be allocated until all are equally full but for `within`, if nothing is freed."""
    free = sum(each.free_bytes for each in spread)
    used = [each.used for each in spread]
    apart = max(used) - min(used)
    return 0 if apart <= within else round(free * (1 - within / apart))
