"""Path searches in their optimized form, for the untraced variants.

The constant part of the steps from a space is computed once and kept in a table of the search: the steps that no bar
forbids permanently, their constant cost, and marks for the conditions that must be tested. Open spaces are in buckets
by cost. The result and its order are those of the plain form in `plain`.
"""

from __future__ import annotations

from contextlib import nullcontext

from interpreter.language.codegen.analysis.may_fault import never_negative
from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import value
from interpreter.language.codegen.functions.functions import context
from interpreter.language.codegen.memo.memoization import memoized, names_of
from interpreter.language.codegen.search.search_plan import (
    HERE,
    SEARCH,
    STEP,
    THERE,
    Charge,
    Guard,
    SearchPlan,
    SearchTerm,
    conditions,
    split_condition,
)
from interpreter.language.model.emitted_names import KNOWN_STEPS, LOCAL, SEARCH_RULE, SET, STEPS, part_of
from interpreter.language.model.program import Parameter, Search
from interpreter.language.tree.statements import IntLit
from interpreter.language.tree.types import EnumType, KindType, SetType, element


def optimized_search(rule: Search, emission: Emission) -> None:
    """Writes a search without a trace; its stops must not read the previous space."""
    _OptimizedSearch(rule, emission).write()


def steps_table(rule: Search, emission: Emission) -> None:
    """Writes the function that computes the steps from one space, and the table that it fills."""
    _OptimizedSearch(rule, emission).write_table()


