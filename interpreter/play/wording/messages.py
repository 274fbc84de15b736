"""What the engine itself says to people at a game, in every language: the one place where such sentences stand.

A saying is a constant of this module, so that its name is checked where it is used; made without one of its languages
it would be no saying. `{name}` in it stands for a value, `{count:step|steps}` for the word that fits a number.
Of what a game says by itself nothing stands here: that is the presentation of its ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from string import Formatter
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence of the engine in each of its languages."""

    en: str
    ja: str

    def within(self, language: str, values: Mapping[str, Any]) -> str:
        """The sentence with these values; in English where it has no such language."""
        return _FORMATTER.vformat(str(getattr(self, language, self.en)), (), values)


@dataclass(frozen=True, slots=True)
class Told:
    """A saying with its values, which can be told again with others."""

    saying: Saying
    language: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return self.saying.within(self.language, self.values)

    def but(self, **values: Any) -> Told:
        """The same with some values replaced."""
        return replace(self, values={**self.values, **values})

    def without(self, name: str) -> tuple[Any, ...]:
        """What tells it from others that differ in one value at most."""
        return self.saying, tuple(sorted((each, str(value)) for each, value in self.values.items() if each != name))


class _Counting(Formatter):
    """Formats as usual, and chooses between two words by a number."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        return str(super().format_field(value, format_spec)) if not bar else one if value == 1 else many


_FORMATTER = _Counting()
LANGUAGES: Final = tuple([each.name for each in fields(Saying)])

# ---------------------------------------------------------------- words that any game may need
WORDS: Final[Mapping[str, Saying]] = {
    "none": Saying("none", "なし"),
    "yes": Saying("yes", "はい"),
    "no": Saying("no", "いいえ"),
    "pass": Saying("pass", "パス"),
    "stop": Saying("stop", "終える"),
    "no more": Saying("no more", "これまで"),
}
"""Called so unless the ruleset has words of its own for them."""
COMMA = Saying(", ", "、")
AND = Saying(" and ", "と")
HIDDEN = Saying("hidden {kind}", "非公開の{kind}")
RECORD_OF = Saying("{kind} of {thing}", "{thing}の{kind}")
RECORD = Saying("{kind} ({values})", "{kind}（{values}）")
IN_PLACE = Saying("in {place}", "{place}")
OF_SUBJECT = Saying("{question} ({subject})", "{question}（{subject}）")

# ---------------------------------------------------------------- the log
STEP = Saying("{name}", "{name}")
STEP_FOR = Saying("{name} ({scope})", "{name}（{scope}）")
LINE = Saying("line {line} of {rule}", "{rule}の{line}行")
ROLLS = Saying("{who} rolls {dice} ({label})", "{who}のダイス：{dice}（{label}）")
NO_DICE = Saying("no dice", "ダイスなし")
AT_RANDOM = Saying("at random: {values} ({label})", "無作為：{values}（{label}）")
SHOWN = Saying("{what} is shown to {whom}", "{what}を{whom}に公開")
EVERYBODY = Saying("all", "全員")
SHUFFLED = Saying("{pile} is shuffled", "{pile}をシャッフル")
ANSWERS = Saying("{who}: {what}: {answer}", "{who}：{what}：{answer}")
ABOUT = Saying("{what} of {subject}", "{subject}の{what}")
AT_LEAST = Saying("at least {asked}", "{asked}以上")
AT_MOST = Saying("at most {asked}", "{asked}以下")
LOWERED = Saying("{bound}, of whom only {met} could be had", "{bound}、うち可能なのは{met}のみ")
TOTAL = Saying("total {bound}", "合計{bound}")
FROM = Saying("{bound} from {whom}", "{whom}から{bound}")
LOOKED_UP = Saying("{table}, {at}: {cell}", "{table}、{at}：{cell}")
HEADING = Saying("{axis} {heading}", "{axis} {heading}")
SUM = Saying("{list}: {total:+d}", "{list}：{total:+d}")
SUM_OF = Saying("{list}: {total:+d} ({parts})", "{list}：{total:+d}（{parts}）")
NOTHING_APPLIES = Saying("nothing applies", "該当なし")
APPLIES = Saying("{rule}: {item} applies", "{rule}：{item}に該当")
CHANGE = Saying("{attribute} {old} → {new}", "{attribute} {old} → {new}")
VALUE = Saying("{attribute} {new}", "{attribute} {new}")
CHANGE_OF = Saying("{whose}: {change}", "{whose}：{change}")
MOVES = Saying("{what} {count:moves|move} from {old} to {new}", "{what}：{old}から{new}へ")
PLACED = Saying("{what} {count:is|are} placed in {new}", "{what}を{new}に配置")
REMOVED = Saying("{what} {count:is|are} removed", "{what}を除去")
REMOVED_FROM = Saying("{what} {count:is|are} removed from {old}", "{what}を{old}から除去")
WON = Saying("{winners} {count:wins|win}", "{winners}の勝利")
NOBODY_WON = Saying("nobody wins", "勝者なし")
ENDED = Saying("{outcome}: {reason}", "{outcome}：{reason}")

# ---------------------------------------------------------------- names that are typed
SEVERAL_MEANT = Saying("'{name}' could be any of: {told}", "「{name}」に当てはまるもの：{told}")
NOTHING_MEANT = Saying("nothing here is called '{name}'", "「{name}」というものはありません")
DID_YOU_MEAN = Saying("did you mean '{name}'?", "「{name}」のことですか")
KNOWN_HERE = Saying("known here: {names}", "ここにあるもの：{names}")
HINTED = Saying("{said}; {hint}", "{said}。{hint}")

# ---------------------------------------------------------------- the question
SO_FAR = Saying("  so far: {chosen}", "  ここまで：{chosen}")
AND_SO_ON = Saying("  … and so on to {count}; 'options' lists all", "  … {count}まで続く。optionsですべて表示")
CHOOSE = Saying("[1-{count}, ?] ", "[1-{count}, ?] ")
CHOOSE_BETWEEN = Saying("[a number from {low} to {high}, ?] ", "[{low}から{high}までの数, ?] ")
CHOOSE_NUMBER = Saying("[{numbers}, ?] ", "[{numbers}, ?] ")
NO_OPTION = Saying(
    "there is no option {typed}: they are numbered from 1 to {count}", "{typed}番はありません。1から{count}までです"
)
SEVERAL_OPTIONS = Saying(
    "'{typed}' could be any of: {told}; type its number", "「{typed}」に当てはまるもの：{told}。番号で答えてください"
)
NONE_OF_THEM = Saying("'{typed}' is none of the options", "「{typed}」は選択肢にありません")
WHAT_ELSE = Saying("{said}; ? tells what else can be typed", "{said}。入力できるものは ? で表示")

# ---------------------------------------------------------------- at the table
TYPE_HELP = Saying("Type ? for help.", "? と入力すると説明を表示します。")
HELP = Saying(
    """\
