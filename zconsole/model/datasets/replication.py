"""Replication: datasets with the guids of their snapshots, which are equal on every copy."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.model.finding import Finding


@dataclass(frozen=True, slots=True)
class SendPoint:
    """Snapshot or bookmark from which an increment can be sent."""

    name: str  # full name
    guid: int
    createtxg: int
    creation: int  # epoch seconds; a received copy keeps the creation time of the snapshot


@dataclass(frozen=True, slots=True)
class ReplicatedDataset:
    """File system or volume with its snapshots and bookmarks, oldest first."""

    name: str
    type: str
    guid: int
    creation: int  # epoch seconds; for a copy the time of the first receive
    referenced_bytes: int | None = None
    resume_token: str = ""  # of an interrupted receive
    snapshots: tuple[SendPoint, ...] = ()
    bookmarks: tuple[SendPoint, ...] = ()

    @property
    def pool(self) -> str:
        """The pool of the dataset."""
        return pool_of(self.name)


@dataclass(frozen=True, slots=True)
class ReplicatedHost:
    """All datasets of one host's pools."""

    host: str
    lineages: tuple[ReplicatedDataset, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplicationSeen:
    """What was found of the copies of one host when its pools were last compared with others."""

    host: str  # as the console names it
    seen_at: float  # epoch seconds
    findings: tuple[Finding, ...] = ()  # on its datasets and copies
    received: tuple[tuple[str, int], ...] = ()  # copies on this host, with the time of their first receive
    sent: tuple[str, ...] = ()  # datasets of this host that have a copy


@dataclass(frozen=True, slots=True)
class SendBase:
    """Snapshot or bookmark that the next increment between two datasets builds on, as last seen."""

    host: str
    name: str
    guid: int
    peer: str  # the dataset at the other end, `host:dataset`
    reason: str
    seen_at: float  # epoch seconds
    is_at_source: bool = True  # on the source a bookmark of the same snapshot serves as well

    @property
    def dataset(self) -> str:
        """The dataset that holds it."""
        return dataset_of(self.name)


@dataclass(frozen=True, slots=True)
class CutReceive:
    """Interrupted receive that can be resumed, as its token describes it."""

    to_name: str | None = None  # the snapshot that was being sent
    to_guid: int | None = None
    from_guid: int | None = None
    received_bytes: int | None = None
