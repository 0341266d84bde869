"""Whether two identities are of one machine: by what it is, not by how it was reached.

Clones may share the machine-id, and even host keys; one machine may have several host keys, and an sshd on
several ports. So there are two questions. What forbids asks whether anything speaks for it; what acts or
settles asks whether it is sure, and nothing speaks against it.
"""

from __future__ import annotations

from typing import Final

from zconsole.model.host.plan_facts import MachineIdentity

NOT_AN_ID: Final = frozenset({"", "uninitialized", "0" * 32})  # what images have before their first boot


def machine_id(identity: MachineIdentity) -> str | None:
    """The machine-id, where it tells this machine from others."""
    return None if identity.machine_id in NOT_AN_ID else identity.machine_id


def keys(identity: MachineIdentity) -> frozenset[str]:
    """The host key that it proved to have, and those that its own files name."""
    return frozenset({*identity.host_keys, *filter(None, (identity.host_key,))})


def in_common(one: MachineIdentity, other: MachineIdentity) -> str:
    """What speaks for one machine, in words; nothing where nothing does."""
    if machine_id(one) is not None and machine_id(one) == machine_id(other):
        return "machine-id"
    if keys(one) & keys(other):
        return "host key"
    if one.boot_id and one.boot_id == other.boot_id:
        return "running kernel"
    return ""


def is_surely_same(one: MachineIdentity, other: MachineIdentity) -> bool:
    """Whether both are one machine: the same machine-id, and no other host key.

    Where neither has a machine-id the host key decides. One boot has one ZFS, whichever key it shows.
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
    """Whether what answers is the machine that answered before under this name, as far as both tell."""
    pairs = ((before.machine_id, now.machine_id), (before.host_key, now.host_key))
    return is_surely_same(before, now) or all(was == now_is for was, now_is in pairs if was is not None)
