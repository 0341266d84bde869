"""A command line is understood, or refused with what would have been right."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from zconsole.actions.action_catalogue import SPECS
from zconsole.base.errors import UsageError
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.cli.commands import SUBCOMMANDS
from zconsole.cli.commands.changes.plan import PlanRequest
from zconsole.cli.commands.replication.stream import StreamRequest
from zconsole.cli.commands.setup.trust import TrustRequest
from zconsole.cli.commands.state.check import CheckRequest
from zconsole.cli.commands.state.iostat import IostatRequest
from zconsole.cli.commands.state.record import RecordRequest
from zconsole.cli.commands.state.slow import SlowRequest
from zconsole.cli.commands.state.status import StatusRequest
from zconsole.cli.console import ConsoleRequest
from zconsole.cli.console_arguments import with_configured_hosts
from zconsole.cli.main import PLAIN
from zconsole.cli.options import JsonForm
from zconsole.cli.parse_command_line import parse, subcommand_of, understood
from zconsole.cli.selected_hosts import HostSelection
from zconsole.hosts.ssh import resolve_by_ssh_config
from zconsole.model.exercise_names import EXERCISES

DEMO = HostSelection(is_demo=True)
CABLE = HostSelection(is_demo=True, exercise="cable")


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        (ConsoleRequest(), ""),
        (ConsoleRequest(HostSelection(("nas1", "root@nas2"))), "nas1 root@nas2"),
        (ConsoleRequest(HostSelection(("nas1",))), "nas1 nas1"),
        (ConsoleRequest(HostSelection(("ssh://status",))), "ssh://status"),
        (
            ConsoleRequest(DEMO, theme="dark", interval_s=2.5, is_read_only=True),
            "--demo --theme dark --interval 2.5 --read-only",
        ),
        (ConsoleRequest(HostSelection(replay=Path("/r"))), "--replay /r"),
        (ConsoleRequest(HostSelection(replay=Path("/r"), speed=10.0)), "--replay /r --speed 10"),
        (
            IostatRequest(HostSelection(replay=Path("iostat"), speed=0.5)),
            "--speed 0.5 --replay iostat iostat",
        ),
        (StatusRequest(), "status"),
        (
            StatusRequest(HostSelection(("a", "b")), json=JsonForm.DOCUMENT, with_importable=True),
            "status --json --importable --host a --host b",
        ),
        (StatusRequest(DEMO), "--demo status"),
        (StatusRequest(DEMO, "tank"), "status tank --demo"),
        (ConsoleRequest(CABLE), "--demo=cable"),
        (ConsoleRequest(replace(CABLE, speed=60.0)), "--demo=cable --speed 60"),
        (StatusRequest(CABLE, json=JsonForm.DOCUMENT), "--demo=cable status --json"),
        (CheckRequest(CABLE, "tank"), "check --demo=cable tank"),
        (
            StatusRequest(HostSelection(replay=Path("status")), json=JsonForm.DOCUMENT),
            "--replay status status --json",
        ),
        (StatusRequest(timeout_s=5.0), "status --timeout 5"),
        (CheckRequest(), "check"),
        (CheckRequest(DEMO, "tank", JsonForm.DOCUMENT), "check --json tank --demo"),
        (IostatRequest(pool="tank", interval_s=0.5, count=3), "iostat tank --interval 0.5 --count 3"),
        (IostatRequest(HostSelection(("nas1",)), json=JsonForm.LINES), "iostat --jsonl --host nas1"),
        (SlowRequest(), "slow"),
        (
            SlowRequest(HostSelection(("nas1",)), "tank", JsonForm.DOCUMENT, for_s=300.0),
            "slow tank --for 5m --json --host nas1",
        ),
        (SlowRequest(DEMO, for_s=90.0), "slow --demo --for 90"),
        (SlowRequest(input=Path("x.tsv"), json=JsonForm.DOCUMENT), "slow --input x.tsv --json"),
        (SlowRequest(input=Path("status")), "--input status slow"),
        (StreamRequest(Path("/cold")), "stream /cold"),
        (StreamRequest(Path("slow"), is_json=True, verifies=True), "stream --json --verify slow"),
        (RecordRequest(Path("out"), HostSelection(), 10.0), "record out"),
        (RecordRequest(Path("out"), HostSelection(("nas1",)), 60.0), "record --for 60 out --host nas1"),
        (TrustRequest("nas1", "SHA256:abc"), "trust nas1 SHA256:abc"),
    ],
)
def test_words_become_a_value(expected: object, line: str) -> None:
    assert expected == parse(line.split())


@pytest.mark.parametrize(
    ("message", "hint", "line"),
    [
        ("status is a subcommand and comes first", "`zconsole status --host HOST`", "nas1 status"),
        ("hosts and --demo exclude each other", "leave --demo out", "nas1 --demo"),
        ("--demo and --replay exclude each other", "one of them", "status --demo --replay x"),
        ("hosts and --replay exclude each other", "one of them", "check --host a --replay x"),
        ("--speed is how fast a recording or an exercise runs", "--replay DIR", "--demo --speed 2"),
        ("'0' is not a speed from 0.25 to 100", "--help", "--replay x --speed 0"),
        ("'fast' is not a number", "--help", "--replay x --speed fast"),
        ("unrecognized arguments: --jso", "Did you mean --json? `zconsole status --help`", "status --jso"),
        ("unrecognized arguments: --jason", "Did you mean --json?", "status --jason"),
        (
            "failed-disk is a part of the option",
            "Did you mean `zconsole --demo=failed-disk`",
            "--demo failed-disk",
        ),
        ("failed-disk is a part of the option", "--demo=failed-disk", "--demo Failed-Disc"),
        ("unrecognized arguments: nas1", "Did you mean --host nas1?", "watch --print-unit nas1"),
        ("argument --need: no amount is negative: -5G", "--help", "reclaim tank --need -5G"),
        ("argument --need: expected one argument", "--help", "reclaim tank --need"),
        ("--interval: '0' is not a time from 0.1s to 1h", "--help", "iostat --interval 0"),
        ("--interval: 'nan' is not a time", "--help", "iostat --interval nan"),
        ("--interval: 'many' is not a time", "--help", "--interval many"),
        ("--count: '0' is not from 1", "--help", "iostat --count 0"),
        ("--count: '-1' is below 0", "--help", "iostat --count=-1"),
        ("--input is judged as it is", "one pool", "slow tank --input x"),
        ("--input is judged as it is", "one pool", "slow --demo --input x"),
        ("--input is judged as it is", "one pool", "slow --for 60s --input x"),
        ("--for: 'x' is not a unit of time in '3x'", "--help", "slow --for 3x"),
        ("--for: '0.5s' is not a time from 1s to 24h", "--help", "slow --for 0.5s"),
        ("'nan' is not a time", "--help", "slow --for nan"),
        ("--for: nothing is not a time", "--help", "slow --for="),
        ("the following arguments are required: DIR", "--help", "record"),
        ("the following arguments are required: FINGERPRINT", "--help", "trust nas1"),
    ],
)
def test_a_mistake_is_refused_with_a_way_on(message: str, hint: str, line: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(line.split())

    assert message in caught.value.message
    assert hint in caught.value.hint


def test_an_unknown_exercise_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        parse(["status", "--demo=fire"])

    assert "there is no exercise 'fire'" == caught.value.message
    assert "--demo=failed-disk  " in caught.value.hint
    assert all(f"--demo={name} " in caught.value.hint for name in EXERCISES)


def test_a_host_named_like_a_subcommand_can_be_written() -> None:
    for name in SUBCOMMANDS:
        assert subcommand_of([name]) == name
        assert subcommand_of([f"ssh://{name}"]) is None
        assert ConsoleRequest(HostSelection((f"ssh://{name}",))) == parse([f"ssh://{name}"])


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        *([name, "--help"] for name in SUBCOMMANDS),
        *(["plan", known.id, "--help"] for known in SPECS),
    ],
)
def test_help_fits_a_terminal(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as done:
        parse(words)

    assert 0 == done.value.code
    shown = capsys.readouterr().out
    assert ("HOST" in shown) == (words[0] not in {"sudoers", "stream", "completion", "keys"})
    assert max(map(len, shown.splitlines())) <= 80


def test_options_of_the_console_load_no_subcommand() -> None:
    """Before the first frame, what the other subcommands import would take longer than all the rest."""
    program = """
