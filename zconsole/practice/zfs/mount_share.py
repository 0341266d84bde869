"""`zfs mount`, `unmount`, `share` and `unshare`, and mounting as a step of other commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zconsole.practice.program_reply import Reply, json_head, json_text
from zconsole.practice.world.dataset_tree_changes import subtree
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import FILESYSTEMS, open_dataset, pool_of
from zconsole.practice.zfs.keys import holders, load_from_stdin
from zconsole.practice.zfs.property_values import ListedObject, Space, mountpoint_of, value_of

_UNMANAGED = frozenset({"none", "legacy"})


def mountpoint(world: World, dataset: PracticeDataset) -> str:
    """Where a dataset is mounted, or would be."""
    pool = pool_of(world, dataset.name)
    return mountpoint_of(pool, dataset)[0] if pool else "none"


def setting(world: World, dataset: PracticeDataset, name: str) -> str:
    """A property's value as text."""
    pool = pool_of(world, dataset.name)
    return str(value_of(ListedObject(Space(pool), dataset), name)[0]) if pool else ""


def take_down(call: RunningSubcommand, dataset: PracticeDataset) -> bool:
    """Unmount a filesystem that is mounted, or say why that cannot be."""
    if not dataset.is_mounted or dataset.kind == "volume":
        return True
    reason = _unmountable(call.world, dataset)
    if reason is not None:
        call.complain(f"cannot unmount '{mountpoint(call.world, dataset)}': {reason}")
        return False
    dataset.is_mounted = dataset.is_shared = False
    return True


def _unmountable(world: World, dataset: PracticeDataset) -> str | None:
    if world.user_id != 0:
        return "permission denied"
    return "pool or dataset is busy" if dataset.is_busy else None


def take_all_down(
    call: RunningSubcommand, datasets: Iterable[PracticeDataset]
) -> list[PracticeDataset] | None:
    """Unmount filesystems, deepest first, and return those that were mounted; all or, with words, none."""
    mounted = [kept for kept in datasets if kept.is_mounted and kept.kind == "filesystem"]
    mounted.sort(key=lambda kept: mountpoint(call.world, kept), reverse=True)
    for kept in mounted:
        reason = _unmountable(call.world, kept)
        if reason is not None:
            call.complain(f"cannot unmount '{mountpoint(call.world, kept)}': {reason}")
            return None
    for kept in mounted:
        kept.is_mounted = False
    return mounted


def put_up(world: World, dataset: PracticeDataset) -> bool:
    """Mount and share a filesystem as its properties have it, when nothing is against it."""
    if (
        dataset.kind == "volume"
        or mountpoint(world, dataset) in _UNMANAGED
        or setting(world, dataset, "canmount") == "off"
        or dataset.key_status == "unavailable"
    ):
        return False
    dataset.is_mounted = True
    dataset.is_shared = setting(world, dataset, "sharenfs") != "off"
    return True


def mount_new(call: RunningSubcommand, dataset: PracticeDataset) -> None:
    """Mount a dataset that was just created, where it mounts by itself."""
    if dataset.kind == "volume" or setting(call.world, dataset, "canmount") != "on":
        return
    if call.world.user_id != 0 and mountpoint(call.world, dataset) not in _UNMANAGED:
        call.complain("filesystem successfully created, but it may only be mounted by root")
        return
    put_up(call.world, dataset)


