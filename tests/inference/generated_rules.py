"""Rulesets made by chance, to compute their odds in two ways: procedures roll, ask, move, make and call one another."""

from __future__ import annotations

from random import Random

BOARD = """\
ruleset: {id: meeting, title: Courses that meet, version: "1"}
include: [rules.yaml]
kinds:
  side: {is: seat, members: [red, blue], has: {points: "int = 0"}}
  place: {is: space, has: {lord: "side?", weight: "int = 1"}}
  unit: {is: piece, in: [place, stack], has: {owner: side, steps: "int = 2", tired: "bool = false"}}
  stack: {is: piece, in: place, has: {flag: "side?", worth: "int = 0"}}
  toll: {is: record, has: {spent: "int = 0", by: "side?", of: "unit?"}}
individuals:
  place: {a: {lord: red}, b: {weight: 2}, c: {lord: blue}}
links:
  ring: {of: place, between: [[a, b], [b, c]]}
pieces:
  stack: [{id: pile, at: a, flag: red}]
  unit:
    - {id: red, count: 2, owner: red, at: pile}
    - {id: blue, count: 2, owner: blue, at: c}
state: {turn: "int = 0", last: "toll?", marked: "set of place", counts: "map of unit to int"}
tables:
  toll_table: {keys: {die: int}, gives: int, clamp: true, grid: "die | 1 2..3 4..5 6..\\nhits | 0 1 1 2"}
sequence: {game: {do: set turn += 0}}
definitions:
  strength: {takes: {place: place}, gives: int, is: sum(place.units each .steps)}
  strongest: {takes: {side: side}, gives: "unit?", is: first(units where .owner = side by -.steps)}
procedures:
  weaken:
    takes: {unit: unit, number: int}
    do: |
      set unit.steps -= number
      if unit.steps <= 0: remove unit
  pay:
    takes: {side: side}
    gives: toll
    do: |
      let made = new toll(by: side, spent: turn)
      set last = made
      return made
"""
PLACES = ("a", "b", "c")
SIDES = ("red", "blue")


