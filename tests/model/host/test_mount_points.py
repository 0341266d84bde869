"""Paths on which file systems would be mounted."""

from __future__ import annotations

from zconsole.model.host.mount_points import NOT_READ, MountTarget, MountTargets


def test_a_target_is_found_by_the_path_that_was_asked_for() -> None:
    linked = MountTarget("/srv", "/data/srv")

    assert linked is MountTargets(targets=(linked,)).target("/srv")
    assert MountTargets(targets=(linked,)).target("/data/srv") is None


def test_what_was_not_read_is_not_empty() -> None:
    assert NOT_READ.mounts is None
    assert NOT_READ.target("/") is None
