"""Fingerprints of rules in recorded games, which allow a comparison with other rules without the original files.

A fingerprint has the full text of the overlays. Of the ruleset it has the digests of all entries that play reads, the
cells of the tables, and the address of every roll and decision, so that inputs can be interpreted under other rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import Image, TableImage
from interpreter.language.visible_text import visible_line
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.own_folder import MAX_FILE_BYTES

Data = dict[str, Any]

INPUT_KINDS: Final = frozenset(
    ("one", "maybe", "some", "up_to", "any", "number", "rank", "assign", "spread", "agree", "choice", "next", "menu",
     "pick", "roll", "random", "draw", "reveal")
)  # fmt: skip
"""The kinds of sites with inputs."""
DESCRIPTIVE_SECTIONS: Final = frozenset(
    {"clauses", "left_out", "readings", "sources", "examples", "presentation", "glossary", "ruleset", "evaluation",
     "priors", "victory"}
)  # fmt: skip
"""Sections that contain no rule: they describe the rules, or advise the players that look ahead."""
_DIGEST_LENGTH: Final = 10
"""The number of characters of an entry's digest, which only shows changes; states are compared step by step anyway."""
_MAX_LISTED: Final = 12
_MAX_ID: Final = 40
"""The number of characters of an overlay's id in the name of its recorded copy."""


@dataclass(frozen=True, slots=True)
class OverlayCopy:
    """A copy of an overlay of the game: its id, the name of its file, and its text."""

    id: str
    path: str
    text: str

    @property
    def file(self) -> OverlayFile:
        """The overlay as a file to be applied again. Its recorded path is a claim of the record, and is never used."""
        from interpreter.rules.documents.source_excerpts import remember_text  # noqa: PLC0415 - few games have overlays

        name = f"<overlay {self.id[:_MAX_ID]}, recorded {self.digest[:8]}>"
        remember_text(name, self.text)
        return OverlayFile(Path(name), self.text.encode())

    @property
    def digest(self) -> str:
        """The SHA-256 of the text."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RulesFingerprint:
    """The fingerprint of the rules of a recorded game. `entries` are digests by path, `tables` axes and cells by name.

    `sites` are the addresses of rolls and decisions by their numbers in the inputs, `scenario` a digest of the set-up.
    """

    overlays: tuple[OverlayCopy, ...]
    entries: Mapping[str, str]
    tables: Mapping[str, Data]
    sites: Mapping[int, str]
    scenario: str

    # ------------------------------------------------------------ JSON
    def data(self) -> Data:
        """Returns the fingerprint as JSON data."""
        return {
            "overlays": [{"id": each.id, "path": each.path, "text": each.text} for each in self.overlays],
            "entries": dict(self.entries),
            "tables": dict(self.tables),
            "sites": {str(number): address for number, address in self.sites.items()},
            "scenario": self.scenario,
        }

    @classmethod
    def from_data(cls, data: object) -> RulesFingerprint:
        """Returns the fingerprint from JSON data.

        Raises:
            UsageError: if the data is malformed.
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
                    copies = tuple(map(_overlay, overlays))
                    checked = {name: _table(each) for name, each in tables.items()}
                    numbered = {int(number): address for number, address in sites.items()}
                    return cls(copies, entries, checked, numbered, scenario)
        raise UsageError("the rules in its header are malformed")

    # ------------------------------------------------------------ what differs
    def plays_like(self, other: RulesFingerprint) -> bool:
        """Whether other rules play the same: inputs have the same sites, and no rule differs."""
        return bool(self.entries) and self.sites == other.sites and not self.differences(other)

    def differences(self, other: RulesFingerprint) -> list[str]:
        """Returns the known differences of other rules, in the terms of the ruleset."""
        found = self._overlay_differences(other)
        cells = [
            text for name in self.tables for text in _cell_differences(name, self.tables[name], other.tables.get(name))
        ]
        named = {each.partition(" ")[0] for each in cells}
        entries = [
            f"{path} {change}"
            for path, change in _changed(self.entries, other.entries)
            if not any(each.startswith(f"{path}/") for each in named)
        ]
        found += [*cells[:_MAX_LISTED], *_more(len(cells) - _MAX_LISTED, "cells of tables")]
        found += [*entries[:_MAX_LISTED], *_more(len(entries) - _MAX_LISTED, "entries")]
        return found

    def _overlay_differences(self, other: RulesFingerprint) -> list[str]:
        mine, others = ({each.id: each for each in rules.overlays} for rules in (self, other))
        found = [f"the overlay '{name}' is not applied here" for name in mine if name not in others]
        found += [f"the overlay '{name}' was not applied in the record" for name in others if name not in mine]
        for name in mine:
            if name in others and mine[name].text != others[name].text:
                found.append(f"the overlay '{name}' has a different text{_patches_between(mine[name], others[name])}")
        if not found and list(mine) != list(others):
            found.append(
                f"the overlays have a different order (recorded: {', '.join(mine)}; here: {', '.join(others)})"
            )
        return found


