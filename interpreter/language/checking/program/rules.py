"""Checks every place that holds rule text: what its text can refer to and which type it must have."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.language.checking.context.rule_context import RuleContext
from interpreter.language.checking.expressions.collections import elements_of
from interpreter.language.checking.expressions.narrowing import narrowed_types
from interpreter.language.checking.program.checker import Checker
from interpreter.language.checking.program.priors import check_priors
from interpreter.language.checking.program.victory import check_victory
from interpreter.language.checking.statements.statements import block
from interpreter.language.checking.types.assignability import is_collection
from interpreter.language.diagnostics import Diagnostic, did_you_mean
from interpreter.language.model.program import (
    Action,
    Definition,
    Item,
    Limit,
    Modifiers,
    Parameter,
    Procedure,
    Restrictions,
    Search,
    Step,
    View,
)
from interpreter.language.model.rule_bodies import evaluation_rules
from interpreter.language.tree.statements import Expr
from interpreter.language.tree.types import (
    BOOL,
    EMPTY,
    INT,
    NUMBER,
    VOID,
    EnumType,
    KindType,
    MapType,
    ScalarType,
    SetType,
    UnknownType,
    element,
    present,
)


def check_rules(checker: Checker) -> None:
    """Checks all rule text of a program, section by section."""
    program = checker.program
    for constant in program.constants.values():
        checker.constant(constant, constant.place)
    for definition in program.definitions.values():
        checker.look_at(definition)
        _check_override(checker, definition)
    for modifiers in program.modifiers.values():
        _check_modifiers(checker, modifiers)
    for restrictions in program.restrictions.values():
        _check_restrictions(checker, restrictions)
    for search in program.searches.values():
        _check_search(checker, search)
    for procedure in program.procedures.values():
        checker.look_at(procedure)
        _check_outcomes(checker, procedure)
        _check_procedure_needs(checker, procedure)
    for menu in program.menus.values():
        menu.gives = BOOL
    for action in program.actions.values():
        _check_action(checker, action)
    for view in program.views.values():
        _check_view(checker, view)
    for invariant in program.invariants.values():
        checker.look_at(invariant)
        _must_give(checker, invariant, BOOL)
    for opinion in evaluation_rules(program):
        checker.look_at(opinion)
        _must_give(checker, opinion, NUMBER)
    check_victory(checker)
    if program.sequence is not None:
        _check_step(checker, program.sequence, ())
    check_priors(checker)


def _must_give(checker: Checker, rule: Definition, kind: ScalarType) -> None:
    if not checker.lattice.fits(rule.gives, kind):
        message = f"'{rule.name}': expected {kind}, found {rule.gives}"
        hint = checker.lattice.advice(rule.gives, kind)
        place = rule.place if rule.value is None else rule.value.place
        checker.report.append(Diagnostic("wrong-type", message, place, hint))


def _check_override(checker: Checker, rule: Definition) -> None:
    """Reports an override of a computed attribute whose type differs from that of the general one."""
    if rule.subject is None:
        return
    name = rule.name.partition(".")[2]
    general = checker.attributes.computed(rule.subject, name)
    if general is None or general is rule:
        return
    wanted = checker.gives(general, rule.place)
    if not checker.lattice.fits(checker.gives(rule, rule.place), wanted):
        message = f"'{rule.name}' gives {rule.gives}, but '{general.name}' gives {wanted}"
        checker.report.append(Diagnostic("wrong-type", message, rule.place, "both must give the same type"))


def _check_item(cx: RuleContext, item: Item) -> None:
    """Checks the conditions and the value of an item; the conditions narrow types in the value."""
    with cx.inner() as scope:
        if item.when is not None:
            cx.condition(item.when)
            scope.facts.update(narrowed_types(cx, item.when, True))
        if item.unless is not None:
            cx.condition(item.unless)
            scope.facts.update(narrowed_types(cx, item.unless, False))
        if item.value is not None:
            cx.integer(item.value)
        for bound in (item.least, item.most) if isinstance(item, Limit) else ():
            if bound is not None:
                cx.integer(bound)


def _check_named(cx: RuleContext, node: Expr) -> None:
    """Checks an expression that must have a name: a thing or an enum member, or none."""
    given = cx.infer(node)
    if not isinstance(present(given), KindType | EnumType | UnknownType):
        hint = cx.advice(given, KindType("thing"))
        cx.error("wrong-type", f"expected a thing or an enum member, found {given}", node.place, hint)


def _check_modifiers(checker: Checker, rule: Modifiers) -> None:
    names = [each.name for each in rule.items]

    def look(cx: RuleContext) -> None:
        checker.enter(cx, rule)
        if rule.whose is not None:
            _check_named(cx, rule.whose)
        for item in (*rule.items, *rule.limits):
            _check_item(cx, item)
        for limit in rule.limits:
            for name in (*limit.on_each, *limit.on_sum, *limit.except_):
                if name not in names:
                    hint = did_you_mean(name, names)
                    cx.error("unknown-item", f"'{rule.name}' has no item '{name}' to limit", limit.place, hint)

    checker.read_text(rule.name, look)


def _check_restrictions(checker: Checker, rule: Restrictions) -> None:
    def look(cx: RuleContext) -> None:
        checker.enter(cx, rule)
        for item in rule.items:
            _check_item(cx, item)

    checker.read_text(rule.name, look)


def _check_search(checker: Checker, rule: Search) -> None:
    kind = checker.program.kinds.get(rule.over)
    if kind is None or kind.root != "space":
        spaces = [each.name for each in checker.program.kinds.values() if each.root == "space"]
        hint = did_you_mean(rule.over, spaces)
        message = f"'{rule.name}' runs over '{rule.over}', which is not a kind of space"
        checker.report.append(Diagnostic("unknown-kind", message, rule.place, hint))
        return
    over = KindType(rule.over)
    rule.here.type = rule.there.type = over
    rule.gives = MapType(over, INT)

    def look(cx: RuleContext) -> None:
        checker.enter(cx, rule)
        if rule.within is not None:
            cx.integer(rule.within)
        cx.adopt(rule.here)
        if rule.next is not None:
            cx.expect(rule.next, SetType(over), f"what comes next in '{rule.name}'")
        cx.adopt(rule.there)
        if rule.cost is not None:
            cx.integer(rule.cost)
        for item in (*rule.bars, *rule.stops):
            _check_item(cx, item)

    checker.read_text(rule.name, look)


def _check_outcomes(checker: Checker, rule: Procedure) -> None:
    for outcome in rule.outcomes.values():

        def look(cx: RuleContext, text: Expr = outcome) -> None:
            checker.enter(cx, rule)
            if rule.gives != VOID:
                cx.adopt(Parameter(name="result", place=rule.place, type=rule.gives))
            cx.infer(text)

        checker.read_text(rule.name, look)


def _check_procedure_needs(checker: Checker, rule: Procedure) -> None:
    def look(cx: RuleContext) -> None:
        checker.enter(cx, rule)
        _check_needs(cx, rule.needs)

    if rule.needs:
        checker.read_text(rule.name, look)


def _check_needs(cx: RuleContext, needs: Iterable[Item]) -> None:
    """Checks conditions in order: each narrows types in those after it, unless it only warns."""
    for item in needs:
        _check_item(cx, item)
        if item.warns:
            continue
        if item.when is not None:
            cx.scope.facts.update(narrowed_types(cx, item.when, True))
        if item.unless is not None:
            cx.scope.facts.update(narrowed_types(cx, item.unless, False))


def _check_action(checker: Checker, action: Action) -> None:
    menu = checker.program.menus.get(action.menu)
    if menu is None:
        hint = did_you_mean(action.menu, checker.program.menus)
        message = f"action '{action.name}' is in the menu '{action.menu}', but there is no such menu"
        checker.report.append(Diagnostic("unknown-menu", message, action.place, hint))
        return

    def look(cx: RuleContext) -> None:
        checker.enter(cx, menu)
        _check_needs(cx, action.needs)
        for pick in action.picks:
            pick.parameter.type = elements_of(cx.collection(pick.of))
            cx.adopt(pick.parameter)
            cx.settable.add(id(pick.parameter))
        block(cx, action.body)

    checker.read_text(action.name, look)


def _check_view(checker: Checker, view: View) -> None:
    if view.kind not in checker.program.kinds:
        hint = did_you_mean(view.kind, checker.program.kinds)
        message = f"view '{view.name}' is of '{view.kind}', but there is no such kind"
        checker.report.append(Diagnostic("unknown-kind", message, view.place, hint))
        return
    kind = KindType(view.kind)
    view.subject.type = kind

    def look(cx: RuleContext) -> None:
        cx.subject = view.subject
        cx.scope.locals[view.subject.name] = view.subject
        cx.scope.it, cx.scope.it_path = kind, view.subject.name
        if view.when is not None:
            cx.condition(view.when)
            cx.scope.facts.update(narrowed_types(cx, view.when, True))
        if view.seen_by is not None:
            given = cx.infer(view.seen_by)
            inner = element(given) if is_collection(given) else given
            if given != EMPTY:
                cx.must_fit(present(inner or given), KindType("seat"), view.seen_by.place, "seen_by")
        known = ["contents", "count", *checker.attributes.visible(kind)]
        for name in view.others_see:
            if name not in known:
                message = f"{kind} has no attribute '{name}' to show"
                cx.error("unknown-attribute", message, view.place, did_you_mean(name, known))

    checker.read_text(view.name, look)


def _check_step(checker: Checker, step: Step, outer: tuple[Parameter, ...]) -> None:
    """Checks a step and the steps in it; conditions see the outer bindings, its text also its own."""
    scope = outer

    def look(cx: RuleContext) -> None:
        nonlocal scope
        for parameter in outer:
            cx.scope.locals[parameter.name] = parameter
        if step.when is not None:
            cx.condition(step.when)
            cx.scope.facts.update(narrowed_types(cx, step.when, True))
        if step.repeat is not None:
            cx.integer(step.repeat)
        if step.until is not None:
            cx.condition(step.until)
        if step.each is not None:
            inner = elements_of(cx.collection(step.each.of))
            bound = step.bound or Parameter(name=step.each.name, place=step.each.place)
            bound.type = inner
            step.bound = bound
            cx.adopt(bound)
            scope = (*outer, bound)
        block(cx, step.body)

    checker.read_text(step.name, look)
    step.scope = scope
    for each in step.steps:
        _check_step(checker, each, scope)
