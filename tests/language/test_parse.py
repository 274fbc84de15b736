"""Rule text is parsed into the expected tree, with the place of every node."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from importlib.resources import files

import pytest
from line_counter import lines_run
from processes import DEADLINE

from interpreter.language.diagnostics import Place, RulesetError
from interpreter.language.parsing.lalr_tables import (
    GRAMMAR,
    TABLES,
    compile_grammar,
    load_tables,
    read_grammar,
    to_text,
)
from interpreter.language.parsing.parse import parse_attr, parse_binding, parse_block, parse_expr, parse_type
from interpreter.language.parsing.source_map import SourceText
from interpreter.language.tree import statements
from interpreter.language.tree.statements import SyntaxNode


def dump(value: object) -> str:
    """Formats a tree in one line: each node with its fields, without places and the checker's fields."""
    if isinstance(value, SyntaxNode):
        parts = [getattr(value, each.name) for each in fields(value) if each.init and not each.name.endswith("place")]
        return f"{type(value).__name__}({', '.join(map(dump, parts))})"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(dump, value)) + "]"
    return str(value) if not isinstance(value, str) else repr(value)


def expr(text: str) -> str:
    return dump(parse_expr(SourceText.plain(text)))


def block(text: str) -> str:
    return dump(parse_block(SourceText.plain(text)))


