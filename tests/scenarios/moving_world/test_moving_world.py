"""The world moves between any two commands: no wrong object, no false `done`, no false `failed`.

Every action, with every change that makes sense for it, before every command of its plan, its check and its
run. The oracle is the identity of what is really there, see `identity`. What fails today is in
`known_failures.txt`, and an entry that does not fail any more is an error.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scenarios.moving_world.cases import CASES, Case
from tests.scenarios.moving_world.changes import CHANGES
from tests.scenarios.moving_world.moving import Phase, Scenario, Seen
from tests.scenarios.moving_world.windows import WINDOWS
from zconsole.actions.action_catalogue import SPECS

CHUNKS = 10
RUNS, LONG_RUNS = 300, 10_000  # with several changes each
ONCE_WRONG = (857, 1490, 2048, 2596, 4752, 6063, 6102, 6738, 7956, 7995)  # seeds of several changes
KNOWN = frozenset(
    line
    for line in (Path(__file__).parent / "known_failures.txt").read_text().split("\n")
    if line and not line.startswith("#")
)
ELSEWHERE = {  # by what they are tried
    "resume-receive": "tests/execution/test_send_receive_pipeline.py: it needs a stream that was cut",
    "abort-receive": "tests/execution/test_send_receive_pipeline.py: it needs a stream that was cut",
    **dict.fromkeys(
        ("guest-start", "guest-shutdown", "guest-suspend", "guest-resume"),
        "tests/actions/guest/test_start_shutdown_suspend_resume.py: libvirt finds a guest by its uuid",
    ),
    "guest-move": "tests/scenarios/faults/test_interrupted_guest_moves.py: it needs a guest and two pools",
    "guest-forget": "tests/actions/guest/test_forget_moved.py: it needs a guest that was moved",
    "benchmark": "tests/zfs/benchmark/test_scratch_dataset_script.py: another program acts",
    "syncoid": "tests/execution/test_send_receive_pipeline.py: another program acts",
}


async def seen(case: Case, *, is_long: bool) -> list[Seen]:
    """What becomes of a case at some positions, or at all."""
    scenario = Scenario(case)
    await scenario.begin()
    return [each for change in scenario.changes for each in await scenario.at(change, is_long=is_long)]


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


@pytest.mark.parametrize("change", ["the snapshot is taken anew", "swapped for a copy"])
def test_what_is_known_to_go_as_another_run_goes_so(change: str) -> None:
    """A run that is left out, because no answer is another, ends as it does when it is made."""

    async def both() -> tuple[list[Seen], list[Seen], int]:
        scenario = Scenario(next(case for case in CASES if case.action == "hold"))
        await scenario.begin()
        known = await scenario.everywhere(CHANGES[change])
        made = [await scenario.disturbed(CHANGES[change], position) for position in scenario.positions]
        return known, made, scenario.followed

    known, made, followed = asyncio.run(both())

    assert [replace(each, before="") for each in made] == [replace(each, before="") for each in known]
    assert followed > len(made) // 3
    assert len({each.state for each in made}) > 1


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_several_changes_at_random_make_no_lie(chunk: int, request: pytest.FixtureRequest) -> None:
    """10,000 runs by seed with --long, 300 otherwise; a failure names its seed."""
    runs = LONG_RUNS if request.config.getoption("--long") else RUNS
    seeds = [seed for seed in range(runs) if case_of(seed) % CHUNKS == chunk]

    failing = asyncio.run(restless(seeds))

    assert not failing, "\n".join(failing[:20])


def test_what_was_once_wrong_stays_right() -> None:
    assert [] == asyncio.run(restless(ONCE_WRONG))


def case_of(seed: int) -> int:
    """The number of its case; all runs of a case are in one chunk, so that it is run undisturbed once."""
    return (seed // 10 * 7 + seed) % len(CASES)


def seeds_of(number: int, runs: int) -> list[int]:
    """The seeds that are for a case, of so many."""
    return [seed for seed in range(runs) if case_of(seed) == number]


async def restless(seeds: Iterable[int], ends: Counter[str] | None = None) -> list[str]:
    """Runs with 2 to 4 changes each; those that failed, in words. `ends` counts how they ended."""
    scenarios: dict[int, Scenario] = {}
    failing = []
    for seed in seeds:
        chooser = random.Random(seed)  # noqa: S311 - the same every time
        number = case_of(seed)
        if number not in scenarios:
            scenarios[number] = Scenario(CASES[number])
            await scenarios[number].begin()
        scenario = scenarios[number]
        known = {entry.split(" | ")[1] for entry in KNOWN if entry.startswith(f"{scenario.case.name} | ")}
        changes = [change for change in scenario.changes if change.name not in known]
        count = min(chooser.randint(2, 4), len(changes))
        if not count:
            continue
        positions = chooser.sample(scenario.positions, count)
        found = await scenario.disturbed_by(dict(zip(positions, chooser.sample(changes, count), strict=True)))
        if ends is not None:
            ends[found.state] += 1
        if found.failures:
            failing.append(f"seed {seed}: {positions}: {found.told()}")
    return failing


def test_every_action_is_tried() -> None:
    """A new action without a scenario fails here."""
    tried = {case.action for case in CASES} | ELSEWHERE.keys()
    assert {spec.id for spec in SPECS} == tried, "add a case to cases.py, and a line to WINDOWS of windows.py"


def test_every_action_has_its_window() -> None:
    assert WINDOWS.keys() == {case.action for case in CASES}
    assert [] == [action for action, (commands, _why) in WINDOWS.items() if commands > 1]


def test_every_change_is_tried_with_some_action() -> None:
    used = {name for name, change in CHANGES.items() for case in CASES if change.needs <= case.focus.parts}

    assert CHANGES.keys() == used


def test_the_table_names_what_there_is() -> None:
    names = {case.name for case in CASES}

    assert set() == {entry for entry in KNOWN if entry.split(" | ")[0] not in names}
    assert len(names) == len(CASES)
