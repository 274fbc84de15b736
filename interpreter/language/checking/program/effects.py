"""Infers the effects of every rule over all calls, and reports effects where none are allowed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import (
    Action,
    Definition,
    Effects,
    Menu,
    Modifiers,
    Parameter,
    Procedure,
    Program,
    Restrictions,
    Search,
    Step,
)
from interpreter.language.model.rule_bodies import evaluation_rules, item_texts, rule_texts, steps_of
from interpreter.language.tree.statements import (
    After,
    Attr,
    Call,
    ChoiceBlock,
    DecisionExpr,
    Draw,
    Each,
    End,
    ForEach,
    Log,
    Move,
    Name,
    New,
    Random,
    Remove,
    Reveal,
    RollApart,
    RollSum,
    Set,
    Shuffle,
    SortedBy,
    Spread,
    SyntaxNode,
    Take,
    Term,
    Tie,
    Where,
    Win,
)
from interpreter.language.tree.traversal import children, walk_tree

EFFECTS = ("changes", "asks", "rolls", "ends")
PURE_RULES = (Definition, Modifiers, Restrictions, Search)
"""Rules that must have no effects themselves: an effect in one is reported there and not at its calls."""
EFFECT_PHRASES = {
    "changes": "changes the game",
    "asks": "asks a seat",
    "rolls": "rolls or draws",
    "ends": "ends something",
}
_DIRECT: Final[dict[type[SyntaxNode], str]] = {
    **dict.fromkeys((Set, Move, Remove, Shuffle, Reveal, Log), "changes"),
    **dict.fromkeys((RollSum, RollApart, Random, Draw), "rolls"),
    **dict.fromkeys((End, Win, Tie), "ends"),
    ChoiceBlock: "asks",
}
"""The effect of a class of nodes, whatever its children are."""


@dataclass(slots=True)
class RuleEffects:
    """The effects that one rule has by itself, the rules that it calls, and its effects in total."""

    symbol: Symbol
    own: set[str] = field(default_factory=set)
    calls: list[Symbol] = field(default_factory=list)
    total: set[str] = field(default_factory=set)


def live_nodes(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yields a node and its descendants, without those effects that `after` takes back."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, After):
            stack += [*reversed(children(node.call)), node.value]
        else:
            stack += reversed(children(node))


def own_effect(program: Program, node: SyntaxNode) -> str | None:
    """Returns the effect that a node has by itself, or none."""
    match node:
        case Set(target=Name(ref=Parameter())):
            return None
        case New(kind=name):
            kind = program.kinds.get(name)
            return "changes" if kind is not None and kind.root == "piece" else None
        case ForEach(chosen_by=seat):
            return "asks" if seat is not None else None
        case DecisionExpr():
            return "asks"
    return _DIRECT.get(type(node))


def called_rule(node: SyntaxNode) -> Symbol | None:
    """Returns the rule that a node runs, or none."""
    if isinstance(node, Call | Attr) and isinstance(
        node.ref, Definition | Modifiers | Restrictions | Search | Procedure | Menu
    ):
        return node.ref
    return None


EffectNode = tuple[SyntaxNode, str | None, Symbol | None]
"""A node, the effect that it has by itself, and the rule that it runs."""


class EffectGraph:
    """The effects of every rule of a program, over everything it calls."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rules: dict[int, RuleEffects] = {}
        self._effect_nodes: dict[int, list[EffectNode]] = {}
        for symbol, roots in effect_texts(program):
            self._add(symbol, roots)
        for menu in program.menus.values():
            entry = self._add(menu, ())
            entry.own.add("asks")
            entry.calls += [each for each in program.actions.values() if each.menu == menu.name]
        self._add_overrides()
        self._propagate()

    def _add(self, symbol: Symbol, roots: Iterable[SyntaxNode]) -> RuleEffects:
        entry = self.rules.setdefault(id(symbol), RuleEffects(symbol))
        for root in roots:
            for _, effect, callee in self.effect_nodes(root):
                if effect is not None:
                    entry.own.add(effect)
                if callee is not None:
                    entry.calls.append(callee)
        return entry

    def effect_nodes(self, root: SyntaxNode) -> list[EffectNode]:
        """Returns the nodes of a text that have an effect or run a rule, in source order."""
        if id(root) not in self._effect_nodes:
            found = ((node, own_effect(self.program, node), called_rule(node)) for node in live_nodes(root))
            self._effect_nodes[id(root)] = [each for each in found if each[1] is not None or each[2] is not None]
        return self._effect_nodes[id(root)]

    def _add_overrides(self) -> None:
        """Adds to each computed attribute the calls of its overrides in sub-kinds."""
        for rule in self.program.definitions.values():
            if rule.subject is None:
                continue
            name = rule.name.partition(".")[2]
            for line in self.program.lineage(rule.subject)[1:]:
                general = self.program.definitions.get(f"{line.name}.{name}")
                if general is not None:
                    self.rules[id(general)].calls.append(rule)

    def _propagate(self) -> None:
        callers: dict[int, list[RuleEffects]] = defaultdict(list)
        for entry in self.rules.values():
            entry.total = set(entry.own)
            for callee in entry.calls:
                callers[id(callee)].append(entry)
        grown = [each for each in self.rules.values() if each.total]
        while grown:
            entry = grown.pop()
            for caller in callers[id(entry.symbol)]:
                if not entry.total <= caller.total:
                    caller.total |= entry.total
                    grown.append(caller)

    def of(self, symbol: Symbol) -> set[str]:
        """Returns every effect that running a rule can have."""
        entry = self.rules.get(id(symbol))
        return set() if entry is None else entry.total

    def chain(self, symbol: Symbol, effect: str) -> list[str]:
        """Returns the names of the rules on the shortest path to a rule that has the effect by itself."""
        paths: list[list[Symbol]] = [[symbol]]
        seen = {id(symbol)}
        for path in paths:
            entry = self.rules.get(id(path[-1]))
            if entry is None or effect in entry.own:
                return [each.name for each in path]
            for callee in entry.calls:
                if effect in self.of(callee) and id(callee) not in seen:
                    seen.add(id(callee))
                    paths.append([*path, callee])
        return [symbol.name]

    def describe(self, symbol: Symbol, effect: str) -> str:
        """Returns a phrase that names an effect of a rule and the calls that lead to it."""
        path = self.chain(symbol, effect)
        through = f" ({' → '.join(path)})" if len(path) > 1 else ""
        return f"'{symbol.name}' {EFFECT_PHRASES[effect]}{through}"

    # ------------------------------------------------------------ violations
    def violations(self, root: SyntaxNode, forbidden: tuple[str, ...]) -> Iterator[tuple[SyntaxNode, str, str]]:
        """Yields the nodes with a forbidden effect, the effect, and a phrase that describes it."""
        for node, effect, callee in self.effect_nodes(root):
            if effect is not None and effect in forbidden:
                yield node, effect, f"this {EFFECT_PHRASES[effect]}"
            if callee is None or isinstance(callee, PURE_RULES):
                continue
            for each in EFFECTS:
                if each in forbidden and each in self.of(callee):
                    yield node, each, self.describe(callee, each)
                    break


