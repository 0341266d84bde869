"""Pool states and kstats from /proc/spl/kstat/zfs, read without zpool and so without a lock that may hang."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

POOLS_DIR: Final = "/proc/spl/kstat/zfs"
ARCSTATS: Final = f"{POOLS_DIR}/arcstats"
TOOL: Final = "kstat"
_CUT: Final = "the output is truncated"

_HEADER: Final = re.compile(
    r"\d+ \d+ 0x[0-9a-f]+ (?P<entries>\d{1,9}) \d+ (?P<created>\d{1,20}) (?P<at>\d{1,20})", re.ASCII
)
_COLUMNS: Final = re.compile(r"name +type +data")
_ENTRY: Final = re.compile(r"(?P<name>\S.*?)(?<! ) ++(?P<type>\d) ++(?P<data>(?s:.*))", re.ASCII)
_STRINGS: Final = frozenset("07")  # KSTAT_DATA_CHAR, KSTAT_DATA_STRING; the others are integers
_INTEGER: Final = re.compile(r"-?\d{1,20}", re.ASCII)
_STATE: Final = re.compile(r"[^\s][^\n]*\n")


@dataclass(frozen=True, slots=True)
class Kstat:
    """Named counters at a time of the host's clock since boot; `created_ns` identifies the instance."""

    created_ns: int
    at_ns: int
    values: Mapping[str, int | str]

    def count(self, name: str) -> int | None:
        """A counter; None when this version lacks it."""
        value = self.values.get(name)
        return value if isinstance(value, int) else None


def list_kstat_dir() -> Command:
    """List the imported pools, as directories among other names."""
    return Command(("ls", "-1p", POOLS_DIR))


def parse_kstat_dir(text: str) -> tuple[str, ...]:
    """The pools, sorted by name."""
    lines = whole_lines(TOOL, text, reason=_CUT)
    return tuple(line.removesuffix("/") for _, line in lines if line.endswith("/"))


def pool_state_path(pool: str) -> str:
    """The file with the pool's state, SUSPENDED included, readable without a lock."""
    return f"{POOLS_DIR}/{pool}/state"


def parse_pool_state(text: str) -> str:
    """The state as ZFS spells it."""
    if not _STATE.fullmatch(text):
        raise ParseError(TOOL, 1, text, "not a state")
    return text[:-1]


def parse_kstat(text: str) -> Kstat:
    """Parse one named kstat. A truncated file is rejected."""
    kstats = list(_kstats(text))
    if len(kstats) != 1:
        raise ParseError(TOOL, 1, text, f"expected one kstat, got {len(kstats)}")
    return kstats[0]


def _kstats(text: str) -> Iterator[Kstat]:
    """Each kstat: a header with the number of entries, a line of titles, the entries."""
    lines = whole_lines(TOOL, text, reason=_CUT)
    for line_no, line in lines:
        header = _HEADER.fullmatch(line)
        if header is None:
            raise ParseError(TOOL, line_no, line, "not a kstat")
        _, titles = next(lines, (0, ""))
        if not _COLUMNS.fullmatch(titles):
            raise ParseError(TOOL, line_no + 1, titles, "not a named kstat")
        kstat: dict[str, int | str] = {}
        for _ in range(int(header["entries"])):
            entry_no, entry = next(lines, (0, ""))
            name, value = _entry(entry, entry_no or line_no)
            kstat[name] = value
        yield Kstat(int(header["created"]), int(header["at"]), kstat)


def _entry(line: str, line_no: int) -> tuple[str, int | str]:
    entry = _ENTRY.fullmatch(line)
    if entry is None:
        raise ParseError(TOOL, line_no, line, "an entry is missing")
    if entry["type"] in _STRINGS:
        return entry["name"], entry["data"]
    if not _INTEGER.fullmatch(entry["data"]):
        raise ParseError(TOOL, line_no, line, "not a count")
    return entry["name"], int(entry["data"])
