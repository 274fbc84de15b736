"""Path searches as Python functions: breadth first where all steps cost the same, else by Dijkstra's algorithm.

This is the plain form, which reports what happens; `optimized` writes the form for untraced games. Both give the same
spaces at the same costs in the same order.
"""

from __future__ import annotations

from interpreter.language.codegen.analysis.may_fault import never_negative
from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import value
from interpreter.language.codegen.functions.functions import context, site_number
from interpreter.language.codegen.search.optimized import optimized_search
from interpreter.language.codegen.search.search_plan import (
    HERE,
    SEARCH,
    STEP,
    THERE,
    SearchTerm,
    conditions,
    split_condition,
)
from interpreter.language.model.emitted_names import LOCAL, SEARCH_RULE
from interpreter.language.model.program import Item, Search
from interpreter.language.tree.statements import Expr, IntLit, Name
from interpreter.language.tree.traversal import walk_tree


def search(rule: Search, emission: Emission) -> None:
    """Writes a breadth-first search where all steps cost the same, else Dijkstra's algorithm."""
    if not emission.traced and not _looks_back(rule):
        optimized_search(rule, emission)
        return
    step = 1 if rule.cost is None else rule.cost.value if isinstance(rule.cost, IntLit) else 0
    takes = "".join([f", {LOCAL(each.name)}" for each in rule.takes])
    cx = context(emission, rule)
    out = emission.out
    with out.at(rule.place), out.block(f"def {SEARCH_RULE(rule.name)}(start{takes}):"):
        if emission.traced and rule.cites:
            out.line(f'T("enter", {site_number(rule, emission)}, (start{takes},))')
        if rule.within is not None:
            out.line(f"within = {value(rule.within, cx)}")
        if step:
            _by_rings(rule, step, cx)
        else:
            _by_cost(rule, cx)


def _following(rule: Search, cx: CodeContext) -> str:
    """The Python text of the neighbours of a space."""
    return "v_here.neighbours" if rule.next is None else value(rule.next, cx)


class _Guards:
    """The conditions of bars or stops; each part is tested in the outermost loop that its reads allow.

    A part that names neither `here` nor `there` is read once a search, one that names only `here` once a space.
    """

    def __init__(self, items: tuple[Item, ...], rule: Search, stem: str, cx: CodeContext) -> None:
        emission = cx.emission
        guards = [
            split_condition(each.place, conditions(each, {}, emission), rule, emission, loose=True) for each in items
        ]
        self._guards = list(zip(items, guards, strict=True))
        self._stem, self._cx = stem, cx

    def prepare(self, level: int) -> None:
        """Evaluates the parts of one level, `SEARCH` or `HERE`, into variables."""
        for number, (item, guard) in enumerate(self._guards):
            if guard.moving[level]:
                outer = [f"{self._stem}{SEARCH}_{number}"] if level and guard.moving[SEARCH] else []
                with self._cx.emission.out.at(item.place):
                    self._cx.emission.out.line(
                        f"{self._stem}{level}_{number} = {self._all(outer, guard.moving[level])}"
                    )

    def tests(self) -> list[tuple[Item, str]]:
        """For each item the test that remains for one step; a traced item that applies reports it."""
        found = []
        for number, (item, guard) in enumerate(self._guards):
            known = next((f"{self._stem}{level}_{number}" for level in (HERE, SEARCH) if guard.moving[level]), None)
            test = self._all([known] if known else [], [*guard.moving[THERE], *guard.moving[STEP]])
            if self._cx.emission.traced:
                test = f'({test}) and not T("restriction", {site_number(item, self._cx.emission)}, None)'
            found.append((item, test))
        return found

    def _all(self, known: list[str], parts: list[SearchTerm]) -> str:
        return " and ".join([*known, *[each.test(self._cx) for each in parts]])


def _looks_back(rule: Search) -> bool:
    """Whether a stop reads the previous space."""
    return any(
        isinstance(each, Name) and each.ref is rule.here
        for item in rule.stops
        for root in (item.when, item.unless)
        if root is not None
        for each in walk_tree(root)
    )


