"""The few functions that emitted code calls for values; nothing here knows a game or keeps state."""

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
    """A value outgrew what a rule may hold; the caller adds the place in the rules."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


def span(low: int, high: int) -> range:
    """The whole numbers from `low` to `high`, both included."""
    if high - low >= MAX_COLLECTION_SIZE:
        raise RuntimeLimitError("too-large", f"{low}..{high} is longer than {MAX_COLLECTION_SIZE:,} numbers")
    return range(low, high + 1)


def passes(times: int) -> range:
    """The passes of a counted loop."""
    if times > MAX_LOOP_PASSES:
        raise RuntimeLimitError("too-large", f"a loop of {times:,} passes; at most {MAX_LOOP_PASSES:,} are allowed")
    return range(times)


def product(left: Any, right: Any) -> Any:
    """A product that cannot grow without bound."""
    result: Any = left * right
    if not -MAX_INT <= result <= MAX_INT:
        raise RuntimeLimitError("too-large", f"a product beyond {MAX_INT:,}")
    return result if result.denominator <= MAX_INT else _too_fine()


def quotient(left: Any, right: Any) -> Fraction:
    """An exact fraction."""
    result: Fraction = Fraction(left) / right
    return result if max(abs(result.numerator), result.denominator) <= MAX_INT else _too_fine()


def _too_fine() -> Never:
    raise RuntimeLimitError("too-large", "a fraction with more than 18 digits")


def rounded_at(value: Any, at: Any) -> int:
    """Rounded up where the part after the point is at least `at`, else down."""
    whole: int = floor(value)
    return whole + 1 if value - whole >= at else whole


def _sized(items: list[Any]) -> list[Any]:
    if len(items) > MAX_COLLECTION_SIZE:
        raise RuntimeLimitError("too-large", f"a collection of more than {MAX_COLLECTION_SIZE:,}")
    return items


def union(left: Iterable[Any], right: Iterable[Any]) -> list[Any]:
    """Every element of both once, in the order in which they come."""
    found = list(dict.fromkeys([*left, *right]))
    return found if len(found) <= MAX_COLLECTION_SIZE else _sized(found)


def joined(left: Iterable[Any], right: Iterable[Any]) -> list[Any]:
    """The elements of one after those of the other."""
    return _sized([*left, *right])


def difference(left: Iterable[Any], right: Collection[Any]) -> list[Any]:
    """The elements of `left` that are not in `right`."""
    if len(right) > 16:
        right = frozenset(right)
    return [each for each in left if each not in right]


def optional_one(value: Any) -> tuple[Any, ...]:
    """An optional value as a collection of it or of nothing."""
    return () if value is None else (value,)


def without_none(items: Iterable[Any]) -> list[Any]:
    """What a set or list literal holds."""
    return [each for each in items if each is not None]


def distinct(items: Iterable[Any]) -> list[Any]:
    """Each value once, at its first place."""
    return list(dict.fromkeys(items))


def first(items: Iterable[Any]) -> Any:
    """The first element or none."""
    for each in items:
        return each
    return None


def fallback(value: Any, other: Callable[[], Any]) -> Any:
    """The value, or what `other` gives where it is none."""
    return other() if value is None else value


def kept(items: Iterable[Any] | None) -> tuple[Any, ...] | None:
    """A collection that may be missing, as the state holds it."""
    return None if items is None else tuple(items)


def no_row(table: str, value: Any, key: str | None = None) -> Never:
    """A table was asked for what it has no heading for."""
    of = "" if key is None else f" of '{key}'"
    raise RuntimeLimitError("no-row", f"table '{table}' has no heading{of} for {value_text(value)}")


def bounded(value: Any) -> Any:
    """A number that has not grown beyond what a rule may hold."""
    if -MAX_INT <= value <= MAX_INT:
        return value if value.denominator <= MAX_INT else _too_fine()
    raise RuntimeLimitError("too-large", f"a number beyond {MAX_INT:,}")


def step_cost(cost: Any) -> Any:
    """What one step of a search costs: a search that could gain by walking in rings would find no cheapest way."""
    if cost < 0:
        raise RuntimeLimitError("negative-cost", f"a step of a search that costs {value_text(cost)}")
    return cost


def attribute_of(value: Any, slot: str, empty: Any) -> Any:
    """An attribute of a thing that may be missing."""
    return empty if value is None else getattr(value, slot)


def attribute_or(thing: Any, slot: str) -> tuple[Any, ...]:
    """The contents that something holds, or nothing where it can hold none."""
    contents: tuple[Any, ...] = getattr(thing, slot, ())
    return contents


def held(thing: Any, slot: str, kind: Any) -> Any:
    """What of a kind (none: all) stands directly in something; nothing where it can hold none."""
    contents = getattr(thing, slot, ())
    return contents if kind is None else [each for each in contents if isinstance(each, kind)]


def suppose(world: Any, change: Callable[[], Any], result: Callable[[], Any]) -> Any:
    """What `result` gives in the state after `change`, which is taken back whatever comes of it."""
    mark = len(world.journal)
    try:
        change()
        return result()
    finally:
        world.rollback(mark)


def applied(value: Any, function: Callable[[Any], Any], empty: Any) -> Any:
    """A computed attribute of a thing that may be missing."""
    return empty if value is None else function(value)


def same(left: Iterable[Any], right: Iterable[Any]) -> bool:
    """Whether two ordered collections hold the same."""
    return list(left) == list(right)


def same_set(left: Collection[Any], right: Collection[Any]) -> bool:
    """Whether two sets hold the same, in whatever order."""
    return len(left) == len(right) and all(each in right for each in left)


def in_order(items: Iterable[Any]) -> list[Any]:
    """Things in the canonical order of the game."""
    return sorted(items, key=_INDEX)


def value_text(value: Any) -> str:
    """A value as text: ids for things, words for the rest."""
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
    """Parts put together; what is not text is shown."""
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
    "suppose": suppose,
    "applied": applied,
    "same": same,
    "same_set": same_set,
    "in_order": in_order,
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
"""What the namespace of emitted code holds instead of Python's own built-ins."""
