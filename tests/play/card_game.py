"""A tiny game with secrets: a deck, two hands, a discard pile, and units whose strength only their owner knows."""

from __future__ import annotations

from typing import Any

from tiny_game import PLACE, step, unit

from interpreter.language.model.image import (
    AttributeImage,
    Image,
    IndividualImage,
    KindImage,
    LinkImage,
    Site,
    Stored,
    ViewImage,
)

CODE = """
def df_false(): return False
def sr_game(): return 3
def se_turn(): return A.all_player
def s_play(v_player):
    mine = [each for each in A.all_pile if each.a_owner is v_player][0]
    for drawn in draw_some(S0, 2, i_pileːdeck):
        T("move", 3, (drawn, drawn.at, mine))
        place(drawn, mine)
        log(S3, text(v_player, " took ", drawn))
        JA((G, "a_last", G.a_last)); G.a_last = drawn
        JA((G, "a_taken", G.a_taken)); G.a_taken = (*G.a_taken, drawn)
    chosen = yield (S1, v_player, mine.c_card, None, None)
    T("set", 3, (chosen, "used", chosen.a_used, True))
    JA((chosen, "a_used", chosen.a_used)); chosen.a_used = True
    T("move", 3, (chosen, chosen.at, i_pileːdiscard))
    place(chosen, i_pileːdiscard)
    scout = yield (S2, v_player, (True, False), None, None)
    if scout: reveal(S4, [each for each in A.all_unit if each.a_owner is not v_player][0], v_player)
def vw_piles(x): return not x.a_face_up
def vs_piles(x): return [each for each in (x.a_owner,) if each is not None]
def vs_fog(x): return x.a_owner
"""


def _site(number: int, kind: str, address: str) -> Site:
    return Site(number, kind, address, "", "procedures/play", ("1",), PLACE)


def _kind(name: str, root: str, has: dict[str, str] | None = None, contents: tuple[str, ...] = ()) -> KindImage:
    attributes = [
        AttributeImage(each, written, "df_false" if written == "bool" else None)
        for each, written in (has or {}).items()
    ]
    return KindImage(name, root, None, f"{name}s", tuple(attributes), contents)


def _put(kind: str, name: str, at: tuple[str, str] | None = None, **values: Stored) -> IndividualImage:
    return IndividualImage(kind, name, tuple(values.items()), at)


def card_image(**more: Any) -> Image:
    """The game as an image; `more` replaces parts of it."""
    hands = [_put("pile", f"{owner}_hand", None, owner=("ref", "player", owner)) for owner in ("red", "blue")]
    cards = [_put("card", f"card_{letter}", ("pile", "deck"), worth=n) for n, letter in enumerate("abcdefghijklmn")]
    units = [
        _put("unit", f"{owner}_guard_{n}", ("area", "hill"), owner=("ref", "player", owner), strength=n)
        for owner in ("red", "blue")
        for n in (2, 1)
    ]
    parts: dict[str, Any] = {
        "name": "cards",
        "version": "1",
        "kinds": (
            _kind("player", "seat"),
            _kind("area", "space", contents=("unit",)),
            _kind("path", "link", {"muddy": "bool"}),
            _kind("pile", "thing", {"owner": "player?", "face_up": "bool"}, ("card",)),
            _kind("card", "piece", {"worth": "int", "used": "bool"}),
            _kind("unit", "piece", {"owner": "player", "strength": "int"}),
        ),
        "individuals": (
            _put("player", "red"),
            _put("player", "blue"),
            _put("area", "hill"),
            _put("area", "dale"),
            _put("pile", "deck"),
            _put("pile", "discard", face_up=True),
            *hands,
            *cards,
            *units,
        ),
        "links": (LinkImage("path", (("area", "hill"), ("area", "dale")), (("muddy", True),)),),
        "state": (AttributeImage("last", "card?", None), AttributeImage("taken", "list of card", None)),
        "views": (
            ViewImage("piles", "pile", True, True, ("count",)),
            ViewImage("fog", "unit", False, True, ("owner",)),
        ),
        "sequence": step("game", step("turn", step("play", flags="do asks"), flags="each"), flags="repeat", scope=()),
        "sites": (
            _site(0, "draw", "play.drawn"),
            _site(1, "one", "play.card"),
            _site(2, "agree", "play.scout"),
            _site(3, "log", "play.logged"),
            _site(4, "line", "play.reveal"),
        ),
        "evaluation": False,
        "units": (unit(CODE), unit(CODE, "traced")),
    }
    empty = ("options", "enums", "tables", "menus", "actions", "rules", "records", "invariants")
    return Image(**(dict.fromkeys(empty, ()) | parts | more))


CARDS = card_image()
