"""`zfs mount`, `unmount`, `share` and `unshare`."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage

KEY = b"correct horse battery\n"


MADE = ("zfs create tank/a", "zfs create tank/a/b", "zfs create -V 64M tank/v")


def encrypted() -> Stage:
    stage = Stage(*MADE)
    stage.does("zfs create -o encryption=on -o keyformat=passphrase tank/secret", KEY)
    stage.does("zfs create tank/secret/sub")
    return stage


def test_unmounting_takes_what_is_mounted_below_along() -> None:
    stage = Stage(*MADE)

    stage.does("zfs unmount tank/a")

    assert ["no", "no"] == [stage.get(name, "mounted") for name in ("tank/a", "tank/a/b")]
    assert "tank/a" not in stage.does("zfs mount")
    stage.does("zfs mount tank/a/b")
    assert "tank/a/b                        /tank/a/b\n" in stage.does("zfs mount")
    stage.does("zfs mount -a")
    assert "yes" == stage.get("tank/a", "mounted")
    stage.does("zfs unmount /tank/a")
    assert "no" == stage.get("tank/a", "mounted")


@pytest.mark.parametrize("option", ["", "-f "])
def test_a_busy_filesystem_stays_mounted_with_all_above(option: str) -> None:
    stage = Stage(*MADE)
    stage.dataset("tank/a/b").is_busy = True

    assert (1, "cannot unmount '/tank/a/b': pool or dataset is busy\n") == stage.refuses(
        f"zfs unmount {option}tank/a"
    )
    assert ["yes", "yes"] == [stage.get(name, "mounted") for name in ("tank/a", "tank/a/b")]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("zfs mount tank/a", "cannot mount 'tank/a': filesystem already mounted\n"),
        ("zfs mount tank/v", "cannot open 'tank/v': operation not applicable to datasets of this type\n"),
        (
            "zfs mount tank/old",
            "cannot mount 'tank/old': legacy mountpoint\nuse mount(8) to mount this filesystem\n",
        ),
        ("zfs mount tank/none", "cannot mount 'tank/none': no mountpoint set\n"),
        ("zfs mount tank/off", "cannot mount 'tank/off': 'canmount' property is set to 'off'\n"),
        ("zfs unmount tank/off", "cannot unmount 'tank/off': not currently mounted\n"),
        (
            "zfs unmount tank/old",
            "cannot unmount 'tank/old': legacy mountpoint\nuse umount(8) to unmount this filesystem\n",
        ),
        ("zfs unmount /nowhere", "cannot unmount '/nowhere': not a mountpoint\n"),
        (
            "zfs share tank/a",
            (
                "cannot share 'tank/a': legacy share\nuse exports(5) or smb.conf(5) to share this filesystem,"
                " or set the sharenfs or sharesmb property\n"
            ),
        ),
        ("zfs unshare tank/a", "cannot unshare 'tank/a': not currently shared\n"),
    ],
)
def test_refusals_have_the_words_of_zfs(command: str, words: str) -> None:
    stage = Stage(
        *MADE,
        "zfs create -o mountpoint=legacy tank/old",
        "zfs create -o mountpoint=none tank/none",
        "zfs create -o canmount=off tank/off",
    )

    assert (1, words) == stage.refuses(command)


def test_a_new_mountpoint_moves_what_is_mounted() -> None:
    stage = Stage(*MADE)

    stage.does("zfs set mountpoint=/srv tank/a")
    assert "/srv/b" == stage.get("tank/a/b", "mountpoint")
    assert "yes" == stage.get("tank/a/b", "mounted")
    stage.does("zfs set mountpoint=none tank/a")
    assert "no" == stage.get("tank/a/b", "mounted")


def test_shares_come_and_go_with_the_property() -> None:
    stage = Stage(*MADE, "zfs set sharenfs=on tank/a")

    assert (1, "cannot share 'tank/a': filesystem already shared\n") == stage.refuses("zfs share tank/a")
    stage.does("zfs unshare tank/a")
    stage.does("zfs share tank/a")
    assert stage.dataset("tank/a").is_shared


def test_mounting_can_load_the_key_first() -> None:
    stage = encrypted()
    stage.does("zfs unmount -u tank/secret")

    stage.does("zfs mount -l tank/secret", KEY)

    assert ("available", "yes") == (
        stage.get("tank/secret", "keystatus"),
        stage.get("tank/secret", "mounted"),
    )
