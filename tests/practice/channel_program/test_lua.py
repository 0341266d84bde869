"""The Lua of channel programs, as far as they are run here."""

from __future__ import annotations

import pytest

from zconsole.practice.channel_program.lua import run
from zconsole.practice.channel_program.lua_values_calls_and_operators import LuaError, LuaTable, iterator


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("return 1 + 2 * 3", (7,)),
        ('return "a" .. 1 .. "b"', ("a1b",)),
        ("return 7 / 2, 7 % 2, -7", (3, 1, -7)),
        ("return not nil and 1 or 2", (1,)),
        ("return nil == false, 1 ~= 2, 1 < 2, 2 <= 1", (False, True, True, False)),
        ('return 1 == "1"', (False,)),
        ("local a, b = 1 return b, a", (None, 1)),
        ("local t = {5, 6, x = 7, [9] = 8} return #t, t[2], t.x, t[9]", (2, 6, 7, 8)),
        ("local t = {} t.a = {} t.a.b = 3 return t.a.b, t.c", (3, None)),
        ("local sum = 0 for i = 1, 5, 2 do sum = sum + i end return sum", (9,)),
        ('local all = "" for each in list() do all = all .. each end return all', ("xy",)),
        ("if 1 > 2 then return 1 elseif nil then return 2 else return 3 end", (3,)),
        ("local n = 0 while n < 4 do n = n + 1 end return n", (4,)),
        ("local function twice(n) return n * 2 end return twice(4)", (8,)),
        ("local n = 1 local function up() n = n + 1 end up() up() return n", (3,)),
        ("local function two() return 1, 2 end local a, b = two() return a, b, (two())", (1, 2, 1)),
        ("local function f(n) if n == 0 then return 0 end return f(n - 1) end return f(9)", (0,)),
        ('return (...)["argv"][1] -- the end', ("tank/a",)),
        ("do local hidden = 1 end return hidden", (None,)),
        ("return", ()),
        ("", ()),
    ],
)
def test_it_is_lua(text: str, expected: tuple[object, ...]) -> None:
    world = {"list": lambda: (iterator(["x", "y"]),)}

    assert expected == run(text, LuaTable({"argv": LuaTable({1: "tank/a"})}), world)


@pytest.mark.parametrize("text", ["return (\n", "if 1 then", "local 1 = 2", "x = = 1", "return 1 1", "$"])
def test_what_is_no_program_is_refused_before_it_runs(text: str) -> None:
    with pytest.raises(LuaError, match=r'^\[string "channel program"\]:\d+: unexpected symbol near'):
        run(text, None, {})


@pytest.mark.parametrize(
    "text", ["return nothing.at_all", "nothing()", 'return "a" .. nil', "while true do end"]
)
def test_what_cannot_be_ends_the_program(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zconsole.practice.channel_program.lua.MOST_STEPS", 100)

    with pytest.raises(LuaError):
        run(text, None, {})