EXPRESSIONS = [
    ("12", "IntLit(12)"),
    ("1.50", "DecimalLit(3/2)"),
    ('"plain"', "TextLit(['plain'])"),
    ('""', "TextLit([''])"),
    ('"a {b} c"', "TextLit(['a ', Name('b'), ' c'])"),
    ('"{a}{b + 1}"', "TextLit([Name('a'), Binary('+', Name('b'), IntLit(1))])"),
    ('"{{a}} {count({b, c})}"', "TextLit(['{a} ', Call('count', [SetLit([Name('b'), Name('c')])], [])])"),
    ("true", "BoolLit(True)"),
    ("false", "BoolLit(False)"),
    ("none", "NoneLit()"),
    ("it", "It()"),
    (".a", "Attr(It(), 'a')"),
    (".a.b", "Attr(Attr(It(), 'a'), 'b')"),
    ("to", "Name('to')"),
    ("a.each", "Attr(Name('a'), 'each')"),
    ("t[a, 1].b", "Attr(Index(Name('t'), [Name('a'), IntLit(1)]), 'b')"),
    ("1..6", "Range(IntLit(1), IntLit(6))"),
    ("it in 2..n+1", "In(It(), Range(IntLit(2), Binary('+', Name('n'), IntLit(1))), False)"),
    ("a otherwise 1..b", "Range(Otherwise([Name('a'), IntLit(1)]), Name('b'))"),
    ("{}", "SetLit([])"),
    ("{a, b}", "SetLit([Name('a'), Name('b')])"),
    ("[]", "ListLit([])"),
    ("[a, 1]", "ListLit([Name('a'), IntLit(1)])"),
    ("new k()", "New('k', None, [])"),
    ("new k(like x, at: y, a: 1)", "New('k', Name('x'), [['at', Name('y')], ['a', IntLit(1)]])"),
    ("new k(a: 1)", "New('k', None, [['a', IntLit(1)]])"),
    ("new k(like x)", "New('k', Name('x'), [])"),
    ("f()", "Call('f', [], [])"),
    ("f(1, a, by: 2, to: 3)", "Call('f', [IntLit(1), Name('a')], [['by', IntLit(2)], ['to', IntLit(3)]])"),
    ("proceed(a, by: 2)", "Proceed('proceed', [Name('a')], [['by', IntLit(2)]])"),
    ("-a", "Neg(Name('a'))"),
    ("not not a", "Not(Not(Name('a')))"),
    ("a - b - c * d / e", ("Binary('-', Binary('-', Name('a'), Name('b')), "
     "Binary('/', Binary('*', Name('c'), Name('d')), Name('e')))")),
    ("a + b * c mod 2", "Binary('+', Name('a'), Binary('mod', Binary('*', Name('b'), Name('c')), IntLit(2)))"),
    ("mod mod -mod", "Binary('mod', Name('mod'), Neg(Name('mod')))"),
    ("a - (b - c)", "Binary('-', Name('a'), Binary('-', Name('b'), Name('c')))"),
    ("a = b", "Compare('=', Name('a'), Name('b'))"),
    ("a != 1", "Compare('!=', Name('a'), IntLit(1))"),
    ("a + 1 <= b", "Compare('<=', Binary('+', Name('a'), IntLit(1)), Name('b'))"),
    ("a not in s", "In(Name('a'), Name('s'), True)"),
    ("a is k", "IsKind(Name('a'), 'k', False)"),
    ("a is not k", "IsKind(Name('a'), 'k', True)"),
    ("a and b and not c", "And([Name('a'), Name('b'), Not(Name('c'))])"),
    ("a or b and c or d", "Or([Name('a'), And([Name('b'), Name('c')]), Name('d')])"),
    ("1 if a else 2 if b else 3",
     "IfElse(Name('a'), IntLit(1), IfElse(Name('b'), IntLit(2), IntLit(3)))"),
    ("a otherwise b otherwise c", "Otherwise([Name('a'), Name('b'), Name('c')])"),
    ("a / 2 rounded up", "Rounded(Binary('/', Name('a'), IntLit(2)), 'up', None)"),
    ("a rounded down + 1", "Binary('+', Rounded(Name('a'), 'down', None), IntLit(1))"),
    ("a rounded at 0.75", "Rounded(Name('a'), 'at', DecimalLit(3/4))"),
    ("s where .a", "Where(Name('s'), Attr(It(), 'a'), None)"),
    ("s each f(it)", "Each(Name('s'), Call('f', [It()], []), None)"),
    ("s by .a", "SortedBy(Name('s'), Attr(It(), 'a'), None)"),
    ("s where a each b by c",
     "SortedBy(Each(Where(Name('s'), Name('a'), None), Name('b'), None), Name('c'), None)"),
    ("s as m where m.a", "Where(Name('s'), Attr(Name('m'), 'a'), 'm')"),
    ("s as m where a each b", "Each(Where(Name('s'), Name('a'), 'm'), Name('b'), 'm')"),
    ("s where a as m each b", "Each(Where(Name('s'), Name('a'), None), Name('b'), 'm')"),
    ("s as m each a as n by b", "SortedBy(Each(Name('s'), Name('a'), 'm'), Name('b'), 'n')"),
    ("(s as m where a) each b", "Each(Where(Name('s'), Name('a'), 'm'), Name('b'), None)"),
    ("s as m where any(t where it = m)",
     "Where(Name('s'), Call('any', [Where(Name('t'), Compare('=', It(), Name('m')), None)], []), 'm')"),
    ("a after f(b)", "After(Name('a'), Call('f', [Name('b')], []))"),
    ("reach r(a) from b.c", "Reach(Call('r', [Name('a')], []), Attr(Name('b'), 'c'))"),
    ("p chooses one of s", "Choose(Name('p'), None, 'one', None, Name('s'))"),
    ('p.q chooses one or none of s where a "P?"',
     "Choose(Attr(Name('p'), 'q'), TextLit(['P?']), 'maybe', None, Where(Name('s'), Name('a'), None))"),
    ("p chooses n + 1 of s", "Choose(Name('p'), None, 'some', Binary('+', Name('n'), IntLit(1)), Name('s'))"),
    ("p chooses up to 3 of s", "Choose(Name('p'), None, 'up_to', IntLit(3), Name('s'))"),
    ("p chooses any of s", "Choose(Name('p'), None, 'any', None, Name('s'))"),
    ('p chooses from 0 to n "How many, {p}?"',
     "ChooseNumber(Name('p'), TextLit(['How many, ', Name('p'), '?']), IntLit(0), Name('n'))"),
    ("p ranks all of s", "Rank(Name('p'), None, Name('s'), True)"),
    ("p ranks any of s", "Rank(Name('p'), None, Name('s'), False)"),
    ('p assigns each of s to one of t "?"', "Assign(Name('p'), TextLit(['?']), Name('s'), Name('t'))"),
    ("p spreads n over s at most .a each", "Spread(Name('p'), None, Name('n'), Name('s'), Attr(It(), 'a'))"),
    ('a and p agrees to go "Go?"', "And([Name('a'), Agree(Name('p'), TextLit(['Go?']), 'go')])"),
    ("p may take m(a)", "Take(Name('p'), None, Call('m', [Name('a')], []), False, None)"),
    ("p may take m() up to 2 times", "Take(Name('p'), None, Call('m', [], []), False, IntLit(2))"),
    ("p must take m()", "Take(Name('p'), None, Call('m', [], []), True, None)"),
    ('p rolls 2d6 "fire"', "RollSum(Name('p'), 2, 6, 'fire')"),
    ("p rolls 1d6", "RollSum(Name('p'), 1, 6, '')"),
    ('p rolls n dice of d6 "{{x}}"', "RollApart(Name('p'), Name('n'), 'd6', '{x}')"),
    ("p rolls 3 dice of odd_die", "RollApart(Name('p'), IntLit(3), 'odd_die', '')"),
    ("random one of s", "Random(None, Name('s'))"),
    ("random n of s", "Random(Name('n'), Name('s'))"),
    ("draw one from pile", "Draw(None, Name('pile'))"),
    ("draw 3 from p.pile", "Draw(IntLit(3), Attr(Name('p'), 'pile'))"),
    ("a\n  + b # why\n  + c", "Binary('+', Binary('+', Name('a'), Name('b')), Name('c'))"),
]  # fmt: skip

