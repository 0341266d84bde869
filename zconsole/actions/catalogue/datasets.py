"""List of the actions on datasets, volumes, snapshots and bookmarks."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.dataset import (
    benchmark,
    bookmark,
    clone,
    create,
    destroy_by_kind_of_name,
    encryption_keys,
    hold,
    inherit,
    mount,
    promote,
    rename,
    restore_file,
    rollback,
    set_property,
    share,
    snapshot,
)
from zconsole.actions.replication import receive, resume_or_abort_receive, syncoid

SPECS: Final[tuple[ActionSpec, ...]] = (
    *create.SPECS,
    *snapshot.SPECS,
    *hold.SPECS,
    *bookmark.SPECS,
    *clone.SPECS,
    *promote.SPECS,
    *rename.SPECS,
    *set_property.SPECS,
    *inherit.SPECS,
    *mount.SPECS,
    *encryption_keys.SPECS,
    *share.SPECS,
    *receive.SPECS,
    *resume_or_abort_receive.SPECS,
    *syncoid.SPECS,
    *benchmark.SPECS,
    *restore_file.SPECS,
    *rollback.SPECS,
    *destroy_by_kind_of_name.SPECS,
)
