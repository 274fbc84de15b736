"""Generated hostile rulesets: `REFUSED` at load, `FAULTS` when played, `HARMLESS` ones that load and play."""

from __future__ import annotations

Files = dict[str, bytes]

HEAD = 'ruleset: {id: hostile, title: {en: Hostile}, version: "1.0", engine: ">=0.1 <1"}\n'
KINDS = """
kinds:
  player: {is: seat, members: [one, two]}
  yard: {is: space}
  man: {is: piece, plural: men, in: yard}
individuals: {yard: [field]}
state: {amount: "int = 10", words: 'text = "abcdefgh"', numbers: "list of int"}
"""


def files(text: str | bytes, **others: str) -> Files:
    """Returns a folder with `ruleset.yaml` and optional other documents."""
    main = text.encode() if isinstance(text, str) else text
    return {"ruleset.yaml": main, **{f"{name}.yaml": other.encode() for name, other in others.items()}}


def played(block: str, more: str = "") -> Files:
    """Returns a sound ruleset whose only step runs the rule text."""
    lines = "".join([f"      {line}\n" for line in block.strip("\n").split("\n")])
    return files(f"{HEAD}{KINDS}{more}sequence:\n  game:\n    do: |\n{lines}")


def with_value(expression: str, more: str = "") -> Files:
    """Returns a sound ruleset that evaluates one whole number."""
    return played(f"set amount = {expression}", more)


def on_a_large_grid(block: str, more: str) -> Files:
    """Returns a sound ruleset with 10,000 cells whose only step runs the rule text."""
    made = played(block, more)["ruleset.yaml"].decode()
    cells = "  cell: {is: space, grid: {columns: 100, rows: 100, shape: squares}}\n"
    return files(made.replace("  man:", cells + "  man:", 1))


def _bomb() -> Files:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    return files(HEAD + "\n".join(rows) + "\n")


def _deep_block() -> Files:
    return files(HEAD + "".join([" " * n + "k:\n" for n in range(2_000)]))


def _deep_ifs(depth: int) -> Files:
    block = "".join(["  " * n + "if amount > 0:\n" for n in range(depth)]) + "  " * depth + "set amount = 1"
    return played(block)


def _twin_recursion() -> str:
    return (
        "procedures:\n"
        "  ping: {takes: {depth: int}, do: pong(depth + 1)}\n"
        "  pong: {takes: {depth: int}, do: ping(depth + 1)}\n"
    )


def _chain(number: int, step: str, last: str) -> str:
    """Returns entries `r0` to `r<number>`, each derived from the next by `step` (which contains `{next}`)."""
    return (
        "".join([f"  r{n}: {step.replace('{next}', f'r{n + 1}')}\n" for n in range(number)]) + f"  r{number}: {last}\n"
    )


def _kinds(number: int) -> Files:
    """Returns a ruleset with a chain of sub-kinds."""
    lines = [f"  k{n + 1}: {{is: k{n}}}\n" for n in range(number)]
    return files(HEAD + KINDS.replace("kinds:\n", f"kinds:\n  k0: {{is: thing}}\n{''.join(lines)}"))


def _layers(number: int) -> str:
    """Returns a procedure with layers around it, each of which runs the inner one twice."""
    lines = [f"      - {{id: a{n}, instead: {{do: 'return proceed(n) + proceed(n)'}}}}\n" for n in range(number)]
    head = "procedures:\n  wrapped:\n    takes: {n: int}\n    gives: int\n    do: return n\n"
    return f"{head}    around:\n{''.join(lines)}"


def _drawn(columns: int, rows: int, *grids: str) -> Files:
    """Returns a ruleset with a grid of spaces and layers of these drawings, each a value that no other layer sets."""
    size = f"columns: {columns}, rows: {rows}, shape: squares, ids: 'h{{column:3}}_{{row:3}}'"
    has = ", ".join([f"a{n}: int = 0" for n in range(len(grids))])
    kinds = KINDS.replace("  man:", f"  cell: {{is: space, grid: {{{size}}}, has: {{{has}}}}}\n  man:", 1)
    layers = "".join(
        [
            f"  l{n}:\n    of: cell\n    sets: a{n}\n    grid: |\n"
            + "".join([f"      {row}\n" for row in grid.split("\n")])
            for n, grid in enumerate(grids)
        ]
    )
    return files(f"{HEAD}{kinds}layers:\n{layers}sequence: {{game: {{do: tie}}}}\n")


