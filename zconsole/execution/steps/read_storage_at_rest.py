"""Look at a guest and its storage right before a step that relies on both being at rest."""

from __future__ import annotations

from zconsole.actions.action_spec import Needs
from zconsole.actions.storage_at_rest import StorageAtRest
from zconsole.base.errors import HostError, ParseError
from zconsole.collect.read_command_runner import in_words
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.read_facts import read_needs


async def why_not_at_rest(reader: Reader, wanted: StorageAtRest) -> str:
    """Why the step may not be sent, a clause; empty if it may. What cannot be read is a reason too."""
    needs = Needs(
        guest_states=(wanted.guest,) if wanted.is_off else (),
        stored_guests=(wanted.guest,) if wanted.needs_definition else (),
        properties=wanted.properties,
        files=wanted.images if wanted.snapshot else (),
    )
    try:
        why = wanted.why_not(await read_needs(reader, needs, ""))
        if why or not wanted.copy_on:
            return why
        of_copy = Needs(properties=wanted.properties_of_copy)
        return wanted.why_gone(await read_needs(reader.at(wanted.copy_on), of_copy, ""))
    except (HostError, ParseError) as error:
        return f"whether {wanted.name} is shut off, and its storage is as it was, could not be read: " + (
            in_words(error)
        )
