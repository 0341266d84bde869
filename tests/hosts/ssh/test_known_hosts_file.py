"""Whom to trust: strict, as OpenSSH is, with one question for a new host and none for a changed one."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest

from tests.hosts.conftest import OPTIONS, Keys, Lan
from tests.hosts.helpers import until
from zconsole.base.errors import HostError, HostKeyChanged, HostKeyUnknown, HostUnreachable
from zconsole.hosts.host import Command, Outcome
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.known_hosts_file import (
    KnownHosts,
    Matched,
    append_key,
    known_name,
    read_known_hosts,
    user_files,
)


def fingerprint(key: asyncssh.SSHKey) -> str:
    return key.get_fingerprint("sha256")


def prints(matched: Matched) -> list[str]:
    return [fingerprint(key) for key in matched.keys]


async def test_the_key_of_a_new_host_is_a_question(lan: Lan) -> None:
    host = lan.host()

    with pytest.raises(HostKeyUnknown, match="the host key of nas1 is not known") as caught:
        await host.connect()

    assert fingerprint(lan.keys.host) == caught.value.fingerprint
    assert f"zconsole trust nas1 {fingerprint(lan.keys.host)}" in caught.value.hint
    assert not (lan.ssh_folder / "known_hosts").exists()


async def test_a_key_that_was_compared_is_remembered_as_openssh_would(lan: Lan) -> None:
    host = lan.host()
    with pytest.raises(HostKeyUnknown) as caught:
        await host.connect()

    await host.accept_key(caught.value.fingerprint)
    await host.connect()

    known_hosts = lan.ssh_folder / "known_hosts"
    kind, data = lan.keys.host.export_public_key().decode().split()[:2]
    assert f"[127.0.0.1]:{lan.wire.port} {kind} {data}\n" == known_hosts.read_text()
    assert 0o600 == known_hosts.stat().st_mode & 0o777
    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome


async def test_another_key_than_the_one_compared_is_not_remembered(lan: Lan) -> None:
    host = lan.host()

    with pytest.raises(HostKeyChanged, match="shows another key now"):
        await host.accept_key(fingerprint(lan.keys.other))

    assert not (lan.ssh_folder / "known_hosts").exists()


async def test_accepting_a_key_that_is_known_changes_nothing(known: Lan) -> None:
    before = (known.ssh_folder / "known_hosts").read_bytes()

    await known.host().accept_key(fingerprint(known.keys.host))

    assert before == (known.ssh_folder / "known_hosts").read_bytes()


async def test_a_changed_key_is_a_hard_stop(lan: Lan) -> None:
    """Nothing gets past it: not the acceptance of the new key, either."""
    lan.trust(lan.keys.other)
    before = (lan.ssh_folder / "known_hosts").read_bytes()
    host = lan.host()

    with pytest.raises(HostKeyChanged, match="has CHANGED") as caught:
        await host.connect()
    with pytest.raises(HostKeyChanged, match="has CHANGED"):
        await host.accept_key(fingerprint(lan.keys.host))

    assert fingerprint(lan.keys.host) in caught.value.message
    assert fingerprint(lan.keys.other) in caught.value.message
    assert f"ssh-keygen -R '[127.0.0.1]:{lan.wire.port}'" in caught.value.hint
    assert before == (lan.ssh_folder / "known_hosts").read_bytes()
    assert [] == lan.sshd.commands


async def test_a_key_of_another_kind_than_the_known_one_has_changed(lan: Lan) -> None:
    """An impostor need not show a key of the same algorithm."""
    lan.trust(lan.keys.ecdsa)

    with pytest.raises(HostKeyChanged, match="has CHANGED"):
        await lan.host().connect()


async def test_of_several_keys_of_a_host_the_known_one_is_asked_for(lan: Lan, keys: Keys) -> None:
    await lan.sshd.stop()
    await lan.sshd.start(keys.host, keys.ecdsa)
    lan.trust(keys.ecdsa)

    await lan.host().connect()


async def test_a_revoked_key_is_refused_even_if_it_is_known(known: Lan) -> None:
    known.trust(known.keys.host, name="@revoked *")

    with pytest.raises(HostKeyChanged, match="revoked"):
        await known.host().connect()


async def test_a_host_certificate_of_a_trusted_authority_is_enough(lan: Lan, keys: Keys) -> None:
    certificate = keys.other.generate_host_certificate(keys.host, "nas1", principals=["127.0.0.1"])
    await lan.sshd.stop()
    await lan.sshd.start((keys.host, certificate))
    lan.trust(keys.other, name="@cert-authority [127.0.0.1]:*")

    await lan.host().connect()


async def test_a_certificate_for_another_host_is_refused(lan: Lan, keys: Keys) -> None:
    certificate = keys.other.generate_host_certificate(keys.host, "nas2", principals=["nas2"])
    await lan.sshd.stop()
    await lan.sshd.start((keys.host, certificate))
    lan.trust(keys.other, name="@cert-authority [127.0.0.1]:*")

    with pytest.raises(HostError):
        await lan.host().connect()


async def test_a_host_without_a_certificate_under_an_authority_is_a_question(lan: Lan, keys: Keys) -> None:
    lan.trust(keys.other, name="@cert-authority *")

    with pytest.raises(HostKeyUnknown):
        await lan.host().connect()


@pytest.mark.parametrize("value", ["none", "/dev/null"])
async def test_a_config_that_trusts_everybody_does_not_make_us(lan: Lan, value: str) -> None:
    (lan.ssh_folder / "config").write_text(
        f"Host *\n UserKnownHostsFile {value}\n StrictHostKeyChecking no\n VerifyHostKeyDNS yes\n"
    )
    host = lan.host()

    with pytest.raises(HostKeyUnknown):
        await host.connect()
    await host.accept_key(fingerprint(lan.keys.host))
    await host.connect()

    assert (lan.ssh_folder / "known_hosts").exists()


async def test_a_config_that_trusts_everybody_does_not_hide_a_changed_key(lan: Lan) -> None:
    (lan.ssh_folder / "config").write_text("Host *\n UserKnownHostsFile none\n")
    lan.trust(lan.keys.other)

    with pytest.raises(HostKeyChanged):
        await lan.host().connect()


async def test_the_files_that_a_config_names_are_read_and_the_first_written(lan: Lan) -> None:
    mine = lan.ssh_folder / "keys" / "mine"
    (lan.ssh_folder / "config").write_text(f"Host *\n UserKnownHostsFile {mine} ~/.ssh/second\n")
    host = lan.host()

    await host.accept_key(fingerprint(lan.keys.host))
    await host.connect()

    assert mine.read_text().startswith("[127.0.0.1]:")
    assert 0o700 == mine.parent.stat().st_mode & 0o777
    mine.rename(lan.ssh_folder / "second")
    await lan.host().connect()


async def test_keys_of_the_administrator_count_too(lan: Lan) -> None:
    lan.trust(lan.keys.host)
    (lan.ssh_folder / "known_hosts").rename(lan.ssh_folder / "global")
    with pytest.raises(HostKeyUnknown):
        await lan.host().connect()

    await lan.host(replace(OPTIONS, global_known_hosts=(str(lan.ssh_folder / "global"),))).connect()


async def test_an_alias_stands_for_itself(lan: Lan) -> None:
    (lan.ssh_folder / "config").write_text("Host *\n HostKeyAlias vault\n")
    host = lan.host()

    await host.accept_key(fingerprint(lan.keys.host))
    await host.connect()

    assert (lan.ssh_folder / "known_hosts").read_text().startswith("vault ssh-ed25519 ")


async def test_the_key_of_an_address_does_not_vouch_for_a_name(lan: Lan) -> None:
    """A name that leads to another known host (DNS was changed) is not that host."""
    lan.trust(lan.keys.host)
    lan.trust(lan.keys.other, name=f"[localhost]:{lan.wire.port}")

    with pytest.raises(HostKeyChanged):
        await lan.host(address=Address("localhost", "admin", lan.wire.port, "nas1")).connect()


async def test_a_file_of_keys_that_cannot_be_read_stops_us(
    known: Lan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("zconsole.hosts.ssh.known_hosts_file.read_bounded", denied)

    with pytest.raises(HostError, match="known_hosts cannot be read: Permission denied"):
        await known.host().connect()


async def test_a_key_that_cannot_be_written_is_told(lan: Lan) -> None:
    (lan.ssh_folder / "known_hosts2").write_text("")
    (lan.ssh_folder / "config").write_text(f"Host *\n UserKnownHostsFile {lan.ssh_folder}/id_ed25519/x\n")

    with pytest.raises(HostError, match="the key cannot be written"):
        await lan.host().accept_key(fingerprint(lan.keys.host))


async def test_a_jump_host_is_checked_as_strictly(lan: Lan, keys: Keys) -> None:
    """Unknown is a question about the jump host, by its own name; then the way through it works."""
    (lan.ssh_folder / "config").write_text(
        f"Host inner\n HostName 127.0.0.1\n Port {lan.sshd.port}\n"
        f" ProxyJump admin@127.0.0.1:{lan.wire.port}\n"
        "Host *\n UserKnownHostsFile none\n"
    )
    lan.trust(keys.host, name=f"[127.0.0.1]:{lan.sshd.port}")
    host = lan.host(address=Address("inner", "admin", None, "inner"))

    with pytest.raises(HostKeyUnknown) as caught:
        await host.connect()
    assert f"zconsole trust ssh://admin@127.0.0.1:{lan.wire.port} " in caught.value.hint
    await host.accept_key(caught.value.fingerprint)
    with pytest.raises(HostUnreachable, match="jump host cannot reach inner"):
        await host.connect()
    lan.sshd.forwards = True
    await host.connect()

    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome
    await host.close()
    await until(lambda: not any(connection._transport for connection in lan.sshd.connections))


async def test_a_jump_that_leads_in_a_circle_is_told(lan: Lan) -> None:
    (lan.ssh_folder / "config").write_text("Host a\n ProxyJump b\nHost b\n ProxyJump a\n")

    with pytest.raises(HostUnreachable, match="is circular"):
        await lan.host(address=Address("a")).connect()


def test_names_are_written_as_openssh_does() -> None:
    assert "nas1" == known_name("NAS1", None)
    assert "nas1" == known_name("nas1", 22)
    assert "[nas1]:2222" == known_name("nas1", 2222)


def test_a_file_without_a_last_line_break_is_not_spoiled(tmp_path: Path, keys: Keys) -> None:
    file = tmp_path / "known_hosts"
    file.write_bytes(b"nas9 ssh-ed25519 AAAA")

    append_key(file, "nas1", 22, keys.host)
    append_key(file, "nas2", 22, keys.other)

    assert ["nas9", "nas1", "nas2"] == [line.split()[0] for line in file.read_text().splitlines()]


def test_hashed_names_and_patterns_match_and_bad_lines_are_passed_over(tmp_path: Path, keys: Keys) -> None:
    public = keys.host.export_public_key().decode().strip()
    file = tmp_path / "known_hosts"
    file.write_bytes(
        b"\xff\xfe binary noise\n|1|broken ssh-ed25519 x\nnas7\n@what nas1 ssh-ed25519 AAAA\n"
        + f"nas1 {public}\n*.example.org,!evil.example.org {public}\n".encode()
    )
    subprocess.run(["ssh-keygen", "-q", "-H", "-f", file], check=False, capture_output=True)
    known = read_known_hosts([file, tmp_path / "none"])

    assert [fingerprint(keys.host)] == prints(known.match("nas1", None))
    assert [fingerprint(keys.host)] == prints(known.match("a.example.org", None))
    assert [] == known.match("evil.example.org", None).keys
    assert [] == known.match("nas2", None).keys


def test_a_key_without_a_port_serves_other_ports_but_does_not_accuse_them(keys: Keys) -> None:
    public = keys.host.export_public_key().decode()
    known = KnownHosts([f"nas1 {public}"])

    assert [fingerprint(keys.host)] == prints(known.trusted("nas1", 2222))
    assert [] == known.match("nas1", 2222).keys


def test_the_user_files_are_never_nobodys() -> None:
    default = ("~/.ssh/known_hosts",)

    assert (Path(os.environ["HOME"]) / ".ssh/known_hosts",) == user_files(None, default)
    assert (Path(os.environ["HOME"]) / ".ssh/known_hosts",) == user_files([], default)
    assert (Path("/x"),) == user_files(["none", "/x", "/dev/null"], default)


async def test_a_connected_host_tells_by_which_key_it_is_known(known: Lan) -> None:
    """A plan is bound to it, so that no other machine is taken for this one."""
    host = known.host()
    assert host.host_key is None

    await host.connect()

    assert fingerprint(known.keys.host) == host.host_key
