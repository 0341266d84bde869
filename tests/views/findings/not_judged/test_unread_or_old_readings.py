"""What advice was not judged by: nothing is taken for sound before it was read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import host, wholly_read
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, Reading
from zconsole.views.findings.not_judged.unread_or_old_readings import (
    settings_age,
    still_reading,
    unread_or_old,
)

READ = wholly_read(host())
LOOKED = replace(READ, pools=(replace(READ.pools[0], contents=Reading((), 0.0)),))
PROBLEM: Reading[None] = Reading(problem="no answer")


def with_pool(**values: object) -> HostState:
    return replace(READ, pools=(replace(READ.pools[0], **values),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "is_missing", "state"),
    [
        ("the settings of tank are not read yet", True, with_pool(settings=Reading())),
        ("the settings of tank cannot be read: no answer", True, with_pool(settings=PROBLEM)),
        (
            "the settings of tank cannot be read again: no answer",
            False,
            with_pool(settings=Reading((), 0.0, "no answer")),
        ),
        ("what lives on tank cannot be read: no answer", False, with_pool(contents=PROBLEM)),
        ("tank is suspended: its settings are not read", True, with_pool(kstat_state="SUSPENDED")),
        (
            "the settings of the ZFS module and of zed are not read yet",
            True,
            replace(READ, settings=Reading()),
        ),
        ("guests: no answer", False, replace(READ, guests=Reading(problem="no answer"))),
        (
            "not connected: refused",
            True,
            HostState("nas1", link=LinkStatus(LinkState.REFUSED, reason="refused")),
        ),
    ],
)
def test_what_is_missing_or_old_is_said(words: str, is_missing: bool, state: HostState) -> None:
    assert [(words, is_missing)] == [(each.words, each.is_missing) for each in unread_or_old(state)]


def test_where_all_was_read_nothing_is_said() -> None:
    assert [] == list(unread_or_old(READ))


def test_the_age_is_that_of_the_oldest_settings() -> None:
    assert "settings read 2m ago" == settings_age([READ], 120.0)
    assert "" == settings_age([host()], 120.0)


def looked(**values: object) -> HostState:
    return replace(LOOKED, pools=(replace(LOOKED.pools[0], **values),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expected", "state"),
    [
        ("reading so far: settings 1 of 2", looked(settings=Reading())),
        ("reading so far: settings 1 of 2", replace(LOOKED, settings=Reading())),
        ("reading so far: what lives on pools 0 of 1", looked(contents=Reading())),
        ("", looked(settings=PROBLEM, contents=Reading())),
        ("", looked(kstat_state="SUSPENDED", settings=Reading(), contents=Reading())),
        ("", replace(LOOKED, settings=Reading(), link=LinkStatus(LinkState.DOWN))),
    ],
)
def test_what_is_being_read_is_counted(expected: str, state: HostState) -> None:
    """What has failed, or is not asked for, is not being read."""
    assert expected == still_reading([state])


def test_copies_are_among_the_pools_of_a_host_with_several() -> None:
    two = replace(LOOKED, pools=(LOOKED.pools[0], replace(LOOKED.pools[0], name="bulk")))

    assert "reading so far: copies 0 of 1" == still_reading([two])
    assert "" == still_reading([replace(two, replication=PROBLEM)])
