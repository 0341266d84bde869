"""Report of a repair for a ticket, in Markdown: what failed, what was done, by whom, what is left."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from zconsole.base.fixed_width_formatting import MINUTE, duration, moment, size
from zconsole.model.repair import DeviceIdentity, Repair, RepairRun, RepairStep, RepairTrouble
from zconsole.views.layout.escape_measure_cut_text import clean
from zconsole.views.layout.styled_text import plain
from zconsole.views.repair.repair_and_step_lines import step_state_lines, step_words, trouble_in_words

TIME: Final = f"{MINUTE} UTC"
_MARKUP: Final = "\\`*_[]<>#|~"
_FENCE: Final = "    "  # an indented block of code: nothing in it can end it


def ticket(repair: Repair, host: str, now: float) -> Iterator[str]:
    """Yield the report line by line; `now` in epoch seconds."""
    where = _text(repair.pool if repair.vdev == repair.pool else f"{repair.pool} {repair.vdev}")
    colon = ":" if repair.others else ""
    yield f"# {_text(repair.named)} in {where}{colon} {trouble_in_words(repair)}"
    yield ""
    yield from _facts(repair, host, now)
    if repair.alarm:
        yield from ("", f"**{_text(repair.alarm)}**")
    yield from ("", "## Steps", "", "| | step | state and what was found |", "|---|---|---|")
    for number, step in enumerate(repair.steps, start=1):
        yield f"| {number} | {step.title} | {_told(step)} |"
    yield from ("", "## What was done", "")
    if not repair.runs:
        yield "The journal of this console has no run on this device."
    for run in repair.runs:
        yield from _run(run)
    yield from ("", "## What the pool survives now", "")
    for words in (*repair.survives, repair.safety):
        if words:
            yield f"- {_text(words)}"


def _facts(repair: Repair, host: str, now: float) -> Iterator[str]:
    yield f"- Host: {_text(host)}, pool {_text(repair.pool)}, vdev {_text(repair.vdev)}"
    for each in (repair.device, *repair.others):
        yield f"- Device: {_device(each)}"
    if repair.newcomer is not None:
        yield f"- New disk: {_device(repair.newcomer)}"
    if repair.spare is not None:
        yield f"- Spare in use: {_device(repair.spare)}"
    if repair.since is not None:
        yield f"- Since: {moment(repair.since, TIME)}, {duration(max(0.0, now - repair.since))} ago"
    if repair.trouble is not RepairTrouble.AFTER_CARE:  # of a device that is out nothing is asked any more
        yield f"- Cause: {repair.cause.value} ({repair.certainty.in_words})"
    begun = repair.begun
    if begun is not None:
        yield f"- Begun: {moment(begun.at, TIME)} by {_text(begun.who)}"
    yield f"- As of {moment(now, TIME)}: {step_words(repair)}"


def _device(device: DeviceIdentity) -> str:
    known = (
        f"serial {device.serial}" if device.serial else "",
        device.model,
        size(device.size_bytes) if device.size_bytes is not None else "",
        device.where,
        f"{device.name} in the pool" if device.name != device.serial else "",
        f"guid {device.guid}" if device.guid is not None else "",
    )
    return _text(", ".join(filter(None, known)))


def _told(step: RepairStep) -> str:
    return "<br>".join(_text(plain(each)) for each in step_state_lines(step))


def _run(run: RepairRun) -> Iterator[str]:
    took = f", {duration(max(0.0, run.ended - run.at))}" if run.ended is not None else ""
    yield f"- {moment(run.at, TIME)}, {_text(run.who)}: {_text(run.title)}: {_text(run.outcome)}{took}"
    if run.commands:
        yield ""
        for argv in run.commands:
            yield f"{_FENCE}{_FENCE}{clean(shlex.join(argv))}"
        yield ""


def _text(words: str) -> str:
    """Text of a host as a line of Markdown that shows it and means nothing."""
    flat = " ".join(clean(words).split())
    return "".join(f"\\{each}" if each in _MARKUP else each for each in flat)
