"""The processes of a host, word by word, over real ones and over a real connection."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hosts.conftest import Lan
from tests.hosts.ssh.test_shell_quoting_and_output_marker import HERE
from zconsole.hosts.host import Command
from zconsole.hosts.local.local_host import LocalHost
from zconsole.hosts.process_list_and_command_search import (
    LIST_PROCESSES,
    OWN_STAT,
    Process,
    Starter,
    StillRunning,
    is_of,
    parse_processes,
    parse_stat,
    presence,
)
from zconsole.hosts.ssh.shell_quoting_and_output_marker import line

SCRUB = ("zpool", "scrub", "tank")
INIT = Process(1, "systemd", 0, 1, 1, ("/sbin/init",))
LISTENER = Process(700, "sshd", 1, 700, 500, ("sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups",))
SERVES = Process(900, "sshd", 700, 900, 9000, ("sshd: root@notty",))
STARTER = Starter(900, 9000, "sshd")
LONG = ("sleep", "987.25")


@pytest.mark.parametrize(
    ("argv", "is_it"),
    [
        (SCRUB, True),
        (("/usr/sbin/zpool", "scrub", "tank"), True),
        (("sudo", "-n", *SCRUB), True),
        (("/bin/sh", "/usr/local/sbin/zpool", "scrub", "tank"), True),
        (("/usr/bin/env", "-i", "PATH=/bin", *SCRUB), True),
        (("bash", "-c", line(SCRUB).decode()), True),
        (("zpool", "scrub", "tank2"), False),
        (("bash", "-c", line(("zpool", "scrub", "tank2")).decode()), False),
        (("zpool", "scrub", "-s", "tank"), False),
        (("logger", "zpool scrub tank is done"), False),
        (("xzpool", "scrub", "tank"), False),
        ((), False),
    ],
)
def test_a_command_is_known_by_its_words(argv: tuple[str, ...], is_it: bool) -> None:
    assert is_it is is_of(Process(5, "x", 1, 5, 5, argv), SCRUB)


@pytest.mark.parametrize(
    ("more", "starter", "session", "chance"),
    [
        ((), STARTER, None, StillRunning.GONE),
        ((SERVES,), STARTER, None, StillRunning.MAY_START),
        ((SERVES,), STARTER, 950, StillRunning.GONE),
        ((SERVES,), Starter(900, 8999, "sshd"), None, StillRunning.GONE),  # another one has its number now
        ((), None, None, StillRunning.UNSEEN),
        ((Process(951, "zpool", 1, 950, 9100, ("zpool", "x")),), STARTER, 950, StillRunning.RUNS),
        ((Process(951, "zpool", 1, 950, 9100, is_dead=True),), STARTER, 950, StillRunning.GONE),
        ((Process(960, "zpool", 1, 960, 9100, SCRUB),), None, None, StillRunning.RUNS),
        ((Process(970, "sshd", 1, 970, 9100, ("sshd: root@notty",)),), STARTER, None, StillRunning.MAY_START),
        ((Process(971, "sshd", 700, 971, 9100, ("sshd: ann@notty",)),), STARTER, None, StillRunning.GONE),
    ],
)
def test_nothing_of_it_is_left_only_where_nothing_can_become_it(
    more: tuple[Process, ...], starter: Starter | None, session: int | None, chance: StillRunning
) -> None:
    assert chance is presence((INIT, LISTENER, *more), SCRUB, starter, session).chance


def test_where_not_even_the_first_process_is_seen_nothing_is_proved() -> None:
    assert StillRunning.UNSEEN is presence((SERVES,), SCRUB, Starter(1234, 1, "sshd"), 950).chance


@given(st.binary(max_size=400))
def test_whatever_is_printed_is_read(data: bytes) -> None:
    parse_processes(data)
    parse_stat(data.decode("utf-8", "surrogateescape"))


def test_a_name_with_brackets_and_an_argument_with_a_line_break_are_read() -> None:
    stat = "77 (a) b) (c) S 5 77 76 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 4711 0"
    found = parse_processes(f"/proc/77/stat:{stat}\n\0/proc/77/cmdline:a\nb\0/proc/77/cmdline:\0".encode())

    assert (Process(77, "a) b) (c", 5, 76, 4711, ("a\nb", "")),) == found


@pytest.fixture(params=HERE)
def child(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    """A command as sshd starts it, by a login shell of each kind."""
    made = subprocess.Popen([request.param, "-c", line(LONG)], stdout=subprocess.PIPE, start_new_session=True)
    assert made.stdout is not None
    made.stdout.readline(), made.stdout.readline()
    yield made
    made.kill()
    made.wait()
    made.stdout.close()


async def test_a_real_command_is_seen_while_it_runs_and_gone_when_it_is(
    child: subprocess.Popen[bytes],
) -> None:
    host = LocalHost()

    running = presence(parse_processes((await host.run(LIST_PROCESSES)).stdout), LONG, None, child.pid)
    child.kill()
    child.wait()
    over = presence(parse_processes((await host.run(LIST_PROCESSES)).stdout), LONG, None, child.pid)

    assert (StillRunning.RUNS, StillRunning.GONE) == (running.chance, over.chance)
    assert f"as process {child.pid}" in running.words


@pytest.mark.slow
async def test_who_starts_commands_is_told_over_a_connection(known: Lan) -> None:
    """The parent of a command, which takes the place of its login shell."""
    host = await known.connected()
    before = host.connection

    own = parse_stat((await host.run(OWN_STAT)).stdout.decode())
    completed = await host.run(Command(LONG, timeout_s=3.0))

    assert own is not None
    assert own.number == own.session
    assert b"python" in (await host.read(f"/proc/{own.parent}/cmdline"))
    assert 1 == before
    assert completed.session is not None
