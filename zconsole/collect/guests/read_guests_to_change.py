"""Guests for a plan that changes them, and whether this user may change those of `qemu:///system`.

Beside the system's guests these are those of `qemu:///session` of the user that commands run as.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.guests.guest_source_protocol_and_virsh import VirshSource
from zconsole.collect.guests.read_guests import read_guests
from zconsole.collect.guests.session_by_virsh import session_by_virsh
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.model.guests.guest import SYSTEM, Guest, GuestState, uuid_and_uri
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.libvirt.domain_power import MAY_CHANGE, parse_state, read_state

DEFINITIONS_WITHIN_S: Final = 60.0  # of a plan, which waits for the guest that it names


async def read_guests_to_change(
    asker: Asker, privilege: Privilege, inventory: Inventory, *, may_change: bool = False
) -> tuple[tuple[Guest, ...] | None, str, bool]:
    """All guests, why they could not be read, and whether the user may change them. Raises link errors.

    With `may_change` it was told before that the user may.
    """
    async with together() as group:
        guests = group.create_task(_guests(asker, privilege, inventory))
        asked = None if may_change else group.create_task(asker.run(MAY_CHANGE, kind="libvirt-access"))
    found, problem = guests.result()
    return found, problem, asked is None or asked.result().is_done


async def read_guest_states(asker: Asker, addresses: Sequence[str]) -> tuple[tuple[str, GuestState], ...]:
    """States by address, without those that libvirt did not tell. Raises link errors."""
    return tuple(each for each in await all_of(_state(asker, each) for each in addresses) if each is not None)


async def _guests(
    asker: Asker, privilege: Privilege, inventory: Inventory
) -> tuple[tuple[Guest, ...] | None, str]:
    """The guests of all that answer, None where none does, and what is wrong with the others."""
    found: tuple[Guest, ...] | None = None
    problems: list[str] = []
    for source in (VirshSource(asker), await _session(asker, privilege)):
        if source is None:
            continue
        try:
            read = await read_guests(
                asker,
                privilege,
                inventory,
                sources=(source,),
                with_sizes=False,
                with_datasets=False,
                within_s=DEFINITIONS_WITHIN_S,
            )
        except LinkLost:
            raise
        except Stuck as error:
            if source.connection == SYSTEM:
                raise
            problems.append(in_words(error))
        except (CommandFailed, ParseError) as error:
            problems.append(in_words(error))
        else:
            found = (*(found or ()), *read)
    return found, "; ".join(problems)


async def _session(asker: Asker, privilege: Privilege) -> VirshSource | None:
    try:
        return await session_by_virsh(asker, privilege)
    except LinkLost:
        raise
    except (CommandFailed, ParseError, Stuck):
        return None


async def _state(asker: Asker, address: str) -> tuple[str, GuestState] | None:
    try:
        text = await asker.ask(read_state(*uuid_and_uri(address)), kind="guest-state")
        return address, parse_state(text.decode("utf-8", "surrogateescape"))
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return None
