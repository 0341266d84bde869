"""`zconsole tree`: of the practice host, of a recording, of a captured host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.fakes import nas, reach
from tests.conftest import CAPTURES
from tests.doubles.scripted_host import Answer, failed
from tests.reports.schema import TREE, mismatch
from zconsole.cli import run
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_tree import Tree
from zconsole.reports.json.dataset_tree import tree_document
from zconsole.views.datasets.dataset_tree_document import tree_lines
from zconsole.views.layout.styled_text import plain

Screen = pytest.CaptureFixture[str]
SYSTEMS = "zfs list -Hp -t filesystem,volume,bookmark"
SNAPSHOTS = "zfs list -Hp -t snapshot -o name,type"
IMAGES = "tank/images"


@pytest.fixture
def captured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A host with an image and its clones, as a real one listed them; returns the commands that it saw."""
    host = nas("healthy-mirrors")
    rows = (CAPTURES / "2.4" / "healthy-mirrors" / "zfs_list_all.tsv").read_bytes().splitlines(keepends=True)
    host.answers[SYSTEMS] = b"".join(row for row in rows if b"@" not in row.split(b"\t")[0])
    find = host._find

    def answer(line: str) -> Answer:
        if not line.startswith(SNAPSHOTS):
            return find(line)
        names = {name.encode() for name in line.partition(" -- ")[2].split()}
        return b"".join(row for row in rows if row.partition(b"@")[0] in names)

    monkeypatch.setattr(host, "_find", answer)
    host.answers["zfs get"] = failed("zfs get", 1, b"no")
    reach(monkeypatch, local=host)
    return host.commands


def documents(screen: Screen) -> list[dict[str, object]]:
    return [json.loads(line) for line in screen.readouterr().out.splitlines()]


def test_the_practice_host_has_a_tree_of_the_documented_shape(capsys: Screen) -> None:
    assert 0 == run(["tree", "--demo", "--json"])

    (document,) = documents(capsys)
    assert "" == mismatch(document, TREE)
    datasets = document["datasets"]
    assert isinstance(datasets, list)
    assert any(each["pins"] and each["shared_with_origin_bytes"] for each in datasets)


def test_the_guests_of_a_dataset_stand_below_it(capsys: Screen) -> None:
    assert 0 == run(["tree", "--demo", "tank/vm"])
    lines = capsys.readouterr().out.split("\n")
    assert 0 == run(["tree", "--demo", "--json", "tank/vm"])
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)["datasets"]}

    at = next(number for number, each in enumerate(lines) if each.startswith("volume tank/vm/db01 "))
    assert "  guests: db01 (vda)" == lines[at + 1]
    assert ["db01"] == [each["name"] for each in found["tank/vm/db01"]["guests"]]
    assert 26 == found["tank/vm"]["guests_with_children"]


def test_a_host_whose_libvirt_does_not_answer_has_its_tree_nevertheless(
    captured: list[str], capsys: Screen
) -> None:
    assert 0 == run(["tree", "--json"])

    (document,) = documents(capsys)
    datasets = document["datasets"]
    assert isinstance(datasets, list)
    assert {None} == {each["guests"] for each in datasets}
    assert any(each.startswith("virsh ") for each in captured)


def test_clones_are_told_on_both_sides(captured: list[str], capsys: Screen) -> None:
    assert 0 == run(["tree", "--json"])

    (document,) = documents(capsys)
    assert "" == mismatch(document, TREE)
    datasets = {each["name"]: each for each in document["datasets"]}  # type: ignore[attr-defined]
    gold = next(each for each in datasets[IMAGES]["snapshots"] if each["name"] == f"{IMAGES}@gold")
    assert ["tank/vm1", "tank/vm2", "tank/vm3"] == gold["clones"]
    assert [f"{IMAGES}@gold", "tank/vm1@patched"] == datasets["tank/vm1-test"]["pins"]
    test = datasets["tank/vm1-test"]
    assert test["referenced_bytes"] - test["used_by"]["dataset"] == test["shared_with_origin_bytes"]
    assert [] == datasets["tank"]["pins"]
    assert datasets["tank"]["shared_with_origin_bytes"] is None
    asked = [line for line in captured if line.startswith("zfs get")]
    assert f"written@{IMAGES}@gold tank/vm1 tank/vm2 tank/vm3" in "\n".join(asked)


