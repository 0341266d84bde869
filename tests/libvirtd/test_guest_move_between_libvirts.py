"""A guest moved between two real libvirts, each beside a practice host's ZFS (two_libvirts.py)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pytest

from tests.doubles.faulty_host import Crashed
from tests.doubles.replicating import NAS, VAULT
from tests.libvirtd.sandbox import Sandbox, sandbox
from tests.libvirtd.two_libvirts import GUEST, NEW, OLD, BesideLibvirt, TwoLibvirts, image_on
from zconsole.base.errors import LinkLost
from zconsole.model.run import RunState

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(600)]

HOOK = "/etc/libvirt/hooks/qemu"
REFUSE = "/srv/refuse.start"
REFUSING = f"""\
#!/bin/sh
[ "$2" != prepare ] || [ ! -e {REFUSE} ] || {{ echo "this host takes no guest now" >&2; exit 1; }}
"""


@pytest.fixture(scope="module")
def second() -> Iterator[Sandbox]:
    """Another libvirtd, which asks a hook before each start."""
    with sandbox() as made:
        made.run("mkdir", "-p", HOOK.rpartition("/")[0])
        made.path(HOOK).write_text(REFUSING)
        made.path(HOOK).chmod(0o755)
        made.signal_libvirtd("KILL")
        made.until_dead()
        made.start_libvirtd()
        yield made


@pytest.fixture
def two(virt: Sandbox, second: Sandbox) -> Iterator[TwoLibvirts]:
    """The guest, which runs and writes on the first."""
    yield TwoLibvirts(virt, second)
    second.path(REFUSE).unlink(missing_ok=True)
    second.reset()


def digest(host: BesideLibvirt, dataset: str) -> str:
    return sha256(host.virt.path(image_on(dataset)).read_bytes()).hexdigest()


def states(two: TwoLibvirts) -> tuple[str, ...]:
    """State of the guest on each host."""
    found = (host.virt.virsh("domstate", GUEST, check=False) for host in (two.nas, two.vault))
    return tuple(state if "error" not in state else "" for state in found)


def until_grown(host: BesideLibvirt, dataset: str) -> None:
    """Wait until the guest has written to its image there."""
    path = image_on(dataset)
    host.virt.until_grown(path, host.virt.path(path).stat().st_size + 1)


async def test_a_running_guest_is_moved_comes_back_and_is_forgotten(two: TwoLibvirts) -> None:
    until_grown(two.nas, OLD)

    run = await two.move(NAS, VAULT, NEW)

    assert RunState.DONE is run.state, run.words
    assert "web01 was off for" in run.words
    assert ("shut off", "running") == states(two)
    assert image_on(NEW) in two.vault.virt.virsh("dumpxml", GUEST)
    boots = ("list", "--all", "--autostart", "--name")
    assert ("", GUEST) == (two.nas.virt.virsh(*boots), two.vault.virt.virsh(*boots))
    two.nas.virt.virsh("start", GUEST, check=False)
    assert ("shut off", "running") == states(two), "the old copy is read-only"

    await two.run(await two.plan(VAULT, "guest-shutdown", GUEST))
    two.vault.virt.virsh("start", GUEST)
    until_grown(two.vault, NEW)
    back = await two.move(VAULT, NAS, OLD)

    assert RunState.DONE is back.state, back.words
    assert ("running", "shut off") == states(two)

    forgotten = await two.run(await two.plan(VAULT, "guest-forget", GUEST, to=NAS))

    assert RunState.DONE is forgotten.state, forgotten.words
    assert "" == two.vault.virt.virsh("list", "--all", "--name")


async def test_after_a_start_that_fails_only_the_start_is_left(two: TwoLibvirts) -> None:
    until_grown(two.nas, OLD)
    two.vault.virt.path(REFUSE).touch()

    run = await two.move(NAS, VAULT, NEW)

    assert RunState.FAILED is run.state, run.words
    assert f"zfs set readonly=off {OLD}" in run.words
    assert ("shut off", "shut off") == states(two)
    assert digest(two.nas, OLD) == digest(two.vault, NEW)
    left = await two.plan(NAS, "guest-move", GUEST, NEW, to=VAULT)
    assert [(VAULT, "start")] == [(step.on, step.argv[4]) for step in left.steps]

    two.vault.virt.path(REFUSE).unlink()
    again = await two.run(left)

    assert RunState.DONE is again.state, again.words
    assert "web01 was off for" in again.words
    assert ("shut off", "running") == states(two)


@pytest.mark.parametrize("accident", [LinkLost, Crashed], ids=["link", "console"])
async def test_a_move_goes_on_whatever_is_lost_behind_every_step(
    two: TwoLibvirts, accident: type[BaseException]
) -> None:
    """A console that lost a link finds out what became of the step; a killed one leaves it to the next."""
    until_grown(two.nas, OLD)
    lost: list[str] = []
    for host in (two.nas, two.vault):
        host.cut_behind, host.accident = lost, accident

    await two.moved(NAS, VAULT, NEW)

    assert {
        "zfs snapshot", "zfs receive", "qemu:///system shutdown", "zfs set readonly=on", "sh -c",
        "zfs set readonly=off", "zfs mount", "qemu:///system autostart", "qemu:///system start",
    } == set(lost)  # fmt: skip
    assert ("shut off", "running") == states(two)
    assert image_on(NEW) in two.vault.virt.virsh("dumpxml", "--inactive", GUEST)
    newest = [host.dataset(name).snapshots[-1].guid for host, name in ((two.nas, OLD), (two.vault, NEW))]
    assert newest[0] == newest[1]
