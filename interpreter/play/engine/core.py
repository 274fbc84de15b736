"""The machinery of one game: its objects, the emitted code bound to them, and its place in the sequence."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property, partial
from types import CodeType
from typing import Any

from interpreter.language.diagnostics import NOWHERE, Place, UsageError
from interpreter.language.gc_control import gc_paused
from interpreter.language.model.image import Image, Unit
from interpreter.language.runtime import decisions, values
from interpreter.play.engine.budget import Budget
from interpreter.play.engine.faults import positioned
from interpreter.play.engine.outcome import EndGame, EndStep
from interpreter.play.engine.rule_functions import FIXED_MEMBERS, check_values, emitted_names, rule_function
from interpreter.play.engine.sequencer import BEGIN, OVER, Sequencer
from interpreter.play.inputs.value_codec import Act, encode
from interpreter.world.memo_profiler import Profiler
from interpreter.world.model import Model
from interpreter.world.things import Thing
from interpreter.world.world import World


class SharedCode:
    """What all games of one image share: the classes of its kinds and the code of its units."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.model = Model(image)
        self.places: dict[str, Place] = {each.rule: each.place for each in reversed(image.sites)}
        self.sites = {f"S{each.number}": each for each in image.sites}
        """The sites by their names in emitted code."""
        self._codes: dict[str, tuple[Unit, CodeType]] = {}
        self.trials: dict[str, Profiler] = {}
        """Of which rules it is worth keeping the answers, by variant."""

    def extended(self, image: Image) -> SharedCode:
        """What games of an image share that is this one with further individuals behind its own; the code is one."""
        made = copy(self)
        made.image = image
        made.model = self.model.extended(image)
        return made

    def code(self, variant: str) -> tuple[Unit, CodeType]:
        """The code of one variant.

        Raises:
            UsageError: if the image has no such variant.
        """
        if variant not in self._codes:
            unit = next((each for each in self.image.units if each.variant == variant), None)
            if unit is None:
                raise UsageError(f"the ruleset '{self.image.name}' is not compiled for '{variant}'")
            self.add(unit)
        return self._codes[variant]

    def has(self, variant: str) -> bool:
        """Whether the code of a variant is there."""
        return variant in self._codes or any(each.variant == variant for each in self.image.units)

    def add(self, unit: Unit) -> None:
        """Adds a variant that was compiled later."""
        self._codes[unit.variant] = (unit, marshal.loads(unit.code))  # noqa: S302 - made by our own emitter


_COMPILED: dict[int, SharedCode] = {}
_KEPT = 16


@gc_paused()
def shared_code(image: Image, base: Image | None = None) -> SharedCode:
    """The shared part of an image, made once; `base` is the image without the individuals that a set-up adds."""
    found = _COMPILED.pop(id(image), None)
    if found is None or found.image is not image:
        found = SharedCode(image) if base is None or base is image else shared_code(base).extended(image)
        while len(_COMPILED) >= _KEPT:
            del _COMPILED[next(iter(_COMPILED))]
    _COMPILED[id(image)] = found
    return found