# ---------------------------------------------------------------- what is kept
_CACHE: dict[int, tuple[Any, Any, RulesFingerprint]] = {}
_MAX_CACHED = 16


def fingerprint_of(image: Image, ruleset: Any, scenario: Any) -> RulesFingerprint:
    """Returns the cached fingerprint of the rules of a game."""
    key = id(image)
    found = _CACHE.get(key)
    if found is None or found[0] is not image or found[1] is not scenario:
        while len(_CACHE) >= _MAX_CACHED:
            del _CACHE[next(iter(_CACHE))]
        found = _CACHE[key] = (image, scenario, _new_fingerprint(image, ruleset, scenario))
    return found[2]


def _new_fingerprint(image: Image, ruleset: Any, scenario: Any) -> RulesFingerprint:
    layers = () if ruleset is None else ruleset.layers
    entries = {} if ruleset is None else ruleset.entries
    return RulesFingerprint(
        tuple(
            OverlayCopy(each.id, visible_line(each.file.path.name), each.file.content.decode("utf-8"))
            for each in layers
        ),
        {
            path: digest[:_DIGEST_LENGTH]
            for path, digest in entries.items()
            if path.partition("/")[0] not in DESCRIPTIVE_SECTIONS
        },
        {each.name: _table_data(each) for each in image.tables},
        {each.number: each.address for each in image.sites if each.kind in INPUT_KINDS},
        "" if scenario is None else sha256(repr(scenario.setup).encode()).hexdigest()[:_DIGEST_LENGTH],
    )


def _table_data(table: TableImage) -> Data:
    """Returns the headings of each axis, and the cells by the positions of their headings."""
    cells = {" ".join(map(str, at)): text for at, text, _ in table.cells}
    return {"axes": [[axis, list(headings)] for axis, headings in table.axes], "cells": cells}


# ---------------------------------------------------------------- out of JSON
def _overlay(data: object) -> OverlayCopy:
    match data:
        case {"id": str(name), "path": str(path), "text": str(text)} if len(data) == 3 and _is_text(text):  # type: ignore[arg-type]
            return OverlayCopy(name, path, text)
    raise UsageError("an overlay in its header is malformed")


def _is_text(text: str) -> bool:
    """Whether a text can be that of a document."""
    try:
        return len(text.encode()) <= MAX_FILE_BYTES
    except UnicodeEncodeError:
        return False


def _table(data: object) -> Data:
    match data:
        case {"axes": list(axes), "cells": dict(cells)} if len(data) == 2:  # type: ignore[arg-type]
            if all(map(_is_axis, axes)) and all(isinstance(each, str) for each in cells.values()):
                return {"axes": axes, "cells": cells}
    raise UsageError("a table in its header is malformed")


def _is_axis(data: object) -> bool:
    match data:
        case [str(), list(headings)]:
            return all(isinstance(each, str) for each in headings)
    return False


# ---------------------------------------------------------------- comparing
def _changed(mine: Mapping[str, str], others: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Yields the paths of changed entries, with the kind of change."""
    for path in mine:
        if path not in others:
            yield path, "was removed"
        elif mine[path] != others[path]:
            yield path, "has changed"
    for path in others:
        if path not in mine:
            yield path, "is new"


def _cell_differences(name: str, mine: Data, other: Data | None) -> list[str]:
    """Returns the changed cells of a table; nothing if its headings differ."""
    if other is None or mine["axes"] != other["axes"]:
        return []
    found = []
    for at, text in mine["cells"].items():
        if (now := other["cells"].get(at)) != text:
            where = "/".join(_headings(mine["axes"], at))
            found.append(f"tables/{name}/{where} (recorded: {text}, here: {now})")
    return found


def _headings(axes: list[Any], at: str) -> Iterable[str]:
    """Yields the headings of a cell; a number that fits no heading stays a number."""
    for (_, headings), number in zip(axes, at.split(), strict=False):
        fits = number.isdecimal() and int(number) < len(headings)
        yield headings[int(number)] if fits else number


def _patches_between(mine: OverlayCopy, other: OverlayCopy) -> str:
    """Returns the places that two texts of an overlay change differently."""
    from interpreter.language.diagnostics import RulesetError  # noqa: PLC0415 - only where two texts differ
    from interpreter.rules.documents.content_hash import canonical_text  # noqa: PLC0415 - as above
    from interpreter.rules.overlays.patch.overlay import read_overlay  # noqa: PLC0415 - as above

    try:
        patched = [
            {canonical_text(patch.fields): patch.at.text for patch in read_overlay(each.file).patches}
            for each in (mine, other)
        ]
    except (RulesetError, UsageError):
        return ""
    places = dict.fromkeys(
        patched[text][patch]
        for patch in patched[0].keys() ^ patched[1].keys()
        for text in (0, 1)
        if patch in patched[text]
    )
    listed = list(places)
    return f": {', '.join(listed[:_MAX_LISTED])}{' …' if len(listed) > _MAX_LISTED else ''}" if listed else ""


def _more(count: int, what: str) -> list[str]:
    return [f"{count} more {what}"] if count > 0 else []
