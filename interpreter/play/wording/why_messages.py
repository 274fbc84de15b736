"""The messages of searching the log for a reason, in each language."""

from __future__ import annotations

from interpreter.play.wording.message import Message

SMALL_WORDS = Message(
    "a about an and are at be been by can come could did do does for from get got had happened has have how i in is it "
    "its me my not of off on or out so that the their them then there they this to up was we were what when where "
    "which who whom whose why with you",
    "あの いる か から が くれた した して しない する その た だ だった って て で です ています ていた でした と "
    "という とは どう どうして な なぜ なに なの なのか に について の のか は へ ました ます まで も や より れた "
    "れる 何 何故 を",
)
"""Words, between blanks, that a question consists of besides what it is about."""
THE_RESULT = Message("result", "結果")
NOTHING_ABOUT = Message(
    "the log says nothing about '{name}'; 'standing' shows what counts, 'board {name}' what is known of it",
    "「{name}」についての記録はありません。得点は standing、現状は board {name} で表示",
)
NEAREST_ENTRY = Message(
    "the log does not say {words} of this; the nearest entry:", "{words}を含む記録はありません。最も近いもの："
)
SCORE_WORDS = Message("point points score standing vp vps victory", "得点 点数 ポイント 勝利 勝利条件 勝利得点 vp")
"""Words, between blanks, that mean what the players play for, whatever it is called in a game."""
LAST_CHANGED = Message("before the step of its last change: {value}", "最後に変わったステップの前：{value}")
CHANGED_PARTS = Message("changed in that step: {parts}", "そこで変わった内訳：{parts}")
LAST_IN_LOG = Message("what the log says of it last:", "これについての最後の記録：")
NEVER_CHANGED = Message("it has not changed so far", "まだ変わっていません")
LOOKS_BACK = Message("looking back through the game", "経過をさかのぼっています")
ANOTHER_DECIDES = Message(
    "{who} decides; 'why not' explains only questions to your own seat",
    "{who}の決定です。why not で分かるのは、自分の側への問いについてだけです",
)
