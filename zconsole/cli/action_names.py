"""Names of the actions of `zconsole plan`, for a command line on which `plan` was forgotten.

The catalogue itself takes a quarter of a second to import, which `zconsole HOST` cannot wait for.
"""

from __future__ import annotations

from typing import Final

ACTION_NAMES: Final = frozenset(
    {
        "abort-receive", "add", "attach", "benchmark", "bookmark", "checkpoint", "clear", "clone",
        "create", "create-pool", "destroy", "detach", "export", "guest-forget", "guest-move",
        "guest-resume", "guest-shutdown", "guest-start", "guest-suspend", "hold", "import", "inherit",
        "initialize", "labelclear", "load-key", "locate", "mount", "offline", "online", "promote",
        "receive", "release", "remove", "rename", "replace", "restore", "resume-receive", "rollback",
        "scrub", "set", "share", "snapshot", "split", "syncoid", "trim", "unload-key", "unmount",
        "unshare", "upgrade",
    }
)  # fmt: skip
