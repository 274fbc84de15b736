"""The messages about a replayed game that differs from its record, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from interpreter.play.wording.message import Message

# ---------------------------------------------------------------- under the rules of the record
OTHER_STEP = Message(
    "the replay differs after step {number} ('{path}'): the next step is '{now}'",
    "第{number}ステップ（{path}）の後が記録と違います：次のステップは{now}です",
)
OTHER_STATE = Message(
    "the replay differs after step {number} ('{path}'): the state is different",
    "第{number}ステップ（{path}）の後が記録と違います：状態が異なります",
)
OTHER_LENGTH = Message(
    "the replay has {now} finished {now:step|steps}, but {then} {then:was|were} recorded",
    "再現で終わったのは{now}ステップ、記録では{then}ステップです",
)
OTHER_REST = Message(
    "the replay differs in the unfinished step after step {number}",
    "第{number}ステップの次の、まだ終わっていないステップが記録と違います",
)
OTHER_DICE = Message(
    "the dice are not those of the seed from input {number} on ({label})",
    "{number}番目の入力（{label}）から、ダイスが乱数の種と合いません",
)
NO_REPLAY = Message("the game can't be replayed: {problem}", "ゲームを再現できません：{problem}")
MISMATCH = Message("{file}: {mismatch}", "{file}：{mismatch}")

# ---------------------------------------------------------------- under other rules
DIVERGES_AT = Message("turn {turn}, step {step} ({path}): {kind}", "第{turn}ターン、第{step}ステップ（{path}）：{kind}")
DIVERGES_AT_START = Message("before the first step: {kind}", "最初のステップの前：{kind}")
KINDS: Final[Mapping[str, Message]] = {
    "set-up": Message("different set-up", "初期配置が違う"),
    "step": Message("different next step", "次のステップが違う"),
    "question": Message("different question or roll", "質問またはダイスが違う"),
    "answer": Message("recorded answer not available", "記録の答えが選択肢にない"),
    "dice": Message("different dice", "ダイスの数や種類が違う"),
    "pick": Message("random pick not available", "記録の無作為の選択ができない"),
    "state": Message("different state after the step", "ステップの後の状態が違う"),
    "end": Message("different end of the game", "ゲームの終わり方が違う"),
    "fault": Message("a rule fails", "ルールがエラーになる"),
}
"""The kinds of divergence, with the text for each."""
SHOWED = Message("{dice} showed {faces}", "{dice}の出目は{faces}")
DICE_OF_FACES = Message("{count} dice of {faces}", "{faces}のダイス{count}個")
SOME_DICE = Message("{count} dice", "ダイス{count}個")
COUNT_OF = Message("{count} of {values}", "{values}から{count}個")
WHO_DECIDED = Message("{who} decided", "{who}が決めた")
DECIDES = Message("{who} decides", "{who}が決める")
ANSWERED = Message("{who} answered {answer}", "{who}の答えは{answer}")
OPTIONS_ARE = Message("the options are {options}", "選択肢は{options}")
ONLY_OPTION = Message("the only option is {option}", "選択肢は{option}だけ")
STEP_WAS_OVER = Message("the step was over", "ステップは終わっていた")
STEP_BEGINS = Message("step {path} begins", "ステップ{path}が始まる")
STEP_IS_OVER = Message("step {path} is over", "ステップ{path}が終わる")
NO_FAULT = Message("no fault", "エラーなし")
DIGEST_WAS = Message("its digest was {digest}", "そのダイジェストは{digest}だった")
DIGEST_IS = Message("its digest is {digest}", "そのダイジェストは{digest}")
RECORD_ENDS = Message("the record ends here", "記録はここで終わる")
GAME_WAS_OVER = Message("the game was over: {result}", "ゲームは終わっていた：{result}")
MISSING = Message("missing", "欠けている")
NOTHING = Message("nothing", "なし")
AND_OTHERS = Message("{listed} and {count} more", "{listed}、ほか{count}件")
A_ROLL = Message("a roll of '{address}'", "ダイス（{address}）")
A_PICK = Message("a random pick of '{address}'", "無作為の選択（{address}）")
A_ROLL_UNNAMED = Message("a roll", "ダイス")
A_PICK_UNNAMED = Message("a random pick", "無作為の選択")
A_REVEAL = Message("something shown", "何かの公開")
A_DECISION = Message("the decision '{address}'", "決定（{address}）")
PUBLISHED = Message("shown: {value}", "公開：{value}")
IS_AT = Message("{thing}: at {place}", "{thing}：位置 {place}")
HAS_VALUE = Message("{thing}: {attribute} {value}", "{thing}：{attribute} {value}")
VALUE_ALONE = Message("{attribute} {value}", "{attribute} {value}")

# ---------------------------------------------------------------- the report
STEPS_AS_RECORDED = Message(
    "{file}: {steps} {steps:step|steps}, {inputs} rolls and answers as recorded, then",
    "{file}：{steps}ステップ、ダイスと答え{inputs}件までは記録どおりで、その後：",
)
ALL_AS_RECORDED = Message(
    "{file}: {steps} {steps:step|steps}, {inputs} rolls and answers, all as recorded under these rules",
    "{file}：{steps}ステップ、ダイスと答え{inputs}件。このルールでもすべて記録どおり",
)
WAS = Message("then: {text}", "記録：{text}")
NOW = Message("now:  {text}", "今回：{text}")
FIRST_DIFFERENCE = Message("First difference: {reading}", "最初の違い：{reading}")
FIRST_DIFFERENCE_INSIDE = Message("First difference: inside {reading}", "最初の違い：{reading}の中")
NO_CAUSE = Message("No rule change was identified as the cause", "原因となるルールの変更は特定できませんでした")
CAUSE = Message("Cause:", "原因：")
CAUSE_ANY = Message("Cause (any one suffices):", "原因（どれか1つで十分）：")
CAUSES_NEEDED = Message("Joint cause (all are needed):", "複合的な原因（すべてが必要）：")
CAUSES_JOINT = Message("Joint cause:", "複合的な原因：")
CAUSE_UNDETERMINED = Message("Cause undetermined, one of:", "原因は未確定。次のいずれか：")
OF_OVERLAY = Message("{change}, overlay {overlay}", "{change}、オーバーレイ{overlay}")
NOT_COMPARED = Message(
    "the rules that the game was played under are not available for comparison",
    "プレイしたときのルールがないため、比較できません",
)
ALSO_WITHOUT = Message(
    "under the present rules without these changes, the game diverges at {where}",
    "これらの変更のない今のルールでも、記録と違います。{where}",
)
ONE_OTHER_OPTIONS = Message(
    "One decision had different options, the first in turn {turn}, step {step} ({path}): '{address}'",
    "決定1件で選択肢が違います。第{turn}ターン、第{step}ステップ（{path}）の{address}です",
)
OTHER_OPTIONS = Message(
    "{count} decisions had different options, the first in turn {turn}, step {step} ({path}): '{address}'",
    "決定{count}件で選択肢が違います。最初は第{turn}ターン、第{step}ステップ（{path}）の{address}です",
)
CONTINUE_UNDER = Message(
    "continue the game from there under the new rules with 'bicorne resume {path}'",
    "そこから新しいルールで続けるには bicorne resume {path}",
)
