"""What a definition names of its host, and the commands that ask another host for it."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.guests.domain_needs import DomainNeeds
from zconsole.system.libvirt.domain_needs_of_its_host import (
    compare_cpu,
    domain_capabilities,
    parse_domain_needs,
    parse_networks,
)

REAL = (CAPTURES / "libvirt" / "9.0" / "dumpxml_off.xml").read_text(encoding="utf-8")
FULL = """<domain type='kvm'><os><type arch='x86_64' machine='q35'>hvm</type>
<loader>/usr/share/OVMF/OVMF_CODE.fd</loader>
<nvram template='/t'>/var/lib/libvirt/qemu/nvram/a_VARS.fd</nvram></os>
<cpu mode='host-passthrough'/><devices>
<interface type='network'><source network='lan'/></interface>
<interface type='bridge'><source bridge='br0'/></interface>
<interface type='direct'><source dev='eno1' mode='bridge'/></interface>
<interface type='hostdev'/><hostdev mode='subsystem' type='pci'/>
<filesystem type='mount'><source dir='/srv/shared'/></filesystem>
<tpm model='tpm-crb'><backend type='emulator'/></tpm><graphics type='vnc'/>
</devices></domain>"""


def test_a_real_definition_names_its_machine_and_files() -> None:
    found = parse_domain_needs(REAL)

    assert ("qemu", "/usr/bin/qemu-system-x86_64", "x86_64", "pc-q35-7.2", "custom") == (
        found.virt_type, found.emulator, found.architecture, found.machine, found.cpu_mode,
    )  # fmt: skip
    assert ["kernel", "initial RAM disk"] == [what for what, _ in found.files]
    assert "qemu64" in found.cpu_xml


def test_all_that_would_stay_behind_is_found() -> None:
    found = parse_domain_needs(FULL)

    assert (("lan",), ("br0", "eno1")) == (found.networks, found.bridges)
    assert (("firmware", "/usr/share/OVMF/OVMF_CODE.fd"), ("shared folder", "/srv/shared")) == found.files
    assert "/var/lib/libvirt/qemu/nvram/a_VARS.fd" == found.variables_file
    assert ("pci device", "network device") == found.host_devices
    assert (1, True, "host-passthrough") == (
        len(found.keeps_state_elsewhere), found.has_display, found.cpu_mode,
    )  # fmt: skip


@pytest.mark.parametrize("text", ["", "<network/>", "<domain", '<!DOCTYPE x [<!ENTITY a "b">]><domain/>'])
def test_what_is_no_domain_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_domain_needs(text)


def test_networks_are_a_name_a_line() -> None:
    assert frozenset({"default", "lan"}) == parse_networks("default\nlan\n\n")


def test_a_name_from_a_definition_is_no_option_and_no_shell() -> None:
    needs = DomainNeeds(virt_type="kvm", emulator="--config; reboot", architecture="$(id)", machine="q35")

    asked, compared = domain_capabilities(needs), compare_cpu(needs)

    assert "--emulatorbin=--config; reboot" in asked.argv
    assert ("--config; reboot", "$(id)", "q35") == compared.argv[-3:]
    assert "reboot" not in compared.argv[2]
