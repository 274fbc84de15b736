"""Narration: log entries merged into lines that read well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from interpreter.play.game import Game
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.play.views.visibility import has_secrets
from interpreter.play.wording.messages import AND_MORE, COMMA, DECLINES, REPEATED

HEADING, EVENT, DETAIL = "heading", "event", "detail"
_DETAILS = frozenset({"table", "modifiers"})
_VARYING_VALUE = {"move": "what", "set": "whose", "answer": "answer"}
"""By kind, the value in which entries may differ that are merged into one line."""
_MAX_NAMES = 6
_MAX_CLAUSES = 4


@dataclass(frozen=True, slots=True)
class NarrationLine:
    """A line of the narration: the heading of a step, an event, or a detail of how its figures came about."""

    sort: str
    text: str
    cites: tuple[str, ...] = ()

    def __str__(self) -> str:
        indent = {HEADING: "", EVENT: "  ", DETAIL: "    "}[self.sort]
        return indent + self.text + cite_suffix(self.cites)


def cite_suffix(cites: Sequence[str]) -> str:
    """Returns clauses as a suffix of a text; of many, only the first few."""
    if not cites:
        return ""
    return f"  [{', '.join(cites[:_MAX_CLAUSES])}{', …' if len(cites) > _MAX_CLAUSES else ''}]"


class Narrator:
    """Narrates a running game, to each viewer what is new to that viewer.

    A viewer is a seat, from which hidden things stay hidden, or none to show everything.
    """

    def __init__(self, game: Game) -> None:
        self._has_hidden = has_secrets(game.core.image)
        self._hidden_keys = _hidden_keys(game)
        self._shown_entries: dict[str, int] = {}
        self._position = (0, 0)
        """The position of the open narration: the last step that was shown, and the number of its entries shown."""

    def news(self, game: Game, viewer: str | None = None) -> list[NarrationLine]:
        """Returns what happened since the viewer last asked."""
        entries = self._seat_news(game, viewer) if self._has_hidden and viewer is not None else self._open_news(game)
        return fold_entries(_without_hidden(entries, self._hidden_keys))

    def shown(self, entries: Iterable[LogEntry]) -> list[LogEntry]:
        """Returns the entries except those that `presentation.log_hides` leaves out."""
        return [each for each in entries if _key(each) not in self._hidden_keys]

    def skip_to_last_answer(self, game: Game, seat: str) -> None:
        """Marks everything up to the last decision of a seat as shown to it, so that what followed is news."""
        if self._has_hidden:
            self._shown_entries[seat] = _after_answer(seat_log(game, seat), seat)
        for step in range(len(game.steps) - 1, -1, -1):
            after = _after_answer(_entries(game, step), seat)
            if after or step == 0:
                self._position = (step, after)
                return

    def skip(self, game: Game, *viewers: str) -> None:
        """Marks everything so far as shown, to all viewers so far and to these."""
        if self._has_hidden:
            for each in {*self._shown_entries, *viewers}:
                self._shown_entries[each] = len(seat_log(game, each))
        self._advance(game)

    def _seat_news(self, game: Game, viewer: str) -> list[LogEntry]:
        entries = seat_log(game, viewer)
        before = self._shown_entries.get(viewer, 0)
        self._shown_entries[viewer] = len(entries)
        return entries[before:]

    def _open_news(self, game: Game) -> list[LogEntry]:
        """Returns the new entries, built only from the events of the steps since the last call."""
        step, entries = self._position
        if not game.steps:
            return []
        found = _entries(game, min(step, len(game.steps) - 1))
        self._advance(game)
        return found[entries:]

    def _advance(self, game: Game) -> None:
        last = len(game.steps) - 1
        self._position = (last, len(_entries(game, last)) if last >= 0 else 0)


def _after_answer(entries: Sequence[LogEntry], seat: str) -> int:
    """Returns the number of the entries up to the last answer of a seat; 0 if it gave none."""
    answers = [at for at, each in enumerate(entries, 1) if each.kind == "answer" and each.seat == seat]
    return answers[-1] if answers else 0


def _entries(game: Game, step: int) -> list[LogEntry]:
    """Returns the entries from a step on, without those of simultaneous decisions that are still open."""
    end = len(game.events) if game.core.simultaneous_since is None else game.core.events_before_simultaneous
    return LogBuilder(game.events[game.steps[step].events : end], game.core.image, game.source.wording).entries


def _hidden_keys(game: Game) -> frozenset[tuple[str, str]]:
    """Returns the keys in `presentation.log_hides`: kind (empty for the game) and attribute, or rule and decision."""
    presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
    parents = {each.name: each.parent for each in game.core.image.kinds}
    named = [each.rpartition(".") for each in presentation.get("log_hides", ())]
    found = {(kind, attribute) for kind, _, attribute in named}
    for kind in parents:
        above: str | None = kind
        while above is not None:
            found |= {(kind, attribute) for owner, _, attribute in named if owner == above}
            above = parents.get(above)
    return frozenset(found)


def _without_hidden(entries: Iterable[LogEntry], hidden_keys: frozenset[tuple[str, str]]) -> list[LogEntry]:
    """Returns the entries that are not hidden; a step in which nothing else happened is left out too."""
    kept: list[LogEntry] = []
    left_out = False
    for each in entries:
        if _key(each) in hidden_keys:
            left_out = True
            continue
        if each.kind == "step" and left_out and kept and kept[-1].kind == "step":
            kept.pop()
        left_out = left_out and each.kind != "step"
        kept.append(each)
    if left_out and kept and kept[-1].kind == "step":
        kept.pop()
    return kept


def _key(entry: LogEntry) -> tuple[str, str]:
    """Returns the key of an entry in `presentation.log_hides`: kind and attribute, or the address of an answer."""
    if entry.kind == "set":
        owner = str(entry.data.get("record") or entry.data.get("thing") or "").partition("/")[0]
        return owner, str(entry.data.get("attribute"))
    rule, _, name = str(entry.data.get("address")).rpartition(".") if entry.kind == "answer" else ("", "", "")
    return rule, name


def seat_log(game: Game, viewer: str | None) -> list[LogEntry]:
    """Returns the log that a viewer may read; without a viewer, all of it."""
    return game.log if viewer is None else game.log_of(viewer).entries


def log_lines(entries: Iterable[LogEntry]) -> list[str]:
    """Returns the lines of a log; moves in a row that read the same, as those of hidden things, are one line."""
    lines = []
    for _, group in groupby(entries, key=lambda each: (each.text, each.cites) if each.kind == "move" else each.number):
        alike = list(group)
        first, last = alike[0], alike[-1]
        if len(alike) > 1:
            numbers, text = f"{first.number}–{last.number}", _merged(alike)[0].text
            lines.append(f"{numbers:>4}  {text}{cite_suffix(first.cites)}")
        else:
            lines.append(str(first))
    return lines


# ---------------------------------------------------------------- folding
def fold_entries(entries: Sequence[LogEntry], *, details: bool = False) -> list[NarrationLine]:
    """Returns entries as lines: like moves and changes in one line, a seat's picks in one line, steps as headings.

    With `details` every look-up and every draw is shown, else only look-ups for a roll, and a draw only if the moves
    after it do not tell the same.
    """
    lines: list[NarrationLine] = []
    entries = entries if details else _without_repeated_draws(entries)
    for (sort, _), group in groupby(_worth_showing(_without_duplicates(entries), details=details), key=_fold_key):
        lines += _FOLD.get(sort, _lines_of)(list(group))
    return lines


def _without_duplicates(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """Leaves out a move or a change if a log line of the rules next to it reports all of it."""
    lines = ["", *[each.text if each.kind == "log" else "" for each in entries], ""]
    return [
        each
        for at, each in enumerate(entries)
        if each.kind not in ("move", "set") or not any(_reports(line, each) for line in (lines[at], lines[at + 2]))
    ]


def _without_repeated_draws(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """Leaves out a random choice whose values all move next, and that these values are then shown to somebody."""
    kept: list[LogEntry] = []
    drawn: list[Any] = []
    for at, each in enumerate(entries):
        if each.kind == "random" and _moves_next(each.data["values"], entries[at + 1 :]):
            drawn = each.data["values"]
        elif each.kind != "reveal" or not drawn or each.data["what"] not in (*drawn, drawn):
            kept.append(each)
            drawn = drawn if each.kind == "move" else []
    return kept


def _moves_next(values: Sequence[Any], following: Sequence[LogEntry]) -> bool:
    moves = following[: len(values)]
    moved = [each.data.get("piece") for each in moves if each.kind == "move"]
    return sorted(map(repr, moved)) == sorted(map(repr, values))


def _reports(line: str, entry: LogEntry) -> bool:
    """Whether a line names the piece and the place of a move, or the thing, the attribute and the value of a change."""
    if not line or entry.formatted is None:
        return False
    values = entry.formatted.values
    if entry.kind == "move":
        reported = [values["what"], values.get("new", values.get("old", ""))]
    else:
        reported = [values.get(each, "") for each in ("whose", "attribute", "new")]
    return all(str(each) and str(each) in line for each in reported)


def _worth_showing(entries: Iterable[LogEntry], *, details: bool) -> Iterator[LogEntry]:
    """Leaves out entries that changed nothing, and look-ups that follow no roll or draw."""
    fresh = True
    for each in entries:
        if each.kind == "step":
            fresh = True
        elif (
            each.kind == "result"
            or _is_idle(each)
            or _gives_its_heading(each)
            or (each.kind in _DETAILS and fresh and not details)
        ):
            continue  # the caller shows the result
        elif each.kind not in _DETAILS:
            fresh = each.kind not in {"roll", "random"}
        yield each


def _is_idle(entry: LogEntry) -> bool:
    """Whether a move ends where it began or at a place of the same name, or a change changed nothing."""
    before, after = {"move": ("from", "to"), "set": ("old", "new")}.get(entry.kind, ("", "-"))
    if entry.kind == "move" and entry.formatted is not None and "new" in entry.formatted.values:
        return bool(entry.formatted.values.get("old") == entry.formatted.values["new"])
    return bool(entry.data.get(before, 0) == entry.data.get(after, 1))


def _gives_its_heading(entry: LogEntry) -> bool:
    """Whether a look-up gives the very word that it was asked for."""
    if entry.kind != "table":
        return False
    headings, result = [heading for _, heading in entry.data["at"]], entry.data["result"]
    return len(headings) == 1 and isinstance(result, list) and result[-1:] == headings


def _fold_key(entry: LogEntry) -> tuple[str, Any]:
    """Returns the sort of an entry and a key; neighbours with equal results become one line."""
    varying = _VARYING_VALUE.get(entry.kind)
    if entry.formatted is None or varying is None or varying not in entry.formatted.values:
        return "other", entry.number
    shared = entry.formatted.key_without(varying)
    match entry.kind:
        case "move":
            return "move", (shared, entry.cites)
        case "set":
            return "set", (shared, entry.cites, entry.data.get("attribute"))
        case _:
            declines = entry.formatted.message is DECLINES and not entry.ends_picks
            return "answer", (shared[1:], entry.seat, declines)


def _lines_of(entries: list[LogEntry]) -> list[NarrationLine]:
    sorts = {"step": HEADING, "table": DETAIL, "modifiers": DETAIL}
    return [NarrationLine(sorts.get(each.kind, EVENT), each.text.removesuffix(" ()"), each.cites) for each in entries]


def _merged(entries: list[LogEntry]) -> list[NarrationLine]:
    """Returns entries that differ in one value as one line with all these values."""
    first = entries[0].formatted
    if len(entries) < 2 or first is None:
        return _lines_of(entries)
    varying = _VARYING_VALUE[entries[0].kind]
    values = [str(each.formatted.values[varying]) for each in entries if each.formatted is not None]
    repeats_one = len(set(values)) == 1 and _name_and_number(values[0])[1] is None
    count = 1 if repeats_one else len(values)
    merged = first.replace(**{varying: join_names(values, first.language), "count": count})
    return [NarrationLine(EVENT, str(merged), entries[0].cites)]


def _merged_answers(entries: list[LogEntry]) -> list[NarrationLine]:
    """Returns the picks of a decision as one line; 'no more' is shown only if there were no picks."""
    return _merged([each for each in entries if not each.ends_picks] or entries)


_FOLD = {"move": _merged, "set": _merged, "answer": _merged_answers}


def join_names(names: Sequence[str], language: str = "en") -> str:
    """Returns a list of names; consecutive numbers become a span, and a long list is cut."""
    comma = COMMA.format(language, {})
    spans = [
        _span_text(list(group), comma, language)
        for _, group in groupby(enumerate(map(_name_and_number, names)), key=_run_key)
    ]
    if len(spans) > _MAX_NAMES:
        first = comma.join(spans[:_MAX_NAMES])
        return AND_MORE.format(language, {"names": first, "count": len(spans) - _MAX_NAMES})
    return comma.join(spans)


def _name_and_number(name: str) -> tuple[str, int | None]:
    """Returns the text of a name and the number at its end."""
    text, _, number = name.rpartition(" ")
    return (text, int(number)) if text and number.isdecimal() and len(number) < 9 else (name, None)


def _run_key(item: tuple[int, tuple[str, int | None]]) -> tuple[str, int]:
    at, (text, number) = item
    return (text, -1) if number is None else (text, number - at)


def _span_text(items: list[tuple[int, tuple[str, int | None]]], comma: str, language: str) -> str:
    (_, (text, first)), (_, (_, last)) = items[0], items[-1]
    if first is None:
        return REPEATED.format(language, {"name": text, "count": len(items)}) if len(items) > 1 else text
    if first == last:
        return f"{text} {first}"
    return f"{text} {first}–{last}" if len(items) > 2 else f"{text} {first}{comma}{text} {last}"
