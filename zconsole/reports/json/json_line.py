"""JSON as this program prints it: one object a line, ASCII, unknown is null, guids are text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

SCHEMA: Final = 1  # grows when a field goes away or changes its meaning, not when one is added

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Document: TypeAlias = dict[str, Json]


def as_line(document: Json) -> str:
    """Return a document as one line; everything that is not ASCII is escaped, so nothing in it acts."""
    return json.dumps(document, ensure_ascii=True, allow_nan=False)


def guid(value: int | None) -> str | None:
    """Return a guid as text: as a number it would pass 2**53 and be rounded by most readers of JSON."""
    return None if value is None else str(value)


def rounded(value: float | None, digits: int = 2) -> float | None:
    """Return a ratio with no more digits than it is worth."""
    return None if value is None else round(value, digits)
