"""Flow of choosing disks for a change, with a refreshed inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zconsole.actions.disk_choices import disk_choices, is_for_one_vdev
from zconsole.actions.known_facts import known_facts
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.analysis.vdevs.new_disk_health_and_age import NewDisks
from zconsole.base.lazy_dataclass import dataclass
from zconsole.ui.dialogs.disk_chooser import DiskDialog, KnownDisks
from zconsole.views.changes.disk_choices import disk_wanted, no_trouble
from zconsole.views.layout.styled_text import EMPTY, Line, line

if TYPE_CHECKING:
    from zconsole.actions.action_spec import Argument
    from zconsole.actions.intent import Intent
    from zconsole.model.host.host_state import HostState
    from zconsole.model.host.plan_facts import PlanFacts
    from zconsole.ui.app_protocol import ConsoleApp

PATIENCE_S: Final = 15.0  # for lsblk; a dying disk makes it slow


async def choose_disks(
    app: ConsoleApp, host: str, argument: Argument, wanted: Intent, former: tuple[str, ...] = ()
) -> tuple[str, ...] | None:
    """Return the words of the chosen disks for a plan, or None; `former` ones are chosen at its start."""
    offered = OfferedDisks(app, host, wanted)
    offered.read_again()
    dialog = DiskDialog(
        app.paint,
        offered.heading(),
        offered.known,
        offered.read_again,
        is_many=argument.is_repeated,
        is_for_one_vdev=is_for_one_vdev(wanted),
        start=former,
    )
    return await app.push_screen_wait(dialog)


@dataclass(slots=True)
class OfferedDisks:
    """The disks of a host for an intent, as last read, and when they were last asked for."""

    app: ConsoleApp
    host: str
    wanted: Intent
    asked: float = 0.0  # monotonic seconds

    def read_again(self) -> None:
        """Ask for a new reading of the host."""
        self.asked = self.app.states.monotonic()
        self.app.states.refresh(self.host)

    def heading(self) -> tuple[Line, ...]:
        """Return what disk is wanted, and whether anything is wrong with the one to be replaced."""
        state = self._state()
        facts = self._facts(state) if state is not None else None
        about = disk_wanted(self.wanted, facts) if facts is not None else ()
        sound = no_trouble(self.wanted, facts, host_disks(state)) if state is not None and facts else EMPTY
        first = line((self.host, self.app.host_colour(self.host)), (" · ", "dim"), *about)
        return (first, sound) if sound else (first,)

    def known(self) -> KnownDisks:
        """Return the choices of the newest reading."""
        state = self._state()
        if state is None:
            return KnownDisks((), None, problem="the host is gone")
        reading, now = state.inventory, self.app.states.monotonic()
        age_s = reading.age(now)
        is_reading = age_s is None or age_s > now - self.asked
        problem = reading.problem
        if is_reading and now - self.asked > PATIENCE_S:
            problem = problem or "the host has not answered yet"
        condition = NewDisks(host_disks(state), state.read_tests)
        choices = disk_choices(self.wanted, self._facts(state), condition)
        return KnownDisks(choices, age_s, is_reading=is_reading, problem=problem)

    def _facts(self, state: HostState) -> PlanFacts:
        policy = self.app.operations.policy(self.host)
        return known_facts(state, self.app.states.now(), policy, self.wanted.target)

    def _state(self) -> HostState | None:
        return next((state for state in self.app.states.newest() if state.host == self.host), None)
