"""What has happened, told to people: log entries folded into lines that read well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from interpreter.play.game import Game
from interpreter.play.log.log import LogBuilder, LogEntry
from interpreter.play.wording.messages import COMMA, MORE_OF_THEM, Formatted

HEADING, EVENT, DETAIL = "heading", "event", "detail"
_DETAILS = frozenset({"table", "modifiers"})
_VARIES = {"move": "what", "set": "whose", "answer": "answer"}
"""In which value entries of a kind may differ that are told in one line."""
_MOST_NAMES = 6
_MOST_CLAUSES = 4


@dataclass(frozen=True, slots=True)
class NarrationLine:
    """A line of the narration: a step's heading, something that happened, or how its figures came about."""

    sort: str
    text: str
    cites: tuple[str, ...] = ()

    def __str__(self) -> str:
        indent = {HEADING: "", EVENT: "  ", DETAIL: "    "}[self.sort]
        return indent + self.text + clauses(self.cites)


def clauses(cites: Sequence[str]) -> str:
    """Clauses as they stand behind a text, of many the first few."""
    if not cites:
        return ""
    return f"  [{', '.join(cites[:_MOST_CLAUSES])}{', …' if len(cites) > _MOST_CLAUSES else ''}]"


class Narrator:
    """Tells a game as it goes on, to each pair of eyes what is new to it.

    `eyes` are a seat whose player must not see more than it may, or none where nobody is to be kept from anything.
    """

    def __init__(self, game: Game) -> None:
        self._secret = bool(game.core.image.views)
        self._untold = _untold(game)
        self._told: dict[str, int] = {}
        self._place = (0, 0)
        """Where the open narration stands: the step that is told last, and how many of its entries."""

    def news(self, game: Game, eyes: str | None = None) -> list[NarrationLine]:
        """What happened since these eyes were last told."""
        entries = self._seen(game, eyes) if self._secret and eyes is not None else self._all(game)
        return folded(_without(entries, self._untold))

    def told(self, entries: Iterable[LogEntry]) -> list[LogEntry]:
        """The entries without those that `presentation.untold` leaves out."""
        return [each for each in entries if _key(each) not in self._untold]

    def skip(self, game: Game, *eyes: str) -> None:
        """Takes all that has happened as told, for all that were told anything and for these eyes."""
        if self._secret:
            for each in {*self._told, *eyes}:
                self._told[each] = len(seen_log(game, each))
        self._stand(game)

    def _seen(self, game: Game, eyes: str) -> list[LogEntry]:
        entries = seen_log(game, eyes)
        before = self._told.get(eyes, 0)
        self._told[eyes] = len(entries)
        return entries[before:]

    def _all(self, game: Game) -> list[LogEntry]:
        """The new entries, told from the events of the steps since then and not from all that there were."""
        step, entries = self._place
        if not game.steps:
            return []
        found = _entries(game, min(step, len(game.steps) - 1))
        self._stand(game)
        return found[entries:]

    def _stand(self, game: Game) -> None:
        last = len(game.steps) - 1
        self._place = (last, len(_entries(game, last)) if last >= 0 else 0)


def _entries(game: Game, step: int) -> list[LogEntry]:
    """What seats may be told of a step and those after it: nothing of simultaneous lines that are under way."""
    told = len(game.events) if game.core.together is None else game.core.told_before
    return LogBuilder(game.events[game.steps[step].trace : told], game.core.image, game.setting.wording).entries


def _untold(game: Game) -> frozenset[tuple[str, str]]:
    """What `presentation.untold` leaves out: kind (none of the game's own values) and attribute; rule and decision."""
    presentation: Mapping[str, Any] = getattr(game.setting.ruleset, "presentation", None) or {}
    parents = {each.name: each.parent for each in game.core.image.kinds}
    named = [each.rpartition(".") for each in presentation.get("untold", ())]
    found = {(kind, attribute) for kind, _, attribute in named}
    for kind in parents:
        above: str | None = kind
        while above is not None:
            found |= {(kind, attribute) for owner, _, attribute in named if owner == above}
            above = parents.get(above)
    return frozenset(found)


def _without(entries: Iterable[LogEntry], untold: frozenset[tuple[str, str]]) -> list[LogEntry]:
    """The entries that are worth telling; a step in which nothing else happened is not told either."""
    kept: list[LogEntry] = []
    left_out = False
    for each in entries:
        if _key(each) in untold:
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
    """What `presentation.untold` calls an entry: a change by kind and attribute, an answer by its address."""
    if entry.kind == "set":
        owner = str(entry.data.get("record") or entry.data.get("thing") or "").partition("/")[0]
        return owner, str(entry.data.get("attribute"))
    rule, _, name = str(entry.data.get("address")).rpartition(".") if entry.kind == "answer" else ("", "", "")
    return rule, name


def seen_log(game: Game, eyes: str | None) -> list[LogEntry]:
    """The log as these eyes may read it; all of it where there are none."""
    if eyes is None:
        return game.log
    if not game.core.image.views:
        return (game.before_simultaneous() or game).log
    from interpreter.play.views.visible_log import visible_log  # noqa: PLC0415 - only games with hidden things need it

    return visible_log(game, eyes)


