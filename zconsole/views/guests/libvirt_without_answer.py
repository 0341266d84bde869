"""What is said where libvirt does not answer: what is not known meanwhile, and what to do about it."""

from __future__ import annotations

from typing import Final

from zconsole.base.fixed_width_formatting import duration
from zconsole.model.guests.guest import LIBVIRT_SILENT, SESSION
from zconsole.model.host.host_state import NO_LIBVIRT, HostState

WHAT_TO_DO: Final = "See systemctl status libvirtd virtqemud; restarting it ends no guest"
RUN_ON: Final = "guests run on without libvirt; whether one is paused is not known"


def is_of_system_libvirt(problem: str) -> bool:
    """Whether a problem of a reading is that of the host's libvirt: not of containers, or of a session."""
    is_named = "libvirt" in problem or "virsh" in problem
    return is_named and SESSION not in problem and not problem.startswith(NO_LIBVIRT)


def stands_for(age_s: float | None) -> str:
    """What the guests that are shown are of; `age_s` is that of the last answer."""
    known = "nothing is known of guests" if age_s is None else f"what is shown is of {duration(age_s)} ago"
    return f"{known}: those that run go on without libvirt, and are not seen"


def unanswered(state: HostState) -> str:
    """That libvirt of a host does not answer, as a sentence without a full stop; empty where it does.

    A libvirt that is not there, or has ended, is none that hangs: it may be so on purpose.
    """
    problem = state.guests.problem
    return f"{problem}; {RUN_ON}" if problem.startswith(LIBVIRT_SILENT) else ""
