"""For which guests file systems were frozen during a snapshot, and what to type where they may still be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.name_lists import shortened
from zconsole.model.guests.guest import SYSTEM
from zconsole.model.run import Run, StepRun
from zconsole.system.libvirt.frozen_snapshot_script import FROZEN_GUESTS, freeze_outcome, guests_in

_NAMED: Final = 10


def guests_frozen_in_words(run: Run) -> str:
    """`consistent for web01; only crash-consistent for db02: no answer in 10 s`; empty for other plans."""
    steps = [step for step in run.steps if guests_in(step.argv) and step.started is not None]
    return "; ".join(clause for step in steps for clause in _clauses(step))


def _clauses(step: StepRun) -> Iterator[str]:
    outcome = freeze_outcome(step.argv, step.said)
    if step.state == "done" and not outcome.was_seen:
        yield f"for which guests it is consistent was not seen: its property {FROZEN_GUESTS} tells"
        return
    if step.state == "done" and outcome.consistent:
        names = shortened(outcome.consistent, _NAMED)
        yield f"the file systems of {names} were frozen for it, and are thawed"
    if step.state == "done":
        for name, why in outcome.crash_consistent:
            yield f"it is only crash-consistent for {name}{': ' if why else ''}{why}"
    for name, uuid in outcome.stuck:
        yield (
            f"{name} may still be frozen: resume it if it is paused, start it if its memory was saved, then "
            f"virsh -c {SYSTEM} domfsthaw {uuid}"
        )
