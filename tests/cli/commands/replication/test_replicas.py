"""`zconsole replicas`: several hosts compared, in sentences and as JSON."""

from __future__ import annotations

import json

import pytest

from tests.cli.fakes import reach
from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from tests.reports.captured import RECORDED_AT
from tests.reports.schema import REPLICAS, mismatch
from tests.zfs.stream.test_resume_token import token
from zconsole.base.errors import HostUnreachable
from zconsole.cli import run
from zconsole.storage.replication_last_compared import comparison_path, known_comparisons
from zconsole.storage.send_bases_of_known_replicas import copies_path, known_bases

Screen = pytest.CaptureFixture[str]
HOUR, DAY = 3600, 86400
NOW = int(RECORDED_AT)


def row(name: str, kind: str, guid: int, age: int, more: str = "5000000\t-") -> str:
    return f"{name}\t{kind}\t{guid}\t{1_000_000 - age // 60}\t{NOW - age}\t{more}\n"


def host(label: str, pool: str, listed: str) -> ScriptedHost:
    made = ScriptedHost(label)
    made.answers = {
        "ls -1p /proc/spl/kstat/zfs": f"arcstats\n{pool}/\n".encode(),
        "zfs list -Hp -t filesystem,volume,snapshot,bookmark": listed.encode(),
        "zfs send -nvP -i tank/home@autosnap_2026-11-01_00:00:00_daily": b"size\t12900000\n",
    }
    made.files = {f"/proc/spl/kstat/zfs/{pool}/state": b"ONLINE\n"}
    return made


def names(kind: str, *days: int) -> list[tuple[str, int]]:
    return [(f"autosnap_2026-11-{30 - day:02}_00:00:00_{kind}", day) for day in days]


NAS = (
    row("tank", "filesystem", 1, 900 * DAY, "98304\t-")
    + row("tank/home", "filesystem", 2, 800 * DAY)
    + "".join(
        row(f"tank/home@{name}", "snapshot", 100 + day, day * DAY) for name, day in names("daily", 29, 28, 25)
    )
    + row("tank/scratch", "filesystem", 3, 700 * DAY)
)
VAULT = (
    row("backup", "filesystem", 11, 900 * DAY, "98304\t-")
    + row("backup/home", "filesystem", 12, 29 * DAY - HOUR)
    + row("backup/home@autosnap_2026-11-01_00:00:00_daily", "snapshot", 129, 29 * DAY)
    + row(
        "backup/vm",
        "volume",
        13,
        20 * DAY,
        f"20000\t{token(toname='tank/vm@x', toguid=7, fromguid=8, bytes=5 << 20)}",
    )
)
SANOID = (
    b"[tank/home]\nuse_template = production\n[template_production]\nhourly = 0\ndaily = 2\nmonthly = 3\n"
)


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> tuple[ScriptedHost, ScriptedHost]:
    nas, vault = host("nas", "tank", NAS), host("vault", "backup", VAULT)
    nas.files["/etc/sanoid/sanoid.conf"] = SANOID
    reach(monkeypatch, nas=nas, vault=vault)
    return nas, vault


BOTH = ["replicas", "--host", "nas", "--host", "vault"]


def test_a_copy_is_found_with_its_lag_and_what_it_needs(
    hosts: tuple[ScriptedHost, ScriptedHost], capsys: Screen
) -> None:
    assert 0 == run(BOTH)
    said, err = capsys.readouterr()

    assert "" == err
    assert [
        "2 hosts, 6 datasets: 1 copy.",
        "nas:tank/home -> vault:backup/home: 2 snapshots and 4d behind, 12.3 MiB to send.",
    ] == said.splitlines()[:2]
    assert "  Last in common: tank/home@autosnap_2026-11-01_00:00:00_daily, taken 29d ago (2026-" in said
    assert "UTC); there is none before it." in said
    assert "nas:tank/home: 27 of its sanoid daily snapshots missing, the newest is 25d old." in said
    assert "nas:tank/home: sanoid keeps 2 daily (3 there), 3 monthly (0 there)." in said
    assert "It prunes when it next runs: tank/home@autosnap_2026-11-01_00:00:00_daily." in said
    assert (
        "vault:backup/vm: the receive of tank/vm@x was cut after 5.00 MiB. To go on: zfs send -t TOKEN"
        in said
    )
    assert "Info: nas tank: 1 dataset without a snapshot: tank/scratch." in said
    assert "Info: nas tank: 1 dataset without a copy in the other pool: tank/scratch." in said


