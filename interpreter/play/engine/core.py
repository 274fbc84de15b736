"""The core of one game: its objects, the emitted code bound to them, and its position in the sequence."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from copy import copy
from functools import cached_property, partial
from types import CodeType, TracebackType
from typing import Any, Final

from interpreter.language.diagnostics import NOWHERE, Place, UsageError
from interpreter.language.gc_control import gc_paused
from interpreter.language.model.emitted_names import ACTION_OPTION, INVARIANT, KEPT, is_part
from interpreter.language.model.image import Image, Site, Unit
from interpreter.language.runtime import cuts, decisions, values
from interpreter.play.engine.budget import Budget
from interpreter.play.engine.faults import positioned, rule_places
from interpreter.play.engine.outcome import EndGame, EndStep, Result
from interpreter.play.engine.rule_functions import check_values, emitted_names, rule_function
from interpreter.play.engine.sequencer import BEGIN, OVER, Sequencer
from interpreter.play.inputs.value_codec import Act, encode
from interpreter.world.memo_profiler import Profiler
from interpreter.world.model import Model
from interpreter.world.things import Thing
from interpreter.world.world import World

Trace = Callable[[str, int, Any], None]
"""Receives the events of a traced variant: kind, number of the site, and data."""


class SharedCode:
    """The parts that all games of one image share: the classes of its kinds and the code of its units."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.model = Model(image)
        self.places: dict[str, Place] = {each.rule: each.place for each in reversed(image.sites)}
        self.sites = {f"S{each.number}": each for each in image.sites}
        """The sites by their names in emitted code."""
        self._codes: dict[str, tuple[Unit, CodeType]] = {}
        self.profilers: dict[str, Profiler] = {}
        """By variant, which rules are worth memoizing."""

    @cached_property
    def lines(self) -> dict[Place, Site]:
        """The sites of the lines of rule text, by their places."""
        return {each.place: each for each in self.image.sites if each.kind == "line"}

    @cached_property
    def rule_cites(self) -> dict[str, tuple[str, ...]]:
        """The clauses of each rule, by its path."""
        rules = [each for each in reversed(self.image.sites) if each.kind == each.rule.partition("/")[0]]
        return {each.rule: each.cites for each in rules}

    def extended(self, image: Image) -> SharedCode:
        """Returns the shared part of an image that adds individuals at the end of this one; the code stays shared."""
        extended = copy(self)
        extended.image = image
        extended.model = self.model.extended(image)
        return extended

    def code(self, variant: str) -> tuple[Unit, CodeType]:
        """Returns the unit and the code of one variant.

        Raises:
            UsageError: if the image has no such variant.
        """
        if variant not in self._codes:
            unit = next((each for each in self.image.units if each.variant == variant), None)
            if unit is None:
                raise UsageError(f"the ruleset '{self.image.name}' is not compiled for '{variant}'")
            self.add(unit)
        return self._codes[variant]

    def has_variant(self, variant: str) -> bool:
        """Whether games can run this variant."""
        return variant in self._codes or any(each.variant == variant for each in self.image.units)

    def add(self, unit: Unit) -> None:
        """Adds the unit of a variant that was compiled later."""
        self._codes[unit.variant] = (unit, marshal.loads(unit.code))  # noqa: S302 - made by our own emitter


_CACHE: dict[int, SharedCode] = {}
_MAX_CACHED = 16


@gc_paused()
def shared_code(image: Image, base: Image | None = None) -> SharedCode:
    """Returns the cached shared part of an image; `base` is the image without the individuals that a set-up adds."""
    found = _CACHE.pop(id(image), None)
    if found is None or found.image is not image:
        found = SharedCode(image) if base is None or base is image else shared_code(base).extended(image)
        while len(_CACHE) >= _MAX_CACHED:
            del _CACHE[next(iter(_CACHE))]
    _CACHE[id(image)] = found
    return found