STATEMENTS = [
    ("let x = 1", "Let([], 'x', IntLit(1), [])"),
    ("let x = 1   @8.1.a @8.2-3", "Let(['8.1.a', '8.2-3'], 'x', IntLit(1), [])"),
    ("let to = from", "Let([], 'to', Name('from'), [])"),
    ("set a.b = 1", "Set([], Attr(Name('a'), 'b'), '', IntLit(1))"),
    ("set a[k] += 1", "Set([], Index(Name('a'), [Name('k')]), '+', IntLit(1))"),
    ("set a -= 1", "Set([], Name('a'), '-', IntLit(1))"),
    ("move a to b", "Move([], Name('a'), Name('b'))"),
    ("remove a", "Remove([], Name('a'))"),
    ("shuffle a", "Shuffle([], Name('a'))"),
    ("reveal a", "Reveal([], Name('a'), None)"),
    ("reveal a to b", "Reveal([], Name('a'), Name('b'))"),
    ("return", "Return([], None)"),
    ("return a @1", "Return(['1'], Name('a'))"),
    ("stop", "Stop([])"),
    ("end phase", "End([], 'phase')"),
    ("win p", "Win([], Name('p'), None)"),
    ('win p.q "points: {n}"', "Win([], Attr(Name('p'), 'q'), TextLit(['points: ', Name('n')]))"),
    ("tie", "Tie([], None)"),
    ('tie "even"', "Tie([], TextLit(['even']))"),
    ('log "{a} goes"', "Log([], TextLit([Name('a'), ' goes']))"),
    ("f(a)", "Do([], Call('f', [Name('a')], []))"),
    ("p may take m()", "Do([], Take(Name('p'), None, Call('m', [], []), False, None))"),
    ("new k(at: a)", "Do([], New('k', None, [['at', Name('a')]]))"),
    ("if a: stop @1", "If([], [[Name('a'), [Stop(['1'])]]], [])"),
    ("if a:   @1\n  stop @2\nelif b: @3\n  f()\nelse: @4\n  g()\n  h()",
     ("If(['1', '3', '4'], [[Name('a'), [Stop(['2'])]], [Name('b'), [Do([], Call('f', [], []))]]], "
     "[Do([], Call('g', [], [])), Do([], Call('h', [], []))])")),
    ("if a: f()\nelif b: g()\nelse: h()",
     ("If([], [[Name('a'), [Do([], Call('f', [], []))]], [Name('b'), [Do([], Call('g', [], []))]]], "
     "[Do([], Call('h', [], []))])")),
    ("for each x in s: f(x)",
     "ForEach([], 'x', Name('s'), [Do([], Call('f', [Name('x')], []))], None, None, False)"),
    ('for each x in s, next chosen by p "Next?": @1\n  stop',
     "ForEach(['1'], 'x', Name('s'), [Stop([])], Name('p'), TextLit(['Next?']), False)"),
    ("for any x in s, next chosen by p.q: stop",
     "ForEach([], 'x', Name('s'), [Stop([])], Attr(Name('p'), 'q'), None, True)"),
    ("repeat 2 times: f()", "Repeat([], IntLit(2), [Do([], Call('f', [], []))])"),
    ("while a, up to 3 times: @1\n  stop", "While(['1'], Name('a'), IntLit(3), [Stop([])])"),
    ("together:\n  f()\n  g()", "Together([], [Do([], Call('f', [], [])), Do([], Call('g', [], []))])"),
    ('p chooses field "?": @1\n  stay "Stay" when a: @2\n    f()\n  go: g() @3',
     ("ChoiceBlock(['1', '2'], Name('p'), 'field', TextLit(['?']), "
     "[Choice('stay', TextLit(['Stay']), Name('a'), [Do([], Call('f', [], []))]), "
     "Choice('go', None, None, [Do(['3'], Call('g', [], []))])])")),
    ("let x = p chooses any of s, with: @1\n  at least 1 from a @2\n  at most n from b\n  total .w at most 4 @3",
     ("Let(['1', '2', '3'], 'x', Choose(Name('p'), None, 'any', None, Name('s')), "
     "[Term('at_least', IntLit(1), Name('a'), ['2']), Term('at_most', Name('n'), Name('b'), []), "
     "Term('total', IntLit(4), Attr(It(), 'w'), ['3'])])")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), EXPRESSIONS)
