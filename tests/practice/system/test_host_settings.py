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
