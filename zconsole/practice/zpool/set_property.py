"""`zpool set`, and the values that pools and vdevs accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.practice.nicenum_and_times import words
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.feature_flags import FEATURES
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.zpool.pool_imported_and_writable_checks import REFUSED_BY_LIBZFS, allow, cannot
from zconsole.practice.zpool.usage_and_arguments import misuse
from zconsole.practice.zpool.write_history_and_event_records import internal, note
from zconsole.practice.zpool_show.pool_properties import ALIASES, is_property
from zconsole.practice.zpool_show.vdev_properties import ON_OFF, SETTABLE, SWITCHES, is_vdev_property
from zconsole.practice.zpool_vdevs.vdev_lookup import find
from zconsole.practice.zpool_vdevs.vdev_specification import ASHIFTS

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(words("delegation autoreplace listsnapshots autoexpand multihost autotrim"), ON_OFF),
    "failmode": ("wait", "continue", "panic"),
}
_TEXTS: Final = ("comment", "cachefile", "bootfs", "compatibility", "dedup_table_quota")
_AT_IMPORT: Final = {
    "readonly": "property 'readonly' can only be set at import time",
    "altroot": "property 'altroot' can only be set during pool creation or import",
}
_LONGEST_COMMENT: Final = 32
_NOT_A_POOL: Final = 22  # EINVAL


def checked(
    properties: Mapping[str, str], action: str, *, status: int = 1, is_creation: bool = False
) -> dict[str, str]:
    """Properties under their full names, as the pool keeps them; raises Refusal."""
    local: dict[str, str] = {}
    for given, value in properties.items():
        name = ALIASES.get(given, given)
        if ":" not in name and not is_property(name):
            if is_creation:
                raise Refusal(f"property '{given}' is not a valid pool or vdev property\n")
            raise cannot(action, f"invalid property '{given}'", status)
        why = _objection(name, value, is_creation=is_creation)
        if why:
            raise cannot(action, why, status)
        local[name] = value
    return local


def _objection(name: str, value: str, *, is_creation: bool) -> str:
    """The error of libzfs about a value; empty for a valid one."""
    choices = _CHOICES.get(name)
    if choices is not None:
        return "" if value in choices else f"'{name}' must be one of '{' | '.join(choices)}'"
    if name in _AT_IMPORT:
        return _AT_IMPORT[name]
    if name.startswith("feature@"):
        if value not in {"enabled", "disabled"}:
            return f"property '{name}' can only be set to 'enabled' or 'disabled'"
        late = f"property '{name}' can only be set to 'disabled' at creation time"
        return late if value == "disabled" else ""
    match name:
        case "ashift":
            if not value.isdigit():
                return f"bad numeric value '{value}'"
            if int(value) and int(value) not in ASHIFTS:
                allowed = f"only values between {ASHIFTS[0]} and {ASHIFTS[-1]} are allowed."
                return f"property 'ashift' number {value} is invalid, {allowed}"
        case "comment":
            if not value.isprintable() or not value.isascii():
                return "comment may only have printable characters"
            if len(value) > _LONGEST_COMMENT:
                return f"comment must not exceed {_LONGEST_COMMENT} characters"
        case "cachefile":
            if value not in {"", "none"} and not value.startswith("/"):
                return "property 'cachefile' must be empty, an absolute path, or 'none'"
        case "bootfs":
            if is_creation:
                return "property 'bootfs' cannot be set at creation or import time"
        case _:
            if ":" not in name and name not in _TEXTS:
                return f"'{name}' is readonly"
    return ""


def set_property(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool set`."""
    if args and args[0].startswith("-"):
        raise misuse("set", f"invalid option '{args[0][1:2]}'")
    if not args:
        raise misuse("set", "missing property=value argument")
    if len(args) < 2:
        raise misuse("set", "missing pool name")
    if len(args) > 3:
        raise misuse("set", "too many pool names")
    name, equals, value = args[0].partition("=")
    if not equals:
        raise misuse("set", "missing value in property=value argument")
    pool = world.pools.get(args[1])
    if pool is None:
        raise Refusal(f"cannot open '{args[1]}': is not a pool\n", _NOT_A_POOL)
    if len(args) == 3:
        _set_vdev(world, pool, args[2], (name, value))
    else:
        _set_pool(world, pool, name, value)
    note(world, pool, "set", args)
    return Reply()


def _set_pool(world: World, pool: PracticePool, name: str, value: str) -> None:
    action = f"cannot set property for '{pool.name}'"
    feature = name.removeprefix("feature@") if name.startswith("feature@") else None
    if feature is not None and feature not in FEATURES:
        raise cannot(action, f"feature '{feature}' unsupported by kernel", REFUSED_BY_LIBZFS)
    local = checked({name: value}, action, status=REFUSED_BY_LIBZFS)
    if "bootfs" in local and value and value not in pool.datasets:
        raise cannot(action, f"'{value}' is an invalid name", REFUSED_BY_LIBZFS)
    allow(world, pool, action, REFUSED_BY_LIBZFS)
    if feature is not None:
        pool.disabled_features -= {feature}
        internal(world, pool, "set", f"feature@{feature}=enabled")
        return
    for full, text in local.items():
        if text == "" and (":" in full or full in {"comment", "bootfs", "cachefile"}):
            pool.properties.pop(full, None)
        else:
            pool.properties[full] = text
        internal(world, pool, "set", f"{full}={_stored(full, text)}")


def _stored(name: str, value: str) -> str:
    """The value as the pool's own records write it: choices by number."""
    choices = _CHOICES.get(name)
    if choices is None:
        return value
    return str(int(value == "on")) if choices is ON_OFF else str(choices.index(value))


def _set_vdev(world: World, pool: PracticePool, word: str, pair: tuple[str, str]) -> None:
    name, value = pair
    found = find(pool, "root-0" if word == "root" else word)
    if found is None:
        raise Refusal(f"cannot find '{word}' in '{pool.name}': device not in pool\n", _NOT_A_POOL)
    action = f"cannot set property for '{word}'"
    why = _vdev_objection(pool, found.vdev, name, value)
    if why:
        raise cannot(action, why, REFUSED_BY_LIBZFS)
    allow(world, pool, action, REFUSED_BY_LIBZFS)
    if value == "" and ":" in name:
        found.vdev.properties.pop(name, None)
    else:
        found.vdev.properties[name] = value
    internal(world, pool, "vdev set", f"vdev_guid={found.vdev.guid}: {name}={value}")


def _vdev_objection(pool: PracticePool, vdev: PracticeVdev, name: str, value: str) -> str:
    if not is_vdev_property(name):
        return f"invalid property: '{name}'"
    if ":" in name:
        return ""
    if name not in SETTABLE:
        return f"'{name}' is readonly"
    if name in SWITCHES and value not in ON_OFF:
        return f"'{name}' must be one of '{' | '.join(ON_OFF)}'"
    if name.endswith(("_n", "_t")) and not value.isdigit():
        return f"'{name}' must be a number"
    is_top = vdev in pool.root.children
    if (name == "allocating" and not is_top) or (name == "autosit" and not vdev.parity):
        return "operation not supported on this type of vdev"
    if name == "allocating" and value == "off" and len(pool.tops(vdev.vdev_class)) < 2:
        return "out of space"
    return ""
