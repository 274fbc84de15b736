"""Reads what a person types as an answer: an option, several at once, or an order that leads to a distant option."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from interpreter.console.option_labels import OptionGroup
from interpreter.console.order_text import plan_lines, plan_name
from interpreter.console.typed_words import Keyword, keyword_of, said_words
from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import decision_addresses
from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Act, encode, short_name
from interpreter.play.views.option_numbers import number_ranges
from interpreter.play.wording import messages
from interpreter.players.orders.order_execution import Expected, OpenAnswer, OrderExecution, staying
from interpreter.players.orders.order_plan import OrderPlan, PlannedAnswer, position_of
from interpreter.players.orders.plan_search import nearest_plan, plans_for
from interpreter.players.orders.wish import wish_of
from interpreter.world.things import Space, Thing

_MAX_NAME_LENGTH = 40
_LISTS = re.compile(r"\s*[,、]\s*")
_COMPONENTS = re.compile(r"[,、]\s*")
_BY = re.compile(r"\s+(?:by|via|経由)\s+", re.IGNORECASE)
_BEFORE_DETAILS = re.compile(r"\s*[(（]")
_TO = re.compile(r"\s+(?:to|から)\s+", re.IGNORECASE)


def _is_component(text: str, wanted: str) -> bool:
    """Whether a text between commas, such as the place of a piece, is what is wanted."""
    return wanted in _COMPONENTS.split(text)


_FITS: Final = (str.__eq__, str.startswith, _is_component, str.__contains__)
"""How a text may fit an option, the closest first: all of it, its beginning, a component of it, any part of it."""


class NoWayError(UsageError):
    """No way leads to the goal of an order; `nearest` is the plan that leads nearest, if any leads nearer."""

    def __init__(self, message: str, nearest: OrderPlan | None) -> None:
        super().__init__(message)
        self.nearest = nearest


class AnswerReader:
    """Reads answers to the open decision.

    `numbers` are the numbers of its `groups`. `last` are the latest answers of the person, by the address of their
    decisions.
    """

    def __init__(
        self, game: Game, groups: Sequence[OptionGroup], numbers: Sequence[int], last: Mapping[str, Expected]
    ) -> None:
        assert game.decision is not None
        self._game = game
        self._decision = game.decision
        self._words = game.decision.wording
        self._groups = groups
        self._numbers = numbers
        self._last = last
        self._are_values = are_numbers(self._decision.options)

    def option(self, text: str) -> int:
        """Returns the position of the option that a number, a name or a part of one means.

        Raises:
            UsageError: if it means none, or more than one.
        """
        position = self._numbered(text)
        return self._named(text) if position is None else position

    def read(self, text: str) -> tuple[OrderExecution, list[str]]:
        """Returns the order that a text gives, and what there is to say about it.

        Raises:
            UsageError: if the text means nothing here, or more than one thing.
        """
        seat = self._decision.seat
        several = None if self._whole_name(text) else self._several(text)
        if several is not None:
            return OrderExecution(seat, several), []
        if self._numbered(text) is None and self._leads_further(text) and (plan := self._plan(text, acts=True)):
            return OrderExecution.of(seat, plan), plan_lines(plan, self._words)
        return OrderExecution(seat, [self._expected(self.option(text))]), []

    def meaning(self, text: str) -> int | OrderPlan:
        """Returns the option that a text means, or the plan of an order that leads further.

        Raises:
            NoWayError: if the text is an order that cannot be carried out to its end.
            UsageError: if the text means nothing here, or more than one thing.
        """
        plan = self._plan(text) if self._numbered(text) is None and self._leads_further(text) else None
        if plan is None:
            return self.option(text)
        given = [each for each in plan.answers if not each.is_forced]
        only = position_of(self._decision, given[0].value) if len(given) == 1 else None
        return plan if only is None else only

    def plan(self, text: str) -> OrderPlan:
        """Returns the plan of an order that leads further than to an option of the decision.

        Raises:
            UsageError: if there is none.
        """
        plan = self._plan(text)
        if plan is None:
            raise UsageError(self._words.say(messages.NO_WAY, goal=text))
        return plan

    # ------------------------------------------------------------ one option
    def _numbered(self, text: str) -> int | None:
        """Returns the position that a number means; none if the text is no number."""
        digits = text.removeprefix("-")
        if not digits.isdecimal() or len(text) >= 10:
            return None
        if self._are_values:
            if int(text) in self._decision.options:
                return self._decision.options.index(int(text))
            numbers = number_ranges([each for each in self._decision.options if each is not None])
            raise UsageError(self._words.say(messages.NO_OPTION, typed=text, numbers=numbers))
        if digits == text and int(text) in self._numbers:
            return self._groups[self._numbers.index(int(text))].positions[0]
        raise UsageError(self._words.say(messages.NO_OPTION, typed=text, numbers=number_ranges(self._numbers)))

    def _named(self, text: str) -> int:
        decision, words = self._decision, self._words
        if set(decision.options) == {True, False} and text.casefold() in {"y", "n"}:
            return int(decision.options.index(text.casefold() == "y"))
        found = self._groups_named(text)
        if len(found) == 1:
            return found[0].positions[0]
        if found:
            names = words.say(messages.COMMA).join([each.text for each in found[:8]])
            raise UsageError(words.say(messages.AMBIGUOUS_OPTION, typed=text, names=names))
        problem = words.say(messages.UNKNOWN_OPTION, typed=text)
        short = [each.text for each in self._groups if len(each.text) <= _MAX_NAME_LENGTH]
        raise UsageError(words.say(messages.WITH_HELP_HINT, text=words.with_hint(problem, text, short)))

    def _groups_named(self, text: str, depth: int = len(_FITS)) -> list[OptionGroup]:
        """Returns the options that a text names: by the closest way of `_FITS` by which it names any.

        The text of an option goes before its id, which a person need not know.
        """
        wanted = text.casefold()
        for fits in _FITS[:depth]:
            if fits is str.__contains__:
                return self._containing(text)
            if found := [each for each in self._groups if fits(each.text.casefold(), wanted)]:
                return found
            if found := [each for each in self._groups if any(fits(name, wanted) for name in self._ids(each))]:
                return found
        return []

    def _containing(self, text: str) -> list[OptionGroup]:
        """Returns the options with a text as any part of their name; a verb names only what begins with it.

        'march' does not mean 'end the march' or 'Flank March'; what chooses nothing is named from its beginning.
        """
        if self._says_what_is_done(text):
            return []
        wanted = text.casefold()
        known = [each for each in self._groups if not self._declines(each)]
        found = [each for each in known if wanted in each.text.casefold()]
        return found or [each for each in known if any(wanted in name for name in self._ids(each))]

    def _declines(self, group: OptionGroup) -> bool:
        return [self._decision.options[at] for at in group.positions] == [None]

    def _things(self) -> list[OptionGroup]:
        return [each for each in self._groups if isinstance(self._decision.options[each.positions[0]], Thing)]

    def _things_named(self, text: str) -> list[OptionGroup]:
        """Returns the options that are things and have a text, unless it is a verb, as any part of their name."""
        if self._says_what_is_done(text):
            return []
        return [each for each in self._things() if text.casefold() in each.text.casefold()]

    def _ids(self, group: OptionGroup) -> list[str]:
        options = [self._decision.options[at] for at in group.positions]
        declines = self._words.words_for_none() if self._declines(group) else []
        return [*[short_name(each).casefold() for each in options], *declines]

    def _whole_name(self, text: str) -> bool:
        return bool(self._groups_named(text, depth=1))

    def _expected(self, position: int) -> Expected:
        return replace(as_expected(self._decision, position), picks=self._decision.live_picks)

    # ------------------------------------------------------------ several
    def _several(self, text: str) -> list[Expected] | None:
        """Returns the answers of a list such as `3 4 7`, `all` or `Ulm same`; none if the text is no list."""
        parts = [part for each in _LISTS.split(text) if each for part in self._split(each)]
        if len(parts) < 2 and (not parts or keyword_of(parts[0]) is None):
            return None
        answers: list[Expected] = []
        used: dict[int, int] = {}
        for part in parts:
            answers.append(self._one_of_several(part, answers, used))
        if self._decision.live_picks is not None and answers[-1].value is not None:
            answers.append(Expected(self._decision.address, None, "", self._decision.live_picks, optional=True))
        return answers

    def _split(self, text: str) -> list[str]:
        """Splits at blanks what consists of numbers and keywords, and a keyword from the option before it."""
        words = text.split()
        if all(each.isdecimal() or keyword_of(each) is not None for each in words):
            return words
        if len(words) > 1 and keyword_of(words[-1]) is not None and self._groups_named(" ".join(words[:-1])):
            return [" ".join(words[:-1]), words[-1]]
        return [text]

    def _one_of_several(self, part: str, before: Sequence[Expected], used: dict[int, int]) -> Expected:
        decision, words = self._decision, self._words
        address, picks = decision.address, decision.live_picks
        match None if self._whole_name(part) else keyword_of(part):
            case Keyword.ALL:
                if picks is None or decision.kind == "assign":
                    raise UsageError(words.say(messages.NO_ALL, typed=part))
                return Expected(address, OpenAnswer.NEXT, part, picks, repeats=True, optional=True)
            case Keyword.SAME:
                last = before[-1] if before else self._last.get(address)
                if last is None:
                    raise UsageError(words.say(messages.NOTHING_BEFORE, typed=part))
                return replace(last, picks=picks, repeats=True, optional=True)
            case Keyword.DONE:
                if not before and None not in decision.options:
                    raise UsageError(words.say(messages.NOT_DONE, typed=part))
                return Expected(address, None, part, picks, optional=bool(before))
            case Keyword.STAY:
                if staying(decision) is None:
                    raise UsageError(words.say(messages.NOTHING_STAYS, typed=part))
                return Expected(address, OpenAnswer.STAY, part, picks)
        position = self._numbered(part)
        position = self._named(part) if position is None else position
        group = next(each for each in self._groups if position in each.positions)
        turn = used.get(group.positions[0], 0)
        used[group.positions[0]] = turn + 1
        return self._expected(group.positions[min(turn, len(group.positions) - 1)])

    # ------------------------------------------------------------ orders
    def _leads_further(self, text: str) -> bool:
        """Whether a text may mean something beyond the options: at most a part in the middle of a name fits it."""
        return len(self._groups_named(text, depth=len(_FITS) - 1)) == 0

    def _begun(self, text: str) -> list[OptionGroup]:
        """Returns the options that the beginning of an order names, by number or name; none chooses nothing.

        In Japanese, where a verb comes last, an action is named by any word of its name before its details.
        """
        if text.isdecimal() and len(text) < 10 and not self._are_values:
            return [each for each, number in zip(self._groups, self._numbers, strict=True) if number == int(text)]
        named = [each for each in self._groups_named(text, depth=len(_FITS) - 1) if not self._declines(each)]
        if named := named or self._things_named(text):
            return named
        actions = [each for each in self._groups if isinstance(self._decision.options[each.positions[0]], Act)]
        said = [] if text.isascii() else [(each, said_words(_BEFORE_DETAILS.split(each.text)[0])) for each in actions]
        return [each for each, words in said if text in words]

    def _plan(self, text: str, *, acts: bool = False) -> OrderPlan | None:
        """Returns the plan for `[OPTION] GOAL [by PLACE …]`; none if nothing leads there.

        What `acts` names the action of a menu itself.
        """
        order, *via = _BY.split(text)
        words = order.split()
        known, known_start, known_first = "", "", None
        for count in range(len(words) - 1, -1, -1):
            goal = " ".join(words[count:]).removeprefix("to ")
            begun = self._begun(" ".join(words[:count])) if count else []
            if (count and len(begun) != 1) or not goal:
                continue
            first = begun[0].positions[0] if begun else None
            *starts, goal = _TO.split(goal)
            start, *passed = starts or [""]
            is_known = wish_of(self._game, self._decision.seat, goal).is_known
            if not known and is_known:
                known, known_start, known_first = goal, start, first
            if not count and not is_known and self._decision.kind != "menu":
                continue  # the answer to a later question says nothing about this one
            found = self._plans(goal, start, [*passed, *via], first)
            if found and first is None:
                self._check_number_is_given(text)
            if found and acts:
                self._check_actions_are_named(goal, found, first)
            plans = [each for each in found if self._is_said(each, goal, first)]
            if found and not plans and not count:
                raise self._no_answer_now(text)
            if plans and all(each.answers[0].is_open for each in plans):
                return min(plans, key=lambda each: len(each.reactions))  # what is asked now is left to the seat
            ways = list(dict.fromkeys([plan_name(each, self._words) for each in plans]))
            if len(ways) == 1:
                return self._explained(plans[0], " ".join(words[:count]), goal, first)
            if ways:
                names = self._words.say(messages.SEMICOLON).join(ways[:8])
                raise UsageError(self._words.say(messages.AMBIGUOUS_ORDER, typed=goal, names=names))
        self._check_verb(words)
        if known and not self._groups_named(text):
            nearest = nearest_plan(self._game, known, start=known_start, first=known_first)
            if nearest is not None and nearest.is_part and not via:
                return nearest
            raise NoWayError(self._no_way(known, known_first, nearest), nearest)
        self._check_one_thing(words)
        return None

    def _check_number_is_given(self, order: str) -> None:
        """Raises UsageError for an order that would choose a number which its giver has not named."""
        if self._are_values and len(self._decision.options) > 1:
            example = f"{max(self._decision.options)} {order}"
            raise UsageError(self._words.say(messages.NUMBER_FIRST, order=order, example=example))

    def _check_actions_are_named(self, goal: str, plans: Sequence[OrderPlan], first: int | None) -> None:
        """Raises UsageError for a place at a menu to which a plan leads by actions that are not named.

        Where the menu has one action alone, that need not be named.
        """
        actions = {at: each for at, each in enumerate(self._decision.options) if isinstance(each, Act)}
        named = 0 if first is None and len(actions) > 1 else 1
        ways = [each for each in plans if each.answers[-1].is_space]
        unnamed = [each for plan in ways for each in _first_actions(plan)[named:] if not _is_said_or_asked(each)]
        if self._decision.kind != "menu" or not unnamed:
            return
        direct = [
            plan
            for at in (actions if first is None else ())
            for plan in plans_for(self._game, goal, first=at, repeats=False)
        ]
        names = list(dict.fromkeys([plan_name(each, self._words) for each in (*direct, *plans)]))
        shown = self._words.say(messages.SEMICOLON).join(names[:8])
        example = self._example((direct or plans)[0], goal)
        raise UsageError(self._words.say(messages.ACTION_FIRST, goal=goal, names=shown, example=example))

    def _example(self, plan: OrderPlan, goal: str) -> str:
        """Returns an order that names the actions with which a plan begins, the first by its number."""
        start, *more = _first_actions(plan)
        at = position_of(self._decision, start.value)
        pairs = zip(self._groups, self._numbers, strict=True)
        number = next(number for group, number in pairs if at in group.positions)
        return f"{'; '.join([str(number), *[_BEFORE_DETAILS.split(each.text)[0] for each in more]])} {goal}"

    def _explained(self, plan: OrderPlan, verb: str, goal: str, first: int | None) -> OrderPlan:
        """Returns a plan with an order that leads to its goal, if it only begins an action there."""
        if first is None or not plan.only_begins or self._decision.kind != "menu":
            return plan
        others = plans_for(self._game, goal, first=first, goes=True)
        start = next((each.text for other in others for each in other.answers if each.is_space), plan.places[-1])
        order = self._words.say(messages.ORDER_FROM_TO, action=verb, start=start, goal=goal)
        return replace(plan, other_order=order) if start != plan.places[-1] else plan

    def _check_verb(self, words: Sequence[str]) -> None:
        """Raises UsageError for an order that begins with an action that is not among the options."""
        for count in range(len(words), 0, -1):
            order = " ".join(words[:count])
            if self._says_what_is_done(order) and not self._groups_named(order):
                raise self._no_answer_now(order, goal=" ".join(words[count:]))

    def _no_answer_now(self, order: str, goal: str = "") -> UsageError:
        """Returns that an order answers another question than the open one, with an order that leads to its goal."""
        who = self._words.of(self._decision.seat_object)
        asked = self._words.say(messages.IS_ASKED, who=who, question=self._decision.prompt)
        plans = self._plans(goal, "", [], None) if goal and self._decision.kind == "menu" else []
        verb = order.casefold()
        if later := [each for each in plans if any(end.text.casefold().startswith(verb) for end in each.answers[1:])]:
            example = self._example(later[0], goal)
            return UsageError(self._words.say(messages.AN_ORDER_LATER, order=order, asked=asked, example=example))
        return UsageError(self._words.say(messages.NOT_AN_ORDER_NOW, order=order, asked=asked))

    def _is_verb(self, text: str) -> bool:
        """Whether a text is the id, or the first words of the name, of an action."""
        wanted = f"{text.casefold()} "
        names = (name for each in self._game.core.image.actions for name in (each.name, self._words.word(each.name)))
        return any(f"{name.casefold()} ".startswith(wanted) for name in names)

    def _says_what_is_done(self, text: str) -> bool:
        """Whether a text names an action, or a procedure that asks something."""
        procedures = {each.partition(".")[0] for each in decision_addresses(self._game.core.image)}
        return self._is_verb(text) or text.casefold() in procedures

    def _no_way(self, goal: str, first: int | None, nearest: OrderPlan | None) -> str:
        """Returns that no way leads to a goal: how far one leads, or the first reason of the question against it.

        What is named alone may also be meant as the answer itself: then there are both.
        """
        if nearest is not None:
            beyond = self._words.say(messages.NO_WAY_BEYOND, goal=goal, place=nearest.places[-1])
            is_alone = first is None and self._decision.kind != "menu"
            reasons = self._game.why_not_option(self._decision.seat, goal) if is_alone else []
            return "\n".join([beyond, *[f"  {each}" for each in reasons[:1]]])
        option = None if first is None else self._decision.options[first]
        action = option.name if isinstance(option, Act) else ""
        reasons = self._game.why_not_option(self._decision.seat, goal, action)
        if reasons and action:
            label = self._decision.label(option)
            return self._words.say(messages.NO_WAY_FIRST, first=label, goal=goal, reason=reasons[0])
        if not reasons:
            return self._words.say(messages.NO_WAY, goal=goal)
        return self._words.say(messages.NO_WAY_BECAUSE, goal=goal, reason=reasons[0])

    def _check_one_thing(self, words: Sequence[str]) -> None:
        """Raises UsageError for two names of things of which neither is an option, such as a piece and a place."""
        if self._groups_named(" ".join(words)):
            return
        for count in range(len(words) - 1, 0, -1):
            names = " ".join(words[:count]), " ".join(words[count:])
            if all(self._is_on_map(each) for each in names):
                first, goal = names
                raise UsageError(self._words.say(messages.TWO_THINGS, first=first, goal=goal))

    def _is_on_map(self, name: str) -> bool:
        """Whether a name means a space of the map, or what is there; without a map, any space."""
        spaces = [each for each in self._game.core.world.objects if isinstance(each, Space)]
        wish = wish_of(self._game, self._decision.seat, name)
        return any(each.ref in wish.things for each in [each for each in spaces if each.neighbours] or spaces)

    def _plans(self, goal: str, start: str, via: Sequence[str], first: int | None) -> list[OrderPlan]:
        """Returns the plans for a goal; at a menu, a goal alone means first what an action is about."""
        is_bare = first is None and self._decision.kind == "menu"
        plans = plans_for(self._game, goal, start=start, via=via, first=first, repeats=False) if is_bare else []
        return plans or plans_for(self._game, goal, start=start, via=via, first=first)

    def _is_said(self, plan: OrderPlan, goal: str, first: int | None) -> bool:
        """Whether an order says all that its plan chooses, but for a way to a place.

        The name of a card that may be played later does not choose who marches, or that anybody does.
        """
        start, end, in_menu = plan.answers[0], plan.answers[-1], self._decision.kind == "menu"
        leads_on = end.is_place and (start.is_space or _is_said_or_asked(start))
        if first is None and not in_menu and not leads_on:
            return False
        if end.is_space:
            return True
        if self._says_what_is_done(goal) and not end.text.casefold().startswith(goal.casefold()):
            return False
        begins = 1 if first is not None or (in_menu and end.is_place) else 0
        return all(_is_said_or_asked(each) for each in plan.answers[begins:])


def as_expected(decision: Decision, position: int) -> Expected:
    """Returns an answer in the form in which it can be given again."""
    option = decision.options[position]
    return Expected(decision.address, encode(option), decision.label(option))


def _first_actions(plan: OrderPlan) -> list[PlannedAnswer]:
    """Returns the actions and choices with which a plan begins, before the first thing."""
    return list(takewhile(lambda each: not each.is_place, plan.answers))


def _is_said_or_asked(answer: PlannedAnswer) -> bool:
    return answer.is_fulfilling or answer.is_open or answer.is_forced


def are_numbers(options: Sequence[Any]) -> bool:
    """Whether all options are numbers, which are typed themselves."""
    return all(isinstance(each, int) and not isinstance(each, bool) for each in options)
