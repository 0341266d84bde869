"""Named planning scenario: its pool, and the texts of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass

LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Scenario:
    """Scenario: its pool, the time it was saved (epoch seconds), and the texts of its fields."""

    name: str
    host: str
    pool: str
    at: float
    texts: Mapping[str, str]


def named(text: str) -> str:
    """Check the name of a scenario. Raises UsageError when it is empty or too long."""
    name = text.strip()
    if not name:
        raise UsageError("a scenario needs a name")
    if len(name) > LONGEST_NAME:
        raise UsageError(f"a name has at most {LONGEST_NAME} characters")
    return name
