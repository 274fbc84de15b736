"""The messages of odds of what lies ahead, in each language."""

from __future__ import annotations

from interpreter.play.wording.message import Message

RUN_OF = Message("{procedure} ({arguments})", "{procedure}（{arguments}）")
ODDS_EXACT = Message("{procedure}:", "{procedure}：")
ODDS_ESTIMATED = Message(
    "{procedure}, estimated from {samples} {samples:sample|samples}, reached in {reached}:",
    "{procedure}、標本{samples}回による推定、起こる割合{reached}：",
)
ODDS_OF_LIKELIEST = Message("of the likeliest answer, '{answer}':", "最もありそうな答え「{answer}」の場合：")
ODDS_OF_CHOSEN = Message("of the answer that was given, '{answer}':", "実際の答え「{answer}」の場合：")
EXACT_FOLLOWS = Message(
    "this is an estimate; the exact odds are now computed",
    "これは推定です。続けて正確な確率を計算します",
)
TAKES_TOO_LONG = Message(
    "the exact odds would take too long: the estimate stands",
    "正確な確率の計算は長くかかりすぎます。推定のままです",
)
ODDS_ASSUME = Message(
    "if {who} answers '{question}' with '{answer}'", "{who}が「{question}」に「{answer}」と答えるなら"
)
ODDS_SUPPOSE = Message(
    "if, say, {who} answers '{question}' with '{answer}' (hidden from you, only an example)",
    "たとえば{who}が「{question}」に「{answer}」と答えるなら（隠れているので一例にすぎません）",
)
SUM_BETWEEN = Message("{list}: {least:+d} to {most:+d}", "{list}：{least:+d}～{most:+d}")
LATER_SUM = Message("{list}, later", "{list}（後）")
BETWEEN = Message("{least:+d} to {most:+d}", "{least:+d}～{most:+d}")
ODDS_THEN = Message("{first}', then '{then}", "{first}」、次に「{then}")
ODDS_ONLY_IF = Message("only after {roll}: {outcome}", "次の場合のみ：{roll}、{outcome}")
ODDS_SHARE = Message("'{answer}' ({share})", "「{answer}」（{share}）")
ODDS_OFTEN = Message(
    "in the samples, {who} answers '{question}' with {answer}",
    "標本では{who}が「{question}」に{answer}と答える",
)
ODDS_OFTEN_HIDDEN = Message(
    "in the samples, {who} answers '{question}' with {answer}; the choice is hidden from you",
    "標本では{who}が「{question}」に{answer}と答える（実際の選択は隠れている）",
)
ODDS_STAY = Message("if these stay where they are: {names}", "次のものが今の場所にとどまるなら：{names}")
ODDS_EARLIER = Message(
    "if {count} other {count:answer|answers} {count:is|are} the likeliest",
    "ほかの{count}個の答えが最もありそうなものなら",
)
ODDS_SUM = Message("{name} {share}", "{name} {share}")
ODDS_ALWAYS = Message("in every case: {values}", "いずれの場合も：{values}")
ROLL_AFTER = Message(
    "no roll follows from the likeliest answers; one would follow",
    "最もありそうな答えからは判定は起こりません。起こるのは次の場合です",
)
ROLL_AFTER_ANSWER = Message("{condition}: {procedure}", "{condition}：{procedure}")
ODDS_OTHERS = Message("{count} {count:other|others}", "その他{count}通り")
ODDS_MEAN = Message("mean {name} {mean}, 10 to 90 %: {low} to {high}", "{name}の平均{mean}、10～90%：{low}～{high}")
ODDS_DEPEND = Message(
    "depends on further choices, the first: {question} ({answers})",
    "この後の選択によります。最初の選択：{question}（{answers}）",
)
ODDS_DEPEND_OTHERS = Message("{count} more", "ほか{count}通り")
NO_ROLL_ON_WAY = Message(
    "no roll with named outcomes is to be expected on this way",
    "この経路では確率を示せる判定や戦闘は見込まれません",
)
NO_ODDS = Message(
    "no roll with named outcomes follows from here within this turn",
    "この手番のうちに確率を示せる判定や戦闘は起こりません",
)
