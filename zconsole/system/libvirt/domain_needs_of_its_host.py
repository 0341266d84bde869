"""What libvirt's XML of a domain names of its host, and `virsh` commands that tell whether another has it.

`domcapabilities` and the comparison of processors run QEMU, so libvirt allows them only to those who may
change guests; they change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.guests.domain_needs import DomainNeeds
from zconsole.model.guests.guest import SYSTEM
from zconsole.system.libvirt.domain_xml import LARGEST, TOOL

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

UNREACHED: Final = "failed to connect to the hypervisor"  # virsh, where it could ask nothing
NETWORKS: Final = Command(("virsh", "-r", "-q", "-c", SYSTEM, "net-list", "--name"))
HOOK: Final = "/etc/libvirt/hooks/qemu"
COMPARE_CPU: Final = (
    'test "$0" = zconsole || exit 64; '  # sudo compares words joined by blanks: a part of it does nothing
    'cat | virsh -q -c "$1" hypervisor-cpu-compare --virttype "$2" --emulator "$3" --arch "$4" '
    '--machine "$5" --error /dev/stdin'
)
_QUERY_S: Final = 60.0  # libvirt may start QEMU first, to ask it
_FILES: Final = (
    ("firmware", "os/loader"),
    ("kernel", "os/kernel"),
    ("initial RAM disk", "os/initrd"),
    ("device tree", "os/dtb"),
)


def domain_capabilities(needs: DomainNeeds) -> Command:
    """Fail unless emulator, architecture, machine and kind of virtualization work together."""
    words = (
        ("--virttype", needs.virt_type),
        ("--emulatorbin", needs.emulator),
        ("--arch", needs.architecture),
        ("--machine", needs.machine),
    )
    options = [f"{option}={value}" for option, value in words if value]
    return Command(("virsh", "-q", "-c", SYSTEM, "domcapabilities", *options), timeout_s=_QUERY_S)


def compare_cpu(needs: DomainNeeds) -> Command:
    """Fail unless QEMU on the host can provide the processor of a definition."""
    words = (SYSTEM, needs.virt_type, needs.emulator, needs.architecture, needs.machine)
    return Command(
        ("sh", "-c", COMPARE_CPU, "zconsole", *words), timeout_s=_QUERY_S, stdin=needs.cpu_xml.encode()
    )


def parse_networks(text: str) -> frozenset[str]:
    """The active networks of libvirt, a name a line."""
    return frozenset(line.strip() for _, line in bounded_lines("virsh net-list", text) if line.strip())


def parse_domain_needs(text: str) -> DomainNeeds:
    """What a definition names of its host. Raises ParseError for what is no domain."""
    from xml.etree.ElementTree import ParseError as NotXml  # noqa: PLC0415  # for hosts with guests only
    from xml.etree.ElementTree import fromstring, tostring  # noqa: PLC0415

    if len(text) > LARGEST:
        raise ParseError(TOOL, 1, text, f"longer than {LARGEST} characters")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ParseError(TOOL, 1, text, "libvirt declares no entities")
    try:
        root = fromstring(text)  # noqa: S314  # without a document type it can declare nothing
    except (NotXml, ValueError, RecursionError) as error:
        raise ParseError(TOOL, 1, text, f"not XML: {error}") from error
    if root.tag != "domain":
        raise ParseError(TOOL, 1, text, "not a domain")
    kind, cpu = root.find("os/type"), root.find("cpu")
    words = {} if kind is None else kind.attrib
    return DomainNeeds(
        virt_type=root.get("type", ""),
        emulator=_text(root, "devices/emulator"),
        architecture=words.get("arch", ""),
        machine=words.get("machine", ""),
        cpu_mode="" if cpu is None else cpu.get("mode", "custom"),
        cpu_xml="" if cpu is None else tostring(cpu, encoding="unicode"),
        networks=_of_interfaces(root, "network", "network"),
        bridges=tuple(
            dict.fromkeys((*_of_interfaces(root, "bridge", "bridge"), *_of_interfaces(root, "direct", "dev")))
        ),
        files=tuple(_files(root)),
        variables_file=_text(root, "os/nvram"),
        host_devices=tuple(_host_devices(root)),
        keeps_state_elsewhere=tuple(_kept_elsewhere(root)),
        has_display=any(each.get("type") in {"vnc", "spice"} for each in root.iterfind("devices/graphics")),
    )


def _of_interfaces(root: Element, kind: str, attribute: str) -> tuple[str, ...]:
    found = (
        source.get(attribute, "")
        for each in root.iterfind("devices/interface")
        if each.get("type") == kind and (source := each.find("source")) is not None
    )
    return tuple(dict.fromkeys(name for name in found if name))


def _files(root: Element) -> Iterator[tuple[str, str]]:
    for what, place in _FILES:
        path = _text(root, place)
        if path.startswith("/"):
            yield what, path
    for each in root.iterfind("devices/filesystem/source"):
        if each.get("dir"):
            yield "shared folder", each.get("dir", "")


def _host_devices(root: Element) -> Iterator[str]:
    for each in root.iterfind("devices/hostdev"):
        yield f"{each.get('type', 'host')} device"
    for each in root.iterfind("devices/interface"):
        if each.get("type") == "hostdev":
            yield "network device"


def _kept_elsewhere(root: Element) -> Iterator[str]:
    for each in root.iterfind("devices/tpm/backend"):
        if each.get("type") == "emulator":
            yield "the state of its TPM is in a folder of libvirt"
        else:
            yield "it uses the TPM of its host"


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()
