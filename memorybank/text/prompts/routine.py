"""Recognises prompts that ask for a routine step of any task: "can you address the PR comment?", "npm test fails, take a look", 「レビューの指摘に対応して」.

It also recognises "what is the cause, and how can it be solved?" and 「原因と解決方法は？」. None of these prompts names a subject: earlier answers to the
same words were about another pull request, branch, commit or failure.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.terms import content_terms, is_hiragana
from memorybank.text.words.word_terms import ASKING, ASKING_JAPANESE

_TROUBLE = (
    r"caus(?:es?|ed|ing)|reasons?|solv(?:es?|ed|ing)|solutions?|resolv(?:es?|ed|ing)|happen(?:s|ed|ing)?|occur(?:s|red|ring)?|wrong|problems?|parts?|places?"
    r"|errors?|issues?|fix(?:es|ed)?|fail(?:s|ed|ing|ures?)?"
)
_TROUBLE_JA = r"原因|解決|方法|発生|問題|対処|対応|理由|特定|個所|箇所|漏れ|もれ|エラー|失敗し?|修正"
"""Words of any fault, whatever it is in."""
_STEPS = lazy_pattern(
    r"https?://\S+|^\s*/[\w:-]+|[#＃]\d+"
    r"|\b(?:prs?|pull requests?|merge requests?|comments?|review(?:s|ed|ing)?|feedback|address(?:ed|ing)?|branch(?:es)?|changes?|changed|diffs?|commits?"
    r"|committed|push(?:ed)?|merged?|rebased?|conflicts?|tests?(?::[\w:-]+)?|lint(?:er)?(?::[\w:-]+)?|open|local|latest|last|current|remaining|meaningful|group(?:ed)?"
    r"|code|work|again|copilot|bugbot|coderabbit|dependabot|bots?|\d+"
    r"|npm|pnpm|yarn|bun|make|mise|cargo|uv|poetry|gradle|just|tox|(?:run|ci|build|type-?check|fmt|format|check)(?::[\w:-]+)?"
    rf"|{_TROUBLE}|runs|running|warnings?|red|show(?:s|ing)?|checks?|take|look(?:s|ing)?|see|pipeline|suite)\b"
    r"|もう一度|再度|改めて|プルリク(?:エスト)?|コメント|レビュー|指摘|ブランチ|コミット|プッシュ|マージ|リベース|コンフリクト|変更|差分|テスト|最新|作業|意味|単位|\d+"
    rf"|ビルド|落ち(?:て(?:い(?:ます|る)|ます|る)?|ました|た|る)|警告|見て|確認し?|直し|{_TROUBLE_JA}",
    "i",
)
_FAULTS = lazy_pattern(rf"\b(?:{_TROUBLE})\b|{_TROUBLE_JA}", "i")
"""Matches the words of `_STEPS` that name neither the tests, the build nor a branch."""
_LONG = 400
"""Characters of a prompt from which only its beginning is read first."""


def is_routine(asked: str) -> bool:
    """Return whether a prompt contains nothing besides the words of a routine step."""
    if len(asked) > _LONG:
        # Nothing that the pattern matches spans the end of a line or of a sentence, so a prompt that does not begin as a routine step is none.
        begin = asked[: max(asked.rfind(end, 0, _LONG) + 1 for end in ("\n", ". ", "。"))]
        if not _names_nothing(_STEPS.sub(" ", begin)):
            return False
    steps = _STEPS.sub(" ", asked)
    return steps != asked and _names_nothing(steps)


def asks_of_a_fault(asked: str) -> bool:
    """Return whether a prompt asks for a cause or a solution without naming anything, not even the tests or the build."""
    rest = _FAULTS.sub(" ", asked)
    return rest != asked and _names_nothing(rest)


def _names_nothing(steps: str) -> bool:
    return all(term in ASKING or term in ASKING_JAPANESE or is_hiragana(term) for term in content_terms(steps))
