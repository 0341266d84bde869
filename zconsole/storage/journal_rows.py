"""Conversion between journal entries and table rows; an invalid row says why. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import RunState

SAID_CHARACTERS: Final = 64 * 1024  # of a step's output; ZFS prints a few lines
RUN: Final = (
    *("id", "started", "ended", "console", "who", "origin", "host", "hostname", "machine_id", "host_key"),
    *("action", "intent", "title", "target", "risk", "fingerprint", "destroys", "undo", "state", "words"),
)
STEP: Final = (
    *("run", "number", "argv", "why", "stdin_sha256", "settled_by", "state", "sent", "sent_argv"),
    *("ended", "status", "said", "settled", "trace"),
)
STEP_STATES: Final = frozenset({"waiting", "sent", "not sent", "done", "failed", "unknown"})
_LATEST_S: Final = 253_402_300_799.0  # the end of the year 9999, the last that datetime represents
_STATUS: Final = 2**31  # more than any exit status
_ID_CHARACTERS: Final = 80  # kept of an invalid id


class _Unreadable(Exception):
    """Invalid row; the message says why."""


def run_row(entry: Entry) -> tuple[object, ...]:
    """Values of the columns `RUN`."""
    return (
        *(entry.id, entry.started, entry.ended, entry.console, text(entry.who), text(entry.origin)),
        *(entry.host, text(entry.hostname), entry.machine_id, entry.host_key, entry.action, entry.intent),
        *(text(entry.title), text(entry.target), entry.risk, entry.fingerprint),
        *(json.dumps(entry.destroys), text(entry.undo), entry.state.value, bounded(entry.words)),
    )


def step_row(run: str, number: int, step: StepEntry) -> tuple[object, ...]:
    """Values of the columns `STEP`."""
    return (
        *(run, number, json.dumps(step.argv), text(step.why), step.stdin_sha256, step.settled_by),
        *(step.state, step.sent, json.dumps(step.sent_argv), step.ended, step.status),
        *(bounded(step.said), text(step.settled), step.trace),
    )


def entry_of_rows(row: Sequence[Any], steps: Sequence[Sequence[Any]]) -> Entry:
    """Run with its steps; an unreadable one has its id, and the reason in `problem`."""
    values = dict(zip(RUN, row, strict=True))
    try:
        return _entry(values, [_step(dict(zip(STEP, each, strict=True))) for each in steps])
    except _Unreadable as error:
        return _unreadable(values, str(error))


def bounded(said: str) -> str:
    """Text cut to the length that the journal keeps."""
    if len(said) <= SAID_CHARACTERS:
        return text(said) or ""
    return (text(said[:SAID_CHARACTERS]) or "") + "\n..."


def text(words: str | None) -> str | None:
    """Text that SQLite can keep: bytes that are no UTF-8 are spelled out."""
    return None if words is None else words.encode("utf-8", "backslashreplace").decode("utf-8")


def _entry(values: Mapping[str, Any], steps: Sequence[StepEntry]) -> Entry:
    state = _str(values, "state")
    if state not in {each.value for each in RunState}:
        raise _Unreadable(f"its state is {state[:_ID_CHARACTERS]!r}, which is none")
    if not isinstance(_json(values, "intent"), dict):
        raise _Unreadable("its intent is not a JSON object")
    started = _time(values, "started")
    if started is None:
        raise _Unreadable("it does not say when it began")
    return Entry(
        id=_str(values, "id"),
        started=started,
        ended=_time(values, "ended"),
        console=_str(values, "console"),
        who=_str(values, "who"),
        origin=_str(values, "origin"),
        host=_str(values, "host"),
        hostname=_str_or_none(values, "hostname"),
        machine_id=_str_or_none(values, "machine_id"),
        host_key=_str_or_none(values, "host_key"),
        action=_str(values, "action"),
        intent=_str(values, "intent"),
        title=_str(values, "title"),
        target=_str(values, "target"),
        risk=_str(values, "risk"),
        fingerprint=_str(values, "fingerprint"),
        destroys=_words(values, "destroys"),
        undo=_str_or_none(values, "undo"),
        state=RunState(state),
        words=_str(values, "words"),
        steps=tuple(steps),
    )


def _step(values: Mapping[str, Any]) -> StepEntry:
    state = _str(values, "state")
    if state not in STEP_STATES:
        raise _Unreadable(f"the state of a step is {state[:_ID_CHARACTERS]!r}, which is none")
    status = values["status"]
    if status is not None and not (type(status) is int and abs(status) < _STATUS):
        raise _Unreadable("the exit status of a step is no such number")
    argv = _words(values, "argv")
    if not argv:
        raise _Unreadable("a step has no command")
    return StepEntry(
        argv=argv,
        why=_str(values, "why"),
        stdin_sha256=_str_or_none(values, "stdin_sha256"),
        settled_by=_str(values, "settled_by"),
        state=state,
        sent=_time(values, "sent"),
        sent_argv=_words(values, "sent_argv"),
        ended=_time(values, "ended"),
        status=status,
        said=_str(values, "said"),
        settled=_str(values, "settled"),
        trace=_str(values, "trace"),
    )


def _unreadable(values: Mapping[str, Any], problem: str) -> Entry:
    """Entry of an unreadable run: its row and host."""
    host, started = values["host"], values["started"]
    is_time = isinstance(started, float | int) and 0 <= started <= _LATEST_S
    return unread_entry(
        str(values["id"])[:_ID_CHARACTERS],
        problem,
        host=host if isinstance(host, str) else "",
        started=float(started) if is_time else 0.0,
    )


def unread_entry(name: str, problem: str, *, host: str = "", started: float = 0.0) -> Entry:
    """Entry of an unreadable row: its id, or another name for it, and the reason."""
    return Entry(
        id=name,
        started=started,
        console="",
        who="",
        origin="",
        host=host,
        action="",
        intent="{}",
        title="a row that cannot be read",
        target="",
        risk="",
        fingerprint="",
        state=RunState.UNKNOWN,
        words=f"this row of the journal cannot be read: {problem}",
        problem=problem,
    )


def _str(values: Mapping[str, Any], key: str) -> str:
    value = values[key]
    if not isinstance(value, str):
        raise _Unreadable(f"its {key} is not text")
    return value


def _str_or_none(values: Mapping[str, Any], key: str) -> str | None:
    return None if values[key] is None else _str(values, key)


def _time(values: Mapping[str, Any], key: str) -> float | None:
    value = values[key]
    if value is None:
        return None
    if not isinstance(value, float | int) or not (math.isfinite(value) and 0 <= value <= _LATEST_S):
        raise _Unreadable(f"its {key} is not a time")
    return float(value)


def _words(values: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = _json(values, key)
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise _Unreadable(f"its {key} is not a list of words")
    return tuple(found)


def _json(values: Mapping[str, Any], key: str) -> object:
    try:
        return json.loads(_str(values, key))
    except (ValueError, RecursionError) as error:
        raise _Unreadable(f"its {key} is not JSON") from error
