"""The checker annotates the tree with types and references, and infers effects."""

import pytest
from checker_samples import BASE, formatted, found, program_of, with_block, with_expr, with_more

from interpreter.language.checking.check import check_expression, check_program
from interpreter.language.checking.program.effects import EffectGraph, effectful_texts, pure_texts
from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.model.kind_hierarchy import Attribute, Enum, Kind, WordDeclaration
from interpreter.language.model.program import Builtin, Definition, Individual, Menu, Parameter, Program, StateValue
from interpreter.language.parsing.parse import parse_expr
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree.statements import (
    Attr,
    Call,
    Compare,
    DecisionExpr,
    Expr,
    ForEach,
    If,
    It,
    Name,
    Repeat,
    Set,
    Stop,
    SyntaxNode,
)
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import (
    BOOL,
    EMPTY,
    UNKNOWN,
    KindType,
)


def nodes(program: Program, kind: type[SyntaxNode], rule: str = "probe") -> list[SyntaxNode]:
    """Returns the nodes of one class in a rule's text."""
    owner = program.procedures.get(rule) or program.definitions[rule]
    roots = list(owner.body) if owner.body else [owner.value]
    return [each for root in roots for each in walk_tree(root) if isinstance(each, kind)]


def checked_expr(text: str) -> tuple[Program, Expr]:
    """Returns the base ruleset and the tree of an expression in it, checked and without errors."""
    program = with_expr(text)
    assert found(program) == []
    value = program.definitions["probe"].value
    assert value is not None
    return program, value


# ---------------------------------------------------------------- references
@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("turn", StateValue),
        ("unit", Parameter),
        ("units", Kind),
        ("faces", Enum),
        ("bora", Individual),
        ("hill", WordDeclaration),
    ],
)
def test_name_is_resolved_to_its_target(text: str, target: type):
    """A bare name is resolved to a local, a value, all things of a kind, all words, an individual or a word."""
    _, value = checked_expr(text)
    assert isinstance(value, Name)
    assert isinstance(value.ref, target)


def test_comparison_resolves_ambiguous_word():
    """`open` is a word of two enums and `alba` a hex and a nation: the other side of a comparison decides."""
    _, value = checked_expr("weather = open and hex.terrain = open and unit.nation = alba and hex = alba")
    owners = [each.ref for each in walk_tree(value) if isinstance(each, Name) and each.name in ("open", "alba")]
    assert [each.enum if isinstance(each, WordDeclaration) else each.kind for each in owners] == [
        "weather",
        "terrain",
        "nation",
        "hex",
    ]


@pytest.mark.parametrize(
    ("text", "how", "kind"),
    [
        ("unit.at", "at", None),
        ("unit.hex", "up", "hex"),
        ("hex.leaders", "down", "leader"),
        ("hex.neighbours", "neighbours", "hex"),
        ("square.column", "column", None),
    ],
)
def test_declarations_give_derived_attributes(text: str, how: str, kind: str | None):
    """Positions of things give attributes that are not declared."""
    _, value = checked_expr(text)
    assert isinstance(value, Attr)
    assert isinstance(value.ref, DerivedAttribute)
    assert (value.ref.how, value.ref.kind) == (how, kind)


def test_attribute_of_collection_is_marked_as_spread():
    """The tree records whether an attribute is that of one thing or of each element."""
    _, value = checked_expr("hex.units.steps")
    assert isinstance(value, Attr)
    assert value.spread
    assert isinstance(value.of, Attr)
    assert not value.of.spread


def test_computed_attribute_refers_to_most_general_rule():
    """A reference is to the most general rule, because a sub-kind may override it at play time."""
    program, value = checked_expr("guard.strength")
    assert isinstance(value, Attr)
    assert value.ref is program.definitions["counter.strength"]


def test_arguments_are_in_parameter_order():
    """Named arguments are sorted into the order of the parameters."""
    _, value = checked_expr("mine(who: who, hex: hex)")
    assert isinstance(value, Call)
    assert [each.name for each in value.ordered if isinstance(each, Name)] == ["hex", "who"]
    assert isinstance(value.ref, Definition)


def test_builtin_call_refers_to_builtin():
    """A call of `count` refers to a built-in function."""
    _, value = checked_expr("count(some)")
    assert isinstance(value, Call)
    assert isinstance(value.ref, Builtin)


def test_uses_of_local_refer_to_one_parameter():
    """A let, a loop variable or an element is one parameter for all its uses."""
    program = with_block('let a = 1\nlet b = a + a\nlog "{b}"')
    check_program(program)
    uses = {id(each.ref) for each in nodes(program, Name) if isinstance(each, Name) and each.name == "a"}
    assert len(uses) == 1


def test_condition_narrows_type_in_tree():
    """After `x != none` the name has the type without none, so that generated code needs no guard."""
    program = with_block("if maybe != none: set maybe.tired = true")
    assert found(program) == []
    types = [str(each.type) for each in nodes(program, Name) if isinstance(each, Name) and each.name == "maybe"]
    assert types == ["unit?", "unit"]


