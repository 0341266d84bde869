"""Which machine a host is, told so that it cannot be taken for another, and who acts there."""

from __future__ import annotations

import re
from typing import Final, Protocol, runtime_checkable

from zconsole.base.errors import CommandFailed, HostError
from zconsole.hosts.host import Command, Host
from zconsole.live.ask import Asker
from zconsole.live.gather import read_hostname
from zconsole.model.facts import Identity

MACHINE_ID: Final = "/etc/machine-id"
HOSTID: Final = Command(("hostid",))
USER: Final = Command(("id",))
_USER: Final = re.compile(r"uid=(\d{1,10})(?:\(([^()\n]+)\))?")


@runtime_checkable
class HasKey(Protocol):
    """A host that proves who it is by a key."""

    @property
    def host_key(self) -> str | None:
        """The fingerprint of the key (SHA256:...) that the present connection rests on."""


async def read_identity(asker: Asker) -> Identity:
    """What tells this machine from every other; parts that it does not have are None."""
    host = asker.host
    return Identity(
        label=host.label,
        hostname=await read_hostname(asker),
        machine_id=await _line_of(host, MACHINE_ID),
        host_key=host.host_key if isinstance(host, HasKey) else None,
        hostid=await _hostid(asker),
    )


async def read_user(asker: Asker) -> tuple[str, int]:
    """The name and number of the user that commands run as. Raises HostError."""
    text = (await asker.ask(USER, kind="id")).decode("utf-8", "backslashreplace")
    found = _USER.match(text)
    if found is None:
        raise CommandFailed(f"id on {asker.host.label} does not tell who acts there", said=text[:200])
    return found[2] or found[1], int(found[1])


async def _line_of(host: Host, path: str) -> str | None:
    try:
        return (await host.read(path)).decode("utf-8", "backslashreplace").strip() or None
    except (FileNotFoundError, PermissionError):
        return None


async def _hostid(asker: Asker) -> str | None:
    completed = await asker.run(HOSTID, kind="hostid")
    if not completed.is_done and completed.status is None:
        raise HostError(f"hostid on {asker.host.label} gave no answer: {completed.reason}")
    text = completed.stdout.decode("ascii", "replace").strip()
    return text if completed.is_done and re.fullmatch(r"[0-9a-f]{1,16}", text) else None
