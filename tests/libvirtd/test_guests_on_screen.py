"""The console on a terminal, on a host of a practice pool and a real libvirtd, over SSH."""

from __future__ import annotations

import time

import pytest

from tests.lab.console import confirm, type_slowly
from tests.libvirtd.conftest import Console
from tests.libvirtd.sandbox import Sandbox
from tests.ui.terminal.tty import Tty
from zconsole.collect.on_demand.guest_watch import AT_MOST_EVERY_S, RETRY_S

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]

DATASET = "tank/vm/files"
FOLLOWS = "event --all"
FINDINGS = "worst first"  # on the screen Findings alone
MOST_AFTER_AN_EVENT = 12  # two readings of two guests, and their errors


def row_has(tty: Tty, *words: str) -> bool:
    return any(all(word in line for word in words) for line in tty.screen.display)


def until_row(tty: Tty, *words: str, seconds: float = 60.0) -> None:
    tty.until(lambda shown: row_has(shown, *words), seconds=seconds)


def until_gone(tty: Tty, text: str, seconds: float = 60.0) -> None:
    tty.until(lambda shown: not row_has(shown, text), seconds=seconds)


def until_followed(tty: Tty, virt: Sandbox) -> None:
    """Until the console listens to libvirt's events."""
    tty.until(lambda _: any(FOLLOWS in call for call in virt.calls()))


def asked(virt: Sandbox, words: str) -> int:
    return sum(words in call for call in virt.calls())


def test_a_guest_that_its_full_file_system_stops_is_on_the_first_screen_and_resumed_by_a_key(
    virt: Sandbox, console: Console
) -> None:
    folder = virt.storage("files", "8m")
    virt.path(f"{folder}/ballast").write_bytes(bytes(4 << 20))
    virt.define("web01", f"{folder}/web01.qcow2", writes=True)
    virt.define("db02", f"{folder}/db02.qcow2")
    virt.virsh("start", "db02")
    with console() as tty:
        until_followed(tty, virt)
        before = len(virt.calls())
        virt.virsh("start", "web01")
        virt.until_state("web01", "paused (I/O error)")

        until_row(tty, "tank", "guest web01 is paused")
        assert MOST_AFTER_AN_EVENT >= len(virt.calls()) - before

        tty.type("f")
        until_row(tty, FINDINGS)
        until_row(tty, "guest web01 is paused by an I/O error: no space for vdb")
        tty.type("\x1b")
        until_gone(tty, FINDINGS)
        tty.type("V")
        until_row(tty, "web01", "paused by an I/O error", DATASET)
        until_row(tty, "db02", "running", DATASET)

        virt.enlarge(folder)
        tty.type("u")
        assert "web01" in confirm(tty)
        until_row(tty, ": DONE")
        type_slowly(tty, "\x1b")
        until_row(tty, "web01", "running")
        virt.until_grown(f"{folder}/web01.qcow2", 5 << 20)
        tty.type("\x1b")
        until_row(tty, "tank", "ONLINE")
        until_gone(tty, "paused by an I/O error")


def test_what_happens_to_guests_is_seen_by_events_with_a_bounded_number_of_commands(
    virt: Sandbox, console: Console
) -> None:
    folder = virt.storage("files", "8m")
    virt.define("db02", f"{folder}/db02.qcow2")
    with console() as tty:
        tty.until_shown("tank")
        tty.type("V")
        until_row(tty, "db02", "shut off")
        until_followed(tty, virt)
        began, before = time.monotonic(), asked(virt, "domstats")

        virt.virsh("start", "db02")
        until_row(tty, "db02", "running")
        virt.define("mail03", f"{folder}/mail03.qcow2")
        until_row(tty, "mail03", "shut off")
        for _ in range(20):
            virt.virsh("suspend", "db02")
            virt.virsh("resume", "db02")
        virt.virsh("suspend", "db02")
        until_row(tty, "db02", "paused")
        virt.virsh("resume", "db02")
        virt.virsh("shutdown", "db02")
        until_row(tty, "db02", "shut off")
        virt.virsh("undefine", "mail03")
        until_gone(tty, "mail03")

        most = 2 + (time.monotonic() - began) / AT_MOST_EVERY_S
        assert most >= asked(virt, "domstats") - before
        assert 1 == asked(virt, FOLLOWS)
        tty.until_quiet()


def test_a_libvirtd_that_dies_or_hangs_costs_its_guests_alone_and_comes_back(
    virt: Sandbox, console: Console
) -> None:
    folder = virt.storage("files", "8m")
    virt.define("db02", f"{folder}/db02.qcow2")
    virt.virsh("start", "db02")
    with console() as tty:
        tty.until_shown("tank")
        tty.type("V")
        until_row(tty, "db02", "running")
        until_followed(tty, virt)

        virt.signal_libvirtd("KILL")
        until_row(tty, "failed to connect to the hypervisor")
        assert row_has(tty, "db02", "running"), "the last that was known"
        virt.until_dead()
        virt.start_libvirtd()
        until_gone(tty, "failed to connect", seconds=2 * RETRY_S)
        assert 2 == asked(virt, FOLLOWS)

        virt.signal_libvirtd("STOP")
        try:
            tty.type("\x1b")
            tty.until_shown("USED OF USABLE")
            tty.type("V")
            until_row(tty, "virsh domstats on nas1 gave no answer")
            tty.type("\x1b")
            until_row(tty, "nas1 · 3 pools", "live")
        finally:
            virt.signal_libvirtd("CONT")
        virt.virsh("suspend", "db02")
        tty.type("V")
        until_row(tty, "db02", "paused")
        until_gone(tty, "gave no answer")
