"""Each way to root, and the way without: one change through each, over SSH as the user whom it is for."""

from __future__ import annotations

import logging
import shlex
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.lab.acting import OPTIONS, Acting, PatientHost, acting_on
from tests.lab.guests import Guest
from tests.lab.trees import pool_on_a_file
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, SUDO_SECRET
from zconsole.base.secret import Secret
from zconsole.hosts.host_address import Address
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.model.run import Run, RunState
from zconsole.reports.sudoers import Rules, sudoers

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

PASSWORD: Final = "hunter2-hunter2"
PASSPHRASE: Final = "correct horse battery"
USERS: Final = ("anna", "bert", "carl", "dora")  # without sudo, with and without a password for it, by doas
PEOPLE: Final = f"""\
for user in {" ".join(USERS)}; do
    id $user >/dev/null 2>&1 || useradd -m -s /bin/sh $user
    echo "$user:{PASSWORD}" | chpasswd
    mkdir -p /home/$user/.ssh
    cp /root/.ssh/authorized_keys /home/$user/.ssh/
    chown -R $user: /home/$user/.ssh
done
"""
RULES: Final = "/etc/sudoers.d/zconsole-people"
ALL_SAID: Final = "grep -rlsF -f - /var/log /run /tmp /home /proc/[0-9]*/cmdline"


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A guest with a pool, and users who may do this and that."""
    pool_on_a_file(bare_guest)
    rules = (Rules("bert", "/usr/sbin"), Rules("carl", "/usr/sbin", asks_password=False))
    bare_guest.ssh(PEOPLE + "zfs create tank/a && zfs snapshot tank/a@1 && zfs snapshot tank/a@2")
    for each in rules:
        file = f"{RULES}-{each.user}"
        bare_guest.ssh(f"cat > {file} && chmod 440 {file}", stdin=sudoers(each).encode())
    yield bare_guest
    bare_guest.ssh(f"rm -f {RULES}-* /etc/doas.conf")
    bare_guest.wipe()


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Where the console keeps its journal."""
    return tmp_path / "journal.sqlite"


@asynccontextmanager
async def acting_as(user: str, guest: Guest, alias: str, journal: Path) -> AsyncIterator[Acting]:
    """A connection of their own."""
    async with acting_on(guest, alias, journal, PatientHost(Address(alias, user), OPTIONS)) as acting:
        yield acting


def sent(acting: Acting) -> list[tuple[str, ...]]:
    """The commands that were sent for the last plan."""
    return [step.sent_argv for step in acting.journal.entries()[-1].steps]


def snapshots(guest: Guest) -> list[str]:
    """Those that there are."""
    return guest.ssh("zfs list -Ht snapshot -o name -s name").split()


def files_of(journal: Path) -> Iterator[bytes]:
    """The journal, and what SQLite keeps beside it."""
    for path in journal.parent.glob(f"{journal.name}*"):
        yield path.read_bytes()


async def with_secrets(acting: Acting, action: str, target: str, *words: str, **secrets: str) -> Run:
    """Plan it, and run it with the secrets that it asks for."""
    made = await acting.plan(action, target, *words)
    assert not made.is_refused, made.refusals
    given = {SUDO_SECRET: Secret(secrets["sudo"])}
    given |= {name: Secret(secrets["key"]) for name in made.secrets if name != SUDO_SECRET}
    assert given.keys() == set(made.secrets)
    return await acting.operator.execute(
        acting.host.label, made, made.confirm or "", given, lasts_s=SAVED_PLAN_LASTS_S
    )


async def test_what_is_delegated_is_done_and_the_rest_is_refused(
    tank: Guest, ssh_alias: str, journal: Path
) -> None:
    """By a user whom sudo does not know, and whom it would ask for a password all the same."""
    tank.ssh("zfs allow -l anna snapshot tank/a; zfs allow -d anna destroy,mount tank/a; zfs create tank/b")
    async with acting_as("anna", tank, ssh_alias, journal) as anna:
        made = await anna.do("snapshot", "tank/a@3")
        assert ((), PrivilegeMode.PLAIN) == (made.secrets, made.privilege_mode)
        assert [("zfs", "snapshot", "tank/a@3")] == sent(anna)
        await anna.do("destroy", "tank/a@1", "tank/a@3")
        assert [("zfs", "destroy", "tank/a@1,3")] == sent(anna)

        refused = await anna.plan("snapshot", "tank/b@1")
        assert {"permission"} == {each.rule for each in refused.refusals}
        assert "anna lacks the permission 'snapshot' on tank/b" == refused.refusals[0].reason
        assert {"unmount-permission"} <= await anna.refused("unmount", "tank/a")
        assert {"permission"} == await anna.refused("scrub", "tank")
    assert ["tank/a@2"] == snapshots(tank)


async def test_sudo_without_a_password_runs_what_its_rules_allow(
    tank: Guest, ssh_alias: str, journal: Path
) -> None:
    """A channel program included, and no other command."""
    async with acting_as("carl", tank, ssh_alias, journal) as carl:
        made = await carl.do("destroy", "tank/a@1", "tank/a@2")
        argvs = sent(carl)

    assert ((), PrivilegeMode.SUDO) == (made.secrets, made.privilege_mode)
    assert [("sudo", "-n", "zfs", "program")] == [argv[:4] for argv in argvs]
    assert [] == snapshots(tank)


