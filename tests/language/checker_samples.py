"""A small ruleset, and functions that insert rule texts into it, for the tests of the checker."""

from pathlib import Path
from textwrap import dedent, indent

from interpreter.language.checking.check import check_program
from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.program import Program
from interpreter.rules.documents.document_set import Document, DocumentSet
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.documents.yaml_reader import read_yaml_text
from interpreter.rules.linking.link import link

BASE = """
kinds:
  face: {is: enum, members: [front, back]}
  weather: {is: enum, plural: weathers, members: [fair, open, storm]}
  terrain: {is: enum, members: [open, wood, hill]}
  mood: {is: enum, members: [fair, foul]}
  player: {is: seat, members: [blue, grey], has: {score: "int = 0", rival: "player?"}}
  place: {is: space}
  hex: {is: place, plural: hexes, has: {terrain: "terrain = open", height: "int = 0", holder: "player?"}}
  box: {is: place, plural: boxes}
  side: {is: link, between: hex, has: {river: "bool = false"}}
  square: {is: space, grid: {columns: 3, rows: 3, shape: squares}}
  nation: {is: thing, has: {player: player, capital: hex, allies: set of nation}}
  counter: {is: piece, in: [hex, box, army], has: {nation: nation, face: "face = front"}}
  army: {is: piece, plural: armies, in: hex, has: {nation: nation, supply: "number = 1"}}
  unit: {is: counter, has: {steps: "int = 2", target: "unit?", tired: "bool = false"}}
  guard: {is: unit, has: {bonus: "int = 1"}}
  leader: {is: counter, in: [hex, army], has: {rank: "int = 1"}}
  card: {is: piece, in: pile}
  pile: {is: space}
  stone: {is: piece, in: square}
  report: {is: record, has: {steps: int, by: "unit?", places: set of hex, mean: "number = 0"}}
individuals:
  hex: [alba, bora, cara]
  box: [limbo]
  pile: [deck]
  nation:
    rosa: {player: blue, capital: alba}
    alba: {player: grey, capital: bora}
state:
  turn: "int = 1"
  weather: "weather = fair"
  leading: "player?"
  reserve: set of unit
constants:
  quota: {value: 3}
  share: {value: 1 / 2}
options:
  fog: {type: bool, default: false, says: "whether seats see less"}
dice:
  flags: {of: face, faces: [front, back]}
tables:
  losses:
    keys: {die: int, terrain: terrain}
    gives: int
    clamp: true
    grid: |
      die | open wood hill
      1   | 0    0    1
      2   | 1    1    2
definitions:
  hex.crowded: {is: count(hex.units) > 2}
  terrain.rough: {is: terrain != open}
  counter.strength: {gives: int, is: "1"}
  unit.strength: {is: unit.steps}
  mine: {takes: {hex: hex, who: player}, is: hex.units where .nation.player = who}
modifiers:
  odds:
    takes: {unit: unit}
    each:
      - {id: steps, value: unit.steps}
restrictions:
  bars:
    takes: {unit: unit}
    each:
      - {id: tired, when: unit.tired}
searches:
  march:
    takes: {unit: unit}
    over: hex
    bars:
      - {id: full, when: there.crowded}
procedures:
  shift:
    takes: {unit: unit, to: hex}
    do: move unit to to
  ask:
    takes: {who: player}
    gives: bool
    do: return who agrees to peace
  throw:
    takes: {who: player}
    gives: int
    do: return who rolls 2d6 "throw"
menus:
  orders: {takes: {who: player}}
actions:
  rest: {menu: orders, do: log "rest"}
sequence:
  game:
    repeat: 3
    steps:
      turns:
        each: who in players
        do: who may take orders(who)
"""
TAKES = """{unit: unit, guard: guard, army: army, hex: hex, who: player, nation: nation, maybe: "unit?", leader: leader,
      some: set of unit, many: list of int, costs: map of hex to int, square: square, card: card, counter: counter,
      note: report, stone: stone, word: text, half: number}"""


def program_of(*parts: str) -> Program:
    """Returns the linked, unchecked program of a ruleset in these parts."""
    text = "".join(dedent(part).removeprefix("\n") for part in parts)
    root = read_yaml_text(text, "r.yaml")
    assert isinstance(root, Mapping)
    program, faults = link(DocumentSet(Path(), [Document(Path("r.yaml"), "r.yaml", "", root)]), {})
    assert not faults, "\n".join(map(str, faults))
    return program


def _with(section: str, text: str) -> str:
    """Returns the text of the base ruleset with entries inserted at the start of a section."""
    head, mark, tail = BASE.partition(f"\n{section}:\n")
    assert mark, section
    return f"{head}{mark}{indent(dedent(text).strip(), '  ')}\n{tail}"


def with_more(section: str, text: str) -> Program:
    """Returns the base ruleset with additional entries in one of its sections."""
    return program_of(_with(section, text))


def with_block(body: str) -> Program:
    """Returns the base ruleset with a procedure `probe` whose text is `body`."""
    return with_more("procedures", f"probe:\n  takes: {TAKES}\n  do: |\n{indent(dedent(body).strip(), '    ')}")


def with_expr(text: str) -> Program:
    """Returns the base ruleset with a definition `probe` whose value is `text`."""
    return with_more("definitions", f"probe:\n  takes: {TAKES}\n  is: |\n    {text}")


def found(program: Program, severity: str = "error") -> list[Diagnostic]:
    """Returns the findings of one severity."""
    return [each for each in check_program(program) if each.severity == severity]


def formatted(findings: list[Diagnostic]) -> list[str]:
    """Formats findings as `code: message (hint)`."""
    return [f"{each.code}: {each.message}" + (f" ({each.hint})" if each.hint else "") for each in findings]


def findings_of_block(body: str, severity: str = "error") -> list[str]:
    """Returns the findings of a procedure's text, with line and column inside the text."""
    return _placed(with_block(body), "procedures", severity, 6)


def findings_of_expr(text: str, severity: str = "error") -> list[str]:
    """Returns the findings of an expression, with line and column inside the expression."""
    return _placed(with_expr(text), "definitions", severity, 6)


def findings_of(section: str, text: str, severity: str = "error") -> list[str]:
    """Returns the findings of an additional entry in a section of the base ruleset."""
    return formatted(found(with_more(section, text), severity))


def _placed(program: Program, section: str, severity: str, lines: int) -> list[str]:
    before = BASE.partition(f"\n{section}:\n")[0].count("\n") + lines
    findings = [each for each in found(program, severity) if "probe" not in each.message]
    places = [f"{each.place.line - before}:{each.place.column - 6} " for each in findings]
    return [place + text for place, text in zip(places, formatted(findings), strict=True)]


def type_of(text: str) -> str:
    """Returns the type of an expression."""
    program = with_expr(text)
    assert not found(program), formatted(found(program))
    return str(program.definitions["probe"].gives)
