"""A compiled ruleset as plain data: everything that play needs, without the parser.

`emit` creates an image; `world/` and `play/` read it. It is stored as JSON, so a cached ruleset opens without lark,
YAML or jsonschema. Data in it is `Stored`: `None`, `bool`, `int`, `str`, or a tagged tuple — `("word", enum, name)`,
`("ref", kind, id)`, `("fraction", n, d)`, `("list", (…))`, `("record", kind, ((attribute, stored), …))`.
An image never changes; its classes are not frozen, because every start creates thousands of their objects.
"""

from __future__ import annotations

import marshal
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from interpreter.language.diagnostics import Place
from interpreter.language.model.emitted_names import BY, PRIOR

Stored = None | bool | int | str | tuple[Any, ...]

Index = tuple[str, str, str]
"""An index of pieces: their kind, the constant attribute that is the key, and the kind of holder that the pieces must
be in (blank: any holder)."""


def index_slot(index: Index) -> str:
    """Returns the slot of the board that holds an index."""
    kind, attribute, holder = index
    return BY(kind, attribute, holder) if holder else BY(kind, attribute)


_NON_DECISIONS: Final = frozenset({"roll", "random", "draw", "log", "line", "reveal", "shuffle", "item"})
"""Kinds of sites with an address that are not decisions."""


@dataclass(slots=True)
class Site:
    """A place in rule text with input or output: a decision, a roll, a log line, a cited line.

    `kind`: `one`, `maybe`, `some`, `up_to`, `any`, `number`, `rank`, `assign`, `spread`, `agree`, `choice`, `next`,
    `menu`, `pick`, `roll`, `random`, `draw`, `log`, `line`, `item`, or the section of a whole rule (`procedures` …).
    `address` is `procedure.name` for decisions, the label for rolls, the rule's name for random picks, an item's id.
    `prompt` is the question, what an item says, or a log line with `{}` for each of its values. `rule` is the path of
    the rule that contains it.

    The site of an item of a restriction is also its value in rule text, a reason: as text it is what the item says,
    else its id.
    """

    number: int
    kind: str
    address: str
    prompt: str
    rule: str
    cites: tuple[str, ...]
    place: Place
    labels: tuple[tuple[str, str], ...] = ()
    """The labels of the named choices of a block."""
    texts: tuple[tuple[str, str], ...] = ()
    """What an item says by language, if it is said in several."""
    secret: bool = False
    """Whether the other seats learn nothing of this decision but that its seat decides."""

    def __str__(self) -> str:
        return self.prompt or self.address.replace("_", " ")


def prior_function_name(address: str) -> str:
    """Returns the name of the generated function of a prior; it takes the seat and, for a question, the option."""
    return PRIOR(address)


@dataclass(slots=True)
class AttributeImage:
    """An attribute: `type` as text, `default` the name of the generated function of its default, or none."""

    name: str
    type: str
    default: str | None


@dataclass(slots=True)
class GridLayout:
    """The geometry of a grid; every field has one of the words of the schema of `grid`."""

    shape: str
    """One of `world.map_graph.SHAPES`."""
    offset: str = "even"
    """For hexes: whether the `even` or the `odd` rows (or columns) are half a hex further."""
    first_row: str = "top"
    """The edge of a drawing at which row 1 is: `top` or `bottom`."""
    off_board: str = "ignored"
    """What a line has where a hex is missing: `ignored`, `reduced` or `empty`."""


@dataclass(slots=True)
class KindImage:
    """A kind other than an enum. `attributes` are its own; `contents` are the root piece kinds that it can hold."""

    name: str
    root: str
    parent: str | None
    plural: str
    attributes: tuple[AttributeImage, ...]
    contents: tuple[str, ...]
    layout: GridLayout | None = None
    """The grid of its spaces, its own or that of its parent."""
    between: str | None = None
    """For a link kind: the kind of space that it joins."""


@dataclass(slots=True)
class EnumImage:
    name: str
    words: tuple[str, ...]
    plural: str


@dataclass(slots=True)
class IndividualImage:
    """A space, thing, seat or piece of the ruleset; spaces of a grid have `column` and `row` (both from 1)."""

    kind: str
    id: str
    values: tuple[tuple[str, Stored], ...]
    at: tuple[str, str] | None
    column: int | None = None
    row: int | None = None


