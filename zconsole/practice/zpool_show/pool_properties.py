"""Properties of pools: values, sources, and columns of `zpool list`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.nicenum_and_times import nicebytes, words
from zconsole.practice.world.feature_flags import FEATURES
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_sizes import expandable

Value = int | str  # a number is exact; -p decides how it is written

NONE, DEFAULT, LOCAL = "NONE", "DEFAULT", "LOCAL"


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of `zpool list`."""

    header: str
    width: int
    right: bool = True


COLUMNS: Final = {
    "name": ListColumn("NAME", 4, right=False),
    "size": ListColumn("SIZE", 5),
    "allocated": ListColumn("ALLOC", 5),
    "free": ListColumn("FREE", 5),
    "checkpoint": ListColumn("CKPOINT", 7),
    "expandsize": ListColumn("EXPANDSZ", 8),
    "fragmentation": ListColumn("FRAG", 5),
    "capacity": ListColumn("CAP", 5),
    "dedupratio": ListColumn("DEDUP", 5),
    "health": ListColumn("HEALTH", 8),
    "altroot": ListColumn("ALTROOT", 7, right=False),
}
ALIASES: Final = {
    "alloc": "allocated",
    "ckpoint": "checkpoint",
    "expandsz": "expandsize",
    "frag": "fragmentation",
    "cap": "capacity",
    "dedup": "dedupratio",
    "rdonly": "readonly",
    "replace": "autoreplace",
    "expand": "autoexpand",
    "listsnaps": "listsnapshots",
    "compat": "compatibility",
}
DEFAULT_COLUMNS: Final = tuple(COLUMNS)
_SETTABLE: Final = {  # with their defaults
    **dict.fromkeys(words("altroot version bootfs cachefile comment"), "-"),
    **dict.fromkeys(words("autoreplace listsnapshots autoexpand multihost autotrim compatibility"), "off"),
    "delegation": "on",
    "failmode": "wait",
    "ashift": "0",
    "dedup_table_quota": "auto",
}
ORDER: Final = words("""
        size capacity altroot health guid version bootfs delegation autoreplace cachefile failmode
        listsnapshots autoexpand dedupratio free allocated readonly ashift comment expandsize freeing
        fragmentation leaked multihost checkpoint load_guid autotrim compatibility bcloneused
        bclonesaved bcloneratio dedup_table_size dedup_table_quota last_scrubbed_txg
    """) + tuple(f"feature@{feature}" for feature in FEATURES)
PERCENTAGES: Final = frozenset({"capacity", "fragmentation"})
RATIOS: Final = frozenset({"dedupratio", "bcloneratio"})
SIZES: Final = frozenset(
    words("""
        size free allocated freeing leaked checkpoint expandsize bcloneused bclonesaved dedup_table_size
    """)
)
_KNOWN: Final = frozenset(ORDER) | {"name"}


def is_property(name: str) -> bool:
    """Whether pools have it; user properties hold a colon."""
    return name in _KNOWN or ":" in name


def pool_value(pool: PracticePool, name: str) -> tuple[Value, str]:
    """The value of a property, and where it comes from."""
    if name.startswith("feature@"):
        feature = name.removeprefix("feature@")
        if feature in pool.disabled_features:
            return "disabled", LOCAL
        return ("active" if feature in pool.active_features else "enabled"), LOCAL
    if name in pool.properties and (name in _SETTABLE or ":" in name):
        return pool.properties[name], LOCAL
    if name in _SETTABLE:
        return _SETTABLE[name], DEFAULT
    if ":" in name:
        return "-", NONE
    return _FACTS[name](pool), NONE


def _fragmentation(pool: PracticePool) -> int:
    normal = pool.tops("normal")
    return sum(top.fragmentation for top in normal) // (len(normal) or 1)


_FACTS: Final[Mapping[str, Callable[[PracticePool], Value]]] = {
    **dict.fromkeys(words("freeing leaked bcloneused bclonesaved dedup_table_size"), lambda _: 0),
    **dict.fromkeys(words("dedupratio bcloneratio"), lambda _: "1.00"),
    "name": lambda pool: pool.name,
    "size": lambda pool: pool.size,
    "capacity": lambda pool: pool.allocated * 100 // (pool.size or 1),
    "health": lambda pool: pool.state,
    "guid": lambda pool: pool.guid,
    "free": lambda pool: pool.size - pool.allocated,
    "allocated": lambda pool: pool.allocated,
    "readonly": lambda pool: "on" if pool.is_readonly else "off",
    "expandsize": lambda pool: sum(map(expandable, pool.tops("normal", "special", "dedup"))) or "-",
    "fragmentation": _fragmentation,
    "checkpoint": lambda pool: pool.checkpoint[1] if pool.checkpoint else "-",
    "load_guid": lambda pool: pool.load_guid,
    "last_scrubbed_txg": lambda pool: pool.last_scrubbed_txg,
}


def vdev_value(vdev: PracticeVdev, pool: PracticePool, name: str, partition: int) -> Value:
    """The value of a column of `zpool list -v`."""
    size = vdev.asize if vdev.vdev_class == "l2cache" else vdev.size
    is_top = vdev in pool.root.children or vdev in pool.caches
    if name == "size":
        return partition if vdev.is_leaf else size if is_top else "-"
    if name == "health":
        return pool.spare_state(vdev) if vdev in pool.spares else vdev.state
    if not is_top:
        return "-"
    values: dict[str, Value] = {
        "allocated": vdev.allocated,
        "free": size - vdev.allocated,
        "checkpoint": vdev.checkpoint_space or "-",
        "fragmentation": vdev.fragmentation,
        "capacity": vdev.allocated * 100 // (size or 1),
        "expandsize": (0 if vdev in pool.caches else expandable(vdev)) or "-",
    }
    return values.get(name, "-")


def written(name: str, value: Value, *, exact: bool) -> str:
    """A value as text."""
    if isinstance(value, str):
        return value + "x" if name in RATIOS and not exact and value != "-" else value
    if exact or name not in SIZES | PERCENTAGES:
        return str(value)
    return f"{value}%" if name in PERCENTAGES else nicebytes(value).removesuffix("B")
