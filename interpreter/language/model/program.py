"""A ruleset as the language sees it: every named thing, with its parsed rule text and where it was written.

`rules/` builds a `Program` out of documents; `check` fills in types and references; `emit` turns it into Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from interpreter.language.diagnostics import NOWHERE, Located, Place
from interpreter.language.model.kind_hierarchy import Attribute, Enum, Kind, KindHierarchy, Symbol, WordDeclaration
from interpreter.language.tree.expressions import Target
from interpreter.language.tree.statements import Binding, Body, Expr, TypeExpr
from interpreter.language.tree.traversal import NodeCache
from interpreter.language.tree.types import UNKNOWN, Type

Datum = int | bool | str | None | Fraction | tuple["Datum", ...]
"""A value given as data: names of words and individuals are still text, read by the type that is expected."""

STANDINGS = ("stated", "derived", "found", "reconstructed")


@dataclass(slots=True, eq=False, kw_only=True)
class Parameter(Target):
    """A parameter, an element or a local: a name with a type inside rule text."""

    name: str
    place: Place = NOWHERE
    written: TypeExpr | None = None
    type: Type = UNKNOWN


@dataclass(slots=True, eq=False, kw_only=True)
class Effects:
    """What running a rule can do; inferred over all calls."""

    changes: bool = False
    asks: bool = False
    rolls: bool = False
    ends: bool = False

    @property
    def pure(self) -> bool:
        """Whether it only reads."""
        return not (self.changes or self.asks or self.rolls or self.ends)


@dataclass(slots=True, eq=False, kw_only=True)
class Individual(Symbol):
    """A space, thing, seat or piece that the ruleset names, with its values and, for a piece, where it starts."""

    section = "individuals"
    kind: str
    values: dict[str, Datum] = field(default_factory=dict)
    at: str | None = None
    named: bool = True
    """False for counters of a counter-mix, which rule text can't name."""
    column: int | None = None
    row: int | None = None
    """Spaces of a grid: where they lie, both from 1."""
    value_places: dict[str, Located] = field(default_factory=dict)
    """Where the values (and `at`) are written, where that is known."""


@dataclass(slots=True, eq=False, kw_only=True)
class LinkDeclaration(Symbol):
    """Two spaces that adjoin; `kind` is the link kind that carries attributes, or none for a plain border."""

    section = "links"
    kind: str | None
    ends: tuple[str, str]
    end_kinds: tuple[str, str] = ("", "")
    """The kinds under which the ends are listed in `Program.individuals`."""
    cuts: bool = False
    """Parts neighbours on a grid."""
    values: dict[str, Datum] = field(default_factory=dict)
    value_places: dict[str, Located] = field(default_factory=dict)


# ---------------------------------------------------------------- values
@dataclass(slots=True, eq=False, kw_only=True)
class StateValue(Symbol):
    section = "state"
    attribute: Attribute


@dataclass(slots=True, eq=False, kw_only=True)
class Constant(Symbol):
    section = "constants"
    value: Expr
    type: Type = UNKNOWN
    standing: str = "stated"


@dataclass(slots=True, eq=False, kw_only=True)
class Option(Symbol):
    """A switch; `value` is the setting this program was linked with, so options are literals in the emitted code."""

    section = "options"
    type: Type
    default: Datum
    value: Datum
    says: str = ""
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


@dataclass(slots=True, eq=False, kw_only=True)
class DiceKind(Symbol):
    """Named dice: faces of an enum, or whole numbers."""

    section = "dice"
    enum: str | None
    faces: tuple[str | int, ...]


@dataclass(slots=True, eq=False, kw_only=True)
class Axis:
    """One key of a table and its headings in order, each a `Datum` or the bounds of a range (`None` is open)."""

    parameter: Parameter
    headings: tuple[Datum | tuple[int | None, int | None], ...]
    is_range: tuple[bool, ...]
    places: tuple[Place, ...] = ()


@dataclass(slots=True, eq=False, kw_only=True)
class Cell:
    """A table's result: a `Datum`, or a record's values by attribute."""

    value: Datum | dict[str, Datum]
    text: str
    place: Place
    standing: str


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Symbol):
    """Cells by the positions of the headings on each axis, in the order of the axes."""

    section = "tables"
    axes: tuple[Axis, ...]
    written: TypeExpr | None
    type: Type = UNKNOWN
    clamp: bool = False
    cells: dict[tuple[int, ...], Cell] = field(default_factory=dict)
    standing: str = "stated"


