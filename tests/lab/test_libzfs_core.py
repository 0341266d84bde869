"""libzfs_core on the storage host itself: by its child and by the commands, all comes to the same."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lab.guests import Guest
from tests.lab.test_console import RUN
from zconsole.zfs.change.libzfs_core_child import REFUSED

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it

DRIVER = Path(__file__).with_name("libzfs_core_driver.py")
PYTHON = "PYTHONPATH=/opt/zconsole python3"
CHILD = "/usr/bin/python3 -I /opt/zconsole/zconsole/zfs/change/libzfs_core_child.py"
LONG_S = 3000.0  # an emulated processor, and others on the machine
SETTING = """\
set -e
zfs create -o compression=off {root}
zfs create {root}/s; zfs create {root}/s/a; zfs create {root}/d; zfs create {root}/r
zfs create -s -V 16M {root}/v
zfs snapshot -r {root}/s@old
for n in 1 2 3 4 5 6; do yes $n | head -c $((n * 100000)) > /{root}/d/file; zfs snapshot {root}/d@$n; done
echo before > /{root}/r/file; zfs snapshot {root}/r@1; zfs snapshot {root}/r@2; echo after > /{root}/r/file
"""


@pytest.fixture(scope="module")
def storage(installed: Guest) -> Iterator[Guest]:
    """A pool with a tree of datasets for each way to act on it."""
    installed.wipe()
    installed.create_pool(f"-o ashift=12 tank mirror {installed.disk(0)} {installed.disk(1)}")
    for way in ("core", "command", "unseen"):
        installed.ssh(SETTING.format(root=f"tank/{way}"), timeout_s=LONG_S)
    installed.copy_in(DRIVER, "/opt")
    yield installed
    installed.wipe()


def by_child(guest: Guest, verb: str, **request: object) -> tuple[int, str, dict[str, Any]]:
    """Its exit status, what it said on stderr, and its answer."""
    line = f"{CHILD} {verb} > /run/answer 2> /run/said; echo $?; cat /run/answer /run/said"
    status, answer, *said = guest.ssh(line, stdin=json.dumps(request).encode()).split("\n")
    return int(status), "\n".join(said), json.loads(answer)


def test_both_ways_come_to_the_same(storage: Guest) -> None:
    """What is refused, destroyed, freed and left; and only the commands are in the history."""
    told = json.loads(
        storage.ssh(f"{PYTHON} /opt/libzfs_core_driver.py tank/core tank/command", timeout_s=LONG_S)
    )

    core, command = told["tank/core"], told["tank/command"]
    for by_core, by_command in zip(core["runs"], command["runs"], strict=True):
        about = by_core["action"].replace("tank/core", "{}")
        assert about == by_command["action"].replace("tank/command", "{}")
        for run in (by_core, by_command):
            assert ("done", []) == (run["state"], run["refusals"]), run
        assert by_core["destroys"] == by_command["destroys"], about
    assert core["left"] == command["left"]
    assert ["{}/d@1"] == [line.split("\t")[0] for line in core["left"]["datasets"] if "}/d@" in line]

    assert all(line.startswith("zfs ") for line in command["ran"])
    assert 11 == len([line for line in core["ran"] if line.startswith(CHILD)])
    assert ["zfs rollback tank/core/v@many"] == [line for line in core["ran"] if line.startswith("zfs ")]
    history = storage.ssh("zpool history tank")
    assert "zfs rollback tank/command/r@2" in history
    assert "zfs rollback tank/core/r@2" not in history


def test_a_measured_range_frees_what_the_dry_run_of_zfs_says(storage: Guest) -> None:
    storage.ssh("for n in 1 2 3 4; do yes $n | head -c $((n * 90000)) > /tank/core/s/file;"
                " zfs snapshot tank/core/s@m$n; done; zpool sync")  # fmt: skip

    _, _, answer = by_child(
        storage, "snaprange-space", ranges=[["tank/core/s@m1", "tank/core/s@m2"], ["tank/core/s@m4"] * 2]
    )

    reclaim = storage.ssh("zfs destroy -nvp tank/core/s@m1,m2,m4").rpartition("reclaim\t")[2]
    whole = by_child(storage, "snaprange-space", ranges=[["tank/core/s@m1", "tank/core/s@m4"]])[2]["bytes"]
    assert (True, int(reclaim)) == (answer["done"], answer["bytes"])
    assert whole > answer["bytes"] > 0
    storage.ssh("zfs destroy tank/core/s@m1%m4")


def test_an_end_that_nobody_saw_is_read_from_zfs(storage: Guest) -> None:
    """Holds, snapshots and their destruction from what there is, a rollback from the kernel's own history."""
    told = json.loads(storage.ssh(f"{PYTHON} /opt/libzfs_core_driver.py tank/unseen", timeout_s=LONG_S))

    runs = told["tank/unseen"]["runs"]
    assert {"done"} == {run["state"] for run in runs}, runs
    assert 7 == len([line for line in told["tank/unseen"]["ran"] if line.startswith(CHILD)])
    assert "before\n" == storage.ssh("cat /tank/unseen/r/file")


