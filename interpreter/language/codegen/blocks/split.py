"""Splits procedures that roll into basic blocks, so that execution can continue from any of them.

Beside the function of a procedure that rolls, the `odds` variant has its *basic blocks*: functions of a few lines,
with locals as arguments and results; and a list of *steps* that says in which order they run. A continuation is then
plain data: the number of a step and the values of the locals. Locals that are not live are dropped, so that branches
that differ in nothing else merge; of a thing of which later steps read only attributes that no rule sets, only these
count.

A step is a tuple whose first item is its operation:

    ("run", block, slots read, slots written)      runs a block
    ("let", block, slots read, slots written)      runs a block that reads locals only
    ("call", procedure, slots of the arguments, slot of the result)      calls another procedure that rolls
    ("return", slot)      returns; slot -1: without a value
    ("go", step)      jumps
    ("unless", slot, step)      jumps if a value is false or empty
    ("case", slot, word, step)      jumps if a value is another word
    ("next", slot of the rest, slot, step)      takes the first item of the rest, or jumps if the rest is empty
    ("count", slot, step)      decrements a number, or jumps if it is 0
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from interpreter.language.codegen.analysis.dice_partition import readers
from interpreter.language.codegen.blocks.block import WHOLE, Block
from interpreter.language.codegen.blocks.liveness import NOWHERE, Read, Step, liveness, partly_read
from interpreter.language.codegen.core.context import CodeContext, Emission
from interpreter.language.codegen.core.dispatch import condition, value
from interpreter.language.codegen.core.source_writer import Writer
from interpreter.language.codegen.writers.decisions import prompt_text, site_name
from interpreter.language.codegen.writers.statements import body, offered
from interpreter.language.model.emitted_names import BLOCKS, LOCAL, part_of
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
_RESULT = LOCAL("", "result")


def write_blocks(rule: Procedure, emission: Emission, cx: CodeContext) -> None:
    """Writes the basic blocks and steps of a procedure that rolls, under `q_<procedure>`."""
    if not (emission.for_odds and rule.effects.rolls):
        return
    builder = _BlockBuilder(rule, emission)
    builder.lower(rule.body, cx)
    builder.add("return", NOWHERE)
    builder.write()


@dataclass(slots=True)
class _JumpLabel:
    """The target of a jump, whose number may not be known yet."""

    step: int = NOWHERE


@dataclass(slots=True)
class _BlockBuilder:
    """Lowers the statements of one procedure to blocks and steps."""

    rule: Procedure
    emission: Emission
    slots: dict[str, int] = field(default_factory=dict)
    """The locals by name, parameters first."""
    steps: list[list[object]] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    last_target: int = NOWHERE
    """The last step that is the target of a jump."""
    ends: list[_JumpLabel] = field(default_factory=list)
    """The ends of the loops around the present statement, innermost last."""

    def __post_init__(self) -> None:
        for each in self.rule.takes:
            self.slot(LOCAL(each.name))
        for node in (each for root in self.rule.body for each in walk_tree(root)):
            if isinstance(node, Let | ForEach):
                self.slot(LOCAL(node.name))

    # ------------------------------------------------------------ steps
    def slot(self, name: str) -> int:
        """The number of a local."""
        return self.slots.setdefault(name, len(self.slots))

    def hidden(self, stem: str) -> str:
        """A new local that no rule text names."""
        name = LOCAL("", f"{stem}{len(self.slots)}")
        self.slot(name)
        return name

    def add(self, *step: object) -> None:
        """Adds a step."""
        self.steps.append(list(step))

    def here(self, label: _JumpLabel) -> None:
        """Places a label before the next step."""
        label.step = self.last_target = len(self.steps)

    # ------------------------------------------------------------ blocks
    def run(self, write: Callable[[], None], made: tuple[str, ...], changed: Callable[[str], bool]) -> None:
        """Adds a block of the lines of `write`; `made` are new locals, `changed` says whether it sets a local."""
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
        block = Block(part_of(BLOCKS(self.rule.name), len(self.blocks)), own, takes, gives)
        if block.reads_locals(self.emission.changed_names):
            self._step("let", block)
        elif not self._is_appended(block):
            self._step("run", block)

    def _step(self, operation: str, block: Block) -> None:
        self.blocks.append(block)
        self.add(operation, block, self._numbers(block.takes), self._numbers(block.gives))

    def _is_appended(self, block: Block) -> bool:
        """Appends a block to the previous one if both are straight and no jump ends between them; whether it did."""
        if self.last_target == len(self.steps) or not self.steps or self.steps[-1][0] != "run":
            return False
        before = self.blocks[-1]
        if not (before.is_straight and block.is_straight):
            return False
        self.steps.pop()
        self.blocks.pop()
        before.lines.take(block.lines)
        before.takes += [each for each in block.takes if each not in before.takes and each not in before.gives]
        before.gives += [each for each in block.gives if each not in before.gives]
        self._step("run", before)
        return True

    def _reads(self, block: Block) -> Read:
        """The reads of a block: of each local the attributes that no rule sets, or the whole."""
        changed = self.emission.changed_names
        return {
            self.slot(local): frozenset([WHOLE if each in changed else each for each in names])
            for local, names in block.attributes().items()
        }

    def _numbers(self, names: Iterator[str] | list[str] | tuple[str, ...]) -> tuple[int, ...]:
        return tuple([self.slot(each) for each in names])

    def compute(self, name: str, text: Callable[[], str]) -> None:
        """Adds a block that sets one local."""
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
        made = tuple([LOCAL(each.name) for each in lines if isinstance(each, Let)])
        inner = {LOCAL(each.name) for line in lines for each in walk_tree(line) if isinstance(each, Let | ForEach)}
        set_ = {
            LOCAL(each.target.name)
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
            if isinstance(statement, Log) or not _is_split(statement):
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
        self.call(node.value, LOCAL(node.name), cx)

    def do(self, node: Do, cx: CodeContext) -> None:
        assert isinstance(node.value, Call)
        self.call(node.value, None, cx)

    def call(self, node: Call, result: str | None, cx: CodeContext) -> None:
        """Calls another procedure; its arguments are evaluated in order before it begins."""
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
        """Wraps the steps of a loop; yields the number of the first."""
        first = self.last_target = len(self.steps)
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
                self.add("next", self.slot(left), self.slot(LOCAL(node.name)), end)
            else:
                self.add("unless", self.slot(left), end)
                self.run(lambda: self._chosen(node, left, cx), (LOCAL(node.name),), left.__eq__)
                if node.may_stop:
                    self.add("unless", self.slot(LOCAL(node.name)), end)
            self.lower(node.body, cx)

    def _chosen(self, node: ForEach, left: str, cx: CodeContext) -> None:
        assert node.chosen_by is not None
        out, name = self.emission.out, LOCAL(node.name)
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
        """Writes the blocks, and the steps as data: each with the locals that are dead or only partly read there."""
        out = self.emission.out
        for block in self.blocks:
            block.write(out)
        steps = [tuple([each.step if isinstance(each, _JumpLabel) else each for each in step]) for step in self.steps]
        alive = liveness(steps, {block.name: self._reads(block) for block in self.blocks})
        every = range(len(self.slots))
        dead = [tuple([each for each in every if each not in alive[number]]) for number in range(len(steps))]
        text = ", ".join([_written(each) for each in steps])
        unread = ", ".join([repr(each) for each in zip(dead, map(partly_read, alive), strict=True)])
        out.line(f"{BLOCKS(self.rule.name)} = ({len(self.slots)}, ({text},), ({unread},))")


def _written(step: Step) -> str:
    return f"({''.join([f'{each.name if isinstance(each, Block) else repr(each)}, ' for each in step])})"


def _never(_: str) -> bool:
    return False


def _truth(text: str) -> str:
    """A condition as a bool, so that equal conditions have equal values."""
    return f"not not ({text})"


# ---------------------------------------------------------------- which statements are split
def _calls(expr: Expr | None) -> bool:
    """Whether an expression is only a call of a procedure that rolls."""
    return (
        isinstance(expr, Call)
        and isinstance(expr.ref, Procedure)
        and expr.ref.effects.rolls
        and not any(_rolls(each) for each in expr.ordered)
    )


def _rolls(root: SyntaxNode) -> bool:
    """Whether a statement rolls, draws or calls something that does."""
    return any(
        isinstance(each, RollSum | RollApart | Random | Draw)
        or (isinstance(each, Call) and isinstance(each.ref, Procedure | Menu) and each.ref.effects.rolls)
        for each in walk_tree(root)
    )


def _runs(line: Stmt) -> bool:
    """Whether a statement calls a procedure: its result often depends on less than the lines around it."""
    return any(isinstance(each, Call) and isinstance(each.ref, Procedure) for each in walk_tree(line))


def _is_split(statement: Stmt) -> bool:
    match statement:
        case Return() | Stop():
            return True
        case Let(value=expr, terms=()) | Do(value=expr):
            return _calls(expr)
        case If() | ForEach() | Repeat() | While() | Together() | ChoiceBlock():
            return _rolls(statement) or _leaves(statement, in_loop=False)
    return False


def _leaves(node: SyntaxNode, *, in_loop: bool) -> bool:
    """Whether a statement can leave the rule, or a loop around it."""
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
