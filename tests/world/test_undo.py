"""Random series of changes, compared with a naive model."""

from __future__ import annotations

from hashlib import blake2b

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from worlds_by_hand import AREAS, area_world

from interpreter.language.diagnostics import RuleFault
from interpreter.language.model.emitted_names import BY
from interpreter.world.things import Piece

NUMBERS = st.integers(0, 30)


class Changes(RuleBasedStateMachine):
    """Moves, sets, creates, rolls back, commits, dumps and resets at random."""

    @initialize()
    def begin(self):
        self.world = area_world()
        self.start = self.world.canonical()
        self.naive = {each.ref: each.at and each.at.ref for each in self.pieces()}
        self.marks = [(0, self.start, dict(self.naive))]
        self.dumps = []

    def pieces(self):
        return [each for each in self.world.objects if isinstance(each, Piece)]

    def piece(self, number):
        return self.pieces()[number % len(self.pieces())]

    def holder(self, number):
        choices = [None, *[self.world.find("area", each) for each in AREAS], *self.world.objects]
        return choices[number % len(choices)]

    @rule(what=NUMBERS, where=NUMBERS)
    def place(self, what, where):
        piece, holder = self.piece(what), self.holder(where)
        try:
            self.world.place(piece, holder)
        except RuleFault:
            assert holder is not None
            holds = holder.kind in ("area", "box", "unit")
            up = holder
            while isinstance(up, Piece) and up is not piece:
                up = up.at
            assert not holds or up is piece
        else:
            self.naive[piece.ref] = holder and holder.ref

    @rule(what=NUMBERS, value=st.integers(-5, 5))
    def change(self, what, value):
        units = [each for each in self.pieces() if each.kind == "unit"]
        unit = units[what % len(units)]
        self.world.journal.append((unit, "a_steps", unit.a_steps))
        unit.a_steps = value

    @rule(what=NUMBERS)
    def give_order(self, what):
        leader = self.world.find("leader", "Marshal")
        order = self.world.create("order", {"goal": self.world.find("area", AREAS[what % 4]), "after": leader.a_order})
        self.world.journal.append((leader, "a_order", leader.a_order))
        leader.a_order = order

    @rule(where=NUMBERS)
    def create(self, where):
        holder = self.world.find("area", AREAS[where % 4])
        side = self.world.find("side", "red" if where % 2 else "blue")
        piece = self.world.create("unit", {"steps": where, "side": side}, holder)
        self.naive[piece.ref] = holder.ref

    @rule()
    def mark(self):
        self.marks.append((self.world.mark(), self.world.canonical(), dict(self.naive)))

    @rule(which=NUMBERS)
    def roll_back(self, which):
        position = which % len(self.marks)
        mark, state, self.naive = self.marks[position][0], self.marks[position][1], dict(self.marks[position][2])
        del self.marks[position + 1 :]
        self.world.rollback(mark)
        assert self.world.canonical() == state

    @rule()
    def commit(self):
        self.world.commit()
        self.marks = [(0, self.world.canonical(), dict(self.naive))]

    @rule()
    def dump(self):
        self.dumps.append((self.world.dump(), self.world.canonical(), dict(self.naive)))

    @rule(which=NUMBERS)
    def load(self, which):
        if self.dumps:
            data, state, naive = self.dumps[which % len(self.dumps)]
            self.world.load(data)
            assert self.world.canonical() == state
            self.naive = dict(naive)
            self.marks = [(0, state, dict(naive))]

    @rule()
    def reset(self):
        self.world.reset()
        assert self.world.canonical() == self.start
        self.naive = {each.ref: each.at and each.at.ref for each in self.pieces()}
        self.marks = [(0, self.start, dict(self.naive))]

    @rule()
    def hash_now(self):
        text = ascii((self.world.canonical(), ()))
        assert self.world.state_hash() == blake2b(text.encode(), digest_size=16).hexdigest()

    @invariant()
    def holders_equal_naive_holders(self):
        assert {each.ref: each.at and each.at.ref for each in self.pieces()} == self.naive

    @invariant()
    def lists_equal_a_recount(self):
        pieces = self.pieces()
        assert [each.index for each in self.world.objects] == list(range(len(self.world.objects)))
        for holder in self.world.objects:
            if "c_counter" in holder.holds:
                assert holder.c_counter == tuple(each for each in pieces if each.at is holder)
        for kind in ("counter", "unit", "leader"):
            present = tuple(each for each in pieces if each.at is not None and kind in each.lineage)
            assert getattr(self.world.board, f"all_{kind}") == present
        for kind in ("counter", "unit"):
            index = getattr(self.world.board, BY(kind, "side"))
            present = getattr(self.world.board, f"all_{kind}")
            for side in (*self.world.board.all_side, None):
                assert index.get(side, ()) == tuple(each for each in present if each.a_side is side)
        for kind, holder, holders in (("unit", "area", {"area"}), ("counter", "place", {"place", "area", "box"})):
            index = getattr(self.world.board, BY(kind, "side", holder))
            present = [each for each in getattr(self.world.board, f"all_{kind}") if each.at.kind in holders]
            for side in (*self.world.board.all_side, None):
                assert index.get(side, ()) == tuple(each for each in present if each.a_side is side)


Changes.TestCase.settings = settings(max_examples=60, stateful_step_count=30, suppress_health_check=list(HealthCheck))
TestChanges = Changes.TestCase
