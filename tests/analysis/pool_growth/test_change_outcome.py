"""What a change to a live pool comes to."""

from __future__ import annotations

from tests.analysis.capacity.fields import texts
from tests.ui.states import tank
from zconsole.analysis.capacity.compute_planner_results import answers
from zconsole.analysis.capacity.planner_inputs import USUAL, read_inputs
from zconsole.analysis.pool_growth.live_pool import today
from zconsole.base.quantities import TIB
from zconsole.model.pools.space_samples import DatasetUse


def test_what_if_of_a_live_pool() -> None:
    now = today(tank())
    inputs, wrong = read_inputs(texts(changes="add mirror:2; attach mirror-0; snapshots"), USUAL)
    found = answers(inputs, now, [DatasetUse("tank", 0, TIB)])

    assert {} == wrong
    assert ["add mirror:2", "attach mirror-0", "snapshots"] == [each.name for each in found.asked]
    assert "is not a raidz" in found.asked[1].problem
    assert found.asked[0].outcome is not None
    assert found.asked[0].outcome.usable_after > now.usable_bytes
    assert "replace mirror-0" in {each.name for each in found.usual}
    assert "add mirror:2" not in {each.name for each in found.usual}
    assert () == answers(inputs, None).asked
