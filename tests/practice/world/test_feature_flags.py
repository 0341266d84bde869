"""The feature flags are those of OpenZFS 2.4, in its order."""

from __future__ import annotations

from tests.practice.laboratory import captured
from zconsole.practice.world.feature_flags import FEATURES, FROM_THE_START, NOT_BY_UPGRADE, WITH_USE


def captured_features() -> dict[str, str]:
    rows = [line.split("\t") for line in captured("zpool_get_all.tsv").split("\n") if "feature@" in line]
    return {row[1].removeprefix("feature@"): row[2] for row in rows}


def test_the_features_are_those_of_a_real_pool_in_their_order() -> None:
    assert list(captured_features()) == list(FEATURES)


def test_what_is_active_from_the_start_is_active_in_a_real_pool() -> None:
    active = {name for name, state in captured_features().items() if state == "active"}

    assert set() == FROM_THE_START - active
    assert set() == (WITH_USE | NOT_BY_UPGRADE) - set(FEATURES)
