"""Dialogs that ask for the arguments and options of an action: choices, disks, layouts, hosts, text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from zconsole.actions.action_spec import FLAG, HOST, ActionSpec, Argument, Option
from zconsole.actions.answers_to_change import DISK, LAYOUT, AnswerToChange
from zconsole.actions.argument_choices import DISK_COLUMNS, LAYOUTS, ArgumentChoice, choices
from zconsole.actions.intent import Intent, OptionValue, TargetKind, intent
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog, TextDialog
from zconsole.ui.flows.disk_choice import choose_disks
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

_GAP: Final = "  "
DISKS_OF_VDEV: Final = Argument("DISKS", DISK, "the disks of it", is_repeated=True)
LONE: Final = "lone"  # the menu line for an omitted argument


Next = Callable[[Intent], Awaitable[bool]]
NextWords = Callable[[tuple[str, ...]], Awaitable[bool]]
NextOptions = Callable[[Mapping[str, OptionValue]], Awaitable[bool]]


class ArgumentDialogs:
    """Questions about an intent on one host, each with its former answer.

    What follows a question is called with the intent, or with the options, and returns whether the flow has
    ended; else the user has gone back, and the question is asked again. A question that is left goes back to
    the one before.
    """

    def __init__(self, app: ConsoleApp, host: str) -> None:
        self._app = app
        self._host = host
        self._colour = app.host_colour(host)
        self._former: dict[tuple[str, str], tuple[str, ...]] = {}  # answers by action and question
        self.is_misworded = False  # what was typed was not understood: the last typed answer is asked again

    async def host(self, spec: ActionSpec, asked: str) -> str | None:
        """Let the user choose a configured host; a single host needs no question."""
        hosts = tuple(state.host for state in self._app.states.newest())
        if len(hosts) == 1:
            return hosts[0]
        rows = FixedLines(tuple(line((host, self._app.host_colour(host))) for host in hosts), hosts)
        about = line((f"{spec.title}: ", "title"), asked)
        question = (spec.id, f"host: {asked}")
        former = self._former.get(question, ())
        answer = await self._app.push_screen_wait(MenuDialog(self._app.paint, about, rows, start=former))
        if answer:
            self._former[question] = answer
        return answer[0] if answer else None

    async def chosen(self, spec: ActionSpec, argument: Argument, facts: PlanFacts) -> Intent | None:
        """Return the intent whose object is the chosen one; `argument` says of what kind it is."""
        words = await self._argument(spec, argument, Intent(spec.id, ""), facts)
        return Intent(spec.id, words[0]) if words else None

    async def _layout(self, spec: ActionSpec, wanted: Intent, facts: PlanFacts, then: NextWords) -> bool:
        """Ask for the kind of vdev, then its disks: the words that zpool takes."""
        rows = FixedLines(
            tuple(line(f"{words or 'no group':<16} ", (explained, "dim")) for words, explained in LAYOUTS),
            tuple(words or LONE for words, _ in LAYOUTS),
        )
        about = line((self._host, self._colour), (" · ", "dim"), (f"{spec.title} ", "title"), wanted.target)
        question = (spec.id, "layout")
        while kind := await self._app.push_screen_wait(
            MenuDialog(self._app.paint, about, rows, start=self._former.get(question, ()))
        ):
            self._former[question] = kind
            words = kind[0].split() if kind[0] != LONE else ()
            given = replace(wanted, arguments=(*wanted.arguments, *words))
            while disks := await self._argument(spec, DISKS_OF_VDEV, given, facts):
                if await then((*words, *disks)):
                    return True
        return False

    async def missing(self, action: ActionSpec, wanted: Intent, facts: PlanFacts, then: Next) -> bool:
        """Ask for the arguments without which there is no plan; a complete intent goes on unchanged."""
        needed = sum(1 for argument in action.arguments if not argument.is_optional)
        if len(wanted.arguments) >= needed:
            return await then(wanted)
        return await self.ask(action, wanted, facts, then)

    async def ask(self, spec: ActionSpec, wanted: Intent, facts: PlanFacts, then: Next) -> bool:
        """Ask for arguments that the target does not give: the missing ones, then the options."""
        missing = spec.arguments[len(wanted.arguments) :]  # the object under the cursor is the optional one
        needed = tuple(takewhile(lambda each: not each.is_optional, missing))
        return await self._ask_each(spec, wanted, facts, needed, then)

    async def _ask_each(
        self, spec: ActionSpec, wanted: Intent, facts: PlanFacts, missing: Sequence[Argument], then: Next
    ) -> bool:
        if not missing:
            return await self._with_options(spec, wanted, facts, then)
        argument, *further = missing

        async def with_these(words: tuple[str, ...]) -> bool:
            given = replace(wanted, arguments=(*wanted.arguments, *words))
            return await self._ask_each(spec, given, facts, further, then)

        if argument.kind == LAYOUT:
            return await self._layout(spec, wanted, facts, with_these)
        is_typed = choices(argument, wanted, facts) is None
        while (words := await self._argument(spec, argument, wanted, facts)) is not None:
            if await with_these(words):
                return True
            if self._leads_further_back(is_typed=is_typed):
                break
        return False

    async def _with_options(self, spec: ActionSpec, wanted: Intent, facts: PlanFacts, then: Next) -> bool:
        if not spec.options:
            return await then(wanted)

        async def with_these(options: Mapping[str, OptionValue]) -> bool:
            every = {**dict(wanted.options), **options}
            return await then(intent(spec.id, wanted.target, *wanted.arguments, options=every))

        return await self.options(spec, wanted, facts, with_these)

    async def _argument(
        self, spec: ActionSpec, argument: Argument, wanted: Intent, facts: PlanFacts
    ) -> tuple[str, ...] | None:
        about = line((self._host, self._colour), (" · ", "dim"), (f"{spec.title} ", "title"), wanted.target)
        question = (spec.id, argument.name)
        former = self._former.get(question, ())
        known = choices(argument, wanted, facts)
        answer: tuple[str, ...] | None
        if argument.kind == DISK:
            answer = await choose_disks(self._app, self._host, argument, wanted, former)
        elif known is None:
            words = (about, EMPTY, line(f"{argument.name}: {argument.help}"))
            typed = await self._app.push_screen_wait(
                TextDialog(
                    self._app.paint, words, " ".join(former) if argument.is_repeated else "".join(former)
                )
            )
            answer = None if typed is None else tuple(typed.split()) if argument.is_repeated else (typed,)
        elif not known:
            await tell(self._app, line(f"There is no {argument.kind} to choose: {argument.help}."))
            return None
        else:
            answer = await self._pick(line(*about, (f"  {argument.help}", "dim")), argument, known, former)
        if answer is not None:
            self._former[question] = answer
        return answer

    async def _pick(
        self, about: Line, argument: Argument, known: Sequence[ArgumentChoice], former: tuple[str, ...]
    ) -> tuple[str, ...] | None:
        header, rows = _table(DISK_COLUMNS if argument.kind == "labelled" else (), known)
        return await self._app.push_screen_wait(
            MenuDialog(
                self._app.paint, about, rows, header=header,
                closed={choice.word: choice.why_not for choice in known if choice.why_not},
                explained={choice.word: line((choice.word, "dim")) for choice in known},
                is_many=argument.is_repeated, start=former,
            )
        )  # fmt: skip

    async def one(self, answer: AnswerToChange, action: ActionSpec, wanted: Intent) -> str | None:
        """Ask one question again, which begins with its former answer."""
        about = line((self._host, self._colour), (" · ", "dim"), (f"{action.title} ", "title"), wanted.target)
        words = (about, EMPTY, line(answer.help))
        value = await self._app.push_screen_wait(TextDialog(self._app.paint, words, answer.value))
        self._former[action.id, answer.place] = (answer.former if value is None else value,)
        return value

    async def disks(
        self, answer: AnswerToChange, action: ActionSpec, wanted: Intent
    ) -> tuple[str, ...] | None:
        """Let the user choose again from the list of disks, with the former ones marked."""
        argument = next(each for each in action.arguments if each.name == answer.place)
        asked = DISKS_OF_VDEV if argument.kind == LAYOUT else argument
        before = replace(wanted, arguments=answer.before)
        chosen = await choose_disks(self._app, self._host, asked, before, answer.disks)
        if chosen:
            self._former[action.id, asked.name] = chosen
        return chosen or None

    async def options(self, spec: ActionSpec, wanted: Intent, facts: PlanFacts, then: NextOptions) -> bool:
        """Let the user mark options, then ask for their values."""
        closed = {option.name: why for option in spec.options if (why := option.why_not(wanted, facts))}
        lines = (
            line((f"{option.name:<18} ", "dim" if option.name in closed else "text"), (option.help, "dim"))
            for option in spec.options
        )
        rows = FixedLines(tuple(lines), tuple(option.name for option in spec.options))
        question = (spec.id, "options")
        while True:
            marked = await self._app.push_screen_wait(
                MenuDialog(
                    self._app.paint,
                    line(
                        (self._host, self._colour),
                        (" · options, if any: ", "dim"),
                        (change_in_words(spec, wanted, facts), "title"),
                    ),
                    rows,
                    closed=closed,
                    explained={option.name: line((option.help, "dim")) for option in spec.options},
                    is_many=True,
                    start=self._former.get(question, ()),
                )
            )
            if marked is None:
                return False
            self._former[question] = marked
            if await self._values(spec, [each for each in spec.options if each.name in marked], {}, then):
                return True
            if self._leads_further_back(is_typed=False):
                return False

    async def _values(
        self,
        spec: ActionSpec,
        options: Sequence[Option],
        known: Mapping[str, OptionValue],
        then: NextOptions,
    ) -> bool:
        """Ask for the values of the marked options, one by one."""
        if not options:
            return await then(known)
        option, *further = options
        while True:
            value = await self._option(spec, option)
            if value is None:
                return False
            if await self._values(spec, further, {**known, option.name: value}, then):
                return True
            if not self._is_asked(option) or self._leads_further_back(is_typed=not option.choices):
                return False

    def _leads_further_back(self, *, is_typed: bool) -> bool:
        """Whether words that were not understood were not typed as the answer to this question."""
        if self.is_misworded and is_typed:
            self.is_misworded = False
            return False
        return self.is_misworded

    def _is_asked(self, option: Option) -> bool:
        """Whether the value of a marked option takes a question."""
        return option.kind != FLAG and not (option.kind == HOST and len(self._app.states.newest()) == 1)

    async def _option(self, spec: ActionSpec, option: Option) -> OptionValue | None:
        if option.kind == FLAG:
            return True
        if option.kind == HOST:
            return await self.host(spec, option.help)
        question = (spec.id, f"--{option.name}")
        former = self._former.get(question, ())
        about = line((f"{spec.title}: {option.name}", "title"))
        answer: str | None
        if option.choices:
            rows = FixedLines(tuple(line(each) for each in option.choices), option.choices)
            chosen = await self._app.push_screen_wait(MenuDialog(self._app.paint, about, rows, start=former))
            answer = chosen[0] if chosen else None
        else:
            answer = await self._app.push_screen_wait(
                TextDialog(self._app.paint, (about, line(option.help)), "".join(former))
            )
        if answer is not None:
            self._former[question] = (answer,)
        return answer


def change_in_words(spec: ActionSpec, wanted: Intent, facts: PlanFacts) -> str:
    """`replace VLGX4P7Y (bay 18) of vault with VLH0E44Y`: of a change of a device the title of its plan."""
    words = f"{spec.title} {wanted.target}"
    if TargetKind.LEAF not in spec.targets or not wanted.arguments:
        return words
    try:
        return spec.plan(wanted, facts).title
    except UsageError:
        return words


async def tell(app: ConsoleApp, *words: Line) -> None:
    """Show lines until the user closes them; empty ones are left out."""
    await app.push_screen_wait(TellDialog(app.paint, [each for each in words if each]))


def _table(titles: Sequence[str], known: Sequence[ArgumentChoice]) -> tuple[Line, FixedLines]:
    """Return choices in columns as wide as their widest cell."""
    rows = [choice.columns for choice in known]
    every = [tuple(titles), *rows] if titles else rows
    widths = [max(width(row[at]) for row in every) for at in range(len(every[0]))]

    def laid_out(row: Sequence[str], style: str) -> Line:
        cells = [cell + " " * (cells - width(cell)) for cell, cells in zip(row, widths, strict=True)]
        return line((_GAP.join(cells).rstrip(), style))

    lines = tuple(laid_out(choice.columns, "dim" if choice.why_not else "text") for choice in known)
    header = laid_out(titles, "header") if titles else EMPTY
    return header, FixedLines(lines, tuple(choice.word for choice in known))
