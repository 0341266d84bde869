"""Paths of the file system that the practice host runs from."""

from __future__ import annotations

import pytest

from zconsole.practice.system.root_file_system import TREE, node, resolved


@pytest.mark.parametrize(
    ("path", "real"),
    [
        ("/bin/find", "/usr/bin/find"),
        ("/var/run/sshd.pid", "/run/sshd.pid"),
        ("//etc/./passwd", "/etc/passwd"),
        ("/etc/../bin", "/usr/bin"),
        ("/..", "/"),
        ("/nosuch/x", "/nosuch/x"),
    ],
)
def test_links_dots_and_slashes_are_resolved(path: str, real: str) -> None:
    assert real == resolved(path)


def test_each_file_has_its_folders_and_a_number_of_its_own() -> None:
    assert len(TREE) == len({each.inode for each in TREE.values()})
    for path in TREE:
        above = path.rpartition("/")[0]
        assert "d" == TREE[above].type


def test_a_node_is_found_through_a_link() -> None:
    found = node("/sbin/zpool")

    assert found is not None
    assert "f" == found.type
    assert node("/sbin/nosuch") is None
