"""A host behind SSH: commands, streams and files when all goes well, and when sshd says no."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import asyncssh
import pytest

from tests.hosts.conftest import OPTIONS, Lan
from tests.hosts.helpers import drained, until
from tests.hosts.sshd import Process
from zconsole.base.errors import CommandFailed, LinkLost
from zconsole.hosts.host import ENVIRONMENT, Command, Effect, Outcome
from zconsole.hosts.ssh.channel import Channel
from zconsole.hosts.ssh.shell_quoting_and_output_marker import MARK


def sh(script: str, timeout_s: float = 10.0, max_bytes: int = 1 << 20, stdin: bytes | None = None) -> Command:
    return Command(("sh", "-c", script), timeout_s=timeout_s, max_bytes=max_bytes, stdin=stdin)


async def test_a_command_that_ends_well_is_done(known: Lan) -> None:
    host = await known.connected()

    completed = await host.run(sh("printf 'a\\000\\377'; printf oops >&2"))

    assert (Outcome.DONE, 0, b"a\0\xff", b"oops", "") == (
        completed.outcome,
        completed.status,
        completed.stdout,
        completed.stderr,
        completed.reason,
    )
    assert "nas1" == host.label


async def test_a_command_that_says_no_has_failed(known: Lan) -> None:
    host = await known.connected()

    completed = await host.run(sh("echo permission denied >&2; exit 1"))

    assert (Outcome.FAILED, 1, "permission denied") == (completed.outcome, completed.status, completed.said)


async def test_a_program_that_is_missing_has_failed_with_127(known: Lan) -> None:
    host = await known.connected()

    completed = await host.run(Command(("zpool-that-is-not-there", "list")))

    assert (Outcome.FAILED, 127) == (completed.outcome, completed.status)
    assert "zpool-that-is-not-there" in completed.said


async def test_the_environment_is_constructed_and_the_argv_exact(known: Lan) -> None:
    host = await known.connected()
    hostile = ("$HOME", "a b", "", "`id`", "'\"\\", "-x", "é!", "=ls", "\\")

    environment = await host.run(Command(("env",)))
    argv = await host.run(Command(("printf", "%s\\0", *hostile)))

    assert {f"{name}={value}" for name, value in ENVIRONMENT} == set(environment.stdout.decode().split())
    assert b"".join(word.encode() + b"\0" for word in hostile) == argv.stdout


async def test_stdin_is_closed_unless_given(known: Lan) -> None:
    host = await known.connected()

    assert b"" == (await host.run(Command(("cat",)))).stdout
    assert b"a key\n" == (await host.run(Command(("cat",), stdin=b"a key\n"))).stdout
    assert not any("a key" in command for command in known.sshd.commands)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ((), "no program"),
        (("zfs", "a\0"), "NUL"),
        (("zfs", "set", "x:y=a\nb"), "line break"),
        (("-zfs",), "as a program name"),
        (("A=b", "zfs"), "as a program name"),
        (("zfs", "x" * 140_000), "longer than"),
    ],
)
async def test_what_cannot_be_sent_is_not_sent(known: Lan, argv: tuple[str, ...], words: str) -> None:
    host = await known.connected()

    completed = await host.run(Command(argv))

    assert (Outcome.FAILED, 126) == (completed.outcome, completed.status)
    assert words in completed.reason
    with pytest.raises(CommandFailed, match=words):
        async with host.stream(Command(argv)):
            pass
    assert [] == known.sshd.commands


async def test_what_start_up_files_print_is_no_answer(known: Lan) -> None:
    """A login shell that greets spoils nothing; nor does a greeting that forgot its line break."""

    async def greet(process: Process) -> None:
        process.stdout.write(b"\x1b[2JWelcome to nas1!\nfortune: ")
        for byte in MARK + b"\nrpool\t1\n":
            process.stdout.write(bytes([byte]))
        process.exit(0)

    known.sshd.handlers["zpool"] = greet
    host = await known.connected()

    completed = await host.run(Command(("zpool", "list")))

    assert (Outcome.DONE, b"rpool\t1\n") == (completed.outcome, completed.stdout)


async def test_an_account_without_a_shell_has_failed_in_its_own_words(known: Lan) -> None:
    async def nologin(process: Process) -> None:
        process.stdout.write(b"This account is currently not available.\n")
        process.exit(1)

    known.sshd.handlers["zpool"] = nologin
    host = await known.connected()

    completed = await host.run(Command(("zpool", "list")))

    assert (Outcome.FAILED, 1) == (completed.outcome, completed.status)
    assert "the login shell did not start it" == completed.reason
    assert "This account is currently not available." == completed.said


async def test_a_forced_command_is_never_taken_for_ours(known: Lan) -> None:
    async def forced(process: Process) -> None:
        process.stdout.write(b"backup done\n")
        process.exit(0)

    known.sshd.handlers["zfs destroy"] = forced
    host = await known.connected()

    completed = await host.run(Command(("zfs", "destroy", "tank/home")))

    assert (Outcome.UNKNOWN, b"") == (completed.outcome, completed.stdout)
    assert "did not say that it started" in completed.reason


async def test_one_connection_carries_everything_and_few_channels_at_once(known: Lan) -> None:
    gate, running = asyncio.Event(), 0

    async def wait(process: Process) -> None:
        nonlocal running
        running += 1
        await gate.wait()
        process.stdout.write(MARK + b"\n")
        process.exit(0)

    known.sshd.handlers["slow"] = wait
    host = await known.connected()

    tasks = [asyncio.create_task(host.run(Command(("slow", str(number))))) for number in range(20)]
    await until(lambda: running == 6)
    gate.set()

    assert {Outcome.DONE} == {completed.outcome for completed in await asyncio.gather(*tasks)}
    assert (1, 6) == (known.wire.connections, known.sshd.most_sessions)


@pytest.mark.slow
async def test_channels_taken_by_what_hangs_fail_the_next_command_before_it_starts(known: Lan) -> None:
    async def hang(process: Process) -> None:
        process.stdout.write(MARK + b"\n")
        await asyncio.Event().wait()

    known.sshd.handlers["hang"] = hang
    host = await known.connected(replace(OPTIONS, max_channels=2))
    graph = [Command(("hang", str(number)), timeout_s=2.0) for number in range(2)]

    first = await asyncio.gather(*(host.run(command) for command in graph))
    third = await host.run(Command(("zpool", "offline", "tank", "sda"), timeout_s=0.05))

    assert {Outcome.UNKNOWN} == {completed.outcome for completed in first}
    assert [True, True] == [host.is_lingering(command) for command in graph]
    assert (Outcome.FAILED, 126) == (third.outcome, third.status)
    assert "in use by commands that have not ended in 0.05 s" in third.reason
    assert not any("offline" in command for command in known.sshd.commands)


@pytest.mark.slow
async def test_an_urgent_command_and_a_change_take_a_reserved_channel(known: Lan) -> None:
    async def hang(process: Process) -> None:
        process.stdout.write(MARK + b"\n")
        await asyncio.Event().wait()

    known.sshd.handlers["hang"] = hang
    host = await known.connected(replace(OPTIONS, max_channels=1, reserve_channels=1))
    await host.run(Command(("hang",), timeout_s=2.0))

    reading = await host.run(Command(("true",), timeout_s=0.05))
    urgent = await host.run(Command(("true",), is_urgent=True))
    change = await host.run(Command(("true",), Effect.CHANGE))
    await host.run(Command(("hang", "too"), is_urgent=True, timeout_s=2.0))
    too_late = await host.run(Command(("true",), is_urgent=True, timeout_s=0.05))

    assert Outcome.FAILED is reading.outcome
    assert Outcome.DONE is urgent.outcome
    assert Outcome.DONE is change.outcome
    assert Outcome.FAILED is too_late.outcome


async def test_waiting_for_a_channel_is_no_part_of_a_commands_time_and_can_be_given_up(known: Lan) -> None:
    """Many questions at once to a slow host: each has its whole time, and none that was not sent lingers."""
    gate = asyncio.Event()

    async def wait(process: Process) -> None:
        process.stdout.write(MARK + b"\n")
        await gate.wait()
        process.exit(0)

    known.sshd.handlers["slow"] = wait
    host = await known.connected(replace(OPTIONS, max_channels=1))
    began = asyncio.get_running_loop().time()
    first, second, third = (
        asyncio.create_task(host.run(Command(argv))) for argv in (("slow",), ("true",), ("false",))
    )
    await until(lambda: asyncio.get_running_loop().time() > began + 0.1)

    third.cancel()
    await asyncio.wait({third})
    freed = asyncio.get_running_loop().time()
    gate.set()
    slow, quick = await first, await second

    assert (Outcome.DONE, Outcome.DONE) == (slow.outcome, quick.outcome)
    assert quick.duration_s <= asyncio.get_running_loop().time() - freed
    assert not host.is_lingering(Command(("false",)))


@pytest.mark.slow
async def test_sshd_that_refuses_another_session_fails_the_command_only(known: Lan) -> None:
    host = await known.connected()
    known.sshd.max_sessions = 0

    refused = await host.run(Command(("true",), timeout_s=2.0))
    known.sshd.max_sessions = 1
    accepted = await host.run(Command(("true",)))

    assert (Outcome.FAILED, 126) == (refused.outcome, refused.status)
    assert "MaxSessions" in refused.reason
    assert Outcome.DONE is accepted.outcome


async def test_a_session_that_sshd_refuses_is_asked_for_again(known: Lan) -> None:
    """Until others have ended; sshd may allow fewer than we use."""
    known.sshd.max_sessions = 1
    host = await known.connected()

    completed = await asyncio.gather(*(host.run(Command(("true", str(number)))) for number in range(4)))

    assert [Outcome.DONE] * 4 == [each.outcome for each in completed]
    assert 4 == sum(1 for each in known.sshd.commands if "true" in each)


async def test_a_command_that_is_given_up_while_sshd_has_no_room_frees_its_channel(known: Lan) -> None:
    host = await known.connected(replace(OPTIONS, max_channels=1))
    known.sshd.max_sessions = 0
    waiting = asyncio.create_task(host.run(Command(("false",))))
    await until(lambda: known.sshd.refused > 1)

    waiting.cancel()
    await asyncio.wait({waiting})
    known.sshd.max_sessions = 1

    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome
    assert not host.is_lingering(Command(("false",)))


@pytest.mark.slow
async def test_a_deadline_kills_the_remote_command_and_frees_its_channel(known: Lan) -> None:
    host = await known.connected(replace(OPTIONS, max_channels=1))
    command = sh("echo begun; exec sleep 600", timeout_s=3.0)

    completed = await host.run(command)

    assert (Outcome.UNKNOWN, None, b"begun\n") == (completed.outcome, completed.status, completed.stdout)
    assert "no answer within 3 s" == completed.reason
    assert "KILL" == await known.sshd.signals.get()
    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome
    assert not host.is_lingering(command)


@pytest.mark.slow
async def test_where_sshd_passes_on_no_signal_the_command_is_killed_by_its_number(known: Lan) -> None:
    """OpenSSH sends none to what root runs."""
    known.sshd.mute_to_signals = True
    host = await known.connected()
    command = Command(("sleep", "600"), timeout_s=3.0)

    assert Outcome.UNKNOWN is (await host.run(command)).outcome

    await until(lambda: not host.is_lingering(command))
    assert "exec /usr/bin/env -i" in known.sshd.commands[-1]
    assert "kill -KILL -- -" in known.sshd.commands[-1]


@pytest.mark.slow
async def test_a_command_that_a_busy_host_begins_after_its_deadline_is_killed_then(
    known: Lan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zconsole.hosts.ssh.ssh_host.SIGNAL_WAIT_S", 0.0)
    late = asyncio.Event()

    async def busy(process: Process) -> None:
        await late.wait()
        del known.sshd.handlers["600"]
        await known.sshd.serve(process)

    known.sshd.mute_to_signals = True
    known.sshd.handlers["600"] = busy
    host = await known.connected()
    command = Command(("sleep", "600"), timeout_s=2.0)

    assert Outcome.UNKNOWN is (await host.run(command)).outcome
    assert host.is_lingering(command)
    late.set()

    await until(lambda: not host.is_lingering(command))
    assert "kill -KILL -- -" in known.sshd.commands[-1]


async def test_closing_kills_what_still_runs_first(known: Lan) -> None:
    known.sshd.mute_to_signals = True
    host = await known.connected()
    async with host.stream(Command(("sh", "-c", "echo $$; exec sleep 600"))) as chunks:
        pid = int(await anext(chunks))

    await host.close()

    assert f"kill -KILL -- -{pid}" in known.sshd.commands[-1]


@pytest.mark.slow
async def test_what_cannot_be_killed_lingers_until_it_is_gone(known: Lan) -> None:
    end = asyncio.Event()

    async def d_state(process: Process) -> None:
        process.stdout.write(MARK + b"\n")
        await end.wait()
        process.exit(1)

    known.sshd.handlers["zpool"] = d_state
    host = await known.connected()
    command = Command(("zpool", "status", "tank"), timeout_s=2.0)

    assert Outcome.UNKNOWN is (await host.run(command)).outcome
    assert host.is_lingering(command)
    assert not host.is_lingering(Command(("zpool", "status", "rpool")))
    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome

    end.set()
    await until(lambda: not host.is_lingering(command))


@pytest.mark.slow
async def test_what_cannot_be_killed_cannot_flood_us(known: Lan, monkeypatch: pytest.MonkeyPatch) -> None:
    """It dies of SIGPIPE: the channel is closed once it still prints after the kill."""
    monkeypatch.setattr("zconsole.hosts.ssh.channel.KILL_GRACE_S", 0.0)
    monkeypatch.setattr("zconsole.hosts.ssh.ssh_host.SIGNAL_WAIT_S", 60.0)
    known.sshd.mute_to_signals = True
    host = await known.connected()
    command = sh("while :; do echo tick; sleep 0.01; done", timeout_s=2.0)

    assert Outcome.UNKNOWN is (await host.run(command)).outcome

    await until(lambda: not host.is_lingering(command))


async def test_output_past_its_bound_kills_and_is_unknown(known: Lan) -> None:
    host = await known.connected()

    completed = await host.run(Command(("yes",), max_bytes=1000))

    assert (Outcome.UNKNOWN, 1000) == (completed.outcome, len(completed.stdout))
    assert "more than 1000 bytes" in completed.reason
    assert "KILL" == await known.sshd.signals.get()


async def test_endless_stderr_is_bounded(known: Lan) -> None:
    host = await known.connected()

    completed = await host.run(sh("yes | head -c 1000000 >&2; echo last >&2"))

    assert (Outcome.DONE, 65536) == (completed.outcome, len(completed.stderr))


async def test_a_command_that_a_signal_ended_is_unknown(known: Lan) -> None:
    host = await known.connected()

    completed = await host.run(sh("kill -9 $$"))

    assert (Outcome.UNKNOWN, None, "it was killed by SIGKILL") == (
        completed.outcome,
        completed.status,
        completed.reason,
    )


async def test_a_session_that_closes_without_a_status_is_unknown(known: Lan) -> None:
    async def vanish(process: Process) -> None:
        process.stdout.write(MARK + b"\nall is well\n")
        process.channel.close()

    known.sshd.handlers["zfs"] = vanish
    host = await known.connected()

    completed = await host.run(Command(("zfs", "destroy", "tank/home")))

    assert (Outcome.UNKNOWN, None, b"all is well\n") == (
        completed.outcome,
        completed.status,
        completed.stdout,
    )
    assert "without an exit status" in completed.reason


async def test_a_run_that_is_cancelled_kills_its_command(known: Lan) -> None:
    host = await known.connected()
    task = asyncio.create_task(host.run(Command(("sleep", "600"))))
    await until(lambda: known.sshd.commands)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert "KILL" == await known.sshd.signals.get()


async def test_binary_noise_arrives_as_it_was_sent(known: Lan) -> None:
    host = await known.connected()

    completed = await host.run(sh("head -c 300000 /dev/urandom | tee /dev/stderr | cksum; cat /dev/null"))

    assert Outcome.DONE is completed.outcome
    assert 65536 == len(completed.stderr)


async def test_a_stream_gives_its_output_and_ends_with_its_last_words(known: Lan) -> None:
    host = await known.connected()

    received, error = await drained(host, sh("echo one; echo two; echo pool gone >&2; exit 1"))

    assert b"one\ntwo\n" == received
    assert isinstance(error, CommandFailed)
    assert ("sh on nas1: ended with 1", "pool gone") == (error.message, error.said)


async def test_leaving_a_stream_kills_it(known: Lan) -> None:
    host = await known.connected()

    async with host.stream(sh("while :; do echo tick; sleep 0.01; done")) as chunks:
        assert (await anext(chunks)).startswith(b"tick")

    assert "KILL" == await known.sshd.signals.get()
    await until(lambda: known.sshd.sessions == 0)


async def test_a_reader_that_lags_holds_up_the_stream_and_loses_nothing(known: Lan) -> None:
    host = await known.connected()

    received, error = await drained(host, sh("yes | head -c 8000000"))

    assert isinstance(error, CommandFailed)
    assert b"y\n" * 4_000_000 == received


async def test_a_stream_that_sshd_refuses_says_so(known: Lan) -> None:
    host = await known.connected()
    known.sshd.max_sessions = 0

    with pytest.raises(CommandFailed, match="MaxSessions"):
        async with host.stream(Command(("true",))):
            pass


async def test_nothing_can_be_asked_before_the_connection_or_after_it(known: Lan) -> None:
    host = known.host()

    for _ in range(2):
        with pytest.raises(LinkLost, match="no connection to nas1"):
            await host.run(Command(("true",)))
        with pytest.raises(LinkLost, match="no connection to nas1"):
            async with host.stream(Command(("true",))):
                pass
        with pytest.raises(LinkLost, match="no connection to nas1"):
            await host.read("/proc/uptime")
        await host.connect()
        await host.close()


async def test_connect_is_idempotent_and_makes_a_lost_connection_anew(known: Lan) -> None:
    host = known.host()
    await asyncio.gather(host.connect(), host.connect())
    await host.connect()
    assert 1 == known.wire.connections

    known.wire.cut()
    with suppress(LinkLost):
        while True:
            await host.run(Command(("true",)))
    await host.connect()

    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome
    assert 2 == known.wire.connections


async def test_nothing_of_ours_is_lent_to_the_other_side(known: Lan, monkeypatch: pytest.MonkeyPatch) -> None:
    """No agent, no X11, no environment, no terminal, whatever the user's config says."""
    (known.ssh_folder / "config").write_text(
        "Host *\n ForwardAgent yes\n ForwardX11Trusted yes\n SendEnv *\n SetEnv A=b\n RequestTTY force\n"
        " RemoteCommand /bin/evil\n GSSAPIDelegateCredentials yes\n"
    )
    monkeypatch.setenv("SSH_AUTH_SOCK", str(known.ssh_folder / "agent"))
    seen: list[tuple[object, ...]] = []

    async def look(process: Process) -> None:
        channel = process.channel
        seen.append((channel.get_environment(), channel.get_terminal_type(), channel.get_x11_display()))
        seen.append((process.channel.get_connection().get_agent_path(),))
        process.stdout.write(MARK + b"\n")
        process.exit(0)

    known.sshd.handlers["look"] = look
    host = await known.connected()

    assert Outcome.DONE is (await host.run(Command(("look",)))).outcome
    assert [({}, None, None), (None,)] == seen
    assert b"" != await host.read("/proc/uptime")  # nor does the RemoteCommand take the place of SFTP
    assert not any("evil" in command for command in known.sshd.commands)


