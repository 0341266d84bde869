"""Versions of OpenZFS, compared by their numbers."""

from __future__ import annotations

import pytest

from zconsole.model.host.zfs_version import ZfsVersion


@pytest.mark.parametrize(
    ("expected", "userland"),
    [
        ((2, 4, 4), "zfs-2.4.4-1~bpo13+1"),
        ((2, 1, 11), "zfs-2.1.11-1"),
        ((2, 3), "zfs-2.3"),
        ((), "zfs-next"),
        ((), "zfs-123456.1"),
    ],
)
def test_numbers_are_read_from_what_is_printed(expected: tuple[int, ...], userland: str) -> None:
    assert expected == ZfsVersion(userland).numbers


@pytest.mark.parametrize(
    ("has_json", "has_autosit", "userland"),
    [
        (False, False, "zfs-2.2.9-1"),
        (True, False, "zfs-2.3.0-1"),
        (True, True, "zfs-2.4.0-1"),
        (False, False, "zfs"),
    ],
)
def test_a_version_can_do_what_came_with_it(
    has_json: bool,
    has_autosit: bool,
    userland: str,
) -> None:
    version = ZfsVersion(userland)

    assert has_json is version.has_json
    assert has_autosit is version.has_autosit


@pytest.mark.parametrize(
    ("expected", "kernel"), [(False, "zfs-kmod-2.4.4-1"), (True, "zfs-kmod-2.4.3-1"), (False, None)]
)
def test_commands_and_module_may_differ(expected: bool, kernel: str | None) -> None:
    assert expected is ZfsVersion("zfs-2.4.4-1", kernel).differs
