"""Searches as Python functions: rings where every step costs the same, else the cheapest way first.

What a bar reads only off the map is decided once for each space and kept: the rest of the search then runs over the
steps that are left.
"""

from __future__ import annotations

from interpreter.language.emission.context import Context, Emission
from interpreter.language.emission.dispatch import condition, value
from interpreter.language.emission.fixed import is_fixed
from interpreter.language.emission.memory import names_of, remembering
from interpreter.language.emission.rules import context, site_number
from interpreter.language.program import Builtin, Item, Rule, Search, Table
from interpreter.language.rule_texts import rule_texts
from interpreter.language.syntax import And, Attr, Binary, Call, Expr, IfElse, Index, IntLit, Name, Node, Not, Reach
from interpreter.language.types import BOOL
from interpreter.language.walk import below


def search(rule: Search, emission: Emission) -> None:
    """A breadth-first search where every step costs the same, else one that takes the cheapest way first."""
    step = 1 if rule.cost is None else rule.cost.value if isinstance(rule.cost, IntLit) else 0
    takes = "".join([f", v_{each.name}" for each in rule.takes])
    cx = context(emission, rule)
    out = emission.out
    names = ("start", *names_of(rule.takes))
    with (
        out.at(rule.place),
        remembering(f"r_{rule.name}", names, rule, emission) as own,
        out.block(f"def {own}(start{takes}):"),
    ):
        if emission.traced and rule.cites:
            out.line(f'T("enter", {site_number(rule, emission)}, (start{takes},))')
        if rule.within is not None:
            out.line(f"within = {value(rule.within, cx)}")
        _open_ways(rule, cx)
        if step:
            _by_rings(rule, step, cx)
        else:
            _by_cost(rule, cx)


def _fixed_bars(rule: Search, cx: Context) -> tuple[Item, ...]:
    """The bars that, but for what is known when the search begins, read only what no rule ever changes."""
    if rule.next is not None or cx.emission.traced:
        return ()
    found = []
    for bar in rule.bars:
        _, here, there = _by_level(bar, rule)
        if (here or there) and all(is_fixed(each, rule, cx.emission) for each in (*here, *there)):
            found.append(bar)
    return tuple(found)


def _open_ways(rule: Search, cx: Context) -> None:
    """Takes the table of open ways that goes with the fixed bars in force."""
    bars = _fixed_bars(rule, cx)
    if not bars:
        return
    out = cx.emission.out
    flags = []
    for number, bar in enumerate(bars):
        tests = [condition(each, cx) for each in _by_level(bar, rule)[0]]
        out.line(f"flag{number} = {'True if ' + ' and '.join(tests) + ' else False' if tests else 'True'}")
        flags.append(f"flag{number}")
    key = f"({', '.join(flags)},)"
    out.line(f"ways = ways_{rule.name}.get({key})")
    out.line(f"if ways is None: ways = ways_{rule.name}[{key}] = {{}}")
    cx.emission.needed.setdefault(f"ways_{rule.name}", lambda: _write_ways(rule, bars, cx.emission))


def _write_ways(rule: Search, bars: tuple[Item, ...], emission: Emission) -> None:
    """The function that finds the open ways from one space, and the table it fills."""
    out, cx = emission.out, context(emission, rule)
    out.line(f"ways_{rule.name} = {{}}")
    flags = ", ".join([f"flag{number}" for number in range(len(bars))])
    with out.at(rule.place), out.block(f"def w_{rule.name}(v_here, {flags}):"):
        out.line("found = []")
        with out.block("for v_there in v_here.neighbours:"):
            for number, bar in enumerate(bars):
                _, here, there = _by_level(bar, rule)
                tests = [f"flag{number}", *[condition(each, cx) for each in (*here, *there)]]
                out.line(f"if {' and '.join(tests)}: continue")
            out.line("found.append(v_there)")
        out.line("return tuple(found)")


def _following(rule: Search, cx: Context) -> str:
    """Writes what a space's open ways need, and gives the text of the spaces to try from it."""
    if rule.next is not None:
        return value(rule.next, cx)
    bars = _fixed_bars(rule, cx)
    if not bars:
        return "v_here.neighbours"
    flags = ", ".join([f"flag{number}" for number in range(len(bars))])
    cx.emission.out.line("near = ways.get(v_here)")
    cx.emission.out.line(f"if near is None: near = ways[v_here] = w_{rule.name}(v_here, {flags})")
    return "near"


def _moving_bars(rule: Search, cx: Context) -> tuple[Item, ...]:
    fixed = _fixed_bars(rule, cx)
    return tuple([each for each in rule.bars if each not in fixed])


