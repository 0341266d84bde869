"""What to do of findings agrees with the guided repair: a sound disk that was pulled goes back first."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import changed, error, the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.views.findings.by_id.what_to_do import what_to_do

PULLED = group("raidz2-0", leaf(0), leaf(1, "FAULTED", note="too many errors"), leaf(2, "REMOVED"), leaf(3))


def told(state: HostState) -> dict[str, str]:
    found = findings(state, NOW, Thresholds())
    return {f"{each.id} {each.evidence.get('vdev', '')}".strip(): what_to_do(each) for each in found}


def test_the_pulled_disk_is_put_back_before_anything_is_replaced() -> None:
    state = trouble_at(PULLED, gone=[2], events=[error(1, 9), changed(1, 8), changed(2, 2, "REMOVED")])

    words = told(state)

    assert f"put {serial(2)} back" in the_repair(state, 1).alarm.replace(
        "Put back SER0002", "put SER0002 back"
    )
    assert words["vdev-no-redundancy raidz2-0"].startswith(f"First put {serial(2)} back")
    assert words["pool-degraded"].startswith(f"First put {serial(2)} back")
    assert words[f"device-faulted {leaf(2).name}"].startswith(f"Put {serial(2)} back")
    assert "then replace it" not in words[f"device-faulted {leaf(2).name}"]


def test_without_events_it_is_said_with_an_if() -> None:
    words = told(trouble_at(PULLED, gone=[2]))

    assert words["vdev-no-redundancy raidz2-0"].startswith(
        f"If {serial(2)} was pulled by mistake, put it back first"
    )


def test_a_failed_disk_alone_is_replaced() -> None:
    pulled_only = group("raidz2-0", leaf(0), leaf(1), leaf(2, "REMOVED"), leaf(3))
    failed_only = group("raidz2-0", leaf(0), leaf(1, "FAULTED"), leaf(2, "OFFLINE"), leaf(3))

    assert not any("put it back" in each for each in told(trouble_at(pulled_only, gone=[2])).values())
    assert not any("put it back" in each for each in told(replace(trouble_at(failed_only))).values())
