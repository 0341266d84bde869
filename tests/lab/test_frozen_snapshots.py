"""Snapshots of frozen guests by the rules of `zconsole sudoers --with guests`: a real agent on a real volume.

The machine is a Linux with qemu-guest-agent that writes to an ext4 on its volume (agent_guest.py of
tests/libvirtd). It is emulated within an emulated machine, and needs 5 to 20 minutes until its agent answers:
in a guest named by ZFSLAB_GUEST it is left running, and taken as it is by the next run. The superblock of its
ext4 tells of each snapshot whether it was frozen: only a mounted one asks for a recovery.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.lab import guests
from tests.lab.console import zconsole
from tests.lab.guests import Guest, said
from tests.lab.images import LabError
from tests.lab.virtual_machines import FOLDER, VIRSH, Libvirt
from tests.libvirtd import agent_guest
from tests.ui.terminal.tty import ROOT
from zconsole.reports.sudoers import Rules, sudoers
from zconsole.reports.sudoers_patterns import Grants
from zconsole.system.libvirt.agent_commands import FREEZE_STATUS
from zconsole.system.libvirt.frozen_snapshot_script import FROZEN_GUESTS

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]

BOOT_S: Final = 2400
APPLY_S: Final = 600.0
WHO: Final = "gus@nas"
RULES: Final = "/etc/sudoers.d/zconsole-gus"
PERSON: Final = f"""\
id gus >/dev/null 2>&1 || useradd -m -s /bin/sh gus
mkdir -p /home/gus/.ssh
cp /root/.ssh/authorized_keys /home/gus/.ssh/
chown -R gus: /home/gus/.ssh
cat >{RULES}
chmod 440 {RULES}
visudo -c
"""
HOLD, HELD = "/run/zfs.hold", "/run/zfs.held"  # while HOLD exists, a snapshot stands before its end
HOLDING: Final = f"""\
[ -e /usr/sbin/zfs.real ] || cp -a /usr/sbin/zfs /usr/sbin/zfs.real
cat >/run/zfs.holding <<'END'
#!/bin/sh
if [ "$1" = snapshot ] && [ -e {HOLD} ]; then
    : >{HELD}
    while [ -e {HOLD} ]; do sleep 1; done
fi
exec /usr/sbin/zfs.real "$@"
END
chmod 755 /run/zfs.holding
mountpoint -q /usr/sbin/zfs || mount --bind /run/zfs.holding /usr/sbin/zfs
"""
PATIENT: Final = """\
for tool in virsh timeout; do [ -e /usr/bin/$tool.real ] || cp -a /usr/bin/$tool /usr/bin/$tool.real; done
cat >/run/virsh.patient <<'END'
#!/bin/sh
before=
for word; do
    shift
    [ "$before $word" != "--timeout 5" ] || word=18
    set -- "$@" "$word"
    before=$word
done
exec /usr/bin/virsh.real "$@"
END
cat >/run/timeout.patient <<'END'
#!/bin/sh
[ "$1" = -k ] || exec /usr/bin/timeout.real "$@"
kill=$2 within=$3
shift 3
exec /usr/bin/timeout.real -k "$kill" "$((within * 4))" "$@"
END
chmod 755 /run/virsh.patient /run/timeout.patient
for tool in virsh timeout; do
    mountpoint -q /usr/bin/$tool || mount --bind /run/$tool.patient /usr/bin/$tool
