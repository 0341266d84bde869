"""Every action on datasets, once over SSH, its outcome read back from ZFS."""

from __future__ import annotations

from typing import Final

import pytest

from tests.lab.acting import Acting
from tests.lab.guests import said
from tests.lab.trees import pool_on_a_file
from zconsole.actions.intent import OptionValue
from zconsole.actions.plan import SAVED_PLAN_LASTS_S
from zconsole.base.secret import Secret
from zconsole.model.run import RunState

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

PASSPHRASE: Final = "correct horse battery"
FILL: Final = (
    "for time in 1 2 3; do for size in 1M 128k 16k 4k; do"
    " dd if=/dev/urandom of=/tank/big-$size-$time bs=$size conv=fsync 2>/dev/null;"
    " done; zpool sync tank; done"
)
EXPORTS: Final = "exportfs -s | grep -c /tank/s || true"
Step = tuple[
    str, list[str], dict[str, OptionValue], str, str
]  # action, words, options, a question, its answer
LIFE: Final[tuple[Step, ...]] = (
    ("create", ["tank/a", "compression=lz4"], {}, "zfs get -Ho value compression tank/a", "lz4"),
    ("create", ["tank/x y/z"], {"parents": True}, "zfs list -Ho name 'tank/x y/z'", "tank/x y/z"),
    ("create", ["tank/v"], {"volume": "64M", "sparse": True},
     "zfs get -Hpo value volsize,refreservation tank/v | xargs", "67108864 0"),
    ("snapshot", ["tank/a@1", "tank/v@1"], {},
     "zfs get -Hpo value createtxg tank/a@1 tank/v@1 | uniq | wc -l", "1"),
    ("snapshot", ["tank@r"], {"recursive": True}, "zfs list -H -t snapshot -o name | grep -c @r", "5"),
    ("hold", ["tank@r", "all"], {"recursive": True}, "zfs holds -rH tank@r | wc -l", "5"),
    ("release", ["tank@r", "all"], {"recursive": True}, "zfs holds -rH tank@r | wc -l", "0"),
    ("bookmark", ["tank/a@1", "base"], {}, "zfs list -H -t bookmark -o name", "tank/a#base"),
    ("clone", ["tank/a@1", "tank/c", "atime=off"], {}, "zfs get -Ho value origin tank/c", "tank/a@1"),
    ("promote", ["tank/c"], {},
     "zfs get -Ho value origin tank/a; zfs list -H -t bookmark -o name", "tank/c@1\ntank/c#base"),
    ("rename", ["tank/c", "tank/x y/c"], {}, "zfs get -Ho value origin tank/a", "tank/x y/c@1"),
    ("rename", ["tank@r", "@s"], {"recursive": True}, "zfs list -H -t snapshot -o name | grep -c @s", "5"),
    ("set", ["tank/a", "quota=1G"], {}, "zfs get -Hpo value quota tank/a", "1073741824"),
    ("set", ["tank/a", "org.example:keep=yes, please"], {},
     "zfs get -Ho value org.example:keep tank/a", "yes, please"),
    ("set", ["tank/a@s", "org.example:keep=yes"], {}, "zfs get -Ho value org.example:keep tank/a@s", "yes"),
    ("set", ["tank/v", "volsize=128M"], {}, "zfs get -Hpo value volsize tank/v", "134217728"),
    ("set", ["tank/a", "mountpoint=/mnt/a"], {}, "findmnt -no TARGET tank/a", "/mnt/a"),
    ("inherit", ["tank/a", "mountpoint"], {}, "findmnt -no TARGET tank/a", "/tank/a"),
    ("unmount", ["tank/a"], {}, "zfs get -Ho value mounted tank/a", "no"),
    ("mount", ["tank/a"], {}, "zfs get -Ho value mounted tank/a", "yes"),
    ("rollback", ["tank/v@1"], {"recursive": True}, "zfs list -H -t snapshot -o name tank/v", "tank/v@1"),
    ("destroy", ["tank/x y/c#base"], {}, "zfs list -H -t bookmark -o name | wc -l", "0"),
    ("destroy", ["tank/a@s", "tank/x y/z@s"], {},
     "zfs list -H -t snapshot -o name | grep @s | xargs", "tank@s tank/x y@s"),
    ("destroy", ["tank/v"], {"recursive": True}, "zfs list -Ho name | grep -c tank/v || true", "0"),
    ("destroy", ["tank/x y"], {"with_clones": True}, "zfs list -Ho name", "tank"),
)  # fmt: skip