async def test_ways_to_root_are_refused_by_the_rules(tank: Guest, ssh_alias: str, journal: Path) -> None:
    """Each is tried for real, by the user; the file is one that visudo takes, and an action still works."""
    tank.ssh("visudo -c")
    tank.ssh("cp -a /etc/passwd /run/passwd; umask 077; echo keep > /run/secret; zfs create tank/x")
    escalations = (
        "zfs create -o mountpoint=/etc/cron.d tank/y",
        "zfs set mountpoint=/etc tank/x",
        "zfs set keylocation=file:///run/secret tank/x",
        "zfs set keylocation=http://127.0.0.1/key tank/x",
        "zfs set setuid=on tank/x",
        "zfs set sharenfs=rw,no_root_squash tank/x",
        "zfs inherit setuid tank/x",
        "zfs set 'a:b=c\nd' tank/x",
        "zfs create -omountpoint=/etc tank/y",
        "zfs diff -FHt tank/a@1 tank/a",
        "zfs send -L -e -c tank/a@1",
        "zfs receive -s -u tank/y",
        "zpool import -N -R /etc 1",
        "zpool import -d /home/carl -a",
        "zpool create -m /etc bulk /home/carl/file",
        "zpool set cachefile=/etc/cron.d/x tank",
        "zfs mount -o suid tank/x",
        "zfs program tank /run/secret",
        "zdb -l -u /run/secret",
        "zfs allow carl mount tank",
    )

    for line in escalations:
        said = tank.ssh(
            f"su carl -c {shlex.quote(f'sudo -n {line} 2>&1')}; echo status $?", stdin=b"", check=False
        )
        assert "status 1" in said, (line, said)
        assert "a password is required" in said or "not allowed" in said, (line, said)
    async with acting_as("carl", tank, ssh_alias, journal) as carl:
        await carl.do("set", "tank/x", "quota=64M")

    assert tank.ssh("cat /run/passwd") == tank.ssh("cat /etc/passwd")
    assert "tank/y" not in tank.ssh("zfs list -Ho name")


async def test_a_password_goes_to_sudo_and_nowhere_else(
    tank: Guest, ssh_alias: str, journal: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What the command itself reads comes behind it: a program, or the passphrase of a key."""
    caplog.set_level(logging.DEBUG)
    tank.ssh(
        "zfs create -o encryption=on -o keyformat=passphrase tank/e && zfs unmount tank/e"
        " && zfs unload-key tank/e",
        stdin=f"{PASSPHRASE}\n".encode() * 2,
    )
    async with acting_as("bert", tank, ssh_alias, journal) as bert:
        wrong = await with_secrets(bert, "destroy", "tank/a@1", sudo="not this one")
        left = snapshots(tank)
        runs = [
            await with_secrets(bert, "load-key", "tank/e", sudo=PASSWORD, key=PASSPHRASE),
            await with_secrets(bert, "destroy", "tank/a@1", sudo=PASSWORD),
        ]
        tank.ssh(f"echo 'bert ALL=(ALL:ALL) ALL' > {RULES}-bert")  # which sudo tells nothing of
        runs.append(await with_secrets(bert, "destroy", "tank/a@2", sudo=PASSWORD))
        argvs = [step.sent_argv for entry in bert.journal.entries() for step in entry.steps if step.sent_argv]

    assert (RunState.REFUSED, ["tank/a@1", "tank/a@2"]) == (wrong.state, left), wrong.words
    assert "password" in wrong.words
    assert [RunState.DONE] * 3 == [run.state for run in runs], [run.words for run in runs]
    assert [] == snapshots(tank)
    assert "available" == tank.ssh("zfs get -Ho value keystatus tank/e").strip()
    assert {("sudo", "-k", "-S", "-p", "")} == {argv[:5] for argv in argvs}
    kept = list(files_of(journal))
    assert any(b"load-key" in each for each in kept)
    for secret in (PASSWORD, PASSPHRASE, "not this one"):
        assert not any(secret.encode() in each for each in kept)
        assert secret not in caplog.text + repr(runs) + repr(wrong)
        assert "" == tank.ssh(ALL_SAID, stdin=secret.encode(), check=False)


async def test_doas_serves_where_it_asks_nothing(tank: Guest, ssh_alias: str, journal: Path) -> None:
    """Also where only root may read its rules."""
    if not tank.ssh("command -v doas || true"):
        pytest.skip("this image has no doas: python -m tests.lab build --force")
    tank.ssh("echo permit nopass dora as root cmd zfs > /etc/doas.conf; chmod 644 /etc/doas.conf")
    async with acting_as("dora", tank, ssh_alias, journal) as dora:
        made = await dora.do("hold", "tank/a@1", "keep")
        assert PrivilegeMode.DOAS is made.privilege_mode
        assert [("doas", "-n", "zfs", "hold", "keep", "tank/a@1")] == sent(dora)

        tank.ssh("chmod 400 /etc/doas.conf")
        await dora.do("release", "tank/a@1", "keep")
        assert {"permission"} == await dora.refused("scrub", "tank")
    assert "0" == tank.ssh("zfs get -Ho value userrefs tank/a@1").strip()
