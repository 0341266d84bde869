"""plan, apply, journal and sudoers, from words to exit codes, on a practice host that stays between them."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.reports.schema import JOURNAL, PLAN, RUN, mismatch
from zconsole.base.clock import ManualClock
from zconsole.base.config import config_folder
from zconsole.base.errors import HostUnreachable, UsageError
from zconsole.cli import named_hosts, run
from zconsole.execution.execute import execute
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.hosts.ssh.options import SshOptions
from zconsole.model.host.plan_facts import Becoming, Privileges
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world.pools_and_vdevs import PracticeVdev

Screen = pytest.CaptureFixture[str]
Zconsole = Callable[..., tuple[int, str, str]]
LAYOUT = "mirror 0 1 mirror 2 3 log 4"
BEGAN = 1_795_232_471.0


@pytest.fixture
def clock() -> ManualClock:
    """Time stands still until a test lets it pass."""
    return ManualClock(BEGAN)


@pytest.fixture
def nas(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> PracticeHost:
    """The only host that there is."""
    host = PracticeHost("nas", clock, world=create_world(LAYOUT))

    def open_host(
        text: str, *, names: Mapping[str, str] | None = None, options: SshOptions | None = None
    ) -> PracticeHost:
        if (names or {}).get(text, text) not in {"nas", "local"}:
            raise UsageError(f"{text!r} is not a host of this test")
        return host

    monkeypatch.setattr("zconsole.hosts.open_host.open_host", open_host)
    monkeypatch.setattr(named_hosts, "SystemClock", lambda: clock)
    return host


@pytest.fixture
def zconsole(capsys: Screen) -> Zconsole:
    """Run a command line; its exit code, and what it printed."""

    def call(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def disk(nas: PracticeHost) -> str:
    """The name of a device of tank's first mirror."""
    return name_of(first_mirror(nas)[0])


def first_mirror(nas: PracticeHost) -> list[PracticeVdev]:
    """The devices of tank's first mirror."""
    return list(nas.world.pools["tank"].root.children[0].children)


def name_of(vdev: PracticeVdev) -> str:
    """How `zpool status` calls it."""
    return str(vdev.path).rpartition("/")[2].removesuffix("-part1")


def configure(text: str) -> None:
    """The user's configuration."""
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "config.toml").write_text(text)


def state_of(nas: PracticeHost) -> str:
    """The state of that device."""
    return first_mirror(nas)[0].state


def test_plan_prints_and_changes_nothing(zconsole: Zconsole, nas: PracticeHost, disk: str) -> None:
    code, out, err = zconsole("plan", "offline", "tank", disk, "--host", "nas")

    assert (0, "") == (code, err)
    assert out.startswith("nas")
    assert "RUNS      zpool offline tank " in out
    assert "ONLINE" == state_of(nas)


def test_plan_in_json_is_one_documented_object(zconsole: Zconsole, nas: PracticeHost, disk: str) -> None:
    code, out, _ = zconsole("plan", "--host", "nas", "offline", "tank", disk, "--json", "--temporary")

    document = json.loads(out)
    assert 0 == code
    assert "" == mismatch(document, PLAN)
    assert ("offline", "nas", disk) == (document["action"], document["host"], document["target"])
    assert {"temporary": True} == document["intent"]["options"]
    assert BEGAN == document["made_at"]


def test_a_refused_plan_ends_with_3(zconsole: Zconsole, nas: PracticeHost) -> None:
    code, out, _ = zconsole("plan", "scrub", "tank", "--stop", "--host", "nas", "--json")

    assert 3 == code
    assert ["no-scrub"] == [refusal["rule"] for refusal in json.loads(out)["refusals"]]


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
    assert (expected == 3) == ("holds for 900 s" in err)


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
    assert err.startswith("zconsole: this is no plan of zconsole's: ")
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


def test_a_production_host_is_unlocked_for_one_command(
    zconsole: Zconsole, nas: PracticeHost, tmp_path: Path
) -> None:
    configure("[hosts.nas]\nproduction = true\n")
    file = str(tmp_path / "plan.json")

    locked = zconsole("plan", "scrub", "tank", "--host", "nas", "--json")
    planned = zconsole("plan", "scrub", "tank", "--host", "nas", "--unlock", "-o", file)
    not_applied = zconsole("apply", file)
    applied = zconsole("apply", file, "--unlock")

    assert 3 == locked[0]
    assert "read-only" in [refusal["rule"] for refusal in json.loads(locked[1])["refusals"]]
    assert [0, 3, 0] == [planned[0], not_applied[0], applied[0]]


def test_a_read_only_host_is_not_unlocked(zconsole: Zconsole, nas: PracticeHost) -> None:
    configure("[hosts.nas]\nread_only = true\n")

    assert 3 == zconsole("plan", "scrub", "tank", "--host", "nas", "--unlock")[0]


