"""The command line on a practice host, and what tests of it say of its disks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from zconsole.base.clock import ManualClock
from zconsole.base.errors import UsageError
from zconsole.base.user_config_file import config_folder
from zconsole.cli import open_and_ask_named_hosts, run
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world.pools_and_vdevs import PracticeVdev

Screen = pytest.CaptureFixture[str]
Zconsole = Callable[..., tuple[int, str, str]]
LAYOUT = "mirror 0 1 mirror 2 3 log 4"
BEGAN = 1_795_232_471.0


@pytest.fixture
def clock() -> ManualClock:
    """Time stands still until a test lets it pass."""
    return ManualClock(BEGAN)


@pytest.fixture
def nas(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> PracticeHost:
    """The only host that there is."""
    host = PracticeHost("nas", clock, world=create_world(LAYOUT))

    def open_host(
        text: str, *, names: Mapping[str, str] | None = None, options: SshOptions | None = None
    ) -> PracticeHost:
        if (names or {}).get(text, text) not in {"nas", "local"}:
            raise UsageError(f"{text!r} is not a host of this test")
        return host

    monkeypatch.setattr("zconsole.hosts.open_host_or_recording.open_host", open_host)
    monkeypatch.setattr(open_and_ask_named_hosts, "SystemClock", lambda: clock)
    return host


@pytest.fixture
def zconsole(capsys: Screen) -> Zconsole:
    """Run a command line; its exit code, and what it printed."""

    def call(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def disk(nas: PracticeHost) -> str:
    """The name of a device of tank's first mirror."""
    return name_of(first_mirror(nas)[0])


def first_mirror(nas: PracticeHost) -> list[PracticeVdev]:
    """The devices of tank's first mirror."""
    return list(nas.world.pools["tank"].root.children[0].children)


def name_of(vdev: PracticeVdev) -> str:
    """How `zpool status` calls it."""
    return str(vdev.path).rpartition("/")[2].removesuffix("-part1")


def state_of(nas: PracticeHost) -> str:
    """The state of that device."""
    return first_mirror(nas)[0].state


def configure(text: str) -> None:
    """The user's configuration."""
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "config.toml").write_text(text)
