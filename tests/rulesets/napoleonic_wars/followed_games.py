"""A procedure of the game, run at random from a random position and then predicted by plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from plain_table import Question, differences, name, snapshot
from plain_turns import Turns
from scattered_positions import RecordedDice, Scattering, rules

from interpreter import Game
from interpreter.play.engine.entry import ReturnValue, start_at_call

ANSWERS = {"card_play", "attrition"}
"""Windows that open outside fights."""
ANSWERED = {"answer.card", "contest.reply", "overruled.counter"}


class Scene(Scattering):
    """A random position with diplomats anywhere, hands of any cards, and boxes full of pieces."""

    def take_sides(self) -> None:
        super().take_sides()
        random, patrons = self.random, [each for each in self.nation.values() if each.a_major]
        for each in self.nation.values():
            each.a_foreign_war, each.a_routed = random.random() < 0.4, random.random() < 0.4
            each.a_plus_side, each.a_fewer_cards = random.random() < 0.3, 0
            each.a_preempted, each.a_gave_up = random.random() < 0.3, False
            if not each.a_major and each.a_patron is None and random.random() < 0.7:
                each.a_patron = random.choice(patrons)
                each.a_attitude = self.core.find("attitude", random.choice(("leaning", "friendly")))

    def side_of(self, nation: Any) -> str:
        return super().side_of(nation) if nation.a_major or nation.a_attitude.id == "alliance" else "neutral"

    def place_fleets(self) -> None:
        super().place_fleets()
        for kind in ("unit", "leader", "squadron"):
            for each in self.things[kind].values():
                if each.at.kind == "box" and self.random.random() < 0.5:
                    self.core.world.place(each, each.a_nation.a_pool)
                    if kind == "squadron":
                        each.a_state = self.core.find("readiness", "ready")
        self.deal()
        self.set_marks()

    def acting(self) -> list[Any]:
        return [each for each in self.nation.values() if each.a_major or each.a_attitude.id == "alliance"]

    def beside(self, area: str) -> list[str]:
        roads = [each.split("-") for each in self.things["road"]]
        return [there for one, other in roads for here, there in ((one, other), (other, one)) if here == area]

    def deal(self) -> None:
        cards = list(self.things["card"].values())
        for each in cards:
            self.core.world.place(each, self.things["pile"]["deck"])
        answers = [each for each in cards if each.a_plus or ANSWERS & set(map(name, each.a_windows))]
        dealt = self.random.sample(cards, self.random.randint(0, 15))
        dealt += self.random.sample(answers, self.random.randint(0, len(answers)))
        for each in dealt:
            self.core.world.place(each, self.random.choice(self.acting()).a_hand)

    def set_marks(self) -> None:
        random, state = self.random, self.core.world.state
        state.a_turn, state.a_duel = random.randint(1, 5), random.random() < 0.1
        state.a_winter, state.a_mud = random.random() < 0.2, random.random() < 0.2
        for each in self.area.values():
            each.a_burnt = random.random() < 0.1
        self.raise_the_vendee()
        belgrade = [each for each in self.things["unit"].values() if each.a_nation.id == "turkey"]
        if self.side["turkey"] == "neutral":
            for each in belgrade[: random.randint(0, 3)]:
                self.core.world.place(each, self.area["belgrade"])

    def raise_the_vendee(self) -> None:
        """The Chouans may have risen (c.53)."""
        vendee = self.area["vendee"]
        rebels = [each for name, each in self.nation.items() if self.side[name] == "coalition"]
        french = [each for each in self.things["unit"].values() if each.a_nation.id == "france" and each.at is vendee]
        vendee.a_raised = not french and self.random.random() < 0.5
        if vendee.a_raised:
            vendee.a_marker = self.random.choice(rebels)
            for each in self.things["squadron"].values():
                if each.at is vendee and self.side[each.a_nation.id] != "coalition":
                    self.core.world.place(each, each.a_nation.a_pool)


class Followed:
    """The game answers at random; plain Python gets its answers and dice and predicts all that changes.

    A card named `star` is in the hand of a nation that may play it, and is played when it can be.
    """

    table_kind: type[Turns] = Turns

    def __init__(self, seed: str, star: str = "") -> None:
        self.star, self.starred = star, False
        self.random, self.dice = Random(seed), RecordedDice(seed)
        self.questions: list[Question] = []
        self.addresses: set[str] = set()
        self.game = Game(rules(), dice=self.dice, start=start_at_call(self.begin, True, ReturnValue()))
        while self.game.decision is not None:
            self.decide(self.game.decision)

    def begin(self, core: Any) -> Callable[[], Any]:
        self.scene = self.position(core)
        self.nation = self.random.choice(self.scene.acting())
        core.world.state.a_active = self.nation
        started = self.start(core)
        core.forget()
        self.table = self.table_kind(core)
        return started

    def position(self, core: Any) -> Any:
        return Scene(core, self.random)

    def start(self, core: Any) -> Callable[[], Any]:
        """Prepares the position and gives the call that the game runs."""
        raise NotImplementedError

    def predict(self) -> None:
        """Does the same on the table."""
        raise NotImplementedError

    def decide(self, decision: Any) -> None:
        options = [name(each) for each in decision.options]
        index = self.preferred(decision.address, options)
        if len(options) > 1:
            seat = str(decision.seat)
            self.questions.append(Question(decision.address, seat, options, options[index], len(self.dice.faces)))
            self.addresses.add(decision.address)
        self.game.choose_index(index)

    def preferred(self, address: str, options: list[Any]) -> int:
        """The position of the answer: the star where it can be played, else any."""
        if self.star in options and address in ANSWERED:
            self.starred = True
            return options.index(self.star)
        return self.random.randrange(len(options))

    def check(self) -> None:
        """Every question, die and change agrees with the prediction."""
        self.table.questions, self.table.faces = self.questions, self.dice.faces
        self.table.end = snapshot(self.game.core)
        self.predict()
        assert not self.table.questions, "the game asks more"
        assert self.table.rolled == len(self.dice.faces), "the game rolls more"
        assert not differences(self.table.end, snapshot(self.table.core))
        self.count_cards()

    def winners(self) -> list[str]:
        return [str(each) for each in self.game.result.winners] if self.game.result else []

    def count_cards(self) -> None:
        """Each card lies in one pile, and says so."""
        lying = Counter((card.id, pile.id) for pile in self.scene.things["pile"].values() for card in pile.c_card)
        assert lying == Counter((each.id, each.at.id) for each in self.scene.things["card"].values())
