"""The reasons why something is not among the options of the open decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from interpreter.language.checking.program.effects import effect_texts
from interpreter.language.diagnostics import UsageError
from interpreter.language.model.emitted_names import LOCAL
from interpreter.language.model.program import Parameter, Pick, Program
from interpreter.language.tree.expressions import Assign, Choose, Each, Rank, SortedBy, Spread, Where
from interpreter.language.tree.statements import ChoiceBlock, Expr, ForEach, Let, Name, Set, SyntaxNode
from interpreter.language.tree.traversal import children
from interpreter.language.tree.types import present
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.engine import GameEngine
from interpreter.play.engine.simultaneous import is_after_others
from interpreter.play.inputs.value_codec import Act
from interpreter.play.refusals import Reason, Refusals, element_kind, holders
from interpreter.play.rule_reading import RuleScope
from interpreter.play.views.quiet_query import removed_from_board
from interpreter.play.views.thing_names import ThingNames
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.play.why_not import why_not
from interpreter.play.why_not_answer import against_answer
from interpreter.play.wording import messages
from interpreter.world.things import Thing

_MAX_REASONS = 8
"""The most reasons against actions of a menu that are given."""


def why_not_option(game: GameEngine, name: str, action: str = "") -> list[Reason]:
    """Returns the reasons why what a name means is not among the options now; empty if it is.

    At a menu, what one of its actions can do is among the options; `action` limits the reasons to those against one.
    Hidden things have no names here, and conditions are evaluated as if they were not on the board. In a block of
    simultaneous lines reasons could show what another seat has answered before; none are given then.

    Raises:
        UsageError: if no decision is open, or nothing that the seat can see has this name.
        RuleFault: if a rule fails.
    """
    if game.decision is None:
        raise UsageError("no decision is open")
    twin = game.twin()
    twin.core.begin_query()
    with twin.core.faults():
        return _reasons(twin, name, action)


def _reasons(twin: GameEngine, name: str, action: str) -> list[Reason]:
    words, decision = twin.source.wording, twin.decision
    assert decision is not None
    answer = against_answer(decision, name)
    if answer is not None:
        return answer
    visibility = Visibility(twin.core, seat_by_id(twin.core, decision.seat)).precomputed()
    choice = _choice(twin, decision, name, visibility)
    if choice is not None:
        return choice
    names = ThingNames(twin, visibility)
    named = names.whole(name) or names.named(name)
    if not named:
        raise UsageError(words.say(messages.UNKNOWN_NAME, name=name))
    if decision.kind == "menu":
        with removed_from_board(twin.core, visibility.hidden()):
            return _against_actions(twin, named, visibility, action)
    source = _source(twin, decision, twin.source.ruleset.program) if twin.source.ruleset is not None else None
    asked_for = _kinds_asked_for(decision, None if source is None else source[0])
    meant = _among(named, decision, asked_for) or _among(names.named(name), decision, asked_for)
    if any(each in decision.options for each in meant):
        return []
    with removed_from_board(twin.core, visibility.hidden()):
        return _against(twin, decision, meant or named, visibility, source, is_fit=bool(meant))


def _choice(game: GameEngine, decision: Decision, name: str, visibility: Visibility) -> list[Reason] | None:
    """Returns the reasons against a named choice of a block that is not offered; none if it has none of this name."""
    ruleset = game.source.ruleset
    labels = {decision.label(own).casefold(): own for own, _ in decision.site.labels}
    own = labels.get(name.casefold())
    if decision.kind != "choice" or own is None or ruleset is None:
        return None
    refusal = decision.wording.say(messages.NOT_OFFERED, value=decision.label(own))
    if is_after_others(game):
        return [Reason(decision.wording.say(messages.NO_REASONS_YET, refusal=refusal), decision.cites)]
    block = _asking(decision, ruleset.program)
    assert isinstance(block, ChoiceBlock)
    condition = next(each.when for each in block.choices if each.name == own)
    scope = None if condition is None else _with_values(game, condition, _parameters(condition), decision.cites)
    if scope is None:
        return [Reason(refusal, decision.cites)]
    with removed_from_board(game.core, visibility.hidden()):
        return Refusals(game.core, ruleset.program, decision.wording, ruleset.clauses, visibility).unmet(
            *scope, refusal
        )


def _against(
    game: GameEngine,
    decision: Decision,
    meant: Sequence[Thing],
    visibility: Visibility,
    found: tuple[Expr, RuleScope] | None,
    *,
    is_fit: bool,
) -> list[Reason]:
    """Returns the reasons against one of the things that could be meant, rather one that only a filter keeps out."""
    words, ruleset, value = decision.wording, game.source.ruleset, meant[0]
    refusals = None if ruleset is None else Refusals(game.core, ruleset.program, words, ruleset.clauses, visibility)
    if refusals is not None and found is not None and is_fit:
        value = next(iter(refusals.unfiltered(meant, *found)), value)
    asked = decision.prompt
    refusal = words.say(messages.NOT_OFFERED, value=words.of(value))
    if decision.chosen and value in decision.chosen:
        return [Reason(words.say(messages.CHOSEN_ALREADY, refusal=refusal), decision.cites)]
    if is_after_others(game):
        return [Reason(words.say(messages.NO_REASONS_YET, refusal=refusal), decision.cites)]
    if refusals is None or found is None or not is_fit:
        return [Reason(words.say(messages.NOT_ASKED_FOR, refusal=refusal, question=asked), decision.cites)]
    source, scope = found
    if refusals.holds(value, source, scope):
        return [Reason(words.say(messages.LEADS_TO_NOTHING, refusal=refusal), decision.cites)]
    return refusals.against(value, source, scope, refusal)


def _against_actions(game: GameEngine, named: Sequence[Thing], visibility: Visibility, only: str) -> list[Reason]:
    """Returns the reasons against the actions of the open menu that could be about a thing; `only` against this one."""
    decision = game.decision
    assert decision is not None
    words = decision.wording
    offered = {each.name for each in decision.options if isinstance(each, Act)}
    menu = next((each.menu for each in game.core.image.actions if each.name in offered), None)
    found: list[Reason] = []
    is_about = False
    for action in [each for each in game.core.image.actions if each.menu == menu and only in ("", each.name)]:
        picks = _picks(game.source.ruleset.program.actions[action.name].picks, named)
        is_about = is_about or bool(picks)
        reasons = why_not(game, action.name, picks, visibility) if picks else []
        if picks and not reasons:
            return []
        for reason in reasons:
            text = words.say(messages.REASON_OF, rule=words.word(action.name), reason=reason.text)
            found.append(Reason(text, reason.cites, reason.place))
    if not is_about:
        refusal = words.say(messages.NOT_OFFERED, value=words.of(named[0]))
        text = words.say(messages.NOT_ASKED_FOR, refusal=refusal, question=decision.prompt)
        return [Reason(text, decision.cites)]
    return found[:_MAX_REASONS]


def _picks(picks: Sequence[Pick], named: Sequence[Thing]) -> dict[str, str]:
    """Returns for the first picks of an action what is named, or what holds it; empty if they are of another sort."""
    for thing in named:
        found: dict[str, str] = {}
        for each in picks:
            kind = str(present(each.parameter.type))
            value = next((held for held in (thing, *holders(thing)) if kind in held.lineage), None)
            if value is None:
                break
            found[each.parameter.name] = value.id
        if found:
            return found
    return {}


# ---------------------------------------------------------------- what is meant
def _kinds_asked_for(decision: Decision, source: Expr | None) -> set[str]:
    """Returns the kinds of the options, and the kind of those that there could be."""
    kinds = {kind for each in decision.options if isinstance(each, Thing) for kind in each.lineage}
    possible = None if source is None else element_kind(source)
    return kinds if possible is None else {*kinds, possible}


def _among(named: Sequence[Thing], decision: Decision, kinds: set[str]) -> list[Thing]:
    """Returns for each thing that is named what the question could be about, itself or what holds it; options first."""
    found = [
        next((held for held in (each, *holders(each)) if kinds.intersection(held.lineage)), None) for each in named
    ]
    return sorted([each for each in found if each is not None], key=lambda each: each not in decision.options)


# ---------------------------------------------------------------- the rule text of the question
def _source(game: GameEngine, decision: Decision, program: Program) -> tuple[Expr, RuleScope] | None:
    """Returns the expression whose elements are the options, and the names in it; none if it cannot be found."""
    if decision.kind == "pick":
        action_name, _, pick_name = decision.address.rpartition(".")
        action = program.actions[action_name]
        number = [each.parameter.name for each in action.picks].index(pick_name)
        takes = (*program.menus[action.menu].takes, *[each.parameter for each in action.picks[:number]])
        cites = action.cites or program.menus[action.menu].cites
        return _with_values(game, action.picks[number].of, takes, cites)
    for _, roots in effect_texts(program):
        nodes = [node for root in roots for node in program.nodes(root)]
        asking = next((each for each in nodes if getattr(each, "address", "") == decision.address), None)
        if asking is not None:
            source = _options_of(asking)
            if source is None:
                return None
            lets = _lets(nodes)
            names = {each.name: each for one in (source, *lets.values()) for each in _parameters(one)}
            found = _with_values(game, source, tuple(names.values()), decision.cites)
            if found is None and _parameters(source):
                return None
            found = found or (source, RuleScope((), (), decision.cites))
            known = {each.name for each in found[1].names}
            usable = {name: let for name, let in lets.items() if known.issuperset(_free_names(let))}
            return source, replace(found[1], lets=usable)
    return None


def _asking(decision: Decision, program: Program) -> SyntaxNode | None:
    """Returns the rule text that asks the question."""
    nodes = (node for _, roots in effect_texts(program) for root in roots for node in program.nodes(root))
    return next((each for each in nodes if getattr(each, "address", "") == decision.address), None)


def _options_of(asking: SyntaxNode) -> Expr | None:
    match asking:
        case Choose() | Rank() | ForEach():
            return asking.of
        case Assign():
            return asking.to
        case Spread():
            return asking.over
    return None


def _lets(nodes: Sequence[SyntaxNode]) -> dict[str, Expr]:
    """Returns the values of the names that are given one value in a text, and do not change."""
    lets = [each for each in nodes if isinstance(each, Let) and not each.terms]
    count = Counter([each.name for each in lets])
    changed = {each.target.name for each in nodes if isinstance(each, Set) and isinstance(each.target, Name)}
    return {each.name: each.value for each in lets if count[each.name] == 1 and each.name not in changed}


def _free_names(root: SyntaxNode) -> set[str]:
    """Returns the names of an expression that it does not give to elements itself."""
    own = {root.name} if isinstance(root, Name) and isinstance(root.ref, Parameter) else set()
    inner = {name for child in children(root) for name in _free_names(child)}
    return own | (inner - {root.element} if isinstance(root, Where | Each | SortedBy) else inner)


def _parameters(root: SyntaxNode) -> tuple[Parameter, ...]:
    found = {root.name: root.ref} if isinstance(root, Name) and isinstance(root.ref, Parameter) else {}
    for child in children(root):
        found |= {each.name: each for each in _parameters(child)}
    return tuple(found.values())


def _with_values(
    game: GameEngine, source: Expr, names: Sequence[Parameter], cites: tuple[str, ...]
) -> tuple[Expr, RuleScope] | None:
    """Returns the source with those names that the suspended rules have values for; none if no rule has them all."""
    for rule in reversed(list(game.asking_rules)):
        local = rule.gi_frame.f_locals
        known = [each for each in names if LOCAL(each.name) in local]
        if known or not names:
            return source, RuleScope(tuple(known), tuple([local[LOCAL(each.name)] for each in known]), cites)
    return None
