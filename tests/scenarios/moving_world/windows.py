"""How close before its command an action may still hit another object than was reviewed, and why.

In so many commands the check and the act are not one transaction: the command that acts, and what is read
between the first look at an object and that. Everything else must be seen. docs/actions.md tells users of it.
"""

from __future__ import annotations

from typing import Final

NAMES: Final = "zfs and zpool take names, and open them when they start"
PATHS: Final = "zpool and ledctl take paths, and open them when they start"
WINDOWS: Final[dict[str, tuple[int, str]]] = {
    **dict.fromkeys(
        (
            *("destroy", "rollback", "snapshot", "hold", "release", "bookmark", "clone", "rename", "create"),
            *("set", "inherit", "mount", "unmount", "load-key", "unload-key", "share", "unshare", "restore"),
            *("receive", "export", "import", "upgrade", "checkpoint", "scrub", "split", "initialize", "trim"),
            *("offline", "online", "clear", "detach", "remove", "promote"),
        ),
        (1, NAMES),
    ),
    **dict.fromkeys(("locate", "replace", "attach", "add", "create-pool", "labelclear"), (1, PATHS)),
}