def mount(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs mount`."""
    call = RunningSubcommand(world, "mount", args, "ajRlvo:Of")
    if call.has("a", "R"):
        return _mount_all(call)
    if not call.operands:
        return _mounted(call)
    if len(call.operands) > 1:
        raise call.misused("too many arguments")
    _, dataset = open_dataset(call, call.operands[0], FILESYSTEMS)
    reason = _why_not_mounted(call, dataset, "mount")
    if reason is not None:
        raise call.failed(reason)
    root = dataset.encryption_root
    if call.has("l") and root and dataset.key_status == "unavailable" and not load_from_stdin(call, root):
        return call.reply()
    if dataset.key_status == "unavailable":
        raise call.failed(f"cannot mount '{dataset.name}': encryption key not loaded")
    if dataset.is_mounted:
        raise call.failed(f"cannot mount '{dataset.name}': filesystem already mounted")
    if world.user_id != 0:
        raise call.failed(f"cannot mount '{dataset.name}': Insufficient privileges")
    put_up(world, dataset)
    return call.reply()


def _why_not_mounted(call: RunningSubcommand, dataset: PracticeDataset, verb: str) -> str | None:
    where, name = mountpoint(call.world, dataset), dataset.name
    if where == "legacy":
        return f"cannot {verb} '{name}': legacy mountpoint\nuse {verb}(8) to {verb} this filesystem"
    if where == "none":
        return f"cannot {verb} '{name}': no mountpoint set"
    if setting(call.world, dataset, "canmount") == "off":
        return f"cannot {verb} '{name}': 'canmount' property is set to 'off'"
    return None


def _all_filesystems(world: World) -> list[PracticeDataset]:
    found = [kept for pool in world.pools.values() for kept in pool.datasets.values()]
    return sorted((kept for kept in found if kept.kind == "filesystem"), key=lambda kept: kept.name)


def _mounted(call: RunningSubcommand) -> Reply:
    places = {
        kept.name: mountpoint(call.world, kept) for kept in _all_filesystems(call.world) if kept.is_mounted
    }
    if call.has("j"):
        document = json_head("zfs mount")
        document["datasets"] = {
            name: {"filesystem": name, "mountpoint": where} for name, where in places.items()
        }
        return Reply(json_text(document))
    for name, where in places.items():
        call.say(f"{name:<30}  {where}")
    return call.reply()


def _mount_all(call: RunningSubcommand) -> Reply:
    chosen = _all_filesystems(call.world)
    if call.has("R"):
        pool, top = open_dataset(call, call.exactly("missing dataset argument")[0], FILESYSTEMS)
        chosen = [kept for kept in subtree(pool, top.name) if kept.kind == "filesystem"]
    for kept in chosen:
        if not kept.is_mounted and setting(call.world, kept, "canmount") == "on":
            if call.world.user_id != 0:
                call.complain(f"cannot mount '{kept.name}': Insufficient privileges")
            else:
                put_up(call.world, kept)
    return call.reply()


def unmount(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs unmount`; -f does not help against who is busy, on Linux."""
    call = RunningSubcommand(world, "unmount", args, "afu")
    if call.has("a"):
        take_all_down(call, (kept for kept in _all_filesystems(world) if kept.is_mounted))
        return call.reply()
    (name,) = call.exactly("missing filesystem argument")
    if name.startswith("/"):
        found = next((kept for kept in _all_filesystems(world) if mountpoint(world, kept) == name), None)
        if found is None or not found.is_mounted:
            raise call.failed(f"cannot unmount '{name}': not a mountpoint")
        name = found.name
    pool, dataset = open_dataset(call, name, FILESYSTEMS)
    if mountpoint(world, dataset) == "legacy":
        raise call.failed(
            f"cannot unmount '{name}': legacy mountpoint\nuse umount(8) to unmount this filesystem"
        )
    if not dataset.is_mounted:
        raise call.failed(f"cannot unmount '{name}': not currently mounted")
    if take_all_down(call, subtree(pool, name)) is not None and call.has("u"):
        for kept in holders(pool, dataset.encryption_root):
            kept.key_status = "unavailable"
    return call.reply()


def share(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs share`."""
    call = RunningSubcommand(world, "share", args, "al")
    if call.has("a"):
        for kept in _all_filesystems(world):
            kept.is_shared = kept.is_mounted and setting(world, kept, "sharenfs") != "off"
        return call.reply()
    (name,) = call.exactly("missing filesystem argument")
    _, dataset = open_dataset(call, name, FILESYSTEMS)
    if setting(world, dataset, "sharenfs") == "off" and setting(world, dataset, "sharesmb") == "off":
        raise call.failed(
            f"cannot share '{name}': legacy share\nuse exports(5) or smb.conf(5) to share this filesystem,"
            " or set the sharenfs or sharesmb property"
        )
    reason = _why_not_mounted(call, dataset, "share")
    if reason is not None:
        raise call.failed(reason)
    if dataset.is_shared:
        raise call.failed(f"cannot share '{name}': filesystem already shared")
    if not dataset.is_mounted:
        put_up(world, dataset)
    dataset.is_shared = dataset.is_mounted
    return call.reply()


def unshare(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs unshare`."""
    call = RunningSubcommand(world, "unshare", args, "a")
    if call.has("a"):
        for kept in _all_filesystems(world):
            kept.is_shared = False
        return call.reply()
    (name,) = call.exactly("missing filesystem argument")
    _, dataset = open_dataset(call, name, FILESYSTEMS)
    if not dataset.is_shared:
        raise call.failed(f"cannot unshare '{name}': not currently shared")
    dataset.is_shared = False
    return call.reply()
