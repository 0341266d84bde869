"""Values that are cheap to make are equal, hashed and slotted as others are."""

from __future__ import annotations

import pytest

from zconsole.base.lazy_dataclass import fast_dataclass


@fast_dataclass
class Point:
    """Two numbers."""

    x: int
    y: int = 0


def test_equal_values_are_equal_and_hash_alike() -> None:
    assert Point(1) == Point(1, 0)
    assert 1 == len({Point(1), Point(1, 0)})
    assert Point(1) != Point(2)


def test_there_is_room_for_its_fields_only() -> None:
    with pytest.raises(AttributeError):
        Point(1).z = 3  # type: ignore[attr-defined]
