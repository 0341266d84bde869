"""Plan as text, and the command that runs it: for `zconsole plan`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from zconsole.actions.plan import Plan
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.changes.plan import PlanForm, document, headline
from zconsole.views.layout.labelled_paragraph import labelled
from zconsole.views.layout.styled_text import Line, line


def plan_lines(
    plan: Plan, saved: str = "", where: Sequence[str] | None = None, *, is_full: bool = False
) -> Iterator[str]:
    """Yield a plan; `saved` is the file that holds it, `where` selects its host in commands."""
    lines = (headline(plan), *document(plan, PlanForm.FULL if is_full else PlanForm.SHORT, where))
    return printed(lines if plan.is_refused else (*lines, _to_run(plan, saved, where or ())))


def _to_run(plan: Plan, saved: str, where: Sequence[str]) -> Line:
    """The command; a saved plan names its host, but not that this is the practice host."""
    demo = "".join(f" {each}" for each in where if each.startswith("--demo"))
    confirm = "" if plan.confirm is None else f" {_option('--confirm', plan.confirm)}"
    file = shlex.quote(saved) if saved else "FILE"
    return labelled(
        "TO RUN IT", line("" if saved else "save it with -o FILE; ", f"zconsole apply {file}{demo}{confirm}")
    )


def _option(name: str, value: str) -> str:
    """An option as typed; a value that looks like an option is joined to it."""
    return shlex.quote(f"{name}={value}") if value.startswith("-") else f"{name} {shlex.quote(value)}"
