"""What a recorded game keeps of the rules it is played under: enough to go on without its author's files, and to say
what is different about other rules.

Its overlays are kept whole. Of the ruleset there are digests of all entries that play reads, the cells of its tables,
and the address of every roll and decision, so that the inputs of a game mean the same under other rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import Image, TableImage
from interpreter.rules.documents.overlay_files import OverlayFile

Data = dict[str, Any]

ASKING: Final = frozenset(
    ("one", "maybe", "some", "up_to", "any", "number", "rank", "assign", "spread", "agree", "choice", "next", "menu",
     "pick", "roll", "random", "draw", "reveal")
)  # fmt: skip
"""The kinds of sites that inputs come from."""
TEXTS: Final = frozenset({"clauses", "left_out", "readings", "sources", "examples", "presentation", "ruleset"})
"""Sections that say something of the rules and are none."""
_DIGITS: Final = 10
"""Of a digest that tells whether and what is other of an entry; states are compared step by step all the same."""
_MOST_TOLD: Final = 12


@dataclass(frozen=True, slots=True)
class KeptOverlay:
    """An overlay as it lay on the ruleset: its id, the path it was read from, its text."""

    id: str
    path: str
    text: str

    @property
    def file(self) -> OverlayFile:
        """The overlay to be laid on again; its path is only what messages call it by."""
        return OverlayFile(Path(self.path), self.text.encode())

    @property
    def digest(self) -> str:
        """SHA-256 of its text."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class KeptRules:
    """The rules of a recorded game. `entries` are digests by path, `tables` axes and cells by name.

    `sites` are the addresses of rolls and decisions by their numbers in the inputs, `scenario` a digest of the set-up.
    """

    overlays: tuple[KeptOverlay, ...]
    entries: Mapping[str, str]
    tables: Mapping[str, Data]
    sites: Mapping[int, str]
    scenario: str

    # ------------------------------------------------------------ JSON
    def data(self) -> Data:
        """As JSON data."""
        return {
            "overlays": [{"id": each.id, "path": each.path, "text": each.text} for each in self.overlays],
            "entries": dict(self.entries),
            "tables": dict(self.tables),
            "sites": {str(number): address for number, address in self.sites.items()},
            "scenario": self.scenario,
        }

    @classmethod
    def read(cls, data: object) -> KeptRules:
        """Out of JSON data.

        Raises:
            UsageError: if it is nothing that was kept of rules.
        """
        match data:
            case {
                "overlays": list(overlays),
                "entries": dict(entries),
                "tables": dict(tables),
                "sites": dict(sites),
                "scenario": str(scenario),
            } if len(data) == 5:  # type: ignore[arg-type]
                if all(isinstance(each, str) for each in (*entries.values(), *sites.values())) and all(
                    each.isdecimal() and len(each) < 10 for each in sites
                ):
                    laid = tuple(map(_overlay, overlays))
                    checked = {name: _table(each) for name, each in tables.items()}
                    numbered = {int(number): address for number, address in sites.items()}
                    return cls(laid, entries, checked, numbered, scenario)
        raise UsageError("what its head says of its rules is not in the form in which it is written")

    # ------------------------------------------------------------ what differs
    def play_as(self, other: KeptRules) -> bool:
        """Whether inputs mean the same under other rules and do the same, as far as the rulesets go."""
        return bool(self.entries) and self.sites == other.sites and not self.differences(other)

    def differences(self, other: KeptRules) -> list[str]:
        """What is different about other rules, in the ruleset's own terms, as far as it is known."""
        found = self._overlay_differences(other)
        cells = [
            text for name in self.tables for text in _cell_differences(name, self.tables[name], other.tables.get(name))
        ]
        named = {each.partition(" ")[0] for each in cells}
        entries = [
            f"{path} {what}"
            for path, what in _changed(self.entries, other.entries)
            if not any(each.startswith(f"{path}/") for each in named)
        ]
        found += [*cells[:_MOST_TOLD], *_more(len(cells) - _MOST_TOLD, "cells of tables")]
        found += [*entries[:_MOST_TOLD], *_more(len(entries) - _MOST_TOLD, "entries")]
        return found

    def _overlay_differences(self, other: KeptRules) -> list[str]:
        mine, others = ({each.id: each for each in rules.overlays} for rules in (self, other))
        found = [f"the overlay '{name}' is not laid on here" for name in mine if name not in others]
        found += [f"the overlay '{name}' was not laid on then" for name in others if name not in mine]
        for name in mine:
            if name in others and mine[name].text != others[name].text:
                found.append(f"the overlay '{name}' is another text{_patches_between(mine[name], others[name])}")
        if not found and list(mine) != list(others):
            found.append(f"the overlays lie in another order ({', '.join(mine)}; here: {', '.join(others)})")
        return found


