"""The keys of the walker: single ones, bytes that are none, pasted text, and ways that lead somewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zconsole.views.layout.screen_key_registry import ACTIONS

NAMED: Final[Mapping[str, bytes]] = {
    "enter": b"\r", "escape": b"\x1b", "backspace": b"\x7f", "space": b" ", "tab": b"\t",
    "home": b"\x1b[H", "end": b"\x1b[F", "up": b"\x1b[A", "down": b"\x1b[B",
    "right": b"\x1b[C", "left": b"\x1b[D", "pageup": b"\x1b[5~", "pagedown": b"\x1b[6~", "f1": b"\x1bOP",
    "f2": b"\x1bOQ", "f5": b"\x1b[15~", "f6": b"\x1b[17~", "f7": b"\x1b[18~",
    "delete": b"\x1b[3~", "shift+tab": b"\x1b[Z",
    "plus": b"+", "asterisk": b"*", "minus": b"-", "slash": b"/", "left_square_bracket": b"[",
    "right_square_bracket": b"]", "left_curly_bracket": b"{", "right_curly_bracket": b"}",
    "full_stop": b".",
    "less_than_sign": b"<", "greater_than_sign": b">", "equals_sign": b"=", "question_mark": b"?",
    "ctrl+p": b"\x10", "ctrl+d": b"\x04", "ctrl+o": b"\x0f", "ctrl+r": b"\x12", "ctrl+s": b"\x13",
    "left_parenthesis": b"(", "right_parenthesis": b")", "backslash": b"\\", "colon": b":",
    "ctrl+l": b"\x0c", "ctrl+u": b"\x15", "ctrl+a": b"\x01", "ctrl+k": b"\x0b",
}  # fmt: skip
LEAVING: Final = ("q", "ctrl+q", "ctrl+c", "ctrl+z")  # rare, and not at all
STRANGE: Final = (
    b"\x1b[99999999999u", b"\x1b[55296u", b"\x1b[97;5u", b"\x1b[1114112;1;55296u", b"\x1b[48;0;0;0;0t",
    b"\x1b[48;30000;30000;1;1t", b"\x1b[1;5R", b"\x1bO", b"\x1b[<0;-1;5M", b"\x1b[<99999;1;1M",
    b"\x1b[M !!",
    b"\x1b[?2026;2$y", b"\x1b[?2048;1$y", b"\x1b]11;rgb:0/0/0\x07", b"\x1bP1$r0m\x1b\\", b"\x1b[200",
    b"\x1b[",     b"\x1b\x1b\x1b[A", b"\x9b1;1R", b"\x1b[27;5;9~", b"\x1b[1;1H", b"\x1b[57441;1u", b"\x00",
    b"\x1f\x1e\x1d",
)  # fmt: skip
BROKEN: Final = (
    b"\xc3",
    b"\xff\xfe",
    b"\xe2\x82",
    b"\xf0\x9f\x92",
    b"\x80",
    b"\xed\xa0\x80",
    "é漢👩‍👩‍👧".encode(),
)
PASTES: Final = (
    "tank\nbulk", "destroy tank\nyes\ny\n", "a\r\nD\r\nD\r\nn\r\n", "\n\n\n", "", "x" * 3000, "y\ty\x1b[Ay",
    "storage1:tank/home\ryes", "é漢👩‍👩‍👧\n\u202e", "/(a+)+$/", "\x00\x01\x02\x7f", "\x1b[48;9;9;9;9t",
    "q\nq\nq\nq\nq",
)  # fmt: skip
WAYS: Final = (
    "D plus down down b enter escape", "D down F 1 G enter", "D down K", "P", "enter n w", "L enter",
    "J enter", "U s t", "D plus down down = s b", "a delete", "a 2", "a enter", "D down a enter enter",
    "D delete", "D ctrl+d",
    "D b escape", ": t a n k enter", ": q escape", "y enter", "y 1", "n n N", "D F 1 0 G enter",
    "P enter 5 escape ctrl+s", "P tab tab tab", "m x enter", "ctrl+s enter", "U", "a S enter",
    "D end a enter", "enter R", "T down down enter", "e enter", "C h y", "f enter", "enter 3 3",
    "enter tab tab tab", "L",
    "A", "V", "D K", "D = s x", "a s", "D a s", "D down plus a h", "enter down a o", "enter down a",
    "a S enter", "a S enter YES", "D end a h a g enter YES", "D down a s x 1 enter YES",
    "D down a s x 2 enter enter YES", "enter down down a enter YES", "a enter YES",
)  # fmt: skip


def key_pool() -> list[tuple[str, bytes]]:
    """Every key that does something somewhere, those that lead elsewhere more often."""
    names = [key for action in ACTIONS for key in action.keys if key not in LEAVING]
    names += ["up", "down", "enter", "escape"] * 8 + [
        "left",
        "right",
        "pageup",
        "pagedown",
        "tab",
        "shift+tab",
    ]
    names += [
        "f1",
        "f2",
        "f5",
        "f6",
        "f7",
        "delete",
        "ctrl+u",
        "ctrl+a",
        "ctrl+k",
        "space",
        "y",
        "n",
        "a",
        "a",
        "a",
        "D",
        "D",
    ]
    names += [*"abcdefghijklmnoprstuvwxyz0123456789:@/~%", "q", "q"]
    return [(name, NAMED.get(name) or name.encode()) for name in names if name in NAMED or len(name) == 1]
