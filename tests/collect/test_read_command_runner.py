"""Why a command gave no answer."""

from __future__ import annotations

import pytest

from zconsole.base.errors import CommandFailed, HostError, Stuck, ZfsMissing
from zconsole.collect.read_command_runner import Asker, failure, in_words
from zconsole.hosts.host import Command, Completed, Outcome

COMMAND = Command(("zpool", "list", "-Hp"))


def answer(outcome: Outcome, status: int | None, stderr: bytes = b"", reason: str = "") -> Completed:
    return Completed(COMMAND, outcome, status, b"", stderr, reason)


@pytest.mark.parametrize(
    ("kind", "said", "completed"),
    [
        (CommandFailed, "zpool list on nas1 gave no answer: the link was cut",
         answer(Outcome.UNKNOWN, None, reason="the link was cut")),
        (ZfsMissing, "zpool is not installed on nas1", answer(Outcome.FAILED, 127)),
        (CommandFailed, "zpool list was not started on nas1", answer(Outcome.FAILED, 126, reason="busy")),
        (CommandFailed, "zpool list on nas1 failed (exit 1)", answer(Outcome.FAILED, 1, b"cannot open")),
    ],
)  # fmt: skip
def test_each_way_to_fail_has_its_sentence(kind: type[HostError], said: str, completed: Completed) -> None:
    error = failure(completed, "nas1")

    assert kind is type(error)
    assert said == error.message


def test_a_command_of_virsh_is_named_by_its_subcommand() -> None:
    asked = Command(("virsh", "-r", "-q", "-c", "qemu:///system", "domstats", "--raw"))

    error = failure(Completed(asked, Outcome.UNKNOWN, None, b"", b"", "no answer within 10 s"), "nas1")

    assert "virsh domstats on nas1 gave no answer: no answer within 10 s" == error.message


@pytest.mark.parametrize("flood", [b"err  some text\n" * 30_000, b"x" * 300_000])
def test_a_flood_of_words_is_cut_and_counted(flood: bytes) -> None:
    for outcome, status in ((Outcome.FAILED, 1), (Outcome.UNKNOWN, None)):
        said = in_words(failure(answer(outcome, status, flood, reason=""), "nas1"))

        assert 2200 > len(said)
        assert 15 > said.count("\n")
        assert "characters more" in said


def test_the_tools_own_words_stand_behind_ours() -> None:
    assert "zpool list on nas1 failed (exit 1): cannot open" == in_words(
        failure(answer(Outcome.FAILED, 1, b"cannot open"), "nas1")
    )
    assert "KeyError" == in_words(KeyError())


def test_the_lines_of_a_tool_are_apart_in_one_line() -> None:
    failed = failure(answer(Outcome.FAILED, 1, b"error: failed to connect\n\nerror: no socket\n"), "nas1")

    assert "zpool list on nas1 failed (exit 1): error: failed to connect · error: no socket" == in_words(
        failed
    )


class Hanging:
    """A host on which a command hangs, and further ones as well."""

    label = "nas1"

    def __init__(self) -> None:
        self.asked: list[Command] = []

    async def run(self, command: Command) -> Completed:
        self.asked.append(command)
        return answer(Outcome.UNKNOWN, None, reason="it took too long")

    def is_lingering(self, command: Command) -> bool:
        return command in self.asked


@pytest.mark.parametrize(
    ("argv", "cause"), [(("virsh", "list"), "A libvirtd"), (("zfs", "list"), "A suspended pool")]
)
async def test_what_hangs_has_its_likely_cause_said(argv: tuple[str, ...], cause: str) -> None:
    asker = Asker(Hanging())  # type: ignore[arg-type]
    await asker.run(Command(argv), kind="list")

    with pytest.raises(Stuck) as error:
        await asker.run(Command(argv), kind="list")

    assert error.value.hint.startswith(f"{cause} ")


async def test_a_second_one_of_a_kind_is_not_sent_while_the_first_hangs() -> None:
    host = Hanging()
    asker = Asker(host, timeout_s=3.0)  # type: ignore[arg-type]
    await asker.run(COMMAND, kind="list", pool="tank")

    with pytest.raises(Stuck):
        await asker.run(COMMAND, kind="list", pool="tank")
    await asker.run(COMMAND, kind="list", pool="bulk")

    assert [3.0, 3.0] == [each.timeout_s for each in host.asked]
