"""Two SSH servers on loopback: one is sound, the other answers each command with the worst of one kind.

`python -m tests.scenarios.faults.hostile_sshd KIND FOLDER` writes a home folder for OpenSSH's files and
the two ports to FOLDER, and serves until its stdin is closed. What is answered well comes from
the practice host.
"""

from __future__ import annotations

import asyncio
import re
import shlex
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import asyncssh

from zconsole.hosts.host import Command
from zconsole.hosts.ssh.shell_quoting_and_output_marker import MARK
from zconsole.practice import PracticeHost

Process = asyncssh.SSHServerProcess[bytes]
Attack = Callable[[bytes], AsyncIterator[bytes | None]]  # pieces of stdout; None: and then nothing, for ever

PIECE: Final = 1 << 16
MEGABYTE: Final = 1 << 20
STREAMS: Final = {"iostat", "events"}
SPARED: Final = {("zfs", "version"), ("ls", "-1p")}  # or nothing else would be asked
_WORD: Final = re.compile(rb"tank|backup|sd[a-z]\d*|data")
_NUMBER: Final = re.compile(rb"\d+")
_DATE: Final = re.compile(rb"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}|\d{4}-\d\d-\d\d\.[\d:]{8}")


def _of(change: Callable[[bytes], bytes]) -> Attack:
    async def attack(answer: bytes) -> AsyncIterator[bytes | None]:
        changed = change(answer)[: 64 * MEGABYTE]
        for at in range(0, len(changed), PIECE):
            yield changed[at : at + PIECE]

    return attack


