"""The open menu of a game: its arguments, and what its actions are about where there is no choice."""

from __future__ import annotations

from typing import Any

from interpreter.language.model.emitted_names import LOCAL, MENU_CHOICE, PICK
from interpreter.language.model.image import ActionImage
from interpreter.play.engine.engine import GameEngine
from interpreter.play.inputs.value_codec import Act
from interpreter.play.views.quiet_query import quiet_query
from interpreter.world.things import Thing


def menu_arguments(game: GameEngine, action: ActionImage) -> tuple[Any, ...] | None:
    """Returns the arguments of the menu of an action; none if another question or another menu is open."""
    menu = next(each for each in game.core.image.menus if each.name == action.menu)
    asking = next(reversed(list(game.asking_rules)), None)
    if asking is None or asking.gi_code.co_name != MENU_CHOICE(menu.name):
        return None
    return tuple([asking.gi_frame.f_locals[LOCAL(name)] for name in menu.takes])


def sole_picks(game: GameEngine) -> dict[str, Thing]:
    """Returns the actions of the open decision whose first pick nobody is asked for, each with the thing that it is."""
    decision, core = game.decision, game.core
    offered = {each.name for each in decision.options if isinstance(each, Act)} if decision is not None else set()
    found: dict[str, Thing] = {}
    core.begin_query()
    with quiet_query(core):
        for action in [each for each in core.image.actions if each.name in offered and each.picks]:
            arguments = menu_arguments(game, action)
            if arguments is None:
                continue
            options = core.names[PICK(action.name, action.picks[0].name)](*arguments)
            if len(options) == 1 and isinstance(options[0], Thing):
                found[action.name] = options[0]
    return found
