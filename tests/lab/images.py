"""Root images with a real OpenZFS kernel module, built once per machine from Debian's own packages.

A build takes about 8 minutes on 2 cores and needs root: it bootstraps a Debian, lets DKMS compile ZFS for
that Debian's kernel, and packs the tree into a file system image. Tests with guests of libvirt add its
packages to a copy of that image, which takes a minute.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

CACHE: Final = Path(
    os.environ.get("ZFSLAB_CACHE") or Path.home() / ".cache" / "zfslab"
)  # as HOME was at start
KEY: Final = CACHE / "key"
ROOT_SIZE: Final = "4G"
RECIPE: Final = "recipe"  # beside the image, what it was made of
APT_LOCK_S: Final = 300  # another apt may be at work, as on a machine that has just booted
ARCHIVE_CODENAMES: Final = ("bookworm", "trixie", "forky", "sid")
# many forks an event, which flood a guest without processors of its own
NOISY_ZEDLETS: Final = (
    "all-syslog.sh", "data-notify.sh", "history_event-zfs-list-cacher.sh", "*led.sh", "*slot_off.sh",
)  # fmt: skip
HOST_TOOLS: Final = {
    "debootstrap": "debootstrap",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mkfs.ext4": "e2fsprogs",
    "ssh": "openssh-client",
}
BASE_PACKAGES: Final = (
    "ca-certificates,openssh-server,iproute2,udev,kmod,python3,lsscsi,fio,"
    "smartmontools,gdisk,dmsetup,procps,sudo"
)
MORE_PACKAGES: Final = ("opendoas", "nfs-kernel-server", "pv")  # for becoming root, and for `zfs share`
ZFS_PACKAGES: Final = ("zfs-dkms", "zfsutils-linux", "python3-pyzfs", "zfs-zed")
ON_ZFS: Final = ("sanoid", "mbuffer")
LIBVIRT_PACKAGES: Final = (
    "libvirt-daemon", "libvirt-daemon-driver-qemu", "libvirt-clients", "qemu-system-x86", "qemu-utils",
)  # fmt: skip
START_NO_SERVICES: Final = "#!/bin/sh\nexit 101\n"
INIT: Final = r"""#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm; mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /run; mount -t tmpfs tmpfs /tmp
mkdir -p /run/sshd /run/udev /run/lock
mount -o remount,rw /
hostname "$(cat /etc/hostname)"
ip link set lo up
for u in /usr/lib/systemd/systemd-udevd /lib/systemd/systemd-udevd; do [ -x $u ] && $u --daemon && break; done
udevadm trigger --action=add; udevadm settle -t 60
for i in /sys/class/net/e*; do n=${i##*/}; ip link set $n up; ip addr add 10.0.2.15/24 dev $n; done
modprobe zfs
[ -x /usr/sbin/zed ] && mkdir -p /run && zed >/dev/null 2>&1
/usr/sbin/sshd
echo ZFSLAB-READY
sleep infinity & wait  # and take leave of every orphan that ends
"""


class LabError(Exception):
    """The lab cannot do it; says what is in the way."""


@dataclass(frozen=True, slots=True)
class Series:
    """One OpenZFS release series, and the Debian that carries it."""

    name: str
    suite: str
    backports: str = ""

    @property
    def folder(self) -> Path:
        """Where the image, its kernel and its initial RAM disk are kept."""
        return CACHE / self.name

    @property
    def image(self) -> Path:
        """The root file system; it is there exactly when the build is complete."""
        return self.folder / "root.img"

    @property
    def recipe(self) -> str:
        """A digest of what the image is made of."""
        made_of = (self.suite, self.backports, BASE_PACKAGES, MORE_PACKAGES, ZFS_PACKAGES, ON_ZFS, INIT)
        return hashlib.sha256(repr(made_of).encode()).hexdigest()

    @property
    def is_built(self) -> bool:
        """Whether the image is there, and made as it would be made now."""
        note = self.folder / RECIPE
        return self.image.exists() and note.exists() and note.read_text() == self.recipe

    @property
    def image_with_libvirt(self) -> Path:
        """The same with libvirt and QEMU in it."""
        return self.folder / "root-libvirt.img"

    @property
    def recipe_with_libvirt(self) -> str:
        """A digest of what that one is made of."""
        return hashlib.sha256(repr((self.recipe, LIBVIRT_PACKAGES)).encode()).hexdigest()

    @property
    def hostname(self) -> str:
        """What the guest calls itself."""
        return "storage" + self.name.replace(".", "")


SERIES: Final = {
    series.name: series
    for series in (
        Series("2.1", "bookworm"),  # text output only
        Series("2.3", "trixie"),  # JSON output
        Series("2.4", "trixie", "trixie-backports"),
    )
}


def call(*argv: str | Path, quiet: bool = False, env: dict[str, str] | None = None) -> None:
    """Run a program; raises CalledProcessError when it fails."""
    stdout = subprocess.DEVNULL if quiet else None
    subprocess.run([str(word) for word in argv], check=True, stdin=subprocess.DEVNULL, stdout=stdout, env=env)


@contextmanager
def lock(name: str) -> Iterator[None]:
    """Let one process at a time do this on this machine."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def install_host_tools() -> None:
    """Install what the host lacks for building and running guests."""
    missing = [package for tool, package in HOST_TOOLS.items() if not shutil.which(tool)]
    if not missing:
        return
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    apt = ("apt-get", "-o", f"DPkg::Lock::Timeout={APT_LOCK_S}")
    call(*apt, "update", quiet=True, env=env)
    call(*apt, "install", "-y", "--no-install-recommends", *missing, quiet=True, env=env)


def build(name: str, *, force: bool = False) -> Path:
    """Build the image of a series unless it is there and of today; a second builder waits for the first."""
    series = SERIES[name]
    if series.is_built and not force:
        return series.image
    with lock("build"):
        if not series.is_built or force:
            install_host_tools()
            _make_key()
            _build(series)
    return series.image


def build_with_libvirt(name: str) -> Path:
    """Build the image of a series with libvirt in it unless it is there and of today; needs root."""
    series = SERIES[name]
    build(name)
    image, note = series.image_with_libvirt, series.folder / f"{RECIPE}-libvirt"
    with lock("build-libvirt"):
        if not (image.exists() and note.exists() and note.read_text() == series.recipe_with_libvirt):
            _add_libvirt(series)
            note.write_text(series.recipe_with_libvirt)
    return image


def _add_libvirt(series: Series) -> None:
    """Install the packages in a copy, which takes the place of an earlier one when it is complete."""
    part, root = series.folder / "root-libvirt.img.part", series.folder / "root-libvirt"
    remove_tree(root)
    call("cp", "--sparse=always", series.image, part)
    root.mkdir(exist_ok=True)
    call("mount", "-o", "loop", part, root)
    try:
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        with _kernel_file_systems(root):
            apt = ("chroot", root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
            call(*apt, "update", quiet=True)
            call(*apt, "install", "-y", "--no-install-recommends", *LIBVIRT_PACKAGES, quiet=True)
            call(*apt, "clean")
    finally:
        call("umount", root)
    root.rmdir()
    part.rename(series.image_with_libvirt)


def remove_tree(root: Path) -> None:
    """Remove a tree that a build made, or one that a killed build left with this machine's /dev bound in it.

    Raises LabError, with nothing removed, while something stays mounted below it.
    """
    for mount in reversed(_mounted_below(root)):
        subprocess.run(["umount", str(mount)], check=False)
    if still := _mounted_below(root):
        raise LabError(f"{still[0]} is still mounted: unmount it first, or this machine loses what it shows")
    if root.exists():
        shutil.rmtree(root)


def _mounted_below(root: Path) -> list[Path]:
    """What is mounted there, in the order of mounting."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    places = [Path(line.split()[1].encode().decode("unicode_escape")) for line in lines]
    return [place for place in places if place.is_relative_to(root.resolve())]


def _make_key() -> None:
    if not KEY.exists():
        call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", KEY)


def _build(series: Series) -> None:
    root = series.folder / "root"
    uri = archive_uri()
    remove_tree(root)
    series.folder.mkdir(parents=True, exist_ok=True)
    call(
        "debootstrap",
        "--variant=minbase",
        "--components=main,contrib",
        f"--include={BASE_PACKAGES}",
        series.suite,
        root,
        uri,
        quiet=True,
    )
    _take_over_network_settings(root, series, uri)
    _install(root, series)
    _configure(root, series)
    _pack(root, series)


def archive_uri() -> str:
    """The Debian archive, or its mirror, that this machine's apt is set up for."""
    listing = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)"],
        capture_output=True,
        text=True,
        check=True,
    )
    for line in listing.stdout.splitlines():
        uri, _, codename = line.partition(" ")
        if codename in ARCHIVE_CODENAMES and "security" not in uri:
            return uri.rstrip("/")
    raise LabError("no Debian archive in apt's sources (run apt-get update first)")