def _marks(mark: str) -> str:
    """Returns the drawing of a layer of 100 columns and rows with one mark."""
    return "\n".join(
        ["row | " + " ".join(map(str, range(1, 101)))] + [f"{n} | " + " ".join([mark] * 100) for n in range(1, 101)]
    )


def _long_table(number: int) -> str:
    """Returns a table of 9,000 equal rows."""
    rows = "      x | 1\n" * 9_000
    return f"  t{number}:\n    keys: {{n: int}}\n    gives: int\n    grid: |\n      n | 1\n{rows}"


def _victory(texts: str, more: str = "") -> Files:
    """Returns a sound ruleset with a condition of victory that has these texts."""
    return played("set amount += 1", f"victory:\n  v:\n    takes: {{player: player}}\n    says: x\n{texts}{more}")


def _window(keys: str, reaction: str) -> Files:
    """Returns a sound ruleset whose only step opens a window, with a reaction that everybody takes where it can."""
    window = f"windows:\n  opened: {{each: {{player: player}}, order: players, {keys}}}\n"
    actions = f"actions:\n  react: {{menu: opened, do: '{reaction}'}}\n"
    return played("opened()", window + actions)


def _menu(pick: str) -> str:
    """Returns a menu with one action and its picks."""
    action = f"actions: {{act: {{menu: orders, pick: {{{pick}}}, do: set amount = a + b}}}}"
    return f"menus: {{orders: {{takes: {{player: player}}}}}}\n{action}\n"


