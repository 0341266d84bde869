"""The properties of the one dataset that somebody looks at."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import HANG, ScriptedHost
from zconsole.base.errors import CommandFailed
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.dataset_details import read_dataset_details
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.datasets.dataset_details import PropertyValue

ORIGIN = "tank/gold@v1"


def host(*lines: str, status: int = 0) -> ScriptedHost:
    """One that answers `zfs get` with these lines."""
    found = ScriptedHost()
    output = "".join(f"{line}\n" for line in lines).encode()
    outcome = Outcome.FAILED if status else Outcome.DONE
    found.answers["zfs get"] = Completed(Command(("zfs",)), outcome, status, output, b"")
    return found


async def test_each_property_comes_with_its_source() -> None:
    scripted = host("tank/a\tcompression\tinherited from tank\tlz4", "tank/a\tquota\tlocal\t10737418240")

    details = await read_dataset_details(Asker(scripted), "tank/a", None)

    assert (
        PropertyValue("compression", "lz4", "inherited from tank"),
        PropertyValue("quota", "10737418240", "local"),
    ) == (details.properties)
    assert details.since_origin_bytes is None
    assert "written@" not in scripted.commands[0]


async def test_what_a_kind_of_dataset_does_not_have_is_left_out() -> None:
    details = await read_dataset_details(Asker(host("tank/vol\trecordsize\t-\t-")), "tank/vol", None)

    assert () == details.properties


async def test_of_a_clone_it_tells_what_came_since_its_origin_by_the_full_name() -> None:
    scripted = host(f"tank/c\twritten@{ORIGIN}\t-\t4096", "tank/c\tsync\tdefault\tstandard")

    details = await read_dataset_details(Asker(scripted), "tank/c", ORIGIN)

    assert 4096 == details.since_origin_bytes
    assert (PropertyValue("sync", "standard", "default"),) == details.properties
    assert f"written@{ORIGIN}" in scripted.commands[0]


async def test_an_origin_that_is_gone_is_not_nothing_written() -> None:
    details = await read_dataset_details(Asker(host(f"tank/c\twritten@{ORIGIN}\t-\t-")), "tank/c", ORIGIN)

    assert details.since_origin_bytes is None


async def test_what_a_refusal_left_is_shown() -> None:
    """`zfs get` ends with 1 when one of the properties does not exist there, and prints the others."""
    details = await read_dataset_details(Asker(host("tank/a\tsync\tlocal\talways", status=1)), "tank/a", None)

    assert (PropertyValue("sync", "always", "local"),) == details.properties


async def test_no_answer_is_an_error() -> None:
    scripted = ScriptedHost()
    scripted.answers["zfs get"] = HANG

    with pytest.raises(CommandFailed, match="gave no answer"):
        await read_dataset_details(Asker(scripted), "tank/a", None)