def test_subject_of_computed_attribute_is_first_parameter():
    """The subject is `it`, and has the name of its kind."""
    program = with_more("definitions", "unit.worn: {is: .tired or unit.steps < 2}")
    assert found(program) == []
    rule = program.definitions["unit.worn"]
    assert [(each.name, each.type) for each in rule.takes] == [("unit", KindType("unit"))]
    assert rule.gives == BOOL
    assert [each.type for each in nodes(program, It, "unit.worn") if isinstance(each, It)] == [KindType("unit")]


def test_condition_on_it_narrows_named_subject():
    """A condition on `it` or on the kind's name narrows both."""
    program = with_more("definitions", "unit.aims: {is: .target != none and unit.target.tired}")
    assert found(program) == []


def test_valid_ruleset_has_no_unknown_type():
    """Every expression and rule has a type, and every name, attribute and call a reference."""
    program = program_of(BASE)
    assert [each for each in check_program(program) if each.severity == "error"] == []
    roots = [root for source in (pure_texts, effectful_texts) for _, texts in source(program) for root in texts]
    trees = [each for root in roots for each in walk_tree(root)]
    assert len(trees) > 50
    assert [each for each in trees if isinstance(each, Expr) and each.type == UNKNOWN] == []
    assert [each for each in trees if isinstance(each, Name | Attr | Call) and each.ref is None] == []
    rules = [*program.definitions.values(), *program.procedures.values(), *program.searches.values()]
    assert [each.name for each in rules if each.gives == UNKNOWN and each not in program.searches.values()] == []


# ---------------------------------------------------------------- decisions
@pytest.mark.parametrize(
    ("body", "addresses"),
    [
        ('let a = who chooses one of some\nlog "{a}"', ["probe.a"]),
        ("set unit.target = who chooses one or none of some", ["probe.target"]),
        ("if who agrees to peace: return", ["probe.peace"]),
        ("who may take orders(who)", ["probe.orders"]),
        ('for each u in who ranks all of some: log "{u}"', ["probe.u"]),
        ("return who chooses from 1 to 3", ["probe.result"]),
    ],
)
def test_decision_has_address(body: str, addresses: list[str]):
    """The address of a decision consists of the procedure and the name of its result."""
    program = with_block(body)
    assert found(program) == []
    assert [each.address for each in nodes(program, DecisionExpr) if isinstance(each, DecisionExpr)] == addresses


def test_loop_with_chosen_order_has_address():
    """The choice of the next element has the loop variable's name."""
    program = with_block('for any u in some, next chosen by who: log "{u}"')
    assert found(program) == []
    assert [each.address for each in nodes(program, ForEach) if isinstance(each, ForEach)] == ["probe.u"]


def test_take_refers_to_menu():
    """The call after `take` refers to the menu, with its arguments in order."""
    program = with_block("who must take orders(who: who)")
    assert found(program) == []
    [call] = nodes(program, Call)
    assert isinstance(call, Call)
    assert isinstance(call.ref, Menu)
    assert len(call.ordered) == 1


# ---------------------------------------------------------------- effects
def effects_of(body: str) -> str:
    """Returns the effects of a procedure's text by their initials."""
    program = with_block(body)
    check_program(program)
    found_ = program.procedures["probe"].effects
    return "".join([name[0] for name in ("changes", "asks", "rolls", "ends") if getattr(found_, name)])


@pytest.mark.parametrize(
    ("body", "effects"),
    [
        ("let a = count(some)\nif a > 1: return", ""),
        ("let a = 1\nset a = 2\nif a > 1: return", ""),
        ("set turn = 1", "c"),
        ("shift(unit, hex)", "c"),
        ("if ask(who): return", "a"),
        ("if throw(who) > 7: return", "r"),
        ("let c = random one of some\nremove c", "cr"),
        ("end turns", "e"),
        ("win who", "e"),
        ("who may take orders(who)", "ca"),
        ("let r = new report(steps: 1)\nif r.steps > 0: return", ""),
        ("new stone()", "c"),
        ("if unit.tired after shift(unit, hex): return", ""),
        ('for each u in some, next chosen by who: log "{u}"', "ca"),
    ],
)
def test_effects_include_those_of_calls(body: str, effects: str):
    """A text has its own effects and those of its calls; a call after `after` has none."""
    assert effects_of(body) == effects


def test_mutual_recursion_shares_effects():
    """Every rule in a cycle of calls has the effects of all of them."""
    program = with_more(
        "procedures",
        """
        p1: {takes: {who: player}, do: p2(who)}
        p2: {takes: {who: player}, do: "if ask(who): p1(who)"}
        """,
    )
    assert found(program) == []
    assert [program.procedures[name].effects.asks for name in ("p1", "p2")] == [True, True]


def test_computed_attribute_has_effects_of_overrides():
    """A call of a computed attribute has the effects of all its overrides."""
    program = with_more("definitions", "guard.strength:\n  gives: int\n  do: |\n    set turn = 1\n    return 1")
    check_program(program)
    assert EffectGraph(program).of(program.definitions["counter.strength"]) == {"changes"}