# ---------------------------------------------------------------- folding
def folded(entries: Sequence[LogEntry], *, details: bool = False) -> list[NarrationLine]:
    """Entries as lines: like movements and changes in one line, a seat's picks in one line, steps as headings.

    With `details` every look-up is told, else only what was looked up for a roll.
    """
    lines: list[NarrationLine] = []
    for (sort, _), group in groupby(_worth_telling(_once_said(entries), details=details), key=_alike):
        lines += _FOLD.get(sort, _each)(list(group))
    return lines


def _once_said(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """Leaves out a move that a line of the rules right before or after it tells: it names the piece and the place."""
    said = ["", *[each.text if each.kind == "log" else "" for each in entries], ""]
    return [
        each
        for at, each in enumerate(entries)
        if each.kind != "move" or not any(_tells(line, each.told) for line in (said[at], said[at + 2]))
    ]


def _tells(line: str, move: Formatted | None) -> bool:
    if not line or move is None:
        return False
    at = str(move.values.get("new", move.values.get("old", "")))
    return bool(at) and str(move.values["what"]) in line and at in line


def _worth_telling(entries: Iterable[LogEntry], *, details: bool) -> Iterator[LogEntry]:
    """Leaves out what changed nothing, and look-ups that no roll or draw came before."""
    fresh = True
    for each in entries:
        if each.kind == "step":
            fresh = True
        elif each.kind == "result" or _is_idle(each) or (each.kind in _DETAILS and fresh and not details):
            continue  # the end is told by whoever plays
        elif each.kind not in _DETAILS:
            fresh = each.kind not in {"roll", "random"}
        yield each


def _is_idle(entry: LogEntry) -> bool:
    """Whether a move went nowhere, or between two that are called the same, or a change changed nothing."""
    before, after = {"move": ("from", "to"), "set": ("old", "new")}.get(entry.kind, ("", "-"))
    if entry.kind == "move" and entry.told is not None and "new" in entry.told.values:
        return bool(entry.told.values.get("old") == entry.told.values["new"])
    return bool(entry.data.get(before, 0) == entry.data.get(after, 1))


def _alike(entry: LogEntry) -> tuple[str, Any]:
    """The sort of an entry, and what it must share with its neighbours to be told with them."""
    varying = _VARIES.get(entry.kind)
    if entry.told is None or varying is None or varying not in entry.told.values:
        return "other", entry.number
    shared = entry.told.without(varying)
    match entry.kind:
        case "move":
            return "move", (shared, entry.cites)
        case "set":
            return "set", (shared, entry.cites, entry.data.get("attribute"))
        case _:
            return "answer", (shared, entry.seat)


def _each(entries: list[LogEntry]) -> list[NarrationLine]:
    sorts = {"step": HEADING, "table": DETAIL, "modifiers": DETAIL}
    return [NarrationLine(sorts.get(each.kind, EVENT), each.text.removesuffix(" ()"), each.cites) for each in entries]


def _joined(entries: list[LogEntry]) -> list[NarrationLine]:
    """Entries that differ in one value as one line with all these values."""
    first = entries[0].told
    if len(entries) < 2 or first is None:
        return _each(entries)
    varying = _VARIES[entries[0].kind]
    values = [str(each.told.values[varying]) for each in entries if each.told is not None]
    told = first.but(**{varying: listed(values, first.language), "count": len(values)})
    return [NarrationLine(EVENT, str(told), entries[0].cites)]


def _answers(entries: list[LogEntry]) -> list[NarrationLine]:
    """The picks of a decision; that there are no more is worth telling only where there were none."""
    return _joined(entries[:-1] if len(entries) > 1 and entries[-1].data.get("answer") is None else entries)


_FOLD = {"move": _joined, "set": _joined, "answer": _answers}


def listed(names: Sequence[str], language: str = "en") -> str:
    """Names in a row; things that are numbered one after the other as a span, and of very many the first few."""
    comma = COMMA.within(language, {})
    spans = [_span(list(group), comma) for _, group in groupby(enumerate(map(_numbered, names)), key=_run)]
    if len(spans) > _MOST_NAMES:
        first = comma.join(spans[:_MOST_NAMES])
        return MORE_OF_THEM.within(language, {"names": first, "count": len(spans) - _MOST_NAMES})
    return comma.join(spans)


def _numbered(name: str) -> tuple[str, int | None]:
    """A name's text and the number at its end."""
    text, _, number = name.rpartition(" ")
    return (text, int(number)) if text and number.isdecimal() and len(number) < 9 else (name, None)


def _run(item: tuple[int, tuple[str, int | None]]) -> tuple[str, int]:
    at, (text, number) = item
    return (text, -1) if number is None else (text, number - at)


def _span(items: list[tuple[int, tuple[str, int | None]]], comma: str) -> str:
    (_, (text, first)), (_, (_, last)) = items[0], items[-1]
    if first is None:
        return f"{text} (×{len(items)})" if len(items) > 1 else text
    if first == last:
        return f"{text} {first}"
    return f"{text} {first}–{last}" if len(items) > 2 else f"{text} {first}{comma}{text} {last}"
