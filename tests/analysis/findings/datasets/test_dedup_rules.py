"""Advice on deduplication where its vdevs are fast; when it speaks is in the cases of all findings."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, in_class, mirror, pool
from tests.analysis.findings.datasets.cases import SETTINGS, TABLE, listed
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import Reading


def test_what_is_not_in_memory_is_read_from_the_vdevs_of_the_table() -> None:
    fast = in_class(mirror("ONLINE", "ONLINE", name="mirror-1"), "dedup")
    of = pool(mirror("ONLINE", "ONLINE"), fast, dedup_ratio=3.0, settings=replace(SETTINGS, dedup="on"))

    found = findings(listed(of=of, dedup=Reading(TABLE, 0.0)), NOW, Thresholds())

    (large,) = [each for each in found if each.id == "dedup-table-large"]
    assert "read from the dedup or special vdevs before a block is written" in large.summary
    assert large.evidence["has_fast_vdevs"] is True
