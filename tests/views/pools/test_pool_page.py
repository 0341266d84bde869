"""First line of a pool, and the cells of its tree."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from zconsole.model.finding import Finding, Severity
from zconsole.model.pools.pool import Pool
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.layout.table import draw, place
from zconsole.views.pools import pool_page
from zconsole.views.pools.pool_page import VdevHistory
from zconsole.views.pools.vdev_columns import IO

DEGRADED = Finding(
    "pool-degraded", Severity.WARNING, "bulk", "DEGRADED for 1h19m: ata-ST4000NM0035-1V4107_ZC13A0R7 FAULTED"
)


def view(pool: Pool, *found: Finding) -> View:
    findings = tuple(replace(each, evidence={"pool": pool.name}) for each in found)
    return View((HostView(states.host("nas", states.pool_state(pool)), findings),), states.NOW, states.TICKS)


def test_the_first_line_says_the_state_once_and_names_the_disk_by_its_serial_number() -> None:
    shown = view(states.bulk(), DEGRADED)
    about = pool_page.subject(shown, "nas", "bulk")

    assert about is not None
    answer = plain(pool_page.page(about, shown, IO, VdevHistory()).answer)
    assert "nas · bulk DEGRADED ▲ for 1h19m: ZC13A0R7 FAULTED" == answer


def test_the_serial_number_of_a_disk_deep_in_the_tree_is_whole_at_80_columns() -> None:
    bulk = states.bulk()
    raidz = bulk.vdevs[0]
    inner = replace(raidz.children[0], name="replacing-0")
    leaf = replace(inner.children[0], name="ata-WDC_WD40EFRX-68N32N0_WD-WCC7K1234567")
    spare = states.group("spare-0", "spare", replace(inner, children=(leaf, *inner.children[1:])))
    shown = view(replace(bulk, vdevs=(replace(raidz, children=(spare, *raidz.children[1:])),)))
    about = pool_page.subject(shown, "nas", "bulk")

    assert about is not None
    table = pool_page.page(about, shown, IO, VdevHistory()).table
    lines = [plain(draw(row, place(table.columns, 78))) for row in table.rows]
    assert any("WD-WCC7K1234567 FAULTED" in each for each in lines), lines
