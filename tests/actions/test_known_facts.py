"""What a screen knows of a host, as facts."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from zconsole.actions.known_facts import known_facts
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.host.plan_facts import HostPolicy


def with_datasets(state: HostState, *datasets: Dataset) -> HostState:
    first, *others = state.pools
    return replace(state, pools=(replace(first, datasets=Reading(datasets, 1.0)), *others))


def test_datasets_are_those_of_the_pools_that_were_listed() -> None:
    state = states.with_disks()
    first = state.pools[0].name
    assert () == known_facts(state, 0.0, HostPolicy()).datasets

    facts = known_facts(with_datasets(state, Dataset(first, "filesystem")), 5.0, HostPolicy())

    assert [first] == [each.name for each in facts.datasets]
    assert frozenset([first]) == facts.listed
    assert 5.0 == facts.taken_at


def test_disks_without_their_names_are_not_known() -> None:
    state = states.with_disks()
    disks = state.inventory.value
    assert disks is not None
    assert disks == known_facts(state, 0.0, HostPolicy()).inventory

    nameless = replace(state, inventory=Reading(replace(disks, links_problem="not read"), 1.0))

    assert known_facts(nameless, 0.0, HostPolicy()).inventory is None
