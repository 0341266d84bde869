"""From what a user wrote to a host."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.base.errors import UsageError
from zconsole.hosts.local.local_host import LocalHost
from zconsole.hosts.open_host_or_recording import open_host, open_replay
from zconsole.hosts.ssh.ssh_host import SshHost


def test_local_is_this_machine_and_anything_else_is_reached_by_ssh() -> None:
    assert isinstance(open_host("local"), LocalHost)
    assert isinstance(open_host("ssh://local"), SshHost)
    assert "root@nas1" == open_host("root@nas1").label


def test_a_name_of_the_config_is_called_by_its_name() -> None:
    names = {"archive": "ssh://root@10.0.0.9:2222", "here": "local"}

    host, here = open_host("archive", names=names), open_host("here", names=names)

    assert isinstance(host, SshHost)
    assert ("10.0.0.9", "root", 2222) == (host._address.host, host._address.user, host._address.port)
    assert "archive" == host.label
    assert isinstance(here, LocalHost)
    assert "here" == here.label


def test_what_is_no_host_is_refused() -> None:
    with pytest.raises(UsageError):
        open_host("-oProxyCommand=evil")


def test_a_recording_of_a_name_that_no_folder_can_have_is_none() -> None:
    with pytest.raises(UsageError, match="File name too long"):
        open_replay(Path("n" * 300))
