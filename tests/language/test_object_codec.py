"""Graphs of objects are written as plain data and read back as they were; other data is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from same_graph import difference

from interpreter.language.diagnostics import NOWHERE, Place
from interpreter.language.field_shapes import MalformedDataError
from interpreter.language.object_codec import ObjectCodec

Datum = int | bool | str | None | Fraction | tuple["Datum", ...]


@dataclass(frozen=True, slots=True)
class Sort:
    name: str
    of: Sort | None = None


@dataclass(slots=True, eq=False)
class Leaf:
    place: Place
    value: Datum


@dataclass(slots=True, eq=False)
class Branch:
    place: Place
    sort: Sort
    children: tuple[Branch | Leaf, ...]
    pairs: tuple[tuple[Leaf, tuple[str, ...]], ...] = ()
    cells: dict[tuple[int, ...], Leaf | None] = field(default_factory=dict)
    record: Datum | dict[str, Datum] = None
    spot: tuple[str, str] | tuple[()] | None = None
    words: frozenset[str] | None = None
    names: list[str] = field(default_factory=list)
    ref: Branch | Leaf | None = field(default=None, init=False)
    memo: dict[str, int] = field(default_factory=dict)


LEFT_OUT = {Branch: ("memo",)}
CODEC = ObjectCodec(
    (Sort, Leaf, Branch),
    {"Datum": 'int | bool | str | None | Fraction | tuple["Datum", ...]'},
    late=("ref",),
    left_out=LEFT_OUT,
    values=(Sort,),
)
PLACES = st.builds(Place, st.sampled_from(["a.yaml", "b.yaml", "\udc80"]), st.integers(0, 9), st.integers(0, 9))
DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.fractions(max_denominator=9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)
SORTS = st.sampled_from([Sort("int"), Sort("set", Sort("int")), Sort("set", Sort("set", Sort("text")))])
WORDS = st.text("abc", max_size=2)


@st.composite
def graphs(draw: st.DrawFn) -> Branch:
    """Draws a graph of some branches and leaves that share children and refer to any of them."""
    leaves = [Leaf(*each) for each in draw(st.lists(st.tuples(PLACES, DATA), min_size=1, max_size=4))]
    made: list[Branch | Leaf] = [*leaves]
    for _ in range(draw(st.integers(1, 4))):
        made.append(
            Branch(
                draw(PLACES),
                draw(SORTS),
                tuple(draw(st.lists(st.sampled_from(made), max_size=3))),
                tuple(draw(st.lists(st.tuples(st.sampled_from(leaves), st.lists(WORDS).map(tuple)), max_size=2))),
                draw(
                    st.dictionaries(
                        st.lists(st.integers(0, 3), max_size=2).map(tuple), st.sampled_from([None, *leaves])
                    )
                ),
                draw(DATA | st.dictionaries(WORDS, DATA, max_size=3)),
                draw(st.none() | st.just(()) | st.tuples(WORDS, WORDS)),
                draw(st.none() | st.frozensets(WORDS, max_size=3)),
                draw(st.lists(WORDS, max_size=3)),
            )
        )
    for each in made:
        if isinstance(each, Branch):
            each.ref = draw(st.sampled_from([None, *made]))
    root = made[-1]
    assert isinstance(root, Branch)
    return root


def through_json(value: object) -> Any:
    return json.loads(json.dumps(value))


@given(root=graphs())
def test_graphs_are_read_as_they_were_written(root: Branch) -> None:
    """Values, shared objects and circles of references are the same after writing and reading, and so is the data."""
    data = CODEC.encode(root)
    found = CODEC.decode(through_json(data), Branch)
    assert difference(root, found) is None
    assert CODEC.encode(found) == data


def test_differences_are_found() -> None:
    """The comparison of graphs finds another value, another place, and an object that is shared no longer."""
    leaf = Leaf(NOWHERE, 1)
    root = Branch(NOWHERE, Sort("int"), (leaf, leaf))
    assert difference(root, Branch(NOWHERE, Sort("int"), (leaf, leaf))) is None
    for other in (
        Branch(NOWHERE, Sort("int"), (leaf, Leaf(NOWHERE, 1))),
        Branch(NOWHERE, Sort("int"), (Leaf(NOWHERE, True), leaf)),
        Branch(NOWHERE, Sort("text"), (leaf, leaf)),
        Branch(Place("a"), Sort("int"), (leaf, leaf)),
        Branch(NOWHERE, Sort("int"), (leaf,)),
    ):
        assert difference(root, other) is not None


def test_left_out_fields_get_their_default() -> None:
    """A field that is left out is empty after reading."""
    root = Branch(NOWHERE, Sort("int"), ())
    root.memo["x"] = 1
    assert CODEC.decode(CODEC.encode(root), Branch).memo == {}


def test_long_chains_are_no_recursion() -> None:
    """A chain of many objects is written and read."""
    root = Branch(NOWHERE, Sort("int"), ())
    for _ in range(1_500):
        root = Branch(NOWHERE, Sort("int"), (root,))
    assert CODEC.encode(CODEC.decode(CODEC.encode(root), Branch)) == CODEC.encode(root)


def test_an_object_in_itself_is_an_error() -> None:
    """An object that contains itself, and a value that its annotation does not allow, can't be written."""
    root = Branch(NOWHERE, Sort("int"), ())
    root.children = (root,)
    with pytest.raises(ValueError, match="a Branch contains itself"):
        CODEC.encode(root)
    root.children = (Sort("int"),)  # type: ignore[assignment]
    with pytest.raises(TypeError, match=r"is not Branch \| Leaf"):
        CODEC.encode(root)


