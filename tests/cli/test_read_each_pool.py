"""Every pool of every host is read; what fails is told beside what was found."""

from __future__ import annotations

import pytest

from tests.cli.fakes import nas, reach
from zconsole.base.errors import CommandFailed
from zconsole.base.user_config_file import Config
from zconsole.cli.open_and_ask_named_hosts import open_hosts
from zconsole.cli.read_each_pool import PoolOfHost, read_each_pool
from zconsole.cli.selected_hosts import HostSelection


async def name_of(found: PoolOfHost) -> str:
    """What is read: the names."""
    return f"{found.hostname}:{found.pool.name}"


async def refuse(found: PoolOfHost) -> str:
    """A reading that fails."""
    raise CommandFailed(f"{found.pool.name} does not tell")


def test_each_pool_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reach(monkeypatch, local=nas("healthy-mirrors"))

    assert (["storage24:tank"], []) == read_each_pool(
        open_hosts(HostSelection(), Config()), None, name_of, 9.0
    )


def test_a_reading_that_fails_is_told_of_its_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    reach(monkeypatch, local=nas("healthy-mirrors"))

    found, (failure,) = read_each_pool(open_hosts(HostSelection(), Config()), "tank", refuse, 9.0)

    assert [] == found
    assert "tank does not tell" in str(failure)


def test_a_pool_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    reach(monkeypatch, local=nas("healthy-mirrors"))

    found, (failure,) = read_each_pool(open_hosts(HostSelection(), Config()), "none", name_of, 9.0)

    assert [] == found
    assert "there is no pool none" in str(failure)
