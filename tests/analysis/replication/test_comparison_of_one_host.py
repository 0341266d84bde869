"""Of a comparison each host is given what concerns its datasets and the copies on it."""

from __future__ import annotations

from zconsole.analysis.replication.comparison_of_one_host import comparison_of
from zconsole.analysis.replication.replicas_and_send_bases import replicas
from zconsole.model.datasets.replication import ReplicatedDataset, ReplicatedHost, SendPoint

DAY = 86400
NOW = 100 * DAY
MIB = 1 << 20


def dataset(name: str, created: int, *days: int, guids: int = 0) -> ReplicatedDataset:
    points = tuple(SendPoint(f"{name}@{day}", guids + day, day, day * DAY) for day in days)
    return ReplicatedDataset(
        name, "filesystem", guids + 1000 + created, created * DAY, 9 * MIB, snapshots=points
    )


NAS = ReplicatedHost(
    "nas1",
    (
        dataset("tank/a", 1, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99),
        dataset("tank/b", 2, 99, guids=5000),
        dataset("lone/c", 3, 99, guids=9000),
    ),
)
BACKUP = ReplicatedHost("backup", (dataset("vault/a", 95, 90, 91),))
HOSTS = (NAS, BACKUP)


def test_a_stale_copy_is_told_on_both_hosts_and_received_on_one() -> None:
    found = replicas(HOSTS)

    nas, backup = (comparison_of(each.host, HOSTS, found, NOW) for each in HOSTS)

    assert {"replica-stale"} == {each.id for each in backup.findings}
    assert "replica-stale" in {each.id for each in nas.findings}
    assert (("vault/a", 95 * DAY),) == backup.received
    assert () == nas.received
    assert (("tank/a",), ()) == (nas.sent, backup.sent)
    assert NOW == nas.seen_at


def test_a_missing_copy_is_kept_of_pools_of_which_something_is_sent() -> None:
    nas = comparison_of("nas1", HOSTS, replicas(HOSTS), NOW)

    (lacking,) = (each for each in nas.findings if each.id == "dataset-no-copy")
    assert ("tank/b",) == lacking.evidence["datasets"]
