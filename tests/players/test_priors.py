"""The priors that a ruleset's section `priors` gives to players that look ahead."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from matches import CAMPAIGN, load
from prior_checks import weighed

from interpreter.language.diagnostics import RuleFault
from interpreter.play.game import Game
from interpreter.players.greedy import GreedyPlayer
from interpreter.players.planning.priors import Priors, weighted_index
from interpreter.players.planning.search_budget import SearchBudget
from interpreter.players.search import SearchPlayer
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

RULES = """\
ruleset: {id: fair, title: At the fair, version: "1.0", engine: ">=0.1 <1"}
kinds:
  player: {is: seat, members: [red, blue], has: {coins: "int = 0", seen: "int = 0"}}
  stall: {is: thing, has: {price: "int = 0"}}
individuals:
  stall: {tent: {price: 3}, cart: {price: 0}, wheel: {price: -2}}
menus:
  walk: {takes: {player: player}, prompt: Where to?}
actions:
  visit:
    menu: walk
    pick: {stall: stalls}
    do: set player.seen += stall.price
  rest: {menu: walk, do: set player.seen += 1}
  flee: {menu: walk, do: set player.seen += 2}
procedures:
  day:
    do: |
      red must take walk(red)
      let stall = red chooses one or none of stalls "Which one?"
      let paid = red chooses from 0 to 3 "How much?"
      red chooses way "Which way home?":
        lane "By the lane": set red.coins += 0
        road "By the road": set red.coins += 0
      if red agrees to sing "Does he sing?": set red.seen += paid
      if stall != none: set red.seen += stall.price
sequence:
  days: {repeat: 2, do: day()}
"""
PRIORS = """\
priors:
  visit: 4
  flee: {takes: {player: player}, is: player.coins}
  visit.stall: {takes: {player: player, stall: stall}, is: stall.price}
  day.stall: {takes: {player: player, stall: stall}, is: stall.price * 2}
  day.paid: {takes: {player: player, paid: int}, do: "return 1 / (1 + paid)"}
  day.way.road: {takes: {player: player}, is: 7}
  day.sing: {takes: {player: player, yes: bool}, is: 5 if yes else 0}
