"""Actions on datasets, volumes, snapshots and bookmarks."""

from typing import Final

from zconsole.actions.dataset import hold
from zconsole.actions.spec import ActionSpec

SPECS: Final[tuple[ActionSpec, ...]] = (*hold.SPECS,)
