"""The script runs in a real shell beside a virsh and a zfs that keep the guests' state in files."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.reports.sudo import has_real_sudo
from zconsole.reports.sudoers import Rules, sudoers
from zconsole.reports.sudoers_patterns import Grants
from zconsole.system.libvirt.frozen_snapshot_script import (
    FROZEN_GUESTS,
    NO_SNAPSHOT,
    NOT_FROZEN,
    SCRIPT,
    STILL_FROZEN,
    FreezeOutcome,
    FrozenSnapshot,
    freeze_outcome,
    frozen_names,
    frozen_snapshot_argv,
    guests_in,
)

WEB = ("8f14e45f-ceea-467f-a0e0-000000000001", "web01")
DB = ("8f14e45f-ceea-467f-a0e0-000000000002", "db; echo $(id) 02")
LONG_S = 60
TAKES = ("zfs", "snapshot", "-r", "tank/vm@a")
VIRSH = """\
#!/bin/sh
echo "$*" >>calls
[ ! -e dead ] || { echo "error: failed to connect to the hypervisor" >&2; exit 1; }
case $* in -q*) exec >/dev/null ;; esac
shift 2
command=$1
for uuid; do case $uuid in 8f14*) break ;; esac; done
case $command in
    list)
        case $* in *managed-save*) kind=saved ;; *) kind=on ;; esac
        for each in *."$kind"; do echo "${each%.*}"; done
        exit 0 ;;
esac
if [ "$command" = domfsfreeze ]; then
    while [ -e "$uuid.waits" ]; do :; done
    [ ! -e "$uuid.busy" ] || { cat "$uuid.busy" >&2; exit 1; }
fi
[ ! -e "$uuid.mute" ] || { echo "error: Guest agent is not responding" >&2; exit 1; }
if [ ! -e "$uuid.on" ] || [ -e "$uuid.paused" ]; then
    echo "error: Requested operation is not valid: domain is not running" >&2
    exit 1
fi
case $command in
    domfsfreeze)
        if [ -e "$uuid.refuses" ]; then
            echo "error: Unable to freeze filesystems" >&2
            echo "error: internal error: failed to freeze /srv: busy" >&2
            exit 1
        fi
        : >"$uuid.frozen"
        echo "Froze 2 filesystem(s)" ;;
    domfsthaw)
        if [ -e "$uuid.frozen" ]; then rm "$uuid.frozen"; echo "Thawed $(cat thaws) filesystem(s)"
        else echo "Thawed 0 filesystem(s)"; fi ;;
    qemu-agent-command)
        if [ -e "$uuid.frozen" ]; then echo '{"return":"frozen"}'; else echo '{"return":"thawed"}'; fi
        echo "$uuid" >>answered
        echo ;;
