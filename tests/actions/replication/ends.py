"""The two ends of a receive, as facts of a plan."""

from __future__ import annotations

from tests.actions.dataset.plans import planned
from tests.doubles.plan_worlds import GIB, HOST, MIB, ROOT, bookmark, filesystem, guid_of, host, snapshot
from zconsole.actions.plan import Plan
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import PlanFacts, SendingSide
from zconsole.practice.send_receive.streams import Sent, token
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN

NAS = MachineIdentity("nas1", "nas1", "fedcba9876543210fedcba9876543210", "SHA256:nas", "0")
SOURCE = (
    filesystem("tank", createtxg=1),
    filesystem("tank/home"),
    snapshot("tank/home@a", 21),
    snapshot("tank/home@b", 22),
    snapshot("tank/home@c", 23),
    bookmark("tank/home#a", 21, guid=guid_of("tank/home@a")),
)
VAULT = filesystem("vault", createtxg=1, guid=1)
COPY = filesystem("vault/home", guid=77, createtxg=50, written_bytes=0, is_mounted=False)


def there(name: str, createtxg: int, of: str) -> Dataset:
    """A snapshot that was received: it has the guid of the one that was sent."""
    return snapshot(name, createtxg, guid=guid_of(of))


A_THERE = there("vault/home@a", 51, "tank/home@a")
B_THERE = there("vault/home@b", 52, "tank/home@b")


def world(
    *target: Dataset,
    source: tuple[Dataset, ...] = SOURCE,
    properties: tuple[tuple[str, str, str, str], ...] = (),
    **sending: object,
) -> PlanFacts:
    """What the receiver has below vault, and the sender in tank; on one host unless it is said."""
    values: dict[str, object] = {
        "identity": HOST, "privileges": ROOT, "datasets": source, "size_bytes": 5 * GIB,
        "measured_by": ("zfs", "send", "-nvP"), "said": "size\t5", "status": 0, **sending,
    }  # fmt: skip
    side = SendingSide(**values)  # type: ignore[arg-type]
    return host((VAULT, *target), sending=side, properties=properties)


def received(facts: PlanFacts, source: str = "tank/home@b", **options: bool | str) -> Plan:
    return planned(facts, "receive", "vault/home", source, **options)


def fed(made: Plan) -> str:
    """What feeds the only step, as it would be typed."""
    (step,) = made.steps
    assert step.sender is not None
    return " ".join(step.sender.argv)


def cut(of: str = "tank/home@b", from_guid: int = 0) -> tuple[tuple[str, str, str, str], ...]:
    sent = Sent(of, guid_of(of), from_guid, 0, "filesystem", GIB)
    return (("vault/home", TOKEN, token(sent, 300 * MIB), "-"),)
