"""Calls that may wait for a disk."""

from __future__ import annotations

import threading

import pytest

from zconsole.storage.run_in_thread import TookTooLong, patiently


async def test_the_result_comes_from_another_thread() -> None:
    assert threading.get_ident() != await patiently(threading.get_ident)


async def test_an_error_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        await patiently(divmod, 1, 0)


async def test_what_hangs_is_left_behind_in_time() -> None:
    held = threading.Event()

    def read_the_disk() -> None:
        held.wait()

    with pytest.raises(TookTooLong, match=r"read_the_disk took more than 0\.01 s"):
        await patiently(read_the_disk, within_s=0.01)

    held.set()


async def test_a_late_result_is_nobodys_any_more() -> None:
    go_on, ended = threading.Event(), threading.Event()

    def read_late() -> int:
        go_on.wait()
        ended.set()
        return 7

    with pytest.raises(TookTooLong):
        await patiently(read_late, within_s=0.01)
    go_on.set()

    assert ended.wait(10)
    assert 8 == await patiently(lambda: 8)
