"""sanoid.conf is understood as sanoid understands it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.zfs.sanoid_conf import SanoidPolicy, parse_sanoid, parse_sections

DATASETS = ("tank", "tank/home", "tank/home/anna", "tank/vm", "tank/vm/one", "bulk")
CONF = """\
# what is kept
[tank/home]
\tuse_template = production
\trecursive = yes
\tdaily = 7

[tank/home/anna]
\tuse_template = ignore

[tank/vm]
use_template = production , small
recursive = yes
process_children_only = yes

[gone/away]
use_template = production

[other name]
path = bulk

; the reference
[template_production]
\tfrequently = 0
\thourly = 30
\tdaily = 30
\tmonthly = 3
\tyearly = 0
\tautosnap = yes
\tautoprune = yes

[template_small]
hourly = 2

[template_ignore]
autoprune = no
autosnap = no
monitor = no
"""


def keeps(policy: SanoidPolicy) -> tuple[int, ...]:
    return tuple(
        policy.keeps[kind] for kind in ("frequently", "hourly", "daily", "weekly", "monthly", "yearly")
    )


def test_templates_own_settings_and_recursion_are_resolved() -> None:
    found = {policy.dataset: policy for policy in parse_sanoid(CONF, DATASETS)}

    assert {"tank/home", "tank/home/anna", "tank/vm/one", "bulk"} == set(found)
    assert (0, 30, 7, 0, 3, 0) == keeps(found["tank/home"])
    assert (0, 30, 7, 0, 3, 0) == keeps(found["tank/home/anna"])
    assert (True, False) == (found["tank/home"].is_pruning, found["tank/home/anna"].is_pruning)
    assert (0, 2, 30, 0, 3, 0) == keeps(found["tank/vm/one"])
    assert (0, 48, 90, 0, 6, 0) == keeps(found["bulk"])


def test_a_section_before_its_parent_is_overridden_by_it() -> None:
    child, parent = "[tank/home/anna]\nhourly = 1\n", "[tank/home]\nhourly = 5\nrecursive = zfs\n"

    def hourly(text: str) -> int:
        found = {policy.dataset: policy for policy in parse_sanoid(text, DATASETS)}
        return found["tank/home/anna"].keeps["hourly"]

    assert (5, 1) == (hourly(child + parent), hourly(parent + child))


def test_defaults_of_the_host_and_of_the_file_come_before_templates() -> None:
    defaults = "[template_default]\nhourly = 11\ndaily = 12\nfrequent_period = 5\nautosnap = no\n"
    text = "[template_default]\ndaily = 13\n[tank]\nautoprune = 0\n"
    (policy,) = parse_sanoid(text, DATASETS, defaults_text=defaults)

    assert (0, 11, 13, 0, 6, 0) == keeps(policy)
    assert (5, False, False) == (policy.frequent_minutes, policy.is_snapping, policy.is_pruning)


@pytest.mark.parametrize(
    ("line", "text"), [(1, "[tank\nhourly = 1"), (1, "hourly = 1"), (2, "[tank]\nhourly"), (1, "[ ]")]
)
def test_what_is_no_configuration_is_an_error_that_names_the_line(line: int, text: str) -> None:
    with pytest.raises(ParseError) as error:
        parse_sections(text)
    assert line == error.value.line_no


def test_a_number_that_is_none_is_an_error() -> None:
    with pytest.raises(ParseError, match="hourly = many"):
        parse_sanoid("[tank]\nhourly = many", DATASETS)


@given(st.text(alphabet="[]=#; \n\tabtemplate_/1yes", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_sanoid(text, DATASETS)
    except ParseError:
        return
