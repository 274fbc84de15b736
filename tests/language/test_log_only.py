"""Procedures that only write to the log do not run where nobody looks on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interpreter import Game, load_ruleset, load_scenario
from interpreter.language.model.emitted_names import OWN, part_of
from interpreter.play.engine.core import Core
from interpreter.play.engine.source import source_of

RULES = """\
ruleset: {id: logged, title: What is logged, version: "1"}
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = 0"}}
state: {turn: "int = 0"}
definitions:
  ahead: {gives: "side?", is: first(sides by -.points)}
procedures:
  tell:
    takes: {side: side}
    do: |
      let other = ahead()
      for each one in sides where it != side: set other = one
      log "{side} is ahead of {other}"
  tell_all: {do: "for each side in sides: tell(side)"}
  score:
    takes: {side: side}
    do: |
      set side.points += 1
      tell_all()
  score_twice:
    takes: {side: side}
    do: |
      score(side)
      score(side)
sequence: {game: {do: set turn += 0}}
"""


def test_telling_is_left_out_and_doing_is_not(tmp_path: Path) -> None:
    """What changes nothing is not called in the fast variant; what does is, and the traced one reports it."""
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    setting = source_of(load_ruleset(tmp_path, cache=False))
    events: list[str] = []

    def note(kind: str, _site: int, _data: Any) -> None:
        events.append(kind)

    fast = Core(setting.shared("fast"), "fast", {})
    traced = Core(setting.shared("traced"), "traced", {}, trace=note)
    for core in (fast, traced):
        core.names["p_score_twice"](core.seats[0])
        assert core.seats[0].a_points == 2
    assert events.count("log") == 4
    assert "p_tell_all()" in traced.unit.source.split(f"def {part_of('p_score', OWN)}")[1]
    assert "p_tell_all()" not in fast.unit.source.split("def p_score")[1]
    assert fast.unit.source.count("p_score(") == 3, "what changes something is called"
    assert fast.hash() == traced.hash()


CARDS = """\
ruleset: {id: carded, title: Cards that carry their text, version: "1"}
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = 0"}}
  card:
    is: thing
    has: {worth: "int = 1"}
    procedures: {play: {takes: {side: side}, do: log "nothing comes of it"}}
    definitions: {counts: {gives: bool, is: "false"}}
individuals:
  card:
    blank: {}
    gain: {play: "set side.points += card.worth", counts: card.worth = 2}
procedures:
  raise_worth: {do: set cards.worth += 1}
sequence:
  game:
    each: side in sides
    do: |
      for each card in cards: card.play(side)
      for each card in cards where .counts(): card.play(side)
      raise_worth()
"""


def test_a_card_acts_though_the_text_of_its_kind_only_logs(tmp_path: Path) -> None:
    """The text of a kind is one text of a method; what holds of it holds of no other text and not of the choice."""
    (tmp_path / "ruleset.yaml").write_text(CARDS, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "one.yaml").write_text("scenario: {id: one, title: One, ruleset: carded}\n", "utf-8")
    scenario = load_scenario(tmp_path / "scenarios" / "one.yaml")
    games = [Game(scenario, trace=trace) for trace in (False, True)]
    for game in games:
        assert {seat["id"]: seat["attributes"]["points"] for seat in game.view(None)["seats"]} == {"red": 1, "blue": 4}
    assert games[0].hash() == games[1].hash()
