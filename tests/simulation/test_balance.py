"""The balance that the file of a scenario reports."""

import shutil
from pathlib import Path

import pytest

from interpreter import load_scenario
from interpreter.rules.documents.discovery import discover
from interpreter.simulation.balance import Balance, balance_of

ROOT = Path(__file__).resolve().parents[2]
FOUND = discover()


def test_shares_have_their_interval() -> None:
    """Each share is that of all games, drawn ones too, with Wilson's interval; the overlay stands beside the player."""
    names = {"red": "Red Army", "blue": "Blue"}
    plain = Balance("greedy", "", {"red": 44, "blue": 5}, 0)
    assert plain.text(names) == "greedy, 49 games: Red Army 90 % (78 to 96 %), Blue 10 % (4 to 22 %)"
    evened = Balance("greedy", "even", {"blue": 5}, 5)
    assert evened.text(names) == "greedy with even, 10 games: Blue 50 % (24 to 76 %), drawn 50 % (24 to 76 %)"
    assert evened.text(names, prefix="--with ").startswith("greedy --with even, 10 games")


def test_the_most_frequent_winner_is_first(tmp_path: Path) -> None:
    """A balance is read in the order of its records, and each record by the games won."""
    path = tmp_path / "odd.yaml"
    shutil.copy(ROOT / "scenarios" / "napoleonic_wars" / "duel_1805.yaml", path)
    text = path.read_text(encoding="utf-8").replace("id: duel_1805", "id: odd")
    before, seats, after = text.partition("\nseats:")
    head, _, _ = before.partition("  balance:")
    records = "\n  balance:\n    - {player: greedy, wins: {french: 1, british: 3}, draws: 2}\n"
    path.write_text(head.rstrip() + records + seats + after, encoding="utf-8")
    [found] = balance_of(load_scenario(str(path)))
    assert found == Balance("greedy", "", {"british": 3, "french": 1}, 2)
    assert list(found.wins) == ["british", "french"]
    assert found.games == 6


@pytest.mark.parametrize("name", sorted(FOUND.scenarios))
def test_a_scenario_that_leans_names_its_remedy(name: str) -> None:
    """Where a side wins more than 65 % of the games, the scenario reports an overlay that lowers this share.

    The overlay is one of the ruleset.
    """
    records = balance_of(load_scenario(name))
    known = {each.name.rpartition("/")[2] for each in FOUND.overlays.values() if each.ruleset == name.partition("/")[0]}
    assert {each.overlay for each in records if each.overlay} <= known
    for plain in (each for each in records if not each.overlay):
        winner, most = next(iter(plain.wins.items()))
        if most > 0.65 * plain.games:
            remedies = [each for each in records if each.overlay and each.player == plain.player]
            assert any(each.wins.get(winner, 0) / each.games < most / plain.games for each in remedies), name
