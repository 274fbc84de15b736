"""Windows: who may react to an event under way, in which order, how often, and to what effect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hidden_pairs import exchanged, moments, play_at_random
from random_games import played_at_random

from interpreter import Game, load_ruleset
from interpreter.language.diagnostics import RulesetError
from interpreter.language.model.emitted_names import SLOT, window_depth
from interpreter.play.engine.bulk import Simulation
from interpreter.workshop.examples.run_examples import run_examples

RULES = """
ruleset: {id: duel, title: {en: Duel}, version: "1.0"}
kinds:
  player: {is: seat, members: [red, blue, green], has: {points: "int = 0"}}
  pile: {is: space, has: {owner: "player?"}}
  card:
    is: piece
    in: pile
    has: {worth: int}
    definitions:
      answers: {takes: {card_played: card_played}, gives: bool, is: "false"}
    procedures:
      react: {takes: {card_played: card_played}}
individuals:
  pile: {deck: {}, discards: {}, red_hand: {owner: red}, blue_hand: {owner: blue}, green_hand: {owner: green}}
pieces:
  card:
    - {id: march, count: 12, worth: 2, at: deck}
    - id: veto
      count: 6
      worth: 1
      at: deck
      answers: "true"
      react: "set card_played.cancelled = true"
    - id: tax
      count: 4
      worth: 1
      at: deck
      answers: card_played.points > 0
      react: "set card_played.points -= 1"
    - {id: truce, count: 2, worth: 1, at: deck, answers: "true", react: end turn}
definitions:
  player.hand: {gives: pile, is: first(piles where .owner = player) otherwise deck}
  those_after: {takes: {player: player}, gives: set of player, is: players - player}
windows:
  card_played:
    takes: {player: player, card: card}
    has: {cancelled: "bool = false", points: "int = card.worth"}
    each: {other: player}
    order: those_after(player)
    prompt: "Does {other} answer {card}?"
    until: card_played.cancelled
    nested: 1
actions:
  answer:
    menu: card_played
    pick: {reply: "other.hand.cards where .answers(card_played)"}
    do: |
      move reply to discards
      log "{other} answers {card} by {reply}"
      let counter = card_played(other, reply)
      if not counter.cancelled: reply.react(card_played)
procedures:
  play:
    takes: {player: player}
    do: |
      let card = player chooses one of player.hand.cards "Which card?"
      move card to discards
      log "{player} plays {card}"
      let outcome = card_played(player, card)
      if not outcome.cancelled: set player.points += outcome.points
sequence:
  game:
    steps:
      deal:
        each: player in players
        do: "move (draw 5 from deck) to player.hand"
      rounds:
        repeat: 3
        steps:
          turn:
            each: player in players
            do: |
              if any(player.hand.cards): play(player)
views:
  cards:
    of: card
    when: card.pile = deck or card.pile.owner != none
    seen_by: players where card.pile.owner = it
    others_see: []
"""

Load = Callable[..., Any]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads the game with texts replaced, with more sections, and with overlays given as texts."""

    def read(*changes: tuple[str, str], more: str = "", overlays: tuple[str, ...] = ()) -> Any:
        text = RULES
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "ruleset.yaml").write_text(text + more)
        paths = [tmp_path / f"overlay_{number}.yaml" for number in range(len(overlays))]
        for path, each in zip(paths, overlays, strict=True):
            path.write_text(each)
        return load_ruleset(tmp_path, overlays=paths)

    return read


VETO, TAX = "answer.reply: [veto_1]", "answer.reply: [tax_1, tax_2]"
AGAIN = ("prompt: ", "times: 2\n    prompt: ")
ROUNDS = ("prompt: ", "rounds: 3\n    prompt: ")


