"""The table of `zpool` subcommands that change pools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from zconsole.practice.program_reply import Reply, Waiting
from zconsole.practice.world.host_world import World
from zconsole.practice.zpool.checkpoint import checkpoint
from zconsole.practice.zpool.export_destroy import destroy, export
from zconsole.practice.zpool.import_pool import import_pool
from zconsole.practice.zpool.initialize_trim import initialize, trim
from zconsole.practice.zpool.labelclear_reguid_reopen_sync import labelclear, reguid, reopen, sync
from zconsole.practice.zpool.offline_online_clear import clear, offline, online
from zconsole.practice.zpool.scrub_resilver import resilver, scrub
from zconsole.practice.zpool.set_property import set_property
from zconsole.practice.zpool.upgrade import upgrade
from zconsole.practice.zpool.wait import wait
from zconsole.practice.zpool_vdevs.attach_replace_detach import attach, detach, replace
from zconsole.practice.zpool_vdevs.create_add import add, create
from zconsole.practice.zpool_vdevs.remove import remove
from zconsole.practice.zpool_vdevs.split import split

Change = Callable[[World, Sequence[str]], Reply | Waiting]

CHANGES: Final[Mapping[str, Change]] = {
    "add": add,
    "attach": attach,
    "checkpoint": checkpoint,
    "clear": clear,
    "create": create,
    "destroy": destroy,
    "detach": detach,
    "export": export,
    "import": import_pool,
    "initialize": initialize,
    "labelclear": labelclear,
    "offline": offline,
    "online": online,
    "reguid": reguid,
    "remove": remove,
    "reopen": reopen,
    "replace": replace,
    "resilver": resilver,
    "scrub": scrub,
    "set": set_property,
    "split": split,
    "sync": sync,
    "trim": trim,
    "upgrade": upgrade,
    "wait": wait,
}
