"""Restore plan from stream files: which snapshots, in which order, and which links are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from heapq import heappop, heappush
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.datasets.send_stream import SendStream, SentSnapshot, StreamFile

TARGET: Final = "TARGET"  # placeholder for the dataset below which the user restores
RAW: Final = "raw"
DEDUP: Final = "dedup"
DECOMPRESS: Final = {
    "gzip": ("gzip", "-dc"),
    "bzip2": ("bzip2", "-dc"),
    "xz": ("xz", "-dc"),
    "zstd": ("zstd", "-dc"),
    "lz4": ("lz4", "-dc"),
}


@dataclass(frozen=True, slots=True)
class Receive:
    """One `zfs receive`: its stream, snapshots and target."""

    file: StreamFile
    stream: SendStream
    target: str  # below TARGET
    brings: tuple[SentSnapshot, ...]

    @property
    def pipeline(self) -> tuple[tuple[str, ...], ...]:
        """The commands; the first reads the file from stdin."""
        parts: list[tuple[str, ...]] = []
        if self.file.compression:
            parts.append(DECOMPRESS[self.file.compression])
        if self.stream.offset:
            parts.append(("tail", "-c", f"+{self.stream.offset + 1}"))
        if any(DEDUP in sent.features for sent in self.stream.snapshots):
            parts.append(("zstream", "redup"))
        parts.append(("zfs", "receive", "-u", f"{TARGET}/{self.target}"))
        return tuple(parts)


@dataclass(frozen=True, slots=True)
class MissingLink:
    """Snapshot that others build on and that no file contains."""

    guid: int
    name: str | None  # if some file has it
    needed_by: tuple[SentSnapshot, ...]


@dataclass(frozen=True, slots=True)
class Unrestorable:
    """Snapshot in a file that cannot be restored, with the reason."""

    file: StreamFile
    sent: SentSnapshot
    reason: str


@dataclass(frozen=True, slots=True)
class Restoration:
    """Restore plan of a folder's streams."""

    receives: tuple[Receive, ...] = ()
    parents: tuple[str, ...] = ()  # datasets below TARGET to create first
    missing: tuple[MissingLink, ...] = ()
    unrestorable: tuple[Unrestorable, ...] = ()
    spare: tuple[tuple[StreamFile, SendStream], ...] = ()  # streams whose snapshots others contain as well


def restoration(files: Sequence[StreamFile]) -> Restoration:
    """Determine what can be received, oldest first, and what cannot, with the reason."""
    return _Worker(files).work()


@dataclass(slots=True)
class _Offer:
    """Stream and its missing dependencies."""

    file: StreamFile
    stream: SendStream
    waits_for: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _RestoredSnapshot:
    """Restored snapshot."""

    target: str
    is_raw: bool
    name: str


