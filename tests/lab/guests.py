"""A guest: one QEMU machine with a real OpenZFS, a shelf of virtual SAS disks, and SSH on loopback.

QEMU emulates in software, so a boot takes about 45 s.  The kernel's RCU is told to look rarely at what each
processor does: with its usual look in every tick an emulated one on a busy machine does little else.
Every start begins from a fresh overlay of the image: nothing that happens in a guest persists.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import time
import zlib
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tests.lab.images import (
    CACHE,
    KEY,
    SERIES,
    LabError,
    Series,
    build,
    build_with_libvirt,
    call,
    install_host_tools,
)

LOOPBACK: Final = "127.0.0.1"
BOOT_S: Final = 900  # on a busy machine; a panic is seen at once
BOOT_ATTEMPTS: Final = 3  # emulated processors patch code under each other now and then, and panic
DOWN_S: Final = 10
KEYSCAN_S: Final = 30  # for one try
COMMAND_S: Final = 120.0
MEMORY_MIB: Final = 2560
RCU: Final = "rcupdate.rcu_expedited=1 rcutree.jiffies_till_first_fqs=50 rcutree.jiffies_till_next_fqs=50"
QEMU_ID_CHARACTERS: Final = 31  # the longest node name that QEMU takes
OWN_WWN: Final = 0x5000C500A0000000  # of the disks that a guest starts with: + the number of the bay
NEW_WWN: Final = 0x5000C500B0000000  # of disks put in later: + a number from their serial
NVME_DISKS: Final = ("nvme0", "nvme1")  # of a guest with disks that have SMART data
SATA_DISK: Final = "sata0"
SECTOR_BYTES: Final = 512
SECTOR_SIZES: Final = ("logical_block_size", "physical_block_size")
SMART_WWN: Final = 0x5000C500C0000000
WIPE: Final = """\
for try in $(seq 60); do
    pkill -x dd
    zpool list -Ho name | while IFS= read -r pool; do zpool destroy -f "$pool"; done
    [ -z "$(zpool list -Ho name)" ] && break
    sleep 1
done
udevadm settle
[ -z "$(zpool list -Ho name)" ] || { echo "pools remain: $(zpool list -Ho name)" >&2; exit 1; }
"""
BLANK: Final = """\
udevadm settle
used=$(zpool status -P)
signed=" $(lsblk -dnpo FSTYPE,NAME | awk 'NF == 2 {{ print $2 }}' | tr '\\n' ' ') "
for disk in {disks}; do
    case $signed in *" $(readlink -f $disk) "*) wipefs -aq $disk ;; esac  # swap and the like
    [ -e $disk-part1 ] || continue
    case $used in *$disk-part1*) continue ;; esac
    (zpool labelclear -f $disk-part1; wipefs -aq $disk; sgdisk -Z $disk) >/dev/null 2>&1
