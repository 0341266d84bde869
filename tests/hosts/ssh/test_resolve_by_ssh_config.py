"""Where a name leads, as ssh's own files tell, and what holds for a machine by each of its names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.hosts.conftest import OPTIONS, Lan
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host_address import Address, parse_host
from zconsole.hosts.ssh.resolve_by_ssh_config import Whereabouts, has_address, look_up
from zconsole.hosts.ssh.ssh_host import SshHost
from zconsole.storage.known_machines import KnownMachines


def written(folder: Path, text: str) -> Path:
    file = folder / "config"
    file.write_text(text)
    return file


async def test_aliases_of_one_address_lead_to_one_place(ssh_folder: Path) -> None:
    file = written(
        ssh_folder,
        "Host nas1\n HostName 10.0.0.4\n Port 2222\nHost n\n HostName 10.0.0.4\n Port 2222\n"
        "Host far\n HostName 10.0.0.4\n Port 2222\n ProxyJump gate\n"
        "Host keyed\n HostKeyAlias the-nas\nHost keyed2\n HostName elsewhere\n HostKeyAlias the-nas\n",
    )
    options = replace(OPTIONS, config_file=file)

    async def leads(one: str, other: str) -> bool:
        first, second = await look_up(one, options), await look_up(other, options)
        assert first is not None
        assert second is not None
        return first.leads_to(second)

    assert await leads("nas1", "n")
    assert await leads("nas1", "ssh://root@10.0.0.4:2222")
    assert await leads("root@N", "nas1") is False  # ssh tells aliases apart by case
    assert await leads("keyed", "keyed2")
    assert not await leads("nas1", "10.0.0.4")
    assert not await leads("nas1", "far")


async def test_the_keys_that_known_hosts_holds_are_told(lan: Lan) -> None:
    lan.trust(lan.keys.host, name="nas1")
    lan.trust(lan.keys.ecdsa, name="nas1")

    found = await look_up("root@nas1", replace(OPTIONS, user_known_hosts=(str(_known(lan)),)))

    assert found == Whereabouts(
        "nas1", 22, keys=frozenset(key.get_fingerprint("sha256") for key in (lan.keys.host, lan.keys.ecdsa))
    )


@pytest.mark.parametrize("text", ["local", "not a name", "http://x"])
async def test_what_leads_nowhere_tells_nothing(text: str) -> None:
    assert await look_up(text, OPTIONS) is None


def _known(lan: Lan) -> Path:
    return lan.ssh_folder / "known_hosts"


class Spelled:
    """One sshd that is configured as nas1, and reached under several names."""

    def __init__(self, lan: Lan) -> None:
        self.lan = lan
        self.port = lan.wire.port
        config = f"Host nas1 alias\n HostName 127.0.0.1\n Port {self.port}\n User admin\n"
        self.options = replace(
            OPTIONS,
            config_file=written(lan.ssh_folder, f"{config} IdentityFile {lan.ssh_folder}/id_ed25519\n"),
            user_known_hosts=(str(_known(lan)),),
        )

    def policies(self, address: str, known: KnownMachines, *, looks: bool = True) -> Policies:
        async def look(text: str) -> Whereabouts | None:
            return await look_up(text, self.options) if looks else None

        section = HostConfig("nas1", address, is_read_only=True, protected=("tank/*",))
        return Policies(Config((section,)), machines=known, look_up=look)

    async def reached(self, text: str) -> SshHost:
        address = parse_host(text)
        assert isinstance(address, Address)
        host = self.lan.host(self.options, address)
        await host.connect()
        return host


def spellings(port: int) -> tuple[str, ...]:
    return ("alias", f"ssh://admin@127.0.0.1:{port}", f"ssh://admin@localhost:{port}")


async def test_what_is_forbidden_holds_by_every_name_once_the_machine_was_seen(known: Lan) -> None:
    spelled = Spelled(known)
    known.trust(known.keys.host, name=f"[localhost]:{spelled.port}")
    machines = KnownMachines(is_kept=False)
    policies = spelled.policies("nas1", machines, looks=False)
    await policies.meet(Asker(await spelled.reached("nas1")))

    for name in spellings(spelled.port):
        anew = spelled.policies("nas1", machines, looks=False)
        policy = await anew.meet(Asker(await spelled.reached(name)))

        assert ("tank/*",) == policy.protected, name
        assert policy.read_only.endswith("of nas1, which is read-only in the configuration")


async def test_and_before_it_was_ever_reached_by_its_own_name(known: Lan) -> None:
    spelled = Spelled(known)
    known.trust(known.keys.host, name=f"[localhost]:{spelled.port}")

    for name in spellings(spelled.port):
        policies = spelled.policies("nas1", KnownMachines(is_kept=False))
        policy = await policies.meet(Asker(await spelled.reached(name)))

        assert ("tank/*",) == policy.protected, name


async def test_a_name_that_no_resolver_knows_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await has_address("127.0.0.1")
    assert not await has_address("a.name.that.is.invalid")
    monkeypatch.setattr("zconsole.hosts.ssh.resolve_by_ssh_config.RESOLVED_S", 0.0)
    assert await has_address("a.name.that.is.invalid")  # not known in time
