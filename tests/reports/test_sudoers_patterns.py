"""Ways to root through the rules for sudo, tried against our matcher and against the real sudo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tests.reports.sudo import EVERYTHING, Matcher, has_real_sudo, really_allowed
from zconsole.model.guests.domain_needs import DomainNeeds
from zconsole.reports.sudoers_patterns import Grants
from zconsole.system.libvirt.domain_needs_of_its_host import compare_cpu, domain_capabilities
from zconsole.system.libvirt.stored_definition import define, undefine, update_disk
from zconsole.system.open_files import OPEN_FILES

Argv = tuple[str, ...]
TIGHT: Final = Grants()
SYSTEM: Final = (
    "/",
    "/etc",
    "/etc/cron.d",
    "/usr/lib",
    "/root",
    "/srv/../etc",
    "/srv/./../etc",
    "//etc",
    "/srvx",
)
GUEST: Final = DomainNeeds("kvm", "/usr/bin/qemu-system-x86_64", "x86_64", "pc-q35-9.2", "custom")
UUID: Final = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"
WRITABLE: Final = (
    "/dev/shm/x", "/dev/shm/../../etc/passwd", "/dev/fd/0", "/dev/stdin", "/dev/loop0", "/dev/zd0",  # noqa: S108
    "/dev/zvol/tank/guest", "/dev/mem", "/dev/disk/../shm/x", "/dev/disk/by-id/../../shm/x",
)  # fmt: skip
DANGEROUS: Final = (
    "keylocation=http://10.0.0.1/key", "keylocation=https://keys.example.net/k",
    "keylocation=file:///etc/shadow", "keylocation=file:///var/keys/../../etc/shadow",
    "keylocation=file://etc/shadow", "setuid=on", "exec=on", "devices=on", "zoned=on", "sharenfs=on",
    "sharenfs=rw,no_root_squash", "sharesmb=on", "sharesmb=guest_ok=y", "context=system_u:object_r:etc_t:s0",
    "fscontext=x,suid", "rootcontext=a", "defcontext=a", "mountpoint=", "mountpoint=etc", "MOUNTPOINT=/etc",
    "compression=on\n", "compression=lz4\nmountpoint=/etc", "compression=lz4\tx", "a:b=c\n", "a:b=/etc",
    "-u:a=b", "org.x:y=$(id)", "comment=`id`",
    *(f"mountpoint={path}" for path in SYSTEM),
)  # fmt: skip
BY_HAND: Final[tuple[Argv, ...]] = (
    ("zpool", "import", "-R", "/etc", "1234"),
    ("zpool", "import", "-N", "-R", "/etc", "1234"),
    ("zpool", "import", "-N", "-R", "/srv/../etc", "1234"),
    ("zpool", "import", "-N", "-R/etc", "1234"),
    ("zpool", "import", "1234"),
    ("zpool", "import", "tank"),
    ("zpool", "import", "-a"),
    ("zpool", "import", "-N", "-a"),
    ("zpool", "import", "-d", "/home/anna", "-a"),
    ("zpool", "import", "-N", "-d", "/home/anna", "1234"),
    ("zpool", "import", "-N", "-c", "/home/anna/cache", "1234"),
    ("zpool", "import", "-N", "-o", "cachefile=/etc/cron.d/x", "1234"),
    ("zpool", "import", "-N", "-o", "altroot=/etc", "1234"),
    ("zpool", "import", "-N", "-o", "readonly=on", "-o", "altroot=/etc", "1234"),
    ("zpool", "import", "-N", "-o", "readonly=on,altroot=/etc", "1234"),
    ("zpool", "import", "-N", "-oaltroot=/etc", "1234"),
    ("zpool", "import", "-N", "-l", "1234"),
    ("zpool", "import", "-N", "-F", "1234"),
    ("zpool", "import", "-N", "-FX", "1234"),
    ("zpool", "import", "-N", "--rewind-to-checkpoint", "1234"),
    ("zpool", "import", "-N", "--", "1234"),
    ("zpool", "import", "-N", "1234", "-R/etc"),
    ("zpool", "import", "-D", "-a"),
    ("zpool", "import", "-D", "1234"),
    ("zpool", "create", "-m", "/etc", "tank", "/dev/sdb"),
    ("zpool", "create", "-m", "/etc/cron.d", "tank", "/dev/sdb"),
    ("zpool", "create", "-m/etc", "tank", "/dev/sdb"),
    ("zpool", "create", "-R", "/etc", "tank", "/dev/sdb"),
    ("zpool", "create", "-O", "mountpoint=/etc", "tank", "/dev/sdb"),
    ("zpool", "create", "-O", "compression=lz4", "-O", "mountpoint=/etc", "-m", "none", "tank", "/dev/sdb"),
    ("zpool", "create", "-O", "setuid=on", "-m", "none", "tank", "/dev/sdb"),
    ("zpool", "create", "-o", "cachefile=/etc/x", "-m", "none", "tank", "/dev/sdb"),
    ("zpool", "create", "-o", "altroot=/etc", "-m", "none", "tank", "/dev/sdb"),
    ("zpool", "create", "-t", "x", "-m", "none", "tank", "/dev/sdb"),
    ("zpool", "create", "-f", "-m", "none", "tank", "/dev/sdb"),
    ("zpool", "create", "-d", "-m", "none", "tank", "/dev/sdb"),
    ("zpool", "create", "-m", "none", "tank", "/home/anna/file"),
    ("zpool", "create", "-m", "none", "tank", "/dev/../home/anna/file"),
    *(
        ("zpool", *words, node)
        for words in (
            ("create", "-m", "none", "tank"),
            ("add", "tank"),
            ("attach", "tank", "1"),
            ("replace", "tank", "1"),
            ("labelclear", "-f"),
        )
        for node in WRITABLE
    ),
    ("zpool", "create", "-m", "none", "tank", "sdb"),
    ("zpool", "create", "etc", "/dev/sdb"),
    ("zpool", "create", "-o", "ashift=12", "etc", "/dev/sdb"),
    ("zpool", "create", "-n", "-m", "/etc", "tank", "/dev/sdb"),
    ("zpool", "add", "-f", "tank", "/dev/sdb"),
    ("zpool", "add", "tank", "/home/anna/file"),
    ("zpool", "add", "tank", "/dev/../home/anna/file"),
    ("zpool", "attach", "tank", "1", "/home/anna/file"),
    ("zpool", "attach", "-f", "tank", "1", "/dev/sdb"),
    ("zpool", "replace", "tank", "1", "/etc/passwd"),
    ("zpool", "replace", "tank", "1", "/dev/.lvm/../../etc/passwd"),
    ("zpool", "split", "-R", "/etc", "tank", "new"),
    ("zpool", "split", "-o", "altroot=/etc", "tank", "new"),
    ("zpool", "split", "-R/etc", "tank", "new"),
    ("zpool", "set", "cachefile=/etc/cron.d/x", "tank"),
    ("zpool", "set", "cachefile=/home/anna/x", "tank"),
    ("zpool", "set", "altroot=/etc", "tank"),
    ("zpool", "set", "comment=a\nb", "tank"),
    ("zpool", "set", "autotrim=on", "tank", "bulk"),
    ("zpool", "set", "compatibility=/home/anna/x", "tank"),
    ("zpool", "set", "compatibility=../../home/anna/x", "tank"),
    ("zpool", "status", "-c", "/home/anna/x"),
    ("zpool", "iostat", "-c", "id"),
    ("zpool", "history", "-il"),
    ("zpool", "history", "-il", "tank\nx"),
    ("zpool", "labelclear", "/etc/passwd"),
    ("zpool", "labelclear", "-f", "/home/anna/file"),
    ("zpool", "labelclear", "/dev/../etc/passwd"),
    ("zpool", "export", "-a"),
    ("zpool", "destroy", "-f", "tank"),
    ("zpool", "upgrade", "-a"),
    ("zpool", "upgrade", "-V", "28", "tank"),
    ("zdb", "-l", "-u", "/etc/shadow"),
    ("zdb", "-l", "-u", "/dev/../etc/shadow"),
    ("zdb", "-R", "tank", "0:0:1000:r"),
    ("zdb", "-e", "-p", "/home/anna", "tank"),
    ("zdb", "-B", "tank/1"),
    ("find", "/", "-exec", "id", ";"),
    (*OPEN_FILES.argv, "-exec", "id", ";"),
    (*OPEN_FILES.argv, "-delete"),
    (*OPEN_FILES.argv[:-1], "-fprint", "/etc/cron.d/x"),
    ("ledctl", "--listed-only", "locate=/etc/passwd"),
    ("ledctl", "--listed-only", "--log=/etc/x", "locate=/dev/sda"),
    ("ledctl", "-l", "/etc/cron.d/x", "--listed-only", "locate=/dev/sda"),
    ("ledctl", "--listed-only", "failure=/dev/sda"),
    ("zfs", "mount", "-o", "suid", "tank/a"),
    ("zfs", "mount", "-a"),
    ("zfs", "mount", "-O", "tank/a"),
    ("zfs", "mount", "-l", "tank/a"),
    ("zfs", "mount", "-osuid,exec", "tank/a"),
    ("zfs", "mount", "--", "tank/a"),
    ("zfs", "unmount", "-f", "tank/a"),
    ("zfs", "unmount", "/etc"),
    ("zfs", "unmount", "-a"),
    ("zfs", "share", "-a"),
    ("zfs", "allow", "anna", "mount", "tank"),
    ("zfs", "allow", "-e", "@x", "tank"),
    ("zfs", "jail", "x", "tank"),
    ("zfs", "zone", "/proc/1/ns/user", "tank"),
    ("zfs", "userspace", "tank"),
    ("zfs", "program", "tank", "/home/anna/x.lua"),
    ("zfs", "program", "-j", "tank", "/home/anna/x.lua"),
    ("zfs", "program", "-j", "tank", "/home/anna/x.lua", "tank/a@1", "guid=1"),
    ("zfs", "program", "-m", "1000000000", "-j", "tank", "-"),
    ("zfs", "program", "-j", "-t", "999999999", "tank", "-", "tank/a@1", "guid=1"),
    ("zfs", "program", "-jn", "tank", "/etc/shadow"),
    ("zfs", "program", "-jn", "tank", "-", "x"),
    ("zfs", "load-key", "-L", "file:///etc/shadow", "tank/a"),
    ("zfs", "load-key", "-L", "https://10.0.0.1/x", "tank/a"),
    ("zfs", "load-key", "-a"),
    ("zfs", "change-key", "-o", "keylocation=file:///x", "tank/a"),
    ("zfs", "receive", "-F", "tank/a"),
    ("zfs", "receive", "-s", "-u", "-o", "mountpoint=/etc", "tank/a"),
    ("zfs", "receive", "-s", "-u", "-o", "readonly=on", "-o", "mountpoint=/etc", "tank/a"),
    ("zfs", "receive", "-d", "tank"),
    ("zfs", "receive", "-s", "-u", "-e", "tank"),
    ("zfs", "receive", "-s", "tank/a"),
    ("zfs", "send", "-R", "tank@a"),
    ("zfs", "send", "-p", "tank@a"),
    ("zfs", "send", "tank@a"),
    ("zfs", "diff", "-FHt", "tank/a@1", "tank/a", "x"),
    ("zfs", "destroy", "-f", "tank/a"),
    ("zfs", "destroy", "-rf", "tank/a"),
    ("zfs", "destroy", "-R", "-f", "tank/a"),
    ("zfs", "destroy", "tank/a", "tank/b"),
    ("zfs", "rollback", "-Rf", "tank/a@b"),
    ("zfs", "rollback", "tank/a"),
    ("zfs", "rename", "-f", "tank/a", "tank/b"),
    ("zfs", "rename", "tank/a", "tank/b\n"),
    ("zfs", "snapshot", "-o", "a:b=c", "tank/a@b"),
    ("zfs", "inherit", "-S", "mountpoint", "tank/a"),
    ("zfs", "inherit", "setuid", "tank/a"),
    ("zfs", "inherit", "exec", "tank/a"),
    ("zfs", "inherit", "devices", "tank/a"),
    ("zfs", "inherit", "sharenfs", "tank/a"),
    ("zfs", "inherit", "-r", "setuid", "tank/a"),
    ("zfs", "inherit", "keylocation", "tank/a"),
    ("zfs", "create", "-o", "encryption=on", "-o", "keylocation=file:///etc/shadow", "tank/a"),
    ("zfs", "create", "-omountpoint=/etc", "tank/a"),
    ("zfs", "create", "-po", "mountpoint=/etc", "tank/a"),
    ("zfs", "create", "-p", "-u", "tank/a"),
    ("zfs", "create", "--", "-o", "mountpoint=/etc", "tank/a"),
    ("zfs", "create", "tank/a", "-o", "mountpoint=/etc"),
    ("zfs", "create", "-V", "1G\n", "tank/a"),
    ("zfs", "clone", "-omountpoint=/etc", "tank/a@1", "tank/b"),
    ("zfs", "redact", "tank/a@1", "x", "tank/a@2"),
    ("zfs", "hold", "-r", "--", "x", "tank/a@1"),
    ("zfs", "hold", "x\ny", "tank/a@1"),
    ("zfs", "upgrade", "-a"),
    ("sh", "-c", "id"),
    ("mktemp", "-d", "/etc/zconsole-benchmark.XXXXXX"),
    ("mktemp", "-d", "/run/zconsole-benchmark.XXXXXX", "/etc/x"),
    *(
        ("chown", "anna", path)
        for path in ("/etc", "/run/zconsole-benchmark.abc123/../../etc", "/run/zconsole")
    ),
    ("chown", "-R", "anna", "/run/zconsole-benchmark.abc123"),
    ("chown", "anna", "/run/zconsole-benchmark.abc123/x"),
    ("rmdir", "/run/zconsole"),
    ("rmdir", "-p", "/run/zconsole-benchmark.abc123"),
    ("fio", "--name=x", "--filename=/etc/shadow"),
    domain_capabilities(replace(GUEST, emulator="/home/anna/evil")).argv,
    domain_capabilities(replace(GUEST, emulator="/usr/bin/../../tmp/evil")).argv,
    compare_cpu(replace(GUEST, emulator="/home/anna/qemu")).argv,
    compare_cpu(replace(GUEST, machine="pc --error")).argv,
    ("sh", "-s"),
    ("sh", "-s", "--", "tank", "tank/zconsole-benchmark", "131072", "all", "1073741824", "10"),
    ("sh", *define()[1:3], "zconsole", "qemu:///session"),
    ("sh", *define()[1:3], "zconsole", "qemu+ssh://evil/system"),
    ("sh", *define()[1:3], "zconsole", "qemu:///system;id"),
    ("sh", *define()[1:3], "zconsole", "qemu:///system", "-x"),
    ("sh", *update_disk(UUID)[1:-1], "web01"),
    ("sh", *update_disk(UUID)[1:], "--live"),
    *(
        ("virsh", "-q", "-c", uri, "start", UUID)
        for uri in ("qemu:///session", "qemu+ext://x/?command=/tmp/x")
    ),
    ("virsh", "-q", "-c", "qemu:///system", "start", "web01"),
    ("virsh", "-q", "-c", "qemu:///system", "start", UUID, "--force-boot"),
    ("virsh", "-q", "-c", "qemu:///system", "destroy", UUID),
    ("virsh", "-q", "-c", "qemu:///system", "define", "/home/anna/x.xml"),
    ("virsh", "-q", "-c", "qemu:///system", "undefine", "--remove-all-storage", UUID),
    ("virsh", "-q", "-c", "qemu:///system", "undefine", "--keep-nvram", "--remove-all-storage", UUID),
    ("virsh", "-q", "-c", "qemu:///system", "autostart", UUID, ";", "cd", "/"),
    ("virsh", "-q", "-c", "qemu:///system"),
    ("python3", "-m", "zconsole.zfs.change.libzfs_core_child", "snapshot"),
    ("/usr/bin/python3", "-I", "/home/anna/zconsole/zfs/change/libzfs_core_child.py", "snapshot"),
    ("flock", "/etc", "sh"),
    ("sudoedit", "/etc/passwd"),
    ("cp", "-anT", "--", "/home/anna/x", "/etc/cron.d/x"),
    ("syncoid", "--no-sync-snap", "tank/a", "tank/b"),
)
FINE: Final[tuple[Argv, ...]] = (  # each is allowed, and is made into an attack in many ways
    ("zpool", "scrub", "tank"),
    ("zpool", "offline", "-t", "tank", "42"),
    ("zpool", "create", "-o", "ashift=12", "-m", "none", "tank", "mirror", "/dev/sdb", "/dev/sdc"),
    ("zpool", "set", "comment=x", "tank"),
    ("zfs", "create", "-o", "compression=lz4", "tank/a"),
    ("zfs", "clone", "-o", "mountpoint=none", "tank/a@1", "tank/b"),
    ("zfs", "set", "quota=10G", "tank/a"),
    ("zfs", "destroy", "-r", "tank/a@1"),
    ("zfs", "rename", "tank/a", "tank/b"),
    ("zfs", "rename", "-u", "tank/a", "tank/b"),
    ("zfs", "mount", "tank/a"),
    ("zfs", "program", "-j", "tank", "-", "tank/a@1", "guid=-42,createtxg=7", "any", "any"),
    ("zfs", "hold", "keep", "tank/a@1"),
    ("zfs", "set", "readonly=off", "recordsize=65536", "tank/a"),
)


def generated() -> Iterator[Argv]:
    """Attacks made of what is allowed: more words, options elsewhere, forms of them, bytes no name has."""
    for argv in FINE:
        yield (*argv, "-omountpoint=/etc")
        yield (*argv, "--")
        yield (*argv, "")
        yield (*argv[:-1], f"{argv[-1]}\n")
        yield (*argv[:-1], f"{argv[-1]}\nmountpoint=/etc")
        yield (*argv[:-1], f"{argv[-1]}\t")
        yield (*argv[:-1], f"{argv[-1]};id")
        yield (*argv[:-1], f"{argv[-1]}$(id)")
        yield (*argv[:-1], f"{argv[-1]}\x7f")
        yield (*argv[:-1], f"{argv[-1]}é")
        yield (*argv[:2], "-o", "mountpoint=/etc", *argv[2:])
        yield (*argv[:2], "-o mountpoint=/etc", *argv[2:])
        yield (*argv[:2], "-R", "/etc", *argv[2:])
        yield (*argv[:2], "--option=mountpoint=/etc", *argv[2:])
        yield (argv[0], f"{argv[1]}\n", *argv[2:])
    for setting in DANGEROUS:
        yield ("zfs", "set", setting, "tank/a")
        yield ("zfs", "create", "-o", setting, "tank/a")
        yield ("zfs", "create", "-o", "compression=lz4", "-o", setting, "tank/a")
        yield ("zfs", "create", "-o", setting, "-o", "compression=lz4", "tank/a")
        yield ("zfs", "clone", "-p", "-o", setting, "tank/a@1", "tank/b")
        yield ("zfs", "set", "quota=1G", setting, "tank/a")
        yield ("zfs", "set", "readonly=off", setting, "tank/a")
        yield ("zfs", "set", "readonly=off", "atime=off", setting, "tank/a")
        yield ("zfs", "receive", "-s", "-u", "-o", setting, "tank/a")


ATTACKS: Final = tuple(dict.fromkeys((*BY_HAND, *generated())))
SEEN: Final[tuple[Argv, ...]] = (
    ("zfs", "create", "-o", "mountpoint=/etc/cron.d", "tank/x"),
    ("zfs", "set", "keylocation=http://10.0.0.1/key", "tank/x"),
    ("zpool", "import", "-R", "/etc", "1234"),
    ("zpool", "create", "-m", "/etc", "tank", "/dev/sdb"),
    ("zfs", "set", "setuid=on", "tank/x"),
    ("zfs", "set", "a:b=c\nd", "tank/x"),
    ("zfs", "diff", "-FHt", "tank/a@1", "tank/a"),
)


@pytest.mark.parametrize("argv", SEEN, ids=" ".join)
def test_what_equalled_root_is_not_allowed_by_default(argv: Argv) -> None:
    assert not Matcher(TIGHT).allows(*argv)


@pytest.mark.parametrize("grants", [TIGHT, EVERYTHING], ids=["tight", "everything"])
def test_more_than_two_hundred_escalations_are_refused(grants: Grants) -> None:
    """Also where mountpoints, keys and every command were named: by those nothing else becomes possible."""
    matcher = Matcher(grants)

    assert len(ATTACKS) > 400
    assert [] == [argv for argv in ATTACKS if matcher.allows(*argv)]


def test_what_the_attacks_are_made_of_is_allowed() -> None:
    matcher = Matcher(TIGHT)

    assert [] == [argv for argv in FINE if not matcher.allows(*argv)]


@pytest.mark.slow(after=1)
@pytest.mark.skipif(not has_real_sudo(), reason="sudo, unshare or root is missing")
@pytest.mark.parametrize("grants", [TIGHT, EVERYTHING], ids=["tight", "everything"])
def test_the_real_sudo_refuses_each_and_allows_what_they_are_made_of(tmp_path: Path, grants: Grants) -> None:
    known = {"zpool", "zfs", "zdb", "find", "sh"}  # of the others it says that they are not there
    attacks = [argv for argv in ATTACKS if argv[0] in known]
    fine = [*FINE, *(define(), update_disk(UUID), compare_cpu(GUEST).argv) * bool(grants.commands)]

    answers = really_allowed(grants, [*fine, *attacks], tmp_path)

    assert [True] * len(fine) == answers[: len(fine)]
    assert [] == [argv for argv, is_allowed in zip(attacks, answers[len(fine) :], strict=True) if is_allowed]


def test_definitions_of_guests_are_taken_and_removed_only_where_that_was_asked_for() -> None:
    changes = (define(), update_disk(UUID), undefine(UUID), domain_capabilities(GUEST).argv)

    for grants, is_allowed in (
        (TIGHT, False),
        (Grants(commands=frozenset({"guests"})), False),
        (EVERYTHING, True),
    ):
        matcher = Matcher(grants)
        assert [is_allowed] * len(changes) == [matcher.allows(*argv) for argv in changes]
