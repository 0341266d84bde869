"""Guests: which of them hold their disks open, and what holds their images."""

from __future__ import annotations

import pytest

from zconsole.model.guests.guest import (
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
