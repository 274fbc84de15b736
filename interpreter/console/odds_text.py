"""The odds of what lies before a player, as text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from interpreter.console.prompt_commands import modifier_lines
from interpreter.inference.ahead import AheadOdds, OpenChoice
from interpreter.inference.odds import QUANTILES
from interpreter.inference.watched_calls import Assumption
from interpreter.language.visible_text import visible_line
from interpreter.play.wording import messages, odds_messages
from interpreter.play.wording.text_table import table_lines
from interpreter.play.wording.wording import Wording

_MAX_ROWS = 8
_MAX_ASSUMPTIONS = 4
_MAX_ANSWERS = 6


def ahead_lines(found: AheadOdds | OpenChoice | None, words: Wording) -> list[str]:
    """Returns what lies ahead: the odds, or the choice on which they depend, or that nothing follows."""
    if found is None:
        return [words.say(odds_messages.NO_ODDS)]
    if isinstance(found, AheadOdds):
        return odds_lines(found, words)
    answers = list(found.answers[:_MAX_ANSWERS])
    if len(found.answers) > _MAX_ANSWERS:
        answers.append(words.say(odds_messages.ODDS_DEPEND_OTHERS, count=len(found.answers) - _MAX_ANSWERS))
    text = words.say(odds_messages.ODDS_DEPEND, question=found.question, answers=words.join(answers))
    return [visible_line(text)]


def odds_lines(found: AheadOdds, words: Wording) -> list[str]:
    """Returns the odds of a procedure: its name, the assumptions, the modifiers, the likeliest outcomes, the means."""
    lines = [_head(found, words), *_assumption_lines(found.assumptions, words), *modifier_lines(found.modifiers)]
    lines += [*_rows(found, words), *_means(found, words)]
    return [visible_line(each) for each in lines]


def _head(found: AheadOdds, words: Wording) -> str:
    arguments = words.join([words.say(messages.VALUE_OF, name=name, value=value) for name, value in found.arguments])
    procedure = words.rule(found.procedure)
    if found.is_exact:
        return words.say(odds_messages.ODDS_EXACT, procedure=procedure, arguments=arguments)
    reached = _percent(found.reached)
    return words.say(
        odds_messages.ODDS_ESTIMATED, procedure=procedure, arguments=arguments, samples=found.samples, reached=reached
    )


def _assumption_lines(assumptions: tuple[Assumption, ...], words: Wording) -> Iterator[str]:
    for each in assumptions[-_MAX_ASSUMPTIONS:]:
        yield "  " + words.say(odds_messages.ODDS_ASSUME, who=each.seat, question=each.question, answer=each.answer)


def _rows(found: AheadOdds, words: Wording) -> list[str]:
    rows = found.odds.rows
    header = [words.word(name) for name in found.odds.names]
    table = [
        ["", *[_value(each, words) for each in outcome], _share(found, probability)]
        for outcome, probability in rows[:_MAX_ROWS]
    ]
    if len(rows) > _MAX_ROWS:
        others = sum((probability for _, probability in rows[_MAX_ROWS:]), Fraction(0))
        table.append(["", words.say(odds_messages.ODDS_OTHERS, count=len(rows) - _MAX_ROWS), *[""] * (len(header) - 1)])
        table[-1].append(_share(found, others))
    return table_lines(["", *header, ""], table, right=(len(header) + 1,))


def _share(found: AheadOdds, share: Fraction) -> str:
    text = _percent(share)
    return text if found.is_exact else f"{text} ±{100 * found.error_of(share):.1f}"


def _percent(share: Fraction) -> str:
    return "100 %" if share == 1 else f"{100 * float(share):.1f} %"


def _means(found: AheadOdds, words: Wording) -> Iterator[str]:
    for name in found.odds.names if len(found.odds.rows) > 1 else ():
        mean = found.odds.mean(name)
        if mean is not None and len(found.odds.of(name)) > 1:
            low, _, high = [found.odds.quantile(name, each) for each in QUANTILES]
            yield "  " + words.say(
                odds_messages.ODDS_MEAN, name=words.word(name), mean=f"{float(mean):.2f}", low=low, high=high
            )


def _value(text: str, words: Wording) -> str:
    """Returns the text of a value of an outcome, as `value_text` writes it."""
    return words.word({"true": "yes", "false": "no"}.get(text, text))
