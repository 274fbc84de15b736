"""The function that finds where a search is cut: what it says of its steps, for `language/runtime/cuts.py`."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import value
from interpreter.language.codegen.functions.functions import applies, context, site_number
from interpreter.language.codegen.writers.calls import call_arguments
from interpreter.language.model.emitted_names import CUT_FINDER, LOCAL, RESTRICTIONS
from interpreter.language.model.program import Builtin, Item, Restrictions, Search
from interpreter.language.tree.statements import Call


def cut_finder(rule: Search, emission: Emission) -> None:
    """Writes the function that finds the cuts on the way to the nearest of some places."""
    cx, out = context(emission, rule), emission.out
    takes = "".join([f", {LOCAL(each.name)}" for each in rule.takes])
    with out.at(rule.place), out.block(f"def {CUT_FINDER(rule.name)}(start, goals{takes}):"):
        with out.block("def follow(v_here):"):
            out.line(f"return {'v_here.neighbours' if rule.next is None else value(rule.next, cx)}")
        with out.block("def cost(v_here, v_there):"):
            out.line(f"return {1 if rule.cost is None else f'step_cost({value(rule.cost, cx)})'}")
        for name, items in (("bars", rule.bars), ("stops", rule.stops)):
            with out.block(f"def {name}(v_here, v_there):"):
                _causes(items, cx)
        within = None if rule.within is None else value(rule.within, cx)
        out.line(f"return CutFinder(follow, cost, bars, stops, tick).least_cuts(start, goals, {within})")


def _causes(items: Iterable[Item], cx: CodeContext) -> None:
    """Lists the items that apply; of one that asks for restrictions, those that hold."""
    out = cx.emission.out
    out.line("found = []")
    for item in items:
        with out.at(item.place):
            restrictions = _restrictions(item)
            if restrictions is not None:
                out.line(f"found += {RESTRICTIONS(restrictions.name)}({call_arguments(restrictions, cx)})")
            else:
                with out.block(f"if {applies(item, cx) or 'True'}:"):
                    out.line(f"found.append(S{site_number(item, cx.emission)})")
    out.line("return found")


def _restrictions(item: Item) -> Call | None:
    """Returns the call of restrictions of which an item asks whether any hold, if that is all it asks."""
    text = item.when
    if item.unless is not None or not isinstance(text, Call) or not isinstance(text.ref, Builtin) or text.name != "any":
        return None
    of = text.ordered[0]
    return of if isinstance(of, Call) and isinstance(of.ref, Restrictions) else None
