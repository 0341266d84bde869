"""`zfs` and `zpool` that print without end, in the PATH of this machine and of an sshd on loopback.

They stand in `/usr/local/sbin` of a mount namespace, where the console and the sshd look first. What is not
attacked is answered as the practice host once answered.
"""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import asyncssh

from tests.bench import local_pool
from tests.ui.terminal.tty import ROOT

SSHD: Final = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
PORT_WITHIN_S: Final = 20.0
EMOJI: Final = "\\360\\237\\230\\200"  # makes four bytes a character of all that is decoded with it
ENDLESS: Final = {
    "rows": "exec {python} -S {rows} {row}",  # valid ones, no two alike
    "lines": "exec yes x",
    "a line": r"exec tr '\0' x </dev/zero",
    "wide characters": f"exec yes \"$(printf '{EMOJI}')xx\"",
    "errors": "exec yes no >&2",
    "both": r"yes no >&2 & exec tr '\0' x </dev/zero",
    "15 MB of rows": "{python} -S {rows} {row} | head -c 15000000; exit 0",
    "15 MB of wide characters": f"yes \"$(printf '{EMOJI}')xx\" | head -c 15000000; exit 0",
}
_ROWS: Final = """\
import os, sys
name, rest = open(sys.argv[1]).read().split("\\t", 1)
number = 0
while True:
    rows = []
    for number in range(number, number + 2000):
        rows.append(f"{name}-{number}\\t{rest}")
    number += 1
    sys.stdout.write("".join(rows))
"""


def may_bind() -> bool:
    """Whether this user may have a mount namespace in which an sshd runs."""
    unshare = shutil.which("unshare")
    return (
        unshare is not None
        and os.geteuid() == 0
        and subprocess.run([unshare, "--mount", "true"], capture_output=True, check=False).returncode == 0
    )


class EndlessPrograms:
    """Programs of a recording, of which some answers are attacks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._programs = folder / "programs"
        self._programs.mkdir()
        local_pool.install(self._programs, ROOT)
        self._plain = {name: (self._programs / name).read_text() for name in ("zfs", "zpool")}
        (folder / "rows.py").write_text(_ROWS)
        (folder / "row").write_text(self._snapshot())

    def attack(self, program: str, pattern: str, kind: str) -> None:
        """Answer the arguments that match the pattern of a shell without end."""
        words = {"python": sys.executable, "rows": self.folder / "rows.py", "row": self.folder / "row"}
        case = f'case "$*" in {pattern}) {ENDLESS[kind].format(**words)} ;; esac\n'
        head, body = self._plain[program].split("\n", 1)
        for name, text in {**self._plain, program: f"{head}\n{case}{body}"}.items():
            (self._programs / name).write_text(text)

    def inside(self, *argv: str) -> list[str]:
        """A command in a namespace in which these programs are found."""
        script = (
            f"mount --bind {shlex.quote(str(self._programs))} {local_pool.PLACE} && exec {shlex.join(argv)}"
        )
        return ["unshare", "--mount", "/bin/sh", "-c", script]

    @contextmanager
    def sshd(self) -> Iterator[dict[str, str]]:
        """An sshd that finds these programs; gives the environment in which `nas` leads to it."""
        assert SSHD is not None
        ssh = self.folder / "home" / ".ssh"
        shutil.rmtree(ssh, ignore_errors=True)
        ssh.mkdir(parents=True, mode=0o700)
        user, host = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
        user.write_private_key(ssh / "id_ed25519")
        user.write_public_key(self.folder / "authorized")
        host.write_private_key(self.folder / "host")
        (self.folder / "host").chmod(0o600)
        port = _free_port()
        (self.folder / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1\nPort {port}\nHostKey {self.folder}/host\nPidFile none\nUsePAM no\n"
            f"AuthorizedKeysFile {self.folder}/authorized\nStrictModes no\nPermitRootLogin yes\n"
            "Subsystem sftp internal-sftp\nPrintLastLog no\n"
        )
        public = host.export_public_key().decode()
        (ssh / "known_hosts").write_text(f"[127.0.0.1]:{port} {public}")
        (ssh / "config").write_text(f"Host nas\nHostName 127.0.0.1\nPort {port}\nUser {getpass.getuser()}\n")
        Path("/run/sshd").mkdir(exist_ok=True)
        with subprocess.Popen(
            self.inside(SSHD, "-D", "-e", "-f", str(self.folder / "sshd_config")),
            stderr=subprocess.PIPE, start_new_session=True,
        ) as serving:  # fmt: skip
            try:
                assert serving.stderr is not None
                while b"listening" not in serving.stderr.readline():
                    assert serving.poll() is None
                yield {"HOME": str(self.folder / "home")}
            finally:
                serving.kill()

    def _snapshot(self) -> str:
        """The row of a snapshot as `zfs list` prints it with all columns."""
        listing = next(
            line
            for line in self._plain["zfs"].splitlines()
            if "snapshot,bookmark" in line and "tank'" in line
        )
        answer = listing.partition("exec /bin/cat ")[2].removesuffix(" ;;")
        rows = Path(shlex.split(answer)[0]).read_text().splitlines(keepends=True)
        return next(row for row in rows if "\tsnapshot\t" in row)


def peak_bytes(process: subprocess.Popen[bytes], within_s: float) -> int:
    """Largest resident size of a process until it ends, or at last is killed."""
    status, peak, end = Path(f"/proc/{process.pid}/status"), 0, time.monotonic() + within_s
    while process.poll() is None:
        if time.monotonic() > end:
            process.kill()
        peak = max(peak, resident_bytes(status))
        time.sleep(0.01)  # sleep-ok: the size is looked at while another process runs
    return peak


def resident_bytes(status: Path) -> int:
    """Largest resident size so far, of the program that runs now."""
    try:
        words = status.read_text().partition("VmHWM:")[2].split()
    except OSError:
        return 0
    return int(words[0]) * 1024 if words else 0


def _free_port() -> int:
    import socket  # noqa: PLC0415

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
