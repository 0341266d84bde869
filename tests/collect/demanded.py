"""A host whose answers are asked for by what the screens want."""

from __future__ import annotations

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost, ScriptedStream
from zconsole.model.host.host_state import HostState, PoolState

W = "zpool iostat -T u -wHpvy"
R = "zpool iostat -T u -rHpvy"
STATE = "/proc/spl/kstat/zfs/{}/state"


def host_with_streams() -> ScriptedHost:
    host = host_of("2.4", "healthy-mirrors")
    host.streams |= {W: ScriptedStream(), R: ScriptedStream()}
    return host


def histogram(at: int, pool: str = "tank", columns: int = 11) -> bytes:
    zeros = "\t".join(["0"] * (columns - 1))
    rows = "".join(f"\n{name}\n1023\t3\t{zeros}\n2047\t{at}\t{zeros}\n" for name in (pool, "mirror-0", "sda"))
    return f"{at}\n{rows}".encode()


def asked(host: ScriptedHost, beginning: str) -> list[str]:
    return [line for line in host.commands if line.startswith(beginning)]


def tank(state: HostState) -> PoolState:
    pool = state.pool("tank")
    assert pool is not None
    return pool


def objsets(at_s: float, *counters: tuple[str, int], created_s: int = 5) -> bytes:
    """What grep leaves of some datasets' kstats: reads, each of 4096 bytes."""
    return "".join(
        f"62 1 0x01 28 7872 {created_s * 10**9} {int(at_s * 1e9)}\n"
        f"{'dataset_name':<31} 7    {name}\n{'writes':<31} 4    0\n{'nwritten':<31} 4    0\n"
        f"{'reads':<31} 4    {reads}\n{'nread':<31} 4    {4096 * reads}\n{'nunlinked':<31} 4    0\n"
        for name, reads in counters
    ).encode()
