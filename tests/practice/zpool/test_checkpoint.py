"""`zpool checkpoint`."""

from __future__ import annotations

from tests.practice.zpool.bench import GIB, Bench


def test_a_checkpoint_is_made_and_discarded() -> None:
    bench = Bench("mirror 0 1", allocated=GIB)

    bench.do("zpool checkpoint tank")
    assert 86016 == bench.pool().checkpoint_bytes
    assert bench.do("zpool scrub tank").startswith(
        "warning: will not scrub state that belongs to the checkpoint"
    )
    bench.do("zpool checkpoint -d tank")
    assert [("checkpoint_discard", "active")] == [(work.kind, work.state) for work in bench.pool().activities]
    bench.go(2)

    assert bench.pool().checkpoint_bytes is None
    assert "cannot discard checkpoint in 'tank': checkpoint does not exist\n" == bench.refused(
        "zpool checkpoint -d tank"
    )
    assert "spa discard checkpoint finished discarding checkpointed state from the pool" in bench.internal()
