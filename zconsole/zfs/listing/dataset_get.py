"""`zfs get`: named properties of named datasets, with their sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "zfs get"
COLUMNS: Final = "name,property,source,value"  # the value is last: it may contain tabs and line breaks
TIMEOUT_S: Final = 120.0
NO_TYPE: Final = ()

Property = tuple[str, str, str, str]  # object, property, value, source


def written_since(snapshot: str) -> str:
    """The `written@` property of a snapshot, readable on its dataset, its clones and later snapshots.

    With the full name: ZFS resolves a short one among the snapshots of the queried dataset.
    """
    return f"written@{snapshot}"


def get_properties(
    keys: Sequence[str],
    objects: Sequence[str],
    *,
    recursive: bool = False,
    types: Sequence[str] = NO_TYPE,
    sources: Sequence[str] = (),
) -> Command:
    """Print properties of datasets, with `recursive` of all descendants; exact numbers.

    With `sources` only values that are from there: local, received, inherited, default, none.
    """
    return Command((
        "zfs", "get", "-Hp",
        *(("-r",) if recursive else ()),
        *(("-t", ",".join(types)) if types else ()),
        *(("-s", ",".join(sources)) if sources else ()),
        "-o", COLUMNS,
        ",".join(keys), *objects,
    ), timeout_s=TIMEOUT_S)  # fmt: skip


def parse_properties(text: str, keys: Sequence[str]) -> tuple[Property, ...]:
    """Parse the output of `get_properties` for these keys.

    A line that does not begin a property continues the previous value. ZFS prints a dataset's properties
    together and each once: a value that looks like another property is rejected.
    """
    found: list[tuple[str, str, str, list[str]]] = []  # the lines of a value last
    seen: set[tuple[str, str]] = set()
    for line_no, line in whole_lines(TOOL, text):
        fields = line.split("\t", 3)
        if len(fields) == 4 and fields[1] in keys:
            name, key, source, value = fields
            if (name, key) in seen:
                raise ParseError(TOOL, line_no, line, "a property is listed twice")
            seen.add((name, key))
            found.append((name, key, source, [value]))
        elif found:
            found[-1][-1].append(line)
        else:
            raise ParseError(TOOL, line_no, line, "expected a name, a property, a source and a value")
    return tuple((name, key, "\n".join(value), source) for name, key, source, value in found)
