"""A guest whose first process is systemd; otherwise it is a script of the lab's, which boots faster."""

from __future__ import annotations

from typing import Final

from tests.lab.guests import INIT_PATH, Guest, boot_again

SYSTEMD: Final = "/lib/systemd/systemd"
NOT_WANTED: Final = (  # services of the image that a test has no use for, and an emulated processor no time
    "getty@tty1.service", "serial-getty@ttyS0.service", "apt-daily.timer", "apt-daily-upgrade.timer",
    "dpkg-db-backup.timer", "fstrim.timer", "sanoid.timer", "smartmontools.service", "rpcbind.service",
    "rpcbind.socket", "nfs-server.service", "nfs-client.target",
)  # fmt: skip
LAB_SERVICE: Final = """\
[Unit]
Description=Network of the lab, and word that the guest is ready
After=ssh.service zfs.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'for i in /sys/class/net/e*; do n=$${i##*/}; ip link set $$n up; ip addr add 10.0.2.15/24 dev $$n; done; echo ZFSLAB-READY >/dev/ttyS0'
[Install]
WantedBy=multi-user.target
"""  # noqa: E501  # one line of a unit
PREPARE: Final = f"""\
cat > /etc/systemd/system/lab.service
ln -sf ../lab.service /etc/systemd/system/multi-user.target.wants/
for unit in {" ".join(NOT_WANTED)}; do ln -sf /dev/null /etc/systemd/system/$unit; done
ln -sf /lib/systemd/system/multi-user.target /etc/systemd/system/default.target
"""


def boot_under_systemd(guest: Guest) -> None:
    """Boot it again, with systemd as its first process. What it has written stays."""
    if "systemd" in guest.ssh("cat /proc/1/comm"):
        return
    guest.ssh(PREPARE, stdin=LAB_SERVICE.encode())
    boot_again(guest, SYSTEMD)


def boot_under_the_script(guest: Guest) -> None:
    """Boot it again as it was."""
    boot_again(guest, INIT_PATH)
