"""Questions about guests that plans will ask, from the guests that the screens know."""

from __future__ import annotations

from zconsole.actions.intent import intent
from zconsole.execution.facts.expected_questions_about_guests import expected_of_libvirts
from zconsole.model.guests.guest import (
    SESSION,
    SYSTEM,
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)

OWN = "qemu+unix:///session?socket=/run/user/0/libvirt/libvirt-sock"
WEB, DB = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10", "862cc6c2-adf1-4bb7-88e4-8d26a01e48cb"


def guest(
    uuid: str, place: str, state: GuestState = GuestState.RUNNING, connection: str = SYSTEM, uri: str = SYSTEM
) -> Guest:
    path = f"/dev/zvol/{place}"
    disk = GuestDisk("vda", SourceKind.BLOCK, path)
    images = (StoredImage(Image(path), place, is_volume=True),)
    return Guest(
        GuestDefinition(uuid, "web", connection=connection, uri=uri),
        GuestStatus("web", state, connection=connection),
        (StoredDisk(disk, images),),
    )


def asked(*guests: Guest, words: tuple[str, ...] = ("destroy", "tank/b"), is_told: bool = True) -> list[str]:
    found = expected_of_libvirts(intent(*words), guests, is_told=is_told)
    assert len(found) == len(set(found))
    return [" ".join(each.command.argv) for each in found]


def test_who_runs_and_each_definition() -> None:
    found = asked(guest(WEB, "tank/b/vm", GuestState.SHUT_OFF))

    lists = {f"virsh -r -q -c {SYSTEM} list {words}" for words in (
        "--uuid", "--all --uuid", "--state-paused --uuid", "--all --uuid --with-managed-save"
    )}  # fmt: skip
    assert {*lists, f"virsh -r -q -c {SYSTEM} dumpxml {WEB}"} == set(found)


def test_of_guests_in_the_way_what_a_shutdown_needs_to_know() -> None:
    found = asked(guest(WEB, "tank/b/vm"), guest(DB, "tank/beside"))

    assert any("domstats" in each for each in found)
    assert [WEB] == [each.split()[-1] for each in found if "dumpxml --inactive" in each]


def test_whether_the_user_may_change_guests_is_asked_once() -> None:
    change = f"virsh -q -c {SYSTEM} uri"
    assert change in asked(guest(WEB, "tank/b/vm"), is_told=False)
    assert change not in asked(guest(WEB, "tank/b/vm"), is_told=True)


def test_a_plan_of_disks_asks_the_systems_libvirt_alone() -> None:
    own = guest(DB, "tank/own", connection=SESSION, uri=OWN)
    replaces = asked(guest(WEB, "tank/b/vm"), own, words=("replace", "tank", "old", "/dev/disk/by-id/new"))

    assert [f"virsh -r -q -c {SYSTEM} dumpxml {WEB}"] == [each for each in replaces if "dumpxml" in each]
    assert any(OWN in each for each in asked(own))


def test_nothing_is_asked_where_no_guest_is_known_or_none_matters() -> None:
    engine = guest("", "tank/b", connection="docker")
    assert [] == asked()
    assert [] == asked(engine)
    assert [] == asked(guest(WEB, "tank/b/vm"), words=("scrub", "tank"))
