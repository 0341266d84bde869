"""Identity of a machine, and comparison of identities, independent of the address of a host.

Clones may share the machine-id and even host keys; one machine may have several host keys and several sshd
ports. Hence two questions: a prohibition applies when anything suggests the same machine; an action or
the settling of a step requires certainty and no evidence against it.
"""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass

NOT_AN_ID: Final = frozenset({"", "uninitialized", "0" * 32})  # values in images before their first boot


@dataclass(frozen=True, slots=True)
class MachineIdentity:
    """Identity of a machine, with several independent marks."""

    label: str  # name by which the user reached it
    hostname: str | None = None  # the host's own name
    machine_id: str | None = None  # /etc/machine-id
    host_key: str | None = None  # SHA256:... of the SSH host key; None for this machine
    hostid: str | None = None  # hexadecimal, as hostid(1) prints it; pools record the hostid of their host
    boot_id: str | None = None  # of the running kernel and its ZFS; differs after every boot
    host_keys: tuple[str, ...] = ()  # SHA256:... of the host keys in its own files


def machine_id(identity: MachineIdentity) -> str | None:
    """The machine-id, if it identifies this machine."""
    return None if identity.machine_id in NOT_AN_ID else identity.machine_id


def keys(identity: MachineIdentity) -> frozenset[str]:
    """The host key proved by the connection, and those in the host's own key files."""
    return frozenset({*identity.host_keys, *filter(None, (identity.host_key,))})


def in_common(one: MachineIdentity, other: MachineIdentity) -> str:
    """Evidence that both are one machine, in words; empty when there is none."""
    if machine_id(one) is not None and machine_id(one) == machine_id(other):
        return "machine-id"
    if keys(one) & keys(other):
        return "host key"
    if one.boot_id and one.boot_id == other.boot_id:
        return "running kernel"
    return ""


def is_surely_same(one: MachineIdentity, other: MachineIdentity) -> bool:
    """Whether both are certainly one machine: same machine-id, no differing host key.

    Without machine-ids the host key decides. An equal boot id proves the same machine whatever the key.
    """
    if machine_id(one) != machine_id(other):
        return False
    if machine_id(one) is None:
        return one.host_key is not None and one.host_key == other.host_key
    if one.boot_id and one.boot_id == other.boot_id:
        return True
    if one.host_key is None or other.host_key is None:
        return True
    return one.host_key in keys(other) or other.host_key in keys(one)


def is_still_same(before: MachineIdentity, now: MachineIdentity) -> bool:
    """Whether the machine that answers now is the one that answered before, as far as its identity shows."""
    pairs = ((before.machine_id, now.machine_id), (before.host_key, now.host_key))
    return is_surely_same(before, now) or all(was == now_is for was, now_is in pairs if was is not None)
