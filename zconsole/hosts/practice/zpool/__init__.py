"""The `zpool` commands that change pools: one module a family, each answering as OpenZFS 2.4 does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from zconsole.hosts.practice.reply import Reply, Waiting
from zconsole.hosts.practice.world import World
from zconsole.hosts.practice.zpool.activities import initialize, trim
from zconsole.hosts.practice.zpool.attaching import attach, detach, replace
from zconsole.hosts.practice.zpool.checkpoints import checkpoint
from zconsole.hosts.practice.zpool.creating import add, create
from zconsole.hosts.practice.zpool.importing import import_pool
from zconsole.hosts.practice.zpool.labels import labelclear, reguid, reopen, sync
from zconsole.hosts.practice.zpool.leaving import destroy, export
from zconsole.hosts.practice.zpool.pool_properties import set_property
from zconsole.hosts.practice.zpool.removing import remove
from zconsole.hosts.practice.zpool.scanning import resilver, scrub
from zconsole.hosts.practice.zpool.splitting import split
from zconsole.hosts.practice.zpool.states import clear, offline, online
from zconsole.hosts.practice.zpool.upgrading import upgrade
from zconsole.hosts.practice.zpool.waiting import wait

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