def effect_texts(program: Program) -> Iterator[tuple[Symbol, list[SyntaxNode]]]:
    """Yields every rule with the rule texts it consists of."""
    for rule in [*program.definitions.values(), *program.invariants.values()]:
        yield rule, list(rule_texts(rule))
    for opinion in evaluation_rules(program):
        yield opinion, list(rule_texts(opinion))
    lists: list[Modifiers | Restrictions | Search] = [*program.modifiers.values(), *program.restrictions.values()]
    lists += program.searches.values()
    for listed in lists:
        yield listed, list(rule_texts(listed))
    for procedure in program.procedures.values():
        yield procedure, list(procedure.body)
    for action in program.actions.values():
        yield action, list(action.body)
    for step in steps_of(program.sequence):
        yield step, [*step.body] if step.each is None else [step.each.of, *step.body]


def fill_effects(graph: EffectGraph) -> None:
    """Stores the effects in the procedures, menus, actions and steps."""
    program = graph.program
    holders: list[Procedure | Menu | Action] = [
        *program.procedures.values(),
        *program.menus.values(),
        *program.actions.values(),
    ]
    for holder in holders:
        holder.effects = _as_effects(graph.of(holder))
    if program.sequence is not None:
        _fill_step(graph, program.sequence)


def _fill_step(graph: EffectGraph, step: Step) -> set[str]:
    total = set(graph.of(step))
    for each in step.steps:
        total |= _fill_step(graph, each)
    step.effects = _as_effects(total)
    return total


def _as_effects(found: set[str]) -> Effects:
    return Effects(changes="changes" in found, asks="asks" in found, rolls="rolls" in found, ends="ends" in found)


