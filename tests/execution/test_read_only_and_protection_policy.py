"""What the configuration forbids, and for how long a production host is open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.scripted_host import ScriptedHost
from zconsole.base.clock import ManualClock
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.read_only_and_protection_policy import UNLOCKED_S, LookUp, Policies
from zconsole.hosts.host import Host
from zconsole.hosts.local.local_host import LocalHost
from zconsole.hosts.ssh.resolve_by_ssh_config import Whereabouts
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import HostPolicy
from zconsole.storage.known_machines import KnownMachines

HOSTS = (
    HostConfig("nas1", "root@10.0.0.1", is_production=True, protected=("tank/vm/*",)),
    HostConfig("nas2", "nas2", is_read_only=True),
)


def test_a_host_that_the_file_does_not_name_is_open() -> None:
    assert HostPolicy() == Policies(Config()).of("nas9")


def test_read_only_holds_for_all_hosts() -> None:
    assert "read-only" in Policies(Config(is_read_only=True)).of("nas9").read_only


@pytest.mark.parametrize(
    ("config", "host", "ends"),
    [
        (Config(is_read_only=True), "nas9", "start it without"),
        (Config(HOSTS), "nas2", "remove `read_only` there, or act on it by hand"),
        (Config(HOSTS), "nas1", "unlock the host, or act on it by hand"),
    ],
)
def test_what_would_allow_changes_is_said_for_each_reason(config: Config, host: str, ends: str) -> None:
    assert ends == Policies(config).of(host).read_only_ends


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


M1, M2 = "1" * 32, "2" * 32
BOTH = (
    HostConfig("nas1", "root@10.0.0.1", is_production=True, protected=("tank/vm/*",)),
    HostConfig("vault", "vault", is_read_only=True, protected=("bulk/*",)),
)


async def nowhere(_address: str) -> Whereabouts | None:
    return None


def policies(*machines: tuple[str, MachineIdentity], look_up: LookUp = nowhere) -> Policies:
    known = KnownMachines(is_kept=False)
    for address, identity in machines:
        known.learn(address, identity, 1.0)
    return Policies(Config(BOTH), ManualClock(now=1000.0), known, look_up)


async def met(kept: Policies, label: str, **told: str | None) -> HostPolicy:
    """The policy of a machine that has answered under a label."""
    identity = MachineIdentity(label, told.get("hostname"), told.get("machine_id"), told.get("host_key"))
    host: Host = LocalHost(label) if told.get("host_key") is None else ScriptedHost(label=label)
    return await kept.meet(Asker(host), replace(identity, boot_id=told.get("boot_id")))


NAS1 = ("root@10.0.0.1", MachineIdentity("nas1", "storage1", M1, "SHA256:a", boot_id="boot"))


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"machine_id": M1, "host_key": "SHA256:a"}, "other has the machine-id of nas1"),
        ({"machine_id": M1, "host_key": "SHA256:clone"}, "other has the machine-id of nas1"),
        ({"machine_id": M2, "host_key": "SHA256:a"}, "other has the host key of nas1"),
        ({"machine_id": None, "host_key": "SHA256:a"}, "other has the host key of nas1"),
        ({"machine_id": M2, "host_key": "SHA256:b", "boot_id": "boot"}, "has the running kernel of nas1"),
        ({"machine_id": M1, "host_key": None}, "other has the machine-id of nas1"),
        ({"machine_id": M2, "host_key": "SHA256:b"}, ""),
    ],
)
async def test_a_machine_that_was_seen_is_itself_by_any_name(told: dict[str, str | None], words: str) -> None:
    policy = await met(policies(NAS1), "other", **told)

    assert bool(words) is bool(policy.read_only)
    assert words in policy.read_only
    assert (("tank/vm/*",) if words else ()) == policy.protected


async def test_both_that_are_met_at_once_are_one() -> None:
    kept = policies()

    await met(kept, "nas1", machine_id=M1, host_key="SHA256:a")
    policy = await met(kept, "ssh://root@nas1:22", machine_id=M1, host_key="SHA256:a")

    assert ("tank/vm/*",) == policy.protected
    assert "which is a production host, read-only until it is unlocked" in policy.read_only


async def test_what_was_learnt_under_a_name_is_known_before_the_next_connection() -> None:
    kept = policies(NAS1, ("vault", replace(NAS1[1], label="vault")))

    assert ("bulk/*", "tank/vm/*") == kept.of("vault").protected


async def test_what_was_seen_at_another_address_of_a_section_does_not_hold() -> None:
    """The configuration gave nas1 another address since."""
    kept = policies(("root@10.9.9.9", NAS1[1]))

    assert HostPolicy() == await met(kept, "other", machine_id=M1, host_key="SHA256:a")


async def test_where_several_sections_are_one_machine_all_holds() -> None:
    kept = policies(NAS1, ("vault", replace(NAS1[1], label="vault")))

    policy = await met(kept, "other", machine_id=M1, host_key="SHA256:a")

    assert ("tank/vm/*", "bulk/*") == policy.protected
    kept.unlock("other")
    assert "vault, which is read-only in the configuration" in kept.of("other").read_only


async def test_an_unlocked_machine_is_open_by_each_of_its_names_and_its_clone_is_not() -> None:
    kept = policies()
    await met(kept, "nas1", machine_id=M1, host_key="SHA256:a")
    await met(kept, "other", machine_id=M1, host_key="SHA256:a")
    await met(kept, "clone", machine_id=M1, host_key="SHA256:clone")

    kept.unlock("other")

    assert not kept.of("nas1").read_only
    assert not kept.of("other").read_only
    assert "production" in kept.of("clone").read_only


async def test_another_machine_behind_the_same_name_is_another_machine() -> None:
    kept = policies(NAS1)
    await met(kept, "other", machine_id=M1, host_key="SHA256:a")

    assert HostPolicy() == await met(kept, "other", machine_id=M2, host_key="SHA256:b")


@pytest.mark.parametrize(
    ("leads", "section", "words"),
    [
        (Whereabouts("10.0.0.1", 22), Whereabouts("10.0.0.1", 22), "leads to the address of nas1"),
        (Whereabouts("10.0.0.1", 22), Whereabouts("10.0.0.1", 22, ("jump",)), ""),
        (Whereabouts("10.0.0.1", 2222), Whereabouts("10.0.0.1", 22), ""),
        (Whereabouts("a", 1, alias="nas"), Whereabouts("b", 2, alias="nas"), "leads to the address of nas1"),
        (
            Whereabouts("a", 1),
            Whereabouts("b", 2, keys=frozenset({"SHA256:a"})),
            "has the host key of nas1",
        ),
        (None, None, ""),
    ],
)
async def test_a_section_that_was_never_reached_is_known_by_what_ssh_is_told(
    leads: Whereabouts | None, section: Whereabouts | None, words: str
) -> None:
    async def look_up(address: str) -> Whereabouts | None:
        return {"other": leads, "root@10.0.0.1": section}.get(address)

    policy = await met(policies(look_up=look_up), "other", machine_id=M1, host_key="SHA256:a")

    assert words in policy.read_only
    assert bool(words) is bool(policy.protected)


async def test_this_machine_is_the_section_that_is_called_as_it() -> None:
    policy = await met(policies(), "local", machine_id=M1, hostname="nas1.example.net")

    assert "local is called as nas1, which is a production host" in policy.read_only
