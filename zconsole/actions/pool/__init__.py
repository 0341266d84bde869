"""Actions on pools, vdevs and disks."""

from typing import Final

from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.pool import (
    add,
    attach,
    checkpoint,
    clear,
    create,
    detach,
    export,
    import_pool,
    initialize_trim,
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
    *initialize_trim.SPECS,
    *checkpoint.SPECS,
    *upgrade.SPECS,
    *export.SPECS,
    *import_pool.SPECS,
)
