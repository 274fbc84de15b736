"""Why not: the reasons for which an action, or a pick of it, is not open to a seat."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.language.codegen.emit import emit_expression
from interpreter.language.diagnostics import NOWHERE, Place, UsageError
from interpreter.language.model.image import ActionImage, Site
from interpreter.language.model.program import Action, Definition, Item, Parameter, Pick, Program, Restrictions
from interpreter.language.tree.statements import And, Call, Each, Expr, Name, SyntaxNode, Where
from interpreter.language.tree.traversal import children
from interpreter.language.tree.types import EnumType, KindType, ListType, SetType, present
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.value_codec import short
from interpreter.play.wording import messages as said
from interpreter.play.wording.wording import Wording, readable
from interpreter.world.things import Thing, Word


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that stands in the way: in words, with its clauses and the place of its rule."""

    text: str
    cites: tuple[str, ...] = ()
    place: Place = NOWHERE

    def __str__(self) -> str:
        return self.text + (f" [{', '.join(self.cites)}]" if self.cites else "")


def why_not(game: GameEngine, action: str, picks: Mapping[str, Any]) -> list[Reason]:
    """What stands in the way of an action with these picks (ids or values) now; empty if nothing does.

    Raises:
        UsageError: if there is no such action, or it has no such pick.
    """
    images, words = {each.name: each for each in game.core.image.actions}, game.setting.wording
    if action not in images:
        raise UsageError(words.hinted(words.say(said.NO_SUCH_ACTION, action=action), action, images))
    image = images[action]
    known = [each.name for each in image.picks]
    for name in picks:
        if name not in known:
            refusal = words.say(said.NO_SUCH_PICK, action=action, pick=name)
            none = words.say(said.HINTED, said=refusal, hint=words.say(said.NO_PICKS))
            raise UsageError(words.hinted(refusal, name, known) if known else none)
    if game.traced:
        picks = {name: short(value) if isinstance(value, Thing | Word) else value for name, value in picks.items()}
        game = game.twin()
    game.core.look()
    given = _offered(game, image)
    if isinstance(given, list):
        return given
    return _Inquiry(game, image, given).reasons(picks)


def _offered(game: GameEngine, action: ActionImage) -> list[Reason] | tuple[Any, ...]:
    """The arguments with which the action's menu is offered now, or why it is not."""
    words = game.setting.wording
    if game.decision is None:
        over = words.say(said.GAME_OVER, result=game.result) if game.result else words.say(said.GAME_STOPPED)
        return [Reason(over)]
    menu = next(each for each in game.core.image.menus if each.name == action.menu)
    generator = game.asking_rule
    asked = words.say(said.IS_ASKED, who=words.of(game.decision.seat_object), question=game.decision.prompt)
    if generator is None or generator.gi_code.co_name != f"mt_{menu.name}":
        own = readable(menu.prompt or menu.name)
        name = words.word(action.name)
        return [Reason(words.say(said.OTHER_QUESTION, action=name, question=own, asked=asked), menu.cites)]
    if game.decision.kind == "pick":
        return [Reason(words.say(said.OTHER_ACTION, asked=asked), menu.cites)]
    local = generator.gi_frame.f_locals
    return tuple(local[f"v_{name}"] for name in menu.takes)