def check_effects(graph: EffectGraph) -> list[Diagnostic]:
    """Returns an error for each effect in a text that must not have one."""
    report: list[Diagnostic] = []
    for what, roots in pure_texts(graph.program):
        for root in roots:
            for node, _, description in graph.violations(root, EFFECTS):
                message = f"{what} must not have effects, but {description}"
                report.append(Diagnostic("impure", message, node.place, "do it in a procedure"))
            report += _check_all_after(graph, root)
    for _, acting in effectful_texts(graph.program):
        for root in acting:
            for node in live_nodes(root):
                report += _check_per_element(graph, node)
            report += _check_all_after(graph, root)
    return report


def _check_all_after(graph: EffectGraph, root: SyntaxNode) -> list[Diagnostic]:
    supposed = [node for node in graph.program.nodes(root) if isinstance(node, After)]
    return [each for node in supposed for each in _check_after(graph, node)]


def pure_texts(program: Program) -> Iterator[tuple[str, list[SyntaxNode]]]:
    """Yields the texts that must not have effects, each with its name in messages."""
    for rule in program.definitions.values():
        yield "a definition", list(rule_texts(rule))
    for rule in program.invariants.values():
        yield "an invariant", list(rule_texts(rule))
    if program.evaluation is not None:
        yield "the evaluation", list(rule_texts(program.evaluation))
    for rule in program.priors.values():
        yield "a prior", list(rule_texts(rule))
    for modifiers in program.modifiers.values():
        yield "a modifier", list(rule_texts(modifiers))
    for restrictions in program.restrictions.values():
        yield "a restriction", list(rule_texts(restrictions))
    for search in program.searches.values():
        yield "a search", list(rule_texts(search))
    for action in program.actions.values():
        yield "the condition of an action", list(item_texts(action.needs))
        yield "a pick", [pick.of for pick in action.picks]
    for view in program.views.values():
        yield "a view", [each for each in (view.when, view.seen_by) if each is not None]
    for constant in program.constants.values():
        yield "a constant", [constant.value]
    for procedure in program.procedures.values():
        yield "an outcome", list(procedure.outcomes.values())
        yield "the condition of a procedure", list(item_texts(procedure.needs))
    for kind in program.kinds.values():
        for attribute in kind.attributes.values():
            if attribute.written is not None and attribute.written.default is not None:
                yield "a default", [attribute.written.default]
    for value in program.state.values():
        if value.attribute.written is not None and value.attribute.written.default is not None:
            yield "a default", [value.attribute.written.default]
    for step in steps_of(program.sequence):
        yield "the condition of a step", [each for each in (step.when, step.repeat, step.until) if each is not None]


def effectful_texts(program: Program) -> Iterator[tuple[Symbol, list[SyntaxNode]]]:
    """Yields the texts that may have any effect."""
    for symbol, roots in effect_texts(program):
        if isinstance(symbol, Procedure | Action | Step):
            yield symbol, roots


def _check_per_element(graph: EffectGraph, node: SyntaxNode) -> list[Diagnostic]:
    """Reports effects inside a text that is evaluated once for each element."""
    match node:
        case Where(condition=text):
            what = "'where'"
        case Each(value=text):
            what = "'each'"
        case SortedBy(key=text):
            what = "'by'"
        case Spread(at_most=text):
            what = "'at most … each'"
        case Term(mode="total", of=text):
            what = "'total'"
        case _:
            return []
    report = []
    for found, effect, description in graph.violations(text, ("asks", "changes", "ends")):
        if effect == "asks" and isinstance(found, Take | DecisionExpr):
            continue
        code = "asks-inside" if effect == "asks" else "impure"
        message = f"the expression after {what} must not have effects: {description}"
        report.append(Diagnostic(code, message, found.place, "loop over the elements with 'for each'"))
    return report


def check_suppositions(program: Program, root: SyntaxNode) -> list[Diagnostic]:
    """Returns the errors of `after` in a further text, for a program whose effects are known."""
    found = [
        callee for node in walk_tree(root) if isinstance(node, After) and (callee := called_rule(node.call)) is not None
    ]
    if not any(isinstance(each, Procedure) and not _is_reversible(each.effects) for each in found):
        return []
    return _check_all_after(EffectGraph(program), root)


def _is_reversible(effects: Effects) -> bool:
    return not (effects.asks or effects.rolls or effects.ends)


def _check_after(graph: EffectGraph, node: After) -> list[Diagnostic]:
    """Reports an `after` whose call asks, rolls or ends, which cannot be taken back."""
    callee = called_rule(node.call)
    if callee is None:
        return []
    report = []
    for effect in ("asks", "rolls", "ends"):
        if effect in graph.of(callee):
            message = f"a call behind 'after' may only change the game: {graph.describe(callee, effect)}"
            report.append(
                Diagnostic("after-asks", message, node.call.place, "use a procedure that only changes the game")
            )
            break
    return report
