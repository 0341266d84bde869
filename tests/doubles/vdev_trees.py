"""The trees of recorded pools, as the console reads them."""

from __future__ import annotations

from pathlib import Path

from zconsole.model.pools.pool import Pool
from zconsole.zfs.status.status import parse_status_json
from zconsole.zfs.status.status_text import parse_status_text


def pools_of(folder: Path) -> tuple[Pool, ...]:
    """The pools of a recorded state, from JSON where there is some."""
    as_json = folder / "zpool_status.json"
    if as_json.exists() and not (folder / "zpool_status.json.rc").exists():
        return parse_status_json(as_json.read_bytes())
    names = ("zpool_status_v.txt", "zpool_status_vsitpP.txt")
    found = next(folder / name for name in names if (folder / name).exists())
    return parse_status_text(found.read_bytes().decode("utf-8", "replace"))
