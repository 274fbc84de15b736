"""The message catalogue: every sentence that the engine shows to players, in each language.

A message is a constant of this module, of `odds_messages.py` or of `replay_messages.py`, so that a type checker finds
misspelt names; it cannot be made without one of its languages. `{name}` in a message is a value, `{count:step|steps}`
is the word that fits a number.
The texts of a game are not here: they are in the presentation of its ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from interpreter.play.wording.message import Message

# ---------------------------------------------------------------- words that any game may need
WORDS: Final[Mapping[str, Message]] = {
    "none": Message("none", "なし"),
    "yes": Message("yes", "はい"),
    "no": Message("no", "いいえ"),
    "pass": Message("pass", "パス"),
    "stop": Message("stop", "終える"),
    "no more": Message("no more", "これまで"),
    "rolls": Message("rolls", "ダイス"),
    "the sequence of play is over": Message("the sequence of play is over", "手順がすべて終わった"),
}
"""The default words; a ruleset may define its own."""
COMMA = Message(", ", "、")
SEMICOLON = Message("; ", "；")
VALUE_OF = Message("{name}: {value}", "{name}：{value}")
TRAIT_OF = Message("{name} {value}", "{name}：{value}")
HEAD_OF_LIST = Message("{title}:", "{title}：")
WITH_TRAITS = Message("{name} ({traits})", "{name}（{traits}）")
SEVERAL_OF = Message("{count} {name}", "{name}×{count}")
REPEATED = Message("{name} (×{count})", "{name}（×{count}）")
AND = Message(" and ", "と")
HIDDEN = Message("hidden {kind}", "非公開の{kind}")
HIDDEN_OF = Message("hidden {kind} of {owner}", "{owner}の非公開の{kind}")
RECORD_OF = Message("{kind} of {thing}", "{thing}の{kind}")
RECORD = Message("{kind} ({values})", "{kind}（{values}）")
QUOTED = Message("'{text}'", "「{text}」")
IN_PLACE = Message("in {place}", "{place}")
WHAT_IS_CHOSEN = Message("{what}?", "{what}は？")
WHICH = Message("Which {kind}?", "どの{kind}？")
WHICH_AS = Message("{name}: which {kind}?", "どの{kind}？（{name}）")
OF_SUBJECT = Message("{question} ({subject})", "{question}（{subject}）")

# ---------------------------------------------------------------- the log
STEP = Message("{name}", "{name}")
STEP_FOR = Message("{name} ({scope})", "{name}（{scope}）")
UNNAMED_RULE = Message("a rule", "ルール")
RULE_OF = Message("rule {clause}", "{clause}の処理")
LINE = Message("line {line} of {rule}", "{rule}の{line}行")
ROLLS = Message("{who} {rolls} {dice} ({label})", "{who}の{rolls}：{dice}（{label}）")
NO_DICE = Message("no dice", "なし")
AT_RANDOM = Message("at random: {values} ({label})", "無作為：{values}（{label}）")
PICKED = Message("at random: {values}", "無作為：{values}")
SHOWN = Message("{what} is shown to {whom}", "{what}を{whom}に公開")
EVERYBODY = Message("all", "全員")
SHUFFLED = Message("{pile} is shuffled", "{pile}をシャッフル")
ANSWERS = Message("{who}: {what}: {answer}", "{who}：{what}：{answer}")
DECLINES = Message("{who}: {answer}", "{who}：{answer}")
ABOUT = Message("{subject}: {what}", "{subject}：{what}")
AT_LEAST = Message("at least {asked}", "{asked}以上")
AT_MOST = Message("at most {asked}", "{asked}以下")
MORE_THAN = Message("more than {asked}", "{asked}より多い値")
LESS_THAN = Message("less than {asked}", "{asked}未満")
LOWERED = Message("{bound}, but only {met} available", "{bound}、うち可能なのは{met}のみ")
TOTAL = Message("total {bound}", "合計{bound}")
FROM = Message("{bound} from {whom}", "{whom}から{bound}")
LOOKED_UP = Message("{table}, {at}: {cell}", "{table}、{at}：{cell}")
HEADING = Message("{axis} {heading}", "{axis} {heading}")
FROM_TO = Message("{low}–{high}", "{low}～{high}")
OR_MORE = Message("{low} or more", "{low}以上")
OR_LESS = Message("{high} or less", "{high}以下")
SUM = Message("{list}: {total:+d}", "{list}：{total:+d}")
SUM_OF = Message("{list}: {total:+d} ({parts})", "{list}：{total:+d}（{parts}）")
WHOSE_SUM = Message("{list} of {whose}", "{whose}の{list}")
NOTHING_APPLIES = Message("nothing applies", "該当なし")
APPLIES = Message("{rule}: {item} applies", "{rule}：{item}に該当")
CHANGE = Message("{attribute} {old} → {new}", "{attribute} {old} → {new}")
BECOMES = Message("{attribute} is now {new}", "{attribute}が{new}になる")
IS_NO_MORE = Message("{attribute} is {old} no more", "{attribute}が{old}でなくなる")
FLAG_SET = Message("now {attribute}", "{attribute}になる")
FLAG_CLEARED = Message("{attribute} no more", "{attribute}でなくなる")
VALUE = Message("{attribute} {new}", "{attribute} {new}")
CHANGE_OF = Message("{whose}: {change}", "{whose}：{change}")
MOVES = Message("{what} {count:moves|move} from {old} to {new}", "{what}：{old}から{new}へ")
PLACED = Message("{what} {count:is|are} placed in {new}", "{what}を{new}に配置")
REMOVED = Message("{what} {count:is|are} removed", "{what}を除去")
REMOVED_FROM = Message("{what} {count:is|are} removed from {old}", "{what}を{old}から除去")
WON = Message("{winners} {count:wins|win}", "{winners}の勝利")
NOBODY_WON = Message("nobody wins", "勝者なし")
ENDED = Message("{outcome}: {reason}", "{outcome}：{reason}")

# ---------------------------------------------------------------- names that are typed
AMBIGUOUS_NAME = Message("'{name}' could be any of: {names}", "「{name}」に当てはまるもの：{names}")
UNKNOWN_NAME = Message("nothing here is called '{name}'", "「{name}」というものはありません")
DID_YOU_MEAN = Message("did you mean '{name}'?", "「{name}」のことですか")
KNOWN_HERE = Message("known here: {names}", "ここにあるもの：{names}")
WITH_HINT = Message("{text}; {hint}", "{text}。{hint}")

# ---------------------------------------------------------------- the question
ASKED = Message("{who}: {question}{cites}", "{who}：{question}{cites}")
CHOOSE_COUNT = Message("  {count} to choose", "  あと{count}個を選ぶ")
CHOOSE_AT_MOST = Message("  at most {count}", "  あと{count}個まで")
SO_FAR = Message("  so far: {chosen}", "  ここまで：{chosen}")
MORE_LINES = Message("  … {count} lines before; 'log' shows them", "  … この前に{count}行。logで表示")
MORE_OPTIONS = Message("  … and so on to {count}; 'options' lists all", "  … {count}まで続く。optionsですべて表示")
CHOOSE = Message("[{numbers}, ?] ", "[{numbers}, ?] ")
CHOOSE_BETWEEN = Message("[a number from {low} to {high}, ?] ", "[{low}から{high}までの数, ?] ")
IS_OFFERED = Message("{option} can be chosen now", "{option}はいま選べます")
NO_OPTION = Message("there is no option {typed}; the numbers are {numbers}", "{typed}番はありません。番号は {numbers}")
AMBIGUOUS_OPTION = Message(
    "'{typed}' could be any of: {names}; type its number", "「{typed}」に当てはまるもの：{names}。番号で答えてください"
)
CONTROL_TYPED = Message(
    "this contains the control character {control}; type it again",
    "制御文字{control}が含まれています。入力し直してください",
)
UNKNOWN_OPTION = Message("'{typed}' is none of the options", "「{typed}」は選択肢にありません")
AMBIGUOUS_ORDER = Message("'{typed}' could be any of: {names}", "「{typed}」に当てはまるもの：{names}")
NO_WAY = Message(
    "no way leads to {goal} from this question; 'why not {goal}' says what is in the way",
    "この問いから{goal}へ至る方法はありません。why not {goal} でその理由を表示",
)
NO_WAY_BECAUSE = Message(
    "no way leads to {goal} from this question: {reason}", "この問いから{goal}へ至る方法はありません：{reason}"
)
NO_WAY_BEYOND = Message(
    "no sure way leads to {goal}, but as far as {place}: beyond, dice, a choice or lack of means come in",
    "{goal}へ確実に至る方法はありません。確実なのは{place}まで：その先はダイス、選択、移動力などしだい",
)
NOT_AN_ORDER_NOW = Message("'{order}' is no answer now: {asked}", "「{order}」はいまの答えではありません。{asked}")
AN_ORDER_LATER = Message(
    "'{order}' is no answer yet, but '{example}' leads on to it: {asked}",
    "「{order}」はまだ答えになりませんが、「{example}」ならそこへ進みます。{asked}",
)
NUMBER_FIRST = Message(
    "'{order}' names no number: put the one that you choose before it, such as '{example}'",
    "「{order}」に数がありません。選ぶ数を前に付けてください（例：「{example}」）",
)
ACTION_FIRST = Message(
    "'{goal}' names no action; it could mean {names}: put the action before it, such as '{example}'",
    "「{goal}」だけでは行動が決まりません（{names}）。行動を前に付けてください（例：「{example}」）",
)
NO_WAY_FIRST = Message(
    "'{first}' alone does not lead to {goal}: {reason}; answer it first, and name {goal} where it is asked for",
    "「{first}」だけでは{goal}へ至りません：{reason}。まずそれを答え、{goal}は問われたときに答えてください",
)
TWO_THINGS = Message(
    "these are two things: answer with '{first}' first, and with '{goal}' when that is asked",
    "二つのものが指定されています。まず「{first}」と答え、次に問われたとき「{goal}」と答えてください",
)
NO_ALL = Message(
    "'{typed}' answers a question of which several options are chosen", "「{typed}」は複数を選ぶ問いで使います"
)
NOTHING_BEFORE = Message(
    "'{typed}' repeats the last answer to this question, and there is none yet",
    "「{typed}」はこの問いの前の答えを繰り返しますが、まだ答えがありません",
)
NOTHING_STAYS = Message(
    "'{typed}' is no answer here: the question is not where something goes",
    "「{typed}」はここでは答えになりません。どこへ行くかの問いではありません",
)
NOT_DONE = Message(
    "'{typed}' is no answer here: one of the options must be chosen",
    "「{typed}」では答えられません。選択肢から選んでください",
)
PLAN = Message("  order: {plan}", "  命令：{plan}")
PLAN_COST = Message("{plan}; {unit} in all: {cost}", "{plan}、{unit}計{cost}")
PLACE_COST = Message("{place} {cost}", "{place} {cost}")
MAY_REACT = Message(
    "  {seat} may stop it after {after} ({question} …)", "  {after}の後に{seat}が止めるかもしれない（{question}…）"
)
MAY_DECIDE = Message("  {seat} may stop it after {after}", "  {after}の後に{seat}が止めるかもしれない")
ENDS_AT_CHANCE = Message(
    "  it ends before {goal}: chance comes in at {place}", "  {goal}の前で終わる：{place}でダイスなどの判定がある"
)
ONLY_BEGINS = Message(
    "  this begins at {place}; an order that leads there names a start, such as '{order}'",
    "  これは{place}から始める命令。そこへ向かう命令は出発地も示す（例：{order}）",
)
YOU_CHOOSE = Message(
    "  on the way you are asked: {questions}; then the order goes on",
    "  途中の問い：{questions}。答えると命令は続きます",
)
ORDER_DROPPED = Message("The order ends before '{rest}': {reason}.", "命令は「{rest}」の前で終わり：{reason}。")
DICE_FELL = Message("chance has decided something", "ダイスなどで何かが決まった")
SOMEBODY_REACTED = Message("somebody has reacted", "ほかのプレイヤーが行動した")
HIDDEN_SEEN = Message("something hidden has come to light", "隠れていたものが見えた")
OTHER_QUESTION_FIRST = Message("another question comes first", "別の問いが先にある")
NO_WAY_NOW = Message("no way leads there now", "いまはそこへ至る方法がない")
NOT_POSSIBLE_NOW = Message("it is not possible now", "いまはできない")
WITH_HELP_HINT = Message("{text}; type ? for help", "{text}。入力できるものは ? で表示")

# ---------------------------------------------------------------- at the table
QUIT_UNSAVED = Message(
    "the game is not saved: 'save FILE' keeps it; 'quit' once more leaves it",
    "ゲームは保存されていません。save ファイル名 で保存、もう一度 quit で保存せずに終わります",
)
THINKS = Message("{who} is thinking", "{who}が考えています")
COMPUTES_ODDS = Message("computing odds", "確率を計算しています")
SEEKS_ANSWER = Message("looking for what that can mean", "該当する選択肢を探しています")
TYPE_HELP = Message(
    "Type ? for help, 'standing' for all that counts.",
    "? と入力すると説明、standing と入力すると得点の内訳を表示します。",
)
HELP = Message(
    """\