esac
"""
ZFS = """\
#!/bin/sh
printf '%s\\n' "$*" >>zfs.calls
[ "$1" = set ] && exit 0
echo *.frozen >then
. ./during
"""


class Shell:
    """A folder with the two programs, and guests that are files in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in (("virsh", VIRSH), ("zfs", ZFS), ("logger", '#!/bin/sh\necho "$*" >>log\n')):
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        self.put("thaws", "2")
        self.during("")
        for uuid, _ in (WEB, DB):
            self.put(f"{uuid}.on")

    def put(self, name: str, text: str = "") -> None:
        """Make a file."""
        (self.folder / name).write_text(text)

    def during(self, commands: str) -> None:
        """What happens while the snapshot is taken; the last command's status is that of `zfs snapshot`."""
        self.put("during", commands)

    def take(
        self, *, deadline_s: int = LONG_S, is_where_possible: bool = False
    ) -> tuple[int, FreezeOutcome, str]:
        """Run the script: its exit status, what it tells, its complaints."""
        words = FrozenSnapshot(deadline_s, (WEB, DB), TAKES, is_where_possible)
        argv = frozen_snapshot_argv(words)
        done = subprocess.run(
            argv, input=SCRIPT, capture_output=True, text=True, check=False, cwd=self.folder, timeout=300,
            env={"PATH": f"{self.folder}:{os.environ['PATH']}"},
        )  # fmt: skip
        return done.returncode, freeze_outcome(argv, done.stdout), done.stderr

    def is_frozen(self, guest: tuple[str, str]) -> bool:
        return (self.folder / f"{guest[0]}.frozen").exists()

    def until(self, condition: str) -> None:
        """Wait for a condition of the shell."""
        subprocess.run(
            ["timeout", "120", "sh", "-c", f"until {condition}; do :; done"], cwd=self.folder, check=True
        )

    def keepers(self) -> list[int]:
        """The leaders of the sessions that keep a guest, by the folder that they run in."""
        found = []
        for each in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                is_here = (each / "cwd").readlink() == self.folder
                is_leader = os.getsid(int(each.name)) == int(each.name)
                if is_here and is_leader and b"zconsole-thaw" in (each / "cmdline").read_bytes():
                    found.append(int(each.name))
        return found

    def zfs(self) -> list[str]:
        """The calls of zfs."""
        calls = self.folder / "zfs.calls"
        return calls.read_text().splitlines() if calls.exists() else []


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    made = Shell(tmp_path)
    yield made
    while left := made.keepers():
        for each in left:
            with suppress(ProcessLookupError):
                os.killpg(each, signal.SIGKILL)


def test_all_are_frozen_while_the_snapshot_is_taken_and_thawed_behind_it(shell: Shell) -> None:
    status, outcome, said = shell.take()

    assert 0 == status, said
    assert FreezeOutcome(consistent=("web01", DB[1])) == outcome
    assert f"{WEB[0]}.frozen {DB[0]}.frozen\n" == (shell.folder / "then").read_text()
    assert not shell.is_frozen(WEB)
    assert not shell.is_frozen(DB)
    assert [" ".join(TAKES[1:]), f"set {FROZEN_GUESTS}=web01,{DB[1]} tank/vm@a"] == shell.zfs()
    while shell.keepers():
        pass


def refusing(shell: Shell) -> None:
    shell.put(f"{DB[0]}.refuses")


def hanging(shell: Shell) -> None:
    shell.put(f"{DB[0]}.waits")


def off(shell: Shell) -> None:
    (shell.folder / f"{DB[0]}.on").unlink()


@pytest.mark.parametrize(
    ("trouble", "deadline_s", "why"),
    [
        (refusing, LONG_S, "failed to freeze /srv: busy"),
        (hanging, 1, "no answer in 1 s"),
        (off, LONG_S, "domain is not running"),
    ],
    ids=["refuses", "hangs", "off"],
)
def test_a_guest_that_cannot_be_frozen_is_in_the_way_unless_that_is_allowed(
    shell: Shell, trouble: object, deadline_s: int, why: str
) -> None:
    assert callable(trouble)
    trouble(shell)

    status, outcome, said = shell.take(deadline_s=deadline_s)

    assert (NO_SNAPSHOT, []) == (status, shell.zfs())
    assert "no snapshot was taken, because not every guest could be frozen" in said
    assert why in said
    assert not shell.is_frozen(WEB)
    assert why in dict(outcome.crash_consistent)[DB[1]]


def test_where_possible_takes_it_and_tells_for_whom_it_is_not_consistent(shell: Shell) -> None:
    refusing(shell)

    status, outcome, said = shell.take(is_where_possible=True)

    assert 0 == status, said
    assert ("web01",) == outcome.consistent
    assert [DB[1]] == [name for name, _ in outcome.crash_consistent]
    assert f"set {FROZEN_GUESTS}=web01 tank/vm@a" == shell.zfs()[-1]


def test_a_guest_that_hangs_leaves_the_others_their_time(shell: Shell) -> None:
    hanging(shell)

    status, outcome, said = shell.take(deadline_s=8, is_where_possible=True)

    assert 0 == status, said
    assert ("web01",) == outcome.consistent


