"""The argv that arrives is the argv that was meant, whatever the login shell."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from zconsole.hosts.ssh.shell_quoting_and_output_marker import (
    MARK,
    NOISE_KEPT_BYTES,
    OutputMarker,
    line,
    quote,
    why_not,
)

SHELLS = ("sh", "dash", "bash", "zsh", "fish", "tcsh", "csh", "mksh", "ksh", "ash")
HERE = tuple(shell for shell in SHELLS if shutil.which(shell))
HOSTILE = "'\"\\!`$&|;<>(){}[]*?~#%^=@:,+- \t\r\x1b\x7f\x01é\u2028\uf6e9\U0001f600abz019"

argument = st.one_of(
    st.text(st.sampled_from(HOSTILE), max_size=12),
    st.text(st.characters(codec="utf-8", exclude_characters="\0\n"), max_size=12),
    st.binary(max_size=8).map(
        lambda raw: raw.replace(b"\0", b"").replace(b"\n", b"").decode("utf-8", "surrogateescape")
    ),
)


def arrived(shell: str, words: list[str], folder: Path) -> bytes:
    """What a program is given when a login shell of this kind gets the line."""
    done = subprocess.run(
        [shell, "-c", line(("printf", "%s\\0", *words))],
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        timeout=30,
    )
    assert b"" == done.stderr
    mark = OutputMarker()
    own = mark.strip(done.stdout)
    assert mark.is_past
    return own


@pytest.mark.parametrize("shell", HERE)
def test_argv_arrives_as_it_was_meant(
    shell: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    """Through a real shell: nothing expanded, nothing run, nothing lost, not a byte."""
    folder = tmp_path_factory.mktemp("cwd")
    (folder / "a file").write_text("for patterns to match")
    examples = 2000 if request.config.getoption("--long") else 25

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(words=st.lists(argument, min_size=1, max_size=8))
    @example(
        words=["=ls", "a\\\\b", "ends with \\", "\\'", "!!", "a!b", "$(touch pwned)", "`id`", "~", "*", ""]
    )
    @example(
        words=["-n", "--", "%s", "$HOME", "\udcff\udc80", "\uf6e9", "x=y", "{a,b}", "#", "'", '"', "\\n"]
    )
    def check(words: list[str]) -> None:
        assert b"".join(os.fsencode(word) + b"\0" for word in words) == arrived(shell, words, folder)

    check()
    assert ["a file"] == [path.name for path in folder.iterdir() if path.name in ("a file", "pwned")]


def test_some_shells_are_here_to_be_tested() -> None:
    assert "sh" in HERE


@pytest.mark.parametrize("shell", HERE)
def test_the_program_takes_the_place_of_the_shell_in_a_constructed_environment(
    shell: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [shell, "-c", line(("env",))],
        check=True,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ZFS_COLOR": "1", "LC_ALL": "C"},
    )

    assert {
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "TZ=UTC",
        "LC_ALL=C.UTF-8",
    } == set(OutputMarker().strip(done.stdout).decode().splitlines())


@pytest.mark.parametrize("shell", HERE)
def test_the_session_to_kill_is_known_before_the_program_starts(shell: str, tmp_path: Path) -> None:
    """As sshd starts it, the login shell leads a session, and the program takes its place."""
    child = subprocess.Popen(
        [shell, "-c", line(("sh", "-c", "echo $$"))],
        stdout=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        start_new_session=True,
    )
    output, _ = child.communicate()
    mark = OutputMarker()

    assert child.pid == int(mark.strip(output))
    assert child.pid == mark.session


@pytest.mark.parametrize(
    "stat",
    [
        b"",
        b"77 (cat) R 5 5 1 0\n",  # the parent leads a group, not a session
        b"77 (cat) R 5 4 5 0\n",
        b"77 (cat) R 1 1 1 0\n",  # never the first process
        b"77 (cat) R 0 0 0 0\n",
        b"77 (cat) R 5 5 5 0\nlogin banner\n",
        b"77 (cat) R 5 5 5 0 cut",
        b"(cat) R 5 5 5 0\n",
    ],
)
def test_a_session_that_is_not_the_commands_own_is_never_named(stat: bytes) -> None:
    mark = OutputMarker()
    mark.strip(b"noise\n" + stat + MARK + b"\n")

    assert mark.is_past
    assert None is mark.session


def test_noise_does_not_hide_the_session() -> None:
    mark = OutputMarker()
    for byte in b"x" * 5000 + b"9 (cat) R 1 1 1 \n77 (busybox) R 512 512 512 0 -1 4\n" + MARK + b"\n":
        mark.strip(bytes([byte]))

    assert 512 == mark.session


def test_a_plain_word_stays_readable() -> None:
    assert ["zpool", "/dev/sda", "-Hp", "''", "'a b'", "\\'", "'a'\\!", "'x=y'"] == [
        quote(word) for word in ("zpool", "/dev/sda", "-Hp", "", "a b", "'", "a!", "x=y")
    ]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("zfs", "a\nb"), "line break"),
        (("zfs", "a\0b"), "NUL"),
        ((), "no program"),
        (("-i",), "as a program name"),
        (("PATH=/tmp",), "as a program name"),
        (("zfs", "x" * (128 * 1024)), "longer than"),
        (("zfs", "\ud800"), "not UTF-8"),
    ],
)
def test_what_no_shell_can_be_told_is_refused(argv: tuple[str, ...], words: str) -> None:
    assert words in why_not(argv)


def test_all_else_is_sent() -> None:
    assert "" == why_not(("zfs", "set", "a:b=\x1b[31m\r\u2028é'\"\\!", "tank/a b"))


@given(noise=st.binary(max_size=200), own=st.binary(max_size=200), cuts=st.lists(st.integers(0, 450)))
def test_the_mark_parts_noise_from_answer_wherever_packets_end(
    noise: bytes, own: bytes, cuts: list[int]
) -> None:
    whole = noise + MARK + b"\n" + own
    mark, heard = OutputMarker(), b""
    edges = [0, *sorted(cut for cut in cuts if cut <= len(whole)), len(whole)]

    for start, end in pairwise(edges):
        heard += mark.strip(whole[start:end])

    assert own == heard
    assert mark.is_past


@given(noise=st.binary(max_size=3 * NOISE_KEPT_BYTES), piece=st.integers(1, 5000))
def test_noise_without_an_answer_is_kept_in_part(noise: bytes, piece: int) -> None:
    mark = OutputMarker()

    for start in range(0, len(noise), piece):
        assert b"" == mark.strip(noise[start : start + piece])

    assert not mark.is_past
    assert noise.startswith(mark.noise)
    assert min(len(noise), NOISE_KEPT_BYTES) == len(mark.noise)
