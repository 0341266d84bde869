"""How commands become root, and that a password goes to sudo's stdin and nowhere else."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CAPTURES
from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.errors import ParseError, UsageError
from zconsole.base.secret import Secret
from zconsole.collect.privilege import (
    UNTOLD,
    Escalation,
    Privilege,
    as_root,
    parse_user,
    read_at_best,
    read_privileges,
    was_refused_unasked,
)
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.build_command_results import ended, never_started
from zconsole.hosts.command_log import LoggedHost
from zconsole.hosts.host import Command, Effect
from zconsole.hosts.recorded.record_host_answers import RecordingHost
from zconsole.model.host.connected_machine_and_user import User
from zconsole.model.host.plan_facts import Delegation, PrivilegeMode, Privileges

ANN = b"uid=1000(ann) gid=1000(ann) groups=1000(ann),27(sudo),50(staff)\n"
SCRUB = ("zpool", "scrub", "tank")
PROBE = "sudo -n -l -l zpool scrub tank"
NO_SUDO = never_started(Command(("sudo",)), "there is no program sudo", status=127)
PASSWORD = Secret("hunter2")


def rule(options: str = "", command: str = " ".join(SCRUB)) -> bytes:
    """What `sudo -n -ll ARGV` of sudo 1.9.16 says of the rule that matched."""
    shown = f"    {options}\n" if options else ""
    return (
        f"Sudoers entry: /etc/sudoers.d/zconsole\n    RunAsUsers: root\n{shown}"
        f"    Commands:\n\t/usr/sbin/zpool scrub *\n    Matched: /usr/sbin/{command}\n"
    ).encode()


def host(**answers: object) -> ScriptedHost:
    scripted = ScriptedHost()
    scripted.answers = {"id": ANN, "doas": never_started(Command(("doas",)), "no doas", status=127)}
    scripted.answers |= {name.replace("_", " "): answer for name, answer in answers.items()}
    return scripted


async def way(scripted: ScriptedHost) -> Escalation:
    return await Privilege(Asker(scripted)).way(SCRUB)


async def test_root_needs_no_help() -> None:
    scripted = ScriptedHost()
    scripted.answers = {"id": b"uid=0(root) gid=0(root) groups=0(root)\n"}

    assert Escalation(PrivilegeMode.ROOT) == await way(scripted)
    assert ["id"] == scripted.commands


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (rule("Options: !authenticate"), Escalation(PrivilegeMode.SUDO)),
        (rule("Options: setenv, !authenticate"), Escalation(PrivilegeMode.SUDO)),
        (rule("Options: authenticate"), Escalation(PrivilegeMode.SUDO_PASSWORD)),
        (failed(PROBE, 1, b"Sorry, user ann may not run sudo on nas1.\n"), Escalation(PrivilegeMode.PLAIN)),
        (failed(PROBE, 1, b""), Escalation(PrivilegeMode.PLAIN)),
        (NO_SUDO, Escalation(PrivilegeMode.PLAIN)),
    ],
)
async def test_sudo_is_asked_about_the_very_argv(answer: object, expected: Escalation) -> None:
    scripted = host(**{PROBE.replace(" ", "_"): answer, "sudo": NO_SUDO})

    assert expected == await way(scripted)


@pytest.mark.parametrize(
    ("validated", "expected"),
    [
        (b"", Escalation(PrivilegeMode.SUDO)),
        (
            failed("sudo -v", 1, b"sudo: a password is required\n"),
            Escalation(PrivilegeMode.SUDO_PASSWORD, is_sure=False),
        ),
    ],
)
@pytest.mark.parametrize(
    "told",
    [
        b"/usr/sbin/zpool scrub tank\n",  # sudo before 1.9.14
        rule(),
        rule("Options: setenv"),
        rule(command="zpool scrub x\n    Options: !authenticate"),
    ],
)
async def test_where_the_rule_does_not_tell_sudo_is_asked_if_it_wants_passwords_at_all(
    told: bytes, validated: object, expected: Escalation
) -> None:
    """The defaults of sudoers decide then, which it does not print."""
    scripted = host(**{PROBE.replace(" ", "_"): told})
    scripted.answers["sudo -n -k -v"] = validated

    assert expected == await way(scripted)


UNSURE = Escalation(PrivilegeMode.SUDO_PASSWORD, is_sure=False)
OF_SUDO = {
    "nopasswd": Escalation(PrivilegeMode.SUDO),
    "passwd": Escalation(PrivilegeMode.SUDO_PASSWORD),
    "untagged": UNSURE,
    "setenv": UNSURE,
    "defaults": Escalation(PrivilegeMode.SUDO),
    "another": Escalation(PrivilegeMode.PLAIN),
    "untold": UNTOLD,
    "nobody": Escalation(PrivilegeMode.PLAIN),
}
OF_DOAS = {
    **dict.fromkeys(("permit-nopass", "permit-nopass-args", "hidden"), Escalation(PrivilegeMode.DOAS)),
    **dict.fromkeys(("permit", "permit-persist", "deny", "absent"), Escalation(PrivilegeMode.PLAIN)),
}


def recorded(program: str, expected: dict[str, Escalation]) -> list[Any]:
    """Every recorded rule, and what is to be made of it."""
    found = []
    for path in sorted((CAPTURES / "sudo").glob("*/answers.json")):
        cases = json.loads(path.read_text())[program]
        assert expected.keys() == cases.keys()
        shows = [int(part) for part in path.parent.name.split(".")] >= [1, 9, 14]
        for name, way in expected.items():
            wanted = UNSURE if name == "passwd" and not shows else way
            found.append(pytest.param(cases[name]["answers"], wanted, id=f"{path.parent.name}-{name}"))
    return found


@pytest.mark.parametrize(("answers", "expected"), [*recorded("sudo", OF_SUDO), *recorded("doas", OF_DOAS)])
async def test_what_real_ones_answer_is_understood(
    answers: list[dict[str, Any]], expected: Escalation
) -> None:
    """Recorded in lab guests, of one rule each."""
    scripted = host(sudo=NO_SUDO)
    for each in answers:
        command = Command(tuple(each["argv"]))
        said = each["stdout"].encode(), each["stderr"].encode()
        scripted.answers[" ".join(each["argv"])] = ended(command, each["status"], *said)

    assert expected == await way(scripted)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (b"permit nopass\n", PrivilegeMode.DOAS),
        (b"permit\n", PrivilegeMode.PLAIN),
        (b"deny\n", PrivilegeMode.PLAIN),
    ],
)
async def test_doas_serves_where_there_is_no_sudo(said: bytes, expected: PrivilegeMode) -> None:
    scripted = host(sudo=NO_SUDO)
    scripted.answers["doas -C /etc/doas.conf zpool scrub tank"] = said

    assert Escalation(expected) == await way(scripted)


@pytest.mark.parametrize(
    ("argv", "trial", "said", "expected"),
    [
        (SCRUB, "doas -n zpool version", b"zfs-2.4.4-1\n", PrivilegeMode.DOAS),
        (
            SCRUB,
            "doas -n zpool version",
            failed("doas", 1, b"doas: Authentication required\n"),
            PrivilegeMode.PLAIN,
        ),
        (("find", "/proc"), "doas -n true", b"", PrivilegeMode.DOAS),
    ],
)
async def test_where_only_root_may_read_the_rules_of_doas_it_is_tried(
    argv: tuple[str, ...], trial: str, said: object, expected: PrivilegeMode
) -> None:
    scripted = host(sudo=NO_SUDO)
    hidden = b"doas: could not open config file /etc/doas.conf: Permission denied\n"
    scripted.answers |= {"doas -C": failed("doas -C", 1, hidden), trial: said}

    assert Escalation(expected) == await Privilege(Asker(scripted)).way(argv)


async def test_a_sudo_that_tells_nothing_without_the_password_is_asked_once() -> None:
    """It answers so about every command, and may log each question."""
    untold = failed(PROBE, 1, b"sudo: a password is required\n")
    scripted = host(sudo=untold)
    privilege = Privilege(Asker(scripted))

    ways = {await privilege.way(SCRUB), await privilege.way(("zfs", "list"))}

    assert {UNTOLD} == ways
    assert [PROBE, "sudo -n -k -v"] == [
        command for command in scripted.commands if command.startswith("sudo")
    ]


async def test_what_was_asked_ahead_is_used_once_and_then_asked_again() -> None:
    """Rules change; an answer from before the plan does for the plan."""
    scripted = host(**{PROBE: rule("Options: !authenticate")})
    privilege = Privilege(Asker(scripted), User("ann", 1000))

    await privilege.ask_ahead([SCRUB, SCRUB])
    first = await privilege.way(SCRUB)
    asked = list(scripted.commands)
    await privilege.way(SCRUB)

    assert PrivilegeMode.SUDO is first.privilege_mode
    assert [PROBE] == asked
    assert [PROBE, PROBE] == scripted.commands


async def test_root_asks_nothing_ahead() -> None:
    scripted = host()

    await Privilege(Asker(scripted), User("root", 0)).ask_ahead([SCRUB])

    assert [] == scripted.commands


async def test_a_program_that_is_missing_is_asked_for_once() -> None:
    scripted = host(sudo=NO_SUDO)
    privilege = Privilege(Asker(scripted))

    await privilege.way(SCRUB)
    await privilege.way(SCRUB)

    assert 1 == sum(command.startswith("sudo") for command in scripted.commands)


def test_a_password_goes_to_stdin_before_the_commands_own_input() -> None:
    command = Command(("zfs", "load-key", "tank/home"), Effect.CHANGE, stdin=b"passphrase\n")

    as_sent = as_root(command, PrivilegeMode.SUDO_PASSWORD, PASSWORD)

    assert ("sudo", "-k", "-S", "-p", "", "zfs", "load-key", "tank/home") == as_sent.argv
    assert b"hunter2\npassphrase\n" == as_sent.stdin
    assert "hunter2" not in repr(as_sent)


def test_the_other_ways_send_no_password() -> None:
    command = Command(SCRUB, Effect.CHANGE)

    assert command == as_root(command, PrivilegeMode.ROOT, PASSWORD)
    assert command == as_root(command, PrivilegeMode.PLAIN, PASSWORD)
    assert ("sudo", "-n", *SCRUB) == as_root(command, PrivilegeMode.SUDO, PASSWORD).argv
    assert ("doas", "-n", *SCRUB) == as_root(command, PrivilegeMode.DOAS, PASSWORD).argv
    assert as_root(command, PrivilegeMode.SUDO, PASSWORD).stdin is None


@pytest.mark.parametrize("password", [None, Secret("two\nlines"), Secret("nul\0")])
def test_a_password_that_is_missing_or_no_line_is_not_sent(password: Secret | None) -> None:
    with pytest.raises(UsageError) as caught:
        as_root(Command(SCRUB), PrivilegeMode.SUDO_PASSWORD, password)

    assert "two" not in str(caught.value)


def test_only_sudos_own_words_mean_that_nothing_was_started() -> None:
    said = b"sudo: a password is required\n"
    assert was_refused_unasked(failed("sudo -n zpool scrub tank", 1, said))
    assert not was_refused_unasked(failed("zpool scrub tank", 1, said))
    assert was_refused_unasked(failed("sudo -n zpool scrub tank", 1, b"/etc/sudoers:3:1: odd\n" + said))
    assert not was_refused_unasked(failed("sudo -n zpool scrub tank", 1, said + b"cannot scrub tank\n"))
    assert not was_refused_unasked(failed("sudo -n zpool scrub tank", 1, b"cannot scrub tank\n"))


async def test_privileges_are_those_of_the_step_that_asks_for_most() -> None:
    scripted = host()
    scripted.answers["sudo -n -l -l zfs"] = rule("Options: !authenticate")
    scripted.answers["sudo -n -l -l zpool"] = rule("Options: authenticate")
    privilege = Privilege(Asker(scripted))

    found = await read_privileges(privilege, [("zfs", "snapshot", "tank@a"), SCRUB], [])

    assert Privileges("ann", 1000, PrivilegeMode.SUDO_PASSWORD) == found


async def test_without_root_the_delegations_of_the_nearest_dataset_count() -> None:
    scripted = host(sudo=NO_SUDO)
    scripted.answers["zfs allow tank/home/new"] = failed("zfs allow", 1, b"cannot open\n")
    scripted.answers["zfs allow tank/home"] = (
        b"---- Permissions on tank/home ---\nLocal+Descendent permissions:\n"
        b"\tuser ann create\n\tgroup staff mount\n"
    )

    found = await read_privileges(
        Privilege(Asker(scripted)), [("zfs", "create", "tank/home/new")], ["tank/home/new"]
    )

    assert [
        Delegation("tank/home", frozenset({"create"})), Delegation("tank/home", frozenset({"mount"})),
    ] == list(found.delegations)  # fmt: skip
    assert found.may("create", "tank/home/new")


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"id": b"uid=0(root) gid=0(root) groups=0(root)\n"}, PrivilegeMode.ROOT),
        ({"sudo -n -k -v": b""}, PrivilegeMode.SUDO),
        (
            {"sudo -n -k -v": failed("sudo -n -k -v", 1, b"sudo: a password is required\n")},
            PrivilegeMode.SUDO_PASSWORD,
        ),
        (
            {"sudo -n -k -v": failed("sudo -n -k -v", 1, b"Sorry, user ann may not run sudo on nas.\n")},
            PrivilegeMode.PLAIN,
        ),
        ({"sudo": NO_SUDO}, PrivilegeMode.PLAIN),
        ({"sudo": NO_SUDO, "doas": b"permit nopass\n"}, PrivilegeMode.DOAS),
    ],
)
async def test_menus_ask_what_the_user_can_do_at_best(
    answers: dict[str, object], expected: PrivilegeMode
) -> None:
    scripted = host()
    scripted.answers |= answers | {
        "zfs allow tank/home": b"---- Permissions on tank/home ---\nLocal permissions:\n\tuser ann hold\n"
    }

    found = await read_at_best(Privilege(Asker(scripted)), "tank/home@a")

    assert expected == found.privilege_mode
    assert found.may("hold", "tank/home")
    assert found.may("destroy", "tank/home") == (expected is not PrivilegeMode.PLAIN)


async def test_what_is_delegated_on_a_snapshot_is_delegated_on_its_dataset() -> None:
    scripted = host(sudo=NO_SUDO)
    scripted.answers["zfs allow tank/home"] = (
        b"---- Permissions on tank/home ---\nLocal permissions:\n\tuser ann hold\n"
    )

    found = await Privilege(Asker(scripted)).delegated(["tank/home@a", "tank/home#b"])

    assert (Delegation("tank/home", frozenset({"hold"}), below=False),) == found
    assert 1 == sum(command.startswith("zfs allow") for command in scripted.commands)


async def test_what_only_looks_becomes_root_only_without_a_password() -> None:
    scripted = host(**{PROBE.replace(" ", "_"): rule("Options: authenticate")})
    command = Command(SCRUB)

    assert command is await Privilege(Asker(scripted)).to_read(command)


@pytest.mark.parametrize("text", ["", "root\n", "uid=x(root) gid=0(root)\n", "uid=0(root) gid=0(root)"])
def test_an_id_that_tells_nothing_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_user(text)


def test_a_user_without_a_name_has_a_number() -> None:
    assert User("1005", 1005, ("staff",)) == parse_user("uid=1005 gid=100 groups=100,50(staff)\n")


async def test_a_password_is_in_no_recording_no_log_of_commands_and_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    scripted = host()
    scripted.answers["sudo -k"] = b""
    folder = tmp_path / "recording"
    logged = LoggedHost(RecordingHost(scripted, folder))
    command = as_root(Command(SCRUB, Effect.CHANGE, stdin=b"sesame\n"), PrivilegeMode.SUDO_PASSWORD, PASSWORD)

    await logged.run(command)

    kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    for secret in ("hunter2", "sesame"):
        assert secret.encode() not in kept
        assert secret not in repr(logged.commands())
        assert secret not in caplog.text
        assert secret not in repr(command)
