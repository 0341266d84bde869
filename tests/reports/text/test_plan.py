"""A plan as text: the document of the views, and the command that runs it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import planned, tank
from tests.ui import plans
from zconsole.actions.plan import Risk
from zconsole.reports.text.plan import plan_lines


def test_a_routine_plan_is_printed_with_what_runs_it() -> None:
    assert [
        "storage1: scrub tank [ROUTINE]",
        "LOST      nothing",
        "RUNS      zpool scrub tank",
        "UNDO      zpool scrub -s tank (on storage1)",
        "TO RUN IT save it with -o FILE; zconsole apply FILE",
    ] == list(plan_lines(planned(tank(), "scrub")))


def test_the_confirmation_is_quoted_for_a_shell() -> None:
    made = replace(planned(tank(), "scrub"), risk=Risk.CAUTION, target="tank/my data")

    *_, last = plan_lines(made, "plan 1.json")
    assert "TO RUN IT zconsole apply 'plan 1.json' --confirm 'tank/my data'" == last


@pytest.mark.parametrize(
    ("where", "words"),
    [((), ""), (("--host", "nas1"), ""), (("--demo",), " --demo"), (("--demo=cable",), " --demo=cable")],
)
def test_a_saved_plan_names_its_host_but_not_the_practice_host(where: tuple[str, ...], words: str) -> None:
    *_, last = plan_lines(planned(tank(), "scrub"), "plan.json", where)

    assert f"TO RUN IT zconsole apply plan.json{words}" == last


def test_a_refused_plan_offers_nothing_to_run_it() -> None:
    assert not any("zconsole apply" in text for text in plan_lines(plans.refused()))


@pytest.mark.parametrize("risk", plans.ALL)
def test_in_full_nothing_is_left_out(risk: str) -> None:
    made = plans.ALL[risk]()

    text = "\n".join(plan_lines(made, is_full=True))

    assert "--full" not in text
    assert all(name in text for name in made.lost)
