"""A fault of zconsole's own costs the part that it is in."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed, LinkLost, ParseError, ZConsoleError
from zconsole.collect import fault_isolation
from zconsole.collect.fault_isolation import InternalFault, again_and_again, contained
from zconsole.storage import crash_report


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(crash_report, "log_folder", lambda: tmp_path)
    monkeypatch.setattr(fault_isolation, "_reported", set())
    return tmp_path


def fail(error: BaseException) -> None:
    with contained("the status of tank"):
        raise error


def test_what_no_code_expects_becomes_a_sentence_with_a_report(folder: Path) -> None:
    with pytest.raises(
        InternalFault, match="zconsole itself failed at the status of tank: KeyError"
    ) as raised:
        fail(KeyError("x"))

    assert 1 == len(list(folder.iterdir()))
    assert str(folder) in raised.value.hint


def test_the_same_fault_is_written_down_once(folder: Path) -> None:
    for _ in range(3):
        with pytest.raises(InternalFault):
            fail(KeyError("x"))

    assert 1 == len(list(folder.iterdir()))


@pytest.mark.parametrize("error", [LinkLost("gone"), TimeoutError(), ExceptionGroup("x", [LinkLost("gone")])])
def test_what_was_raised_on_purpose_goes_through(error: Exception) -> None:
    with pytest.raises(type(error)) as raised:
        fail(error)

    assert error is raised.value


async def test_a_collector_that_fails_is_begun_again_after_a_while() -> None:
    clock, said, runs = Quick(), list[ZConsoleError](), list[int]()

    async def collect() -> None:
        runs.append(len(runs))
        if len(runs) < 3:
            raise KeyError("x")

    await again_and_again("datasets", collect, said.append, clock)

    assert [0, 1, 2] == runs
    assert 2 == len(said)
    assert 2 == len(clock.slept)
    assert min(clock.slept) > 0


@pytest.mark.parametrize(
    "error",
    [CommandFailed("x", said="no such pool"), ExceptionGroup("x", [ParseError("zpool list", 1, "x", "odd")])],
)
async def test_an_error_of_one_part_is_said_in_its_own_words_and_the_part_goes_on(
    error: Exception,
) -> None:
    said, runs = list[ZConsoleError](), list[int]()

    async def collect() -> None:
        runs.append(len(runs))
        if len(runs) == 1:
            raise error

    await again_and_again("datasets", collect, said.append, Quick())

    assert [0, 1] == runs
    assert [error.exceptions[0] if isinstance(error, ExceptionGroup) else error] == said
    assert not fault_isolation._reported, "it is no fault of ours"


@pytest.mark.parametrize(
    "error",
    [LinkLost("gone"), ExceptionGroup("x", [ValueError("x"), ExceptionGroup("y", [LinkLost("gone")])])],
)
async def test_what_ends_the_session_ends_it(error: Exception) -> None:
    async def collect() -> None:
        raise error

    with pytest.raises(type(error)):
        await again_and_again("datasets", collect, lambda _: None, ManualClock())


class Quick(ManualClock):
    """Time passes when it is slept."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)
