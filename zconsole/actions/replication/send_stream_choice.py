"""Choice of a stream: send base and options for a snapshot and target."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset, type_in_words
from zconsole.model.host.plan_facts import PlanFacts, SendingSide
from zconsole.zfs.change.argv_template import BASE, SEND, SNAPSHOT, CommandForm
from zconsole.zfs.stream.send_receive_syncoid_argv import measure, send

PLAIN: Final = frozenset({None, "off"})  # values of `encryption`


@dataclass(frozen=True, slots=True)
class PlannedSend:
    """Snapshot to be sent, with its send base on both ends."""

    dataset: Dataset
    snapshot: Dataset
    base: Dataset | None = None  # a snapshot or bookmark, as named by the sender
    base_there: Dataset | None = None  # a snapshot, as named by the receiver
    is_raw: bool = False  # encrypted, sent raw
    between: tuple[Dataset, ...] = ()  # intermediate snapshots that are sent too
    skipped: int = 0  # number of intermediate snapshots that are not sent

    @property
    def argv(self) -> tuple[str, ...]:
        """The sending command."""
        base = self.base.name if self.base is not None else ""
        return send(self.snapshot.name, base=base, is_raw=self.is_raw, intermediates=bool(self.between))


def stream_of(
    source: str, target: Dataset | None, facts: PlanFacts, sending: SendingSide, *, intermediates: bool
) -> PlannedSend:
    """The stream of a snapshot, or of a dataset's newest. Raises UsageError when there is none."""
    dataset, snapshot = _named(source, sending)
    is_raw = dataset.encryption not in PLAIN and (target is None or target.encryption not in PLAIN)
    if target is None:
        return PlannedSend(dataset, snapshot, is_raw=is_raw)
    there = {each.guid: each for each in snapshots_of(target.name, facts.datasets) if each.guid is not None}
    points = [
        each for each in sending.datasets if dataset_of(each.name) == dataset.name and each is not dataset
    ]
    older = [each for each in points if _txg(each) < _txg(snapshot)]
    base = max((each for each in older if each.guid in there), key=_age, default=None)
    if base is None:
        return PlannedSend(dataset, snapshot, is_raw=is_raw)
    since = tuple(each for each in older if each.type == "snapshot" and _txg(each) > _txg(base))
    takes_all = intermediates and base.type == "snapshot"
    return PlannedSend(
        dataset,
        snapshot,
        base,
        there.get(base.guid or 0),
        is_raw=is_raw,
        between=since if takes_all else (),
        skipped=0 if takes_all else len(since),
    )


def snapshots_of(name: str, datasets: Sequence[Dataset]) -> list[Dataset]:
    """A dataset's snapshots, oldest first."""
    return sorted(
        (each for each in datasets if each.type == "snapshot" and dataset_of(each.name) == name), key=_age
    )


def _named(source: str, sending: SendingSide) -> tuple[Dataset, Dataset]:
    """The dataset and snapshot that a word means."""
    label = sending.identity.label
    named = sending.dataset(source)
    if named is None:
        raise UsageError(f"there is no {source!r} on {label}", hint="Use full names: pool/dataset@snapshot.")
    dataset = sending.dataset(dataset_of(named.name))
    if dataset is None or named.type not in FILESYSTEMS_AND_VOLUMES | {"snapshot"}:
        raise UsageError(f"{source} is a {type_in_words(named)}", hint="What is sent is a snapshot.")
    if named.type == "snapshot":
        return dataset, named
    newest = snapshots_of(named.name, sending.datasets)
    if not newest:
        raise UsageError(f"{source} has no snapshot", hint=f"First: zconsole plan snapshot {source}@NAME")
    return dataset, newest[-1]


def _txg(each: Dataset) -> int:
    return each.createtxg or 0


def _age(each: Dataset) -> tuple[int, bool]:
    """Sort key: oldest first; a snapshot before its bookmark."""
    return (_txg(each), each.type == "snapshot")


def _estimate(snapshot: str, *, base: str, is_raw: bool, intermediates: bool) -> tuple[str, ...]:
    return measure(send(snapshot, base=base, is_raw=is_raw, intermediates=intermediates))


SEND_FORMS: Final = tuple(
    CommandForm(
        partial(build, SNAPSHOT, base=base, is_raw=is_raw, intermediates=intermediates),
        grant=SEND,
        only_reads=build is _estimate,
    )
    for build in (_estimate, send)
    for is_raw in (False, True)
    for base, intermediates in (("", False), (BASE, False), (BASE, True))
)
