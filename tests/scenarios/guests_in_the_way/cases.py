"""What each action does to a guest on the storage that it changes; each action has a line here."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Case:
    """An action that takes storage away from who runs on it."""

    words: tuple[str, ...]
    options: dict[str, object] = field(default_factory=dict)
    keeps_disks: bool = True  # the guest finds its disk again, and can be started at the end
    has_more: bool = False  # another option is needed, also without a guest


VOLUME, FILES, SECRET, CLONE = "tank/db", "tank/vm", "tank/secret", "tank/clone"
CASES: dict[str, Case] = {
    "destroy volume": Case(("destroy", VOLUME), {"recursive": True}, keeps_disks=False),
    "destroy file system": Case(("destroy", FILES), {"recursive": True}, keeps_disks=False),
    "destroy a snapshot with the clone of a guest": Case(
        ("destroy", "tank/base@gold"), {"with-clones": True}, keeps_disks=False
    ),
    "destroy a parent": Case(("destroy", "tank/above"), {"recursive": True}, keeps_disks=False),
    "destroy pool": Case(("destroy", "tank"), keeps_disks=False),
    "rollback volume": Case(("rollback", f"{VOLUME}@a")),
    "rollback file system": Case(("rollback", f"{FILES}@a")),
    "rename volume": Case(("rename", VOLUME, "tank/db2")),
    "rename file system": Case(("rename", FILES, "tank/vm2")),
    "rename a parent": Case(("rename", "tank/above", "tank/above2")),
    "unmount": Case(("unmount", FILES), keeps_disks=False),
    "unmount a parent": Case(("unmount", "tank/above"), keeps_disks=False),
    "export": Case(("export", "tank"), keeps_disks=False),
    "unload-key": Case(("unload-key", SECRET), keeps_disks=False, has_more=True),
    "set mountpoint": Case(("set", FILES, "mountpoint=/elsewhere"), keeps_disks=False),
    "set mountpoint of a parent": Case(("set", "tank/above", "mountpoint=none"), keeps_disks=False),
    "set canmount": Case(("set", FILES, "canmount=off"), keeps_disks=False),
    "set readonly": Case(("set", FILES, "readonly=on"), keeps_disks=False),
    "set readonly of a volume": Case(("set", VOLUME, "readonly=on"), keeps_disks=False),
    "set readonly of a parent": Case(("set", "tank/above", "readonly=on"), keeps_disks=False),
    "set volsize": Case(("set", VOLUME, "volsize=32M")),
    "set volmode": Case(("set", VOLUME, "volmode=none"), keeps_disks=False),
    "set zoned": Case(("set", FILES, "zoned=on"), keeps_disks=False),
    "inherit mountpoint": Case(("inherit", "tank/placed", "mountpoint"), keeps_disks=False),
    "inherit readonly": Case(("inherit", "tank/ro/vm", "readonly"), keeps_disks=False),
    "restore": Case(("restore", f"{FILES}@a", "disk.raw"), {"overwrite": True}),
    "receive": Case(("receive", "tank/copy", "tank/source@b")),
}
# Actions that take nothing from who runs: nothing is unmounted, replaced or destroyed under them.
HARMLESS = {
    "scrub": "it reads",
    "clear": "it counts errors anew",
    "create-pool": "its devices are nobody's",
    "checkpoint": "it keeps",
    "upgrade": "it adds features",
    "import": "nothing is mounted; see tests/actions/guest/test_guests_after_next_mount.py",
    "offline": "refused where it is the last copy; else the pool goes on",
    "online": "it brings a device back",
    "locate": "a light",
    "replace": "the pool goes on",
    "attach": "the pool goes on",
    "detach": "refused where it is the last copy; else the pool goes on",
    "add": "the pool goes on",
    "remove": "the data moves to other vdevs; see tests/actions/guest/test_space_taken_from_guests.py",
    "split": "the new pool has copies; what is mounted stays",
    "labelclear": "of no device of an imported pool",
    "initialize": "it writes to free space",
    "trim": "it trims free space",
    "create": "it is new; see test_space_taken_from_guests.py",
    "snapshot": "it keeps; see test_freeze_guests_for_snapshot.py",
    "hold": "it keeps",
    "release": "it destroys nothing by itself",
    "bookmark": "it keeps",
    "clone": "it is new",
    "promote": "mounts and devices stay; see test_guests_of_promoted_clone.py",
    "mount": "what it hides is told; see tests/actions/checks/test_mount_checks.py",
    "load-key": "it adds",
    "share": "it adds",
    "unshare": "of clients in the network",
    "resume-receive": "into what is not mounted",
    "abort-receive": "of what is not there yet",
    "syncoid": "into a copy",
    "benchmark": "in a dataset of its own",
    "guest-start": "of a guest",
    "guest-shutdown": "of a guest",
    "guest-suspend": "of a guest",
    "guest-resume": "of a guest",
    "guest-move": "it shuts the guest down itself",
    "guest-forget": "of a guest that is off",
}