class _Inquiry:
    """Asks the conditions of one action one by one, on the objects of the game."""

    def __init__(self, game: GameEngine, image: ActionImage, given: tuple[Any, ...]) -> None:
        self._core = game.core
        self._words: Wording = game.setting.wording
        self._image = image
        self._given = given
        self._cites = image.cites
        """The clauses of the text that refuses: the action's, or those of the definition it picks from."""
        ruleset = game.setting.ruleset
        self._program: Program | None = ruleset.program if ruleset is not None else None
        self._action: Action | None = self._program.actions[image.name] if self._program is not None else None

    def reasons(self, picks: Mapping[str, Any]) -> list[Reason]:
        """The needs that fail; else the first pick that can't be made so."""
        if self._action is not None and self._program is not None:
            takes = self._program.menus[self._action.menu].takes
            failed = [each for need in self._action.needs for each in self._need(need, takes)]
            if failed:
                return failed
        return self._picks(picks)

    def _picks(self, picks: Mapping[str, Any]) -> list[Reason]:
        values: list[Any] = []
        for number, pick in enumerate(self._image.picks):
            options = self._core.names[f"ap_{self._image.name}__{pick.name}"](*self._given, *values)
            if not options:
                return [
                    Reason(self._words.say(said.NOTHING_TO_PICK, pick=self._words.word(pick.name)), self._image.cites)
                ]
            if pick.name not in picks:
                return []
            wanted = picks[pick.name]
            value = next((each for each in options if each == wanted or short(each) == wanted), None)
            if value is None:
                return self._refused(number, wanted, values)
            values.append(value)
        if not self._core.names[f"al_{self._image.name}"](*self._given):
            name = self._words.word(self._image.name)
            return [Reason(self._words.say(said.NOT_OPEN, action=name), self._image.cites)]
        return []

    # ------------------------------------------------------------ needs
    def _need(self, need: Item, takes: tuple[Parameter, ...]) -> list[Reason]:
        reasons: list[Reason] = []
        for condition, wanted in ((need.when, True), (need.unless, False)):
            if condition is not None and bool(self._value(condition, takes, self._given)) is not wanted:
                reasons += self._failed(condition, need, takes)
        return reasons

    def _failed(self, condition: Expr, need: Item, takes: tuple[Parameter, ...]) -> list[Reason]:
        cites = need.cites or self._image.cites
        found: list[Reason] = []
        for each in _conjuncts(condition):
            if each is not condition and self._value(each, takes, self._given):
                continue
            named = [self._restriction(call, takes, self._given) for call in _restrictions(each)]
            found += [reason for group in named for reason in group] or [
                Reason(need.says or _said(each, readable(need.name)), cites, each.place)
            ]
        return found

    def _restriction(self, call: Call, takes: tuple[Parameter, ...], given: tuple[Any, ...]) -> list[Reason]:
        return [self._item(site) for site in self._value(call, takes, given)]

    def _item(self, site: Site) -> Reason:
        rule = readable(site.rule.partition("/")[2])
        return Reason(site.prompt or f"{rule}: {site}", site.cites, site.place)

    # ------------------------------------------------------------ picks
    def _refused(self, number: int, wanted: Any, values: list[Any]) -> list[Reason]:
        pick = self._image.picks[number]
        say = self._words.say
        refusal = say(said.REFUSED, value=short(wanted), pick=self._words.word(pick.name))
        if self._action is None or self._program is None:
            return [Reason(refusal, self._cites)]
        own = self._action.picks[number]
        takes = (
            *self._program.menus[self._action.menu].takes,
            *[each.parameter for each in self._action.picks[:number]],
        )
        given = (*self._given, *values)
        value = self._found(own, wanted)
        source: Expr = own.of
        while isinstance(source, Call) and isinstance(source.ref, Definition) and source.ref.value is not None:
            given = tuple([self._value(each, takes, given) for each in source.ordered])
            self._cites = source.ref.cites or self._cites
            takes, source = source.ref.takes, source.ref.value
        while isinstance(source, Where):
            inner = self._value(source.of, takes, given)
            if value in inner:
                return self._filtered(source, value, takes, given, refusal)
            source = source.of
        if value in self._value(source, takes, given):
            following = self._words.word(self._image.picks[number + 1].name)
            return [Reason(say(said.THEN_NOTHING, refusal=refusal, pick=following), self._cites)]
        those = _said(source, say(said.WHAT_THERE_IS))
        return [Reason(say(said.NOT_AMONG, refusal=refusal, those=those), self._cites, source.place)]

    def _found(self, pick: Pick, wanted: Any) -> Any:
        kind = present(pick.parameter.type)
        if isinstance(wanted, str) and isinstance(kind, KindType | EnumType):
            return self._core.find(kind.name, wanted)
        return wanted

    def _filtered(
        self, source: Where, value: Any, takes: tuple[Parameter, ...], given: tuple[Any, ...], refusal: str
    ) -> list[Reason]:
        """Each conjunct of a `where` that a value fails, asked of a set that holds nothing else."""
        alone = Parameter(name="candidates__", type=SetType(KindType("thing")))
        name = Name(source.place, "candidates__")
        name.ref, name.type = alone, source.of.type
        scope, values = (*takes, alone), (*given, (value,))
        found: list[Reason] = []
        for each in _conjuncts(source.condition):
            test = Where(each.place, name, each, source.element)
            test.type = source.type
            if self._value(test, scope, values):
                continue
            named = [
                reason for call in _restrictions(each) for reason in self._named(call, name, source, scope, values)
            ]
            failed = _said(each, self._words.say(said.A_CONDITION))
            text = self._words.say(said.CONDITION_FAILS, refusal=refusal, condition=failed)
            found += named or [Reason(text, self._cites, each.place)]
        return found or [Reason(refusal, self._cites, source.place)]

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


def _said(expr: Expr, otherwise: str) -> str:
    """A condition as its document words it; `otherwise` where that can't be read any more."""
    place = expr.place
    try:
        line = Path(place.file).read_text(encoding="utf-8").splitlines()[place.line - 1]
    except (OSError, IndexError):
        return otherwise
    return f"'{_clipped(line[place.column - 1 :])}'" if place.line else otherwise


_ENDS = re.compile(r",\s|\s(?:and|or|#|@)|\s*$")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def _clipped(text: str) -> str:
    """The beginning of a line up to where an expression in it ends: a closing bracket, a comma, the next condition."""
    depth = 0
    for number, sign in enumerate(text):
        depth += _BRACKETS.get(sign, 0)
        if depth < 0 or (not depth and _ENDS.match(text, number)):
            return text[:number].strip().strip('"')
    return text.strip()