def test_a_freeze_that_comes_after_it_was_given_up_is_thawed_at_once(shell: Shell) -> None:
    """As by a libvirt that was busy with another client's request, and carries this one out behind it."""
    hanging(shell)

    status, _, said = shell.take(deadline_s=2)

    assert (NO_SNAPSHOT, 1) == (status, len(shell.keepers())), said
    assert "no answer in 1 s; if the freeze comes all the same, the host thaws it at once" in said
    (shell.folder / f"{DB[0]}.waits").unlink()
    shell.until("grep -q 'were frozen by a request that was given up: thawing' log")
    shell.until(f"[ ! -e {DB[0]}.frozen ]")
    while shell.keepers():
        pass


def test_a_request_that_was_given_up_and_fails_thaws_nothing_of_the_next_snapshot(shell: Shell) -> None:
    hanging(shell)
    shell.put(f"{DB[0]}.busy", "error: cannot acquire state change lock (held by agent=remoteDispatch)\n")
    shell.take(deadline_s=2)
    # The keeper has looked behind the request that it gave up, and the script before and behind that.
    shell.until(f"[ $(grep -c {DB[0]} answered) -ge 3 ]")
    shell.put(f"{DB[0]}.frozen")

    (shell.folder / f"{DB[0]}.waits").unlink()
    while shell.keepers():
        pass

    assert shell.is_frozen(DB)


def test_an_agent_that_does_not_answer_is_not_asked_to_freeze(shell: Shell) -> None:
    shell.put(f"{DB[0]}.mute")

    status, outcome, said = shell.take()

    assert (NO_SNAPSHOT, ()) == (status, outcome.stuck)
    assert "Guest agent is not responding" in said
    assert "domfsfreeze" not in (shell.folder / "calls").read_text()


@pytest.mark.parametrize("is_where_possible", [False, True])
def test_what_another_program_has_frozen_is_left_so(shell: Shell, *, is_where_possible: bool) -> None:
    shell.put(f"{DB[0]}.frozen")

    status, outcome, said = shell.take(is_where_possible=is_where_possible)

    assert (0 if is_where_possible else NO_SNAPSHOT) == status, said
    assert shell.is_frozen(DB)
    assert not shell.is_frozen(WEB)
    assert {DB[1]} == dict(outcome.crash_consistent).keys() - {WEB[1]}
    assert "frozen already, by something else" in dict(outcome.crash_consistent)[DB[1]]
    assert ((WEB[1],) if is_where_possible else ()) == outcome.consistent


def test_a_snapshot_that_fails_leaves_nobody_frozen(shell: Shell) -> None:
    shell.during("echo 'cannot create snapshot' >&2; false")

    status, _, said = shell.take()

    assert NO_SNAPSHOT == status
    assert "cannot create snapshot" in said
    assert not shell.is_frozen(WEB)
    assert 1 == len(shell.zfs())


@pytest.mark.parametrize(
    ("during", "thaws", "why"),
    [
        (f"rm {WEB[0]}.frozen", "2", "it was thawed before the snapshot was seen"),
        ("", "1", "not every file system was thawed by this thaw"),
        (f"rm {WEB[0]}.on {WEB[0]}.frozen", "2", "it was thawed before the snapshot was seen"),
    ],
    ids=["thawed by another", "one of two thawed inside", "shut off"],
)
def test_a_freeze_that_did_not_last_makes_no_consistent_snapshot(
    shell: Shell, during: str, thaws: str, why: str
) -> None:
    shell.put("thaws", thaws)
    shell.during(during)

    status, outcome, said = shell.take()

    assert NOT_FROZEN == status, said
    assert "the snapshot was taken, and is only crash-consistent for web01" in said
    assert why == dict(outcome.crash_consistent)["web01"]
    assert not any("web01" in call for call in shell.zfs())


