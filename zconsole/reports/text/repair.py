"""`zconsole repair`: the steps of each repair, with the commands that plan the next one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from zconsole.actions.repair.repairs_of_host import intent_of_offer
from zconsole.base.escape_control_characters import visible
from zconsole.model.repair import Repair, RepairOffer, RepairStepKind, RepairStepState
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.repair.due_step import due_line
from zconsole.views.repair.markdown_report import ticket
from zconsole.views.repair.repair_and_step_lines import (
    FOUND_CELLS,
    headline,
    procedure_lines,
    repairs_summary,
)

DISK = "DISK"  # a word that the user fills in


def repair_report(
    host: str, found: Sequence[Repair], cells: int | None, where: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the repairs of a host in a width, the most urgent first; `where` selects it in a command."""
    return printed(_lines(host, found, where), cells, hanging=FOUND_CELLS)


def _lines(host: str, found: Sequence[Repair], where: Sequence[str]) -> Iterator[Line]:
    yield repairs_summary(host, found)
    for repair in found:
        yield EMPTY
        yield headline(repair)
        yield due_line(repair)
        yield from procedure_lines(repair)
        offers = tuple(_offers(repair))
        if offers:
            yield EMPTY
        for offer in offers:
            yield line((f"{offer.words}:", "dim"))
            yield line((f"    {plan_command(offer, where)}", "text"))
        for step in repair.steps:
            if step.untested:
                test = shlex.join(["zconsole", "disks", "--read-test", step.untested, *where])
                yield line(("read test of the new disk:", "dim"))
                yield line((f"    {test}", "text"))
    if found:
        yield EMPTY
    yield line(("the speed of the disks is not judged here: zconsole slow watches it", "dim"))


def _offers(repair: Repair) -> Iterator[RepairOffer]:
    """What the present step offers, and the way on in spite of what holds it."""
    for step in repair.steps:
        is_shown = step is repair.current or (repair.is_stop and step.state is RepairStepState.HELD)
        lacks_disk = step.kind is RepairStepKind.NEW_DISK and step.state is not RepairStepState.DONE
        for each in step.offers:
            if (is_shown and not (each.wants_disk and lacks_disk)) or "despite" in dict(each.options):
                yield each


def tickets(host: str, found: Sequence[Repair], now: float) -> Iterator[str]:
    """Yield a report in Markdown for each repair; `now` in epoch seconds."""
    if not found:
        yield f"{visible(host)}: no device needs a repair, and the journal knows no replacement that ended"
    for number, repair in enumerate(found):
        if number:
            yield from ("", "---", "")
        yield from ticket(repair, host, now)


def plan_command(offer: RepairOffer, where: Sequence[str]) -> str:
    """The command that plans an offer; `where` are the words that select its host."""
    wanted = intent_of_offer(offer)
    options = [f"--{name}" if value is True else f"--{name}={value}" for name, value in wanted.options]
    disk = [DISK] if offer.wants_disk else []
    return shlex.join(
        ["zconsole", "plan", wanted.action, wanted.target, *wanted.arguments, *disk, *options, *where]
    )