def test_expression_gives_its_node(text: str, tree: str) -> None:
    """Each form of an expression gives its node."""
    assert expr(text) == tree


@pytest.mark.parametrize(("text", "tree"), STATEMENTS)
def test_statement_gives_its_node(text: str, tree: str) -> None:
    """Each statement gives its node, with the clauses of its line."""
    assert block(text) == f"[{tree}]"


def test_cases_cover_every_node_class() -> None:
    """The cases here cover every class of nodes."""
    text = " ".join(tree for _, tree in EXPRESSIONS + STATEMENTS)
    text += dump(parse_attr(SourceText.plain("int"))) + dump(parse_binding(SourceText.plain("x in s")))
    bases = {"SyntaxNode", "Expr", "Stmt", "DecisionExpr"}
    kinds = {name for name, kind in vars(statements).items() if isinstance(kind, type) and issubclass(kind, SyntaxNode)}
    assert {name for name in kinds - bases if f"{name}(" not in text} == set()


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("unit", "TypeExpr('name', 'unit', [])"),
        ("unit?", "TypeExpr('optional', '', [TypeExpr('name', 'unit', [])])"),
        ("set of unit", "TypeExpr('set', '', [TypeExpr('name', 'unit', [])])"),
        ("list of int?", "TypeExpr('optional', '', [TypeExpr('list', '', [TypeExpr('name', 'int', [])])])"),
        (
            "map of unit to set of area",
            "TypeExpr('map', '', [TypeExpr('name', 'unit', []), TypeExpr('set', '', [TypeExpr('name', 'area', [])])])",
        ),
    ],
)
def test_type_gives_its_node(text: str, tree: str) -> None:
    """Each form of a type gives its node."""
    assert dump(parse_type(SourceText.plain(text))) == tree


def test_declaration_gives_its_node() -> None:
    """Attributes have a type and may have a default; a binding names the elements of a collection."""
    assert dump(parse_attr(SourceText.plain("bool"))) == "AttrDecl(TypeExpr('name', 'bool', []), None)"
    assert dump(parse_attr(SourceText.plain("int = 2 * n"))) == (
        "AttrDecl(TypeExpr('name', 'int', []), Binary('*', IntLit(2), Name('n')))"
    )
    assert dump(parse_binding(SourceText.plain("x in s where .a"))) == (
        "Binding('x', Where(Name('s'), Attr(It(), 'a'), None))"
    )


def test_comments_and_blank_lines_are_ignored() -> None:
    """Comments and blank lines are ignored, at any place and indentation."""
    spaced = "# first\n\nif a:   # why\n      # deep\n\n  f()   @1  # because\n# left\n  g()\n   \n# last"
    assert block(spaced) == block("if a:\n  f() @1\n  g()")


def test_windows_line_ends_are_accepted() -> None:
    """A carriage return before a line feed is part of the line end."""
    assert block("if a:\r\n  f()\r\ng()\r\n") == block("if a:\n  f()\ng()")


def test_block_can_be_indented() -> None:
    """The first line determines the margin of a block."""
    assert block("\n    if a:\n      f()\n    g()") == block("if a:\n  f()\ng()")


def test_brackets_join_lines() -> None:
    """Inside brackets, line ends and indentation are ignored."""
    assert block("f(\na,\n      b   # second\n)\ng()") == block("f(a, b)\ng()")


