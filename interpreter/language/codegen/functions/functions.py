"""Whole rules as Python functions: definitions, procedures, modifiers and restrictions."""

from __future__ import annotations

from interpreter.language.codegen.blocks.split import write_blocks
from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import condition, value
from interpreter.language.codegen.memo.memoization import memoized, names_of
from interpreter.language.codegen.writers.statements import body
from interpreter.language.model.emitted_names import (
    BY_KIND,
    DEFINITION,
    ITEM,
    LOCAL,
    MODIFIERS,
    OUTCOME,
    OWN,
    PROCEDURE,
    part_of,
)
from interpreter.language.model.program import (
    Definition,
    Effects,
    Item,
    Limit,
    Modifiers,
    Parameter,
    Procedure,
    Restrictions,
    Rule,
)
from interpreter.language.tree.statements import Body, Expr


def parameters(takes: tuple[Parameter, ...]) -> str:
    """A parameter list."""
    return ", ".join([LOCAL(each.name) for each in takes])


def context(emission: Emission, rule: Rule) -> CodeContext:
    """The context at the beginning of a rule."""
    return CodeContext(emission, rule.key)


def site_number(owner: object, emission: Emission) -> int:
    """The number of the site of a rule or an item."""
    return emission.sites.by_owner[id(owner)].number


def enter(rule: Rule, emission: Emission) -> None:
    """Writes the first lines of a rule: the event of a traced rule, and the tick of a rule with much work."""
    if emission.traced and (rule.cites or isinstance(rule, Procedure)):
        arguments = "".join([f"{LOCAL(each.name)}, " for each in rule.takes])
        emission.out.line(f'T("enter", {site_number(rule, emission)}, ({arguments}))')
    if emission.is_counted(rule):
        emission.out.line("tick()")


def function(header: str, text: Expr | None, statements: Body, cx: CodeContext) -> None:
    """A function that returns an expression or runs a body."""
    out = cx.emission.out
    with out.block(header):
        if text is not None:
            with out.at(text.place):
                out.line(f"return {value(text, cx)}")
        else:
            body(statements, cx)


def happening(statements: Body, effects: Effects, cx: CodeContext) -> None:
    """Writes the body of a procedure; one that asks is a generator even where options exclude its questions."""
    body(statements, cx)
    if effects.asks:
        cx.emission.out.line("if False: yield")


# ---------------------------------------------------------------- definitions and procedures
def definition(rule: Definition, emission: Emission) -> None:
    """A definition; a computed attribute that sub-kinds override gets a dispatcher before it."""
    name = DEFINITION(rule.name)
    out, cx = emission.out, context(emission, rule)
    if rule.subject is not None:
        cx.it = LOCAL(rule.takes[0].name)
    with out.at(rule.place):
        if emission.is_overridden(rule):
            _dispatcher(rule, name, emission)
            name = part_of(name, OWN)
        with (
            memoized(name, names_of(rule.takes), rule, emission) as own,
            out.block(f"def {own}({parameters(rule.takes)}):"),
        ):
            enter(rule, emission)
            if rule.value is not None:
                with out.at(rule.value.place):
                    out.line(f"return {value(rule.value, cx)}")
            else:
                body(rule.body, cx)


def _dispatcher(rule: Definition, name: str, emission: Emission) -> None:
    kind, _, attribute = rule.name.partition(".")
    chosen, by_kind = {}, part_of(name, BY_KIND)
    for each in emission.program.subkinds(kind):
        found = emission.program.computed(each.name, attribute)
        if found is not None:
            text = DEFINITION(found.name)
            chosen[each.name] = part_of(text, OWN) if emission.is_overridden(found) else text
    with emission.out.block(f"def {name}(x):"):
        emission.out.line(f"return {by_kind}[x.kind](x)")
    table = ", ".join([f'"{each}": {text}' for each, text in chosen.items()])
    emission.needed[by_kind] = lambda: emission.out.line(f"{by_kind} = {{{table}}}")


def procedure(rule: Procedure, emission: Emission) -> None:
    """A procedure and the outcomes that can be read when it has run."""
    out, cx = emission.out, context(emission, rule)
    with out.at(rule.place):
        with out.block(f"def {PROCEDURE(rule.name)}({parameters(rule.takes)}):"):
            enter(rule, emission)
            if emission.traced:
                _bracketed(rule, emission)
            else:
                happening(rule.body, rule.effects, cx)
        if emission.traced:
            with out.block(f"def {part_of(PROCEDURE(rule.name), OWN)}({parameters(rule.takes)}):"):
                happening(rule.body, rule.effects, cx)
        write_blocks(rule, emission, context(emission, rule))
        for name, text in rule.outcomes.items():
            takes = ", ".join([*[LOCAL(each.name) for each in rule.takes], LOCAL("result")])
            function(f"def {OUTCOME(rule.name, name)}({takes}):", text, (), context(emission, rule))


def _bracketed(rule: Procedure, emission: Emission) -> None:
    """Writes the event at the end of a traced procedure: everything it did is one span."""
    call = f"{part_of(PROCEDURE(rule.name), OWN)}({parameters(rule.takes)})"
    emission.out.line(f"result = {'yield from ' if rule.effects.asks else ''}{call}")
    emission.out.line(f'T("leave", {site_number(rule, emission)}, result)')
    emission.out.line("return result")