def test_our_other_hosts_are_named_when_they_cannot_be_asked(
    zconsole: Zconsole, nas: PracticeHost, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure('[hosts.nas]\n[hosts.storage2]\naddress = "storage2"\n')
    away = PracticeHost("storage2", clock, world=create_world(LAYOUT))

    async def unreachable() -> None:
        raise HostUnreachable("storage2 does not answer")

    monkeypatch.setattr(away, "connect", unreachable)
    hosts = {"nas": nas, "storage2": away}
    monkeypatch.setattr("zconsole.hosts.open_host.open_host", lambda text, **_: hosts[text])
    zconsole("plan", "export", "tank", "--host", "nas", "-o", "/dev/null")

    code, out, _ = zconsole("plan", "clear", "tank", "--host", "nas", "--json")

    assert 3 == code
    assert any("storage2" in warning for warning in json.loads(out)["warnings"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("plan",), "plan needs an action"),
        (("plan", "offlin", "tank"), "Did you mean offline"),
        (("plan", "offline", "tank"), "offline needs more words"),
        (("plan", "scrub"), "scrub needs more words"),
        (("plan", "scrub", "tank", "bulk"), "does not know what to do with 'bulk'"),
        (("plan", "scrub", "tank", "--fault"), "unrecognized arguments: --fault"),
        (("plan", "scrub", "tank", "--host", "a", "--host", "b"), "one host"),
        (("plan", "scrub", "tank", "--host", "nas", "--demo"), "exclude each other"),
        (("plan", "scrub", "nosuch", "--host", "nas"), "there is no pool 'nosuch'"),
        (("apply",), "FILE"),
        (("journal", "--last", "0"), "--last: '0' is not from 1"),
        (("sudoers", "--user", "a b"), "no user"),
    ],
)  # fmt: skip
def test_wrong_words_end_with_2(
    zconsole: Zconsole, nas: PracticeHost, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    if words.count("--host") == 2:
        monkeypatch.setattr("zconsole.hosts.open_host.open_host", lambda text, **_: PracticeHost(text))

    code, out, err = zconsole(*words)

    assert (2, "") == (code, out)
    assert said in err


@pytest.mark.parametrize("words", [("plan", "--help"), ("plan", "destroy", "--help"), ("apply", "--help")])
def test_help_is_printed(zconsole: Zconsole, words: tuple[str, ...]) -> None:
    code, out, _ = zconsole(*words)

    assert 0 == code
    assert out.startswith(f"usage: zconsole {words[0]}")


class TestJournal:
    """`zconsole journal`."""

    @pytest.fixture(autouse=True)
    def _done(self, zconsole: Zconsole, nas: PracticeHost, tmp_path: Path) -> None:
        """Two runs."""
        for comment in ("one", "two"):
            file = str(tmp_path / f"{comment}.json")
            zconsole("plan", "set", "tank", f"comment={comment}", "--host", "nas", "-o", file)
            assert 0 == zconsole("apply", file, "--confirm", "tank")[0]

    def test_what_was_done_is_told_oldest_first(self, zconsole: Zconsole) -> None:
        code, out, _ = zconsole("journal")

        assert 0 == code
        assert out.index("DONE      zpool set comment=one tank") < out.index(
            "DONE      zpool set comment=two tank"
        )

    def test_in_json_a_documented_object_a_run(self, zconsole: Zconsole) -> None:
        _, out, _ = zconsole("journal", "--json", "--last", "1")

        (document,) = [json.loads(line) for line in out.splitlines()]
        assert "" == mismatch(document, JOURNAL)
        assert ["zpool", "set", "comment=two", "tank"] == document["steps"][0]["argv"]
        assert ("nas", "done") == (document["host"], document["state"])

    def test_of_one_host(self, zconsole: Zconsole) -> None:
        assert "" == zconsole("journal", "--host", "storage2")[1]
        assert 2 == len(zconsole("journal", "--host", "nas", "--json")[1].splitlines())


def test_an_empty_journal_is_no_error(zconsole: Zconsole) -> None:
    assert (0, "", "") == zconsole("journal")


def test_sudoers_prints_the_file(zconsole: Zconsole) -> None:
    code, out, err = zconsole("sudoers", "--user", "anna", "--bin", "/usr/local/sbin")

    assert (0, "") == (code, err)
    assert "/usr/local/sbin/zpool ^scrub " in out
    assert out.endswith("anna ALL = (root) NOSETENV: PASSWD: ZCONSOLE_CHANGE_ANNA\n")


def test_a_host_named_like_a_new_subcommand_is_explained(zconsole: Zconsole) -> None:
    code, _, err = zconsole("nas1", "plan")

    assert 2 == code
    assert "ssh://plan" in err


class TestSecrets:
    """What a plan wants to be told comes from stdin, a line each, and only when that is asked for."""

    @pytest.fixture
    def file(
        self, zconsole: Zconsole, nas: PracticeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> str:
        """A plan whose user needs a password for sudo."""

        async def read_privileges(*_: object) -> Privileges:
            return Privileges("anna", 1000, Becoming.SUDO_PASSWORD)

        monkeypatch.setattr("zconsole.execution.prepare.read_privileges", read_privileges)
        path = str(tmp_path / "plan.json")
        zconsole("plan", "scrub", "tank", "--host", "nas", "-o", path)
        return path

    def test_it_is_named_and_not_asked_for(self, zconsole: Zconsole, file: str) -> None:
        code, _, err = zconsole("apply", file)

        assert 3 == code
        assert "it needs: password for sudo" in err
        assert "--secrets-stdin" in err

    def test_a_line_that_is_missing_is_said(
        self, zconsole: Zconsole, file: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(""))

        code, _, err = zconsole("apply", file, "--secrets-stdin")

        assert 3 == code
        assert "not a line for each" in err

    def test_it_reaches_the_run_and_nothing_else(
        self, zconsole: Zconsole, file: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given: list[str] = []

        async def keep(reader: object, order: object, desk: object, _let_others: object) -> object:
            given.extend(each.reveal() for each in order.secrets.values())  # type: ignore[attr-defined]
            return await execute(reader, order, desk)  # type: ignore[arg-type]

        monkeypatch.setattr("zconsole.service.operations.execute", keep)
        monkeypatch.setattr("sys.stdin", io.StringIO("s3cret\nmore\n"))

        _, out, err = zconsole("apply", file, "--secrets-stdin")

        assert ["s3cret"] == given
        assert "s3cret" not in out + err
