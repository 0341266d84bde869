"""A silence keeps a finding of one object from counting, until its day, and never a critical one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import DAY, NOW, host
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.silenced_findings import object_of, why_not_silenced, without_silenced
from zconsole.base.finding_thresholds import Thresholds
from zconsole.base.notifications.silence_end import minute_of
from zconsole.base.notifications.silences import Silence
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import Reading

WIDE = Finding("raidz-wide", Severity.INFO, "tank raidz2-0", "13 disks", is_advice=True)
OTHER = replace(WIDE, subject="tank raidz2-1")
TODAY, LATER = minute_of(NOW), minute_of(NOW + 2 * DAY)
SILENCE = Silence("nas1", "raidz-wide", "tank raidz2-0", "bought so", TODAY, LATER)


def config(*silences: Silence) -> Config:
    return Config(hosts=(HostConfig("nas1", "root@10.0.0.4"),), silences=silences)


def test_only_the_object_that_is_named_is_silenced_and_the_reason_is_kept() -> None:
    spoken, silenced = without_silenced((WIDE, OTHER), "nas1", config(SILENCE), NOW)

    assert (OTHER,) == spoken
    assert [(WIDE, SILENCE)] == [(each.finding, each.silence) for each in silenced]


@pytest.mark.parametrize("host", ["nas1", "root@10.0.0.4"])
def test_a_host_is_known_by_its_name_and_its_address(host: str) -> None:
    assert () == without_silenced((WIDE,), host, config(SILENCE), NOW)[0]


@pytest.mark.parametrize(
    ("host", "silences", "now"),
    [
        pytest.param("nas2", (SILENCE,), NOW, id="another host"),
        pytest.param("nas1", (SILENCE,), NOW + 2 * DAY, id="its day has come"),
        pytest.param("nas1", (SILENCE, replace(SILENCE, until=TODAY)), NOW, id="ended by a later entry"),
        pytest.param("nas1", (replace(SILENCE, finding="layout-mixed"),), NOW, id="another finding"),
        pytest.param("nas1", (), NOW, id="none"),
    ],
)
def test_otherwise_it_speaks(host: str, silences: tuple[Silence, ...], now: float) -> None:
    assert ((WIDE,), ()) == without_silenced((WIDE,), host, config(*silences), now)


@pytest.mark.parametrize(
    "finding",
    [
        replace(WIDE, severity=Severity.CRITICAL),
        Finding("pool-unread", Severity.WARNING, "tank raidz2-0", "cannot be read"),
    ],
)
def test_what_is_critical_or_unread_speaks_in_spite_of_a_silence(finding: Finding) -> None:
    silence = replace(SILENCE, finding=finding.id)

    assert ((finding,), ()) == without_silenced((finding,), "nas1", config(silence), NOW)
    assert why_not_silenced(finding)


def test_a_silence_of_all_findings_of_a_disk_is_on_each_whatever_its_subject_calls_the_disk() -> None:
    where = {"pool": "tank", "vdev": "ata-ST_ZC1", "vdev_guid": "7"}
    slow = Finding("slow-ios", Severity.WARNING, "tank ata-ST_ZC1", "slow", where, disk="tank/7")
    smart = Finding("smart-defects", Severity.WARNING, "tank ZC1", "defects", where, disk="tank/7")
    vdev = Finding(
        "vdev-slow", Severity.WARNING, "tank raidz2-0", "slow", {"pool": "tank", "vdev": "raidz2-0"}
    )
    critical = replace(slow, severity=Severity.CRITICAL)
    silence = replace(SILENCE, finding="*", object=object_of(smart))

    spoken, silenced = without_silenced((slow, smart, vdev, critical), "nas1", config(silence), NOW)

    assert "tank ata-ST_ZC1" == silence.object
    assert (vdev, critical) == spoken
    assert [slow, smart] == [each.finding for each in silenced]


def test_the_end_of_a_silence_of_all_is_none_of_a_silence_of_one() -> None:
    of_all = replace(SILENCE, finding="*")
    ended = replace(of_all, until=TODAY)

    assert () == without_silenced((WIDE,), "nas1", config(SILENCE, of_all, ended), NOW)[0]
    assert (WIDE,) == without_silenced((WIDE,), "nas1", config(of_all, ended), NOW)[0]


def test_a_silence_on_one_dataset_is_none_on_another() -> None:
    """A dataset that is set so later speaks, whatever was silenced before."""
    both = tuple(DatasetSettings(f"tank/{name}", "filesystem", sync="disabled") for name in ("ci", "web"))
    found = findings(host(settings=Reading(both, 0.0)), NOW, Thresholds())
    silence = replace(SILENCE, finding="sync-disabled", object="tank/ci")

    spoken, silenced = without_silenced(found, "nas1", config(silence), NOW)

    assert ["tank/web"] == [each.subject for each in spoken]
    assert ["tank/ci"] == [each.finding.subject for each in silenced]


def test_a_disk_of_a_cluster_is_silenced_by_itself_while_both_run_and_a_backing_file_never() -> None:
    def shared(guest: str = "web03 vdb web04", *, is_below: bool = False) -> Finding:
        evidence = {"is_below": is_below}
        return Finding("guest-disk-shared", Severity.CRITICAL, f"tank {guest}", "both", evidence)

    cluster = Silence("nas1", "guest-disk-shared", "tank web03 vdb web04", "cluster", TODAY, LATER)
    system_disk = shared("web03 vda web06")

    spoken, silenced = without_silenced((shared(), system_disk), "nas1", config(cluster), NOW)

    assert ((system_disk,), [shared()]) == (spoken, [each.finding for each in silenced])
    assert "" == why_not_silenced(shared())
    assert "a critical finding cannot be silenced" == why_not_silenced(shared(is_below=True))
