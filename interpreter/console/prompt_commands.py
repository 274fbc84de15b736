"""The commands that a player may type before deciding: board, map, log, why, why not, rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any

from interpreter.console.board import DEFAULT_COLUMNS, board_text, map_text, place_text
from interpreter.console.change_text import CHANGE_KINDS, call_names, change_lines, earlier_lines
from interpreter.console.log_search import LogSearch
from interpreter.console.narration import Narrator, cite_suffix, fold_entries, log_lines, seat_log
from interpreter.console.standing_changes import items_named, last_changes
from interpreter.console.standing_text import change_of_item, item_lines, standing_lines, status_line
from interpreter.console.typed_words import is_number
from interpreter.console.why_not_text import ActionNames
from interpreter.language.answer_words import ANSWER_WORDS
from interpreter.language.diagnostics import UsageError
from interpreter.language.visible_text import indented, visible_line
from interpreter.language.whole_numbers import whole_number
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Act
from interpreter.play.log.log import Explanation, LogEntry
from interpreter.play.log.look_ups import LOOK_UPS
from interpreter.play.views.standing import Standing
from interpreter.play.views.thing_names import ThingNames
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.play.wording import command_messages, messages, replay_messages, why_messages
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Thing

if TYPE_CHECKING:
    from interpreter.play.engine.decision import Decision
    from interpreter.play.refusals import Reason

COMMANDS = (
    *("?", "help", "board", "standing", "odds", "plan", "map", "log", "why", "rule", "undo", "save", "options", "quit"),
)

_LINES_AROUND_ANSWER = 2
"""The line with the command, and the prompt after the answer."""
_CHANCE_KINDS = frozenset({"roll", "random"})
_SUM_KINDS = frozenset({"modifiers"})
_CONSEQUENCE_KINDS = _SUM_KINDS | {"table", "set", "move", "log"}
_PROCEDURES = "procedures"
_DEFAULT_LOG_ENTRIES = 20
_MAX_ANSWER_LINES = 24
"""The lines of an explanation that are shown in full; a longer one is summarized."""
_SUMMARY_KINDS = frozenset({"log", "result"}) | _SUM_KINDS
_MAX_SUMMARY_ENTRIES = 20
_MAX_CONSEQUENCES = 7
_MAX_ACTIONS = 6
"""The most actions of one loose name that are explained."""
_MAX_EXPLAINED_ENTRIES = 120


Waiting = Callable[[str], AbstractContextManager[None]]
"""Shows a text while something takes long within a block."""


def unshown(_text: str) -> AbstractContextManager[None]:
    """Shows nothing while something takes long."""
    return nullcontext()


def page_of(size: tuple[int, int] | None) -> tuple[int, int | None]:
    """Returns the columns and lines that an answer to a command may take; no number of lines without a screen."""
    return (DEFAULT_COLUMNS, None) if size is None else (size[0], size[1] - _LINES_AROUND_ANSWER)


def check_alone(command: str, rest: str, words: Wording) -> None:
    """Checks that a command that takes no further words has none.

    Raises:
        UsageError: if it has some.
    """
    if rest:
        raise UsageError(words.say(command_messages.TAKES_NOTHING, command=command, typed=visible_line(rest)))


class PromptCommands:
    """Runs the commands of one seat and shows nothing that the seat may not see; without a seat, those of the host."""

    def __init__(
        self,
        game: Game,
        seat: str | None,
        say: Callable[..., None],
        columns: int = DEFAULT_COLUMNS,
        lines: int | None = None,
        waiting: Waiting = unshown,
    ) -> None:
        self._waiting_for = waiting
        self._game = game
        self._seat = seat
        self._say = say
        self._columns = columns
        self._lines = lines
        self._words: Wording = game.source.wording

    def run(self, word: str, rest: str) -> None:
        """Runs the command `word` with the arguments `rest`.

        Raises:
            UsageError: if they name something that does not exist, or the command does not take them.
        """
        match word:
            case "board":
                self._board(rest)
            case "standing":
                check_alone(word, rest, self._words)
                self._say("\n".join(standing_lines(self._game, self._seat)))
            case "map":
                self._map(rest)
            case "log":
                self._log(rest)
            case "why" if rest.partition(" ")[0] == "not":
                self._why_not(rest.partition(" ")[2])
            case "why":
                self._why(rest)
            case "rule":
                self._rule(rest)
            case "plan":
                raise UsageError(self._words.say(command_messages.TAKES_ORDER, command=word))
            case _:
                check_alone(word, rest, self._words)
                self._say(self._words.say(messages.HELP))

    def _board(self, rest: str) -> None:
        if rest:
            self._say(place_text(self._game, rest, self._seat, self._columns))
        else:
            if status := status_line(self._game, self._seat):
                self._say(status)
            self._say(board_text(self._game, self._seat, self._columns))

    def _map(self, rest: str) -> None:
        found = map_text(self._game, self._seat, rest, self._columns, self._lines)
        self._say(found or self._words.say(messages.NO_MAP))

    # ------------------------------------------------------------ the log
    def _log(self, rest: str) -> None:
        count = self._number(rest, "log") if rest else _DEFAULT_LOG_ENTRIES
        entries = Narrator(self._game).shown(seat_log(self._game, self._seat))[-count:] if count else []
        for each in log_lines(entries):
            self._say(visible_line(each))
        if not entries:
            self._say(self._words.say(messages.NOTHING_YET))

    def _why(self, rest: str) -> None:
        entries, narrator = seat_log(self._game, self._seat), Narrator(self._game)
        if rest in ("", "all") or is_number(rest):
            number = self._entry_number(rest, len(entries)) if rest not in ("", "all") else last_result(entries)
            if number is None:
                self._say(self._words.say(messages.NOTHING_ROLLED))
                return
            self._explain(number, entries, narrator, is_short=not rest)
            return
        standing = self._game.standing(self._seat)
        if items := items_named(rest, standing, self._seat, whole=True):
            self._why_items(items, entries, narrator)
            return
        found = self._search(narrator.shown(entries)).about(rest)
        if not found.entries or found.missing:
            if items := items_named(rest, standing, self._seat, whole=False):
                self._why_items(items, entries, narrator)
                return
            if not found.entries:
                raise UsageError(self._words.say(why_messages.NOTHING_ABOUT, name=rest))
            words = self._words.join([self._words.say(messages.QUOTED, text=each) for each in found.missing])
            self._say(visible_line(self._words.say(why_messages.NEAREST_ENTRY, words=words)))
        self._explain(found.entries[-1].number, entries, narrator, is_short=True)
        for line in earlier_lines(found.entries[:-1], self._words):
            self._say(visible_line(line))

    def _entry_number(self, text: str, entries: int) -> int:
        """Returns the number of an entry of the log that has this many.

        Raises:
            UsageError: if it has no such entry.
        """
        number = whole_number(text)
        if number is not None and 1 <= number <= entries:
            return number
        if not entries:
            raise UsageError(self._words.say(messages.NOTHING_YET))
        raise UsageError(self._words.say(replay_messages.NO_ENTRY, number=text, total=entries))

    def _why_items(self, items: Sequence[Standing], entries: list[LogEntry], narrator: Narrator) -> None:
        """Explains items of the standing: what counts for them, and the last change that the log tells of."""
        with self._waiting_for(self._words.say(why_messages.LOOKS_BACK)):
            changes = last_changes(self._game, self._seat, items)
        search = self._search(narrator.shown(entries))
        for item in items:
            change = changes.get(item.title)
            for line in item_lines(item, self._words):
                self._say(line)
            for line in change_of_item(change, self._words):
                self._say(f"  {line}")
            names = () if change is None else (*change.parts, item.title)
            about = [each for each in map(search.about, names) if not each.missing]
            if said := sorted([each for one in about for each in one.entries], key=lambda each: each.number):
                sets = [each for each in said if each.kind == "set"] or said
                self._say(self._words.say(why_messages.LAST_IN_LOG))
                self._explain(sets[-1].number, entries, narrator, is_short=True)

    def _search(self, entries: Sequence[LogEntry]) -> LogSearch:
        return LogSearch(entries, self._names(self._game.before_simultaneous() or self._game), self._words)

    def _explain(self, number: int, entries: list[LogEntry], narrator: Narrator, *, is_short: bool) -> None:
        log = self._game if self._seat is None else self._game.log_of(self._seat)
        found, following = log.explain(number), entries[number - 1 :]
        if found.entry.kind in CHANGE_KINDS and (is_short or not found.is_span):
            for line in self._change_lines(found, narrator.shown(following)):
                self._say(visible_line(line))
            return
        after = narrator.shown(found.lines[found.after :])
        lines = (*narrator.shown(found.lines[: found.after]), *after)
        found = replace(found, lines=lines, after=len(lines) - len(after))
        shown = explanation_lines(found, self._words)
        shown += consequence_lines(found, narrator.shown(following), self._words)
        is_long = found.is_span and len(shown) > _MAX_ANSWER_LINES and is_short
        for line in summary_lines(found, len(shown), self._words) if is_long else shown:
            self._say(visible_line(line))

    def _change_lines(self, found: Explanation, following: list[LogEntry]) -> list[str]:
        ruleset = self._game.source.ruleset
        clauses = {} if ruleset is None else ruleset.clauses
        consequences = consequence_lines(replace(found, is_span=False), following, self._words)
        more = ["  …"] if len(consequences) > _MAX_CONSEQUENCES else []
        return change_lines(found, clauses, self._words) + consequences[:_MAX_CONSEQUENCES] + more

    # ------------------------------------------------------------ why not
    def _why_not(self, rest: str) -> None:
        decision = self._game.decision
        if decision is not None and not self._is_asked(decision):
            who = self._words.of(decision.seat_object)
            raise UsageError(self._words.say(why_messages.ANOTHER_DECIDES, who=who))
        actions = ActionNames(self._game.core.image, self._words, self._open_menu())
        if not rest:
            known = self._words.say(messages.COMMA).join(actions.known) or self._words.say(messages.NO_ACTIONS)
            raise UsageError(self._words.say(messages.NAME_ACTION, known=known))
        is_thing = not actions.is_whole(rest) and self._names(self._game).has_whole(rest)
        meant = None if is_thing else actions.with_values(rest)
        if meant is not None:
            self._say_reasons(self._game.why_not(self._asking, meant[0], **meant[1]))
            return
        loosely = [] if is_thing or self._is_answer(rest) else actions.loosely(rest)
        if len(loosely) == 1:
            self._say_reasons(self._game.why_not(self._asking, loosely[0]))
        elif loosely:
            self._why_not_each(loosely)
        else:
            self._why_not_named(rest)

    def _why_not_named(self, name: str) -> None:
        """Says the reasons against what a name means; where actions of the open menu can do it, which ones."""
        reasons = self._game.why_not_option(self._asking, name)
        actions = [] if reasons else self._open_menu()
        able = [each for each in actions if not self._game.why_not_option(self._asking, name, each)]
        if not able:
            self._say_reasons(reasons)
        for each in able:
            text = self._words.say(messages.AVAILABLE_NOW)
            self._say(f"  {self._words.say(messages.REASON_OF, rule=self._words.word(each), reason=text)}")

    def _why_not_each(self, actions: Sequence[str]) -> None:
        """Says the reasons against several actions; those that answer another question are named in the reason."""
        for each in actions[:_MAX_ACTIONS]:
            reasons = [str(reason) for reason in self._game.why_not(self._asking, each)]
            for reason in reasons or [self._words.say(messages.AVAILABLE_NOW)]:
                named = self._words.say(messages.REASON_OF, rule=self._words.word(each), reason=reason)
                self._say(f"  {named if each in self._open_menu() else reason}")

    def _is_answer(self, text: str) -> bool:
        """Whether a text is an answer to the question, or names something of the sort that it offers."""
        decision = self._game.decision
        if decision is None or text.isdecimal():
            return True
        wanted = text.casefold()
        answers = [*ANSWER_WORDS, *map(self._words.word, ANSWER_WORDS), *map(decision.label, decision.options)]
        kinds = {kind for each in decision.options if isinstance(each, Thing) for kind in each.lineage}
        named = self._names(self._game).named(text) if kinds else []
        return wanted in map(str.casefold, answers) or any(kinds.intersection(each.lineage) for each in named)

    def _names(self, game: Game) -> ThingNames:
        game.core.begin_query()
        return ThingNames(game, Visibility(game.core, seat_by_id(game.core, self._seat)))

    def _open_menu(self) -> list[str]:
        """Returns the actions of the menu that is asked for, whether offered or not."""
        options = self._game.decision.options if self._game.decision is not None else ()
        offered = {each.name for each in options if isinstance(each, Act)}
        actions = self._game.core.image.actions
        menu = next((each.menu for each in actions if each.name in offered), None)
        return [each.name for each in actions if menu is not None and each.menu == menu]

    def _say_reasons(self, reasons: Sequence[Reason]) -> None:
        for each in reasons:
            self._say(f"  {each}")
        if not reasons:
            self._say(self._words.say(messages.AVAILABLE_NOW))

    # ------------------------------------------------------------ clauses
    def _rule(self, rest: str) -> None:
        ruleset = self._game.source.ruleset
        rulebook: dict[str, Any] = dict(ruleset.clauses) if ruleset is not None else {}
        wanted = rest.strip("[]").split() if rest else list(self._clauses_of_decision())
        if not wanted:
            self._say(self._words.say(messages.NO_CLAUSE_HERE))
        for name in wanted:
            found = [name] if name in rulebook else []
            if rest or not found:
                found += [each for each in rulebook if each.startswith(f"{name}.")]
            if not found:
                none = self._words.say(messages.NO_SUCH_CLAUSE, clause=name)
                raise UsageError(self._words.with_hint(none, name, rulebook))
            for each in found:
                self._clause(rulebook[each])

    def _clauses_of_decision(self) -> tuple[str, ...]:
        decision = self._game.decision
        return decision.cites if decision is not None and self._is_asked(decision) else ()

    @property
    def _asking(self) -> str:
        """The seat that asks: to the host, the one that decides."""
        decision = self._game.decision
        return self._seat or (self._game.seats[0] if decision is None else decision.seat)

    def _is_asked(self, decision: Decision) -> bool:
        """Whether the question is one that may be explained here: the seat's own, or to the host any."""
        return self._seat in (None, decision.seat)

    def _clause(self, clause: Any) -> None:
        see = self._words.say(messages.SEE_ALSO, clauses=", ".join(clause.see)) if clause.see else ""
        self._say(indented(f"{clause.id}  {clause.text(self._words.language)}{see}"))

    def _number(self, text: str, command: str) -> int:
        if not text.isdecimal() or len(text) > 9:
            raise UsageError(self._words.say(command_messages.TAKES_NUMBER, command=command, typed=text))
        return int(text)


