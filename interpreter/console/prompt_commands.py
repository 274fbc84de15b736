"""What a person may ask before deciding: the board, the log, why something is so, why not, and what a clause says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby, takewhile
from typing import Any

from interpreter.console.board import USUAL_COLUMNS, board_text, map_text, place_text
from interpreter.console.narration import Narrator, clauses, folded, seen_log
from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.play.log.log import Explanation, LogBuilder, LogEntry
from interpreter.play.wording import messages as said
from interpreter.play.wording.wording import Wording

COMMANDS = ("?", "help", "board", "map", "log", "why", "rule", "undo", "save", "options", "quit")

_CHANCE = frozenset({"roll", "random"})
_SUMS = frozenset({"modifiers"})
_FOLLOWS = _SUMS | {"table", "set", "move", "log"}
_SHOWN = 20
_SHORT = 24
"""Lines of an answer that are told at once; of what takes more the decisive part is told, and how to see all."""
_DECISIVE = frozenset({"log", "result"}) | _SUMS
_MOST_DECISIVE = 20
_MOST_EXPLAINED = 120


class PromptCommands:
    """Answers one seat's questions about a game, with nothing in the answer that it may not see."""

    def __init__(self, game: Game, seat: str, say: Callable[..., None], columns: int = USUAL_COLUMNS) -> None:
        self._game = game
        self._seat = seat
        self._say = say
        self._columns = columns
        self._words: Wording = game.setting.wording

    def answer(self, word: str, rest: str) -> None:
        """Answers a command.

        Raises:
            UsageError: if what it names is not there.
        """
        match word:
            case "board":
                self._board(rest)
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
            case _:
                self._say(self._words.say(said.HELP))

    def _board(self, rest: str) -> None:
        if rest:
            self._say(place_text(self._game, rest, self._seat, self._columns))
        else:
            self._say(board_text(self._game, self._seat, self._columns))

    def _map(self, rest: str) -> None:
        drawn = map_text(self._game, self._seat, rest)
        self._say(drawn or self._words.say(said.NO_MAP))

    # ------------------------------------------------------------ the log
    def _log(self, rest: str) -> None:
        count = self._number(rest, "log") if rest else _SHOWN
        entries = Narrator(self._game).told(seen_log(self._game, self._seat))[-count:] if count else []
        for each in entries:
            self._say(str(each))
        if not entries:
            self._say(self._words.say(said.NOTHING_YET))

    def _why(self, rest: str) -> None:
        entries, explain = self._told()
        number = self._number(rest, "why") if rest not in ("", "all") else last_result(entries)
        if number is None:
            self._say(self._words.say(said.NOTHING_ROLLED))
            return
        found, narrator = explain(number), Narrator(self._game)
        after = narrator.told(found.lines[found.after :])
        lines = (*narrator.told(found.lines[: found.after]), *after)
        found = replace(found, lines=lines, after=len(lines) - len(after))
        answer = [*explained(found, self._words), *consequences(found, narrator.told(entries[number:]), self._words)]
        long = found.whole and len(answer) > _SHORT and not rest
        for line in in_short(found, len(answer), self._words) if long else answer:
            self._say(line)

    def _told(self) -> tuple[list[LogEntry], Callable[[int], Explanation]]:
        """The log as the seat may read it, and what explains its entries."""
        game = self._game.before_simultaneous() or self._game
        if not game.core.image.views:
            return game.log, game.explain
        from interpreter.play.views.visible_log import seat_events  # noqa: PLC0415 - only games with hidden things

        teller = LogBuilder(seat_events(game, self._seat), game.core.image, game.setting.wording)
        return teller.entries, teller.explain

    # ------------------------------------------------------------ why not
    def _why_not(self, rest: str) -> None:
        actions = {each.name: [pick.name for pick in each.picks] for each in self._game.core.image.actions}
        words = {self._game.setting.wording.word(each).casefold(): each for each in actions}
        name, bare, picks = _action_in(rest, {*actions, *words})
        if not name:
            known = self._words.say(said.COMMA).join(sorted(words)) or self._words.say(said.NO_ACTIONS)
            raise UsageError(self._words.say(said.NAME_ACTION, known=known))
        action = words.get(_whole(name, words), name)
        picks = dict(zip(actions.get(action, []), bare, strict=False)) | picks
        reasons = self._game.why_not(action, **picks)
        for each in reasons:
            self._say(f"  {each}")
        if not reasons:
            self._say(self._words.say(said.OPEN_NOW))

    # ------------------------------------------------------------ clauses
    def _rule(self, rest: str) -> None:
        ruleset = self._game.setting.ruleset
        rulebook: dict[str, Any] = dict(ruleset.clauses) if ruleset is not None else {}
        wanted = rest.strip("[]").split() if rest else list(self._asked_under())
        if not wanted:
            self._say(self._words.say(said.NO_CLAUSE_HERE))
        for name in wanted:
            found = [name] if name in rulebook else []
            if rest or not found:
                found += [each for each in rulebook if each.startswith(f"{name}.")]
            if not found:
                none = self._words.say(said.NO_SUCH_CLAUSE, clause=name)
                raise UsageError(self._words.hinted(none, name, rulebook))
            for each in found:
                self._clause(rulebook[each])

    def _asked_under(self) -> tuple[str, ...]:
        return self._game.decision.cites if self._game.decision is not None else ()

    def _clause(self, clause: Any) -> None:
        see = self._words.say(said.SEE_ALSO, clauses=", ".join(clause.see)) if clause.see else ""
        self._say(f"{clause.id}  {clause.texts.get(self._words.language) or clause.says}{see}")

    def _number(self, text: str, command: str) -> int:
        if not text.isdecimal() or len(text) > 9:
            raise UsageError(self._words.say(said.TAKES_NUMBER, command=command, typed=text))
        return int(text)


