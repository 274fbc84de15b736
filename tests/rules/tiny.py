"""A minimal ruleset in a folder, for the tests of discovery, loading and the cache."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "ruleset.yaml": """\
ruleset: {id: tiny, title: {en: Tiny, ja: 小}, version: 1.2, engine: ">=0.1 <1"}
include: [rules.yaml]
options:
  long: {default: false, says: A longer game.}
kinds:
  player: {is: seat, members: [red, blue]}
state:
  score: "int = 0"
sequence:
  game:
    repeat: 3
    steps:
      turn: {each: player in players, do: "take_turn(player)"}
clauses:
  - {id: 1.10, kind: rule, says: {en: A die each turn., ja: 毎手番一つ振る。}, see: [2]}
  - {id: 2, kind: rule, says: Sixes score.}
""",
    "rules.yaml": """\
procedures:
  take_turn:
    cite: [1.10, 2]
    takes: {player: player}
    do: |
      let die = player rolls 1d6 "die"
      if die = 6: set score += 1
presentation:
  words: {turn: Turn}
""",
}
SCENARIO = """\
scenario: {id: short, title: A short game, ruleset: tiny, versions: ">=1 <2"}
options: {long: true}
state: {score: 2}
seats: {red: The Reds}
"""


def write(folder: Path, **changed: str) -> Path:
    """Writes the ruleset to a folder; `changed` replaces the text of files, by stem."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(changed.get(Path(name).stem, text), encoding="utf-8")
    return folder


def write_house(folder: Path) -> Path:
    """Writes a folder that contains the ruleset and its scenario."""
    write(folder / "rulesets" / "tiny")
    scenario = folder / "scenarios" / "tiny" / "short.yaml"
    scenario.parent.mkdir(parents=True)
    scenario.write_text(SCENARIO, encoding="utf-8")
    return folder
