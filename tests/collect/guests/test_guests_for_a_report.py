"""Guests beside another reading: they never cost that reading anything."""

from __future__ import annotations

import pytest

from tests.collect.guests.test_guests_in_trouble import ROOT
from tests.collect.guests.test_read_guests import VIRSH, host
from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.collect.guests.guests_for_a_report import read_guests_for_report
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import Reading


async def read(made: ScriptedHost) -> Reading[tuple[Guest, ...]]:
    made.answers["id"] = ROOT
    return await read_guests_for_report(Asker(made), ManualClock(0), within_s=5.0)


async def test_all_guests_are_read() -> None:
    found = await read(host())

    assert ["db02", "web01"] == [each.name for each in found.value or ()]
    assert "" == found.problem


async def test_where_there_is_no_guest_one_command_is_enough() -> None:
    made = host()
    made.answers[f"{VIRSH} domstats"] = b"\n"

    assert () == (await read(made)).value
    assert 1 == len(made.commands)


async def test_a_host_without_virsh_has_no_problem_and_no_guests() -> None:
    made = host()
    made.answers[f"{VIRSH} domstats"] = failed("virsh", 127, b"virsh: not found")

    assert Reading() == await read(made)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failed("virsh", 1, b"error: no daemon"), "no daemon"),
        (HANG, "gave no answer"),
        (b"rubbish", "virsh domstats, line 1"),
    ],
)
async def test_a_libvirt_that_does_not_answer_is_a_problem_in_words(answer: object, words: str) -> None:
    made = host()
    made.answers[f"{VIRSH} domstats"] = answer

    found = await read(made)

    assert None is found.value
    assert words in found.problem
