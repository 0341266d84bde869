"""Each subcommand with `--json` prints one document where it can read nothing; the error is in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.fakes import Screen, nas, reach
from tests.doubles.scripted_host import ScriptedHost, failed
from tests.reports.schema import UNREAD, mismatch
from zconsole.base.errors import HostUnreachable
from zconsole.cli import run

OF_HOSTS = {
    "status": ("status",),
    "check": ("check",),
    "advise": ("advise",),
    "guests": ("guests",),
    "disks": ("disks",),
    "repair": ("repair",),
    "tree": ("tree",),
    "reclaim": ("reclaim", "tank", "--need", "1G"),
    "slow": ("slow", "--for", "1s"),
    "sample": ("sample",),
    "forecast": ("forecast",),
    "iostat": ("iostat", "--count", "1"),
}
OF_ONE = {
    "replicas": ("replicas",),
    "plan": ("plan", "scrub", "tank"),
    "what-if": ("capacity", "what-if", "tank", "add", "mirror:2@4TB"),
    "read-test": ("disks", "--read-test", "ZA1"),
}
OF_NO_POOL = {
    "check": ("check", "none"),
    "repair": ("repair", "none"),
    "tree": ("tree", "none"),
    "reclaim": ("reclaim", "none", "--need", "1G"),
    "slow": ("slow", "none", "--for", "1s"),
    "sample": ("sample", "none"),
    "forecast": ("forecast", "none"),
    "iostat": ("iostat", "none", "--count", "1"),
    "plan": ("plan", "scrub", "none"),
    "what-if": ("capacity", "what-if", "none", "add", "mirror:2@4TB"),
}
NOT_FOUND = failed("sh", 127, b"sh: 1: not found")
WITH_ANOTHER_FORM = {"check", "replicas"}  # which tell of what is not known in their own document


def unreachable() -> ScriptedHost:
    host = nas("healthy-mirrors", "a")
    host.connect_errors = [HostUnreachable("a cannot be reached", hint="look at its cable")] * 9
    return host


def without_zfs() -> ScriptedHost:
    host = nas("healthy-mirrors", "a")
    host.answers = {"": NOT_FOUND}
    return host


def whole(label: str) -> ScriptedHost:
    """A host that answers what the captures have."""
    host = nas("healthy-mirrors", label)
    host.answers[""] = NOT_FOUND
    return host


def several(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects of a document of several, or the only one."""
    name = next((each for each in ("hosts", "pools", "samples") if {"schema", each} == set(document)), None)
    return [document] if name is None else list(document[name])


@pytest.mark.parametrize("make", [unreachable, without_zfs])
@pytest.mark.parametrize("name", [*OF_HOSTS, *OF_ONE])
def test_a_host_that_cannot_be_read_has_a_document(
    name: str, make: Callable[[], ScriptedHost], mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, a=make())

    run([*(OF_HOSTS | OF_ONE)[name], "--json", "--host", "a"])

    found = json.loads(capsys.readouterr().out)
    if name not in WITH_ANOTHER_FORM:
        (told,) = several(found)
        assert "" == mismatch(told, UNREAD)


@pytest.mark.parametrize("form", ["--json", "--jsonl"])
@pytest.mark.parametrize("name", [name for name in OF_HOSTS if name != "iostat"])
def test_among_others_it_has_one_in_its_place(
    name: str, form: str, mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, a=unreachable(), b=whole("b"))

    run([*OF_HOSTS[name], form, "--host", "a", "--host", "b"])

    out = capsys.readouterr().out
    found = several(json.loads(out)) if form == "--json" else [json.loads(each) for each in out.splitlines()]
    told = [each for each in found if each["host"] == "a"]
    assert 1 == len(told)
    if name not in WITH_ANOTHER_FORM:
        assert "a cannot be reached" == told[0]["error"]
        assert "look at its cable" in told[0]["hint"]


@pytest.mark.parametrize("name", OF_NO_POOL)
def test_a_pool_that_is_not_there_has_a_document(name: str, mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, a=whole("a"))

    code = run([*OF_NO_POOL[name], "--json", "--host", "a"])

    found = json.loads(capsys.readouterr().out)
    assert code > 0
    if name not in WITH_ANOTHER_FORM:
        (told,) = several(found)
        assert "" == mismatch(told, UNREAD)


def test_a_file_that_is_no_plan_has_a_document(capsys: Screen) -> None:
    assert 3 == run(["apply", "/nowhere/plan.json", "--json"])

    assert "the plan cannot be read: /nowhere/plan.json" in json.loads(capsys.readouterr().out)["error"]


def test_a_key_that_nothing_has_is_a_document(capsys: Screen) -> None:
    assert 2 == run(["keys", "--json", "nonesuch"])

    assert "no key does 'nonesuch'" == json.loads(capsys.readouterr().out)["error"]
