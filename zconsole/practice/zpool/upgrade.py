"""`zpool upgrade`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.program_reply import Reply
from zconsole.practice.world.feature_flags import FEATURES, NOT_BY_UPGRADE
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zpool.pool_imported_and_writable_checks import allow, open_pools
from zconsole.practice.zpool.usage_and_arguments import misuse, read
from zconsole.practice.zpool.write_history_and_event_records import internal, note

_HEAD: Final = "This system supports ZFS pool feature flags.\n\n"
_ALL_FLAGS: Final = "All pools are formatted using feature flags.\n\n"
_ALL_ENABLED: Final = "Every feature flags pool has all supported and requested features enabled.\n"
_SOME_DISABLED: Final = (
    "Some supported features are not enabled on the following pools. Once a\n"
    "feature is enabled the pool may become incompatible with software\n"
    "that does not support the feature. See zpool-features(7) for details.\n\n"
    "Note that the pool 'compatibility' feature can be used to inhibit\nfeature upgrades.\n\n"
    "Features marked with (*) are not applied automatically on upgrade, and\n"
    "must be applied explicitly with zpool-set(7).\n\n"
    "POOL  FEATURE\n---------------\n"
)


def upgrade(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool upgrade`."""
    options = read("upgrade", args, "avV:")
    if "v" in options and ("a" in options or options.operands):
        raise misuse("upgrade", "-v option is incompatible with other arguments")
    if "a" in options and options.operands:
        raise misuse("upgrade", "-a option should not be used along with a pool name")
    if "v" in options:
        return Reply(_HEAD + "The following features are supported:\n\n" + "\n".join(FEATURES) + "\n")
    if not options.operands and "a" not in options:
        return Reply(_HEAD + _listing(list(world.pools.values())))
    said = _HEAD
    for pool in open_pools(world, options.operands):
        said += _upgrade(world, pool, args, is_named="a" not in options)
    if "a" in options and said == _HEAD:
        said += "All pools are already formatted using feature flags.\n\n" + _ALL_ENABLED
    return Reply(said)


def _listing(pools: list[PracticePool]) -> str:
    lacking = [pool for pool in pools if pool.disabled_features]
    if not lacking:
        return _ALL_FLAGS + _ALL_ENABLED
    text = f"{_ALL_FLAGS}\n{_SOME_DISABLED}"
    for pool in lacking:
        text += f"{pool.name}\n" + "".join(
            f"      {feature}{'(*)' if feature in NOT_BY_UPGRADE else ''}\n"
            for feature in FEATURES
            if feature in pool.disabled_features
        )
    return text + "\n"


def _upgrade(world: World, pool: PracticePool, args: Sequence[str], *, is_named: bool) -> str:
    missing = [each for each in FEATURES if each in pool.disabled_features - NOT_BY_UPGRADE]
    if not missing:
        return (
            f"Pool '{pool.name}' already has all supported and requested features enabled.\n"
            if is_named
            else ""
        )
    allow(world, pool, f"cannot set property for '{pool.name}'", 255)
    pool.disabled_features &= NOT_BY_UPGRADE
    for feature in missing:
        internal(world, pool, "set", f"feature@{feature}=enabled")
    note(world, pool, "upgrade", args)
    names = "".join(f"  {feature}\n" for feature in missing)
    return f"Enabled the following features on '{pool.name}':\n{names}\n"
