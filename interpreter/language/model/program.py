"""The linked program of a ruleset: every named thing, with its parsed rule text and its place.

`rules/` builds a `Program` from documents; `check` fills in types and references; `emit` compiles it to Python.
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
"""A value given as data: names of words and individuals are text until their expected type resolves them."""

STANDINGS = ("stated", "derived", "found", "reconstructed")


@dataclass(slots=True, eq=False, kw_only=True)
class Parameter(Target):
    """A parameter, an element or a local of rule text, with its type."""

    name: str
    place: Place = NOWHERE
    written: TypeExpr | None = None
    type: Type = UNKNOWN


@dataclass(slots=True, eq=False, kw_only=True)
class Effects:
    """The effects that running a rule can have, inferred over all calls."""

    changes: bool = False
    asks: bool = False
    rolls: bool = False
    ends: bool = False

    @property
    def pure(self) -> bool:
        """Whether the rule only reads."""
        return not (self.changes or self.asks or self.rolls or self.ends)


@dataclass(slots=True, eq=False, kw_only=True)
class Individual(Symbol):
    """A space, thing, seat or piece that the ruleset names, with its values and, for a piece, where it starts."""

    section = "individuals"
    kind: str
    values: dict[str, Datum] = field(default_factory=dict)
    at: str | None = None
    named: bool = True
    """False for pieces of a counter mix, which rule text can't name."""
    column: int | None = None
    row: int | None = None
    """For spaces of a grid: their position, both from 1."""
    value_places: dict[str, Located] = field(default_factory=dict)
    """The places of the values (and of `at`), as far as known."""
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    """By attribute: the texts by language of a value that is given so; the value is the English one."""


@dataclass(slots=True, eq=False, kw_only=True)
class LinkDeclaration(Symbol):
    """Two adjacent spaces; `kind` is the link kind with its attributes, or none for a plain border."""

    section = "links"
    kind: str | None
    ends: tuple[str, str]
    end_kinds: tuple[str, str] = ("", "")
    """The kinds under which the ends are listed in `Program.individuals`."""
    cuts: bool = False
    """Whether the link separates neighbours on a grid."""
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
    """An option; `value` is the setting of this program, so options are literals in the generated code."""

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
    """A table; `cells` maps the positions of the headings on each axis, in the order of the axes."""

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
    """A rule with parameters that rule text can call; `inner` is the rule that `proceed` runs in its text.

    `standing` and `source` are those of the numbers in its text.
    """

    takes: tuple[Parameter, ...] = ()
    written: TypeExpr | None = None
    gives: Type = UNKNOWN
    inner: Definition | Procedure | None = None
    standing: str = "stated"
    source: str | None = None


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
    """The message for players when the item applies; empty if the document has none."""
    texts: tuple[tuple[str, str], ...] = ()
    """The message by language, if the document has it in several."""
    warns: bool = False
    """Of a condition of situations: whether one that does not meet it has odds all the same, and a warning."""


@dataclass(slots=True, eq=False, kw_only=True)
class Limit(Item):
    """Bounds for items: for each of `on_each`, the sum of `on_sum`, the sum of all but `except_`, or of all."""

    least: Expr | None = None
    most: Expr | None = None
    on_each: tuple[str, ...] = ()
    on_sum: tuple[str, ...] = ()
    except_: tuple[str, ...] = ()


@dataclass(slots=True, eq=False, kw_only=True)
class Modifiers(Rule):
    """A sum of modifiers; called like a function, it gives an int."""

    section = "modifiers"
    items: tuple[Item, ...] = ()
    limits: tuple[Limit, ...] = ()
    whose: Expr | None = None
    """The thing or word by which the log and odds name the sum."""


@dataclass(slots=True, eq=False, kw_only=True)
class Restrictions(Rule):
    """Restrictions; called like a function, they give the set of reasons that apply."""

    section = "restrictions"
    items: tuple[Item, ...] = ()


@dataclass(slots=True, eq=False, kw_only=True)
class Search(Rule):
    """A search over a graph of spaces; its texts can refer to `here`, `there` and the parameters.

    `next` is a collection of spaces after `here` (its neighbours if none), `cost` the int cost of one step (1 if none),
    `within` the greatest cost of a path. A bar forbids the step from `here` to `there`, a stop ends a path at `there`.
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
    """A procedure. For exact odds: `needs` of a situation, and `outcomes`, which are evaluated after it."""

    section = "procedures"
    body: Body = ()
    needs: tuple[Item, ...] = ()
    outcomes: dict[str, Expr] = field(default_factory=dict)
    effects: Effects = field(default_factory=Effects)


@dataclass(slots=True, eq=False, kw_only=True)
class Menu(Rule):
    """A menu that is offered to a seat; its actions name it."""

    section = "menus"
    prompt: str = ""
    secret: bool = False
    """Whether the other seats learn nothing of the choice but that its seat decides."""
    effects: Effects = field(default_factory=Effects)


@dataclass(slots=True, eq=False, kw_only=True)
class Pick:
    """A choice that an action needs: one of `of`, which may use the picks before it."""

    parameter: Parameter
    of: Expr
    prompt: str = ""


@dataclass(slots=True, eq=False, kw_only=True)
class Action(Symbol):
    """An action of a menu: available when every condition in `needs` holds and its picks have options.

    Its text can refer to the menu's parameters and its picks.
    """

    section = "actions"
    menu: str
    needs: tuple[Item, ...] = ()
    picks: tuple[Pick, ...] = ()
    secret: bool = False
    """Whether the other seats learn nothing of its picks but that its seat decides."""
    body: Body = ()
    effects: Effects = field(default_factory=Effects)


@dataclass(slots=True, eq=False, kw_only=True)
class Step(Symbol):
    """A step of the sequence of play: either `body` or `steps`.

    Order of evaluation: `when` before everything; `each` once when the step begins (once per repetition, if it
    repeats); `until` after each repetition. Texts can refer to the bindings of enclosing steps.
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
    horizon: bool = False
    """Whether players that look ahead look to its end."""
    scope: tuple[Parameter, ...] = ()
    """The bindings of the enclosing steps and of its own `each`, outermost first: parameters in generated code."""
    effects: Effects = field(default_factory=Effects)


