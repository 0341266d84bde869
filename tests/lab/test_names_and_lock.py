"""One machine under several names, and the lock on it: what holds, who can take it, and how it ends."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.lab.acting import OPTIONS, PatientHost
from tests.lab.guests import Guest
from tests.lab.test_privilege import PASSWORD, tank
from zconsole.actions.intent import intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, SUDO_SECRET
from zconsole.base.clock import SystemClock
from zconsole.base.secret import Secret
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.collect.holder_of_host_lock import FOLDER
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution import host_lock as lock
from zconsole.execution.host_lock import HostBusy, host_lock
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host import Command, Completed, Effect, Host
from zconsole.hosts.host_address import Address, parse_host
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.model.run import RunState
from zconsole.service import prepare_execute_and_recover_plans as operator_module
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal
from zconsole.storage.known_machines import KnownMachines

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]
__all__ = ["tank"]
WITHIN_S: Final = 60.0
DEAD: Final = "another boot:1:1"


@pytest.fixture
def names(tank: Guest, ssh_alias: str) -> tuple[str, str, str]:
    """The name in the configuration, another alias, and the address: all of them the guest."""
    config = Path(os.environ["HOME"]) / ".ssh" / "config"
    first = config.read_text().split("\n", 1)[1]
    config.write_text(f"{config.read_text()}Host other\n{first}Host 127.0.0.1\n{first}")
    return ssh_alias, "other", f"ssh://root@127.0.0.1:{tank.port}"


@asynccontextmanager
async def reached(name: str, user: str | None = None) -> AsyncIterator[Host]:
    address = parse_host(name)
    assert isinstance(address, Address)
    host = PatientHost(Address(address.host, user or address.user, address.port, name), OPTIONS)
    await host.connect()
    try:
        yield host
    finally:
        await host.close()


@pytest.mark.parametrize("is_seen", [True, False])
async def test_what_is_forbidden_holds_by_every_name(
    names: tuple[str, str, str], tmp_path: Path, *, is_seen: bool
) -> None:
    section = HostConfig("nas1", names[0], is_read_only=True, protected=("tank/a*",))
    machines = tmp_path / "machines.json"

    def policies() -> Policies:
        return Policies(Config((section,)), machines=KnownMachines(machines))

    if is_seen:
        async with reached(names[0]) as host:
            await policies().meet(Asker(host))
    for name in names:
        async with reached(name) as host:
            operator = Operator(
                [host], clock=SystemClock(), policies=policies(), journal=Journal(tmp_path / "j")
            )
            plan = await operator.prepare(name, intent("rename", "tank/a", "tank/free"))
            assert {"read-only", "protected"} <= {each.rule for each in plan.refusals}, name


class Killed(BaseException):
    """The console ends here."""


class Killing(PatientHost):
    """The console is killed when the change has run, before it hears of that."""

    async def run(self, command: Command) -> Completed:
        completed = await super().run(command)
        if command.effect is Effect.CHANGE:
            raise Killed
        return completed


async def test_a_run_that_was_cut_is_settled_by_another_name(
    names: tuple[str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, journal = SystemClock(), Journal(tmp_path / "journal.sqlite")
    first = Killing(Address(names[0]), OPTIONS)
    with monkeypatch.context() as killed:
        killed.setattr(operator_module, "console_id", lambda: DEAD)
        console = Operator([first], clock=clock, policies=Policies(), journal=journal)
    plan = await console.prepare(names[0], intent("hold", "tank/a@1", "keep"))
    with pytest.raises(Killed):
        await console.execute(names[0], plan, plan.confirm or "", lasts_s=SAVED_PLAN_LASTS_S)
    await first.close()

    async with reached(names[2]) as host:
        await Operator([host], clock=clock, policies=Policies(), journal=journal).recover(names[2])

    (entry,) = journal.entries(host=names[0])
    assert (RunState.DONE, "done") == (entry.state, entry.steps[0].state)
    journal.close()


def lock_of(
    host: Host, words: str, privilege_mode: PrivilegeMode = PrivilegeMode.SUDO, password: str = ""
) -> AbstractAsyncContextManager[bool]:
    """The lock, by whoever the host is reached as."""
    given = {SUDO_SECRET: Secret(password)} if password else {}
    return host_lock(host, Privilege(Asker(host)), words, privilege_mode, given)


async def test_only_those_who_act_take_the_lock_and_a_lost_link_gives_it_back(
    names: tuple[str, str, str], tank: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By root, by sudo with a password and without, by a user to whom something is delegated, by a third."""
    monkeypatch.setattr(lock, "TIMEOUT_S", 4 * lock.TIMEOUT_S)  # an emulated machine
    tank.ssh(f"rm -rf {FOLDER}")
    async with (
        reached(names[0]) as root,
        reached(names[0], "carl") as carl,
        reached(names[0], "bert") as bert,
    ):
        async with lock_of(root, "root's plan", PrivilegeMode.ROOT) as is_held:
            assert is_held
            for taker, password in ((carl, ""), (bert, PASSWORD)):
                with pytest.raises(HostBusy, match=r"since .* UTC: root's plan"):
                    async with lock_of(taker, "mine", password=password):
                        pass
            async with reached(names[0], "anna") as anna:
                with pytest.raises(HostBusy, match="as root"):
                    async with lock_of(anna, "mine", PrivilegeMode.PLAIN):
                        pass
        for taker, password in ((carl, ""), (bert, PASSWORD)):
            async with lock_of(taker, "by sudo", password=password) as is_held:
                assert is_held
                with pytest.raises(HostBusy, match="by sudo"):
                    async with lock_of(root, "root's", PrivilegeMode.ROOT):
                        pass
        assert PASSWORD not in tank.ssh(f"cat {FOLDER}/by; cat /proc/[0-9]*/cmdline | tr '\\0' ' '")
        tried = tank.ssh(
            "su dora -c 'for each in /etc /run /run/lock; do flock -n $each sleep 60 >/dev/null 2>&1 & done; "
            f"flock -n {FOLDER} true; echo $?; flock -n {FOLDER}/lock true; echo $?; ls {FOLDER}; echo $?'"
            " 2>&1 </dev/null | grep -E '^[0-9]+$'; true"
        ).split()
        assert "0" not in tried
        async with lock_of(root, "root's", PrivilegeMode.ROOT) as is_held:
            assert is_held, "a third account that holds what it can blocks nobody"

    lost = PatientHost(Address(names[0], "carl"), OPTIONS)
    await lost.connect()
    holding = lock_of(lost, "lost", PrivilegeMode.SUDO)
    assert await holding.__aenter__()
    assert lost._link is not None
    lost._link.abort()
    began = time.monotonic()
    async with reached(names[0]) as root:
        while time.monotonic() - began < WITHIN_S:
            try:
                async with lock_of(root, "after it", PrivilegeMode.ROOT) as is_held:
                    assert is_held
                    break
            except HostBusy:
                await asyncio.sleep(0.5)
        else:
            pytest.fail("the lock outlived its link")
    await lost.close()
