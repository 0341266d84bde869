"""Objects by the words of an intent; a name that nothing has is a sentence with the names there are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import leaf, mirror, of, tank
from tests.analysis.build import in_class
from tests.doubles.plan_worlds import host, images
from zconsole.actions.intent import Target, TargetKind
from zconsole.actions.object_lookup import (
    dataset_of_type,
    listed_datasets,
    the_dataset,
    the_pool,
    the_vdev,
    vdev_of,
)
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import FILESYSTEM, FILESYSTEMS_AND_VOLUMES

POOL = tank(mirror("ONLINE", "ONLINE"), mirror("ONLINE", "ONLINE", name="mirror-1"))
FACTS = host(images(), pools=(POOL,))


def test_a_pool_that_is_not_there_is_told_with_those_that_are() -> None:
    assert POOL is the_pool("tank", FACTS)
    with pytest.raises(UsageError, match="there is no pool 'bulk' on storage1") as raised:
        the_pool("bulk", FACTS)
    assert "Pools there: tank." == raised.value.hint


@pytest.mark.parametrize("name", ["tank/home", "tank/home@daily-1", "tank/home#daily-1"])
def test_a_dataset_is_found_by_its_whole_name(name: str) -> None:
    assert name == the_dataset(name, FACTS).name


@pytest.mark.parametrize(
    ("said", "name"),
    [("there is no dataset 'tank/nothing'", "tank/nothing"), ("there is no pool 'bulk'", "bulk/home@1")],
)
def test_a_dataset_that_is_not_there_says_whether_its_pool_is(said: str, name: str) -> None:
    with pytest.raises(UsageError, match=said):
        the_dataset(name, FACTS)


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        ("Did you mean tank/home or ", "tank/hom"),
        ("Did you mean tank/home@daily-1", "tank/home@dayly-1"),
        ("Use full names: pool/dataset@snapshot.", "tank/qqqqqqqqq"),
    ],
)
def test_a_misspelt_dataset_is_recognised(hint: str, name: str) -> None:
    with pytest.raises(UsageError) as raised:
        the_dataset(name, FACTS)

    assert raised.value.hint.startswith(hint)


@pytest.mark.parametrize(
    "word", ["mirror-1-a", "/dev/disk/by-id/mirror-1-a-part1", "mirror-1-a-part1", "guid"]
)
def test_a_vdev_is_found_by_guid_name_path_or_the_end_of_its_path(word: str) -> None:
    meant = POOL.vdevs[1].children[0]

    assert meant is the_vdev(POOL, str(meant.guid) if word == "guid" else word)


def test_a_vdev_is_found_by_the_whole_serial_number_by_which_the_screens_call_it() -> None:
    named = leaf("ata-HGST_HUH728080ALE604_VLGX4P7Y")
    by_wwn = replace(leaf("wwn-0x5000c500a0000003"), devid="ata-HGST_HUH728080ALE604_VLGXA0RY-part1")
    pool = tank(of("mirror-0", named, by_wwn))

    assert named is the_vdev(pool, "VLGX4P7Y")
    assert by_wwn is the_vdev(pool, "VLGXA0RY")
    for part in ("4P7Y", "VLGX", ""):
        with pytest.raises(UsageError, match="has no vdev"):
            the_vdev(pool, part)


def test_a_serial_number_of_two_vdevs_is_refused() -> None:
    twins = tank(of("mirror-0", leaf("ata-HGST_A_VLGX4P7Y"), replace(leaf("ata-SAMSUNG_B_VLGX4P7Y"), guid=7)))

    with pytest.raises(UsageError, match="more than one vdev 'VLGX4P7Y'"):
        the_vdev(twins, "VLGX4P7Y")


def test_a_word_for_two_vdevs_or_for_none_is_refused() -> None:
    twins = tank(of("mirror-0", leaf("a"), replace(leaf("b"), path="/dev/other/a-part1")))

    with pytest.raises(UsageError, match="more than one vdev 'a-part1'"):
        the_vdev(twins, "a-part1")
    with pytest.raises(UsageError, match="no vdev 'zz'") as raised:
        the_vdev(twins, "zz")
    assert "Its vdevs: mirror-0, a, b." == raised.value.hint


def test_a_spare_in_use_is_the_device_where_it_serves() -> None:
    serving = leaf("s")
    pool = tank(of("mirror-0", leaf("a"), of("spare-1", leaf("b"), serving)), in_class(leaf("s"), "spare"))

    assert serving is the_vdev(pool, "s")


def test_a_target_of_the_screen_is_found_by_guid_alone() -> None:
    meant = POOL.vdevs[0].children[1]

    assert meant is vdev_of(Target(TargetKind.LEAF, "tank", "renamed", meant.guid), POOL)
    assert vdev_of(Target(TargetKind.LEAF, "tank", meant.name), POOL) is None
    assert vdev_of(Target(TargetKind.LEAF, "tank", meant.name, 1), POOL) is None
    assert vdev_of(Target(TargetKind.LEAF, "tank", meant.name, meant.guid), None) is None


def test_an_object_of_another_type_is_refused_with_what_it_is() -> None:
    assert "tank/home" == dataset_of_type("tank/home", FILESYSTEM, FACTS, hint="").name
    with pytest.raises(UsageError, match="tank/home@daily-1 is a snapshot"):
        dataset_of_type("tank/home@daily-1", FILESYSTEMS_AND_VOLUMES, FACTS, hint="")


def test_names_that_were_not_listed_are_left_out_in_the_order_asked_for() -> None:
    assert ["tank/vm2", "tank"] == [
        each.name for each in listed_datasets(["tank/vm2", "no/where", "tank"], FACTS)
    ]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("vlgx4p7y", "Did you mean ata-HGST_VLGX4P7Y?"),
        ("ata-HGST_VLGX4P7X", "Did you mean ata-HGST_VLGX4P7Y?"),
        ("P7", "Its vdevs: "),
    ],
)
def test_the_serial_number_at_the_end_of_a_name_leads_to_it(word: str, hint: str) -> None:
    twins = tank(of("mirror-0", leaf("ata-HGST_VLGX4P7Y"), leaf("ata-WDC_ZC13A0R7")))

    with pytest.raises(UsageError) as raised:
        the_vdev(twins, word)

    assert raised.value.hint.startswith(hint)
