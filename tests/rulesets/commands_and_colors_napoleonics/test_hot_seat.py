"""Two people play at one terminal, and neither sees the hand of the other."""

from __future__ import annotations

from pathlib import Path

from hot_seat import names_given_away, play_at_terminal

ROLICA = "commands_and_colors_napoleonics/rolica_1"


def test_two_people_at_one_terminal_see_their_own_hands(tmp_path: Path) -> None:
    """No screen of a session at a pseudo-terminal names a card that its seat does not know, and each shows its hand."""
    save = tmp_path / "rolica.save"
    screens = play_at_terminal(ROLICA, save, 5, answers=40)
    assert len(screens) == 41
    assert sum("Which card do you play?" in each for each in screens) > 1
    assert any("hidden card" in each for each in screens)
    assert list(names_given_away(ROLICA, 5, save, screens, "card")) == []
    swapped = [screens[0], *screens]
    assert list(names_given_away(ROLICA, 5, save, swapped, "card")) != []
