"""The functions that play calls by name: menus, actions, steps of the sequence, views, defaults and tables."""

from __future__ import annotations

from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import condition, value
from interpreter.language.codegen.core.literals import stored_text
from interpreter.language.codegen.functions.functions import applies, happening, parameters
from interpreter.language.codegen.writers.calls import stored
from interpreter.language.codegen.writers.collections import pipe
from interpreter.language.codegen.writers.constant_folding import FALSE
from interpreter.language.codegen.writers.decisions import members_text
from interpreter.language.model.emitted_names import (
    ACTION,
    ACTION_OPTION,
    CELLS,
    DEFAULT,
    LEGAL,
    LOCAL,
    MENU,
    MENU_CHOICE,
    PICK,
    STATE_DEFAULT,
    STEP,
    STEP_EACH,
    STEP_REPEAT,
    STEP_UNTIL,
    STEP_WHEN,
    TABLE,
    VIEW_SEEN_BY,
    VIEW_WHEN,
    Category,
    part_of,
)
from interpreter.language.model.image import Stored
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Action, Axis, Menu, Parameter, Step, Table, View
from interpreter.language.tree.statements import Expr


def _names(takes: tuple[Parameter, ...]) -> list[str]:
    return [LOCAL(each.name) for each in takes]


# ---------------------------------------------------------------- menus and actions
def menu(rule: Menu, emission: Emission) -> None:
    """Writes the options of a menu, and the generator that asks for one and runs it."""
    out = emission.out
    takes = parameters(rule.takes)
    actions = [each for each in emission.program.actions.values() if each.menu == rule.name]
    with out.at(rule.place):
        with out.block(f"def {MENU(rule.name)}({takes}):"):
            out.line("found = []")
            for each in actions:
                out.line(f"if {LEGAL(each.name)}({takes}): found.append({ACTION_OPTION(each.name)})")
            out.line("return found")
        tail = f", {takes}" if takes else ""
        with out.block(f"def {MENU_CHOICE(rule.name)}(site, seat, must, prompt{tail}):"):
            none = "() if must else (None,)"
            out.line(f"act = yield (site, seat, lambda: (*{MENU(rule.name)}({takes}), *({none})), prompt, None)")
            for each in actions:
                with out.block(f"if act is {ACTION_OPTION(each.name)}:"):
                    _apply_patch(each, rule, emission)
            out.line("return False")


def _apply_patch(action: Action, rule: Menu, emission: Emission) -> None:
    out = emission.out
    given = _names(rule.takes)
    for pick in action.picks:
        name = LOCAL(pick.parameter.name)
        site = emission.sites.by_owner[id(pick)]
        options = f"lambda: {PICK(action.name, pick.parameter.name)}({', '.join(given)})"
        out.line(f"{name} = yield (S{site.number}, seat, {options}, None, None)")
        given.append(name)
    call = f"{ACTION(action.name)}({', '.join(given)})"
    out.line(f"yield from {call}" if action.effects.asks else call)
    if emission.traced:
        out.line(f'T("leave", {emission.sites.by_owner[id(action)].number}, None)')
    out.line("return True")


def action(rule: Action, emission: Emission) -> None:
    """Whether an action is legal, the options of its picks (only those that can be completed), and its text."""
    out = emission.out
    offered = emission.program.menus[rule.menu].takes
    with out.at(rule.place):
        with out.block(f"def {LEGAL(rule.name)}({parameters(offered)}):"):
            for need in rule.needs:
                with out.at(need.place):
                    if emission.traced and need.cites:
                        out.line(f'T("line", {emission.sites.by_owner[id(need)].number}, None)')
                    test = applies(need, CodeContext(emission, rule.key))
                    out.line(f"if not ({test or 'True'}): return False")
            _legal(rule, emission)
        for number in range(len(rule.picks)):
            _pick_options(rule, number, offered, emission)
        takes = (*offered, *[each.parameter for each in rule.picks])
        with out.block(f"def {ACTION(rule.name)}({parameters(takes)}):"):
            if emission.traced:
                arguments = "".join([f"{LOCAL(each.name)}, " for each in takes])
                site = emission.sites.by_owner[id(rule)]
                out.line(f'T("enter", {site.number}, ({arguments}))')
            happening(rule.body, rule.effects, CodeContext(emission, rule.key))


