"""Parser of sanoid's configuration, `/etc/sanoid/sanoid.conf`: snapshot retention per dataset.

Templates, defaults and recursion are resolved as in sanoid's `init`, section by section in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass

PATH: Final = "/etc/sanoid/sanoid.conf"
DEFAULTS_PATHS: Final = (
    "/etc/sanoid/sanoid.defaults.conf",
    "/usr/share/sanoid/sanoid.defaults.conf",
)
TOOL: Final = "sanoid.conf"
KINDS: Final = ("frequently", "hourly", "daily", "weekly", "monthly", "yearly")
DEFAULTS: Final[Mapping[str, str]] = {  # of sanoid.defaults.conf, used when the host has none
    "frequently": "0",
    "hourly": "48",
    "daily": "90",
    "weekly": "0",
    "monthly": "6",
    "yearly": "0",
    "frequent_period": "15",
    "autosnap": "yes",
    "autoprune": "yes",
}
_TEMPLATE: Final = "template_"
_DEFAULT: Final = "template_default"
_NOT_HANDED_DOWN: Final = re.compile(r"template|recursive|children_only|skip_children")
_TRUE: Final = frozenset({"1", "true", "yes", "on"})

Sections = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class SanoidPolicy:
    """Sanoid policy of one dataset: number of snapshots kept per kind."""

    dataset: str
    keeps: Mapping[str, int] = field(default_factory=dict)  # frequently, hourly, ... -> number
    frequent_minutes: int = 15
    is_snapping: bool = True
    is_pruning: bool = True


def parse_sections(text: str) -> Sections:
    """Parse the sections of an ini file as Perl's Config::IniFiles does. Raises ParseError."""
    found: Sections = {}
    section: dict[str, str] | None = None
    for line_no, raw in bounded_lines(TOOL, text):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            name, bracket, _ = line[1:].partition("]")
            if not bracket or not name.strip():
                raise ParseError(TOOL, line_no, line, "a section without a name or an end")
            section = found.setdefault(name.strip(), {})
            continue
        key, equals, value = line.partition("=")
        if not equals or not key.strip() or section is None:
            raise ParseError(TOOL, line_no, line, "neither a section nor a setting in one")
        section[key.strip()] = value.strip()
    return found


def parse_sanoid(
    text: str, datasets: Sequence[str], *, defaults_text: str | None = None
) -> tuple[SanoidPolicy, ...]:
    """The policies of these datasets. Raises ParseError.

    `datasets` are all file systems and volumes of the host, over which recursion runs.
    """
    ini = parse_sections(text)
    defaults = dict(DEFAULTS)
    if defaults_text is not None:
        defaults |= parse_sections(defaults_text).get(_DEFAULT, {})
    resolved: dict[str, dict[str, str]] = {}
    for name, own in ini.items():
        if name.startswith(_TEMPLATE):
            continue
        settings = resolved.get(name)
        if settings is None:
            settings = {**_passed_on(defaults), **_passed_on(ini.get(_DEFAULT, {}))}
        for template in own.get("use_template", "").split(","):
            settings |= _passed_on(ini.get(_TEMPLATE + template.strip(), {}), children_only=True)
        settings |= _passed_on(own, children_only=True)
        path = own.get("path") or name
        settings["path"] = path
        resolved[name] = settings
        recursive = own.get("recursive", "").lower()
        if recursive in _TRUE or recursive == "zfs":
            _hand_down(path, settings, datasets, resolved)
        if _is_true(settings.get("process_children_only")):
            resolved[name] = {**settings, "autosnap": "no", "autoprune": "no", "ignored": "yes"}
    there = frozenset(datasets)
    return tuple(
        _policy(settings)
        for settings in resolved.values()
        if settings["path"] in there and "ignored" not in settings
    )


def _passed_on(settings: Mapping[str, str], *, children_only: bool = False) -> dict[str, str]:
    return {
        key: value
        for key, value in settings.items()
        if not _NOT_HANDED_DOWN.search(key) or (children_only and key == "process_children_only")
    }


def _hand_down(
    path: str, settings: Mapping[str, str], datasets: Iterable[str], resolved: dict[str, dict[str, str]]
) -> None:
    """Give descendants the same settings, overriding earlier sections; later sections may override them."""
    for dataset in datasets:
        if dataset.startswith(f"{path}/"):
            before = resolved.get(dataset, {})
            resolved[dataset] = {**before, **_passed_on(settings), "path": dataset}
            resolved[dataset].pop("ignored", None)


def _policy(settings: Mapping[str, str]) -> SanoidPolicy:
    return SanoidPolicy(
        settings["path"],
        {kind: _number(settings.get(kind, "0"), kind) for kind in KINDS},
        _number(settings.get("frequent_period") or "15", "frequent_period"),
        _is_true(settings.get("autosnap")),
        _is_true(settings.get("autoprune")),
    )


def _number(text: str, key: str) -> int:
    if not re.fullmatch(r"\d{0,9}", text, re.ASCII):
        raise ParseError(TOOL, 0, f"{key} = {text}", "not a number")
    return int(text or 0)


def _is_true(text: str | None) -> bool:
    return text is not None and text.lower() in _TRUE