done
udevadm settle
sleep 2
"""
INIT_PATH: Final = "/zfslab-init"
CREATE_TRIES: Final = 4
# sshd asks for an audit socket at each command, for which the kernel would start modprobe each time in vain
NO_MODPROBE: Final = "modprobe -qa loop dm-mod dm-delay nfsd; echo > /proc/sys/kernel/modprobe"


@dataclass(frozen=True, slots=True)
class Guest:
    """A running guest."""

    name: str
    series: str
    port: int
    disks: int
    size: str
    smart: bool = False  # beside the SAS disks two NVMe disks and a SATA disk: QEMU gives these SMART data
    libvirt: bool = False  # with libvirt and QEMU, for guests of its own

    @property
    def folder(self) -> Path:
        """Where its disks, its console log and its SSH files are."""
        return CACHE / "vm" / self.name

    @property
    def ssh_config(self) -> Path:
        """An OpenSSH configuration that knows the guest by its name, host key and login key included."""
        return self.folder / "ssh_config"

    @property
    def known_hosts(self) -> Path:
        """The guest's host keys."""
        return self.folder / "known_hosts"

    @property
    def key(self) -> Path:
        """The private key that logs in as root."""
        return KEY

    @property
    def hostname(self) -> str:
        """What the guest calls itself."""
        return SERIES[self.series].hostname

    @property
    def has_json(self) -> bool:
        """Whether its zpool knows `-j`."""
        return self.series != "2.1"

    def disk(self, bay: int) -> str:
        """The path in the guest of a disk that the guest started with."""
        return f"/dev/disk/by-id/wwn-0x{OWN_WWN + bay:016x}"

    def ssh_argv(self, command: str) -> list[str]:
        """How to run a line of shell in the guest as root."""
        options = ("ControlMaster=auto", f"ControlPath={self.folder}/cm", "ControlPersist=30m")
        flags = [word for option in options for word in ("-o", option)]
        return ["ssh", "-q", "-F", str(self.ssh_config), *flags, self.name, command]

    def ssh(
        self, command: str, *, stdin: bytes = b"", timeout_s: float = COMMAND_S, check: bool = True
    ) -> str:
        """Run a line of shell in the guest as root and return its stdout; raises LabError when it fails."""
        done = subprocess.run(
            self.ssh_argv(command), input=stdin, capture_output=True, timeout=timeout_s, check=False
        )
        output = done.stdout.decode("utf-8", "surrogateescape")
        if check and done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace") or output
            raise LabError(f"{self.name}: {command!r} ended with {done.returncode}: {said.strip()}")
        return output

    def copy_in(self, source: Path, target: str) -> None:
        """Copy a folder's contents, or a file, into a folder of the guest."""
        folder, names = (source, ["."]) if source.is_dir() else (source.parent, [source.name])
        packed = subprocess.run(["tar", "-C", str(folder), "-c", *names], capture_output=True, check=True)
        into = shlex.quote(target)
        self.ssh(f"mkdir -p {into} && tar -C {into} --no-same-owner -x", stdin=packed.stdout, timeout_s=600)

    def copy_out(self, source: str, target: Path) -> None:
        """Copy a folder's contents out of the guest into a folder."""
        target.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(
            self.ssh_argv(f"tar -C {shlex.quote(source)} -c ."), capture_output=True, check=True
        )
        call_with_stdin(["tar", "-C", str(target), "--no-same-owner", "-x"], packed.stdout)

    def ssh_control_ends(self) -> None:
        """Close the connection that commands share."""
        subprocess.run(
            [
                "ssh",
                "-q",
                "-F",
                str(self.ssh_config),
                "-o",
                f"ControlPath={self.folder}/cm",
                "-O",
                "exit",
                self.name,
            ],
            capture_output=True,
            check=False,
        )

    def wipe(self) -> None:
        """Destroy every pool."""
        self.ssh(WIPE)

    def create_pool(self, words: str) -> None:
        """Blank what earlier pools left on disks that none uses now, and run `zpool create -f`.

        A pool that takes over partitions of another fails every second time: udev removes the links under it.
        """
        for left in reversed(range(CREATE_TRIES)):
            self.blank()
            try:
                self.ssh(f"zpool create -f {words}")
            except LabError:
                if not left:
                    raise
            else:
                return

    def blank(self) -> None:
        """Destroy every label and partition on the disks that no imported pool uses."""
        self.ssh(BLANK.format(disks=" ".join(map(self.disk, range(self.disks)))))

    def unplug(self, bay: int) -> None:
        """Pull a disk out of the running guest."""
        self._qmp("device_del", id=f"hd{bay}")

    def plug(self, bay: int, *, serial: str = "", size: str = "", sector_bytes: int = SECTOR_BYTES) -> None:
        """Put the disk back into its bay; or, with a serial, a new and empty one."""
        if serial:
            image = self.folder / f"d{bay}-{serial}.qcow2"
            self._let_go_of(str(image))
            make_disk(image, size or self.size)
            node, wwn = f"n{bay}{serial}", NEW_WWN + zlib.crc32(serial.encode()) % 0xFFFF
        else:
            image = self.folder / f"d{bay}.qcow2"
            self._let_go_of(str(image))
            node, wwn = f"back{bay}-{time.monotonic_ns() % 1_000_000}", OWN_WWN + bay
        node = node[:QEMU_ID_CHARACTERS]
        self._qmp(
            "blockdev-add",
            **{
                "driver": "qcow2",
                "node-name": node,
                "cache": {"no-flush": True},
                "file": {"driver": "file", "filename": str(image)},
            },
        )
        sectors = {} if sector_bytes == SECTOR_BYTES else dict.fromkeys(SECTOR_SIZES, sector_bytes)
        self._qmp("device_add", **disk_device(bay, serial or f"LAB{bay:04d}", wwn), **sectors, drive=node)

    def _let_go_of(self, image: str) -> None:
        """Close an image that a disk now pulled was plugged in with."""
        for node in self._qmp("query-named-block-nodes"):
            if node["file"] == image and node["drv"] == "qcow2":
                with suppress(LabError):  # a disk that is plugged in has it
                    self._qmp("blockdev-del", **{"node-name": node["node-name"]})

    def warn(self, disk: str, warning: int) -> None:
        """Let the SMART data of an NVMe disk have these bits of its critical warning."""
        self._qmp(
            "qom-set", path=f"/machine/peripheral/{disk}", property="smart_critical_warning", value=warning
        )

    def slow(self, bay: int, iops: int) -> None:
        """Throttle a disk below the guest; 0 lets it run free again."""
        limits = dict.fromkeys(("bps", "bps_rd", "bps_wr", "iops_rd", "iops_wr"), 0)
        self._qmp("block_set_io_throttle", id=f"hd{bay}", iops=iops, **limits)

    def freeze(self) -> None:
        """Stop the guest's processors, so that it says nothing any more and keeps its connections."""
        self._qmp("stop")

    def thaw(self) -> None:
        """Let it go on."""
        self._qmp("cont")

    def end(self) -> None:
        """End the guest; its root disk stays."""
        with suppress(FileNotFoundError, ProcessLookupError, ValueError):
            os.kill(int((self.folder / "pid").read_text()), signal.SIGTERM)
        deadline = time.monotonic() + DOWN_S
        while (self.folder / "pid").exists() and time.monotonic() < deadline:
            time.sleep(0.1)

    def down(self) -> None:
        """End the guest and delete what it left."""
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _qmp(self, execute: str, **arguments: object) -> Any:
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(self.folder / "qmp"))
            lines = link.makefile("rw")
            lines.readline()
            for command in ({"execute": "qmp_capabilities"}, {"execute": execute, "arguments": arguments}):
                lines.write(json.dumps(command) + "\n")
                lines.flush()
                while "event" in (reply := json.loads(lines.readline())):
                    pass
                if "error" in reply:
                    raise LabError(f"qmp {execute}: {reply['error']['desc']}")
        return reply["return"]


