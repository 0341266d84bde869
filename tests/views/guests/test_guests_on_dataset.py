"""What is said of the guests of a dataset and of a pool."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.analysis.guests.guests_and_containers import as_guests
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.model.guests.container import (
    Container,
    ContainerDataset,
    ContainerEngine,
    ContainerState,
    Evidence,
)
from zconsole.model.guests.guest import (
    PAUSED_BY_IO_ERROR,
    GuestDiskRates,
    GuestState,
    OtherStorage,
    StoredOther,
)
from zconsole.views.guests.disk_io_rates import rates_in_words
from zconsole.views.guests.guests_on_dataset import (
    guest_lines,
    guests_cell,
    in_numbers,
    load_lines,
    own_guests_cell,
    running_and_others,
)
from zconsole.views.layout.styled_text import plain

WEB = guest_on("web01", on_volume("tank/vm/web01"))
OFF = guest_on("web02", on_files("tank/vm/images", target="sda"), state=GuestState.SHUT_OFF)
FULL = guest_on(
    "db01", on_files("tank/vm/images", "tank/gold"), state=GuestState.PAUSED, reason=PAUSED_BY_IO_ERROR
)
KNOWN = GuestsByDataset((WEB, OFF, FULL))
ROOT1 = ContainerDataset("tank/c/web1", Evidence.PROCESS, "the root of its process 7")
OFF1 = ContainerState.STOPPED
WEB1 = Container(ContainerEngine.INCUS, "web1", state=ContainerState.RUNNING, datasets=(ROOT1,))


def said(dataset: str) -> list[str]:
    return [plain(each) for each in guest_lines(KNOWN, dataset)]


def test_a_dataset_tells_its_guests_by_name_disk_and_state() -> None:
    assert ["guests: web01 (vda)"] == said("tank/vm/web01")
    assert ["guests: db01 (vda, paused by an I/O error), web02 (sda, shut off)"] == said("tank/vm/images")
    assert ["guests: db01 (a backing file of vda, paused by an I/O error)"] == said("tank/gold")


def test_a_parent_tells_how_many_are_below_it() -> None:
    assert ["below it: 3 guests, 1 running: db01, web01, web02"] == said("tank/vm")


def test_a_guest_on_the_dataset_is_not_told_again_below_it() -> None:
    nested = GuestsByDataset((guest_on("a", on_files("tank/vm"), on_volume("tank/vm/x", "vdb")),))

    assert ["guests: a (vda)"] == [plain(each) for each in guest_lines(nested, "tank/vm")]


def test_nothing_is_said_of_a_dataset_without_guests() -> None:
    assert [] == said("tank/home")
    assert "" == running_and_others((WEB,), "bulk")


def test_many_guests_are_shortened() -> None:
    many = GuestsByDataset(guest_on(f"g{at:02}", on_files("tank/vm")) for at in range(30))

    assert plain(next(guest_lines(many, "tank/vm"))).endswith("g07 (vda) and 22 more")


def test_the_cell_names_a_single_guest_and_counts_several() -> None:
    assert "web01" == guests_cell(KNOWN, "tank/vm/web01").text
    assert "3 guests" == guests_cell(KNOWN, "tank/vm").text
    assert "2 guests" == guests_cell(KNOWN, "tank/vm/images").text
    assert "·" == guests_cell(KNOWN, "tank/home").text


def test_a_single_guest_below_a_parent_is_not_named_as_if_it_were_on_it() -> None:
    assert "1 guest" == guests_cell(GuestsByDataset((WEB,)), "tank/vm").text


def test_a_pool_tells_its_guests_in_a_clause() -> None:
    assert "3 guests, 1 running: db01, web01, web02" == running_and_others((WEB, OFF, FULL), "tank")
    assert "1 guest: web01" == running_and_others((WEB,), "tank")


def test_the_io_of_a_guest_is_told_of_its_disks_on_the_dataset_alone() -> None:
    live = GuestDiskRates(5.0, 3.0, 118.0, read_bytes_per_s=2e6, written_bytes_per_s=8e6)
    both = tuple(replace(each, rates=live) for each in (on_volume("tank/a"), on_volume("tank/b", "vdb")))
    guests = (guest_on("db01", *both), WEB)

    assert [f"guest db01 vdb: {rates_in_words(live)}"] == [
        plain(each) for each in load_lines(GuestsByDataset(guests), "tank/b")
    ]
    assert [] == list(load_lines(GuestsByDataset(guests), "tank/vm/web01"))


def test_the_io_of_a_container_is_said_to_be_a_part_of_its_datasets() -> None:
    known = GuestsByDataset(as_guests((WEB1, replace(WEB1, state=OFF1))))
    found = [plain(each) for each in load_lines(known, "tank/c/web1")]

    assert ["container web1 (its root): its I/O is a part of what is counted here"] == found


def test_containers_are_counted_apart_from_guests() -> None:
    (container,) = as_guests((WEB1,))

    assert "2 guests and 1 container" == in_numbers((WEB, container, OFF))
    assert ["1 container", "1 guest", "0 guests"] == [in_numbers(each) for each in ((container,), (WEB,), ())]


def test_a_dataset_itself_has_its_guest_by_name_and_not_those_below_it() -> None:
    assert ["web01", "2 guests", "·"] == [
        own_guests_cell(KNOWN, name).text for name in ("tank/vm/web01", "tank/vm/images", "tank/vm")
    ]


def test_what_a_guest_has_beside_its_disks_is_told() -> None:
    other = StoredOther(OtherStorage("TPM state", "/x"), ("tank/tpm",))
    known = GuestsByDataset((replace(WEB, others=(other,)),))

    assert ["guests: web01 (TPM state)"] == [plain(each) for each in guest_lines(known, "tank/tpm")]