class Core:
    """The objects and the code of one game.

    `chance` gives the functions of dice and random picks. `trace` receives the events of a traced variant.
    """

    @gc_paused()
    def __init__(
        self,
        shared: SharedCode,
        variant: str,
        chance: Mapping[str, object],
        trace: Trace | None = None,
        setup: Callable[[Core], None] | None = None,
        ticks: int | None = None,
    ) -> None:
        image = shared.image
        self.shared, self.image, self.variant = shared, image, variant
        self.unit, code = shared.code(variant)
        self.world = World(shared.model)
        self.actions = {each.name: Act(each.name, each.cites) for each in image.actions}
        self.budget = Budget() if ticks is None else Budget(ticks)
        self.budget.extend_for(len(self.world.objects), traced=trace is not None)
        self.revealed: frozenset[tuple[Any, Any, Any]] = frozenset()
        """Revealed things, each with the seat that may see it (none: all) and its place then; a move hides it again."""
        self.simultaneous_since: int | None = None
        """The number of inputs at the start of the current block of simultaneous lines, or none."""
        self.events_before_simultaneous = 0
        """The number of events at the start of that block."""
        self.is_at_rest = True
        """Whether no rule is running, and the last one that ran has not failed."""
        self.is_altered = False
        """Whether the state may have been changed without the journal, so that `reset` does not lead to the start."""
        self.open_values: dict[int, tuple[tuple[Any, ...], Thing, dict[str, Any], frozenset[str]]] = {}
        """Cached view data of things that everybody may see, by index: values, thing, data, words of the texts."""
        self.names = self._names(chance, trace)
        self._bound_units: dict[CodeType, Unit] = {}
        exec(code, self.names)  # noqa: S102 - emitted from checked rule text, in a namespace without Python's built-ins
        shared.profilers.setdefault(variant, Profiler()).put(self.names, self.world.memo_tables)
        try:
            self._initialize(setup)
        except Exception as error:
            fault = positioned(error, self.names, self._unit_of, "")
            if fault is error:
                raise
            raise fault from error
        self.seats = tuple(each for each in self.world.objects if each.root == "seat")
        self.sequencer = self._sequencer()
        self.invariants = [(each, self.names[INVARIANT(each)]) for each in image.invariants]

    def _initialize(self, setup: Callable[[Core], None] | None) -> None:
        """Sets the initial values and places of all objects."""
        self.world.fill_defaults(self.names)
        self.world.seal(None if setup is None else partial(setup, self))

    def _names(self, chance: Mapping[str, object], trace: Trace | None) -> dict[str, Any]:
        names: dict[str, Any] = {"__builtins__": {}, "__name__": "<rules>"}
        names.update(values.HELPERS)
        names.update(decisions.HELPERS)
        names.update(cuts.HELPERS)
        names.update(self.world.namespace())
        names.update(self.shared.sites)
        names.update({ACTION_OPTION(each.name): each for each in self.actions.values()})
        names.update(EndStep=EndStep, EndGame=EndGame)
        names.update(self._budget_names())
        names.update(_trace_names(trace))
        names.update(chance)
        names.setdefault("shuffle", _do_nothing)
        names.setdefault("together", _do_nothing)
        names.setdefault("quietly", _call)
        names.setdefault("reveal", lambda _site, what, seats: self.reveal(what, seats))
        return names

    def _sequencer(self) -> Sequencer:
        if self.image.sequence is None:
            raise UsageError(f"the ruleset '{self.image.name}' has no sequence of play")
        return Sequencer(self.image.sequence, self.names, self.world.journal.append, self.shared.places)

    # ------------------------------------------------------------ state
    def find(self, kind: str, own: str) -> Any:
        """Returns the thing or word of this kind and id.

        Raises:
            UsageError: if there is none.
        """
        if kind in self.shared.model.words:
            return self.shared.model.word(kind, own)
        return self.world.find(kind, own)

    def reveal(self, what: Any, seats: Any) -> None:
        """Reveals things to seats, or to all (`seats` none), until they move."""
        things = (what,) if hasattr(what, "ref") else tuple(what)
        to = (None,) if seats is None else (seats,) if hasattr(seats, "ref") else tuple(seats)
        self.world.journal.append((self, "revealed", self.revealed))
        self.revealed = self.revealed | {(thing, seat, getattr(thing, "at", None)) for thing in things for seat in to}

    def shown(self) -> list[tuple[Any, Any]]:
        """Returns the things that are still revealed, each with the seat that may see it, or none for all."""
        return [(thing, seat) for thing, seat, at in self.revealed if getattr(thing, "at", None) is at]

    def set_simultaneous(self, since: int | None, events: int = 0) -> None:
        """Starts a block of simultaneous lines at these numbers of inputs and events, or ends it (`since` none)."""
        self.world.journal.append((self, "simultaneous_since", self.simultaneous_since))
        self.world.journal.append((self, "events_before_simultaneous", self.events_before_simultaneous))
        self.simultaneous_since, self.events_before_simultaneous = since, events

    def position(self) -> tuple[Any, ...]:
        """Returns the position in the sequence as stable data: each step under way with its remaining work."""
        stack = self.sequencer.stack
        if stack is BEGIN or stack is OVER:
            return ("over",) if stack is OVER else ("begin",)
        return tuple(
            (frame.node.number, frame.left, encode(frame.items), encode(frame.scope), frame.child)
            for frame in self.sequencer.frames()
            if frame.node is not None
        )

    def hash(self) -> str:
        """Returns a digest of the whole state, the same on every machine."""
        shown = sorted((thing.ref, seat.ref if seat is not None else "") for thing, seat in self.shown())
        return self.world.state_hash((self.position(), tuple(shown)))

    def reset(self) -> None:
        """Resets the game to its start."""
        self.world.reset()
        self.sequencer.stack = BEGIN
        self.sequencer.idle = 0
        self.revealed = frozenset()
        self.simultaneous_since = None
        self.budget.decisions += 1

    def serve(self, chance: Mapping[str, object], trace: Trace | None = None) -> None:
        """Serves another game, with its functions of chance and its receiver of events."""
        self.open_values.clear()
        self.budget = Budget(self.budget.limit)
        self.budget.extend_for(len(self.world.objects), traced=trace is not None)
        self.names.update(self._budget_names())
        self.names.update(_trace_names(trace))
        self.names.update(chance)

    def _budget_names(self) -> dict[str, object]:
        return {"tick": self.budget.renew(), "kept": self.budget.keep}

    # ------------------------------------------------------------ running
    @cached_property
    def rule_names(self) -> dict[str, str]:
        """The names in emitted code of all rules that have a function, by their paths."""
        return emitted_names(self.image, self.names)

    def rule(self, path: str) -> Callable[..., Any]:
        """Returns the function of a rule by its path in the ruleset, such as `procedures/settle`.

        A procedure that asks has a generator function.

        Raises:
            UsageError: if the ruleset has no such rule.
        """
        return rule_function(path, self.rule_names, self.names)

    def evaluate(self, path: str, *values: Any) -> Any:
        """Returns the result of a rule that changes nothing, for these values.

        Raises:
            UsageError: if there is no such rule, it changes the game, or it takes other values.
            RuleFault: if the rule fails.
        """
        rule = self.rule(path)
        check_values(path, rule, values)
        self.begin_query()
        with self.faults():
            return rule(*values)

    def faults(self) -> AbstractContextManager[None]:
        """Raises the positioned fault for an exception of a rule within; rules can run on, with a new work budget.

        Raises:
            RuleFault: if a rule fails.
        """
        return _Faults(self)

    def fault(self, error: Exception) -> Exception:
        """Returns the positioned fault for an exception of a rule; the exception itself if no rule was running."""
        return positioned(error, self.names, self._unit_of, self.sequencer.path)

    def result(self, end: EndGame, steps: int) -> Result:
        """Returns the result of a game that a rule has ended in this step.

        It cites the clauses of the line that ended the game. If the rule of that line was called by a line with clauses
        of its own, these come first: they are why the rule was called.
        """
        known = self.shared.lines
        lines = [known[each] for each in rule_places(end, self.names, self._unit_of) if each in known]
        found = lines[-1:]
        if found and found[0].rule.startswith("procedures/"):
            calling = next((each for each in reversed(lines) if each.rule != found[0].rule), None)
            if calling is not None and calling.cites != self.shared.rule_cites[calling.rule]:
                found.insert(0, calling)
        cites = tuple(dict.fromkeys(cite for each in found for cite in each.cites))
        return Result(end.winners, end.reason or "", steps, cites, tuple([each.number for each in found]))

    def place_of(self, rule: Callable[..., Any]) -> Place:
        """Returns the place of the text of an emitted function in the rules, or nowhere."""
        code = rule.__code__
        lines = self._unit_of(code).lines[code.co_firstlineno - 1 :]
        return next((each for each in lines if each is not None), NOWHERE)

    def bind(self, unit: Unit, name: str) -> Callable[..., Any]:
        """Returns a function of additional emitted code, bound to the objects of this game."""
        code = marshal.loads(unit.code)  # noqa: S302 - made by our own emitter
        for each in _codes(code):
            self._bound_units[each] = unit
        exec(code, self.names)  # noqa: S102 - as the game's own code
        function: Callable[..., Any] = self.names[name]
        return function

    def _unit_of(self, code: CodeType) -> Unit:
        return self._bound_units.get(code, self.unit)

    def begin_query(self) -> None:
        """Starts a query from outside, whose rules get a work budget of their own."""
        self.budget.decisions += 1

    def forget(self) -> None:
        """Clears all memoized results, after the state was changed without the journal."""
        self.is_altered = True
        self.world.reindex()
        self.world.clear_memos()
        for name, kept in self.names.items():
            if is_part(name, KEPT):
                kept.clear()


