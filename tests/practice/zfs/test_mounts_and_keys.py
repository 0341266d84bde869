"""`zfs mount`, `unmount`, `share`, `unshare`, and the keys of encrypted datasets."""

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


def test_a_key_is_loaded_from_standard_input() -> None:
    stage = encrypted()
    assert "tank/secret" == stage.get("tank/secret/sub", "encryptionroot")

    assert (255, "Key unload error: 'tank/secret' is busy.\n") == stage.refuses("zfs unload-key tank/secret")
    stage.does("zfs unmount tank/secret")
    stage.does("zfs unload-key tank/secret")
    assert "unavailable" == stage.get("tank/secret/sub", "keystatus")
    assert (1, "cannot mount 'tank/secret': encryption key not loaded\n") == stage.refuses(
        "zfs mount tank/secret"
    )
    assert (255, "Key load error: Incorrect key provided for 'tank/secret'.\n") == (
        stage.refuses("zfs load-key tank/secret", b"wrong horse battery\n")
    )
    stage.does("zfs load-key tank/secret", KEY)

    assert "available" == stage.get("tank/secret/sub", "keystatus")
    assert (255, "Key load error: Key already loaded for 'tank/secret'.\n") == (
        stage.refuses("zfs load-key tank/secret", KEY)
    )


def test_mounting_can_load_the_key_first() -> None:
    stage = encrypted()
    stage.does("zfs unmount -u tank/secret")

    stage.does("zfs mount -l tank/secret", KEY)

    assert ("available", "yes") == (
        stage.get("tank/secret", "keystatus"),
        stage.get("tank/secret", "mounted"),
    )


@pytest.mark.parametrize(
    ("command", "stdin", "words"),
    [
        ("zfs load-key tank/a", KEY, "Key load error: 'tank/a' is not encrypted.\n"),
        (
            "zfs load-key tank/secret/sub",
            KEY,
            "Key load error: Keys must be loaded for encryption root of 'tank/secret/sub' (tank/secret).\n",
        ),
        ("zfs load-key -n tank/secret", b"short\n", "Key load error: Passphrase too short (min 8).\n"),
        (
            "zfs create -o encryption=on -o keyformat=passphrase tank/s2",
            b"short\n",
            "Encryption create error: Passphrase too short (min 8).\n",
        ),
        (
            "zfs create -o encryption=on tank/s2",
            b"",
            "cannot create 'tank/s2': Keyformat required for new encryption root.\n",
        ),
        ("zfs change-key tank/a", KEY, "Key change error: Dataset not encrypted.\n"),
        ("zfs change-key -i tank/secret", KEY, "Key change error: Parent must be encrypted.\n"),
    ],
)
def test_refusals_about_keys(command: str, stdin: bytes, words: str) -> None:
    assert words == encrypted().refuses(command, stdin)[1]


def test_a_changed_key_is_the_one_that_loads() -> None:
    stage = encrypted()
    stage.does("zfs change-key tank/secret", b"another passphrase\n")
    stage.does("zfs unmount -u tank/secret")

    assert 255 == stage.refuses("zfs load-key tank/secret", KEY)[0]
    assert "1 / 1 key(s) successfully loaded\n" == stage.does(
        "zfs load-key -r tank/secret", b"another passphrase\n"
    )


def test_a_child_can_have_a_key_of_its_own_and_give_it_up() -> None:
    stage = encrypted()

    stage.does("zfs change-key -o keyformat=passphrase tank/secret/sub", b"another passphrase\n")
    assert "tank/secret/sub" == stage.get("tank/secret/sub", "encryptionroot")
    stage.does("zfs change-key -i tank/secret/sub")

    assert "tank/secret" == stage.get("tank/secret/sub", "encryptionroot")


def test_an_encrypted_child_stays_beneath_its_root() -> None:
    assert (
        1,
        "cannot rename 'tank/secret/sub': cannot move encrypted child outside of its encryption root\n",
    ) == encrypted().refuses("zfs rename tank/secret/sub tank/sub")


def test_secrets_do_not_reach_the_history() -> None:
    stage = encrypted()

    assert not any("horse" in line for line in stage.history())