REFUSED: dict[str, Files] = {
    "alias_bomb": _bomb(),
    "merge_key": files(HEAD + "state: {<<: {a: int}}\n"),
    "python_tag": files(HEAD + 'state: !!python/object/apply:os.system ["true"]\n'),
    "flow_10000_deep": files(HEAD + "state: " + "[" * 10_000 + "]" * 10_000 + "\n"),
    "flow_mapping_10000_deep": files(HEAD + "state: " + "{a: " * 10_000 + "}" * 10_000 + "\n"),
    "block_2000_deep": _deep_block(),
    "includes_itself": files(HEAD + "include: [ruleset.yaml]\n"),
    "includes_in_a_ring": files(
        HEAD + "include: [one.yaml]\n", one="include: [two.yaml]\n", two="include: [one.yaml]\n"
    ),
    "includes_above": files(HEAD + "include: [../../../../../../etc/passwd]\n"),
    "includes_absolute": files(HEAD + "include: [/etc/passwd]\n"),
    "includes_a_device": files(HEAD + "include: [/dev/zero]\n"),
    "giant_text": files(HEAD + "state: {a: '" + "x" * 1_000_000 + "'}\n"),
    "giant_file": files(HEAD + "# " + "x" * 6_000_000 + "\n"),
    "many_values": files(HEAD + "state: [" + "0, " * 310_000 + "0]\n"),
    "nul_bytes": files(HEAD.encode() + b"state: {a: 'x\0y'}\n"),
    "nul_escape": files(HEAD + 'constants: {a: {value: "\\0"}}\n'),
    "utf_16": files((HEAD + KINDS).encode("utf-16")),
    "not_utf_8": files(HEAD.encode() + b"# \xff\xfe\xfd\n"),
    "not_yaml": files(HEAD + "state: {a: [}\n"),
    "empty": files(""),
    "brackets_3000_deep": with_value("(" * 3_000 + "1" + ")" * 3_000),
    "minus_3000_deep": with_value("-" * 3_000 + "1"),
    "not_3000_deep": played("if " + "not " * 3_000 + "true: set amount = 1"),
    "ifs_300_deep": _deep_ifs(300),
    "giant_number": with_value("9" * 5_000),
    "absurd_dice": with_value("one rolls 999999999d6"),
    "absurd_faces": with_value("one rolls 1d999999999999"),
    "absurd_grid": files(
        HEAD
        + "kinds:\n  player: {is: seat, members: [one]}\n"
        + "  square: {is: space, grid: {columns: 999999, rows: 999999, shape: squares}}\n"
        + "sequence: {game: {do: tie}}\n"
    ),
    "absurd_counters": files(
        HEAD + KINDS + "pieces: {man: [{id: man, count: 999999999, at: field}]}\nsequence: {game: {do: tie}}\n"
    ),
    "doubling_constants": with_value("r0", f"constants:\n{_chain(40, '{value: {next} + {next}}', '{value: 1}')}"),
    "doubling_texts": played(
        'log "{r0}"', "constants:\n" + _chain(40, "{value: '\"{{next}}{{next}}\"'}", "{value: 1}")
    ),
    "constants_2000_deep": with_value("r0", f"constants:\n{_chain(2_000, '{value: {next} + 1}', '{value: 1}')}"),
    "procedures_2000_deep": played("r0()", f"procedures:\n{_chain(2_000, '{do: {next}()}', '{do: set amount = 1}')}"),
    "definitions_2000_deep": with_value(
        "r0(1)",
        "definitions:\n"
        + _chain(2_000, "{takes: {n: int}, gives: int, is: {next}(n) + 1}", "{takes: {n: int}, is: n}"),
    ),
    "kinds_400_deep": _kinds(400),
    "kinds_3000": _kinds(3_000),
    "procedures_8000": played(
        "p1()", "procedures:\n" + "".join([f"  p{n}: {{do: set amount = {n}}}\n" for n in range(8_000)])
    ),
    "state_60000": files(HEAD + "state: {" + ", ".join([f"a{n}: itn" for n in range(60_000)]) + "}\n"),
    "unknown_keys_30000": files(HEAD + "".join([f"key{n}: 1\n" for n in range(30_000)])),
    "grids_in_all": files(
        HEAD
        + "kinds:\n  player: {is: seat, members: [one]}\n"
        + "".join([f"  s{n}: {{is: space, grid: {{columns: 99, rows: 99, shape: squares}}}}\n" for n in range(200)])
    ),
    "layers_in_all": _drawn(100, 100, *[_marks("1")] * 30),
    "layer_of_wrong_marks": _drawn(100, 100, *[_marks("x")] * 10),
    "layer_of_long_numbers": _drawn(9, 9, "row | 1\n1 | " + "9" * 5_000),
    "layer_off_the_board": _drawn(9, 9, "row | " + " ".join([f"c{n}" for n in range(20_000)])),
    "layer_drawn_twice": _drawn(9, 9, "row | 1\n" + "\n".join(["1 | 1"] * 20_000)),
    "tables_in_all": files(HEAD + KINDS + "tables:\n" + "".join([_long_table(n) for n in range(30)])),
    "counters_in_all": files(
        HEAD + KINDS + "pieces: {man: [" + ", ".join([f"{{id: m{n}, count: 999}}" for n in range(1_000)]) + "]}\n"
    ),
    "unclosed_text": played('log "x'),
    "braces_in_braces": played('log "' + "{" * 2_001 + '"'),
    "dunder_attribute": with_value("one.__class__"),
    "dunder_globals": with_value("one.__init__.__globals__"),
    "private_slot": with_value("one.kind"),
    "python_call": with_value('__import__("os")'),
    "python_eval": with_value('eval("1")'),
}

