"""Renaming datasets and snapshots."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import ROOT, filesystem, host, images, volume
from zconsole.actions.dataset.rename import SPECS
from zconsole.actions.intent import Target, TargetKind
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    SourceKind,
    StoredDisk,
)
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.model.host.plan_facts import Delegation, OutsideUse, PrivilegeMode, Privileges

FACTS = host(images())


def test_a_dataset_is_renamed_with_all_below_it() -> None:
    made = planned(FACTS, "rename", "tank/home", "tank/people")

    assert ["zfs rename tank/home tank/people"] == commands(made)
    assert "zfs rename tank/people tank/home" == made.undo
    assert "tank/home" == made.confirm
    assert {"/tank/home", "/tank/home/ann"} == {each.name for each in made.dependents if each.kind == "mount"}


@pytest.mark.parametrize(
    ("expected", "words", "options"),
    [
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "tank/home@old"], {}),
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "@old"], {}),
        ("zfs rename tank/home@daily-1 tank/home@old", ["tank/home@daily-1", "old"], {}),
        ("zfs rename -r tank/home@daily-2 tank/home@old", ["tank/home@daily-2", "old"], {"recursive": True}),
        ("zfs rename -p tank/home tank/x/y/home", ["tank/home", "tank/x/y/home"], {"parents": True}),
    ],
)
def test_snapshots_and_places(expected: str, words: list[str], options: dict[str, bool]) -> None:
    assert [expected] == commands(planned(FACTS, "rename", *words, **options))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("exists", ["tank/home", "tank/images"]),
        ("exists", ["tank/home@daily-1", "daily-2"]),
        ("inside", ["tank/home", "tank/home/ann/home"]),
        ("no-parent", ["tank/home", "tank/x/home"]),
        ("no-parent", ["tank/home", "tank/vm1/home"]),
        ("name", ["tank/home", "tank/" + "a" * 248]),
    ],
)
def test_what_zfs_would_refuse_is_refused_before(rule: str, words: list[str]) -> None:
    assert [rule] == rules(planned(FACTS, "rename", *words))


@pytest.mark.parametrize(
    "words",
    [["tank/home"], ["tank/home", "vault/home"], ["tank", "tank/x"],
     ["tank/home@daily-1", "tank/images@daily-1"], ["tank/home#daily-1", "x"], ["tank/home@daily-1", "a/b"]],
)  # fmt: skip
def test_words_that_make_no_sense(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "rename", *words)


def test_what_runs_keeps_its_name() -> None:
    facts = replace(FACTS, uses=(OutsideUse("tank/home/ann", "process", "1234 bash"),))

    assert ["in-use"] == rules(planned(facts, "rename", "tank/home", "tank/people"))


GUEST = OutsideUse("tank/vm/images", "guest", "web01", "/images/web01.raw", path="/images/web01.raw")


@pytest.mark.parametrize(
    ("expected", "top", "below"),
    [
        ("zfs rename -u tank/vm tank/guests", {"mountpoint": "/vm"}, {"mountpoint": "/images"}),
        (
            "zfs rename tank/vm tank/guests",
            {"mountpoint": "none", "is_mounted": False},
            {"mountpoint": "/images"},
        ),
        ("zfs rename tank/vm tank/guests", {"mountpoint": "legacy"}, {"mountpoint": "/images"}),
        (
            "zfs rename -u tank/vm tank/guests",
            {"canmount": "off", "is_mounted": False},
            {"mountpoint": "/images"},
        ),
    ],
)
def test_below_a_rename_that_moves_no_mount_guests_go_on(
    expected: str, top: dict[str, Any], below: dict[str, Any]
) -> None:
    """ZFS unmounts all mounted file systems for a rename, unless -u is given or the top has no mountpoint."""
    source = "default" if "canmount" in top else "local"
    tree = (filesystem("tank"), filesystem("tank/vm", **top), filesystem("tank/vm/images", **below))
    properties = (("tank/vm", "mountpoint", "", source), ("tank/vm/images", "mountpoint", "/images", "local"))
    facts = host(tree, uses=(GUEST,), properties=properties)

    made = planned(facts, "rename", "tank/vm", "tank/guests")

    assert [] == rules(made)
    assert Risk.CAUTION is made.risk
    assert [expected] == commands(made)
    assert "guests with images there keep them open, and their paths stay right: web01" in made.notes


@pytest.mark.parametrize(
    ("top", "options"), [({}, {}), ({"mountpoint": "/vm"}, {"parents": True})], ids=["moved", "with parents"]
)
def test_a_rename_that_unmounts_what_a_guest_has_open_is_refused(
    top: dict[str, Any], options: dict[str, bool]
) -> None:
    source = "local" if top else "default"
    tree = (
        filesystem("tank"),
        filesystem("tank/vm", **top),
        filesystem("tank/vm/images", mountpoint="/images"),
    )
    properties = (("tank/vm", "mountpoint", "", source), ("tank/vm/images", "mountpoint", "/images", "local"))

    made = planned(
        host(tree, uses=(GUEST,), properties=properties), "rename", "tank/vm", "tank/guests", **options
    )

    assert ["in-use"] == rules(made)


def test_a_guest_that_is_off_keeps_its_definition_where_its_path_stays() -> None:
    disk = GuestDisk("vda", "/images/web01.raw", SourceKind.FILE, format="raw")
    web01 = Guest(
        GuestDefinition("u1", "web01", disks=(disk,)),
        GuestStatus("web01", GuestState.SHUT_OFF),
        (StoredDisk(disk),),
    )
    xml = (
        "<domain><uuid>u1</uuid><devices><disk type='file' device='disk'><driver name='qemu' type='raw'/>"
        "<source file='/images/web01.raw'/><target dev='vda'/></disk></devices></domain>"
    )
    facts = host(
        (filesystem("tank"), filesystem("tank/vm"), filesystem("tank/vm/images", mountpoint="/images")),
        uses=(replace(GUEST, kind="stopped guest"),),
        guests=(web01,),
        stored=(StoredDefinition("u1", xml),),
        properties=(
            ("tank/vm", "mountpoint", "/tank/vm", "default"),
            ("tank/vm/images", "mountpoint", "/images", "local"),
        ),
    )

    made = planned(facts, "rename", "tank/vm", "tank/guests")

    assert [] == rules(made)
    assert ["zfs rename tank/vm tank/guests"] == commands(made)


def test_a_user_renames_only_what_is_not_mounted() -> None:
    ann = Privileges(
        "ann", 1000, PrivilegeMode.PLAIN, (Delegation("tank", frozenset({"rename", "mount", "create"})),)
    )

    assert ["unmount-permission"] == rules(
        planned(replace(FACTS, privileges=ann), "rename", "tank/home", "tank/people")
    )
    assert [] == rules(planned(replace(FACTS, privileges=ROOT), "rename", "tank/home", "tank/people"))


def test_the_root_of_a_pool_is_greyed() -> None:
    def of(name: str) -> str:
        return SPECS[0].why_not(Target(TargetKind.FILESYSTEM, "tank", name), FACTS)

    assert "it has the name of its pool" == of("tank")
    assert ["", ""] == [of("tank/a"), of("tank@1")]


@pytest.mark.parametrize(
    ("name", "of_type", "undone"),
    [
        ("tank/vm2", "volume", "goes on, and would not start again"),
        ("tank/home", "filesystem", "a rename unmounts the file system"),
    ],
)
def test_what_a_rename_does_to_who_has_it_open_is_said_by_its_kind(
    name: str, of_type: str, undone: str
) -> None:
    use = OutsideUse(name, "guest", "web02", f"/dev/zvol/{name}")
    tree = (filesystem("tank"), volume(name) if of_type == "volume" else filesystem(name))

    made = planned(host(tree, uses=(use,)), "rename", name, f"{name}-new")

    (reason,) = [each.reason for each in made.refusals if each.rule == "in-use"]
    assert reason.endswith(undone)
