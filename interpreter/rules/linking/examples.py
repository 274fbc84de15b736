"""Reads the worked `examples` of a ruleset; their names and values are read when they are run."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.language.diagnostics import Place
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Mapping, Node, Scalar, Sequence
from interpreter.rules.linking.link_context import cites, localized, texts, words


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """The options that a decision must and must not have when it is first asked at its address.

    `most` is how many can be chosen at most, each time that it is asked.
    """

    address: str
    has: tuple[Node, ...]
    lacks: tuple[Node, ...]
    most: tuple[Scalar, ...]
    """The highest number of picks, from the asking `number` on."""
    place: Place
    number: int = 0
    """Which asking at the address it is about, from 0."""


@dataclass(frozen=True, slots=True, eq=False)
class SeatSight:
    """What a seat knows at the end: what it sees in full, what is hidden from it, and what hidden things show."""

    seat: str
    knows: tuple[Scalar, ...]
    hidden: tuple[Scalar, ...]
    shows: dict[str, tuple[Scalar, ...]]
    """The attributes of hidden things that it sees, by their names."""
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """The expected end of the game: winners with a reason if one is given, or a draw (no winners)."""

    winners: tuple[str, ...]
    reason: str | None
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One worked example. Nodes are kept, so that every error in it can be reported with its place."""

    name: str
    place: Place
    cites: tuple[str, ...]
    says: str
    node: Mapping
    """The whole example; `link_scenario` reads its `options`, `state`, `set` and `board`."""
    options: dict[str, object]
    scenario: Scalar | None
    """The scenario whose start the example changes; else that of the ruleset."""
    run: Scalar | None
    """A call, as rule text; else `step` names a step of the sequence."""
    step: Scalar | None
    bindings: dict[str, Node]
    """`with`: the bindings of the enclosing steps."""
    decisions: dict[str, tuple[Node, ...]]
    """Answers by address, in order."""
    dice: dict[str, tuple[Node, ...]]
    """Faces by label, in order."""
    then: tuple[Scalar, ...]
    offers: tuple[Offer, ...]
    sees: tuple[SeatSight, ...]
    ends: Ending | None
    places: dict[str, Place] = field(default_factory=dict)
    """The places of the keys of `decisions` and `dice`, as `decisions/address` and `dice/label`."""


def examples(documents: DocumentSet) -> list[Example]:
    """All examples in document order; malformed ones are left out, because the schema reports them."""
    return [
        _example(entry.name, entry.place, entry.node)
        for entry in documents.entries("examples")
        if isinstance(entry.node, Mapping)
    ]


def _example(name: str, place: Place, node: Mapping) -> Example:
    options = _mapping(node.get("options"))
    return Example(
        name=name,
        place=place,
        cites=cites(node),
        says=localized(node.get("says")),
        node=node,
        options={key: each.value for key, each in options.items() if isinstance(each, Scalar)},
        scenario=_scalar(node.get("scenario")),
        run=_scalar(node.get("run")),
        step=_scalar(node.get("step")),
        bindings=_mapping(node.get("with")),
        decisions=_lists(node.get("decisions")),
        dice=_lists(node.get("dice")),
        then=words(node.get("then")),
        offers=_offers(node.get("offers")),
        sees=_sights(node.get("sees")),
        ends=_ending(node.get("ends")),
        places={
            f"{part}/{key}": where
            for part in ("decisions", "dice")
            if isinstance(inner := node.get(part), Mapping)
            for key, where in inner.key_places.items()
        },
    )


def _scalar(node: Node | None) -> Scalar | None:
    return node if isinstance(node, Scalar) else None


def _mapping(node: Node | None) -> dict[str, Node]:
    return dict(node.items) if isinstance(node, Mapping) else {}


def _list(node: Node | None) -> tuple[Node, ...]:
    return tuple(node) if isinstance(node, Sequence) else ()


def _lists(node: Node | None) -> dict[str, tuple[Node, ...]]:
    return {key: _list(each) for key, each in _mapping(node).items()}


def _offers(node: Node | None) -> tuple[Offer, ...]:
    if not isinstance(node, Mapping):
        return ()
    return tuple(
        Offer(
            address,
            _list(each.get("has")),
            _list(each.get("lacks")),
            words(each.get("most")),
            each.place if number else node.key_place(address),
            number,
        )
        for address, given in node.items.items()
        for number, each in enumerate(given.items if isinstance(given, Sequence) else [given])
        if isinstance(each, Mapping)
    )


def _sights(node: Node | None) -> tuple[SeatSight, ...]:
    if not isinstance(node, Mapping):
        return ()
    return tuple(
        SeatSight(
            seat,
            words(each.get("knows")),
            words(each.get("hidden")),
            {name: words(attributes) for name, attributes in _mapping(each.get("shows")).items()},
            node.key_place(seat),
        )
        for seat, each in node.items.items()
        if isinstance(each, Mapping)
    )


def _ending(node: Node | None) -> Ending | None:
    if isinstance(node, Mapping):
        reason = _scalar(node.get("reason"))
        return Ending(texts(node.get("winner")), reason.text if reason else None, node.place)
    return Ending((), None, node.place) if node is not None else None
