"""What a slow disk costs those who wait for it."""

from __future__ import annotations

import pytest

from zconsole.analysis.slow_disks.accumulated_evidence import Suspicion
from zconsole.analysis.slow_disks.latency_cost import cost


def suspicion() -> Suspicion:
    """A disk of 60 ms in a vdev with three of 10 ms; as many operations again in other vdevs."""
    return Suspicion(
        0, 0.0, 0.0,
        operations=100, own_ns=6000, reference_ns=1000,
        noted_operations=100, others_operations=300, others_ns=3000, pool_operations=400, pool_ns=4000,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "operation", "vdev", "pool"),
    [
        ("mirror", "write", (60, 10), (35, 10)),
        ("raidz", "write", (60, 10), (35, 10)),
        ("raidz", "read", (60, 10), (35, 10)),
        ("mirror", "read", (22.5, 10), (16.25, 10)),
        ("lone", "read", (60, 10), (35, 10)),
    ],
)
def test_what_a_slow_disk_costs(
    shape: str, operation: str, vdev: tuple[float, float], pool: tuple[float, float]
) -> None:
    found = cost(shape, operation, suspicion())

    assert vdev == (found.vdev_with_ns, found.vdev_without_ns)
    assert pool == (found.pool_with_ns, found.pool_without_ns)
