"""What zpool is told to change the tree of a pool: never by force."""

from __future__ import annotations

import pytest

from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.zfs.change import topology_argv as change
from zconsole.zfs.change.topology_argv import Argv, NewPoolOptions, knows_mismatch_options

NEW = "/dev/disk/by-id/ata-NEW"


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (change.attach("tank", "7", NEW), f"zpool attach tank 7 {NEW}"),
        (
            change.attach("tank", "7", NEW, ashift=9, sequential=True),
            f"zpool attach -s -o ashift=9 tank 7 {NEW}",
        ),
        (change.replace("tank", "7", NEW), f"zpool replace tank 7 {NEW}"),
        (change.replace("tank", "7", NEW, ashift=9), f"zpool replace -o ashift=9 tank 7 {NEW}"),
        (change.replace("tank", "7", NEW, sequential=True), f"zpool replace -s tank 7 {NEW}"),
        (change.detach("tank", "7"), "zpool detach tank 7"),
        (change.add("tank", ("log", NEW)), f"zpool add tank log {NEW}"),
        (
            change.add("tank", (NEW,), ashift=12, may_differ=True, is_rehearsal=True),
            f"zpool add -n --allow-replication-mismatch -o ashift=12 tank {NEW}",
        ),
        (change.remove("tank", "7"), "zpool remove tank 7"),
        (change.rehearse_remove("tank", "7"), "zpool remove -n -p tank 7"),
        (change.split("tank", "half"), "zpool split tank half"),
        (change.split("tank", "half", is_rehearsal=True), "zpool split -n tank half"),
        (change.create("tank", (NEW,), NewPoolOptions()), f"zpool create tank {NEW}"),
        (
            change.create("tank", (NEW,), NewPoolOptions(12, "zstd", "/srv"), is_rehearsal=True),
            f"zpool create -n -o ashift=12 -O compression=zstd -m /srv tank {NEW}",
        ),
        (change.labelclear(NEW, is_forced=False), f"zpool labelclear {NEW}"),
        (change.labelclear(NEW, is_forced=True), f"zpool labelclear -f {NEW}"),
    ],
)
def test_words_of_zpool(argv: Argv, words: str) -> None:
    assert words == " ".join(argv)


@pytest.mark.parametrize(
    ("version", "knows"),
    [("zfs-2.1.11-1", False), ("zfs-2.2.7-1", False), ("zfs-2.2.8-1", True), ("zfs-2.4.4-1", True)],
)
def test_which_versions_can_be_told_to_allow_a_difference(version: str, *, knows: bool) -> None:
    assert knows is knows_mismatch_options(ZfsVersion(version))
