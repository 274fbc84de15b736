"""Finds the uses of a name outside of rule text: in values, grids, keys, presentation and examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from interpreter.language.model.program import Program
from interpreter.language.tree.types import EnumType, KindType, ListType, MapType, OptionalType, SetType, Type
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.documents.text_grids import GridCell, read_grid
from interpreter.rules.linking.link_context import text_of, words
from interpreter.rules.overlays.rename.text_edits import Edits

_PLACEHOLDER: Final = re.compile(r"\{(\w+)")
_PATTERN: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)")
_IN_LIST: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WHOLE: Final = re.compile(r".*", re.DOTALL)
_BASIS: Final = frozenset({"cite", "standing", "source", "figures", "grid", "id", "ids", "count"})
_CITING_KEYS: Final = {"clause": ("cite", "see", "clauses"), "source": ("source",)}


@dataclass(frozen=True, slots=True)
class NameChange:
    """A change of name: the sort of the thing, the kind, enum or list it belongs to, and its new name by its old one.

    Counters made from one line of a counter-mix have several names.
    """

    sort: str
    of: str
    names: dict[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class RecordedRename:
    """What a patch has renamed, and the program as it was before."""

    named: NameChange
    program: Program


class DataRenamer:
    """Visits documents and collects an edit for every use of one name outside of rule text."""

    def __init__(self, documents: DocumentSet, program: Program, named: NameChange, edits: Edits) -> None:
        self._documents = documents
        self._program = program
        self._named = named
        self._edits = edits

    def collect(self) -> None:
        """Collects all edits."""
        for document in self._documents.documents:
            for section, node in document.root.items.items():
                visit: Callable[[Mapping], None] | None = getattr(self, f"_in_{section}", None)
                if visit is not None and isinstance(node, Mapping):
                    visit(node)
        self._collect_citations()

    def _collect_citations(self) -> None:
        """Collects the citations of clauses and sources."""
        for document in self._documents.documents:
            for key in _CITING_KEYS.get(self._named.sort, ()):
                self._under(document.root, key)

    # ------------------------------------------------------------ the sorts of uses
    def _is(self, sort: str, name: str, of: str | None = None) -> bool:
        named = self._named
        return named.sort == sort and name in named.names and of in (None, named.of)

    def _word(self, sort: str, node: Node | None, of: str | None = None) -> None:
        """Renames a single name, or each name of a list."""
        for each in words(node):
            if self._is(sort, each.text, of):
                self._edits.whole(each, self._named.names[each.text])

    def _key(self, sort: str, holder: Mapping, key: str, of: str | None = None) -> None:
        if self._is(sort, key, of):
            self._edits.key(holder, key, self._named.names[key])

    def _is_individual(self, kind: str, name: str) -> bool:
        """Whether a name, used where a thing of a kind is expected, is that of the renamed individual."""
        program = self._program
        related = kind not in program.kinds or program.is_a(kind, self._named.of) or program.is_a(self._named.of, kind)
        return self._is("individual", name) and related

    def _is_attribute(self, kind: str, name: str) -> bool:
        own = self._program.attribute(kind, name)
        computed = any(self._named.of == each.name for each in self._program.lineage(kind))
        return self._is("attribute", name) and (own.owner == self._named.of if own is not None else computed)

    def _is_value(self, kind: Type, name: str) -> bool:
        return any(
            self._is("word", name, each.name) if isinstance(each, EnumType) else self._is_individual(each.name, name)
            for each in _named_types(kind)
        )

    def _is_one_of(self, kinds: list[Type], name: str) -> bool:
        return any(self._is_value(each, name) for each in kinds)

    def _cell(self, node: Scalar, cell: GridCell, is_named: Callable[[str], bool]) -> None:
        """Renames a cell of a grid that is the name, or the items of a list in a cell."""
        start = cell.offset + cell.quoted
        parts = _IN_LIST.finditer(cell.text) if not cell.quoted and cell.text[:1] in "[{" else [_WHOLE.match(cell.text)]
        for found in parts:
            if found is not None and is_named(found[0]):
                self._edits.word(node, start + found.start(), found[0], self._named.names[found[0]])

    def _under(self, node: Node, key: str) -> None:
        """Renames the ids under a key at any depth."""
        if isinstance(node, Mapping):
            for name, each in node.items.items():
                if name == key and not isinstance(each, Mapping):
                    self._word(self._named.sort, each)
                elif not (key == "clauses" and name == "clauses" and isinstance(each, Sequence)):
                    self._under(each, key)
        elif isinstance(node, Sequence):
            for each in node:
                self._under(each, key)

    # ------------------------------------------------------------ kinds and things
    def _in_kinds(self, section: Mapping) -> None:
        for kind, node in section.items.items():
            for key in ("is", "in", "between"):
                self._word("kind", node.get(key) if isinstance(node, Mapping) else None)
            if kind in self._program.kinds:
                self._things(kind, node.get("members") if isinstance(node, Mapping) else None)

    def _in_individuals(self, section: Mapping) -> None:
        for kind, node in list(section.items.items()):
            self._key("kind", section, kind)
            if not isinstance(node, Mapping):
                for each in words(node):
                    if self._is_individual(kind, each.text):
                        self._edits.whole(each, self._named.names[each.text])
            elif "grid" in node:
                self._counters(kind, node)
            else:
                for name, inner in list(node.items.items()):
                    if self._is_individual(kind, name):
                        self._edits.key(node, name, self._named.names[name])
                    self._attributes(kind, inner)

    def _is_thing_or_attribute(self, kind: str, name: str) -> bool:
        return self._is_individual(kind, name) or self._is_attribute(kind, name)

    def _things_in_grid(self, kind: str, node: Scalar) -> None:
        grid, _ = read_grid(node.source)
        if grid is None:
            return
        for cell in grid.headings:
            self._cell(node, cell, partial(self._is_attribute, kind))
        for row in grid.rows:
            self._cell(node, row.keys[0], partial(self._is_individual, kind))
            for heading, cell in zip(grid.headings, row.cells, strict=True):
                self._cell(node, cell, partial(self._is_given, kind, heading.text))

    def _is_given(self, kind: str, attribute: str, name: str) -> bool:
        """Whether a value of an attribute of a kind (or the holder of a thing of this kind) is the renamed name."""
        if attribute == "at":
            return any(self._is_individual(holder, name) for holder in self._program.holders(kind) or ("space",))
        declared = self._program.attribute(kind, attribute)
        return declared is not None and self._is_value(declared.type, name)

    def _attributes(self, kind: str, node: Node | None) -> None:
        """Renames attributes of a thing of a kind, and their values."""
        if not isinstance(node, Mapping):
            return
        for name, value in list(node.items.items()):
            if name == "figures":
                self._in_figures(node, partial(self._is_attribute, kind))
            if name in _BASIS:
                continue
            if self._is_attribute(kind, name):
                self._edits.key(node, name, self._named.names[name])
            for each in words(value):
                if self._is_given(kind, name, each.text):
                    self._edits.whole(each, self._named.names[each.text])

    def _in_figures(self, node: Mapping, is_named: Callable[[str], bool]) -> None:
        figures = node.get("figures")
        for key in list(figures.items) if isinstance(figures, Mapping) else ():
            parts = [self._named.names[each] if is_named(each) else each for each in key.split("/")]
            if isinstance(figures, Mapping) and "/".join(parts) != key:
                self._edits.key(figures, key, "/".join(parts))

    def _in_layers(self, section: Mapping) -> None:
        for node in section.items.values():
            if not isinstance(node, Mapping):
                continue
            kind, attribute = text_of(node.get("of")), text_of(node.get("sets"))
            self._word("kind", node.get("of"))
            if (
                (sets := node.get("sets")) is not None
                and isinstance(sets, Scalar)
                and self._is_attribute(kind, attribute)
            ):
                self._edits.whole(sets, self._named.names[attribute])
            key, text = node.get("key"), node.get("grid")
            is_named = partial(self._is_given, kind, attribute)
            for value in key.items.values() if isinstance(key, Mapping) else ():
                for each in words(value):
                    if is_named(each.text):
                        self._edits.whole(each, self._named.names[each.text])
            grid = read_grid(text.source)[0] if isinstance(text, Scalar) and key is None else None
            for row in grid.rows if grid is not None else ():
                for cell in row.cells:
                    if isinstance(text, Scalar):
                        self._cell(text, cell, is_named)

    def _in_pieces(self, section: Mapping) -> None:
        for kind, node in list(section.items.items()):
            self._key("kind", section, kind)
            self._counters(kind, node)

    def _counters(self, kind: str, node: Node) -> None:
        """Renames in the lines and the text grids of a counter-mix or a board."""
        for each in node.items if isinstance(node, Sequence) else [node]:
            grid = each.get("grid") if isinstance(each, Mapping) else None
            if isinstance(each, Mapping) and isinstance(grid, Scalar):
                self._things_in_grid(kind, grid)
                self._in_figures(each, partial(self._is_thing_or_attribute, kind))
            else:
                self._attributes(kind, each)

    def _in_links(self, section: Mapping) -> None:
        for node in section.items.values():
            if not isinstance(node, Mapping):
                continue
            self._word("kind", node.get("kind"))
            self._word("kind", node.get("of"))
            pairs = node.get("between")
            for pair in pairs.items if isinstance(pairs, Sequence) else ():
                self._things("space", pair)
            self._attributes(text_of(node.get("kind")), node.get("has"))

    def _things(self, kind: str, node: Node | None) -> None:
        for each in words(node):
            if self._is_individual(kind, each.text):
                self._edits.whole(each, self._named.names[each.text])

    # ------------------------------------------------------------ rules
    def _in_dice(self, section: Mapping) -> None:
        for node in section.items.values():
            if isinstance(node, Mapping):
                self._word("kind", node.get("of"))
                self._word("word", node.get("faces"), text_of(node.get("of")))

    def _in_tables(self, section: Mapping) -> None:
        for name, fields in section.items.items():
            table = self._program.tables.get(name)
            node = fields.get("grid") if isinstance(fields, Mapping) else None
            grid = read_grid(node.source)[0] if isinstance(node, Scalar) else None
            if table is None or grid is None or not isinstance(node, Scalar) or not isinstance(fields, Mapping):
                continue
            *rows, last = [each.parameter.type for each in table.axes]
            for cell in grid.headings:
                self._cell(node, cell, partial(self._is_value, last))
            for row in grid.rows:
                for kind, cell in zip(rows, row.keys, strict=False):
                    self._cell(node, cell, partial(self._is_value, kind))
                for cell in row.cells:
                    self._cell(node, cell, partial(self._is_value, table.type))
            kinds = [each.parameter.type for each in table.axes]
            self._in_figures(fields, partial(self._is_one_of, kinds))
            self._pattern(fields.get("cell"), table.type)

    def _pattern(self, node: Node | None, kind: Type) -> None:
        for found in _PATTERN.finditer(node.text) if isinstance(node, Scalar) else ():
            if isinstance(node, Scalar) and isinstance(kind, KindType) and self._is_attribute(kind.name, found[1]):
                self._edits.word(node, found.start(1), found[1], self._named.names[found[1]])

    def _in_definitions(self, section: Mapping) -> None:
        for name in list(section.items):
            kind, dot, attribute = name.partition(".")
            if dot and self._is("kind", kind):
                self._edits.key(section, name, f"{self._named.names[kind]}.{attribute}")

    def _in_modifiers(self, section: Mapping) -> None:
        for name, node in section.items.items():
            limits = node.get("limits") if isinstance(node, Mapping) else None
            for each in limits.items if isinstance(limits, Sequence) else ():
                for key in ("on_each", "on_sum", "except"):
                    self._word("item", each.get(key) if isinstance(each, Mapping) else None, f"modifiers/{name}/each")

    def _in_searches(self, section: Mapping) -> None:
        for node in section.items.values():
            self._word("kind", node.get("over") if isinstance(node, Mapping) else None)

    def _in_actions(self, section: Mapping) -> None:
        for node in section.items.values():
            self._word("menus", node.get("menu") if isinstance(node, Mapping) else None)

    def _in_views(self, section: Mapping) -> None:
        for node in section.items.values():
            if isinstance(node, Mapping):
                self._word("kind", node.get("of"))
                for each in words(node.get("others_see")):
                    if self._is_attribute(text_of(node.get("of")), each.text):
                        self._edits.whole(each, self._named.names[each.text])

    # ------------------------------------------------------------ wording
    def _in_presentation(self, section: Mapping) -> None:
        shown = section.get("words")
        for names in (section.get("names"), section.get("plurals")):
            for kind, inner in list(names.items.items()) if isinstance(names, Mapping) else ():
                self._key("kind", names, kind)  # type: ignore[arg-type]
                self._individuals_by_key(kind, inner)
        for word in list(shown.items) if isinstance(shown, Mapping) else ():
            if word in self._named.names and self._named.sort != "attribute" and isinstance(shown, Mapping):
                self._shown_word(shown, word)
        self._shown_attributes(section.get("attributes"))
        runs = section.get("procedures")
        for name in list(runs.items) if isinstance(runs, Mapping) else ():
            assert isinstance(runs, Mapping)
            self._key("procedures", runs, name)
        symbols = section.get("symbols")
        for name, inner in list(symbols.items.items()) if isinstance(symbols, Mapping) else ():
            assert isinstance(symbols, Mapping)
            if isinstance(inner, Mapping):
                self._individuals_by_key(name, inner)
            self._key("kind", symbols, name)
            self._key("word", symbols, name)
        drawn = section.get("map")
        for text in drawn.items.values() if isinstance(drawn, Mapping) else [drawn]:
            for found in _PLACEHOLDER.finditer(text.text) if isinstance(text, Scalar) else ():
                if isinstance(text, Scalar) and self._is_individual("space", found[1]):
                    self._edits.word(text, found.start(1), found[1], self._named.names[found[1]])

    def _in_glossary(self, section: Mapping) -> None:
        """Adds a term for the new name; the old one stays, because a term need not be the name of anything."""
        named = self._named
        for term in list(section.items) if named.sort not in {"individual", "clause", "source"} else ():
            if term in named.names:
                section.put(named.names[term], section.items[term], section.key_origin(term), section.key_starts[term])

    def _shown_word(self, shown: Mapping, word: str) -> None:
        """Renames the key of a displayed word; if other things have the same name, the old key stays for them."""
        if len(self._meanings(word)) > 1:
            new = self._named.names[word]
            shown.put(new, shown.items[word], shown.key_origin(word), shown.key_starts[word])
        else:
            self._edits.key(shown, word, self._named.names[word])

    def _meanings(self, name: str) -> list[object]:
        program = self._program
        sections: Iterable[Iterable[str]] = (
            program.kinds, program.enums, program.options, program.actions, program.menus, program.procedures,
            program.definitions, program.tables, program.modifiers, program.restrictions,
            *(each.words for each in program.enums.values()),
            *([item.name for item in rule.items] for rule in program.modifiers.values()),
        )  # fmt: skip
        return [each for each in sections if name in each]

    def _individuals_by_key(self, kind: str, node: Node) -> None:
        for name in list(node.items) if isinstance(node, Mapping) else ():
            if isinstance(node, Mapping) and self._is_individual(kind, name):
                self._edits.key(node, name, self._named.names[name])

    def _shown_attributes(self, node: Node | None) -> None:
        for name in list(node.items) if isinstance(node, Mapping) else ():
            assert isinstance(node, Mapping)
            kind, dot, attribute = name.rpartition(".")
            if dot and self._is("kind", kind):
                self._edits.key(node, name, f"{self._named.names[kind]}.{attribute}")
            elif self._is("state", name):
                self._edits.key(node, name, self._named.names[name])
            elif self._is_attribute(kind or self._named.of, attribute):
                new = self._named.names[attribute]
                self._edits.key(node, name, f"{kind}.{new}" if dot else new)


def _named_types(kind: Type) -> list[EnumType | KindType]:
    """Returns the enums and kinds that a type contains."""
    match kind:
        case EnumType() | KindType():
            return [kind]
        case SetType(of=of) | ListType(of=of) | OptionalType(of=of):
            return _named_types(of)
        case MapType(key=key, value=value):
            return [*_named_types(key), *_named_types(value)]
    return []
