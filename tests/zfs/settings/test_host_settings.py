"""Settings of a host, as the script prints them; and the script itself, run here."""

from __future__ import annotations

import subprocess

import pytest

from tests.zfs.recorded import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.host.host_settings import HostSettings
from zconsole.zfs.settings.host_settings import SCRIPT, parse_host_settings, read_host_settings
from zconsole.zfs.settings.parameter_defaults import PARAMETERS

ANSWER = CAPTURES / "live" / "2.4" / "host_settings.txt"


def test_what_a_real_host_answers_is_read() -> None:
    found = parse_host_settings(ANSWER.read_text())

    assert 0x37D844D0 == found.hostid
    assert (268435456, 2594361344) == (found.arc_max_bytes, found.memory_bytes)
    assert "268435456" == found.parameter("zfs_arc_max")
    assert found.is_zed_running
    assert ("ZED_EMAIL_ADDR", False) == ((found.zed_set or ("",))[0], found.has_mailer)


def test_on_a_real_host_that_nobody_tuned_each_parameter_is_at_its_default() -> None:
    found = parse_host_settings(ANSWER.read_text())

    assert {each.name: each.default for each in PARAMETERS} == {
        each.name: found.parameter(each.name) for each in PARAMETERS
    }


def test_without_an_answer_nothing_is_known() -> None:
    assert HostSettings() == parse_host_settings("")


@pytest.mark.parametrize(
    ("lines", "hostid"),
    [
        ("spl_hostid 0\netc_hostid\n", 0),
        ("spl_hostid 7\netc_hostid\n", 7),
        ("spl_hostid 7\netc_hostid 000000ff\n", 7),
        ("spl_hostid 0\netc_hostid 000000ff\n", 255),
        ("spl_hostid 0\n", None),
        ("etc_hostid\n", None),
    ],
)
def test_the_module_has_the_hostid_of_its_parameter_or_of_the_file(lines: str, hostid: int | None) -> None:
    assert hostid == parse_host_settings(lines).hostid


@pytest.mark.parametrize(
    "wrong", ["parameter unknown 1\n", "spl_hostid many\netc_hostid\n", "zed runs", "so\n"]
)
def test_what_is_no_answer_is_refused(wrong: str) -> None:
    with pytest.raises(ParseError):
        parse_host_settings(wrong)


def test_the_script_runs_in_any_shell_and_leaves_what_is_not_there() -> None:
    argv = read_host_settings().argv
    assert SCRIPT == argv[2]

    ran = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60)

    assert "" == ran.stderr
    assert parse_host_settings(ran.stdout).is_zed_running in {True, False, None}
