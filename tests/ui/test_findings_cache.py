"""A host is judged when there is something to judge, not at every drawing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import wholly_read
from tests.ui import states
from zconsole.analysis.findings import all_findings
from zconsole.base.user_config_file import Config
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, PoolState, Reading
from zconsole.ui.findings_cache import JUDGED_EVERY_S, MOST_AT_ONCE, SAME_MOMENT_S, Judge


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hosts that were judged."""
    hosts: list[str] = []

    def count(state: HostState, now: float, thresholds: object) -> tuple[Finding, ...]:
        hosts.append(state.host)
        return ()

    monkeypatch.setattr(all_findings, "findings", count)
    return hosts


def test_new_samples_alone_are_not_judged(asked: list[str]) -> None:
    judge, state = Judge(Config()), states.healthy()
    judge.hosts((state,), 0.0, 100.0)
    pool = replace(state.pools[0], samples=state.pools[0].samples[1:], io_at=1.0)
    pool = replace(pool, pool=Reading(pool.pool.value, 999.0))

    judge.hosts((replace(state, revision=2, pools=(pool,)),), 0.0, 101.0)

    assert ["storage1"] == asked


def test_settings_that_were_read_are_judged_at_once(asked: list[str]) -> None:
    judge, state = Judge(Config()), states.healthy()
    judge.hosts((state,), 0.0, 100.0)

    judge.hosts((wholly_read(state),), 0.0, 100.1)

    assert ["storage1", "storage1"] == asked


def test_another_status_is_judged_at_once(asked: list[str]) -> None:
    judge, state = Judge(Config()), states.healthy()
    judge.hosts((state,), 0.0, 100.0)
    worse = replace(states.tank(), state="DEGRADED")

    judge.hosts((replace(state, pools=(replace(state.pools[0], pool=Reading(worse, 1.0)),)),), 0.0, 100.1)

    assert ["storage1", "storage1"] == asked


def test_as_time_passes_all_are_judged_anew_a_few_at_a_time(asked: list[str]) -> None:
    judge = Judge(Config())
    hosts = tuple(replace(states.healthy(), host=f"nas{number}") for number in range(10))
    judge.hosts(hosts, 0.0, 100.0)
    asked.clear()

    judge.hosts(hosts, 0.0, 100.0 + JUDGED_EVERY_S)
    assert MOST_AT_ONCE == len(asked)

    for step in range(3):
        judge.hosts(hosts, 0.0, 100.1 + JUDGED_EVERY_S + step / 10)
    assert {host.host for host in hosts} == set(asked)


def test_a_guest_that_changed_is_judged_at_once(asked: list[str]) -> None:
    judge, state = Judge(Config()), states.healthy()
    judge.hosts((state,), 0.0, 100.0)

    judge.hosts((replace(state, guests=Reading((), 1.0)),), 0.0, 100.1)

    assert ["storage1", "storage1"] == asked


def test_names_alone_are_not_judged(asked: list[str]) -> None:
    """The rules are loaded when there is something to judge: the first frame does not wait for them."""
    judge, state = Judge(Config()), replace(states.healthy(), pools=(PoolState("tank"), PoolState("rpool")))

    judge.hosts((state,), 0.0, 100.0)
    assert [] == asked

    judge.hosts((replace(state, pools=(PoolState("tank", kstat_state="SUSPENDED"),)),), 0.0, 100.1)
    judge.hosts((replace(state, pools=(), pools_problem="no answer for 10 s"),), 0.0, 100.2)
    judge.hosts((replace(state, pools_problem="no answer for 10 s"),), 0.0, 100.3)
    judge.hosts(
        (replace(state, pools=(PoolState("tank", pool=Reading(problem="no answer for 10 s")),)),), 0.0, 100.4
    )
    assert ["storage1"] * 4 == asked


def test_a_host_that_has_not_answered_is_not_judged_by_what_an_earlier_console_read(asked: list[str]) -> None:
    judge, state = Judge(Config()), states.healthy()
    connecting = LinkStatus(LinkState.CONNECTING)

    judge.hosts((replace(state, link=connecting, pools=(), pools_at=None),), 0.0, 100.0)
    for link in (connecting, LinkStatus(LinkState.DOWN)):
        judge.hosts((replace(state, link=link, pools_at=None, recalled_at=1.0),), 0.0, 100.1)
    assert [] == asked

    judge.hosts((replace(state, link=LinkStatus(LinkState.DOWN), pools=(), pools_at=None),), 0.0, 100.2)
    assert ["storage1"] == asked


def test_a_drawing_and_what_follows_it_at_once_have_the_same_answer() -> None:
    judge, state = Judge(Config()), states.healthy()
    first = judge.hosts((state,), 0.0, 100.0)

    assert first is judge.hosts((state,), 0.0, 100.0 + SAME_MOMENT_S / 2)
    assert first is not judge.hosts((state,), 0.0, 100.0 + 2 * SAME_MOMENT_S)
    judge.use(Config())
    assert first is not judge.hosts((state,), 0.0, 100.0)


def test_other_states_of_the_same_moment_are_looked_at(asked: list[str]) -> None:
    judge, state = Judge(Config()), states.healthy()
    judge.hosts((state,), 0.0, 100.0)

    judge.hosts((replace(state, host="other"),), 0.0, 100.0)
    judge.hosts((), 0.0, 100.0)
    judge.hosts((state, replace(state, host="third")), 0.0, 100.0)

    assert ["storage1", "other", "third"] == asked
