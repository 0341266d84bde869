"""The list of guests as text: a line each, and below it the worst of each that has something wrong."""

from __future__ import annotations

from tests.views.guests.test_guest_list import paused_by_full_disk
from zconsole.reports.text.guests import ReportedHost, guest_report


def test_the_worst_of_each_guest_is_a_line_and_the_rest_is_counted() -> None:
    guests = (paused_by_full_disk("db02"), paused_by_full_disk("db03"))

    lines = list(guest_report(ReportedHost("nas1"), guests, 120))

    wrong = [each for each in lines if "✗" in each and ": ✗" in each]
    assert ["db02", "db03"] == [each.partition(":")[0] for each in wrong]
    assert all("paused by an I/O error" in each and each.endswith("and 3 more") for each in wrong)
    assert not any(each == "db02" for each in lines)


def test_the_long_form_has_all_that_is_wrong_and_the_disks() -> None:
    guests = (paused_by_full_disk("db02"),)

    lines = list(guest_report(ReportedHost("nas1", is_long=True), guests, 120))

    assert "db02" in lines
    assert any(each.lstrip().startswith("vda") for each in lines)
