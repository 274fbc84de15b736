"""The reasons why an action, or one of its picks, is not available to a seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.language.codegen.emit import emit_expression
from interpreter.language.diagnostics import NOWHERE, Place, UsageError
from interpreter.language.model.emitted_names import LEGAL, LOCAL, MENU_CHOICE, PICK
from interpreter.language.model.image import ActionImage, Site
from interpreter.language.model.program import Action, Definition, Item, Parameter, Pick, Program, Restrictions
from interpreter.language.tree.statements import And, Call, Each, Expr, Name, SyntaxNode, Where
from interpreter.language.tree.traversal import children
from interpreter.language.tree.types import EnumType, KindType, ListType, SetType, present
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.value_codec import short_name
from interpreter.play.wording import messages
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Thing, Word


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason against an action: its text, clauses, and the place of its rule."""

    text: str
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE

    def __str__(self) -> str:
        return self.text + (f" [{', '.join(self.cites)}]" if self.cites else "")


def why_not(game: GameEngine, action: str, picks: Mapping[str, Any]) -> list[Reason]:
    """Returns the reasons against an action with these picks (ids or values) now; empty if it is available.

    Raises:
        UsageError: if there is no such action, or it has no such pick.
    """
    images, words = {each.name: each for each in game.core.image.actions}, game.source.wording
    if action not in images:
        raise UsageError(words.with_hint(words.say(messages.NO_SUCH_ACTION, action=action), action, images))
    image = images[action]
    known = [each.name for each in image.picks]
    for name in picks:
        if name not in known:
            unknown = words.say(messages.NO_SUCH_PICK, action=action, pick=name)
            without_picks = words.say(messages.WITH_HINT, text=unknown, hint=words.say(messages.NO_PICKS))
            raise UsageError(words.with_hint(unknown, name, known) if known else without_picks)
    if game.traced:
        picks = {name: short_name(value) if isinstance(value, Thing | Word) else value for name, value in picks.items()}
        game = game.twin()
    game.core.begin_query()
    arguments = _offered(game, image)
    if isinstance(arguments, list):
        return arguments
    return _Inquiry(game, image, arguments).reasons(picks)


def _offered(game: GameEngine, action: ActionImage) -> list[Reason] | tuple[Any, ...]:
    """Returns the arguments of the action's open menu, or the reasons why it is not open."""
    words = game.source.wording
    if game.decision is None:
        return [Reason(_closed(game))]
    menu = next(each for each in game.core.image.menus if each.name == action.menu)
    generator = game.asking_rule
    asked = words.say(messages.IS_ASKED, who=words.of(game.decision.seat_object), question=game.decision.prompt)
    if generator is None or generator.gi_code.co_name != MENU_CHOICE(menu.name):
        site = next((each for each in game.core.image.sites if _opens(each, menu.name)), None)
        own = words.prompt(site, None) if site is not None else menu.prompt or words.word(menu.name)
        name = words.word(action.name)
        return [Reason(words.say(messages.OTHER_QUESTION, action=name, question=own, asked=asked), menu.cites)]
    if game.decision.kind == "pick":
        return [Reason(words.say(messages.OTHER_ACTION, asked=asked), menu.cites)]
    local = generator.gi_frame.f_locals
    return tuple(local[LOCAL(name)] for name in menu.takes)


def _closed(game: GameEngine) -> str:
    words, result = game.source.wording, game.result
    if result is None:
        return words.say(messages.GAME_STOPPED)
    winners = [words.of(each) for each in game.core.seats if each.id in result.winners]
    return words.say(messages.GAME_OVER, result=words.ending(winners, result.reason))


def _opens(site: Site, menu: str) -> bool:
    return site.kind == "menu" and site.address.rpartition(".")[2] == menu


