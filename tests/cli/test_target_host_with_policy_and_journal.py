"""plan, apply, journal and sudoers, from words to exit codes, on a practice host that stays between them."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path

import pytest

from tests.cli.acting import LAYOUT, Zconsole, configure
from zconsole.base.clock import ManualClock
from zconsole.base.errors import HostUnreachable
from zconsole.execution.execute import execute
from zconsole.model.host.plan_facts import PrivilegeMode, Privileges
from zconsole.practice import PracticeHost, create_world


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
    monkeypatch.setattr("zconsole.hosts.open_host_or_recording.open_host", lambda text, **_: hosts[text])
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
        (("sudoers", "--user", "a b"), "not a user"),
    ],
)  # fmt: skip
def test_wrong_words_end_with_2(
    zconsole: Zconsole, nas: PracticeHost, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    if words.count("--host") == 2:
        monkeypatch.setattr(
            "zconsole.hosts.open_host_or_recording.open_host", lambda text, **_: PracticeHost(text)
        )

    code, out, err = zconsole(*words)

    assert (2, "") == (code, out)
    assert said in err


@pytest.mark.parametrize("words", [("plan", "--help"), ("plan", "destroy", "--help"), ("apply", "--help")])
def test_help_is_printed(zconsole: Zconsole, words: tuple[str, ...]) -> None:
    code, out, _ = zconsole(*words)

    assert 0 == code
    assert out.startswith(f"usage: zconsole {words[0]}")


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
            return Privileges("anna", 1000, PrivilegeMode.SUDO_PASSWORD)

        monkeypatch.setattr("zconsole.execution.prepare_plan.read_privileges", read_privileges)
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

    def test_while_it_is_typed_a_signal_ends_with_nothing_run(
        self, zconsole: Zconsole, file: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read, write = os.pipe()
        real = os.read

        def pressed(descriptor: int, count: int) -> bytes:
            if descriptor == read:
                os.kill(os.getpid(), signal.SIGINT)
            return real(descriptor, count)

        with os.fdopen(read) as stdin, os.fdopen(write, "w"), monkeypatch.context() as patch:
            patch.setattr("sys.stdin", stdin)
            patch.setattr("os.read", pressed)
            code, _, err = zconsole("apply", file, "--secrets-stdin")

        assert 3 == code
        assert "you stopped it before anything was sent: nothing was run" in err

    def test_it_reaches_the_run_and_nothing_else(
        self, zconsole: Zconsole, file: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given: list[str] = []

        async def keep(reader: object, order: object, context: object, _let_others: object) -> object:
            given.extend(each.reveal() for each in order.secrets.values())  # type: ignore[attr-defined]
            return await execute(reader, order, context)  # type: ignore[arg-type]

        monkeypatch.setattr("zconsole.service.prepare_execute_and_recover_plans.execute", keep)
        monkeypatch.setattr("sys.stdin", io.StringIO("s3cret\nmore\n"))

        _, out, err = zconsole("apply", file, "--secrets-stdin")

        assert ["s3cret"] == given
        assert "s3cret" not in out + err
