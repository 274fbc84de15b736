"""The whole state of a game at the beginning of a step, as JSON data, and back."""

from __future__ import annotations

from typing import Any

from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.core import Core
from interpreter.play.engine.sequencer import Frame
from interpreter.play.inputs.value_codec import decode, plain

Data = dict[str, Any]


def standing(core: Core) -> Data:
    """The state as it is, the world's and the sequencer's."""
    shown = sorted([thing.ref, "" if seat is None else seat.ref] for thing, seat in core.shown())
    return {"world": core.world.dump(), "position": plain(core.position()), "revealed": shown}


def stand(core: Core, data: object) -> Frame:
    """Put a game where `standing` was, and give the frame of the step that begins there.

    Raises:
        UsageError: if the data does not fit this game.
    """
    if not isinstance(data, dict) or set(data) != {"world", "position", "revealed"}:
        raise UsageError("this is not a state of a game: it should hold exactly world, position and revealed")
    core.world.load(data["world"])
    core.revealed = frozenset([_shown(core, each) for each in _listed(data["revealed"], "revealed")])
    frame: Frame | None = None
    for each in _listed(data["position"], "position"):
        frame = _frame(core, frame, each)
    if frame is None:
        raise UsageError("this is not a state of a game: its position names no step")
    core.sequencer.stack = frame
    return frame


def _listed(data: object, what: str) -> list[Any]:
    if not isinstance(data, list):
        raise UsageError(f"this is not a state of a game: {what} should be a list, but is {data!r}")
    return data


def _shown(core: Core, pair: Any) -> tuple[Any, Any, Any]:
    match pair:
        case [str(ref), str(seat)]:
            thing = _named(core, ref)
            return thing, _named(core, seat) if seat else None, getattr(thing, "at", None)
    raise UsageError(f"this is not a state of a game: revealed holds {pair!r}")


def _named(core: Core, ref: str) -> Any:
    kind, _, name = ref.partition("/")
    return core.find(kind, name)


def _frame(core: Core, parent: Frame | None, data: Any) -> Frame:
    nodes = core.sequencer.nodes
    match data:
        case [int(number), int(left), list(items), list(scope), int(child)] if 0 <= number < len(nodes):
            outer = parent.scope if parent is not None else ()
            return Frame(parent, nodes[number], outer, left, decode(items, core), decode(scope, core), child)
    raise UsageError(f"this is not a state of a game: its position holds {data!r}")
