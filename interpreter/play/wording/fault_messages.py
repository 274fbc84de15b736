"""What is said of a mistake in the rules of a game while it is played, in each language."""

from __future__ import annotations

from interpreter.play.wording.message import Message

INVARIANT = Message(
    "the invariant '{name}' does not hold after step '{step}'",
    "不変条件 '{name}' が手順 '{step}' の後に成り立っていません",
)
INVARIANT_SAYS = Message("{broken}: {says}", "{broken}：{says}")
INVARIANT_HINT = Message(
    "change a rule of this step so that it holds, or the invariant if it is too strict",
    "成り立つようにこの手順のルールを直すか、厳しすぎるなら不変条件を直してください",
)