class _OptimizedSearch:
    def __init__(self, rule: Search, emission: Emission) -> None:
        self.rule, self.emission, self.out = rule, emission, emission.out
        self.cx: CodeContext = context(emission, rule)
        self.ways = SearchPlan(rule, emission)
        self.stops = [
            split_condition(each.place, conditions(each, {}, emission), rule, emission, loose=True)
            for each in rule.stops
        ]
        cost = rule.cost
        self.cx.sets = {id(each): SET(each.name) for each in rule.takes if self._is_looked_in(each)}
        self.step = 1 if cost is None else cost.value if isinstance(cost, IntLit) else 0
        if self.step:
            self.ways.charges = []
        closing = [each for each in self.ways.bars if each.bit and each.reads(SEARCH)]
        nodes = [each for each in self.ways.bars if each.moves and each not in closing]
        self.closing = closing
        self.leaving = [each for each in nodes if not each.bit and each.reads(HERE)]
        self.entering = [
            each
            for each in nodes
            if each not in self.leaving
            and each.reads(THERE)
            and all(part.level(rule) == THERE for part in each.fixed)
            and not self._relies(each)
        ]
        self.stepping = [each for each in nodes if each not in self.leaving and each not in self.entering]
        self.rising = all(never_negative(each.value.text, emission) for each in self.ways.charges)
        """Whether no step has a negative cost."""
        self.early = not self.step and self.rising and not self._can_fail()
        """Whether the cost may be tested before the bars: a space out of reach needs no further tests."""

    def _is_looked_in(self, parameter: Parameter) -> bool:
        """Whether steps test membership in a parameter, which is faster in a Python set than in a tuple."""
        inner = element(parameter.type)
        if not isinstance(parameter.type, SetType) or not isinstance(inner, KindType | EnumType):
            return False
        guards = [*self.ways.bars, *self.stops, *[each.guard for each in self.ways.charges]]
        asked = [part for each in guards for level in (HERE, THERE, STEP) for part in each.moving[level]]
        return any(each is parameter for part in asked for each in part.looks_in())

    def _can_fail(self) -> bool:
        """Whether a test of a step may fault."""
        guards = [*self.ways.bars, *[each.guard for each in self.ways.charges]]
        parts = [part for each in guards for moving in each.moving for part in moving]
        return self.ways.can_fail([*parts, *[each.value for each in self.ways.charges if not each.fixed]])

    def _relies(self, guard: Guard) -> bool:
        """Whether it may be evaluated only where no bar written before it applies."""
        moving = [each for each in self.ways.bars if each.moves]
        return guard is not moving[0] and self.ways.can_fail(
            [*guard.fixed, *[part for parts in guard.moving for part in parts]]
        )

    @property
    def _step_table(self) -> str:
        """The name of the table of steps by the space that they begin from."""
        return part_of(SEARCH_RULE(self.rule.name), KNOWN_STEPS)

    @property
    def _steps_from(self) -> str:
        """The name of the function that computes the steps from a space."""
        return part_of(SEARCH_RULE(self.rule.name), STEPS)

    @property
    def tabled(self) -> bool:
        return self.rule.next is None and self.ways.tabled

    # ------------------------------------------------------------ the whole
    def write(self) -> None:
        rule, out = self.rule, self.out
        takes = "".join([f", {LOCAL(each.name)}" for each in rule.takes])
        with (
            out.at(rule.place),
            memoized(SEARCH_RULE(rule.name), ("start", *names_of(rule.takes)), rule, self.emission) as own,
            out.block(f"def {own}(start{takes}):"),
        ):
            for each in rule.takes:
                if id(each) in self.cx.sets:
                    out.line(f"{self.cx.sets[id(each)]} = frozenset({LOCAL(each.name)})")
            if rule.within is not None:
                out.line(f"within = {value(rule.within, self.cx)}")
            self._before()
            if self.tabled:
                self._take_table()
            if self.step:
                self._by_rings()
            else:
                self._by_cost()
            out.line("return best")

    def _before(self) -> None:
        """Writes what is evaluated once per search."""
        guards = [*self.ways.bars, *self.stops, *[each.guard for each in self.ways.charges]]
        for number, each in enumerate(guards):
            if each.moving[SEARCH] and each not in self.closing:
                with self.out.at(each.place):
                    self.out.line(f"known{number} = {self._tests(each.moving[SEARCH])}")
                each.known = f"known{number}"
        if self.closing:
            self.out.line("closed = 0")
            for each in self.closing:
                with self.out.at(each.place):
                    self.out.line(f"if {self._tests(each.moving[SEARCH])}: closed |= {each.bit}")
        if self.entering and not self.early:
            self.out.line("entered = {}")

    def _take_table(self) -> None:
        """The table of steps; there is one for each set of bars that are closed during the whole search."""
        name = self._step_table
        self.emission.needed.setdefault(name, lambda: steps_table(self.rule, self.emission))
        if not self.closing:
            self.out.line(f"steps = {name}")
            return
        self.out.line(f"steps = {name}.get(closed)")
        self.out.line(f"if steps is None: steps = {name}[closed] = {{}}")

    @property
    def _marked(self) -> bool:
        """Whether steps have marks for the conditions that must be tested one by one."""
        guards = [*self.ways.bars, *[each.guard for each in self.ways.charges]]
        return any(each.bit and each not in self.closing for each in guards)

    def _tests(self, parts: list[SearchTerm]) -> str:
        return " and ".join([each.test(self.cx) for each in parts]) or "True"

    def _guarded(self, guard: Guard) -> str:
        """Whether a guard holds for a step that is not barred permanently."""
        if guard.left:
            return " and ".join(
                [guard.left, *[part.test(self.cx) for level in (THERE, STEP) for part in guard.moving[level]]]
            )
        first = [f"mark & {guard.bit}"] if guard.bit else []
        first += [guard.known] if guard.known else [each.test(self.cx) for each in guard.moving[SEARCH]]
        moving = [part for level in (HERE, THERE, STEP) for part in guard.moving[level]]
        return " and ".join([*first, *[each.test(self.cx) for each in moving]])

    # ------------------------------------------------------------ one space and its steps
    def _steps(self, reached: tuple[str, ...] = ()) -> None:
        """Writes the loop over the open steps from a space.

        `reached` says what becomes of these where all cost the same.
        """
        out, rule = self.out, self.rule
        for each in self.leaving:
            with out.at(each.place):
                out.line(f"if {self._guarded(each)}: continue")
        if self.tabled:
            out.line("near = steps.get(v_here)")
            found = f"{self._steps_from}(v_here{', closed' if self.closing else ''})"
            out.line(f"if near is None: near = steps[v_here] = {found}")
            if self._bounded:
                out.line("least, near = near")
                out.line("if far + least > within: continue")
            head = f"for {self._row()} in near:"
        else:
            head = f"for v_there in {'v_here.neighbours' if rule.next is None else value(rule.next, self.cx)}:"
        self._leave()
        with out.block(head):
            if self.early:
                self._cost_first()
            else:
                self._bars_first()
            with out.block("if mark:") if self._all_marked else nullcontext():
                for each in self.stepping:
                    with out.at(each.place):
                        out.line(f"if {self._guarded(each)}: continue")
                if not self.step:
                    self._charge()
            for line in reached:
                out.line(line)
            if not self.step:
                self._next_row()

    def _leave(self) -> None:
        """Evaluates once the tests that depend only on the space where steps begin."""
        for number, each in enumerate(self.stepping):
            own = each.moving[HERE]
            if own and not each.bit and not self.ways.can_fail(own):
                with self.out.at(each.place):
                    self.out.line(f"left{number} = {' and '.join(filter(None, [each.known, self._tests(own)]))}")
                each.left = f"left{number}"

    @property
    def _moving(self) -> list[Charge]:
        return [each for each in self.ways.charges if not each.fixed]

    @property
    def _all_marked(self) -> bool:
        """Whether steps without a mark need no further tests."""
        asked = [*self.stepping, *[each.guard for each in self._moving]]
        return self.early and bool(asked) and all(each.bit for each in asked)

    def _bars_first(self) -> None:
        """The tests of a space, in the order of the rule text."""
        out = self.out
        out.line("if v_there in best: continue")
        if self.entering:
            out.line("barred = entered.get(v_there)")
            with out.block("if barred is None:"):
                out.line("barred = True")
                for number, each in enumerate(self.entering):
                    with out.at(each.place):
                        out.line(f"{'elif' if number else 'if'} {self._guarded(each)}: pass")
                out.line("else: barred = False")
                out.line("entered[v_there] = barred")
            out.line("if barred: continue")

    def _cost_first(self) -> None:
        """Passes over spaces that are too far away, or known from a way that is no longer; barred ones count as such.

        Spaces that are out of the search have a cost that no way is below.
        """
        out = self.out
        out.line(f"reached = far{' + step' if self._charged else ''}")
        if self.rule.within is not None:
            out.line("if reached > within: continue")
        out.line("old = known.get(v_there)")
        out.line("if old is not None and old <= reached: continue")
        if self.entering:
            with out.block("if old is None:"):
                for number, each in enumerate(self.entering):
                    with out.at(each.place):
                        out.line(f"{'elif' if number else 'if'} {self._guarded(each)}: old = -1")
                with out.block("if old is not None:"):
                    out.line("known[v_there] = old")
                    out.line("continue")
                if self.stepping or self._moving:
                    out.line("known[v_there] = 1e999")

    def _row(self) -> str:
        further = [*(["step"] if self._charged else []), *(["mark"] if self._marked else [])]
        return ", ".join(["v_there", *further, ""]) if further else "v_there"

    @property
    def _charged(self) -> bool:
        return any(each.fixed for each in self.ways.charges)

    @property
    def _bounded(self) -> bool:
        """Whether the table also has the minimum cost of a step from a space: at the limit of reach no step is read."""
        return self.early and self._charged and self.rule.within is not None

    # ------------------------------------------------------------ steps that all cost the same
    def _by_rings(self) -> None:
        out, within = self.out, self.rule.within is not None
        out.line("best = {start: 0}")
        out.line("front = [start]")
        out.line("far = 0")
        with out.block(f"while front{f' and far + {self.step} <= within' if within else ''}:"):
            out.line(f"far += {self.step}")
            if within:
                with out.block(f"if far + {self.step} > within:"):
                    self._ring("best[v_there] = far")
                    out.line("break")
            out.line("ring = []")
            stops = " or ".join([f"({self._guarded(each) or 'True'})" for each in self.stops])
            self._ring(
                "best[v_there] = far", f"if not ({stops}): ring.append(v_there)" if stops else "ring.append(v_there)"
            )
            out.line("front = ring")

    def _ring(self, *lines: str) -> None:
        """Writes the loop over all steps from the spaces of a ring, with the given lines for each open step."""
        with self.out.block("for v_here in front:"):
            self.out.line("tick()")
            self._steps(lines)

    # ------------------------------------------------------------ steps that cost more or less
    def _by_cost(self) -> None:
        out = self.out
        out.line("best = {}")
        out.line("known = {start: 0}")
        out.line("rows = {0: [start]}")
        out.line("fars = [0]")
        with out.block("while fars:"):
            out.line("far = heappop(fars)")
            with out.block("for v_here in rows[far]:"):
                out.line("if v_here in best: continue")
                out.line("best[v_here] = far")
                if self.stops:
                    with out.block("if v_here is not start:"):
                        out.line("v_there = v_here")
                        for each in self.stops:
                            with out.at(each.place):
                                out.line(f"if {self._guarded(each) or 'True'}: continue")
                out.line("tick()")
                self._steps()
            out.line("del rows[far]")

    def _charge(self) -> None:
        """Writes the part of the cost that is not known yet, and the test against the best cost so far."""
        out = self.out
        if not self.early:
            out.line(f"reached = far{' + step' if self._charged else ''}")
        if self._moving:
            self._add_charges(self._moving)
        if not self.rising:
            out.line("if reached < far: step_cost(reached - far)")
        if self._moving or not self.early:
            if self.rule.within is not None:
                out.line("if reached > within: continue")
            out.line("if v_there in known and known[v_there] <= reached: continue")

    def _next_row(self) -> None:
        out = self.out
        out.line("known[v_there] = reached")
        out.line("if reached in rows: rows[reached].append(v_there)")
        with out.block("else:"):
            out.line("rows[reached] = [v_there]")
            out.line("heappush(fars, reached)")

    def _add_charges(self, moving: list[Charge]) -> None:
        for each in moving:
            test = self._guarded(each.guard)
            with self.out.at(each.guard.place):
                added = f"reached += {each.value.value(self.cx)}"
                self.out.line(f"if {test}: {added}" if test else added)

    # ------------------------------------------------------------ the table
    def write_table(self) -> None:
        """See `steps_table`."""
        rule, out, cx = self.rule, self.out, self.cx
        out.line(f"{self._step_table} = {{}}")
        charges = [each for each in self.ways.charges if each.fixed]
        with out.at(rule.place), out.block(f"def {self._steps_from}(v_here{', closed' if self.closing else ''}):"):
            out.line("found = []")
            with out.block("for v_there in v_here.neighbours:"):
                for bar in self.ways.bars:
                    if bar.fixed and not bar.moves:
                        with out.at(bar.place):
                            out.line(f"if {self._tests(bar.fixed)}: continue")
                if self.ways.marked:
                    out.line("mark = 0")
                    for each in [*self.ways.bars, *[each.guard for each in self.ways.charges]]:
                        if each.bit:
                            with out.at(each.place):
                                out.line(f"if {self._tests(each.fixed)}: mark |= {each.bit}")
                if self.closing:
                    out.line("if mark & closed: continue")
                if charges:
                    out.line("step = 0")
                    for charge in charges:
                        test = " and ".join([part.test(cx) for part in charge.guard.fixed])
                        with out.at(charge.guard.place):
                            added = f"step += {charge.value.value(cx)}"
                            out.line(f"if {test}: {added}" if test else added)
                out.line(f"found.append(({self._row()}))" if self._row() != "v_there" else "found.append(v_there)")
            if self._bounded:
                row = self._row().removeprefix("v_there")
                out.line(f"return min([step for _{row.rstrip(', ')} in found], default=0), tuple(found)")
            else:
                out.line("return tuple(found)")
