"""A small ruleset with dice, picks, options, a table, modifiers and a search, for the tests of the workshop."""

from __future__ import annotations

from pathlib import Path

from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

HEAD = """\
ruleset: {id: little, title: Little, version: 1, engine: ">=0.1 <1"}
include: [rules.yaml, clauses.yaml, examples.yaml]
"""
RULES = """\
options:
  hard: {cite: "4", default: false, says: A harder game.}
kinds:
  player: {is: seat, members: [red, blue], has: {coins: "int = 3"}}
  field: {is: space, has: {wet: "bool = false"}}
  man: {is: piece, plural: men, in: field, has: {owner: player}}
  gift: {is: thing, has: {worth: "int = 1"}}
individuals:
  field:
    grid: |
      id | wet
      f1 | false
      f2 | true
      f3 | false
links:
  roads: {of: field, between: [[f1, f2], [f2, f3], [f1, f3]]}
pieces:
  man: [{id: red, count: 2, owner: red, at: f1}]
constants:
  fee: {cite: "3", value: 1}
tables:
  prize:
    cite: "2"
    standing: reconstructed
    figures: {"6": {standing: stated}}
    keys: {die: int}
    gives: int
    grid: |
      die   | 1..5 6
      coins | 0    2
modifiers:
  luck:
    takes: {who: player}
    each:
      - {id: poor, cite: "2.1", when: who.coins = 0, value: 1}
      - {id: harder, cite: "4", when: hard, value: -1}
searches:
  walk:
    over: field
    bars: [{id: water, cite: "5", when: there.wet}]
procedures:
  play:
    cite: "1"
    takes: {who: player}
    gives: int
    do: |
      if who.coins < fee: return 0                     @3
      set who.coins -= fee                             @3
      let die = who rolls 1d6 "luck"
      let won = prize[die] + luck(who)                 @2
      set who.coins += won
      return won
  stroll:
    cite: "5"
    takes: {who: player}
    do: |
      let walkers = who chooses any of (men where .owner = who) "Who walks?"
      for each man in walkers:
        let goal = who chooses one of (reach walk() from man.field) "Where to?"
        move man to goal
      let lucky = random one of players
      set lucky.coins += 1
sequence:
  game:
    steps:
      round:
        each: player in players
        do: |
          play(player)
          if player.coins > 3: win player "rich"
invariants:
  no_debts: {cite: "3", is: all(players each .coins >= 0)}
"""
CLAUSES = """\
clauses:
  - {id: "1", kind: rule, says: Each plays in turn., see: ["2"]}
  - {id: "2", kind: table, says: A six wins two coins.}
  - {id: "2.1", kind: rule, says: The poor win one more.}
  - {id: "3", kind: rule, says: A turn costs a coin.}
  - {id: "4", kind: optional, says: In the hard game one coin less is won.}
  - {id: "5", kind: rule, says: Nobody walks into water.}
readings:
  - {id: ties, clauses: ["2"], reading: A prize is new money., reason: Not said., alternatives: [The other pays.]}
"""
EXAMPLES = """\
examples:
  six:
    cite: "2"
    says: A six wins.
    run: play(red)
    dice: {luck: [6]}
    then: [result = 2 and red.coins = 4, luck(red) = 0]
  hard_six:
    cite: "4"
    options: {hard: true}
    run: play(red)
    dice: {luck: [6]}
    then: [result = 1]
  walking:
    cite: "5"
    run: stroll(red)
    decisions: {stroll.walkers: [[red_2]], stroll.goal: [f3]}
    dice: {stroll: [blue]}
    offers: {stroll.goal: {has: [f1, f3], lacks: [f2]}}
    then: [red_2.field = f3, blue.coins = 4]
  round_of_blue:
    cite: "1"
    set: {player/blue/coins: 3}
    step: round
    with: {player: blue}
    dice: {luck: [6]}
    ends: {winner: blue, reason: rich}
"""


def little(folder: Path, **changed: str) -> Ruleset:
    """Writes the ruleset into a folder, with the given texts in place of some of its files, and loads it."""
    texts = {"ruleset": HEAD, "rules": RULES, "clauses": CLAUSES, "examples": EXAMPLES} | changed
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return load_ruleset(folder, cache=False)
