"""Each invariant of Nations in Arms can fail: a position spoiled in one thing is caught by the one that forbids it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interpreter import Game, load_scenario
from interpreter.language.diagnostics import RuleFault
from interpreter.play.engine.invariants import check_invariants


class Board:
    """The start of Marengo, to be spoiled and put right again."""

    def __init__(self) -> None:
        game = Game(load_scenario("nations_in_arms/marengo_1800"))
        self.core, self.source = game.core, game.source
        self.world = self.core.world

    def find(self, name: str) -> Any:
        """A thing by kind and id."""
        return self.world.find(*name.split("/"))

    def set(self, name: str, attribute: str, value: Any) -> None:
        """Changes an attribute; the journal takes it back."""
        thing = self.world.state if name == "state" else self.find(name)
        self.world.put(thing, f"a_{attribute}", value)
        self.world.clear_memos()

    def move(self, name: str, to: str) -> None:
        """Puts a piece elsewhere."""
        self.world.place(self.find(name), self.find(to))

    def broken(self) -> str | None:
        """The name of the first invariant that does not hold."""
        try:
            check_invariants(self.core, self.source)
        except RuleFault as fault:
            return fault.diagnostic.message.split("'")[1]
        return None


def _left_on_ney(name: str, value: Any) -> Callable[[Board], object]:
    """Something left on Ney's stack from an activation; a place where no value is given."""
    return lambda it: it.set("force/force_of_Ney", name, it.find("hex/h3326") if value is None else value)


def stray_bridge(board: Board) -> None:
    """Engineers that have become a bridge, and were carried off."""
    board.set("support/fr_eng_1", "form", board.core.find("support_form", "pontoon"))
    board.set("support/fr_eng_1", "aimed_at", board.find("hex/h3135"))


ARMY, NEY, DEPOT, GENOA = "army/fr_army_rhine", "force/force_of_Ney", "force/depot_of_Ulm", "hex/h3433"
Spoil = Callable[[Board], object]
SPOILED: dict[str, list[Spoil]] = {
    "enemies_apart": [lambda it: it.move("force/force_of_Suchet", "hex/h3234")],
    "one_stack_a_side": [lambda it: it.move(NEY, "hex/h3428")],
    "garrisons_in_fortresses": [lambda it: it.set(NEY, "inside", True), lambda it: it.set(GENOA, "siege", None)],
    "sieges_have_besiegers": [lambda it: it.move("force/force_of_Ott", "hex/h3632")],
    "siege_markers": [
        lambda it: it.set(GENOA, "siege", 5),
        lambda it: it.set(GENOA, "invested", True),
        lambda it: it.set(GENOA, "last_siege", True),
    ],
    "walls": [lambda it: it.set(GENOA, "fortress_hits", 3), lambda it: it.set(GENOA, "fortress_hits", -1)],
    "no_empty_stack": [lambda it: it.world.create("force", {"flag": it.find("power/france")}, it.find("hex/h2929"))],
    "armies_led": [lambda it: it.set(ARMY, "chief", None)],
    "within_the_limits": [
        lambda it: it.move("leader/fr_ney", "force/force_of_Suchet"),
        lambda it: it.move("combat_unit/fr_inf_2", "force/force_of_Ney"),
        lambda it: it.set("leader/fr_moreau", "capacity", 3),
        lambda it: it.move("combat_unit/fr_inf_12", "force/army_of_Moreau"),
    ],
    "allies_alone": [lambda it: it.set("power/bavaria", "bloc", it.find("bloc/empire"))],
    "states_sound": [
        lambda it: it.set(NEY, "level", 3),
        lambda it: it.set(NEY, "noted_level", 0),
        lambda it: it.set(DEPOT, "level", 1),
        lambda it: it.set(DEPOT, "demoralized", True),
        lambda it: it.set(DEPOT, "out_of_supply", True),
    ],
    "nothing_under_way": [
        lambda it: it.set("state", "active", it.find(NEY)),
        lambda it: it.set("combat_unit/fr_inf_1", "gave_detachment", True),
        lambda it: it.set("support/fr_eng_1", "turned_at", 1),
        lambda it: it.set(NEY, "guards", (it.find(DEPOT),)),
        *(_left_on_ney(name, 1) for name in ("mf", "spent", "spent_marching", "dropped_at", "taken_level")),
        *(_left_on_ney(name, True) for name in ("marching", "extended", "moved", "halted", "was_short", "rough")),
        *(_left_on_ney(name, True) for name in ("marsh", "checked", "wiped_out", "revealed")),
        *(_left_on_ney(name, None) for name in ("came_from", "haven", "won_at", "absorbed_at")),
    ],
    "impulse_over": [
        lambda it: it.set(NEY, "done", True),
        lambda it: it.set(NEY, "noted_level", 1),
        lambda it: it.set("leader/fr_ney", "moved", True),
        lambda it: it.set("player/french", "passed", True),
        lambda it: it.set(ARMY, "left_corps", (it.find("combat_unit/fr_inf_1"),)),
        lambda it: it.set(ARMY, "left_staff", (it.find("leader/fr_ney"),)),
    ],
    "steps_in_bounds": [
        lambda it: it.set("combat_unit/fr_inf_1", "steps", 0),
        lambda it: it.set("combat_unit/fr_det_1", "steps", 2),
    ],
    "pools_in_order": [
        lambda it: it.move("leader/fr_soult", "pool/force_pool"),
        lambda it: it.move("combat_unit/fr_cav_5", "pool/leader_pool"),
        lambda it: it.move("support/fr_eng_1", "pool/graveyard"),
    ],
    "pool_is_whole": [lambda it: it.move("combat_unit/fr_cav_5", "pool/force_pool")],
    "armies_out_of_play": [lambda it: it.set("army/fr_army_italy", "chief", it.find("leader/fr_ney"))],
    "bridges_in_place": [stray_bridge],
    "markers_kept": [lambda it: it.world.place(it.find("marker/empire_land_1"), None)],
}


@pytest.fixture(scope="module")
def board() -> Board:
    """One position for all, which each test leaves as it was."""
    return Board()


def test_start_breaks_no_invariant(board: Board) -> None:
    """The start breaks no invariant, and each invariant has a change that breaks it."""
    assert board.broken() is None
    assert list(SPOILED) == [name for name, _ in board.core.invariants]


@pytest.mark.parametrize(("name", "number"), [(name, n) for name, each in SPOILED.items() for n in range(len(each))])
def test_change_breaks_its_invariant(board: Board, name: str, number: int) -> None:
    """The first invariant that a change breaks is the one it is for."""
    mark = board.world.mark()
    try:
        SPOILED[name][number](board)
        assert board.broken() == name
    finally:
        board.world.rollback(mark)
        board.world.clear_memos()
    assert board.broken() is None