# ---------------------------------------------------------------- rules
@dataclass(slots=True, eq=False, kw_only=True)
class Rule(Symbol):
    """Something with parameters that rule text can call; `inner` is what `proceed` runs in its text."""

    takes: tuple[Parameter, ...] = ()
    written: TypeExpr | None = None
    gives: Type = UNKNOWN
    inner: Definition | Procedure | None = None


@dataclass(slots=True, eq=False, kw_only=True)
class Definition(Rule):
    """A term of the rulebook: a pure function, or with `subject` (a kind or enum) a computed attribute of it.

    Exactly one of `value` and `body` is given. The first parameter of a computed attribute is its subject.
    """

    section: str = "definitions"
    subject: str | None = None
    value: Expr | None = None
    body: Body = ()


@dataclass(slots=True, eq=False, kw_only=True)
class Item:
    """One modifier, restriction, bar or stop: counts when `when` holds and `unless` does not."""

    name: str
    place: Place = NOWHERE
    cites: tuple[str, ...] = ()
    when: Expr | None = None
    unless: Expr | None = None
    value: Expr | None = None
    says: str = ""
    """What a person is told when the item stands in the way; empty where the document doesn't say."""


@dataclass(slots=True, eq=False, kw_only=True)
class Limit(Item):
    """Keeps items within bounds: `on_each` each named one, `on_sum` their sum, `except_` that of the others; or all."""

    least: Expr | None = None
    most: Expr | None = None
    on_each: tuple[str, ...] = ()
    on_sum: tuple[str, ...] = ()
    except_: tuple[str, ...] = ()


@dataclass(slots=True, eq=False, kw_only=True)
class Modifiers(Rule):
    """Numbers added up, item by item; called like a function, gives an int."""

    section = "modifiers"
    items: tuple[Item, ...] = ()
    limits: tuple[Limit, ...] = ()


@dataclass(slots=True, eq=False, kw_only=True)
class Restrictions(Rule):
    """Reasons against; called like a function, gives a set of reasons."""

    section = "restrictions"
    items: tuple[Item, ...] = ()


@dataclass(slots=True, eq=False, kw_only=True)
class Search(Rule):
    """A search over a graph of spaces; its texts see `here` and `there` and the parameters.

    `next` is a collection of spaces after `here` (its neighbours if none), `cost` an int of one step (1 if none),
    `within` the most a way may cost. A bar forbids the step from `here` to `there`, a stop ends the way in `there`.
    """

    section = "searches"
    over: str = ""
    next: Expr | None = None
    cost: Expr | None = None
    within: Expr | None = None
    bars: tuple[Item, ...] = ()
    stops: tuple[Item, ...] = ()
    here: Parameter
    there: Parameter


@dataclass(slots=True, eq=False, kw_only=True)
class Procedure(Rule):
    """Something that happens. For exact odds: `needs` of a situation, and `outcomes`, read when it has run."""

    section = "procedures"
    body: Body = ()
    needs: tuple[Item, ...] = ()
    outcomes: dict[str, Expr] = field(default_factory=dict)
    effects: Effects = field(default_factory=Effects)


@dataclass(slots=True, eq=False, kw_only=True)
class Menu(Rule):
    """A place where a seat may act; actions name it."""

    section = "menus"
    prompt: str = ""
    effects: Effects = field(default_factory=Effects)


@dataclass(slots=True, eq=False, kw_only=True)
class Pick:
    """A choice that an action needs: one of `of`, which may use the picks before it."""

    parameter: Parameter
    of: Expr
    prompt: str = ""


@dataclass(slots=True, eq=False, kw_only=True)
class Action(Symbol):
    """Something a seat may do where its menu is offered: when every condition in `needs` holds and its picks exist.

    Its text sees the menu's parameters and its picks.
    """

    section = "actions"
    menu: str
    needs: tuple[Item, ...] = ()
    picks: tuple[Pick, ...] = ()
    body: Body = ()
    effects: Effects = field(default_factory=Effects)


@dataclass(slots=True, eq=False, kw_only=True)
class Step(Symbol):
    """A step of the sequence of play: either `body` or `steps`.

    Order: `each` is read once when the step begins (once a repetition, if it repeats); `until` is read after each
    repetition; `when` before everything. Texts see what the steps around them bind.
    """

    section = "sequence"
    parent: str | None = None
    when: Expr | None = None
    each: Binding | None = None
    bound: Parameter | None = None
    repeat: Expr | None = None
    until: Expr | None = None
    body: Body = ()
    steps: tuple[Step, ...] = ()
    scope: tuple[Parameter, ...] = ()
    """What the steps around it and its own `each` bind, outermost first; the parameters of the emitted step."""
    effects: Effects = field(default_factory=Effects)