@pytest.mark.parametrize(
    ("held", "asked", "reply", "points", "changes"),
    [
        pytest.param({}, "none", "", 2, (), id="nobody can react"),
        pytest.param({"veto_1": "blue"}, "none", "", 2, (), id="nobody does react"),
        pytest.param({"veto_1": "blue"}, "answer", VETO, 0, (), id="the event is cancelled"),
        pytest.param({"tax_1": "green"}, "answer", "answer.reply: [tax_1]", 1, (), id="the event is changed"),
        pytest.param({"veto_1": "blue", "veto_2": "green"}, "answer, none", VETO, 0, (), id="until ends the window"),
        pytest.param({"tax_1": "blue", "tax_2": "blue"}, "answer", "answer.reply: [tax_1]", 1, (), id="one each"),
        pytest.param({"tax_1": "blue", "tax_2": "blue"}, "answer, answer", TAX, 0, (AGAIN,), id="two in a row"),
        pytest.param({"tax_1": "blue", "tax_2": "blue"}, "answer, answer", TAX, 0, (ROUNDS,), id="one in each round"),
        pytest.param(
            {"veto_1": "blue", "veto_2": "red"}, "answer, answer", "answer.reply: [veto_1, veto_2]", 2, (),
            id="a reaction to a reaction",
        ),
        pytest.param(
            {"veto_1": "blue", "veto_2": "red"}, "answer", VETO, 0, (("    nested: 1\n", ""),),
            id="no reaction to a reaction unless allowed",
        ),
        pytest.param(
            {"veto_1": "blue", "veto_2": "red", "veto_3": "green"}, "answer, answer, none",
            "answer.reply: [veto_1, veto_2]", 2, (), id="no reaction to that one",
        ),
        pytest.param(
            {"veto_1": "red"}, "answer", VETO, 0, (("card: card}\n    has", "card: card}\n    seat: red\n    has"),),
            id="another seat answers",
        ),
    ],
)  # fmt: skip
def test_window_asks_in_order(
    load: Load, held: dict[str, str], asked: str, reply: str, points: int, changes: tuple[tuple[str, str], ...]
) -> None:
    """Everybody in the order may react as often as the window says, and reactions change the event or cancel it."""
    if changes and "seat: red" in changes[0][1]:
        held, changes = {"veto_1": "blue"}, ((changes[0][0], changes[0][1].replace("seat: red", "seat: other")),)
    cards = ", ".join([f"{{id: {card}, at: {owner}_hand}}" for card, owner in {"march_1": "red", **held}.items()])
    card = "play.card: [march_1], " if "red" in held.values() else ""
    answers = f"{card}card_played.card_played: [{asked}]" + (f", {reply}" if reply else "")
    if not held:
        answers = ""
    shown = f"""
examples:
  shown:
    board: {{card: [{cards}]}}
    run: play(red)
    decisions: {{{answers}}}
    then: [red.points = {points}]
"""
    [report] = run_examples(load(*changes, more=shown))
    assert report.passed, [str(each) for each in report.failures]


def test_order_is_kept(load: Load) -> None:
    """The seats are asked in the order that the window gives, each once, whether they can react or not."""
    game, asked = Game(load(), 4), []
    game.choose_index(0)
    while game.decision is not None and game.decision.address == "card_played.card_played":
        asked.append((game.decision.seat, game.decision.prompt))
        game.choose_index(len(game.decision.options) - 1)
    first = next(each for each in game.seats if each not in dict(asked))
    assert [seat for seat, _ in asked] == [each for each in game.seats if each != first]
    assert all(f"Does {seat} answer" in prompt for seat, prompt in asked)


def test_hidden_reactions_leave_no_trace(load: Load) -> None:
    """Who could have reacted and did not leaves no trace for the other seats."""
    rules, secret = load(), 0
    for seed in range(3):
        game = play_at_random(rules, seed, 45, "veto")
        deck, sites = game.core.find("pile", "deck"), game.core.image.sites
        for side in game.seats:
            others = [each for each in game.seats if each != side]
            for records in list(exchanged(game, "card", side, deck, "veto"))[:1]:
                pair = (moments(rules, seed, each, others, 6) for each in (list(game.inputs.items), records))
                for one, other in zip(*pair, strict=True):
                    assert one == other
                secret += sum(each[0] == "a" and sites[each[1]].secret for each in records)
    assert secret > 20


