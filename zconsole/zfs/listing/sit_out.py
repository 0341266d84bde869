"""`zpool get autosit,sit_out`: whether a raidz lets slow disks sit out, and which do now (OpenZFS 2.4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.slow_disk import SitOuts

TOOL: Final = "zpool get"
_FIELDS: Final = 3


def get_sit_outs(pool: str, vdevs: Sequence[int]) -> Command:
    """Both properties of some vdevs, by guid: the raidz vdevs and their disks."""
    return Command((
        "zpool", "get", "-Hp",
        "-o", "name,property,value",
        "autosit,sit_out",
        pool,
        *map(str, vdevs),
    ))  # fmt: skip


def parse_sit_outs(text: str, vdevs: Collection[int]) -> SitOuts:
    """Parse the output of `get_sit_outs`; vdevs are named by the requested guid.

    A vdev without such a property has no line, or the value `-`.
    """
    autosit: dict[int, bool] = {}
    sitting: dict[int, bool] = {}
    for line_no, line in whole_lines(TOOL, text):
        fields = line.split("\t")
        if len(fields) != _FIELDS or fields[2] not in {"on", "off", "-"}:
            raise ParseError(TOOL, line_no, line, "not an on/off value of a vdev")
        name, key, value = fields
        guid = natural(name)
        if guid is None or guid not in vdevs:
            raise ParseError(TOOL, line_no, line, "not a requested vdev")
        if value != "-" and key in {"autosit", "sit_out"}:
            (autosit if key == "autosit" else sitting)[guid] = value == "on"
    return SitOuts(tuple(autosit.items()), tuple(sitting.items()))