async def test_a_life_of_datasets(nas: Acting) -> None:
    for action, words, options, question, answer in LIFE:
        made = await nas.do(action, *words, **options)

        assert answer == said(nas.guest, question), made.title


async def test_a_key_is_forgotten_and_loaded_again_with_its_passphrase(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh(
        "zfs create -o encryption=on -o keyformat=passphrase tank/e", stdin=f"{PASSPHRASE}\n".encode() * 2
    )
    assert {"mounted"} == await nas.refused("unload-key", "tank/e")
    guest.ssh("zfs unmount tank/e")
    await nas.do("unload-key", "tank/e")
    assert "unavailable" == said(guest, "zfs get -Ho value keystatus tank/e")
    assert {"locked"} == await nas.refused("mount", "tank/e")
    made = await nas.plan("load-key", "tank/e")

    secrets = {name: Secret(PASSPHRASE) for name in made.secrets}
    run = await nas.operator.execute(nas.host.label, made, "", secrets, lasts_s=SAVED_PLAN_LASTS_S)

    assert (RunState.DONE, "available") == (run.state, said(guest, "zfs get -Ho value keystatus tank/e"))
    assert PASSPHRASE not in f"{run}"


async def test_what_is_open_is_neither_rolled_back_nor_destroyed(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh("zfs create -V 64M tank/v && zfs create tank/f && zfs snapshot -r tank@a")
    guest.ssh(
        "udevadm settle; nohup sleep 600 < /dev/zvol/tank/v > /tank/f/open 2>&1 & echo $! > /run/holder"
    )
    pid = said(guest, "cat /run/holder")

    for action, target in (("rollback", "tank/v@a"), ("destroy", "tank/v"), ("rollback", "tank/f@a")):
        made = await nas.plan(action, target, recursive=True)
        assert "in-use" in {each.rule for each in made.refusals}
        assert any(pid in each.reason for each in made.refusals)

    guest.ssh(f"kill {pid}; for i in $(seq 50); do [ -d /proc/{pid} ] || break; sleep 0.1; done")
    await nas.do("destroy", "tank/v", recursive=True)


async def test_on_a_full_pool_snapshots_still_go_and_nothing_is_made(nas: Acting) -> None:
    guest = nas.guest
    guest.wipe()
    pool_on_a_file(guest, size="128M")
    guest.ssh(f"zfs create tank/a && zfs snapshot tank/a@1 && {FILL}", timeout_s=900)

    await nas.lacks_space("create", "tank/new")
    await nas.lacks_space("snapshot", "tank/a@2")
    await nas.do("destroy", "tank/a@1")
    assert "" == said(guest, "zfs list -H -t snapshot -o name -r tank/a")


async def test_what_is_shared_is_exported_and_what_is_not_to_be_is_refused(nas: Acting) -> None:
    guest = nas.guest
    if not said(guest, "command -v exportfs || true"):
        pytest.skip("this image has no NFS server: python -m tests.lab build --force")
    guest.ssh("zfs create tank/s && zfs create -o sharenfs=on tank/s/t && zfs unshare tank/s/t")
    assert {"not-shared"} == await nas.refused("share", "tank/s")

    await nas.do("share", "tank/s/t")
    assert "1" == said(guest, EXPORTS)
    again = await nas.run(await nas.plan("share", "tank/s/t"))
    assert (RunState.FAILED, True) == (again.state, "already shared" in again.words)
    await nas.do("unshare", "tank/s/t")
    assert "0" == said(guest, EXPORTS)


async def test_without_a_server_for_it_what_zfs_says_of_a_share_is_told(nas: Acting) -> None:
    """ZFS sets the property, and ends well; before 2.2 it says nothing, and takes it for shared."""
    guest = nas.guest
    guest.ssh("zfs create tank/s; server=$(command -v exportfs) && mv $server /run/exportfs; true")
    try:
        run = await nas.run(await nas.plan("set", "tank/s", "sharenfs=on"))
        shared = await nas.run(await nas.plan("share", "tank/s"))
    finally:
        guest.ssh("[ ! -e /run/exportfs ] || mv /run/exportfs /usr/sbin/exportfs")

    assert (RunState.DONE, "on") == (run.state, said(guest, "zfs get -Ho value sharenfs tank/s"))
    assert ("NFS share creation failed" in run.steps[0].said) == (guest.series != "2.1")
    assert RunState.FAILED is shared.state
