"""What replication goes by: datasets with the guids of their snapshots, which are the same on every copy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A snapshot or bookmark: a point in a dataset's life, from which an increment can be sent."""

    name: str  # in full
    guid: int
    createtxg: int
    creation: int  # epoch seconds; a copy keeps that of the snapshot that was sent


@dataclass(frozen=True, slots=True)
class Lineage:
    """A file system or volume, with its points from the oldest on."""

    name: str
    type: str
    guid: int
    creation: int  # epoch seconds; of a copy, when it was first received
    referenced_bytes: int | None = None
    resume_token: str = ""  # of a receive that was cut
    snapshots: tuple[Point, ...] = ()
    bookmarks: tuple[Point, ...] = ()

    @property
    def pool(self) -> str:
        """The pool that it lives in."""
        return self.name.partition("/")[0]


@dataclass(frozen=True, slots=True)
class HostLineages:
    """All datasets of one host's pools."""

    host: str
    lineages: tuple[Lineage, ...] = ()


@dataclass(frozen=True, slots=True)
class SendBase:
    """A snapshot or bookmark that the next increment between two datasets builds on, as it was seen."""

    host: str
    name: str
    guid: int
    peer: str  # the dataset at the other end, `host:dataset`
    reason: str
    seen_at: float  # epoch seconds
    is_at_source: bool = True  # where a bookmark of the same instant serves as well

    @property
    def dataset(self) -> str:
        """Where it stands."""
        return self.name.partition("@")[0].partition("#")[0]


@dataclass(frozen=True, slots=True)
class CutReceive:
    """A receive that was cut and can go on: what its token tells."""

    to_name: str | None = None  # the snapshot that was being sent
    to_guid: int | None = None
    from_guid: int | None = None
    received_bytes: int | None = None
