"""The messages of odds of what lies ahead, in each language."""

from __future__ import annotations

from interpreter.play.wording.message import Message

ODDS_EXACT = Message("{procedure} ({arguments}):", "{procedure}（{arguments}）：")
ODDS_ESTIMATED = Message(
    "{procedure} ({arguments}), estimated from {samples} samples, reached in {reached}:",
    "{procedure}（{arguments}）、標本{samples}回による推定、起こる割合{reached}：",
)
EXACT_MAY_FOLLOW = Message(
    "this is an estimate; the exact odds follow if they can be computed",
    "これは推定です。計算できれば正確な確率が続きます",
)
ODDS_ASSUME = Message("assuming {who}: {question} {answer}", "仮定 {who}：{question} {answer}")
ODDS_OTHERS = Message("{count} {count:other|others}", "その他{count}通り")
ODDS_MEAN = Message("mean {name} {mean}, 10 to 90 %: {low} to {high}", "{name}の平均{mean}、10～90%：{low}～{high}")
ODDS_DEPEND = Message(
    "depends on further choices, the first: {question} ({answers})",
    "この後の選択によります。最初の選択：{question}（{answers}）",
)
ODDS_DEPEND_OTHERS = Message("{count} more", "ほか{count}通り")
NO_ODDS = Message(
    "no roll with named outcomes follows from here within this turn",
    "この手番のうちに確率を示せる判定や戦闘は起こりません",
)