def said(guest: Guest, command: str) -> str:
    """What a line of shell prints in a guest, without the blanks around it."""
    return guest.ssh(command).strip()


def call_with_stdin(argv: list[str], stdin: bytes) -> None:
    """Feed a program."""
    subprocess.run(argv, input=stdin, check=True)


def make_disk(path: Path, size: str) -> None:
    """An empty disk image."""
    call("qemu-img", "create", "-q", "-f", "qcow2", path, size)


def disk_device(bay: int, serial: str, wwn: int) -> dict[str, object]:
    """How QEMU is told of a disk in a bay."""
    return {
        "driver": "scsi-hd",
        "id": f"hd{bay}",
        "bus": "scsi0.0",
        "scsi-id": bay,
        "serial": serial,
        "product": "LABDISK",
        "wwn": wwn,
    }


def find(name: str) -> Guest:
    """The running guest of that name."""
    try:
        return Guest(**json.loads((CACHE / "vm" / name / "info.json").read_text()))
    except FileNotFoundError:
        raise LabError(f"no such guest: {name}") from None


def start(
    series: str,
    name: str,
    *,
    disks: int = 12,
    size: str = "8G",
    port: int = 0,
    smart: bool = False,
    libvirt: bool = False,
) -> Guest:
    """Boot a guest and wait until it takes SSH; builds its image first when that is missing."""
    if libvirt:
        build_with_libvirt(series)
    else:
        build(series)
    install_host_tools()
    for attempts_left in reversed(range(BOOT_ATTEMPTS)):
        guest = Guest(name, series, port or _free_port(), disks, size, smart, libvirt)
        guest.down()
        try:
            _boot(guest)
        except BaseException as error:
            guest.down()
            if not attempts_left or not isinstance(error, LabError):
                raise
        else:
            return guest
    raise AssertionError("unreachable")


def _boot(guest: Guest) -> None:
    series = SERIES[guest.series]
    guest.folder.mkdir(parents=True)
    root = guest.folder / "root.qcow2"
    image = series.image_with_libvirt if guest.libvirt else series.image
    call("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", image, root)
    for bay in range(guest.disks):
        make_disk(guest.folder / f"d{bay}.qcow2", guest.size)
    call(*_machine(guest, series), *_shelf(guest))
    (guest.folder / "info.json").write_text(json.dumps(asdict(guest)))
    _wait_for_boot(guest)
    _write_ssh_files(guest)
    guest.ssh(NO_MODPROBE)