class _Inquiry:
    """Evaluates the conditions of one action one by one, on the objects of the game."""

    def __init__(self, game: GameEngine, image: ActionImage, arguments: tuple[Any, ...]) -> None:
        self._core = game.core
        self._words: Wording = game.source.wording
        self._image = image
        self._arguments = arguments
        self._cites = image.cites
        """The clauses of the refusing text: those of the action, or of the definition that it picks from."""
        self._ruleset = ruleset = game.source.ruleset
        self._program: Program | None = ruleset.program if ruleset is not None else None
        self._action: Action | None = self._program.actions[image.name] if self._program is not None else None

    def reasons(self, picks: Mapping[str, Any]) -> list[Reason]:
        """Returns the failed needs; else the reasons against the first refused pick."""
        if self._action is not None and self._program is not None:
            takes = self._program.menus[self._action.menu].takes
            failed = [each for need in self._action.needs for each in self._need(need, takes)]
            if failed:
                return failed
        return self._picks(picks)

    def _picks(self, picks: Mapping[str, Any]) -> list[Reason]:
        values: list[Any] = []
        for number, pick in enumerate(self._image.picks):
            options = self._core.names[PICK(self._image.name, pick.name)](*self._arguments, *values)
            if not options:
                return [
                    Reason(
                        self._words.say(messages.NOTHING_TO_PICK, pick=self._words.word(pick.name)), self._image.cites
                    )
                ]
            if pick.name not in picks:
                return []
            wanted = picks[pick.name]
            value = next((each for each in options if each == wanted or short_name(each) == wanted), None)
            if value is None:
                return self._refused(number, wanted, values)
            values.append(value)
        if not self._core.names[LEGAL(self._image.name)](*self._arguments):
            name = self._words.word(self._image.name)
            return [Reason(self._words.say(messages.NOT_AVAILABLE, action=name), self._image.cites)]
        return []

    # ------------------------------------------------------------ needs
    def _need(self, need: Item, takes: tuple[Parameter, ...]) -> list[Reason]:
        reasons: list[Reason] = []
        for condition, wanted in ((need.when, True), (need.unless, False)):
            if condition is not None and bool(self._value(condition, takes, self._arguments)) is not wanted:
                reasons += self._failed(condition, need, takes)
        return reasons

    def _failed(self, condition: Expr, need: Item, takes: tuple[Parameter, ...]) -> list[Reason]:
        cites = need.cites or self._image.cites
        reasons: list[Reason] = []
        for each in _conjuncts(condition):
            if each is not condition and self._value(each, takes, self._arguments):
                continue
            named = [self._restriction(call, takes, self._arguments) for call in _restrictions(each)]
            reasons += [reason for group in named for reason in group] or [Reason(self._said(need), cites, each.place)]
        return reasons

    def _said(self, need: Item) -> str:
        said = self._words.said(need.says, need.texts)
        return said or self._clause_text(need.cites or self._image.cites) or self._words.word(need.name)

    def _clause_text(self, cites: tuple[str, ...]) -> str:
        """Returns the words of the first of these clauses; empty if there is none."""
        clauses = {} if self._ruleset is None else self._ruleset.clauses
        known = [clauses[each] for each in cites if each in clauses]
        return known[0].text(self._words.language) if known else ""

    def _restriction(self, call: Call, takes: tuple[Parameter, ...], arguments: tuple[Any, ...]) -> list[Reason]:
        return [self._item(site) for site in self._value(call, takes, arguments)]

    def _item(self, site: Site) -> Reason:
        reason = self._words.reason(site)
        if not site.prompt:
            rule = self._words.word(site.rule.partition("/")[2])
            reason = self._words.say(messages.REASON_OF, rule=rule, reason=reason)
        return Reason(reason, site.cites, site.place)

    # ------------------------------------------------------------ picks
    def _refused(self, number: int, wanted: Any, values: list[Any]) -> list[Reason]:
        pick = self._image.picks[number]
        say, name = self._words.say, self._words.word(pick.name)
        if self._action is None or self._program is None:
            return [Reason(say(messages.REFUSED, value=short_name(wanted), pick=name), self._cites)]
        own = self._action.picks[number]
        takes = (
            *self._program.menus[self._action.menu].takes,
            *[each.parameter for each in self._action.picks[:number]],
        )
        arguments = (*self._arguments, *values)
        value = self._resolve(own, wanted)
        refusal = say(messages.REFUSED, value=self._words.of(value), pick=name)
        source: Expr = own.of
        while isinstance(source, Call) and isinstance(source.ref, Definition) and source.ref.value is not None:
            arguments = tuple([self._value(each, takes, arguments) for each in source.ordered])
            self._cites = source.ref.cites or self._cites
            takes, source = source.ref.takes, source.ref.value
        while isinstance(source, Where):
            inner = self._value(source.of, takes, arguments)
            if value in inner:
                return self._filtered(source, value, takes, arguments, refusal)
            source = source.of
        if value in self._value(source, takes, arguments):
            following = self._words.word(self._image.picks[number + 1].name)
            return [Reason(say(messages.THEN_NOTHING, refusal=refusal, pick=following), self._cites)]
        those = say(messages.POSSIBLE_VALUES)
        return [Reason(say(messages.NOT_AMONG, refusal=refusal, those=those), self._cites, source.place)]

    def _resolve(self, pick: Pick, wanted: Any) -> Any:
        kind = present(pick.parameter.type)
        if isinstance(wanted, str) and isinstance(kind, KindType | EnumType):
            return self._core.find(kind.name, wanted)
        return wanted

    def _filtered(
        self, source: Where, value: Any, takes: tuple[Parameter, ...], arguments: tuple[Any, ...], refusal: str
    ) -> list[Reason]:
        """Returns a reason for each conjunct of a `where` that fails, tested on a set with only this value."""
        alone = Parameter(name="candidates__", type=SetType(KindType("thing")))
        name = Name(source.place, "candidates__")
        name.ref, name.type = alone, source.of.type
        scope, values = (*takes, alone), (*arguments, (value,))
        reasons: list[Reason] = []
        for each in _conjuncts(source.condition):
            test = Where(each.place, name, each, source.element)
            test.type = source.type
            if self._value(test, scope, values):
                continue
            named = [
                reason for call in _restrictions(each) for reason in self._named(call, name, source, scope, values)
            ]
            failed = self._clause_text(self._cites) or self._words.say(messages.A_CONDITION)
            text = self._words.say(messages.CONDITION_FAILS, refusal=refusal, condition=failed)
            reasons += named or [Reason(text, self._cites, each.place)]
        return reasons or [Reason(refusal, self._cites, source.place)]

    def _named(
        self, call: Call, name: Name, source: Where, scope: tuple[Parameter, ...], values: tuple[Any, ...]
    ) -> list[Reason]:
        each = Each(call.place, name, call, source.element)
        each.type = ListType(call.type)
        return [self._item(site) for group in self._value(each, scope, values) for site in group]

    def _value(self, expr: Expr, scope: tuple[Parameter, ...], values: tuple[Any, ...]) -> Any:
        assert self._program is not None
        unit = emit_expression(self._program, expr, scope)
        return self._core.bind(unit, "ad_hoc")(*values)


def _conjuncts(condition: Expr) -> tuple[Expr, ...]:
    return condition.items if isinstance(condition, And) else (condition,)


def _restrictions(root: SyntaxNode) -> list[Call]:
    found = [root] if isinstance(root, Call) and isinstance(root.ref, Restrictions) else []
    return found + [each for child in children(root) for each in _restrictions(child)]
