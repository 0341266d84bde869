"""List of the actions on whole pools."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.pool import checkpoint, clear, create, export, import_pool, scrub, upgrade

SPECS: Final[tuple[ActionSpec, ...]] = (
    *scrub.SPECS,
    *clear.SPECS,
    *create.SPECS,
    *checkpoint.SPECS,
    *upgrade.SPECS,
    *export.SPECS,
    *import_pool.SPECS,
)