def test_open_window_answers_itself(load: Load) -> None:
    """In a window that is not secret, a seat that can do nothing is not asked."""
    game = Game(load(("prompt: ", "secret: false\n    prompt: ")), 4)
    while game.decision is not None:
        assert len(game.decision.options) > 1
        game.choose_index(0)


def test_end_of_step_closes_windows(load: Load) -> None:
    """After a reaction that ended the step, the window opens again as always."""
    game = None
    for seed in range(60):
        game = play_at_random(load() if game is None else game.source.ruleset, seed, 40)
        sites = game.core.image.sites
        if any(each[0] == "a" and "truce" in str(each[2]) and sites[each[1]].kind == "pick" for each in game.history):
            break
    else:
        pytest.fail("no game with such a reaction")
    while game.decision is not None:
        if game.decision.address == "play.card":
            assert getattr(game.core.world.state, SLOT(window_depth("card_played"))) == 0
        game.choose_index(0)


def test_bulk_play_equals_single_games(load: Load) -> None:
    """Bulk play opens windows as a game does."""
    rules = load()
    for seed in range(5):
        assert Simulation(rules).play(seed) == played_at_random(rules, seed)


def test_count_of_open_windows_is_not_shown(load: Load) -> None:
    """The count of how deep a window is open is in no view and no log."""
    game = play_at_random(load(), 3, 40)
    assert game.view("red")["state"] == {}
    assert not [each for each in game.log if each.data.get("attribute") == window_depth("card_played")]


OVERLAY = "overlay: {id: change, for: duel, title: Change}\npatches:\n  - "


def test_overlay_changes_window(load: Load) -> None:
    """Overlays patch windows, and rename what their texts use."""
    changed = load(overlays=(OVERLAY + "{at: windows/card_played/nested, expect: 1, set: 0}",))
    assert changed.hash != load().hash
    renamed = load(overlays=(OVERLAY + "{at: definitions/those_after, rename: later_ones}",))
    assert Simulation(renamed).play(1) == Simulation(load()).play(1)


def test_window_is_not_renamed(load: Load) -> None:
    """To rename a window is refused with what to do in place of it."""
    with pytest.raises(RulesetError, match="can't be renamed") as caught:
        load(overlays=(OVERLAY + "{at: windows/card_played, rename: played_card}",))
    assert "remove the window" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "code", "at"),
    [
        ("order: those_after(player)", "order: those_afer(player)", "unknown-call", "those_afer"),
        ("order: those_after(player)", "order: cards", "wrong-type", "order: cards"),
        ("until: card_played.cancelled", "until: card_played.canceled", "unknown-attribute", ".canceled"),
        ("nested: 1", "nested: red", "wrong-type", ""),
        ("{other: player}", "{other: player, more: card}", "wrong-shape", "each:"),
        ("    menu: card_played", "    menu: card_plaid", "unknown-menu", "card_plaid"),
        ('points: "int = card.worth"', "points: int", "missing-value", "  card_played:"),
        ('points: "int = card.worth"', 'points: "int = card.wort"', "unknown-attribute", ".wort"),
        ('"Does {other} answer {card}?"', '"Does {othr} answer?"', "unknown-name", "othr"),
        ("windows:\n  card_played:", "windows:\n  card:", "duplicate-name", "  card:\n    takes"),
    ],
)
def test_mistake_is_at_its_place(load: Load, old: str, new: str, code: str, at: str) -> None:
    """A mistake in a window is reported where it is written."""
    with pytest.raises(RulesetError) as caught:
        load((old, new))
    text = RULES.replace(old, new)
    found = [each for each in caught.value.diagnostics if each.code == code]
    assert found, [str(each) for each in caught.value.diagnostics]
    if at:
        line = text[: text.rindex(at) if at != "each:" else text.index(at)].count("\n") + 1
        assert line in {each.place.line for each in found}
