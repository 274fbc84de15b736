"""Collections as Python text: filters, maps, sorting, counting and the other built-in functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from interpreter.language.codegen.analysis.constancy import split_constant_conditions
from interpreter.language.codegen.analysis.indexes import looked_up, without
from interpreter.language.codegen.analysis.may_fault import may_fault
from interpreter.language.codegen.core.context import CodeContext, Emission, atomic, is_thing
from interpreter.language.codegen.core.dispatch import CONDITIONS, VALUES, condition, value
from interpreter.language.codegen.writers.calls import (
    call_arguments,
    each_once,
    gives_several,
    inlined,
    opened,
    rule_call,
    run_over_each,
)
from interpreter.language.codegen.writers.divided_filters import TICK, any_divided, divided
from interpreter.language.diagnostics import Place
from interpreter.language.model.emitted_names import (
    CONSTANT_FILTER,
    CUT_FINDER,
    KEPT,
    RESTRICTED,
    SEARCH_RULE,
    SHORT_FILTER,
    part_of,
)
from interpreter.language.model.image import index_slot
from interpreter.language.model.program import Builtin, Definition, Restrictions
from interpreter.language.tree.statements import Attr, Binary, Call, Each, Expr, Proceed, Reach, SortedBy, Where
from interpreter.language.tree.types import BOOL, EnumType, element, present

_CONTENTS = re.compile(r"[\w.]+\.c_\w+")
_LOCAL = re.compile(r"(?<![\w.])(?:v_\w+|_\d+)\b")
"""Matches a local of the rule in Python text."""
_BINDS = re.compile(r" for |:=|lambda|\"")
"""Matches Python text that binds locals."""


@dataclass(slots=True)
class Pipe:
    """An iteration over a collection: `for variable in source` with conditions."""

    variable: str
    source: str
    conditions: list[str]
    head: str = ""
    """The whole `for` clause, where it iterates over collections of several things."""

    def listed(self, text: str, test: str = "") -> str:
        """A list of `text` for each element; empty contents, the usual case, make no list."""
        tests = "".join([f" if {each}" for each in [*self.conditions, *([test] if test else [])]])
        if not (tests or self.head) and text == self.variable:
            return self.source
        made = f"[{text} {self.head or f'for {self.variable} in {self.source}'}{tests}]"
        return f"({self.source} and {made})" if _CONTENTS.fullmatch(self.source) else made


def pipe(node: Expr, cx: CodeContext, source: Callable[[Expr, CodeContext], Pipe] | None = None) -> Pipe:
    """The iteration over a collection, with filters as conditions of the iteration instead of intermediate lists.

    `source` gives the run over what is filtered, where it isn't simply its elements.
    """
    if isinstance(node, Call | Attr) and (behind := opened(node, cx)) is not None and isinstance(behind[0], Where):
        return pipe(*behind, source)
    if not isinstance(node, Where):
        return (source or _plain_run)(node, cx)
    found = looked_up(node, cx.emission.changed, holders=cx.emission.variant == "fast")
    if found is None or found.where not in cx.emission.indexes:
        first, left = split_constant_conditions(node, cx.emission)
        run = Pipe(cx.fresh(), _few(node, first, cx), []) if first else pipe(node.of, cx, source)
        if not (first or run.conditions or run.head):
            run.source, left = divided(node, run.source, cx)
    else:
        run = Pipe(cx.fresh(), f"A.{index_slot(found.where)}.get({value(found.sought, cx.source())}, ())", [])
        left = without(node.condition, found.covered)
    if cx.emission.expression_iterates(node.condition):
        run.conditions.append(TICK)
    run.conditions += [condition(each, cx.element(run.variable, node.element)) for each in left]
    return run


def _few(node: Where, tests: list[Expr], cx: CodeContext) -> str:
    """A call of the function that returns the members of a kind that pass constant tests."""
    emission, variable = cx.emission, "_member"
    of = value(node.of, cx)
    found = " and ".join([condition(each, cx.element(variable, node.element)) for each in tests])
    text = f"tuple([{variable} for {variable} in {of} if {found}])"
    name = emission.member_filters.setdefault(text, CONSTANT_FILTER(str(len(emission.member_filters))))
    emission.needed.setdefault(name, lambda: _write_few(name, text, emission))
    return f"{name}()"


def _write_few(name: str, text: str, emission: Emission) -> None:
    out = emission.out
    kept = part_of(name, KEPT)
    out.line(f"{kept} = []")
    with out.block(f"def {name}():"):
        out.line(f"if not {kept}: {kept}.append({text})")
        out.line(f"return {kept}[0]")


def _plain_run(node: Expr, cx: CodeContext) -> Pipe:
    return Pipe(cx.fresh(), value(node, cx.source()), [])


def flat_run(node: Expr, cx: CodeContext) -> Pipe:
    """The iteration over collections of several things in sequence, without a list of all elements."""
    if isinstance(node, Attr) and gives_several(node) and each_once(node, cx):
        variable, head = run_over_each(node, cx)
        return Pipe(variable, "", [], head)
    return _plain_run(node, cx)


def _where(node: Where, cx: CodeContext) -> str:
    run = pipe(node, cx, flat_run)
    return run.listed(run.variable)


def _each(node: Each, cx: CodeContext) -> str:
    run, text = _each_run(node, cx, value)
    return run.listed(text)


def _each_run(node: Each, cx: CodeContext, emit: Callable[[Expr, CodeContext], str]) -> tuple[Pipe, str]:
    run = pipe(node.of, cx, flat_run)
    if cx.emission.expression_iterates(node.value):
        run.conditions.append("tick() is None")
    return run, emit(node.value, cx.element(run.variable, node.element))


def _sorted_by(node: SortedBy, cx: CodeContext) -> str:
    return f"sorted({value(node.of, cx)}, key={_sort_key(node, cx)})"


def _sort_key(node: SortedBy, cx: CodeContext) -> str:
    variable = cx.fresh()
    key = value(node.key, cx.element(variable, node.element))
    if isinstance(node.key.type, EnumType) or is_thing(node.key.type):
        key = f"{key}.index"
    return f"lambda {variable}: {key}"


def _reach(node: Reach, cx: CodeContext) -> str:
    arguments = call_arguments(node.search, cx)
    start = value(node.start, cx)
    return f"{SEARCH_RULE(node.search.name)}({start}{', ' + arguments if arguments else ''})"


# ---------------------------------------------------------------- built-in functions
def quantified(node: Call, cx: CodeContext) -> str:
    """`any` or `all` where only truth counts."""
    of = node.ordered[0]
    every = node.name == "all"
    if isinstance(of, Call) and isinstance(of.ref, Restrictions):
        return f"{RESTRICTED(of.name)}({call_arguments(of, cx)})"
    if isinstance(of, Each) and of.value.type == BOOL:
        run, test = _each_run(of, cx, condition)
        if every:
            return f"(not {_is_any(of, run, cx, f'not {test}')})"
        return _is_any(of, run, cx, test)
    if not every and cx.emission.variant == "fast" and (text := _any_of_several(of, cx)):
        return text
    if not every and _filters(of, cx):
        return _is_any(of, pipe(of, cx, flat_run), cx)
    text = value(of, cx)
    if every:
        return f"(False not in {text})"
    return f"(True in {text})" if element(present(of.type)) == BOOL else text


def _is_any(of: Expr, run: Pipe, cx: CodeContext, test: str = "") -> str:
    """Whether an iteration has an element: a function that stops at the first, where stopping has no effect."""
    if not test and not run.head and (text := any_divided(run.source, run.conditions)):
        return text
    found = _run_apart(of, run, cx, [*run.conditions, *([test] if test else [])], ("", "return True", "return False"))
    return found or run.listed("0", test)


def _run_apart(of: Expr, run: Pipe, cx: CodeContext, tests: list[str], lines: tuple[str, str, str]) -> str | None:
    """A call of a function that iterates, which costs less than a list; none where a list is needed.

    `lines` are those before the run, for each that passes the tests, and after it.
    """
    if cx.emission.variant != "fast" or cx.emission.is_ad_hoc or run.head or not tests:
        return None
    if any(_BINDS.search(each) for each in tests) or may_fault(of, cx.emission):
        return None
    joined = _LOCAL.sub(lambda found: "each" if found[0] == run.variable else found[0], " and ".join(tests))
    free = list(dict.fromkeys(_LOCAL.findall(joined)))
    function = (", ".join(["things", *free]), joined, lines)
    name = cx.emission.member_filters.setdefault(repr(function), SHORT_FILTER(str(len(cx.emission.member_filters))))
    place, nothing = of.place, "0" if lines[0] else "False"
    cx.emission.needed.setdefault(name, lambda: _write_run(name, function, place, cx.emission))
    asked = f"{name}({', '.join([run.source, *free])})"
    return f"({asked} if {run.source} else {nothing})" if _CONTENTS.fullmatch(run.source) else asked


def _write_run(name: str, function: tuple[str, str, tuple[str, str, str]], place: Place, emission: Emission) -> None:
    out, (takes, test, (before, passed, after)) = emission.out, function
    with out.at(place), out.block(f"def {name}({takes}):"):
        if before:
            out.line(before)
        with out.block("for each in things:"):
            out.line(f"if {test}: {passed}")
        out.line(after)


def _any_of_several(of: Expr, cx: CodeContext) -> str:
    """Whether one of several concatenated collections has an element, without concatenating them."""
    parts = _summands(_filtered(of, cx))
    if len(parts) < 2 or may_fault(of, cx.emission):
        return ""
    runs = [pipe(of, cx, lambda _, inner, part=part: flat_run(part, inner)) for part in parts]  # type: ignore[misc]
    return f"({' or '.join([each.listed('0') for each in runs])})"


def _filters(node: Expr, cx: CodeContext) -> bool:
    """Whether a collection is a filter, itself or behind an inlined name."""
    if isinstance(node, Call | Attr) and (behind := opened(node, cx)) is not None:
        return isinstance(behind[0], Where)
    return isinstance(node, Where)


def _filtered(node: Expr, cx: CodeContext) -> Expr:
    """The collection below all filters."""
    if isinstance(node, Call | Attr) and (behind := opened(node, cx)) is not None and isinstance(behind[0], Where):
        return _filtered(*behind)
    return _filtered(node.of, cx) if isinstance(node, Where) else node


def _summands(node: Expr) -> list[Expr]:
    if not (isinstance(node, Binary) and node.op == "+" and element(present(node.type)) is not None):
        return [node]
    sides = (node.left, node.right)
    if any(element(each.type) is None for each in sides):
        return [node]
    return [part for each in sides for part in _summands(each)]


def _quantified_value(node: Call, cx: CodeContext) -> str:
    text = quantified(node, cx)
    return text if node.name == "all" or text.startswith("(True in") else f"(True if {text} else False)"


def _count(node: Call, cx: CodeContext) -> str:
    of = node.ordered[0]
    if not isinstance(of, Where):
        return f"len({value(of, cx)})"
    run = pipe(of, cx, flat_run)
    counted = _run_apart(of, run, cx, run.conditions, ("found = 0", "found += 1", "return found"))
    return counted or f"len({run.listed(run.variable)})"


def _extreme(node: Call, cx: CodeContext) -> str:
    arguments = [value(each, cx) for each in node.ordered]
    if len(arguments) == 1:
        return f"{node.name}({arguments[0]}, default=None)"
    if len(arguments) == 2 and all(atomic(each) for each in arguments):
        sign = ">=" if node.name == "max" else "<="
        return f"({arguments[0]} if {arguments[0]} {sign} {arguments[1]} else {arguments[1]})"
    return f"{node.name}({', '.join(arguments)})"


def _first(node: Call, cx: CodeContext) -> str:
    of = node.ordered[0]
    if isinstance(of, SortedBy):
        return f"min({value(of.of, cx)}, key={_sort_key(of, cx)}, default=None)"
    return _plain(node, cx)


def _plain(node: Call, cx: CodeContext) -> str:
    return f"{node.name}({call_arguments(node, cx)})"


def _on_world(node: Call, cx: CodeContext) -> str:
    return f"W.{node.name}({call_arguments(node, cx)})"


def _link(node: Call, cx: CodeContext) -> str:
    """The link between neighbours; where there is none, the world raises the error."""
    ends = call_arguments(node, cx)
    return f"(LINKS.get(({ends})) or W.link({ends}))"


def _adjacent(node: Call, cx: CodeContext) -> str:
    here, there = [value(each, cx) for each in node.ordered]
    return f"({there} in {here}.neighbours)"


def _cuts(node: Call, cx: CodeContext) -> str:
    """Where the way of a search to a place, or to the nearest of some, is cut, or what cuts it."""
    search = node.ordered[0]
    assert isinstance(search, Reach)
    start, goal, arguments = value(search.start, cx), value(node.ordered[1], cx), call_arguments(search.search, cx)
    goals = f"({goal},)" if is_thing(node.ordered[1].type) else goal
    found = f"{CUT_FINDER(search.search.name)}({start}, {goals}{', ' + arguments if arguments else ''})"
    return f"{'cut_steps' if node.name == 'cuts' else 'cut_causes'}({found})"


_BUILTINS: dict[str, Callable[[Call, CodeContext], str]] = {
    "any": _quantified_value,
    "all": _quantified_value,
    "count": _count,
    "sum": _plain,
    "min": _extreme,
    "max": _extreme,
    "first": _first,
    "distinct": _plain,
    "distance": _on_world,
    "between": _on_world,
    "link": _link,
    "adjacent": _adjacent,
    "cuts": _cuts,
    "cut_by": _cuts,
}


def _call(node: Call, cx: CodeContext) -> str:
    return _BUILTINS[node.name](node, cx) if isinstance(node.ref, Builtin) else rule_call(node, cx)


def _call_condition(node: Call, cx: CodeContext) -> str:
    if isinstance(node.ref, Builtin) and node.name in {"any", "all"}:
        return quantified(node, cx)
    if isinstance(node.ref, Definition) and (text := inlined(node, cx, condition)) is not None:
        return text
    return _call(node, cx)


VALUES.update({Where: _where, Each: _each, SortedBy: _sorted_by, Reach: _reach, Call: _call, Proceed: _call})
CONDITIONS.update({Call: _call_condition, Proceed: _call_condition})
