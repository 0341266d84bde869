"""Several questions in one process of a real virsh: what fails, hangs or ends in the middle costs itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.doubles.virsh_host import URI, asked
from tests.libvirtd.sandbox import Sandbox, entering
from zconsole.collect.guests.guest_source_protocol_and_virsh import VirshSource
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.hosts.local.local_host import LocalHost
from zconsole.system.libvirt.disk_errors import disk_errors, parse_disk_errors
from zconsole.system.libvirt.domain_xml import dump_xml, parse_domain

NOBODY = "00000000-0000-4000-8000-000000000000"
SOON_S = 3.0

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]


class Inside(LocalHost):
    """This machine, whose commands run in the sandbox."""

    def __init__(self, virt: Sandbox) -> None:
        super().__init__()
        self._enter = entering(virt.pid)

    async def run(self, command: Command) -> Completed:
        completed = await super().run(replace(command, argv=(*self._enter, *command.argv)))
        return replace(completed, command=command)


@pytest.fixture
async def inside(virt: Sandbox) -> AsyncIterator[Inside]:
    """Three guests: two that run, and one that is off."""
    folder = virt.storage("vm", "64m")
    for name in ("web01", "db02", "off03"):
        virt.define(name, f"{folder}/{name}.qcow2")
    for name in ("web01", "db02"):
        virt.virsh("start", name)
    host = Inside(virt)
    await host.connect()
    yield host
    await host.close()


async def uuids_by_name(host: Inside) -> dict[str, str]:
    source = VirshSource(Asker(host))
    read = [await source.definition(uuid) for uuid in await source.uuids()]
    return {each.name: each.uuid for each in read}


async def test_all_definitions_and_lists_come_from_one_process(virt: Sandbox, inside: Inside) -> None:
    uuids = await uuids_by_name(inside)
    before = len(virt.calls())
    asker = Asker(inside)

    *definitions, listed, paused = await asyncio.gather(
        *(asker.run(dump_xml(URI, each), kind=each) for each in uuids.values()),
        asker.run(asked("list", "--all", "--uuid"), kind="all"),
        asker.run(asked("list", "--state-paused", "--uuid"), kind="paused"),
    )

    assert list(uuids) == [parse_domain(each.stdout.decode()).name for each in definitions]
    assert sorted(uuids.values()) == sorted(listed.stdout.decode().split())
    assert (0, []) == (paused.status, paused.stdout.decode().split())
    assert 1 == len(virt.calls()) - before


async def test_a_guest_that_is_not_there_is_asked_for_again_and_the_others_are_told(
    virt: Sandbox, inside: Inside
) -> None:
    uuids = await uuids_by_name(inside)
    before = len(virt.calls())
    asker = Asker(inside)

    first, gone, last = await asyncio.gather(
        *(asker.run(dump_xml(URI, each), kind=each) for each in (uuids["web01"], NOBODY, uuids["off03"]))
    )

    assert ["web01", "off03"] == [parse_domain(each.stdout.decode()).name for each in (first, last)]
    assert Outcome.FAILED is gone.outcome
    assert f"failed to get domain '{NOBODY}'" in gone.said
    assert 2 == len(virt.calls()) - before


async def test_a_guest_whose_qemu_hangs_costs_itself(virt: Sandbox, inside: Inside) -> None:
    uuids = await uuids_by_name(inside)
    virt.run("pkill", "-STOP", "-f", "guest=web01")
    asker = Asker(inside, timeout_s=SOON_S)
    try:
        definition, hangs, answers = await asyncio.gather(
            asker.run(dump_xml(URI, uuids["web01"]), kind="definition"),
            asker.run(disk_errors(URI, uuids["web01"]), kind="web01"),
            asker.run(disk_errors(URI, uuids["db02"]), kind="db02"),
        )
    finally:
        virt.run("pkill", "-CONT", "-f", "guest=web01")

    assert "web01" == parse_domain(definition.stdout.decode()).name
    assert Outcome.UNKNOWN is hangs.outcome
    assert disk_errors(URI, uuids["web01"]).argv == hangs.command.argv
    assert {} == parse_disk_errors(answers.stdout.decode())


async def test_without_libvirtd_each_question_fails_in_its_words(virt: Sandbox, inside: Inside) -> None:
    uuids = await uuids_by_name(inside)
    virt.signal_libvirtd("KILL")
    virt.until_dead()
    before = len(virt.calls())
    asker = Asker(inside)

    found = await asyncio.gather(*(asker.run(dump_xml(URI, each), kind=each) for each in uuids.values()))

    assert [Outcome.FAILED] * 3 == [each.outcome for each in found]
    assert all("Failed to connect socket" in each.said for each in found)
    assert 1 == len(virt.calls()) - before
