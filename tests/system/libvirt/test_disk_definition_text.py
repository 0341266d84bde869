"""Disks in the XML of a domain: found byte for byte, and changed in nothing but the path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.system.libvirt.disk_definition_text import parse_disk_texts
from zconsole.system.libvirt.domain_xml import LARGEST, parse_domain

HERE = CAPTURES / "libvirt" / "9.0"


def one(disk: str) -> str:
    return f"<domain><devices>{disk}</devices></domain>"


def test_the_disks_of_a_real_guest_are_parts_of_its_definition() -> None:
    text = (HERE / "dumpxml_off.xml").read_text()

    found = parse_disk_texts(text)

    assert [("vda", "/tank/vms/web01.qcow2"), ("vdb", "/tank/vms/raw.img"), ("sda", "")] == [
        (disk.target, disk.source) for disk in found
    ]
    assert all(disk.text in text and disk.text.startswith("<disk ") for disk in found)
    assert all(disk.text.endswith("</disk>") for disk in found)


def test_a_real_disk_at_another_path_differs_in_its_path_alone() -> None:
    text = (HERE / "dumpxml_off.xml").read_text()
    disk = parse_disk_texts(text)[0]

    changed = disk.with_source("/fast/web01/disk.qcow2")

    assert text.replace("'/tank/vms/web01.qcow2'", '"/fast/web01/disk.qcow2"') == text.replace(
        disk.text, changed
    )


@given(st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc")), min_size=1))
def test_any_path_is_read_back_as_it_was_given(path: str) -> None:
    text = one(
        "<disk><!-- > --><source x='>' file='/old' startupPolicy='optional'/><target dev='vda'/></disk>"
    )
    disk = parse_disk_texts(text)[0]

    (again,) = parse_disk_texts(text.replace(disk.text, disk.with_source(path)))

    assert path == again.source
    assert "startupPolicy='optional'" in again.text


@pytest.mark.parametrize(
    "disk",
    [
        "<disk type='block'><source dev='/old'/><target dev='vda'/></disk>",
        "<disk><source\n  dev = \"/old\" >\n<seclabel relabel='no'/></source><target dev='vda'/></disk>",
        "<disk><backingStore><source file='/b'/></backingStore><source file='/old'/><target dev='vda'/></disk>",  # noqa: E501
        "<disk><mirror><source file='/m'/></mirror><source file='/old'/><target dev='vda'/></disk>",
        "<disk snapshot='é'><source file='/old'/><target dev='vda'/></disk>",
    ],
)
def test_only_the_disks_own_source_is_changed(disk: str) -> None:
    (found,) = parse_disk_texts(one(disk))

    assert ("vda", "/old") == (found.target, found.source)
    assert disk.replace("'/old'", '"/new"').replace('"/old"', '"/new"') == found.with_source("/new")


def test_an_image_below_that_the_definition_names_is_told() -> None:
    below = "<backingStore type='file'><source file='/b'/></backingStore>"
    (with_it,) = parse_disk_texts(one(f"<disk><source file='/old'/>{below}<target dev='vda'/></disk>"))
    (without,) = parse_disk_texts(one("<disk><source file='/old'/><backingStore/><target dev='vda'/></disk>"))

    assert (True, False) == (with_it.has_backing_file, without.has_backing_file)


def test_a_disk_without_a_path_cannot_get_one() -> None:
    network = "<disk type='network'><source protocol='rbd' name='a/b'/><target dev='vda'/></disk>"
    (found,) = parse_disk_texts(one(network))

    assert "" == found.source
    with pytest.raises(ValueError, match="vda is on no file"):
        found.with_source("/new")


@pytest.mark.parametrize(
    "text",
    ["", "<domain>", "<domain><devices><disk>", "<!DOCTYPE x><domain/>", "\udc80", " " * (LARGEST + 1)],
    ids=["empty", "open", "cut", "doctype", "surrogate", "long"],
)
def test_what_is_no_definition_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_disk_texts(text)


@pytest.mark.parametrize("name", ["dumpxml_off.xml", "dumpxml_running.xml"])
def test_it_finds_the_disks_that_the_other_parser_finds(name: str) -> None:
    text = (HERE / name).read_text()

    assert {(disk.target, disk.source) for disk in parse_domain(text).disks} == {
        (disk.target, disk.source) for disk in parse_disk_texts(text) if disk.source
    }