def test_step_has_effects_of_inner_steps():
    """A step has the effects of its inner steps, so the sequencer reads them once."""
    program = program_of(BASE)
    check_program(program)
    assert program.sequence is not None
    assert program.sequence.effects.asks
    assert program.sequence.steps[0].effects.asks


def test_step_scope_has_outer_bindings():
    """The scope of a step lists the outer bindings, outermost first, and names refer to them."""
    program = program_of(BASE)
    check_program(program)
    assert program.sequence is not None
    [step] = program.sequence.steps
    assert [(each.name, each.type) for each in step.scope] == [("who", KindType("player"))]


def test_effect_error_names_chain_of_calls():
    """The error for an effect in a pure rule names the rules on the path to it."""
    program = with_more("procedures", "over: {takes: {who: player}, gives: bool, do: return ask(who)}")
    more = with_more("definitions", "probe: {takes: {who: player}, is: over(who)}")
    more.procedures["over"] = program.procedures["over"]
    [finding] = found(more)
    assert finding.message.endswith("but 'over' asks a seat (over → ask)")


# ---------------------------------------------------------------- warnings
def test_unused_declarations_cause_warnings():
    """Unused rules, parameters, locals and menus cause warnings."""
    program = with_more("menus", "idle: {takes: {who: player}}")
    assert {
        "unused-menu: nobody is offered the menu 'idle'",
        "empty-menu: the menu 'idle' has no actions",
        "unused-procedure: nothing uses procedures/throw",
        "unused-parameter: 'march' never reads its parameter 'unit' (leave it out)",
    } <= set(formatted(found(program, "warning")))
    unread = found(with_block("let spare = 1"), "warning")
    assert "unused: 'spare' is never read (leave 'let' out, or use it)" in formatted(unread)


def test_rule_called_only_by_itself_is_unused():
    """A recursive call does not count as a use."""
    program = with_more("procedures", "again: {takes: {n: int}, do: again(n)}")
    assert "unused-procedure: nothing uses procedures/again" in formatted(found(program, "warning"))


def test_findings_are_sorted_by_place():
    """All errors are reported at once, in document order."""
    program = with_block('log "{one}"\nlog "{two}"\nlog "{three}"')
    places = [each.place for each in check_program(program)]
    assert places == sorted(places)
    assert (
        len([each for each in check_program(with_block('log "{one}"\nlog "{two}"')) if each.severity == "error"]) == 2
    )


# ---------------------------------------------------------------- hand-made trees
def test_nesting_of_loops_is_limited():
    """At most fifteen loops can be nested, because Python allows twenty nested blocks."""
    program = with_block('repeat 2 times: log "x"')
    [loop] = program.procedures["probe"].body
    assert isinstance(loop, Repeat)
    for _ in range(14):
        loop = Repeat(loop.place, (), loop.times, (loop,))
    program.procedures["probe"].body = (loop,)
    assert found(program) == []
    program.procedures["probe"].body = (Repeat(loop.place, (), loop.times, (loop,)),)
    assert [each.code for each in found(program)] == ["too-nested"]


def test_stop_in_branch_narrows_rest_of_loop():
    """After a branch that leaves, the negation of its condition holds."""
    program = with_block("for each u in some:\n  if u.target = none: stop\n  set u.target.tired = true")
    assert found(program) == []
    assert len(nodes(program, Stop)) == len(nodes(program, If)) == len(nodes(program, Set)) == 1


# ---------------------------------------------------------------- expressions from outside
def outside(text: str, *scope: Parameter, expected=None) -> tuple[list[str], Expr]:
    """Returns the errors and the tree of an expression without a document, checked in the base ruleset."""
    program = program_of(BASE)
    check_program(program)
    tree = parse_expr(SourceText.plain(text))
    return formatted(check_expression(program, tree, scope, expected)), tree


def test_external_expression_is_checked():
    """An external expression gets its types and references, and must have the expected type."""
    findings, tree = outside("Austria_1.steps = 2", Parameter(name="Austria_1", type=KindType("unit")), expected=BOOL)
    assert findings == []
    assert isinstance(tree, Compare)
    assert isinstance(tree.left, Attr)
    assert isinstance(tree.left.ref, Attribute)


def test_external_expression_reports_errors():
    """An unknown name and an unexpected type in an external expression are errors."""
    assert outside("weathr = fair")[0] == ["unknown-name: nothing is called 'weathr' here (did you mean 'weather'?)"]
    assert outside("turn", expected=BOOL)[0] == [
        "wrong-type: expected bool, found int (compare it with a number, as in '> 0')"
    ]


def test_empty_literal_fits_every_collection():
    """`{}` and `[]` fit every collection."""
    assert check_program(with_block("set reserve = {}")) != []
    assert found(with_block("set reserve = {}")) == found(with_block("set reserve = []")) == []
    _, value = checked_expr("{}")
    assert value.type == EMPTY
