"""QEMU by the names that distributions give it."""

from __future__ import annotations

import pytest

from zconsole.system.qemu_processes import QemuGuest, is_qemu, parse_command_line


@pytest.mark.parametrize("program", ["qemu-system-x86_64", "qemu-system-aarch64", "qemu-kvm", "kvm"])
def test_programs_of_distributions_are_known(program: str) -> None:
    assert is_qemu(program)


@pytest.mark.parametrize("program", ["qemu-img", "qemu-nbd", "kvm-ok", "qemu-ga", ""])
def test_its_tools_are_no_guests(program: str) -> None:
    assert not is_qemu(program)


@pytest.mark.parametrize(
    ("words", "guest"),
    [
        (("-name", "guest=web01,debug-threads=on", "-uuid", "AB-1"), QemuGuest("web01", "ab-1")),
        (("-name", "web01"), QemuGuest("web01")),
        (("-name", "web01,process=x"), QemuGuest("web01")),
        (("-name", "guest=a,,b,debug-threads=on"), QemuGuest("a,b")),
        (("-name", "debug-threads=on"), QemuGuest()),
        (("-m", "16"), QemuGuest()),
        (("-name",), QemuGuest()),
    ],
)
def test_a_command_line_tells_its_guest(words: tuple[str, ...], guest: QemuGuest) -> None:
    line = "".join(f"{each}\0" for each in ("/usr/bin/qemu-system-x86_64", *words))

    assert guest == parse_command_line(line)
