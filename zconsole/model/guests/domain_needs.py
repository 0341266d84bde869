"""What a guest's definition expects of its host, and what the libvirt of a host has of that."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DomainNeeds:
    """Parts of a stored definition that name things of the host; empty where it names none."""

    virt_type: str = ""  # kvm, qemu
    emulator: str = ""  # path
    architecture: str = ""
    machine: str = ""  # pc-q35-9.2
    cpu_mode: str = ""  # custom, host-model, host-passthrough, maximum
    cpu_xml: str = ""  # the element, for a comparison
    networks: tuple[str, ...] = ()  # of libvirt
    bridges: tuple[str, ...] = ()  # network devices of the host
    files: tuple[tuple[str, str], ...] = ()  # (what, path): firmware, kernel, shared folders
    variables_file: str = ""  # of UEFI: it is written to
    host_devices: tuple[str, ...] = ()  # passed through, a clause each
    keeps_state_elsewhere: tuple[str, ...] = ()  # a clause each: a TPM's secrets
    has_display: bool = False  # of which a password is not told


@dataclass(frozen=True, slots=True)
class LibvirtHost:
    """Answers of a libvirt about such a guest; None where it could not be asked."""

    networks: frozenset[str] | None = None  # active ones
    capabilities_problem: str | None = None  # why emulator, machine and virt_type do not work; "" if they do
    cpu_problem: str | None = None  # why the processor is not the one that the definition asks for
