"""What checking leaves on the tree, the effects it infers, and the data it reads."""

import pytest
from checked_by_hand import BASE, found, program_of, told, with_block, with_expr, with_more

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
    """The nodes of one sort in a rule's text."""
    owner = program.procedures.get(rule) or program.definitions[rule]
    roots = list(owner.body) if owner.body else [owner.value]
    return [each for root in roots for each in walk_tree(root) if isinstance(each, kind)]


def checked_expr(text: str) -> tuple[Program, Expr]:
    """The base ruleset and the tree of an expression in it, checked and sound."""
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
def test_a_name_refers_to_what_it_means(text: str, target: type):
    """A bare name is resolved to a local, a value, all things of a kind, all words, an individual or a word."""
    _, value = checked_expr(text)
    assert isinstance(value, Name)
    assert isinstance(value.ref, target)


def test_a_word_of_several_kinds_is_settled_by_what_stands_beside_it():
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
def test_relations_follow_from_the_declarations(text: str, how: str, kind: str | None):
    """Where things stand gives attributes that nobody declared."""
    _, value = checked_expr(text)
    assert isinstance(value, Attr)
    assert isinstance(value.ref, DerivedAttribute)
    assert (value.ref.how, value.ref.kind) == (how, kind)


def test_an_attribute_of_a_collection_is_marked_as_spread():
    """Emission has to know whether an attribute is taken of one thing or of each of many."""
    _, value = checked_expr("hex.units.steps")
    assert isinstance(value, Attr)
    assert value.spread
    assert isinstance(value.of, Attr)
    assert not value.of.spread


def test_a_computed_attribute_refers_to_the_most_general_text():
    """A sub-kind may override it, so that the text that runs is found at play time."""
    program, value = checked_expr("guard.strength")
    assert isinstance(value, Attr)
    assert value.ref is program.definitions["counter.strength"]


def test_arguments_come_in_the_order_of_the_parameters():
    """Arguments given by name are put where the parameters stand."""
    _, value = checked_expr("mine(who: who, hex: hex)")
    assert isinstance(value, Call)
    assert [each.name for each in value.ordered if isinstance(each, Name)] == ["hex", "who"]
    assert isinstance(value.ref, Definition)


def test_functions_of_the_language_are_told_apart():
    """A call of `count` refers to the language itself."""
    _, value = checked_expr("count(some)")
    assert isinstance(value, Call)
    assert isinstance(value.ref, Builtin)


def test_every_use_of_a_local_refers_to_the_same_parameter():
    """One parameter is made for a let, a loop variable or an element."""
    program = with_block('let a = 1\nlet b = a + a\nlog "{b}"')
    check_program(program)
    uses = {id(each.ref) for each in nodes(program, Name) if isinstance(each, Name) and each.name == "a"}
    assert len(uses) == 1


def test_a_test_narrows_the_type_that_stands_on_the_tree():
    """Behind `x != none` the name bears the type without its none, so that emission needs no guard."""
    program = with_block("if maybe != none: set maybe.tired = true")
    assert found(program) == []
    types = [str(each.type) for each in nodes(program, Name) if isinstance(each, Name) and each.name == "maybe"]
    assert types == ["unit?", "unit"]


def test_the_subject_of_a_computed_attribute_is_its_first_parameter():
    """It is `it`, and bears its kind's name."""
    program = with_more("definitions", "unit.worn: {is: .tired or unit.steps < 2}")
    assert found(program) == []
    rule = program.definitions["unit.worn"]
    assert [(each.name, each.type) for each in rule.takes] == [("unit", KindType("unit"))]
    assert rule.gives == BOOL
    assert [each.type for each in nodes(program, It, "unit.worn") if isinstance(each, It)] == [KindType("unit")]


def test_a_test_of_it_narrows_the_subject_by_name():
    """`it` and the kind's name are the same thing, whichever is tested."""
    program = with_more("definitions", "unit.aims: {is: .target != none and unit.target.tired}")
    assert found(program) == []


def test_a_sound_ruleset_has_no_unknown_left():
    """Every expression has a type, every name, attribute and call a reference, every rule what it gives."""
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
def test_a_decision_has_an_address(body: str, addresses: list[str]):
    """Answers in examples and logs go by the procedure and the name that the decision stands under."""
    program = with_block(body)
    assert found(program) == []
    assert [each.address for each in nodes(program, DecisionExpr) if isinstance(each, DecisionExpr)] == addresses


def test_a_loop_whose_order_is_chosen_has_an_address():
    """The next element is a decision under the loop variable's name."""
    program = with_block('for any u in some, next chosen by who: log "{u}"')
    assert found(program) == []
    assert [each.address for each in nodes(program, ForEach) if isinstance(each, ForEach)] == ["probe.u"]


def test_a_taken_menu_is_referred_to():
    """The call behind `take` refers to the menu, with its arguments in order."""
    program = with_block("who must take orders(who: who)")
    assert found(program) == []
    [call] = nodes(program, Call)
    assert isinstance(call, Call)
    assert isinstance(call.ref, Menu)
    assert len(call.ordered) == 1


# ---------------------------------------------------------------- effects
def effects_of(body: str) -> str:
    """The effects of a procedure's text, by their initials."""
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
def test_effects_are_inferred_over_all_calls(body: str, effects: str):
    """What a text does, and what it calls does; what is supposed is taken back and does nothing."""
    assert effects_of(body) == effects


