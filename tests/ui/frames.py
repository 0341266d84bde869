"""The screen as text: the one place that reads Textual's compositor."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.doubles.static_source import StaticSource
from tests.ui.states import NOW, TICKS
from tests.ui.watched import give_strips
from zconsole.base.user_config_file import Config
from zconsole.model.exercise import Exercise
from zconsole.model.host.host_state import HostState
from zconsole.storage.alerts.alert_store import AlertStore
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.theme_files import Themes

UTF8 = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}


def make_app(
    *states: HostState,
    config: Config | None = None,
    environment: Mapping[str, str] | None = None,
    themes: Themes | None = None,
    exercise: Exercise | None = None,
    open_alerts: Callable[[], AlertStore] | None = None,
    quiet_s: float = 0.0,
) -> ZConsoleApp:
    """The console on fixed states and a fixed clock; `quiet_s`: see `ui.keyboard`."""
    source = StaticSource(*states, now=NOW, monotonic=TICKS)
    give_strips(source)
    return ZConsoleApp(
        source.service,
        config,
        environment=environment or UTF8,
        themes=themes,
        exercise=exercise,
        open_alerts=open_alerts,
        gap_s=0.0,
        quiet_s=quiet_s,
    )


def source_of(app: ZConsoleApp) -> StaticSource:
    """The source behind the app of a test."""
    assert isinstance(app.states, StaticSource)
    return app.states


def frame(app: ZConsoleApp) -> str:
    """What the whole screen shows, without trailing blanks."""
    screen = app.screen
    strips = screen._compositor.render_strips(screen.size)
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"
