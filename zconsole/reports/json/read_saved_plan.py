"""Saved plans, read back. A file is a claim to compare with a newly made plan: nothing in it is ever run."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Final

from zconsole.actions.byte_count_tolerance import Figure, FigureMeasure
from zconsole.actions.intent import Intent, OptionValue, intent
from zconsole.actions.plan import Plan, PlanBasis, Risk, argv_with_host, fingerprint
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.reports.json.json_line import SCHEMA
from zconsole.zfs.change.channel_program import without_bounds

LONGEST_BYTES: Final = 256 * 1024 * 1024  # a plan that destroys a million snapshots has 100 MB
PLAN_AGAIN: Final = "Make it again: zconsole plan ... -o FILE"
_EXCERPT: Final = 60


class PlanFileError(ZConsoleError):
    """Error of a file that holds no plan, or was changed after the plan was made."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"this is not a plan of zconsole: {reason}", hint=PLAN_AGAIN)


@dataclass(frozen=True, slots=True)
class SavedPlan:
    """Contents of a plan file."""

    intent: Intent
    host: str  # host name as the user gave it
    title: str
    risk: Risk
    confirm: str | None
    steps: tuple[tuple[tuple[str, ...], str | None], ...]  # argv and stdin
    hosts: tuple[str, ...]  # of each step; empty if it is the plan's
    destroys: tuple[str, ...]
    refusals: tuple[str, ...]
    secrets: tuple[str, ...]
    made_at: float  # epoch seconds
    expires: float
    basis: PlanBasis

    def differences(self, now: Plan) -> tuple[str, ...]:
        """Return a sentence for each difference from the plan made now; empty when there is none."""
        found = list(self.basis.differences(now.basis))
        ours = [
            (without_bounds(argv, stdin), stdin, host)
            for (argv, stdin), host in zip(self.steps, self.hosts, strict=True)
        ]
        if ours != [(without_bounds(step.argv, step.stdin), step.stdin, step.on) for step in now.steps]:
            found.append(f"the commands are others: {'; '.join(' '.join(step.argv) for step in now.steps)}")
        found += [f"{name} would be destroyed too" for name in sorted({*now.destroys} - {*self.destroys})]
        found += [f"{name} would not be destroyed" for name in sorted({*self.destroys} - {*now.destroys})]
        if self.risk is not now.risk:
            found.append(f"its risk was {self.risk.value}, is {now.risk.value}")
        elif self.confirm != now.confirm:
            found.append(f"what confirms it was {self.confirm!r}, is {now.confirm!r}")
        return tuple(found)


def read_plan(text: str) -> SavedPlan:
    """Read a plan's JSON. Raises PlanFileError with the reason."""
    try:
        found = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_doubles)
    except PlanFileError:
        raise
    except (ValueError, RecursionError) as error:
        raise PlanFileError("it is not JSON, or truncated") from error
    if not isinstance(found, dict):
        raise PlanFileError("it is not an object")
    return _plan(_Fields(found, ""))


def _plan(fields: _Fields) -> SavedPlan:
    if fields.integer("schema") != SCHEMA:
        raise PlanFileError(f"its schema is not {SCHEMA}")
    saved = SavedPlan(
        intent=_intent(fields.member("intent")),
        host=fields.text("host"),
        title=fields.text("title"),
        risk=_risk(fields.text("risk")),
        confirm=fields.optional_text("confirm"),
        steps=tuple((step.texts("argv"), step.optional_text("stdin")) for step in fields.members("steps")),
        hosts=tuple(step.text("host") if step.has("host") else "" for step in fields.members("steps")),
        destroys=fields.texts("destroys"),
        refusals=tuple(refusal.text("reason") for refusal in fields.members("refusals")),
        secrets=fields.texts("secrets"),
        made_at=fields.number("made_at"),
        expires=fields.number("expires"),
        basis=PlanBasis(
            tuple(sorted(fields.member("basis").all_texts().items())),
            tuple(_figure(each) for each in fields.members("figures")),
        ),
    )
    doing = (
        (argv_with_host(argv, host), stdin)
        for (argv, stdin), host in zip(saved.steps, saved.hosts, strict=True)
    )
    if fields.text("fingerprint") != fingerprint(saved.basis, doing, saved.destroys):
        raise PlanFileError("its fingerprint is not that of its commands and of what it rests on")
    if fields.text("action") != saved.intent.action or (saved.risk is Risk.REFUSED) != bool(saved.refusals):
        raise PlanFileError("it contradicts itself")
    return saved


