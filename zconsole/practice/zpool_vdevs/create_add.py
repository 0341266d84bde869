"""`zpool create` and `zpool add`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.feature_flags import FEATURES
from zconsole.practice.world.host_world import World
from zconsole.practice.world.new_pools_and_vdevs import enlist, make_pool, record_creation, use_first
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.vdev_names import Naming
from zconsole.practice.zfs.properties import is_property as is_dataset_property
from zconsole.practice.zpool.mount_with_pool import mount_all
from zconsole.practice.zpool.pool_imported_and_writable_checks import allow, open_pool
from zconsole.practice.zpool.set_property import checked
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, pairs, read
from zconsole.practice.zpool.write_history_and_event_records import event, next_txg, note
from zconsole.practice.zpool_vdevs.dry_run_layout import would_create, would_update
from zconsole.practice.zpool_vdevs.vdev_specification import (
    SAME_DEVICE,
    Demands,
    NewVdevTree,
    ashift_of,
    built,
    label,
    may_be_used,
    read_words,
)

_NAME: Final = re.compile(r"[A-Za-z][-_.: A-Za-z0-9]*")
_RESERVED: Final = ("mirror", "raidz", "draid", "spare")
_ADD_LONGS: Final = {
    "allow-in-use": "in-use",
    "allow-replication-mismatch": "level",
    "allow-ashift-mismatch": "ashift",
}


def create(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool create`."""
    options = read("create", args, "fndR:m:o:O:t:")
    name, *words = operands("create", options, "missing pool name argument", "missing vdev specification")
    if "/" in name:
        raise Refusal(
            f"cannot create '{name}': invalid character '/' in pool name\n"
            "use 'zfs create' to create a dataset\n"
        )
    properties, root = pairs("create", options, "o"), pairs("create", options, "O")
    altroot = options.last("R") or properties.pop("altroot", None)
    if options.last("m") is not None:
        root["mountpoint"] = options.last("m") or ""
    _check_root(root)
    wanted = read_words(world, words, ashift_of(properties))
    force = "f" in options
    may_be_used(world, None, wanted, Demands(force=force, level=not force))
    if all(top.vdev_class != "normal" for top in wanted.spec.tops):
        raise Refusal("invalid vdev specification: at least one toplevel vdev must be specified\n")
    _check_places(altroot, root.get("mountpoint"))
    if "n" in options:
        return Reply(would_create(name, wanted.spec, Naming()))
    action = f"cannot create '{name}'"
    allow(world, None, action)
    _check_name(name, action)
    features = _features(properties, enable="d" not in options)
    local = checked(properties, action, is_creation=True)
    label(world, wanted)
    if name in world.pools:
        raise Refusal(f"{action}: pool already exists\n")
    spec = built(wanted, action, is_new=True)
    pool = make_pool(world, name, spec, properties=root)
    pool.disabled_features = frozenset(FEATURES) - features
    pool.active_features &= features
    pool.properties |= local
    if altroot:
        pool.properties |= {"altroot": altroot, "cachefile": "none"}
    use_first(pool)
    record_creation(world, pool, at=world.now)
    mount_all(pool)
    note(world, pool, "create", args)
    event(world, pool, "config_sync")
    return Reply()


def _check_name(name: str, action: str) -> None:
    reason = ""
    if not name[:1].isalpha():
        reason = "name must begin with a letter"
    elif not _NAME.fullmatch(name):
        wrong = next(char for char in name if not re.fullmatch(r"[-_.: A-Za-z0-9]", char))
        reason = f"invalid character '{wrong}' in pool name"
    elif name.startswith(_RESERVED) or name == "log" or re.match(r"c\d", name):
        reason = "name is reserved"
    if reason:
        raise Refusal(f"{action}: {reason}\npool name may have been omitted\n")


def _check_root(root: Mapping[str, str]) -> None:
    for name in root:
        if not is_dataset_property(name):
            raise Refusal(f"property '{name}' is not a valid filesystem property\n")


def _check_places(altroot: str | None, mountpoint: str | None) -> None:
    if altroot is not None and not altroot.startswith("/"):
        raise Refusal(f"invalid alternate root '{altroot}': must be an absolute path\n")
    if mountpoint not in {None, "legacy", "none"} and not str(mountpoint).startswith("/"):
        raise Refusal(f"invalid mountpoint '{mountpoint}': must be an absolute path, 'legacy', or 'none'\n")


def _features(properties: dict[str, str], *, enable: bool) -> frozenset[str]:
    """The features that the new pool has; takes them out of the properties."""
    features = set(FEATURES) if enable else set()
    for name in [name for name in properties if name.startswith("feature@")]:
        feature, value = name.removeprefix("feature@"), properties.pop(name)
        if feature not in FEATURES:
            raise Refusal(f"property '{name}' is not a valid pool or vdev property\n", 1)
        if value == "disabled":
            features.discard(feature)
        else:
            features.add(feature)
    return frozenset(features)


def add(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool add`."""
    options = read("add", args, "fgLno:P", _ADD_LONGS)
    name, *words = operands("add", options, "missing pool name argument", "missing vdev specification")
    allowed = options.flags & set(_ADD_LONGS.values())
    if "f" in options and allowed:
        raise misuse(
            "add",
            "'-f' option is not allowed with '--allow-replication-mismatch',"
            " '--allow-ashift-mismatch', or '--allow-in-use'",
        )
    properties = pairs("add", options, "o")
    if set(properties) - {"ashift"}:
        raise misuse("add")
    pool = open_pool(world, name)
    wanted = read_words(world, words, ashift_of(pool.properties | properties))
    force = "f" in options
    demands = Demands(force=force or "in-use" in allowed, level=not force and "level" not in allowed)
    may_be_used(world, pool, wanted, demands)
    if "n" in options:
        return Reply(would_update(pool, wanted.spec, Naming.of(options)))
    action = f"cannot add to '{name}'"
    known = [spare.disk for spare in pool.spares]
    if any(spare.disk in known for spare in wanted.spec.spares):  # `vdev_inuse`: EBUSY
        raise Refusal(f"{action}: {SAME_DEVICE}\n")
    if world.user_id == 0:
        label(world, wanted)
    allow(world, pool, action)
    _may_grow(pool, wanted, action, check_ashift=not force and "ashift" not in allowed)
    spec = built(wanted, action, is_new=False)
    enlist(world, pool, spec)
    for top in spec.tops:
        top.allocated = 0
    next_txg(pool)
    event(world, pool, "vdev_add")
    event(world, pool, "config_sync")
    note(world, pool, "add", args)
    return Reply()


def _may_grow(pool: PracticePool, wanted: NewVdevTree, action: str, *, check_ashift: bool) -> None:
    """Refuse vdevs that the kernel does not add to the pool."""
    tops = wanted.spec.tops
    if pool.is_removing:
        raise Refusal(f"{action}: device removal in progress\n")
    has_removed = any(top.kind == "indirect" for top in pool.root.children)
    if has_removed and any(top.parity for top in tops):
        raise Refusal(
            f"{action}: invalid config; a pool with removing/removed vdevs does not support adding"
            " raidz or dRAID vdevs\n"
        )
    if "draid" in pool.disabled_features and any(top.draid for top in tops):
        raise Refusal(f"{action}: pool must be upgraded to add these vdevs\n")
    present = {top.ashift for top in pool.tops("normal", "special", "dedup")}
    if check_ashift and len(present) == 1:
        built(wanted, action, is_new=False)
        if any(top.ashift not in present for top in tops):
            raise Refusal(f"{action}: adding devices with different physical sector sizes is not allowed\n")
