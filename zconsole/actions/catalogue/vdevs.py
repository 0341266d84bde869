"""List of the actions on vdevs and disks."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.vdev import (
    add,
    attach,
    detach,
    initialize_trim,
    labelclear,
    locate,
    offline,
    online,
    remove,
    replace,
    split,
)

SPECS: Final[tuple[ActionSpec, ...]] = (
    *offline.SPECS,
    *online.SPECS,
    *locate.SPECS,
    *replace.SPECS,
    *attach.SPECS,
    *detach.SPECS,
    *add.SPECS,
    *remove.SPECS,
    *split.SPECS,
    *labelclear.SPECS,
    *initialize_trim.SPECS,
)
