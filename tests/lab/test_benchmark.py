"""The benchmark by a real fio on real disks: its compressible twin lies, and nothing stays when killed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.lab.acting import OPTIONS, Acting, PatientHost, acting_on
from tests.lab.guests import Guest, said
from zconsole.analysis.benchmark.traps import DISBELIEF, Trap, times, trap_of
from zconsole.hosts.host_address import Address
from zconsole.model.run import RunState
from zconsole.reports.sudoers import Rules, sudoers
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.changes.benchmark_results import lines_of_output
from zconsole.zfs.benchmark.output_of_runs import parse_runs
from zconsole.zfs.benchmark.scratch_dataset_script import PATTERNS, SCRATCH, TWIN

pytestmark = [pytest.mark.lab, pytest.mark.timeout(2400)]  # the first test boots the guest, or builds it

HONEST: Final = TWIN.removesuffix("-zeros")
WAIT_S: Final = 400.0
LONG: Final = "20"  # seconds: some txgs, so that disks take within a pattern what it writes
WAIT: Final = "for each in $(seq 600); do {} && break; sleep 0.5; done"
BEGUN: Final = WAIT.format("pgrep -f [f]io.--name=random-read-8k >/dev/null")
LEFT: Final = (
    f"zfs list -rHo name tank | grep {SCRATCH}; ls -d /run/{SCRATCH}.* 2>/dev/null;"
    " pgrep -x fio; pgrep -f '^sh -c pool='; true"
)
KILL_FIO: Final = WAIT.format("pkill -KILL -f [f]io.--name=random-read-8k")
ENDED: Final = WAIT.format(f'[ -z "$({LEFT})" ]')


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A mirror of two disks with lz4, the default of ZFS, and a dataset."""
    if not said(bare_guest, "command -v fio || true"):
        pytest.skip("the guest has no fio")
    bare_guest.create_pool(f"-O compression=lz4 tank mirror {bare_guest.disk(0)} {bare_guest.disk(1)}")
    bare_guest.ssh("zfs create tank/data")
    yield bare_guest
    bare_guest.wipe()


async def test_the_compressible_twin_lies_and_the_vdevs_tell(nas: Acting) -> None:
    made = await nas.plan("benchmark", "tank/data", size="64M", seconds=LONG)
    run = await nas.run(made)

    assert RunState.DONE is run.state, (run.words, [step.said for step in run.steps])
    runs = {each.name: each for each in parse_runs(run.steps[-1].said)}
    assert [name for name, *_ in PATTERNS] == list(runs)
    disks = {Path(nas.guest.disk(bay)).name for bay in (0, 1)}
    assert {("tank", "mirror-0", *sorted(disks))} == {
        (each.vdevs[0].name, each.vdevs[1].name, *sorted(vdev.name for vdev in each.vdevs[2:]))
        for each in runs.values()
    }
    twin, honest = runs[TWIN], runs[HONEST]
    assert Trap.COMPRESSED is trap_of(twin, is_compressible=True)
    assert (times(twin) or 0) > DISBELIEF > (times(honest) or 99)
    assert honest.vdevs[0].write_bytes_per_s > DISBELIEF * twin.vdevs[0].write_bytes_per_s
    told = "\n".join(printed(lines_of_output(run.steps[-1].said) or ()))
    assert f"{TWIN} (" in told
    assert Trap.COMPRESSED.value in told
    assert "" == said(nas.guest, LEFT)


async def test_a_link_that_ends_in_the_middle_leaves_nothing_on_the_host(nas: Acting) -> None:
    """As of a killed console: the host hears no more than that the connection is gone."""
    made = await nas.plan("benchmark", "tank/data", size="64M", seconds="10")
    running = asyncio.create_task(nas.run(made))
    await asyncio.to_thread(nas.guest.ssh, BEGUN, timeout_s=WAIT_S)
    while_running = await asyncio.to_thread(said, nas.guest, LEFT)
    await nas.host.close()
    running.cancel()
    await asyncio.to_thread(nas.guest.ssh, ENDED, timeout_s=WAIT_S)

    assert f"tank/data/{SCRATCH}" in while_running
    assert "" == said(nas.guest, LEFT)


async def test_a_fio_that_is_killed_ends_the_run_and_leaves_nothing(nas: Acting) -> None:
    nas.guest.ssh(f"nohup sh -c '{KILL_FIO}' </dev/null >/dev/null 2>&1 &")

    made = await nas.plan("benchmark", "tank/data", size="64M", seconds="10")
    run = await nas.run(made)

    assert RunState.FAILED is run.state, run.words
    assert "" == said(nas.guest, LEFT)


USER: Final = "gus"
RULES: Final = f"/etc/sudoers.d/zconsole-{USER}"
PERSON: Final = f"""\
id {USER} >/dev/null 2>&1 || useradd -m -s /bin/sh {USER}
mkdir -p /home/{USER}/.ssh
cp /root/.ssh/authorized_keys /home/{USER}/.ssh/
chown -R {USER}: /home/{USER}/.ssh
cat >{RULES}
chmod 440 {RULES}
"""


async def test_a_user_with_the_rules_for_sudo_measures_and_fio_is_never_root(
    tank: Guest, ssh_alias: str, tmp_path: Path
) -> None:
    tank.ssh(PERSON, stdin=sudoers(Rules(USER, "/usr/sbin", asks_password=False)).encode())
    host = PatientHost(Address(ssh_alias, USER), OPTIONS)
    try:
        async with acting_on(tank, ssh_alias, tmp_path / "journal.sqlite", host) as gus:
            running = asyncio.create_task(gus.do("benchmark", "tank/data", size="64M", seconds="10"))
            begun = f"{BEGUN}; ps -o user= -p $(pgrep -x -d, fio) | sort -u"
            assert USER == await asyncio.to_thread(said, tank, begun)
            await running
    finally:
        tank.ssh(f"rm -f {RULES}")

    assert "" == said(tank, LEFT)
