"""A stream that fails or is silent is begun again."""

from __future__ import annotations

import pytest

from tests.collect.demanded import W, histogram, host_with_streams, tank
from tests.doubles.watched_host import watching
from zconsole.base.errors import CommandFailed
from zconsole.model.host.host_state import LinkState


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (b"what is this\n1\n\n", "not a histogram"),
        (CommandFailed("zpool iostat on nas1 ended (exit 1)", said="out of memory"), "out of memory"),
    ],
)
async def test_a_stream_that_fails_says_so_and_is_begun_again(trouble: bytes | Exception, words: str) -> None:
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_latency("tank")
        stream = watched.host.streams[W]
        stream.feed(histogram(1) + histogram(2))
        await watched.until(lambda s: tank(s).latencies.value)

        stream.feed(trouble)
        broken = await watched.until(lambda s: tank(s).latencies.problem)
        await watched.pass_time(3)
        stream.feed(histogram(3) + histogram(4))
        mended = await watched.until(lambda s: not tank(s).latencies.problem)

        assert words in tank(broken).latencies.problem
        assert tank(broken).latencies.value
        assert [1, 2, 3, 4] == [sample.at for sample in tank(mended).latencies.value or ()]
        assert 2 == stream.starts
        assert LinkState.UP is mended.link.state


async def test_a_silent_stream_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zconsole.collect.streams.restarting_stream.SILENCE_AT_LEAST_S", 0.05)
    monkeypatch.setattr("zconsole.collect.streams.restarting_stream.SILENCE_INTERVALS", 0)
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_latency("tank")

        state = await watched.until(lambda s: tank(s).latencies.problem)
        await watched.pass_time(3)

        assert "stopped printing" in tank(state).latencies.problem
        assert watched.host.streams[W].starts > 1
