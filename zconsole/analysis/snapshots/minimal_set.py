"""The fewest snapshots that free so much, where what every run of neighbours frees is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zconsole.analysis.snapshots.freed_space import Run

OfRun = Callable[[Run], int]
Best = tuple[list[int], list[frozenset[int]]]  # by the number of snapshots: the most bytes, and which do it


def most_by_count(movable: Sequence[int], of_run: OfRun, most: int) -> Best:
    """The most that 0, 1, 2 ... snapshots of one dataset free, and which do it; up to `most` of them.

    By places: what the best choice among the first so many frees is either without the last of them, or
    with a run that ends there, on top of the best choice before that run.
    """
    best: list[list[int]] = [[0]]
    ways: list[list[tuple[int, int]]] = [[(0, 0)]]  # how long the run is that ends there, and what was left
    for at, place in enumerate(movable, start=1):
        room = min(at, most)
        row = [*best[at - 1], *([-1] * (room + 1 - len(best[at - 1])))]
        how = [(0, 0)] * (room + 1)
        length = 0
        while length < room and length < at and movable[at - 1 - length] == place - length:
            length += 1
            size = of_run((place - length + 1, place))
            below = best[at - length]
            for count in range(length, min(room, length + len(below) - 1) + 1):
                total = below[count - length] + size
                if total > row[count]:
                    row[count], how[count] = total, (length, count)
        best.append(row)
        ways.append(how)
    chosen = [_trace(movable, ways, count) for count in range(len(best[-1]))]
    return best[-1], chosen


def _trace(movable: Sequence[int], ways: Sequence[Sequence[tuple[int, int]]], count: int) -> frozenset[int]:
    at, found = len(movable), set[int]()
    while at and count:
        length = ways[at][count][0] if count < len(ways[at]) else 0
        if length:
            found.update(movable[at - length : at])
            count -= length
            at -= length
        else:
            at -= 1
    return frozenset(found)


def joined(one: Sequence[int], other: Sequence[int], most: int) -> tuple[list[int], list[int]]:
    """The most that so many snapshots of two datasets free, and how many of them are of the second."""
    size = min(most, len(one) + len(other) - 2) + 1
    best, taken = [-1] * size, [0] * size
    for left, first in enumerate(one):
        for right, second in enumerate(other[: size - left]):
            if first + second > best[left + right]:
                best[left + right], taken[left + right] = first + second, right
    return best, taken
