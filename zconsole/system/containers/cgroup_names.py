r"""Container of a process, by the name of its control group.

The names are those that the engines give:

- LXC, LXD and Incus: `lxc.payload.NAME`, with `-1` and so on behind it where a folder of that name was
  left, which is not told from a name (liblxc, src/lxc/cgroups/cgroup.h, DEFAULT_PAYLOAD_CGROUP_PREFIX and
  CGROUP_CREATE_RETRY; cgfsng.c, `cgfsng_payload_create`); before version 4 `lxc/NAME`; the container's
  monitor, which is a process of the host, is in `lxc.monitor.NAME`;
- Proxmox: containers in `lxc/NUMBER` (pve-container, src/PVE/LXC.pm), QEMU in `qemu.slice/NUMBER.scope`
  (qemu-server, PVE/QemuServer.pm; pve-common, src/PVE/Systemd.pm, `enter_systemd_scope`);
- Docker: `docker-ID.scope`, or `docker/ID` with the driver cgroupfs (moby, daemon/oci_linux.go);
- Podman: `libpod-ID.scope` or `libpod-ID`, and `libpod-payload-ID` in the unit of a Quadlet, which has
  `--cgroups=split` (podman, libpod/container_internal_linux.go, `getOCICgroupPath`); its monitor in
  `libpod-conmon-ID.scope` (libpod/oci_conmon_linux.go);
- systemd-nspawn: `systemd-nspawn@NAME.service`, `machine-NAME.scope` where machined makes it (systemd,
  src/machine/machine.c), else `machine.slice/NAME.scope` (src/nspawn/nspawn-register.c, `allocate_scope`);
  the container is in `payload` below it, nspawn itself in `supervisor` (src/nspawn/nspawn-cgroup.c,
  `create_subcgroup`); escaped as by systemd-escape(1);
- libvirt: `machine-lxc\x2dID\x2dNAME.scope` (libvirt, src/util/virsystemd.c).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.container import ContainerEngine, ContainerKind

_ID: Final = "[0-9a-f]{64}"
_PAYLOAD: Final = re.compile(r"lxc\.payload[.-](.+)")
_NUMBER: Final = re.compile(r"[0-9]{3,9}", re.ASCII)
_DOCKER: Final = re.compile(rf"docker-({_ID})\.scope")
_PODMAN: Final = re.compile(rf"libpod-(?:payload-)?({_ID})(?:\.scope)?")
_LIBVIRT: Final = re.compile(r"machine-lxc-[0-9]+-(.+)\.scope")
_NSPAWN: Final = re.compile(r"(?:systemd-nspawn@(.+)\.service|machine-(?!qemu-)(.+)\.scope)")
_OWN_SCOPE: Final = re.compile(r"(.+)\.scope")
_QEMU_SCOPE: Final = re.compile(r"([0-9]{3,9})\.scope", re.ASCII)
_ESCAPED: Final = re.compile(r"\\x([0-9a-f]{2})")
SUPERVISOR, PAYLOAD = "supervisor", "payload"


@dataclass(frozen=True, slots=True)
class ContainerName:
    """Engine and name of a container. `is_inner`: its process is in a further container within it."""

    engine: ContainerEngine
    name: str
    kind: ContainerKind = ContainerKind.CONTAINER
    is_inner: bool = False


def container_of(cgroup: str) -> ContainerName | None:
    """The container that a process of this control group is in, the outermost one; None for no container."""
    found = list(_containers(cgroup))
    if not found:
        return None
    outer = found[0]
    return ContainerName(outer.engine, outer.name, outer.kind, is_inner=len(found) > 1)


def _containers(cgroup: str) -> Iterator[ContainerName]:
    parts = cgroup.split("/")
    for at, part in enumerate(parts):
        before = parts[at - 1] if at else ""
        after = parts[at + 1] if at + 1 < len(parts) else ""
        found = (
            _by_parent(part, after) or _by_itself(_plain(part), after) or _unregistered(before, part, after)
        )
        if found is not None:
            yield found


def _by_parent(part: str, after: str) -> ContainerName | None:
    """Of a part that says only with the next one what it is."""
    match part:
        case "lxc" if after and after != SUPERVISOR:
            return ContainerName(
                ContainerEngine.PROXMOX if _NUMBER.fullmatch(after) else ContainerEngine.LXC, after
            )
        case "docker" if re.fullmatch(_ID, after):
            return ContainerName(ContainerEngine.DOCKER, after)
        case "qemu.slice" if found := _QEMU_SCOPE.fullmatch(after):
            return ContainerName(ContainerEngine.PROXMOX, found[1], ContainerKind.VIRTUAL_MACHINE)
        case _:
            return None


def _by_itself(part: str, after: str) -> ContainerName | None:
    if found := _PAYLOAD.fullmatch(part):
        return ContainerName(ContainerEngine.LXC, found[1])
    if found := _DOCKER.fullmatch(part):
        return ContainerName(ContainerEngine.DOCKER, found[1])
    if found := _PODMAN.fullmatch(part):
        return ContainerName(ContainerEngine.PODMAN, found[1])
    if found := _LIBVIRT.fullmatch(part):
        return ContainerName(ContainerEngine.LIBVIRT_LXC, found[1])
    if after != SUPERVISOR and (found := _NSPAWN.fullmatch(part)):
        return ContainerName(ContainerEngine.NSPAWN, found[1] or found[2])
    return None


def _unregistered(before: str, part: str, after: str) -> ContainerName | None:
    """Of a scope that systemd-nspawn has made itself; that of a virtual machine has no payload in it."""
    found = _OWN_SCOPE.fullmatch(_plain(part)) if (before, after) == ("machine.slice", PAYLOAD) else None
    return ContainerName(ContainerEngine.NSPAWN, found[1]) if found is not None else None


def _plain(part: str) -> str:
    r"""Without the escapes of systemd: `machine-web\x2d1.scope` is of web-1."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), part)
