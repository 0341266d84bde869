"""Space of a pool."""

from __future__ import annotations

from zconsole.model.pools.space_samples import SpaceSample


def test_usable_space_is_what_is_used_and_what_is_left() -> None:
    assert 30 == SpaceSample(0.0, "nas1", "tank", 7, used_bytes=10, available_bytes=20).usable_bytes


def test_the_used_share_is_unknown_where_nothing_is_usable() -> None:
    assert 25.0 == SpaceSample(0.0, "nas1", "tank", 7, used_bytes=10, available_bytes=30).used_percent
    assert SpaceSample(0.0, "nas1", "tank", 7, used_bytes=0, available_bytes=0).used_percent is None