"""


def fair(folder: Path, priors: str = PRIORS) -> Ruleset:
    """Loads the ruleset above with this section."""
    (folder / "ruleset.yaml").write_text(RULES + priors, encoding="utf-8")
    return load_ruleset(folder)


def first_day_weights(ruleset: Ruleset) -> dict[str, dict[str, float]]:
    """Returns the weight of each option of each question of the first day."""
    game = Game(ruleset, 1)
    priors, found = Priors(game.core), dict[str, dict[str, float]]()
    while (decision := game.decision) is not None and decision.address not in found:
        found[decision.address] = dict(zip(decision.labels, priors.weights(decision), strict=True))
        game.choose_index(next(iter([at for at, each in enumerate(decision.labels) if each == "visit"]), 0))
    return found


def test_every_kind_of_question_has_weights(tmp_path: Path) -> None:
    """Actions, picks, choices, numbers and agreements have weights; the minimum is 0, and the default 1."""
    found = first_day_weights(fair(tmp_path))
    assert found["day.walk"] == {"visit": 4, "rest": 1, "flee": 0}
    assert found["visit.stall"] == {"tent": 3, "cart": 0, "wheel": 0}
    assert list(found["day.stall"].values()) == [6, 0, 0, 1]
    assert list(found["day.paid"].values()) == [1, 1 / 2, 1 / 3, 1 / 4]
    assert list(found["day.way"].values()) == [1, 7]
    assert set(found["day.sing"].values()) == {5, 0}


def test_questions_of_a_step_have_weights(tmp_path: Path) -> None:
    """A step asks under its own name: its questions and choices have weights as those of a procedure."""
    asks = RULES[RULES.index("      let stall") : RULES.index("sequence:")]
    steps = RULES[: RULES.index("sequence:")] + f"sequence:\n  dusk:\n    do: |\n{asks}"
    (tmp_path / "ruleset.yaml").write_text(steps + PRIORS.replace("day.", "dusk."), encoding="utf-8")
    found = first_day_weights(load_ruleset(tmp_path))
    assert list(found["dusk.stall"].values()) == [6, 0, 0, 1]
    assert list(found["dusk.way"].values()) == [1, 7]
    assert set(found["dusk.sing"].values()) == {5, 0}


def test_default_weights_are_equal(tmp_path: Path) -> None:
    """All weights are 1 if a ruleset declares none, or if all declared ones are 0."""
    assert {each for of in first_day_weights(fair(tmp_path, "")).values() for each in of.values()} == {1}
    nothing = "priors: {visit.stall: {takes: {player: player, stall: stall}, is: 0 * stall.price}}\n"
    found = first_day_weights(fair(tmp_path, nothing))
    assert list(found["visit.stall"].values()) == [1, 1, 1]


def test_draws_follow_weights() -> None:
    """An option of weight 0 is never drawn, and one of three times the weight about three times as often."""
    draw = Random(3).random
    found = [weighted_index([0, 3, 0, 1, 0], draw) for _ in range(2_000)]
    assert set(found) == {1, 3}
    assert 2.5 < found.count(1) / found.count(3) < 3.6
    assert weighted_index([0, 1, 0], lambda: 1.0) == 1


@pytest.mark.parametrize("name", ["greedy", "search"])
def test_prior_breaks_ties(name: str, tmp_path: Path) -> None:
    """Among options of equal value the prior decides, and an option of weight 0 is never tried."""
    game = Game(fair(tmp_path, "priors: {rest: 5, flee: 0, visit: 0}\n"), 2)
    for seed in range(12):
        player = GreedyPlayer(seed, "red") if name == "greedy" else SearchPlayer(seed, "red", SearchBudget(trials=12))
        assert game.decision is not None
        assert game.decision.labels[player.choose(game)] == "rest"


def test_evaluation_outweighs_prior(tmp_path: Path) -> None:
    """An option with a lower prior is taken if its value is higher."""
    rules = "priors: {rest: 9, visit: 9}\nevaluation: {takes: {player: player}, is: 3 * player.seen}\n"
    game = Game(fair(tmp_path, rules + "invariants: {}\n"), 2)
    while game.decision is not None and game.decision.address != "visit.stall":
        at = [number for number, each in enumerate(game.decision.labels) if each == "visit"]
        game.choose_index(at[0])
    assert game.decision is not None
    taken = {GreedyPlayer(seed, "red").choose(game) for seed in range(8)}
    assert {game.decision.labels[each] for each in taken} == {"tent"}


def test_failing_prior_is_a_rule_fault(tmp_path: Path) -> None:
    """A prior that divides by zero raises a rule fault, and the game stays unchanged."""
    game = Game(fair(tmp_path, "priors: {visit: {takes: {player: player}, is: 1 / player.coins}}\n"), 1)
    before = game.hash()
    with pytest.raises(RuleFault):
        GreedyPlayer(1, "red").choose(game)
    assert game.hash() == before


def test_priors_follow_overlay(tmp_path: Path) -> None:
    """Priors follow renamed actions and renamed addresses of choices, and a patch changes a weight."""
    fair(tmp_path)
    overlay = tmp_path / "merry.yaml"
    overlay.write_text(
        "overlay: {id: merry, for: fair}\n"
        "patches:\n"
        "  - {at: procedures/day, rename: feast}\n"
        "  - {at: actions/visit, rename: look_at}\n"
        "  - {at: priors/look_at, expect: 4, set: 9}\n",
        encoding="utf-8",
    )
    program = load_ruleset(tmp_path, [overlay]).program
    names = ["look_at", "flee", "look_at.stall", "feast.stall", "feast.paid", "feast.way.road", "feast.sing"]
    assert list(program.priors) == names
    assert {each.path for each in program.priors.values()} == {f"priors/{each}" for each in names}
    found = first_day_weights(load_ruleset(tmp_path, [overlay]))
    assert found["feast.walk"]["look at"] == 9


HIDDEN = """\
ruleset: {id: shells, title: Shells, version: "1.0", engine: ">=0.1 <1"}
kinds:
  player: {is: seat, members: [red, blue], has: {points: "int = 0"}}
  shell: {is: space}
  bead: {is: piece, in: shell, has: {worth: "int = 0"}}
individuals: {shell: {left: {}, middle: {}, right: {}}}
pieces:
  bead:
    grid: |
      id    | at     worth
      glass | GLASS   0
      stone | STONE 0
      pearl | PEARL  9
views: {beads: {of: bead, when: "bead.at != none", seen_by: "{blue}", others_see: []}}
procedures:
  guess:
    do: |
      let shell = red chooses one of shells "Under which?"
      set red.points = sum(shell.beads each .worth)
sequence: {round: {do: guess()}}
priors: {guess.shell: {takes: {player: player, shell: shell}, is: sum(shell.beads each .worth)}}
"""


def test_priors_reveal_nothing_hidden(tmp_path: Path) -> None:
    """A prior that reads hidden pieces reads sampled ones: the choice is the same wherever the pearl is."""
    rulesets = []
    for places in (("left", "middle", "right"), ("right", "left", "middle"), ("middle", "right", "left")):
        text = HIDDEN
        for bead, place in zip(("GLASS", "STONE", "PEARL"), places, strict=True):
            text = text.replace(bead, place)
        folder = tmp_path / places[2]
        folder.mkdir()
        (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
        rulesets.append(load_ruleset(folder))
    chosen = [{GreedyPlayer(seed, "red").choose(Game(each, 1)) for each in rulesets} for seed in range(10)]
    assert all(len(each) == 1 for each in chosen)
    assert len(set.union(*chosen)) > 1


def test_priors_of_campaign_are_valid() -> None:
    """The priors of the campaign give every decision an option of a weight above 0."""
    game = Game(load(CAMPAIGN), 3)
    weighed(game, lambda _, weights: len(weights) // 2, 200)
    assert game.history
