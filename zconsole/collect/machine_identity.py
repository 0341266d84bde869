"""Identity of the machine behind a host."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Final, Protocol, runtime_checkable

from zconsole.base.errors import CommandFailed, HostError, LinkLost
from zconsole.base.escape_control_characters import decoded
from zconsole.collect.concurrent_reads import together
from zconsole.collect.privilege import read_user
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.collect.read_host import read_hostname
from zconsole.hosts.host import Command, Host, Outcome, connection_of
from zconsole.model.host.connected_machine_and_user import KnownMachine
from zconsole.model.host.machine_identity import MachineIdentity

MACHINE_ID: Final = "/etc/machine-id"
BOOT_ID: Final = "/proc/sys/kernel/random/boot_id"
PUBLIC_KEYS: Final = tuple(f"/etc/ssh/ssh_host_{kind}_key.pub" for kind in ("ed25519", "ecdsa", "rsa"))
LONGEST_KEY_BYTES: Final = 16 * 1024
HOSTID: Final = Command(("hostid",))
_HOSTID: Final = re.compile(r"[0-9a-f]{1,16}")


@runtime_checkable
class ProvenByKey(Protocol):
    """Host that proves its identity by a key."""

    @property
    def host_key(self) -> str | None:
        """Fingerprint (SHA256:...) of the host key of the present connection."""


async def read_identity(asker: Asker) -> MachineIdentity:
    """Read the machine's identity; missing parts are None. Raises HostError."""
    host = asker.host
    async with together() as group:
        hostname = group.create_task(read_hostname(asker))
        machine_id = group.create_task(_line_of(host, MACHINE_ID))
        boot_id = group.create_task(_line_of(host, BOOT_ID))
        hostid = group.create_task(_hostid(asker))
    return MachineIdentity(
        label=host.label,
        hostname=hostname.result(),
        machine_id=machine_id.result(),
        host_key=host.host_key if isinstance(host, ProvenByKey) else None,
        hostid=hostid.result(),
        boot_id=boot_id.result(),
    )


async def read_machine(asker: Asker) -> KnownMachine:
    """Identity and user of the present connection. Raises HostError and ParseError."""
    connection = connection_of(asker.host)
    async with together() as group:
        identity = group.create_task(read_identity(asker))
        user = group.create_task(read_user(asker))
    if connection != connection_of(asker.host):
        raise CommandFailed(f"the connection to {asker.host.label} was renewed while its machine was read")
    return KnownMachine(identity.result(), user.result(), connection)


async def read_own_keys(host: Host) -> tuple[str, ...]:
    """Fingerprints (SHA256:...) of the host keys in the machine's files; at most one is proved.

    Raises HostError only where the connection was lost.
    """
    found: list[str] = []
    for path in PUBLIC_KEYS:
        try:
            words = (await host.read(path, max_bytes=LONGEST_KEY_BYTES)).split()
            digest = hashlib.sha256(base64.b64decode(words[1], validate=True)).digest()
        except (FileNotFoundError, PermissionError, IndexError, binascii.Error):
            continue
        except LinkLost:
            raise
        except HostError:
            continue
        found.append(f"SHA256:{base64.b64encode(digest).decode('ascii').rstrip('=')}")
    return tuple(found)


async def _line_of(host: Host, path: str) -> str | None:
    try:
        return decoded(await host.read(path)).strip() or None
    except (FileNotFoundError, PermissionError):
        return None


async def _hostid(asker: Asker) -> str | None:
    completed = await asker.run(HOSTID, kind="hostid")
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    text = completed.stdout.decode("ascii", "replace").strip()
    return text if completed.is_done and _HOSTID.fullmatch(text) else None
