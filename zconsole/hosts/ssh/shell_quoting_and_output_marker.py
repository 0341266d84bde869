r"""Quoting of an argv into one command line that every login shell parses back unchanged.

sshd passes a command to the user's login shell: sh, dash, bash, mksh, zsh, fish or tcsh. All of them agree
that between single quotes every character but `'`, `\` and `!` is literal, and that these three can be
escaped by a backslash outside quotes. (`shlex.quote` leaves `=` bare, which zsh expands, and leaves `\` to
fish and `!` to tcsh.) There is no common way to write a line break: none is sent.

Output of the shell's start-up files precedes the mark and is discarded; their stderr is part of the command's
stderr. Just before the mark comes the session id of the processes, needed to kill them: sshd passes no
signals to root's processes.
"""

from __future__ import annotations

import re
from typing import Final

from zconsole.hosts.build_command_results import unsendable
from zconsole.hosts.host import ENVIRONMENT

MARK: Final = b"zconsole-begin-d2f1"
WHOAMI: Final = b"/usr/bin/env cat /proc/self/stat"
_STAT: Final = re.compile(
    rb"(?<!\d)\d{1,10} \([^()\n]{0,64}\) \S (\d{1,10}) (\d{1,10}) (\d{1,10}) [^\n]*\n\Z"
)  # parent, group, session
_STAT_BYTES: Final = 1024
_MARK_LINE: Final = MARK + b"\n"
MAX_LINE_BYTES: Final = 128 * 1024  # of one execve argument on Linux: the shell gets the line as one argument
NOISE_KEPT_BYTES: Final = 4096
_BARE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")
_APART: Final = frozenset("'\\!")


def quote(word: str) -> str:
    """Quote a word for any login shell."""
    if word and _BARE.issuperset(word):
        return word
    parts: list[str] = []
    run: list[str] = []
    for character in word:
        if character not in _APART:
            run.append(character)
            continue
        if run:
            parts.append(f"'{''.join(run)}'")
            run.clear()
        parts.append(f"\\{character}")
    if run or not parts:
        parts.append(f"'{''.join(run)}'")
    return "".join(parts)


def why_not(argv: tuple[str, ...]) -> str:
    """Why this argv cannot be sent to another host, or an empty string."""
    if reason := unsendable(argv):
        return reason
    if any("\n" in word for word in argv):
        return "an argument holds a line break, which not every login shell can be given"
    if argv[0].startswith("-") or "=" in argv[0]:
        return "env(1) does not accept this as a program name"
    if len(line(argv)) > MAX_LINE_BYTES:
        return f"its arguments are longer than {MAX_LINE_BYTES} bytes"
    return ""


def line(argv: tuple[str, ...]) -> bytes:
    """The command line: the mark, then exec of the program with a constructed environment."""
    variables = (f"{name}={value}" for name, value in ENVIRONMENT)
    words = ("exec", "/usr/bin/env", "-i", *map(quote, variables), *map(quote, argv))
    return WHOAMI + b"; echo " + MARK + b"; " + " ".join(words).encode("utf-8", "surrogateescape")


class OutputMarker:
    """Filter that removes the login shell's output before the command's own."""

    def __init__(self) -> None:
        self.is_past = False
        self.session: int | None = None  # session id of the login shell and of the command that replaces it
        self._waiting = b""
        self._noise = bytearray()

    @property
    def noise(self) -> bytes:
        """The beginning of the output before the mark."""
        return bytes((self._noise + self._waiting)[:NOISE_KEPT_BYTES])

    def strip(self, data: bytes) -> bytes:
        """The part of these bytes that is the command's own."""
        if self.is_past:
            return data
        before, found, after = (self._waiting + data).partition(_MARK_LINE)
        if found:
            self.is_past = True
            self.session = _leader(before)
            self._waiting = b""
            return after
        keep = _STAT_BYTES
        self._waiting = before[-keep:]
        if len(self._noise) < NOISE_KEPT_BYTES:
            self._noise += before[:-keep]
        return b""


def _leader(before: bytes) -> int | None:
    """The session id reported by cat(1) if its parent leads that session, or else None."""
    found = _STAT.search(before[-_STAT_BYTES:])
    if found is None:
        return None
    parent, group, session = map(int, found.groups())
    return session if parent == group == session > 1 else None
