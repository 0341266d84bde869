"""Phrases used by several screens: states with glyphs, ages, link errors."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from zconsole.analysis.findings.findings_by_rule_and_pool import points_of_advice
from zconsole.base.fixed_width_formatting import duration
from zconsole.base.quantities import DAY_S, HOUR_S, MINUTE_S
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.pools.pool import DEAD_STATES, HEALTHY_STATES, SUSPENDED, Pool
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.screen_key_registry import key_of
from zconsole.views.layout.styled_text import Line, Span, line
from zconsole.views.layout.table import Cell

BAD: Final = "✗"
WARN: Final = "▲"
BUSY: Final = "↻"
SEPARATOR: Final = " · "
SEVERITY_STYLE: Final = {Severity.INFO: "info", Severity.WARNING: "warn", Severity.CRITICAL: "bad"}
SEVERITY_GLYPH: Final = {Severity.INFO: "·", Severity.WARNING: WARN, Severity.CRITICAL: BAD}
STATE_ORDER: Final = (
    "ONLINE",
    "AVAIL",
    "INUSE",
    "OFFLINE",
    "DEGRADED",
    "REMOVED",
    "UNAVAIL",
    "FAULTED",
    SUSPENDED,
)


def state_style_and_glyph(state: str) -> tuple[str, str]:
    """The style and the glyph of a state; a healthy state has neither, an unknown one is marked."""
    if state in HEALTHY_STATES:
        return "text", ""
    if state in {"OFFLINE", "DEGRADED"}:
        return "warn", WARN
    if state in DEAD_STATES or state == SUSPENDED:
        return "bad", BAD
    return ("dim", "") if state == "·" else ("warn", "?")


def state_rank(state: str) -> float:
    """A number to sort states by; larger is worse, and unknown words are bad."""
    return float(STATE_ORDER.index(state)) if state in STATE_ORDER else 4.5


def quiet_words(found: Iterable[Finding], *, is_partial: bool, silenced: int = 0) -> Line:
    """What stands where nothing is wrong, with the numbers of points of advice and of silenced findings."""
    points = points_of_advice(found)
    words = advice_words(points, is_partial=is_partial)
    quiet = f", {silenced} silenced" if silenced else ""
    return line((f"nothing wrong, {words}{quiet}" if points else nothing_but(silenced), "dim"))


def nothing_but(silenced: int) -> str:
    """`nothing to report`, or `nothing to report but 2 silenced findings`."""
    return (
        f"nothing to report but {counted(silenced, 'silenced finding')}" if silenced else "nothing to report"
    )


def advice_words(points: int, *, is_partial: bool = False) -> str:
    """`5 points of advice`; `1 point of advice so far` while not all that advice is judged by was read."""
    return f"{counted(points, 'point')} of advice{' so far' if is_partial else ''}"


@lru_cache(maxsize=64)
def state_cell(state: str, *, severity: Severity | None = None) -> Cell:
    """A state as word, glyph and colour; a critical finding makes a degraded one bad."""
    style, glyph = state_style_and_glyph(state)
    if severity is Severity.CRITICAL and style == "warn":
        style, glyph = "bad", BAD
    return Cell(state, style, sort=-state_rank(state), tail=f" {glyph}" if glyph else "")


def ago(seconds: float | None) -> str:
    """An age in its largest unit: `45s`, `6m`, `5h`, `12d`; from two days on in days."""
    if seconds is None:
        return "·"
    whole = max(0, int(seconds))
    if whole < MINUTE_S:
        return f"{whole}s"
    if whole < HOUR_S:
        return f"{whole // MINUTE_S}m"
    if whole < 2 * DAY_S:
        return f"{whole // HOUR_S}h"
    return f"{whole // DAY_S}d"


def counted(count: int, noun: str) -> str:
    """`1 pool`, `3 pools`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def counted_by_severity(count: int, severity: Severity) -> str:
    """`1 critical`, `3 warnings`, `2 info`."""
    return counted(count, "warning") if severity is Severity.WARNING else f"{count} {severity.name.lower()}"


def link_words(host: HostView, view: View) -> Line:
    """The problem of a host's connection and what is done about it; empty while the connection is up."""
    link = host.state.link
    match link.state:
        case LinkState.UP:
            return ()
        case LinkState.CONNECTING:
            return line((f"{BUSY} connecting", "info"))
        case LinkState.DOWN:
            wait_s = None if link.retry_at is None else max(0.0, link.retry_at - view.monotonic)
            retry = (
                ""
                if wait_s is None
                else f"{SEPARATOR}next try in {duration(wait_s)}, {key_of('refresh')} tries now"
            )
            return line((f"DOWN {BAD} ", "bad"), link.reason or "no connection", (retry, "dim"))
        case LinkState.REFUSED:
            shows, tries = f"{key_of('host_key')} shows its key", f"{key_of('refresh')} tries again"
            way = f"{SEPARATOR}{shows if link.fingerprint else tries}"
            return line((f"{BAD} ", "bad"), link.reason or "no connection", (way, "dim"))


def login_words(host: HostView) -> Line:
    """How long the login took: `login 0.4 s`; a slow one with its slowest phase. Empty for this machine."""
    login = host.state.login
    if login is None or login.slowest is None:
        return ()
    total = f"login {login.total_s:.1f} s"
    if any(each.id == "ssh-login-slow" for each in host.findings):
        return line((f"{total}, {login.slowest.seconds:.1f} s {login.slowest.phase.value}", "warn"))
    return line((total, "dim"))


def freshness(view: View, host: HostView, pools: tuple[PoolState, ...]) -> Line:
    """At the right of the first line: `live`, or the old part with its age."""
    if host.state.recalled_at is not None:
        return line((f"last known {_recalled_ago(host.state.recalled_at, view)}", "warn"))
    if host.state.link.state is not LinkState.UP:
        ages = [view.monotonic - pool.io_at for pool in pools if pool.io_at is not None]
        return line((f"{duration(min(ages))} old", "warn")) if ages else line(("no data", "dim"))
    status = [age for pool in pools if (age := view.status_age(pool, host.state.slack)) is not None]
    if status:
        return line((f"status {duration(max(status))} old", "warn"))
    samples = [age for pool in pools if (age := view.io_age(pool)) is not None]
    if samples:
        return line((f"I/O {duration(max(samples))} old", "warn"))
    if (listed := view.list_age(host)) is not None:
        return line((f"{duration(listed)} old", "warn"))
    if any(pool.sample is not None for pool in pools):
        return line(("live", "ok"))
    if host.state.pools_at is None or any(pool.pool.value is None for pool in pools):
        return line(("reading", "dim"))
    return line(("live", "ok"))


def recalled_words(host: HostView, view: View) -> Line:
    """What is shown of a host that has not answered yet: pools that an earlier console read."""
    if host.state.recalled_at is None:
        return ()
    ago_words = _recalled_ago(host.state.recalled_at, view)
    return line((f"The pools of {host.name} as they were {ago_words}; it has not answered since.", "dim"))


def _recalled_ago(at: float, view: View) -> str:
    return f"{duration(max(0.0, view.now - at))} ago"


def join(parts: list[Line], separator: str = SEPARATOR) -> Line:
    """Parts with a separator between those that are not empty."""
    joined: list[Span] = []
    for part in parts:
        if part and joined:
            joined.append(Span(separator, "dim"))
        joined += part
    return tuple(joined)


def scrub_age(pool: Pool, now: float) -> float | None:
    """Seconds since the last finished scrub; None where the status has no such scrub."""
    scrub = pool.last_scrub
    return None if scrub is None or scrub.end is None else max(0.0, now - scrub.end)