@dataclass(slots=True, eq=False, kw_only=True)
class View(Symbol):
    """Who sees what: things of `kind` for which `when` holds show only `others_see` to seats not in `seen_by`.

    `others_see` are attribute names, `contents` or `count`.
    """

    section = "views"
    kind: str
    when: Expr | None = None
    seen_by: Expr | None = None
    others_see: tuple[str, ...] = ()
    subject: Parameter


NameTarget = Parameter | StateValue | Constant | Option | Table | Kind | Enum | Individual | WordDeclaration
"""What a bare name can mean; a `Kind` or `Enum` stands for its plural: all of its things or words."""


@dataclass(slots=True, eq=False, kw_only=True)
class Builtin(Target):
    """A function of the language itself."""

    name: str


CallTarget = Builtin | Definition | Modifiers | Restrictions | Search | Procedure | Menu


@dataclass(slots=True, eq=False, kw_only=True)
class Program:
    """Everything of a ruleset that rule text can name, by section; names are unique within a section."""

    name: str
    version: str = "0"
    kinds: dict[str, Kind] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    individuals: dict[tuple[str, str], Individual] = field(default_factory=dict)
    """By kind as declared in the document, and name; in canonical order."""
    links: list[LinkDeclaration] = field(default_factory=list)
    state: dict[str, StateValue] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    dice: dict[str, DiceKind] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    """Functions by name, computed attributes by `kind.name`."""
    modifiers: dict[str, Modifiers] = field(default_factory=dict)
    restrictions: dict[str, Restrictions] = field(default_factory=dict)
    searches: dict[str, Search] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    menus: dict[str, Menu] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    sequence: Step | None = None
    evaluation: Definition | None = None
    """What a seat's position is worth to it, for players that look ahead."""
    leanings: dict[str, Definition] = field(default_factory=dict)
    invariants: dict[str, Definition] = field(default_factory=dict)
    """Conditions that must hold whenever a step has ended."""

    recursive: frozenset[str] | None = field(default=None, init=False)
    """The paths of the rules that can come to call themselves, where somebody has found them; nothing changes after."""
    _hierarchy: KindHierarchy | None = field(default=None, init=False)
    nodes: NodeCache = field(default_factory=NodeCache, init=False)

    @property
    def hierarchy(self) -> KindHierarchy:
        """Which kinds stand above and below which; made anew when kinds were added."""
        if self._hierarchy is None or self._hierarchy.size != len(self.kinds):
            self._hierarchy = KindHierarchy(self.kinds)
        return self._hierarchy

    def lineage(self, kind: str) -> tuple[Kind, ...]:
        """The kind and its parents, nearest first."""
        return self.hierarchy.lineages.get(kind, ())

    def is_a(self, kind: str, ancestor: str) -> bool:
        """Whether `kind` is `ancestor` or below it; root words count as ancestors."""
        return ancestor in self.hierarchy.ancestors.get(kind, ())

    def grid_kind(self, kind: str) -> Kind | None:
        """The kind with the grid that spaces of this kind lie on, or none."""
        return self.hierarchy.grids.get(kind)

    def subkinds(self, kind: str) -> tuple[Kind, ...]:
        """The kind (or root word) and every kind under it, in document order."""
        return self.hierarchy.subkinds.get(kind, ())

    def attribute(self, kind: str, name: str) -> Attribute | None:
        """The attribute of a kind or its parents."""
        return self.attributes(kind).get(name)

    def attributes(self, kind: str) -> Mapping[str, Attribute]:
        """All attributes of a kind, those of its parents first."""
        return self.hierarchy.attributes.get(kind, {})

    def holders(self, kind: str) -> tuple[str, ...]:
        """The kinds that a piece of this kind can stand in."""
        for each in self.lineage(kind):
            if each.holders:
                return each.holders
        return ()

    def computed(self, kind: str, name: str) -> Definition | None:
        """The computed attribute of a kind or enum, its own or its nearest parent's."""
        for each in [line.name for line in self.lineage(kind)] or [kind]:
            if (found := self.definitions.get(f"{each}.{name}")) is not None:
                return found
        return None