Answer with the number of an option, its name, or a part of its name. Besides:
  board [NAME]          the position as you may see it; of one place, thing or piece alone, with all that is in it
  map [NAME]            the map around a place or a piece, or around what is going on
  log [N]               the last N entries of the log (20)
  why [N or all]        how the last result came about: modifiers, table, dice, clauses; where that is long, in short,
                        with 'all' in full; and how entry N of the log did
  why not ACTION [VALUE …]   what stands in the way of an action, with these picks in order or as PICK=VALUE
  rule [CLAUSE]         what a clause and those under it say; without one, the clauses of this decision
  options               all options again
  undo [agree]          take back your last decision; 'agree' if the others agree to it
  save [FILE]           keep the game
  quit                  leave (so does the end of input)""",
    """\
選択肢の番号、名前、または名前の一部で答えてください。そのほか：
  board [名前]          見てよい範囲の盤面。名前を付けると、その場所や駒とその中身だけ
  map [名前]            その場所や駒の周囲の地図。名前がなければ、いま問題の場所の周囲
  log [N]               記録の最後のN件（20件）
  why [N または all]    最後の結果の導出：修正、表、ダイス、条項。長ければ要約、allで全部。Nは記録の番号
  why not 行動 [値 …]   その行動ができない理由。値は順に、または 項目=値 で
  rule [条項]           条項とその下位の内容。なければ、この決定の条項
  options               選択肢をもう一度
  undo [agree]          直前の自分の決定を取り消す。他のプレイヤーが同意していれば agree
  save [ファイル]       ゲームを保存
  quit                  やめる（入力の終わりでも）""",
)
TAKEN_BACK = Saying("taken back", "取り消しました")
TYPE_UNDO = Saying(
    "type 'undo', or 'undo agree' if the others agree", "undo、または他のプレイヤーが同意していれば undo agree"
)
IF_AGREED = Saying("if the others agree, type 'undo agree'", "他のプレイヤーが同意していれば undo agree と入力")
NOT_KEPT = Saying(
    "this game is not kept in a file; type 'save FILE'",
    "このゲームはファイルに保存されていません。save ファイル名 と入力",
)
KEPT = Saying("kept in {path}", "{path} に保存しました")
KEPT_FROM_NOW = Saying(
    "kept in {path} from now on; '{command}' goes on with it", "以後 {path} に保存します。再開：{command}"
)
GOES_ON = Saying("'{command}' goes on", "再開：{command}")
SEED = Saying("{title} ({name} {version}), seed {seed}", "{title}（{name} {version}）、乱数の種 {seed}")
AFTER_STEPS = Saying(
    "{title} ({name} {version}), after {count} {count:step|steps}", "{title}（{name} {version}）、{count}手順の後"
)
HAND_OVER = Saying(
    "— {who} decides next, and should be the only one to look —", "— 次は{who}の番です。ほかの人は画面を見ないこと —"
)
PRESS_ENTER = Saying("press Enter when you are there ", "席に着いたらEnterキーを押してください ")
RESULT = Saying("Result: {result} (after {count} {count:step|steps})", "結果：{result}（{count}手順の後）")
WON_BY = Saying("won by {winners}", "{winners}の勝利")
STATE = Saying("State: {state}", "状態：{state}")
NOT_OVER = Saying("The game is not over; it stands at step '{step}'", "ゲームはまだ終わっていません（手順 {step}）")
NOT_OVER_AFTER = Saying(
    "The game is not over after {count} {count:turn|turns}; it stands at step '{step}'",
    "{count}ターンを終え、ゲームはまだ終わっていません（手順 {step}）",
)

# ---------------------------------------------------------------- asking back
NO_MAP = Saying(
    "nothing that is going on has a place on a map; 'map NAME' shows the map around a place",
    "いま問題の場所は地図にありません。map 名前 でその周囲を表示",
)
AROUND = Saying("(around {place})", "（{place}の周囲）")
HIDDEN_HERE = Saying("{count} hidden", "非公開{count}")
NOTHING_YET = Saying("nothing has happened yet", "まだ何も起きていません")
NOTHING_ROLLED = Saying("nothing has been rolled or looked up yet", "まだダイスも表も使われていません")
TAKES_NUMBER = Saying("'{command}' takes a number, not '{typed}'", "{command} には数を付けます（「{typed}」は不可）")
BY_RULE = Saying("{what}, by {rule}", "{what}（{rule}）")
BY_IN_STEP = Saying("by {rule}, in step {step}", "{rule}、手順 {step}")
FIGURES = Saying("figures", "数値")
CLAUSES = Saying("clauses", "条項")
READINGS = Saying("readings", "解釈")
CELL = Saying("{table} at {at}: {standing}", "{table}（{at}）：{standing}")
AND_SO = Saying("and so:", "その結果：")
IN_SHORT = Saying(
    "{affair} in short; 'why all' tells it in {count} lines with every clause:",
    "{affair}の要約（why allで全{count}行、条項付き）：",
)
NOTHING_COUNTS = Saying("nothing counts", "該当なし")
MORE_OF_THEM = Saying("{names} and {count} more", "{names}ほか{count}")
NO_CLAUSE_HERE = Saying("this decision stands under no clause", "この決定には条項がありません")
NO_SUCH_CLAUSE = Saying("the rulebook has no clause '{clause}'", "ルールに条項「{clause}」はありません")
SEE_ALSO = Saying("  (see {clauses})", "  （{clauses}を参照）")
NAME_ACTION = Saying(
    "name an action: why not ACTION [VALUE …]; actions: {known}",
    "行動名を付けてください：why not 行動 [値 …]。行動：{known}",
)
NO_ACTIONS = Saying("this game has none", "このゲームにはありません")
OPEN_NOW = Saying("nothing stands in the way: it is open now", "妨げるものはありません。いま選べます")

# ---------------------------------------------------------------- why not
NO_SUCH_ACTION = Saying("there is no action '{action}'", "「{action}」という行動はありません")
NO_SUCH_PICK = Saying("the action '{action}' has no pick '{pick}'", "行動「{action}」に項目「{pick}」はありません")
NO_PICKS = Saying("it has no picks", "項目はありません")
GAME_OVER = Saying("the game is over: {result}", "ゲームは終わっています：{result}")
GAME_STOPPED = Saying("the game stopped at a fault", "ゲームは誤りのため止まっています")
IS_ASKED = Saying("{who} is asked: {question}", "いまの問いは{who}に：{question}")
OTHER_QUESTION = Saying(
    "'{action}' answers another question ({question}), which is not asked now: {asked}",
    "「{action}」は別の問い（{question}）への答えです。{asked}",
)
OTHER_ACTION = Saying("another action is being carried out: {asked}", "別の行動の途中です。{asked}")
NOTHING_TO_PICK = Saying("nothing can be picked as {pick}", "{pick}に選べるものがありません")
NOT_OPEN = Saying("{action} is not open now", "{action}はいま選べません")
REFUSED = Saying("{value} can't be picked as {pick}", "{value}は{pick}に選べません")
THEN_NOTHING = Saying(
    "{refusal}: then nothing could be picked as {pick}", "{refusal}：その後{pick}に選べるものがなくなります"
)
NOT_AMONG = Saying("{refusal}: it is not among {those}", "{refusal}：{those}に含まれません")
WHAT_THERE_IS = Saying("what there is", "選べるもの")
CONDITION_FAILS = Saying("{refusal}: {condition}", "{refusal}：{condition}")
A_CONDITION = Saying("a condition fails", "条件に合いません")

# ---------------------------------------------------------------- taking back
DICE_ROLLED = Saying("dice were rolled ({label})", "ダイスが振られた（{label}）")
PICKED_AT_RANDOM = Saying("something was picked at random ({label})", "無作為に引かれた（{label}）")
REVEALED = Saying("something was revealed ({label})", "公開された（{label}）")
DECIDED = Saying("{who} decided ({what})", "{who}が決定した（{what}）")
CANT_TAKE_BACK = Saying(
    "{who}'s decision ({what}) can't be taken back: since then {reasons}; it needs the consent of {others}",
    "{who}の決定（{what}）は取り消せません。その後：{reasons}。{others}の同意が必要です",
)
NO_DECISION_YET = Saying("no decision has been made yet", "まだ何も決定されていません")
NOT_DECIDED_YET = Saying("{who} has not decided anything yet", "{who}はまだ何も決定していません")
NO_SUCH_SEAT = Saying("'{seat}' is no seat of this game", "「{seat}」という席はありません")