# ---------------------------------------------------------------- items
def applies(item: Item, cx: CodeContext) -> str:
    """The condition of an item; empty where it always applies."""
    tests = [condition(item.when, cx)] if item.when is not None else []
    if item.unless is not None:
        tests.append(f"not {condition(item.unless, cx)}")
    return " and ".join(tests)


def modifiers(rule: Modifiers, emission: Emission) -> None:
    """Writes the sum of the items that apply; with limits, items are kept separate until limits have been applied."""
    out, cx = emission.out, context(emission, rule)
    apart = bool(rule.limits) or emission.traced
    with (
        out.at(rule.place),
        memoized(MODIFIERS(rule.name), names_of(rule.takes), rule, emission) as own,
        out.block(f"def {own}({parameters(rule.takes)}):"),
    ):
        if emission.is_counted(rule):
            out.line("tick()")
        if apart:
            for number, _ in enumerate(rule.limits):
                out.line(f"limit{number} = 0")
            for item in rule.items:
                out.line(f"{ITEM(item.name)} = 0")
        else:
            out.line("total = 0")
        if emission.traced:
            out.line("tally = []")
        for item in rule.items:
            with out.at(item.place):
                _modifier(item, apart, cx)
        for number, limit in enumerate(rule.limits):
            with out.at(limit.place):
                _limit(number, limit, rule, cx)
        total = " + ".join(_counted(rule, len(rule.limits), _names(rule))) or "0" if apart else "total"
        if emission.traced:
            out.line(f"total = {total}")
            whose = "None" if rule.whose is None else value(rule.whose, cx)
            out.line(f'T("modifiers", {site_number(rule, emission)}, (tuple(tally), total, {whose}))')
            total = "total"
        out.line(f"return {total}")


def _modifier(item: Item, apart: bool, cx: CodeContext) -> None:
    out = cx.emission.out
    assert item.value is not None
    text = f"{ITEM(item.name)} = {value(item.value, cx)}" if apart else f"total += {value(item.value, cx)}"
    test = applies(item, cx)
    if test:
        with out.block(f"if {test}:"):
            out.line(text)
            _tallied(item, cx)
    else:
        out.line(text)
        _tallied(item, cx)


def _tallied(item: Item, cx: CodeContext) -> None:
    if cx.emission.traced:
        cx.emission.out.line(f"tally.append(({site_number(item, cx.emission)}, {ITEM(item.name)}))")


def _names(rule: Modifiers) -> list[str]:
    return [each.name for each in rule.items]


def _limited(limit: Limit, rule: Modifiers) -> list[str]:
    """The items whose sum a limit bounds."""
    return list(limit.on_sum) or [each for each in _names(rule) if each not in limit.except_]


def _counted(rule: Modifiers, number: int, names: list[str]) -> list[str]:
    """The sum of some items after the first limits: the items, and the corrections by limits on sums among them."""
    limits = [
        f"limit{before}"
        for before, limit in enumerate(rule.limits[:number])
        if not limit.on_each and set(_limited(limit, rule)) <= set(names)
    ]
    return [ITEM(each) for each in names] + limits


def _limit(number: int, limit: Limit, rule: Modifiers, cx: CodeContext) -> None:
    out = cx.emission.out
    test = applies(limit, cx)
    with out.block(f"if {test or 'True'}:"):
        least = value(limit.least, cx) if limit.least is not None else None
        most = value(limit.most, cx) if limit.most is not None else None
        for name in limit.on_each:
            _clamp(ITEM(name), ITEM(name), least, most, limit, cx)
        if not limit.on_each:
            out.line(f"reached = {' + '.join(_counted(rule, number, _limited(limit, rule))) or '0'}")
            _clamp("reached", f"limit{number}", least, most, limit, cx)


def _clamp(tested: str, corrected: str, least: str | None, most: str | None, limit: Limit, cx: CodeContext) -> None:
    out = cx.emission.out
    for bound, sign in ((least, "<"), (most, ">")):
        if bound is None:
            continue
        out.line(f"bound = {bound}")
        with out.block(f"if {tested} {sign} bound:"):
            if cx.emission.traced:
                out.line(f"tally.append(({site_number(limit, cx.emission)}, bound - {tested}))")
            if corrected == tested:
                out.line(f"{tested} = bound")
            else:
                out.line(f"{corrected} += bound - {tested}")
                out.line(f"{tested} = bound")


def restrictions(rule: Restrictions, emission: Emission) -> None:
    """Whether any reason holds, and the list of those that do."""
    out = emission.out
    takes = parameters(rule.takes)
    for name, found, end in (("b", "return True", "return False"), ("x", None, "return found")):
        cx = context(emission, rule)
        with (
            out.at(rule.place),
            memoized(f"{name}_{rule.name}", names_of(rule.takes), rule, emission) as own,
            out.block(f"def {own}({takes}):"),
        ):
            enter(rule, emission)
            if found is None:
                out.line("found = []")
            for item in rule.items:
                site = emission.sites.by_owner[id(item)]
                with out.at(item.place), out.block(f"if {applies(item, cx) or 'True'}:"):
                    if emission.traced:
                        out.line(f'T("restriction", {site.number}, None)')
                    out.line(found or f"found.append(S{site.number})")
            out.line(end)
