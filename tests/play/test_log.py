"""The log, explanations, and reasons why not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tiny_game import CORPS, FIGHT, TINY, leaf_image, played, step, without

from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.play.views.visible_log import visible_log
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.workshop.scaffold import make_ruleset

TESTS = Path(__file__).resolve().parents[1]


def fought(**rest: object) -> Game:
    """Returns a game after a battle of red_1 and blue_1."""
    return played(Game(GameSource(TINY, wording=CORPS), 1, **rest), FIGHT[:6])  # type: ignore[arg-type]


def test_log_entries_have_text_and_citations() -> None:
    """Answers, moves and rolls are logged with presentation names and citations."""
    entries = {each.kind: each for each in reversed(fought().log)}
    assert entries["answer"].text == "red: unit: Red Guards"
    assert (entries["answer"].seat, entries["answer"].cites) == ("red", ("1.1",))
    assert entries["roll"].text.startswith("blue rolls ")
    assert entries["roll"].cites == ("2.1",)
    assert entries["roll"].data["label"] == "attack"
    assert sum(entries["roll"].data["faces"]) == entries["roll"].data["total"]
    assert entries["step"].text == "March (red)"
    assert entries["set"].text == "Red Guards: at north → hill"


def test_shuffle_is_logged_for_all_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shuffle is an entry with its pile and clause, also for a seat that sees no card of the pile."""
    monkeypatch.setenv("BICORNE_PATH", str(TESTS))
    game = Game(load_scenario("three_suits/standard"), 1)
    shuffled = [each for each in game.log if each.kind == "shuffle"]
    assert [(each.text, each.cites) for each in shuffled] == [("deck is shuffled", ("deal.1",))]
    for seat in game.seats:
        assert [each for each in visible_log(game, seat) if each.kind == "shuffle"] == shuffled


def test_untraced_log_equals_traced_log() -> None:
    """The log of an untraced game is built by replaying the inputs with the traced code."""
    assert fought().log == fought(trace=True).log


def test_rewind_removes_log_entries() -> None:
    """Entries after the mark are removed by a rewind."""
    game = fought(trace=True)
    before = list(game.log)
    mark = game.mark()
    one = list(played(game, [0]).log)
    game.rewind(mark)
    assert game.log == before
    assert played(game, [1]).log not in (one, before)


def test_explanation_has_modifiers_table_and_dice() -> None:
    """A roll is explained by the look-ups and sums of its rule before it, each with its clause."""
    game = fought()
    number = next(each.number for each in game.log if each.kind == "roll")
    explanation = game.explain(number)
    assert explanation.rule == "battle (hill)"
    assert [each.kind for each in explanation.lines] == ["modifiers", "table", "roll"]
    assert explanation.lines[0].text == "attack bonus: +1 (uphill +1 [2.3.a])"
    assert explanation.lines[1].text == "odds, foes 1: 7"
    assert explanation.lines[1].cites == ("2.4",)
    with pytest.raises(UsageError, match="there is no entry 9999: the log has the entries 1 to"):
        game.explain(9999)


def test_table_entry_shows_heading_of_key() -> None:
    """A key within a range is shown under the heading of the range."""
    code = '\ndef s_look(): \n    roll_sum(S2, i_playerːred, 1, 6)\n    T("table", 9, ((5,), 7))\n'
    game = Game(leaf_image(code, step("look", flags="do", scope=())))
    assert "odds, foes 2 or more: 7" in [each.text for each in game.log]


@pytest.mark.parametrize(("value", "text"), [("25/2", "12.5"), ("-1/4", "-0.25"), ("2/3", "2/3"), ("3", "3")])
def test_exact_decimals_are_written_with_point(value: str, text: str) -> None:
    """A half is a decimal number; a third stays a fraction."""
    assert CORPS.of(Fraction(value)) == text


def test_log_without_traced_code_is_refused() -> None:
    """An image without its traced variant has no log."""
    with pytest.raises(UsageError, match="without its variant 'traced'"):
        _ = Game(without("traced")).log


def test_listing_options_is_not_logged() -> None:
    """Look-ups for listing options make no entries, but their sites count as evaluated."""
    code = """
def options():
    T("table", 9, ((1,), 7))
    return (1, 2)
def s_ask(): yield (S0, i_playerːred, options, None, None)
"""
    game = Game(leaf_image(code, step("ask", flags="do asks", scope=())), trace=True)
    assert [kind for kind, _, _ in game.events] == ["step"]
    assert game.evaluated_sites == {9}


