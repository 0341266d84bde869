"""Actions on pools, vdevs and disks."""

from typing import Final

from zconsole.actions.pool import (
    activity,
    checkpoint,
    clear,
    export,
    importing,
    offline,
    online,
    scrub,
    upgrade,
)
from zconsole.actions.spec import ActionSpec

SPECS: Final[tuple[ActionSpec, ...]] = (
    *scrub.SPECS,
    *clear.SPECS,
    *offline.SPECS,
    *online.SPECS,
    *activity.SPECS,
    *checkpoint.SPECS,
    *upgrade.SPECS,
    *export.SPECS,
    *importing.SPECS,
)