def _take_over_network_settings(root: Path, series: Series, uri: str) -> None:
    suites = [series.suite] + ([series.backports] if series.backports else [])
    sources = "".join(f"deb {uri} {suite} main contrib\n" for suite in suites)
    (root / "etc/apt/sources.list").write_text(sources)
    for conf in Path("/etc/apt/apt.conf.d").iterdir():
        target = root / "etc/apt/apt.conf.d" / conf.name
        if conf.is_file() and not target.exists():
            shutil.copy(conf, target)
    for name in ("resolv.conf", "hosts"):
        shutil.copy(Path("/etc") / name, root / "etc" / name)


@contextmanager
def _kernel_file_systems(root: Path) -> Iterator[None]:
    mounts = [root / name for name in ("proc", "sys", "dev")]
    try:
        for mount in mounts:
            call("mount", "--bind", Path("/") / mount.name, mount)
        yield
    finally:
        for mount in mounts:
            subprocess.run(["umount", "-l", str(mount)], check=False)


def _install(root: Path, series: Series) -> None:
    policy = root / "usr/sbin/policy-rc.d"
    policy.write_text(START_NO_SERVICES)
    policy.chmod(0o755)
    apt = ("chroot", root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
    install = (*apt, "install", "-y", "--no-install-recommends")
    pin = ("-t", series.backports) if series.backports else ()
    with _kernel_file_systems(root):
        call(*apt, "update", quiet=True)
        call(*install, "linux-image-cloud-amd64", "linux-headers-cloud-amd64", quiet=True)
        call(*install, *MORE_PACKAGES, quiet=True)
        call(*install, *pin, *ZFS_PACKAGES, quiet=True)
        call(*install, *ON_ZFS, quiet=True)
        call(*apt, "clean")
    if not list(root.glob("lib/modules/*/updates/dkms/zfs.ko*")):
        raise LabError(f"the zfs kernel module was not built; see the dkms log in {root}")


def _configure(root: Path, series: Series) -> None:
    for zedlet in (root / "etc/zfs/zed.d").iterdir():  # links that lead somewhere only inside the root
        if any(fnmatch(zedlet.name, pattern) for pattern in NOISY_ZEDLETS):
            zedlet.unlink()
    init = root / "zfslab-init"
    init.write_text(INIT)
    init.chmod(0o755)
    (root / "etc/modprobe.d/zfs.conf").write_text("options zfs zfs_arc_max=268435456\n")
    (root / "etc/hostname").write_text(f"{series.hostname}\n")
    with (root / "etc/hosts").open("a") as hosts:
        hosts.write(f"127.0.1.1 {series.hostname}\n")
    ssh = root / "root/.ssh"
    ssh.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(KEY.with_suffix(".pub"), ssh / "authorized_keys")


def _pack(root: Path, series: Series) -> None:
    for name in ("vmlinuz", "initrd.img"):
        shutil.copy(max(root.glob(f"boot/{name}-*")), series.folder / name)
    part = series.folder / "root.img.part"
    with suppress(FileNotFoundError):
        part.unlink()
    call("truncate", "-s", ROOT_SIZE, part)
    call("mkfs.ext4", "-q", "-L", "root", "-d", root, part)
    part.rename(series.image)
    (series.folder / RECIPE).write_text(series.recipe)
    remove_tree(root)