@pytest.mark.parametrize(
    ("verb", "request_", "command"),
    [
        ("snapshot", {"snapshots": ["tank/x@1", "tank/x/y@2"], "below": []}, "snapshot tank/x@1 tank/x/y@2"),
        ("hold", {"tag": "keep", "snapshots": ["tank/x@1"]}, "hold keep tank/x@1"),
        ("hold", {"tag": "keep", "snapshots": ["tank/x@9"]}, "hold keep tank/x@9"),
        ("release", {"tag": "none", "snapshots": ["tank/x@1"]}, "release none tank/x@1"),
        ("release", {"tag": "keep", "snapshots": ["tank/x@9"]}, "release keep tank/x@9"),
        ("destroy-snaps", {"snapshots": ["tank/x@1"]}, "destroy tank/x@1"),
    ],
)
def test_what_zfs_refuses_is_refused_in_its_words(
    verb: str, request_: dict[str, Any], command: str, storage: Guest
) -> None:
    """And neither way does a part of it. What 2.1 says of a held snapshot is shorter."""
    storage.ssh(
        "zfs list tank/x >/dev/null 2>&1 || (zfs create tank/x && zfs create tank/x/y"
        " && zfs snapshot tank/x@1 && zfs hold keep tank/x@1)"
    )
    before = storage.ssh("zfs list -Hr -t all -o name,userrefs tank/x; zfs holds -H tank/x@1 | cut -f1,2")

    status, said, answer = by_child(storage, verb, **request_)
    theirs = storage.ssh(f"zfs {command} 2>&1 >/dev/null | head -1", check=False)

    after = storage.ssh("zfs list -Hr -t all -o name,userrefs tank/x; zfs holds -H tank/x@1 | cut -f1,2")
    assert (REFUSED, False) == (status, answer["done"])
    assert before == after
    if (verb, storage.series) == ("destroy-snaps", "2.1"):
        assert theirs.startswith("cannot destroy snapshot tank/x@1: ")
    else:
        assert theirs == said


def test_where_something_is_received_both_ways_leave_it_out(storage: Guest) -> None:
    storage.ssh(
        "set -e; yes | head -c 3000000 > /tank/core/r/file; zfs snapshot tank/core/r@sent;"
        " zfs create tank/in; zfs send tank/core/r@sent > /run/stream; mkfifo /run/pipe;"
        " (nohup zfs receive tank/in/x < /run/pipe > /dev/null 2>&1 &);"
        " (nohup sh -c 'exec > /run/pipe; head -c 1000000 /run/stream; sleep 900' > /dev/null 2>&1 &"
        " echo $! > /run/sender); for i in $(seq 100); do zfs list tank/in/x && break; sleep 0.2; done"
    )
    try:
        child = by_child(storage, "snapshot", snapshots=["tank/in@child"], below=["tank/in/x@child"])
        named = by_child(storage, "snapshot", snapshots=["tank/in@no", "tank/in/x@no"], below=[])
        storage.ssh("zfs snapshot -r tank/in@command")
        made = storage.ssh("zfs list -Hr -t snapshot -o name tank/in").split()
    finally:
        storage.ssh("pkill -P $(cat /run/sender); kill $(cat /run/sender); rm /run/pipe", check=False)

    assert (0, ["tank/in/x@child"]) == (child[0], child[2]["left_out"])
    assert (REFUSED, "cannot create snapshot 'tank/in/x@no': dataset is busy\n") == named[:2]
    assert ["tank/in@child", "tank/in@command"] == made


def test_a_user_with_sudo_calls_it_and_one_with_our_rules_runs_the_commands(storage: Guest) -> None:
    storage.ssh(
        "id anna 2>/dev/null || useradd -m anna; zfs create tank/u; zfs create tank/u/a;"
        f" {RUN} sudoers --user anna --no-password > /run/rules"
    )
    plan = shlex.quote(f"{RUN} plan snapshot tank/u@{{}} --recursive --json")
    for rules, name, expected in (
        ("echo 'anna ALL=(root) NOPASSWD: ALL' >", "all", "libzfs_core_child.py"),
        ("cp /run/rules", "ours", "zfs"),
    ):
        storage.ssh(f"{rules} /etc/sudoers.d/anna; chmod 440 /etc/sudoers.d/anna; visudo -c")
        made = json.loads(storage.ssh(f"su anna -c {plan.format(name)}", timeout_s=LONG_S))
        assert [] == made["refusals"]
        assert any(expected in word for word in made["steps"][0]["argv"]), made["steps"]
    storage.ssh("rm /etc/sudoers.d/anna")


def test_a_saved_plan_shows_the_call_and_its_stdin_and_is_carried_out(storage: Guest) -> None:
    """As a script does it, as root: the step is an argv with a stdin, as any other."""
    storage.ssh("zfs create tank/w; zfs create tank/w/a")
    shown = storage.ssh(f"{RUN} plan snapshot tank/w@saved --recursive -o /run/plan.json", timeout_s=LONG_S)
    saved = json.loads(storage.ssh("cat /run/plan.json"))
    applied = storage.ssh(f"{RUN} apply /run/plan.json", timeout_s=LONG_S)

    (step,) = saved["steps"]
    assert [*CHILD.split(), "snapshot"] == step["argv"]
    assert {"snapshots": ["tank/w@saved"], "below": ["tank/w/a@saved"]} == json.loads(step["stdin"])
    assert f"RUNS      {CHILD} snapshot" in shown
    assert "tank/w/a@saved" in shown
    assert "done" in applied
    assert ["tank/w/a@saved", "tank/w@saved"] == sorted(
        storage.ssh("zfs list -Hr -t snapshot -o name tank/w").split()
    )
