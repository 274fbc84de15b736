"""Captures the whole state of a game at the start of a step as JSON data, and restores it."""

from __future__ import annotations

from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.core import Core
from interpreter.play.engine.sequencer import Frame
from interpreter.play.inputs.value_codec import decode, encode_json

Data = dict[str, Any]


def capture_state(core: Core) -> Data:
    """Returns the current state of the world and the sequencer."""
    shown = sorted([thing.ref, "" if seat is None else seat.ref] for thing, seat in core.shown())
    return {"world": core.world.dump(), "position": encode_json(core.position()), "revealed": shown}


def restore_state(core: Core, data: object) -> Frame:
    """Restores a captured state, and returns the frame of the step that begins there.

    Raises:
        UsageError: if the data is not a state of this game.
    """
    if not isinstance(data, dict) or set(data) != {"world", "position", "revealed"}:
        raise UsageError("this is not a game state: expected exactly world, position and revealed")
    core.world.load(data["world"])
    core.revealed = frozenset([_revelation(core, each) for each in _as_list(data["revealed"], "revealed")])
    frame: Frame | None = None
    for each in _as_list(data["position"], "position"):
        frame = _frame(core, frame, each)
    if frame is None:
        raise UsageError("this is not a game state: its position has no step")
    core.sequencer.stack = frame
    return frame


def _as_list(data: object, what: str) -> list[Any]:
    if not isinstance(data, list):
        raise UsageError(f"this is not a game state: {what} is {data!r}, expected a list")
    return data


def _revelation(core: Core, pair: Any) -> tuple[Any, Any, Any]:
    match pair:
        case [str(ref), str(seat)]:
            thing = _find(core, ref)
            return thing, _find(core, seat) if seat else None, getattr(thing, "at", None)
    raise UsageError(f"this is not a game state: unexpected {pair!r} in revealed")


def _find(core: Core, ref: str) -> Any:
    kind, _, name = ref.partition("/")
    return core.find(kind, name)


def _frame(core: Core, parent: Frame | None, data: Any) -> Frame:
    nodes = core.sequencer.nodes
    match data:
        case [int(number), int(left), list(items), list(scope), int(child)] if 0 <= number < len(nodes):
            outer = parent.scope if parent is not None else ()
            return Frame(parent, nodes[number], outer, left, decode(items, core), decode(scope, core), child)
    raise UsageError(f"this is not a game state: unexpected {data!r} in its position")
