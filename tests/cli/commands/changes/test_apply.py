"""A saved plan is carried out once it is confirmed, on its machine, within its time."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.acting import (
    Zconsole,
    first_mirror,
    name_of,
    state_of,
)
from tests.reports.schema import RUN, mismatch
from zconsole.base.clock import ManualClock
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.practice import PracticeHost
from zconsole.practice.program_and_subcommand_table import answer


def test_a_saved_plan_is_carried_out_once_it_is_confirmed(
    zconsole: Zconsole, nas: PracticeHost, disk: str, tmp_path: Path
) -> None:
    file = tmp_path / "plan.json"

    planned = zconsole("plan", "offline", "tank", disk, "--host", "nas", "-o", str(file))
    unconfirmed = zconsole("apply", str(file))
    before = state_of(nas)
    applied = zconsole("apply", str(file), "--confirm", f"nas:{disk}")

    assert 0 == planned[0]
    assert planned[1].rstrip().endswith(f"zconsole apply {file} --confirm nas:{disk}")
    assert 3 == unconfirmed[0]
    assert f"It wants --confirm 'nas:{disk}'." in unconfirmed[2]
    assert "ONLINE" == before
    assert 0 == applied[0]
    assert "RUNS      zpool offline tank " in applied[1]
    assert applied[1].splitlines()[1].endswith(": DONE")
    assert "OFFLINE" == state_of(nas)


def test_a_plan_whose_object_is_gone_is_stale(zconsole: Zconsole, nas: PracticeHost, tmp_path: Path) -> None:
    file = str(tmp_path / "plan.json")
    answer(nas.world, ("zfs", "create", "tank/gone"))
    _, planned, _ = zconsole("plan", "set", "tank/gone", "atime=off", "--host", "nas", "-o", file)
    answer(nas.world, ("zfs", "destroy", "tank/gone"))

    code, out, err = zconsole("apply", file, "--confirm", "tank/gone")

    assert "atime=off tank/gone" in planned
    assert (3, "") == (code, out)
    assert "nas has changed since the plan was made; nothing was run: there is no dataset 'tank/gone'" in err


def test_a_routine_plan_needs_no_confirmation(zconsole: Zconsole, nas: PracticeHost, tmp_path: Path) -> None:
    file = str(tmp_path / "plan.json")
    zconsole("plan", "scrub", "tank", "--host", "nas", "-o", file)

    code, out, _ = zconsole("apply", file, "--json")

    assert 0 == code
    assert "" == mismatch(json.loads(out), RUN)
    assert "done" == json.loads(out)["state"]


@pytest.mark.usefixtures("nas")
def test_on_a_terminal_progress_is_shown_beside_the_same_end(
    zconsole: Zconsole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Into a file or pipe nothing of it is written."""
    file = str(tmp_path / "plan.json")
    zconsole("plan", "set", "tank", "comment=x", "--host", "nas", "-o", file)
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")

    with monkeypatch.context() as seen:
        seen.setattr(sys, "stderr", terminal)
        code, out, _ = zconsole("apply", file, "--confirm", "tank")
    zconsole("plan", "set", "tank", "comment=y", "--host", "nas", "-o", file)
    quiet = zconsole("apply", file, "--confirm", "tank")

    shown = terminal.getvalue()
    assert "nas: reading the host again" in shown
    assert "nas: running for 0s: zpool set comment=x tank" in shown
    assert shown.endswith("\r\x1b[K")
    assert (0, 0, "") == (code, quiet[0], quiet[2])
    assert out.splitlines()[:2] == quiet[1].replace("comment=y", "comment=x").splitlines()[:2]


@pytest.mark.parametrize("typed", ["nas:tank", "tank", "storage2:{disk}", "nas:{disk} ", "y"])
def test_another_confirmation_runs_nothing(
    zconsole: Zconsole, nas: PracticeHost, disk: str, tmp_path: Path, typed: str
) -> None:
    file = str(tmp_path / "plan.json")
    zconsole("plan", "offline", "tank", disk, "--host", "nas", "-o", file)

    code, _, err = zconsole("apply", file, "--confirm", typed.format(disk=disk))

    assert 3 == code
    assert "does not confirm it" in err
    assert "ONLINE" == state_of(nas)


def test_a_stale_plan_names_what_changed(
    zconsole: Zconsole, nas: PracticeHost, disk: str, tmp_path: Path
) -> None:
    file = str(tmp_path / "plan.json")
    zconsole("plan", "offline", "tank", disk, "--host", "nas", "-o", file)
    sibling = first_mirror(nas)[1]
    other = str(tmp_path / "other.json")
    zconsole("plan", "offline", "tank", str(sibling.guid), "--host", "nas", "-o", other)
    zconsole("apply", other, "--confirm", f"nas:{name_of(sibling)}")

    code, _, err = zconsole("apply", file, "--confirm", f"nas:{disk}")

    assert 3 == code
    assert f"state of mirror-0/{name_of(sibling)} was ONLINE, is OFFLINE" in err
    assert "nothing was run" in err
    assert "ONLINE" == state_of(nas)


