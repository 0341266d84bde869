"""Settings are told where they begin, and the root dataset is the newest of all."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import pool
from tests.analysis.findings.judging import given, said
from zconsole.analysis.findings.datasets.settings_rules import places, sync_is_disabled
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.pool import RootSettings

ROOT = RootSettings("lz4", "on", "standard", "off", 1, "on", "on")
DISABLED = replace(ROOT, sync="disabled")
LISTED = tuple(
    DatasetSettings(name, "filesystem", sync=sync)
    for name, sync in (
        ("tank", "standard"),
        ("tank/a", "disabled"),
        ("tank/a/b", "disabled"),
        ("tank/c", "standard"),
        ("tank/c/d", "disabled"),
    )
)


def test_a_setting_is_told_once_where_it_begins() -> None:
    facts = given(pool(settings=ROOT), settings=Reading(LISTED))

    found = places(facts, lambda each: each.sync == "disabled")

    assert ("tank/a", "tank/c/d") == tuple(each.name for each in found)


def test_the_root_dataset_is_as_it_was_read_last() -> None:
    of_root, of_child = said(sync_is_disabled, pool(settings=DISABLED), settings=Reading(LISTED))

    assert of_root[1].startswith("sync=disabled on its root dataset, and where that is inherited:")
    assert of_child[1].startswith("sync=disabled on tank/c/d:")


def test_without_a_list_the_root_dataset_is_judged_alone() -> None:
    assert 1 == len(said(sync_is_disabled, pool(settings=DISABLED)))
    assert [] == said(sync_is_disabled, pool(settings=ROOT))