def test_keywords_are_names_outside_their_context() -> None:
    """Keywords such as `to`, `by` and `up` can be names."""
    assert expr("up - by") == "Binary('-', Name('up'), Name('by'))"
    assert block("move unit to to") == "[Move([], Name('unit'), Name('to'))]"


# ---------------------------------------------------------------- positions
def places(node: object) -> list[Place]:
    """Returns the places of all nodes of a tree, root first."""
    if isinstance(node, tuple):
        return [place for each in node for place in places(each)]
    if not isinstance(node, SyntaxNode):
        return []
    return [node.place] + [place for each in fields(node) for place in places(getattr(node, each.name))]


def test_places_in_a_block_scalar() -> None:
    """In a block scalar, columns in the file include the scalar's indentation."""
    lines = ["if a:", "  set b.c = d"]
    source = SourceText("\n".join(lines), "f.yaml", ((0, 10, 7), (len(lines[0]) + 1, 11, 7)))
    (branch,) = parse_block(source)
    at = [(place.line, place.column) for place in places(branch)]
    assert at == [(10, 7), (10, 10), (11, 9), (11, 15), (11, 13), (11, 19)]
    assert branch.place.file == "f.yaml"


def test_places_in_a_folded_scalar() -> None:
    """In a folded scalar, one line of text maps to several lines of the file."""
    source = SourceText("count(a) + b", "f.yaml", ((0, 4, 9), (9, 5, 9)))
    at = [(place.line, place.column) for place in places(parse_expr(source))]
    assert at == [(4, 9), (4, 9), (4, 15), (5, 11)]


def test_places_in_a_quoted_scalar() -> None:
    """In a quoted scalar, places after an escape are correct."""
    text = 'log "{a} and {b.c}"'
    source = SourceText(text, "f.yaml", ((0, 3, 12), (5, 3, 18), (19, 3, 33)))
    literal = parse_block(source)[0].text  # type: ignore[attr-defined]
    assert [(each.line, each.column) for each in places(literal.parts)] == [(3, 19), (3, 29), (3, 27)]


def test_error_in_braces_has_its_own_place() -> None:
    """An error in the braces of a text is reported at its own character."""
    with pytest.raises(RulesetError) as caught:
        parse_block(SourceText.plain('f()\nlog "so {a b} it is"'))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.place == Place("<text>", 2, 12)


def test_grouped_value_begins_at_bracket() -> None:
    """The place of a node that begins with a bracket is the bracket."""
    assert parse_expr(SourceText.plain(" (a + b) * c")).place.column == 2


# ---------------------------------------------------------------- the grammar's tables
def test_stored_tables_match_grammar() -> None:
    """`grammar.json` matches the grammar; else run `python -m interpreter.language.parsing.lalr_tables`."""
    folder = files("interpreter.language.parsing")
    tables = compile_grammar(folder.joinpath(GRAMMAR).read_text("utf-8"))
    assert folder.joinpath(TABLES).read_text("utf-8") == to_text(tables)
    assert load_tables() == tables


def test_grammar_has_one_known_conflict(caplog: pytest.LogCaptureFixture) -> None:
    """The only conflict of the grammar is whose prompt a text after `agrees to name` is."""
    caplog.set_level("WARNING", logger="lark")
    read_grammar(files("interpreter.language.parsing").joinpath(GRAMMAR).read_text("utf-8"), debug=True)
    messages = [record.getMessage() for record in caplog.records if record.name == "lark"]
    assert messages == [
        "Shift/Reduce conflict for terminal STRING: (resolving as shift)",
        " * <comparison : decider AGREES TO NAME>",
    ]


def test_parsing_does_not_import_lark() -> None:
    """Neither importing the parser nor parsing imports lark."""
    code = (
        "import sys; from interpreter.language.parsing.parse import parse_expr; "
        "from interpreter.language.parsing.source_map import SourceText; "
        "parse_expr(SourceText.plain('a + b')); print('lark' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=DEADLINE)
    assert done.stdout.strip() == "False"


def test_parsing_cost_is_linear() -> None:
    """Twice the text needs at most 2.2 times the executed lines."""
    line = "if any(s where .a = b and not c): set d.e = max(0, f - g)   @8.1.2\n"
    parse_block(SourceText.plain(line))
    few, many = (lines_run(lambda n=n: parse_block(SourceText.plain(line * n))) for n in (50, 100))
    assert many < 2.2 * few
