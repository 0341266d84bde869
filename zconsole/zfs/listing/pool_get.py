"""`zpool get all`: properties of a pool in ZFS's order and spelling."""

from __future__ import annotations

from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

TOOL: Final = "zpool get"


@dataclass(frozen=True, slots=True)
class ReadPoolProperty:
    """Property; `value` is exact (-p) or `-` for none, `source` is default, local or `-`."""

    name: str
    value: str
    source: str


def get_all(pool: str) -> Command:
    """Every property of a pool, features included."""
    return Command(("zpool", "get", "-Hp", "all", pool))


def get_guid(pool: str) -> Command:
    """The guid of the pool with this name."""
    return Command(("zpool", "get", "-Hp", "guid", pool))


def parse_properties(text: str, pool: str) -> tuple[ReadPoolProperty, ...]:
    """Parse `zpool get -Hp all` output of one pool; a value may contain tabs."""
    found: list[ReadPoolProperty] = []
    for line_no, line in whole_lines(TOOL, text):
        fields = line.split("\t")
        if len(fields) < 4:
            raise ParseError(TOOL, line_no, line, f"expected 4 fields, not {len(fields)}")
        name, key, *value, source = fields
        if name == pool:
            found.append(ReadPoolProperty(key, "\t".join(value), source))
    return tuple(found)
