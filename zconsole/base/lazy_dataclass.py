"""The decorator `dataclass` of the standard library; its methods are compiled when they are called often.

The standard decorator compiles up to six methods of each class where it is defined, 0.4 ms a class. A console
defines a hundred classes before its first frame, makes values of half of them, and of most of these one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final, TypeVar, dataclass_transform

_T = TypeVar("_T")
FEW: Final = 3  # calls of a method that cost less than to compile it
_KEPT: Final = ("ClassVar", "typing.ClassVar", "KW_ONLY", "dataclasses.KW_ONLY")  # annotations of no field

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414  # what mypy takes the decorator for
else:

    def dataclass(
        *,
        frozen: bool = False,
        slots: bool = False,
        eq: bool = True,
        unsafe_hash: bool = False,
        kw_only: bool = False,
    ) -> Callable[[type[Any]], type[Any]]:
        """Decorate a class as `dataclasses.dataclass` does with the same options; without InitVar."""

        def decorate(defined: type[Any]) -> type[Any]:
            own = {name for name, value in vars(defined).items() if name != "__hash__" or value is not None}
            made = _with_fields(defined, slots=slots, kw_only=kw_only)
            lazy = {"__init__", "__repr__"}
            if eq:
                lazy.add("__eq__")
                if frozen or unsafe_hash:
                    lazy.add("__hash__")
                elif "__hash__" not in own:
                    made.__hash__ = None
            for name in lazy - own:
                setattr(made, name, _compiled_when_called(made, name, is_frozen=frozen))
            if frozen:
                made.__setattr__ = _refuse_assignment
                made.__delattr__ = _refuse_deletion
                made.__getstate__ = _field_values
                made.__setstate__ = _set_field_values
            return made

        return decorate


@dataclass_transform(frozen_default=True)
def fast_dataclass(value: type[_T]) -> type[_T]:
    """Decorate a class as a slotted dataclass that is frozen for the type checker only.

    It is for values that are made hundreds of times a second: at run time assignment is not prevented, as a
    real frozen dataclass takes three times as long to make.
    """
    return dataclass(slots=True, unsafe_hash=True)(value)


def _with_fields(defined: type[Any], *, slots: bool, kw_only: bool) -> type[Any]:
    """The class with its fields, and no methods.

    The standard decorator searches each annotation that is text for three names, which takes half of its
    time; it does not search the type `object`.
    """
    annotations = dict(vars(defined).get("__annotations__", {}))
    for name, of in annotations.items():
        if isinstance(of, str) and not of.startswith(_KEPT):
            defined.__annotations__[name] = object
    made: type[Any] = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(
        defined
    )
    made.__annotations__ = annotations
    for name, each in made.__dataclass_fields__.items():
        each.type = annotations.get(name, each.type)
    return made


def _compiled_when_called(made: type[Any], name: str, *, is_frozen: bool) -> Callable[..., Any]:
    """A method that replaces itself by the one of the standard library after its first calls."""
    calls = 0

    def method(self: object, /, *args: object, **named: object) -> object:
        nonlocal calls
        calls += 1
        if calls <= FEW:
            if name == "__init__" and _is_initialised(made, self, args, named, is_frozen=is_frozen):
                return None
            if name == "__eq__" and len(args) == 1 and not named:
                return _is_equal(made, self, args[0])
        slots = _slot_setters(made) if name == "__init__" and is_frozen else None
        compiled = (
            getattr(_standard(made, name, is_frozen=is_frozen), name)
            if slots is None
            else _init_of(made, slots)
        )
        compiled.__qualname__ = method.__qualname__
        setattr(made, name, compiled)
        return compiled(self, *args, **named)

    method.__name__, method.__qualname__ = name, f"{made.__qualname__}.{name}"
    return method


def _is_initialised(
    made: type[Any], value: Any, args: tuple[object, ...], named: Mapping[str, object], *, is_frozen: bool
) -> bool:
    """Set the fields without a compiled method; False where the arguments are not those of the fields."""
    fields = dataclasses.fields(made)
    places = [each.name for each in fields if each.init and not each.kw_only]
    given = dict(zip(places, args, strict=False))
    accepted = {each.name for each in fields if each.init}
    needed = {
        each.name
        for each in fields
        if each.init and each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
    }
    if len(args) > len(places) or given.keys() & named.keys():
        return False
    given.update(named)
    if not needed <= given.keys() <= accepted:
        return False
    put = object.__setattr__ if is_frozen else setattr
    for each in fields:
        if each.name in given:
            put(value, each.name, given[each.name])
        elif each.default is not dataclasses.MISSING:
            put(value, each.name, each.default)
        elif each.default_factory is not dataclasses.MISSING:
            put(value, each.name, each.default_factory())
    if hasattr(value, "__post_init__"):
        value.__post_init__()
    return True


def _is_equal(made: type[Any], one: Any, other: Any) -> object:
    """Equality of the fields without a compiled method."""
    if other.__class__ is not one.__class__:
        return NotImplemented
    names = [each.name for each in dataclasses.fields(made) if each.compare]
    return [getattr(one, name) for name in names] == [getattr(other, name) for name in names]


def _slot_setters(made: type[Any]) -> dict[str, Callable[[object, object], None]] | None:
    """What sets each field of a class whose fields are all slots and arguments; None for another class."""
    slots = {each.name: getattr(made, each.name, None) for each in dataclasses.fields(made) if each.init}
    if len(slots) < len(dataclasses.fields(made)):
        return None
    found = {name: slot.__set__ for name, slot in slots.items() if isinstance(slot, MemberDescriptorType)}
    return found if len(found) == len(slots) else None


def _init_of(made: type[Any], setters: Mapping[str, Callable[[object, object], None]]) -> Callable[..., Any]:
    """An `__init__` that sets slots past the refusal: it is compiled in a third of the time, and faster.

    The standard one of a frozen class calls `object.__setattr__` for each field.
    """
    known: dict[str, Any] = {"_unset": object()}
    arguments, lines = ["_self"], []
    fields = sorted(dataclasses.fields(made), key=lambda each: bool(each.kw_only))
    for each in fields:
        name, value, default = each.name, each.name, ""
        known[f"_set_{name}"] = setters[name]
        if each.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = each.default_factory
            value, default = f"_make_{name}() if {name} is _unset else {name}", "=_unset"
        elif each.default is not dataclasses.MISSING:
            known[f"_default_{name}"], default = each.default, f"=_default_{name}"
        if each.kw_only and "*" not in arguments:
            arguments.append("*")
        arguments.append(f"{name}{default}")
        lines.append(f"\n _set_{name}(_self, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("\n _self.__post_init__()")
    exec(f"def __init__({', '.join(arguments)}):{''.join(lines) or ' pass'}", known)  # noqa: S102  # our own fields
    made_init: Callable[..., Any] = known["__init__"]
    return made_init


def _standard(made: type[Any], name: str, *, is_frozen: bool) -> type[Any]:
    """A class of the same fields, with the method as the standard library compiles it."""
    fields = dataclasses.fields(made)
    body: dict[str, Any] = {each.name: _again(each) for each in fields}
    body["__doc__"] = made.__name__  # or its signature would be written for it
    body["__annotations__"] = {each.name: object for each in fields}
    if hasattr(made, "__post_init__"):
        body["__post_init__"] = made.__post_init__
    is_compared = name in {"__eq__", "__hash__"}
    return dataclasses.dataclass(
        init=name == "__init__",
        repr=name == "__repr__",
        eq=is_compared,
        unsafe_hash=name == "__hash__",
        frozen=is_frozen and name == "__init__",  # it assigns past the refusal
        slots="__slots__" in vars(made)
        and not all(each.init for each in fields),  # it assigns their defaults
    )(type(made.__name__, (), body))


def _again(given: dataclasses.Field[Any]) -> dataclasses.Field[Any]:
    """The same field, for another class."""
    default: dict[str, Any] = {"default": given.default}
    if given.default_factory is not dataclasses.MISSING:
        default = {"default_factory": given.default_factory}
    again: dataclasses.Field[Any] = dataclasses.field(
        **default,
        init=given.init,
        repr=given.repr,
        hash=given.hash,
        compare=given.compare,
        kw_only=bool(given.kw_only),
    )
    return again


def _refuse_assignment(_: object, name: str, __: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(_: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _field_values(value: Any) -> list[object]:  # any dataclass
    return [getattr(value, each.name) for each in dataclasses.fields(value)]


def _set_field_values(value: Any, state: list[object]) -> None:  # any dataclass
    for each, stored in zip(dataclasses.fields(value), state, strict=True):
        object.__setattr__(value, each.name, stored)