class Core:
    """One game below its public face.

    `chance` gives the functions of dice and random picks; `trace` receives events where the unit is the traced one.
    """

    @gc_paused()
    def __init__(
        self,
        shared: SharedCode,
        variant: str,
        chance: Mapping[str, object],
        trace: Callable[[str, int, Any], None] | None = None,
        setup: Callable[[Core], None] | None = None,
        ticks: int | None = None,
    ) -> None:
        image = shared.image
        self.shared, self.image, self.variant = shared, image, variant
        self.unit, code = shared.code(variant)
        self.world = World(shared.model)
        self.actions = {each.name: Act(each.name, each.cites) for each in image.actions}
        self.budget = Budget() if ticks is None else Budget(ticks)
        self.budget.allow_for(len(self.world.objects))
        self.revealed: frozenset[tuple[Any, Any, Any]] = frozenset()
        """Things shown, each with the seat it was shown to (none: all) and where it stood; once moved it is hidden."""
        self.together: int | None = None
        """How many inputs were in when the block of simultaneous lines that is under way began, or none."""
        self.told_before = 0
        """How many events there were when it began."""
        self.open_values: dict[int, tuple[tuple[Any, ...], Thing, dict[str, Any]]] = {}
        """The values of things as views show them to everybody, by index, and what they were when these were made."""
        self.names = self._names(chance, trace)
        self._further: dict[CodeType, Unit] = {}
        exec(code, self.names)  # noqa: S102 - emitted from checked rule text, in a namespace without Python's built-ins
        shared.trials.setdefault(variant, Profiler()).put(self.names, self.world.answers)
        try:
            self._begin(setup)
        except Exception as error:
            fault = positioned(error, self.names, self._unit_of, "")
            if fault is error:
                raise
            raise fault from error
        self.seats = tuple(each for each in self.world.objects if each.root == "seat")
        self.sequencer = self._sequencer()
        self.invariants = [(each, self.names[f"iv_{each}"]) for each in image.invariants]

    def _begin(self, setup: Callable[[Core], None] | None) -> None:
        """Gives everything its first value and place."""
        self.world.fill_defaults(self.names)
        self.world.seal(None if setup is None else partial(setup, self))

    def _names(self, chance: Mapping[str, object], trace: Callable[[str, int, Any], None] | None) -> dict[str, Any]:
        names: dict[str, Any] = {"__builtins__": {}, "__name__": "<rules>"}
        names.update(values.HELPERS)
        names.update(decisions.HELPERS)
        names.update(self.world.namespace())
        names.update(self.shared.sites)
        names.update({f"ACT_{each.name}": each for each in self.actions.values()})
        names.update(EndStep=EndStep, EndGame=EndGame, tick=self.budget.renew(), kept=self.budget.keep)
        names.update(T=trace or _silent, log=_traced_log(trace), noticed=_noticing(trace))
        names.update(chance)
        names.setdefault("shuffle", _quiet)
        names.setdefault("together", _quiet)
        names.setdefault("reveal", lambda _site, what, seats: self.reveal(what, seats))
        return names

    def _sequencer(self) -> Sequencer:
        if self.image.sequence is None:
            raise UsageError(f"the ruleset '{self.image.name}' has no sequence of play")
        return Sequencer(self.image.sequence, self.names, self.world.journal.append, self.shared.places)

    # ------------------------------------------------------------ state
    def find(self, kind: str, own: str) -> Any:
        """The thing or word of this kind and id.

        Raises:
            UsageError: if there is none.
        """
        if kind in self.shared.model.words:
            return self.shared.model.word(kind, own)
        return self.world.find(kind, own)

    def reveal(self, what: Any, seats: Any) -> None:
        """Notes what is shown to seats, or to all (`seats` none), for as long as it stands where it stands."""
        things = (what,) if hasattr(what, "ref") else tuple(what)
        to = (None,) if seats is None else (seats,) if hasattr(seats, "ref") else tuple(seats)
        self.world.journal.append((self, "revealed", self.revealed))
        self.revealed = self.revealed | {(thing, seat, getattr(thing, "at", None)) for thing in things for seat in to}

    def shown(self) -> list[tuple[Any, Any]]:
        """What is still shown, each with the seat that sees it, or none for all."""
        return [(thing, seat) for thing, seat, at in self.revealed if getattr(thing, "at", None) is at]

    def set_together(self, since: int | None, events: int = 0) -> None:
        """Begins a block of simultaneous lines after so many inputs and events, or ends it (none)."""
        self.world.journal.append((self, "together", self.together))
        self.world.journal.append((self, "told_before", self.told_before))
        self.together, self.told_before = since, events

    def position(self) -> tuple[Any, ...]:
        """The place in the sequence as stable data: for each step under way its number and what is left of it."""
        stack = self.sequencer.stack
        if stack is BEGIN or stack is OVER:
            return ("over",) if stack is OVER else ("begin",)
        return tuple(
            (frame.node.number, frame.left, encode(frame.items), encode(frame.scope), frame.child)
            for frame in self.sequencer.frames()
            if frame.node is not None
        )

    def hash(self) -> str:
        """A digest of the whole state, the same on every machine."""
        shown = sorted((thing.ref, seat.ref if seat is not None else "") for thing, seat in self.shown())
        return self.world.state_hash((self.position(), tuple(shown)))

    def reset(self) -> None:
        """Back to the start of the game."""
        self.world.reset()
        self.sequencer.stack = BEGIN
        self.sequencer.idle = 0
        self.revealed = frozenset()
        self.together = None
        self.budget.decisions += 1

    # ------------------------------------------------------------ running
    @cached_property
    def rule_names(self) -> dict[str, str]:
        """The names in emitted code of all rules that have a function, by their paths."""
        return emitted_names(self.image, self.names)

    def rule(self, path: str) -> Callable[..., Any]:
        """The function of a rule by its path in the ruleset, such as `procedures/settle`.

        That of a procedure that asks is a generator function.

        Raises:
            UsageError: if the ruleset has no such rule.
        """
        return rule_function(path, self.rule_names, self.names)

    def evaluate(self, path: str, *values: Any) -> Any:
        """What a rule that changes nothing gives for these values.

        Raises:
            UsageError: if there is no such rule, it changes the game, or it takes other values.
            RuleFault: if it goes wrong.
        """
        rule = self.rule(path)
        check_values(path, rule, values)
        self.look()
        try:
            return rule(*values)
        except Exception as error:
            fault = self.fault(error)
            if fault is error:
                raise
            raise fault from error

    def fault(self, error: Exception) -> Exception:
        """What an exception of a rule means, with its place in the rules; itself where no rule was running."""
        return positioned(error, self.names, self._unit_of, self.sequencer.path)

    def place_of(self, rule: Callable[..., Any]) -> Place:
        """Where the text of an emitted function stands in the rules, or nowhere."""
        code = rule.__code__
        lines = self._unit_of(code).lines[code.co_firstlineno - 1 :]
        return next((each for each in lines if each is not None), NOWHERE)

    def bind(self, unit: Unit, name: str) -> Callable[..., Any]:
        """A function of further emitted code, made to run on the objects of this game."""
        code = marshal.loads(unit.code)  # noqa: S302 - made by our own emitter
        for each in _codes(code):
            self._further[each] = unit
        exec(code, self.names)  # noqa: S102 - as the game's own code
        function: Callable[..., Any] = self.names[name]
        return function

    def _unit_of(self, code: CodeType) -> Unit:
        return self._further.get(code, self.unit)

    def look(self) -> None:
        """Somebody looks at the state from outside: what rules do for that has a time of its own."""
        self.budget.decisions += 1

    def forget(self) -> None:
        """Forgets every remembered answer, after the state was changed without a word to the journal."""
        self.world.reindex()
        self.world.forget()
        for name, kept in self.names.items():
            if name.startswith(FIXED_MEMBERS):
                kept.clear()

    def renew_budget(self) -> None:
        """Makes the budget whole again, after a fault has used it up."""
        self.names["tick"] = self.budget.renew()


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *[inner for each in code.co_consts if isinstance(each, CodeType) for inner in _codes(each)]]


def _noticing(trace: Callable[[str, int, Any], None] | None) -> Callable[[Any], Any]:
    """Says of the look-up that was just told that what happens rests on it."""

    def noticed(found: Any) -> Any:
        if trace is not None:
            trace("used", -1, None)
        return found

    return noticed


def _silent(_kind: str, _site: int, _data: Any) -> None:
    """Events of a game that keeps none."""


def _quiet(*_arguments: Any) -> None:
    """What needs nothing done where nobody looks on."""


def _traced_log(trace: Callable[[str, int, Any], None] | None) -> Callable[[Any, str], None]:
    if trace is None:
        return _quiet
    return lambda site, text: trace("log", site.number, text)
