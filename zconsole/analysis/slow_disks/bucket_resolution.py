"""What power-of-two buckets hide: ZFS prints the mean of their middles, and not of the latencies.

Latencies between 2^k and 2^(k+1) ns count as 1.5 x 2^k. So a printed mean is between 3/4 and 3/2
of the true one. Where latencies spread over three buckets or more these errors cancel, to a percent; where
they lie in one bucket or in two they do not: 8.3 and 8.5 ms are printed as 6.3 and 12.6.
"""

from __future__ import annotations

import math
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

MOST_ABOVE: Final = 4 / 3  # a true mean is at most this many times the printed one,
MOST_BELOW: Final = 3 / 2  # and the printed one at most this many times the true one
_MIDDLE: Final = 0.75  # mantissa of a bucket's middle
_NEAR: Final = 0.07  # share of latencies in the next bucket with which nearly all are in one
_STRAY: Final = 1.1  # a few in a third bucket, as real disks have, do not tell where the others are
_LEAST_SECONDS: Final = 10
_OUTSIDE: Final = 0.1  # share of seconds with means outside of two buckets that shows a third one
_MOST_OPERATIONS: Final = 30.0  # counted of a second: beyond, its seconds differ for other reasons
_SPREAD: Final = 0.2  # variance of an operation relative to its mean, squared; two buckets have 1/8 at most


def can_be_equal(latency: float, reference: float) -> bool:
    """Whether means can differ so by latencies on two sides of one border, however near to it."""
    mantissa, exponent = math.frexp(reference)
    middle = math.ldexp(_MIDDLE, exponent if mantissa >= _MIDDLE else exponent - 1)
    return latency <= 2 * middle * _STRAY


def are_in_one_bucket_each(latency: float, reference: float) -> bool:
    """Whether nearly all latencies are in one bucket, those of the peers in the same or in the one below."""
    own, of_peers = _nearest_middle(latency), _nearest_middle(reference)
    return own <= 2 * of_peers and abs(latency / own - 1) <= _NEAR and abs(reference / of_peers - 1) <= _NEAR


def bucket_around(mean: float) -> float:
    """The lower end of the bucket that nearly all latencies with this mean are in."""
    return _nearest_middle(mean) / _MIDDLE / 2


def _nearest_middle(mean: float) -> float:
    """The middle of a bucket that is nearest, by ratio."""
    return math.ldexp(_MIDDLE, round(math.log2(mean / _MIDDLE)))


@dataclass(slots=True)
class BucketSpread:
    """Means of one disk, second by second: whether its latencies are in more than two buckets."""

    seconds: int = 0
    mean: float = 0.0
    weighed: float = 0.0  # sum of squared deviations, times the operations of each mean
    octaves: dict[int, list[int]] | None = (
        None  # seconds by pair of buckets: those between, those at its lower end
    )

    def add(self, operations: float, latency: float) -> None:
        """Take in a second."""
        if self.octaves is None:
            self.octaves = {}
        mantissa, exponent = math.frexp(latency)
        of = self.octaves.setdefault(exponent if mantissa >= _MIDDLE else exponent - 1, [0, 0])
        of[mantissa == _MIDDLE] += 1
        self.seconds += 1
        before = latency - self.mean
        self.mean += before / self.seconds
        self.weighed += before * (latency - self.mean) * min(operations, _MOST_OPERATIONS)

    @property
    def is_resolved(self) -> bool:
        """Whether the means cannot come from two neighbouring buckets alone, so that they hardly err."""
        if self.seconds < _LEAST_SECONDS or self.octaves is None:
            return False
        octaves = self.octaves
        inside = max(sum(of) + octaves.get(at + 1, (0, 0))[1] for at, of in octaves.items())
        if self.seconds - inside > _OUTSIDE * self.seconds:
            return True
        return self.weighed / (self.seconds - 1) > _SPREAD * self.mean * self.mean
