"""What running a rule can do, inferred over all calls, and where it may not do it."""

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
from interpreter.language.model.rule_bodies import evaluation_rules, item_texts, rule_texts
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
"""Rules that may have no effect themselves, so that what is wrong with one is said there and not at its calls."""
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
"""What nodes do by themselves whatever stands in them."""


@dataclass(slots=True)
class RuleEffects:
    """What one rule does by itself, and what it calls."""

    symbol: Symbol
    own: set[str] = field(default_factory=set)
    calls: list[Symbol] = field(default_factory=list)
    total: set[str] = field(default_factory=set)


def live_nodes(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """A node and all below it that really happens: what is supposed with `after` is taken back."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, After):
            stack += [*reversed(children(node.call)), node.value]
        else:
            stack += reversed(children(node))


def own_effect(program: Program, node: SyntaxNode) -> str | None:
    """What a node does by itself."""
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
    """The rule that a node runs."""
    if isinstance(node, Call | Attr) and isinstance(
        node.ref, Definition | Modifiers | Restrictions | Search | Procedure | Menu
    ):
        return node.ref
    return None


EffectNode = tuple[SyntaxNode, str | None, Symbol | None]
"""A node, what it does by itself, and the rule that it runs."""


class EffectGraph:
    """The effects of every rule of a program, over everything it calls."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses: dict[int, RuleEffects] = {}
        self._doings: dict[int, list[EffectNode]] = {}
        for symbol, roots in effect_texts(program):
            self._add(symbol, roots)
        for menu in program.menus.values():
            uses = self._add(menu, ())
            uses.own.add("asks")
            uses.calls += [each for each in program.actions.values() if each.menu == menu.name]
        self._overrides()
        self._spread()

    def _add(self, symbol: Symbol, roots: Iterable[SyntaxNode]) -> RuleEffects:
        uses = self.uses.setdefault(id(symbol), RuleEffects(symbol))
        for root in roots:
            for _, effect, callee in self.effect_nodes(root):
                if effect is not None:
                    uses.own.add(effect)
                if callee is not None:
                    uses.calls.append(callee)
        return uses

    def effect_nodes(self, root: SyntaxNode) -> list[EffectNode]:
        """The nodes of a text that do something by themselves or run a rule, in the order in which they are written."""
        if id(root) not in self._doings:
            found = ((node, own_effect(self.program, node), called_rule(node)) for node in live_nodes(root))
            self._doings[id(root)] = [each for each in found if each[1] is not None or each[2] is not None]
        return self._doings[id(root)]

    def _overrides(self) -> None:
        """A computed attribute can turn out to be a sub-kind's own text."""
        for rule in self.program.definitions.values():
            if rule.subject is None:
                continue
            name = rule.name.partition(".")[2]
            for line in self.program.lineage(rule.subject)[1:]:
                general = self.program.definitions.get(f"{line.name}.{name}")
                if general is not None:
                    self.uses[id(general)].calls.append(rule)

    def _spread(self) -> None:
        callers: dict[int, list[RuleEffects]] = defaultdict(list)
        for uses in self.uses.values():
            uses.total = set(uses.own)
            for callee in uses.calls:
                callers[id(callee)].append(uses)
        grown = [each for each in self.uses.values() if each.total]
        while grown:
            uses = grown.pop()
            for caller in callers[id(uses.symbol)]:
                if not uses.total <= caller.total:
                    caller.total |= uses.total
                    grown.append(caller)

    def of(self, symbol: Symbol) -> set[str]:
        """Everything that running a rule can do."""
        uses = self.uses.get(id(symbol))
        return set() if uses is None else uses.total

    def chain(self, symbol: Symbol, effect: str) -> list[str]:
        """The names of the rules from this one to one that has the effect by itself, along the shortest way."""
        ways: list[list[Symbol]] = [[symbol]]
        seen = {id(symbol)}
        for way in ways:
            uses = self.uses.get(id(way[-1]))
            if uses is None or effect in uses.own:
                return [each.name for each in way]
            for callee in uses.calls:
                if effect in self.of(callee) and id(callee) not in seen:
                    seen.add(id(callee))
                    ways.append([*way, callee])
        return [symbol.name]

    def told(self, symbol: Symbol, effect: str) -> str:
        """That a rule has an effect, and through which others."""
        way = self.chain(symbol, effect)
        through = f" ({' → '.join(way)})" if len(way) > 1 else ""
        return f"'{symbol.name}' {EFFECT_PHRASES[effect]}{through}"

    # ------------------------------------------------------------ what is not allowed
    def violations(self, root: SyntaxNode, forbidden: tuple[str, ...]) -> Iterator[tuple[SyntaxNode, str, str]]:
        """The nodes that do what is forbidden, with the effect and how it comes about."""
        for node, effect, callee in self.effect_nodes(root):
            if effect is not None and effect in forbidden:
                yield node, effect, f"this {EFFECT_PHRASES[effect]}"
            if callee is None or isinstance(callee, PURE_RULES):
                continue
            for each in EFFECTS:
                if each in forbidden and each in self.of(callee):
                    yield node, each, self.told(callee, each)
                    break


def effect_texts(program: Program) -> Iterator[tuple[Symbol, list[SyntaxNode]]]:
    """Every rule with the rule texts it consists of."""
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
    if program.sequence is not None:
        yield from _step_texts(program.sequence)


def _step_texts(step: Step) -> Iterator[tuple[Symbol, list[SyntaxNode]]]:
    yield step, [*step.body] if step.each is None else [step.each.of, *step.body]
    for each in step.steps:
        yield from _step_texts(each)


def fill_effects(graph: EffectGraph) -> None:
    """Writes the effects found to the procedures, menus, actions and steps."""
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
    """Reports what asks, rolls, changes or ends where rules may only state."""
    report: list[Diagnostic] = []
    for what, roots in pure_texts(graph.program):
        for root in roots:
            for node, _, told in graph.violations(root, EFFECTS):
                message = f"{what} may only state how things are, but {told}"
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
    """The texts that may have no effect at all, with what they are called in messages."""
    for rule in program.definitions.values():
        yield "a definition", list(rule_texts(rule))
    for rule in program.invariants.values():
        yield "an invariant", list(rule_texts(rule))
    if program.evaluation is not None:
        yield "the evaluation", list(rule_texts(program.evaluation))
    for rule in program.leanings.values():
        yield "a leaning", list(rule_texts(rule))
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
    if program.sequence is not None:
        yield from _pure_step_texts(program.sequence)


def _pure_step_texts(step: Step) -> Iterator[tuple[str, list[SyntaxNode]]]:
    yield "the condition of a step", [each for each in (step.when, step.repeat, step.until) if each is not None]
    for each in step.steps:
        yield from _pure_step_texts(each)


def effectful_texts(program: Program) -> Iterator[tuple[Symbol, list[SyntaxNode]]]:
    """The texts that may do anything."""
    for symbol, roots in effect_texts(program):
        if isinstance(symbol, Procedure | Action | Step):
            yield symbol, roots


def _check_per_element(graph: EffectGraph, node: SyntaxNode) -> list[Diagnostic]:
    """What happens inside a text that is read once for each element."""
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
    for found, effect, told in graph.violations(text, ("asks", "changes", "ends")):
        if effect == "asks" and isinstance(found, Take | DecisionExpr):
            continue
        code = "asks-inside" if effect == "asks" else "impure"
        message = f"what stands after {what} may not do this for each element: {told}"
        report.append(Diagnostic(code, message, found.place, "run over the elements with 'for each'"))
    return report


def check_suppositions(program: Program, root: SyntaxNode) -> list[Diagnostic]:
    """What a further text supposes wrongly, beside a program whose effects are known."""
    found = [
        callee for node in walk_tree(root) if isinstance(node, After) and (callee := called_rule(node.call)) is not None
    ]
    if not any(isinstance(each, Procedure) and not _is_reversible(each.effects) for each in found):
        return []
    return _check_all_after(EffectGraph(program), root)


def _is_reversible(effects: Effects) -> bool:
    return not (effects.asks or effects.rolls or effects.ends)


def _check_after(graph: EffectGraph, node: After) -> list[Diagnostic]:
    """What is supposed can be taken back: it changes, and neither asks, rolls nor ends."""
    callee = called_rule(node.call)
    if callee is None:
        return []
    report = []
    for effect in ("asks", "rolls", "ends"):
        if effect in graph.of(callee):
            message = f"what is supposed with 'after' may only change: {graph.told(callee, effect)}"
            report.append(Diagnostic("after-asks", message, node.call.place, "suppose the part that only changes"))
            break
    return report
