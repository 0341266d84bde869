"""`zconsole guests`: of the practice host, and of hosts without libvirt or with one that does not answer."""

from __future__ import annotations

import json

import pytest

from tests.cli.fakes import nas, reach
from tests.doubles.scripted_host import failed
from tests.reports.schema import GUESTS, mismatch
from zconsole.cli import run
from zconsole.practice import PracticeHost

Screen = pytest.CaptureFixture[str]


def test_the_practice_host_tells_its_guests_and_what_they_are_on(capsys: Screen) -> None:
    assert 0 == run(["guests", "--demo", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, GUESTS)
    found = {each["name"]: each for each in document["guests"]}
    assert 26 == len(found)
    assert [("tank/vm/db01", True)] == [
        (image["on"], image["is_volume"]) for image in found["db01"]["disks"][0]["images"]
    ]
    assert ["tank/vm/images"] * 2 == [image["on"] for image in found["mail01"]["disks"][0]["images"]]


def test_in_words_each_guest_is_a_line_and_each_disk_is_told_on_demand(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    assert 0 == run(["guests", "--demo"])

    lines = capsys.readouterr().out.split("\n")
    assert "practice · 26 guests · 4 containers · 28 running · 2 shut off" == lines[0]
    assert ["GUEST", "STATE", "KIND", "DISKS", "ON", "SIZE", "USED"] == lines[1].split(), (
        "nothing was measured"
    )
    assert any(each.startswith("db01") for each in lines[2:])
    assert 80 >= max(map(len, lines))
    assert 2 + 30 + 3 == len(lines), "one line a guest, two remarks, and the end"

    assert 0 == run(["guests", "--demo", "--long"])

    longer = capsys.readouterr().out.split("\n")
    assert lines[:32] == longer[:32]
    assert any("/tank/vm/images/debian-13.qcow2" in each for each in longer[32:])


@pytest.mark.parametrize("word", ["mail01", "its uuid"])
def test_one_guest_has_its_page_by_name_or_uuid(
    word: str, capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    if word != "mail01":
        assert 0 == run(["guests", "--demo", "--json", "mail01"])
        (found,) = json.loads(capsys.readouterr().out)["guests"]
        word = found["uuid"]

    assert 0 == run(["guests", "--demo", word])

    lines = capsys.readouterr().out.split("\n")
    assert "practice · mail01 · running" == lines[0]
    assert ["What is wrong", "Pools", "Disks", "On ZFS", "Guest", "I/O since the guest started"] == [
        each
        for each in lines
        if each in {"What is wrong", "Pools", "Guest", "Disks", "On ZFS"} or each.startswith("I/O ")
    ]
    assert 80 >= max(map(len, lines))


def test_a_container_is_one_of_the_names(capsys: Screen) -> None:
    assert 0 == run(["guests", "--demo", "--json", "gitlab"])

    document = json.loads(capsys.readouterr().out)
    assert ([], ["gitlab"]) == (document["guests"], [each["name"] for each in document["containers"]])


def test_an_unknown_guest_is_an_error_that_names_some(capsys: Screen) -> None:
    assert 3 == run(["guests", "--demo", "--json", "nosuch"])

    out, err = capsys.readouterr()
    assert "there is no guest nosuch on practice" == json.loads(out)["error"]
    assert "zconsole: there is no guest nosuch on practice" in err
    assert "db01" in err


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failed("virsh", 127, b"virsh: not found"), "there is no virsh on this host"),
        (failed("virsh", 1, b"error: failed to connect to the hypervisor"), "failed to connect"),
        (b"rubbish\n", "virsh domstats, line 1"),
    ],
)
def test_a_host_whose_guests_cannot_be_read_is_named_with_the_reason(
    answer: object, words: str, capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = nas("healthy-mirrors")
    host.answers["virsh"] = answer
    host.answers["id"] = b"uid=0(root) gid=0(root)\n"
    reach(monkeypatch, local=host)

    assert 3 == run(["guests"])
    assert words in capsys.readouterr().err


def test_a_guest_is_told_also_while_the_pools_hang(capsys: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    host = PracticeHost("nas1")
    host.faults.hanging = {("zpool",), ("zfs",)}
    reach(monkeypatch, nas1=host)

    assert 3 == run(["guests", "mail01", "--host", "nas1", "--timeout", "8s"])

    out, err = capsys.readouterr()
    assert out.startswith("nas1 · mail01 · running\n")
    assert "vda  qcow2" in out
    assert "containers were not found" in err
    assert "zfs" in err or "did not answer" in err


def test_containers_are_listed_also_where_libvirt_has_ended(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = PracticeHost("nas1")
    host.faults.hanging = {("virsh",)}
    reach(monkeypatch, nas1=host)

    assert 3 == run(["guests", "--host", "nas1", "--timeout", "8s"])

    out, err = capsys.readouterr()
    assert out.startswith("nas1 · 4 containers")
    assert "virsh" in err