@dataclass(slots=True)
class LinkImage:
    """A link between two adjacent spaces `(kind, id)`; `kind` is the link kind, or none for a plain border."""

    kind: str | None
    ends: tuple[tuple[str, str], tuple[str, str]]
    values: tuple[tuple[str, Stored], ...]


@dataclass(slots=True)
class TableImage:
    """A table as `explain` shows it: the headings of each axis as text, and the cells with their standing."""

    name: str
    cites: tuple[str, ...]
    axes: tuple[tuple[str, tuple[str, ...]], ...]
    cells: tuple[tuple[tuple[int, ...], str, str], ...]
    place: Place


@dataclass(slots=True)
class PickImage:
    name: str
    prompt: str
    site: int


@dataclass(slots=True)
class ActionImage:
    name: str
    menu: str
    picks: tuple[PickImage, ...]
    cites: tuple[str, ...]
    asks: bool


@dataclass(slots=True)
class MenuImage:
    name: str
    takes: tuple[str, ...]
    actions: tuple[str, ...]
    cites: tuple[str, ...]
    prompt: str


@dataclass(slots=True)
class StepImage:
    """A step; flags show generated functions: `sw_` when, `se_` each, `sr_` repeat, `su_` until, `s_` do."""

    name: str
    cites: tuple[str, ...]
    scope: tuple[str, ...]
    when: bool
    each: bool
    repeat: bool
    until: bool
    do: bool
    asks: bool
    steps: tuple[StepImage, ...]
    horizon: bool = False


@dataclass(slots=True)
class RuleImage:
    """A procedure or definition that callers outside can run, with its parameters as `(name, type)`."""

    name: str
    section: str
    takes: tuple[tuple[str, str], ...]
    gives: str
    cites: tuple[str, ...]
    asks: bool
    outcomes: tuple[str, ...]
    place: Place


@dataclass(slots=True)
class ViewImage:
    name: str
    kind: str
    when: bool
    seen_by: bool
    others_see: tuple[str, ...]


@dataclass(slots=True)
class Unit:
    """Generated Python: its `source`, in `lines[n]` the origin of line n+1, and its marshalled `code`."""

    variant: str
    source: str
    lines: tuple[Place | None, ...]
    code: bytes = b""


CODE_NAME: Final = "<rules>"
"""The name of the file of generated Python, in its code."""


def compiled(source: str) -> bytes:
    """Returns the marshalled code of generated Python."""
    return marshal.dumps(compile(source, CODE_NAME, "exec", dont_inherit=True, optimize=0))


@dataclass(slots=True)
class Image:
    """A compiled ruleset with its options set. `units` holds the variants compiled so far."""

    name: str
    version: str
    options: tuple[tuple[str, Stored], ...]
    kinds: tuple[KindImage, ...]
    enums: tuple[EnumImage, ...]
    individuals: tuple[IndividualImage, ...]
    links: tuple[LinkImage, ...]
    state: tuple[AttributeImage, ...]
    tables: tuple[TableImage, ...]
    menus: tuple[MenuImage, ...]
    actions: tuple[ActionImage, ...]
    rules: tuple[RuleImage, ...]
    views: tuple[ViewImage, ...]
    sequence: StepImage | None
    sites: tuple[Site, ...]
    records: tuple[tuple[str, Stored], ...]
    """Constant records of tables, by their global names in generated code."""
    evaluation: bool
    invariants: tuple[str, ...]
    units: tuple[Unit, ...]
    indexes: tuple[Index, ...] = ()
    """The indexes by which rules look up pieces."""
    steady: tuple[tuple[str, str], ...] = ()
    """Kinds with those of their attributes that no rule changes; all others may change."""
    cuts: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = ()
    """Pairs of spaces `(kind, id)` that touch on a grid but are not adjacent."""


def decision_addresses(image: Image) -> set[str]:
    """Returns the addresses of all decisions of the rules."""
    return {each.address for each in image.sites if each.kind not in _NON_DECISIONS and each.address}


def digest(image: Image) -> str:
    """Returns a digest of the image; equal images have equal digests."""
    bare = replace(image, units=tuple([replace(each, code=b"") for each in image.units]))
    return blake2b(repr(bare).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
