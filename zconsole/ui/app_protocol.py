"""Protocol of the app for screens, dialogs and flows: states, navigation, actions, themes."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual.app import App
from textual.binding import BindingType
from textual.screen import ModalScreen
from textual.worker import Worker, get_current_worker

from zconsole.actions.intent import Intent, Target
from zconsole.base.notifications.silences import Silence, add_silence
from zconsole.base.size_units import use_size_units
from zconsole.base.user_config_file import Config, config_folder
from zconsole.model.host.host_state import HostState
from zconsole.ui.findings_cache import Judge
from zconsole.ui.key_bindings_and_palette import RegistryCommands, app_bindings
from zconsole.ui.line_to_strip import Paint, has_light_background, speaks_utf8, wants_ansi
from zconsole.ui.repair_notifications import RepairCalls
from zconsole.ui.screens_by_name import (
    ALERTS,
    CHANGE_FLOW,
    CHANGES,
    FREE_SPACE_FLOW,
    HOST_KEY_DIALOG,
    PROCEDURE_FLOW,
    TOUR,
    loaded,
    screen_at,
)
from zconsole.ui.terminal.bell_and_title import Attention
from zconsole.ui.terminal.driver import ConsoleDriver
from zconsole.ui.theme_files import ANSI_THEME, HOST_STYLE, LIGHT_ANSI_THEME, Themes
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.screen_key_registry import EVERYWHERE, Action

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from zconsole.model.exercise import Exercise
    from zconsole.model.pools.pool import Pool, Vdev
    from zconsole.model.run import Run
    from zconsole.service.screen_protocols import Operations, Queries, Service, States
    from zconsole.storage.alerts.alert_store import AlertStore
    from zconsole.ui.alert_calls import AlertCalls
    from zconsole.ui.changes_in_progress import ChangesInProgress
    from zconsole.ui.screens_by_name import ChangeFlow, DialogsAhead, FrontScreen, Want
    from zconsole.ui.tour import Tour
    from zconsole.views.datasets.free_space_proposal import ReclaimAnswer
    from zconsole.views.pools.pool_page import ShownPool
    from zconsole.views.pools.vdev_rows import VdevRow


INTERVALS_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)


class ConsoleApp(App[None], inherit_css=False):
    """App as seen by screens: the newest states with findings, and access to every screen by name."""

    # Textual's own style sheets of app, screen and input are a half of what is parsed before the first frame,
    # and most of them is of widgets and states that the console has none of.
    DEFAULT_CSS = """
    ConsoleApp { background: $background; color: $foreground; }
    ConsoleApp:ansi { background: ansi_default; color: ansi_default; }
    ConsoleApp:ansi .-ansi-scrollbar {
        scrollbar-background: ansi_default; scrollbar-background-hover: ansi_default;
        scrollbar-background-active: ansi_default; scrollbar-color: ansi_blue;
        scrollbar-color-active: ansi_bright_blue; scrollbar-color-hover: ansi_bright_blue;
        scrollbar-corner-color: ansi_default;
    }
    """

    gate: DialogsAhead

    TITLE = "zconsole"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar = {RegistryCommands}
    BINDINGS: ClassVar[list[BindingType]] = app_bindings()
    CSS = """
    Screen { background: $background; color: $foreground; }
    CommandPalette { background: $background; }
    CommandPalette SearchIcon { display: none; }
    CommandPalette > Vertical { margin-top: 1; }
    CommandPalette CommandList { max-height: 75vh; }
    CommandPalette.-low > Vertical { margin-top: 0; }
    CommandPalette.-low #--input { border: none; height: 1; }
    CommandPalette.-low CommandInput { border: none; height: 1; padding: 0 2; }
    CommandPalette.-low CommandList { border: none; max-height: 85vh; }
    """

    def __init__(  # noqa: PLR0913  # a test brings its own of most
        self,
        service: Service,
        config: Config | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        themes: Themes | None = None,
        exercise: Exercise | None = None,
        open_alerts: Callable[[], AlertStore] | None = None,
    ) -> None:
        env = os.environ if environment is None else environment
        self.has_no_color = env.get("NO_COLOR") is not None
        # Filters are chosen in the constructor: an ANSI theme set later would be painted black on black.
        super().__init__(driver_class=ConsoleDriver, ansi_color=True if self.has_no_color else None)
        self.animation_level = "none"
        self.states: States = service.states
        self.queries: Queries = service.queries
        self.operations: Operations = service.operations
        self.config = config or Config()
        use_size_units(self.config.units)
        self.exercise = exercise
        self.interval_s = self.config.interval_s
        self.themes = themes or Themes(config_folder() / "themes")
        chosen = self.themes.get(self._theme_for(env))
        self.paint = Paint(chosen, is_ascii=not speaks_utf8(env))
        self.register_theme(chosen.textual())
        self.theme = chosen.name
        self.is_first_frame_shown = False
        self._judge = Judge(self.config)
        self.repairs = RepairCalls(self)
        self._open_alerts = open_alerts
        self._changes: ChangesInProgress | None = None
        self.environment = env
        self.tour: Tour | None = None
        self.planned: dict[
            tuple[str, str], Mapping[str, str]
        ] = {}  # typed into the planner, by host and pool
        self._acting: Worker[object] | None = None
        self._wanted: frozenset[Want] = frozenset()

    def _theme_for(self, env: Mapping[str, str]) -> str | None:
        """The theme of the configuration, or one that the terminal can show."""
        if self.has_no_color:
            return ANSI_THEME
        if self.config.theme or not wants_ansi(env):
            return self.config.theme
        return LIGHT_ANSI_THEME if has_light_background(env) else ANSI_THEME

    @cached_property
    def alerts(self) -> AlertCalls:
        """What calls the user; loaded behind the first frame, which has none."""
        calls: AlertCalls = loaded(ALERTS)(self, self._open_alerts)
        return calls

    @property
    def changes(self) -> ChangesInProgress:
        """Confirmed plans whose runs have not ended; made when first asked for."""
        if self._changes is None:
            self._changes = loaded(CHANGES)()
        return self._changes

    def runs_going_on(self) -> tuple[Run, ...]:
        """Runs that this console began and that have not ended."""
        return () if self._changes is None else self._changes.runs(self.states.newest())

    def front(self) -> FrontScreen | None:
        """The screen in front, or below the dialogs in front."""
        below = (each for each in reversed(self.screen_stack) if not isinstance(each, ModalScreen))
        return cast("FrontScreen | None", next(below, None))

    def view(self) -> View:
        """The newest states with findings."""
        now, ticks = self.states.now(), self.states.monotonic()
        return View(self._judge.hosts(self.states.newest(), now, ticks), now, ticks, self.interval_s)

    # Other screens

    def open(self, place: str, *about: object) -> None:
        """Open a screen by its name in `ui/screens_by_name.py`, with the arguments of its class."""
        self.push_screen(screen_at(place, *about))

    def open_command_line(self, typed: str = "") -> None:
        """Open the command line, which finds everything by its name; with a text that may be changed."""
        raise NotImplementedError

    def to_first_screen(self, host: str = "") -> None:
        """Go back to the list of pools; with the cursor on a host."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
        first = self.front()
        if host and first is not None:
            first.put_on_host(host)

    def open_pool(self, host: str, pool: str, vdev: str = "") -> None:
        """Open the screen of one pool, with the cursor on a vdev by its key in the tree."""
        self.open("pool", host, pool, vdev)

    def open_latency(self, host: str, pool: str, vdev: str | None) -> None:
        """Open the histograms of a vdev beside its siblings; None is the pool itself."""
        self.open("latency", host, pool, vdev)

    def open_repair(self, host: str, pool: str, device: str = "") -> None:
        """Open the repair of a device, by guid or name; without one the most urgent of the pool."""
        self.open("repair", host, pool, device)

    def repair_pool(self, host: str, pool: str) -> None:
        """Open the most urgent repair of a pool; without one that for which the user was called."""
        if self.repairs.may_be_in(host, pool):
            self.open_repair(host, pool)
        else:
            self.repair_called(pool)

    def repair_called(self, pool: str = "") -> None:
        """Open the repair that the user was called for; without one say that the pool needs none."""
        called, front = self.repairs.where, self.front()
        if called is not None:
            self.open_repair(*called)
        elif front is not None:
            said = f"no device of {pool} needs a repair; F frees space" if pool else "nothing to repair here"
            front.say(said, "dim")

    def repair_device(self, host: str, target: Target) -> None:
        """Open the repair of a device; where it needs none, plan to replace it."""
        if self.repairs.of_device(host, target.pool, str(target.guid), target.name) is None:
            self.act(host, target, "replace")
        else:
            self.open_repair(host, target.pool, str(target.guid or target.name))

    def repair_vdev(self, host: str, pool: Pool, vdev: Vdev) -> None:
        """Open the repair of a vdev; where it needs none, offer what can be done with it step by step."""
        words = [word for each in (vdev, *vdev.leaves()) for word in (each.guid, each.name) if word]
        found = self.repairs.of_device(host, pool.name, *map(str, words))
        if found is not None:
            self.open_repair(host, pool.name, str(found.device.guid or found.device.name))
            return
        self.gate.expect_dialog()
        self.run_worker(loaded(PROCEDURE_FLOW)(self, host, pool, vdev), name="procedure")

    async def ask_what_to_free(
        self,
        host: str,
        dataset: str,
        then: Callable[[ReclaimAnswer], Awaitable[bool]],
        *,
        can_mark: bool = True,
        proposed: str = "",
    ) -> bool:
        """Ask how much space to free in a dataset; `then` takes what the user takes of the proposal.

        The question begins with the `proposed` amount, or with what the fullest limit asks for.
        It returns False where the user goes back to the proposal. False where the first question was left.
        """
        flow = loaded(FREE_SPACE_FLOW)(self, host, can_mark=can_mark)
        is_taken: bool = await flow.ask(dataset, then, proposed)
        return is_taken

    def open_why(self, about: ShownPool, node: VdevRow | None) -> None:
        """Open the evidence on whether a disk is slow."""
        front = self.front()
        if node is not None and about.verdicts_on(node):
            self.open("why", about, node)
        elif front is not None:
            front.say("this disk is not known to be slow", "dim")

    def open_diff(self, host: str, snapshots: Sequence[str], older: str) -> None:
        """Open the changes since a snapshot; `snapshots`: those of its dataset, oldest first."""
        self.open("snapshot_diff", host, snapshots, older)

    def open_files(self, host: str, snapshots: Sequence[str], snapshot: str, path: str = "") -> None:
        """Open the files of a snapshot."""
        self.open("snapshot_files", host, snapshots, snapshot, path)

    def open_help(self, place: str) -> None:
        """Open the list of all keys."""
        self.open("help", place)

    def open_themes(self) -> None:
        """Open the choice of themes; without colours there is none."""
        front = self.front()
        if self.has_no_color and front is not None:
            front.say("NO_COLOR is set: there are no themes to choose from", "dim")
        else:
            self.open("themes", self.themes, self.paint.theme.name)

    def begin_tour(self, *, is_offered: bool = False) -> None:
        """Begin the tour, or offer it."""
        self.tour = loaded(TOUR)(is_offered=is_offered)

    def attention(self) -> Attention | None:
        """Bell, title and notifications of the terminal; None without one."""
        return self._driver.attention if isinstance(self._driver, ConsoleDriver) else None

    def has_dialog(self) -> bool:
        """Whether a dialog is in front."""
        return isinstance(self.screen, ModalScreen)

    def in_background(self, work: Coroutine[object, object, None]) -> None:
        """Do something that takes a while."""
        self.run_worker(work, name="background", exit_on_error=True)

    # Actions on hosts

    def unlock(self, host: str) -> None:
        """Allow changes on a production host for a while, once its name has been typed."""
        self._begin(lambda flow: flow.unlock(), host)

    def act(self, host: str, target: Target, action: str | None = None) -> None:
        """Offer the actions of an object, or one action: the plan, the guard, the run."""
        self._begin(lambda flow: flow.offer(target, action), host)

    def carry_out(self, host: str, intent: Intent) -> None:
        """Carry out an action with all its arguments: the plan, the guard, the run."""
        self._begin(lambda flow: flow.carry_out(intent), host)

    async def within(self, host: str, steps: Callable[[ChangeFlow], Awaitable[bool]]) -> bool:
        """Carry out an action within a flow of a screen; False where the user went back to that flow."""
        self._acting = get_current_worker()
        return await steps(loaded(CHANGE_FLOW)(self, host))

    def press(self, action: Action) -> None:
        """Do what a key of the screen in front does, once the present action has ended."""
        self.run_worker(self._press(action, self._acting), name="key")

    async def _press(self, action: Action, acting: Worker[object] | None) -> None:
        if acting is not None:
            await acting.wait()
        name = f"app.{action.id}" if EVERYWHERE in action.where else action.id
        await self.run_action(name, cast("DOMNode | None", self.front()))

    def complete(self, host: str, intent: Intent) -> None:
        """Ask for the arguments that an action lacks, and carry it out."""
        self._begin(lambda flow: flow.complete(intent), host)

    def silence(self, silence: Silence) -> Path:
        """Keep a silence, and judge by it from now on. Raises ConfigError."""
        path = add_silence(config_folder(), silence, self.config.silences_file)
        self.config = replace(self.config, silences=(*self.config.silences, silence))
        self._judge.use(self.config)
        return path

    def choose_disk(self, host: str, intent: Intent) -> None:
        """Let the user choose the disk that an action lacks, and carry it out."""
        self._begin(lambda flow: flow.choose_disk(intent), host)

    def is_in_repair(self, host: str, intent: Intent) -> bool:
        """Whether an action is a step of a repair; a replacement always begins one."""
        return intent.action == "replace" or self.repairs.are_in(host, intent.pool)

    def lead_on(self, host: str, intent: Intent) -> None:
        """Lead the user to the next step of the repair that a run belongs to."""
        front = self.front()
        if front is not None and front.PLACE != "repair":
            self.open_repair(host, intent.pool, next(iter(intent.arguments), ""))

    def _begin(self, steps: Callable[[ChangeFlow], Coroutine[object, object, object]], host: str) -> None:
        if not self.is_acting:
            flow: ChangeFlow = loaded(CHANGE_FLOW)(self, host)
            self._acting = self.run_worker(cast("Coroutine[None, None, object]", steps(flow)), name="acting")

    @property
    def is_acting(self) -> bool:
        """Whether an action is in progress, from its key to its end."""
        return self._acting is not None and not self._acting.is_finished

    def host_colour(self, host: str) -> str:
        """The style of a host's name: the colour from the configuration, or that of titles."""
        known = next((each for each in self.config.hosts if host in {each.name, each.address}), None)
        return f"{HOST_STYLE}{known.colour}" if known is not None and known.colour else "title"

    def want(self, wanted: frozenset[Want]) -> None:
        """Request the readings of the screen in front, and cancel those that no screen shows."""
        gone, fresh = self._wanted - wanted, wanted - self._wanted
        if not gone and not fresh:
            return
        self._wanted = wanted
        ask: Mapping[str, Callable[[str, str | None], None]] = {
            "latency": self.states.want_latency,
            "sizes": self.states.want_sizes,
            "objsets": self.states.want_objsets,
            "arc": lambda host, pool: self.states.want_arc(host, is_wanted=pool is not None),
            "guests": lambda host, pool: self.states.want_guests(host, is_wanted=pool is not None),
            "contents": lambda host, pool: self.states.want_contents(host, is_wanted=pool is not None),
            "disks": lambda host, pool: self.states.want_disks(host, is_wanted=pool is not None),
        }
        for want in gone:
            ask[want.what](want.host, None)
        for want in fresh:
            ask[want.what](want.host, want.pool)

    def ask_host_key(self, host: HostState) -> None:
        """Show an unknown host key; an accepted key is given to the host's session."""
        fingerprint = host.link.fingerprint
        dialog = loaded(HOST_KEY_DIALOG)
        if fingerprint is None or isinstance(self.screen, dialog):
            return

        def answered(is_trusted: bool | None) -> None:
            if is_trusted:
                self.states.accept_host_key(host.host, fingerprint)

        self.push_screen(dialog(self.paint, host.host, fingerprint), answered)

    def change_interval(self, step: int) -> float:
        """Set the next shorter or longer interval; return it."""
        nearest = min(range(len(INTERVALS_S)), key=lambda at: abs(INTERVALS_S[at] - self.interval_s))
        self._use_interval(INTERVALS_S[min(max(0, nearest + step), len(INTERVALS_S) - 1)])
        return self.interval_s

    def _use_interval(self, seconds: float) -> None:
        self.interval_s = seconds
        self.states.set_interval(seconds)

    def use_setting(self, key: str, config: Config) -> None:
        """Go on with a setting that was changed, by its key in the file; no option gives it any longer."""
        by_option = {each: option for each, option in self.config.by_option.items() if each != key}
        before, self.config = self.config, replace(config, by_option=by_option)
        self._judge.use(self.config)
        use_size_units(config.units)
        if key == "interval_s":
            self._use_interval(config.interval_s)
        if config.calls != before.calls and isinstance(self._driver, ConsoleDriver):
            self._driver.renew_attention()

    def use_theme(self, name: str) -> None:
        """Draw everything in another theme."""
        self.paint = Paint(self.themes.get(name), is_ascii=self.paint.is_ascii)
        self.register_theme(self.paint.theme.textual())
        self.theme = self.paint.theme.name
        for screen in self.screen_stack:
            if not isinstance(screen, ModalScreen):
                cast("FrontScreen", screen).repaint(self.paint)
