"""Functions on values that generated code calls; they know no game and keep no state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil, floor
from operator import attrgetter
from typing import Any, Never

from interpreter.language.diagnostics import BicorneError

MAX_INT = 10**18
MAX_COLLECTION_SIZE = 10_000
MAX_TEXT_LENGTH = 20_000
MAX_LOOP_PASSES = 1_000_000
_INDEX = attrgetter("index")


class RuntimeLimitError(BicorneError):
    """A value exceeds a limit; the caller adds the place in the rules."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


def span(low: int, high: int) -> range:
    """Returns the whole numbers from `low` to `high`, both included."""
    if high - low >= MAX_COLLECTION_SIZE:
        raise RuntimeLimitError("too-large", f"{low}..{high} is longer than {MAX_COLLECTION_SIZE:,} numbers")
    return range(low, high + 1)


def passes(times: int) -> range:
    """Returns the range of a counted loop, within its limit."""
    if times > MAX_LOOP_PASSES:
        raise RuntimeLimitError("too-large", f"a loop of {times:,} passes; at most {MAX_LOOP_PASSES:,} are allowed")
    return range(times)


def product(left: Any, right: Any) -> Any:
    """Returns a product, within the limit for numbers."""
    result: Any = left * right
    if not -MAX_INT <= result <= MAX_INT:
        raise RuntimeLimitError("too-large", f"a product beyond {MAX_INT:,}")
    return result if result.denominator <= MAX_INT else _too_fine()


def quotient(left: Any, right: Any) -> Fraction:
    """Returns an exact quotient, within the limit for fractions."""
    result: Fraction = Fraction(left) / right
    return result if max(abs(result.numerator), result.denominator) <= MAX_INT else _too_fine()


def _too_fine() -> Never:
    raise RuntimeLimitError("too-large", "a fraction with more than 18 digits")


def rounded_at(value: Any, at: Any) -> int:
    """Rounds up if the fractional part is at least `at`, else down."""
    whole: int = floor(value)
    return whole + 1 if value - whole >= at else whole


def _sized(items: list[Any]) -> list[Any]:
    if len(items) > MAX_COLLECTION_SIZE:
        raise RuntimeLimitError("too-large", f"a collection of more than {MAX_COLLECTION_SIZE:,}")
    return items


def union(left: Iterable[Any], right: Iterable[Any]) -> list[Any]:
    """Returns every element of both once, in the order of first occurrence."""
    found = list(dict.fromkeys([*left, *right]))
    return found if len(found) <= MAX_COLLECTION_SIZE else _sized(found)


def joined(left: Iterable[Any], right: Iterable[Any]) -> list[Any]:
    """Returns the elements of `left` followed by those of `right`."""
    return _sized([*left, *right])


def difference(left: Iterable[Any], right: Collection[Any]) -> list[Any]:
    """Returns the elements of `left` that are not in `right`."""
    if len(right) > 16:
        right = frozenset(right)
    return [each for each in left if each not in right]


def optional_one(value: Any) -> tuple[Any, ...]:
    """Returns a tuple with the value, or an empty one for none."""
    return () if value is None else (value,)


def without_none(items: Iterable[Any]) -> list[Any]:
    """Returns the items of a set or list literal without none."""
    return [each for each in items if each is not None]


def distinct(items: Iterable[Any]) -> list[Any]:
    """Returns each value once, at its first position."""
    return list(dict.fromkeys(items))


def first(items: Iterable[Any]) -> Any:
    """Returns the first element or none."""
    for each in items:
        return each
    return None


def fallback(value: Any, other: Callable[[], Any]) -> Any:
    """Returns the value, or the result of `other` if it is none."""
    return other() if value is None else value


def kept(items: Iterable[Any] | None) -> tuple[Any, ...] | None:
    """Returns a collection, or none, in the form in which the state stores it."""
    return None if items is None else tuple(items)


def no_row(table: str, value: Any, key: str | None = None) -> Never:
    """Raises the error for a table without a heading for a key."""
    of = "" if key is None else f" of '{key}'"
    raise RuntimeLimitError("no-row", f"table '{table}' has no heading{of} for {value_text(value)}")


def bounded(value: Any) -> Any:
    """Returns the number if it is within the limit."""
    if -MAX_INT <= value <= MAX_INT:
        return value if value.denominator <= MAX_INT else _too_fine()
    raise RuntimeLimitError("too-large", f"a number beyond {MAX_INT:,}")