class _Faults(AbstractContextManager[None]):
    """The context of `Core.faults`: a class, because views enter it for each thing, and a generator takes longer."""

    __slots__ = ("_core",)

    def __init__(self, core: Core) -> None:
        self._core = core

    def __enter__(self) -> None:
        """Nothing has failed yet."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, Exception):
            core = self._core
            core.names["tick"] = core.budget.renew()
            if (fault := core.fault(error)) is not error:
                raise fault from error


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *[inner for each in code.co_consts if isinstance(each, CodeType) for inner in _codes(each)]]


def _trace_names(trace: Trace | None) -> dict[str, object]:
    return {"T": trace or _ignore_event, "log": _traced_log(trace), "noticed": _use_marker(trace)}


def _use_marker(trace: Trace | None) -> Callable[[Any], Any]:
    """Returns a function that marks the last traced look-up as one that the outcome depends on."""

    def noticed(found: Any) -> Any:
        if trace is not None:
            trace("used", -1, None)
        return found

    return noticed


def _ignore_event(_kind: str, _site: int, _data: Any) -> None:
    """Receives the events of a game that keeps none."""


def _call(make: Callable[[], Any]) -> Any:
    """Returns the value of a function, where no events are kept."""
    return make()


def _do_nothing(*_arguments: Any) -> None:
    """Replaces functions that matter only to observers."""


def _traced_log(trace: Trace | None) -> Callable[[Any, str], None]:
    if trace is None:
        return _do_nothing
    return lambda site, text: trace("log", site.number, text)


UNTRACED: Final = _trace_names(None)
"""The names in emitted code by which it reports events, with functions that report nothing."""
