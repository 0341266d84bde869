"""A real LXC container on a dataset of a real OpenZFS: told by its process, in plans and as JSON.

LXC and busybox come from Debian's packages of the guest's suite, which this machine downloads: guests have no
network. Without an archive the tests say so and are skipped.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Final

import pytest

from tests.lab.acting import Acting
from tests.lab.console import HOST_S, zconsole
from tests.lab.guests import Guest, said
from tests.lab.images import SERIES, archive_uri

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]

LIBRARIES: Final = {"trixie": "liblxc1t64"}  # since the 64-bit time_t; `liblxc1` before
ROOT: Final = "/var/lib/lxc/web1/rootfs"
CONFIG: Final = f"""\
lxc.uts.name = web1
lxc.rootfs.path = dir:{ROOT}
lxc.net.0.type = none
lxc.apparmor.profile = unconfined
lxc.mount.entry = /tank/media srv none bind 0 0
lxc.init.cmd = /bin/sleep 100000
"""
MADE: Final = f"""\
set -e
zfs create tank/lxc
zfs create -o mountpoint={ROOT} tank/lxc/web1
zfs create tank/media
cd {ROOT}
mkdir -p bin proc sys dev srv tmp
cp /usr/bin/busybox bin/
ln -s busybox bin/sleep
mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup
cat >/var/lib/lxc/web1/config
lxc-start -n web1
lxc-wait -n web1 -s RUNNING -t 120
"""


@pytest.fixture(scope="module")
def lxc(guest: Guest, tmp_path_factory: pytest.TempPathFactory) -> Guest:
    """The guest with LXC unpacked."""
    packages = tmp_path_factory.mktemp("packages")
    suite = SERIES[guest.series].suite
    wanted = ("lxc", LIBRARIES.get(suite, "liblxc1"), "liblxc-common", "busybox-static", "libseccomp2",
              "libapparmor1", "libdbus-1-3", "libcap2")  # fmt: skip
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (packages / folder).mkdir(parents=True)
    (packages / "status").touch()
    (packages / "sources.list").write_text(f"deb {archive_uri()} {suite} main\n")
    apt = [
        "apt-get", "-q", "-o", f"Dir::State={packages}/state", "-o", f"Dir::State::status={packages}/status",
        "-o", f"Dir::Cache={packages}/cache", "-o", f"Dir::Etc::sourcelist={packages}/sources.list",
        "-o", "Dir::Etc::sourceparts=/dev/null", "-o", "APT::Sandbox::User=root",
    ]  # fmt: skip
    for words in (("update",), ("download", *wanted)):
        ended = subprocess.run([*apt, *words], cwd=packages, capture_output=True, text=True, check=False)
        if ended.returncode:
            pytest.skip(f"Debian's packages cannot be had: {ended.stderr[-200:]}")
    debs = packages / "debs"
    debs.mkdir()
    for package in packages.glob("*.deb"):
        package.rename(debs / package.name)
    guest.copy_in(debs, "/opt/debs")
    guest.ssh("for deb in /opt/debs/*.deb; do dpkg-deb -x $deb /; done; ldconfig", timeout_s=600)
    return guest


@pytest.fixture
def container(lxc: Guest, nas: Acting) -> Iterator[Acting]:
    """One container with its root on tank/lxc/web1 and tank/media mounted in it."""
    lxc.ssh(MADE, stdin=CONFIG.encode(), timeout_s=600)
    yield nas
    lxc.ssh("lxc-stop -k -n web1; sleep 1; rm -rf /var/lib/lxc/web1/config", check=False)


async def test_no_plan_takes_a_dataset_from_under_a_running_container(container: Acting) -> None:
    for action, target in (("destroy", "tank/lxc/web1"), ("unmount", "tank/media"), ("export", "tank")):
        made = await container.plan(action, target)

        assert "in-use" in {each.rule for each in made.refusals}, (action, made.refusals)
        assert any("lxc-stop -n web1" in each.instead for each in made.refusals), made.refusals
        assert "web1" in {each.name for each in made.dependents if each.kind == "container"}

    container.guest.ssh("lxc-stop -k -n web1")
    await container.do("unmount", "tank/media")
    assert "no" == said(container.guest, "zfs get -Ho value mounted tank/media")


def test_the_guests_of_the_host_are_its_containers_and_their_evidence(
    container: Acting, ssh_alias: str
) -> None:
    del container

    ended = zconsole("guests", "--json", "--timeout", f"{HOST_S:g}", "--host", ssh_alias)

    (web,) = json.loads(ended.stdout)["containers"]
    assert ("LXC", "web1", "running") == (web["engine"], web["name"], web["state"])
    assert [("tank/lxc/web1", "process", True), ("tank/media", "process", False)] == [
        (each["name"], each["evidence"], each["is_root"]) for each in web["datasets"]
    ]