done
"""  # an agent in an emulated machine within another one answers after 2 to 8 s, where 5 are allowed
IMPATIENT: Final = "umount /usr/bin/virsh /usr/bin/timeout"
ASK: Final = f"{VIRSH} qemu-agent-command --timeout 20 web01 '{FREEZE_STATUS}' 2>&1"
SUPERBLOCK, INCOMPATIBLE, RECOVER = (
    1024,
    0x60,
    0x04,
)  # ext4: where it is, its field of features, needs_recovery


@pytest.fixture(scope="module")
def web01(libvirt_host: Guest) -> Iterator[Libvirt]:
    """Libvirt with the one machine, which writes, and whose agent answers; each test leaves it so."""
    if lacks := agent_guest.missing_packages():
        pytest.skip(f"not installed: {', '.join(lacks)} (docs/testing.md)")
    try:
        files = agent_guest.kernel_and_ramdisk()
    except (LabError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no kernel for the guest: {error}")
    host, virt = libvirt_host, Libvirt(libvirt_host)
    if not said(host, f"{ASK} | grep thawed || true"):
        boot(virt, files)
    yield virt
    if not os.environ.get("ZFSLAB_GUEST"):
        virt.reset()


def boot(virt: Libvirt, files: tuple[Path, Path]) -> None:
    """Start the machine on a pool of its own, and wait until its agent answers."""
    host = virt.guest
    virt.reset()
    host.wipe()
    host.create_pool(f"-o ashift=12 tank {host.disk(0)}")
    host.ssh("zfs create -s -V 64M tank/web01; zfs create -V 16M tank/other; udevadm settle")
    for file in files:
        host.copy_in(file, FOLDER)
    image = files[0].parent / "disk"
    agent_guest.make_disk(image)
    host.ssh("gzip -d >/dev/zvol/tank/web01", stdin=gzip.compress(image.read_bytes(), 1))
    virt.define_xml("web01", agent_guest.definition("web01", "/dev/zvol/tank/web01", FOLDER))
    virt.virsh("start", "web01")
    until(host, f"{ASK} | grep -q thawed", BOOT_S)


@pytest.fixture
def by_rules(web01: Libvirt, tmp_path: Path) -> Iterator[str]:
    """A user in no group, who may do by sudo exactly what the rules say; a file for its plan."""
    host = web01.guest
    rules = Rules("gus", "/usr/sbin", asks_password=False, grants=Grants(commands=frozenset({"guests"})))
    host.ssh(PERSON, stdin=sudoers(rules).encode())
    folder = Path(os.environ["HOME"]) / ".ssh"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "config").write_text(guests.ssh_config(host, "nas", known_hosts=host.known_hosts))
    host.ssh(HOLDING + PATIENT)
    host.ssh(f"rm -f {HOLD} {HELD}; zfs destroy tank/web01@% 2>/dev/null; zpool sync tank")
    with web01.not_counted():
        yield str(tmp_path / "plan.json")
    host.ssh(f"rm -f {HOLD} {RULES}; umount /usr/sbin/zfs; {IMPATIENT}")


def until(host: Guest, condition: str, seconds: int = 300) -> None:
    """Wait until a line of shell succeeds in the host."""
    host.ssh(f"timeout {seconds} sh -c 'until {quoted(condition)}; do sleep 1; done'", timeout_s=seconds + 60)


def quoted(condition: str) -> str:
    """As a part of a line in single quotes."""
    return condition.replace("'", "'\\''")


def start_snapshot(file: str, snapshot: str, deadline: str) -> subprocess.Popen[str]:
    """Plan a frozen snapshot, and begin to take it."""
    words = ("snapshot", snapshot, "--freeze-guests", "--freeze-deadline", deadline)
    planned = zconsole("plan", *words, "--host", WHO, "-o", file)
    assert 0 == planned.returncode, planned.stdout + planned.stderr
    assert "web01, on tank/web01: running, its agent answers" in planned.stdout
    return subprocess.Popen(
        [sys.executable, "-m", "zconsole", "apply", file],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
    )  # fmt: skip


def asks_for_recovery(host: Guest, snapshot: str) -> bool:
    """Whether the ext4 in a snapshot was in use, and not frozen, when it was taken."""
    host.ssh(f"zfs clone {snapshot} tank/looked && udevadm settle")
    try:
        read = f"dd if=/dev/zvol/tank/looked bs=1 skip={SUPERBLOCK + INCOMPATIBLE} count=4 2>/dev/null"
        return bool(int(said(host, f"{read} | od -An -tu4")) & RECOVER)
    finally:
        host.ssh("zfs destroy tank/looked")


def test_the_rules_are_enough_and_the_snapshot_needs_no_recovery(web01: Libvirt, by_rules: str) -> None:
    host = web01.guest
    host.ssh("zfs snapshot tank/web01@cut")
    assert asks_for_recovery(host, "tank/web01@cut"), "what a power cut leaves"

    with start_snapshot(by_rules, "tank/web01@frozen", "2m") as running:
        out, _ = running.communicate(timeout=APPLY_S)

    assert 0 == running.returncode, out
    assert "the file systems of web01 were frozen for it, and are thawed" in out
    assert "web01" == said(host, f"zfs get -Ho value {FROZEN_GUESTS} tank/web01@frozen")
    assert not asks_for_recovery(host, "tank/web01@frozen")
    assert '{"return":"thawed"}' == said(host, ASK)


@pytest.mark.parametrize("accident", ["console", "link", "script"])
def test_the_host_thaws_after_the_deadline_whoever_dies(web01: Libvirt, by_rules: str, accident: str) -> None:
    """The snapshot stands still meanwhile: nothing but the watchdog can have thawed it."""
    host = web01.guest
    host.ssh(f"touch {HOLD}")
    with start_snapshot(by_rules, "tank/web01@held", "60s") as running:
        until(host, f"[ -e {HELD} ]")
        frozen = said(host, ASK)
        if accident == "console":
            running.kill()
        elif accident == "link":
            host.ssh("pkill -KILL -u gus sshd")
        else:
            host.ssh("pkill -KILL -u gus -f '^sh -s -- '")
        until(host, f"{ASK} | grep -q thawed")
        is_held = said(host, f"ls {HOLD}")
        host.ssh(f"rm {HOLD}")
        out, _ = running.communicate(timeout=APPLY_S)

    assert ('{"return":"frozen"}', HOLD) == (frozen, is_held)
    assert 0 != running.returncode, out
    until(host, "! pgrep -u gus -f '^sh -s -- '")
    assert '{"return":"thawed"}' == said(host, ASK)
    there = said(host, f"zfs get -Hpo value {FROZEN_GUESTS} tank/web01@held 2>/dev/null || true")
    assert "web01" != there, "it was thawed before the snapshot was there"


def test_without_the_rules_of_guests_nothing_is_frozen(web01: Libvirt, by_rules: str) -> None:
    host = web01.guest
    rules = Rules("gus", "/usr/sbin", asks_password=False)
    host.ssh(PERSON, stdin=sudoers(rules).encode())
    planned = zconsole(
        "plan", "snapshot", "tank/web01@a", "--freeze-guests", "--host", WHO, "--json", "-o", by_rules
    )

    assert json.loads(planned.stdout)["refusals"], planned.stdout
    assert "" == said(host, "zfs list -Ho name tank/web01@a 2>/dev/null || true")
    assert '{"return":"thawed"}' == said(host, ASK)
