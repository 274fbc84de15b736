"""A game whose names, texts, folders and files are full of characters that a terminal would obey, reorder or hide."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from interpreter.play.records.logfile import log_text
from interpreter.play.records.recording import Header, RecordedGame
from interpreter.play.records.rules_fingerprint import OverlayCopy
from interpreter.play.records.save_database import SaveDatabase
from interpreter.rules.loading.load import load_scenario

IN_NAMES = os.fsdecode(b"\x1b]0;owned\x07\x1b[2J\x7f\xc2\x9b1m\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\nfaked: \xff")
"""Part of a file name: it sets the title, clears the screen, reorders what follows, fakes a line, and is not UTF-8."""
IN_ARGUMENTS = os.fsdecode("\u202e\u2066\u200f\u061c\u200b\u2060\ufeff\xad".encode() + b"\xff")
"""Part of an argument: control characters are refused there, but these reorder and hide, and are not UTF-8."""
IN_TEXTS = "\u200e\u200f\u061c\u200b\u2060\xad\\nfaked: "
"""Part of a text in double quotes; documents may not have control characters or overrides, but these."""

RULES = """\
ruleset: {id: odd, title: "Odd~", version: 1.0.0, notice: "Ours~"}
options:
  long: {says: "Long~", default: false, cite: "1"}
kinds:
  card: {is: enum, members: [ace, king]}
  side: {is: seat, members: [red, blue], has: {points: "int = 0", card: "card = ace"}}
presentation:
  names: {side: {red: {en: "Red~", ja: "赤~"}}}
  words: {ace: {en: "Ace~"}, take: {en: "Take~"}}
  attributes: {points: {en: "points~"}}
  prompts: {take.amount: {en: "How much~?", ja: "いくつ~？"}}
  answers: {take.amount: {en: "Amount~"}}
clauses:
  - {id: "1", kind: rule, says: "Whoever gains three points wins~."}
  - {id: "2", kind: rule, says: "Nothing implements this~."}
readings:
  - {id: first, clauses: ["1"], reading: "Red~", reason: "Because~", alternatives: ["Blue~"]}
sources:
  book: {title: "A book~"}
tables:
  prize:
    cite: "1"
    standing: found
    source: book
    keys: {total: int}
    gives: int
    grid: |
      total | 1 2
      gives | 1 2
procedures:
  take:
    cite: "1"
    takes: {side: side}
    gives: int
    do: |
      let amount = side chooses from 1 to 2 "How much?"
      let roll = side rolls 1d2 "luck"
      set side.points += prize[roll]
      log "{side} takes {amount}"
      if side.points > 2: win side "won"
      return amount
    outcomes: {taken: result}
sequence:
  game: {repeat: "3", do: take(red)}
examples:
  holds:
    {cite: "1", says: "~", run: take(red), decisions: {take.amount: [2]}, dice: {luck: [1]}, then: [result = 2]}
  fails:
    {cite: "1", says: "~", run: take(red), decisions: {take.amount: [1]}, dice: {luck: [1]}, then: [result = 2]}
"""
SCENARIO = 'scenario: {id: short, ruleset: odd, title: "Short~"}\n'
OVERLAY = """\
overlay: {id: more, for: odd, title: "More~", notice: "Ours~"}
patches:
  - {at: tables/prize/2, expect: 2, set: 3}
"""


def hostile_house(house: Path) -> Path:
    """Writes the game, with a scenario and an overlay, into a new folder; returns that folder."""
    (house / "scenarios").mkdir(parents=True)
    for name, text in (("ruleset", RULES), (f"scenarios/short{IN_NAMES}", SCENARIO), (f"more{IN_ARGUMENTS}", OVERLAY)):
        (house / f"{name}.yaml").write_text(text.replace("~", IN_TEXTS), encoding="utf-8")
    return house


def hostile_log(path: Path, house: Path, forged: str = "") -> Path:
    """Writes the log of a game, with a forged text everywhere in its header if given; its digests are valid."""
    recording = _played(house).recording
    header = _forged(recording.header, forged) if forged else recording.header
    path.write_text(log_text(replace(recording, header=header)), encoding="utf-8")
    return path


def hostile_save(path: Path, house: Path, forged: str = "") -> Path:
    """Writes the save of a game that has just begun, with a forged text everywhere in its header if given."""
    recording = _played(house, 1).recording
    header = _forged(recording.header, forged) if forged else recording.header
    path.write_bytes(SaveDatabase(replace(recording, header=header)).image)
    return path


def _played(house: Path, decisions: int = 100) -> RecordedGame:
    scenario = load_scenario(next((house / "scenarios").iterdir()), paths=[str(house)])
    game = RecordedGame(scenario, 1)
    while decisions and game.decision is not None:
        game.choose_index(0)
        decisions -= 1
    return game


def _forged(header: Header, text: str) -> Header:
    text = text.replace("\udcff", "")  # which JSON can't contain
    assert header.rules is not None
    rules = replace(
        header.rules,
        overlays=(OverlayCopy(text, text, OVERLAY.replace("~", IN_TEXTS)),),
        entries={text: text},
        sites={1: text},
        scenario=text,
    )
    return replace(header, version=text, ruleset_hash=text, options={text: text}, engine=text, rules=rules)