def test_effects_reach_through_rules_that_call_one_another():
    """A cycle of calls has the effects of all in it."""
    program = with_more(
        "procedures",
        """
        p1: {takes: {who: player}, do: p2(who)}
        p2: {takes: {who: player}, do: "if ask(who): p1(who)"}
        """,
    )
    assert found(program) == []
    assert [program.procedures[name].effects.asks for name in ("p1", "p2")] == [True, True]


def test_a_computed_attribute_has_the_effects_of_its_overrides():
    """Whichever text runs, the call is as impure as the most impure of them."""
    program = with_more("definitions", "guard.strength:\n  gives: int\n  do: |\n    set turn = 1\n    return 1")
    check_program(program)
    assert EffectGraph(program).of(program.definitions["counter.strength"]) == {"changes"}


def test_a_step_has_the_effects_of_the_steps_in_it():
    """The sequencer asks once whether a part of the sequence can ask."""
    program = program_of(BASE)
    check_program(program)
    assert program.sequence is not None
    assert program.sequence.effects.asks
    assert program.sequence.steps[0].effects.asks


def test_a_step_knows_what_is_bound_around_it():
    """The scope lists the bindings, outermost first, and its names refer to them."""
    program = program_of(BASE)
    check_program(program)
    assert program.sequence is not None
    [step] = program.sequence.steps
    assert [(each.name, each.type) for each in step.scope] == [("who", KindType("player"))]


def test_a_chain_of_calls_is_named():
    """Where a rule that only states runs into an effect, the rules on the way are said."""
    program = with_more("procedures", "over: {takes: {who: player}, gives: bool, do: return ask(who)}")
    more = with_more("definitions", "probe: {takes: {who: player}, is: over(who)}")
    more.procedures["over"] = program.procedures["over"]
    [finding] = found(more)
    assert finding.message.endswith("but 'over' asks a seat (over → ask)")


# ---------------------------------------------------------------- warnings
def test_what_nobody_needs_is_warned_of():
    """Rules nothing calls, parameters nobody reads, locals nobody reads, menus nobody is offered."""
    program = with_more("menus", "idle: {takes: {who: player}}")
    assert {
        "unused-menu: nobody is offered the menu 'idle'",
        "empty-menu: the menu 'idle' has no actions",
        "unused-procedure: nothing uses procedures/throw",
        "unused-parameter: 'march' never reads its parameter 'unit' (leave it out)",
    } <= set(told(found(program, "warning")))
    unread = found(with_block("let spare = 1"), "warning")
    assert "unused: 'spare' is never read (leave 'let' out, or use it)" in told(unread)


def test_a_rule_that_only_calls_itself_is_unused():
    """A call from its own text is no use."""
    program = with_more("procedures", "again: {takes: {n: int}, do: again(n)}")
    assert "unused-procedure: nothing uses procedures/again" in told(found(program, "warning"))


def test_findings_come_in_the_order_of_their_places():
    """All faults are said at once, as they stand in the documents."""
    program = with_block('log "{one}"\nlog "{two}"\nlog "{three}"')
    places = [each.place for each in check_program(program)]
    assert places == sorted(places)
    assert (
        len([each for each in check_program(with_block('log "{one}"\nlog "{two}"')) if each.severity == "error"]) == 2
    )


# ---------------------------------------------------------------- hand-made trees
def test_loops_inside_one_another_are_bounded():
    """Python allows twenty blocks inside one another, so fifteen loops are the most."""
    program = with_block('repeat 2 times: log "x"')
    [loop] = program.procedures["probe"].body
    assert isinstance(loop, Repeat)
    for _ in range(14):
        loop = Repeat(loop.place, (), loop.times, (loop,))
    program.procedures["probe"].body = (loop,)
    assert found(program) == []
    program.procedures["probe"].body = (Repeat(loop.place, (), loop.times, (loop,)),)
    assert [each.code for each in found(program)] == ["too-nested"]


def test_stop_in_a_branch_of_a_loop_leaves_the_loop():
    """What a branch that leaves has shown to be otherwise holds behind it."""
    program = with_block("for each u in some:\n  if u.target = none: stop\n  set u.target.tired = true")
    assert found(program) == []
    assert len(nodes(program, Stop)) == len(nodes(program, If)) == len(nodes(program, Set)) == 1


# ---------------------------------------------------------------- expressions from outside
def outside(text: str, *scope: Parameter, expected=None) -> tuple[list[str], Expr]:
    """What is said of an expression that stands in no document, against the checked base ruleset."""
    program = program_of(BASE)
    check_program(program)
    tree = parse_expr(SourceText.plain(text))
    return told(check_expression(program, tree, scope, expected)), tree


def test_an_expression_from_outside_is_checked_like_any_other():
    """Names, types and references are filled in, and what is expected is held to."""
    said, tree = outside("Austria_1.steps = 2", Parameter(name="Austria_1", type=KindType("unit")), expected=BOOL)
    assert said == []
    assert isinstance(tree, Compare)
    assert isinstance(tree.left, Attr)
    assert isinstance(tree.left.ref, Attribute)


def test_an_expression_from_outside_says_its_faults():
    """An unknown name, and a type that is not the expected one."""
    assert outside("weathr = fair")[0] == ["unknown-name: nothing is called 'weathr' here (did you mean 'weather'?)"]
    assert outside("turn", expected=BOOL)[0] == [
        "wrong-type: expected bool, found int (compare it with a number, as in '> 0')"
    ]


def test_empty_is_of_no_type_of_its_own():
    """`{}` and `[]` fit every collection."""
    assert check_program(with_block("set reserve = {}")) != []
    assert found(with_block("set reserve = {}")) == found(with_block("set reserve = []")) == []
    _, value = checked_expr("{}")
    assert value.type == EMPTY