def test_annotations_without_a_shape_are_errors() -> None:
    """A class with a field that can't be written is no class of a codec."""
    for annotation in ("float", "set[int]", "tuple[Unknown, ...]", "int | float"):
        kind = dataclass(slots=True)(type("Odd", (), {"__annotations__": {"value": annotation}}))
        with pytest.raises(TypeError, match=r"has no shape|no class is"):
            ObjectCodec((kind,), {})


# ---------------------------------------------------------------- other data
def sample() -> Branch:
    """A graph in which every kind of value is used."""
    leaf, third = Leaf(Place("a.yaml", 1, 2), (1, "x")), Leaf(Place("b.yaml"), Fraction(1, 3))
    root = Branch(
        Place("a.yaml", 3, 4), Sort("set", Sort("int")), (leaf, third), ((leaf, ("x",)),), {(1,): leaf}, {"x": 1}, ()
    )
    root.words, root.ref = frozenset({"x", "y"}), root
    return root


def column(kind: str, name: str, value: object) -> Callable[[Any], None]:
    """Puts a value into the first row of a column."""

    def change(data: Any) -> None:
        data["objects"][kind][name][0] = value

    return change


def renamed(before: str, after: str, *path: str) -> Callable[[Any], None]:
    """Renames a key, in its place."""

    def change(data: Any) -> None:
        for key in path:
            data = data[key]
        entries = [(after if key == before else key, value) for key, value in data.items()]
        data.clear()
        data.update(entries)

    return change


