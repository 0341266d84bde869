"""Properties of vdevs: values, sources and defaults, in the order of ZFS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from zconsole.practice.nicenum_and_times import words
from zconsole.practice.world import space_formulas
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import Naming
from zconsole.practice.world.vdev_sizes import expandable, partition_bytes
from zconsole.practice.zpool_show.pool_properties import Value

ON_OFF: Final = ("on", "off")
SETTABLE: Final[Mapping[str, str]] = {  # with their defaults
    **dict.fromkeys(words("comment checksum_n checksum_t io_n io_t slow_io_n slow_io_t"), "-"),
    **dict.fromkeys(words("allocating failfast"), "on"),
    **dict.fromkeys(words("sit_out autosit"), "off"),
}
SWITCHES: Final = frozenset({"allocating", "failfast", "sit_out", "autosit"})
ORDER: Final = words("""
        capacity state guid asize psize ashift size free allocated comment expandsize fragmentation
        bootsize parity path devid physpath encpath fru parent children numchildren read_errors
        write_errors checksum_errors initialize_errors null_ops read_ops write_ops free_ops claim_ops
        trim_ops null_bytes read_bytes write_bytes free_bytes claim_bytes trim_bytes removing allocating
        failfast checksum_n checksum_t io_n io_t raidz_expanding slow_io_n slow_io_t sit_out autosit
        slow_ios trim_support
    """)
SIZES: Final = frozenset(
    words("""
        asize psize size free allocated expandsize bootsize null_bytes read_bytes write_bytes free_bytes
        claim_bytes trim_bytes
    """)
)
_LEAVES_ONLY: Final = frozenset(
    words("path devid physpath encpath fru failfast initialize_errors trim_support slow_ios sit_out")
)
_TOPS_ONLY: Final = frozenset({"allocating", "autosit"})


def is_vdev_property(name: str) -> bool:
    """Whether vdevs have it; user properties hold a colon."""
    return name in ORDER or name == "name" or ":" in name


def can_sit_out(pool: PracticePool, vdev: PracticeVdev) -> bool:
    """Whether it is a disk of a raidz or dRAID: of others ZFS does not print the property."""
    return vdev.is_leaf and any(top.parity and vdev in top.leaves() for top in pool.root.children)


def vdev_property(pool: PracticePool, vdev: PracticeVdev, name: str) -> tuple[Value, str]:
    """The value of a property of a vdev, and where it comes from."""
    if name in vdev.properties:
        return vdev.properties[name], "LOCAL"
    if ":" in name:
        return "-", "DEFAULT"
    is_top = vdev in pool.root.children
    if (name in _LEAVES_ONLY and not vdev.is_leaf) or (name in _TOPS_ONLY and not is_top):
        return "-", "NONE"
    if name == "allocating" and vdev.is_removing:
        return "off", "LOCAL"
    if name in SETTABLE:
        return SETTABLE[name], "DEFAULT"
    return _FACTS[name](pool, vdev), "NONE"


def _is_top(pool: PracticePool, vdev: PracticeVdev) -> bool:
    return vdev in pool.root.children or vdev in pool.caches


def _size(pool: PracticePool, vdev: PracticeVdev) -> int:
    if vdev.kind == "root":
        return pool.size
    if vdev in pool.caches:
        return vdev.asize
    return vdev.size if _is_top(pool, vdev) else 0


def _allocated(pool: PracticePool, vdev: PracticeVdev) -> int:
    return pool.allocated if vdev.kind == "root" else vdev.allocated


def _asize(pool: PracticePool, vdev: PracticeVdev) -> int:
    if vdev.kind == "root":
        return sum(top.asize for top in pool.present)
    if vdev.is_leaf and vdev not in pool.caches:
        return max(0, space_formulas.leaf_asize(partition_bytes(vdev)))
    return vdev.asize


def _parent(pool: PracticePool, vdev: PracticeVdev) -> str:
    above = pool.root.parent_of(vdev)
    return "-" if above is None else Naming().name(above, pool) if above.kind != "root" else "root-0"


def _children(pool: PracticePool, vdev: PracticeVdev) -> str:
    return ",".join(Naming().name(child, pool) for child in vdev.children) or "-"


def _ops(index: int) -> Callable[[PracticePool, PracticeVdev], Value]:
    def count(_pool: PracticePool, vdev: PracticeVdev) -> Value:
        return sum(leaf.meter.numbers()[index] for leaf in vdev.leaves())

    return count


_NONE_HERE: Final = words("""
        initialize_errors null_ops free_ops claim_ops trim_ops null_bytes free_bytes claim_bytes trim_bytes
    """)
_FACTS: Final[Mapping[str, Callable[[PracticePool, PracticeVdev], Value]]] = {
    **dict.fromkeys(_NONE_HERE, lambda _pool, _vdev: 0),
    **dict.fromkeys(words("bootsize encpath fru"), lambda _pool, _vdev: "-"),
    "name": lambda pool, vdev: Naming().name(vdev, pool),
    "capacity": lambda pool, vdev: _allocated(pool, vdev) * 100 // (_size(pool, vdev) or 1),
    "state": lambda _pool, vdev: vdev.state.lower(),
    "guid": lambda _pool, vdev: vdev.guid,
    "asize": _asize,
    "psize": lambda _pool, vdev: partition_bytes(vdev) if vdev.is_leaf else 0,
    "ashift": lambda _pool, vdev: vdev.ashift,
    "size": _size,
    "free": lambda pool, vdev: _size(pool, vdev) - _allocated(pool, vdev) if _size(pool, vdev) else 0,
    "allocated": _allocated,
    "expandsize": lambda pool, vdev: (expandable(vdev) if vdev in pool.root.children else 0) or "-",
    "fragmentation": lambda pool, vdev: vdev.fragmentation if _is_top(pool, vdev) else "-",
    "parity": lambda _pool, vdev: vdev.parity,
    "path": lambda _pool, vdev: vdev.path or "-",
    "devid": lambda _pool, vdev: vdev.devid or "-",
    "physpath": lambda _pool, vdev: vdev.phys_path or "-",
    "parent": _parent,
    "children": _children,
    "numchildren": lambda _pool, vdev: len(vdev.children),
    "read_errors": lambda _pool, vdev: vdev.read_errors,
    "write_errors": lambda _pool, vdev: vdev.write_errors,
    "checksum_errors": lambda _pool, vdev: vdev.checksum_errors,
    "read_ops": _ops(0),
    "write_ops": _ops(1),
    "read_bytes": _ops(2),
    "write_bytes": _ops(3),
    "removing": lambda _pool, vdev: "on" if vdev.is_removing else "off",
    "raidz_expanding": lambda _pool, vdev: "on" if vdev.is_expanding else "off",
    "slow_ios": lambda _pool, vdev: vdev.slow_ios,
    "trim_support": lambda _pool, vdev: "on" if vdev.can_trim else "off",
}
