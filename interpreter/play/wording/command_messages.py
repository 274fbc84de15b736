"""The messages about what a command at the prompt takes, in each language."""

from __future__ import annotations

from interpreter.play.wording.message import Message

TAKES_NUMBER = Message("'{command}' takes a number, not '{typed}'", "{command} には数を付けます（「{typed}」は不可）")
TAKES_NOTHING = Message(
    "'{command}' takes no further words, such as '{typed}'; type '{command}' alone",
    "{command} には何も付けません（「{typed}」は不可）。{command} とだけ入力してください",
)
TAKES_ORDER = Message("'{command}' takes an order: an option and a goal", "{command} には選択肢と目標を付けます")
TYPE_UNDO = Message(
    "type 'undo', or 'undo agree' if the others agree", "undo、または他のプレイヤーが同意していれば undo agree"
)
