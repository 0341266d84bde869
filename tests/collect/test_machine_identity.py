"""What tells one machine from another, each part by itself."""

from __future__ import annotations

import base64
import hashlib

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.errors import CommandFailed
from zconsole.collect.machine_identity import (
    BOOT_ID,
    MACHINE_ID,
    PUBLIC_KEYS,
    read_identity,
    read_machine,
    read_own_keys,
)
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import connection_of

KEY = b"the public key"


def scripted() -> ScriptedHost:
    host = ScriptedHost("nas1")
    host.answers |= {"uname -n": b"storage1\n", "hostid": b"007f0101\n"}
    host.files |= {MACHINE_ID: b"1234abcd\n", BOOT_ID: b"5678\n"}
    return host


async def test_a_machine_is_told_by_name_ids_and_boot() -> None:
    found = await read_identity(Asker(scripted()))

    assert ("nas1", "storage1") == (found.label, found.hostname)
    assert ("1234abcd", "5678", "007f0101") == (found.machine_id, found.boot_id, found.hostid)
    assert found.host_key is None


async def test_a_machine_is_known_with_the_user_and_the_connection() -> None:
    host = scripted()
    host.answers["id"] = b"uid=1000(ann) gid=1000(ann) groups=1000(ann)\n"

    found = await read_machine(Asker(host))

    assert ("1234abcd", "ann", 1000) == (found.identity.machine_id, found.user.name, found.user.number)
    assert connection_of(host) == found.connection


async def test_what_cannot_be_read_is_unknown_and_the_rest_is_told() -> None:
    host = scripted()
    host.files |= {MACHINE_ID: PermissionError(), BOOT_ID: b"\n"}
    host.answers["hostid"] = b"not a number\n"

    found = await read_identity(Asker(host))

    assert (None, None, None) == (found.machine_id, found.boot_id, found.hostid)
    assert "storage1" == found.hostname


async def test_a_program_that_is_missing_leaves_its_part_unknown() -> None:
    host = scripted()
    host.answers["hostid"] = failed("hostid", 127, b"not found\n")

    assert (await read_identity(Asker(host))).hostid is None


async def test_keys_are_told_by_their_fingerprints_and_broken_files_left_out() -> None:
    host = scripted()
    ed25519, ecdsa, rsa = PUBLIC_KEYS
    host.files |= {
        ed25519: b"ssh-ed25519 " + base64.b64encode(KEY) + b" root@nas\n",
        ecdsa: b"ecdsa *** root@nas\n",
        rsa: CommandFailed("no"),
    }

    digest = base64.b64encode(hashlib.sha256(KEY).digest()).decode().rstrip("=")
    assert (f"SHA256:{digest}",) == await read_own_keys(host)
