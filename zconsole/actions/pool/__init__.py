"""Actions on pools, vdevs and disks."""

from typing import Final

from zconsole.actions.pool import (
    activity,
    add,
    attach,
    checkpoint,
    clear,
    create,
    detach,
    export,
    importing,
    labelclear,
    locate,
    offline,
    online,
    remove,
    replace,
    scrub,
    split,
    upgrade,
)
from zconsole.actions.spec import ActionSpec

SPECS: Final[tuple[ActionSpec, ...]] = (
    *scrub.SPECS,
    *clear.SPECS,
    *offline.SPECS,
    *online.SPECS,
    *locate.SPECS,
    *replace.SPECS,
    *attach.SPECS,
    *detach.SPECS,
    *add.SPECS,
    *remove.SPECS,
    *split.SPECS,
    *create.SPECS,
    *labelclear.SPECS,
    *activity.SPECS,
    *checkpoint.SPECS,
    *upgrade.SPECS,
    *export.SPECS,
    *importing.SPECS,
)
