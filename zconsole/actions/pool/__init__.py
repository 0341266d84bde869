"""Actions on pools, vdevs and disks."""

from typing import Final

from zconsole.actions.pool import scrub
from zconsole.actions.spec import ActionSpec

SPECS: Final[tuple[ActionSpec, ...]] = (*scrub.SPECS,)