FAULTS: dict[str, Files] = {
    "endless_while": played("while amount > 0, up to 999999999999 times: set amount += 1"),
    "endless_repeat": played("repeat 999999999999 times: set amount = 1"),
    "nested_repeats": played("repeat 100000 times:\n  repeat 100000 times: set amount = 1"),
    "endless_definition": with_value(
        "deeper(1)", "definitions: {deeper: {takes: {depth: int}, gives: int, is: deeper(depth + 1)}}\n"
    ),
    "branching_definition": with_value(
        "wider(60)",
        "definitions:\n  wider:\n    takes: {depth: int}\n    gives: int\n"
        "    is: 1 if depth < 1 else wider(depth - 1) + wider(depth - 1)\n",
    ),
    "endless_procedure": played("deeper(1)", "procedures: {deeper: {takes: {depth: int}, do: deeper(depth + 1)}}\n"),
    "endless_pair": played("ping(1)", _twin_recursion()),
    "dice_without_number": played("let thrown = one rolls 999999999 dice of d6\nset amount = sum(thrown)"),
    "text_doubling": played('repeat 200 times: set words = "{words}{words}"'),
    "list_doubling": played("set numbers = [1, 2]\nrepeat 200 times: set numbers = numbers + numbers"),
    "squaring": played("repeat 200 times: set amount = amount * amount"),
    "multiplying": played("repeat 1000000 times: set amount = amount * 999999999999"),
    "giant_range": played("set amount = sum(1..999999999999)"),
    "giant_product": played(
        "set amount = count(1..3000 where any(1..3000 as y where any(1..3000 as z where z = 0 - y - it)))"
    ),
    "endless_pieces": played("repeat 999999999 times: new man(at: field)"),
    "endless_log": played('repeat 999999999 times: log "again and again"'),
    "endless_spread": played(
        "let share = one spreads 999999999 over {field} at most 999999999 each\nset amount = share[field]"
    ),
    "nothing_to_choose": played("let chosen = one chooses one of men\nremove chosen"),
    "by_zero": played("set amount = (amount / (amount - amount)) rounded down"),
    "endless_sequence": files(HEAD + KINDS + 'sequence: {game: {repeat: 999999999, do: "set amount = 1"}}\n'),
    "endless_each": files(
        HEAD + KINDS + 'sequence: {game: {each: number in 1..999999999, do: "set amount = number"}}\n'
    ),
    "endless_default": files(
        HEAD
        + KINDS.replace('amount: "int = 10"', 'amount: "int = deeper(1)"')
        + "definitions: {deeper: {takes: {depth: int}, gives: int, is: deeper(depth + 1)}}\n"
        + "sequence: {game: {do: tie}}\n"
    ),
    "doubling_calls": with_value(
        "r0(1)",
        "procedures:\n"
        + _chain(
            40,
            '{takes: {n: int}, gives: int, do: "return {next}(n) + {next}(n)"}',
            '{takes: {n: int}, gives: int, do: "return n + amount"}',
        ),
    ),
    "doubling_layers": with_value("wrapped(1)", _layers(40)),
    "endless_picks": played("one must take orders(one)", _menu("a: 1..9000, b: 1..9000 where it + a < 0")),
    "endless_options": played("one must take orders(one)", _menu("a: 1..9000, b: 1..9000 where it > 8999")),
    "slow_passes": played("repeat 100000 times: set amount = count(1..9999 where it * 2 > 3)"),
    "slow_lines": played(
        "repeat 100000 times:\n" + "\n".join(["  set amount = count(1..9999 where it * 2 > 3)"] * 700)
    ),
    "slow_calls": played(
        "for each n in 1..9999: set amount = slow(n)",
        "definitions:\n  slow:\n    takes: {n: int}\n    gives: int\n    do: |\n      let x = n\n"
        + "      set x = x + 1\n" * 2_000
        + "      return x\n",
    ),
    "sums_in_a_filter": played(
        "let all_of = 1..9999 by -it\nrepeat 100 times: set amount = count(1..9999 where sum(all_of) = it)"
    ),
    "look_ups_in_a_list": played(
        "let all_of = 1..9999 by -it\nrepeat 100 times: set amount = count(1..9999 where it + 9999 in all_of)"
    ),
    "lists_compared": played(
        "let one_way = 1..9999 by -it\nlet other_way = 1..9999 by -it\n"
        "repeat 1000 times: set amount = count(1..9999 where one_way = other_way)"
    ),
    "growing_fraction": played("let x = 1 / 3\nrepeat 1000 times: set x = x * x + 1 / 7\nset amount = x rounded down"),
    "growing_list": played(
        "repeat 900000 times:\n  for each n in 1..9000: set numbers = numbers + [n]\n  set numbers = []"
    ),
    "many_picks": played("repeat 1000 times: let some = random 9000 of 1..9999"),
    "shares_under_terms": played(
        "let share = one spreads 9000 over 1..9999 at most 2 each, with:\n  at least 5000 from 1..9000 where it > 3\n"
        "  total it at most 90000000\n"
        "set amount = share[1]"
    ),
    "choice_under_terms": played(
        "let some = one chooses any of 1..9999, with:\n  at least 5000 from 1..9000 where it > 3\n"
        "  total it at most 900000\nset amount = count(some)"
    ),
    "endless_rounds": _window("rounds: 999999999, times: 999999999", "set amount += 1"),
    "endless_order": played(
        "opened()",
        "windows: {opened: {each: {n: int}, seat: one, order: 1..999999}}\n"
        "actions: {react: {menu: opened, do: set amount += 1}}\n",
    ),
    "endless_standing": _victory(
        "    value: deeper(1)\n",
        "definitions: {deeper: {takes: {depth: int}, gives: int, is: deeper(depth + 1)}}\n",
    ),
    "slow_standing": _victory("    value: sum(1..9999 each count(1..9999 where it * 2 > 3))\n"),
    "endless_supposition": played(
        "set amount = supposed(1)",
        "definitions: {supposed: {takes: {depth: int}, gives: int, is: supposed(depth) after deeper(depth)}}\n"
        "procedures: {deeper: {takes: {depth: int}, do: set amount = supposed(depth + 1)}}\n",
    ),
}

