"""Procedures that roll, taken apart: so that their courses can be followed from any line, and met again there.

Beside the function of a procedure that rolls, the `odds` variant holds its *parts*: functions of a few lines each,
whose locals come in as arguments and go out as a tuple, and a list of *steps* that says in which order they run. Where
a course stands is then plain data, the number of a step and the values of the locals. A local that no later step reads
is forgotten at once, so that courses that differ in nothing else are one; and of a thing of which later steps read
nothing but attributes that no rule sets, only these matter.

A step is a tuple whose first item says what it does:

    ("run", part, slots read, slots written)      runs a part
    ("let", part, slots read, slots written)      runs one that reads nothing but locals
    ("call", procedure, slots of the arguments, slot of the result)      goes on in another procedure that rolls
    ("return", slot)      leaves this one; slot -1: without a value
    ("go", step)      goes on elsewhere
    ("unless", slot, step)      goes there where a value is false or empty
    ("case", slot, word, step)      goes there where a value is another word
    ("next", slot of what is left, slot, step)      takes the first of what is left, or goes there where nothing is
    ("count", slot, step)      counts a number down, or goes there where it is 0
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from interpreter.language.codegen.analysis.dice_partition import readers
from interpreter.language.codegen.blocks.block import WHOLE, Block
from interpreter.language.codegen.blocks.liveness import NOWHERE, Read, Step, live, partly
from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import condition, value
from interpreter.language.codegen.core.source_writer import Writer
from interpreter.language.codegen.writers.decisions import prompt_text, site_name
from interpreter.language.codegen.writers.statements import body, offered
from interpreter.language.model.program import Menu, Parameter, Procedure
from interpreter.language.tree.statements import (
    Body,
    Call,
    ChoiceBlock,
    Do,
    Draw,
    Expr,
    ForEach,
    If,
    Let,
    Log,
    Name,
    Random,
    Repeat,
    Return,
    RollApart,
    RollSum,
    Set,
    Stmt,
    Stop,
    SyntaxNode,
    Together,
    While,
)
from interpreter.language.tree.traversal import children, walk_tree

_LOCALS = re.compile(r"\bv_\w+")
_RESULT = "v__result"


def parts(rule: Procedure, emission: Emission, cx: CodeContext) -> None:
    """Writes the parts and steps of a procedure that rolls, under `q_<procedure>`."""
    if not (emission.for_odds and rule.effects.rolls):
        return
    work = _BlockBuilder(rule, emission)
    work.lower(rule.body, cx)
    work.add("return", NOWHERE)
    work.write()


@dataclass(slots=True)
class _JumpLabel:
    """A step that is not known yet: where what is under way will go on."""

    step: int = NOWHERE


@dataclass(slots=True)
class _BlockBuilder:
    rule: Procedure
    emission: Emission
    slots: dict[str, int] = field(default_factory=dict)
    """The locals by name, parameters first."""
    steps: list[list[object]] = field(default_factory=list)
    parts: list[Block] = field(default_factory=list)
    landing: int = NOWHERE
    """The last step that another can go on to."""
    ends: list[_JumpLabel] = field(default_factory=list)
    """Where the loops around the present line go on when they are left."""

    def __post_init__(self) -> None:
        for each in self.rule.takes:
            self.slot(f"v_{each.name}")
        for node in (each for root in self.rule.body for each in walk_tree(root)):
            if isinstance(node, Let | ForEach):
                self.slot(f"v_{node.name}")

    # ------------------------------------------------------------ steps
    def slot(self, name: str) -> int:
        """The number of a local."""
        return self.slots.setdefault(name, len(self.slots))

    def hidden(self, stem: str) -> str:
        """A local of no line's own."""
        name = f"v__{stem}{len(self.slots)}"
        self.slot(name)
        return name

    def add(self, *step: object) -> None:
        """One further step."""
        self.steps.append(list(step))

    def here(self, mark: _JumpLabel) -> None:
        """Goes on here where a mark says."""
        mark.step = self.landing = len(self.steps)

    # ------------------------------------------------------------ parts
    def run(self, write: Callable[[], None], made: tuple[str, ...], changed: Callable[[str], bool]) -> None:
        """A part of lines that `write` gives; `made` are locals that it makes, `changed` whether it sets one."""
        out, self.emission.out = self.emission.out, Writer()
        try:
            write()
        finally:
            own, self.emission.out = self.emission.out, out
        if not (own.lines or made):
            return
        text = "\n".join(own.lines)
        named = [each for each in dict.fromkeys(_LOCALS.findall(text)) if each in self.slots]
        gives = [*made, *[each for each in named if each not in made and changed(each)]]
        takes = [each for each in named if each not in made]
        part = Block(f"q_{self.rule.name}__{len(self.parts)}", own, takes, gives)
        if part.reads_locals(self.emission.changed_names):
            self._step("let", part)
        elif not self._joined(part):
            self._step("run", part)

    def _step(self, kind: str, part: Block) -> None:
        self.parts.append(part)
        self.add(kind, part, self._numbers(part.takes), self._numbers(part.gives))

    def _joined(self, part: Block) -> bool:
        """Adds a part to the one before it, where that always runs before it and both run straight through."""
        if self.landing == len(self.steps) or not self.steps or self.steps[-1][0] != "run":
            return False
        before = self.parts[-1]
        if not (before.quiet and part.quiet):
            return False
        self.steps.pop()
        self.parts.pop()
        before.lines.take(part.lines)
        before.takes += [each for each in part.takes if each not in before.takes and each not in before.gives]
        before.gives += [each for each in part.gives if each not in before.gives]
        self._step("run", before)
        return True

    def _reads(self, part: Block) -> Read:
        """What a part reads of locals: nothing but attributes that no rule sets, or the whole."""
        changed = self.emission.changed_names
        return {
            self.slot(local): frozenset([WHOLE if each in changed else each for each in names])
            for local, names in part.attributes().items()
        }

    def _numbers(self, names: Iterator[str] | list[str] | tuple[str, ...]) -> tuple[int, ...]:
        return tuple([self.slot(each) for each in names])

    def compute(self, name: str, text: Callable[[], str]) -> None:
        """A part that gives one local a value."""
        self.run(lambda: self.emission.out.line(f"{name} = {text()}"), (name,), _never)

    def local(self, expr: Expr, stem: str, cx: CodeContext) -> str:
        """The local that holds a value: its own where it is one, else a new one."""
        if isinstance(expr, Name) and isinstance(expr.ref, Parameter):
            text = value(expr, cx)
            if text in self.slots:
                return text
        name = self.hidden(stem)
        self.compute(name, lambda: value(expr, cx))
        return name

    def plain(self, statements: Body, first: int, last: int, cx: CodeContext) -> None:
        """A part of lines of a body that run through from the first to the last."""
        lines = statements[first:last]
        made = tuple([f"v_{each.name}" for each in lines if isinstance(each, Let)])
        inner = {f"v_{each.name}" for line in lines for each in walk_tree(line) if isinstance(each, Let | ForEach)}
        set_ = {
            f"v_{each.target.name}"
            for line in lines
            for each in walk_tree(line)
            if isinstance(each, Set) and isinstance(each.target, Name) and isinstance(each.target.ref, Parameter)
        } - inner
        self.run(lambda: body(statements, cx, first, last), made, set_.__contains__)

    # ------------------------------------------------------------ lines
    def lower(self, statements: Body, cx: CodeContext) -> None:
        """The steps of a body."""
        first = 0
        for number, statement in enumerate(statements):
            if isinstance(statement, Log) or not _taken_apart(statement):
                if first < number and (_rolls(statement) or _runs(statements[number - 1]) or _runs(statement)):
                    self.plain(statements, first, number, cx)
                    first = number
                continue
            if first < number:
                self.plain(statements, first, number, cx)
            first = number + 1
            with self.emission.out.at(statement.place):
                inner = replace(cx, readers=readers(statements, number, cx))
                _LOWERED[type(statement)](self, statement, inner)
        if first < len(statements):
            self.plain(statements, first, len(statements), cx)

    def let(self, node: Let, cx: CodeContext) -> None:
        assert isinstance(node.value, Call)
        self.call(node.value, f"v_{node.name}", cx)

    def do(self, node: Do, cx: CodeContext) -> None:
        assert isinstance(node.value, Call)
        self.call(node.value, None, cx)

    def call(self, node: Call, result: str | None, cx: CodeContext) -> None:
        """Goes on in another procedure; its arguments are read in order before it begins."""
        assert isinstance(node.ref, Procedure)
        slots = [self.slot(self.local(each, "given", cx)) for each in node.ordered]
        self.add("call", node.ref.name, tuple(slots), NOWHERE if result is None else self.slot(result))

    def leave(self, node: Return, cx: CodeContext) -> None:
        if node.value is None:
            self.add("return", NOWHERE)
        elif _calls(node.value):
            assert isinstance(node.value, Call)
            self.slot(_RESULT)
            self.call(node.value, _RESULT, cx)
            self.add("return", self.slot(_RESULT))
        else:
            self.add("return", self.slot(self.local(node.value, "given", cx)))

    def stop(self, _: Stop, __: CodeContext) -> None:
        self.add("go", self.ends[-1])

    def branch(self, node: If, cx: CodeContext) -> None:
        after = _JumpLabel()
        for number, (test, lines) in enumerate(node.branches):
            other, name = _JumpLabel(), self.hidden("test")
            inner = cx if number == 0 else replace(cx, readers={})
            self.compute(name, lambda test=test, inner=inner: _truth(condition(test, inner)))  # type: ignore[misc]
            self.add("unless", self.slot(name), other)
            self.lower(lines, cx)
            self.add("go", after)
            self.here(other)
        self.lower(node.otherwise, cx)
        self.here(after)

    @contextmanager
    def looping(self, end: _JumpLabel) -> Iterator[int]:
        """The steps of a loop; gives the first of them."""
        first = self.landing = len(self.steps)
        self.ends.append(end)
        yield first
        self.add("go", _JumpLabel(first))
        self.ends.pop()
        self.here(end)

    def each(self, node: ForEach, cx: CodeContext) -> None:
        left, end = self.hidden("left"), _JumpLabel()
        self.compute(left, lambda: f"tuple({value(node.of, cx)})")
        with self.looping(end):
            if node.chosen_by is None:
                self.add("next", self.slot(left), self.slot(f"v_{node.name}"), end)
            else:
                self.add("unless", self.slot(left), end)
                self.run(lambda: self._chosen(node, left, cx), (f"v_{node.name}",), left.__eq__)
                if node.may_stop:
                    self.add("unless", self.slot(f"v_{node.name}"), end)
            self.lower(node.body, cx)

    def _chosen(self, node: ForEach, left: str, cx: CodeContext) -> None:
        assert node.chosen_by is not None
        out, name = self.emission.out, f"v_{node.name}"
        head = f"{site_name(node, cx)}, {value(node.chosen_by, cx)}"
        options = f"(*{left}, None)" if node.may_stop else left
        out.line(f"{name} = yield ({head}, {options}, {prompt_text(node.prompt, cx)}, None)")
        out.line(f"{left} = tuple(difference({left}, ({name},)))")

    def counted(self, node: Repeat, cx: CodeContext) -> None:
        left, end = self.hidden("left"), _JumpLabel()
        self.compute(left, lambda: f"len(passes({value(node.times, cx)}))")
        with self.looping(end):
            self.add("count", self.slot(left), end)
            self.lower(node.body, cx)

    def while_(self, node: While, cx: CodeContext) -> None:
        left, test, end = self.hidden("left"), self.hidden("test"), _JumpLabel()
        self.compute(left, lambda: f"len(passes({value(node.times, cx)}))")
        with self.looping(end):
            self.add("count", self.slot(left), end)
            self.compute(test, lambda: _truth(condition(node.condition, cx)))
            self.add("unless", self.slot(test), end)
            self.lower(node.body, cx)

    def together(self, node: Together, cx: CodeContext) -> None:
        self.lower(node.body, cx)

    def choice(self, node: ChoiceBlock, cx: CodeContext) -> None:
        answer, after = self.hidden("answer"), _JumpLabel()
        head = f"{site_name(node, cx)}, {value(node.who, cx)}"
        self.compute(answer, lambda: f"yield ({head}, {offered(node, cx)}, {prompt_text(node.prompt, cx)}, None)")
        for choice in node.choices:
            other = _JumpLabel()
            self.add("case", self.slot(answer), choice.name, other)
            with self.emission.out.at(choice.place):
                self.lower(choice.body, cx)
            self.add("go", after)
            self.here(other)
        self.here(after)

    # ------------------------------------------------------------ the whole
    def write(self) -> None:
        """The parts, and the steps as data: each with what no step from there on reads."""
        out = self.emission.out
        for part in self.parts:
            part.write(out)
        steps = [tuple([each.step if isinstance(each, _JumpLabel) else each for each in step]) for step in self.steps]
        alive = live(steps, {part.name: self._reads(part) for part in self.parts})
        every = range(len(self.slots))
        dead = [tuple([each for each in every if each not in alive[number]]) for number in range(len(steps))]
        text = ", ".join([_written(each) for each in steps])
        unread = ", ".join([repr(each) for each in zip(dead, map(partly, alive), strict=True)])
        out.line(f"q_{self.rule.name} = ({len(self.slots)}, ({text},), ({unread},))")


