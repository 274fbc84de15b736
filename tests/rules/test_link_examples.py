"""Reading worked examples."""

from link_by_hand import documents

from interpreter.rules.documents.nodes import as_plain_data
from interpreter.rules.linking.examples import examples

TEXT = """
    examples:
      rout:
        cite: [1.1, 1.2]
        says: {en: They run}
        options: {fog: true, turns: 3}
        state: {morale: 12}
        board: {unit: [{id: x, at: rome}]}
        run: combat(rome, red)
        decisions: {suffer.share: [{x: 2}, {}], rout.refuge: [none]}
        dice: {attack: [1, [2, 6]]}
        then:
          - x.area = rome
          - true
        offers: {rout.refuge: {has: [rome], lacks: [paris]}}
        ends: {winner: red, reason: all gone}
      draw: {step: ending, with: {active: red}, then: morale = 3, ends: draw}
"""


def test_an_example_keeps_its_nodes_and_places():
    """All parts come out in order, rule text as scalars, answers as nodes."""
    rout, draw = examples(documents(TEXT))
    assert (rout.name, str(rout.place), rout.cites, rout.says) == ("rout", "r.yaml:2:3", ("1.1", "1.2"), "They run")
    assert rout.options == {"fog": True, "turns": 3}
    assert rout.run is not None
    assert (rout.run.text, str(rout.run.place), rout.step) == ("combat(rome, red)", "r.yaml:8:10", None)
    assert {key: [as_plain_data(each) for each in value] for key, value in rout.decisions.items()} == {
        "suffer.share": [{"x": 2}, {}],
        "rout.refuge": ["none"],
    }
    assert [as_plain_data(each) for each in rout.dice["attack"]] == [1, [2, 6]]
    assert [each.text for each in rout.then] == ["x.area = rome", "true"]
    (offer,) = rout.offers
    assert (
        offer.address,
        [as_plain_data(each) for each in offer.has],
        [as_plain_data(each) for each in offer.lacks],
    ) == (
        "rout.refuge",
        ["rome"],
        ["paris"],
    )
    assert rout.ends is not None
    assert (rout.ends.winners, rout.ends.reason) == (("red",), "all gone")
    assert str(rout.places["decisions/rout.refuge"]) == "r.yaml:9:45"
    assert as_plain_data(rout.node)["board"] == {"unit": [{"id": "x", "at": "rome"}]}
    assert draw.step is not None
    assert draw.step.text == "ending"
    assert as_plain_data(draw.bindings["active"]) == "red"
    assert [each.text for each in draw.then] == ["morale = 3"]
    assert draw.ends is not None
    assert draw.ends.winners == ()


def test_an_example_may_leave_everything_out():
    """What isn't said is empty, and no end is asked for."""
    (bare,) = examples(documents("examples: {a: {run: f()}}"))
    assert (bare.options, bare.decisions, bare.dice, bare.then, bare.offers, bare.ends) == ({}, {}, {}, (), (), None)
