"""Finds attributes by name: declared and computed ones, and those derived from the positions of things."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.checking.types.assignability import ANYTHING, HOLDERS, TypeLattice
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Definition
from interpreter.language.tree.expressions import Target
from interpreter.language.tree.types import INT, EnumType, KindType, OptionalType, SetType, Type, present


@dataclass(slots=True, eq=False, kw_only=True)
class DerivedAttribute(Target):
    """An attribute that the language derives from the declarations.

    `how`: `at` (direct holder), `up` (nearest enclosing thing of `kind`), `down` (contents of `kind`, however deep),
    `neighbours`, `row`, `column`; `index` (the place among all things), which rule text cannot name.
    """

    how: str
    kind: str | None = None


Found = Attribute | Definition | DerivedAttribute


class AttributeLookup:
    """Finds attributes by their name and the type of their thing."""

    def __init__(self, lattice: TypeLattice) -> None:
        self.lattice = lattice
        self.program = lattice.program
        self.plurals = {each.plural: each for each in self.program.kinds.values() if each.plural}
        self._neighbours: dict[str, KindType] = {}

    def find(self, base: Type, name: str) -> Found | None:
        """Returns the declared, most general computed, or derived attribute of that name, or none."""
        if isinstance(base, EnumType):
            return self.program.computed(base.name, name)
        if not isinstance(base, KindType):
            return None
        if (attribute := self.program.attribute(base.name, name)) is not None:
            return attribute
        return self.computed(base.name, name) or self.derived(base.name, name)

    def computed(self, kind: str, name: str) -> Definition | None:
        """Returns the most general computed attribute of that name, or none; sub-kinds may override it."""
        for each in reversed(self.program.lineage(kind)):
            if (found := self.program.definitions.get(f"{each.name}.{name}")) is not None:
                return found
        return None

    def derived(self, kind: str, name: str) -> DerivedAttribute | None:
        """Returns the derived attribute of that name of a kind, or none."""
        root = self.lattice.root(kind)
        if root == "piece" and name == "at":
            return DerivedAttribute(how="at")
        if root == "space" and name == "neighbours":
            return DerivedAttribute(how="neighbours", kind=kind)
        if name in ("row", "column") and self.program.grid_kind(kind) is not None:
            return DerivedAttribute(how=name)
        above = self.program.kinds.get(name)
        if root == "piece" and above is not None and above.root in HOLDERS and self.may_be_within(kind, name):
            return DerivedAttribute(how="up", kind=name)
        below = self.plurals.get(name)
        if root in HOLDERS and below is not None and below.root == "piece" and self.may_be_within(below.name, kind):
            return DerivedAttribute(how="down", kind=below.name)
        return None

    def derived_type(self, kind: str, found: DerivedAttribute) -> Type:
        """Returns the type of a derived attribute of a thing of `kind`."""
        match found.how:
            case "at":
                holders = [
                    *self.program.holders(kind),
                    *[h for sub in self.program.subkinds(kind) for h in sub.holders],
                ]
                return OptionalType(self.lattice.common(holders) or ANYTHING)
            case "up":
                assert found.kind is not None
                above = KindType(found.kind)
                return above if self.always_within(kind, found.kind) else OptionalType(above)
            case "down":
                assert found.kind is not None
                return SetType(KindType(found.kind))
            case "neighbours":
                return SetType(self.neighbours(kind))
            case _:
                return INT

    def neighbours(self, kind: str) -> KindType:
        """Returns the kind of the neighbours of a space, from its grid or the links."""
        if kind not in self._neighbours:
            self._neighbours[kind] = self._find_neighbours(kind)
        return self._neighbours[kind]

    def _find_neighbours(self, kind: str) -> KindType:
        grid = self.program.grid_kind(kind)
        kinds = {kind if grid is None else grid.name: None}
        for link in self.program.links:
            if not link.cuts and any(self.lattice.overlap(each, kind) for each in link.end_kinds if each):
                kinds.update(dict.fromkeys([each for each in link.end_kinds if each]))
        if grid is not None:
            kinds.update({each: None for each in self._joined() if self.lattice.is_a(grid.name, each)})
        return self.lattice.common(list(kinds)) or KindType("space")

    def _joined(self) -> list[str]:
        """Returns the kinds of space that link kinds join."""
        return [each.between for each in self.program.kinds.values() if each.between is not None]

    def may_be_within(self, kind: str, holder: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a piece of the kind can be in such a holder, directly or deeper."""
        if kind in seen:
            return False
        if kind not in self.program.kinds or holder not in self.program.kinds:
            return True
        direct = {*self.program.holders(kind), *[h for sub in self.program.subkinds(kind) for h in sub.holders]}
        return any(
            self.lattice.overlap(each, holder) or self.may_be_within(each, holder, seen | {kind}) for each in direct
        )

    def always_within(self, kind: str, holder: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether every chain of holders of a piece of the kind contains such a holder."""
        if kind in seen:
            return True
        direct = {*self.program.holders(kind), *[h for sub in self.program.subkinds(kind) for h in sub.holders]}
        return bool(direct) and all(
            self.lattice.is_a(each, holder) or self.always_within(each, holder, seen | {kind}) for each in direct
        )

    def can_hold(self, holder: str, piece: str) -> bool:
        """Whether a piece of the kind can be directly in a holder of that kind."""
        direct = {*self.program.holders(piece), *[h for sub in self.program.subkinds(piece) for h in sub.holders]}
        return piece not in self.program.kinds or any(self.lattice.overlap(each, holder) for each in direct)

    def held_by(self, holder: str) -> KindType:
        """Returns the common kind of the pieces that can be directly in such a holder."""
        pieces = [each.name for each in self.program.kinds.values() if each.root == "piece"]
        kinds = [each for each in pieces if self.can_hold(holder, each)]
        return self.lattice.common(kinds) or KindType("piece")

    def visible(self, base: Type) -> list[str]:
        """Returns the names of all attributes of such a value, for hints."""
        if isinstance(base, EnumType):
            return [name.partition(".")[2] for name in self.program.definitions if name.startswith(f"{base.name}.")]
        if not isinstance(base, KindType):
            return []
        names = list(self.program.attributes(base.name))
        line = [each.name for each in self.program.lineage(base.name)]
        split = [name.partition(".") for name in self.program.definitions]
        names += [name for subject, dot, name in split if dot and subject in line]
        related = ["at", "neighbours", "row", "column", *self.program.kinds, *self.plurals]
        return names + [name for name in related if self.derived(base.name, name) is not None]

    def giving(self, base: Type, wanted: Type) -> list[str]:
        """Returns the declared attributes of such a value that have the wanted type, for hints."""
        named = [(name, self._given(base, name)) for name in dict.fromkeys(self.visible(base))]
        return [name for name, kind in named if kind is not None and self.lattice.fits(present(kind), wanted)]

    def collections(self, base: Type) -> list[str]:
        """Returns the attributes of such a value that are collections of pieces or spaces, for hints."""
        found = [name for name in dict.fromkeys(self.visible(base)) if isinstance(self._given(base, name), SetType)]
        return sorted(found, key=lambda name: name == "neighbours")

    def _given(self, base: Type, name: str) -> Type | None:
        """Returns the declared type of an attribute; none if it is inferred or the attribute is missing."""
        found = self.find(base, name)
        if isinstance(found, DerivedAttribute) and isinstance(base, KindType):
            return self.derived_type(base.name, found)
        if isinstance(found, Attribute):
            return found.type
        written = isinstance(found, Definition) and found.written is not None
        return found.gives if isinstance(found, Definition) and written else None

    def sub_kinds_with(self, base: Type, name: str) -> list[str]:
        """Returns the sub-kinds that have an attribute that their parent lacks."""
        if not isinstance(base, KindType):
            return []
        return [
            each.name
            for each in self.program.subkinds(base.name)
            if name in each.attributes or f"{each.name}.{name}" in self.program.definitions
        ]
