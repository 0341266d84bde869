"""Space of a pool on the first screen: what holds it, and its largest datasets."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from tests.ui.states import GIB
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.host.host_state import Reading
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.overview.disk_wall import Shown, wall_of
from zconsole.views.overview.largest_datasets_and_growth import space_lines
from zconsole.views.overview.pool_overview import PoolOverview


def test_the_largest_datasets_are_named_with_their_snapshots_and_without_what_is_below() -> None:
    settings = (
        DatasetSettings("tank", "filesystem", used_bytes=900 * GIB, own_bytes=0),
        DatasetSettings("tank/vm", "filesystem", own_bytes=300 * GIB, by_snapshots_bytes=100 * GIB),
        DatasetSettings("tank/home", "filesystem", own_bytes=600 * GIB),
        DatasetSettings("tank/tiny", "filesystem", own_bytes=GIB),
    )
    pool = replace(states.pool_state(states.tank()), settings=Reading(settings, states.TICKS))
    host = HostView(states.host("nas", pool))
    shown = PoolOverview(host, Shown(wall_of(states.tank(), None), pool))

    first, second = map(plain, space_lines(View((host,), states.NOW, states.TICKS), [shown], 100))

    assert "100 GiB in snapshots" in first
    assert "home 600 GiB 60%   vm 400 GiB 40%" == second.strip()
