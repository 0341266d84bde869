"""Guests and containers as one list: what stands for what, and what is left out."""

from __future__ import annotations

from tests.doubles.guests_on_storage import guest_on, on_volume
from zconsole.analysis.guests.guests_and_containers import as_guests, guests_and_containers
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.model.guests.container import (
    Container,
    ContainerDataset,
    ContainerEngine,
    ContainerKind,
    ContainerState,
    Evidence,
)
from zconsole.model.guests.guest import GuestState
from zconsole.model.host.host_state import HostState, Reading

ROOT = ContainerDataset("tank/c/web1", Evidence.PROCESS, "the root of its process 7")
MEDIA = ContainerDataset("tank/media", Evidence.PROCESS, "mounted at /srv in its process 7", is_root=False)
NAMED = ContainerDataset("backup/c/web1", Evidence.NAME, "named so")
WEB = Container(ContainerEngine.INCUS, "web1", state=ContainerState.RUNNING, datasets=(ROOT, MEDIA))
COPY = Container(ContainerEngine.INCUS_OR_LXD, "web1", datasets=(NAMED,))
STORE = Container(ContainerEngine.DOCKER, "tank/docker", ContainerKind.STORE, datasets=(ROOT,))


def test_a_container_is_on_each_of_its_datasets() -> None:
    known = GuestsByDataset(as_guests((WEB, COPY)))

    assert [("web1", ("its root",))] == [(e.guest.name, e.disks) for e in known.on("tank/c/web1")]
    assert [("web1", ("a mount",))] == [(e.guest.name, e.disks) for e in known.on("tank/media")]
    assert [("by its name alone",)] == [e.disks for e in known.on("backup/c/web1")]
    assert 1 == known.count("tank")


def test_two_of_one_name_are_two() -> None:
    assert 2 == len({each.definition.uuid for each in as_guests((WEB, COPY))})


def test_its_state_is_told_in_libvirts_words_and_its_engine_is_no_libvirt() -> None:
    web, copy = as_guests((WEB, COPY))

    assert (GuestState.RUNNING, GuestState.UNKNOWN) == (web.status.state, copy.status.state)
    assert not web.is_of_libvirt
    assert guest_on("db01", on_volume("tank/vm/db01")).is_of_libvirt


def test_what_is_no_container_is_no_guest() -> None:
    assert () == as_guests((STORE,))


def test_the_list_is_the_same_value_until_one_of_them_was_read_again() -> None:
    state = HostState("nas", guests=Reading(()), containers=Reading((WEB,)))

    assert guests_and_containers(state) is guests_and_containers(state)
    assert ["web1"] == [each.name for each in guests_and_containers(state)]
    assert () == guests_and_containers(HostState("nas"))