def put(value: object, *path: Any) -> Callable[[Any], None]:
    """Puts a value at a path."""

    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (put("0" * 32, "classes"), "not written by this version"),
        (put(1, "more"), "not written by this version"),
        (put([], "objects"), "unknown class"),
        (renamed("Leaf", "Popen", "objects"), "unknown class"),
        (put([], "objects", "Leaf"), "have no columns"),
        (renamed("value", "velue", "objects", "Leaf"), "other fields"),
        (renamed("place", "__class__", "objects", "Leaf"), "other fields"),
        (put([1, 2], "objects", "Leaf", "more"), "other fields"),
        (put([1], "objects", "Leaf", "value"), "is not a column"),
        (put("ab", "objects", "Leaf", "value"), "is not a column"),
        (put(4, "objects", "Leaf", "#"), "have no numbers"),
        (put([], "objects", "Leaf", "#"), "have no numbers"),
        (column("Leaf", "#", True), "have no numbers"),
        (column("Leaf", "#", 0), "a number is missing, or two objects have the same"),
        (column("Leaf", "#", -1), "a number is missing, or two objects have the same"),
        (column("Leaf", "#", 99), "a number is missing, or two objects have the same"),
        (column("Leaf", "place", -1), "no place of this number"),
        (column("Leaf", "place", 9), "no place of this number"),
        (column("Leaf", "place", False), "a value is not Place"),
        (column("Leaf", "value", {}), "is not Datum"),
        (column("Leaf", "value", {"Fraction": [1, 2], "dict": []}), "is not Datum"),
        (column("Leaf", "value", {"Fraction": [2, 4]}), "a fraction is malformed"),
        (column("Leaf", "value", {"Fraction": [1, 0]}), "a fraction is malformed"),
        (column("Leaf", "value", {"Fraction": [1]}), "a fraction is malformed"),
        (column("Leaf", "value", {"Fraction": [True, 2]}), "a fraction is malformed"),
        (column("Leaf", "value", {"Fraction": 1}), "a value is not Fraction"),
        (column("Sort", "name", 1), "a value is not str"),
        (column("Sort", "of", 0), "comes before a Sort that it contains"),
        (column("Sort", "of", 1), "comes before a Sort that it contains"),
        (column("Sort", "of", []), "list is not Sort | None"),
        (column("Branch", "sort", 99), "no object of this number"),
        (column("Branch", "sort", -1), "no object of this number"),
        (column("Branch", "sort", None), "a value is not Sort"),
        (column("Branch", "children", [4]), "comes before"),
        (column("Branch", "children", [0]), "is not of the class"),
        (column("Branch", "children", 2), "is not tuple[Branch | Leaf, ...]"),
        (column("Branch", "ref", 0), "is not of the class Branch | Leaf"),
        (column("Branch", "ref", 99), "no object of this number"),
        (column("Branch", "pairs", [[2]]), "has another number of items"),
        (column("Branch", "cells", [[[1], [1]], [2, 2]]), "a key twice"),
        (column("Branch", "cells", [[[1]], []]), "a key without a value"),
        (column("Branch", "cells", [[[1]]]), "has another number of items"),
        (column("Branch", "cells", {}), "a value is not dict"),
        (column("Branch", "record", {"int": 1}), "int is not Datum | dict[str, Datum]"),
        (column("Branch", "words", ["x", "x"]), "a set has a member twice"),
        (column("Branch", "names", [1]), "a value is not str"),
        (put([1], "files"), "names of files are malformed"),
        (put([[0]], "places"), "places are malformed"),
        (put([[0], [1], []], "places"), "places are malformed"),
        (put(9, "places", 0, 0), "a place is malformed"),
        (put(-1, "places", 1, 0), "a place is malformed"),
        (put("1", "places", 2, 0), "a place is malformed"),
        (put(0, "root"), "it is not a Branch"),
        (put(-1, "root"), "it is not a Branch"),
        (put(True, "root"), "it is not a Branch"),
    ],
)
def test_other_data_is_refused(change: Callable[[Any], None], reason: str) -> None:
    """Unknown classes and fields, wrong types, numbers of nothing, and objects in themselves are refused."""
    data = through_json(CODEC.encode(sample()))
    CODEC.decode(data, Branch)
    change(data)
    with pytest.raises(MalformedDataError) as caught:
        CODEC.decode(data, Branch)
    assert reason in str(caught.value)


@pytest.mark.parametrize("data", [None, 1, "x", [], {}, {"classes": 1}])
def test_what_is_no_graph_is_refused(data: object) -> None:
    """Plain data of another shape is refused."""
    with pytest.raises(MalformedDataError):
        CODEC.decode(data, Branch)


def paths(data: Any) -> list[tuple[Any, ...]]:
    """Returns the paths of all values within plain data."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path for key, each in parts for path in [(key,), *[(key, *more) for more in paths(each)]]]


@given(drawn=st.data(), value=st.sampled_from([None, True, -1, 0, 1, 2, 5, 10**30, "x", "", [], [0], {}, {"x": 1}]))
def test_no_data_is_a_defect(drawn: st.DataObject, value: object) -> None:
    """With any value in any place, data is read as a graph of these classes or refused."""
    data = through_json(CODEC.encode(sample()))
    put(value, *drawn.draw(st.sampled_from(paths(data))))(data)
    try:
        found = CODEC.decode(data, Branch)
    except MalformedDataError:
        return
    assert difference(found, CODEC.decode(through_json(CODEC.encode(found)), Branch)) is None
