"""Views: what a seat sees, and what stays hidden."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from card_game import CARDS, CODE, card_image
from tiny_game import TINY, unit

from interpreter.language.diagnostics import UsageError
from interpreter.language.model.image import ViewImage
from interpreter.play.game import Game
from interpreter.play.views.view import view
from interpreter.play.views.visible_log import visible_log
from interpreter.rules.loading.load import load_ruleset


def cards(seed=1, choices=()):
    game = Game(CARDS, seed)
    for each in choices:
        game.choose_index(each)
    return game


def named(things, name):
    return next(each for each in things if each.get("id") == name)


def in_hand(game, seat):
    return [each.id for each in game.core.find("pile", f"{seat}_hand").c_card]


def test_view_is_plain_data():
    """A view is JSON data that reads back equal, with every part of the state."""
    seen = view(cards(), "red")
    assert json.loads(json.dumps(seen)) == seen
    assert set(seen) == {
        "seat", "step", "result", "decision", "state", "seats", "spaces", "things", "links", "removed"
    }  # fmt: skip
    assert (seen["step"], seen["seat"], seen["result"]) == ("game/turn/play", "red", None)
    assert [each["id"] for each in seen["spaces"]] == ["hill", "dale"]
    assert seen["links"][0]["attributes"] == {"muddy": True}


def test_without_views_nothing_is_hidden():
    """A ruleset without views shows everything to everybody."""
    game = Game(TINY, 3)
    seen, other = view(game, "red"), view(game, None)
    assert seen["spaces"] == other["spaces"]
    assert named(named(seen["spaces"], "north")["contents"], "red_1")["attributes"] == {
        "owner": "player/red",
        "strength": 2,
    }


def test_hand_is_visible_to_owner_only():
    """The owner sees the cards, others their number; nobody sees the cards of the deck."""
    game = cards()
    mine, theirs, onlooker = view(game, "red"), view(game, "blue"), view(game, None)
    own = named(mine["things"], "red_hand")
    assert [each["id"] for each in own["contents"]] == in_hand(game, "red")
    for seen in (theirs, onlooker):
        hand = named(seen["things"], "red_hand")
        assert (hand["count"], hand.get("contents"), hand["attributes"]) == (2, None, {})
    deck = named(mine["things"], "deck")
    assert (deck["count"], deck.get("contents")) == (12, None)


def test_references_to_hidden_pieces_are_hidden():
    """A state value that refers to a hidden card shows only that there is one."""
    game = cards()
    drawn = [f"card/{each}" for each in in_hand(game, "red")]
    assert view(game, "red")["state"] == {"last": drawn[1], "taken": drawn}
    assert view(game, "blue")["state"] == {"last": {"hidden": "card"}, "taken": [{"hidden": "card"}] * 2}


def test_hidden_pieces_are_last_in_collections():
    """The position of a hidden card in a list does not reveal when it was added."""
    seen = [view(cards(choices=(played, 1)), "blue")["state"]["taken"] for played in (0, 1)]
    for played, taken in enumerate(seen):
        discarded = cards(choices=(played, 1)).core.find("pile", "discard").c_card[0]
        assert taken[0] == f"card/{discarded.id}"
        assert taken[3] == {"hidden": "card"}


def swapped_deals():
    """Two games that differ only in which card red holds and which is in the deck."""
    game, other = cards(), cards()
    core = other.core
    held, left = core.find("pile", "red_hand").c_card[0], core.find("pile", "deck").c_card[0]
    hand, deck = held.at, left.at
    core.world.place(held, deck)
    core.world.place(left, hand)
    return game, other


def test_view_hash_covers_only_visible_state():
    """Games that differ in what is hidden from a seat have one view hash for it, but not for the seat that knows."""
    game, other = swapped_deals()
    for seat, same in (("blue", True), (None, True), ("red", False)):
        assert (game.view_hash(seat) == other.view_hash(seat)) is same
    assert game.hash() != other.hash()
    before = game.view_hash("blue")
    game.choose_index(0)
    assert game.view_hash("blue") != before


def test_hidden_piece_shows_visible_attributes():
    """A masked piece shows only what others may see, without its name, after the known pieces."""
    contents = named(view(cards(), "red")["spaces"], "hill")["contents"]
    assert [each.get("id") for each in contents] == ["red_guard_2", "red_guard_1", None, None]
    assert contents[2] == contents[3] == {"kind": "unit", "hidden": True, "attributes": {"owner": "player/blue"}}


def test_order_of_hidden_pieces_reveals_nothing():
    """Two games that differ only in the identity of hidden pieces have equal views."""
    swapped = list(CARDS.individuals)
    one, two = (n for n, each in enumerate(swapped) if each.id.startswith("blue_guard"))
    swapped[one], swapped[two] = swapped[two], swapped[one]
    game, other = cards(), Game(card_image(individuals=tuple(swapped)), 1)
    assert view(game, "red")["spaces"] == view(other, "red")["spaces"]


def test_view_never_has_hidden_ids():
    """At no time does a view have the id of a card that its seat cannot see."""
    for seed in range(6):
        game = Game(CARDS, seed)
        while game.decision is not None:
            game.choose_index(seed % len(game.decision.options))
            for seat in ("red", "blue", None):
                text = json.dumps(view(game, seat))
                hidden = [each.id for each in game.core.find("pile", "deck").c_card]
                hidden += [name for owner in ("red", "blue") if owner != seat for name in in_hand(game, owner)]
                assert not [name for name in hidden if name in text]


def test_options_are_visible_to_deciding_seat():
    """Everybody knows which seat decides; only that seat sees the options."""
    game = cards()
    mine, theirs = view(game, "red")["decision"], view(game, "blue")["decision"]
    assert theirs == {"seat": "red", "address": "play.card", "kind": "one"}
    hand = in_hand(game, "red")
    assert mine["options"] == [{"value": ["card", each], "label": each.replace("_", " ")} for each in hand]


def test_hidden_options_have_no_names():
    """Options that the deciding seat cannot see have no names."""
    code = CODE.replace("mine.c_card, None, None)", "i_pileːdeck.c_card, None, None)")
    options = view(Game(card_image(units=(unit(code),)), 1), "red")["decision"]["options"]
    assert len(options) == 12
    assert {json.dumps(each) for each in options} == {'{"value": null, "label": "hidden card", "hidden": true}'}


def test_revealed_piece_is_visible():
    """A piece revealed to a seat is visible to that seat only."""
    game = cards(choices=(0,))
    assert game.decision.address == "play.scout"
    game.choose(True)
    seen = named(view(game, "red")["spaces"], "hill")["contents"]
    assert named(seen, "blue_guard_2")["attributes"] == {"owner": "player/blue", "strength": 2}
    assert len([each for each in seen if each.get("hidden")]) == 1
    assert len([each for each in named(view(game, None)["spaces"], "hill")["contents"] if each.get("hidden")]) == 4


def test_move_hides_revealed_piece():
    """A revealed piece is hidden again after it moves."""
    game = cards(choices=(0, 0))
    shown = game.core.find("unit", "blue_guard_2")
    assert not view(game, "red")["spaces"][0]["contents"][2].get("hidden")
    game.core.world.place(shown, game.core.find("area", "dale"))
    assert view(game, "red")["spaces"][1]["contents"][0]["hidden"]


def test_masked_thing_can_show_contents():
    """A view with visible contents hides the attributes and no piece."""
    views = (ViewImage("piles", "pile", True, True, ("contents",)),)
    seen = view(Game(card_image(views=views), 1), "blue")
    deck = named(seen["things"], "deck")
    assert len(deck["contents"]) == 12
    assert deck["attributes"] == {}


def test_unknown_seat_is_refused():
    """The error for an unknown seat names the nearest one."""
    with pytest.raises(UsageError, match="no seat 'read'; did you mean 'red'"):
        view(cards(), "read")


# ---------------------------------------------------------------- the log
def texts(game, seat):
    return [each.text for each in visible_log(game, seat)]


def test_visible_log_names_visible_pieces():
    """The seat that draws reads the card, others only that it is a card; all see it played."""
    game = cards(choices=(0, 1))
    played = game.core.find("pile", "discard").c_card[0].id
    kept = in_hand(game, "red")[0]
    assert f"red took {kept}" in texts(game, "red")
    assert "red took hidden_card" in texts(game, "blue")
    assert f"red took {played}" in texts(game, "red")
    assert f"red took {played}" not in texts(game, "blue")
    assert any(played.replace("_", " ") in each and "discard" in each for each in texts(game, "blue"))
    for seat in ("blue", None):
        entries = json.dumps([[each.text, each.data] for each in visible_log(game, seat)])
        assert kept not in entries
        assert kept.replace("_", " ") not in entries


def test_changes_of_hidden_things_are_not_logged():
    """A change of a thing that a seat could not see is no entry of its log."""
    game = cards(choices=(0,))
    assert any("used" in each for each in texts(game, "red"))
    assert not any("used" in each for each in texts(game, "blue"))


def test_visible_log_without_views_equals_log():
    """Without views every seat has the same log."""
    game = Game(TINY, 3)
    game.choose_index(0)
    assert visible_log(game, "red") == game.log


def test_views_and_logs_change_nothing():
    """Reading the log and the view of a seat does not change the game."""
    game = cards(choices=(0, 1))
    before = (game.hash(), game.history)
    view(game, "red")
    visible_log(game, "red")
    assert (game.hash(), game.history) == before


def test_visible_computed_attribute_is_shown():
    """A view can make a computed attribute visible to others."""
    code = CODE + "\ndef d_unitːweak(x): return x.a_strength < 2\n"
    views = (ViewImage("fog", "unit", False, True, ("weak",)),)
    game = Game(replace(CARDS, views=views, units=(unit(code), unit(code, "traced"))), 1)
    hidden = [each for each in named(view(game, "red")["spaces"], "hill")["contents"] if each.get("hidden")]
    assert [each["attributes"] for each in hidden] == [{"weak": False}, {"weak": True}]


LETTERS = """
ruleset: {id: letters, title: Letters, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  place: {is: space}
  scout: {is: piece, in: place, has: {owner: side}}
  letter: {is: thing, has: {says: text}}
individuals:
  place: [wood]
  letter: {order: {says: "scout_1 waits for scout_2"}}
views:
  scouts: {of: scout, seen_by: scout.owner, others_see: []}
sequence:
  game:
    repeat: 3
    steps:
      turn:
        do: |
          let goes = red agrees to send "Is a scout sent?"
          if goes:
            let sent = new scout(owner: red, at: wood)
"""


def test_text_that_was_open_is_hidden_once_it_names_a_hidden_piece(tmp_path):
    """A text that everybody may see is kept; when a hidden piece gets a name in it, it is made anew for each seat."""
    (tmp_path / "ruleset.yaml").write_text(LETTERS)
    game = Game(load_ruleset(tmp_path), seed=1)
    said = {"red": [], "blue": []}
    for _ in range(3):
        for seat, texts_of_seat in said.items():
            texts_of_seat.append(named(view(game, seat)["things"], "order")["attributes"]["says"])
        game.choose(True)
    assert said["red"] == ["scout_1 waits for scout_2"] * 3
    assert said["blue"] == [
        "scout_1 waits for scout_2",
        "hidden_scout waits for scout_2",
        "hidden_scout waits for hidden_scout",
    ]
    game.undo("red")
    game.undo("red")
    assert named(view(game, "blue")["things"], "order")["attributes"]["says"] == said["blue"][1]


WEIGHED = """
ruleset: {id: weighed, title: Weighed, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  place: {is: space}
  wagon: {is: piece, in: place, has: {owner: side, load: "int = 1"}}
individuals: {place: [road]}
pieces: {wagon: [{id: cart, at: road, owner: blue}]}
tables: {tons: {keys: {load: int}, gives: int, grid: "load | 1 2\\ntons | 3 5"}}
modifiers: {bulk: {takes: {wagon: wagon}, each: [{id: goods, value: "tons[wagon.load]"}]}}
definitions: {wagon.weight: {is: bulk(wagon)}}
views: {wagons: {of: wagon, when: bulk(wagon) > 2, seen_by: wagon.owner, others_see: [weight]}}
victory: {heavy: {says: "{value}", value: sum(wagons each .weight)}}
sequence: {game: {repeat: 3, each: side in sides, do: "let number = side chooses from 1 to 3"}}
"""


def test_what_a_look_reads_is_no_event_of_the_game(tmp_path):
    """Who looks at a traced game changes neither its events nor what explains an entry of its log."""
    (tmp_path / "ruleset.yaml").write_text(WEIGHED)
    looked, plain = (Game(load_ruleset(tmp_path), trace=True) for _ in range(2))
    [wagon] = view(looked, "red")["spaces"][0]["contents"]
    assert wagon["attributes"] == {"weight": 3}
    looked.standing("blue")
    for game in (looked, plain):
        game.choose_index(0)
    assert [each[:2] for each in looked.events] == [each[:2] for each in plain.events]
    assert looked.explain(1) == plain.explain(1)
