"""The lock on a host: real flock, taken by real shells; who has it, who cannot take it, and how it ends."""

from __future__ import annotations

import asyncio
import os
import pwd
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tests.hosts.conftest import Lan, keys, known, lan, ssh_folder
from tests.hosts.helpers import until
from tests.reports.sudo import find_program, has_real_sudo
from zconsole.actions.plan import SUDO_SECRET
from zconsole.base.errors import CommandFailed, HostError
from zconsole.base.secret import Secret
from zconsole.collect.holder_of_host_lock import LOCKS, STAT
from zconsole.collect.privilege import ASKING, Escalation, Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution import host_lock as lock
from zconsole.execution.host_lock import HostBusy, host_lock
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Completed, Host, Piped
from zconsole.hosts.local.local_host import LocalHost
from zconsole.model.host.connected_machine_and_user import User
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.practice import PracticeHost, create_world
from zconsole.reports.sudoers import Rules, sudoers

__all__ = ["keys", "known", "lan", "ssh_folder"]
WHO = "ann@desk from 10.0.0.9, process 7: destroy snapshot tank/home@a"


class Acts(Privilege):
    """Somebody whose commands are root's, or are not."""

    def __init__(self, way: Escalation | None = None, number: int = 0) -> None:
        super().__init__(Asker(LocalHost()))
        self._way = way or Escalation(PrivilegeMode.ROOT)
        self._number = number

    async def user(self) -> User:
        return User("ann", self._number)

    async def way(self, argv: object) -> Escalation:
        assert lock.TAKE_AS_ROOT == argv
        return self._way


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the lock is in place of /run/zconsole."""
    folder = tmp_path.resolve() / "zconsole"
    monkeypatch.setattr(lock, "TAKE_AS_ROOT", (*lock.TAKE_AS_ROOT[:-1], str(folder)))
    return folder


@pytest.fixture
async def two() -> AsyncIterator[tuple[Host, Host]]:
    first, second = LocalHost("nas1"), LocalHost("nas1")
    yield first, second
    await first.close()
    await second.close()


async def refused(host: Host, words: str = "second") -> str:
    """The words with which it is refused."""
    with pytest.raises(HostBusy) as busy:
        async with host_lock(host, Acts(), words):
            pass
    return busy.value.message


async def without(
    host: Host, user: Privilege | None = None, privilege_mode: PrivilegeMode = PrivilegeMode.ROOT
) -> str:
    """The words with which a plan is refused that no lock can be taken for; at once, and not after a time."""
    with pytest.raises(HostError) as error:
        async with asyncio.timeout(lock.TIMEOUT_S / 3), host_lock(host, user or Acts(), WHO, privilege_mode):
            pytest.fail("a plan would be run without a lock")
    assert not isinstance(error.value, HostBusy)
    assert "no lock can be taken on nas1, and no plan is run without: " in error.value.message
    assert error.value.message.endswith(" there, and plan again")
    return error.value.message


async def test_the_second_is_kept_out_until_the_first_is_done(two: tuple[Host, Host], folder: Path) -> None:
    async with host_lock(two[0], Acts(), WHO) as is_held:
        assert is_held
        await refused(two[1])
    for host in two:
        async with host_lock(host, Acts(), WHO) as is_held:
            assert is_held
    assert 0o711 == stat.S_IMODE(folder.stat().st_mode)  # noqa: ASYNC240
    assert {0o600} == {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}  # noqa: ASYNC240


async def test_a_refusal_names_its_holder_since_when_and_what_for(
    two: tuple[Host, Host], folder: Path
) -> None:
    async with host_lock(two[0], Acts(), WHO):
        os.utime(folder / "by", (1_795_232_471, 1_795_232_471))
        words = await refused(two[1])

    assert f"another zconsole is carrying out a plan on nas1 since 2026-11-21 03:41:11 UTC: {WHO}" == words


@pytest.mark.parametrize("hostile", [b"\x1b[2J\xff\xfe\n", b"x" * 100_000, b"\n\n", "\u202eevil".encode()])
async def test_what_stands_there_is_shown_so_that_no_terminal_obeys(
    hostile: bytes, two: tuple[Host, Host], folder: Path
) -> None:
    async with host_lock(two[0], Acts(), WHO):
        (folder / "by").write_bytes(hostile)
        words = await refused(two[1])

    assert words.isprintable()
    assert len(words) < 500


async def test_of_many_at_once_one_has_it(folder: Path) -> None:
    async def one() -> bool:
        host = LocalHost("nas1")
        try:
            async with host_lock(host, Acts(), WHO):
                await release.wait()
                return True
        except HostBusy:
            losers.append(1)
            if len(losers) == 5:
                release.set()
            return False
        finally:
            await host.close()

    release, losers = asyncio.Event(), list[int]()
    assert 1 == sum(await asyncio.gather(*(one() for _ in range(6))))


async def test_over_ssh_it_goes_with_a_link_that_is_lost(known: Lan, folder: Path) -> None:
    first = await known.connected()
    async with host_lock(first, Acts(), WHO) as is_held:
        assert is_held
        assert await _is_taken(folder)
        known.wire.cut()
        await _until_free(folder)


async def test_it_goes_with_a_console_that_is_killed(folder: Path) -> None:
    program = (
        "import subprocess, sys, time; p = subprocess.Popen(sys.argv[1:], stdin=-1, stdout=-1); "
        "p.stdin.write(b'by\\n'); p.stdin.flush(); print(p.stdout.readline(), flush=True); time.sleep(99)"
    )
    console = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, *lock.TAKE_AS_ROOT), stdout=asyncio.subprocess.PIPE
    )
    assert console.stdout is not None
    assert b"held" in await console.stdout.readline()
    assert await _is_taken(folder)

    console.send_signal(signal.SIGKILL)

    await console.wait()
    await _until_free(folder)


async def _until_free(folder: Path) -> None:
    """Wait for the lock as flock itself does."""
    child = await asyncio.create_subprocess_exec("flock", "-w", "20", str(folder / "lock"), "true")
    assert 0 == await child.wait()


async def _is_taken(folder: Path) -> bool:
    child = await asyncio.create_subprocess_exec("flock", "-n", str(folder / "lock"), "true")
    return await child.wait() == 1


async def test_a_folder_that_is_a_link_is_not_used(folder: Path, two: tuple[Host, Host]) -> None:
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    folder.symlink_to(elsewhere)  # noqa: ASYNC240

    assert f"{folder} is a symbolic link" in await without(two[0])
    assert [] == list(elsewhere.iterdir())


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as somebody else")
async def test_no_other_account_can_take_or_hold_it(folder: Path, two: tuple[Host, Host]) -> None:
    """It is what /etc was: a folder that everybody may open, and so lock."""
    for each in (folder.parent, *folder.parents):
        each.chmod(each.stat().st_mode | 0o011)
    async with host_lock(two[0], Acts(), WHO):
        pass
    for path in (folder, folder / "lock", folder / "by"):
        command = ["flock", "-n", str(path), "true"]
        done = subprocess.run(command, user=65534, group=65534, capture_output=True, check=False)  # noqa: ASYNC221
        assert 66 == done.returncode, (path, done)
    made = subprocess.run(  # noqa: ASYNC221
        ["touch", str(folder / "x")], user=65534, group=65534, capture_output=True, check=False
    )
    assert 0 != made.returncode


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make what is somebody else's")
async def test_a_folder_that_somebody_else_made_first_is_not_used(
    folder: Path, two: tuple[Host, Host]
) -> None:
    folder.mkdir()  # noqa: ASYNC240
    os.chown(folder, 65534, 65534)

    assert f"{folder} belongs to user 65534, not to root" in await without(two[0])
    assert [] == list(folder.iterdir())  # noqa: ASYNC240


def _a_link(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere"))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Path.mkdir, "is a directory"),
        (os.mkfifo, "is a fifo"),
        (_a_link, "is a symbolic link"),
    ],
)
async def test_what_stands_in_the_place_of_the_lock_refuses_the_plan_at_once(
    make: Callable[[Path], None], words: str, folder: Path, two: tuple[Host, Host]
) -> None:
    folder.mkdir()  # noqa: ASYNC240
    make(folder / "lock")

    assert f"{folder}/lock {words}: find out who made it, and remove it there" in await without(two[0])
    assert not (folder / "elsewhere").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make what is somebody else's")
async def test_a_lock_that_is_somebody_elses_is_not_used(folder: Path, two: tuple[Host, Host]) -> None:
    """They could open it, and hold it for as long as they like."""
    folder.mkdir()  # noqa: ASYNC240
    (folder / "lock").touch()
    os.chown(folder / "lock", 65534, 65534)

    assert f"{folder}/lock belongs to user 65534, not to root" in await without(two[0])


@pytest.mark.parametrize("stands", ["a file", "nothing"])
async def test_a_folder_that_cannot_be_made_refuses_the_plan(
    stands: str, folder: Path, two: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    if stands == "a file":
        folder.write_bytes(b"x")  # noqa: ASYNC240
        assert f"{folder} is a regular file" in await without(two[0])
    else:  # no folder can be made in that of a process, as in a /run that is read-only
        monkeypatch.setattr(lock, "TAKE_AS_ROOT", (*lock.TAKE_AS_ROOT[:-1], "/proc/self/zconsole"))
        words = await without(two[0])
        assert "cannot create directory" in words
        assert ": mend that there" in words


@pytest.mark.parametrize("is_held", [False, True])
async def test_what_stands_where_the_holder_writes_its_words_keeps_no_plan_waiting(
    folder: Path, two: tuple[Host, Host], *, is_held: bool
) -> None:
    folder.mkdir()  # noqa: ASYNC240
    if not is_held:
        os.mkfifo(folder / "by")
    async with asyncio.timeout(lock.TIMEOUT_S / 3), host_lock(two[0], Acts(), WHO) as has_it:
        assert has_it
        assert (folder / "by").is_file()
        if is_held:
            (folder / "by").unlink()
            os.mkfifo(folder / "by")
            assert "another zconsole is carrying out a plan on nas1" == await refused(two[1])
        else:
            assert WHO in await refused(two[1])


async def test_a_lock_that_was_open_to_all_is_closed(folder: Path, two: tuple[Host, Host]) -> None:
    folder.mkdir()  # noqa: ASYNC240
    (folder / "lock").touch(0o666)
    (folder / "lock").chmod(0o666)

    async with host_lock(two[0], Acts(), WHO) as is_held:
        assert is_held
        assert 0o600 == stat.S_IMODE((folder / "lock").stat().st_mode)


class Unwilling(LocalHost):
    """A host that starts no shell for it, as where no further session is allowed."""

    def pipe(self, command: Command) -> AbstractAsyncContextManager[Piped]:
        raise CommandFailed(f"{command.argv[0]} was not started on nas1: no more sessions")


async def test_a_shell_that_is_not_started_tells_nothing_of_flock() -> None:
    host = Unwilling("nas1")
    with pytest.raises(HostError, match="nas1 did not give its lock: sh was not started on nas1: no more se"):
        async with host_lock(host, Acts(), WHO):
            pass
    await host.close()


class WithSudo(LocalHost):
    """A host with a sudo that takes one password, and asks for another one until stdin ends."""

    def __init__(self, password: str, other: str = "") -> None:
        super().__init__("nas1")
        self.given: list[bytes | None] = []
        self._sudo = (
            "while read -r given; do "
            f'if test "$given" = {password}; then exec "$@"; fi; echo "Sorry, try again." >&2; done; '
            f'echo "{other or "sudo: 1 incorrect password attempt"}" >&2; exit 1'
        )

    def _as_root(self, command: Command) -> Command:
        assert ASKING == command.argv[: len(ASKING)]
        self.given.append(command.stdin)
        return replace(command, argv=("sh", "-c", self._sudo, "sudo", *command.argv[len(ASKING) :]))

    async def run(self, command: Command) -> Completed:
        return await super().run(self._as_root(command))

    def pipe(self, command: Command) -> AbstractAsyncContextManager[Piped]:
        return super().pipe(self._as_root(command))


BY_PASSWORD: Final = Escalation(PrivilegeMode.SUDO_PASSWORD, is_sure=True)


async def test_a_wrong_password_is_refused_at_once_and_nothing_else_is_taken_for_one(folder: Path) -> None:
    """The words about the holder were a second attempt, for which an account may be locked."""
    host = WithSudo("right")
    secrets = {SUDO_SECRET: Secret("wrong")}

    with pytest.raises(HostError) as caught:
        async with host_lock(host, Acts(BY_PASSWORD, 1000), WHO, PrivilegeMode.SUDO_PASSWORD, secrets):
            pass
    await host.close()

    why = "Sorry, try again. sudo: 1 incorrect password attempt"
    assert f"sudo on nas1 did not take the password: {why}" == caught.value.message
    assert [b"wrong\n"] == host.given
    assert not os.path.exists(folder)  # noqa: ASYNC240, PTH110


async def test_by_the_right_password_it_is_held_in_the_name_of_the_holder(folder: Path) -> None:
    host = WithSudo("right")
    secrets = {SUDO_SECRET: Secret("right")}

    async with host_lock(
        host, Acts(BY_PASSWORD, os.getuid()), WHO, PrivilegeMode.SUDO_PASSWORD, secrets
    ) as is_held:
        assert is_held
        assert f"{WHO}\n" == (folder / "by").read_text()
    await host.close()

    assert [b"right\n", f"right\n{WHO}\n".encode()] == host.given


def in_a_namespace(folder: Path, password: str, script: str) -> subprocess.CompletedProcess[str]:
    """The real sudo, asked by nobody, who has this password there and may run a shell by it."""
    shadow, rules, pam = folder / "shadow", folder / "sudoers", folder / "pam"
    pam.write_text("auth required pam_unix.so nodelay\naccount required pam_permit.so\n")
    known = subprocess.run(
        ["openssl", "passwd", "-6", "-stdin"], input="right", capture_output=True, text=True, check=True
    ).stdout.strip()
    shadow.write_text(f"root:*:19000::::::\nnobody:{known}:19000:0:99999:7:::\n")
    shadow.chmod(0o600)
    rules.write_text("Defaults !lecture\nroot ALL=(ALL) ALL\nnobody ALL=(root) /bin/sh, /usr/bin/sh\n")
    rules.chmod(0o440)
    bound = 'for at in shadow sudoers pam.d/sudo; do mount --bind "$1" /etc/$at && shift || exit; done; "$@"'
    nobody = pwd.getpwnam("nobody")
    dropped = ("setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups")
    files = map(str, (shadow, rules, pam))
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", bound, "sh", *files, *dropped, *ASKING, "sh", "-c", script],
        input=password,
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
        cwd="/",
        env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
    )


@pytest.mark.skipif(
    not has_real_sudo() or not all(map(find_program, ("setpriv", "openssl"))),
    reason="only root can try the real sudo, in a mount namespace",
)
def test_the_real_sudo_ends_where_nothing_follows_a_wrong_password(tmp_path: Path) -> None:
    """Without the delay that PAM puts after a wrong password."""
    right = in_a_namespace(tmp_path, "right\n", "echo ran")
    wrong = in_a_namespace(tmp_path, "wrong\n", "echo ran")

    assert (0, "ran\n") == (right.returncode, right.stdout)
    assert (lock.SUDO_REFUSED_STATUS, "") == (wrong.returncode, wrong.stdout)
    assert "sudo: 1 incorrect password attempt" in wrong.stderr


async def test_a_host_whose_shell_finds_no_flock_goes_without(
    folder: Path, two: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = lock.TAKE_AS_ROOT[2].replace("command -v flock", "command -v no_such_flock")
    monkeypatch.setattr(lock, "TAKE_AS_ROOT", ("sh", "-c", lacking, "zconsole", str(folder)))

    async with host_lock(two[0], Acts(), WHO) as is_held:
        assert not is_held


class AsUser(LocalHost):
    """Commands of a user without root, in folders of the test's; says what the kernel says of root's lock."""

    def __init__(self, places: tuple[str, ...], locks: bytes | None = None, place: bytes = b"0 0") -> None:
        super().__init__("nas1")
        self._places, self._locks, self._place = places, locks, place

    def pipe(self, command: Command) -> AbstractAsyncContextManager[Piped]:
        assert command.argv[-3:] == lock.take_as_user(1000)[-3:]
        return super().pipe(Command((*command.argv[:-3], *self._places), stdin=command.stdin))

    async def run(self, command: Command) -> Completed:
        assert command == STAT
        return ended(command, 0, self._place, b"") if self._locks is not None else ended(command, 1, b"", b"")

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        assert (path, True) == (LOCKS, max_bytes > 0)
        return self._locks or b""


async def test_a_user_without_root_keeps_out_their_own_consoles(tmp_path: Path) -> None:
    places = (str(tmp_path / "missing" / "x"), str(tmp_path.resolve() / "mine"))  # noqa: ASYNC240
    first, second = AsUser(places), AsUser(places)
    user = Acts(Escalation(PrivilegeMode.PLAIN), 1000)

    async with host_lock(first, user, WHO, PrivilegeMode.PLAIN) as is_held:
        assert not is_held, "others may act: what they did is looked for"
        with pytest.raises(HostBusy, match="process 7: destroy snapshot"):
            async with host_lock(second, user, WHO, PrivilegeMode.PLAIN):
                pass
    await first.close()
    await second.close()


async def test_a_user_without_root_is_refused_where_no_folder_can_be_used(tmp_path: Path) -> None:
    taken = tmp_path.resolve() / "taken"  # noqa: ASYNC240
    taken.write_bytes(b"")
    host = AsUser((str(tmp_path / "missing" / "x"), str(taken)))
    user = Acts(Escalation(PrivilegeMode.PLAIN), 1000)

    words = await without(host, user, PrivilegeMode.PLAIN)

    assert f"{taken} is a regular empty file" in words
    await host.close()


@pytest.mark.parametrize(
    ("locks", "is_refused"),
    [
        (b"1: FLOCK  ADVISORY  WRITE 710 00:1a:77 0 EOF\n", True),
        (b"1: FLOCK  ADVISORY  WRITE 710 00:1b:77 0 EOF\n", False),
        (b"1: POSIX  ADVISORY  WRITE 710 00:1a:77 0 EOF\n", False),
        (b"", False),
    ],
)
async def test_a_user_without_root_waits_for_who_acts_as_root(
    locks: bytes, tmp_path: Path, *, is_refused: bool
) -> None:
    host = AsUser((str(tmp_path.resolve() / "mine"),), locks, b"26 77\n")  # noqa: ASYNC240
    refusing = pytest.raises(HostBusy, match="as root") if is_refused else nullcontext()

    with refusing:
        async with host_lock(host, Acts(Escalation(PrivilegeMode.PLAIN), 1000), WHO, PrivilegeMode.PLAIN):
            pass
    await host.close()


@pytest.mark.parametrize(
    ("way", "password", "argvs"),
    [
        (Escalation(PrivilegeMode.SUDO), None, [("sudo", "-n")]),
        (Escalation(PrivilegeMode.DOAS), None, [("doas", "-n")]),
        (Escalation(PrivilegeMode.SUDO_PASSWORD), "secret", [("sudo", "-k")]),
        (Escalation(PrivilegeMode.SUDO_PASSWORD), None, []),
        (Escalation(PrivilegeMode.SUDO_PASSWORD, is_sure=False), "secret", [("sudo", "-n"), ("sudo", "-k")]),
        (Escalation(PrivilegeMode.PLAIN), "secret", []),
    ],
)
async def test_it_is_taken_by_the_way_to_root(
    way: Escalation, password: str | None, argvs: list[tuple[str, ...]]
) -> None:
    secret = None if password is None else Secret(password)

    found = await lock._ways(Acts(way, 1000), b"by\n", PrivilegeMode.SUDO, secret)

    assert argvs == [each.argv[:2] for each in found]
    for each in found:
        assert each.argv[-5:] == lock.TAKE_AS_ROOT
        assert each.stdin == (b"secret\nby\n" if each.argv[1] == "-k" else b"by\n")


async def test_a_host_that_has_no_flock_goes_without() -> None:
    host = PracticeHost("nas1", world=create_world("mirror 0 1", disks=2))
    await host.connect()

    async with host_lock(host, Acts(), WHO) as is_held:
        assert not is_held


async def test_a_link_that_is_lost_meanwhile_gives_no_lock(known: Lan) -> None:
    host = await known.connected()
    known.wire.cut()
    await until(lambda: host._link is None or not host._link.is_up)

    with pytest.raises(HostError):
        async with host_lock(host, Acts(), WHO):
            pass


def test_the_rules_for_sudo_let_it_be_taken() -> None:
    """Word for word: a shell of root's that takes anything else would be root itself."""
    plain = " ".join(lock.TAKE_AS_ROOT[1:])
    rules = sudoers(Rules("ann", "/usr/sbin")) + sudoers(Rules("bob", "/usr/sbin", is_old=True))

    (exact, literal) = (line.strip().removesuffix(", \\") for line in rules.splitlines() if "/bin/sh" in line)

    assert literal.replace("\\=", "=") == f"/bin/sh {plain}"
    assert exact.startswith("/bin/sh ^-c test \\$0 = zconsole ")
    assert exact.endswith(" zconsole /run/zconsole$")
    assert not set(plain) & set(",:=\\\"'*?[]#!") - {"="}, "sudoers takes none of these as it is"


def test_no_part_of_it_does_anything(folder: Path, tmp_path: Path) -> None:
    """Sudo compares words joined by blanks: it lets a shell take the beginning of the script alone, too."""
    shell, flag, script, *rest = lock.TAKE_AS_ROOT
    words = [*script.split(" "), *rest]
    before = sorted(path.name for path in tmp_path.iterdir())

    for at in range(1, len(script.split(" "))):
        argv = [shell, flag, " ".join(words[:at]), *words[at:]]
        assert " ".join(argv) == " ".join(lock.TAKE_AS_ROOT)
        subprocess.run(argv, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert before == sorted(path.name for path in tmp_path.iterdir())
    assert not folder.exists()
