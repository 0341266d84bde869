"""What the configuration forbids, and for how long a production host is open."""

from __future__ import annotations

from zconsole.base.clock import ManualClock
from zconsole.base.config import Config, HostConfig
from zconsole.live.policy import UNLOCKED_S, Policies
from zconsole.model.facts import Policy

HOSTS = (
    HostConfig("nas1", "root@10.0.0.1", is_production=True, protected=("tank/vm/*",)),
    HostConfig("nas2", "nas2", is_read_only=True),
)


def test_a_host_that_the_file_does_not_name_is_open() -> None:
    assert Policy() == Policies(Config()).of("nas9")


def test_read_only_holds_for_all_hosts() -> None:
    assert "read-only" in Policies(Config(is_read_only=True)).of("nas9").read_only


def test_a_production_host_is_open_for_a_quarter_of_an_hour_after_it_was_unlocked() -> None:
    clock = ManualClock(now=1000.0)
    policies = Policies(Config(HOSTS), clock)
    assert "production" in policies.of("nas1").read_only

    until = policies.unlock("nas1")

    assert 1000.0 + UNLOCKED_S == until
    clock.advance(UNLOCKED_S - 1)
    assert not policies.of("nas1").read_only
    clock.advance(1)
    assert "production" in policies.of("nas1").read_only


def test_it_is_the_same_host_by_its_address() -> None:
    assert "production" in Policies(Config(HOSTS)).of("root@10.0.0.1").read_only


def test_no_unlocking_opens_a_host_that_is_read_only() -> None:
    policies = Policies(Config(HOSTS))

    policies.unlock("nas2")

    assert "read-only in the configuration" in policies.of("nas2").read_only


def test_protected_are_the_objects_of_all_hosts_and_of_this_one() -> None:
    policy = Policies(Config(HOSTS, protected=("*@keep",))).of("nas1")

    assert "tank/vm/*" == policy.protects("tank/vm/web")
    assert "*@keep" == policy.protects("tank/home@keep")
    assert policy.protects("tank/home") is None
    assert Policies(Config(HOSTS)).of("nas2").protects("tank/vm/web") is None
