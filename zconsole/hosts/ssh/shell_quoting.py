r"""The one line that a login shell of any kind turns back into the argv that was meant.

sshd hands a command to the user's login shell, whatever that is: sh, dash, bash, mksh, zsh, fish, tcsh.
They agree on this much: between single quotes every character but `'`, `\` and `!` stands for itself, and
these three do after a backslash outside of quotes. (`shlex.quote` leaves `=` bare, which zsh expands, and
trusts `\` in quotes to fish and `!` to tcsh.) They agree on no way to write a line break: none is sent.

What a shell's own start-up files print comes before the mark, and is thrown away; what they print to stderr
is part of the command's last words. Before the mark stands also which session of processes this is, so that
it can be killed: sshd passes on no signals to what root runs.
"""

from __future__ import annotations

import re
from typing import Final

from zconsole.hosts.command_results import unsendable
from zconsole.hosts.host import ENVIRONMENT

MARK: Final = b"zconsole-begin-d2f1"
WHOAMI: Final = b"/usr/bin/env cat /proc/self/stat"
_STAT: Final = re.compile(
    rb"(?<!\d)\d{1,10} \([^()\n]{0,64}\) \S (\d{1,10}) (\d{1,10}) (\d{1,10}) [^\n]*\n\Z"
)  # parent, group, session
_STAT_BYTES: Final = 1024
_MARK_LINE: Final = MARK + b"\n"
MAX_LINE_BYTES: Final = 128 * 1024  # of one argument of execve on Linux: the shell gets the line as one
NOISE_KEPT_BYTES: Final = 4096
_BARE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")
_APART: Final = frozenset("'\\!")


def quote(word: str) -> str:
    """A word for the command line of any login shell."""
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
    """Why this argv cannot be sent to another host, or nothing."""
    if reason := unsendable(argv):
        return reason
    if any("\n" in word for word in argv):
        return "an argument holds a line break, which not every login shell can be told"
    if argv[0].startswith("-") or "=" in argv[0]:
        return "env(1) would not take this for the name of a program"
    if len(line(argv)) > MAX_LINE_BYTES:
        return f"its arguments are longer than {MAX_LINE_BYTES} bytes"
    return ""


def line(argv: tuple[str, ...]) -> bytes:
    """The command line: a mark, then the program in a constructed environment, in place of the shell."""
    variables = (f"{name}={value}" for name, value in ENVIRONMENT)
    words = ("exec", "/usr/bin/env", "-i", *map(quote, variables), *map(quote, argv))
    return WHOAMI + b"; echo " + MARK + b"; " + " ".join(words).encode("utf-8", "surrogateescape")


class OutputMarker:
    """Takes off whatever the login shell printed before it came to the command."""

    def __init__(self) -> None:
        self.is_past = False
        self.session: int | None = None  # of processes: the login shell and the command in its place lead it
        self._waiting = b""
        self._noise = bytearray()

    @property
    def noise(self) -> bytes:
        """The beginning of what came before the mark."""
        return bytes((self._noise + self._waiting)[:NOISE_KEPT_BYTES])

    def strip(self, data: bytes) -> bytes:
        """What of this is the command's own."""
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
    """The session that cat(1) found itself in, if its parent leads it; else it is not ours to kill."""
    found = _STAT.search(before[-_STAT_BYTES:])
    if found is None:
        return None
    parent, group, session = map(int, found.groups())
    return session if parent == group == session > 1 else None
