"""`zfs list` for replication: guids and creation times of datasets, snapshots and bookmarks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import LISTING_MAX_BYTES, Command
from zconsole.model.datasets.replication import ReplicatedDataset, SendPoint
from zconsole.zfs.listing.complete_lines_of_zfs_list import TOOL, whole_lines
from zconsole.zfs.zfs_numbers_and_dates import exact_number

COLUMNS: Final = ("name", "type", "guid", "createtxg", "creation", "referenced", "receive_resume_token")
TIMEOUT_S: Final = 300.0  # a million snapshots take minutes


def list_lineages(pool: str, *, with_snapshots: bool = True) -> Command:
    """List everything in a pool, exact numbers; file systems, volumes and bookmarks are cheap."""
    types = ("filesystem", "volume", *(("snapshot",) if with_snapshots else ()), "bookmark")
    return Command((
        "zfs", "list", "-Hp",
        "-t", ",".join(types),
        "-o", ",".join(COLUMNS),
        "-r", "--", pool,
    ), timeout_s=TIMEOUT_S, max_bytes=LISTING_MAX_BYTES)  # fmt: skip


@dataclass(slots=True)
class _Open:
    """Dataset whose snapshots are still being read."""

    lineage: ReplicatedDataset
    snapshots: list[SendPoint] = field(default_factory=list)
    bookmarks: list[SendPoint] = field(default_factory=list)


def parse_lineages(text: str | bytes) -> tuple[ReplicatedDataset, ...]:
    """Parse the output of `list_lineages`. Raises ParseError."""
    found: dict[str, _Open] = {}
    points: list[tuple[int, str, SendPoint]] = []
    for line_no, line in whole_lines(text):
        try:
            name, kind, guid, createtxg, creation, referenced, token = line.split("\t")
            if kind in {"snapshot", "bookmark"}:
                point = SendPoint(name, exact_number(guid), exact_number(createtxg), exact_number(creation))
                points.append((line_no, kind, point))
                continue
            lineage = ReplicatedDataset(
                name,
                kind,
                exact_number(guid),
                exact_number(creation),
                None if referenced == "-" else exact_number(referenced),
                "" if token == "-" else token,  # noqa: S105  # ZFS's word for none
            )
        except ValueError as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error
        if name in found:
            raise ParseError(TOOL, line_no, line, "a dataset is listed twice")
        found[name] = _Open(lineage)
    for line_no, kind, point in points:
        mark = "@" if kind == "snapshot" else "#"
        dataset = found.get(point.name.partition(mark)[0])
        if dataset is None or mark not in point.name:
            raise ParseError(TOOL, line_no, point.name, "its dataset is not listed")
        (dataset.snapshots if kind == "snapshot" else dataset.bookmarks).append(point)
    return tuple(_closed(found))


def _closed(found: dict[str, _Open]) -> Iterator[ReplicatedDataset]:
    for each in found.values():
        lineage = each.lineage
        yield ReplicatedDataset(
            lineage.name,
            lineage.type,
            lineage.guid,
            lineage.creation,
            lineage.referenced_bytes,
            lineage.resume_token,
            tuple(sorted(each.snapshots, key=lambda point: point.createtxg)),
            tuple(sorted(each.bookmarks, key=lambda point: point.createtxg)),
        )