@pytest.mark.usefixtures("nas")
@pytest.mark.parametrize(("later_s", "expected"), [(899, 0), (901, 3)])
def test_a_saved_plan_holds_for_a_quarter_of_an_hour(
    zconsole: Zconsole, clock: ManualClock, tmp_path: Path, later_s: int, expected: int
) -> None:
    file = str(tmp_path / "plan.json")
    zconsole("plan", "set", "tank", "comment=x", "--host", "nas", "-o", file)
    clock.advance(later_s)

    code, _, err = zconsole("apply", file, "--confirm", "tank")

    assert expected == code, err
    assert (expected == 3) == ("expires after 900 s" in err)


def test_a_plan_of_another_host_is_not_run_here(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path
) -> None:
    file = tmp_path / "plan.json"
    zconsole("plan", "scrub", "tank", "--host", "nas", "-o", str(file))
    file.write_text(file.read_text().replace('"host": "nas"', '"host": "storage2"'))
    nas.world.machine_id = "9" * 32

    code, _, err = zconsole("apply", str(file), "--host", "nas")

    assert 3 == code
    assert "made for storage2, not for nas: its machine-id is another" in err


def test_a_plan_that_tells_of_no_machine_is_run_by_no_other_name(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path
) -> None:
    nas.world.machine_id = ""
    file = tmp_path / "plan.json"
    zconsole("plan", "scrub", "tank", "--host", "nas", "-o", str(file))
    file.write_text(file.read_text().replace('"host": "nas"', '"host": "storage2"'))

    code, _, err = zconsole("apply", str(file), "--host", "nas")

    assert 3 == code
    assert "nothing tells that it is the same machine" in err


def test_a_plan_is_carried_out_on_its_machine_by_another_name_with_what_was_confirmed_for_it(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path
) -> None:
    zconsole("apply", _saved(zconsole, tmp_path, "snapshot", "tank@x"), "--host", "nas")
    file = Path(_saved(zconsole, tmp_path, "destroy", "tank@x"))
    file.write_text(file.read_text().replace('"host": "nas"', '"host": "storage2"').replace(
        '"confirm": "nas:', '"confirm": "storage2:'))  # fmt: skip

    wrong, _, err = zconsole("apply", str(file), "--host", "nas", "--confirm", "nas:tank@x")
    code, out, _ = zconsole("apply", str(file), "--host", "nas", "--confirm", "storage2:tank@x")

    assert (3, 0) == (wrong, code), (err, out)
    assert "does not confirm it" in err


def _saved(zconsole: Zconsole, tmp_path: Path, *words: str) -> str:
    """A plan for nas in a file."""
    file = tmp_path / f"{words[0]}.json"
    zconsole("plan", *words, "--host", "nas", "-o", str(file))
    return str(file)


def test_a_refused_plan_is_not_applied(zconsole: Zconsole, nas: PracticeHost, tmp_path: Path) -> None:
    file = str(tmp_path / "plan.json")
    zconsole("plan", "scrub", "tank", "--stop", "--host", "nas", "-o", file)

    code, _, err = zconsole("apply", file)

    assert 3 == code
    assert "there is no scrub of tank to stop" in err


@pytest.mark.parametrize("content", ["", "{}", "not a plan", "\x1b[2J"])
def test_a_file_that_is_no_plan_is_a_sentence(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "plan.json"
    file.write_text(content)

    code, out, err = zconsole("apply", str(file))

    assert (3, "") == (code, out)
    assert err.startswith("zconsole: this is not a plan of zconsole: ")
    assert "\x1b" not in err


@pytest.mark.parametrize("what", ["fifo", "folder", "/dev/zero", "link-to-fifo", "\0"])
def test_a_plan_that_is_no_file_is_a_sentence_and_never_waited_for(
    zconsole: Zconsole, tmp_path: Path, what: str
) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link-to-fifo").symlink_to("fifo")

    status, _, said = zconsole("apply", str(tmp_path / what))

    assert 3 == status
    assert "cannot be read" in said
    assert "zconsole plan" in said


def test_a_plan_is_saved_for_its_owner_alone_and_never_through_a_link(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path
) -> None:
    file, kept = tmp_path / "plan.json", tmp_path / "kept"
    file.write_text("old")
    file.chmod(0o666)
    kept.write_text("precious")
    (tmp_path / "link").symlink_to(kept)

    assert 0 == zconsole("plan", "scrub", "tank", "--host", "nas", "-o", str(file))[0]
    status, _, said = zconsole("plan", "scrub", "tank", "--host", "nas", "-o", str(tmp_path / "link"))

    assert 0o600 == file.stat().st_mode & 0o777
    assert (3, "precious") == (status, kept.read_text())
    assert "a symbolic link, not a regular file" in said


def test_a_file_that_is_not_there_is_a_sentence(zconsole: Zconsole, tmp_path: Path) -> None:
    code, _, err = zconsole("apply", str(tmp_path / "nosuch"))

    assert 3 == code
    assert "the plan cannot be read" in err


def test_what_zfs_refuses_ends_with_1_in_its_own_words(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "plan.json")
    zconsole("plan", "set", "tank", "comment=x", "--host", "nas", "-o", file)
    plain = nas.run

    async def refusing(command: Command) -> Completed:
        if command.argv[:2] == ("zpool", "set"):
            return Completed(command, Outcome.FAILED, 1, b"", b"cannot set property: out of luck\n")
        return await plain(command)

    monkeypatch.setattr(nas, "run", refusing)

    code, out, _ = zconsole("apply", file, "--confirm", "tank")

    assert 1 == code
    assert "cannot set property: out of luck" in out
