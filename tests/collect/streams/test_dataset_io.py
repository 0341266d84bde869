"""The I/O of datasets is read while it is wanted."""

from __future__ import annotations

import pytest

from tests.collect.demanded import asked, host_with_streams, objsets, tank
from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from tests.doubles.watched_host import Watched, watching
from zconsole.collect.streams.dataset_io import EVERY_S as OBJSETS_EVERY_S
from zconsole.collect.streams.dataset_io import LEAST_REST
from zconsole.hosts.host import Command, Completed
from zconsole.model.host.host_state import LinkState


async def test_datasets_are_read_while_they_are_wanted() -> None:
    """Rates come with the second reading, by the host's own clock, in the order of names."""
    host = host_with_streams()
    host.answers["grep"] = objsets(100, ("tank/b", 10), ("tank/a", 0))
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_objsets("tank")
        await watched.pass_time(1)
        after_one = tank(watched.state).dataset_io.value

        host.answers["grep"] = objsets(102.5, ("tank/b", 20), ("tank/new", 9), ("tank/a", 5))
        await watched.pass_time(OBJSETS_EVERY_S + 1)
        state = await watched.until(lambda s: tank(s).dataset_io.value)
        watched.session.demand.want_objsets(None)
        count = len(asked(host, "grep"))
        await watched.pass_time(20)

        sample = tank(state).dataset_io.value
        assert after_one is None
        assert sample is not None
        assert [("tank/a", 2.0, 8192.0), ("tank/b", 4.0, 16384.0)] == [
            (row.name, row.read_ops, row.read_bytes) for row in sample.rows
        ]
        assert (2.5, 1) == (sample.interval_s, sample.is_new)
        assert 2 == count == len(asked(host, "grep"))
        assert tank(watched.state).dataset_io.value is None


async def test_a_dataset_that_goes_away_while_it_is_read_costs_only_itself() -> None:
    """Grep complains and ends with 2; what it printed is good."""
    host = host_with_streams()
    host.answers["grep"] = objsets(100, ("tank/a", 0), ("tank/b", 0))
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_objsets("tank")
        await watched.pass_time(1)

        complaint = failed("grep", 2, b"grep: objset-0x12: No such file or directory")
        host.answers["grep"] = Completed(
            complaint.command, complaint.outcome, 2, objsets(102, ("tank/a", 4)), complaint.stderr
        )
        await watched.pass_time(OBJSETS_EVERY_S + 1)

        state = await watched.until(lambda s: tank(s).dataset_io.value)
        value = tank(state).dataset_io.value
        assert value is not None
        assert ["tank/a"] == [row.name for row in value.rows]
        assert "" == tank(state).dataset_io.problem


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failed("grep", 2, b"grep: /proc/spl/kstat/zfs/tank: No such file or directory"), "No such file"),
        (b"\x00garbage\n", "not a kstat"),
        (b"62 1 0x01 28 7872 1 2\ndataset_name   7   tan", "truncated"),
        (HANG, "gave no answer"),
    ],
)
async def test_datasets_that_cannot_be_read_are_a_sentence(answer: object, words: str) -> None:
    host = host_with_streams()
    host.answers["grep"] = answer
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_objsets("tank")

        state = await watched.until(lambda s: tank(s).dataset_io.problem)
        await watched.pass_time(20)

        assert words in tank(state).dataset_io.problem
        assert LinkState.UP is watched.state.link.state
        if answer is HANG:
            assert 1 == len(asked(host, "grep"))
            assert "hangs" in tank(watched.state).dataset_io.problem


class SlowGrep(ScriptedHost):
    """A host whose grep takes a while."""

    def __init__(self, other: ScriptedHost, took_s: float) -> None:
        super().__init__(other.label)
        self.__dict__.update(other.__dict__)
        self.took_s = took_s
        self.watched: Watched[SlowGrep] | None = None

    async def run(self, command: Command) -> Completed:
        if command.argv[0] == "grep" and self.watched is not None:
            self.watched.clock.advance(self.took_s)
        return await super().run(command)


async def test_datasets_that_take_long_to_read_are_read_more_rarely() -> None:
    """Ten thousand of them must not keep the host busy."""
    host = SlowGrep(host_with_streams(), took_s=3.0)
    host.answers["grep"] = objsets(100, ("tank/a", 0))
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        host.watched = watched
        began = watched.clock.monotonic()
        watched.session.demand.want_objsets("tank")
        await watched.pass_time(10 * LEAST_REST)

        passed_s = watched.clock.monotonic() - began
        assert 2 <= len(asked(host, "grep")) <= passed_s / (LEAST_REST * 3.0) + 1
