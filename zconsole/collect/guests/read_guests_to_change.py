"""Guests of `qemu:///system` for a plan that changes them, and whether this user may change them."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.guests.read_guests import read_guests
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.model.guests.guest import Guest, GuestState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.libvirt.domain_power import MAY_CHANGE, parse_state, read_state


async def read_guests_to_change(
    asker: Asker, privilege: Privilege, inventory: Inventory
) -> tuple[tuple[Guest, ...] | None, str, bool]:
    """All guests, why they could not be read, and whether the user may change them. Raises link errors."""
    async with together() as group:
        guests = group.create_task(_guests(asker, privilege, inventory))
        may_change = group.create_task(asker.run(MAY_CHANGE, kind="libvirt-access"))
    found, problem = guests.result()
    return found, problem, may_change.result().is_done


async def read_guest_states(asker: Asker, uuids: Sequence[str]) -> tuple[tuple[str, GuestState], ...]:
    """States by uuid, without those that libvirt did not tell. Raises link errors."""
    return tuple(each for each in await all_of(_state(asker, uuid) for uuid in uuids) if each is not None)


async def _guests(
    asker: Asker, privilege: Privilege, inventory: Inventory
) -> tuple[tuple[Guest, ...] | None, str]:
    try:
        return await read_guests(asker, privilege, inventory, with_sizes=False, with_datasets=False), ""
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError) as error:
        return None, in_words(error)


async def _state(asker: Asker, uuid: str) -> tuple[str, GuestState] | None:
    try:
        text = (await asker.ask(read_state(uuid), kind="guest-state")).decode("utf-8", "surrogateescape")
        return uuid, parse_state(text)
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return None