def test_span_is_explained_as_a_whole(tmp_path: Path) -> None:
    """A span of a procedure with outcomes has one explanation, for every entry in it."""
    make_ruleset("race", tmp_path)
    game = Game(load_scenario(tmp_path / "race" / "scenarios" / "standard.yaml"), seed=1)
    for answer in ("rest", "run"):
        game.choose(answer)
    rolled = next(each for each in game.log if each.kind == "roll")
    found, later = game.explain(rolled.number), game.explain(rolled.number + 2)
    assert found.is_span
    assert found.lines == later.lines
    assert found.lines[found.after - 1].text == rolled.text
    assert {"modifiers", "table", "move"} <= {each.kind for each in found.lines[found.after :]}


def test_answer_about_a_piece_says_which(tmp_path: Path) -> None:
    """An answer to a question that names a piece, such as one of a loop, is logged with the piece."""
    rules = """
ruleset: {id: sail, title: Sail, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  port: {is: space}
  ship: {is: piece, in: port, has: {goal: "port?"}}
individuals: {port: {east: {}, west: {}}}
pieces: {ship: [{id: gull, at: east}, {id: tern, at: west}]}
sequence:
  game:
    do: |
      for each ship in ships: set ship.goal = red chooses one of ports "Where does {ship} sail?"
"""
    (tmp_path / "ruleset.yaml").write_text(rules, "utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    game.choose("west")
    game.choose("east")
    answers = [each.text for each in game.log if each.kind == "answer"]
    assert [("gull" in each, "tern" in each) for each in answers] == [(True, False), (False, True)], answers


def test_a_call_names_its_arguments_without_bare_values(tmp_path: Path) -> None:
    """A call is shown with the things that it is about; none, yes, no and numbers say nothing without their names."""
    rules = """
ruleset: {id: storm, title: Storm, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  port: {is: space}
individuals: {port: {east: {}}}
procedures:
  suffer:
    takes: {port: port, guest: "port?", losses: int, twice: bool}
    do: |
      let storm = red rolls 1d6 "storm"
sequence: {game: {do: "suffer(east, none, 2, false)"}}
"""
    (tmp_path / "ruleset.yaml").write_text(rules, "utf-8")
    game = Game(load_ruleset(tmp_path), trace=True)
    rolled = next(each for each in game.log if each.kind == "roll")
    assert game.explain(rolled.number).rule == "suffer (east)"


POOLS = """
ruleset: {id: pools, title: Pools, version: "1"}
kinds:
  side: {is: seat, members: [red, blue], has: {men: int, guns: "int = 0"}}
individuals: {side: {red: {men: 2, guns: 1}, blue: {men: 3}}}
modifiers:
  dice_of:
    takes: {side: side}
    each:
      - {id: men, value: side.men}
      - {id: guns, value: side.guns}
procedures:
  fight:
    do: |
      let answers = dice_of(blue)
      let thrown = red rolls dice_of(red) dice of d6 "attack"
      let lost = blue chooses from 0 to 2 "How many are lost?"
      let answered = blue rolls answers dice of d6 "defence"
sequence: {game: {repeat: 2, steps: {battle: {do: fight()}}}}
"""


def test_sums_that_give_the_number_of_dice_stand_after_their_rolls(tmp_path: Path) -> None:
    """Each pool stands with its own roll, though both are of as many dice, and what comes later changes no line."""
    (tmp_path / "pools").mkdir()
    (tmp_path / "pools" / "ruleset.yaml").write_text(POOLS, "utf-8")
    game = Game(load_ruleset(tmp_path / "pools"), trace=True)
    known: list[str] = []
    while game.decision is not None:
        lines = [each.text for each in game.log]
        assert lines[: len(known)] == known
        known = lines
        game.choose(1)
    lines = [each.text for each in game.log]
    assert lines[: len(known)] == known
    red, blue = "dice: +3 (men +2, guns +1)", "dice: +3 (men +3)"
    after = [(each.partition(" rolls")[0], lines[at + 1]) for at, each in enumerate(lines) if " rolls " in each]
    assert after == [("red", red), ("blue", blue)] * 2
    assert lines.count(red) == lines.count(blue) == 2


@pytest.mark.parametrize(("language", "expected"), [("en", "dice of Amber: +1"), ("ja", "Amberのdice：+1")])
def test_list_named_after_whose_it_is_has_one_of(tmp_path: Path, language: str, expected: str) -> None:
    """A list whose name ends in 'of' and whose sum is somebody's is called so with a single 'of'."""
    (tmp_path / "ruleset.yaml").write_text(
        """\
ruleset: {id: pools, title: Pools, version: "1"}
kinds: {side: {is: seat, members: [amber, blue]}}
modifiers: {dice_of: {takes: {side: side}, whose: side, each: [{id: men, value: 1}]}}
procedures: {fight: {do: let thrown = amber rolls dice_of(amber) dice of d6 "attack"}}
sequence: {battle: {do: fight()}}
presentation: {names: {side: {amber: Amber}}}
""",
        "utf-8",
    )
    game = Game(load_ruleset(tmp_path), trace=True, language=language)
    assert [each.text.partition("（")[0].partition(" (")[0] for each in game.log if each.kind == "modifiers"] == [
        expected
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_line_of_a_condition_that_does_not_hold_is_no_entry(tmp_path: Path, language: str) -> None:
    """A line whose whole text is conditional is in no log and no explanation where the condition does not hold."""
    (tmp_path / "ruleset.yaml").write_text(
        """\
ruleset: {id: quiet, title: Quiet, version: "1"}
kinds: {side: {is: seat, members: [red]}}
state: {points: int = 0}
definitions:
  news: {takes: {more: bool}, gives: text, is: '"red goes on" if more else ""'}
procedures:
  turn:
    do: |
      let more = red agrees to go_on "Go on?"
      log "{news(more)}"
      log "{news(more)} {news(more)}"
      set points = points + 1
sequence:
  game:
    steps:
      say: {do: 'log "{news(points > 0)}"'}
      first: {do: turn()}
      second: {do: turn()}
"""
    )
    game = Game(load_ruleset(tmp_path), 1, language=language)
    game.choose(False)
    game.choose(True)
    assert [each.text for each in game.log if each.kind == "log"] == ["red goes on", "red goes on red goes on"]
    assert all(each.text.strip() for each in game.log)
    assert [each.number for each in game.log] == [*range(1, len(game.log) + 1)]
    for entry in game.log:
        assert all(each.text.strip() for each in game.explain(entry.number).lines)


VOLLEYS = """
ruleset: {id: volleys, title: Volleys, version: "1"}
kinds:
  ground: {is: enum, members: [open, wood]}
  side: {is: seat, members: [red, blue], has: {men: int, ground: ground}}
individuals: {side: {red: {men: 3, ground: open}, blue: {men: 4, ground: wood}}}
tables:
  cover:
    keys: {ground: ground}
    gives: int
    grid: |
      ground | open wood
      dice   | 0    -1
  wounds:
    keys: {dice: int}
    gives: int
    grid: |
      dice   | 0 1 2 3 4
      wounds | 0 0 0 0 0
modifiers:
  steadiness: {takes: {side: side}, each: [{id: men, value: side.men}]}
  strength:
    takes: {side: side, foe: side}
    each:
      - {id: men, value: side.men}
      - {id: cover, value: "cover[foe.ground]"}
procedures:
  volley:
    takes: {side: side, foe: side, guns: int}
    gives: int
    do: |
      let number = strength(side, foe) + guns
      let shots = side rolls number dice of d6 "volley"
      return wounds[count(shots)]
  alarm:
    do: |
      let omen = red rolls 1 dice of d6 "alarm"
  fight:
    do: |
      let first = volley(red, blue, 0)
      let second = volley(blue, red, 0)
      let third = volley(red, blue, 1)
      alarm()
      let steady = steadiness(blue)
sequence: {game: {steps: {battle: {do: fight()}}}}
"""


def test_look_ups_stand_under_the_roll_to_which_they_belong(tmp_path: Path) -> None:
    """What gives a roll its number of dice is not logged under the one before, nor what follows a roll without result.

    The third volley has a gun besides its sum.
    """
    (tmp_path / "volleys").mkdir()
    (tmp_path / "volleys" / "ruleset.yaml").write_text(VOLLEYS, "utf-8")
    game = Game(load_ruleset(tmp_path / "volleys"), trace=True)
    under: list[list[str]] = []
    for each in game.log:
        if each.kind == "roll":
            under.append([each.data["label"]])
        elif under and each.kind != "result":
            under[-1].append(each.text)
    assert under == [
        ["volley", "strength: +2 (men +3, cover -1)", "wounds, dice 2: 0"],
        ["volley", "strength: +4 (men +4)", "wounds, dice 4: 0"],
        ["volley", "wounds, dice 3: 0"],
        ["alarm"],
    ]


@pytest.mark.parametrize(("language", "said"), [("en", "red rolls 4 (luck)"), ("ja", "redのサイ：4（luck）")])
def test_rolls_are_called_by_the_word_of_the_rulebook(tmp_path: Path, language: str, said: str) -> None:
    """A ruleset words what the log calls a roll, in the languages in which it wants to."""
    text = """\
ruleset: {id: luck, title: Luck, version: "1"}
kinds: {side: {is: seat, members: [red]}}
sequence: {game: {do: let luck = red rolls 1d6 "luck"}}
presentation: {words: {rolls: {ja: サイ}}}
"""
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    game = Game(load_ruleset(tmp_path), seed=3, trace=True, language=language)
    (roll,) = [each for each in game.log if each.kind == "roll"]
    assert roll.text == said.replace("4", str(roll.data["total"]))
