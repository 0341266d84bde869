"""What a full pool does to each kind of disk, as seen on a real host and by QEMU's policies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.analysis.guests.guests_and_containers import as_guests
from zconsole.analysis.guests.guests_of_a_full_pool import (
    FullEffect,
    GuestWhenFull,
    guests_when_full,
    has_reserved_space,
)
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.container import (
    Container,
    ContainerDataset,
    ContainerEngine,
    ContainerKind,
    ContainerState,
    Evidence,
)
from zconsole.model.guests.guest import GuestState, StoredDisk

PAUSED, ERRORS = FullEffect.PAUSED, FullEffect.SEES_ERRORS


@pytest.mark.parametrize(
    ("disk", "effect"),
    [
        (on_files("tank/vm"), PAUSED),
        (on_files("tank/vm", cache="writeback"), PAUSED),
        (on_files("tank/vm", error_policy="enospace"), PAUSED),
        (on_files("tank/vm", error_policy="report"), ERRORS),
        (on_files("tank/vm", error_policy="ignore"), FullEffect.WRITES_LOST),
        (on_files("tank/vm", error_policy="retry"), FullEffect.UNKNOWN),
        (on_volume("tank/v", cache="none"), PAUSED),
        (on_volume("tank/v", cache="directsync"), PAUSED),
        (on_volume("tank/v"), ERRORS),
        (on_volume("tank/v", cache="writeback"), ERRORS),
        (on_volume("tank/v", cache="writethrough"), ERRORS),
        (on_volume("tank/v", cache="writeback", error_policy="stop"), PAUSED),
        (on_volume("tank/v", cache="none", error_policy="report"), ERRORS),
    ],
)
def test_the_effect_follows_from_the_error_and_the_policy(disk: StoredDisk, effect: FullEffect) -> None:
    assert (GuestWhenFull("a", ("vda",), effect),) == guests_when_full((guest_on("a", disk),), "tank")


def test_only_disks_that_write_to_the_pool_count() -> None:
    guests = (
        guest_on("below", on_files("bulk/x", "tank/gold")),
        guest_on("disc", on_files("tank/iso", is_read_only=True)),
        guest_on("off", on_files("tank/vm"), state=GuestState.SHUT_OFF),
        guest_on("elsewhere", on_volume("bulk/v")),
        guest_on("nowhere", on_files("")),
    )

    assert () == guests_when_full(guests, "tank")


def test_the_worst_comes_first_and_a_guest_is_told_with_each_effect() -> None:
    two = guest_on("two", on_files("tank/vm"), on_volume("tank/v", "vdb", cache="writeback"))
    lost = guest_on("z", on_files("tank/vm", error_policy="ignore"))

    assert [
        ("z", FullEffect.WRITES_LOST, ("vda",)),
        ("two", ERRORS, ("vdb",)),
        ("two", PAUSED, ("vda",)),
    ] == [(each.guest, each.effect, each.disks) for each in guests_when_full((two, lost), "tank")]


def test_a_paused_guest_counts_for_it_may_be_resumed() -> None:
    assert 1 == len(guests_when_full((guest_on("a", on_files("tank/vm"), state=GuestState.PAUSED),), "tank"))


@pytest.mark.parametrize(
    ("dataset", "has"),
    [
        (None, False),
        (Dataset("tank/v", "volume", used_by_refreservation_bytes=0, used_bytes=9), False),
        (Dataset("tank/v", "volume", used_by_refreservation_bytes=5, used_bytes=9), True),
        (Dataset("tank/vm", "filesystem", reservation_bytes=10, used_bytes=9), True),
        (Dataset("tank/vm", "filesystem", reservation_bytes=9, used_bytes=9), False),
    ],
)
def test_reserved_space_counts_while_some_of_it_is_left(dataset: Dataset | None, has: bool) -> None:
    disk = on_volume("tank/v", cache="none")
    held = replace(disk, images=(replace(disk.images[0], dataset=dataset),))

    assert has == has_reserved_space(dataset)
    assert [has] == [each.has_reserved for each in guests_when_full((guest_on("a", held),), "tank")]


def test_programs_of_a_container_find_no_space_and_of_another_engines_machine_nothing_is_known() -> None:
    root = ContainerDataset("tank/c/web1", Evidence.PROCESS, "the root of its process 7")
    web = Container(ContainerEngine.INCUS, "web1", state=ContainerState.RUNNING, datasets=(root,))
    machine = replace(web, name="vm1", kind=ContainerKind.VIRTUAL_MACHINE)
    stopped = replace(web, name="off", state=ContainerState.STOPPED)

    assert [
        ("web1", ("its root",), FullEffect.PROGRAMS_FAIL),
        ("vm1", ("its root",), FullEffect.UNKNOWN),
    ] == [
        (each.guest, each.disks, each.effect)
        for each in guests_when_full(as_guests((web, machine, stopped)), "tank")
    ]
