"""The events of a host: followed, and why not."""

from __future__ import annotations

from tests.doubles.machines import host_of
from tests.doubles.watched_host import watching
from zconsole.base.errors import CommandFailed
from zconsole.collect.streams.zfs_events import RETRY_S
from zconsole.model.host.host_state import LinkState


async def test_events_that_may_not_be_read_are_a_sentence() -> None:
    """Without the right to read events everything else goes on."""
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        await watched.until(lambda s: s.pools)

        watched.host.streams["zpool events"].feed(
            CommandFailed("zpool events ended", said="permission denied")
        )

        state = await watched.until(lambda s: s.events_problem)
        assert "permission denied" in state.events_problem
        assert LinkState.UP is state.link.state


async def test_what_was_refused_is_tried_again_and_is_told_from_the_beginning() -> None:
    """`zpool events -f` repeats all earlier events: those of the first stream are not kept beside them."""
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        await watched.until(lambda s: s.pools)
        stream = watched.host.streams["zpool events"]
        before = stream.starts

        stream.feed(CommandFailed("zpool events ended", said="permission denied"))
        await watched.until(lambda s: s.events_problem)
        await watched.pass_time(2 * RETRY_S)

        assert before < stream.starts
        assert () == watched.session.store.state.events
