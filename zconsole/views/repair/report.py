"""Report of a repair for a ticket, as Markdown: what, when, by whom, disks, commands, outcomes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.formatting import duration, moment, size
from zconsole.model.repair import DeviceIdentity, Repair, RepairRun
from zconsole.views.layout.safe_text import clean
from zconsole.views.layout.styled_text import Line, plain
from zconsole.views.repair.procedure import STEPS, TROUBLE_WORDS, step_words, told_lines

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")
_WHEN: Final = "%Y-%m-%d %H:%M:%S"


def report(repair: Repair, now: float, failed: Repair | None = None) -> str:
    """The report at a moment in epoch seconds. `failed` was the repair of the device, of an after-care."""
    of = failed or repair
    runs = tuple(dict.fromkeys((*of.runs, *repair.runs)))
    parts = (*_head(repair, of, now), *_disks(of), *_steps(repair), *_runs(runs))
    return "\n".join(parts) + "\n"


def _head(repair: Repair, of: Repair, now: float) -> Iterator[str]:
    device = of.device.label
    yield f"# Repair of {_text(device)} in {_text(repair.pool)} on {_text(repair.host)}"
    yield ""
    yield f"Written {moment(now, _WHEN)} UTC; all times are UTC."
    yield ""
    since = "" if of.since is None else f" since {moment(of.since, _WHEN)}"
    yield f"- **What:** {_text(f'{device} of {of.vdev} {TROUBLE_WORDS[of.trouble]}')}{since}"
    yield f"- **Cause:** {of.cause.value} ({of.certainty.value})"
    yield f"- **Where it stands:** {step_words(repair)}"
    if repair.alarm:
        yield f"- **Alarm:** {_text(repair.alarm)}"
    if repair.safety:
        yield f"- **Data:** {_text(repair.safety)}"
    yield from (f"- **Redundancy:** {_text(each)}" for each in repair.survives)


def _disks(repair: Repair) -> Iterator[str]:
    known = (("failed", repair.device), ("spare", repair.spare), ("new", repair.newcomer))
    yield from (
        "",
        "## Disks",
        "",
        "| disk | serial | model | size | bay | name in the pool |",
        "|" + "---|" * 6,
    )
    for role, disk in known:
        if disk is not None:
            cells = (role, disk.serial, disk.model, _size(disk), disk.bay, disk.name)
            yield "| " + " | ".join(_text(each) or "unknown" for each in cells) + " |"


def _size(disk: DeviceIdentity) -> str:
    return "" if disk.size_bytes is None else size(disk.size_bytes)


def _steps(repair: Repair) -> Iterator[str]:
    yield from ("", f"## Steps ({STEPS})", "")
    for number, step in enumerate(repair.steps, start=1):
        first, *others = (_line(each) for each in told_lines(step))
        yield f"{number}. **{step.kind.value}** {first}"
        yield from (f"   - {each}" for each in others)


def _runs(runs: Sequence[RepairRun]) -> Iterator[str]:
    yield from ("", "## What was run", "")
    if not runs:
        yield "The journal of this console has no run that belongs to this repair."
        return
    for run in runs:
        took = "" if run.ended is None else f", took {duration(run.ended - run.at)}"
        who = _text(run.who) or "unknown"
        yield f"- {moment(run.at, _WHEN)} {who}: {_text(run.title)}: {_text(run.outcome)}{took}"
        for argv in run.commands:
            yield from ("", f"      {clean(shlex.join(argv))}", "")


def _line(spans: Line) -> str:
    return _text(plain(spans))


def _text(words: str) -> str:
    """Text of a host, in one line and without markup."""
    return _MARKUP.sub(r"\\\1", clean(words))
