"""A command line in front of scripted hosts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost, failed
from tests.reports.captured import RECORDED_AT, captured
from zconsole.base.clock import ManualClock
from zconsole.base.errors import UsageError
from zconsole.cli import open_and_ask_named_hosts
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.practice import PracticeHost
from zconsole.zfs.iostat.iostat_stream import row_names


class StillClock(ManualClock):
    """The moment at which the captures were made."""

    def __init__(self) -> None:
        super().__init__(RECORDED_AT)


def reach(monkeypatch: pytest.MonkeyPatch, **hosts: ScriptedHost | PracticeHost) -> None:
    """Let these be all the hosts that there are; `local` is this machine."""

    def open_host(
        text: str, *, names: Mapping[str, str] | None = None, options: SshOptions | None = None
    ) -> ScriptedHost | PracticeHost:
        address = (names or {}).get(text, text)
        if address not in hosts:
            raise UsageError(f"{address!r} is not a host of this test")
        return hosts[address]

    monkeypatch.setattr("zconsole.hosts.open_host_or_recording.open_host", open_host)
    monkeypatch.setattr(open_and_ask_named_hosts, "SystemClock", StillClock)


def nas(state: str, label: str = "nas1", series: str = "2.4", pool: str = "tank") -> ScriptedHost:
    """A host in a captured state, without libvirt and without settings of its ZFS module."""
    made = host_of(series, state, pool, label)
    made.answers["virsh"] = failed("virsh", 127, b"virsh: not found")
    made.answers["sh -c { cd /sys/module"] = failed("sh", 1, b"not captured")  # settings of the host
    made.answers |= {"find /proc": b"", "ls -lR /dev/zvol": failed("ls", 2, b"no such file")}
    made.answers.setdefault("id", b"uid=0(root) gid=0(root) groups=0(root)\n")
    return made


Screen = pytest.CaptureFixture[str]


@pytest.fixture
def mp(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    return monkeypatch


def names_of(state: str) -> list[str]:
    pool = captured("2.4", state).pools[0].pool.value
    assert pool is not None
    return list(row_names(pool))
