"""What to do about a finding: there for each, true of its case, in the words of the manual."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.analysis.build import disk, group, host, pool
from tests.analysis.findings.test_all_findings import SPEAKING, judged
from zconsole.analysis.findings.done_first.conditions_of_pool import IN_OPEN_POOL
from zconsole.model.finding import Advised, Finding, ProposedAction, Severity
from zconsole.model.pools.pool import Count
from zconsole.views.findings.advice import ADVICE
from zconsole.views.findings.by_id.what_to_do import _OTHERS, what_to_do, with_names
from zconsole.views.findings.by_id.what_to_do_in_case import IN_CASE

MANUAL = Path(__file__).parents[4] / "docs" / "findings.md"
INFO = Severity.INFO


def sections() -> dict[str, str]:
    """The sections of the manual by id, each as one line without marks of code."""
    parts = re.split(r"\n### ", MANUAL.read_text("utf-8"))[1:]
    return {part.split("\n", 1)[0]: " ".join(part.replace("`", "").split()) for part in parts}


def test_each_finding_of_the_manual_says_what_to_do() -> None:
    assert set(sections()) == {*ADVICE, *_OTHERS}
    assert set() == {*ADVICE} & {*_OTHERS}


@pytest.mark.parametrize("finding_id", _OTHERS)
def test_the_manual_has_the_words_of_the_program(finding_id: str) -> None:
    told = [_OTHERS[finding_id], *(words for of, _, words in IN_CASE if of == finding_id)]

    section = sections()[finding_id]

    assert f"What to do: {told[0]}" in section
    assert [] == [each for each in told[1:] if each not in section]


def test_who_is_sent_to_a_cable_or_a_slot_of_a_running_pool_is_told_when_it_may_be_moved() -> None:
    """A mirror with both of its disks out suspends its pool; a suspended one waits for its devices."""
    moving = {
        of for of, words in _OTHERS.items() if re.search(r"\b(cable|slot|bay|reseat|unplug)", words.lower())
    }

    assert {"device-faulted", "device-errors", "disk-slow", "disk-stalling", "vdev-slow"} <= moving
    assert {"pool-suspended"} == {
        of for of in moving if "with the pool exported or the host shut down" not in _OTHERS[of]
    }


def test_whatever_is_found_whole_sentences_say_what_to_do() -> None:
    spoken = {what_to_do(found): found.id for *_, state in SPEAKING for found in judged(state)}

    assert "" not in spoken
    assert {} == {words: of for words, of in spoken.items() if not words.endswith(".") or "\n" in words}


def test_each_case_of_its_own_is_reached_and_so_is_the_other() -> None:
    spoken = {what_to_do(found) for *_, state in SPEAKING for found in judged(state)}
    found = {of for of, _, _ in IN_CASE}

    assert [] == [each for _, _, each in IN_CASE if shown(each) not in spoken]
    assert [] == [of for of in found if shown(_OTHERS[of]) not in spoken]


def shown(words: str) -> str:
    """Words of a case as they are said of the pool, the spare and the guest of the speaking cases."""
    words = words.replace("KIND", "trim").replace("DEVICES", "sda")
    return words.replace("POOL", "tank").replace("DEVICE", "hot").replace("GUEST", "db02")


def test_a_vdev_that_is_only_being_resilvered_has_nothing_to_replace() -> None:
    behind = Finding("vdev-no-redundancy", INFO, "tank mirror-0", "x", {"pool": "tank"})

    assert what_to_do(behind).startswith("Wait until it is resilvered")
    assert what_to_do(replace(behind, severity=Severity.CRITICAL)).startswith("Replace the failed device now")


def test_a_suspended_activity_is_resumed_and_not_waited_for() -> None:
    running = Finding("activity-running", INFO, "tank", "trim", {"pool": "tank", "state": "active"})

    assert "Wait." == what_to_do(running)
    told = {"pool": "tank", "state": "suspended", "kind": "trim", "devices": ("sda", "s b")}
    assert what_to_do(replace(running, evidence=told)).startswith("zpool trim tank sda 's b' resumes it;")


@pytest.mark.parametrize(
    ("state", "said"), [("FAULTED", "tank is not open"), ("SUSPENDED", "zpool clear tank")]
)
def test_nothing_is_to_be_replaced_restored_or_scrubbed_in_a_pool_that_is_not_open(
    state: str, said: str
) -> None:
    """ZFS does none of it then; what can be done is to bring devices back."""
    top = group("mirror-0", disk("a", "FAULTED"), disk("b", checksum_errors=Count(3)))
    found = judged(host(pool(top, state=state, error_count=2)))
    about = [each for each in found if each.id in IN_OPEN_POOL]

    assert {"device-faulted", "device-errors", "data-errors"} <= {each.id for each in about}
    assert [] == [each.id for each in about if not what_to_do(each).startswith("Bring back what can be")]
    assert all(said in what_to_do(each) for each in about)


def test_objects_have_their_names_quoted_for_a_shell() -> None:
    setting = Advised("x", "y", ProposedAction("set", "tank/a b", ("sync=standard",)))
    found = Finding("sync-disabled", INFO, "tank", "x", {"pool": "tank"}, advised=setting)
    device = Finding("device-offline", INFO, "x", "x", {"pool": "tank", "vdev": "s;da"}, disk="tank/7")

    assert what_to_do(found).startswith("zfs set sync=standard 'tank/a b'; add a log device")
    assert "zpool online tank 's;da' when the work is done." == what_to_do(device)
    assert "DEVICE of tank" == with_names("DEVICE of POOL", found)


def test_a_finding_of_another_release_says_nothing() -> None:
    assert "" == what_to_do(Finding("not-known-here", INFO, "tank", "x"))


def test_a_slow_login_names_where_its_causes_are_and_not_all_of_them() -> None:
    slow = Finding("ssh-login-slow", INFO, "nas1", "x", {"slowest_phase": "the TCP connection"})

    assert "Find out why the TCP connection is slow: zconsole advise lists 4 known causes." == what_to_do(
        slow
    )


def test_the_command_that_frees_space_is_whole() -> None:
    found = Finding("capacity-critical", Severity.CRITICAL, "tank", "", {"pool": "tank"})

    assert "zconsole reclaim tank proposes snapshots" in what_to_do(found)
