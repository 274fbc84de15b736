"""Orders at the terminal: a campaign's marches in few answers."""

from __future__ import annotations

from contextlib import suppress

from interpreter.console.board import place_text
from interpreter.console.human import HumanPlayer
from interpreter.console.option_labels import option_groups
from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER
from interpreter.players.orders.order_plan import declining
from interpreter.players.player import PlayerLeft
from interpreter.rules.loading.load import load_scenario


class Typist:
    """A terminal that types prepared lines and counts them."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.typed = 0
        self.said: list[str] = []

    def ask(self, prompt: str, words: object) -> str | None:
        """Returns the next line; none at the end."""
        self.said.append(prompt)
        if not self._lines:
            return None
        self.typed += 1
        return self._lines.pop(0)

    def say(self, text: object, style: str | None = None) -> None:
        """Records a text."""
        self.said.append(str(text))

    @property
    def text(self) -> str:
        """All recorded text."""
        return "\n".join(map(str, self.said))


def austrian(decision: Decision) -> int:
    """Haddick tries to intercept; nobody else does anything that he need not do."""
    haddick = decision.address == "interception.order" and "force of Haddick" in decision.labels
    passive = declining(decision)
    return 0 if haddick or passive is None else passive


def marengo(*lines: str) -> tuple[Game, Typist]:
    """Marengo after these lines of the French player, who drew the first marker; Austria stays passive."""
    game = Game(load_scenario("nations_in_arms/marengo_1800"), seed=3, trace=True)
    game.choose("empire_land_1")
    typist = Typist(*lines)
    player = HumanPlayer("french", typist, lambda _game, _path: "")
    with suppress(PlayerLeft):  # at the end of the lines
        while game.decision is not None:
            is_own = game.decision.seat == "french"
            game.choose_index(player.choose(game) if is_own else austrian(game.decision))
    return game, typist


def test_march_of_moreau_and_its_battle_take_four_lines() -> None:
    """Moreau with Lecourbe as his guard meets Kray and beats him; the lines give more than 20 answers."""
    game, typist = marengo("Moreau; Lecourbe; march Kray", "yes; march Kray", "all; Gouvion; French I Infantry", "1 2")
    assert typist.typed == 4
    decided = [each for each in game.history if each[0] == ANSWER and each[3] == "french"]
    assert len(decided) > 20
    outcome = [each.text for each in game.log]
    assert "Battle at h3527 near Ulm: force of Moreau against force of Kray" in outcome
    assert "force of Moreau has won the battle" in outcome
    assert "MP in all: 4" in typist.text
    assert "Austria may stop it after h3528 near Zurich (tries to intercept with …)" in typist.text


def test_bonaparte_crosses_the_st_bernard_in_two_lines() -> None:
    """Haddick's interception fails and changes nothing: the order goes on to Aosta."""
    game, typist = marengo("Bonaparte", "march Aosta")
    assert typist.typed == 2
    assert "The order ends" not in typist.text
    assert "force of Bonaparte marches to Great St. Bernard, Aosta (h3231) for 2 MP" in [each.text for each in game.log]


def test_labels_say_what_markers_take_and_where_a_leader_is() -> None:
    """A land marker names the initiative that it takes, and the board the place and the capacity of a leader."""
    game = Game(load_scenario("nations_in_arms/marengo_1800"), seed=3)
    labels = [str(each) for each in option_groups(game)]
    assert "empire land 3: for leaders with initiative 3 or more" in labels
    assert "empire naval 1" in labels
    shown = place_text(game, "Moreau", "french")
    assert shown.startswith("Moreau: rank 3, initiative 3, combat 2, commands up to 16 steps")
    assert "in Basel (h3328)" in shown
