"""Looking for garbage may not be felt."""

from __future__ import annotations

import gc

from zconsole.base.gc_tuning import enable_gc, freeze_loaded


def test_no_look_goes_over_more_than_some_ten_thousand_new_objects() -> None:
    enable_gc()

    new, looks, _ = gc.get_threshold()
    assert 1_000 <= new
    assert new * looks <= 50_000


def test_what_is_kept_is_not_looked_at_again() -> None:
    before = gc.get_freeze_count()
    there: list[list[int]] = [[] for _ in range(2_000)]

    freeze_loaded()

    assert gc.get_freeze_count() >= before + len(there)
