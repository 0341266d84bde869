"""Defaults of module parameters."""

from __future__ import annotations

from zconsole.zfs.settings.parameter_defaults import PARAMETERS


def test_each_parameter_is_there_once() -> None:
    names = [each.name for each in PARAMETERS]

    assert sorted(set(names)) == sorted(names)
