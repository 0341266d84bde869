"""Actions on datasets, volumes, snapshots and bookmarks."""

from typing import Final

from zconsole.actions.dataset import (
    bookmark,
    clone,
    create,
    destroy,
    hold,
    inherit,
    keys,
    mounting,
    promote,
    properties,
    receive,
    rename,
    restore,
    resuming,
    rollback,
    sharing,
    snapshot,
    syncoid,
)
from zconsole.actions.spec import ActionSpec

SPECS: Final[tuple[ActionSpec, ...]] = (
    *create.SPECS,
    *snapshot.SPECS,
    *hold.SPECS,
    *bookmark.SPECS,
    *clone.SPECS,
    *promote.SPECS,
    *rename.SPECS,
    *properties.SPECS,
    *inherit.SPECS,
    *mounting.SPECS,
    *keys.SPECS,
    *sharing.SPECS,
    *receive.SPECS,
    *resuming.SPECS,
    *syncoid.SPECS,
    *restore.SPECS,
    *rollback.SPECS,
    *destroy.SPECS,
)