import sys
from zconsole.cli.parse_command_line import parse
parse(["--demo", "--theme=nord", "--interval", "2s"])
print(*(name for name in sys.modules if name.startswith("zconsole.cli.commands.")))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "" == done.stdout.strip()


@pytest.mark.parametrize("line", ["--json -- --all", "-- --json", "web01 -- ", "--json -- -x"])
def test_what_is_behind_dashes_is_a_name_whatever_it_begins_with(line: str) -> None:
    asked = parse(["plan", "guest-start", *line.split()])

    assert isinstance(asked, PlanRequest)
    names = {"web01 -- ": "web01"}
    assert (names.get(line, line.rsplit(maxsplit=1)[-1]), line.startswith("--json")) == (
        asked.intent.target,
        asked.is_json,
    )


@pytest.mark.parametrize("line", ["guest-start --all", "guest-shutdown -x", "guest-suspend --json"])
def test_a_guest_with_the_name_of_an_option_is_refused_with_the_way_to_name_it(line: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(["plan", *line.split()])

    assert "name that begins with - goes behind --" in (caught.value.hint or "")


@pytest.mark.parametrize("line", ["benchmark", "scrub tank", "destroy tank/home"])
def test_an_action_without_plan_is_not_taken_for_a_host(line: str) -> None:
    command, asked = understood(line.split())

    with pytest.raises(UsageError, match="is an action, and is planned first"):
        command.run(asked, Config())


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("staus", "zconsole status"),
        ("jornal", "zconsole journal"),
        ("scrubb tank", "zconsole plan scrub"),
        ("demo", "zconsole --demo"),
        ("help", "zconsole --help"),
        ("version", "zconsole --version"),
    ],
)
def test_a_misspelt_subcommand_is_not_taken_for_a_host(line: str, meant: str) -> None:
    with pytest.raises(UsageError, match="neither a subcommand nor a host") as caught:
        _run(line)

    assert f"Did you mean `{meant}`?" in caught.value.hint


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("staus --json", "staus is not a subcommand", "Did you mean `zconsole status`?"),
        ("staus --host nas1 --json", "staus is not a subcommand", "Did you mean `zconsole status`?"),
        ("--json staus", "staus is not a subcommand", "Did you mean `zconsole status`?"),
        ("replce tank sda --yes", "replce is not a subcommand", "Did you mean `zconsole plan replace`?"),
        ("destroy tank/home --recursive", "destroy is an action", "zconsole plan destroy --help"),
        ("nas1 --json", "unrecognized arguments: --json", "zconsole --help"),
        ("nas1 --them dark", "unrecognized arguments: --them", "Did you mean --theme?"),
    ],
)
def test_the_first_word_is_judged_before_the_options_behind_it(line: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        parse(line.split())

    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("frobnicate", "neither a subcommand nor a host .* its name is not resolved", "zconsole --help"),
        ("history tank --demo", "history is not a subcommand, and hosts and --demo", "and press H"),
        ("frobnicate --demo", "frobnicate is not a subcommand", "zconsole --help"),
        ("staus --demo", "staus is not a subcommand", "Did you mean `zconsole status`?"),
    ],
)
def test_an_unknown_word_is_told_before_the_terminal_is(
    monkeypatch: pytest.MonkeyPatch, line: str, message: str, hint: str
) -> None:
    monkeypatch.setattr(resolve_by_ssh_config, "has_address", _answers(has_address=False))

    with pytest.raises(UsageError, match=message) as caught:
        _run(line)

    assert hint in caught.value.hint


