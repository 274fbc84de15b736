"""The time in a game, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.language.model.emitted_names import DEFINITION, SLOT
from interpreter.play.engine.engine import GameEngine
from interpreter.play.views.quiet_query import quiet_query, removed_from_board
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.play.wording.wording import VALUE_NAME, filled
from interpreter.rules.loading.ruleset import text_in


def date_text(game: GameEngine, seat: str | None) -> str:
    """Returns the time in a game by the template `presentation.date`, for what a seat may know; empty without one."""
    presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
    template = text_in(presentation.get("date"), game.source.wording.language)
    if not template:
        return ""
    core = game.core
    core.begin_query()
    visibility = Visibility(core, seat_by_id(core, seat)).precomputed()
    values = {}
    with quiet_query(core), removed_from_board(core, visibility.hidden()):
        for name in set(VALUE_NAME.findall(template)):
            rule = core.names.get(DEFINITION(name))
            values[name] = visibility.masked(getattr(core.world.state, SLOT(name)) if rule is None else rule())
    return filled(template, values, game.source.wording.of)
