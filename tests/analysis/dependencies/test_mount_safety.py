"""Paths on which nothing may be mounted, and mounts that a mount hides."""

from __future__ import annotations

import pytest

from zconsole.analysis.dependencies.mount_safety import hidden_mounts, normal, why_needed
from zconsole.model.host.mount_points import HostMount


@pytest.mark.parametrize(
    "path",
    [
        "/", "//", "/.", "/srv/..", "/etc", "//etc//", "/etc/cron.d", "/srv/../etc/ssh", "/usr", "/usr/bin",
        "/usr/lib/systemd", "/usr/local", "/usr/local/sbin", "/bin", "/sbin", "/lib", "/lib64", "/boot",
        "/boot/efi", "/dev", "/proc", "/sys", "/run", "/run/user/0", "/root", "/var",
        "/var/lib", "/var/lib/dpkg", "/var/run", "/var/spool", "/var/spool/cron", "/nix",
    ],
)  # fmt: skip
def test_nothing_is_mounted_on_what_the_system_needs(path: str) -> None:
    assert why_needed(normal(path))


@pytest.mark.parametrize(
    "path",
    [
        "/srv", "/srv/etc", "/tank", "/tank/usr", "/home", "/home/ann", "/opt", "/mnt", "/usr/local/data",
        "/usr/home", "/usr/src", "/var/www", "/var/lib/docker", "/var/lib/libvirt/images", "/etcetera",
        "/usrlocal", "/var/log",
    ],
)  # fmt: skip
def test_other_directories_are_a_matter_of_what_is_in_them(path: str) -> None:
    assert "" == why_needed(normal(path))


def test_what_the_console_itself_stands_on_is_needed_with_all_above_it() -> None:
    needed = (("/opt/tools/zconsole/__init__.py", "zconsole itself"),)

    assert "zconsole itself is in it" == why_needed("/opt", needed)
    assert "" == why_needed("/opt/other", needed)


def test_mounts_at_and_below_a_directory_are_hidden_but_those_that_move_along() -> None:
    mounts = (
        HostMount("/dev/sda1", "/", "ext4"),
        HostMount("/dev/sdb1", "/srv", "ext4"),
        HostMount("tank/home", "/srv/home", "zfs"),
        HostMount("tmpfs", "/srvx", "tmpfs"),
    )

    assert ["/srv", "/srv/home"] == [each.mountpoint for each in hidden_mounts("/srv", mounts)]
    assert ["/srv"] == [each.mountpoint for each in hidden_mounts("/srv", mounts, moving=["tank/home"])]
