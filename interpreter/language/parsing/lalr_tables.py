"""The LALR tables of the grammar: lark computes them from `grammar.lark`, and `grammar.json` stores them.

`python -m interpreter.language.parsing.lalr_tables` writes `grammar.json`. If that file does not belong to the
current grammar, the same tables are computed in memory at each start.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

STARTS = ("block", "expr", "type", "attr", "binding")
END = "$END"
GRAMMAR, TABLES = "grammar.lark", "grammar.json"


@dataclass(frozen=True, slots=True)
class RuleTable:
    """One production.

    `make` names the builder method for its value (none: a list for the enclosing rule). `keep` lists which symbols
    become children (-1: an absent optional part; none: all of them) and whether their lists are spliced in. `passes`
    marks a rule whose value is that of its one symbol.
    """

    origin: str
    size: int
    make: str | None
    keep: tuple[tuple[int, bool], ...] | None
    passes: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of the parser.

    A row of `states` maps a symbol to the next state (shift), or to `-1 - rule` for the rule to reduce. `pattern`
    matches one token; `words` maps the words of the language to their symbols.
    """

    grammar: str
    pattern: str
    words: dict[str, str]
    starts: dict[str, tuple[int, int]]
    rules: tuple[RuleTable, ...]
    states: tuple[dict[str, int], ...]


@cache
def load_tables() -> Tables:
    """Returns the tables of the grammar: from the file, or computed if the file belongs to another grammar."""
    folder = Path(__file__).parent
    grammar = (folder / GRAMMAR).read_text("utf-8")
    stored = folder / TABLES
    if stored.is_file():
        data = json.loads(stored.read_text("utf-8"))
        if data["grammar"] == fingerprint(grammar):
            return _from_data(data)
    return compile_grammar(grammar)


def fingerprint(grammar: str) -> str:
    """Returns the hash of a grammar text."""
    return sha256(grammar.encode()).hexdigest()


def _from_data(data: dict[str, Any]) -> Tables:
    rules = []
    for rule in data["rules"]:
        keep = rule.pop("keep")
        rules.append(RuleTable(keep=None if keep is None else tuple((index, bool(s)) for index, s in keep), **rule))
    starts = {name: (first, last) for name, (first, last) in data["starts"].items()}
    return Tables(data["grammar"], data["pattern"], data["words"], starts, tuple(rules), tuple(data["states"]))


def to_text(tables: Tables) -> str:
    """Returns the tables as JSON, one rule or state per line."""
    parts = []
    for name, value in asdict(tables).items():
        if isinstance(value, tuple):
            text = "[\n" + ",\n".join(json.dumps(each, sort_keys=True) for each in value) + "\n]"
        else:
            text = json.dumps(value, sort_keys=True)
        parts.append(f'"{name}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


# ---------------------------------------------------------------- computing the tables
class _PassThroughPostlex:
    """Takes the place of lark's indentation handling, which `lexer` does."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Any]) -> Iterator[Any]:
        return stream


def read_grammar(grammar: str, *, debug: bool = False) -> Lark:
    """Returns lark's form of the grammar, with `debug` its conflicts in lark's log; raises lark's `GrammarError`."""
    from lark import Lark  # noqa: PLC0415 - the import is slow, and only a changed grammar needs it

    options: Any = {"parser": "lalr", "postlex": _PassThroughPostlex(), "debug": debug}
    return Lark(grammar, start=list(STARTS), **options)


def compile_grammar(grammar: str) -> Tables:
    """Returns the tables of a grammar text; the result is deterministic."""
    lark = read_grammar(grammar)
    front: Any = lark.parser
    table = front.parser._parse_table
    rules = sorted(lark.rules, key=_rule_order)
    numbers = {id(rule): number for number, rule in enumerate(rules)}
    order = _reachable(table)
    position = {state: number for number, state in enumerate(order)}
    states = tuple(_row(table.states[state], position, numbers) for state in order)
    starts = {name: (position[table.start_states[name]], position[table.end_states[name]]) for name in STARTS}
    pattern, words = _terminals(lark)
    return Tables(fingerprint(grammar), pattern, words, starts, tuple(map(_rule, rules)), states)


def _rule_order(rule: Rule) -> tuple[str, list[str], str]:
    return str(rule.origin.name), [str(symbol.name) for symbol in rule.expansion], str(rule.alias or "")


def _reachable(table: Any) -> list[Any]:
    """Returns the reachable states in an order that depends on the grammar alone."""
    order = [table.start_states[name] for name in STARTS]
    seen = set(order)
    for state in order:
        for _, (_, target) in sorted(table.states[state].items()):
            if target in table.states and target not in seen:
                seen.add(target)
                order.append(target)
    return order


def _row(actions: Any, position: dict[Any, int], numbers: dict[int, int]) -> dict[str, int]:
    return {
        str(symbol): position[target] if target in position else -1 - numbers[id(target)]
        for symbol, (_, target) in sorted(actions.items())
    }


def _rule(rule: Rule) -> RuleTable:
    origin, size = str(rule.origin.name), len(rule.expansion)
    keep = _kept(rule)
    plain = keep == tuple((index, False) for index in range(size))
    passes = bool(rule.options.expand1 and not rule.alias)
    make = None if passes or origin.startswith("_") else str(rule.alias or origin)
    return RuleTable(origin, size, make, None if plain else keep, passes)


def _kept(rule: Rule) -> tuple[tuple[int, bool], ...]:
    """Returns which symbols of a rule are children, with -1 for an absent optional part."""
    absent = rule.options.empty_indices or (False,) * len(rule.expansion)
    symbols: Any = iter(enumerate(rule.expansion))
    kept: list[tuple[int, bool]] = []
    for missing in absent:
        if missing:
            kept.append((-1, False))
            continue
        index, symbol = next(symbols)
        if not (symbol.is_term and symbol.filter_out):
            kept.append((index, not symbol.is_term and symbol.name.startswith("_")))
    return tuple(kept)


def _terminals(lark: Lark) -> tuple[str, dict[str, str]]:
    """Returns a pattern with a named group for each terminal that is not a word, and the words."""
    words, others = {}, []
    for each in lark.terminals:
        if each.pattern.type == "str" and each.pattern.value.isalpha():
            words[each.pattern.value] = each.name
        elif each.name not in ("_INDENT", "_DEDENT"):
            others.append(each)
    others.sort(key=lambda each: (-each.priority, -each.pattern.max_width, -len(each.pattern.value), each.name))
    pattern = "|".join(f"(?P<{each.name}>{each.pattern.to_regexp()})" for each in others)
    re.compile(pattern)
    return pattern, dict(sorted(words.items()))


def main() -> None:
    """Writes `grammar.json` beside `grammar.lark`."""
    folder = Path(__file__).parent
    tables = compile_grammar((folder / GRAMMAR).read_text("utf-8"))
    (folder / TABLES).write_text(to_text(tables), "utf-8")


if __name__ == "__main__":
    main()
