"""The rules for sudo: every command of ours, no other, and a file that visudo takes."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reports.sudo import EVERYTHING, Matcher, has_real_sudo, run_as_nobody
from zconsole.actions.make_plan import RULED
from zconsole.base.errors import UsageError
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.reports.sudoers import Rules, changing, of_actions, sudoers
from zconsole.reports.sudoers_patterns import Grants
from zconsole.system import ledctl
from zconsole.system.libvirt import domain_power, stored_definition
from zconsole.system.open_files import OPEN_FILES
from zconsole.zfs.change import dataset_argv, libzfs_core_argv, pool_argv, topology_argv
from zconsole.zfs.change.pool_argv import ActivityControl
from zconsole.zfs.change.topology_argv import NewPoolOptions
from zconsole.zfs.stream import send_receive_syncoid_argv

VISUDO = shutil.which("visudo") or shutil.which("visudo", path="/usr/sbin:/sbin")
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_.:-]{0,8}", fullmatch=True)
PATHS = st.from_regex(r"/dev/disk/by-id/[A-Za-z0-9_][A-Za-z0-9_.:-]{0,12}", fullmatch=True)
UUID = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"
ALL = Matcher(EVERYTHING)
allows = ALL.allows


@pytest.mark.parametrize(
    "built",
    [
        pool_argv,
        topology_argv,
        dataset_argv,
        send_receive_syncoid_argv,
        ledctl,
        domain_power,
        stored_definition,
    ],
    ids=lambda each: each.__name__,
)
def test_every_builder_of_a_command_is_in_the_specification_of_an_action(built: ModuleType) -> None:
    called: set[CodeType] = set()
    sys.setprofile(lambda frame, event, _: called.add(frame.f_code) if event == "call" else None)
    try:
        list(of_actions(EVERYTHING))
    finally:
        sys.setprofile(None)
    builders = {
        name: value
        for name, value in vars(built).items()
        if inspect.isfunction(value) and value.__module__ == built.__name__ and not name.startswith("_")
        if str(inspect.signature(value).return_annotation) in {"Argv", "tuple[str, ...]"}
    }

    missing = {name for name, value in builders.items() if value.__code__ not in called}

    # `zfs destroy NAME` is one command, whatever is named.
    others = missing - {"destroy_snapshots", "destroy_bookmark", "syncoid"}
    assert set() == others, "no action has these among its `commands`"
    assert builders


def test_no_placeholder_is_left_in_a_rule() -> None:
    for is_old in (False, True):
        assert "\0" not in sudoers(Rules("anna", "/usr/sbin", is_old=is_old, grants=EVERYTHING))


def test_a_plan_names_it_for_what_it_has_rules_for() -> None:
    ruled = {form.argv[0] for form in changing(EVERYTHING)}
    of_scripts = {"mktemp", "chown", "rmdir"}  # of the benchmark's, which asks sudo itself
    assert {*RULED, *of_scripts, "sh"} == ruled, "and the lock, which is in no plan"


@settings(deadline=None)
@given(
    pool=NAMES,
    guid=st.integers(1, 2**64 - 1),
    name=NAMES,
    path=PATHS,
    on=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_what_our_builders_make_is_allowed(
    pool: str, guid: int, name: str, path: str, on: list[bool]
) -> None:
    vdev, system, short = str(guid), f"{pool}/{name}", f"{pool}/{name}@{name}"
    first, second, third, fourth, fifth, sixth = on
    made: list[tuple[str, ...]] = [
        pool_argv.start_scrub(pool),
        pool_argv.pause_scrub(pool),
        pool_argv.clear(pool, vdev if first else ""),
        pool_argv.offline(pool, vdev, temporary=first, fault=second),
        pool_argv.online(pool, vdev, expand=first),
        pool_argv.initialize(
            pool, (vdev, vdev)[: first + second], ActivityControl.CANCEL if third else ActivityControl.START
        ),
        pool_argv.trim(pool, (vdev,) if first else (), ActivityControl.SUSPEND),
        pool_argv.checkpoint(pool),
        pool_argv.discard_checkpoint(pool),
        pool_argv.set_property(pool, "comment", "" if first else name),
        pool_argv.upgrade(pool),
        pool_argv.export(pool),
        pool_argv.destroy_pool(pool),
        pool_argv.import_pool(
            guid,
            name if first else "",
            destroyed=second,
            force=third,
            without_log=fourth,
            read_only=fifth,
            altroot="/mnt" if sixth else "",
        ),
        topology_argv.attach(pool, vdev, path, ashift=12 if first else None, sequential=second),
        topology_argv.add(pool, ("mirror", path, path), ashift=9 if first else None, may_differ=second),
        topology_argv.create(
            pool,
            ("raidz2", path, path, path, "log", path),
            NewPoolOptions(12 if first else None, "lz4" if second else None, "/srv" if third else "none"),
        ),
        topology_argv.labelclear(path, is_forced=first),
        dataset_argv.create_filesystem(
            system, ("compression=lz4", "mountpoint=none")[: first + second], parents=third
        ),
        dataset_argv.create_volume(
            system, "10G", ("compression=lz4",) if first else (), sparse=second, parents=third
        ),
        dataset_argv.snapshot((short, short)[: 1 + first], recursive=second),
        dataset_argv.destroy_dataset(system, recursive=first, with_clones=second),
        dataset_argv.destroy_snapshots(system, (name, f"{name}2"), recursive=first),
        dataset_argv.destroy_bookmark(f"{system}#{name}"),
        dataset_argv.rollback(short, recursive=first, with_clones=second),
        dataset_argv.clone(short, f"{system}2", ("readonly=on",) if first else (), parents=second),
        dataset_argv.rename(system, f"{system}2", parents=first, recursive=second),
        dataset_argv.hold(name, (short,), recursive=first),
        dataset_argv.set_property(system, "quota", "10G"),
        dataset_argv.inherit(system, "quota", recursive=first),
        dataset_argv.bookmark(short, f"{system}#{name}"),
        dataset_argv.mount(system),
        send_receive_syncoid_argv.send(short, is_raw=first),
        send_receive_syncoid_argv.send(short, base=f"{system}@{name}", is_raw=first, intermediates=second),
        send_receive_syncoid_argv.send(short, base=f"{system}#{name}"),
        send_receive_syncoid_argv.send_rest("1-10443dc8cc-f0-789c63"),
        send_receive_syncoid_argv.receive(system, is_new=first),
        send_receive_syncoid_argv.abort_receive(system),
        ledctl.locate(path),
        ledctl.locate_off(path),
        *(each(UUID) for each in (domain_power.start, domain_power.shutdown, domain_power.suspend)),
        domain_power.resume(UUID),
        dataset_argv.set_properties(
            system, ("readonly=off", "atime=off", "sync=always")[: 1 + first + second]
        ),
        stored_definition.define(),
        stored_definition.update_disk(UUID),
        stored_definition.undefine(UUID),
        stored_definition.start_at_boot(UUID, is_on=first),
    ]

    assert [] == [argv for argv in made if not allows(*argv)]


@given(word=st.text(min_size=1, max_size=6))
def test_no_name_that_zfs_does_not_take_is_in_any_rule(word: str) -> None:
    """Least of all one with a line break, a blank, or the beginning of an option."""
    destroyed = allows("zfs", "destroy", f"tank/{word}")

    if re.fullmatch(r"[A-Za-z0-9_.:-]+", word, re.ASCII):
        assert destroyed
    if not re.fullmatch(r"[A-Za-z0-9_.:/@#,%-]+", word, re.ASCII):
        assert not destroyed
        assert not allows("zfs", "snapshot", f"tank@{word}")
        assert not allows("zfs", "rename", "tank/a", f"tank/{word}")
    assert not allows("zpool", "scrub", f"-{word}")


@pytest.mark.parametrize("name", ["tank/a b", "tank/a -f", "-f tank", " ", ""])
def test_a_name_with_a_blank_is_left_out_and_the_file_says_so(name: str) -> None:
    """Sudo sees one line of words: a blank in a name could pass for an option of its own."""
    assert not allows("zfs", "destroy", name)
    assert not allows("zpool", "scrub", name)
    assert "# A name or value with a blank in it is left out" in sudoers(Rules("anna", "/usr/sbin"))


def allows_by_wildcards(text: str, *argv: str) -> bool:
    """Whether sudo before 1.9.10 would run that: what it takes from a rule, compared as fnmatch(3) does."""
    rules = [line.strip().removesuffix(" \\").removesuffix(",") for line in text.splitlines()]
    read = [re.sub(r"\\([:\\,= \t#])", r"\1", rule) for rule in rules if rule.startswith("/")]
    globs = [re.sub(r"\\(.)|(\*)|(\?)|([^\\*?]+)", _regex_of, rule) for rule in read]
    return any(re.fullmatch(glob, " ".join(argv), re.DOTALL) for glob in globs)


def _regex_of(found: re.Match[str]) -> str:
    escaped, star, one, plain = found.groups()
    if star or one:
        return ".*" if star else "."
    return re.escape(escaped or plain)


def test_what_old_rules_have_word_for_word_is_what_is_sent() -> None:
    """The command that reads what processes have open is full of what sudo and wildcards treat specially."""
    text = sudoers(Rules("anna", "/usr/sbin", is_old=True))

    assert allows_by_wildcards(text, "/usr/bin/find", *OPEN_FILES.argv[1:])
    assert not allows_by_wildcards(text, "/usr/bin/find", *OPEN_FILES.argv[1:], "-delete")
    assert allows_by_wildcards(text, "/usr/sbin/zfs", "destroy", "-r", r"tank/a,b:c=d\e")
    assert not allows_by_wildcards(text, "/usr/sbin/zfs", "receive", "-F", "tank/a")


@pytest.mark.parametrize(
    "argv",
    [
        ("zpool", "import"),
        ("zpool", "import", "-D"),
        ("zdb", "-l", "-u", "/dev/disk/by-id/ata-X-part1"),
        ("zfs", "destroy", "-nvpR", "tank/home@a"),
        ("zpool", "create", "-n", "tank", "mirror", "/dev/sda", "/dev/sdb"),
        OPEN_FILES.argv,
    ],
    ids=lambda argv: " ".join(argv)[:30],
)
def test_what_is_read_as_root_is_allowed(argv: tuple[str, ...]) -> None:
    assert allows(*argv)


@pytest.mark.parametrize(
    "argv",
    [
        ("zpool", "destroy", "-f", "tank"),
        ("zpool", "export", "-f", "tank"),
        ("zpool", "export", "-a"),
        ("zpool", "create", "-f", "tank", "/dev/sda"),
        ("zpool", "add", "-f", "tank", "/dev/sda"),
        ("zpool", "replace", "-f", "tank", "1", "/dev/sda"),
        ("zpool", "import", "-a"),
        ("zpool", "import", "-f", "tank"),
        ("zpool", "import", "-F", "1"),
        ("zpool", "status", "-c", "/x"),
        ("zpool", "labelclear", "sda"),
        ("zfs", "destroy", "-f", "tank/a"),
        ("zfs", "destroy", "-rf", "tank/a"),
        ("zfs", "receive", "-F", "tank/a"),
        ("zfs", "rollback", "tank/a"),
        ("zfs", "rollback", "-Rf", "tank/a@b"),
        ("zfs", "program", "tank", "/x.lua"),
        ("zfs", "unmount", "-f", "tank"),
        ("zdb", "-R", "tank"),
        ("zpool", "scrub", "tank", "bulk"),
        ("find", "/", "-delete"),
        ("ledctl", "--listed-only", "failure=/dev/sda"),
        ("ledctl", "locate=/dev/sda"),
        ("sh", "-c", "id"),
    ],
    ids=" ".join,
)
def test_nothing_else_is_allowed(argv: tuple[str, ...]) -> None:
    assert not allows(*argv)


def test_no_rule_without_a_password_changes_anything() -> None:
    changing_words = {
        "destroy": "-n",
        "create": "-n",
        "add": "-n",
        "remove": "-n",
        "split": "-n",
        "send": "-n",
        "program": "-jn",
    }

    for is_old in (False, True):
        text = sudoers(Rules("anna", "/usr/sbin", is_old=is_old))
        read = text.partition("ZCONSOLE_READ_ANNA = ")[2].partition("Cmnd_Alias")[0]
        for line in read.splitlines()[1:]:
            words = line.replace("^", "").split()
            assert words[1] not in changing_words or words[2].startswith(changing_words[words[1]]), line
        assert "anna ALL = (root) NOSETENV: NOPASSWD: ZCONSOLE_READ_ANNA\n" in text
        assert "anna ALL = (root) NOSETENV: PASSWD: ZCONSOLE_CHANGE_ANNA\n" in text


def test_without_passwords_only_when_asked_for() -> None:
    text = sudoers(Rules("anna", "/usr/sbin", asks_password=False))

    assert "anna ALL = (root) NOSETENV: NOPASSWD: ZCONSOLE_CHANGE_ANNA\n" in text


@pytest.mark.parametrize("user", ["", "a b", "anna ALL=(ALL) ALL #", "a,b", "ALL\nroot", "%", "-u"])
def test_a_user_that_would_mean_something_else_is_refused(user: str) -> None:
    with pytest.raises(UsageError, match="not a user or"):
        sudoers(Rules(user, "/usr/sbin"))


@pytest.mark.parametrize("folder", ["", "usr/sbin", "/usr/sbin/", "/usr/my sbin", "/usr/sbin, /bin", "/"])
def test_a_folder_that_would_mean_something_else_is_refused(folder: str) -> None:
    with pytest.raises(UsageError, match="not a folder"):
        sudoers(Rules("anna", folder))


@pytest.mark.skipif(VISUDO is None, reason="there is no visudo here")
@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("grants", [Grants(), EVERYTHING], ids=["tight", "everything"])
def test_visudo_takes_the_file(tmp_path: Path, grants: Grants, *, is_old: bool) -> None:
    path = tmp_path / "zconsole"
    path.write_text(sudoers(Rules("%zconsole", "/usr/sbin", is_old=is_old, grants=grants)))
    path.chmod(0o440)
    assert VISUDO is not None

    done = subprocess.run([VISUDO, "-cf", str(path)], capture_output=True, text=True, check=False)

    assert 0 == done.returncode, done.stderr


def test_longer_patterns_than_sudo_takes_are_not_made() -> None:
    """It takes 1024 characters."""
    assert max(len(pattern) for _, pattern in ALL.patterns) < 1000
    many = tuple(f"/srv/a-rather-long-name-{number}" for number in range(40))
    with pytest.raises(UsageError, match="longer than sudo's 1024"):
        sudoers(Rules("anna", "/usr/sbin", grants=Grants(mountpoints=many)))


@pytest.mark.parametrize("is_old", [False, True])
def test_no_python_is_ever_root_by_these_rules(*, is_old: bool) -> None:
    """Its user may be able to change the program; and the file says that the commands serve instead."""
    text = sudoers(Rules("anna", "/usr/sbin", is_old=is_old))

    assert "libzfs_core is not called" in text
    assert "python" not in text
    assert libzfs_core_argv.PROGRAM not in text


def test_the_rules_of_two_users_stand_beside_each_other() -> None:
    """The names of its aliases are taken from all files of sudo."""
    texts = [sudoers(Rules(user, "/usr/sbin")) for user in ("anna", "b.ob-1", "%anna")]

    names = [re.findall(r"^Cmnd_Alias (\S+) =", text, re.MULTILINE) for text in texts]
    assert ["ZCONSOLE_READ_B_OB_1", "ZCONSOLE_CHANGE_B_OB_1"] == names[1]
    assert 6 == len({name for each in names for name in each})


def test_differences_may_be_asked_for_and_nothing_is_copied_as_root() -> None:
    """Who may copy anything anywhere as root is root."""
    assert allows("zfs", "diff", "-FHt", "tank/a@1", "tank/a@2")
    assert allows("zfs", "diff", "-FHt", "tank/a@1", "tank/a")
    assert not allows("zfs", "diff", "-FHt", "tank/a@1", "tank/a", "tank/b")
    assert not allows("cp", "-anT", "--", "/tank/.zfs/snapshot/a/x", "/tank/x")


@pytest.mark.skipif(not has_real_sudo(), reason="sudo, unshare or root is missing")
def test_no_program_in_the_path_of_the_user_is_run_as_root(tmp_path: Path) -> None:
    """Where sudoers has no secure_path sudo passes on the user's PATH: a shell would look there."""
    with TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for program in ("flock", "mkdir", "test", "cat", "head", "stat", "chmod", "touch", "date", "rm"):
            (folder / program).write_text(f"#!/bin/sh\necho $0 $(/usr/bin/id -u) >>{folder}/ran\n")
            (folder / program).chmod(0o755)

        done = run_as_nobody(TAKE_AS_ROOT, f"{folder}:/usr/sbin:/usr/bin:/sbin:/bin", tmp_path)

        assert "held" in done.stdout, done.stderr
        assert not (folder / "ran").exists(), (folder / "ran").read_text()