def test_a_snapshot_that_takes_longer_than_the_deadline_finds_the_guests_thawed_by_the_host(
    shell: Shell,
) -> None:
    shell.during(f"until [ ! -e {WEB[0]}.frozen ] && [ ! -e {DB[0]}.frozen ]; do :; done")

    status, outcome, said = shell.take(deadline_s=1)

    assert NOT_FROZEN == status, said
    assert () == outcome.consistent
    assert "were frozen for 1 s: thawing" in (shell.folder / "log").read_text()


def test_a_script_that_is_killed_between_leaves_the_thaw_to_the_host(shell: Shell) -> None:
    shell.during("kill -KILL $PPID")

    status, outcome, _ = shell.take(deadline_s=2)

    assert -9 == status
    assert not outcome.consistent or shell.is_frozen(WEB)
    shell.until(f"[ ! -e {WEB[0]}.frozen ] && [ ! -e {DB[0]}.frozen ]")


def test_a_libvirtd_that_dies_meanwhile_is_asked_until_it_is_back(shell: Shell) -> None:
    shell.during(": >dead")

    status, outcome, said = shell.take(deadline_s=1)

    assert STILL_FROZEN == status
    assert "a guest may still be frozen" in said
    assert (WEB[1], WEB[0]) == outcome.stuck[0]
    assert shell.is_frozen(WEB)
    (shell.folder / "dead").unlink()
    shell.until(f"[ ! -e {WEB[0]}.frozen ] && [ ! -e {DB[0]}.frozen ]")


def test_a_guest_that_is_paused_meanwhile_is_thawed_once_it_runs(shell: Shell) -> None:
    shell.during(f": >{WEB[0]}.paused")

    status, outcome, _ = shell.take(deadline_s=1)

    assert STILL_FROZEN == status
    assert ((WEB[1], WEB[0]),) == outcome.stuck
    assert not shell.is_frozen(DB)
    (shell.folder / f"{WEB[0]}.paused").unlink()
    shell.until(f"[ ! -e {WEB[0]}.frozen ]")


def test_a_guest_whose_memory_is_saved_while_it_is_frozen_is_not_off(shell: Shell) -> None:
    """As libvirt-guests does when the host goes down: started again, it goes on frozen."""
    shell.during(f"rm {WEB[0]}.on; : >{WEB[0]}.saved")

    status, outcome, said = shell.take(deadline_s=1)

    assert STILL_FROZEN == status, said
    assert ((WEB[1], WEB[0]),) == outcome.stuck
    shell.put(f"{WEB[0]}.on")
    (shell.folder / f"{WEB[0]}.saved").unlink()
    shell.until(f"[ ! -e {WEB[0]}.frozen ]")


@pytest.mark.parametrize("tool", ["setsid", "timeout", "virsh"])
def test_a_host_without_a_program_freezes_nothing(tmp_path: Path, tool: str) -> None:
    shell = Shell(tmp_path)
    (tmp_path / "sh").symlink_to("/bin/sh")
    for each in {"setsid", "timeout", "virsh"} - {tool, "virsh"}:
        (tmp_path / each).symlink_to("/bin/true")
    if tool == "virsh":
        (tmp_path / "virsh").unlink()
    argv = frozen_snapshot_argv(FrozenSnapshot(10, (WEB,), TAKES))

    done = subprocess.run(
        ["/bin/sh", *argv[1:]], input=SCRIPT, capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PATH": str(tmp_path)},
    )  # fmt: skip

    assert (NO_SNAPSHOT, f"this host has no {tool}\n") == (done.returncode, done.stderr)
    assert [] == shell.zfs()


