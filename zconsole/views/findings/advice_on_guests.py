"""Advice on the guests whose disks are on a pool, in words."""

from __future__ import annotations

from typing import Final

from zconsole.views.findings.advice_wording import Advice

GUESTS: Final[tuple[Advice, ...]] = ()
