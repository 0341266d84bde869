"""Catalogue of all actions; menus, command line, docs and sudoers are made from it."""

from __future__ import annotations

import difflib
from typing import Final

from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.catalogue.datasets import SPECS as DATASET_SPECS
from zconsole.actions.catalogue.guests import SPECS as GUEST_SPECS
from zconsole.actions.catalogue.pools import SPECS as POOL_SPECS
from zconsole.actions.catalogue.vdevs import SPECS as VDEV_SPECS
from zconsole.base.errors import UsageError

SPECS: Final[tuple[ActionSpec, ...]] = (*POOL_SPECS, *VDEV_SPECS, *DATASET_SPECS, *GUEST_SPECS)
_BY_ID: Final = {known.id: known for known in SPECS}


def spec(action: str) -> ActionSpec:
    """The action with this id. Raises UsageError with the nearest ones."""
    known = _BY_ID.get(action)
    if known is None:
        near = difflib.get_close_matches(action, _BY_ID, n=3)
        meant = f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(sorted(_BY_ID))}."
        raise UsageError(f"there is no action {action!r}", hint=meant)
    return known
