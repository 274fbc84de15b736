"""What a game is played for, and how it stands, as text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from interpreter.console.narration import cite_suffix
from interpreter.console.standing_changes import StandingChange
from interpreter.language.visible_text import visible_line
from interpreter.play.game import Game
from interpreter.play.views.date import date_text
from interpreter.play.views.standing import Standing, StandingLevel, StandingPart
from interpreter.play.wording import messages, why_messages
from interpreter.play.wording.message import Message
from interpreter.play.wording.wording import Wording
from interpreter.rules.loading.ruleset import text_in

_INDENT = "  "


def result_text(game: Game) -> str:
    """Returns the result of a game that is over: who has won, and why."""
    words, result = game.source.wording, game.result
    assert result is not None
    winners = [words.of(each) for each in game.core.seats if each.id in result.winners]
    won = words.say(messages.WON_BY, winners=words.listed(winners))
    outcome = won if winners else words.say(messages.NOBODY_WON)
    return words.say(messages.ENDED, outcome=outcome, reason=words.word(result.reason)) if result.reason else outcome


def briefing_lines(game: Game, seat: str | None) -> list[str]:
    """Returns what a game is about and what it is played for; empty if its rules and its scenario say neither."""
    scenario = game.source.scenario
    about = "" if scenario is None else text_in(scenario.info.get("says"), game.source.wording.language)
    words = game.source.wording
    lines = [about] if about else []
    for each in _by_text(game.standing(seat)):
        lines.append(_head(each, words))
        lines += dict.fromkeys(f"{_INDENT}{_levels(condition, words)}" for condition in each if condition.levels)
        lines += _note_lines(_of_seat(each, seat), at_start=True)
    return [visible_line(each) for each in lines]


def standing_lines(game: Game, seat: str | None) -> list[str]:
    """Returns each condition of victory with its present value and everything that counts for it."""
    words = game.source.wording
    lines = []
    for each in _by_text(game.standing(seat)):
        lines.append(_head(each, words))
        for condition in each:
            for line in _part_lines(condition, words):
                titled = words.say(messages.STANDING_LINE, title=condition.title, line=line)
                lines.append(_INDENT + (titled if len(each) > 1 else line))
        lines += _note_lines(each)
    return [visible_line(each) for each in lines or [words.say(messages.NO_STANDING)]]


def item_lines(item: Standing, words: Wording) -> list[str]:
    """Returns one item with its value, its clauses, and everything that counts for it."""
    lines = [_value(item, words) + cite_suffix(item.cites), _INDENT + item.text]
    return [visible_line(each) for each in [*lines, *[_INDENT + line for line in _part_lines(item, words)]]]


def change_of_item(change: StandingChange | None, words: Wording) -> list[str]:
    """Returns the value of an item before its last change and the parts that changed, or that it never changed."""
    if change is None:
        return [words.say(why_messages.NEVER_CHANGED)]
    lines = [words.say(why_messages.LAST_CHANGED, value=_value(change.before, words))]
    if change.parts:
        lines.append(words.say(why_messages.CHANGED_PARTS, parts=words.join(change.parts)))
    return list(map(visible_line, lines))


def status_line(game: Game, seat: str | None) -> str:
    """Returns the time in the game and the present values of all conditions as one line; empty without either."""
    words = game.source.wording
    values = [_value(each, words) for each in game.standing(seat) if each.value is not None or each.level]
    return visible_line(
        words.say(messages.SEMICOLON).join(filter(None, dict.fromkeys([date_text(game, seat), *values])))
    )


def _of_seat(conditions: Sequence[Standing], seat: str | None) -> Sequence[Standing]:
    """Returns those of several conditions that a seat plays for; all where there are none."""
    return [each for each in conditions if seat in each.seats] or conditions


def _by_text(conditions: Sequence[Standing]) -> list[list[Standing]]:
    """Returns the conditions in groups that say the same."""
    return [list(group) for _, group in groupby(conditions, key=lambda each: (each.text, each.cites))]


def _head(conditions: Sequence[Standing], words: Wording) -> str:
    """Returns what wins by conditions that say the same, with their present values."""
    said = conditions[0].text
    values = [_value(each, words) for each in conditions if each.value is not None or each.level]
    if values:
        said = words.say(messages.STANDING_NOW, text=said, value=words.say(messages.SEMICOLON).join(values))
    return said + cite_suffix(conditions[0].cites)


def _note_lines(conditions: Sequence[Standing], *, at_start: bool = False) -> list[str]:
    """Returns the notes to conditions, each note once; with `at_start`, those for the start of the game."""
    notes = dict.fromkeys(note for each in conditions for note in each.notes if note.at_start or not at_start)
    return [f"{_INDENT}{each.text}{cite_suffix(each.cites)}" for each in notes]


def _value(condition: Standing, words: Wording) -> str:
    value = words.of(condition.value)
    if condition.goal is not None:
        goal = words.of(condition.goal)
        return words.say(messages.STANDING_GOAL, title=condition.title, value=value, goal=goal)
    if condition.level:
        return words.say(messages.STANDING_LEVEL, title=condition.title, value=value, level=condition.level)
    return words.say(messages.VALUE_OF, name=condition.title, value=value)


def _part_lines(condition: Standing, words: Wording) -> list[str]:
    counting = [each for each in condition.parts if each.value]
    lines = [_parts(messages.STANDING_COUNTED, counting, words)] if counting else []
    if open_parts := [each for each in condition.parts if each.most is not None and each.value != each.most]:
        lines.append(_parts(messages.STANDING_OPEN, open_parts, words))
    if condition.levels:
        lines.append(_levels(condition, words))
    return lines


def _levels(condition: Standing, words: Wording) -> str:
    names = words.say(messages.COMMA).join([_level(each, words) for each in condition.levels])
    return words.say(messages.STANDING_LEVELS, names=names)


def _parts(message: Message, parts: Sequence[StandingPart], words: Wording) -> str:
    return words.say(message, parts=words.say(messages.COMMA).join([_part(each, words) for each in parts]))


def _part(part: StandingPart, words: Wording) -> str:
    value, clauses = words.of(part.value), cite_suffix(part.cites).replace("  ", " ")
    if part.most is None or part.most == part.value:
        return words.say(messages.COUNTS, name=part.name, value=value) + clauses
    return words.say(messages.COUNTS_OF, name=part.name, value=value, most=words.of(part.most)) + clauses


def _level(level: StandingLevel, words: Wording) -> str:
    if level.least is None and level.most is None:
        return level.name
    message = messages.LEVEL_BETWEEN
    if level.least is None or level.most is None:
        message = messages.LEVEL_UP_TO if level.least is None else messages.LEVEL_FROM
    return words.say(message, name=level.name, least=words.of(level.least), most=words.of(level.most))
