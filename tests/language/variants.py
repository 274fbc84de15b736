"""A small board whose rule text is run in all three variants of emitted code, side by side."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from interpreter import load_ruleset
from interpreter.language.checking.check import check_expression
from interpreter.language.codegen.emit import VARIANTS, emit_expression
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.runtime.values import value_text
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import source_of

BOARD = """\
ruleset: {id: probe, title: A board to probe rule text on, version: "1"}
include: [rules.yaml]
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = 0"}}
  ground: {is: enum, members: [plain, hill, marsh]}
  place: {is: space, has: {ground: "ground = plain", lord: "side?", weight: "int = 1", seen: "set of side"}}
  unit: {is: piece, in: place, has: {owner: side, steps: "int = 3", chief: "unit?"}}
  toll: {is: record, has: {spent: "int = 0", by: "side?"}}
  square: {is: space, grid: {columns: 3, rows: 3, shape: squares}}
individuals:
  place: {a: {lord: red}, b: {ground: hill, weight: 2}, c: {lord: blue}, d: {ground: marsh, weight: 4}, e: {}}
links:
  ring: {of: place, between: [[a, b], [b, c], [c, d], [d, e], [e, a]]}
pieces:
  unit:
    - {id: red, count: 2, owner: red, at: a}
    - {id: blue, count: 2, owner: blue, at: c}
state: {turn: "int = 0", ratio: "number = 0", record: "toll?", marked: "set of place", counts: "map of place to int"}
"""


class Scripted:
    """Chance that comes up as it was written; in the odds variant it puts every roll to its reader too."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.left = list(faces)

    def names(self) -> dict[str, object]:
        """The functions as emitted code calls them."""
        return {
            "roll_sum": self._sum,
            "roll_apart": self._apart,
            "random_one": lambda _site, of: list(of)[self.left.pop(0) - 1],
            "random_some": lambda _site, count, of: list(of)[: max(count, 0)],
        }

    def _sum(self, _site: Any, _seat: Any, count: int, _faces: int, reader: Any = None) -> int:
        total = sum([self.left.pop(0) for _ in range(count)])
        if reader is not None:
            reader(total)
        return total

    def _apart(self, _site: Any, _seat: Any, count: int, faces: Sequence[Any], reader: Any = None) -> list[Any]:
        found = [faces[self.left.pop(0) - 1] for _ in range(count)]
        if reader is not None:
            for each in faces:
                reader(each)
        return found


class Probe:
    """The board with some rules, in every variant."""

    def __init__(self, folder: Path, rules: str, dice: Sequence[int] = ()) -> None:
        (folder / "ruleset.yaml").write_text(BOARD, encoding="utf-8")
        steps = "" if "sequence:" in rules else "\nsequence: {game: {do: set turn += 0}}\n"
        (folder / "rules.yaml").write_text(rules + steps, encoding="utf-8")
        ruleset = load_ruleset(str(folder))
        self.program = ruleset.program
        setting = source_of(ruleset)
        self.events: list[tuple[str, Any]] = []
        self.cores = {
            each: Core(setting.shared(each), each, Scripted(dice).names(), trace=self._note) for each in VARIANTS
        }

    def _note(self, kind: str, _site: int, data: Any) -> None:
        self.events.append((kind, data))

    def __call__(self, text: str, *answers: str) -> str:
        """What a text gives, the same in every variant; decisions are answered by what their options are called."""
        found = {each: self._result(each, text, list(answers)) for each in VARIANTS}
        assert len(set(found.values())) == 1, found
        assert len({core.hash() for core in self.cores.values()}) == 1
        return found["fast"]

    def _result(self, variant: str, text: str, answers: list[str]) -> str:
        core = self.cores[variant]
        expr = parse_expr(SourceText.plain(text))
        wrong = [str(each) for each in check_expression(self.program, expr, (), None) if each.severity == "error"]
        assert wrong == []
        try:
            found = core.bind(emit_expression(self.program, expr, (), variant), "ad_hoc")()
            found = _answered(found, answers) if isinstance(found, Generator) else found
        except Exception as error:
            fault = core.fault(error)
            return f"fault: {getattr(fault, 'diagnostic', fault)}"
        assert answers == []
        return value_text(found)


def _answered(asking: Generator[Any, Any, Any], answers: list[str]) -> Any:
    answer = None
    try:
        while True:
            _, _, options, _, _ = asking.send(answer)
            named = {value_text(each): each for each in (options() if callable(options) else options)}
            wanted = answers.pop(0) if len(named) > 1 else next(iter(named))
            assert wanted in named, (wanted, list(named))
            answer = named[wanted]
    except StopIteration as done:
        return done.value
