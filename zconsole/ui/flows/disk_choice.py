"""Flow of choosing disks for a change, with a refreshed inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zconsole.actions.available_actions import known_facts
from zconsole.actions.disk_choices import disk_choices
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.analysis.vdevs.new_disk import NewDisks
from zconsole.ui.dialogs.disk_chooser import DiskDialog, KnownDisks
from zconsole.views.changes.disk_choices import disk_wanted
from zconsole.views.layout.styled_text import line

if TYPE_CHECKING:
    from zconsole.actions.action_spec import Argument
    from zconsole.actions.intent import Intent
    from zconsole.model.host.host_state import HostState
    from zconsole.model.host.plan_facts import PlanFacts
    from zconsole.ui.app_protocol import ConsoleApp

PATIENCE_S: Final = 15.0  # for lsblk; a dying disk makes it slow
AGAIN_S: Final = 30.0  # while the list is open


async def choose_disks(
    app: ConsoleApp, host: str, argument: Argument, wanted: Intent
) -> tuple[str, ...] | None:
    """Return the words of the chosen disks for a plan, or None."""
    asked = app.states.monotonic()
    app.states.refresh(host)

    def facts(state: HostState) -> PlanFacts:
        return known_facts(state, app.states.now(), app.operations.policy(host), wanted.target)

    def known() -> KnownDisks:
        nonlocal asked
        state = _state(app, host)
        if state is None:
            return KnownDisks((), None, problem="the host is gone")
        reading, now = state.inventory, app.states.monotonic()
        age_s = reading.age(now)
        is_reading = age_s is None or age_s > now - asked
        problem = reading.problem
        if is_reading and now - asked > PATIENCE_S:
            problem = problem or "the host has not answered yet"
        if now - asked > AGAIN_S:
            asked = now
            app.states.refresh(host)
        condition = NewDisks(host_disks(state), state.read_tests)
        return KnownDisks(
            disk_choices(wanted, facts(state), condition), age_s, is_reading=is_reading, problem=problem
        )

    state = _state(app, host)
    about = disk_wanted(wanted, facts(state)) if state is not None else ()
    heading = line((host, app.host_colour(host)), (" · ", "dim"), *about)
    return await app.push_screen_wait(DiskDialog(app.paint, heading, known, is_many=argument.is_repeated))


def _state(app: ConsoleApp, host: str) -> HostState | None:
    return next((state for state in app.states.newest() if state.host == host), None)
