"""QEMU by the names that distributions give it."""

from __future__ import annotations

import pytest

from zconsole.system.qemu_processes import is_qemu


@pytest.mark.parametrize("program", ["qemu-system-x86_64", "qemu-system-aarch64", "qemu-kvm", "kvm"])
def test_programs_of_distributions_are_known(program: str) -> None:
    assert is_qemu(program)


@pytest.mark.parametrize("program", ["qemu-img", "qemu-nbd", "kvm-ok", "qemu-ga", ""])
def test_its_tools_are_no_guests(program: str) -> None:
    assert not is_qemu(program)
