"""List of the actions on guests of libvirt."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.guest import start_shutdown_suspend_resume
from zconsole.actions.guest.move import forget_moved, move_storage

SPECS: Final[tuple[ActionSpec, ...]] = (
    *start_shutdown_suspend_resume.SPECS,
    *move_storage.SPECS,
    *forget_moved.SPECS,
)
