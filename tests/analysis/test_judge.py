"""Remembered verdicts are the verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, disk, host, mirror, pool
from zconsole.analysis import findings as module
from zconsole.analysis.findings import findings
from zconsole.analysis.judge import JUDGED_ANEW_S, Judge
from zconsole.base.thresholds import Thresholds
from zconsole.model.host_state import HostState, Reading
from zconsole.model.io import IoSample
from zconsole.model.pool import Count

LIMITS = Thresholds()


def with_pool(state: HostState, **values: object) -> HostState:
    return replace(state, pools=(replace(state.pools[0], **values),))  # type: ignore[arg-type]


def test_what_changed_is_judged_anew() -> None:
    judge, healthy = Judge(LIMITS), host(pool(disk("sda")))
    states = (
        healthy,
        with_pool(healthy, pool=Reading(pool(disk("sda", read_errors=Count(1))))),
        with_pool(healthy, kstat_state="SUSPENDED"),
        with_pool(healthy, pool=Reading(pool(), problem="hangs")),
        replace(healthy, pools_problem="hangs"),
        replace(healthy, pools=()),
        host(pool(mirror("ONLINE", "FAULTED")), degraded_since=NOW - 60),
        healthy,
    )

    for state in states:
        assert findings(state, NOW, LIMITS) == judge.findings(state, NOW)


def test_a_new_io_sample_costs_no_new_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, state = Judge(LIMITS), host(pool(disk("sda", read_errors=Count(1))))
    first = judge.findings(state, NOW)
    monkeypatch.setattr(module, "RULES", ())

    second = judge.findings(with_pool(state, samples=(IoSample("tank", NOW, ()),)), NOW + 1)

    assert first == second
    assert ["device-errors"] == [finding.id for finding in second]


def test_ages_do_not_stand_still() -> None:
    judge, state = Judge(LIMITS), host(pool(mirror("ONLINE", "FAULTED")), degraded_since=NOW - 60)
    judge.findings(state, NOW)

    later = judge.findings(state, NOW + JUDGED_ANEW_S)

    assert findings(state, NOW + JUDGED_ANEW_S, LIMITS) == later
    assert any("1m10s" in finding.summary for finding in later)