# ---------------------------------------------------------------- what is kept
_KEPT: dict[int, tuple[Any, Any, KeptRules]] = {}
_MOST_KEPT = 16


def kept_rules(image: Image, ruleset: Any, scenario: Any) -> KeptRules:
    """What is kept of the rules of a game; the same object for the same rules."""
    key = id(image)
    found = _KEPT.get(key)
    if found is None or found[0] is not image or found[1] is not scenario:
        while len(_KEPT) >= _MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
        found = _KEPT[key] = (image, scenario, _made(image, ruleset, scenario))
    return found[2]


def _made(image: Image, ruleset: Any, scenario: Any) -> KeptRules:
    layers = () if ruleset is None else ruleset.layers
    entries = {} if ruleset is None else ruleset.entries
    return KeptRules(
        tuple(KeptOverlay(each.id, str(each.file.path), each.file.content.decode("utf-8")) for each in layers),
        {path: digest[:_DIGITS] for path, digest in entries.items() if path.partition("/")[0] not in TEXTS},
        {each.name: _table_data(each) for each in image.tables},
        {each.number: each.address for each in image.sites if each.kind in ASKING},
        "" if scenario is None else sha256(repr(scenario.setup).encode()).hexdigest()[:_DIGITS],
    )


def _table_data(table: TableImage) -> Data:
    """The headings of each axis, and the cells by the positions of their headings."""
    cells = {" ".join(map(str, at)): text for at, text, _ in table.cells}
    return {"axes": [[axis, list(headings)] for axis, headings in table.axes], "cells": cells}


# ---------------------------------------------------------------- out of JSON
def _overlay(data: object) -> KeptOverlay:
    match data:
        case {"id": str(name), "path": str(path), "text": str(text)} if len(data) == 3 and "\0" not in path:  # type: ignore[arg-type]
            return KeptOverlay(name, path, text)
    raise UsageError("an overlay in its head is not in the form in which it is written")


def _table(data: object) -> Data:
    match data:
        case {"axes": list(axes), "cells": dict(cells)} if len(data) == 2:  # type: ignore[arg-type]
            if all(map(_is_axis, axes)) and all(isinstance(each, str) for each in cells.values()):
                return {"axes": axes, "cells": cells}
    raise UsageError("a table in its head is not in the form in which it is written")


def _is_axis(data: object) -> bool:
    match data:
        case [str(), list(headings)]:
            return all(isinstance(each, str) for each in headings)
    return False


# ---------------------------------------------------------------- comparing
def _changed(mine: Mapping[str, str], others: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Paths of entries with what is the matter with them."""
    for path in mine:
        if path not in others:
            yield path, "is gone"
        elif mine[path] != others[path]:
            yield path, "has changed"
    for path in others:
        if path not in mine:
            yield path, "is new"


def _cell_differences(name: str, mine: Data, other: Data | None) -> list[str]:
    """Cells of a table that say something else; nothing where its headings are others."""
    if other is None or mine["axes"] != other["axes"]:
        return []
    found = []
    for at, text in mine["cells"].items():
        if (now := other["cells"].get(at)) != text:
            where = "/".join(_headings(mine["axes"], at))
            found.append(f"tables/{name}/{where} (recorded: {text}, here: {now})")
    return found


def _headings(axes: list[Any], at: str) -> Iterable[str]:
    """The headings of a cell; as they are numbered where the numbers fit no heading."""
    for (_, headings), number in zip(axes, at.split(), strict=False):
        fits = number.isdecimal() and int(number) < len(headings)
        yield headings[int(number)] if fits else number


def _patches_between(mine: KeptOverlay, other: KeptOverlay) -> str:
    """The places that only one of two texts of an overlay changes, or changes otherwise."""
    from interpreter.language.diagnostics import RulesetError  # noqa: PLC0415 - only where two texts differ
    from interpreter.rules.documents.content_hash import canonical  # noqa: PLC0415 - as above
    from interpreter.rules.overlays.patch.overlay import read_overlay  # noqa: PLC0415 - as above

    try:
        said = [
            {canonical(patch.fields): patch.at.text for patch in read_overlay(each.file).patches}
            for each in (mine, other)
        ]
    except (RulesetError, UsageError):
        return ""
    places = dict.fromkeys(
        said[text][patch] for patch in said[0].keys() ^ said[1].keys() for text in (0, 1) if patch in said[text]
    )
    told = list(places)
    return f": {', '.join(told[:_MOST_TOLD])}{' …' if len(told) > _MOST_TOLD else ''}" if told else ""


def _more(count: int, what: str) -> list[str]:
    return [f"{count} more {what}"] if count > 0 else []
