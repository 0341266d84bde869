"""I/O of programs per dataset and zvol, as the kernel counts it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.pools.dataset_io import DatasetIo
from zconsole.zfs.kstat.pool_state_and_kstat_parser import POOLS_DIR

TOOL: Final = "objset kstats"
MAX_BYTES: Final = 64 * 1024 * 1024
_COUNTERS: Final = ("writes", "nwritten", "reads", "nread", "nunlinked")
_COMMITS: Final = "zil_commit_count"  # since 2.2
_WANTED: Final = f"^([0-9]+ [0-9]+ 0x|(dataset_name|{'|'.join(_COUNTERS)}|{_COMMITS}) )"
_HEADER: Final = re.compile(r"\d+ \d+ 0x[0-9a-f]+ \d+ \d+ (?P<created>\d{1,20}) (?P<at>\d{1,20})", re.ASCII)
_NAME: Final = re.compile(r"dataset_name +7 +(\S.*)")
_COUNTER: Final = re.compile(r"([a-z_]+) +\d +(\d{1,20})", re.ASCII)
_NS: Final = 1e9
_LEAST_NS: Final = 1_000_000  # minimum time between two comparable readings


@dataclass(frozen=True, slots=True)
class Objset:
    """Counters of one dataset since it was mounted or opened; times of the host's clock since boot."""

    dataset: str
    writes: int
    written_bytes: int
    reads: int
    read_bytes: int
    unlinked: int
    commits: int | None
    created_ns: int
    at_ns: int


def read_objsets(pool: str) -> Command:
    """Print the counters of all open datasets of a pool, with one process."""
    return Command(
        ("grep", "-arhE", "--include=objset-*", "-e", _WANTED, f"{POOLS_DIR}/{pool}"),
        max_bytes=MAX_BYTES,
    )


def parse_objsets(text: str) -> tuple[Objset, ...]:
    """Counters of every dataset, in printed order."""
    found: list[Objset] = []
    header: re.Match[str] | None = None
    name, counters, began = "", dict[str, int](), 0
    for line_no, line in chain(whole_lines(TOOL, text, reason="the output is truncated"), [(0, "")]):
        if line[:1].isdigit() or not line:
            if name:
                found.append(_objset(header, name, counters, began))
            header, name, counters, began = _HEADER.fullmatch(line), "", {}, line_no
            if header is None and line:
                raise ParseError(TOOL, line_no, line, "not a kstat header")
        elif header is None:
            raise ParseError(TOOL, line_no, line, "not a kstat")
        elif is_name := _NAME.fullmatch(line):
            name = is_name[1]
        elif counter := _COUNTER.fullmatch(line):
            counters[counter[1]] = int(counter[2])
    return tuple(found)


def rates(before: Mapping[str, Objset], now: Objset) -> DatasetIo | None:
    """I/O of a dataset between two readings; None when it was remounted or reopened in between."""
    then = before.get(now.dataset)
    if then is None or then.created_ns != now.created_ns or now.at_ns - then.at_ns < _LEAST_NS:
        return None
    per_s = _NS / (now.at_ns - then.at_ns)
    commits = None
    if now.commits is not None and then.commits is not None:
        commits = max(0, now.commits - then.commits) * per_s
    return DatasetIo(
        now.dataset,
        max(0, now.reads - then.reads) * per_s,
        max(0, now.writes - then.writes) * per_s,
        max(0, now.read_bytes - then.read_bytes) * per_s,
        max(0, now.written_bytes - then.written_bytes) * per_s,
        max(0, now.unlinked - then.unlinked) * per_s,
        commits,
    )


def _objset(header: re.Match[str] | None, name: str, counters: Mapping[str, int], line_no: int) -> Objset:
    if header is None or not all(counter in counters for counter in _COUNTERS):
        raise ParseError(TOOL, line_no, name, "a dataset without its counters")
    return Objset(
        name,
        counters["writes"],
        counters["nwritten"],
        counters["reads"],
        counters["nread"],
        counters["nunlinked"],
        counters.get(_COMMITS),
        int(header["created"]),
        int(header["at"]),
    )
