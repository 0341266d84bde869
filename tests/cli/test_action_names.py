"""The names of actions that the command line knows without the catalogue are those of the catalogue."""

from __future__ import annotations

from zconsole.actions.action_catalogue import SPECS
from zconsole.cli.action_names import ACTION_NAMES


def test_they_are_those_of_the_catalogue() -> None:
    assert {spec.id for spec in SPECS} == ACTION_NAMES
