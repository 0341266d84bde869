"""Definitions of guests as libvirt prints them."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.guests.guest import GuestDisk, SourceKind
from zconsole.system.libvirt.domain_xml import LARGEST, LONGEST_CHAIN, dump_xml, parse_domain

HERE = CAPTURES / "libvirt" / "9.0"
UUID = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"


def domain(devices: str, **words: str) -> str:
    """The XML of a guest with these devices."""
    name = words.get("name", "web01")
    return (
        f"<domain type='kvm'><name>{name}</name><uuid>{words.get('uuid', UUID)}</uuid>"
        f"<devices>{devices}</devices></domain>"
    )


def test_a_real_guest_that_is_off_has_its_disks_and_not_the_empty_drive() -> None:
    found = parse_domain((HERE / "dumpxml_off.xml").read_text())

    assert ("web01", 192 << 20, 1) == (found.name, found.memory_bytes, found.processors)
    assert (True, None) == (found.has_agent_channel, found.is_agent_connected)
    assert (
        GuestDisk(
            "vda", "/tank/vms/web01.qcow2", SourceKind.FILE, format="qcow2", cache="none", io="native",
            discard="unmap", error_policy="enospace",
        ),
        GuestDisk("vdb", "/tank/vms/raw.img", SourceKind.FILE, format="raw", cache="writeback"),
    ) == found.disks  # fmt: skip


def test_a_real_guest_that_runs_tells_whether_its_agent_is_connected() -> None:
    found = parse_domain((HERE / "dumpxml_running.xml").read_text())

    assert ("db02", True, False) == (found.name, found.has_agent_channel, found.is_agent_connected)
    assert ["/small/fills.qcow2"] == [each.source for each in found.disks]


@pytest.mark.parametrize(
    ("disk", "kind", "source"),
    [
        ("type='block'><source dev='/dev/zvol/tank/db'/>", SourceKind.BLOCK, "/dev/zvol/tank/db"),
        ("type='volume'><source pool='fast' volume='a.img'/>", SourceKind.POOL_VOLUME, "fast/a.img"),
        ("type='network'><source protocol='rbd' name='p/i'/>", SourceKind.NETWORK, "rbd/p/i"),
        ("type='dir'><source dir='/tank/d'/>", SourceKind.DIR, "/tank/d"),
        (
            (
                "type='nvme'><source type='pci' managed='yes' namespace='2'>"
                "<address domain='0x0000' bus='0x0a' slot='0x00' function='0x0'/></source>"
            ),
            SourceKind.NVME,
            "PCI 0000:0a:00.0 namespace 2",
        ),
        ("type='vhostuser'><source type='unix' path='/run/vm.sock'/>", SourceKind.VHOST_USER, "/run/vm.sock"),
        ("type='vhostvdpa'><source dev='/dev/vhost-vdpa-0'/>", SourceKind.OTHER, "/dev/vhost-vdpa-0"),
        ("type='invented'><source of='moon'/>", SourceKind.OTHER, "invented"),
        ("type='network'><source protocol='nbd'/>", SourceKind.NETWORK, "nbd"),
    ],
)
def test_a_source_is_what_its_kind_says(disk: str, kind: SourceKind, source: str) -> None:
    (found,) = parse_domain(domain(f"<disk {disk}<target dev='vda'/></disk>")).disks

    assert (kind, source) == (found.kind, found.source)


@pytest.mark.parametrize("drive", ["<source startupPolicy='optional'/>", ""])
def test_an_empty_drive_is_no_disk_and_a_disk_of_an_unknown_kind_is_one(drive: str) -> None:
    found = parse_domain(
        domain(
            f"<disk type='file' device='cdrom'>{drive}<target dev='sda'/></disk>"
            f"<disk type='invented' device='disk'>{drive}<target dev='vda'/></disk>"
        )
    )

    assert ["vda"] == [each.target for each in found.disks]


def test_the_name_of_a_guest_may_end_with_a_blank() -> None:
    """Libvirt takes it, and its statistics have it with the blank."""
    assert "web01 " == parse_domain(domain("", name="web01 ")).name


@pytest.mark.parametrize(
    ("disk", "path"),
    [
        ("type='file'><source file='/tank/a'/>", "/tank/a"),
        ("type='dir'><source dir='/tank/d'/>", "/tank/d"),
        ("type='vhostuser'><source type='unix' path='/run/vm.sock'/>", ""),
        ("type='volume'><source pool='fast' volume='/a'/>", ""),
    ],
)
def test_a_disk_has_a_path_where_its_source_is_one_of_the_host(disk: str, path: str) -> None:
    (found,) = parse_domain(domain(f"<disk {disk}<target dev='vda'/></disk>")).disks

    assert path == found.path


def test_images_below_are_in_their_order_and_bounded() -> None:
    def chain(depth: int) -> str:
        return (
            "".join(f"<backingStore type='file'><source file='/tank/{at}.qcow2'/>" for at in range(depth))
            + "</backingStore>" * depth
        )

    def backing(depth: int) -> tuple[str, ...]:
        disk = f"<disk type='file'><source file='/tank/a'/>{chain(depth)}<target dev='vda'/></disk>"
        return parse_domain(domain(disk)).disks[0].backing

    assert ("/tank/0.qcow2", "/tank/1.qcow2") == backing(2)
    assert LONGEST_CHAIN == len(backing(LONGEST_CHAIN + 50))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "error: failed to get domain\n",
        "<pool/>",
        domain("", uuid="x"),
        domain("", name=""),
        f"<!DOCTYPE domain [<!ENTITY a 'aaaa'>]>{domain('')}",
        domain("<disk"),
        domain("") + " " * LARGEST,
        "<a>" * 50_000,
    ],
)
def test_what_is_no_guest_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_domain(text)


def test_a_guest_is_asked_for_by_uuid_and_read_only() -> None:
    argv = dump_xml("qemu:///system", UUID).argv

    assert ("-r", UUID) == (argv[1], argv[-1])
