"""Processes of QEMU: the names of its programs, and the guest that a command line is of."""

from __future__ import annotations

import itertools
import re
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

_QEMU: Final = re.compile(r"(?:qemu-system-[\w.-]+|qemu-kvm|kvm)")
_PARTS: Final = re.compile(r"(?:[^,]|,,)+")  # of an option's value: a comma in it is doubled
_NAME, _UUID, _GUEST = "name", "uuid", "guest="


@dataclass(frozen=True, slots=True)
class QemuGuest:
    """Guest of a process of QEMU; empty where the command line does not tell."""

    name: str = ""
    uuid: str = ""


def is_qemu(program: str) -> bool:
    """Whether a program's file name is that of QEMU."""
    return _QEMU.fullmatch(program) is not None


def command_line_of(process: int) -> str:
    """Path of the file with the arguments of a process."""
    return f"/proc/{process}/cmdline"


def parse_command_line(text: str) -> QemuGuest:
    """The guest of a command line as /proc has it: arguments that end with NUL."""
    words = text.split("\0")
    found: dict[str, str] = {}
    for option, value in itertools.pairwise(words):
        key = option.removeprefix("-").removeprefix("-")
        if option.startswith("-") and key in {_NAME, _UUID}:
            found[key] = value
    return QemuGuest(_name(found.get(_NAME, "")), found.get(_UUID, "").lower())


def _name(value: str) -> str:
    """`web01`, or `guest=web01,debug-threads=on`."""
    for each in _PARTS.findall(value):
        if each.startswith(_GUEST) or "=" not in each:
            return str(each.removeprefix(_GUEST).replace(",,", ","))
    return ""
