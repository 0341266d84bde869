"""Guests and containers as one answer: where one is missing the other is told."""

from __future__ import annotations

from tests.collect.guests.test_read_all_containers import NAMES, with_names
from tests.collect.guests.test_read_guests import VIRSH
from tests.doubles.guests_on_storage import guest_on, on_volume
from tests.doubles.scripted_host import failed
from zconsole.base.clock import SystemClock
from zconsole.collect.guests.guests_and_containers_for_a_report import (
    read_residents_for_report,
    with_containers,
)
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.container import Container, ContainerEngine, ContainerState
from zconsole.model.host.host_state import Reading

WEB = guest_on("web01", on_volume("tank/v"))
BOX = Container(ContainerEngine.INCUS, "box", state=ContainerState.RUNNING)


def test_both_are_in_one_list_with_both_problems() -> None:
    found = with_containers(Reading((WEB,), 1.0, "a"), Reading((BOX,), 1.0, "b"))

    assert ["web01", "box"] == [each.name for each in found.value or ()]
    assert "a; b" == found.problem


def test_without_libvirt_containers_are_told_and_without_both_nothing() -> None:
    assert ["box"] == [each.name for each in with_containers(Reading(), Reading((BOX,), 1.0)).value or ()]
    assert Reading(problem="b") == with_containers(Reading(), Reading((), 1.0, "b"))


async def test_a_host_without_libvirt_is_asked_for_its_containers() -> None:
    made = with_names()
    made.answers[f"{VIRSH} domstats"] = failed("virsh", 127, b"virsh: not found")
    made.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    made.answers["ls -1d --"] = failed("ls", 2, b"no such file")

    found = await read_residents_for_report(Asker(made), SystemClock())

    assert ["web1"] == [each.name for each in found.value or ()]
    assert NAMES not in made.commands
