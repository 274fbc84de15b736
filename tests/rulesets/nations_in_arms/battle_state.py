"""Follows the battles of a game: what is known of each, and where differences are noted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import plain_battle as plain
from oracle import Oracle
from plain_force import commander, inside
from plain_retreat import Defeat, Retreat

ATTACKER, DEFENDER = 0, 1
Handler = Callable[[Any], None]
"""Takes the data of an event."""


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


class BattleRecorder(Oracle):
    """Follows the battles of a traced game by its events; subclasses compare what they see with the rulebook.

    `handlers` names what is called by an event: by its kind and the name of its rule. Most are called in battles only.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fight: Fight | None = None
        self.came_from: dict[Any, Any] = {}
        """The place that a force marched out of last."""
        self.reactions: dict[Any, set[str]] = {}
        """How the enemy has answered the last step of each march."""
        self._mover: Any = None
        self.handlers: dict[tuple[str, str], Handler] = {}
        self.handlers_outside_battles: dict[tuple[str, str], Handler] = {
            ("enter", "field_battle"): self.enter_field_battle,
            ("move", "pay_and_go"): self.move_pay_and_go,
            ("enter", "enter"): self.enter_enter,
            ("leave", "intercepts"): self.leave_intercepts,
            ("leave", "avoids"): self.leave_avoids,
        }
        self._by_site: dict[tuple[str, int], Handler] = {}

    # ---------------------------------------------------------------- events
    def on_attach(self) -> None:
        assert self.game.traced, "an untraced game has no events"
        known = {each.rule.rpartition("/")[2] for each in self.core.image.sites}
        missing = {rule for _, rule in (*self.handlers, *self.handlers_outside_battles)} - known
        assert not missing, f"no rules of this name have events: {missing}"

    def on_event(self, kind: str, site: int, data: Any) -> None:
        if site < 0:
            return
        if (kind, site) not in self._by_site:
            self._by_site[kind, site] = self._handler(kind, site)
        self._by_site[kind, site](data)

    def _handler(self, kind: str, site: int) -> Handler:
        """Returns what is called by events of this kind at a site."""
        key = kind, self.core.image.sites[site].rule.rpartition("/")[2]
        handler = self.handlers.get(key)
        if handler is None:
            return self.handlers_outside_battles.get(key, lambda _data: None)
        return lambda data: handler(data) if self.fight is not None else None

    def enter_field_battle(self, data: Any) -> None:
        """A battle begins."""
        self.fight = Fight(origin=data[2], intercepted=data[3] is not None, failed=bool(data[4]))
        self.fight.original = [commander(each) for each in data[:2]]
        self.fight.present = [set(inside(each, "leader")) for each in data[:2]]
        if data[0] in self.came_from and data[2] is not None:
            self.expect("contact hex", self.came_from[data[0]], data[2])
            answers = self.reactions.get(data[0], set())
            self.expect("intercepted", "intercepted" in answers, data[3] is not None)
            if data[4] or "caught" not in answers:
                self.expect("caught", "caught" in answers, bool(data[4]))

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
            self.mismatches.append(f"{what}: {own} expected, {theirs} found; {where}, round {number}")

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
        return Defeat(
            self.world, fight.battle.a_place, fight.origin, prescribed, number == DEFENDER, fought, self.readings
        )