@pytest.mark.parametrize("line", ["nas7", "local", "root@frobnicate", "frobnicate.example"])
def test_a_name_that_may_be_a_host_is_one(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setattr(resolve_by_ssh_config, "has_address", _answers(has_address=line == "nas7"))

    with pytest.raises(UsageError, match="needs a terminal"):
        _run(line)


def _answers(*, has_address: bool) -> Callable[[str], Awaitable[bool]]:
    async def answer(_name: str) -> bool:
        return has_address

    return answer


@pytest.mark.parametrize("text", ["Host staus\n  HostName 192.0.2.7\n", None])
def test_a_host_that_ssh_knows_may_be_named_nearly_like_a_subcommand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    (tmp_path / ".ssh").mkdir()
    if text is None:
        key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRkxOQ766cbZKKbEGY+wtOtKYdj2kQgSZpvteGmmbSR"
        (tmp_path / ".ssh/known_hosts").write_text(f"staus {key}\n")
    else:
        (tmp_path / ".ssh/config").write_text(text)
    monkeypatch.setenv("HOME", str(tmp_path))

    with pytest.raises(UsageError, match="needs a terminal"):
        _run("staus")


def _run(line: str) -> None:
    command, asked = understood(line.split())
    command.run(asked, Config())


def test_a_host_of_the_configuration_may_be_named_like_an_action() -> None:
    command, asked = understood(["benchmark"])

    with pytest.raises(UsageError, match="needs a terminal"):
        command.run(asked, Config(hosts=(HostConfig("benchmark", "root@bench"),)))


@pytest.mark.parametrize("argv", PLAIN)
def test_a_command_line_that_needs_no_parser_asks_for_what_the_parser_reads(argv: list[str]) -> None:
    assert parse(argv) == ConsoleRequest(HostSelection(is_demo=bool(argv)))


RACKS = Config(
    hosts=(
        HostConfig("nas1", "root@nas1", group="rack 0"),
        HostConfig("nas2", "nas2", group="rack 1"),
        HostConfig("nas3", "nas3", group="rack 0"),
        HostConfig("rack 1", "nas4", group="rack 0"),
    )
)


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (("nas1", "nas2", "nas3", "rack 1"), ["--all"]),
        (("nas1", "nas3", "rack 1"), ["rack 0"]),
        (("nas3", "nas1", "rack 1", "other"), ["nas3", "rack 0", "other"]),
        (("rack 1",), ["rack 1"]),
        ((), []),
    ],
)
def test_all_and_a_group_stand_for_hosts_of_the_configuration(
    expected: tuple[str, ...], words: list[str]
) -> None:
    asked = parse(words)
    assert isinstance(asked, ConsoleRequest)

    assert expected == with_configured_hosts(asked, RACKS).where.hosts


@pytest.mark.parametrize("line", ["--all nas1", "--all --demo", "--all --replay /r"])
def test_all_and_other_hosts_exclude_each_other(line: str) -> None:
    with pytest.raises(UsageError, match="--all and other hosts exclude each other"):
        parse(line.split())


def test_all_of_a_configuration_without_hosts_is_an_error() -> None:
    with pytest.raises(UsageError, match="which has none"):
        with_configured_hosts(ConsoleRequest(is_all=True), Config())