def last_result(entries: list[LogEntry]) -> int | None:
    """Returns the number of the last roll or draw of which something is seen; without one, that of the last sum.

    Of a game that is over by a clause it is that of its result.
    """
    if entries and entries[-1].kind == "result" and entries[-1].cites:
        return entries[-1].number
    for kinds in (_CHANCE_KINDS, _SUM_KINDS):
        shown = (each for each in reversed(entries) if each.kind in kinds)
        found = next((each for each in shown if not _is_hidden_draw(each)), None)
        if found is not None:
            return found.number
    return None


def _is_hidden_draw(entry: LogEntry) -> bool:
    drawn = entry.data.get("values", ()) if entry.kind == "random" else ()
    return bool(drawn) and all(isinstance(each, list) and each[1] == f"hidden_{each[0]}" for each in drawn)


def explanation_lines(explanation: Explanation, words: Wording) -> list[str]:
    """Returns the lines of an explanation; sums are shown item by item."""
    lines = explanation.lines[: explanation.after] if explanation.is_span else explanation.lines
    entries = [each for each in lines if each.kind != "line"][-_MAX_EXPLAINED_ENTRIES:]
    if entries and entries[-1].text == explanation.entry.text and entries[-1].kind not in _SUM_KINDS:
        entries.pop()
    return [_head_text(explanation, words) + cite_suffix(explanation.entry.cites), *_lines_of(entries)]