FAULTS |= {
    "all_distances": on_a_large_grid(
        "set amount = sum(cells each far(it))",
        'definitions: {far: {takes: {cell: cell}, gives: int, is: "sum(cells each distance(it, cell))"}}\n',
    ),
}

_NAMES = (
    "__import__", "__builtins__", "eval", "exec", "self", "None", "True", "class", "lambda", "def", "import", "yield",
    "globals", "print", "G", "A", "W", "JA", "T", "place", "tick", "object", "type", "async", "__class__", "__dict__",
)  # fmt: skip


def _named(name: str) -> Files:
    """Returns a ruleset that uses one name for everything that can have it."""
    return files(
        f"{HEAD}kinds:\n"
        "  player: {is: seat, members: [one, two]}\n"
        f'  yard: {{is: space, has: {{"{name}": "int = 1"}}}}\n'
        f"individuals: {{yard: [field]}}\n"
        f'state: {{"{name}": "int = 1"}}\n'
        f'definitions: {{"yard.{name}s": {{gives: int, is: "yard.{name} + {name}"}}}}\n'
        f'procedures: {{"do_{name}": {{takes: {{"{name}_": int}}, gives: int, do: "return {name}_ + {name}"}}}}\n'
        f'sequence: {{game: {{do: "set {name} = do_{name}(field.{name}s)"}}}}\n'
    )


HARMLESS: dict[str, Files] = {
    "window_in_itself": _window("nested: 999999999", "opened()"),
    "standing_of_many": played(
        "set amount += 1",
        "victory:\n"
        + "".join(
            [
                f"  v{n}:\n    says: x\n    takes: {{player: player}}\n    value: count(1..9999 where it * 2 > 3)\n"
                for n in range(300)
            ]
        ),
    ),
    **{f"named_{name}": _named(name) for name in _NAMES},
    "brackets_100_deep": with_value("(" * 100 + "1" + ")" * 100),
    "minus_100_deep": with_value("-" * 100 + "1"),
    "sum_of_2000_terms": with_value(" + ".join(["1"] * 2_000)),
    "list_of_20000": with_value("count([" + ", ".join(["1"] * 20_000) + "])"),
    "ifs_60_deep": _deep_ifs(60),
    "lines_20000": played("set amount += 1\n" * 20_000),
    "texts_in_texts": played('log "{' + "1 + " * 500 + '1}"'),
    "format_strings": played('log "{amount} %s %n ${amount} {words}"'),
}
