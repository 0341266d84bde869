"""What users reported of a machine with several names, of runs that were killed, and of what is protected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.acting import BEGAN, LAYOUT, Zconsole, configure, zconsole
from tests.doubles.faulty_host import DrivenClock
from zconsole.base.clock import ManualClock
from zconsole.cli import open_and_ask_named_hosts
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.practice import PracticeHost, World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.service import prepare_execute_and_recover_plans as operator_module

__all__ = ["zconsole"]  # a fixture
NAMES = ("storage", "ssh://root@nas1:2222", "root@10.0.0.1")
DEAD = "another boot:1:1"


class Killed(BaseException):
    """The program ends here."""


@pytest.fixture
def world() -> World:
    made = create_world(LAYOUT)
    answer(made, ["zfs", "create", "tank/rb"])
    return made


@pytest.fixture(autouse=True)
def _opened(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name leads to the one machine that there is."""
    clock = ManualClock(BEGAN)

    def open_host(text: str, **_: object) -> PracticeHost:
        return PracticeHost(text, clock, world=world)

    monkeypatch.setattr("zconsole.hosts.open_host_or_recording.open_host", open_host)
    monkeypatch.setattr(open_and_ask_named_hosts, "SystemClock", lambda: DrivenClock(clock))


def refusals(zconsole: Zconsole, *words: str) -> set[str]:
    code, out, _ = zconsole("plan", *words, "--json")
    found = {each["rule"] for each in json.loads(out)["refusals"]}
    assert bool(found) is (code == 3)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("setting", "words", "rule"),
    [
        ("read_only = true", ("scrub", "tank"), "read-only"),
        ("production = true", ("scrub", "tank"), "read-only"),
        ('protected = ["tank/rb"]', ("destroy", "tank/rb"), "protected"),
    ],
)
def test_what_the_configuration_says_of_a_machine_holds_by_any_name_that_leads_there(
    zconsole: Zconsole, name: str, setting: str, words: tuple[str, ...], rule: str
) -> None:
    """Reported: under another alias, with a port, and by its address the machine was open."""
    configure(f"[hosts.nas1]\n{setting}\n")

    assert {rule} <= refusals(zconsole, *words, "--host", "nas1")
    assert {rule} <= refusals(zconsole, *words, "--host", name)


def applied_and_killed(zconsole: Zconsole, tmp_path: Path) -> None:
    """`apply` of `comment=one` to nas1 is killed when its command has run."""
    file = str(tmp_path / "killed.json")
    assert 0 == zconsole("plan", "set", "tank", "comment=one", "--host", "nas1", "-o", file)[0]
    run = PracticeHost.run

    async def die(self: PracticeHost, command: Command) -> Completed:
        completed = await run(self, command)
        if command.effect is Effect.CHANGE:
            raise Killed
        return completed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PracticeHost, "run", die)
        patch.setattr(operator_module, "console_id", lambda: DEAD)
        with pytest.raises(Killed):
            zconsole("apply", file, "--confirm", "tank")


@pytest.mark.parametrize("name", NAMES)
def test_a_run_that_was_killed_is_settled_by_any_name_of_its_machine(
    zconsole: Zconsole, tmp_path: Path, name: str
) -> None:
    """Reported: it stayed as it was until somebody came by the old name."""
    applied_and_killed(zconsole, tmp_path)
    file = str(tmp_path / "next.json")

    assert 0 == zconsole("plan", "scrub", "tank", "--host", name, "-o", file)[0]
    assert 0 == zconsole("apply", file)[0]

    told = [json.loads(line) for line in zconsole("journal", "--jsonl")[1].splitlines()]
    assert [("set", "done"), ("scrub", "done")] == [(each["action"], each["state"]) for each in told]


def test_after_one_that_was_killed_apply_tells_its_own_commands(zconsole: Zconsole, tmp_path: Path) -> None:
    """Reported: the command of the killed one, and nothing of what was run now."""
    applied_and_killed(zconsole, tmp_path)
    file = str(tmp_path / "next.json")
    assert 0 == zconsole("plan", "set", "tank", "autotrim=on", "--host", "nas1", "-o", file)[0]

    code, out, _ = zconsole("apply", file, "--confirm", "tank")

    lines = out.splitlines()
    assert 0 == code
    assert ["RUNS      zpool set autotrim=on tank"] == [each for each in lines if each.startswith("RUNS")]
    assert lines[0].startswith("Left by a run of ")
    assert lines[3].startswith("DONE      zpool set comment=one tank")


def test_a_rename_takes_nothing_out_of_the_pattern_that_protects_it(zconsole: Zconsole) -> None:
    """Reported: renamed first, it could be destroyed."""
    configure('[hosts.nas1]\nprotected = ["tank/rb*"]\n')

    assert {"protected"} == refusals(zconsole, "rename", "tank/rb", "tank/free", "--host", "nas1")


@pytest.mark.parametrize(
    "words", [("create", "tank/etc", "mountpoint=/etc"), ("set", "tank/rb", "mountpoint=/")]
)
def test_nothing_is_mounted_over_the_running_system(zconsole: Zconsole, words: tuple[str, ...]) -> None:
    """Reported: the first was routine, with `LOST nothing`; the second a caution, without a word of it."""
    code, out, _ = zconsole("plan", *words, "--host", "nas1")

    assert 3 == code
    assert "mountpoint" in out