def _written(step: Step) -> str:
    return f"({''.join([f'{each.name if isinstance(each, Block) else repr(each)}, ' for each in step])})"


def _never(_: str) -> bool:
    return False


def _truth(text: str) -> str:
    """A condition as nothing but true or false: what else its text gives makes no difference."""
    return f"not not ({text})"


# ---------------------------------------------------------------- which lines are taken apart
def _calls(expr: Expr | None) -> bool:
    """Whether an expression is nothing but a call of a procedure that rolls."""
    return (
        isinstance(expr, Call)
        and isinstance(expr.ref, Procedure)
        and expr.ref.effects.rolls
        and not any(_rolls(each) for each in expr.ordered)
    )


def _rolls(root: SyntaxNode) -> bool:
    """Whether chance can decide something in a line."""
    return any(
        isinstance(each, RollSum | RollApart | Random | Draw)
        or (isinstance(each, Call) and isinstance(each.ref, Procedure | Menu) and each.ref.effects.rolls)
        for each in walk_tree(root)
    )


def _runs(line: Stmt) -> bool:
    """Whether a line runs a procedure: what that comes to often hangs on less than the lines around it."""
    return any(isinstance(each, Call) and isinstance(each.ref, Procedure) for each in walk_tree(line))


def _taken_apart(statement: Stmt) -> bool:
    match statement:
        case Return() | Stop():
            return True
        case Let(value=expr, terms=()) | Do(value=expr):
            return _calls(expr)
        case If() | ForEach() | Repeat() | While() | Together() | ChoiceBlock():
            return _rolls(statement) or _leaves(statement, in_loop=False)
    return False


def _leaves(node: SyntaxNode, *, in_loop: bool) -> bool:
    """Whether a line can leave the rule, or a loop around it."""
    if isinstance(node, Return) or (isinstance(node, Stop) and not in_loop):
        return True
    inner = in_loop or isinstance(node, ForEach | Repeat | While)
    return any(_leaves(each, in_loop=inner) for each in children(node))


_LOWERED: dict[type[Stmt], Callable[..., None]] = {
    Let: _BlockBuilder.let,
    Do: _BlockBuilder.do,
    Return: _BlockBuilder.leave,
    Stop: _BlockBuilder.stop,
    If: _BlockBuilder.branch,
    ForEach: _BlockBuilder.each,
    Repeat: _BlockBuilder.counted,
    While: _BlockBuilder.while_,
    Together: _BlockBuilder.together,
    ChoiceBlock: _BlockBuilder.choice,
}
