"""Tells which action of git a sentence is about that does not name git: "before you commit", 「プッシュする前に」."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_BEFORE_A_VERB = r"(?:^|\b(?:to|not|ever|dont|\w*n['’]t|never|always|must|should|please|before|after|when|whenever|while|only|and|then|first|time|you|we|i)\s+)"
_AFTER_A_VERB = r"\b(?!\s*[/-])"
_DONE_IN_JAPANESE = "(?:する|し|前|後|時|は|を?禁)"
GIT_ACTIONS = {
    "commit": lazy_pattern(
        rf"{_BEFORE_A_VERB}commit(?:ting|s)?{_AFTER_A_VERB}|\bcommit messages?\b|コミット(?:メッセージ|(?:を|は)?分け|{_DONE_IN_JAPANESE})", "i"
    ),
    "push": lazy_pattern(rf"{_BEFORE_A_VERB}(?:force[- ])?push(?:ing|es)?{_AFTER_A_VERB}|プッシュ{_DONE_IN_JAPANESE}", "i"),
    "rebase": lazy_pattern(rf"{_BEFORE_A_VERB}rebas(?:e|es|ing){_AFTER_A_VERB}|リベース{_DONE_IN_JAPANESE}", "i"),
    "merge": lazy_pattern(rf"{_BEFORE_A_VERB}merg(?:e|es|ing){_AFTER_A_VERB}|マージ{_DONE_IN_JAPANESE}", "i"),
    "tag": lazy_pattern(rf"{_BEFORE_A_VERB}tag(?:ging|s)?{_AFTER_A_VERB}|タグ(?:を?付|{_DONE_IN_JAPANESE})", "i"),
    "deploy": lazy_pattern(rf"{_BEFORE_A_VERB}deploy(?:s|ing)?{_AFTER_A_VERB}|デプロイ{_DONE_IN_JAPANESE}", "i"),
    "stash": lazy_pattern(rf"{_BEFORE_A_VERB}stash(?:ing|es)?{_AFTER_A_VERB}|スタッシュ{_DONE_IN_JAPANESE}", "i"),
}
"""What people say without `git` or a tool that deploys in front: sentences about doing it ("before you commit"), not those about a thing ("the last
commit")."""
