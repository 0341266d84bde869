"""`zfs set` and `zfs inherit`, with checks of space and remounting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.model.dataset_names import parent_of
from zconsole.practice.libvirt.storage_of_images import move_images, place_of_images
from zconsole.practice.nicenum_and_times import nicebytes
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_tree_changes import DEFAULT_VOLBLOCKSIZE, subtree, volume_reservation
from zconsole.practice.world.dataset_writes_and_snapshots import sync, tell
from zconsole.practice.world.datasets import PracticeDataset, Snapshot, accounts
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import (
    DATASETS_AND_SNAPSHOTS,
    Thing,
    name_of,
    open_thing,
    properties_of,
)
from zconsole.practice.zfs.mount_share import put_up, setting, take_all_down
from zconsole.practice.zfs.properties import APPLIES, NOT_INHERITED, SET_ONCE, SETTABLE
from zconsole.practice.zfs.property_validation import BadValue, checked, letter_of

_BELOW_USED: Final = "size is less than current used or reserved space"
_BEYOND_AVAILABLE: Final = "size is greater than available space"
_ON_MOUNT: Final = frozenset({"mountpoint", "canmount", "sharenfs", "sharesmb"})
_ACCOUNTED: Final = frozenset({"quota", "refquota", "reservation", "refreservation", "volsize"})
_REMOUNTED: Final = frozenset({"mountpoint", "canmount"})


def set_properties(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs set`."""
    call = RunningSubcommand(world, "set", args, "u")
    words = call.operands
    count = next((index for index, word in enumerate(words) if "=" not in word), len(words))
    if not count:
        raise call.misused("missing property=value argument(s)")
    if count == len(words):
        raise call.misused("missing dataset name(s)")
    if any("=" in word for word in words[count:]):
        raise call.misused("invalid argument order")
    given = properties_of(call, words[:count])
    for name in words[count:]:
        pool, thing = open_thing(call, name, DATASETS_AND_SNAPSHOTS)
        assert isinstance(thing, PracticeDataset | Snapshot)  # noqa: S101 - nothing else is asked for
        _set(call, pool, thing, given)
    return call.reply()


def _set(
    call: RunningSubcommand, pool: PracticePool, thing: PracticeDataset | Snapshot, given: dict[str, str]
) -> None:
    words = f"cannot set property for '{name_of(thing)}': "
    try:
        values = {name: checked(name, text, letter_of(thing)) for name, text in given.items()}
        if isinstance(thing, PracticeDataset):
            fit(pool, thing, values)
    except BadValue as error:
        call.complain(words + error.words)
        return
    wanted = {"userprop" if ":" in name else name for name in values}
    if not may(call.world, pool, name_of(thing), *wanted):
        call.complain(f"{words}permission denied")
        return
    if isinstance(thing, Snapshot):
        thing.properties.update(values)
        sync(pool)
    elif not _apply(call, pool, thing, values):
        return
    for name, value in values.items():
        tell(call.world, pool, "set", thing, f"{name}={value}")
    call.changed(pool)


def fit(pool: PracticePool, dataset: PracticeDataset, values: dict[str, str]) -> None:
    """Check sizes against used, reserved and free space, and work out automatic ones; raises BadValue."""
    block = int(values.get("volblocksize") or dataset.properties.get("volblocksize") or DEFAULT_VOLBLOCKSIZE)
    if values.get("refreservation") == "auto":
        values["refreservation"] = str(volume_reservation(dataset.volsize or 0, block))
    if "keylocation" in values and (values["keylocation"] != "none") != (dataset.encryption_root is dataset):
        kind = "encrypted" if dataset.encryption_root else "unencrypted"
        must = "must not be" if dataset.encryption_root is dataset else "must be"
        raise BadValue(f"keylocation {must} 'none' for {kind} datasets")
    sizes = {name: int(value) for name, value in values.items() if name in _ACCOUNTED}
    if sizes.get("volsize", 0) % block:
        raise BadValue(f"'volsize' must be a multiple of volume block size ({nicebytes(block)})")
    if not sizes:
        return
    _keep_thick(dataset, sizes, values, block)
    book = accounts(pool.datasets, pool.usable)
    account = book[dataset.name]
    if 0 < sizes.get("quota", 0) < max(account.used, dataset.number("reservation")):
        raise BadValue(_BELOW_USED)
    if 0 < sizes.get("refquota", 0) < max(dataset.referenced, dataset.number("refreservation")):
        raise BadValue(_BELOW_USED)
    above = book.get(parent_of(dataset.name), account)
    reserved = max(account.used, dataset.number("reservation"))
    if sizes.get("reservation", 0) - reserved > above.available:
        raise BadValue(_BEYOND_AVAILABLE)
    unused = max(0, sizes.get("refreservation", 0) - dataset.written) - dataset.used_by_refreservation
    if unused > account.available - dataset.used_by_refreservation:
        raise BadValue(_BEYOND_AVAILABLE)


