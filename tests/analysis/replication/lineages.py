"""Datasets with their points, as hosts tell of them."""

from __future__ import annotations

from zconsole.model.datasets.replication import ReplicatedDataset, SendPoint

MIB = 1 << 20


def lineage(
    name: str, guids: str, *, created: int = 0, marks: str = "", size: int = 5 * MIB, token: str = ""
) -> ReplicatedDataset:
    """A dataset; each letter is a snapshot, taken at its place in the alphabet."""

    def points(letters: str, sign: str) -> tuple[SendPoint, ...]:
        return tuple(
            SendPoint(f"{name}{sign}{letter}", ord(letter), 1000 * created + at, 100 * (ord(letter) - 96))
            for at, letter in enumerate(letters)
        )

    guid = hash(name) & 0xFFFFFFFF
    snapshots = points(guids, "@")
    known = {point.guid: point.createtxg for point in snapshots}
    bookmarks = tuple(
        SendPoint(mark.name, mark.guid, known.get(mark.guid, at - 50), mark.creation)
        for at, mark in enumerate(points(marks, "#"))
    )
    return ReplicatedDataset(name, "filesystem", guid, created, size, token, snapshots, bookmarks)
