"""`zpool list` and `zpool get`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from zconsole.practice.getopt import Options
from zconsole.practice.program_reply import Refusal, Reply, json_head, json_text
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import Naming, widest
from zconsole.practice.world.vdev_sizes import partition_bytes
from zconsole.practice.zpool_show.json_values import Document, Style, json_property, vdev_identity
from zconsole.practice.zpool_show.pool_properties import (
    ALIASES,
    COLUMNS,
    DEFAULT_COLUMNS,
    ORDER,
    ListColumn,
    Value,
    is_property,
    pool_value,
    vdev_value,
    written,
)
from zconsole.practice.zpool_show.status_json import pool_head

LIST_SHORT: Final = "gHjLo:pPT:v"
LIST_LONGS: Final = {"json-int": "json-int", "json-pool-key-guid": "key-guid"}
GET_SHORT: Final = "jHpo:"
_MIN_NAME: Final = 9
_LARGEST_INT: Final = (1 << 63) - 1  # what libzfs makes of a larger property in JSON
_GET_FIELDS: Final = ("name", "property", "value", "source")
SOURCES: Final = {"NONE": "-", "DEFAULT": "default", "LOCAL": "local"}


def known(names: tuple[str, ...], is_property: Callable[[str], bool]) -> tuple[str, ...]:
    """The names, where all are properties; raises Refusal."""
    wrong = next((name for name in names if not is_property(name)), None)
    if wrong is not None:
        raise Refusal(f"bad property list: invalid property '{wrong}'\n", 2)
    return names


def _canonical(names: list[str]) -> tuple[str, ...]:
    """Full names of properties; `all` is every one."""
    if names == ["all"]:
        return ORDER
    return known(tuple(ALIASES.get(name, name) for name in names), is_property)


def zpool_list(pools: list[PracticePool], options: Options) -> Reply:
    """Answer `zpool list`."""
    wanted = options.last("o")
    names = _canonical(wanted.split(",") if wanted else list(DEFAULT_COLUMNS))
    if "j" in options:
        return Reply(_list_json(pools, options, names))
    if not pools:
        return Reply("" if "H" in options else "no pools available\n")
    table = _Table(names, pools, options)
    return Reply(table.header() + "".join(table.pool(pool) for pool in pools))


class _Table:
    """The rows of one `zpool list`."""

    def __init__(self, names: tuple[str, ...], pools: list[PracticePool], options: Options) -> None:
        self.names, self.naming = names, Naming.of(options)
        self.exact, self.scripted, self.verbose = "p" in options, "H" in options, "v" in options
        self.columns = [COLUMNS.get(name, ListColumn(name.upper(), len(name), right=False)) for name in names]
        self.widths = [column.width for column in self.columns]
        for index, name in enumerate(names):
            if self.exact or name not in COLUMNS or name in {"name", "altroot"}:
                shown = (written(name, pool_value(pool, name)[0], exact=self.exact) for pool in pools)
                self.widths[index] = max(
                    [self.widths[index], len(self.columns[index].header), *map(len, shown)]
                )
        self.name_width = (
            max([_MIN_NAME, *(widest(pool, self.naming) for pool in pools)]) if self.verbose else 0
        )

    def header(self) -> str:
        """The line of column names."""
        if self.scripted:
            return ""
        return self._line([column.header for column in self.columns]) + "\n"

    def pool(self, pool: PracticePool) -> str:
        """A pool, and its vdevs when they are wanted."""
        cells = [written(name, pool_value(pool, name)[0], exact=self.exact) for name in self.names]
        text = ("\t".join(cells) if self.scripted else self._line(cells)) + "\n"
        if not self.verbose:
            return text
        text += "".join(self._vdev(top, pool, 2) for top in pool.tops("normal"))
        for heading, vdevs in (*pool.sections(), ("cache", pool.caches), ("spare", pool.spares)):
            if vdevs:
                text += self._dashes(heading) + "".join(self._vdev(vdev, pool, 2) for vdev in vdevs)
        return text

    def _line(self, cells: list[str]) -> str:
        parts = []
        for index, (cell, column) in enumerate(zip(cells, self.columns, strict=True)):
            width = self.name_width if index == 0 and self.verbose else self.widths[index]
            if column.right:
                parts.append(f"{cell:>{width}}")
            else:
                parts.append(cell if index == len(cells) - 1 else f"{cell:<{width}}")
        return "  ".join(parts)

    def _dashes(self, heading: str) -> str:
        rest = "".join(f"  {'-':>{width}}" for width in self.widths[1:])
        return f"{heading:<{self.name_width}}{rest}\n"

    def _vdev(self, vdev: PracticeVdev, pool: PracticePool, depth: int) -> str:
        name = self.naming.name(vdev, pool)
        cells = [
            written(column, vdev_value(vdev, pool, column, partition_bytes(vdev)), exact=self.exact)
            for column in self.names[1:]
        ]
        if self.scripted:
            line = "".join(f"\t{cell}" for cell in (name, *cells))
        else:
            line = f"{'':{depth}}{name:<{self.name_width - depth}}"
            line += "".join(f"  {cell:>{width}}" for cell, width in zip(cells, self.widths[1:], strict=True))
        return line + "\n" + "".join(self._vdev(child, pool, depth + 2) for child in vdev.children)


def _list_json(pools: list[PracticePool], options: Options, names: tuple[str, ...]) -> str:
    if not pools:
        return ""
    document = json_head("zpool list")
    style, naming = Style.of(options), Naming.of(options)
    found: Document = {}
    for pool in pools:
        item = pool_head(pool, style, is_property=True)
        item["properties"] = {name: _json_value(pool, name, style) for name in names if name != "name"}
        if "v" in options:
            shown = tuple(name for name in names if name != "name")
            listed = _ListedVdevs(pool, style, naming, shown)
            vdevs = item["vdevs"] = listed.of(pool.tops("normal"))
            for heading, members in (*pool.sections(), ("l2cache", pool.caches), ("spares", pool.spares)):
                if members:
                    vdevs[heading] = listed.of(members)
        found[str(pool.guid) if "key-guid" in options else pool.name] = item
    document["pools"] = found
    return json_text(document)


class _ListedVdevs:
    """Writes the vdevs of `zpool list -j -v`."""

    def __init__(self, pool: PracticePool, style: Style, naming: Naming, names: tuple[str, ...]) -> None:
        self.pool, self.style, self.naming, self.names = pool, style, naming, names

    def of(self, vdevs: list[PracticeVdev]) -> Document:
        """Vdevs by their names."""
        return {self.naming.name(vdev, self.pool): self._vdev(vdev) for vdev in vdevs}

    def _vdev(self, vdev: PracticeVdev) -> Document:
        item = vdev_identity(vdev, self.pool, self.style, self.naming)
        is_spare = vdev in self.pool.spares
        item["class"] = "spare" if is_spare else vdev.vdev_class
        item["state"] = vdev.state
        item["properties"] = {
            name: _property(vdev_value(vdev, self.pool, name, partition_bytes(vdev)), name, self.style)
            for name in self.names
        }
        if vdev.children:
            item["vdevs"] = self.of(vdev.children)
        return item


def _property(value: Value, name: str, style: Style, source: str = "NONE") -> Document:
    shown: object = value
    if isinstance(value, int):
        number = style.plain(min(value, _LARGEST_INT))
        shown = number if isinstance(number, int) else written(name, value, exact=style.count is str)
    return json_property(shown, source)


def _json_value(pool: PracticePool, name: str, style: Style) -> Document:
    value, source = pool_value(pool, name)
    return _property(value, name, style, source)


def zpool_get(pools: list[PracticePool], options: Options, properties: str) -> Reply:
    """Answer `zpool get`."""
    names = _canonical(properties.split(","))
    if names == ORDER:
        user = sorted({name for pool in pools for name in pool.properties if ":" in name})
        names = (*ORDER, *user)
    if "j" in options:
        return Reply(_get_json(pools, options, names))
    rows = []
    for pool in pools:
        for name in names:
            value, source = pool_value(pool, name)
            rows.append((pool.name, name, written(name, value, exact="p" in options), SOURCES[source]))
    return Reply(get_table(rows, options))


def get_table(rows: Iterable[tuple[str, ...]], options: Options, more: Sequence[str] = ()) -> str:
    """Name, property, value, source and `more` of each property, as far as -o asks for them."""
    fields = (options.last("o") or ",".join(_GET_FIELDS)).split(",")
    at = {field: index for index, field in enumerate((*_GET_FIELDS, *more))}
    picked = [[row[at[field]] for field in fields if field in at] for row in rows]
    return table(picked, [field.upper() for field in fields], scripted="H" in options)


def table(rows: list[list[str]], headers: list[str], *, scripted: bool) -> str:
    """Rows as `get` prints them: tabs for scripts, padded columns for people."""
    if scripted:
        return "".join("\t".join(row) + "\n" for row in rows)
    if not rows:
        return ""
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    lines = (
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row[:-1], widths, strict=False)) + "  " + row[-1]
        for row in (headers, *rows)
    )
    return "".join(line + "\n" for line in lines)


def _get_json(pools: list[PracticePool], options: Options, names: tuple[str, ...]) -> str:
    document, style = json_head("zpool get"), Style.of(options)
    found: Document = {}
    for pool in pools:
        item = pool_head(pool, style, is_property=True)
        item["properties"] = {name: _json_value(pool, name, style) for name in names}
        found[pool.name] = item
    document["pools"] = found
    return json_text(document)
