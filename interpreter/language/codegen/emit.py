"""Code generation for a checked program: units of Python by variant, and the image that play reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

from interpreter.language.checking.check import store
from interpreter.language.checking.types.value_readers import UNFIT, ValueReaders
from interpreter.language.codegen.analysis.rule_facts import facts_of, sites_of
from interpreter.language.codegen.core.context import CodeContext, Emission, Sites
from interpreter.language.codegen.core.dispatch import value
from interpreter.language.codegen.core.literals import stored_text
from interpreter.language.codegen.functions.entry_points import (
    Heading,
    action,
    default,
    default_name,
    menu,
    never_holds,
    step,
    table,
    view,
)
from interpreter.language.codegen.functions.functions import definition, function, modifiers, procedure, restrictions
from interpreter.language.codegen.search.cut_finder import cut_finder
from interpreter.language.codegen.search.plain import search
from interpreter.language.codegen.writers import calls as emit_calls
from interpreter.language.codegen.writers import collections as emit_collections
from interpreter.language.codegen.writers import decisions as emit_asks
from interpreter.language.codegen.writers import scalars as emit_values
from interpreter.language.model.code_reuse import compiled_like
from interpreter.language.model.emitted_names import CELL, INVARIANT, LOCAL, WORD, WORDS
from interpreter.language.model.image import (
    ActionImage,
    AttributeImage,
    EnumImage,
    Image,
    IndividualImage,
    KindImage,
    LinkImage,
    MenuImage,
    PickImage,
    RuleImage,
    StepImage,
    Stored,
    TableImage,
    Unit,
    ViewImage,
    compiled,
    prior_function_name,
)
from interpreter.language.model.kind_hierarchy import Attribute, Kind
from interpreter.language.model.program import (
    Action,
    Axis,
    Definition,
    Individual,
    LinkDeclaration,
    Parameter,
    Procedure,
    Program,
    Step,
    Table,
)
from interpreter.language.tree.statements import Expr

WRITERS = (emit_asks, emit_calls, emit_collections, emit_values)
"""The modules that write nodes; they register themselves when they are imported."""
VARIANTS = ("fast", "traced", "observed", "odds")
"""`observed` is `traced` without inlining: every definition is a function of its own."""


def build_image(program: Program, variant: str | None = "fast") -> Image:
    """The compiled ruleset with one variant of its code, or none yet.

    The program must have passed `check_program`.
    """
    sites = sites_of(program)
    units = () if variant is None else (emit_unit(program, variant),)
    quick = ValueReaders(program)
    return Image(
        name=program.name,
        version=program.version,
        options=_options(program),
        kinds=tuple([_kind(each, program) for each in program.kinds.values()]),
        enums=tuple([EnumImage(each.name, each.words, each.plural) for each in program.enums.values()]),
        individuals=tuple([_individual(each, program, quick) for each in program.individuals.values()]),
        links=tuple(_links(program, quick)),
        cuts=tuple([_ends(each) for each in program.links if each.cuts]),
        state=tuple([_attribute(each.attribute) for each in program.state.values()]),
        tables=tuple([_table(each) for each in program.tables.values()]),
        menus=tuple([_menu(name, program) for name in program.menus]),
        actions=tuple([_action(each, sites) for each in program.actions.values()]),
        rules=tuple([_rule(each) for each in program.definitions.values() if not each.layer_of])
        + tuple([_rule(each) for each in program.procedures.values() if not each.layer_of]),
        views=tuple(_views(program, sites)),
        sequence=_step(program.sequence) if program.sequence is not None else None,
        sites=tuple(sites.all),
        records=tuple(_records(program)),
        indexes=tuple(sorted(facts_of(program).indexes)),
        steady=tuple(_steady(program)),
        evaluation=program.evaluation is not None,
        invariants=tuple(program.invariants),
        units=units,
    )


def image_under_settings(image: Image, program: Program, like: Unit | None) -> Image:
    """The image of a program that differs from that of `image` in settings of options alone.

    It has the same variant of the code as the unit `like` of the other settings, or none yet.
    """
    units = () if like is None else (emit_unit(program, like.variant, like),)
    return replace(image, options=_options(program), views=tuple(_views(program, sites_of(program))), units=units)


def _options(program: Program) -> tuple[tuple[str, Stored], ...]:
    return tuple([(each.name, _option(each.value)) for each in program.options.values()])


def _views(program: Program, sites: Sites) -> Iterator[ViewImage]:
    """The views that can hide anything under the options of the program."""
    emission = _emission(program, "fast", sites)
    for each in program.views.values():
        if not never_holds(each, emission):
            yield ViewImage(each.name, each.kind, each.when is not None, each.seen_by is not None, each.others_see)


def _steady(program: Program) -> Iterator[tuple[str, str]]:
    """The attributes that no rule sets, each with the kind that declares it."""
    changed = facts_of(program).changed
    for kind in program.kinds.values():
        yield from ((kind.name, name) for name, each in kind.attributes.items() if id(each) not in changed)


def emit_unit(program: Program, variant: str, like: Unit | None = None) -> Unit:
    """Generates all rules of a program as one unit of Python; functions that `like` has are not compiled again.

    Raises:
        ValueError: for an unknown variant.
    """
    if variant not in VARIANTS:
        raise ValueError(f"no variant {variant!r}")
    emission = _emission(program, variant, sites_of(program))
    for enum in program.enums.values():
        words = "".join([f"{WORD(enum.name, word)}, " for word in enum.words])
        emission.out.line(f"{WORDS(enum.name)} = ({words})")
    for rule in program.tables.values():
        table(rule, _cell_texts(rule, program), [_headings(axis, rule, program) for axis in rule.axes], emission)
    _emit_rules(program, emission)
    _emit_play(program, emission)
    _write_needed(emission)
    if emission.piece_memo_count:
        size, slots = len(program.kinds) + emission.piece_memo_count, " ".join(sorted(emission.piece_memo_slots))
        emission.out.line(f'keep_inside({size}, "{slots}")')
    return _unit(variant, emission, like)


def _emission(program: Program, variant: str, sites: Sites, rules_of: Program | None = None) -> Emission:
    facts = facts_of(rules_of or program)
    return Emission(program, variant, sites, **{each.name: getattr(facts, each.name) for each in fields(facts)})


def _unit(variant: str, emission: Emission, like: Unit | None = None) -> Unit:
    source = emission.out.text
    code = compiled(source) if like is None else compiled_like(source, like)
    return Unit(variant, source, tuple(emission.out.places), code)


def _emit_rules(program: Program, emission: Emission) -> None:
    for rule in program.definitions.values():
        definition(rule, emission)
    for modifier in program.modifiers.values():
        modifiers(modifier, emission)
    for restriction in program.restrictions.values():
        restrictions(restriction, emission)
    for finder in program.searches.values():
        search(finder, emission)
        cut_finder(finder, emission)
    for happening in program.procedures.values():
        procedure(happening, emission)


def _emit_play(program: Program, emission: Emission) -> None:
    for each in program.menus.values():
        menu(each, emission)
    for act in program.actions.values():
        action(act, emission)
    if program.sequence is not None:
        step(program.sequence, emission)
    for seen in program.views.values():
        view(seen, emission)
    if program.evaluation is not None:
        takes = ", ".join([LOCAL(each.name) for each in program.evaluation.takes])
        _whole(f"def evaluate({takes}):", program.evaluation, emission)
    for prior in program.priors.values():
        _prior(prior, emission)
    for name, rule in program.invariants.items():
        _whole(f"def {INVARIANT(name)}():", rule, emission)
    for kind in program.kinds.values():
        for attribute in kind.attributes.values():
            default(attribute, emission)
    for state in program.state.values():
        default(state.attribute, emission)


def _prior(rule: Definition, emission: Emission) -> None:
    """Writes a function of the seat and the option, of which the rule may take either."""
    takes = [LOCAL(each.name) for each in rule.takes]
    takes += ["_seat", "_option"][len(takes) :]
    _whole(f"def {prior_function_name(rule.name)}({', '.join(takes)}):", rule, emission)


def _whole(header: str, rule: Definition, emission: Emission) -> None:
    with emission.out.at(rule.place):
        function(header, rule.value, rule.body, CodeContext(emission, rule.key))


def emit_expression(
    program: Program, expr: Expr, scope: tuple[Parameter, ...], variant: str = "fast", subject: Parameter | None = None
) -> Unit:
    """A checked expression as a function `ad_hoc(scope…)`, to be run in the namespace of a game of the program.

    `subject` is what a leading dot means, as in a computed attribute. The expression may call anything, and is a
    generator function if what it calls asks; decisions and rolls of its own have no site there and are refused by an
    assertion.
    """
    return emit_expressions(program, {"ad_hoc": (expr, scope)}, variant, subject=subject)


def emit_expressions(
    program: Program,
    named: Mapping[str, tuple[Expr, tuple[Parameter, ...]]],
    variant: str = "fast",
    rules_of: Program | None = None,
    subject: Parameter | None = None,
) -> Unit:
    """Several checked expressions, each as a function of its name, in one unit; else as `emit_expression`.

    `rules_of` is a program with the same rules, where one is at hand for many calls: what is known of it is kept.
    """
    emission = _emission(program, variant, Sites(), rules_of)
    emission.is_ad_hoc = True
    for name, (expr, scope) in named.items():
        takes = ", ".join([LOCAL(each.name) for each in scope])
        with emission.out.at(expr.place), emission.out.block(f"def {name}({takes}):"):
            cx = CodeContext(emission, "expression", it=None if subject is None else LOCAL(subject.name))
            emission.out.line(f"return {value(expr, cx)}")
    _write_needed(emission)
    return _unit(variant, emission)


def _write_needed(emission: Emission) -> None:
    """Writes each needed helper function once, including those that helpers need."""
    written: set[str] = set()
    while emission.needed:
        for name in list(emission.needed):
            write = emission.needed.pop(name)
            if name not in written:
                written.add(name)
                write()


# ---------------------------------------------------------------- tables
def _headings(axis: Axis, rule: Table, program: Program) -> list[Heading]:
    found: list[Heading] = []
    for heading, ranged in zip(axis.headings, axis.is_range, strict=True):
        if ranged and isinstance(heading, tuple):
            found.append(heading)
        else:
            found.append(store(program, heading, axis.parameter.type, rule.place))
    return found


def _record_name(rule: Table, position: tuple[int, ...]) -> str:
    return CELL(rule.name, *map(str, position))


def _cell_texts(rule: Table, program: Program) -> dict[tuple[int, ...], str]:
    texts = {}
    for position, cell in rule.cells.items():
        if isinstance(cell.value, dict):
            texts[position] = _record_name(rule, position)
        else:
            texts[position] = stored_text(store(program, cell.value, rule.type, cell.place))
    return texts


def _records(program: Program) -> list[tuple[str, Stored]]:
    found: list[tuple[str, Stored]] = []
    for rule in program.tables.values():
        for position, cell in rule.cells.items():
            if isinstance(cell.value, dict):
                found.append((_record_name(rule, position), store(program, cell.value, rule.type, cell.place)))
    return found


def _table(rule: Table) -> TableImage:
    axes = []
    for axis in rule.axes:
        labels = tuple([_label(each, ranged) for each, ranged in zip(axis.headings, axis.is_range, strict=True)])
        axes.append((axis.parameter.name, labels))
    cells = tuple([(position, cell.text, cell.standing) for position, cell in rule.cells.items()])
    return TableImage(rule.name, rule.cites, tuple(axes), cells, rule.place)


def _label(heading: object, ranged: bool) -> str:
    if ranged and isinstance(heading, tuple):
        low, high = ["" if each is None else str(each) for each in heading]
        return f"{low}..{high}"
    return str(heading)


# ---------------------------------------------------------------- kinds and individuals
def _option(setting: object) -> Stored:
    return setting if isinstance(setting, bool | int | str) or setting is None else str(setting)


def _attribute(attribute: Attribute) -> AttributeImage:
    return AttributeImage(attribute.name, str(attribute.type), default_name(attribute))


def _kind(kind: Kind, program: Program) -> KindImage:
    grid = next((each.grid for each in program.lineage(kind.name) if each.grid is not None), None)
    return KindImage(
        kind.name,
        kind.root,
        kind.parent,
        kind.plural,
        tuple([_attribute(each) for each in kind.attributes.values()]),
        _contents(kind, program),
        grid.layout if grid is not None else None,
        kind.between,
    )


def _contents(kind: Kind, program: Program) -> tuple[str, ...]:
    """The root piece kinds that can be directly in a thing of this kind."""
    roots = []
    for piece in program.kinds.values():
        if piece.root != "piece":
            continue
        for holder in program.holders(piece.name):
            if program.is_a(kind.name, holder):
                root = program.lineage(piece.name)[-1].name
                if root not in roots:
                    roots.append(root)
    return tuple(roots)


def _individual(individual: Individual, program: Program, quick: ValueReaders) -> IndividualImage:
    values = _values(individual.kind, individual, program, quick)
    at = None
    if individual.at is not None:
        at = _holder(individual.kind, individual.at, program)
    return IndividualImage(individual.kind, individual.name, values, at, individual.column, individual.row)


def _values(
    kind: str, owner: Individual | LinkDeclaration, program: Program, quick: ValueReaders
) -> tuple[tuple[str, Stored], ...]:
    values = []
    readers = quick.readers(kind)
    for name, datum in owner.values.items():
        if name in readers:
            stored = readers[name](datum)
            if stored is UNFIT:
                stored = store(program, datum, program.attributes(kind)[name].type, owner.place)
            values.append((name, stored))
    return tuple(values)


def _holder(kind: str, name: str, program: Program) -> tuple[str, str] | None:
    holders = program.holders(kind)
    for held in program.kinds:
        if (held, name) in program.individuals and any(program.is_a(held, each) for each in holders):
            return held, name
    return None


def _links(program: Program, quick: ValueReaders) -> list[LinkImage]:
    return [
        LinkImage(each.kind, _ends(each), _values(each.kind, each, program, quick) if each.kind is not None else ())
        for each in program.links
        if not each.cuts
    ]


def _ends(link: LinkDeclaration) -> tuple[tuple[str, str], tuple[str, str]]:
    (one, two), (kind, other) = link.ends, link.end_kinds
    return (kind, one), (other, two)


# ---------------------------------------------------------------- rules
def _menu(name: str, program: Program) -> MenuImage:
    rule = program.menus[name]
    actions = tuple([each.name for each in program.actions.values() if each.menu == name])
    return MenuImage(name, tuple([each.name for each in rule.takes]), actions, rule.cites, rule.prompt)


def _action(rule: Action, sites: Sites) -> ActionImage:
    picks = [PickImage(each.parameter.name, each.prompt, sites.by_owner[id(each)].number) for each in rule.picks]
    return ActionImage(rule.name, rule.menu, tuple(picks), rule.cites, rule.effects.asks)


def _rule(rule: Definition | Procedure) -> RuleImage:
    takes = tuple([(each.name, str(each.type)) for each in rule.takes])
    procedure_ = rule if isinstance(rule, Procedure) else None
    return RuleImage(
        rule.name,
        rule.section,
        takes,
        str(rule.gives),
        rule.cites,
        procedure_ is not None and procedure_.effects.asks,
        tuple(procedure_.outcomes) if procedure_ is not None else (),
        rule.place,
    )


def _step(rule: Step) -> StepImage:
    return StepImage(
        rule.name,
        rule.cites,
        tuple([each.name for each in rule.scope]),
        rule.when is not None,
        rule.each is not None,
        rule.repeat is not None,
        rule.until is not None,
        bool(rule.body),
        rule.effects.asks,
        tuple([_step(each) for each in rule.steps]),
        rule.horizon,
    )