def _legal(rule: Action, emission: Emission) -> None:
    """Whether every pick of the action can be made: stops at the first combination that can."""
    out = emission.out
    if not rule.picks:
        out.line("return True")
        return
    _first_combination(rule, 0, CodeContext(emission, rule.key))
    with out.at(rule.picks[0].parameter.place):
        out.line("return False")


def _first_combination(rule: Action, number: int, cx: CodeContext) -> None:
    """Returns true as soon as all picks from `number` on have an option."""
    out, pick, last = cx.emission.out, rule.picks[number], number + 1 == len(rule.picks)
    with out.at(pick.parameter.place):
        run = pipe(pick.of, cx)
        with out.block(f"for {run.variable} in {run.source}:"):
            for test in run.conditions:
                out.line(f"if not {test}: continue")
            if last:
                out.line("return True")
            else:
                out.line("tick()")
                out.line(f"{LOCAL(pick.parameter.name)} = {run.variable}")
                _first_combination(rule, number + 1, cx)


def _more(rule: Action, number: int, given: str) -> str:
    """Python text: whether the picks from `number` on have an option, the ones before given as text."""
    return f"{PICK(rule.name, rule.picks[number].parameter.name)}({given})"


def _pick_options(rule: Action, number: int, offered: tuple[Parameter, ...], emission: Emission) -> None:
    pick = rule.picks[number]
    before = [each.parameter for each in rule.picks[:number]]
    cx = CodeContext(emission, rule.key)
    out = emission.out
    header = f"def {PICK(rule.name, pick.parameter.name)}({parameters((*offered, *before))}):"
    with out.at(pick.parameter.place), out.block(header):
        if number + 1 == len(rule.picks):
            out.line(f"return {members_text(pick.of, cx)}")
        else:
            text = value(pick.of, cx.source())
            name = LOCAL(pick.parameter.name)
            given = ", ".join([*_names((*offered, *before)), name])
            out.line(f"return [{name} for {name} in {text} if tick() is None and {_more(rule, number + 1, given)}]")


# ---------------------------------------------------------------- the sequence
def step(rule: Step, emission: Emission) -> None:
    """The functions of a step and of the steps within it."""
    outer = rule.scope[:-1] if rule.bound is not None else rule.scope
    takes = parameters(outer)
    out = emission.out
    texts: list[tuple[Category, Expr | None]] = [
        (STEP_WHEN, rule.when),
        (STEP_EACH, rule.each.of if rule.each is not None else None),
        (STEP_REPEAT, rule.repeat),
        (STEP_UNTIL, rule.until),
    ]
    with out.at(rule.place):
        for name, text in texts:
            if text is not None:
                with out.at(text.place), out.block(f"def {name(rule.name)}({takes}):"):
                    emit = condition if name in (STEP_WHEN, STEP_UNTIL) else value
                    out.line(f"return {emit(text, CodeContext(emission, rule.key))}")
        if rule.body:
            with out.block(f"def {STEP(rule.name)}({parameters(rule.scope)}):"):
                if emission.traced:
                    arguments = "".join([f"{LOCAL(each.name)}, " for each in rule.scope])
                    site = emission.sites.by_owner[id(rule)]
                    out.line(f'T("enter", {site.number}, ({arguments}))')
                happening(rule.body, rule.effects, CodeContext(emission, rule.key))
        for inner in rule.steps:
            step(inner, emission)


# ---------------------------------------------------------------- views, defaults, tables
def never_holds(rule: View, emission: Emission) -> bool:
    """Whether the options of the game exclude that a view hides anything."""
    return (
        rule.when is not None
        and value(rule.when, CodeContext(emission, rule.key, it=LOCAL(rule.subject.name))) == FALSE
    )


def view(rule: View, emission: Emission) -> None:
    """Writes when a view applies to a thing, and which seats see all of it."""
    for name, text in ((VIEW_WHEN, rule.when), (VIEW_SEEN_BY, rule.seen_by)):
        if text is not None:
            cx = CodeContext(emission, rule.key, it=LOCAL(rule.subject.name))
            with emission.out.at(text.place), emission.out.block(f"def {name(rule.name)}({LOCAL(rule.subject.name)}):"):
                emission.out.line(f"return {value(text, cx)}")


