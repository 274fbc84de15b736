"""The messages of explanations of clauses, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from interpreter.play.wording.message import Message

LEFT_OUT = Message("left out: {reason}", "未収録：{reason}")
CHANGED_BY = Message("changed by {overlays}", "{overlays}による変更")
NOT_IMPLEMENTED = Message("nothing implements it", "実装なし")
CLAUSE = Message("{id} ({kind}): {says}", "{id}（{kind}）：{says}")
CLAUSE_KINDS: Final[Mapping[str, Message]] = {
    "rule": Message("rule", "ルール"),
    "table": Message("table", "表"),
    "definition": Message("definition", "定義"),
    "optional": Message("optional", "選択ルール"),
    "example": Message("example", "例"),
    "component": Message("component", "備品"),
    "note": Message("note", "注記"),
}
