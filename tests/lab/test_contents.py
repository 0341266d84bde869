"""What real OpenZFS says of the contents of snapshots, over SSH: diff, folders, and copies brought back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import pytest

from tests.lab.acting import Acting
from tests.lab.guests import Guest
from tests.lab.trees import pool_on_a_file
from zconsole.analysis.snapshots.diff_summary import Differences, DiffSummary
from zconsole.base.errors import CommandFailed
from zconsole.model.datasets.snapshot_contents import ChangeKind, FileType

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

ODD: Final = ("a b", "line\nbreak", "tab\there", "back\\slash", "é", "-rf", "quote'\"`$(id)")
ROOT: Final = "/tank/home"
MAKE: Final = """
import json, os, sys
root, names = sys.argv[1], json.loads(sys.argv[2])
os.makedirs(root + "/docs/deep", exist_ok=True)
for name in names:
    with open(f"{root}/docs/{name}", "w") as file:
        file.write("then " * 1000)
with open(root + "/docs/deep/kept", "w") as file:
    file.write("kept")
os.link(root + "/docs/deep/kept", root + "/docs/deep/linked")
os.symlink("kept", root + "/docs/deep/link")
with open((root + "/docs/").encode() + b"\\xff\\xfe", "w") as file:
    file.write("no utf-8")
"""
CHANGE: Final = """
import json, os, sys
root, names = sys.argv[1], json.loads(sys.argv[2])
for name in names:
    os.unlink(f"{root}/docs/{name}")
os.rename(root + "/docs/deep/kept", root + "/docs/renamed")
os.mkdir(root + "/new")
with open(root + "/new/file", "w") as file:
    file.write("now")
with open((root + "/docs/").encode() + b"\\xff\\xfe", "a") as file:
    file.write(", changed")
"""


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A pool, a file system with odd names, a snapshot of it, and changes after that."""
    pool_on_a_file(bare_guest)
    bare_guest.ssh("zfs create tank/home && zfs create -V 64M tank/vol")
    script(bare_guest, MAKE)
    bare_guest.ssh("zpool sync tank && zfs snapshot -r tank@a")
    script(bare_guest, CHANGE)
    bare_guest.ssh("zpool sync tank && zfs snapshot -r tank@b")
    yield bare_guest
    bare_guest.wipe()


def script(guest: Guest, program: str, *, root: str = ROOT) -> str:
    """Run a Python program of ours there, with the odd names as JSON."""
    words = json.dumps(list(ODD)).replace("'", "'\\''")
    return guest.ssh(f"python3 - {root} '{words}'", stdin=program.encode())


async def differences(nas: Acting, older: str, newer: str) -> Differences:
    """As a screen asks for them."""
    told: list[DiffSummary] = []
    found = await nas.operator.differences(nas.host.label, older, newer, told.append)
    assert told[-1].is_done
    return found


def changes(found: Differences) -> set[tuple[ChangeKind, str]]:
    """All of them, but that folders were touched."""
    return {
        (change.kind, change.place)
        for folder in found.summary.folders.values()
        for change in folder.own
        if (change.kind, change.type) != (ChangeKind.MODIFIED, FileType.FOLDER)
    }


@pytest.mark.parametrize("newer", ["tank/home@b", "tank/home"])
async def test_every_change_is_told_whatever_its_name(nas: Acting, newer: str) -> None:
    found = await differences(nas, "tank/home@a", newer)

    expected = {(ChangeKind.REMOVED, f"{ROOT}/docs/{name}") for name in ODD}
    expected |= {
        (ChangeKind.ADDED, f"{ROOT}/new"),
        (ChangeKind.ADDED, f"{ROOT}/new/file"),
        (ChangeKind.MODIFIED, f"{ROOT}/docs/\udcff\udcfe"),
    }
    assert expected <= changes(found)
    renamed = {place for kind, place in changes(found) if kind is ChangeKind.RENAMED}
    assert {f"{ROOT}/docs/renamed"} >= renamed
    assert (5000, None) == found.sizes[f"{ROOT}/docs/{ODD[1]}"]
    assert (None, 3) == found.sizes[f"{ROOT}/new/file"]
    assert "tank/home@a\ntank/home@b" == nas.guest.ssh("zfs list -H -t snapshot -o name tank/home").strip()