class _Guards:
    """The conditions of bars or stops, each part tested as far out as what it reads allows.

    A part that names neither `here` nor `there` is read once a search, one that names only `here` once a space. Parts
    keep their order within a level, so that a test for none still stands before what relies on it; one that can fail
    is never read before a part that was written in front of it.
    """

    def __init__(self, items: tuple[Item, ...], rule: Search, stem: str, cx: Context) -> None:
        self._parts = [(item, _by_level(item, rule)) for item in items]
        self._stem, self._cx = stem, cx

    def prepare(self, level: int) -> None:
        """Reads the parts of one level into variables."""
        for number, (item, levels) in enumerate(self._parts):
            if not levels[level]:
                continue
            outer = [f"{self._stem}0_{number}"] if level and levels[0] else []
            with self._cx.emission.out.at(item.place):
                self._cx.emission.out.line(f"{self._stem}{level}_{number} = {self._all(outer, levels[level])}")

    def tests(self) -> list[tuple[Item, str]]:
        """For each item what is left to test for one step; a traced one that applies says so."""
        found = []
        for number, (item, levels) in enumerate(self._parts):
            known = next((f"{self._stem}{level}_{number}" for level in (1, 0) if levels[level]), None)
            test = self._all([known] if known else [], levels[2]) or "True"
            if self._cx.emission.traced:
                test = f'({test}) and not T("restriction", {site_number(item, self._cx.emission)}, None)'
            found.append((item, test))
        return found

    def _all(self, known: list[str], parts: list[Expr]) -> str:
        return " and ".join([*known, *[condition(each, self._cx) for each in parts]])


def _by_level(item: Item, rule: Search) -> tuple[list[Expr], list[Expr], list[Expr]]:
    levels: tuple[list[Expr], list[Expr], list[Expr]] = ([], [], [])
    parts = _conjuncts(item.when) if item.when is not None else []
    if item.unless is not None:
        denied = Not(item.unless.place, item.unless)
        denied.type = BOOL
        parts.append(denied)
    outer = 0
    for part in parts:
        named = [each.ref for each in below(part) if isinstance(each, Name)]
        level = 2 if rule.there in named else 1 if rule.here in named else 0
        if level < outer and _can_fail(part, set()):
            level = outer
        outer = max(outer, level)
        levels[level].append(part)
    return levels


def _can_fail(text: Node, seen: set[str]) -> bool:
    """Whether reading a text can come to a fault, so that the tests written before it must be read first."""
    for node in below(text):
        match node:
            case Index() | Reach() | Binary(op="/") | Call(ref=Builtin(name="link")):
                return True
            case Attr(ref=Rule() as rule) | Call(ref=Rule() as rule) if rule.path not in seen:
                seen.add(rule.path)
                if any(_can_fail(each, seen) for each in rule_texts(rule)):
                    return True
    return False


def _conjuncts(expr: Expr) -> list[Expr]:
    return [part for each in expr.items for part in _conjuncts(each)] if isinstance(expr, And) else [expr]


def _looks_back(rule: Search) -> bool:
    """Whether a stop depends on the space that the way comes from."""
    return any(
        isinstance(each, Name) and each.ref is rule.here
        for item in rule.stops
        for root in (item.when, item.unless)
        if root is not None
        for each in below(root)
    )


def _by_rings(rule: Search, step: int, cx: Context) -> None:
    out = cx.emission.out
    bars, stops = _Guards(_moving_bars(rule, cx), rule, "bar", cx), _Guards(rule.stops, rule, "stop", cx)
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


def _go_on(rule: Search, stops: _Guards, cx: Context, again: bool) -> None:
    """Adds a space to the next ring, unless the way ends there or no further ring is within reach."""
    tests = ["last"] if rule.within is not None else []
    tests += [f"({test})" for _, test in stops.tests()]
    going = "ring.append(v_there)" + ("; left[v_there] = True" if again else "")
    cx.emission.out.line(f"if not ({' or '.join(tests)}): {going}" if tests else going)


def _barred(bars: _Guards, cx: Context) -> None:
    for bar, test in bars.tests():
        with cx.emission.out.at(bar.place):
            cx.emission.out.line(f"if {test}: continue")


def _step_cost(cost: Expr, cx: Context) -> str:
    """What a step costs, tested where the text does not show that it is nothing negative."""
    text = value(cost, cx)
    return text if _never_negative(cost) else f"step_cost({text})"


def _never_negative(cost: Expr) -> bool:
    match cost:
        case IntLit():
            return True
        case IfElse(value=one, other=other):
            return _never_negative(one) and _never_negative(other)
        case Index(of=Name(ref=Table(cells=cells))):
            return all(isinstance(each.value, int) and each.value >= 0 for each in cells.values())
    return False


def _by_cost(rule: Search, cx: Context) -> None:
    out = cx.emission.out
    assert rule.cost is not None
    bars, stops = _Guards(_moving_bars(rule, cx), rule, "bar", cx), _Guards(rule.stops, rule, "stop", cx)
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
