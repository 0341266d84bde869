"""`zpool get` of vdevs."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.practice.getopt import Options
from zconsole.practice.nicenum_and_times import nicebytes
from zconsole.practice.program_reply import Reply, json_head, json_text
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import Naming
from zconsole.practice.zpool_show.json_values import Document, Style, json_property, vdev_identity
from zconsole.practice.zpool_show.list_get import SOURCES, get_table, known
from zconsole.practice.zpool_show.pool_properties import PERCENTAGES, Value
from zconsole.practice.zpool_show.vdev_properties import (
    ORDER,
    SIZES,
    can_sit_out,
    is_vdev_property,
    vdev_property,
)


def vdev_get(
    pool: PracticePool,
    vdevs: list[PracticeVdev],
    options: Options,
    properties: str,
    *,
    asked: Sequence[str] = (),
) -> Reply:
    """Answer `zpool get` of vdevs, each under the name of the command line."""
    wanted = properties.split(",")
    known(tuple(wanted), lambda name: name == "all" or is_vdev_property(name))
    if "j" in options:
        return Reply(_json(pool, vdevs, options, wanted))
    naming, rows = Naming.of(options), []
    for at, vdev in enumerate(vdevs):
        for name in _names(vdev, wanted):
            if name == "sit_out" and not can_sit_out(pool, vdev):
                continue
            value, source = vdev_property(pool, vdev, name)
            shown = _written(name, value, exact="p" in options)
            label = "root-0" if vdev.kind == "root" else naming.name(vdev, pool)
            label = asked[at] if asked else label
            rows.append((label, name, shown, SOURCES[source]))
    return Reply(get_table(rows, options))


def _names(vdev: PracticeVdev, wanted: list[str]) -> list[str]:
    if wanted != ["all"]:
        return wanted
    return [*ORDER, *sorted(name for name in vdev.properties if ":" in name)]


def _written(name: str, value: Value, *, exact: bool) -> str:
    if isinstance(value, str) or exact or name not in SIZES | PERCENTAGES:
        return str(value)
    return f"{value}%" if name in PERCENTAGES else nicebytes(value).removesuffix("B")


def _json(pool: PracticePool, vdevs: list[PracticeVdev], options: Options, wanted: list[str]) -> str:
    document, style, naming = json_head("zpool get"), Style.of(options), Naming.of(options)
    found: Document = {}
    for vdev in vdevs:
        item = vdev_identity(vdev, pool, style, naming)
        properties: Document = {}
        for name in _names(vdev, wanted):
            value, source = vdev_property(pool, vdev, name)
            properties[name] = json_property(style.plain(value) if isinstance(value, int) else value, source)
        item["properties"] = properties
        found[naming.name(vdev, pool)] = item
    document["vdevs"] = found
    return json_text(document)