def test_in_words_it_says_what_is_shared_and_pinned(captured: list[str], capsys: Screen) -> None:
    assert 0 == run(["tree", "tank/vm1"])

    out = capsys.readouterr().out
    assert out.startswith("local: 1 dataset, 1 snapshot, 1 clone.\n")
    assert "  clone of tank/images@gold · " in out
    assert "it has a clone: tank/vm1-test" in out
    assert "tank/images  " not in out


def test_of_a_part_the_snapshots_of_the_rest_are_not_listed(captured: list[str], capsys: Screen) -> None:
    """In words it takes those of what the part has something in common with."""
    assert 0 == run(["tree", "tank/vm1", "--json"])
    alone = [line for line in captured if line.startswith(SNAPSHOTS)]
    captured.clear()
    assert 0 == run(["tree", "tank/vm1"])
    kin = [line for line in captured if line.startswith(SNAPSHOTS)]
    captured.clear()
    assert 0 == run(["tree", "--json"])
    capsys.readouterr()

    assert ["tank/vm1"] == [name for line in alone for name in line.partition(" -- ")[2].split()]
    names = {"tank/images", "tank/vm1", "tank/vm1-test", "tank/vm2", "tank/vm3"}
    assert names == {name for line in kin for name in line.partition(" -- ")[2].split()}


def test_all_snapshots_are_told_when_they_are_asked_for(captured: list[str], capsys: Screen) -> None:
    assert 0 == run(["tree", "tank/home/ann"])
    few = capsys.readouterr().out
    assert 0 == run(["tree", "tank/home/ann", "--snapshots"])
    every = capsys.readouterr().out

    assert (1, 2) == (few.count("\n  @"), every.count("\n  @"))
    assert "1 hold" in few


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tree", "nosuch"], 3, "there is no pool nosuch"),
        (["tree", "tank/nosuch"], 3, "there is no dataset tank/nosuch"),
        (["tree", "tank/images@gold"], 2, "not the name of a file system or volume"),
    ],
)
def test_what_is_not_there_is_said(
    words: list[str], code: int, said: str, captured: list[str], capsys: Screen
) -> None:
    assert run(words) == code
    assert said in capsys.readouterr().err


def test_a_recording_has_the_tree(tmp_path: Path, capsys: Screen) -> None:
    folder = str(tmp_path / "kept")
    assert 0 == run(["record", "--demo", "--for", "1", folder])
    capsys.readouterr()

    assert 0 == run(["tree", "--replay", folder, "--json"])

    (document,) = documents(capsys)
    assert "" == mismatch(document, TREE)
    assert len(document["datasets"]) > 50  # type: ignore[arg-type]


def test_a_snapshot_that_was_taken_of_frozen_guests_says_so() -> None:
    every = (Dataset("tank", "filesystem", 1), Dataset("tank@a", "snapshot", createtxg=7))
    tree = Tree(("tank",), every, frozen={"tank@a": ("web01",)})

    def told(of: Tree) -> str:
        return "\n".join(map(plain, tree_lines(of, [], host="nas", now=0.0, with_snapshots=True)))

    (dataset,) = tree_document(tree)["datasets"]  # type: ignore[misc]
    assert [["web01"]] == [each["frozen_guests"] for each in dataset["snapshots"]]
    assert "taken with web01 frozen" in told(tree)
    assert "@a" in told(Tree(("tank",), every))
    assert "frozen" not in told(Tree(("tank",), every))
