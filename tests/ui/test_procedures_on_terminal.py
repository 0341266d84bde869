"""Procedures through the keys of the real program on a pseudo-terminal."""

from __future__ import annotations

import pytest

from tests.ui.terminal.tty import Tty

DOWN, ENTER = "\x1b[B", "\r"
SETTLES_S = 1.0  # a live host is never quiet
SIZES = {"80x24": (80, 24), "160x50": (160, 50)}


def shows(tty: Tty, *words: str) -> None:
    """Wait until all words are on the screen, wherever lines break."""
    tty.until(lambda tty: all(each in " ".join(" ".join(tty.screen.display).split()) for each in words))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_vdev_offers_larger_disks_and_the_next_one_is_planned(size: tuple[int, int]) -> None:
    with Tty("zconsole", "--demo", size=size) as tty:
        shows(tty, "tank", "Enter open")
        tty.read(SETTLES_S)
        for _ in range(2):
            tty.type(DOWN)
            tty.read(0.2)
        tty.type(ENTER)
        shows(tty, "mirror-0", "mirror-1")
        tty.read(SETTLES_S)
        tty.type(DOWN)
        tty.read(0.2)
        tty.type("R")
        shows(tty, "step by step", "larger disks")
        tty.read(SETTLES_S)
        tty.type(ENTER)
        shows(tty, "is to be replaced", "4 new disk")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_disk_blinks_by_reads_and_a_host_without_hot_swap_is_shut_down(size: tuple[int, int]) -> None:
    with Tty("zconsole", "--demo=failed-disk", size=size) as tty:
        shows(tty, "The phone")
        tty.read(SETTLES_S)
        tty.type(ENTER)
        shows(tty, "tank DEGRADED")
        tty.read(SETTLES_S)
        tty.type("R")
        shows(tty, "ZC13A0R7 (bay 2) has failed", "2 identify")
        tty.read(SETTLES_S)
        tty.type("i")
        shows(tty, "is read in bursts")
        tty.read(SETTLES_S)
        tty.type(ENTER)
        shows(tty, "2 identify")
        tty.read(SETTLES_S)
        tty.type("B")
        shows(tty, "3 take out now", "shutdown -h now")
