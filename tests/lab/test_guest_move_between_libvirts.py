"""A guest moved over SSH between two real libvirts on two real OpenZFS, and back, by the real program.

Both hosts are guests of the lab with libvirt and QEMU. The machine writes to its disk until it is shut down:
what a move could lose is lost. Once each, the stream is cut and the start fails.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from tests.lab import guests
from tests.lab.conftest import LIBVIRT_SERIES, end_orphans, series_to_test
from tests.lab.guests import Guest, said
from tests.lab.images import LabError
from tests.lab.killed_consoles import APPLY_S, PROGRAM, when
from tests.lab.virtual_machines import FOLDER, VIRSH, Disk, Libvirt
from tests.ui.terminal.tty import ROOT

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]

NAS, VAULT = "nas", "vault"
WRITE: Final = "dd if=/dev/urandom of={0} bs=1M seek=64 count={1} conv=notrunc,fsync 2>/dev/null"
HOOK: Final = "/etc/libvirt/hooks/qemu"
REFUSING: Final = """\
#!/bin/sh
[ "$2" != prepare ] || [ ! -e /run/refuse.start ] || { echo "this host takes no guest now" >&2; exit 1; }
"""
CUT: Final = "pkill -x zfs"
TIME: Final = r"(?:(\d+) minutes?)?(?: ?(?:and )?(\d+) seconds?)?"
SAID_OFF: Final = re.compile(
    rf"web01 was off for {TIME} \({TIME} from the request to shut down until it ran\)"
)
LOGGED: Final = re.compile(
    r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+)\+0000: (starting up|shutting down)", re.MULTILINE
)
LOOKS_S: Final = (
    20.0  # until a console of an emulated host has seen what QEMU logged, and it had ended to start
)
CLOCK_S: Final = 5.0  # clocks of two emulated machines, and what is written to a log late


@dataclass(frozen=True, slots=True)
class Two:
    """Both hosts, each with its libvirt."""

    nas: Libvirt
    vault: Libvirt
    plan_file: str

    def plan(self, on: str, *words: str) -> dict[str, Any]:
        """Plan by the command line, and save it."""
        words = ("plan", *words, "--host", on, "--json", "-o", self.plan_file)
        ended = subprocess.run(
            [*PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT,
            timeout=APPLY_S, check=False,
        )  # fmt: skip
        assert ended.stdout, ended.stderr
        plan: dict[str, Any] = json.loads(ended.stdout)
        return plan

    def start_apply(self, plan: dict[str, Any]) -> subprocess.Popen[str]:
        """Begin to carry the plan out."""
        assert not plan["refusals"], plan["refusals"]
        confirm = ("--confirm", plan["confirm"]) if plan["confirm"] else ()
        return subprocess.Popen(
            [*PROGRAM, "apply", self.plan_file, *confirm],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
        )  # fmt: skip

    def apply(self, plan: dict[str, Any], status: int = 0) -> str:
        """Carry it out to its end; returns what was said."""
        with self.start_apply(plan) as running:
            out, _ = running.communicate(timeout=APPLY_S)
        assert status == running.returncode, out
        return out

    def cut(self, plan: dict[str, Any]) -> str:
        """Carry out a move to the second host until some of its stream has arrived, and cut that."""
        with self.start_apply(plan) as running:
            when(running, lambda: int(said(self.vault.guest, "zfs get -Hpo value used dst") or 0) > 8 << 20)
            with suppress(LabError):  # the last of the stream may be under way already
                self.nas.guest.ssh(CUT)
            out, _ = running.communicate(timeout=APPLY_S)
        assert 1 == running.returncode, out
        return out

    def move(self, on: str, to: str, place: str) -> str:
        """Plan and carry out a move of web01."""
        return self.apply(self.plan(on, "guest-move", "web01", place, "--to", to))


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Guest, Guest]]:
    """Two lab guests with libvirt; ZFSLAB_GUEST and ZFSLAB_SECOND_GUEST name two that run already."""
    named = [os.environ.get(name) for name in ("ZFSLAB_GUEST", "ZFSLAB_SECOND_GUEST")]
    if all(named):
        first, second = (guests.find(str(name)) for name in named)
        if not (first.libvirt and second.libvirt):
            pytest.skip("both guests have to be booted with --libvirt")
        yield first, second
        return
    if LIBVIRT_SERIES not in series_to_test():
        pytest.skip(f"only {LIBVIRT_SERIES} is built with libvirt")
    end_orphans()
    with ExitStack() as running:
        yield booted("libvirt", running), booted("second", running)


def booted(name: str, until: ExitStack) -> Guest:
    """A guest that is ended with the stack."""
    guest = guests.start(LIBVIRT_SERIES, f"test-{name}-{os.getpid()}", disks=2, size="2G", libvirt=True)
    until.callback(guest.down)
    return guest


@pytest.fixture(scope="module")
def libvirts(both: tuple[Guest, Guest]) -> tuple[Libvirt, Libvirt]:
    """Their libvirtds, which answer; the second asks a hook before each start."""
    first, second = both
    second.ssh(f"mkdir -p {Path(HOOK).parent}; cat >{HOOK}; chmod 755 {HOOK}", stdin=REFUSING.encode())
    return Libvirt(first), Libvirt(second)


@pytest.fixture
def two(libvirts: tuple[Libvirt, Libvirt], tmp_path: Path) -> Iterator[Two]:
    """A pool on each, and what a machine called web01 boots from."""
    nas, vault = libvirts
    config = ""
    for name, pool, virt in ((NAS, "src", nas), (VAULT, "dst", vault)):
        virt.reset()
        virt.guest.ssh(f"! zpool list {pool} || zpool destroy -f {pool}")
        virt.guest.create_pool(f"-o ashift=12 {pool} {virt.guest.disk(0)}")
        virt.guest.ssh("rm -f /run/refuse.start /var/log/libvirt/qemu/web01.log")
        virt.put_boot("web01", writes=True)
        config += guests.ssh_config(virt.guest, name, known_hosts=virt.guest.known_hosts)
    folder = Path(os.environ["HOME"]) / ".ssh"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "config").write_text(config)
    yield Two(nas, vault, str(tmp_path / "plan.json"))
    for virt in (nas, vault):
        virt.reset()


def with_volume(two: Two, mib: int, *, writes: bool = True) -> None:
    """web01 runs on a volume of the first host, and is started with it."""
    two.nas.guest.ssh(
        "zfs create -s -V 512M -o compression=lz4 -o primarycache=metadata src/web01; udevadm settle"
    )
    two.nas.guest.ssh(WRITE.format("/dev/zvol/src/web01", mib))
    two.vault.put_boot("web01", writes=writes)
    two.nas.define("web01", Disk("/dev/zvol/src/web01"), writes=writes)
    two.nas.virsh("autostart", "web01")
    two.nas.start("web01")
    if writes:
        until_it_writes(two.nas)


OLD_IMAGE: Final = "/src/web01/disk.qcow2"
IMAGE: Final = f"""\
zfs create -o atime=off src/web01 && truncate -s 512M /src/raw
dd if=/dev/urandom of=/src/raw bs=1M seek=256 count={{}} conv=notrunc,fsync 2>/dev/null
qemu-img convert -f raw -O qcow2 /src/raw {OLD_IMAGE} && rm /src/raw
"""
PAUSE_S: Final = 0.5  # between two writes, which do not reach what was there before
UNPACKED: Final = f"{FOLDER}/unpacked"
BEFORE: Final = f"dd if={UNPACKED} bs=1M skip=256 2>/dev/null | sha256sum"


def with_image(two: Two, mib: int) -> None:
    """web01 runs on a qcow2 image of a file system of the first host."""
    two.nas.guest.ssh(IMAGE.format(mib))
    two.vault.put_boot("web01", writes=True, pause_s=PAUSE_S)
    two.nas.define("web01", Disk(OLD_IMAGE, "qcow2"), writes=True, pause_s=PAUSE_S)
    two.nas.start("web01")
    until_it_writes(two.nas)


def kept(virt: Libvirt, image: str) -> tuple[int, str]:
    """How many writes of web01 an image has, and a digest of what was there before it ran."""
    virt.guest.ssh(f"qemu-img convert -U -f qcow2 -O raw {image} {UNPACKED}")
    return virt.written(UNPACKED), said(virt.guest, BEFORE)


def until_it_writes(virt: Libvirt) -> None:
    """Wait until web01 has written to its second disk."""
    virt.until(f"[ $({VIRSH} domstats --block web01 | sed -n 's/.*block.1.wr.reqs=//p') -gt 2 ]")


def newest(virt: Libvirt, dataset: str) -> str:
    """Guid of the newest snapshot."""
    return said(virt.guest, f"zfs list -Hp -t snapshot -o guid -s createtxg {dataset} | tail -n1")


def is_nothing_lost(old: Libvirt, source: str, new: Libvirt, target: str) -> None:
    """The old place has nothing that the newest snapshot of both has not."""
    assert newest(old, source), source
    assert newest(old, source) == newest(new, target)
    assert "0" == said(old.guest, f"zfs get -Hpo value written {source}")


def logged(virt: Libvirt, what: str) -> float:
    """When QEMU last started or ended for web01, by the log that libvirt keeps, on this machine's clock."""
    now = datetime.now(UTC).timestamp()
    apart = float(said(virt.guest, "date +%s.%N")) - now
    found = [
        time
        for time, event in LOGGED.findall(said(virt.guest, "cat /var/log/libvirt/qemu/web01.log"))
        if event == what
    ]
    at = datetime.strptime(found[-1], "%Y-%m-%d %H:%M:%S.%f").replace(tzinfo=UTC)
    return at.timestamp() - apart