@pytest.mark.parametrize("status", [None, 0])
async def test_the_exit_status_is_not_believed_without_the_whole_output(
    known: Lan, status: int | None
) -> None:
    """Status 0, then the link goes before the end of the output: nobody knows what is missing."""

    async def half(process: Process) -> None:
        process.stdout.write(MARK + b"\nhalf")
        if status is not None:
            process.channel._send_request(b"exit-status", b"\0\0\0\0")
        await process.stdout.drain()
        process.channel.get_connection().abort()

    known.sshd.handlers["zfs"] = half
    host = await known.connected()

    completed = await host.run(Command(("zfs", "list")))

    assert (Outcome.UNKNOWN, None) == (completed.outcome, completed.status)
    assert "connection was lost" in completed.reason


def test_the_library_never_prints_on_the_screen(capfd: pytest.CaptureFixture[str]) -> None:
    asyncssh.logging.logger.warning("a warning into the middle of the screen")

    assert "" == capfd.readouterr().err


@pytest.mark.parametrize("stdin", [b"x", b"x" * 10_000_000])
async def test_a_command_that_ends_before_it_has_its_stdin_has_ended(known: Lan, stdin: bytes) -> None:
    """Its session is closed before it is known to have begun; what it ended with is what it ended with."""

    async def refuse(process: Process) -> None:
        process.stdout.write(b"1 (cat) R 1 2 3 0\nzconsole-begin-d2f1\n")
        process.exit(3)

    known.sshd.handlers["zfs"] = refuse
    host = await known.connected()

    for _ in range(10):
        done = await host.run(Command(("zfs", "program"), stdin=stdin))

        assert (Outcome.FAILED, 3) == (done.outcome, done.status)
        async with host.pipe(Command(("zfs", "receive"), stdin=stdin)) as running:
            assert 3 == (await running.ended()).status


@pytest.mark.slow
async def test_what_a_library_raises_behind_the_start_leaves_the_end_unknown(
    known: Lan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command may run: nobody says that it did not begin."""

    def stumble(_: Channel) -> None:
        raise KeyError("over this")

    host = await known.connected()
    monkeypatch.setattr(Channel, "session_started", stumble)

    done = await host.run(Command(("sleep", "60"), timeout_s=2.0))

    assert Outcome.UNKNOWN is done.outcome
