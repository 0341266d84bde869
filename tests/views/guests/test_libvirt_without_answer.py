"""Where libvirt does not answer: what is not known, and since when; nothing is said of other troubles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.guests.guest import LIBVIRT_SILENT
from zconsole.model.host.host_state import NO_LIBVIRT, Reading
from zconsole.reports.monitoring_check import check_host, check_line
from zconsole.reports.text.status import status_lines
from zconsole.views.guests.libvirt_without_answer import is_of_system_libvirt, stands_for, unanswered

SILENT = f"{LIBVIRT_SILENT}: virsh domstats on nas1 gave no answer: no answer within 5 s"


@pytest.mark.parametrize(
    ("is_said", "problem"),
    [
        (True, SILENT),
        (True, "virsh domstats on nas1 hangs; no second one is sent"),
        (True, "virsh domstats on nas1 failed (exit 1): failed to connect to the hypervisor"),
        (False, ""),
        (False, NO_LIBVIRT),
        (False, f"{NO_LIBVIRT}, and libvirt-python did not connect: refused"),
        (False, "libvirt of nas1 (qemu:///session) has not answered in 2 s"),
        (False, "the mounts of containers could not be read"),
    ],
)
def test_the_libvirt_of_the_host_is_meant(problem: str, *, is_said: bool) -> None:
    assert is_said is is_of_system_libvirt(problem)


def test_what_is_shown_has_its_age() -> None:
    assert "what is shown is of 2m ago: those that run go on without libvirt, and are not seen" == stands_for(
        120.0
    )
    assert "nothing is known of guests: those that run go on without libvirt, and are not seen" == stands_for(
        None
    )


def test_status_and_check_say_that_guests_are_not_known_and_why() -> None:
    state = replace(states.healthy(), guests=Reading(problem=SILENT))

    told = list(status_lines(state, (), states.NOW))
    line = check_line([check_host(state, ())], Thresholds())

    assert (f"Guests: {SILENT}; guests run on without libvirt; whether one is paused is not known.") in told
    assert any("systemctl status libvirtd virtqemud" in each for each in told)
    assert SILENT in line
    assert line.startswith("ZFS OK")


def test_a_libvirt_that_is_not_there_is_no_news() -> None:
    state = replace(states.healthy(), guests=Reading(problem="virsh domstats on nas1 failed (exit 1)"))

    assert "" == unanswered(state)