class Writer:
    """Writes procedures line by line; each may call those that were written before it."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.names = 0
        self.written: list[tuple[str, bool]] = []

    def rules(self, number: int) -> str:
        """A number of procedures, the last with outcomes."""
        lines = ["procedures:"]
        for count in range(number):
            gives = self.chance.random() < 0.5
            name = f"deed_{count}"
            lines += [f"  {name}:", '    takes: {unit: "unit?", worth: int}']
            if gives:
                lines.append("    gives: int")
            body = self.block(3, ["worth"], loop=False)
            if gives:
                body.append(f"return {self.number(['worth'])}")
            lines += ["    do: |", *[f"      {each}" for each in body]]
            self.written.append((name, gives))
        lines += ["  whole:", "    gives: int", "    do: |"]
        lines += [f"      {each}" for each in self.block(2, [], loop=False, unit="first(units)")]
        lines += ["      return turn", "    outcomes:", "      turn: turn"]
        lines += ["      red: sum(units where .owner = red each .steps)", "      here: count(a.units)"]
        lines += ['      last: "(last.spent otherwise 0) + red.points - blue.points"', "      marked: count(marked)"]
        return "\n".join(lines) + "\n"

    def fresh(self) -> str:
        """A name that nothing bears."""
        self.names += 1
        return f"x{self.names}"

    def number(self, names: list[str]) -> str:
        """A number that hangs on something."""
        some = ["turn", "strength(b)", "count(units where .tired)", "red.points", "blue.points", "count(a.units)"]
        return self.chance.choice([*some, "(last.spent otherwise 1)", "count(stacks)", *names, *names, "1", "2"])

    def condition(self, names: list[str]) -> str:
        """Something that holds or does not."""
        number = self.number(names)
        return self.chance.choice(
            [
                f"{number} > {self.chance.randint(0, 3)}",
                f"{number} = {self.chance.randint(0, 2)}",
                f"any({self.chance.choice(PLACES)}.units where .steps > 1)",
                f"{self.chance.choice(PLACES)} in marked",
                f"(red rolls 1d6) > {self.chance.randint(2, 5)}",
                f'(red agrees to answer{self.fresh()} "Well?")',
            ]
        )

    def block(self, depth: int, names: list[str], *, loop: bool, unit: str = "unit") -> list[str]:
        """Some lines; what they name is known until they end."""
        names, found = list(names), []
        for _ in range(self.chance.randint(1, 4)):
            found += self.line(depth, names, loop=loop, unit=unit)
        return found

    def line(self, depth: int, names: list[str], *, loop: bool, unit: str) -> list[str]:
        """One line, or one with a block under it."""
        chance = self.chance
        place, side = chance.choice(PLACES), chance.choice(SIDES)
        one = chance.choice([f"first({place}.units)", f"strongest({side})", unit])
        name = self.fresh()
        simple = [
            [f"set turn += {self.number(names)}", "if turn > 4: set turn = 0"],
            [f"set {side}.points += 1", f"if {side}.points > 2: set {side}.points = 0"],
            [f"set marked = {{{place}}}"],
            [f"for each {name} in {place}.units: set {name}.tired = {chance.choice(['true', 'false'])}"],
            [f"let {name} = {one}", f"if {name} != none: move {name} to {place}"],
            [f"let {name} = {one}", f"if {name} != none: weaken({name}, 1)"],
            [
                f"let {name} = pay({side})",
                f"set {name}.spent += {self.number(names)}",
                f"if {name}.spent > 3: set last = none",
            ],
            [f"let {name} = toll_table[blue rolls 1d6]", f"set {side}.points = {name}"],
            [f"let {name} = red rolls 2 dice of d6", f"set turn = count({name} where it > 4)"],
            [f"let {name} = random one of units where .steps > 0", f"set {name}.tired = true"],
            [f"let {name} = red rolls 1d3", f"set turn = {name} - 1"],
            [f"let {name} = first(stacks)", f"if {name} != none: move {name} to {place}"],
            [
                "if count(stacks) < 3:",
                f"  let {name} = new stack(flag: {side}, worth: {self.number(names)}, at: {place})",
                f"  let {name}b = first({place}.units)",
                f"  if {name}b != none: move {name}b to {name}",
            ],
        ]
        kind = chance.random()
        if self.written and kind < 0.25:
            called, gives = chance.choice(self.written)
            call = f"{called}({{}}, {self.number(names)})"
            who = self.fresh()
            start = [f"let {who} = {one}", f"if {who} != none:"]
            if gives and chance.random() < 0.6:
                return [
                    *start,
                    f"  let {name} = {call.format(who)}",
                    f"  set turn = {name}",
                    "  if turn > 4: set turn = 1",
                ]
            return [*start, f"  {call.format(who)}"]
        if depth == 0 or kind < 0.62:
            lines = chance.choice(simple)
            if lines[0].startswith("let ") and "dice" not in lines[0] and "rolls" in lines[0]:
                names.append(name)
            return lines
        deeper = [f"  {each}" for each in self.block(depth - 1, names, loop=loop or kind > 0.8, unit=unit)]
        if kind < 0.75:
            found = [f"if {self.condition(names)}:", *deeper]
            if chance.random() < 0.4:
                found += ["else:", *[f"  {each}" for each in self.block(depth - 1, names, loop=loop, unit=unit)]]
            return found
        if kind < 0.8:
            return ["together:", *deeper]
        if loop and chance.random() < 0.4:
            deeper.append("  stop")
        if kind < 0.88:
            return [f"repeat {chance.randint(1, 2)} times:", *deeper]
        if kind < 0.94:
            return [f"while {self.condition(names)}, up to 2 times:", *deeper]
        return [f"for each {name} in {place}.units:", *deeper]