def last_result(entries: list[LogEntry]) -> int | None:
    """The last roll or draw; where there is none, the last sum."""
    for kinds in (_CHANCE, _SUMS):
        found = next((at for at in range(len(entries) - 1, -1, -1) if entries[at].kind in kinds), None)
        if found is not None:
            return found
    return None


def explained(explanation: Explanation, words: Wording) -> list[str]:
    """An explanation in lines; sums are told item by item."""
    lines = explanation.lines[: explanation.after] if explanation.whole else explanation.lines
    told = [each for each in lines if each.kind != "line"][-_MOST_EXPLAINED:]
    if told and told[-1].text == explanation.entry.text and told[-1].kind not in _SUMS:
        told.pop()
    head = words.say(said.BY_RULE, what=explanation.entry.text, rule=explanation.rule)
    return [head + clauses(explanation.entry.cites), *_in_lines(told)]


def in_short(explanation: Explanation, lines: int, words: Wording) -> list[str]:
    """What decided a long affair: the last of its rolls with their look-ups, of its sums and of what the rules said."""
    decisive, rolled = [], False
    for each in explanation.lines:
        rolled = each.kind in _CHANCE or (rolled and each.kind == "table")
        if rolled or each.kind in _DECISIVE:
            decisive.append(_shortened(each, words))
    title = explanation.title
    left_out = ["  …"] if len(decisive) > _MOST_DECISIVE else []
    told = words.say(said.IN_SHORT, affair=f"{title[:1].upper()}{title[1:]}", count=lines)
    return [told, *left_out, *decisive[-_MOST_DECISIVE:]]


def _shortened(entry: LogEntry, words: Wording) -> str:
    """An entry in one line; of a sum what counts in it, without the clauses of each item."""
    if entry.kind not in _SUMS:
        return f"  {entry.text}{clauses(entry.cites)}"
    counting = [f"{name} {value:+d}" for name, value, _ in entry.items if value]
    parts = words.say(said.COMMA).join(counting) or words.say(said.NOTHING_COUNTS)
    told = entry.text if entry.told is None else str(entry.told.but(parts=parts))
    return f"  {told}{clauses(entry.cites)}"


def consequences(explanation: Explanation, entries: list[LogEntry], words: Wording) -> list[str]:
    """What came of an entry: the rest of its affair, else the sums, look-ups, changes and moves right after it."""
    entries = [each for each in entries if each.number > explanation.entry.number]
    after = list(takewhile(lambda each: each.kind in _FOLLOWS, entries))
    if explanation.whole:
        after = [each for each in explanation.lines[explanation.after :] if each.kind != "line"][:_MOST_EXPLAINED]
    return [words.say(said.AND_SO), *_in_lines(after)] if after else []


def _in_lines(entries: list[LogEntry]) -> list[str]:
    lines: list[str] = []
    for is_sum, group in groupby(entries, key=lambda each: bool(each.kind in _SUMS and each.data.get("items"))):
        if is_sum:
            lines += [line for each in group for line in _sum(each)]
            continue
        for heads, rest in groupby(group, key=lambda each: each.kind == "enter"):
            told = list(rest)
            lines += [f"  {told[-1].text}:"] if heads else _folded(told)
    return lines


def _folded(entries: list[LogEntry]) -> list[str]:
    return [f"  {each.text}{clauses(each.cites)}" for each in folded(entries, details=True)]


def _sum(entry: LogEntry) -> list[str]:
    head = f"  {entry.head}{clauses(entry.cites)}"
    return [head, *[f"    {value:+d}  {name}{clauses(cites)}" for name, value, cites in entry.items]]


def _whole(name: str, words: Iterable[str]) -> str:
    """The word for an action that is meant by a part of it, if it is part of one alone."""
    folded_name = name.replace("_", " ").casefold()
    meant = [each for each in words if folded_name in each]
    return meant[0] if len(meant) == 1 and folded_name not in words else folded_name


def _action_in(text: str, known: set[str]) -> tuple[str, list[Any], dict[str, Any]]:
    """An action and the values behind its name: those in the order of its picks, and those given by name."""
    words = [each for each in text.split() if "=" not in each]
    picks = {pick: _value(given) for pick, given in (each.split("=", 1) for each in text.split() if "=" in each)}
    folded_names = {each.casefold() for each in known}
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count])
        if name.casefold() in folded_names:
            return name, [_value(each) for each in words[count:]], picks
    return "_".join(words), [], picks


def _value(given: str) -> int | str:
    return int(given) if given.isdecimal() and len(given) < 10 else given
