"""Advice in words: why it matters, where its limit comes from, what to do, and what that costs.

The screens and docs/findings.md are made of it.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from zconsole.views.findings.advice_on_care import CARE
from zconsole.views.findings.advice_on_datasets import DATASETS, SNAPSHOTS
from zconsole.views.findings.advice_on_guests import GUESTS
from zconsole.views.findings.advice_on_hosts import HOSTS
from zconsole.views.findings.advice_on_login import LOGIN
from zconsole.views.findings.advice_on_pool_properties import POOL_PROPERTIES
from zconsole.views.findings.advice_on_settings import SETTINGS
from zconsole.views.findings.advice_on_space import SPACE
from zconsole.views.findings.advice_on_structure import STRUCTURE
from zconsole.views.findings.advice_wording import Advice
from zconsole.views.findings.by_id.advice_on_copies import COPIES


class AdviceGroup(Enum):
    """Subject of a rule of advice, in the order of the screen; the value is its heading."""

    STRUCTURE = "Structure"
    SETTINGS = "Settings"
    CARE = "Care"
    GUESTS = "Guests"
    HOST = "Host"


_RULES: Final[dict[AdviceGroup, tuple[Advice, ...]]] = {
    AdviceGroup.STRUCTURE: STRUCTURE,
    AdviceGroup.SETTINGS: (*POOL_PROPERTIES, *SETTINGS, *DATASETS),
    AdviceGroup.CARE: (*SPACE, *CARE, *SNAPSHOTS, *COPIES),
    AdviceGroup.GUESTS: GUESTS,
    AdviceGroup.HOST: (*HOSTS, *LOGIN),
}
ADVICE: Final = {each.id: each for rules in _RULES.values() for each in rules}
GROUP_OF: Final = {each.id: group for group, rules in _RULES.items() for each in rules}
