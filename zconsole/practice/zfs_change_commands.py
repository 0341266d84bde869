"""The table of `zfs` subcommands that change datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from zconsole.practice.channel_program.zfs_program import program
from zconsole.practice.program_reply import Reply, Sending, Taking
from zconsole.practice.send_receive.receive import receive
from zconsole.practice.send_receive.send import send
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.allow_and_permission_check import allow, unallow
from zconsole.practice.zfs.create_and_clone import clone_snapshot, create_dataset
from zconsole.practice.zfs.destroy import destroy
from zconsole.practice.zfs.diff import diff
from zconsole.practice.zfs.keys import change_key, load_key, unload_key
from zconsole.practice.zfs.mount_share import mount, share, unmount, unshare
from zconsole.practice.zfs.rollback_promote_rename import promote_clone, rename_thing, rollback
from zconsole.practice.zfs.set_inherit import inherit, set_properties
from zconsole.practice.zfs.snapshots import bookmark, hold, release, snapshot

CHANGES: Final[dict[str, Callable[[World, Sequence[str]], Reply | Sending | Taking]]] = {
    "allow": allow,
    "bookmark": bookmark,
    "change-key": change_key,
    "clone": clone_snapshot,
    "create": create_dataset,
    "destroy": destroy,
    "diff": diff,
    "hold": hold,
    "inherit": inherit,
    "load-key": load_key,
    "mount": mount,
    "program": program,
    "promote": promote_clone,
    "receive": receive,
    "recv": receive,
    "release": release,
    "rename": rename_thing,
    "rollback": rollback,
    "send": send,
    "set": set_properties,
    "share": share,
    "snap": snapshot,
    "snapshot": snapshot,
    "umount": unmount,
    "unallow": unallow,
    "unload-key": unload_key,
    "unmount": unmount,
    "unshare": unshare,
}