def _result_text(explanation: Explanation, words: Wording) -> str:
    """Returns the text of a result; of a draw that has the name of its rule without this name."""
    entry = explanation.entry
    values = {} if entry.formatted is None or entry.kind != "random" else entry.formatted.values
    return words.say(messages.PICKED, **values) if values.get("label") == explanation.title else entry.text


def _head_text(explanation: Explanation, words: Wording) -> str:
    """Returns a result with its rule; for a procedure without a word, with the call around it that has one."""
    what = _result_text(explanation, words)
    section, _, name = explanation.path.rpartition("/")
    if section != _PROCEDURES or words.has_word(name):
        return words.say(messages.BY_RULE, what=what, rule=explanation.rule)
    around = call_names(explanation, words)
    return words.say(messages.WITHIN, what=what, call=around[-1]) if around else what


def summary_lines(explanation: Explanation, lines: int, words: Wording) -> list[str]:
    """Returns the summary of a long explanation: its last rolls with their look-ups, sums and lines of the rules."""
    summary, rolled = [], False
    for each in explanation.lines:
        rolled = each.kind in _CHANCE_KINDS or (rolled and each.kind in LOOK_UPS)
        if rolled or each.kind in _SUMMARY_KINDS:
            summary.append(_summary_line(each, words))
    title = explanation.title
    left_out = ["  …"] if len(summary) > _MAX_SUMMARY_ENTRIES else []
    head = words.say(messages.SUMMARY, title=f"{title[:1].upper()}{title[1:]}", count=lines)
    return [head, *left_out, *summary[-_MAX_SUMMARY_ENTRIES:]]


