"""In which language a person wants something written, and whether a later order for another one ends an earlier order.

"Commit messages in Japanese" is over with "from now on commit in English", 「これからは英語で書いてください」. Comments may be in another language.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.about import adds, names

_LANGUAGE = lazy_pattern(
    r"(?P<en>english|英語|英文)|(?P<ja>japanese|日本語|和文)|(?P<de>german|ドイツ語)|(?P<fr>french|フランス語)|(?P<es>spanish|スペイン語)"
    r"|(?P<zh>chinese|中国語)|(?P<ko>korean|韓国語)|(?P<it>italian|イタリア語)|(?P<pt>portuguese|ポルトガル語)|(?P<nl>dutch|オランダ語)",
    "i",
)
_NOT_LANGUAGE = lazy_pattern(
    r"(?:\b(?:not|never|no|no more|no longer|instead of|rather than|stop|avoid)\b|n['’]?t\b)(?: (?!but\b|only\b)[\w-]{1,30}){0,4}?"
    r" (?:english|japanese|german|french|spanish|chinese|korean|italian|portuguese|dutch)\b"
    r"|[一-龥ァ-ヴー]{1,4}語(?:では|じゃ)な[くい]|[一-龥ァ-ヴー]{1,4}語[^、。]{0,10}?(?:なくて|ない|やめ)",
    "i",
)
_THEMES = lazy_pattern(
    r"(?P<commit>\bcommit\w*|コミット\S?)|(?P<pr>\b(?:prs?|pull requests?)\b|プルリク\S{0,4}|(?<![A-Za-z])PR(?![A-Za-z]))|(?P<comment>\bcomments?\b|コメント)"
    r"|(?P<docs>\b(?:docs?|documentation|readmes?)\b|ドキュメント|文書|README)|(?P<answer>\b(?:answers?|repl(?:y|ies)|respond|talk|speak)\b|回答|返[事答信]|答え|会話|話)"
    r"|(?P<test>\btests?\b|テスト)|(?P<log>\blogs?\b|ログ)|(?P<error>\berrors?\b|エラー)|(?P<issue>\b(?:issues?|tickets?)\b|チケット|イシュー)"
    r"|(?P<screen>\b(?:ui|labels?|screens?)\b|画面|ラベル|文言)|(?P<changelog>\bchangelog\b|変更履歴|リリースノート)|(?P<name>\b(?:branch(?:es)?|names?)\b|ブランチ|名)",
    "i",
)
_ABOUT_WRITING = frozenset(
    str.split("""from write written messag english japanes german french spanish chines korean italian portugues dutch onli languag text titl descript bodi
    commit pr pull request comment doc document readm answer repli respond talk speak test log error issu ticket ui label screen changelog branch name
    英語 英文 日本語 和文 ドイツ 語 フランス スペイン 中国語 韓国語 イタリア ポルトガル オランダ コミット メッセージ コミットメッセージ プルリク コメント
    プルリクエスト ドキュメント 文書 回答 返事 返答 返信 答 会話 話 テスト ログ エラー エラーメッセージ チケット イシュー 画面 ラベル 文言 変更履歴 ブランチ
    リリースノート 名 書 説明 文 本文 件名 統一 言語 記述 記載""")
)
"""Names of what is written in a language. With another name a sentence is about something narrower."""


def language_of(text: str) -> str:
    """Return the language that a sentence wants something to be in, as its code; "" if it names none, or several."""
    found = {one.lastgroup or "" for one in _LANGUAGE.finditer(_NOT_LANGUAGE.sub(" ", text))}
    return found.pop() if len(found) == 1 else ""


def speaks_otherwise(new: str, old: str) -> bool:
    """Return whether two sentences, the first of them later, want the same in two languages. One that names nothing means what is written, no answers."""
    mine, theirs = language_of(new), language_of(old)
    if not mine or not theirs or mine == theirs or adds(new) or not (_ABOUT_WRITING.issuperset(names(new)) and _ABOUT_WRITING.issuperset(names(old))):
        return False
    themes, earlier = ({one.lastgroup for one in _THEMES.finditer(text)} for text in (new, old))
    return themes == earlier or (not (themes and earlier) and "answer" not in themes | earlier)
