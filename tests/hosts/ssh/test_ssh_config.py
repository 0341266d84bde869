"""~/.ssh/config decides what it decides for ssh(1); what it cannot decide is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.hosts.conftest import OPTIONS, Keys, Lan
from tests.hosts.ssh.configured import configure
from zconsole.base.errors import HostUnreachable
from zconsole.hosts.host import Command, Outcome
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.connection_options import SshOptions


async def test_a_name_of_the_config_is_a_host(known: Lan) -> None:
    configure(known, f"Host nas\n HostName 127.0.0.1\n Port {known.wire.port}\n User admin\n")
    host = known.host(address=Address("nas", text="nas"))

    await host.connect()

    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome
    assert "admin" == known.sshd.connections[0].get_extra_info("username")


async def test_what_the_user_wrote_comes_before_the_config(known: Lan) -> None:
    configure(known, "Host *\n Port 1\n User nobody\n")

    await known.host().connect()

    assert "admin" == known.sshd.connections[0].get_extra_info("username")


async def test_the_key_that_the_config_names_is_used(known: Lan) -> None:
    (known.ssh_folder / "id_ed25519").rename(known.ssh_folder / "storage")
    configure(known, "Host *\n IdentityFile ~/.ssh/storage\n IdentitiesOnly yes\n")

    await known.host().connect()


async def test_a_key_file_that_is_missing_is_passed_over(known: Lan) -> None:
    configure(known, "Host *\n IdentityFile ~/.ssh/id_lost\n IdentityFile ~/.ssh/id_ed25519\n")

    await known.host().connect()


async def test_a_key_with_a_passphrase_is_left_to_the_agent(known: Lan, keys: Keys) -> None:
    keys.other.write_private_key(known.ssh_folder / "id_ecdsa", "pkcs8-pem", passphrase="unknown to us")

    await known.host().connect()


async def test_a_jump_that_is_no_host_is_told(known: Lan) -> None:
    configure(known, "Host *\n ProxyJump -oProxyCommand=evil\n")

    with pytest.raises(HostUnreachable, match="its ProxyJump cannot be used"):
        await known.host().connect()


async def test_another_config_can_be_given(known: Lan) -> None:
    configure(known, "Host *\n Port many\n")
    other = known.ssh_folder / "other"
    other.write_text(f"Host nas\n HostName 127.0.0.1\n Port {known.wire.port}\n User admin\n")

    await known.host(replace(OPTIONS, config_file=other), Address("nas")).connect()


def with_system(lan: Lan, text: str) -> SshOptions:
    """The system's configuration holds this."""
    file = lan.ssh_folder / "ssh_config"
    file.write_text(text)
    return replace(OPTIONS, system_config_file=file)


async def test_the_system_says_what_the_user_does_not(known: Lan) -> None:
    system = with_system(
        known, f"Host nas\n HostName 127.0.0.1\nHost *\n Port {known.wire.port}\n User nobody\n"
    )
    configure(known, "Host nas\n User admin\n")

    await known.host(system, Address("nas")).connect()

    assert "admin" == known.sshd.connections[0].get_extra_info("username")


async def test_without_a_config_of_the_user_the_system_says_all(known: Lan) -> None:
    system = with_system(known, f"Host nas\n HostName 127.0.0.1\n Port {known.wire.port}\n User admin\n")

    await known.host(system, Address("nas")).connect()


async def test_the_system_names_the_hosts_in_between_and_the_ciphers(known: Lan) -> None:
    port = known.wire.port
    system = with_system(
        known,
        f"Host nas\n HostName 127.0.0.1\n Port {port}\n ProxyJump admin@127.0.0.1:{port}\n"
        "Match final all\n User admin\n Ciphers none-such@example.net,aes256-ctr\n",
    )

    known.sshd.forwards = True

    await known.host(system, Address("nas")).connect()

    ciphers = [connection.get_extra_info("send_cipher") for connection in known.sshd.connections]
    assert ["aes256-ctr", "aes256-ctr"] == ciphers


@pytest.mark.parametrize("text", ["Host *\n Port many\n", "Match version 10\n Port 1\n", "Host 'nas\n"])
async def test_a_config_of_the_system_that_cannot_be_used_is_passed_over(
    known: Lan, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    """OpenSSH knows more than we do, and nobody here may be able to mend it."""
    system = with_system(known, text)
    configure(known, f"Host nas\n HostName 127.0.0.1\n Port {known.wire.port}\n User admin\n")

    await known.host(system, Address("nas")).connect()

    assert "ssh_config is skipped: " in caplog.text


async def test_a_config_of_the_system_that_is_not_there_or_may_not_be_read_is_passed_over(known: Lan) -> None:
    missing = replace(OPTIONS, system_config_file=known.ssh_folder / "nosuch")
    barred = with_system(known, "Host *\n Port many\n")
    (known.ssh_folder / "ssh_config").chmod(0)

    await known.host(missing).connect()
    await known.host(barred).connect()


async def test_what_is_wrong_with_the_users_config_is_told_whatever_the_system_says(known: Lan) -> None:
    system = with_system(known, "Host *\n Port several\n")
    configure(known, "Host *\n Port many\n")

    with pytest.raises(HostUnreachable, match="value: many"):
        await known.host(system).connect()


async def test_beside_a_config_that_is_given_no_other_is_read(known: Lan) -> None:
    given = replace(with_system(known, "Host *\n User nobody\n"), config_file=known.ssh_folder / "other")
    (known.ssh_folder / "other").write_text(f"Host nas\n HostName 127.0.0.1\n Port {known.wire.port}\n")

    await known.host(given, Address("nas", "admin")).connect()


async def test_the_connect_timeout_of_the_config_holds(known: Lan) -> None:
    configure(known, "Host *\n ConnectTimeout 1\n")
    known.wire.freeze()
    host = known.host(replace(OPTIONS, connect_timeout_s=0.01))
    connecting = asyncio.create_task(host.connect())

    done, _ = await asyncio.wait({connecting}, timeout=0.1)
    known.wire.thaw()

    assert not done
    await connecting


async def test_the_ciphers_of_the_config_are_used_and_quick_ones_where_it_names_none(known: Lan) -> None:
    await known.host().connect()
    configure(known, "Host *\n Ciphers aes256-ctr\n")
    await known.host().connect()

    ciphers = [connection.get_extra_info("send_cipher") for connection in known.sshd.connections]
    assert ["aes128-gcm@openssh.com", "aes256-ctr"] == ciphers
