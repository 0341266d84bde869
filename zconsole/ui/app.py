"""Console app: connects the service with the screens. It collects nothing itself."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from rich.color import ColorSystem
from rich.text import Text
from textual import events
from textual._compositor import CompositorUpdate
from textual.app import ScreenStackError
from textual.command import Provider
from textual.css.query import NoMatches
from textual.message import Message
from textual.screen import ModalScreen

from zconsole.base.gc_tuning import enable_gc, freeze_loaded
from zconsole.base.user_config_file import Config
from zconsole.storage.crash_report import in_a_sentence, log_folder, write_report
from zconsole.ui.app_protocol import ConsoleApp
from zconsole.ui.delayed_calls import Once
from zconsole.ui.input_queue import Gate, Settled
from zconsole.ui.key_bindings_and_palette import Palette, RegistryCommands
from zconsole.ui.key_filter import QUIET_S
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens_by_name import LEAVE_DIALOG, UNFINISHED, loaded
from zconsole.ui.terminal.driver import ConsoleDriver, has_job_control
from zconsole.ui.terminal.exit_within_two_seconds import Ending
from zconsole.ui.terminal.screen_diff import Shadow
from zconsole.ui.theme_files import Themes

if TYPE_CHECKING:
    from textual.actions import ActionParseResult
    from textual.dom import DOMNode

    from zconsole.model.exercise import Exercise
    from zconsole.service.screen_protocols import Service
    from zconsole.storage.alerts.alert_store import AlertStore
    from zconsole.views.host_states_with_findings import View
    from zconsole.views.layout.screen_key_registry import key_of, user_keys_problem
from zconsole.views.layout.screen_key_registry import key_of, user_keys_problem
from zconsole.views.layout.styled_text import Line

AGES_EVERY_S: Final = 1.0  # ages grow even without new states
AT_REST_EVERY_S: Final = 5.0  # and a screen on which time alone changes nothing is drawn so seldom
AT_REST_AFTER: Final = 3  # drawings without a change
SHORTEST_GAP_S: Final = 0.2  # between two drawings; frequent changes are drawn together
MANY_HOSTS: Final = 8  # above this, all are drawn together once a second
GAP_OF_MANY_S: Final = 1.0
COMMAND_HINT: Final = "action, screen, pool, dataset, disk, serial number or host; Tab completes"
RACK_KEY: Final = "f2"  # only in an exercise
CATCH_UP_S: Final = 0.05  # how often a slow terminal is asked whether it has read all output


def places_by_name() -> type[Provider]:
    """The provider of everything that has a name; loaded with the first command line."""
    from zconsole.ui.command_line.places_and_actions import PlacesByName  # noqa: PLC0415  # not before the first frame

    return PlacesByName


class StoreChanged(Message):
    """Message of a changed state. It carries nothing, so that several become one."""

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, StoreChanged)


class ZConsoleApp(ConsoleApp):
    """Console app: gives the newest states to the screen in front, and owns keys and terminal."""

    gate: Gate
    COMMANDS: ClassVar = {RegistryCommands, places_by_name}

    def __init__(  # noqa: PLR0913  # a test brings its own of most
        self,
        service: Service,
        config: Config | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        themes: Themes | None = None,
        exercise: Exercise | None = None,
        open_alerts: Callable[[], AlertStore] | None = None,
        gap_s: float | None = None,
        quiet_s: float = QUIET_S,
        shown: Callable[[], None] = lambda: None,
        offers_tour: bool = False,
    ) -> None:
        """`shown` is called when the first frame is on its way to the terminal."""
        super().__init__(
            service,
            config,
            environment=environment,
            themes=themes,
            exercise=exercise,
            open_alerts=open_alerts,
        )
        self._gap_s = gap_s
        self._shown = shown
        self._offers_tour = offers_tour
        colors = self.console._color_system or ColorSystem.TRUECOLOR  # noqa: SLF001
        self._shadow = Shadow(colors, is_ascii=self.paint.is_ascii)
        self._is_behind = False
        self._is_end_told = False  # of the exercise
        self._is_change_posted = False
        self._drawn_at = 0.0
        self._draw_timer: Once | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self.gate = Gate(self, super().on_event, quiet_s)

    def get_default_screen(self) -> PoolsScreen:
        return PoolsScreen()

    # States in, screens out

    def on_mount(self) -> None:
        self.screen_change_signal.subscribe(self, lambda _: self.gate.screen_changed(), immediate=True)
        self._unsubscribe = self.states.subscribe(self._on_change)
        self.set_interval(AGES_EVERY_S, self._age)
        self.is_first_frame_shown = self.is_headless  # nobody waits for it there
        self.call_after_refresh(self._first_frame)
        if self.exercise is not None:
            self.bind(RACK_KEY, "rack")
            self.call_after_refresh(self._brief, self.exercise)
        wanted, front = self.config.theme, self.front()
        if (
            wanted not in {None, self.paint.theme.name}
            and wanted not in self.themes.usable
            and front is not None
        ):
            front.say(f"there is no theme {wanted!r}; T shows those that there are", "warn")
        if user_keys_problem() and front is not None:
            front.say(f"{key_of('settings')} says what to do: {user_keys_problem()}", "warn")

    def _first_frame(self) -> None:
        if not self.is_headless:
            freeze_loaded()
        self._shown()
        self.is_first_frame_shown = True
        if self._offers_tour:
            self.begin_tour(is_offered=True)
        self.draw()

    def on_unmount(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
        self.alerts.leave(self.states.now())

    def on_app_focus(self) -> None:
        """The terminal is in front again."""
        self.alerts.came_back(self.states.now())

    def on_app_blur(self) -> None:
        """The user looks elsewhere."""
        self.alerts.went_away(self.states.now())

    def _on_change(self) -> None:
        """Post the change; called on the collecting thread."""
        if not self._is_change_posted:
            self._is_change_posted = True
            self.post_message(StoreChanged())

    def on_store_changed(self) -> None:
        """Draw now, or a moment after the last drawing."""
        front = self.front()
        if front is not None:
            front.drawn_alike = 0
        wait_s = self._drawn_at + self._gap() - monotonic()
        if wait_s <= 0:
            self.draw()
        elif self._draw_timer is None:
            self._draw_timer = Once(self, wait_s, self.draw)

    def _gap(self) -> float:
        if self._gap_s is not None:
            return self._gap_s
        return GAP_OF_MANY_S if len(self.states.newest()) >= MANY_HOSTS else SHORTEST_GAP_S

    def _age(self) -> None:
        if self.exercise is not None:
            self._tell_end(self.exercise)
        view = self.view()
        if self._is_drawing_due(view):
            self.draw()
        self.repairs.tick(view)
        self.alerts.tick(view)

    def _is_drawing_due(self, view: View) -> bool:
        """Whether time alone may have changed the screen.

        What counts seconds does so in each drawing; where none changed anything, and nothing is overdue,
        only minutes and dates are left to change.
        """
        passed_s, screen = monotonic() - self._drawn_at, self.front()
        if passed_s < AGES_EVERY_S:
            return False
        is_at_rest = screen is not None and screen.drawn_alike >= AT_REST_AFTER and view.is_live
        return not is_at_rest or passed_s >= AT_REST_EVERY_S

    def draw(self) -> None:
        """Give the newest states to the screen in front."""
        if self._draw_timer is not None:
            self._draw_timer.stop()
            self._draw_timer = None
        self._is_change_posted = False
        self._drawn_at = monotonic()
        screen = self.front()
        if screen is not None:
            with self.batch_update():
                screen.show(self.view())

    # Actions that work everywhere

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key, a click or a command asks for; the tour waits for some of it."""
        front, tour = self.front(), None if self.has_dialog() else self.tour
        is_done = await super().run_action(action, default_namespace, namespaces)
        if is_done and tour is not None and front is not None and isinstance(action, str):
            tour.did(action.rpartition(".")[2], front.PLACE)
            if tour.is_over:
                self.tour = None
            self.draw()
        return is_done

    async def on_event(self, event: events.Event) -> None:
        """Pass user input through the gate; forwarded events skip the gate."""
        if isinstance(event, events.InputEvent | events.Paste) and not event.is_forwarded:
            await self.gate.take(event)
        else:
            await super().on_event(event)

    async def on_settled(self, message: Settled) -> None:
        """Go on with the next key: the last one has taken effect."""
        await self.gate.settled(message.number)

    def action_palette(self) -> None:
        """Open the command line."""
        self.open_command_line()

    def open_command_line(self, typed: str = "") -> None:
        """Find an action, a screen or an object by its name; a text is there as if it had been typed."""
        if not isinstance(self.screen, ModalScreen):
            self.gate.expect_dialog()
            self.push_screen(Palette(typed=typed, id="--command-palette", placeholder=COMMAND_HINT))

    def action_rack(self) -> None:
        """Go to the rack of an exercise."""
        if self.exercise is None or isinstance(self.screen, ModalScreen):
            return
        from zconsole.ui.flows.exercise_briefing_and_rack import at_the_rack  # noqa: PLC0415  # exercises only

        self.gate.expect_dialog()
        self.run_worker(at_the_rack(self, self.exercise), name="rack")

    def _tell_end(self, exercise: Exercise) -> None:
        """Say once that nothing is left to do."""
        front = self.front()
        if exercise.state().is_done and not self._is_end_told and front is not None:
            self._is_end_told = True
            front.say(f"the exercise is done: {RACK_KEY.upper()} has the debriefing", "ok")

    def _brief(self, exercise: Exercise) -> None:
        from zconsole.ui.flows.exercise_briefing_and_rack import show_briefing  # noqa: PLC0415  # exercises only

        self.run_worker(show_briefing(self, exercise), name="briefing")

    def action_suspend(self) -> None:
        """Stop the process, and all of its job, until the shell continues it."""
        front = self.front()
        running = self.changes.runs(self.states.newest())
        if running and front is not None:
            front.say(f"a run is in progress, which must not stand still: {running[0].title}", "warn")
        elif not has_job_control() and front is not None:
            front.say("no shell would continue this program: it is not suspended", "warn")
        elif self._driver is not None and self._driver.can_suspend:
            os.killpg(os.getpgrp(), signal.SIGTSTP)

    async def action_quit(self) -> None:
        """Leave; while changes are in progress only by a further key, which the dialog names."""
        if not self._unfinished():
            self.exit()
            return
        dialog = loaded(LEAVE_DIALOG)
        if not isinstance(self.screen, dialog):
            self.gate.expect_dialog()
            self.push_screen(dialog(self.paint, self._unfinished, self.exit))

    def _unfinished(self) -> tuple[Line, ...]:
        """What leaving now does to the changes in progress; empty without any."""
        states = self.states.newest()
        runs, waiting = self.changes.runs(states), self.changes.waiting(states)
        return loaded(UNFINISHED)(runs, waiting, self.states.now()) if runs or waiting else ()

    def action_redraw(self) -> None:
        """Send every cell again, whatever the terminal shows."""
        self._shadow.forget()
        self.screen.refresh(layout=True)

    def leave_with(self, code: int) -> None:
        """End the app from a signal handler or from another thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._leave, code)

    def _leave(self, code: int) -> None:
        self.exit(return_code=code)

    # Between Textual and the terminal

    def terminal_begun(self) -> None:
        """Forget the displayed cells: the alternate screen is fresh, at the start and after a stop."""
        self._shadow.forget()
        if self._running and self.screen_stack:
            self.call_later(self.screen.refresh, layout=True)

    def on_cursor_position(self, event: events.CursorPosition) -> None:
        """Take the terminal's answer: it has shown all output sent before the question."""
        from zconsole.ui.dialogs.plan import PlanDialog  # noqa: PLC0415  # it is loaded where one is open

        if isinstance(self.screen, PlanDialog):
            self.screen.call_later(self.screen.answered, event.time)  # behind the keys that came before it

    def _set_pointer_shape(self, shape: str) -> None:
        """Keep the shape of the mouse pointer: not every terminal swallows the sequence."""

    def _display(self, screen: object, renderable: object) -> None:
        """Send only the changed cells, and nothing while the terminal has not read the last frame."""
        driver = self._driver
        if not isinstance(driver, ConsoleDriver) or not isinstance(renderable, CompositorUpdate):
            super()._display(screen, renderable)  # type: ignore[arg-type]
            return
        if self._batch_count or not self._running or self._closed:
            self.post_display_hook()
            return
        if driver.is_behind:
            self._catch_up_later()
            return
        try:
            self._shadow.resize(*self.screen.outer_size)
            frame = self._shadow.frame(renderable)
        except Exception as error:  # noqa: BLE001  # the same boundary that Textual has here
            self._handle_exception(error)
            return
        if frame:
            self._begin_update()
            driver.write(frame)
            self._end_update()
        self.post_display_hook()

    def _catch_up_later(self) -> None:
        """Drop the frame; the screen is drawn when the terminal is ready."""
        if not self._is_behind:
            self._is_behind = True
            Once(self, CATCH_UP_S, self._catch_up)

    def _catch_up(self) -> None:
        self._is_behind = False
        driver = self._driver
        if isinstance(driver, ConsoleDriver) and driver.is_behind:
            self._catch_up_later()
        else:
            self.screen.refresh()

    def _handle_exception(self, error: Exception) -> None:
        """End with a report; but screens that are gone while the app ends are no error."""
        was_mounted = self._unsubscribe is not None
        is_ending = self._exit or (was_mounted and not self._running)
        if not (is_ending and isinstance(error, (ScreenStackError, NoMatches))):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Print a sentence and a report without the values of variables, in place of a traceback."""
        error = self._exception or RuntimeError("unknown")
        path = write_report(error, log_folder())
        self._exit_renderables.append(Text(in_a_sentence(error, path)))
        self._close_messages_no_wait()

    def panic(self, *renderables: object) -> None:
        """End as after a fatal error: Textual's own message may hold values of variables."""
        del renderables
        self._fatal_error()


def run_console(  # noqa: PLR0913  # each is of one kind of start
    service: Service,
    config: Config | None = None,
    exercise: Exercise | None = None,
    open_alerts: Callable[[], AlertStore] | None = None,
    shown: Callable[[], None] = lambda: None,
    *,
    offers_tour: bool = False,
) -> int:
    """Run the console until the user leaves it; returns the exit code. `shown`: the first frame is drawn."""
    enable_gc()
    app = ZConsoleApp(
        service,
        config,
        exercise=exercise,
        open_alerts=open_alerts,
        shown=shown,
        offers_tour=offers_tour,
    )
    with Ending(app.leave_with):
        app.run()
    return app.return_code or 0
