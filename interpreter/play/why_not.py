"""The reasons why an action, or one of its picks, is not available to a seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.emitted_names import LEGAL, PICK
from interpreter.language.model.image import ActionImage, Site
from interpreter.language.model.program import Action, Item, Parameter, Program
from interpreter.language.tree.statements import And, Call, Expr
from interpreter.language.tree.types import EnumType, KindType, present
from interpreter.play.engine.engine import GameEngine
from interpreter.play.engine.simultaneous import is_after_others
from interpreter.play.inputs.value_codec import Act, short_name
from interpreter.play.refusals import Reason, Refusals, different, restrictions
from interpreter.play.rule_reading import RuleScope
from interpreter.play.views.open_menu import menu_arguments
from interpreter.play.views.quiet_query import removed_from_board
from interpreter.play.views.thing_names import ThingNames
from interpreter.play.views.visibility import Visibility
from interpreter.play.wording import messages
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Thing, Word


def why_not(
    game: GameEngine, action: str, picks: Mapping[str, Any], visibility: Visibility | None = None
) -> list[Reason]:
    """Returns the reasons against an action with these picks (ids or values) now; empty if it is available.

    `visibility` is that of the game's own objects, if what is hidden from the seat has been taken off the board.

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
    if game.traced and visibility is None:
        picks = {name: short_name(value) if isinstance(value, Thing | Word) else value for name, value in picks.items()}
        game = game.twin()
    game.core.begin_query()
    arguments = _offered(game, image)
    if isinstance(arguments, list):
        return arguments
    if is_after_others(game):
        refusal = words.say(messages.NOT_OFFERED, value=words.word(action))
        options = () if game.decision is None else game.decision.options
        is_offered = not picks and any(each.name == action for each in options if isinstance(each, Act))
        return [] if is_offered else [Reason(words.say(messages.NO_REASONS_YET, refusal=refusal))]
    if visibility is None:
        seat = game.decision.seat_object if game.decision else None
        visibility = Visibility(game.core, seat).precomputed()
    with game.core.faults():
        return _Inquiry(game, image, arguments, visibility).reasons(picks)


def _offered(game: GameEngine, action: ActionImage) -> list[Reason] | tuple[Any, ...]:
    """Returns the arguments of the action's open menu, or the reasons why it is not open."""
    words = game.source.wording
    if game.decision is None:
        return [Reason(_closed(game))]
    menu = next(each for each in game.core.image.menus if each.name == action.menu)
    arguments = menu_arguments(game, action)
    who = game.decision.wording.of(game.decision.seat_object)
    asked = words.say(messages.IS_ASKED, who=who, question=game.decision.prompt)
    if arguments is None:
        site = next((each for each in game.core.image.sites if _opens(each, menu.name)), None)
        own = words.menu_prompt(site, menu.prompt)
        text = messages.OTHER_QUESTION if own else messages.SOME_OTHER_QUESTION
        return [Reason(words.say(text, action=words.word(action.name), question=own, asked=asked), menu.cites)]
    if game.decision.kind == "pick":
        return [Reason(words.say(messages.OTHER_ACTION, asked=asked), menu.cites)]
    return arguments


def _closed(game: GameEngine) -> str:
    words, result = game.source.wording, game.result
    if result is None:
        return words.say(messages.GAME_STOPPED)
    winners = [words.of(each) for each in game.core.seats if each.id in result.winners]
    return words.say(messages.GAME_OVER, result=words.ending(winners, result.reason))


def _opens(site: Site, menu: str) -> bool:
    return site.kind == "menu" and site.address.rpartition(".")[2] == menu


_MAX_TRIED = 12
"""The most values of a pick that are followed to the picks after it."""
_MAX_REASONS = 3


