"""The practice host answers the script for its settings, and nothing is to be said of them."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import host
from zconsole.analysis.findings.host_settings_rules import findings_of_host_settings
from zconsole.base.clock import ManualClock
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.streams.dataset_and_host_settings import read_settings_of_host
from zconsole.model.host.host_state import Reading
from zconsole.practice import PracticeHost, create_world


async def test_a_practice_host_is_set_up_well() -> None:
    made = PracticeHost(clock=ManualClock(1_800_000_000), world=create_world("mirror 0 1"))
    await made.connect()
    made.world.parameters["zfs_txg_timeout"] = 5

    settings = await read_settings_of_host(Asker(made))

    assert made.world.hostid == settings.hostid
    assert "5" == settings.parameter("zfs_txg_timeout")
    assert settings.memory_bytes
    assert [] == list(findings_of_host_settings(replace(host(), settings=Reading(settings))))


async def test_a_limit_of_the_arc_is_in_effect_from_64_mib_on_and_below_all_memory() -> None:
    """As arc_init takes `zfs_arc_max`; the parameter keeps what was asked for."""
    made = PracticeHost(clock=ManualClock(1_800_000_000), world=create_world("mirror 0 1"))
    await made.connect()
    found = []
    for asked in (512 << 20, 32 << 20, 1 << 40):
        made.world.parameters["zfs_arc_max"] = asked
        settings = await read_settings_of_host(Asker(made))
        found.append((settings.parameter("zfs_arc_max"), settings.arc_max_bytes))

    assert [(str(512 << 20), 512 << 20), (str(32 << 20), 128 << 30), (str(1 << 40), 128 << 30)] == found


async def test_a_host_without_a_hostid_has_that_of_0() -> None:
    made = PracticeHost(clock=ManualClock(1_800_000_000), world=create_world("mirror 0 1"))
    await made.connect()
    made.world.hostid = 0

    assert 0 == (await read_settings_of_host(Asker(made))).hostid
