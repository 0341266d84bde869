"""What a definition names or implies beside disks."""

from __future__ import annotations

import pytest

from tests.system.libvirt.test_domain_xml import UUID
from zconsole.model.guests.guest import OtherStorage
from zconsole.system.libvirt.domain_storage_beside_disks import MEMORY_FILES, MOST, TPM_STATES
from zconsole.system.libvirt.domain_xml import parse_domain


def others(inner: str, attributes: str = "") -> tuple[OtherStorage, ...]:
    return parse_domain(
        f"<domain type='kvm'{attributes}><name>web01</name><uuid>{UUID}</uuid>{inner}</domain>"
    ).others


@pytest.mark.parametrize(
    ("role", "path", "inner"),
    [
        ("UEFI variables", "/tank/v.fd", "<os><nvram>/tank/v.fd</nvram></os>"),
        (
            "UEFI variables",
            "/tank/v.fd",
            "<os><nvram type='file' format='raw'><source file='/tank/v.fd'/></nvram></os>",
        ),
        (
            "UEFI variables",
            "/dev/zvol/tank/v",
            "<os><nvram type='block'><source dev='/dev/zvol/tank/v'/></nvram></os>",
        ),
        (
            "firmware",
            "/usr/share/OVMF/CODE.fd",
            "<os><loader type='pflash'>/usr/share/OVMF/CODE.fd</loader></os>",
        ),
        ("kernel", "/tank/boot/vmlinuz ", "<os><kernel>/tank/boot/vmlinuz </kernel></os>"),
        ("initrd", "/tank/boot/initrd", "<os><initrd>/tank/boot/initrd</initrd></os>"),
        ("device tree", "/tank/dtb", "<os><dtb>/tank/dtb</dtb></os>"),
        ("ACPI table", "/tank/slic", "<os><acpi><table type='slic'>/tank/slic</table></acpi></os>"),
        (
            "memory device",
            "/tank/nv",
            ("<devices><memory model='nvdimm'><source><path>/tank/nv</path></source></memory></devices>"),
        ),
        (
            "shared folder data",
            "/tank/share",
            (
                "<devices><filesystem type='mount'><driver type='virtiofs'/>"
                "<source dir='/tank/share'/><target dir='data'/></filesystem></devices>"
            ),
        ),
        (
            "shared folder /",
            "/dev/zvol/tank/root",
            (
                "<devices><filesystem type='block'><source dev='/dev/zvol/tank/root'/>"
                "<target dir='/'/></filesystem></devices>"
            ),
        ),
        (
            "TPM state",
            "/tank/tpm",
            (
                "<devices><tpm><backend type='emulator'><source type='dir' path='/tank/tpm'/>"
                "</backend></tpm></devices>"
            ),
        ),
        (
            "data file of vda",
            "/tank/data.raw",
            (
                "<devices><disk type='file'><source file='/a'><dataStore type='file'>"
                "<source file='/tank/data.raw'/></dataStore></source><target dev='vda'/></disk>"
                "</devices>"
            ),
        ),
        (
            "copy of vda",
            "/fast/a",
            (
                "<devices><disk type='file'><source file='/a'/><mirror type='file' job='copy'>"
                "<source file='/fast/a'/></mirror><target dev='vda'/></disk></devices>"
            ),
        ),
        (
            "copy of vda",
            "/fast/a",
            (
                "<devices><disk type='file'><source file='/a'/><mirror file='/fast/a'/>"
                "<target dev='vda'/></disk></devices>"
            ),
        ),
        (
            "output of serial",
            "/tank/log",
            "<devices><serial type='file'><source path='/tank/log'/></serial></devices>",
        ),
        (
            "log of console",
            "/tank/log",
            "<devices><console type='pty'><log file='/tank/log'/></console></devices>",
        ),
        (
            "block device",
            "/dev/zvol/tank/x",
            (
                "<devices><hostdev mode='capabilities' type='storage'><source>"
                "<block>/dev/zvol/tank/x</block></source></hostdev></devices>"
            ),
        ),
        (
            "pstore",
            "/tank/pstore",
            ("<devices><pstore backend='acpi-erst'><path>/tank/pstore</path></pstore></devices>"),
        ),
    ],
)
def test_storage_with_a_path(role: str, path: str, inner: str) -> None:
    is_read_only = role in {"firmware", "kernel", "initrd", "device tree", "ACPI table"}
    assert (OtherStorage(role, path, is_read_only=is_read_only),) == others(inner)


@pytest.mark.parametrize(
    ("why", "inner"),
    [
        (
            "over the network (nbd)",
            "<os><nvram type='network'><source protocol='nbd' name='v'/></nvram></os>",
        ),
        (
            "virtiofsd of its own serves it at /run/v.sock",
            (
                "<devices><filesystem type='mount'><source socket='/run/v.sock'/>"
                "<target dir='d'/></filesystem></devices>"
            ),
        ),
        (
            "volume P/v of a storage pool",
            (
                "<devices><filesystem type='volume'><source pool='P' volume='v'/>"
                "<target dir='d'/></filesystem></devices>"
            ),
        ),
        (
            "a source of type template",
            (
                "<devices><filesystem type='template'><source name='x'/><target dir='d'/>"
                "</filesystem></devices>"
            ),
        ),
        (
            "a swtpm that libvirt did not start",
            (
                "<devices><tpm><backend type='external'>"
                "<source type='unix' mode='connect' path='/run/t'/></backend></tpm></devices>"
            ),
        ),
    ],
)
def test_storage_whose_path_is_not_told(why: str, inner: str) -> None:
    (found,) = others(inner)

    assert "" == found.path
    assert why in found.unknown


@pytest.mark.parametrize(
    ("path", "inner"),
    [
        (f"{TPM_STATES}/{UUID}", "<devices><tpm><backend type='emulator' version='2.0'/></tpm></devices>"),
        (MEMORY_FILES, "<memoryBacking><source type='file'/></memoryBacking>"),
    ],
)
def test_what_libvirt_keeps_in_folders_of_its_own(path: str, inner: str) -> None:
    (found,) = others(inner)

    assert (path, True) == (found.path, found.is_default)


@pytest.mark.parametrize(
    "inner",
    [
        "<memoryBacking><source type='memfd'/><hugepages/></memoryBacking>",
        ("<devices><filesystem type='ram'><source usage='512'/><target dir='/tmp'/></filesystem></devices>"),
        ("<devices><tpm><backend type='passthrough'><device path='/dev/tpm0'/></backend></tpm></devices>"),
        "<devices><serial type='pty'><source path='/dev/pts/3'/></serial></devices>",
        "<os><loader>efi.fd</loader></os>",
    ],
)
def test_what_is_no_storage_is_none(inner: str) -> None:
    assert () == others(inner)


def test_paths_in_arguments_of_qemu_are_storage_too() -> None:
    inner = (
        "<qemu:commandline><qemu:arg value='-drive'/>"
        "<qemu:arg value='file=/dev/zvol/tank/x,if=none,format=raw'/>"
        "<qemu:arg value='/tank/bios.bin'/>"
        "</qemu:commandline>"
    )

    found = others(inner, " xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'")

    assert ["/dev/zvol/tank/x", "/tank/bios.bin"] == [each.path for each in found]


def test_each_is_told_once_and_their_number_is_bounded() -> None:
    one = "<os><kernel>/k</kernel><kernel>/k</kernel></os>"
    many = "".join(f"<serial type='file'><source path='/{at}'/></serial>" for at in range(2 * MOST))

    assert 1 == len(others(one))
    assert MOST == len(others(f"<devices>{many}</devices>"))