def _endless(piece: bytes) -> Attack:
    async def attack(answer: bytes) -> AsyncIterator[bytes | None]:
        yield answer
        while True:
            yield piece * (PIECE // len(piece))

    return attack


async def _slow(answer: bytes) -> AsyncIterator[bytes | None]:
    for at in range(len(answer)):
        yield answer[at : at + 1]
        await asyncio.sleep(1.0)


async def _without_end(answer: bytes) -> AsyncIterator[bytes | None]:
    yield answer
    yield None


async def _mute(_: bytes) -> AsyncIterator[bytes | None]:
    yield None


async def _many_lines(answer: bytes) -> AsyncIterator[bytes | None]:
    for line in answer.splitlines(keepends=True):
        for _ in range(100):
            yield line * 200


ESCAPES: Final = b"\x1b[2J\x1b]0;owned\x07\x9b31m\x1b[?1049l\xe2\x80\xae\xe2\x80\x8b\x0e"
ATTACKS: Final[dict[str, Attack]] = {
    "a-long-line": _of(lambda answer: answer.replace(b"\n", b"") + b"x" * (32 * MEGABYTE)),
    "deep": _of(lambda _: b'{"a":' * MEGABYTE),
    "deep-and-closed": _of(lambda _: b"[" * 400_000 + b"]" * 400_000),
    "digits": _of(lambda answer: _NUMBER.sub(b"9" * 4301, answer)),
    "large": _of(lambda answer: _NUMBER.sub(b"18446744073709551615", answer)),
    "zeros": _of(lambda answer: _NUMBER.sub(b"0", answer)),
    "dates": _of(lambda answer: _DATE.sub(b"Fri Feb 31 99:61:61 9999", answer)),
    "nul": _of(lambda answer: b"\0".join(bytes([each]) for each in answer)),
    "escapes": _of(lambda answer: _WORD.sub(lambda found: found[0] + ESCAPES, answer)),
    "escapes-alone": _of(lambda _: ESCAPES * 1000 + b"\n"),
    "no-utf-8": _of(lambda answer: _WORD.sub(lambda found: found[0] + b"\xff\xed\xa0\x80", answer)),
    "long-names": _of(lambda answer: _WORD.sub(lambda found: found[0] * 2000, answer)),
    "many-lines": _many_lines,
    "many-times": _of(lambda answer: answer * 200),
    "cut": _of(lambda answer: answer[: len(answer) * 2 // 3]),
    "nothing": _of(lambda _: b""),
    "endless-lines": _endless(b"x\n"),
    "endless-line": _endless(b"x"),
    "endless-list": _endless(b"0,"),
    "a-byte-a-second": _slow,
    "without-end": _without_end,
    "mute": _mute,
    "errors": _of(lambda answer: answer),
    "noise": _of(lambda answer: answer),
}


class Server(asyncssh.SSHServer):
    """Lets everybody in."""

    def begin_auth(self, username: str) -> bool:
        return False


async def serve(process: Process, host: PracticeHost, kind: str | None) -> None:
    """Answer one command, as the practice host does or by an attack."""
    line = process.command or ""
    argv = meant(line)
    kind = None if argv[:2] in SPARED else kind
    code = 1
    with suppress(asyncssh.Error, ConnectionError, BrokenPipeError):
        if kind == "noise" and argv:
            await _write(process, process.stdout, b"x" * PIECE, times=1600)
        process.stdout.write(b"1 (cat) R 1 1 1 0 -1\n" + MARK + b"\n")
        if not argv:
            process.exit(127)
            return
        if STREAMS & set(argv) and kind is None:
            async with host.stream(Command(argv)) as chunks:
                async for chunk in chunks:
                    process.stdout.write(chunk)
                    await process.stdout.drain()
            process.exit(0)
            return
        code, stdout, stderr = await _answer(host, argv)
        if kind is None:
            process.stdout.write(stdout)
            process.stderr.write(stderr)
        else:
            if kind == "errors":
                await _write(process, process.stderr, ESCAPES * 4000, times=4000)
            async for piece in ATTACKS[kind](stdout):
                if piece is None:
                    await asyncio.Event().wait()
                else:
                    process.stdout.write(piece)
                    await process.stdout.drain()
        process.exit(code)


async def _answer(host: PracticeHost, argv: tuple[str, ...]) -> tuple[int, bytes, bytes]:
    """Exit status, stdout and stderr; files are read by cat, as there is no SFTP."""
    if argv[:2] == ("cat", "--"):
        try:
            return 0, await host.read(argv[2]), b""
        except OSError:
            return 1, b"", b""
    done = await host.run(Command(argv))
    return done.status or 0, done.stdout, done.stderr


async def _write(process: Process, stream: asyncssh.SSHWriter[bytes], piece: bytes, *, times: int) -> None:
    for _ in range(times):
        if process.channel.is_closing():
            raise BrokenPipeError
        stream.write(piece)
        await stream.drain()


def meant(line: str) -> tuple[str, ...]:
    """What the console meant to run, out of the line for a login shell."""
    words = shlex.split(line.partition("exec /usr/bin/env -i ")[2])
    while words and re.match(r"[A-Z_]+=", words[0]):
        del words[0]
    return tuple(words)


async def run(kind: str, folder: Path) -> None:
    """Serve until stdin is closed."""
    ssh = folder / "home" / ".ssh"
    ssh.mkdir(parents=True, mode=0o700)
    key = asyncssh.generate_private_key("ssh-ed25519")
    config: list[str] = []
    for name, attack in (("sound", None), ("hostile", kind)):
        host = PracticeHost(name)
        await host.connect()

        async def handle(process: Process, host: PracticeHost = host, attack: str | None = attack) -> None:
            await serve(process, host, attack)

        acceptor = await asyncssh.create_server(
            Server, "127.0.0.1", 0, server_host_keys=[key], process_factory=handle, encoding=None
        )
        port = acceptor.sockets[0].getsockname()[1]
        config.append(f"Host {name}\n  HostName 127.0.0.1\n  Port {port}\n  User root\n")
        with (ssh / "known_hosts").open("a") as file:
            file.write(f"[127.0.0.1]:{port} {key.export_public_key().decode().strip()}\n")
    (ssh / "config").write_text("".join(config))
    (folder / "ready").write_text("")
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], Path(sys.argv[2])))
