"""What a choice costs is said before it is made, in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from soak import load

from interpreter.console.option_labels import option_groups
from interpreter.play.game import Game
from interpreter.players.random import RandomPlayer

PRICES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "napoleonic_wars/campaign_5": {
        "impulse.opening": {"en": r"use the \d CP of the strategic reserve", "ja": r"戦略予備の.*のCP|\dCPを使う"},
        "declare_war.foe": {
            "en": r"Prussia: \d+ units, joins the war on the|becomes an ally of \w+",
            "ja": r"で参戦する|の同盟国になる",
        },
        "reinforce.operations": {
            "en": r"deploy a leader \(free; .*3 CP\)|\(3 CP\)",
            "ja": r"無料。2回目からは3CP|（3CP）",
        },
    },
    "fin_napoleon/campaign": {
        "activity_phase.activities": {
            "en": r"mobilisation/reform, on 2 or less with 1d6",
            "ja": r"動員/改革（サイ目2以下で成功）",
        },
        "declare_war.target": {
            "en": r"armistice to war, on \d or less with 1d6; France counts \d+ victory points less",
            "ja": r"休戦から.+へ、サイ目\d以下で成功；フランスの勝利ポイントが\d+減る",
        },
    },
    "age_of_napoleon/ulm_1805": {
        "impulse.impulse_choice": {"en": r"move an army, for (the free move|a card)", "ja": r"（無料移動|（カード1枚"},
        "intercept.chief": {"en": r"on \d or less", "ja": r"ダイス\d以下で成功"},
        "enter.area": {
            "en": r"1 card, and \w+ joins the (Coalition|French) with up to \d corps",
            "ja": r"カード1枚を捨て、.+は.+に加わり軍団\d個まで登場",
        },
        "set_out.march_orders": {
            "en": r"end the march, with 1 die of march",
            "ja": r"移動を終える（行軍損耗のダイス1個）",
        },
    },
}
"""What some option of a decision says, by its address."""


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", PRICES)
def test_options_say_what_they_cost(name: str, language: str) -> None:
    """In random games each of these decisions comes up, and one of its options says its price with figures."""
    wanted = {address: texts[language] for address, texts in PRICES[name].items()}
    for seed in range(8):
        game = Game(load(name), seed=seed, language=language)
        players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
        while game.decision is not None and wanted:
            pattern = wanted.get(game.decision.address)
            if pattern and any(re.search(pattern, str(each)) for each in option_groups(game)):
                del wanted[game.decision.address]
            game.choose_index(players[game.decision.seat].choose(game))
    assert wanted == {}
