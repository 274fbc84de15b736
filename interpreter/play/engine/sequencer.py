"""The position of a game in its sequence of play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from interpreter.language.diagnostics import NOWHERE, Diagnostic, Place, RuleFault, UsageError, did_you_mean
from interpreter.language.model.emitted_names import STEP, STEP_EACH, STEP_REPEAT, STEP_UNTIL, STEP_WHEN
from interpreter.language.model.image import StepImage

MAX_IDLE_STEPS = 100_000
"""The maximum number of steps without a decision."""

CALL = -1
"""The number of the node of a call that replaces the sequence."""

Rule = Callable[..., Any]


class StepNode:
    """A step of the sequence, bound to the functions of one game."""

    __slots__ = (
        "asks",
        "bound",
        "children",
        "cites",
        "do",
        "each",
        "horizon",
        "name",
        "number",
        "outer",
        "path",
        "repeat",
        "simple",
        "until",
        "when",
    )

    def __init__(self, step: StepImage, path: str, number: int, names: Mapping[str, Any]) -> None:
        self.name = step.name
        self.path = path
        self.number = number
        self.cites = step.cites
        self.asks = step.asks
        self.horizon = step.horizon
        self.when: Rule | None = names[STEP_WHEN(step.name)] if step.when else None
        self.each: Rule | None = names[STEP_EACH(step.name)] if step.each else None
        self.repeat: Rule | None = names[STEP_REPEAT(step.name)] if step.repeat else None
        self.until: Rule | None = names[STEP_UNTIL(step.name)] if step.until else None
        self.do: Rule | None = names[STEP(step.name)] if step.do else None
        self.simple = step.do and not (step.when or step.each or step.repeat or step.until)
        """Whether the step is a leaf without condition, binding or repetition."""
        self.outer = step.scope[:-1] if step.each else step.scope
        self.bound = step.scope[-1] if step.each else None
        """The name that its own `each` binds."""
        self.children: tuple[StepNode, ...] = ()


class Frame(NamedTuple):
    """An open step: its bindings, and its remaining work."""

    parent: Frame | None
    node: StepNode | None
    outer: tuple[Any, ...]
    """The values bound by the steps around it."""
    left: int
    """The remaining repetitions after this one."""
    items: tuple[Any, ...]
    """The remaining items of `each`."""
    scope: tuple[Any, ...]
    """`outer` and the value that the step itself binds."""
    child: int
    """The number of its next child."""


_frame = tuple.__new__
"""Creates a frame in half the time of its constructor."""
BEGIN = Frame(None, None, (), 0, (), (), 0)
OVER = Frame(None, None, (), 0, (), (), 1)
ONCE = (None,)


def innermost_frame(
    open_steps: Iterable[tuple[StepNode, tuple[Any, ...], int, tuple[Any, ...], tuple[Any, ...], int]],
) -> Frame:
    """Returns the frame of the innermost of the open steps, given innermost first as `(node, outer, left, …)`."""
    frame: Frame | None = None
    for node, *rest in reversed(list(open_steps)):
        frame = Frame(frame, node, *rest)
    return BEGIN if frame is None else frame


class Sequencer:
    """Runs through the sequence leaf by leaf. `stack` is its whole state, and is journalled for rollback."""

    __slots__ = ("_journal", "idle", "nodes", "places", "root", "stack")

    def __init__(
        self,
        image: StepImage,
        names: Mapping[str, Any],
        journal: Callable[[tuple[Any, str, Any]], None],
        places: Mapping[str, Place],
    ) -> None:
        self.nodes: list[StepNode] = []
        self.root = self._node(image, "", names)
        self.places = places
        self.stack = BEGIN
        self.idle = 0
        self._journal = journal

    def _node(self, step: StepImage, path: str, names: Mapping[str, Any]) -> StepNode:
        node = StepNode(step, f"{path}{step.name}", len(self.nodes), names)
        self.nodes.append(node)
        node.children = tuple(self._node(each, f"{node.path}/", names) for each in step.steps)
        return node

    def stop_journalling(self) -> None:
        """Stops journalling, for games that are never undone."""
        self._journal = _ignore_entry

    def advance(self) -> Frame | None:
        """Advances to the next leaf and returns its frame, or none if the sequence is over.

        Raises:
            RuleFault: `endless-sequence`, after too many steps without a decision.
        """
        old = self.stack
        if old is OVER:
            return None
        found = self._enter(None, self.root, ()) if old is BEGIN else self._resume(old)
        return self._move_to(old, found)

    def end(self, name: str) -> Frame | None:
        """Ends the innermost open step of this name with its remaining work, and advances to the next leaf.

        Raises:
            RuleFault: `unknown-step`, if no such step is open.
        """
        frame: Frame | None = self.stack
        while frame is not None and frame.node is not None and frame.node.name != name:
            if frame.node.number == CALL:
                return self._move_to(self.stack, None)
            frame = frame.parent
        if frame is None or frame.node is None:
            raise RuleFault(
                Diagnostic(
                    "unknown-step",
                    f"'end {name}' outside of a step '{name}' (now: {self.path})",
                    self._place(self.stack.node),
                    "end a step in which this rule runs",
                )
            )
        return self._move_to(self.stack, self._resume(frame.parent))

    def start_at(self, name: str, bound: Mapping[str, Any]) -> Frame | None:
        """Puts the game at the start of one step, which replaces the sequence; for examples.

        `bound` are the bindings of the steps around it. If it also has the binding of the step itself, the step runs
        only for that value.

        Raises:
            UsageError: if there is no such step, or a binding is missing.
        """
        node = next((each for each in self.nodes if each.name == name), None)
        if node is None:
            hint = did_you_mean(name, [each.name for each in self.nodes])
            raise UsageError(f"there is no step '{name}'" + (f"; {hint}" if hint else ""))
        if missing := [each for each in node.outer if each not in bound]:
            raise UsageError(f"the step '{name}' needs a value for {', '.join(missing)}")
        outer = tuple(bound[each] for each in node.outer)
        if node.bound is not None and node.bound in bound:
            return self._move_to(self.stack, self._item(None, node, outer, 0, (bound[node.bound],)))
        return self._move_to(self.stack, self._enter(None, node, outer))

    def start_call(self, do: Rule, asks: bool) -> Frame:
        """Replaces the sequence with one call; a step that it ends is the call itself."""
        step = StepImage("call", (), (), False, False, False, False, True, asks, ())
        frame = Frame(None, StepNode(step, "call", CALL, {"s_call": do}), (), 0, (), (), 0)
        self._move_to(self.stack, frame)
        return frame

    @property
    def path(self) -> str:
        """The path of the current step, such as `game/turn/movement`; empty before and after the game."""
        node = self.stack.node
        return node.path if node is not None else ""

    def frames(self) -> list[Frame]:
        """Returns the frames of the open steps, outermost first."""
        found: list[Frame] = []
        frame: Frame | None = self.stack
        while frame is not None and frame.node is not None:
            found.append(frame)
            frame = frame.parent
        return found[::-1]

    def _move_to(self, old: Frame, found: Frame | None) -> Frame | None:
        self._journal((self, "stack", old))
        self.stack = found if found is not None else OVER
        return found

    def _enter(self, parent: Frame | None, node: StepNode, outer: tuple[Any, ...]) -> Frame | None:
        if node.simple:
            return _frame(Frame, (parent, node, outer, 0, (), outer, 0))
        if node.when is not None and not node.when(*outer):
            return None
        times = node.repeat(*outer) if node.repeat is not None else 1
        return self._repetition(parent, node, outer, times)

    def _repetition(self, parent: Frame | None, node: StepNode, outer: tuple[Any, ...], times: int) -> Frame | None:
        while times > 0:
            times -= 1
            self.idle += 1
            if self.idle > MAX_IDLE_STEPS:
                raise self.endless_fault(node)
            items = tuple(node.each(*outer)) if node.each is not None else ONCE
            if (leaf := self._item(parent, node, outer, times, items)) is not None:
                return leaf
            if node.until is not None and node.until(*outer):
                break
        return None

    def _item(
        self, parent: Frame | None, node: StepNode, outer: tuple[Any, ...], left: int, items: tuple[Any, ...]
    ) -> Frame | None:
        while items:
            scope = (*outer, items[0]) if node.each is not None else outer
            items = items[1:]
            if node.do is not None:
                return _frame(Frame, (parent, node, outer, left, items, scope, 0))
            if (leaf := self._child(parent, node, outer, left, items, scope, 0)) is not None:
                return leaf
        return None

    def _child(
        self,
        parent: Frame | None,
        node: StepNode,
        outer: tuple[Any, ...],
        left: int,
        items: tuple[Any, ...],
        scope: tuple[Any, ...],
        child: int,
    ) -> Frame | None:
        for each in node.children[child:]:
            child += 1
            here = _frame(Frame, (parent, node, outer, left, items, scope, child))
            if (leaf := self._enter(here, each, scope)) is not None:
                return leaf
        return None

    def _resume(self, frame: Frame | None) -> Frame | None:
        while frame is not None:
            parent, node, outer, left, items, scope, child = frame
            assert node is not None
            self.idle += 1
            if self.idle > MAX_IDLE_STEPS:
                raise self.endless_fault(node)
            if (
                child < len(node.children)
                and (leaf := self._child(parent, node, outer, left, items, scope, child)) is not None
            ):
                return leaf
            if items and (leaf := self._item(parent, node, outer, left, items)) is not None:
                return leaf
            if left and (node.until is None or not node.until(*outer)):
                leaf = self._repetition(parent, node, outer, left)
                if leaf is not None:
                    return leaf
            frame = parent
        return None

    def endless_fault(self, node: StepNode) -> RuleFault:
        """Returns the fault for a sequence that continues without a decision."""
        return RuleFault(
            Diagnostic(
                "endless-sequence",
                f"{MAX_IDLE_STEPS:,} steps passed without a decision (now: {node.path})",
                self._place(node),
                "let a repeated step ask a seat, or end it by 'until', 'end' or 'win'",
            )
        )

    def _place(self, node: StepNode | None) -> Place:
        return self.places.get(f"sequence/{node.name}", NOWHERE) if node is not None else NOWHERE


def _ignore_entry(_entry: tuple[Any, str, Any]) -> None:
    """Receives the journal entries of a sequence that is not journalled."""
