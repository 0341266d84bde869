"""The world moves between any two commands: no wrong object, no false `done`, no false `failed`.

Every action, with every change that makes sense for it, before every command of its plan, its check and its
run. The oracle is the identity of what is really there, see `identity`. What fails today is in
`known_failures.txt`, and an entry that does not fail any more is an error.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.scenarios.cases import CASES, Case
from tests.scenarios.changes import CHANGES
from tests.scenarios.moving import Phase, Scenario, Seen
from zconsole.actions.catalogue import SPECS

KNOWN = frozenset(
    line
    for line in (Path(__file__).parent / "known_failures.txt").read_text().split("\n")
    if line and not line.startswith("#")
)
ELSEWHERE = {  # by what they are tried
    "resume-receive": "tests/live/test_replication.py: it needs a stream that was cut",
    "abort-receive": "tests/live/test_replication.py: it needs a stream that was cut",
    "syncoid": "tests/live/test_replication.py: another program acts",
}


async def seen(case: Case, *, is_long: bool) -> list[Seen]:
    """What becomes of a case at some positions, or at all."""
    scenario = Scenario(case)
    await scenario.begin()
    return [
        await scenario.disturbed(change, position)
        for change in scenario.changes
        for position in (scenario.positions if is_long else scenario.probes(change))
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_change_between_two_commands_makes_a_lie(case: Case, request: pytest.FixtureRequest) -> None:
    """Every position with --long; one for each change otherwise."""
    is_long = bool(request.config.getoption("--long"))
    found = asyncio.run(seen(case, is_long=is_long))

    unknown = [each.told() for each in found if not KNOWN.issuperset(each.entries())]
    assert not unknown, "\n".join([f"{len(unknown)} of {len(found)} runs", *unknown[:20]])
    failing = {entry for each in found for entry in each.entries()}
    tried = {(each.change, each.phase.value) for each in found if is_long or each.phase is Phase.ACT}
    mended = [
        entry
        for entry in KNOWN - failing
        if entry.startswith(f"{case.name} | ") and tuple(entry.split(" | ")[1:3]) in tried
    ]
    assert not mended, f"these do not fail any more, take them out of the table: {sorted(mended)}"


def test_every_action_is_tried() -> None:
    """A new action without a scenario fails here."""
    assert {spec.id for spec in SPECS} == {case.action for case in CASES} | ELSEWHERE.keys()


def test_every_change_is_tried_with_some_action() -> None:
    used = {name for name, change in CHANGES.items() for case in CASES if change.needs <= case.focus.parts}

    assert CHANGES.keys() == used


def test_the_table_names_what_there_is() -> None:
    names = {case.name for case in CASES}

    assert set() == {entry for entry in KNOWN if entry.split(" | ")[0] not in names}
    assert len(names) == len(CASES)