def told_s(words: str) -> tuple[float, float]:
    """How long it was off, and how long from the request until it ran, as a run tells, in seconds."""
    found = SAID_OFF.search(words)
    assert found is not None, words
    minutes, seconds, all_minutes, all_seconds = (float(each or 0) for each in found.groups())
    return 60 * minutes + seconds, 60 * all_minutes + all_seconds


def test_a_running_guest_on_a_volume_is_moved_and_comes_back_with_what_it_wrote(two: Two) -> None:
    nas, vault = two.nas, two.vault
    with_volume(two, 24)

    words = two.move(NAS, VAULT, "dst/web01")

    gap_s = logged(vault, "starting up") - logged(nas, "shutting down")
    off_s, whole_s = told_s(words)
    print("off, as told and as logged; since the request", off_s, gap_s, whole_s)
    assert abs(off_s - gap_s) < LOOKS_S, words
    assert 0 < gap_s < whole_s + CLOCK_S, words
    assert off_s < whole_s, words
    is_nothing_lost(nas, "src/web01", vault, "dst/web01")
    assert ("shut off (shutdown)", "running (booted)") == (nas.state("web01"), vault.state("web01"))
    assert "/dev/zvol/dst/web01" in vault.virsh("dumpxml", "web01")
    settings = "zfs get -Ho value readonly,compression,primarycache {0} | xargs"
    assert "off lz4 metadata" == said(vault.guest, settings.format("dst/web01"))
    assert "on lz4 metadata" == said(nas.guest, settings.format("src/web01"))
    boots = ("list", "--all", "--autostart", "--name")
    assert ("", "web01") == (nas.virsh(*boots), vault.virsh(*boots))
    with pytest.raises(LabError, match=r"[Rr]ead-only|Permission denied|Operation not permitted"):
        nas.virsh("start", "web01")
    there = two.plan(NAS, "guest-move", "web01", "dst/web01", "--to", VAULT)
    assert ["already-there"] == [each["rule"] for each in there["refusals"]]

    until_it_writes(vault)
    two.move(VAULT, NAS, "src/web01")

    is_nothing_lost(vault, "dst/web01", nas, "src/web01")
    assert ("running (booted)", "shut off (shutdown)") == (nas.state("web01"), vault.state("web01"))
    assert "/dev/zvol/src/web01" in nas.virsh("dumpxml", "web01")
    until_it_writes(nas)

    two.apply(two.plan(VAULT, "guest-forget", "web01", "--to", NAS))

    assert "" == vault.virsh("list", "--all", "--name")
    assert "dst/web01" == said(vault.guest, "zfs list -Ho name dst/web01")


