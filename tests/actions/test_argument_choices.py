"""What the words of an action can be chosen from, with the reason why one cannot."""

from __future__ import annotations

from dataclasses import replace

from tests.actions.pool.shelf import mirror, tank
from tests.doubles.plan_worlds import host, images
from tests.doubles.shelves import blank, link, used, world
from tests.doubles.shelves import mirror as mirror_on
from zconsole.actions.action_spec import Argument
from zconsole.actions.argument_choices import DISK_COLUMNS, ArgumentChoice, choices
from zconsole.actions.intent import Intent
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import ImportablePool

INTENT = Intent("replace", "tank")


def of_kind(kind: str, facts: PlanFacts) -> tuple[ArgumentChoice, ...]:
    found = choices(Argument("X", kind, "a word"), INTENT, facts)
    assert found is not None
    return found


def test_a_text_is_typed_and_not_chosen() -> None:
    assert choices(Argument("X", "name", "a new name"), INTENT, host()) is None


def test_devices_are_told_by_guid_and_groups_only_where_a_vdev_is_asked_for() -> None:
    pool = tank(mirror("ONLINE", "OFFLINE"))
    facts = host(pools=(pool,))

    assert [str(each.guid) for each in pool.vdevs[0].children] == [
        each.word for each in of_kind("device", facts)
    ]
    assert ["mirror-0", "mirror-0-a", "mirror-0-b"] == [each.columns[0] for each in of_kind("vdev", facts)]
    assert "OFFLINE" == of_kind("device", facts)[1].columns[-1]
    assert () == of_kind("device", host(pools=(replace(pool, name="other"),)))


def test_only_disks_with_a_label_are_offered_to_be_cleared() -> None:
    facts = world(mirror_on(0, 0, 1), spare_disks=1, disks=(used(2, "old"), blank(3)))

    found = of_kind("labelled", facts)

    assert [link(0), link(1), link(2)] == [each.word for each in found]
    assert "serves tank as ata-ST4000NM_SER0000" == found[0].columns[-1]
    assert "zfs_member old, partition sdc9" == found[2].columns[-1]
    assert len(DISK_COLUMNS) == len(found[0].columns)


def test_a_pool_to_import_is_told_by_guid_with_the_host_that_had_it() -> None:
    pools = (ImportablePool("bulk", 77, "ONLINE", last_host="nas9"), ImportablePool("old", 78, "FAULTED"))

    found = of_kind("importable", host(importable=pools))

    assert ["77", "78"] == [each.word for each in found]
    assert ("bulk", "77", "ONLINE", "last on nas9") == found[0].columns
    assert "" == found[1].columns[-1]


def test_datasets_and_snapshots_are_told_apart() -> None:
    facts = host(images())

    assert "tank/vm1" in {each.word for each in of_kind("dataset", facts)}
    assert all("@" in each.word for each in of_kind("snapshot", facts))
    assert not any("#" in each.word for each in (*of_kind("snapshot", facts), *of_kind("dataset", facts)))


def test_without_an_inventory_there_is_no_disk_to_choose() -> None:
    assert () == of_kind("labelled", host())
