"""The console's wiring: a source of states on one side, screens on the other. It collects nothing itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from rich.color import ColorSystem
from rich.text import Text
from textual import events
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.binding import BindingType
from textual.message import Message
from textual.screen import ModalScreen
from textual.worker import Worker

from zconsole.actions.intent import Intent, Target
from zconsole.base.config import Config, config_folder
from zconsole.base.gc_tuning import keep_what_is_there, look_briefly
from zconsole.model.host.host_state import HostState
from zconsole.storage.crash_report import in_a_sentence, log_folder, write_report
from zconsole.ui.call_later import Once
from zconsole.ui.findings_cache import Judge
from zconsole.ui.input_queue import Gate, Settled
from zconsole.ui.key_bindings import Palette, RegistryCommands, app_bindings
from zconsole.ui.key_filter import QUIET_S
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.screen_layout import Want
from zconsole.ui.styler import Paint, speaks_utf8, wants_ansi
from zconsole.ui.terminal.driver import ConsoleDriver
from zconsole.ui.terminal.screen_diff import Shadow
from zconsole.ui.terminal.shutdown import Ending
from zconsole.ui.theme_files import ANSI_THEME, HOST_STYLE, Themes
from zconsole.views.layout.console_state import View

if TYPE_CHECKING:
    from zconsole.service.api import Source
    from zconsole.views.pools.pool import Subject
    from zconsole.views.pools.vdev_rows import Node

INTERVALS_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
AGES_EVERY_S: Final = 1.0  # ages grow although nothing new comes
SHORTEST_GAP_S: Final = 0.2  # between two drawings; hosts that change more often are drawn together
MANY_HOSTS: Final = 8  # from here on all are drawn together once a second
GAP_OF_MANY_S: Final = 1.0
CATCH_UP_S: Final = 0.05  # how often a slow terminal is asked whether it has read all


class StoreChanged(Message):
    """Some state moved on: read the newest. Carries nothing, so that many become one."""

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, StoreChanged)


class ZConsoleApp(App[None]):
    """Hands the newest states to the screen in front, and owns keys, theme and terminal."""

    TITLE = "zconsole"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar = {RegistryCommands}
    BINDINGS: ClassVar[list[BindingType]] = app_bindings()
    CSS = """
    Screen { background: $background; color: $foreground; }
    CommandPalette { background: $background; }
    CommandPalette SearchIcon { display: none; }
    """

    def __init__(  # noqa: PLR0913  # a test brings its own of most
        self,
        source: Source,
        config: Config | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        themes: Themes | None = None,
        gap_s: float | None = None,
        quiet_s: float = QUIET_S,
    ) -> None:
        env = os.environ if environment is None else environment
        self._has_no_color = env.get("NO_COLOR") is not None
        # Filters are chosen in the constructor: an ANSI theme set later would be painted black on black.
        super().__init__(driver_class=ConsoleDriver, ansi_color=True if self._has_no_color else None)
        self.animation_level = "none"
        self.source = source
        self.config = config or Config()
        self.interval_s = self.config.interval_s
        self.themes = themes or Themes(config_folder() / "themes")
        name = self.config.theme or (ANSI_THEME if wants_ansi(env) else None)
        chosen = self.themes.get(ANSI_THEME if self._has_no_color else name)
        self.paint = Paint(chosen, is_ascii=not speaks_utf8(env))
        self.register_theme(chosen.textual())
        self.theme = chosen.name
        self._judge = Judge(self.config)
        self._gap_s = gap_s
        colors = self.console._color_system or ColorSystem.TRUECOLOR  # noqa: SLF001
        self._shadow = Shadow(colors, is_ascii=self.paint.is_ascii)
        self._is_behind = False
        self._is_change_posted = False
        self._drawn_at = 0.0
        self._draw_timer: Once | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._acting: Worker[None] | None = None
        self._wanted: frozenset[Want] = frozenset()
        self.gate = Gate(self, super().on_event, quiet_s)

    def get_default_screen(self) -> PoolsScreen:
        return PoolsScreen()

    # States in, screens out

    def on_mount(self) -> None:
        self.screen_change_signal.subscribe(self, lambda _: self.gate.screen_changed(), immediate=True)
        self._unsubscribe = self.source.subscribe(self._on_change)
        self.set_interval(AGES_EVERY_S, self._age)
        if not self.is_headless:
            self.call_after_refresh(keep_what_is_there)
        wanted, front = self.config.theme, self.front()
        if (
            wanted not in {None, self.paint.theme.name}
            and wanted not in self.themes.usable
            and front is not None
        ):
            front.say(f"there is no theme {wanted!r}; t shows those that there are", "warn")

    def on_unmount(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()

    def _on_change(self) -> None:
        """Called on the collecting thread."""
        if not self._is_change_posted:
            self._is_change_posted = True
            self.post_message(StoreChanged())

    def on_store_changed(self) -> None:
        """Draw now, or a moment after the last drawing."""
        wait_s = self._drawn_at + self._gap() - monotonic()
        if wait_s <= 0:
            self.draw()
        elif self._draw_timer is None:
            self._draw_timer = Once(self, wait_s, self.draw)

    def _gap(self) -> float:
        if self._gap_s is not None:
            return self._gap_s
        return GAP_OF_MANY_S if len(self.source.states()) >= MANY_HOSTS else SHORTEST_GAP_S

    def _age(self) -> None:
        if monotonic() - self._drawn_at >= AGES_EVERY_S:
            self.draw()

    def draw(self) -> None:
        """Hand the newest states to the screen in front."""
        if self._draw_timer is not None:
            self._draw_timer.stop()
            self._draw_timer = None
        self._is_change_posted = False
        self._drawn_at = monotonic()
        screen = self.front()
        if screen is not None:
            with self.batch_update():
                screen.show(self.view())

    def front(self) -> ConsoleScreen | None:
        """The screen in front, or below the dialogs in front."""
        return next((s for s in reversed(self.screen_stack) if isinstance(s, ConsoleScreen)), None)

    def view(self) -> View:
        """The newest states, judged."""
        now, ticks = self.source.now(), self.source.monotonic()
        return View(self._judge.hosts(self.source.states(), now, ticks), now, ticks, self.interval_s)

    # What screens ask for

    def open_pool(self, host: str, pool: str) -> None:
        """One pool's screen."""
        from zconsole.ui.screens.pool import PoolScreen  # noqa: PLC0415  # the first frame needs none of these

        self.push_screen(PoolScreen(host, pool))

    def open_latency(self, host: str, pool: str, vdev: str | None) -> None:
        """Histograms of a vdev beside its siblings; None is the pool itself."""
        from zconsole.ui.screens.latency import LatencyScreen  # noqa: PLC0415

        self.push_screen(LatencyScreen(host, pool, vdev))

    def open_why(self, about: Subject, node: Node | None) -> None:
        """Why a disk is said to be slow, or that it is not."""
        from zconsole.ui.screens.latency import WhyScreen  # noqa: PLC0415

        front = self.front()
        if node is not None and about.verdicts_on(node):
            self.push_screen(WhyScreen(about, node))
        elif front is not None:
            front.say("nothing says that this is a slow disk", "dim")

    def open_datasets(self, host: str, pool: str, dataset: str | None = None) -> None:
        """The datasets of one pool, the cursor on one of them."""
        from zconsole.ui.screens.datasets import DatasetsScreen  # noqa: PLC0415

        self.push_screen(DatasetsScreen(host, pool, dataset))

    def open_diff(self, host: str, snapshots: Sequence[str], older: str) -> None:
        """What differs between a snapshot and what came after; `snapshots`: its dataset's, oldest first."""
        from zconsole.ui.screens.snapshot_diff import DiffScreen  # noqa: PLC0415

        self.push_screen(DiffScreen(host, snapshots, older))

    def open_files(self, host: str, snapshots: Sequence[str], snapshot: str, path: str = "") -> None:
        """The files of a snapshot."""
        from zconsole.ui.screens.snapshot_files import FilesScreen  # noqa: PLC0415

        self.push_screen(FilesScreen(host, snapshots, snapshot, path))

    def open_arc(self, host: str) -> None:
        """A host's cache, write throttle, intent log and transaction groups."""
        from zconsole.ui.screens.arc import ArcScreen  # noqa: PLC0415

        self.push_screen(ArcScreen(host))

    def open_load(self, host: str, pool: str) -> None:
        """The I/O of one pool's datasets."""
        from zconsole.ui.screens.dataset_load import LoadScreen  # noqa: PLC0415

        self.push_screen(LoadScreen(host, pool))

    def open_planner(self, host: str, pool: str) -> None:
        """A planning session that begins with one pool."""
        from zconsole.ui.screens.capacity_planner import PlannerScreen  # noqa: PLC0415

        self.push_screen(PlannerScreen(host, pool))

    def open_commands(self) -> None:
        """What the console ran."""
        from zconsole.ui.screens.command_log import CommandsScreen  # noqa: PLC0415

        self.push_screen(CommandsScreen())

    def open_journal(self) -> None:
        """What was carried out."""
        from zconsole.ui.screens.journal import JournalScreen  # noqa: PLC0415

        self.push_screen(JournalScreen())

    def unlock(self, host: str) -> None:
        """Allow changes on a production host for a while, once its name has been typed."""
        from zconsole.ui.flows.change import Acting  # noqa: PLC0415

        if not self.is_acting:
            self._acting = self.run_worker(Acting(self, host).unlock(), name="acting", exit_on_error=True)

    def open_events(self) -> None:
        """The events of all hosts."""
        from zconsole.ui.screens.events import EventsScreen  # noqa: PLC0415

        self.push_screen(EventsScreen())

    def open_findings(self) -> None:
        """All findings."""
        from zconsole.ui.screens.findings import FindingsScreen  # noqa: PLC0415

        self.push_screen(FindingsScreen())

    def open_help(self, place: str) -> None:
        """All keys."""
        from zconsole.ui.screens.help import HelpScreen  # noqa: PLC0415

        self.push_screen(HelpScreen(place))

    def open_themes(self) -> None:
        """The choice of themes; without colours there is none."""
        from zconsole.ui.screens.themes import ThemesScreen  # noqa: PLC0415

        front = self.front()
        if self._has_no_color and front is not None:
            front.say("NO_COLOR is set: there are no themes to choose from", "dim")
        else:
            self.push_screen(ThemesScreen(self.themes, self.paint.theme.name))

    def act(self, host: str, target: Target, action: str | None = None) -> None:
        """What can be done to an object, or one action of it: the plan, the guard, the run."""
        if self.is_acting:
            return
        from zconsole.ui.flows.change import Acting  # noqa: PLC0415

        flow = Acting(self, host).offer(target, action)
        self._acting = self.run_worker(flow, name="acting", exit_on_error=True)

    def carry_out(self, host: str, intent: Intent) -> None:
        """An action whose words are all known: the plan, the guard, the run."""
        if self.is_acting:
            return
        from zconsole.ui.flows.change import Acting  # noqa: PLC0415

        self._acting = self.run_worker(
            Acting(self, host).carry_out(intent), name="acting", exit_on_error=True
        )

    @property
    def is_acting(self) -> bool:
        """Whether an action is on its way from its key to its end."""
        return self._acting is not None and not self._acting.is_finished

    def host_colour(self, host: str) -> str:
        """The style of a host's name: the colour that the user gave it, or that of titles."""
        known = next((each for each in self.config.hosts if host in {each.name, each.address}), None)
        return f"{HOST_STYLE}{known.colour}" if known is not None and known.colour else "title"

    def on_cursor_position(self, event: events.CursorPosition) -> None:
        """The terminal tells that it has shown all that was sent before it was asked."""
        from zconsole.ui.dialogs.plan import PlanDialog  # noqa: PLC0415

        if isinstance(self.screen, PlanDialog):
            self.screen.call_later(self.screen.answered, event.time)  # behind the keys that came before it

    def want(self, wanted: frozenset[Want]) -> None:
        """Have read what the screen in front shows, and what no screen shows no more."""
        gone, fresh = self._wanted - wanted, wanted - self._wanted
        if not gone and not fresh:
            return
        self._wanted = wanted
        ask: Mapping[str, Callable[[str, str | None], None]] = {
            "latency": self.source.want_latency,
            "sizes": self.source.want_sizes,
            "objsets": self.source.want_objsets,
            "arc": lambda host, pool: self.source.want_arc(host, is_wanted=pool is not None),
        }
        for want in gone:
            ask[want.what](want.host, None)
        for want in fresh:
            ask[want.what](want.host, want.pool)

    def ask_host_key(self, host: HostState) -> None:
        """Show an unknown key; what is accepted goes to the source."""
        from zconsole.ui.dialogs.host_key import HostKeyDialog  # noqa: PLC0415

        fingerprint = host.link.fingerprint
        if fingerprint is None or isinstance(self.screen, HostKeyDialog):
            return

        def answered(is_trusted: bool | None) -> None:
            if is_trusted:
                self.source.accept_host_key(host.host, fingerprint)

        self.push_screen(HostKeyDialog(self.paint, host.host, fingerprint), answered)

    def change_interval(self, step: int) -> float:
        """The next shorter or longer interval; returns it."""
        nearest = min(range(len(INTERVALS_S)), key=lambda at: abs(INTERVALS_S[at] - self.interval_s))
        self.interval_s = INTERVALS_S[min(max(0, nearest + step), len(INTERVALS_S) - 1)]
        self.source.set_interval(self.interval_s)
        return self.interval_s

    def use_theme(self, name: str) -> None:
        """Paint everything in another theme."""
        self.paint = Paint(self.themes.get(name), is_ascii=self.paint.is_ascii)
        self.register_theme(self.paint.theme.textual())
        self.theme = self.paint.theme.name
        for screen in self.screen_stack:
            if isinstance(screen, ConsoleScreen):
                screen.repaint(self.paint)

    # Actions that work everywhere

    async def on_event(self, event: events.Event) -> None:
        """What a person does passes the gate; what a widget was given already comes back here."""
        if isinstance(event, events.InputEvent | events.Paste) and not event.is_forwarded:
            await self.gate.take(event)
        else:
            await super().on_event(event)

    async def on_settled(self, message: Settled) -> None:
        """The last key has done what it does."""
        await self.gate.settled(message.number)

    def action_palette(self) -> None:
        """Find an action by its name."""
        if not isinstance(self.screen, ModalScreen):
            self.gate.expect_dialog()
            self.push_screen(Palette(id="--command-palette"))

    def action_redraw(self) -> None:
        """Send every cell again, whatever the terminal shows."""
        self._shadow.forget()
        self.screen.refresh(layout=True)

    def leave_with(self, code: int) -> None:
        """End from a signal handler or from another thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._leave, code)

    def _leave(self, code: int) -> None:
        self.exit(return_code=code)

    # Between Textual and the terminal

    def terminal_begun(self) -> None:
        """The alternate screen is fresh, at the start and after a stop: nothing is known of it."""
        self._shadow.forget()
        if self._running and self.screen_stack:
            self.call_later(self.screen.refresh, layout=True)

    def _set_pointer_shape(self, shape: str) -> None:
        """The mouse pointer keeps its shape: not every terminal swallows the sequence."""

    def _display(self, screen: object, renderable: object) -> None:
        """Send only the cells that differ, and nothing while the terminal has not read the last frame."""
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
        """The frame is dropped; the screen as it is then is drawn when the terminal is ready."""
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

    def _fatal_error(self) -> None:
        """A sentence and a report without the values of variables, in place of a traceback with them."""
        error = self._exception or RuntimeError("unknown")
        path = write_report(error, log_folder())
        self._exit_renderables.append(Text(in_a_sentence(error, path)))
        self._close_messages_no_wait()

    def panic(self, *renderables: object) -> None:
        """Textual's own way to end with a message; what it would print may hold values."""
        del renderables
        self._fatal_error()


def run_console(source: Source, config: Config | None = None) -> int:
    """Run the console until the user leaves it; returns the exit code."""
    look_briefly()
    app = ZConsoleApp(source, config)
    with Ending(app.leave_with):
        app.run()
    return app.return_code or 0
