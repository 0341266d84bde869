"""The report of pools, of one host or several."""

from __future__ import annotations

import json

import pytest

from tests.cli.fakes import Screen, nas, reach
from tests.doubles.scripted_host import failed
from tests.reports.schema import STATUS, mismatch
from zconsole.base.errors import HostUnreachable
from zconsole.base.size_units import SizeUnits, use_size_units
from zconsole.base.user_config_file import config_folder
from zconsole.cli import run


def test_status_is_of_this_host_unless_told_otherwise(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("healthy-mirrors", "local"))

    code = run(["status"])

    out, err = capsys.readouterr()
    assert (0, "") == (code, err)
    assert out.startswith("local: OpenZFS 2.4.4-1")
    assert "Pool tank is ONLINE" in out


def test_status_is_in_the_chosen_units_and_json_in_bytes_and_the_same_sentences(
    mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, local=nas("disk-faulted", "local"))
    folder = config_folder()
    folder.mkdir(parents=True, exist_ok=True)
    said = {}
    for units in SizeUnits:
        (folder / "config.toml").write_text(f'units = "{units}"\n')
        for arguments in (["status"], ["status", "--json"]):
            run(arguments)
            said[units, len(arguments)] = capsys.readouterr().out
    use_size_units(SizeUnits.BINARY)

    assert "MiB" in said[SizeUnits.BINARY, 1]
    assert " MB" in said[SizeUnits.DECIMAL, 1]
    assert "iB" not in said[SizeUnits.DECIMAL, 1]
    assert json.loads(said[SizeUnits.BINARY, 2])["pools"] == json.loads(said[SizeUnits.DECIMAL, 2])["pools"]


def test_status_in_json_is_one_documented_object_a_host(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, a=nas("healthy-mirrors", "a"), b=nas("disk-faulted", "b"))

    code = run(["status", "--jsonl", "--host", "a", "--host", "b"])

    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert 0 == code
    assert ["a", "b"] == [document["host"] for document in documents]
    assert ["", ""] == [mismatch(document, STATUS) for document in documents]
    assert {None} == {document["importable"] for document in documents}


def test_status_of_several_hosts_is_one_document_and_of_one_its_object(
    mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, a=nas("healthy-mirrors", "a"), b=nas("disk-faulted", "b"))

    assert 0 == run(["status", "--json", "--host", "a", "--host", "b"])
    assert ["a", "b"] == [each["host"] for each in json.loads(capsys.readouterr().out)["hosts"]]

    assert 0 == run(["status", "--json", "--host", "b"])
    assert "b" == json.loads(capsys.readouterr().out)["host"]


def test_status_says_that_the_status_of_no_pool_could_be_read(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    """Facts about nothing are no success: 3, and a sentence that names the host, the pool and why."""
    host = nas("healthy-mirrors", "local")
    host.answers["zpool status"] = host.answers["zpool status -j"] = b'{"pools": {"tank": Infinity}}\n'
    reach(mp, local=host, other=nas("healthy-mirrors", "other"))

    code = run(["status", "--host", "local", "--host", "other"])

    out, err = capsys.readouterr()
    assert 3 == code
    assert "Pool tank is ONLINE" in out
    assert "the status of no pool of local could be read: tank: zpool status" in err


def test_importable_pools_are_looked_for_only_when_asked(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.answers["zpool import"] = failed("zpool import", 1, b"no pools available to import\n")
    reach(mp, local=host)

    run(["status", "--json"])
    run(["status", "--json", "--importable"])

    without, looked = (json.loads(line)["importable"] for line in capsys.readouterr().out.splitlines())
    assert (None, []) == (without, looked)


def test_a_name_from_the_config_leads_to_its_address(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "config.toml").write_text('[hosts.big]\naddress = "nas9"\n')
    reach(mp, nas9=nas("healthy-mirrors", "nas9"))

    assert 0 == run(["status", "--host", "big"])
    assert capsys.readouterr().out.startswith("nas9:")


def test_hostile_words_of_a_host_are_spelled_out(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.connect_errors = [HostUnreachable("go\x1b]0;pwned\x07 away\r\n", hint="\x1b[2J")]
    reach(mp, local=host)

    run(["status"])

    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert "^[]0;pwned^G" in err
    assert "^[[2J" in err


def test_of_one_pool_nothing_is_told_of_others(capsys: Screen) -> None:
    assert 0 == run(["status", "--demo", "vault"])
    out = capsys.readouterr().out
    assert "1 pool; 1 critical" in out
    assert "Pool vault is DEGRADED" in out
    assert "tank" not in out
    assert 0 == run(["status", "--demo", "vault", "--json"])
    assert ["vault"] == [each["name"] for each in json.loads(capsys.readouterr().out)["pools"]]


def test_a_pool_that_is_not_there_leads_to_those_that_are_and_to_hosts(capsys: Screen) -> None:
    assert 3 == run(["status", "--demo", "nas7"])

    err = capsys.readouterr().err
    assert "there is no pool nas7 on practice" in err
    assert "Pools there: bulk, tank, vault. A host is named by --host." in err