Answer with the number or the name of an option, or with a part of its name:
  3 4 7   all   rest    several answers in one line; 'done' ends a choice
  ANSWER same           this answer, and the same to this question for others
  stay                  what is asked about remains where it is
  A; B; C               answers to the next questions too, as far as they come
  OPTION GOAL [by PLACE …]   an order that leads further, such as 'march TOWN by
                        FORD': the cheapest way, until somebody reacts
Other commands:
  plan OPTION GOAL …    show the way of such an order, and do nothing
  board [NAME]          the position as you may see it; with NAME, one place,
                        thing or piece and its contents
  standing              what wins, how far each side has come, what counts
  odds [OPTION]         the odds of what an option, or an order, leads to (rolls
                        with named outcomes)
  map [NAME or all]     the map around a place or piece, or the current place;
                        'all' shows all places where something is
  log [N]               the last N entries of the log (default 20)
  why [N or all]        explain the last result: modifiers, table, dice, rule;
                        'all' does not shorten it; with N, explain entry N
  why NAME [WORD …]     explain the last change of a thing (one whose text has
                        these words), or the last entry with these words
  why not NAME          explain why a thing is not among the options
  why not ACTION [VALUE …]   explain why an action is not available, with these
                        picks in order or as PICK=VALUE
  rule [CLAUSE]         a clause and its subclauses, or those of this decision
  options, Enter        show the question again, with all options
  undo [agree]          undo your last decision; 'agree' if the others agree
  save [FILE]           save the game; with FILE, a copy of it as it is now
  quit                  leave the game (the end of input does the same)""",
    """\