def boot_again(guest: Guest, init: str) -> None:
    """End a guest and boot it with what it has written, and another first process."""
    guest.ssh("sync")
    guest.ssh_control_ends()
    guest.end()
    (guest.folder / "console.log").unlink()
    call(*_machine(guest, SERIES[guest.series], init), *_shelf(guest))
    _wait_for_boot(guest)
    guest.ssh(NO_MODPROBE)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _machine(guest: Guest, series: Series, init: str = INIT_PATH) -> list[str]:
    kernel_line = f"root=/dev/vda rw console=ttyS0 init={init} quiet mitigations=off audit=0 {RCU}"
    w = guest.folder
    return [
        "qemu-system-x86_64", "-accel", "tcg,thread=multi",
        # the emulated cmpxchg16b of QEMU 7.2 corrupts flags and panics Linux >= 6.12
        "-cpu", "max,cx16=off", "-smp", "2", "-m", str(MEMORY_MIB), "-display", "none", "-no-reboot",
        "-kernel", str(series.folder / "vmlinuz"), "-initrd", str(series.folder / "initrd.img"),
        "-append", kernel_line,
        "-drive", f"if=none,id=root,file={w}/root.qcow2,cache=unsafe",
        "-device", "virtio-blk-pci,drive=root",
        "-device", "virtio-scsi-pci,id=scsi0",
        "-netdev", f"user,id=n0,restrict=on,hostfwd=tcp:{LOOPBACK}:{guest.port}-:22",
        "-device", "virtio-net-pci,netdev=n0",
        "-serial", f"file:{w}/console.log",
        "-qmp", f"unix:{w}/qmp,server=on,wait=off",
        "-pidfile", f"{w}/pid", "-daemonize",
    ]  # fmt: skip


def _shelf(guest: Guest) -> list[str]:
    argv = []
    for bay in range(guest.disks):
        image = guest.folder / f"d{bay}.qcow2"
        drive = f"if=none,id=d{bay},file={image},format=qcow2,cache=unsafe,discard=unmap"
        options = disk_device(bay, f"LAB{bay:04d}", OWN_WWN + bay)
        driver = options.pop("driver")
        device = ",".join([str(driver), *(f"{name}={value}" for name, value in options.items())])
        argv += ["-drive", drive, "-device", f"{device},drive=d{bay}"]
    return argv + (_smart_disks(guest) if guest.smart else [])


def _smart_disks(guest: Guest) -> list[str]:
    argv = ["-device", "ich9-ahci,id=ahci0"]
    sata = f"ide-hd,bus=ahci0.0,serial={SATA_DISK.upper()},model=LABSATA,wwn={SMART_WWN},rotation_rate=7200"
    for name in (*NVME_DISKS, SATA_DISK):
        image = guest.folder / f"{name}.qcow2"
        make_disk(image, guest.size)
        device = sata if name == SATA_DISK else f"nvme,serial={name.upper()}"
        drive = f"if=none,id=drive-{name},file={image},format=qcow2,cache=unsafe,discard=unmap"
        argv += ["-drive", drive, "-device", f"{device},id={name},drive=drive-{name}"]
    return argv


def _wait_for_boot(guest: Guest) -> None:
    log = guest.folder / "console.log"
    deadline = time.monotonic() + BOOT_S
    while time.monotonic() < deadline:
        said = log.read_text(errors="replace") if log.exists() else ""
        if "ZFSLAB-READY" in said:
            return
        if "Kernel panic" in said:
            raise LabError(f"{guest.name} panicked:\n{said[-2000:]}")
        time.sleep(0.5)
    raise LabError(f"{guest.name} did not come up in {BOOT_S} s")


def _write_ssh_files(guest: Guest) -> None:
    guest.known_hosts.write_text(_host_keys(guest))
    guest.ssh_config.write_text(ssh_config(guest, guest.name, known_hosts=guest.known_hosts))


def _host_keys(guest: Guest) -> str:
    """What the guest's sshd shows; it may need a while for its first answer."""
    argv = ["ssh-keyscan", "-T", str(KEYSCAN_S), "-p", str(guest.port), LOOPBACK]
    deadline = time.monotonic() + BOOT_S
    while time.monotonic() < deadline:
        scan = subprocess.run(argv, capture_output=True, text=True, check=False)
        if scan.returncode == 0 and scan.stdout:
            return scan.stdout
    raise LabError(f"{guest.name} shows no host key: {scan.stderr.strip()}")


def ssh_config(guest: Guest, alias: str, *, known_hosts: Path) -> str:
    """What a user would write into ~/.ssh/config for the guest."""
    return (
        f"Host {alias}\n"
        f"    HostName {LOOPBACK}\n"
        f"    Port {guest.port}\n"
        f"    User root\n"
        f"    IdentityFile {guest.key}\n"
        f"    IdentitiesOnly yes\n"
        f"    UserKnownHostsFile {known_hosts}\n"
    )