def _by_rings(rule: Search, step: int, cx: CodeContext) -> None:
    out = cx.emission.out
    bars, stops = _Guards(rule.bars, rule, "bar", cx), _Guards(rule.stops, rule, "stop", cx)
    again = _looks_back(rule)
    for guards in (bars, stops):
        guards.prepare(0)
    out.line("best = {start: 0}")
    out.line("front = [start]")
    out.line("far = 0")
    if again:
        out.line("left = {start: True}")
    limit = f" and far + {step} <= within" if rule.within is not None else ""
    with out.block(f"while front{limit}:"):
        out.line(f"far += {step}")
        if rule.within is not None:
            out.line(f"last = far + {step} > within")
        out.line("ring = []")
        with out.block("for v_here in front:"):
            out.line("tick()")
            for guards in (bars, stops):
                guards.prepare(1)
            with out.block(f"for v_there in {_following(rule, cx)}:"):
                out.line(f"if v_there in {'left' if again else 'best'}: continue")
                _barred(bars, cx)
                out.line("best.setdefault(v_there, far)" if again else "best[v_there] = far")
                _go_on(rule, stops, cx, again)
        out.line("front = ring")
    out.line("return best")


def _go_on(rule: Search, stops: _Guards, cx: CodeContext, again: bool) -> None:
    """Adds a space to the next ring, unless the path stops there or the ring is out of reach."""
    tests = ["last"] if rule.within is not None else []
    tests += [f"({test})" for _, test in stops.tests()]
    going = "ring.append(v_there)" + ("; left[v_there] = True" if again else "")
    cx.emission.out.line(f"if not ({' or '.join(tests)}): {going}" if tests else going)


def _barred(bars: _Guards, cx: CodeContext) -> None:
    for bar, test in bars.tests():
        with cx.emission.out.at(bar.place):
            cx.emission.out.line(f"if {test}: continue")


def _step_cost(cost: Expr, cx: CodeContext) -> str:
    """The cost of a step, tested for being negative unless the text shows that it is not."""
    text = value(cost, cx)
    return text if never_negative(cost, cx.emission) else f"step_cost({text})"


def _by_cost(rule: Search, cx: CodeContext) -> None:
    out = cx.emission.out
    assert rule.cost is not None
    bars, stops = _Guards(rule.bars, rule, "bar", cx), _Guards(rule.stops, rule, "stop", cx)
    again = _looks_back(rule)
    for guards in (bars, stops):
        guards.prepare(0)
    out.line("best = {}")
    out.line("known = {start: 0}")
    out.line("waiting = [(0, 0, start, True)]")
    out.line("order = 0")
    if again:
        out.line("left = {}")
    with out.block("while waiting:"):
        out.line("far, _, v_here, goes_on = heappop(waiting)")
        if again:
            out.line("best.setdefault(v_here, far)")
            out.line("if not goes_on or v_here in left: continue")
            out.line("left[v_here] = True")
        else:
            out.line("if v_here in best: continue")
            out.line("best[v_here] = far")
            out.line("if not goes_on: continue")
        out.line("tick()")
        for guards in (bars, stops):
            guards.prepare(1)
        with out.block(f"for v_there in {_following(rule, cx)}:"):
            if not again:
                out.line("if v_there in best: continue")
            _barred(bars, cx)
            out.line(f"reached = far + {_step_cost(rule.cost, cx)}")
            if rule.within is not None:
                out.line("if reached > within: continue")
            if not again:
                out.line("if v_there in known and known[v_there] <= reached: continue")
                out.line("known[v_there] = reached")
            out.line("order += 1")
            stopped = " or ".join([f"({test})" for _, test in stops.tests()])
            going = f"not ({stopped})" if stopped else "True"
            out.line(f"heappush(waiting, (reached, order, v_there, {going}))")
    out.line("return best")