@dataclass(slots=True, eq=False, kw_only=True)
class View(Symbol):
    """A rule of visibility: things of `kind` for which `when` holds show only `others_see` to seats not in `seen_by`.

    `others_see` are attribute names, `contents` or `count`.
    """

    section = "views"
    kind: str
    when: Expr | None = None
    seen_by: Expr | None = None
    others_see: tuple[str, ...] = ()
    subject: Parameter


NameTarget = Parameter | StateValue | Constant | Option | Table | Kind | Enum | Individual | WordDeclaration
"""What a bare name can mean; a `Kind` or `Enum` means its plural: all of its things or words."""


@dataclass(slots=True, eq=False, kw_only=True)
class Builtin(Target):
    """A function of the language itself."""

    name: str


@dataclass(slots=True, eq=False, kw_only=True)
class Program:
    """Everything that rule text can name, by section; names are unique within a section."""

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
    """The value of a position for a seat, for players that look ahead."""
    priors: dict[str, Definition] = field(default_factory=dict)
    victory: list[Definition] = field(default_factory=list)
    """The texts of the victory conditions, which are among the definitions too."""
    invariants: dict[str, Definition] = field(default_factory=dict)
    """Conditions that must hold whenever a step has ended."""

    recursive: frozenset[str] | None = field(default=None, init=False)
    """The paths of recursive rules, once computed; the program does not change after that."""
    _hierarchy: KindHierarchy | None = field(default=None, init=False)
    nodes: NodeCache = field(default_factory=NodeCache, init=False)

    @property
    def hierarchy(self) -> KindHierarchy:
        """The hierarchy of kinds, computed again after kinds were added."""
        if self._hierarchy is None or self._hierarchy.size != len(self.kinds):
            self._hierarchy = KindHierarchy(self.kinds)
        return self._hierarchy

    def lineage(self, kind: str) -> tuple[Kind, ...]:
        """Returns the kind and its ancestors, nearest first."""
        return self.hierarchy.lineages.get(kind, ())

    def is_a(self, kind: str, ancestor: str) -> bool:
        """Whether `kind` is `ancestor` or below it; root words count as ancestors."""
        return ancestor in self.hierarchy.ancestors.get(kind, ())

    def grid_kind(self, kind: str) -> Kind | None:
        """Returns the kind that declares the grid of spaces of this kind, or none."""
        return self.hierarchy.grids.get(kind)

    def subkinds(self, kind: str) -> tuple[Kind, ...]:
        """Returns the kind and its sub-kinds of any depth, or all kinds of a root word, in document order."""
        return self.hierarchy.subkinds.get(kind, ())

    def attribute(self, kind: str, name: str) -> Attribute | None:
        """Returns the declared attribute of a kind or its ancestors, or none."""
        return self.attributes(kind).get(name)

    def attributes(self, kind: str) -> Mapping[str, Attribute]:
        """Returns all declared attributes of a kind, inherited ones first."""
        return self.hierarchy.attributes.get(kind, {})

    def method(self, kind: str, name: str) -> Definition | Procedure | None:
        """Returns the rule that dispatches calls of a method of a kind or its ancestors, or none."""
        for each in self.lineage(kind):
            if isinstance(found := each.methods.get(name), Definition | Procedure):
                return found
        return None

    def methods(self, kind: str) -> dict[str, Definition | Procedure]:
        """Returns the methods of a kind, inherited ones first."""
        found: dict[str, Definition | Procedure] = {}
        for each in reversed(self.lineage(kind)):
            found |= {name: rule for name, rule in each.methods.items() if isinstance(rule, Definition | Procedure)}
        return found

    def holders(self, kind: str) -> tuple[str, ...]:
        """Returns the kinds that can hold a piece of this kind."""
        for each in self.lineage(kind):
            if each.holders:
                return each.holders
        return ()

    def computed(self, kind: str, name: str) -> Definition | None:
        """Returns the computed attribute of a kind or enum, its own or that of its nearest ancestor, or none."""
        for each in [line.name for line in self.lineage(kind)] or [kind]:
            if (found := self.definitions.get(f"{each}.{name}")) is not None:
                return found
        return None
