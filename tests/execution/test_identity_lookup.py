"""Objects by name, and where they are now by identity."""

from __future__ import annotations

import pytest

from tests.doubles.practice_runs import Bench
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.identity_lookup import read_whereabouts, read_which


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.type("zfs create tank/x", "zfs snapshot tank/x@a")
    return made


async def test_what_is_not_there_is_left_out(bench: Bench) -> None:
    await bench.host.connect()
    found = await read_which(Asker(bench.host), ("tank/x", "tank/gone", "tank/x@a"))

    assert {"tank/x", "tank/x@a"} == {each.name for each in found}


async def test_a_renamed_dataset_is_found_with_its_snapshots(bench: Bench) -> None:
    await bench.host.connect()
    before = await read_whereabouts(Asker(bench.host), "tank", ("tank/x", "tank/x@a"))
    identity = {names[0]: which for which, names in before.items()}

    bench.type("zfs rename tank/x tank/y", "zfs create tank/x", "zfs snapshot tank/x@a")
    after = await read_whereabouts(Asker(bench.host), "tank", ("tank/x", "tank/y@a"))

    assert ["tank/y"] == after[identity["tank/x"]]
    assert ["tank/y@a"] == after[identity["tank/x@a"]]
