"""The command that makes an activity light blink."""

from __future__ import annotations

from zconsole.hosts.host import Effect
from zconsole.system.activity_light import BURST_MIB, read_burst


def test_it_reads_a_bounded_part_past_the_cache_and_writes_nothing() -> None:
    command = read_burst("/dev/sdc", 256)

    assert (
        "dd", "if=/dev/sdc", "of=/dev/null", "bs=1M", f"count={BURST_MIB}", "skip=256", "iflag=direct",
    ) == command.argv  # fmt: skip
    assert Effect.READ is command.effect
    assert 10 >= command.timeout_s