選択肢の番号、名前、または名前の一部で答えてください。
  3 4 7   すべて   残り   一度に複数を選ぶ。「終わり」で選ぶのをやめる
  答え 同じ             この答え。同じ問いが続くかぎり、ほかも同じ
  そのまま              問われているものを今の場所に残す
  A; B; C               続く問いへの答えも。問いが来るかぎり有効
  選択肢 目標 [経由 場所 …]   先まで進める命令。例：移動 町 経由 浅瀬
                        最も安い経路で、誰かが行動するまで
そのほか：
  plan 選択肢 目標 …    その命令の経路を示すだけ
  board [名前]          見てよい範囲の盤面。名前を付けると、その場所や駒だけ
  standing              勝利条件、いまの得点と内訳
  odds [選択肢]         その選択肢（または命令）から起こる戦闘や判定の確率
  map [名前か all]      その場所や駒の周囲の地図。なければ、いま問題の場所。
                        all は駒のある全域
  log [N]               記録の最後のN件（20件）
  why [N または all]    最後の結果の導出：修正、表、ダイス、条項。
                        長ければ要約、allで全部。Nは記録の番号
  why 名前 [語 …]       その物の最後の変化（その語を含むもの）、または
                        その語を含む最後の記録の理由
  why not 名前          それが選択肢にない理由
  why not 行動 [値 …]   その行動ができない理由。値は順に、または 項目=値 で
  rule [条項]           条項とその下位の内容。なければ、この決定の条項
  options、Enter        質問とすべての選択肢をもう一度
  undo [agree]          直前の自分の決定を取り消す。他者が同意していれば agree
  save [ファイル]       ゲームを保存。ファイルを付けると、今の時点の写し
  quit                  やめる（入力の終わりでも）""",
)
UNDONE = Message("undone", "取り消しました")
IF_AGREED = Message("if the others agree, type 'undo agree'", "他のプレイヤーが同意していれば undo agree と入力")
NOT_SAVED = Message(
    "this game is not being saved; type 'save FILE' for a copy of it",
    "このゲームはファイルに保存されていません。save ファイル名 と入力すると写しを作ります",
)
SAVED = Message("saved to {path}", "{path} に保存しました")
COPIED = Message(
    "a copy of the game as it is now is in {path}; continue the copy with '{command}'",
    "今の時点の写しを {path} に保存しました。写しの再開：{command}",
)
COPIED_ONLY = Message(
    "a copy of the game as it is now is in {path}; what follows is not saved; continue the copy with '{command}'",
    "今の時点の写しを {path} に保存しました。この後は保存されません。写しの再開：{command}",
)
CONTINUE_LATER = Message("continue later with '{command}'", "再開：{command}")
SEED = Message("{title} ({name} {version}), seed {seed}", "{title}（{name} {version}）、乱数の種 {seed}")
TITLE = Message("{title} ({name} {version})", "{title}（{name} {version}）")
COMMITMENT = Message(
    "The seed of the dice stays secret until the game is over; its commitment is {commitment}",
    "乱数の種はゲームの終わりまで非公開。そのコミットメント：{commitment}",
)
SEED_REVEALED = Message(
    "The seed of the dice was {seed}; its commitment is {commitment}",
    "乱数の種：{seed}、そのコミットメント：{commitment}",
)
AFTER_STEPS = Message(
    "{title} ({name} {version}), after {count} {count:step|steps}", "{title}（{name} {version}）、{count}手順の後"
)
HAND_OVER = Message(
    "— next to decide: {who}; nobody else should look at the screen —",
    "— 次は{who}の番です。ほかの人は画面を見ないこと —",
)
MORE = Message("more: Enter, q to stop ", "続き：Enterキー、qで終わり ")
PRESS_ENTER = Message("press Enter when you are ready ", "席に着いたらEnterキーを押してください ")
RESULT = Message("Result: {result} (after {count} {count:step|steps})", "結果：{result}（{count}手順の後）")
WON_BY = Message("won by {winners}", "{winners}の勝利")
STATE = Message("State: {state}", "状態：{state}")
VIEW_OF = Message("View of {who}: {digest}", "{who}の視点：{digest}")
NOT_OVER = Message("The game is not over; it is at step '{step}'", "ゲームはまだ終わっていません（手順：{step}）")
NOT_OVER_AFTER = Message(
    "The game is not over after {count} {count:turn|turns}; it is at step '{step}'",
    "{count}ターンを終え、ゲームはまだ終わっていません（手順：{step}）",
)

# ---------------------------------------------------------------- questions of the player
NO_MAP = Message(
    "there is no current location to show; use 'map NAME'",
    "いま問題の場所は地図にありません。map 名前 でその周囲を表示",
)
AROUND = Message("(around {place})", "（{place}の周囲）")
PART_OF_MAP = Message(
    "(columns {first} to {last} of {total}; 'map NAME' shows the part around a place)",
    "（{total}桁のうち{first}～{last}桁。map 名前 でその周囲を表示）",
)
MOVES_OF_OTHERS = Message("What the others moved:", "他のプレイヤーが動かしたもの：")
STACK_AT = Message("  {place}: {label}", "  {place}：{label}")
NEXT_TO = Message("next to {places}", "隣：{places}")
NOTHING_IN = Message("nothing in {places}", "何もない場所：{places}")
HIDDEN_HERE = Message("{count} hidden", "非公開{count}")
NOTHING_YET = Message("nothing has happened yet", "まだ何も起きていません")
NOTHING_ROLLED = Message("nothing has been rolled or looked up yet", "まだダイスも表も使われていません")
BY_RULE = Message("{what}, by {rule}", "{what}（{rule}）")
WITHIN = Message("{what}, in {call}", "{what}（{call}）")
BY_IN_STEP = Message("by {rule}, in step {step}", "{rule}、手順 {step}")
FIGURES = Message("figures", "数値")
CLAUSES = Message("clauses", "条項")
READINGS = Message("readings", "解釈")
EXAMPLES = Message("examples", "例")
OTHER_CLAUSES = Message("see also", "参照")
FIGURE = Message("{path} = {value} ({because})", "{path} = {value}（{because}）")
STANDING_MEANINGS: Final[Mapping[str, Message]] = {
    "stated": Message("given in the rules", "ルールに記載"),
    "derived": Message("follows from what the rules say", "ルールの記載から導いた数値"),
    "found": Message("found in a public source other than the rules", "ルール以外の公開資料による"),
    "reconstructed": Message(
        "chosen by the authors of this ruleset; the printed figure is not known to them",
        "このルールセットの作者が定めた数値（印刷された数値は不明）",
    ),
}
STANDING_WORDS: Final[Mapping[str, Message]] = {
    "stated": Message("stated", "記載"),
    "derived": Message("derived", "導出"),
    "found": Message("found", "資料"),
    "reconstructed": Message("reconstructed", "復元"),
}
FROM_SOURCE = Message("source: {source}", "出典：{source}")
MEANING_IN = Message("its meaning is in {clauses}", "意味は{clauses}")
SEE_CLAUSES = Message("see {clauses}", "{clauses}を参照")
CELL = Message("{table} at {at}: {standing}", "{table}（{at}）：{standing}")
HAPPENED_IN = Message("in: {calls}", "手順：{calls}")
THEN = Message(" › ", " › ")
HAPPENED_AFTER = Message("after:", "その前：")
CHANGED_BEFORE = Message("before that ('why N' explains entry N):", "それ以前（why N で番号Nの説明）：")
CONSEQUENCES = Message("and so:", "その結果：")
SUMMARY = Message(
    "{title} (summary); 'why all' shows all {count} lines with every clause:",
    "{title}の要約（why allで全{count}行、条項付き）：",
)
AND_MORE = Message("{names} and {count} more", "{names}ほか{count}")
NO_CLAUSE_HERE = Message("this decision cites no clause", "この決定には条項がありません")
NO_SUCH_CLAUSE = Message("the rulebook has no clause '{clause}'", "ルールに条項「{clause}」はありません")
SEE_ALSO = Message("  (see {clauses})", "  （{clauses}を参照）")
NAME_ACTION = Message(
    "name an action: why not ACTION [VALUE …]; actions: {known}",
    "行動名を付けてください：why not 行動 [値 …]。行動：{known}",
)
NO_ACTIONS = Message("this game has none", "このゲームにはありません")
AVAILABLE_NOW = Message("nothing prevents it: it is available now", "妨げるものはありません。いま選べます")

# ---------------------------------------------------------------- how the game stands
STANDING_NOW = Message("{text} Now: {value}.", "{text}いま：{value}。")
STANDING_FOR = Message("{whose} {title}", "{whose}の{title}")
STANDING_LINE = Message("{title}: {line}", "{title}：{line}")
STANDING_GOAL = Message("{title} {value} (goal {goal})", "{title}{value}（目標{goal}）")
STANDING_LEVEL = Message("{title} {value} ({level})", "{title}{value}（{level}）")
STANDING_COUNTED = Message("counted: {parts}", "得点：{parts}")
STANDING_OPEN = Message("open: {parts}", "未得点：{parts}")
STANDING_LEVELS = Message("possible verdicts: {names}", "判定の段階：{names}")
LEVEL_FROM = Message("{name} ({least} or more)", "{name}（{least}以上）")
LEVEL_UP_TO = Message("{name} ({most} or less)", "{name}（{most}以下）")
LEVEL_BETWEEN = Message("{name} ({least} to {most})", "{name}（{least}～{most}）")
COUNTS = Message("{name} {value}", "{name} {value}")
COUNTS_OF = Message("{name} {value} of {most}", "{name} {value}/{most}")
NO_STANDING = Message("the rules of this game do not say what wins", "このゲームの規則には勝利条件の記載がありません")

# ---------------------------------------------------------------- why not
NO_SUCH_ACTION = Message("there is no action '{action}'", "「{action}」という行動はありません")
NO_SUCH_PICK = Message("the action '{action}' has no pick '{pick}'", "行動「{action}」に項目「{pick}」はありません")
NO_PICKS = Message("it has no picks", "項目はありません")
GAME_OVER = Message("the game is over: {result}", "ゲームは終わっています：{result}")
GAME_STOPPED = Message("the game stopped at an error in a rule", "ゲームは誤りのため止まっています")
ORDER_FROM_TO = Message("{action} {start} to {goal}", "{action} {start} から {goal}")
IS_ASKED = Message("{who} is asked: {question}", "いまの問い（{who}）：{question}")
OTHER_QUESTION = Message(
    "'{action}' answers another question ({question}), which is not asked now: {asked}",
    "「{action}」は別の問い（{question}）への答えです。{asked}",
)
SOME_OTHER_QUESTION = Message(
    "'{action}' answers another question, which is not asked now: {asked}",
    "「{action}」は別の問いへの答えです。{asked}",
)
OTHER_ACTION = Message("another action is in progress: {asked}", "別の行動の途中です。{asked}")
NOTHING_TO_PICK = Message("nothing can be picked as {pick}", "{pick}に選べるものがありません")
REFUSED_ALL = Message("{refusal} ({names}: {condition})", "{refusal}（{names}：{condition}）")
MUST_CHOOSE = Message("{refusal}: one of the options has to be chosen", "{refusal}：いずれかを選ばなければなりません")
ONLY_NUMBERS = Message("{refusal}: {least} to {most} can be chosen", "{refusal}：選べるのは{least}から{most}まで")
NOT_AVAILABLE = Message("{action} is not available now", "{action}はいま選べません")
REFUSED = Message("{value} can't be picked as {pick}", "{value}は{pick}に選べません")
THEN_NOTHING = Message(
    "{refusal}: nothing could then be picked as {pick}", "{refusal}：その後{pick}に選べるものがなくなります"
)
NOT_AMONG = Message("{refusal}: it is not among {those}", "{refusal}：{those}に含まれません")
NOT_NEXT_TO = Message("{refusal}: it is not next to {place}", "{refusal}：{place}に隣接していません")
TOO_FAR = Message("{refusal}: no way leads there", "{refusal}：そこへ至る経路がありません")
BEYOND_LIMIT = Message(
    "{refusal}: no way within {limit} leads there", "{refusal}：{limit}以内でそこへ至る経路がありません"
)
CUT_BETWEEN = Message(
    "{refusal}: the way is cut between {here} and {there}: {condition}",
    "{refusal}：{here}と{there}の間で経路が切れています：{condition}",
)
NOT_OFFERED = Message("{value} is not offered", "{value}は選べません")
CHOSEN_ALREADY = Message("{refusal}: it is chosen already", "{refusal}：すでに選ばれています")
NOT_ASKED_FOR = Message("{refusal}: the question is '{question}'", "{refusal}：いまの問いは「{question}」です")
NO_REASONS_YET = Message(
    "{refusal}: reasons are given when all have answered", "{refusal}：理由は全員が答えた後に示されます"
)
LEADS_TO_NOTHING = Message(
    "{refusal}: nothing could then be chosen for what follows", "{refusal}：その後に選べるものがなくなります"
)
NOT_IN_PLAY = Message("{refusal}: it is not in play", "{refusal}：いま盤上にありません")
NOTHING_IN_IT = Message("{refusal}: there is no {kind}", "{refusal}：{kind}がありません")
IS_IN = Message("{refusal}: it is in {here}", "{refusal}：{here}にあります")
ELSEWHERE = Message("{refusal}: it is in {here}, not in {place}", "{refusal}：{place}ではなく{here}にあります")
NOT_OF_KIND = Message("{refusal}: it is no {kind}", "{refusal}：{kind}ではありません")
NOT_THE_VALUE = Message("{name}: {value}, not {other}", "{name}：{value}（{other}ではありません）")
VALUE_NEEDED = Message("{name}: {value}, {needed} needed", "{name}：{value}（{needed}が必要）")
POSSIBLE_VALUES = Message("the possible values", "選べるもの")
CONDITION_FAILS = Message("{refusal}: {condition}", "{refusal}：{condition}")
REASON_OF = Message("{rule}: {reason}", "{rule}：{reason}")
A_CONDITION = Message("a condition fails", "条件に合いません")

# ---------------------------------------------------------------- undo
DICE_ROLLED = Message("dice were rolled ({label})", "ダイスが振られた（{label}）")
PICKED_AT_RANDOM = Message("something was picked at random ({label})", "無作為に引かれた（{label}）")
REVEALED = Message("something was revealed ({label})", "公開された（{label}）")
DECIDED = Message("{who} decided ({what})", "{who}が決定した（{what}）")
SECRET_DECISION = Message("a secret decision", "秘密の決定")
HAS_SEEN = Message("{who} has seen what was hidden", "{who}が非公開だったものを見た")
COMPUTER_REFUSES = Message(
    "where something is hidden, a computer player does not agree to that",
    "非公開のものがあるゲームでは、コンピュータはこれに同意しません",
)
CANT_UNDO = Message(
    "{who}'s decision ({what}) can't be undone: since then {reasons}; undoing it needs the consent of {others}",
    "{who}の決定（{what}）は取り消せません。その後：{reasons}。{others}の同意が必要です",
)
NO_DECISION_YET = Message("no decision has been made yet", "まだ何も決定されていません")
NOT_DECIDED_YET = Message("{who} has not decided anything yet", "{who}はまだ何も決定していません")
NO_SUCH_SEAT = Message("there is no seat '{seat}' in this game", "「{seat}」という席はありません")
