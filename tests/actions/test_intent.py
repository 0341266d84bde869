"""An intent: its words, its options and the pool that it is about."""

from __future__ import annotations

import pytest

from tests.actions.pool.shelf import leaf, mirror, tank
from zconsole.actions.intent import (
    Intent,
    Target,
    TargetKind,
    intent,
    refuse_surplus_arguments,
    target_of_pool,
    target_of_vdev,
)
from zconsole.base.errors import UsageError


@pytest.mark.parametrize(
    "target", ["tank", "tank/home/ann", "tank@daily", "tank/home@daily", "tank/home#mark"]
)
def test_the_pool_is_the_first_part_of_any_name(target: str) -> None:
    assert "tank" == intent("destroy", target).pool


def test_options_that_are_off_are_those_that_were_not_given() -> None:
    assert intent("destroy", "tank/a") == intent("destroy", "tank/a", options={"recursive": False, "tag": ""})
    assert intent("destroy", "tank/a") != intent("destroy", "tank/a", options={"recursive": True})


def test_the_order_of_options_makes_no_other_intent() -> None:
    first = intent("create", "tank/a", options={"volume": "1G", "sparse": True})

    assert first == intent("create", "tank/a", options={"sparse": True, "volume": "1G"})
    assert (("sparse", True), ("volume", "1G")) == first.options


def test_a_further_word_that_is_missing_is_empty() -> None:
    made = Intent("rename", "tank/a", ("tank/b",))

    assert "tank/b" == made.argument(0)
    assert "" == made.argument(1)


def test_an_option_is_a_flag_or_a_text_and_a_flag_has_no_text() -> None:
    made = intent("add", "tank", options={"ashift": 12, "force": True})

    assert made.flag("force")
    assert not made.flag("recursive")
    assert "12" == made.text("ashift")
    assert made.text("force") is None
    assert made.text("volume") is None


def test_a_pool_is_its_own_target() -> None:
    assert Target(TargetKind.POOL, "tank", "tank") == target_of_pool("tank")


def test_a_device_and_a_group_of_devices_are_told_apart_and_known_by_guid() -> None:
    group = mirror("ONLINE", "OFFLINE")
    device = leaf("a")

    assert Target(TargetKind.VDEV, "tank", "mirror-0", group.guid) == target_of_vdev(tank(group), group)
    assert Target(TargetKind.LEAF, "tank", "a", device.guid) == target_of_vdev(tank(device), device)


def test_a_word_too_many_is_not_ignored() -> None:
    refuse_surplus_arguments(Intent("mount", "tank/a", ("b",)), 1)
    with pytest.raises(UsageError, match="mount does not take the argument 'b'"):
        refuse_surplus_arguments(Intent("mount", "tank/a", ("b",)), 0)
