"""Values of which hundreds are made a second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def light(value: type[T]) -> type[T]:
    """A frozen slotted dataclass to the type checker, which sees the whole program.

    At run time nothing guards it: that would make each of them three times as dear.
    """
    return dataclass(slots=True, unsafe_hash=True)(value)
