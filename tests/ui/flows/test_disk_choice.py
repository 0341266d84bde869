"""The disks that are offered for a plan: their age, whether they are read, and why they could not be."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from tests.ui.frames import make_app, source_of
from zconsole.actions.intent import Intent
from zconsole.model.host.host_state import HostState, Reading
from zconsole.ui.flows.disk_choice import PATIENCE_S, OfferedDisks
from zconsole.views.layout.styled_text import plain

ASKED = 1000.0


def offered(state: HostState, *, after_s: float, read_s: float | None) -> OfferedDisks:
    """The disks some seconds after they were asked for; `read_s` is when they were read, from then."""
    at = None if read_s is None else ASKED + read_s
    known = replace(state, inventory=replace(state.inventory, taken_at=at))
    app = make_app(known)
    source_of(app).replace(known, monotonic=ASKED)
    found = OfferedDisks(app, state.host, Intent("replace", "tank", ("sdc",)))
    found.read_again()
    source_of(app).replace(known, monotonic=ASKED + after_s)
    return found


def test_a_new_reading_is_asked_of_this_host_alone() -> None:
    state = states.degraded()
    disks = offered(state, after_s=1.0, read_s=-5.0)

    assert [state.host] == source_of(disks.app).refreshed
    assert plain(disks.heading()[0]).startswith(f"{state.host} · ")


def test_until_the_answer_the_disks_of_before_are_there_and_are_being_read() -> None:
    state = states.degraded()

    before = offered(state, after_s=1.0, read_s=-5.0).known()
    after = offered(state, after_s=3.0, read_s=2.0).known()

    assert (6.0, True, "") == (before.age_s, before.is_reading, before.problem)
    assert (1.0, False, "") == (after.age_s, after.is_reading, after.problem)
    assert before.choices


def test_a_host_that_does_not_answer_in_time_is_said() -> None:
    state = states.degraded()

    known = offered(state, after_s=PATIENCE_S + 1.0, read_s=-5.0).known()

    assert "the host has not answered yet" == known.problem
    assert known.choices


def test_its_own_words_stand_before_ours() -> None:
    state = states.degraded()
    broken = replace(state, inventory=Reading(problem="lsblk: not found"))

    known = offered(broken, after_s=PATIENCE_S + 1.0, read_s=None).known()

    assert (None, True, "lsblk: not found") == (known.age_s, known.is_reading, known.problem)


def test_a_host_that_is_gone_offers_nothing() -> None:
    state = states.degraded()
    disks = offered(state, after_s=1.0, read_s=-5.0)
    source_of(disks.app).replace()

    assert ((), "the host is gone") == (disks.known().choices, disks.known().problem)
