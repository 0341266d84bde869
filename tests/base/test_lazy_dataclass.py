"""A class whose methods are compiled when they are first called behaves as the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, ClassVar

import pytest

from zconsole.base import lazy_dataclass

DECORATORS = {"standard": dataclasses.dataclass, "lazy": lazy_dataclass.dataclass}


class Body:
    """What the classes under test are made of."""

    x: int
    names: list[str] = dataclasses.field(default_factory=list)
    y: int = 0
    hidden: int = dataclasses.field(default=1, repr=False, compare=False)
    total: int = dataclasses.field(init=False, default=7)
    kind: ClassVar[str] = "point"


def made(decorator: str, **options: bool) -> Any:  # a class made in the test
    body = {name: value for name, value in vars(Body).items() if name not in {"__dict__", "__weakref__"}}
    body["__qualname__"] = "Point"
    return DECORATORS[decorator](**options)(type("Point", (), body))


@dataclasses.dataclass
class Seen:
    """What a value of a class shows of itself."""

    printed: str
    comparisons: tuple[object, ...]
    hashes: object
    errors: list[str]


def seen(decorator: str, *, calls: int = 0, **options: bool) -> Seen:
    cls = made(decorator, **options)
    for _ in range(calls):
        assert isinstance(cls(1) == cls(2), bool)
    one, same, other = cls(1, ["a"], y=2), cls(1, ["a"], 2, 9), cls(1, ["b"])
    errors = []
    for wrong in (
        cls,
        lambda: cls(1, z=3),
        lambda: cls(1, [], 2, 3, 4),
        lambda: setattr(cls(1), "x", 2),
        lambda: delattr(cls(1), "x"),
        lambda: hash(cls(1)),
    ):
        try:
            wrong()
        except (TypeError, AttributeError) as error:
            errors.append(f"{type(error).__name__}: {error}")
        else:
            errors.append("")
    return Seen(
        repr(one),
        (one == same, one == other, one != other, one == 1, one.__eq__(1), cls.kind, one.total),
        None if cls.__hash__ is None else type(cls.__hash__).__name__ != "",
        errors,
    )


@pytest.mark.parametrize("calls", [0, lazy_dataclass.FEW + 1], ids=["at first", "compiled"])
@pytest.mark.parametrize("slots", [False, True])
@pytest.mark.parametrize(
    "options",
    [{}, {"frozen": True}, {"eq": False}, {"unsafe_hash": True}, {"frozen": True, "eq": False}],
    ids=lambda options: "-".join(options) or "plain",
)
def test_values_behave_as_those_of_the_standard_library(
    options: dict[str, bool], slots: bool, calls: int
) -> None:
    assert seen("standard", **options, slots=slots) == seen("lazy", **options, slots=slots, calls=calls)


def test_the_annotations_of_fields_are_those_that_were_written() -> None:
    assert ["str", "tuple[int, ...]", "int"] == [each.type for each in dataclasses.fields(Extended)]
    assert {"more": "int"} == Extended.__annotations__


@lazy_dataclass.dataclass(frozen=True, slots=True)
class Base:
    """A value that others extend."""

    name: str
    sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("no name")


@lazy_dataclass.dataclass(frozen=True, slots=True)
class Extended(Base):
    """One more field, and an order of its own."""

    more: int = 0

    def __repr__(self) -> str:
        return f"<{self.name}>"


@lazy_dataclass.dataclass(frozen=True, slots=True)
class KnownByName:  # noqa: PLW1641  # the decorator makes its hash
    """Its own equality, and the hash of its fields, as in the standard library."""

    name: str
    note: str = dataclasses.field(default="", compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KnownByName) and self.name == other.name


def test_a_value_is_copied_pickled_and_replaced() -> None:
    value = Base("tank", (1, 2))

    assert value == copy.deepcopy(value)
    assert value == pickle.loads(pickle.dumps(value))  # noqa: S301  # made here
    assert Base("tank", (3,)) == dataclasses.replace(value, sizes=(3,))
    assert hash(value) == hash(copy.copy(value))


def test_fields_and_matching_are_those_of_any_dataclass() -> None:
    match Extended("tank", (1,), more=2):
        case Extended(name, sizes, more):
            assert ("tank", (1,), 2) == (name, sizes, more)
    assert ["name", "sizes", "more"] == [each.name for each in dataclasses.fields(Extended)]


def test_a_class_that_extends_another_has_its_checks_and_keeps_its_own_methods() -> None:
    assert "<tank>" == repr(Extended("tank"))
    assert Extended("tank") != Base("tank")
    with pytest.raises(ValueError, match="no name"):
        Extended("")


def test_its_own_equality_keeps_the_hash_of_its_fields() -> None:
    assert KnownByName("a", "x") == KnownByName("a", "y")
    assert 1 == len({KnownByName("a", "x"), KnownByName("a", "y")})


class FewerFields(Base):
    """Its own arguments, and those of a value."""

    def __init__(self) -> None:
        super().__init__("tank")


def test_a_class_with_arguments_of_its_own_sets_the_fields_of_its_base() -> None:
    assert ["tank"] * 5 == [FewerFields().name for _ in range(5)]
    assert FewerFields() == FewerFields()
    assert FewerFields() != Base("tank")


def test_a_method_is_the_standard_one_after_its_first_calls() -> None:
    cls = made("lazy", frozen=True, slots=True)
    first = cls.__init__
    values = [cls(1) for _ in range(lazy_dataclass.FEW)]
    assert first is cls.__init__
    cls(1)

    assert [cls(1)] * lazy_dataclass.FEW == values

    assert first is not cls.__init__
    assert "Point.__init__" == cls.__init__.__qualname__
    first(cls.__new__(cls), 2)  # one that somebody kept


@lazy_dataclass.dataclass(frozen=True, slots=True)
class Mixed:
    """Arguments by position and by name only, with each kind of default."""

    first: int
    only_named: int = dataclasses.field(kw_only=True)
    made: list[int] = dataclasses.field(default_factory=list)
    known: tuple[int, ...] = (1,)
    named: list[int] = dataclasses.field(default_factory=list, kw_only=True)


@lazy_dataclass.dataclass(frozen=True, slots=True)
class Nothing:
    """No field."""


def test_arguments_by_name_only_and_defaults_that_are_made_are_as_in_the_standard_library() -> None:
    one, other = Mixed(1, only_named=2), Mixed(1, [5], (), only_named=2, named=[6])

    assert (1, 2, [], (1,), []) == (one.first, one.only_named, one.made, one.known, one.named)
    assert ([5], (), [6]) == (other.made, other.known, other.named)
    assert one.made is not Mixed(1, only_named=2).made
    with pytest.raises(TypeError, match="only_named"):
        Mixed(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional argument"):
        Mixed(1, [], (), 2)  # type: ignore[call-arg, misc]
    assert Nothing() == Nothing()
