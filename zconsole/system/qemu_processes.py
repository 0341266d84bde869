"""Names of QEMU's programs."""

from __future__ import annotations

import re
from typing import Final

_QEMU: Final = re.compile(r"(?:qemu-system-[\w.-]+|qemu-kvm|kvm)")


def is_qemu(program: str) -> bool:
    """Whether a program's file name is that of QEMU."""
    return _QEMU.fullmatch(program) is not None
