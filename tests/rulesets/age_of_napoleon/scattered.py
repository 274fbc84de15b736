"""Random positions of Age of Napoleon: any alignments, armies anywhere, any hands."""

from __future__ import annotations

from random import Random
from typing import Any

from plain_position import ENEMY, SIDE_OF, SIDES, Position

from interpreter.play.engine.core import Core

LASTING = ("britannia_card", "radetzky_card", "stein_card")
OFF_MAP = ("reserve", "reserve", "reserve", "eliminated", "out_of_game")


def scatter(core: Core, random: Random) -> None:
    """Puts a random position in the place of the one at hand; nothing in it breaks an invariant."""
    things: dict[str, list[Any]] = {}
    for each in core.world.objects:
        things.setdefault(each.kind, []).append(each)
    state: Any = core.world.state
    state.a_years_played, state.a_round = random.randrange(11), random.randint(1, 6)
    state.a_first_turn, state.a_russia_invaded = False, random.random() < 0.5
    scatter_countries(core, things["country"], random)
    deal(core, things["card"], random)
    scatter_corps(core, things, random)
    core.forget()


def scatter_countries(core: Core, countries: list[Any], random: Random) -> None:
    weights = random.choice([(3, 2, 3, 3, 2), (6, 2, 1, 1, 2), (1, 1, 2, 6, 2), (1, 5, 2, 1, 4)])
    for each in countries:
        each.a_detached = each.a_ruler is not None and random.random() < 0.5
        each.a_surrendered_once, each.a_once_insurgent = random.random() < 0.5, False
        if not each.a_fixed:
            each.a_alignment = core.find("alignment", random.choices(list(SIDE_OF), weights)[0])
        if each.a_ruler is None or each.a_detached:
            each.a_once_insurgent = not each.a_fixed and (each.a_alignment.id == "insurgent" or random.random() < 0.2)


def deal(core: Core, cards: list[Any], random: Random) -> None:
    piles = [core.find("pile", each) for each in ("deck", "discards", "french_hand", "coalition_hand")]
    for card in cards:
        lasts = card.id in LASTING and random.random() < 0.5
        core.world.place(card, core.find("pile", "in_effect") if lasts else random.choices(piles, (4, 2, 1, 1))[0])


def scatter_corps(core: Core, things: dict[str, list[Any]], random: Random) -> None:
    """Each side has some areas, most of them its own; corps of minors stand alone."""
    position = Position(core)
    grounds: dict[str, list[Any]] = {side: [] for side in SIDES}
    held, loyal = random.choice([0.2, 0.5, 0.8]), random.random()
    for area in things["area"]:
        side = random.choice(SIDES)
        if random.random() < loyal:
            side = position.area_side(area.id) or side
        if random.random() < held:
            grounds["coalition" if area.id == "britain" else side].append(area)
    share, placed = random.choice([0.3, 0.6, 0.9]), set[Any]()
    for corps in things["corps"]:
        country, only = corps.a_country, corps.a_auxiliary_of
        owner = position.side(country.id)
        ready = owner and grounds[owner] and position.exists(country.id) and (only is None or only.id == owner)
        if ready and not (only and country in placed) and random.random() < share:
            placed.add(country)
            core.world.place(corps, random.choice(grounds[str(owner)]))
            corps.a_reduced = random.random() < 0.4
        else:
            boxes = [*OFF_MAP, f"{ENEMY[only.id if only else owner or 'french']}_prison"]
            core.world.place(corps, core.find("box", random.choice(boxes)))
            corps.a_reduced = False
