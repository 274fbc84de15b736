"""The odds of what lies before a player, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from interpreter.console.board import DEFAULT_COLUMNS
from interpreter.console.narration import cite_suffix
from interpreter.inference.ahead import Lookout
from interpreter.inference.ahead_results import Ahead, AheadOdds, OpenChoice, RollAfter
from interpreter.inference.assumptions import Assumption
from interpreter.inference.modifier_sums import ModifierSum
from interpreter.inference.odds import QUANTILES
from interpreter.language.visible_text import visible_line
from interpreter.play.game import Game
from interpreter.play.wording import messages, odds_messages
from interpreter.play.wording.text_table import stacked_headings, table_lines
from interpreter.play.wording.wording import Wording
from interpreter.players.orders.order_plan import OrderPlan

_MAX_ROWS = 8
_MAX_ASSUMPTIONS = 4
_MAX_ANSWERS = 6
_OFTEN = Fraction(1, 4)
"""The share of samples from which on an answer is shown before those that always decline."""


def odds_in_steps(
    game: Game, meant: int | OrderPlan | None, columns: int = DEFAULT_COLUMNS, chosen: int | None = None
) -> Iterator[tuple[str, str | None]]:
    """Yields texts, each with its style, as odds are computed: of what an option or a plan leads to, and what follows.

    Without either, those of the option that was `chosen` are meant, else of the likeliest, which is named.
    """
    words, lookout, last = game.source.wording, Lookout(game), None
    if isinstance(meant, OrderPlan):
        yield "\n".join(way_lines(lookout.on_way(meant.answers), words, columns)), None
        return
    head = None
    if meant is None and game.decision is not None and len(game.decision.options) > 1:
        meant = lookout.likeliest() if chosen is None else chosen
        label = visible_line(game.decision.label(game.decision.options[meant]))
        head = words.say(
            odds_messages.ODDS_OF_LIKELIEST if chosen is None else odds_messages.ODDS_OF_CHOSEN, answer=label
        )
    for found in lookout.in_steps(meant):
        if head and last is None:
            yield head, "dim"
        yield _block(found, words, columns), None
        last = found
        if isinstance(found, AheadOdds) and found.exact_follows:
            yield words.say(odds_messages.EXACT_FOLLOWS), "dim"
    if isinstance(last, AheadOdds):
        if last.exact_follows:
            yield words.say(odds_messages.TAKES_TOO_LONG), "dim"
        rolls = lookout.in_turn(meant)
        yield from ((_block(each, words, columns), None) for each in rolls if each.title != last.title)
    elif last is None:
        yield words.say(odds_messages.NO_ODDS), None


def way_lines(rolls: Sequence[AheadOdds | RollAfter], words: Wording, columns: int = DEFAULT_COLUMNS) -> list[str]:
    """Returns the odds of the rolls on the way of an order, in turn, or what would lead to one."""
    lines = [line for each in rolls for line in ahead_lines(each, words, columns)]
    return lines or [words.say(odds_messages.NO_ROLL_ON_WAY)]


def _block(found: Ahead, words: Wording, columns: int) -> str:
    return "\n".join(ahead_lines(found, words, columns))


def ahead_lines(found: Ahead | None, words: Wording, columns: int = DEFAULT_COLUMNS) -> list[str]:
    """Returns what lies ahead: odds, the choice on which they depend, or what leads to a roll, if anything does."""
    match found:
        case None:
            return [words.say(odds_messages.NO_ODDS)]
        case AheadOdds():
            return odds_lines(found, words, columns)
        case RollAfter():
            return [visible_line(each) for each in _roll_lines(found, words)]
        case OpenChoice():
            answers = list(found.answers[:_MAX_ANSWERS])
            if len(found.answers) > _MAX_ANSWERS:
                answers.append(words.say(odds_messages.ODDS_DEPEND_OTHERS, count=len(found.answers) - _MAX_ANSWERS))
            text = words.say(odds_messages.ODDS_DEPEND, question=found.question, answers=words.join(answers))
            return [visible_line(text)]


def odds_lines(found: AheadOdds, words: Wording, columns: int = DEFAULT_COLUMNS) -> list[str]:
    """Returns the odds of a procedure: name, assumptions, modifiers, sums, the likeliest outcomes, the means."""
    lines = [
        _head(found, words),
        *_conditions(found, words),
        *_assumption_lines(found.assumptions, words),
        *_modifier_lines(found.modifiers, words),
    ]
    lines += [*_sums(found, words), *_rows(found, words, columns), *_means(found, words)]
    return [visible_line(each) for each in lines]


def _modifier_lines(sums: Sequence[ModifierSum], words: Wording) -> Iterator[str]:
    """The sums of modifiers item by item; items of 0 are left out, and sums that later come to nothing."""
    for each in sums:
        if each.is_later and not (each.least or each.most or any(item.least or item.most for item in each.items)):
            continue
        name = words.say(odds_messages.LATER_SUM, list=each.name) if each.is_later else each.name
        message = messages.SUM if each.least == each.most else odds_messages.SUM_BETWEEN
        total = words.say(message, list=name, total=each.least, least=each.least, most=each.most)
        yield f"  {total}{cite_suffix(each.cites)}"
        for item in each.items:
            if item.least or item.most:
                between = words.say(odds_messages.BETWEEN, least=item.least, most=item.most)
                value = between if item.least < item.most else f"{item.least:+d}"
                yield f"    {value}  {item.name}{cite_suffix(item.cites)}"


def _roll_lines(found: RollAfter, words: Wording) -> Iterator[str]:
    yield words.say(odds_messages.ROLL_AFTER)
    for answer, _, title in found.choices:
        condition = _condition([answer], words)
        yield "  " + words.say(odds_messages.ROLL_AFTER_ANSWER, condition=condition, procedure=title)


def _head(found: AheadOdds, words: Wording) -> str:
    if found.is_exact:
        return words.say(odds_messages.ODDS_EXACT, procedure=found.title)
    reached = _percent(found.reached)
    return words.say(odds_messages.ODDS_ESTIMATED, procedure=found.title, samples=found.samples, reached=reached)


def _conditions(found: AheadOdds, words: Wording) -> Iterator[str]:
    for each in found.only_if:
        outcome = words.say(odds_messages.ODDS_SUM, name=words.word(each.name), share=_value(each.value, words))
        yield "  " + words.say(odds_messages.ODDS_ONLY_IF, roll=each.title, outcome=outcome)


def _condition(answers: Sequence[Assumption], words: Wording) -> str:
    """Returns the answers of a seat to a question as a condition; of samples, with the share of each."""
    first = answers[0]
    if all(each.share == 1 for each in answers):
        message = odds_messages.ODDS_SUPPOSE if first.is_supposed else odds_messages.ODDS_ASSUME
        text = first.answer
        for each in answers[1:]:
            text = words.say(odds_messages.ODDS_THEN, first=text, then=each.answer)
    else:
        message = odds_messages.ODDS_OFTEN_HIDDEN if first.is_supposed else odds_messages.ODDS_OFTEN
        shares = [
            words.say(odds_messages.ODDS_SHARE, answer=each.answer, share=_percent(each.share)) for each in answers
        ]
        text = words.join(shares)
    return words.say(message, who=first.seat, question=first.question, answer=text)


def _assumption_lines(assumptions: tuple[Assumption, ...], words: Wording) -> Iterator[str]:
    staying = list(dict.fromkeys([each.stays for each in assumptions if each.stays]))
    asked: dict[tuple[str, str], list[Assumption]] = {}
    for each in assumptions:
        if not each.stays:
            asked.setdefault((each.seat, each.question), []).append(each)
    shown = _most_telling([_without_repeats(each) for each in asked.values()])
    if len(asked) > len(shown):
        yield "  " + words.say(odds_messages.ODDS_EARLIER, count=len(asked) - len(shown))
    for answers in shown:
        yield "  " + _condition(answers, words)
    if staying:
        names = staying[:_MAX_ANSWERS]
        if len(staying) > _MAX_ANSWERS:
            names.append(words.say(odds_messages.ODDS_DEPEND_OTHERS, count=len(staying) - _MAX_ANSWERS))
        yield "  " + words.say(odds_messages.ODDS_STAY, names=words.join(names))


def _without_repeats(answers: list[Assumption]) -> list[Assumption]:
    return [each for each, before in zip(answers, [None, *answers], strict=False) if before != each]


def _most_telling(answers: list[list[Assumption]]) -> list[list[Assumption]]:
    """Returns the answers for which there is room, in their order: first what is often asked, acts, own choices."""

    def rank(at: int) -> tuple[bool, bool, bool, int]:
        some = answers[at]
        is_rare = sum(each.share for each in some) < _OFTEN
        return is_rare, all(each.declines for each in some), some[0].is_supposed, -at

    return [answers[at] for at in sorted(sorted(range(len(answers)), key=rank)[:_MAX_ASSUMPTIONS])]


def _sums(found: AheadOdds, words: Wording) -> Iterator[str]:
    """The probabilities of what is no number, each outcome by itself, where there are others beside it."""
    for name in found.odds.names if len(found.odds.names) > 1 else ():
        values = sorted(found.odds.of(name), key=lambda each: -each[1])
        if len(values) == 1 or any(_is_number(value) for value, _ in values):
            continue
        if {value for value, _ in values} == {"true", "false"}:
            share = _share(found, dict(values)["true"])
            yield "  " + words.say(odds_messages.ODDS_SUM, name=words.word(name), share=share)
            continue
        shares = [
            words.say(odds_messages.ODDS_SUM, name=_value(value, words), share=_share(found, share))
            for value, share in values
        ]
        yield "  " + words.say(messages.VALUE_OF, name=words.word(name), value=words.join(shares))


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _rows(found: AheadOdds, words: Wording, columns: int) -> list[str]:
    rows, names = found.odds.rows, found.odds.names
    varied = [at for at in range(len(names)) if len(rows) == 1 or len({outcome[at] for outcome, _ in rows}) > 1]
    table = [
        ["", *[_value(outcome[at], words) for at in varied], _share(found, probability)]
        for outcome, probability in rows[:_MAX_ROWS]
    ]
    if len(rows) > _MAX_ROWS:
        others = sum((probability for _, probability in rows[_MAX_ROWS:]), Fraction(0))
        count = words.say(odds_messages.ODDS_OTHERS, count=len(rows) - _MAX_ROWS)
        table.append(["", count, *[""] * (len(varied) - 1), _share(found, others)])
    *above, header = stacked_headings(["", *[words.word(names[at]) for at in varied], ""], table, columns)
    lines = table_lines(header, [*above, *table], right=(len(header) - 1,))
    lines = [*lines[1 : 1 + len(above)], lines[0], *lines[1 + len(above) :]]
    same = [
        words.say(odds_messages.ODDS_SUM, name=words.word(name), share=_value(rows[0][0][at], words))
        for at, name in enumerate(names)
        if at not in varied
    ]
    if same:
        lines.append("  " + words.say(odds_messages.ODDS_ALWAYS, values=words.join(same)))
    return lines


def _share(found: AheadOdds, share: Fraction) -> str:
    text, error = _percent(share), found.error_of(share)
    return f"{text} ±{100 * error:.1f}" if error else text


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
    return words.of({"true": True, "false": False}.get(text, text))
