"""Plans are kept in a file that is never lost, and exported to files that were not there."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zconsole.analysis.capacity.planner_inputs import USUAL
from zconsole.analysis.capacity.scenario import Scenario
from zconsole.storage.capacity_scenarios import (
    MOST,
    NotWritten,
    ScenarioStore,
    ScenariosUnread,
    scenarios_path,
    write_new,
)


@pytest.fixture
def store(tmp_path: Path) -> ScenarioStore:
    return ScenarioStore(tmp_path / "state" / "scenarios.json")


def plan(name: str, **texts: str) -> Scenario:
    return Scenario(name, "nas1", "tank", 1_795_000_000.0, {**USUAL, **texts})


def test_nothing_is_kept_at_first() -> None:
    assert () == ScenarioStore().all()
    assert "scenarios.json" == scenarios_path().name


def test_what_is_kept_is_there_again(store: ScenarioStore) -> None:
    first, second = plan("five bays"), plan("ŧwo", drive="16TB", changes="add mirror:2")

    store.keep(first)
    assert (first, second) == store.keep(second)

    assert (first, second) == ScenarioStore(store.path).all()
    changed = plan("five bays", bays="6")
    assert (second, changed) == store.keep(changed)
    assert (changed,) == store.drop("ŧwo")
    assert (changed,) == store.drop("nobody")
    assert 0 == store.path.parent.stat().st_mode & 0o077
    assert ["scenarios.json", "scenarios.json.lock"] == sorted(p.name for p in store.path.parent.iterdir())


def test_many_consoles_lose_nothing(store: ScenarioStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: ScenarioStore(store.path).keep(plan(f"plan {number}")), range(40)))

    assert {f"plan {number}" for number in range(40)} == {each.name for each in store.all()}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"schema": 1}',
        b'{"schema": 1, "scenarios": [{"name": "x"}]}',
        b'{"schema": 1, "scenarios": [{"name": 1, "host": "", "pool": "", "at": 1, "inputs": {}}]}',
        b'{"schema": 1, "scenarios": [{"name": "a", "host": "", "pool": "", "at": 1, "inputs": {"a": 3}}]}',
        b'{"schema": 2, "scenarios": []}',
        b"\xff\xfe",
    ],
)
def test_a_broken_file_is_named_and_left_as_it_is(store: ScenarioStore, content: bytes) -> None:
    store.path.parent.mkdir(parents=True)
    store.path.write_bytes(content)

    for call in (store.all, lambda: store.keep(plan("x")), lambda: store.drop("x")):
        with pytest.raises(ScenariosUnread, match=r"scenarios\.json"):
            call()

    assert content == store.path.read_bytes()


def test_a_file_cut_at_any_byte_is_whole_or_named(store: ScenarioStore) -> None:
    store.keep(plan("x"))
    whole = store.path.read_bytes()

    for end in range(len(whole) - 2):
        store.path.write_bytes(whole[:end])
        with pytest.raises(ScenariosUnread):
            store.all()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ScenariosUnread, match="cannot be written"):
        ScenarioStore(tmp_path / "file" / "scenarios.json").keep(plan("x"))


def test_there_is_a_most_of_them(store: ScenarioStore) -> None:
    store.keep(plan("x"))
    document = json.loads(store.path.read_text())
    document["scenarios"] = [{**document["scenarios"][0], "name": str(number)} for number in range(MOST)]
    store.path.write_text(json.dumps(document))

    with pytest.raises(ScenariosUnread, match="are saved already"):
        store.keep(plan("one more"))
    store.keep(plan("7"))


def test_nothing_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"

    assert path == write_new(path, "# ŧ\n")
    with pytest.raises(NotWritten, match="is there already"):
        write_new(path, "other")
    with pytest.raises(NotWritten, match="cannot be written"):
        write_new(tmp_path / "none" / "plan.md", "x")
    assert "# ŧ\n" == path.read_text("utf-8")


def test_what_could_not_be_written_whole_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(NotWritten, match="No space left"):
        write_new(tmp_path / "plan.md", "x")
    assert [] == list(tmp_path.glob("plan*"))
    with pytest.raises(ScenariosUnread, match="No space left"):
        ScenarioStore(tmp_path / "scenarios.json").keep(plan("x"))
    assert ["scenarios.json.lock"] == [each.name for each in tmp_path.glob("scenarios*")]
