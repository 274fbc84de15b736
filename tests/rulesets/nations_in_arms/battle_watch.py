"""A game that is watched battle by battle: what is known of each, and where differences are noted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import plain_battle as plain
from plain_retreat import Defeat, Retreat
from plain_supply import inside

from interpreter.play.game import Game

ATTACKER, DEFENDER = 0, 1


@dataclass
class Round:
    """What is known of one round so far."""

    odds: int = 1
    size: str = ""
    groups: list[dict[int, set[Any]]] = field(default_factory=list)
    stood: list[plain.Side] = field(default_factory=list)
    drm: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)
    blows: list[plain.Blow] = field(default_factory=list)
    picked: list[tuple[Any, Any]] = field(default_factory=list)
    demanded: dict[int, plain.Demands] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)
    checks: list[tuple[int, Any, bool, list[int], bool]] = field(default_factory=list)
    """Leader casualty checks: of which side, who, whether he commands a corps, the dice, whether he is still there."""
    after: list[plain.Side] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    draws: list[tuple[Any, Any]] = field(default_factory=list)
    """Replacements drawn: for which force, from which nation's pool."""
    winner: str = ""


@dataclass
class Fight:
    """What is known of one battle so far."""

    battle: Any = None
    camps: tuple[Any, ...] = ()
    origin: Any = None
    intercepted: bool = False
    failed: bool = False
    rounds: list[Round] = field(default_factory=list)
    original: list[Any] = field(default_factory=list)
    present: list[set[Any]] = field(default_factory=list)
    killed: list[bool] = field(default_factory=lambda: [False, False])
    guard_led: list[bool] = field(default_factory=lambda: [False, False])
    guard_bled: list[bool] = field(default_factory=lambda: [False, False])
    target: int | None = None
    die: int | None = None
    hunted: int | None = None
    weak_dice: list[int] = field(default_factory=list)
    shaken_before: bool = False
    way: Retreat | None = None
    steps: int = 0
    """How many hexes the party on the way has gone."""
    hits: int = 0
    """What pursuit may take again at a river."""
    doubling: int | None = None
    river: Any = None
    cost: int | None = None
    had_units: bool = False
    beaten: list[Any] = field(default_factory=list)
    """The combat units of the beaten, as the aftermath began; and those of the attacker."""
    attackers: list[Any] = field(default_factory=list)


class Watch(Game):
    """Plays as a game does; `quarrels` are the differences found, `seen` counts what has been compared."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.quarrels: list[str] = []
        self.seen: Counter[str] = Counter()
        self.fight: Fight | None = None
        self.came_from: dict[Any, Any] = {}
        """The place that a force marched out of last."""
        self.reactions: dict[Any, set[str]] = {}
        """How the enemy has answered the last step of each march."""
        self._mover: Any = None
        self._handlers: dict[tuple[str, int], Any] = {}
        super().__init__(*args, trace=True, **more)

    # ---------------------------------------------------------------- events
    def _note(self, kind: str, site: int, data: Any) -> None:
        super()._note(kind, site, data)
        key = (kind, site)
        handler = self._handlers.get(key, self)
        if handler is self:
            handler = self._handlers[key] = self._handler(kind, site)
        if handler is not None and (self.fight is not None or handler in self._always):
            handler(data)

    def _handler(self, kind: str, site: int) -> Any:
        """What looks at events of a site, if anything does: it is called by what happens, and where."""
        if site < 0:
            return None
        name = self.core.image.sites[site].rule.rpartition("/")[2]
        return getattr(self, f"rolled_in_{name}" if kind == "roll" else f"{kind}_{name}", None)

    def enter_field_battle(self, data: Any) -> None:
        """A battle begins."""
        self.fight = Fight(origin=data[2], intercepted=data[3] is not None, failed=bool(data[4]))
        self.fight.original = [plain.commander(each) for each in data[:2]]
        self.fight.present = [set(inside(each, "leader")) for each in data[:2]]
        if data[0] in self.came_from and data[2] is not None:
            self.expect("contact hex", self.came_from[data[0]], data[2])
            answers = self.reactions.get(data[0], set())
            self.expect("intercepted", "intercepted" in answers, data[3] is not None)
            if data[4] or "caught" not in answers:
                self.expect("caught", "caught" in answers, bool(data[4]))

    @property
    def _always(self) -> tuple[Any, ...]:
        return (
            self.enter_field_battle,
            self.move_pay_and_go,
            self.enter_enter,
            self.leave_intercepts,
            self.leave_avoids,
        )

    def move_pay_and_go(self, data: Any) -> None:
        """A force has marched."""
        self.came_from[data[0]] = data[1]

    def enter_enter(self, data: Any) -> None:
        """A force marches into a place, and nobody has answered yet."""
        self._mover = data[0]
        self.reactions[data[0]] = set()

    def leave_intercepts(self, data: Any) -> None:
        """An interception check."""
        self.reactions[self._mover] |= {"intercepted"} if data else set()

    def leave_avoids(self, data: Any) -> None:
        """A check to avoid combat."""
        self.reactions[self._mover] |= set() if data else {"caught"}

    def expect(self, what: str, own: Any, theirs: Any) -> None:
        """Notes a comparison, and a difference with the battle it is in."""
        self.seen[what] += 1
        if own != theirs:
            fight = self.fight
            where = (
                "" if fight is None or not fight.camps else " against ".join(each.a_force.id for each in fight.camps)
            )
            number = len(fight.rounds) if fight is not None else 0
            self.quarrels.append(f"{what}: {own} expected, {theirs} found; {where}, round {number}")

    @property
    def readings(self) -> list[str]:
        """The options that are on."""
        return [name for name, each in self.core.image.options if each is True]

    @property
    def round(self) -> Round:
        return self.now.rounds[-1]

    @property
    def now(self) -> Fight:
        """The battle under way."""
        assert self.fight is not None
        return self.fight

    def which(self, camp: Any) -> int:
        return next(number for number, each in enumerate(self.now.camps) if each is camp)

    def sides(self) -> list[plain.Side]:
        return [plain.side(each.a_force) for each in self.now.camps]

    def defeat_of(self, camp: Any) -> Defeat:
        fight = self.now
        number = self.which(camp)
        prescribed = fight.origin if number == ATTACKER else fight.camps[1].a_origin
        fought = [each.a_force for each in fight.camps]
        world, place = self.core.world, fight.battle.a_place
        return Defeat(world, place, fight.origin, prescribed, number == DEFENDER, fought, self.readings)