class _Inquiry:
    """Evaluates the conditions of one action one by one, on the objects of the game."""

    def __init__(
        self, game: GameEngine, image: ActionImage, arguments: tuple[Any, ...], visibility: Visibility
    ) -> None:
        self._core = game.core
        self._words: Wording = game.source.wording
        self._image = image
        self._arguments = arguments
        self._visibility = visibility
        self._names = ThingNames(game, self._visibility)
        ruleset = game.source.ruleset
        self._program: Program | None = ruleset.program if ruleset is not None else None
        self._action: Action | None = self._program.actions[image.name] if self._program is not None else None
        clauses = {} if ruleset is None else ruleset.clauses
        self._refusals = Refusals(self._core, self._program, self._words, clauses, self._visibility)

    def reasons(self, picks: Mapping[str, Any]) -> list[Reason]:
        """Returns the failed needs; else the reasons against the first refused pick."""
        if self._action is not None and self._program is not None:
            takes = self._program.menus[self._action.menu].takes
            failed = [each for need in self._action.needs for each in self._need(need, takes)]
            if failed:
                return different(failed)
        return self._picks(picks)

    def _picks(self, picks: Mapping[str, Any]) -> list[Reason]:
        values: list[Any] = []
        for number, pick in enumerate(self._image.picks):
            options = self._core.names[PICK(self._image.name, pick.name)](*self._arguments, *values)
            if not options:
                return self._nothing_to_pick(number, values)
            if pick.name not in picks:
                return []
            wanted = self._resolve(number, picks[pick.name])
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
            if condition is not None and bool(self._value(condition, takes)) is not wanted:
                reasons += self._failed(condition, need, takes)
        return reasons

    def _failed(self, condition: Expr, need: Item, takes: tuple[Parameter, ...]) -> list[Reason]:
        cites = need.cites or self._image.cites
        reasons: list[Reason] = []
        for each in _conjuncts(condition):
            if each is not condition and self._value(each, takes):
                continue
            named = [self._items(call, takes) for call in restrictions(each)]
            reasons += [reason for group in named for reason in group] or [Reason(self._said(need), cites, each.place)]
        return reasons

    def _said(self, need: Item) -> str:
        said = self._words.said(need.says, need.texts)
        return said or self._refusals.clause_text(need.cites or self._image.cites) or self._words.word(need.name)

    # ------------------------------------------------------------ picks

    def _items(self, call: Call, takes: tuple[Parameter, ...]) -> list[Reason]:
        return [self._refusals.item(site) for site in self._value(call, takes)]

    def _value(self, expr: Expr, takes: tuple[Parameter, ...]) -> Any:
        return self._refusals.evaluate(expr, RuleScope(takes, self._arguments))

    def _nothing_to_pick(self, number: int, values: list[Any]) -> list[Reason]:
        """Returns what keeps all that could be picked from it, of those that it nearly could be first."""
        text = self._words.say(messages.NOTHING_TO_PICK, pick=self._words.word(self._image.picks[number].name))
        source, hidden = self._source(number, values), self._visibility.hidden()
        if source is not None:
            with removed_from_board(self._core, hidden):
                found = self._refusals.against_all(*source, text) or self._leading_nowhere(number, values, source)
            if found:
                return found
        return [Reason(text, self._image.cites)]

    def _leading_nowhere(self, number: int, values: list[Any], source: tuple[Expr, RuleScope]) -> list[Reason]:
        """Returns why nothing can be picked next after the first values that could be picked."""
        if number + 1 == len(self._image.picks):
            return []
        possible = self._refusals.evaluate(*source)
        found = [
            each for value in possible[:_MAX_TRIED] for each in self._nothing_to_pick(number + 1, [*values, value])
        ]
        return different(found)[:_MAX_REASONS]

    def _source(self, number: int, values: list[Any]) -> tuple[Expr, RuleScope] | None:
        """Returns the expression of what can be picked, and the names in it."""
        if self._action is None or self._program is None:
            return None
        menu, before = self._program.menus[self._action.menu], self._action.picks[:number]
        takes = (*menu.takes, *[each.parameter for each in before])
        scope = RuleScope(takes, (*self._arguments, *values), self._image.cites)
        return self._action.picks[number].of, scope

    def _refused(self, number: int, wanted: Any, values: list[Any]) -> list[Reason]:
        pick, found = self._image.picks[number], self._source(number, values)
        say, name = self._words.say, self._words.word(pick.name)
        if found is None:
            return [Reason(say(messages.REFUSED, value=short_name(wanted), pick=name), self._image.cites)]
        source, scope = found
        refusal = say(messages.REFUSED, value=self._words.of(wanted), pick=name)
        if self._refusals.holds(wanted, source, scope):
            following = self._words.word(self._image.picks[number + 1].name)
            text = say(messages.THEN_NOTHING, refusal=refusal, pick=following)
            return [Reason(text, self._image.cites)]
        with removed_from_board(self._core, self._visibility.hidden()):
            return self._refusals.against(wanted, source, scope, refusal)

    def _resolve(self, number: int, wanted: Any) -> Any:
        """Returns the value that an id or a name means as a pick of the action."""
        kind = None if self._action is None else present(self._action.picks[number].parameter.type)
        if not isinstance(wanted, str) or not isinstance(kind, KindType | EnumType):
            return wanted
        try:
            return self._core.find(kind.name, wanted)
        except UsageError:
            named = self._names.named(wanted)
            found = next((each for each in named if kind.name in each.lineage), None)
            if found is None:
                raise
            return found


def _conjuncts(condition: Expr) -> tuple[Expr, ...]:
    return condition.items if isinstance(condition, And) else (condition,)