def _summary_line(entry: LogEntry, words: Wording) -> str:
    """Returns an entry as one line; a sum shows its items other than 0, without their clauses."""
    if entry.kind not in _SUM_KINDS:
        return f"  {entry.text}{cite_suffix(entry.cites)}"
    counting = [f"{name} {value:+d}" for name, value, _ in entry.items if value]
    items = words.say(messages.COMMA).join(counting) or words.say(messages.NOTHING_APPLIES)
    text = entry.text if entry.formatted is None else str(entry.formatted.replace(parts=items))
    return f"  {text}{cite_suffix(entry.cites)}"


def consequence_lines(explanation: Explanation, entries: list[LogEntry], words: Wording) -> list[str]:
    """Returns the consequences of an entry: the rest of its explanation, else what follows it in the log."""
    entries = [each for each in entries if each.number > explanation.entry.number]
    after = list(takewhile(lambda each: each.kind in _CONSEQUENCE_KINDS, entries))
    if explanation.is_span:
        after = [each for each in explanation.lines[explanation.after :] if each.kind != "line"][
            :_MAX_EXPLAINED_ENTRIES
        ]
    return [words.say(messages.CONSEQUENCES), *_lines_of(after)] if after else []


def _lines_of(entries: list[LogEntry]) -> list[str]:
    lines: list[str] = []
    for is_sum, group in groupby(entries, key=lambda each: bool(each.kind in _SUM_KINDS and each.data.get("items"))):
        if is_sum:
            lines += [line for each in group for line in _sum_lines(each)]
            continue
        for heads, rest in groupby(group, key=lambda each: each.kind == "enter"):
            run = list(rest)
            lines += [f"  {run[-1].text}:"] if heads else _fold_lines(run)
    return lines


def _fold_lines(entries: list[LogEntry]) -> list[str]:
    return [f"  {each.text}{cite_suffix(each.cites)}" for each in fold_entries(entries, details=True)]


def _sum_lines(entry: LogEntry) -> list[str]:
    head = f"  {entry.short_text}{cite_suffix(entry.cites)}"
    return [head, *[f"    {value:+d}  {name}{cite_suffix(cites)}" for name, value, cites in entry.items]]