def _intent(fields: _Fields) -> Intent:
    options = fields.member("options").all_options()
    return intent(fields.text("action"), fields.text("target"), *fields.texts("arguments"), options=options)


def _figure(fields: _Fields) -> Figure:
    word = fields.text("measure")
    try:
        measure = FigureMeasure(word)
    except ValueError:
        raise PlanFileError(f"{_short(word)} is not a measure") from None
    return Figure(fields.text("what"), measure, fields.optional_integer("bytes"))


def _risk(word: str) -> Risk:
    try:
        return Risk(word)
    except ValueError:
        raise PlanFileError(f"{_short(word)} is not a risk") from None


class _Fields:
    """Typed access to a JSON object; a wrong type or missing key is a PlanFileError that names the key."""

    def __init__(self, values: Mapping[str, object], where: str) -> None:
        self._values = values
        self._where = where

    def has(self, key: str) -> bool:
        return key in self._values

    def text(self, key: str) -> str:
        value = self._get(key)
        if not isinstance(value, str):
            raise self._error(key, "a string")
        return value

    def optional_text(self, key: str) -> str | None:
        return None if self._get(key) is None else self.text(key)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._get(key)
        if not isinstance(value, list):
            raise self._error(key, "a list of strings")
        found = tuple(each for each in value if isinstance(each, str))
        if len(found) != len(value):
            raise self._error(key, "a list of strings")
        return found

    def integer(self, key: str) -> int:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._error(key, "a whole number")
        return value

    def optional_integer(self, key: str) -> int | None:
        return None if self._get(key) is None else self.integer(key)

    def number(self, key: str) -> float:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._error(key, "a number")
        try:
            found = float(value)
        except OverflowError:
            found = math.inf
        if not math.isfinite(found):
            raise self._error(key, "a number")
        return found

    def member(self, key: str) -> _Fields:
        value = self._get(key)
        if not isinstance(value, dict):
            raise self._error(key, "an object")
        return _Fields(value, f"{self._where}{key}.")

    def members(self, key: str) -> tuple[_Fields, ...]:
        value = self._get(key)
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self._error(key, "a list of objects")
        return tuple(_Fields(each, f"{self._where}{key}[{at}].") for at, each in enumerate(value))

    def all_texts(self) -> dict[str, str]:
        return {key: self.text(key) for key in self._values}

    def all_options(self) -> dict[str, OptionValue]:
        found: dict[str, OptionValue] = {}
        for key, value in self._values.items():
            if not isinstance(value, str | bool | int):
                raise self._error(key, "a string, a number, true or false")
            found[key] = value
        return found

    def _get(self, key: str) -> object:
        if key not in self._values:
            raise PlanFileError(f"{_short(self._where + key)} is missing")
        return self._values[key]

    def _error(self, key: str, expected: str) -> PlanFileError:
        return PlanFileError(f"{_short(self._where + key)} is not {expected}")


def _short(text: str) -> str:
    return repr(text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}...")


def _no_constant(word: str) -> object:
    raise PlanFileError(f"{word} is not a number of JSON")


def _no_doubles(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Refuse a key that occurs twice: readers of JSON differ in which value they take."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise PlanFileError(f"{_short(key)} is there twice")
        found[key] = value
    return found