def step_cost(cost: Any) -> Any:
    """Returns the cost of one step of a search if it is not negative: with negative cycles no cheapest path exists."""
    if cost < 0:
        raise RuntimeLimitError("negative-cost", f"a step of a search that costs {value_text(cost)}")
    return cost


def attribute_of(value: Any, slot: str, empty: Any) -> Any:
    """Returns an attribute of a thing, or `empty` if the thing is none."""
    return empty if value is None else getattr(value, slot)


def attribute_or(thing: Any, slot: str) -> tuple[Any, ...]:
    """Returns the contents of a thing, or an empty tuple if its class can hold none."""
    contents: tuple[Any, ...] = getattr(thing, slot, ())
    return contents


def held(thing: Any, slot: str, kind: Any) -> Any:
    """Returns the direct contents of a thing that are of a kind (none: all), or nothing if it can hold none."""
    contents = getattr(thing, slot, ())
    return contents if kind is None else [each for each in contents if isinstance(each, kind)]


def any_among(thing: Any, slot: str, kind: Any, attribute: Callable[[Any], Any], value: Any) -> bool:
    """Whether a thing directly contains anything that `among` gives."""
    return bool(among(thing, slot, kind, attribute, value))


def among(thing: Any, slot: str, kind: Any, attribute: Callable[[Any], Any], value: Any) -> list[Any]:
    """Returns the direct contents that are of a kind (none: all) and for which an attribute has a value."""
    return [each for each in held(thing, slot, kind) if attribute(each) == value]


def suppose(world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
    """Returns the value of `result` in the state after `change`, which is always undone."""
    mark = len(world.journal)
    try:
        change()
        return result()
    finally:
        world.rollback(mark)


def applied(value: Any, function: Callable[[Any], Any], empty: Any) -> Any:
    """Returns a computed attribute of a thing, or `empty` if the thing is none."""
    return empty if value is None else function(value)


def same(left: Iterable[Any], right: Iterable[Any]) -> bool:
    """Whether two ordered collections have the same elements in the same order."""
    return list(left) == list(right)


def same_set(left: Collection[Any], right: Collection[Any]) -> bool:
    """Whether two sets have the same elements, in any order."""
    return len(left) == len(right) and all(each in right for each in left)


def ordered(items: Iterable[Any]) -> list[Any]:
    """Returns things in the canonical order of the game."""
    return sorted(items, key=_INDEX)


def value_text(value: Any) -> str:
    """Formats a value as text: things by their ids."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ", ".join([f"{value_text(key)}: {value_text(each)}" for key, each in value.items()])
    if isinstance(value, Sequence | range) and not isinstance(value, str):
        return ", ".join([value_text(each) for each in value])
    return str(getattr(value, "id", value))


def text(*parts: Any) -> str:
    """Joins the parts to one text; other values are formatted."""
    result = "".join([each if isinstance(each, str) else value_text(each) for each in parts])
    if len(result) > MAX_TEXT_LENGTH:
        raise RuntimeLimitError("too-large", f"a text of more than {MAX_TEXT_LENGTH:,} characters")
    return result


HELPERS: dict[str, object] = {
    "span": span,
    "passes": passes,
    "product": product,
    "quotient": quotient,
    "rounded_at": rounded_at,
    "union": union,
    "joined": joined,
    "difference": difference,
    "optional_one": optional_one,
    "without_none": without_none,
    "distinct": distinct,
    "first": first,
    "fallback": fallback,
    "kept": kept,
    "no_row": no_row,
    "bounded": bounded,
    "step_cost": step_cost,
    "attribute_of": attribute_of,
    "attribute_or": attribute_or,
    "held": held,
    "among": among,
    "any_among": any_among,
    "suppose": suppose,
    "applied": applied,
    "same": same,
    "same_set": same_set,
    "ordered": ordered,
    "text": text,
    "floor": floor,
    "ceil": ceil,
    "Fraction": Fraction,
    "heappush": heappush,
    "heappop": heappop,
    "len": len,
    "bool": bool,
    "sum": sum,
    "min": min,
    "max": max,
    "list": list,
    "tuple": tuple,
    "frozenset": frozenset,
    "sorted": sorted,
    "isinstance": isinstance,
}
"""The namespace of generated code, in place of Python's built-ins."""