def test_the_document_has_the_documented_shape(
    hosts: tuple[ScriptedHost, ScriptedHost], capsys: Screen
) -> None:
    assert 0 == run([*BOTH, "--json"])
    document = json.loads(capsys.readouterr().out)

    assert "" == mismatch(document, REPLICAS)
    (replica,) = document["replicas"]
    assert ("behind", 2, 4 * DAY, 12_900_000) == tuple(
        replica[key] for key in ("standing", "behind", "behind_s", "behind_bytes")
    )
    assert ["nas", "vault"] == [base["host"] for base in document["bases"]]
    vm = document["hosts"][1]["datasets"][2]
    assert {"name": "tank/vm@x", "guid": "7", "from_guid": "8", "received_bytes": 5 << 20} == vm[
        "cut_receive"
    ]


def test_what_was_found_is_kept_for_plans(hosts: tuple[ScriptedHost, ScriptedHost], capsys: Screen) -> None:
    assert 0 == run(BOTH)
    assert {("nas", "vault:backup/home", NOW), ("vault", "nas:tank/home", NOW)} == {
        (each.host, each.peer, each.seen_at) for each in known_bases()
    }
    copies_path().write_text("{}")
    assert 0 == run(BOTH)
    assert "copies.json is damaged" in capsys.readouterr().err


def test_what_was_found_is_kept_for_the_findings_of_each_host(
    hosts: tuple[ScriptedHost, ScriptedHost], capsys: Screen
) -> None:
    assert 0 == run(BOTH)
    nas, vault = known_comparisons()
    assert (("nas", NOW), ("vault", NOW)) == ((nas.host, nas.seen_at), (vault.host, vault.seen_at))
    assert ("tank/home",) == nas.sent
    assert "receive-cut" in {each.id for each in vault.findings}
    comparison_path().write_text("{}")
    assert 0 == run(BOTH)
    assert "replication.json is damaged" in capsys.readouterr().err


def test_one_host_that_is_away_costs_its_own_part(
    hosts: tuple[ScriptedHost, ScriptedHost], capsys: Screen
) -> None:
    hosts[1].connect_errors = [HostUnreachable("vault is not there")]

    assert 3 == run(BOTH)
    said, err = capsys.readouterr()
    assert "1 host, 3 datasets: no copies among them." in said
    assert "without a copy" not in said
    assert "vault is not there" in err


def test_a_pool_that_cannot_be_read_is_named(
    hosts: tuple[ScriptedHost, ScriptedHost], capsys: Screen
) -> None:
    hosts[0].files["/proc/spl/kstat/zfs/tank/state"] = b"SUSPENDED\n"
    hosts[1].answers["zfs list -Hp -t filesystem,volume,snapshot,bookmark"] = HANG

    assert 3 == run(BOTH)
    said = capsys.readouterr().out
    assert "Not read: nas tank: it is suspended." in said
    assert "Not read: vault backup: zfs list on vault gave no answer" in said


def test_an_increment_that_cannot_be_measured_is_unknown(
    hosts: tuple[ScriptedHost, ScriptedHost], capsys: Screen
) -> None:
    hosts[0].answers["zfs send"] = failed("zfs send", 1, b"permission denied")
    del hosts[0].answers["zfs send -nvP -i tank/home@autosnap_2026-11-01_00:00:00_daily"]
    hosts[0].files["/etc/sanoid/sanoid.conf"] = b"[tank\n"

    assert 3 == run(BOTH)
    said = capsys.readouterr().out
    assert "2 snapshots and 4d behind." in said
    assert "Not read: nas sanoid.conf: sanoid.conf, line 1: a section without a name" in said


def test_the_practice_host_has_an_answer(capsys: Screen) -> None:
    assert 0 == run(["replicas", "--demo"])
    assert "1 host, " in capsys.readouterr().out


def test_the_practice_host_has_copies_in_every_state(capsys: Screen) -> None:
    """One that has all, some that lag, one that hangs by a single snapshot, one whose receive was cut."""
    assert 0 == run(["replicas", "--demo"])
    said = capsys.readouterr().out

    assert "1 host, 85 datasets: 10 copies.\n" in said
    assert "tank/db/postgres -> practice:vault/replica/tank-db/postgres: it has the newest snapshot." in said
    assert "tank/db/mysql -> practice:vault/replica/tank-db/mysql: 5 snapshots and " in said
    henk = said.partition("vault/replica/tank-home/henk: ")[2].splitlines()[:2]
    assert henk[0].startswith("30 snapshots and ")
    assert henk[1].endswith("; there is none before it.")
    assert "practice:vault/replica/tank-home/gita: the receive of tank/home/gita@autosnap_" in said