def _keep_thick(dataset: PracticeDataset, sizes: dict[str, int], values: dict[str, str], block: int) -> None:
    """Adjust the refreservation of a thick volume to its size."""
    if "volsize" not in sizes or dataset.volsize is None or "refreservation" in sizes:
        return
    if dataset.number("refreservation") == volume_reservation(dataset.volsize, block):
        sizes["refreservation"] = volume_reservation(sizes["volsize"], block)
        values["refreservation"] = str(sizes["refreservation"])


def _apply(
    call: RunningSubcommand, pool: PracticePool, dataset: PracticeDataset, values: dict[str, str]
) -> bool:
    """Keep properties that are in order; False with words when a filesystem cannot be unmounted for it."""
    moves = not call.has("u") and ("mountpoint" in values or values.get("canmount") == "off")
    mounted = take_all_down(call, subtree(pool, dataset.name)) if moves else []
    if mounted is None:
        return False
    places = _places(call.world, pool, dataset)
    if "volsize" in values:
        dataset.volsize = int(values["volsize"])
    dataset.properties.update({name: value for name, value in values.items() if name != "volsize"})
    dataset.disowned -= set(values)
    _settle(call, pool, places, mounted, set(values))
    return True


def _settle(
    call: RunningSubcommand,
    pool: PracticePool,
    places: list[tuple[PracticeDataset, str]],
    mounted: list[PracticeDataset],
    names: set[str],
) -> None:
    """Remount the filesystems, mount those that had no path before, and share them by their properties."""
    sync(pool)
    now = [(kept, was, place_of_images(call.world, kept)) for kept, was in places]
    move_images(call.world, ((was, place) for _, was, place in now))
    got = [kept for kept, was, place in now if not was.startswith("/") and place.startswith("/")]
    for kept in (*mounted, *got):
        put_up(call.world, kept)
    if names & _ON_MOUNT:
        for kept, _ in places:
            kept.is_shared = kept.is_mounted and setting(call.world, kept, "sharenfs") != "off"


def _places(world: World, pool: PracticePool, dataset: PracticeDataset) -> list[tuple[PracticeDataset, str]]:
    """A filesystem and those below it, with where they are mounted."""
    return [
        (kept, place_of_images(world, kept))
        for kept in subtree(pool, dataset.name)
        if kept.kind == "filesystem"
    ]


def inherit(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs inherit`."""
    call = RunningSubcommand(world, "inherit", args, "rS")
    if not call.operands:
        raise call.misused("missing property argument")
    name, *names = call.operands
    if not names:
        raise call.misused("missing dataset argument")
    _check_inheritable(call, name)
    for place in names:
        pool, thing = open_thing(call, place, DATASETS_AND_SNAPSHOTS)
        chosen: Sequence[Thing] = [thing]
        if call.has("r") and isinstance(thing, PracticeDataset):
            chosen = subtree(pool, thing.name)
        for kept in chosen:
            if isinstance(kept, PracticeDataset | Snapshot):
                _inherit(call, pool, kept, name)
    return call.reply()


def _check_inheritable(call: RunningSubcommand, name: str) -> None:
    if ":" in name:
        return
    if name not in APPLIES:
        raise call.misused(f"invalid property '{name}'")
    if name not in SETTABLE or name in SET_ONCE:
        raise call.failed(f"{name} property is read-only")
    if name in NOT_INHERITED and not call.has("S"):
        hint = (
            f"\nuse 'zfs set {name}=none' to clear\nuse 'zfs inherit -S {name}' to revert to received value"
        )
        raise call.failed(
            f"'{name}' property cannot be inherited" + (hint if "quota" in name or "reserv" in name else "")
        )
    if call.has("S") and name == "volsize":
        raise call.failed(f"'{name}' property cannot be reverted to a received value")


def _inherit(
    call: RunningSubcommand, pool: PracticePool, thing: PracticeDataset | Snapshot, name: str
) -> None:
    if ":" not in name and letter_of(thing) not in APPLIES[name]:
        return
    if not may(call.world, pool, name_of(thing), "userprop" if ":" in name else name):
        call.complain(f"cannot inherit {name} for '{name_of(thing)}': permission denied")
        return
    mounted: list[PracticeDataset] | None = []
    if isinstance(thing, PracticeDataset) and name in _REMOUNTED:
        mounted = take_all_down(call, subtree(pool, thing.name))
    if mounted is None:
        return
    places = _places(call.world, pool, thing) if isinstance(thing, PracticeDataset) else []
    thing.properties.pop(name, None)
    if isinstance(thing, PracticeDataset):
        (thing.disowned.discard if call.has("S") else thing.disowned.add)(name)
        _settle(call, pool, places, mounted, {name})
    tell(call.world, pool, "inherit", thing, name)
    call.changed(pool)
