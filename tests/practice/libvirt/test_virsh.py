"""virsh and qemu-img of the practice host: read by the parsers of real ones."""

from __future__ import annotations

import pytest

from zconsole.hosts.host import Command
from zconsole.model.guests.guest import GuestState, SourceKind
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.libvirt.guests import IO_ERROR, PAUSED, RUNNING, PracticeImage, chain
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.host_world import World
from zconsole.system.libvirt.domain_stats import domain_stats, parse_domain_stats
from zconsole.system.libvirt.domain_xml import dump_xml, parse_domain
from zconsole.system.libvirt.list_guests import list_all, list_running, parse_uuids
from zconsole.system.libvirt.qemu_img import image_chain, parse_image_chain

URI = "qemu:///system"
NOW = 1_795_000_000.0


@pytest.fixture(scope="module")
def world() -> World:
    return demo_world(NOW)


def said(world: World, command: Command) -> str:
    reply = answer(world, command.argv)
    assert isinstance(reply, Reply)
    assert (0, "") == (reply.status, reply.stderr)
    return reply.stdout


def test_active_guests_are_listed_and_all_with_those_that_are_off(world: World) -> None:
    active, every = parse_uuids(said(world, list_running(URI))), parse_uuids(said(world, list_all(URI)))

    assert (24, 26) == (len(active), len(every))
    assert set(active) < set(every)


def test_a_guest_on_a_volume_is_told_by_its_definition_and_by_the_list_of_its_disks(world: World) -> None:
    uuid = next(each.uuid for each in world.guests if each.name == "db01")

    definition = parse_domain(said(world, dump_xml(URI, uuid)))
    (disk,) = definition.disks

    assert ("db01", True) == (definition.name, definition.is_agent_connected)
    assert (SourceKind.BLOCK, "/dev/zvol/tank/vm/db01") == (disk.kind, disk.source)


def test_the_counters_have_the_size_of_the_volume(world: World) -> None:
    found = {each.name: each for each in parse_domain_stats(said(world, domain_stats(URI)))}

    size = world.pools["tank"].datasets["tank/vm/db01"].volsize
    assert (GuestState.RUNNING, size) == (found["db01"].state, found["db01"].disks[0].capacity_bytes)
    assert GuestState.SHUT_OFF is found["web01-test"].state


def test_a_paused_guest_counts_no_io() -> None:
    world = demo_world(NOW)
    guest = next(each for each in world.guests if each.name == "web01")

    def reads() -> int | None:
        read = parse_domain_stats(said(world, domain_stats(URI)))
        return next(each for each in read if each.name == "web01").disks[0].reads

    before = reads()
    assert before is not None
    guest.state = PAUSED
    world.pools["tank"].logical_reads += 1e9
    assert before == reads()
    guest.state = RUNNING
    assert before < (reads() or 0)


def test_a_guest_that_met_an_error_is_paused_with_the_reason() -> None:
    made = demo_world(NOW)
    made.guests[0].state, made.guests[0].reason = PAUSED, IO_ERROR

    found = {each.name: each for each in parse_domain_stats(said(made, domain_stats(URI)))}

    assert (GuestState.PAUSED, IO_ERROR) == (
        found[made.guests[0].name].state, found[made.guests[0].name].reason
    )  # fmt: skip


def test_a_chain_of_images_is_told_from_above(world: World) -> None:
    path = "/tank/vm/images/mail01.qcow2"

    assert [path, "/tank/vm/images/debian-13.qcow2"] == [
        each.path for each in parse_image_chain(said(world, image_chain(path, "qcow2")))
    ]


def test_a_chain_that_leads_back_to_itself_ends() -> None:
    images = {name: PracticeImage(name, "qcow2", 1, 1, backing=other) for name, other in ("ab", "ba")}

    assert ["a", "b"] == [each.path for each in chain(images, "a")]


@pytest.mark.parametrize(
    "argv",
    [
        ("virsh", "-r", "dumpxml", "nobody"),
        ("virsh", "-r", "destroy", "db01"),
        ("virsh",),
        ("qemu-img", "info", "--output=json", "/no/such"),
        ("qemu-img", "create", "x"),
    ],
)
def test_anything_else_is_refused(world: World, argv: tuple[str, ...]) -> None:
    reply = answer(world, argv)

    assert isinstance(reply, Reply)
    assert 1 == reply.status
    assert reply.stderr


def test_other_practice_hosts_have_no_libvirt() -> None:
    reply = answer(create_world("mirror 0 1"), ("virsh", "list"))

    assert isinstance(reply, Reply)
    assert 127 == reply.status


def test_a_line_of_several_commands_goes_on_behind_one_that_fails(world: World) -> None:
    uuid = next(each.uuid for each in world.guests if each.name == "db01")
    line = f"dumpxml nosuch; echo mark; dumpxml {uuid}; echo mark; list --all --uuid; echo mark"

    reply = answer(world, ("virsh", "-r", "-q", "-c", URI, line))

    assert isinstance(reply, Reply)
    failed, definition, listed, behind = reply.stdout.split("mark")
    assert ("", "", 0) == (failed, behind, reply.status)
    assert "error: failed to get domain 'nosuch'\n" == reply.stderr
    assert "db01" == parse_domain(definition).name
    assert 26 == len(parse_uuids(listed))


def test_the_last_command_of_a_line_tells_its_status(world: World) -> None:
    with_error = answer(world, ("virsh", "-r", "-q", "-c", URI, "list --uuid; dumpxml nosuch"))

    assert isinstance(with_error, Reply)
    assert 1 == with_error.status