@pytest.mark.parametrize("size", [50, len(SCRIPT) // 2, len(SCRIPT) - 12])
def test_half_a_script_does_nothing(shell: Shell, size: int) -> None:
    """A link may be lost while the script is sent."""
    argv = frozen_snapshot_argv(FrozenSnapshot(10, (WEB,), TAKES))
    subprocess.run(
        argv, input=SCRIPT[:size], capture_output=True, text=True, check=False, cwd=shell.folder,
        env={"PATH": f"{shell.folder}:{os.environ['PATH']}"},
    )  # fmt: skip

    assert [] == shell.zfs()
    assert not (shell.folder / "calls").exists()


def test_the_guests_of_the_script_are_read_back_from_its_argv() -> None:
    argv = frozen_snapshot_argv(FrozenSnapshot(10, (WEB, DB), TAKES))

    assert (WEB, DB) == guests_in(argv)
    assert f"web01,{DB[1]}" == frozen_names((WEB, DB))


@pytest.mark.parametrize("argv", [(), ("zfs", "snapshot", "tank@a"), ("sh", "-s", "--", "a", "b", "c", "d")])
def test_another_command_has_no_guests(argv: Sequence[str]) -> None:
    assert () == guests_in(argv)


def test_what_a_guest_could_say_is_not_taken_for_the_script() -> None:
    argv = frozen_snapshot_argv(FrozenSnapshot(10, (WEB,), TAKES))

    assert not freeze_outcome(argv, "zconsole-freeze: held another-guest\nfroze").was_seen


PERSON = "nobody"
ONLY_ROOT = '[ "$(id -u)" = 0 ] || { echo "error: permission denied" >&2; exit 1; }\n'
AS_PERSON = """\
mount --bind "$1" /etc/sudoers && mount --bind "$2/virsh" /usr/bin/virsh && cd "$2" && shift 2 &&
exec setpriv --reuid nobody --regid nogroup --clear-groups "$@"
"""


@pytest.fixture
def by_sudo() -> Iterator[Shell]:
    """A folder that everybody may enter, whose virsh and zfs serve root only."""
    with TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        shell = Shell(folder)
        for each in ("virsh", "zfs"):
            text = (folder / each).read_text()
            shell.put(each, text.replace("#!/bin/sh\n", f"#!/bin/sh\n{ONLY_ROOT}", 1))
        yield shell


@pytest.mark.skipif(not has_real_sudo(), reason="sudo, unshare or root is missing")
@pytest.mark.skipif(not Path("/usr/bin/virsh").exists(), reason="there is no virsh here")
@pytest.mark.parametrize("asks_password", [False, True])
def test_a_user_with_the_rules_for_sudo_freezes_by_them(by_sudo: Shell, *, asks_password: bool) -> None:
    """Of that user nothing but sudo is root; where sudo wants a password, nothing is frozen or taken."""
    folder = by_sudo.folder
    grants = Grants(commands=frozenset({"guests"}))
    rules = sudoers(Rules(PERSON, str(folder), asks_password=asks_password, grants=grants))
    by_sudo.put("sudoers", f'Defaults secure_path="{folder}:/usr/bin:/bin"\n{rules}')
    (folder / "sudoers").chmod(0o440)
    argv = frozen_snapshot_argv(FrozenSnapshot(LONG_S, (WEB, (DB[0], "db02")), TAKES))

    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", AS_PERSON, "sh", str(folder / "sudoers"), str(folder), *argv],
        input=SCRIPT, capture_output=True, text=True, check=False, timeout=300,
        env={"PATH": f"{folder}:{os.environ['PATH']}"},
    )  # fmt: skip

    taken = (folder / "zfs.calls").read_text() if (folder / "zfs.calls").exists() else ""
    assert not any(by_sudo.is_frozen(guest) for guest in (WEB, DB))
    if asks_password:
        assert (NO_SNAPSHOT, "") == (done.returncode, taken), done.stderr
    else:
        assert 0 == done.returncode, done.stderr
        assert ("web01", "db02") == freeze_outcome(argv, done.stdout).consistent
        assert ["snapshot -r tank/vm@a", f"set {FROZEN_GUESTS}=web01,db02 tank/vm@a"] == taken.splitlines()