def test_a_guest_on_a_qcow2_image_goes_on_after_a_cut_stream_and_a_failed_start(two: Two) -> None:
    nas, vault = two.nas, two.vault
    with_image(two, 64)
    before = kept(nas, OLD_IMAGE)
    vault.guest.ssh("touch /run/refuse.start")

    cut = two.cut(two.plan(NAS, "guest-move", "web01", "dst/web01", "--to", VAULT))

    assert "running (booted)" == nas.state("web01"), f"it runs on: only the first copy was cut: {cut}"
    rest = two.plan(NAS, "guest-move", "web01", "dst/web01", "--to", VAULT)
    assert "-t" in rest["steps"][0]["fed_by"]["argv"], rest["steps"][0]

    stuck = two.apply(rest, 1)

    assert "zfs set readonly=off src/web01" in stuck
    assert ("shut off (shutdown)", "shut off") == (nas.state("web01"), vault.virsh("domstate", "web01"))
    with pytest.raises(LabError, match=r"[Rr]ead-only|Permission denied|Operation not permitted"):
        nas.virsh("start", "web01")
    left = two.plan(NAS, "guest-move", "web01", "dst/web01", "--to", VAULT)
    assert [(VAULT, "start")] == [(step["host"], step["argv"][4]) for step in left["steps"]]

    vault.guest.ssh("rm /run/refuse.start")
    words = two.apply(left)

    off_s, whole_s = told_s(words)
    assert 0 < off_s < whole_s
    assert "running (booted)" == vault.state("web01")
    is_nothing_lost(nas, "src/web01", vault, "dst/web01")
    assert "off off" == said(vault.guest, "zfs get -Ho value readonly,atime dst/web01 | xargs")
    assert "/dst/web01/disk.qcow2" in vault.virsh("dumpxml", "web01")
    sent = said(vault.guest, "zfs list -Hp -t snapshot -o name -s createtxg dst/web01 | tail -n1")
    old = kept(nas, OLD_IMAGE)
    assert old == kept(vault, f"/dst/web01/.zfs/snapshot/{sent.partition('@')[2]}/disk.qcow2")
    assert before[0] < old[0]
    assert before[1] == old[1]

    until_it_writes(vault)
    two.move(VAULT, NAS, "src/web01")

    is_nothing_lost(vault, "dst/web01", nas, "src/web01")
    assert "running (booted)" == nas.state("web01")
