"""Plans of a benchmark: where it is refused, and what it would run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import planned, rules
from tests.doubles.plan_worlds import filesystem, host, pool, volume
from zconsole.actions.dataset.benchmark import SPACE_FACTOR, TOOLS
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Scan
from zconsole.zfs.benchmark.scratch_dataset_script import SCRIPT

GIB = 1 << 30
DATA = filesystem("tank/data", available_bytes=100 * GIB, recordsize_bytes=16384)
ROOMY = pool(usable_used_bytes=100 * GIB, usable_available_bytes=100 * GIB)


def world(of: Pool = ROOMY, **values: object) -> PlanFacts:
    data = replace(DATA, **values)  # type: ignore[arg-type]
    above = filesystem("tank", available_bytes=100 * GIB)
    facts = host((above, data, volume("tank/vol")), pools=(of,))
    return replace(facts, missing_tools=frozenset())


def test_one_step_does_all_of_it_and_leaves_a_line_in_the_history() -> None:
    made = planned(world(), "benchmark", "tank/data", size="2G", seconds=20)

    (step,) = made.steps
    words = ("tank", "tank/data/zconsole-benchmark", "16384", "metadata", str(2 * GIB), "20")
    assert ("sh", "-s", "--", *words) == step.argv
    assert SCRIPT == step.stdin
    assert step.is_followed
    (told,) = step.settled_by
    assert ConditionKind.HISTORY is told.kind
    assert "zfs destroy -r tank/data/zconsole-benchmark" == told.value
    assert Risk.CAUTION is made.risk
    assert not made.destroys


def test_the_plan_says_what_it_costs_and_how_to_clean_up() -> None:
    made = planned(world(), "benchmark", "tank/data")

    assert any("everything on tank is slow meanwhile" in each for each in made.warnings)
    assert any("if the link is lost" in each for each in made.notes)
    assert any("recordsize 16.0 KiB, primarycache=metadata" in each for each in made.notes)
    assert made.undo is not None
    assert "zfs destroy -r tank/data/zconsole-benchmark" in made.undo


@pytest.mark.parametrize(
    ("cache", "told"),
    [
        ("metadata", "primarycache=metadata (data is read from the disks"),
        ("none", "primarycache=none (metadata is read from the disks as well"),
    ],
)
def test_the_plan_says_how_it_measures(cache: str, told: str) -> None:
    made = planned(world(), "benchmark", "tank/data", primarycache=cache)

    assert any("queue depth 1" in each for each in made.notes)
    assert any(told in each for each in made.notes)


def test_a_write_that_waits_for_nothing_is_no_synchronous_one() -> None:
    facts = world()
    disabled = replace(facts, properties=(("tank/data", "sync", "disabled", "local"),))
    always = replace(facts, properties=(("tank/data", "sync", "always", "local"),))

    told = planned(disabled, "benchmark", "tank/data").warnings

    assert any(
        "tank/data has sync=disabled: what is measured as a synchronous write" in each for each in told
    )
    assert any("sync=always" in each for each in planned(always, "benchmark", "tank/data").notes)
    assert not any("sync=disabled" in each for each in planned(facts, "benchmark", "tank/data").warnings)


def test_reads_from_memory_are_warned_of() -> None:
    made = planned(world(), "benchmark", "tank/data", primarycache="all")

    assert any("come from memory" in each for each in made.warnings)


@pytest.mark.parametrize(
    ("rule", "of"),
    [
        ("degraded", replace(ROOMY, state="DEGRADED")),
        ("scan-running", replace(ROOMY, scan=Scan("resilver", "scanning"))),
        ("scan-running", replace(ROOMY, scan=Scan("scrub", "scanning"))),
        ("nearly-full", replace(ROOMY, usable_used_bytes=900 * GIB)),
        ("full", replace(ROOMY, usable_used_bytes=880 * GIB)),
    ],
)
def test_a_pool_that_needs_its_disks_or_is_nearly_full_is_left_alone(rule: str, of: Pool) -> None:
    assert rule in rules(planned(world(of), "benchmark", "tank/data", size="8G"))


def test_without_room_for_it_the_file_is_not_written() -> None:
    room = SPACE_FACTOR * GIB

    assert [] == rules(planned(world(available_bytes=room), "benchmark", "tank/data", size="1G"))
    assert ["full"] == rules(planned(world(available_bytes=room - 1), "benchmark", "tank/data", size="1G"))
    assert ["space-unknown"] == rules(planned(world(available_bytes=None), "benchmark", "tank/data"))


def test_a_scratch_dataset_that_was_left_is_not_touched() -> None:
    facts = world()
    left = filesystem("tank/data/zconsole-benchmark")

    made = planned(replace(facts, datasets=(*facts.datasets, left)), "benchmark", "tank/data")

    assert ["exists"] == rules(made)
    assert any("zfs destroy -r tank/data/zconsole-benchmark" in each for each in made.notes)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_missing_program_is_named_with_its_package(tool: str) -> None:
    made = planned(replace(world(), missing_tools=frozenset({tool})), "benchmark", "tank/data")

    (refused,) = made.refusals
    assert f"this host lacks {tool}" == refused.reason
    assert refused.instead.startswith("install the package ")


def test_all_missing_programs_are_one_refusal() -> None:
    made = planned(
        replace(world(), missing_tools=frozenset({"fio", "mktemp", "timeout"})), "benchmark", "tank/data"
    )

    (refused,) = made.refusals
    assert "this host lacks fio, mktemp and timeout" == refused.reason
    assert "install the packages fio and coreutils" == refused.instead


@pytest.mark.parametrize(
    ("target", "options"),
    [
        ("tank/vol", {}), ("tank/none", {}),
        ("tank/data", {"size": "1M"}), ("tank/data", {"size": "big"}),
        ("tank/data", {"recordsize": "24K"}), ("tank/data", {"recordsize": "32M"}),
        ("tank/data", {"seconds": 1}), ("tank/data", {"seconds": 3600}),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_an_error(target: str, options: dict[str, str | int]) -> None:
    with pytest.raises(UsageError):
        planned(world(), "benchmark", target, **options)
