"""Advice on file systems and volumes names its source."""

from __future__ import annotations

import pytest

from zconsole.views.findings.advice_on_datasets import DATASETS
from zconsole.views.findings.advice_wording import Advice


@pytest.mark.parametrize("advice", DATASETS, ids=[each.id for each in DATASETS])
def test_each_says_where_its_limit_comes_from(advice: Advice) -> None:
    assert any(source in advice.source for source in ("zfsprops(7)", "in OpenZFS", "USED", "zfs(8)"))
    assert advice.cost
    assert advice.action
