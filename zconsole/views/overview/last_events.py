"""What happened last on all hosts: runs of this console, and those events of ZFS that tell a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import repeat
from typing import Final

from zconsole.analysis.kept_by_identity import kept_by_identity
from zconsole.base.fixed_width_formatting import recent
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.event import Event
from zconsole.model.run import Run, RunState
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.styled_text import Line, Span, line
from zconsole.views.pools.event_list_and_detail import event_words, style_of

_SILENT: Final = frozenset({"config_sync", "config_cache_write"})  # ZFS's own bookkeeping
_HISTORY: Final = "history_event"
_TOLD_HISTORY: Final = frozenset({"destroy", "rollback", "promote", "rename", "receive", "inherit", "set"})
_RUN_STYLE: Final = {RunState.DONE: "ok", RunState.FAILED: "bad", RunState.UNKNOWN: "warn"}


@dataclass(frozen=True, slots=True)
class _Happened:
    """Something that happened on a host."""

    at: float
    pool: str
    words: str
    style: str


def last_events(view: View, most: int) -> Iterator[Line]:
    """The last changes, newest first, also within a second, a line each; equal ones in a row are one."""
    for name, each, times in _folded(_newest_first(view), most):
        host = f"{name} " if len(view.hosts) > 1 else ""
        again = f", {times} times" if times > 1 else ""
        yield line(
            (f"{recent(each.at, view.now)}  ", "dim"),
            (host, "dim"),
            Span(f"{each.pool}  " if each.pool else ""),
            (each.words, each.style),
            (again, "dim"),
        )


def _newest_first(view: View) -> Iterator[tuple[str, _Happened]]:
    """What happened, with the host; of one moment what is of a later host, and runs, first."""
    sources = (
        zip(repeat(host.name), reversed(each), strict=False)
        for host in reversed(view.hosts)
        for each in (_of_runs(host.state.runs), _of_events(host.state.events))
    )
    merged = merge(*sources, key=lambda each: -each[1].at)
    return (each for each in merged if each[1].at <= view.now)


def _of_runs(runs: tuple[Run, ...]) -> list[_Happened]:
    """The runs that ended, the last one last."""
    ended = [
        _Happened(at, "", f"{run.title}: {run.state.value}", _RUN_STYLE.get(run.state, "text"))
        for run in runs
        if (at := _end_of(run)) is not None
    ]
    return sorted(ended, key=lambda each: each.at)


@kept_by_identity
def _of_events(events: tuple[Event, ...]) -> list[_Happened]:
    """What the events of a host tell, the last one last; made once for as long as there is no other one."""
    told = [
        _Happened(
            event.at,
            event.pool or "",
            with_serials(f"{event.short_class} {_words(event)}".strip()),
            style_of(event),
        )
        for event in events
        if event.at is not None and _is_told(event)
    ]
    return sorted(told, key=lambda each: each.at)


def _words(event: Event) -> str:
    """The event's words; of the dozens of features that a new pool or an upgrade enables the kind alone."""
    if (event.field("history_internal_str") or "").startswith("feature@"):
        return "set feature@"
    return event_words(event)


def _end_of(run: Run) -> float | None:
    """When the last step of a run ended; None for one that runs, or that ran nothing."""
    return max((step.ended for step in run.steps if step.ended is not None), default=None)


def _is_told(event: Event) -> bool:
    if event.short_class == _HISTORY:
        return event.field("history_internal_name") in _TOLD_HISTORY and "@" not in (
            event.field("history_dsname") or ""
        )
    return event.short_class not in _SILENT


def _folded(newest_first: Iterable[tuple[str, _Happened]], most: int) -> list[tuple[str, _Happened, int]]:
    """The newest of equal ones in a row, with how many they are."""
    told: list[tuple[str, _Happened, int]] = []
    for host, each in newest_first:
        name, last, times = told[-1] if told else ("", None, 0)
        if last is not None and (name, last.pool, last.words) == (host, each.pool, each.words):
            told[-1] = name, last, times + 1
        elif len(told) == most:
            break
        else:
            told.append((host, each, 1))
    return told
