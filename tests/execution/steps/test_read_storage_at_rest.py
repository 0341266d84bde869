"""A guest and its storage right before a step, read from a host; what cannot be read stops the step."""

from __future__ import annotations

import pytest

from tests.doubles.moving_guests import GUEST, OLD, MovingGuest
from zconsole.actions.storage_at_rest import StorageAtRest
from zconsole.base.errors import CommandFailed
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.steps.read_storage_at_rest import why_not_at_rest
from zconsole.practice.libvirt.guests import SHUT_OFF


async def reading(moving: MovingGuest) -> Reader:
    await moving.nas.connect()
    asker = Asker(moving.nas)
    return Reader(asker, moving.clock, Privilege(asker))


async def test_it_is_read_from_the_host_as_it_is_then() -> None:
    moving = MovingGuest()
    moving.type(f"zfs snapshot {OLD}@s")
    wanted = StorageAtRest(moving.guest.uuid, GUEST, f"{OLD}@s", disks=(("vda", moving.disk),))
    reader = await reading(moving)

    assert "web01 is running" in await why_not_at_rest(reader, wanted)
    moving.guest.state = SHUT_OFF
    assert "" == await why_not_at_rest(reader, wanted)
    moving.fill(1, OLD)
    assert f"1.00 MiB was written to {OLD} since {OLD}@s" in await why_not_at_rest(reader, wanted)
    moving.type(f"zfs destroy {OLD}@s")
    assert "could not be read" in await why_not_at_rest(reader, wanted)


async def test_a_host_that_does_not_answer_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_words: object) -> None:
        raise CommandFailed("zfs get failed")

    monkeypatch.setattr("zconsole.execution.steps.read_storage_at_rest.read_needs", fails)
    moving = MovingGuest()

    why = await why_not_at_rest(await reading(moving), StorageAtRest(moving.guest.uuid, GUEST))

    assert "could not be read: zfs get failed" in why
