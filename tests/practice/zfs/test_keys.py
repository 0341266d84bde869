"""`zfs load-key`, `unload-key` and `change-key`."""

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