def default_name(attribute: Attribute) -> str | None:
    """The name of the function that returns the default of an attribute; none where it has no default."""
    if attribute.written is None or attribute.written.default is None:
        return None
    return DEFAULT(attribute.owner, attribute.name) if attribute.owner else STATE_DEFAULT(attribute.name)


def default(attribute: Attribute, emission: Emission) -> None:
    """Writes the function that returns the default of an attribute."""
    name = default_name(attribute)
    if name is None or attribute.written is None or attribute.written.default is None:
        return
    with emission.out.at(attribute.place), emission.out.block(f"def {name}():"):
        cx = CodeContext(emission, f"kinds/{attribute.owner}" if attribute.owner else f"state/{attribute.name}")
        emission.out.line(f"return {stored(attribute.written.default, attribute.type, cx)}")


Heading = tuple[int | None, int | None] | Stored
"""A range of whole numbers, or the single value of a row or column."""


def table(rule: Table, cells: dict[tuple[int, ...], str], headings: list[list[Heading]], emission: Emission) -> None:
    """Writes a table as a dictionary by its keys, with a look-up function where keys must be matched to headings."""
    out = emission.out
    exact = is_exact(rule)
    names = [f"k{number}" for number in range(len(rule.axes))]
    with out.at(rule.place):
        entries = ", ".join([f"{_key(position, headings, exact)}: {text}" for position, text in cells.items()])
        dictionary = TABLE(rule.name) if exact and not emission.traced else part_of(TABLE(rule.name), CELLS)
        out.line(f"{dictionary} = {{{entries}}}")
        if exact and not emission.traced:
            return
        with out.block(f"def {TABLE(rule.name)}({', '.join(names)}):"):
            if emission.traced:
                out.line(f"asked = ({', '.join(names)},)")
            if not exact:
                for axis, name, row in zip(rule.axes, names, headings, strict=True):
                    _fit(rule, axis, name, row, emission)
            key = names[0] if len(names) == 1 else f"({', '.join(names)})"
            if exact:
                out.line(f'if {key} not in {dictionary}: no_row("{rule.name}", {key})')
            if emission.traced:
                out.line(f"result = {dictionary}[{key}]")
                out.line(f'T("table", {emission.sites.by_owner[id(rule)].number}, (asked, result))')
                out.line("return result")
            else:
                out.line(f"return {dictionary}[{key}]")


def is_exact(rule: Table) -> bool:
    """Whether every key of a table equals one of its headings."""
    return not rule.clamp and not any(any(axis.is_range) for axis in rule.axes)


def _key(position: tuple[int, ...], headings: list[list[Heading]], exact: bool) -> str:
    parts = [stored_text(headings[axis][index]) if exact else str(index) for axis, index in enumerate(position)]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def _fit(rule: Table, axis: Axis, name: str, headings: list[Heading], emission: Emission) -> None:
    """Writes the conversion of a key to the position of its heading."""
    out = emission.out
    bounds = [_bounds(each) for each in headings]
    if any(each is None for each in bounds):
        positions = ", ".join([f"{stored_text(each)}: {index}" for index, each in enumerate(headings)])
        out.line(f"{name} = {{{positions}}}[{name}]")
        return
    known = [each for each in bounds if each is not None]
    if rule.clamp:
        lows, highs = [low for low, _ in known], [high for _, high in known]
        if None not in lows:
            least = min([each for each in lows if each is not None])
            out.line(f"if {name} < {least}: {name} = {least}")
        if None not in highs:
            most = max([each for each in highs if each is not None])
            out.line(f"if {name} > {most}: {name} = {most}")
    for index, (low, high) in enumerate(known):
        tests = [f"{low} <= {name}"] if low is not None else []
        tests += [f"{name} <= {high}"] if high is not None else []
        out.line(f"{'elif' if index else 'if'} {' and '.join(tests) or 'True'}: {name} = {index}")
    out.line(f'else: no_row("{rule.name}", {name}, "{axis.parameter.name}")')


def _bounds(heading: Heading) -> tuple[int | None, int | None] | None:
    """A heading as a range of whole numbers, or none for other headings."""
    if isinstance(heading, int) and not isinstance(heading, bool):
        return heading, heading
    if (
        isinstance(heading, tuple)
        and len(heading) == 2
        and all(each is None or isinstance(each, int) for each in heading)
    ):
        return heading[0], heading[1]
    return None