async def test_a_later_snapshot_against_an_earlier_one_is_refused_in_words(nas: Acting) -> None:
    with pytest.raises(CommandFailed) as failed:
        await differences(nas, "tank/home@b", "tank/home@a")

    assert failed.value.said


async def test_a_snapshot_is_browsed_beside_what_is_now(nas: Acting) -> None:
    root = await nas.operator.browse(nas.host.label, "tank/home@a", "")
    docs = await nas.operator.browse(nas.host.label, "tank/home@a", "docs")

    assert ["docs"] == [each.name for each in root.then.entries]
    assert docs.now is not None
    then, now = ({each.name for each in side.entries} for side in (docs.then, docs.now))
    assert {*ODD, "deep", "\udcff\udcfe"} == then
    assert {"deep", "renamed", "\udcff\udcfe"} == now
    with pytest.raises(CommandFailed, match="is a volume"):
        await nas.operator.browse(nas.host.label, "tank/vol@a", "")


@pytest.mark.parametrize("name", ODD)
async def test_a_file_that_is_gone_comes_back_as_it_was(nas: Acting, name: str) -> None:
    await nas.do("restore", "tank/home@a", f"docs/{name}")

    found = await nas.operator.browse(nas.host.label, "tank/home@a", "docs")
    assert found.now is not None
    then, now = (next(each for each in side.entries if each.name == name) for side in (found.then, found.now))
    assert (then.size_bytes, then.modified_ns) == (now.size_bytes, now.modified_ns)


async def test_a_folder_comes_back_beside_the_one_that_is_there(nas: Acting) -> None:
    made = await nas.do("restore", "tank/home@a", "docs")

    assert any("docs.from-a" in step.why for step in made.steps)
    told = nas.guest.ssh(
        f"diff -r --no-dereference {ROOT}/.zfs/snapshot/a/docs {ROOT}/docs.from-a && echo same;"
        f" stat -c %h {ROOT}/docs.from-a/deep/kept"
    )
    assert ["same", "2"] == told.split()
    again = await nas.plan("restore", "tank/home@a", "docs")
    assert any("docs.from-a.2" in step.why for step in again.steps)


async def test_a_file_is_written_over_once_a_snapshot_keeps_it(nas: Acting) -> None:
    nas.guest.ssh(f"rm -rf '{ROOT}/docs/a b'; echo now > '{ROOT}/docs/a b'")

    await nas.do("restore", "tank/home@a", "docs/a b", overwrite=True)

    kept = f"{ROOT}/.zfs/snapshot/before-restore-a/docs/a b"
    told = nas.guest.ssh(
        f"head -c 4 '{ROOT}/docs/a b'; echo; cat '{kept}'; ls {ROOT}/docs | grep -c from-a || true"
    )
    assert ["then", "now", "0"] == told.split()


async def test_nothing_is_written_where_something_else_is_mounted(nas: Acting) -> None:
    nas.guest.ssh(f"mkdir -p {ROOT}/docs/deep && mount -t tmpfs none {ROOT}/docs/deep")
    try:
        assert {"another-filesystem"} == await nas.refused("restore", "tank/home@a", "docs/deep/kept")
        nas.guest.ssh("cd / && zfs unmount -f tank/home || umount -R /tank/home")
        assert {"no-files"} == await nas.refused("restore", "tank/home@a", "docs/a b")
    finally:
        nas.guest.ssh(f"umount {ROOT}/docs/deep 2>/dev/null; true")


async def test_a_symbolic_link_in_the_way_is_not_followed(nas: Acting) -> None:
    nas.guest.ssh(f"mv {ROOT}/docs /root/docs-elsewhere; ln -s /root/docs-elsewhere {ROOT}/docs")

    assert {"no-folder"} == await nas.refused("restore", "tank/home@a", "docs/a b")
    assert (
        "0"
        == nas.guest.ssh(
            "ls /root/docs-elsewhere | grep -c 'a b' || true; rm -rf /root/docs-elsewhere"
        ).strip()
    )
