"""One look at what lives on datasets: what is asked for, and what is left alone."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import host, pool
from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.collect.on_demand.read_dataset_contents import MUCH_BYTES, read_contents, with_contents
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.datasets.dataset_contents import ContentKind
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.host.host_state import HostState, Reading
from zconsole.practice import PracticeHost

KIB = 1 << 10
OPEN = b"/proc/7/exe\0/usr/sbin/mysqld\0/proc/7/fd/3\0/var/lib/mysql/ibdata1\0"


class Listed:
    """Counts the looks at open files, and lets them be cut short."""

    def __init__(self, of: PracticeHost) -> None:
        self.looks = 0
        self.fails = False
        self._run = of.run
        of.run = self.run  # type: ignore[method-assign]

    async def run(self, command: Command) -> Completed:
        if "/proc/[0-9]+(/fd)?" in command.argv:
            self.looks += 1
            if self.fails:
                return Completed(command, Outcome.DONE, 0, b"/proc/1/exe", b"")
        return await self._run(command)


def a_host(**answers: bytes) -> ScriptedHost:
    made = ScriptedHost()
    made.answers = {
        "id": b"uid=0(root) gid=0(root) groups=0(root)\n",
        "find /proc": answers.get("opened", OPEN),
        "ls -lR /dev/zvol": answers.get("zvols", b""),
        "sh -c most=$1": answers.get("files", b"\x00=\x00999 9 base/5/7\x00all\x00\x00.\x00"),
    }
    made.files = {
        "/proc/mounts": b"tank/a /srv/a zfs rw 0 0\ntank/b /srv/b zfs rw 0 0\n",
        "/proc/7/mounts": b"tank/db /var/lib/mysql zfs rw 0 0\n",
    }
    return made


def filesystem(name: str, **values: object) -> DatasetSettings:
    given = {"recordsize_bytes": 128 * KIB, "referenced_bytes": MUCH_BYTES, **values}
    return DatasetSettings(name, "filesystem", **given)  # type: ignore[arg-type]


def a_state(*settings: DatasetSettings) -> HostState:
    return host(pool(), settings=Reading(settings, 0.0))


async def test_large_file_systems_with_ordinary_records_are_looked_at_the_largest_first() -> None:
    on = a_host()
    small = filesystem("tank/b", referenced_bytes=MUCH_BYTES - 1)
    large_records = filesystem("tank/c", recordsize_bytes=1024 * KIB)

    found = await read_contents(Asker(on), a_state(filesystem("tank/a"), small, large_records))

    (asked,) = [line for line in on.commands if line.startswith("sh -c most")]
    assert asked.endswith(" /srv/a")
    assert {"tank/a", "tank/db"} == {each.name for each in found["tank"]}
    (sampled,) = [each.sample for each in found["tank"] if each.sample is not None]
    assert 9 * 512 == sampled.bytes_of(ContentKind.POSTGRESQL)


async def test_a_host_without_large_file_systems_is_asked_for_no_files() -> None:
    on = a_host()

    await read_contents(Asker(on), a_state(filesystem("tank/a", referenced_bytes=1)))

    assert [] == [line for line in on.commands if line.startswith("sh -c")]


async def test_files_that_cannot_be_looked_at_in_time_tell_nothing() -> None:
    on = a_host()
    on.answers["sh -c most=$1"] = failed("sh", 1, b"no")

    found = await read_contents(Asker(on), a_state(filesystem("tank/a")))

    assert ["tank/db"] == [each.name for each in found["tank"]]


async def test_a_report_with_little_time_looks_at_fewer_files() -> None:
    on = a_host()
    names = [filesystem("tank/a"), filesystem("tank/b")]

    await with_contents(a_state(*names), on, ManualClock(0), timeout_s=4)

    (asked,) = [line for line in on.commands if line.startswith("sh -c most")]
    assert asked.endswith(" /srv/a")


async def test_nothing_is_looked_at_while_a_pool_is_suspended() -> None:
    on = a_host()
    state = a_state(filesystem("tank/a"))
    (of,) = state.pools

    assert {} == await read_contents(Asker(on), replace(state, pools=(replace(of, kstat_state="SUSPENDED"),)))
    assert [] == on.commands


async def test_what_cannot_be_read_is_a_problem_of_this_part() -> None:
    state = await with_contents(a_state(), a_host(opened=b"/proc/7/exe"), ManualClock(0), timeout_s=9)

    assert "truncated" in state.pools[0].contents.problem
