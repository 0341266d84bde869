"""What a queue explains: a disk with more operations than its peers lets each of them wait for longer.

Of a disk that serves one operation after the other, whatever comes finds those that are there before it: with
`n` outstanding in the mean an operation takes 1 + n times its service (M/M/1: n is u / (1 - u) where it is
busy for the share u of the time). So of two disks with the same service that with more outstanding is slower
by (1 + n) / (1 + m). A slow disk has more outstanding as well, and no more operations: so this excuses only
where there are more of these, and at most as much as peers show that do as many.

Near saturation the queue is long at one disk for seconds and then at another one, of disks that are alike
and do as many: clients that wait for the slowest of several disks have all of their I/O at one. (Of a closed
network of like servers all distributions of the queue are equally probable: Gordon and Newell 1967.) A disk
with `n` outstanding serves one in 1 / n of the latency at least, peers with `m` in 1 / (1 + m) of theirs
(M/M/1): so n / (1 + m) of the ratio is explained where the queues of the peers differ as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from zconsole.analysis.slow_disks.peer_score import FEW_OPERATIONS

MORE: Final = 1.2  # times the operations of the peers, from which a queue may explain
AS_MANY: Final = 0.9  # of the operations of a disk: a peer with so many is as busy
EVENED: Final = 1.1  # times the operations of the peers: the disk that the others wait for
UNEVEN: Final = 1.2  # times the outstanding of another peer: of disks that delay each I/O alike it is less
IMPLAUSIBLE: Final = 12.0  # times the mean of the peers, with a probability of e^-12 if all are alike
HALF_BUSY: Final = 0.5  # the same, where one disk that has hardly more holds up all of them
SATURATED: Final = 1.0  # outstanding at the peers in the mean, from which queues wander


class DiskLoad(NamedTuple):
    """Recent load of a disk, or of the disks of a vdev in the mean."""

    operations: float  # as a decaying sum
    outstanding: float  # at a time, in the mean

    @property
    def latency(self) -> float:
        """Time of an operation, in a unit of its own (Little's law)."""
        return self.outstanding / self.operations if self.operations else 0.0


def queueing(own: DiskLoad, peers: Sequence[DiskLoad]) -> float:
    """Doublings of latency that the queue of a disk explains beside those of its peers."""
    wandering = wandering_queue(own, peers)
    if not _has_more(own, peers, MORE):
        return wandering
    usual = _lower_median([each.outstanding for each in peers])
    explained = math.log2((1 + own.outstanding) / (1 + usual))
    as_busy = _as_busy(own, peers)
    if not as_busy:
        return max(explained, wandering)
    busiest = [each for each in peers if each.operations >= AS_MANY * own.operations]
    refuted = _lower_median(as_busy) + wandering_queue(own, busiest)
    return max(0.0, wandering, min(explained, refuted))


def wandering_queue(own: DiskLoad, peers: Sequence[DiskLoad], least: float = SATURATED) -> float:
    """Doublings that a queue explains which is at this disk now, and was or will be at another one."""
    usual = _lower_median([each.outstanding for each in peers]) if peers else 0.0
    if usual < least or own.outstanding <= 1 + usual or not _are_uneven(peers):
        return 0.0
    if own.outstanding > IMPLAUSIBLE * math.fsum(each.outstanding for each in peers) / len(peers):
        return 0.0
    # arrivals that are evened out by a busier disk before them wait for less: m services, not 1 + m
    return math.log2(own.outstanding / (max(1.0, usual) if _has_more(own, peers, EVENED) else 1 + usual))


def expected_queueing(own: DiskLoad, peers: Sequence[DiskLoad]) -> float:
    """Doublings that are expected of more operations by what peers need for theirs.

    That is less than what its own queue explains, and less still where any peer does as many in less time.
    """
    if not _has_more(own, peers, 1.0):
        return wandering_queue(own, peers, HALF_BUSY)
    usual = DiskLoad(*(_lower_median([each[which] for each in peers]) for which in (0, 1)))
    explained = math.log2((1 + own.outstanding) / (1 + usual.outstanding))
    expected = min([explained, _growth(usual, own), *_as_busy(own, peers)])
    return max(0.0, expected, wandering_queue(own, peers, HALF_BUSY))


def _are_uneven(peers: Sequence[DiskLoad]) -> bool:
    """Whether the queues of the peers differ, as where queues wander, without the outer quarters."""
    each = sorted(one.outstanding for one in peers)
    outer = (len(each) - 1) // 4
    return len(each) > 1 and each[-1 - outer] >= UNEVEN * each[outer]


def _has_more(own: DiskLoad, peers: Sequence[DiskLoad], times: float) -> bool:
    if not peers:
        return False
    usual = _lower_median([each.operations for each in peers])
    return own.operations + FEW_OPERATIONS > times * (usual + FEW_OPERATIONS)


def _as_busy(own: DiskLoad, peers: Sequence[DiskLoad]) -> list[float]:
    """Doublings by which peers with as many operations, or nearly so, are slower than the others."""
    usual = _lower_median([each.latency for each in peers])
    busy = [each for each in peers if each.latency and each.operations >= AS_MANY * own.operations]
    return [math.log2(each.latency / usual) + _growth(each, own) for each in busy] if usual else []


def _growth(one: DiskLoad, to: DiskLoad) -> float:
    """Doublings by which a disk with this load is slower if it gets the operations of another one."""
    busy = one.outstanding / (1 + one.outstanding)
    more = max(1.0, (to.operations + FEW_OPERATIONS) / (one.operations + FEW_OPERATIONS))
    return math.log2((1 - busy) / (1 - busy * more)) if busy * more < 1 else math.inf


def _lower_median(values: list[float]) -> float:
    return sorted(values)[(len(values) - 1) // 2]
