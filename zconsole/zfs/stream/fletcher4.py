"""Fletcher-4, the checksum of send streams: four running sums over 32-bit words, modulo 2**64."""

from __future__ import annotations

import sys
from array import array
from itertools import accumulate
from typing import Final

Sums = tuple[int, int, int, int]
_MASK: Final = (1 << 64) - 1
_STEP_BYTES: Final = 1 << 16  # bounds the memory and the size of the sums between two reductions


class Fletcher4:
    """Running checksum. `is_little` is the byte order of the stream's writer."""

    def __init__(self, *, is_little: bool) -> None:
        self._swaps = is_little != (sys.byteorder == "little")
        self.sums: Sums = (0, 0, 0, 0)

    def restart(self) -> None:
        """Reset the sums, as a stream does after each DRR_END."""
        self.sums = (0, 0, 0, 0)

    def update(self, data: bytes) -> None:
        """Add bytes, a multiple of four as in all records and payloads."""
        for start in range(0, len(data), _STEP_BYTES):
            self._add(data[start : start + _STEP_BYTES])

    def _add(self, data: bytes) -> None:
        words = array("I", data)
        if self._swaps:
            words.byteswap()
        a, b, c, d = self.sums
        first = list(accumulate(words, initial=a))
        second = list(accumulate(first[1:], initial=b))
        third = list(accumulate(second[1:], initial=c))
        self.sums = (
            first[-1] & _MASK,
            second[-1] & _MASK,
            third[-1] & _MASK,
            (d + sum(third[1:])) & _MASK,
        )
