"""Guests: which of them hold their disks open, and what holds their images."""

from __future__ import annotations

import pytest

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
    guests_named,
    word_for,
)


@pytest.mark.parametrize("state", [GuestState.SHUT_OFF, GuestState.UNKNOWN])
def test_a_guest_without_a_process_holds_no_disk_open(state: GuestState) -> None:
    assert not state.is_active


@pytest.mark.parametrize(
    "state", [GuestState.RUNNING, GuestState.BLOCKED, GuestState.PAUSED, GuestState.SHUTTING_DOWN]
)
def test_a_paused_guest_holds_its_disks_open_as_a_running_one_does(state: GuestState) -> None:
    assert state.is_active


def test_each_place_is_told_once_in_the_order_of_the_disks() -> None:
    """Also those of images below the uppermost; what is not known has no place."""

    def disk(target: str, *places: str) -> StoredDisk:
        images = tuple(StoredImage(Image(f"/{target}/{at}"), place) for at, place in enumerate(places))
        return StoredDisk(GuestDisk(target, f"/{target}/0", SourceKind.FILE), images)

    disks = (disk("vda", "tank/vm", "tank/base"), disk("vdb", "tank/vm", ""), disk("vdc", "fast/log"))
    guest = Guest(GuestDefinition("u", "web01"), GuestStatus("web01", GuestState.RUNNING), disks)

    assert ("tank/vm", "tank/base", "fast/log") == guest.places
    assert "web01" == guest.name


ID = "11111111-2222-4333-8444-555555555555"


def called(name: str, uuid: str, connection: str = SYSTEM) -> Guest:
    made = GuestDefinition(uuid, name, connection=connection)
    return Guest(made, GuestStatus(name, GuestState.RUNNING))


def test_a_uuid_names_its_guest_whatever_another_is_called() -> None:
    """virsh(1) looks for a uuid before it looks for a name; and for no uuid of ours is it a number."""
    twin, owner = called(ID, "u1"), called("web01", ID)

    assert (owner,) == guests_named(ID, (twin, owner))
    assert (twin,) == guests_named("u1", (twin, owner))
    assert (twin,) == guests_named(ID, (twin,))


@pytest.mark.parametrize(
    ("expected", "name", "connection", "others"),
    [
        ("web01", "web01", SYSTEM, ()),
        ("7", "7", SYSTEM, ()),
        ("u1", "-rf", SYSTEM, ()),
        ("u1", ID, SYSTEM, ()),
        ("u1", "web01", SESSION, ()),
        ("u1", "web01", SYSTEM, (called("web01", "u2", SESSION),)),
    ],
)
def test_a_name_that_is_not_plain_or_not_alone_gives_way_to_the_uuid(
    expected: str, name: str, connection: str, others: tuple[Guest, ...]
) -> None:
    guest = called(name, "u1", connection)

    assert expected == word_for(guest, (guest, *others))
