"""The `zfs` commands of the practice host that change datasets, or tell what a change would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from zconsole.hosts.practice.reply import Reply, Sending, Taking
from zconsole.hosts.practice.world import World
from zconsole.hosts.practice.zfs.creating import clone_snapshot, create_dataset
from zconsole.hosts.practice.zfs.delegation import allow, unallow
from zconsole.hosts.practice.zfs.destroy import destroy
from zconsole.hosts.practice.zfs.differing import diff
from zconsole.hosts.practice.zfs.keys import change_key, load_key, unload_key
from zconsole.hosts.practice.zfs.mounting import mount, share, unmount, unshare
from zconsole.hosts.practice.zfs.moving import promote_clone, rename_thing, rollback
from zconsole.hosts.practice.zfs.program import program
from zconsole.hosts.practice.zfs.receiving import receive
from zconsole.hosts.practice.zfs.sending import send
from zconsole.hosts.practice.zfs.setting import inherit, set_properties
from zconsole.hosts.practice.zfs.snapshots import bookmark, hold, release, snapshot

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
