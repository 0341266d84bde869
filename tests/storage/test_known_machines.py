"""Who answered where is kept, and what a file says that was made by anybody stops nothing."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from zconsole.model.host.machine_identity import MachineIdentity, in_common, is_still_same, is_surely_same
from zconsole.storage.known_machines import MOST_OF_AN_ADDRESS, KnownMachines

M1, M2 = "1" * 32, "2" * 32
NAS1 = MachineIdentity("nas1", "storage1", M1, "SHA256:a", boot_id="b1", host_keys=("SHA256:a", "SHA256:rsa"))


def told(
    machine_id: str | None, key: str | None, boot: str | None = None, own: tuple[str, ...] = ()
) -> MachineIdentity:
    return MachineIdentity("x", None, machine_id, key, boot_id=boot, host_keys=own)


@pytest.mark.parametrize(
    ("one", "other", "shared", "is_sure"),
    [
        (told(M1, "a"), told(M1, "a"), "machine-id", True),
        (told(M1, "a"), told(M1, None), "machine-id", True),  # this machine itself, and by ssh
        (told(M1, "a"), told(M1, "b"), "machine-id", False),  # a clone, or a second sshd
        (told(M1, "a"), told(M1, "b", own=("a", "b")), "machine-id", True),  # another kind of key
        (told(M1, "a", "boot"), told(M1, "b", "boot"), "machine-id", True),  # a second sshd, one kernel
        (told(M1, "a"), told(M2, "a"), "host key", False),  # made from one image
        (told(M1, "a", "boot"), told(M2, "b", "boot"), "running kernel", False),  # a container
        (told(None, "a"), told(None, "a"), "host key", True),
        (told(None, "a"), told(M1, "a"), "host key", False),
        (told(None, None), told(None, None), "", False),
        (told("uninitialized", None), told("uninitialized", None), "", False),
        (told("uninitialized", "a"), told("uninitialized", "a"), "host key", True),
        (told(M1, "a"), told(M2, "b"), "", False),
    ],
)
def test_what_speaks_for_one_machine_and_whether_it_is_sure(
    one: MachineIdentity, other: MachineIdentity, shared: str, *, is_sure: bool
) -> None:
    assert (shared, shared) == (in_common(one, other), in_common(other, one))
    assert (is_sure, is_sure) == (is_surely_same(one, other), is_surely_same(other, one))


def test_a_machine_that_shows_another_of_its_own_keys_is_still_the_same() -> None:
    assert is_still_same(told(M1, "a"), told(M1, "rsa", own=("a", "rsa")))
    assert not is_still_same(told(M1, "a"), told(M1, "rsa"))


def test_what_was_learnt_is_known_to_the_next_console(tmp_path: Path) -> None:
    path = tmp_path / "state" / "machines.json"

    KnownMachines(path).learn("root@10.0.0.4", NAS1, 1000.0)

    (again,) = KnownMachines(path).at("root@10.0.0.4")
    assert (M1, "SHA256:a", "b1", NAS1.host_keys) == (
        again.machine_id,
        again.host_key,
        again.boot_id,
        again.host_keys,
    )
    assert () == KnownMachines(path).at("nas1")
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)


def test_two_consoles_that_learn_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "machines.json"
    one, other = KnownMachines(path), KnownMachines(path)
    assert () == one.at("a") == other.at("a")

    one.learn("a", NAS1, 1.0)
    other.learn("b", NAS1, 2.0)

    both = KnownMachines(path)
    assert (1, 1) == (len(both.at("a")), len(both.at("b")))


def test_of_one_address_the_last_machines_stay_and_a_reboot_is_no_other_one(tmp_path: Path) -> None:
    known = KnownMachines(tmp_path / "machines.json")
    for number in range(10):
        known.learn("vip", told(f"{number:032x}", f"key {number}"), float(number))
        known.learn("vip", told(f"{number:032x}", f"key {number}", "another boot"), float(number))

    there = known.at("vip")
    assert MOST_OF_AN_ADDRESS == len(there)
    assert f"{9:032x}" == there[-1].machine_id
    assert {"another boot"} == {each.boot_id for each in there}


def test_an_unchanged_machine_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "machines.json"
    KnownMachines(path).learn("a", NAS1, 1.0)
    before = path.stat().st_ino
    known = KnownMachines(path)
    (same,) = known.at("a")

    known.learn("a", same, 2.0)

    assert before == path.stat().st_ino


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b'{"schema": 0, "seen": []}',
        b'{"schema": "2", "seen": []}',
        b'{"schema": 1, "seen": [1]}',
        b'{"schema": 1, "seen": [{"address": 5}]}',
        b'{"schema": 1, "seen": {"a": []}}',
        b"[" * 200_000,
        b'{"schema": 1, "seen": [{"address": "a", "at": "x", "hostname": 1, "host_keys": []}]}',
    ],
)
def test_a_damaged_file_is_passed_over_and_replaced(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "machines.json"
    path.write_bytes(text)
    known = KnownMachines(path)

    assert () == known.at("a")
    known.learn("a", NAS1, 1.0)

    assert 1 == len(json.loads(path.read_bytes())["seen"])


@pytest.mark.parametrize(
    "bad",
    [
        *(None, 1, "x", [], {}, {"address": "a"}),
        {"address": 5, "at": 1.0},
        {"at": "x"},
        {"at": 10**400},
        {"at": float("nan")},
        {"at": None},
    ],
)
def test_a_bad_row_costs_itself(bad: object, tmp_path: Path) -> None:
    path = tmp_path / "machines.json"
    KnownMachines(path).learn("a", NAS1, 1.0)
    document = json.loads(path.read_bytes())
    good = document["seen"][0]
    document["seen"] = [good, good | bad if isinstance(bad, dict) and "at" in bad else bad]
    document["seen"].append(good | {"address": "b"})
    path.write_text(json.dumps(document))

    known = KnownMachines(path)
    assert (1, 1) == (len(known.at("a")), len(known.at("b")))
    known.learn("c", NAS1, 2.0)

    assert ["a", "b", "c"] == [each["address"] for each in json.loads(path.read_bytes())["seen"]]


@pytest.mark.parametrize(
    "newer", [b'{"schema": 2, "seen": [{"address": "a"}]}', b'{"schema": 2, "other": 1}']
)
def test_a_file_of_a_newer_console_is_left_to_it(
    newer: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "machines.json"
    path.write_bytes(newer)
    known = KnownMachines(path)

    assert () == known.at("a")
    known.learn("a", NAS1, 1.0)
    known.learn("b", NAS1, 1.0)

    assert newer == path.read_bytes()
    assert (1, 1) == (len(known.at("a")), len(known.at("b")))
    assert "was written by a newer zconsole: its schema is 2, and this one knows 1" in caplog.text


def test_a_state_folder_that_cannot_be_written_is_as_long_as_the_console(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file is in the way")
    known = KnownMachines(tmp_path / "state" / "machines.json")

    known.learn("a", NAS1, 1.0)

    assert 1 == len(known.at("a"))
