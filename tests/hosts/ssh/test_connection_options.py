"""How soon a dead link is noticed."""

from __future__ import annotations

from tests.hosts.conftest import OPTIONS
from zconsole.hosts.ssh.connection_options import SshOptions


def test_a_dead_link_is_noticed_within_five_seconds() -> None:
    assert OPTIONS.keepalive_interval_s * (OPTIONS.keepalive_count + 1) <= 5.0


def test_who_asks_once_lets_a_busy_host_be_silent_for_as_long_as_it_waits() -> None:
    patient = SshOptions.patient(60.0)

    assert 60.0 == patient.keepalive_interval_s * (patient.keepalive_count + 1)
    assert (30.0, 20.0) == (patient.connect_timeout_s, patient.read_timeout_s)
