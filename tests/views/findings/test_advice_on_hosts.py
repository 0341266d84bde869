"""Advice on hosts names its source."""

from __future__ import annotations

import pytest

from zconsole.views.findings.advice_on_hosts import HOSTS
from zconsole.views.findings.advice_wording import Advice


@pytest.mark.parametrize("advice", HOSTS, ids=[each.id for each in HOSTS])
def test_each_says_where_its_limit_comes_from(advice: Advice) -> None:
    assert any(each in advice.source for each in ("(8)", "(4)", "zed.rc"))
