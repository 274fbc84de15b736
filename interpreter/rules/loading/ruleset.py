"""Loaded rulesets and scenarios, as play and the tools use them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Settings
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.language.model.image import Image, Unit
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.linking.setup import Setup

if TYPE_CHECKING:
    from interpreter.language.model.program import Program
    from interpreter.rules.documents.document_set import DocumentSet


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the rulebook, paraphrased; `texts` has the wording by language, `says` the English one."""

    id: str
    kind: str
    says: str
    see: tuple[str, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)

    def text(self, language: str) -> str:
        """Returns the wording in a language, in English if it lacks the language."""
        return self.texts.get(language) or self.says


@dataclass(frozen=True, slots=True)
class Layer:
    """An overlay applied to a ruleset; `info` is the plain data of its head."""

    id: str
    file: OverlayFile
    info: Settings[str, Any]

    @property
    def title(self) -> str:
        return text_in(self.info.get("title")) or self.id


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruleset:
    """A ruleset that has passed every check.

    `options` are the settings it was loaded with, `layers` the overlays applied to it; `info` is the plain data of its
    head. `hash` covers the contents of its documents, whatever their layout, its options and the engine version;
    `stamp` covers the bytes of its files. `entries` are the digests of all entries by path, `files` those of its files
    by name. `documents` and `program` are read on first access: play needs neither.
    """

    name: str
    version: str
    title: str
    folder: Path
    hash: str
    stamp: str
    entries: Settings[str, str]
    files: Settings[str, str]
    layers: tuple[Layer, ...]
    has_conditional_patches: bool
    image: Image
    options: Settings[str, object]
    info: Settings[str, Any]
    clauses: Settings[str, Clause]
    presentation: Settings[str, Any]
    readings: tuple[Settings[str, Any], ...]
    left_out: tuple[Settings[str, Any], ...]
    make_program: Callable[[Ruleset], Program]
    make_unit: Callable[[Ruleset, str], Unit]
    _units: dict[str, Unit] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<ruleset {self.name} {self.version} of {self.folder}>"

    @cached_property
    def documents(self) -> DocumentSet:
        """The documents, with their positions."""
        from interpreter.rules.overlays.merged import read_effective  # noqa: PLC0415 - a cached ruleset opens without YAML

        return read_effective(self.folder, self.overlays, self.options)

    @property
    def overlays(self) -> tuple[OverlayFile, ...]:
        """The files of the overlays applied to it, lowest first."""
        return tuple(each.file for each in self.layers)

    @cached_property
    def program(self) -> Program:
        """The checked program, for tools that read or compile further rule text.

        Raises:
            RulesetError: if the documents have changed since and now have errors.
        """
        return self.make_program(self)

    def unit(self, variant: str) -> Unit:
        """Returns the generated code in one variant (`fast`, `traced`, `observed`, `odds`), compiled on first use.

        Raises:
            ValueError: for an unknown variant.
        """
        if variant not in self._units:
            made = next((each for each in self.image.units if each.variant == variant), None)
            self._units[variant] = made or self.make_unit(self, variant)
        return self._units[variant]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scenario:
    """A scenario of a ruleset; `setup` is what it changes before the first step."""

    name: str
    title: str
    path: Path
    ruleset: Ruleset
    setup: Setup
    seats: Settings[str, Any]
    info: Settings[str, Any]
    names: Settings[str, Any] = field(default_factory=dict)
    """The names of pieces and things in this scenario, by kind and id."""

    def __repr__(self) -> str:
        return f"<scenario {self.name} of {self.ruleset!r}>"


def text_in(value: Any, language: str = "en") -> str:
    """Returns a text in a language; if it is missing, in English, else in any."""
    if isinstance(value, dict):
        value = value.get(language, value.get("en", next(iter(value.values()), "")))
    return "" if value is None else str(value)
