"""`zconsole guests`: of the practice host, and of hosts without libvirt or with one that does not answer."""

from __future__ import annotations

import json

import pytest

from tests.cli.fakes import nas, reach
from tests.doubles.scripted_host import failed
from tests.reports.schema import GUESTS, mismatch
from zconsole.cli import run

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


def test_in_words_the_table_comes_first_and_then_each_disk(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    assert 0 == run(["guests", "--demo"])

    lines = capsys.readouterr().out.split("\n")
    assert "practice · 26 guests · 24 running · 2 shut off" == lines[0]
    assert lines[2].startswith("db01")
    assert 80 >= max(map(len, lines[:28]))
    assert any("/tank/vm/images/debian-13.qcow2" in each for each in lines[28:])


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
