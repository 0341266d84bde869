"""What happened last on all hosts: runs of this console, and those events of ZFS that tell a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

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
    """Something that happened, and how often in a row."""

    at: float
    host: str
    pool: str
    words: str
    style: str
    times: int = 1


def last_events(view: View, most: int) -> Iterator[Line]:
    """The last changes, newest first, also within a second, a line each; equal ones in a row are one."""
    for each in _folded(sorted(_happened(view), key=lambda each: each.at)[::-1], most):
        host = f"{each.host} " if len(view.hosts) > 1 else ""
        again = f", {each.times} times" if each.times > 1 else ""
        yield line(
            (f"{recent(each.at, view.now)}  ", "dim"),
            (host, "dim"),
            Span(f"{each.pool}  " if each.pool else ""),
            (each.words, each.style),
            (again, "dim"),
        )


def _happened(view: View) -> Iterator[_Happened]:
    for host in view.hosts:
        for event in host.state.events:
            if event.at is not None and event.at <= view.now and _is_told(event):
                words = with_serials(f"{event.short_class} {_words(event)}".strip())
                yield _Happened(event.at, host.name, event.pool or "", words, style_of(event))
        for run in host.state.runs:
            if (at := _end_of(run)) is not None:
                words = f"{run.title}: {run.state.value}"
                yield _Happened(at, host.name, "", words, _RUN_STYLE.get(run.state, "text"))


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


def _folded(newest_first: Iterable[_Happened], most: int) -> list[_Happened]:
    told: list[_Happened] = []
    for each in newest_first:
        last = told[-1] if told else None
        if last is not None and (last.host, last.pool, last.words) == (each.host, each.pool, each.words):
            told[-1] = _Happened(last.at, last.host, last.pool, last.words, last.style, last.times + 1)
        elif len(told) == most:
            break
        else:
            told.append(each)
    return told
