"""Minimal set of snapshots that frees a given space, from the space of every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zconsole.analysis.snapshots.freed_space import Run

OfRun = Callable[[Run], int]
Best = tuple[list[int], list[frozenset[int]]]  # by number of snapshots: maximum bytes, and the set


def most_by_count(movable: Sequence[int], of_run: OfRun, most: int) -> Best:
    """Maximum freed by 0, 1, 2 ... up to `most` snapshots of one dataset, with the sets.

    Dynamic programming over places: the best choice among the first n either omits the last one, or ends with
    a run on top of the best choice before that run.
    """
    best: list[list[int]] = [[0]]
    ways: list[list[tuple[int, int]]] = [[(0, 0)]]  # length of the final run, and the remainder
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
    """Maximum freed by n snapshots of two datasets, and how many are from the second."""
    size = min(most, len(one) + len(other) - 2) + 1
    best, taken = [-1] * size, [0] * size
    for left, first in enumerate(one):
        for right, second in enumerate(other[: size - left]):
            if first + second > best[left + right]:
                best[left + right], taken[left + right] = first + second, right
    return best, taken
