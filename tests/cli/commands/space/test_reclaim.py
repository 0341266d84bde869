"""`zconsole reclaim`: on the practice host, with the documented shape and exit codes."""

from __future__ import annotations

import json

import pytest

from tests.reports.schema import RECLAIM, mismatch
from zconsole.analysis.replication.replicas_and_send_bases import Base
from zconsole.cli import run
from zconsole.practice import PracticeHost
from zconsole.storage.send_bases_of_known_replicas import remember_bases

Screen = pytest.CaptureFixture[str]
PROJECTS = ["reclaim", "bulk/projects", "--demo"]


def document(screen: Screen) -> dict[str, object]:
    found: dict[str, object] = json.loads(screen.readouterr().out)
    assert "" == mismatch(found, RECLAIM)
    return found


def test_the_oldest_that_free_it_are_proposed(capsys: Screen) -> None:
    assert 0 == run([*PROJECTS, "--need", "1G", "--json"])

    found = document(capsys)
    assert found["is_enough"]
    assert found["is_fewest"] is None
    frees, snapshots = found["frees"], found["snapshots"]
    assert isinstance(frees, dict)
    assert isinstance(snapshots, list)
    assert frees["is_exact"]
    assert frees["lower_bytes"] >= 1 << 30
    txgs = [each["createtxg"] for each in snapshots]
    assert sorted(txgs) == txgs
    assert "bulk/projects@audit-2025" not in {each["name"] for each in snapshots}
    assert {"name": "bulk/projects@audit-2025", "reason": "held", "detail": "held by auditor, legal"} in (
        found["kept"]  # type: ignore[operator]
    )


def test_the_fewest_are_surely_the_fewest(capsys: Screen) -> None:
    assert 0 == run([*PROJECTS, "--need", "1G", "--order", "oldest", "--json"])
    oldest = document(capsys)
    assert 0 == run([*PROJECTS, "--need", "1G", "--order", "fewest", "--json"])
    fewest = document(capsys)

    assert fewest["is_fewest"] is True
    assert len(fewest["snapshots"]) <= len(oldest["snapshots"])  # type: ignore[arg-type]


def test_without_an_amount_a_full_pool_is_brought_to_the_next_level(capsys: Screen) -> None:
    assert 0 == run(["reclaim", "tank", "--demo=full-pool", "--json"])
    found = document(capsys)
    assert 0 == run(["reclaim", "tank", "--demo=full-pool"])
    told = capsys.readouterr().out

    assert found["is_enough"]
    assert "\ntank is 100% used, of 7.12 TiB; freeing 365 GiB brings it to 95%.\n" in told
    assert "365" == f"{found['need_bytes'] / (1 << 30):.0f}"  # type: ignore[operator]


def test_without_an_amount_a_pool_with_space_is_an_error_of_usage(capsys: Screen) -> None:
    assert 2 == run(["reclaim", "tank", "--demo"])

    told = capsys.readouterr().err
    assert "how much is to be freed is not said: tank is 52% used, of 14.0 TiB" in told
    assert "--need SIZE" in told


def test_what_is_not_enough_says_so(capsys: Screen) -> None:
    assert 1 == run([*PROJECTS, "--need", "5T"])

    out = capsys.readouterr().out
    assert "Free 5.00 TiB in bulk/projects: NOT ENOUGH, all 68 snapshots that may be destroyed free " in out
    assert "Kept, held: bulk/projects@audit-2025 (held by auditor, legal)\n" in out
    assert "zconsole plan destroy bulk/projects@autosnap_" in out
    assert out.endswith(" --demo -o plan.json\n")


def test_what_a_copy_on_another_host_builds_on_stays(capsys: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `zconsole replicas` saw it; of the host that it is on, and for no imaginary one."""
    assert 0 == run([*PROJECTS, "--need", "1G", "--json"])
    first = document(capsys)["snapshots"][0]["name"]  # type: ignore[index]
    base = Base("practice", first, 1, "vault:b/p", "the next increment to vault:b/p starts from it")
    remember_bases([base], ["practice"], 1.0)
    kept = {"name": first, "reason": "replication", "detail": base.reason}

    assert 0 == run([*PROJECTS, "--need", "1G", "--json"])
    assert kept not in document(capsys)["kept"]  # type: ignore[operator]
    monkeypatch.setattr("zconsole.hosts.open_host_or_recording.open_host", lambda *_, **__: PracticeHost())
    assert 0 == run(["reclaim", "bulk/projects", "--host", "practice", "--need", "1G", "--json"])
    found = document(capsys)
    assert kept in found["kept"]  # type: ignore[operator]
    assert first not in {each["name"] for each in found["snapshots"]}  # type: ignore[attr-defined]


def test_nothing_to_free_proposes_nothing(capsys: Screen) -> None:
    assert 1 == run([*PROJECTS, "--need", "1G", "--keep", "bulk/*"])

    out = capsys.readouterr().out
    assert "no snapshot that may be destroyed frees anything" in out
    assert out.endswith("Nothing has been destroyed.\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--need", "0"], "--need: '0' is too small"),
        (["--need", "-5G"], "no amount is negative: -5G"),
        (["--need", "5X"], "'X' is not a unit of size in '5X'"),
        (["--need", "1G", "--keep-younger", "soon"], "is not a time"),
        (["--need", "1G", "--keep-newest", "x"], "--keep-newest: 'x' is not a whole number"),
        ([], "--need"),
    ],
)
def test_wrong_words_are_explained(words: list[str], said: str, capsys: Screen) -> None:
    assert 2 == run([*PROJECTS, *words])
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "size"),
    [("4096B", 4096), ("1.5k", 1536), ("500G", 500 << 30), ("1TiB", 1 << 40), ("2GB", 2 * 10**9)],
)
def test_a_letter_is_a_power_of_1024_and_gb_one_of_1000(text: str, size: int) -> None:
    from zconsole.cli.options import size as read  # noqa: PLC0415

    assert size == read(text)
