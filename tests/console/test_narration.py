"""The narration of a running game."""

from __future__ import annotations

from pathlib import Path

from interpreter.console.narration import Narrator, fold_entries, log_lines, seat_log
from interpreter.console.prompt_commands import PromptCommands
from interpreter.play.game import Game
from interpreter.play.log.log import LogEntry
from interpreter.play.wording.message import Formatted, Message
from interpreter.play.wording.messages import MOVES, REMOVED
from interpreter.rules.loading.load import load_ruleset

BIDS = """\
ruleset: {id: bids, title: Bids, version: "1"}
kinds: {side: {is: seat, members: [red, blue], has: {bid: "int = 0"}}}
sequence:
  game:
    repeat: 2
    do: |
      log "the bidding begins"
      together:
        let first = red chooses from 1 to 9 "How much?"
        set red.bid = first
        let second = blue chooses from 1 to 9 "How much?"
        set blue.bid = second
      log "the bidding is over"
"""


def test_simultaneous_decisions_are_shown_together(tmp_path: Path) -> None:
    """Narration, log and 'why' hide a bid until both seats have bid, also in a game without views."""
    (tmp_path / "ruleset.yaml").write_text(BIDS, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    narrator = Narrator(game)
    game.choose(7)
    assert [each.text for each in narrator.news(game, "blue")][1:] == ["the bidding begins"]
    assert not any("7" in each.text for each in seat_log(game, "blue"))
    said: list[str] = []
    PromptCommands(game, "blue", said.append).run("log", "")
    assert "the bidding begins" in said[-1]
    game.choose(3)
    shown = [each.text for each in narrator.news(game, "blue")]
    assert "red: first: 7" in shown
    assert "blue: second: 3" in shown
    assert "the bidding is over" in shown
    game.choose(5)
    game.undo("red")
    assert [each.text for each in seat_log(game, "blue")][-1] == "the bidding begins"


def test_record_changes_can_be_hidden(tmp_path: Path) -> None:
    """`log_hides` hides an attribute of a record kind, and not the same attribute of another kind."""
    text = BIDS.replace("sequence:", 'state: {last: "sale?"}\nsequence:').replace(
        "kinds: {", 'kinds: {sale: {is: record, has: {price: "int = 0", lot: "int = 0"}}, '
    )
    text = text.replace(
        'log "the bidding is over"',
        "let deal = new sale()\n      set deal.price = 4\n      set deal.lot = 5\n      set last = deal",
    )
    (tmp_path / "ruleset.yaml").write_text(text + "presentation: {log_hides: [sale.price]}\n", encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    narrator = Narrator(game)
    game.choose(7)
    game.choose(3)
    shown = "\n".join([each.text for each in narrator.news(game)])
    assert "lot" in shown
    assert "price 0" not in shown
    assert any("price 0" in each.text for each in game.log)


def moved(number: int, message: Message, **values: str) -> LogEntry:
    """Returns the log entry of a move."""
    shown = Formatted(message, "en", {"count": 1, **values})
    return LogEntry(number, "step", "move", None, str(shown), (), {"from": number, "to": -number}, shown)


def test_equal_moves_are_merged() -> None:
    """Equal moves are one line; a move between two stacks of the same name is left out; a removal is shown."""
    entries = [
        moved(1, MOVES, what="unit 1", old="host", new="host"),
        moved(2, MOVES, what="unit 1", old="host", new="field"),
        moved(3, MOVES, what="unit 2", old="host", new="field"),
        moved(4, REMOVED, what="host"),
    ]
    assert [each.text for each in fold_entries(entries)] == [
        "unit 1, unit 2 move from host to field",
        "host is removed",
    ]


DRAWS = """\
ruleset: {id: draws, title: Draws, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  pile: {is: space, plural: piles}
  card: {is: piece, plural: cards, in: pile}
individuals: {pile: [deck, hand, table]}
pieces: {card: [{id: plain, count: 3, at: deck}]}
views: {cards: {of: card, when: card.at != table, others_see: []}}
sequence:
  game:
    do: |
      repeat 2 times:
        let drawn = draw one from deck
        move drawn to hand
        reveal drawn to red
      let other = draw one from deck
      let over = red agrees to finish "Is it over?"
"""


def test_draw_that_a_move_tells_is_one_line(tmp_path: Path) -> None:
    """What is drawn and taken is reported by the move alone; a draw without a move keeps its line; the log has all."""
    (tmp_path / "ruleset.yaml").write_text(DRAWS, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True, seed=1)
    assert [each.text.partition(" (")[0] for each in Narrator(game).news(game, "blue")][1:] == [
        "hidden card",
        "at random: hidden card",
    ]
    assert [each.kind for each in game.log][1:] == ["random", "move", "reveal", "random", "move", "reveal", "random"]


POSTS = """\
ruleset: {id: posts, title: Posts, version: "1"}
kinds:
  side: {is: seat, members: [red, blue]}
  post: {is: thing, has: {manned: "bool = false"}}
individuals: {post: [north, east, south]}
sequence:
  game:
    do: |
      for each watch in posts:
        let manned = red chooses one or none of posts "Which post is manned?"
      let armed = red chooses any of posts "Which posts are armed?"
"""


def test_every_none_of_a_loop_is_shown(tmp_path: Path) -> None:
    """In one line with other answers, 'none' is kept, but for the one that ends the picks of a decision."""
    (tmp_path / "ruleset.yaml").write_text(POSTS, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    for answer in ("north", None, None, "east", None):
        assert game.decision is not None
        game.choose(answer)
    lines = [each.text for each in Narrator(game).news(game, None)]
    assert lines == ["Game", "red: manned: north, none (×2)", "red: armed: east"]


HARBOURS = """\
ruleset: {id: harbours, title: Harbours, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  port: {is: space}
individuals: {port: [north, east]}
sequence:
  game:
    do: |
      for each port in ports:
        let goal = red chooses one or none of ports "Where to?"
presentation: {declines: {game.goal: stay at sea}}
"""


def test_an_answer_that_says_it_all_stands_alone(tmp_path: Path) -> None:
    """To stay at sea is not merged with the port that is chosen for others."""
    (tmp_path / "ruleset.yaml").write_text(HARBOURS, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    for answer in (None, "east"):
        game.choose(answer)
    lines = [each.text for each in Narrator(game).news(game, None)]
    assert lines == ["Game", "red: stay at sea", "red: goal: east"]


ARMS = """\
ruleset: {id: arms, title: Arms, version: "1"}
kinds:
  arm: {is: enum, members: [foot, horse]}
  symbol: {is: enum, members: [foot, horse, sword]}
  side: {is: seat, members: [red]}
dice: {battle: {of: symbol, faces: [foot, foot, foot, foot, foot, foot]}}
tables:
  hits:
    keys: {arm: arm}
    gives: symbol
    grid: |
      arm    | foot horse
      symbol | foot sword
sequence:
  game:
    do: |
      let shots = red rolls 2 dice of battle "shots"
      log "{count(shots where it = hits[foot])} and {count(shots where it = hits[horse])}"
"""


def test_a_look_up_that_gives_its_own_heading_is_not_shown(tmp_path: Path) -> None:
    """That foot is hit by foot needs no line; that horse is hit by swords does."""
    (tmp_path / "ruleset.yaml").write_text(ARMS, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    lines = [each.text for each in Narrator(game).news(game, None)]
    assert [each for each in lines if "hits" in each] == ["hits, arm horse: sword"]


def test_verbs_agree_with_what_is_shown() -> None:
    """One name with a number in brackets takes the verb of one."""
    entries = [moved(number, MOVES, what="hidden card", old="deck", new="hand") for number in (1, 2, 3)]
    assert [each.text for each in fold_entries(entries)] == ["hidden card (×3) moves from deck to hand"]


def test_hidden_moves_in_a_row_are_one_line_of_the_log() -> None:
    """Moves that read the same are one line with the numbers of them all; another name begins a line of its own."""
    names = ["hidden card"] * 2 + ["Forced March"]
    entries = [moved(number, MOVES, what=name, old="deck", new="hand") for number, name in enumerate(names, 1)]
    lines = [each.split("  [")[0].strip() for each in log_lines(entries)]
    assert lines == ["1–2  hidden card (×2) moves from deck to hand", "3  Forced March moves from deck to hand"]


MARCHES = """\
ruleset: {id: marches, title: Marches, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  field: {is: space}
  unit: {is: piece, in: field, has: {steps: "int = 3"}}
individuals: {field: [north]}
pieces: {unit: [{id: guard, at: north}, {id: militia, at: north}]}
sequence:
  game:
    do: |
      for each unit in units:
        log "{unit} goes on with steps {unit.steps - 1}"
        set unit.steps = 2
      for each unit in units:
        log "{unit} goes on"
        set unit.steps = 1
"""


def test_a_change_that_a_line_tells_is_not_repeated(tmp_path: Path) -> None:
    """A line that names thing, attribute and value replaces the change beside it."""
    (tmp_path / "ruleset.yaml").write_text(MARCHES, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    lines = [each.text for each in Narrator(game).news(game, None)]
    assert lines == [
        "Game",
        "guard goes on with steps 2",
        "militia goes on with steps 2",
        "guard goes on",
        "guard: steps 2 → 1",
        "militia goes on",
        "militia: steps 2 → 1",
    ]
