"""The state of one run of the linker: the program, its errors and figures; and readers of nodes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from interpreter.language.checking.context.scope import BUILTINS
from interpreter.language.diagnostics import (
    MAX_LISTED,
    Diagnostic,
    Place,
    RulesetError,
    did_you_mean,
    with_article,
)
from interpreter.language.model.program import Datum, Individual, Parameter, Program
from interpreter.language.parsing.build_expressions import FIXED_WORDS, RESERVED_WORDS
from interpreter.language.parsing.parse import parse_block, parse_expr, parse_type
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree.statements import Body, Expr, TypeExpr
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence, describe
from interpreter.rules.documents.text_grids import TextGrid, read_grid
from interpreter.rules.linking.figure import Figure

T = TypeVar("T")

IDENTIFIER = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*_?")
"""Two underscores separate names in emitted code, where collisions must not occur."""

CALLED_NAMES = RESERVED_WORDS | frozenset(BUILTINS)
"""Names that nothing in rule text may have."""

ROOTS = ("space", "link", "thing", "piece", "seat", "record")
_MOST_CELLS = 200_000
TYPE_WORDS = frozenset(("enum", "int", "number", "bool", "text", "reason", *ROOTS))


@dataclass(frozen=True, slots=True)
class Entry:
    """One named entry of a section."""

    name: str
    place: Place
    node: Node

    @property
    def fields(self) -> Mapping:
        """The entry as a mapping; any other node counts as an empty one."""
        if isinstance(self.node, Mapping):
            return self.node
        return Mapping(self.node.origin, self.node.start)


@dataclass(frozen=True, slots=True)
class MethodText:
    """The text of a method that an individual or a counter carries, or that a kind has for its things."""

    kind: str
    name: str
    """The id of the entry that carries it; empty for a kind."""
    entry: Entry
    cites: tuple[str, ...]
    is_counter: bool
    standing: str = "stated"
    source: str | None = None


@dataclass(slots=True, eq=False)
class LinkContext:
    """One run of the linker."""

    documents: DocumentSet
    program: Program
    options: dict[str, object]
    faults: list[Diagnostic] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tells_figures: bool = True
    """Whether the figures of individuals, counters and links are collected: play and checks need none."""
    broken: set[str] = field(default_factory=set)
    """Names with reported errors, so that their users are not blamed."""
    holders: dict[str, list[str]] = field(default_factory=dict)
    """The kinds that can hold pieces of a kind, memoized."""
    space_at: dict[tuple[str, tuple[int, int]], Individual] = field(default_factory=dict)
    """The listed spaces of each grid, by kind, column and row."""
    methods: dict[str, dict[str, str]] = field(default_factory=dict)
    """The methods of each kind with the section that declares them, memoized."""
    method_texts: dict[Place, dict[str, MethodText]] = field(default_factory=dict)
    """The texts of methods by the place of the entry that carries them, and method."""
    counted: Counter[str] = field(default_factory=Counter)
    """The counts of things whose number is limited."""

    # ------------------------------------------------------------ faults
    def fault(self, code: str, message: str, place: Place, hint: str | None = None) -> None:
        """Reports an error and goes on."""
        self.faults.append(Diagnostic(code, message, place, hint))

    def has_room(self, what: str, most: int, place: Place, number: int = 1) -> bool:
        """Whether a ruleset may have these further `what` under the limit `most`; reports the first excess."""
        before = self.counted[what]
        self.counted[what] += number
        if before <= most < self.counted[what]:
            self.fault("too-large", f"more than {most:,} {what} in one ruleset", place, "leave some of them out")
        return self.counted[what] <= most

    def grid(self, source: SourceText) -> TextGrid | None:
        """The text grid of a source; none if it has no rows, or the ruleset has too many cells in its grids."""
        if not self.has_room("cells in grids", _MOST_CELLS, source.place(0), 0):
            return None
        found, faults = read_grid(source)
        self.faults.extend(faults)
        size = 0 if found is None else (len(found.rows) + 1) * (len(found.labels) + len(found.headings))
        return found if self.has_room("cells in grids", _MOST_CELLS, source.place(0), size) else None

    def twice(self, message: str, place: Place, first: Place, code: str = "duplicate-name") -> None:
        """Reports a second definition, with the place of the first."""
        self.fault(code, message, place, f"rename or remove one of the two; the first is at {first}")

    def unknown(
        self, what: str, name: str, known: Iterable[str], place: Place, code: str = "", most: int = MAX_LISTED
    ) -> None:
        """Reports that `name` is no `what`, with the nearest one, or with all if they are no more than `most`.

        `code` is given where `what` is a word of the ruleset.
        """
        if name in self.broken:
            return
        stable = code or f"unknown-{what.replace(' ', '-')}"
        hint = did_you_mean(name, known, most)
        if what.startswith("kind of ") and name in self.program.kinds and not (hint or "").startswith("did"):
            message = f"'{name}' is {with_article(self.program.kinds[name].root)}, and a {what} is needed here"
            self.fault(stable, message, place, hint)
            return
        self.fault(stable, f"there is no {what} '{name}'", place, hint)

    def no_attribute(self, kind: str, name: str, known: Iterable[str], place: Place) -> None:
        """Reports that things of a kind have no such attribute."""
        self.fault("unknown-attribute", f"{kind} has no attribute '{name}'", place, did_you_mean(name, known))

    def attempt(self, parse: Callable[[SourceText], T], source: SourceText) -> T | None:
        """The result of `parse` for a text, or none where the text has errors."""
        try:
            return parse(source)
        except RulesetError as error:
            self.faults.extend(error.diagnostics)
            return None

    # ------------------------------------------------------------ names
    def name_is_sound(self, name: str, what: str, place: Place, taken: frozenset[str] = frozenset()) -> bool:
        """Whether rule text can use a name, where the words in `taken` have another meaning; else reports an error."""
        if not IDENTIFIER.fullmatch(name):
            hint = "a name has letters, digits and single underscores, and begins with a letter"
            self.fault("bad-name", f"'{name}' can't be the name of {with_article(what)}", place, hint)
            return False
        if name in taken:
            kind = "function" if name in BUILTINS and name not in FIXED_WORDS else "word"
            message = f"'{name}' is a {kind} of the rule language and can't be the name of {with_article(what)}"
            self.fault("reserved-name", message, place, f"choose another, such as '{name}_'")
            return False
        return True

    # ------------------------------------------------------------ sections
    def entries(self, section: str) -> list[Entry]:
        """The entries of a section in document order, over all files."""
        return [Entry(*each) for each in self.documents.entries(section)]

    # ------------------------------------------------------------ nodes
    def pairs(self, node: Node | None) -> Iterator[Entry]:
        """The entries of a mapping; none for a missing or empty node."""
        if isinstance(node, Mapping):
            for key, value in node.items.items():
                yield Entry(key, node.key_place(key), value)

    def scalar(self, node: Node, what: str) -> Scalar | None:
        """The node as a single value; reports an error if it is not one."""
        if isinstance(node, Scalar):
            return node
        self.fault("wrong-shape", f"{what} must be a single value, not {describe(node)}", node.place)
        return None

    def expr(self, node: Node | None) -> Expr | None:
        """An expression; numbers and truth values are read as they are written."""
        if node is None or (text := self.scalar(node, "an expression")) is None:
            return None
        return self.attempt(parse_expr, text.source)

    def type(self, node: Node | None) -> TypeExpr | None:
        """A type as written."""
        if node is None or (text := self.scalar(node, "a type")) is None:
            return None
        return self.attempt(parse_type, text.source)

    def body(self, node: Node | None) -> Body:
        """A block of statements; empty where it is missing or has errors."""
        if node is None or (text := self.scalar(node, "a block of rule text")) is None:
            return ()
        found = self.attempt(parse_block, text.source)
        if found is None and text.folded and self.faults[-1].hint is None:
            self.faults[-1] = replace(self.faults[-1], hint="a block of several lines begins with '|' after its key")
        return found or ()

    def parameters(self, node: Node | None) -> tuple[Parameter, ...]:
        """The parameters of a `takes`."""
        found = []
        for entry in self.pairs(node):
            self.name_is_sound(entry.name, "parameter", entry.place, RESERVED_WORDS)
            found.append(Parameter(name=entry.name, place=entry.place, written=self.type(entry.node)))
        return tuple(found)


def named_items(context: LinkContext, node: Node | None, what: str) -> list[tuple[str, Mapping]]:
    """The items of a list with ids; reports duplicate ids."""
    found: dict[str, Mapping] = {}
    for each in node if isinstance(node, Sequence) else ():
        if not isinstance(each, Mapping):
            continue
        name = text_of(each.get("id")) or str(len(found) + 1)
        place = id_place(each)
        if name in found:
            context.twice(f"two {what}s are called '{name}'", place, id_place(found[name]))
        else:
            found[name] = each
    return list(found.items())


def id_place(fields: Mapping) -> Place:
    """The place of the id of an item, or of the item."""
    return fields.items["id"].place if "id" in fields else fields.place


def words(node: Node | None) -> tuple[Scalar, ...]:
    """A single value or a list of them, as a list."""
    if isinstance(node, Scalar):
        return (node,) if node.value is not None else ()
    if isinstance(node, Sequence):
        return tuple(each for each in node if isinstance(each, Scalar))
    return ()


def texts(node: Node | None) -> tuple[str, ...]:
    """A single value or a list of them, each as it is written."""
    return tuple(each.text for each in words(node))


def cites(fields: Mapping) -> tuple[str, ...]:
    """The clauses that an entry cites; their existence is checked for all documents together."""
    return texts(fields.get("cite"))


def text_of(node: Node | None) -> str:
    """A single value as it is written; empty where there is none."""
    return node.text if isinstance(node, Scalar) and node.value is not None else ""


def is_true(node: Node | None) -> bool:
    """Whether a switch is given and is on."""
    return isinstance(node, Scalar) and node.value is True


def localized(node: Node | None) -> str:
    """A text, or the English one of several (the first if there is none)."""
    if isinstance(node, Mapping):
        return text_of(node.get("en") or next(iter(node.items.values()), None))
    return text_of(node)


def texts_by_language(node: Node | None) -> tuple[tuple[str, str], ...]:
    """The texts of several languages, each with its language; nothing for a single text."""
    return (
        tuple([(language, text_of(each)) for language, each in node.items.items()]) if isinstance(node, Mapping) else ()
    )


def whole(node: Node | None) -> int | None:
    """A whole number, or none for anything else."""
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def datum(node: Node) -> Datum:
    """A value given as data; lists become tuples, and the word `none` becomes none."""
    if isinstance(node, Scalar):
        return None if node.value == "none" else node.value
    if isinstance(node, Sequence):
        return tuple(datum(each) for each in node)
    return None


def several(name: str, kinds: Iterable[str]) -> str:
    """The message that a name is that of things of several kinds."""
    return f"there is more than one '{name}' here: " + ", ".join(f"the {each}" for each in kinds)
