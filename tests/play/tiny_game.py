"""A tiny game of dice and areas with hand-written emitted code, for the tests of play."""

from __future__ import annotations

from dataclasses import replace

from interpreter.language.diagnostics import Place
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
    Site,
    StepImage,
    TableImage,
    Unit,
    compiled,
)
from interpreter.play.game import Game
from interpreter.play.wording.wording import Wording

CODE = """
def df_strength(): return 2
def df_zero(): return 0
def se_turn(): return A.all_player
def sr_game(): return 4
def su_game(): return G.a_points >= 9
def sw_rally(v_player): return G.a_points < 7
def s_march(v_player):
    while True:
        tick()
        us = tuple([u for u in A.all_unit if u.a_owner is v_player])
        if not us: return
        u = yield (S0, v_player, (*us, None), None, None)
        if u is None: return
        b = yield (S1, v_player, lambda: u.at.neighbours, None, None)
        T("set", 1, (u, "at", u.at, b))
        place(u, b)
def s_battle(v_player):
    for a in A.all_area:
        mine = [u for u in a.c_unit if u.a_owner is v_player]
        theirs = [u for u in a.c_unit if u.a_owner is not v_player]
        if not mine or not theirs: continue
        T("enter", 4, (a,))
        T("modifiers", 7, (((8, 1),), 1, None))
        T("table", 9, ((len(theirs),), 7))
        if roll_sum(S2, v_player, 2, 6) >= 7:
            hit(theirs[0], v_player)
        for face in roll_apart(S3, v_player, len(mine), (e_faceːhit, e_faceːmiss, e_faceːmiss)):
            if face is e_faceːhit:
                JA((G, "a_points", G.a_points)); G.a_points = G.a_points + 1
        if not any_left(v_player): raise EndGame(v_player, "no enemies are left")
def any_left(v_player):
    for u in A.all_unit:
        if u.a_owner is not v_player: return True
    return False
def hit(u, v_player):
    JA((u, "a_strength", u.a_strength)); u.a_strength = u.a_strength - 1
    if u.a_strength < 1:
        place(u, None)
        log(S5, text(u, " is lost"))
def s_rally(v_player):
    of = [u for u in A.all_unit if u.a_owner is v_player and u.a_strength < 3]
    picks = yield from choose_up_to(S6, v_player, 2, of, None)
    for u in picks:
        JA((u, "a_strength", u.a_strength)); u.a_strength = u.a_strength + 1
    if G.a_points == 5: raise EndStep("turn")
def iv_points(): return 0 <= G.a_points < 100
"""

PLACE = Place("rules.yaml", 7, 3)


def unit(code: str, variant: str = "fast") -> Unit:
    """Returns a unit of hand-written code; each line has the place of the line number plus 100."""
    lines = tuple(Place("rules.yaml", 101 + number, 1) for number in range(code.count("\n") + 1))
    return Unit(variant, code, lines, compiled(code))


def site(number: int, kind: str, address: str, prompt: str = "", cites: tuple[str, ...] = ()) -> Site:
    """A site of the tiny game."""
    return Site(number, kind, address, prompt, "procedures/battle", cites, PLACE)


SITES = (
    site(0, "maybe", "march.unit", "Which unit marches?", ("1.1",)),
    site(1, "one", "march.area", "Where to?", ("1.2",)),
    site(2, "roll", "attack", "", ("2.1",)),
    site(3, "roll", "points", "", ("2.2",)),
    site(4, "procedures", "battle", "", ("2.0",)),
    site(5, "log", "battle.lost"),
    site(6, "up_to", "rally.units"),
    site(7, "modifiers", "attack_bonus", "", ("2.3",)),
    site(8, "item", "uphill", "", ("2.3.a",)),
    site(9, "tables", "odds", "", ("2.4",)),
)


def step(name: str, *steps: StepImage, flags: str = "", scope: tuple[str, ...] = ("player",)) -> StepImage:
    """A step; `flags` are among `when each repeat until do asks`."""
    has = flags.split()
    known = ("when", "each", "repeat", "until", "do", "asks")
    return StepImage(name, ("0",), scope, *[each in has for each in known], steps)


SEQUENCE = step(
    "game",
    step(
        "turn",
        step("march", flags="do asks"),
        step("battle", flags="do"),
        step("rally", flags="when do asks"),
        flags="each",
    ),
    flags="repeat until",
    scope=(),
)

AREAS = ("north", "south", "hill")


def individuals() -> tuple[IndividualImage, ...]:
    """Three areas, two players, four units."""
    areas = [IndividualImage("area", each, (), None) for each in AREAS]
    players = [IndividualImage("player", each, (), None) for each in ("red", "blue")]
    units = [
        IndividualImage("unit", f"{owner}_{number}", (("owner", ("ref", "player", owner)),), ("area", home))
        for owner, home in (("red", "north"), ("blue", "south"))
        for number in (1, 2)
    ]
    return (*areas, *players, *units)


def image(code: str = CODE, sequence: StepImage = SEQUENCE) -> Image:
    """Returns the image of the tiny game, optionally with other code or another sequence."""
    return Image(
        name="tiny",
        version="1",
        options=(),
        kinds=(
            KindImage("area", "space", None, "areas", (), ("unit",)),
            KindImage("player", "seat", None, "players", (), ()),
            KindImage(
                "unit",
                "piece",
                None,
                "units",
                (AttributeImage("owner", "player", None), AttributeImage("strength", "int", "df_strength")),
                (),
            ),
        ),
        enums=(EnumImage("face", ("hit", "miss"), "faces"),),
        individuals=individuals(),
        links=tuple(
            LinkImage(None, (("area", one), ("area", two)), ()) for one, two in (("north", "hill"), ("south", "hill"))
        ),
        state=(AttributeImage("points", "int", "df_zero"),),
        tables=(TableImage("odds", ("2.4",), (("foes", ("1", "2..")),), (((0,), "7", "stated"),), PLACE),),
        menus=(MenuImage("orders", ("player",), ("attack",), ("3",), ""),),
        actions=(ActionImage("attack", "orders", (PickImage("area", "", 1),), ("3.1",), False),),
        rules=(),
        views=(),
        sequence=sequence,
        sites=SITES,
        records=(),
        evaluation=False,
        invariants=("points",),
        units=(unit(code), unit(code, "traced")),
    )


def leaf_image(code: str, *steps: StepImage, flags: str = "") -> Image:
    """Returns an image with these steps as its sequence, and with code added to that of the tiny game."""
    return image(CODE + code, step("game", *steps, flags=flags, scope=()))


TINY = image()

FIGHT = [0, 2, 2, 0, 2] + [2] * 40
"""Choices that bring red_1 and blue_1 to the hill, where they fight turn after turn."""


CORPS = Wording({"names": {"unit": {"red_1": {"en": "Red Guards", "ja": "赤衛隊"}}}, "words": {"none": "nobody"}})


def played(game: Game, choices: list[int]) -> Game:
    """Plays these choices, each modulo the number of options, and returns the game."""
    for choice in choices:
        if game.decision is None:
            break
        game.choose_index(choice % len(game.decision.options))
    return game


def without(variant: str) -> Image:
    """Returns the tiny game without one variant of its code."""
    return replace(TINY, units=tuple(each for each in TINY.units if each.variant != variant))
