"""The messages of stepping through a recorded game, in each language."""

from __future__ import annotations

from interpreter.play.wording.message import Message

REPLAY_HELP = Message(
    """\
Stepping through a recorded game:
  next [N], Enter   go on to the next decision, or the Nth next
  back [N]          go back to the decision before, or N of them
  start, end        go to the start or to the end of the record
  entry N, turn N   go to where entry N of the log has happened, or to the
                    beginning of turn N
  options           the options of the decision here
  odds [OPTION]     the odds of what the answer that was given leads to, or of
                    another option, for what its seat knew then
  branch FILE       write a save of the game as it is here, to play on from it
                    with 'bicorne resume FILE'
  board, map, log, why, standing, rule   as in a game; quit leaves""",
    """\
記録されたゲームをたどります：
  next [N]、Enter   次の決定へ。Nを付けるとN個先
  back [N]          前の決定へ。Nを付けるとN個前
  start、end        記録の初め、終わりへ
  entry N、turn N   記録のN番が起きた時点へ、第Nターンの初めへ
  options           ここでの決定の選択肢
  odds [選択肢]     実際の答え（または別の選択肢）から起こる戦闘や判定の確率。
                    決定した側がそのとき知っていた範囲で求める
  branch ファイル   この時点のゲームを保存。続きは bicorne resume ファイル
  board、map、log、why、standing、rule はゲーム中と同じ。quit でやめる""",
)
REPLAY_AT = Message("entry {entry} of {total}, turn {turn}", "記録{entry}/{total}、第{turn}ターン")
REPLAY_START = Message("this is the start: 'back' leads no further", "ここが初めで、backではこれより前へ戻れません")
REPLAY_END = Message(
    "this is the end of the record: 'next' leads no further", "ここが記録の終わりで、nextでは進めません"
)
REPLAY_ASKED = Message("{who} decides: {question}", "{who}の決定：{question}")
REPLAY_DECIDES = Message("{who} decides", "{who}の決定")
NO_REPLAY_POINT = Message(
    "there is no point '{typed}': give the number of an entry, 'turn N', 'start' or 'end'",
    "「{typed}」という時点はありません。記録の番号、turn N、start、end のいずれかを付けてください",
)
NO_ENTRY = Message(
    "there is no entry {number}: the log has the entries 1 to {total}",
    "記録に{number}番はありません。1番から{total}番までです",
)
NO_ENTRIES = Message(
    "there is no entry {number}: the log has no entries yet", "{number}番はありません。記録にはまだ何もありません"
)
NO_TURN = Message(
    "there is no turn {number}: the game has the turns 1 to {total}",
    "第{number}ターンはありません。第1ターンから第{total}ターンまでです",
)
NOBODY_DECIDES = Message("nobody decides here: the game is over", "ここで決定する人はいません。ゲームは終わっています")
OTHERS_DECISION = Message(
    "{who} decides; the options and their odds are shown only for decisions of your own seat",
    "{who}の決定です。選択肢とその確率を示せるのは、自分の側の決定についてだけです",
)
BRANCH_NEEDS_FILE = Message("'branch' needs the name of a new file", "branch には新しいファイルの名前を付けます")
BRANCHED = Message(
    "saved as it is here; continue with 'bicorne resume {path}'",
    "この時点を保存しました。続きは bicorne resume {path}",
)
VERIFIED = Message(
    "{file}: {steps} {steps:step|steps} replayed, every state is as recorded",
    "{file}：{steps}ステップを再現。どの状態も記録どおり",
)
SEED_OF_DICE = Message("Seed of the dice: {seed}", "乱数の種：{seed}")
COMMITMENT_OF_SEED = Message("Commitment: {commitment}", "そのコミットメント：{commitment}")
DICE_OF_SEED = Message(
    "Dice: all {count} dice and random picks are those of the seed",
    "ダイス：ダイスと無作為の選択{count}回は、すべて種どおり",
)
DICE_NOT_COMPARED = Message(
    "Dice: not compared with the seed; their algorithm is older ({algorithm})",
    "ダイス：古い方式（{algorithm}）のため、種と照合していません",
)
SEEN_BY_PERSON = Message(
    "note: the game is not over: this is what {who} may see; without a terminal, all is verified",
    "注：ゲームは終わっていないので、{who}が見てよいものだけを示します。端末以外では、すべてを検証します",
)
