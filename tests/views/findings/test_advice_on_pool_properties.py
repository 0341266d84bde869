"""Advice on the properties of a pool names its source."""

from __future__ import annotations

from zconsole.views.findings.advice_on_pool_properties import POOL_PROPERTIES


def test_each_names_the_manual_page_of_its_property() -> None:
    assert {"zpoolprops(7)"} == {each.source.partition(",")[0] for each in POOL_PROPERTIES}
