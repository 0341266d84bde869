"""Known causes of a slow SSH login, by the phase that is slow, and how to tell which one it is."""

from __future__ import annotations

from typing import Final

from zconsole.model.finding import Finding
from zconsole.model.host.ssh_login import LoginPhase

CAUSES: Final[dict[LoginPhase, tuple[str, ...]]] = {
    LoginPhase.CONNECT: (
        (
            "The name is looked up slowly: the same login by address is quick, and `getent ahosts "
            "NAME` here is slow. Correct /etc/resolv.conf."
        ),
        (
            "An IPv6 address is tried first and does not answer: `ssh -4` is quick. Correct the "
            "AAAA record or the route, or set AddressFamily inet for the host in ~/.ssh/config."
        ),
        "Lost packets, which are sent again after 1, 3 and 7 s: `ping` shows the loss.",
        "Through a jump host, that host looks up the name and connects.",
    ),
    LoginPhase.KEY_EXCHANGE: (
        (
            "The host has no processor time left for sshd: its load is high, and the times differ "
            "from login to login."
        ),
        (
            "sshd looks up the name of this machine before it greets (libwrap, with names in "
            "/etc/hosts.allow): always 5 s or a multiple. Have addresses there."
        ),
        ("More than MaxStartups logins wait, or a firewall slows new connections down: see the log of sshd."),
        "No entropy right after the boot of an old kernel: only then.",
    ),
    LoginPhase.AUTHENTICATION: (
        (
            "UseDNS yes: sshd looks up the name of this machine, and the resolver does not answer. "
            "Always 5 s or a multiple; `getent hosts ADDRESS-OF-THIS-MACHINE` on the host is as "
            "slow. Set UseDNS no, or correct the host's /etc/resolv.conf."
        ),
        (
            "GSSAPI is tried first, without a KDC that answers: `ssh -o GSSAPIAuthentication=no` is "
            "quick, and `ssh -v` waits at gssapi-with-mic. Set it so for the host in ~/.ssh/config."
        ),
        (
            "The account or its keys come from a directory (SSSD, LDAP, AuthorizedKeysCommand): `id "
            "USER` on the host is as slow."
        ),
        ("A PAM module of the account, such as pam_access with names: see `journalctl -t sshd` on the host."),
        ("Many keys in the agent, each of which sshd checks: `ssh-add -l`; set IdentitiesOnly yes."),
    ),
    LoginPhase.SESSION: (
        (
            "pam_systemd waits for a systemd-logind that does not answer: about 25 s each time; "
            "`loginctl` on the host hangs as well. systemctl restart systemd-logind."
        ),
        (
            "pam_motd runs the scripts in /etc/update-motd.d, which may ask the network: `time "
            "run-parts /etc/update-motd.d` on the host. Remove the slow one, or the pam_motd lines "
            "in /etc/pam.d/sshd."
        ),
        (
            "Another session module of PAM, such as pam_mkhomedir, pam_mount or pam_mail on a "
            "hanging NFS server: see /etc/pam.d/sshd."
        ),
    ),
    LoginPhase.SHELL: (
        (
            "The login shell reads a slow start-up file before any command: bash ~/.bashrc, zsh "
            "~/.zshenv, fish config.fish, tcsh ~/.cshrc. `time ssh HOST true` is slow, and `time "
            "env -i sh -c true` on the host is not. End the file early where the shell is not "
            "interactive. /etc/profile and ~/.profile delay people only: no command reads them."
        ),
        "/etc/ssh/sshrc or ~/.ssh/rc runs something slow.",
        (
            "The home directory is on a file system that hangs (NFS, autofs), or on the pool that "
            "is busy: `time ls ~`."
        ),
        ("The groups of the account come from a directory that does not answer: `time id` on the host."),
    ),
}


def causes_of(finding: Finding) -> tuple[str, ...]:
    """Sentences on the causes of the phase that a finding calls slow; none for another finding."""
    slow = finding.evidence.get("slowest_phase")
    return next((causes for each, causes in CAUSES.items() if each.value == slow), ())
