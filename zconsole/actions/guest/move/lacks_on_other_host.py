"""What another host lacks for a guest: networks, machine, processor, files; and what would stay behind."""

from __future__ import annotations

import shlex
from contextlib import suppress
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.move_refusals import is_written
from zconsole.actions.guest.move.move_steps_between_hosts import MoveBetweenHosts
from zconsole.actions.guest.move.storage_to_move import other_mentions
from zconsole.base.errors import ParseError
from zconsole.model.guests.domain_needs import DomainNeeds, LibvirtHost
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.system.libvirt.disk_definition_text import parse_disk_texts
from zconsole.system.libvirt.domain_needs_of_its_host import HOOK, parse_domain_needs

_NET: Final = "/sys/class/net/"
_ANY_CPU: Final = frozenset({"host-passthrough", "host-model", "maximum"})


def paths_named(needs: DomainNeeds, stored: StoredDefinition | None) -> tuple[str, ...]:
    """Paths whose existence on the other host decides."""
    paths = [path for _, path in needs.files]
    paths += [needs.variables_file, needs.emulator, HOOK]
    paths += [f"{_NET}{name}" for name in needs.bridges]
    if stored is not None and stored.is_defined:
        with suppress(ParseError):  # the plan reports it
            paths += [disk.source for disk in parse_disk_texts(stored.xml)]
    return tuple(dict.fromkeys(path for path in paths if path.startswith("/")))


def check_other_host(draft: Draft, of: MoveBetweenHosts) -> None:
    """Refuse what the guest could not start without; warn of what will be different."""
    try:
        needs = parse_domain_needs(of.move.stored.xml)
    except ParseError as error:
        draft.refuse("unread", f"the definition of {of.move.guest.name} cannot be read: {error.reason}")
        return
    _check_libvirt(draft, of, needs, of.there.libvirt_host or LibvirtHost())
    _check_files(draft, of, needs)
    _check_other_disks(draft, of)
    name = of.move.guest.name
    for what in dict.fromkeys(needs.host_devices):
        draft.refuse("host-device", f"{name} uses a {what} of its host, which does not come along",
                     "detach it first")  # fmt: skip
    for what in needs.keeps_state_elsewhere:
        draft.refuse("state-elsewhere", f"{name} would lose something: {what}, which does not come along",
                     "move it by hand; or remove the TPM, if nothing is sealed by it")  # fmt: skip
    for path in other_mentions(of.move):
        draft.refuse("other-file", f"the definition of {name} names {path}, which is no disk, and would name "
                     "the old place", "keep that file elsewhere")  # fmt: skip
    if needs.has_display:
        draft.warnings.append("a password of its display is not taken along: libvirt does not tell it")


def _check_libvirt(draft: Draft, of: MoveBetweenHosts, needs: DomainNeeds, host: LibvirtHost) -> None:
    label, name = of.label, of.move.guest.name
    for network in needs.networks:
        if host.networks is None:
            draft.warnings.append(f"whether {label} has the network {network} of {name} is not known")
        elif network not in host.networks:
            draft.refuse("network", f"{label} has no active network {network}, which {name} is on",
                         f"define and start it there: virsh net-start {network}")  # fmt: skip
    for device in needs.bridges:
        if not _is_there(of, f"{_NET}{device}"):
            draft.refuse("network", f"{label} has no network device {device}, which {name} is on",
                         "make that bridge there first")  # fmt: skip
    machine = " ".join(filter(None, (needs.virt_type, needs.architecture, needs.machine, needs.emulator)))
    draft.saw(f"whether it can run {machine or 'the guest'}", host.capabilities_problem)
    if host.capabilities_problem is None:
        draft.warnings.append(f"whether {label} can run {machine} is not known: its libvirt did not tell")
    elif host.capabilities_problem:
        draft.refuse("machine", f"{label} cannot run {machine}: {_first(host.capabilities_problem)}",
                     "install that QEMU there, or change the definition")  # fmt: skip
    draft.saw("whether it has the processor", host.cpu_problem)
    if host.cpu_problem is None:
        draft.warnings.append(f"whether the processor of {label} is enough is not known")
    elif host.cpu_problem:
        draft.refuse("cpu", f"the processor of {label} is not enough: {_first(host.cpu_problem)}",
                     "choose a model that both have: virsh hypervisor-cpu-baseline")  # fmt: skip
    if needs.cpu_mode in _ANY_CPU:
        draft.notes.append(f"its processor is the host's ({needs.cpu_mode}): on {label} it may see another")


def _check_files(draft: Draft, of: MoveBetweenHosts, needs: DomainNeeds) -> None:
    label, name = of.label, of.move.guest.name
    for what, path in needs.files:
        if not _is_there(of, path):
            draft.refuse("file", f"{label} has no {path}, the {what} of {name}",
                         "install or copy it there first")  # fmt: skip
    variables = needs.variables_file
    if variables and not _is_there(of, variables):
        draft.refuse("nvram", f"{label} has no {variables}, the UEFI variables of {name}, without which "
                     "it may not boot", "shut it down, copy that file there, and plan again")  # fmt: skip
    elif variables:
        draft.warnings.append(f"{label} has {variables} already: that file is used as it is there")
    if of.here.files.file(HOOK) is not None and not _is_there(of, HOOK):
        draft.warnings.append(
            f"{of.here.identity.label} has {HOOK}, and {label} has not: it is not run there"
        )


def _check_other_disks(draft: Draft, of: MoveBetweenHosts) -> None:
    """Disks that are not on the dataset that is moved: they would stay."""
    label, name = of.label, of.move.guest.name
    for disk in of.move.elsewhere:
        if not disk.source.startswith("/"):
            draft.warnings.append(f"{disk.target} is on {disk.source}: see that {label} reaches it")
        elif is_written(of.move, disk.target):
            draft.refuse(
                "disks-elsewhere", f"{disk.target} of {name} is on {disk.source}, which would stay behind",
                f"first bring all its disks to {of.source.name}, or detach it",
            )  # fmt: skip
        elif not _is_there(of, disk.source):
            is_medium = _is_medium(of, disk.target)
            words = shlex.join((of.move.guest.definition.uuid, disk.target))
            draft.refuse(
                "image", f"{label} has no {disk.source}, which {'is in drive' if is_medium else 'is'} "
                f"{disk.target} of {name}",
                f"virsh change-media {words} --eject --config" if is_medium
                else f"copy it there under the same path; or virsh detach-disk {words} --config",
            )  # fmt: skip


def _is_medium(of: MoveBetweenHosts, target: str) -> bool:
    """Whether a drive has a medium that can be taken out."""
    return any(
        each.disk.target == target and each.disk.device in {"cdrom", "floppy"} for each in of.move.guest.disks
    )


def _is_there(of: MoveBetweenHosts, path: str) -> bool:
    return of.there.files.file(path) is not None


def _first(words: str) -> str:
    """What virsh says, on one line, without its own prefix."""
    lines = [line.removeprefix("error: ").strip() for line in words.splitlines()]
    return "; ".join(dict.fromkeys(line for line in lines if line))