class _Worker:
    def __init__(self, files: Sequence[StreamFile]) -> None:
        self._offers = [_Offer(file, stream) for file in files for stream in file.streams]
        self._have: dict[int, _RestoredSnapshot] = {}
        self._targets: set[str] = set()
        self._parents: list[str] = []
        self._receives: list[Receive] = []
        self._names = {guid: name for offer in self._offers for guid, name in offer.stream.names}
        self._names |= {sent.guid: sent.name for offer in self._offers for sent in offer.stream.snapshots}

    def work(self) -> Restoration:
        """Receive streams as long as one is ready; the rest is unrestorable."""
        waiting: dict[int, list[_Offer]] = {}
        ready: list[tuple[tuple[int, int, int, str, int], int, _Offer]] = []
        spare: list[tuple[StreamFile, SendStream]] = []
        for offer in self._offers:
            offer.waits_for = set(_bases(offer.stream))
            for guid in offer.waits_for:
                waiting.setdefault(guid, []).append(offer)
            if not offer.waits_for:
                heappush(ready, (_turn(offer), id(offer), offer))
        while ready:
            _, _, offer = heappop(ready)
            brings = tuple(self._brought_by(offer.stream))
            if not brings:
                if offer.stream.snapshots and all(s.guid in self._have for s in offer.stream.snapshots):
                    spare.append((offer.file, offer.stream))
                continue
            self._receive(offer, brings)
            for sent in brings:
                for other in waiting.pop(sent.guid, ()):
                    other.waits_for.discard(sent.guid)
                    if not other.waits_for:
                        heappush(ready, (_turn(other), id(other), other))
        missing = self._missing()
        return Restoration(
            tuple(self._receives),
            tuple(self._parents),
            missing,
            tuple(self._left({link.guid for link in missing})),
            tuple(spare),
        )

    def _brought_by(self, stream: SendStream) -> Iterator[SentSnapshot]:
        new: dict[int, bool] = {}
        for sent in _restorable(stream):
            if sent.guid in self._have or sent.guid in new:
                continue
            base = sent.from_guid
            if base is not None and base not in self._have and base not in new:
                continue
            is_raw = RAW in sent.features
            if base is not None and is_raw and not (new[base] if base in new else self._have[base].is_raw):
                continue
            new[sent.guid] = is_raw
            yield sent

    def _receive(self, offer: _Offer, brings: tuple[SentSnapshot, ...]) -> None:
        first = brings[0]
        base = self._have.get(first.from_guid or 0)
        if base is not None and not first.is_clone:
            root = base.target.removesuffix(_below(offer.stream, first))
        else:
            root = self._free_target(_without_pool(dataset_of(offer.stream.name)))
            self._make_parent(root)
        for sent in brings:
            own = self._have.get(sent.from_guid or 0)
            target = root + _below(offer.stream, sent)
            if own is not None and not sent.is_clone:
                target = own.target
            self._have[sent.guid] = _RestoredSnapshot(target, RAW in sent.features, sent.name)
            self._targets.add(target)
        self._receives.append(Receive(offer.file, offer.stream, root, brings))

    def _free_target(self, wanted: str) -> str:
        """An unused target name: a dataset that was sent in full twice gets two."""
        found, number = wanted, 2
        while found in self._targets:
            found, number = f"{wanted}-{number}", number + 1
        return found

    def _make_parent(self, target: str) -> None:
        parent = parent_of(target)
        if parent and parent not in self._targets:
            self._parents.append(parent)
            self._targets.add(parent)

    def _missing(self) -> tuple[MissingLink, ...]:
        here = {sent.guid for offer in self._offers for sent in offer.stream.snapshots}
        needed: dict[int, list[SentSnapshot]] = {}
        for offer in self._offers:
            for sent in _restorable(offer.stream):
                if sent.from_guid is not None and sent.from_guid not in here and sent.guid not in self._have:
                    needed.setdefault(sent.from_guid, []).append(sent)
        return tuple(MissingLink(guid, self._names.get(guid), tuple(sents)) for guid, sents in needed.items())

    def _left(self, missing: set[int]) -> Iterator[Unrestorable]:
        told: set[int] = set()
        for offer in self._offers:
            for sent in offer.stream.snapshots:
                if sent.guid not in self._have and sent.guid not in told:
                    told.add(sent.guid)
                    yield Unrestorable(offer.file, sent, self._why(offer, sent, missing))

    def _why(self, offer: _Offer, sent: SentSnapshot, missing: set[int]) -> str:
        if not sent.is_whole:
            problem = offer.file.problem
            return "it is incomplete" if problem is None else f"the file is {problem.fault.value}"
        if sent.resumes_at is not None:
            number, offset = sent.resumes_at
            return (
                f"it continues a receive that was interrupted at object {number}, offset {offset}, "
                "and applies only to the state that this receive left"
            )
        base = sent.from_guid
        if base in self._have and RAW in sent.features and not self._have[base].is_raw:
            return f"it is raw, and {self._have[base].name}, its base, was not sent raw"
        if base is None:
            return "another snapshot of its replication package is missing"
        name = self._names.get(base)
        what = f"guid {base}" if name is None else f"{name} (guid {base})"
        return f"it builds on {what}, which {'no file has' if base in missing else 'cannot be restored'}"


def _restorable(stream: SendStream) -> list[SentSnapshot]:
    """Complete snapshots that need no partially received dataset."""
    return [sent for sent in stream.snapshots if sent.is_whole and sent.resumes_at is None]


def _bases(stream: SendStream) -> Iterator[int]:
    """Guids that must exist before a stream can be received."""
    within: set[int] = set()
    for sent in _restorable(stream):
        if sent.from_guid is not None and sent.from_guid not in within:
            yield sent.from_guid
        within.add(sent.guid)


def _turn(offer: _Offer) -> tuple[int, int, int, str, int]:
    """Increments first, so that nothing is received in full that others contain."""
    is_full = not any(True for _ in _bases(offer.stream))
    first = offer.stream.snapshots[0] if offer.stream.snapshots else None
    depth = offer.stream.name.count("/") if is_full else 0
    return is_full, depth, first.created if first else 0, offer.file.name, offer.stream.offset


def _below(stream: SendStream, sent: SentSnapshot) -> str:
    """Path of a snapshot's dataset relative to the top of its package: `/child`, or empty."""
    top = dataset_of(stream.name)
    return sent.dataset.removeprefix(top) if sent.dataset.startswith(f"{top}/") else ""


def _without_pool(dataset: str) -> str:
    return dataset.partition("/")[2] or dataset
