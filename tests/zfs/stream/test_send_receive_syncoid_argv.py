"""The argv of sending and receiving: nothing is overwritten, nothing mounted."""

from __future__ import annotations

import pytest

from zconsole.zfs.stream.send_receive_syncoid_argv import (
    abort_receive,
    measure,
    receive,
    send,
    send_rest,
    syncoid,
)


@pytest.mark.parametrize(
    ("expected", "argv"),
    [
        ("zfs send -L -e -c tank/a@2", send("tank/a@2")),
        ("zfs send -w tank/a@2", send("tank/a@2", is_raw=True)),
        ("zfs send -L -e -c -i tank/a@1 tank/a@2", send("tank/a@2", base="tank/a@1")),
        ("zfs send -L -e -c -I tank/a@1 tank/a@2", send("tank/a@2", base="tank/a@1", intermediates=True)),
        ("zfs send -L -e -c tank/a@2", send("tank/a@2", intermediates=True)),
        ("zfs send -nvP -w tank/a@2", measure(send("tank/a@2", is_raw=True))),
        ("zfs send -nvP -t 1-a", measure(send_rest("1-a"))),
        ("zfs receive -s -u vault/a", receive("vault/a")),
        ("zfs receive -s -u -o readonly=on vault/a", receive("vault/a", is_new=True)),
        ("zfs receive -A vault/a", abort_receive("vault/a")),
    ],
)
def test_a_command_is_as_it_is_typed(expected: str, argv: tuple[str, ...]) -> None:
    assert expected == " ".join(argv)


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("is_raw", [True, False])
def test_syncoid_neither_rolls_back_nor_takes_snapshots_and_mounts_nothing(
    *, is_new: bool, is_raw: bool
) -> None:
    argv = syncoid("tank/a", "vault/a", is_new=is_new, is_raw=is_raw)

    assert {"--no-sync-snap", "--no-rollback"} <= set(argv)
    assert ("tank/a", "vault/a") == argv[-2:]
    assert is_raw is ("--sendoptions=w" in argv)
    assert ("--recvoptions=u o readonly=on" if is_new else "--recvoptions=u") in argv
