"""How far a move of a guest's storage came, and what the copy is to have of the source's settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.actions.replication.sending_host_and_interrupted_receive import ABORT
from zconsole.base.errors import ParseError
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.stream.resume_token import parse_resume_token

SETTINGS: Final = (
    "recordsize", "compression", "checksum", "copies", "dedup", "primarycache", "secondarycache", "logbias",
    "sync", "atime", "relatime", "xattr", "acltype", "redundant_metadata", "refreservation", "reservation",
)  # fmt: skip
_OF_FILESYSTEMS: Final = frozenset({"recordsize", "atime", "relatime", "xattr", "acltype"})
_RESERVING: Final = frozenset({"refreservation", "reservation"})
_OWN: Final = frozenset({"local", "received"})


@dataclass(frozen=True, slots=True)
class MoveProgress:
    """What is there of the move: the snapshot both sides have, or the rest of an interrupted receive."""

    common: str = ""  # short name at the source of the newest snapshot of the target
    token: str = ""
    token_snapshot: str = ""  # short name of the snapshot that the interrupted receive was to bring
    settings: tuple[str, ...] = ()  # `name=value`: properties of the source that the target is to have
    has_all: bool = False  # nothing is left to send: the source was not written since `common`

    @property
    def is_to_be_sent(self) -> bool:
        """Whether the rest of a copy that is there in part is to be sent."""
        return bool(self.common or self.token) and not self.has_all


def snapshot_of_token(draft: Draft, token: str, target: Dataset, source: Dataset, facts: PlanFacts) -> str:
    """Short name of the snapshot that an interrupted receive was to bring; `facts` are of the source."""
    way = f"{ABORT} {target.name} discards it"
    try:
        cut = parse_resume_token(token)
    except ParseError as error:
        draft.refuse("token", f"what {target.name} says of its receive cannot be read: {error.reason}", way)
        return ""
    found = next(
        (each for each in snapshots_of(source.name, facts.datasets) if each.guid == cut.to_guid), None
    )
    if found is None:
        words = f"{target.name} has the partial data of a receive that is not of {source.name}"
        draft.refuse("partial", words, way)
        return ""
    if cut.received_bytes is not None:
        draft.notes.append(f"{size(cut.received_bytes)} of {found.name} are there already")
    return short_of(found.name)


def remaining_bytes(source: Dataset, progress: MoveProgress, facts: PlanFacts) -> int | None:
    """About how much is still to be sent of what is at the source now; None where that is not known.

    Of an interrupted receive what the target has is subtracted, as its token tells.
    """
    if not (progress.token or progress.common):
        return source.referenced_bytes
    if progress.token and not progress.token_snapshot:
        return None  # the plan is refused: its token is not of this source
    snapshots = snapshots_of(source.name, facts.datasets)
    rest = 0
    there = progress.common
    if progress.token:
        there, cut = progress.token_snapshot, parse_resume_token(progress.token)
        coming = next((each for each in snapshots if short_of(each.name) == there), None)
        base = {each.guid for each in snapshots} & {cut.from_guid}
        whole = None
        if coming is not None:
            whole = _sent_of(coming, snapshots, base) if base else coming.referenced_bytes
        if whole is None or cut.received_bytes is None:
            return None
        rest = max(0, whole - cut.received_bytes)
    written = written_since(source, there, snapshots)
    return None if written is None else rest + written


def written_since(dataset: Dataset, short: str, snapshots: Sequence[Dataset]) -> int | None:
    """Bytes written to a dataset since one of its snapshots, of which it has these; None: not known."""
    written = _written_after(short, snapshots)
    return None if written is None or dataset.written_bytes is None else written + dataset.written_bytes


def _sent_of(coming: Dataset, snapshots: Sequence[Dataset], base: Collection[int | None]) -> int | None:
    """What was written between the snapshot that an increment builds on and its own."""
    first = next(at for at, each in enumerate(snapshots) if each.guid in base)
    between = [each.written_bytes for each in snapshots[first + 1 : snapshots.index(coming) + 1]]
    return None if None in between else sum(each or 0 for each in between)


def _written_after(short: str, snapshots: Sequence[Dataset]) -> int | None:
    at = next((at for at, each in enumerate(snapshots) if short_of(each.name) == short), None)
    written = [None] if at is None else [each.written_bytes for each in snapshots[at + 1 :]]
    return None if None in written else sum(each or 0 for each in written)


def settings_of(source: Dataset, facts: PlanFacts) -> tuple[str, ...]:
    """Properties set at the source itself, which a stream does not bring, in order."""
    is_volume = source.type == "volume"
    return tuple(
        sorted(
            f"{key}={value}"
            for name, key, value, origin in facts.properties
            if name == source.name
            and key in _keys(is_volume=is_volume)
            and origin in _OWN
            and not (key in _RESERVING and value in {"0", "none"})
        )
    )


def _keys(*, is_volume: bool) -> list[str]:
    return [key for key in SETTINGS if not (is_volume and key in _OF_FILESYSTEMS)]
