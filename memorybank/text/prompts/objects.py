"""What a person forbids or limits, as words: a call whose inputs contain them is about the statement, whatever its command is.

"Never touch shop-prod-eu from here" is about each command that names `shop-prod-eu`, and "no lodash in the packages" about an edit that adds
`import { pick } from "lodash"`. A statement says this of its object, so its other words do not count.

Code and commands are English in every project. So Japanese statements are compared by the Latin words in them, and by the English of words that
people who write software say in Japanese (モック, 本番).
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.spelling import repaired
from memorybank.text.words.scripts import has_kana
from memorybank.text.words.word_terms import ASKING, ENGLISH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LIMITS = lazy_pattern(
    r"\b(?:never|not(?! only\b)|no|cannot|avoid|forbidden|prohibited|without|instead of|rather than|must|only|(?:do|ca|wo|must|should)nt)\b|n['’]t\b"
    r"|stop \w+ing\b",
    "i",
)
_LIMITS_IN_JAPANESE = lazy_pattern(r"ない(?:で|こと|よう|$)|ません|だと.{0,400}ない|せず|禁止|不可|やめ|避け|だめ|ダメ|なし|ナシ|無し|NG|だけ|のみ|必ず")
_FORBIDS_IN_JAPANESE = lazy_pattern(r"ない(?:で|こと|よう|$)|だと.{0,400}ない|せず|禁止|不可|やめ|避け|だめ|ダメ|なし|ナシ|無し|NG")
_NAME = lazy_pattern(
    r"`([^`\s]{2,60})`"
    r"|(?<![\w/.-])(-{1,2}[A-Za-z][\w-]*(?:=[\w./-]+)?|[A-Za-z](?:[\w@]{0,120}+[./:-][\w./:-]{0,120}\w|(?:[^\W_]|@){0,120}+_\w+)|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Za-z]+\d\w*)(?![\w-])"
)
"""Matches what is written like a name in code or the name of a machine or file."""
_ENGLISH_WORDS = lazy_pattern(r"[A-Za-z]+(?:-[A-Za-z]+|(?:/[A-Za-z]+)+)\Z")
"""Matches what is written in English as well (read-only, and/or)."""
_VERBAL = lazy_pattern(
    r"\b(?:(?:do|must|should|may|can)(?: not|n['’]t)|(?:do|must|should)nt|never)\s+"
    r"(?!(?:be|have|know|think|care|mind|worry|see|understand|remember|need)\b)(?=((?:[^.,;:!?()–—]|\.(?=\w)){1,400}))",
    "i",
)
_NOMINAL = lazy_pattern(
    r"(?<!\bhas )(?<!\bhave )(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bhad )\b(?:no|avoid|without|instead of|rather than|stop(?= \w+ing\b))\s+"
    r"(?!need\b|longer\b|more\b|idea\b|problem|wor|way\b|matter|one\b)(?=((?:[^.,;:!?()–—]|\.(?=\w)){1,400}))",
    "i",
)
"""Match a prohibition, with the rest of its part of the sentence: of a verb ("never touch …"), or of a thing ("no …")."""
_INTO_A_PLACE = lazy_pattern(
    r"\b(?:connect\w*|ssh|log(?:ging)? in|login|psql|query|queries|querying|point\w*|write|read|talk\w*|exec|port-forward|scp|rsync) (?:[\w-]+ ){0,3}?"
    r"(?:(?:to|into|against|at|on|from|in) )?(?:the )?(?:live )?(prod|production|live|staging|stage)\b(?! (?:test|build|mode|code|data(?! ?base)))",
    "i",
)
"""Matches a place with machines in which something is done."""
_PLACES = {"prod": "prod", "production": "prod", "live": "live", "staging": "staging", "stage": "staging"}
_NOT_SO = lazy_pattern(r"^\W*(?:(?:no|nope|please)\W+)*not (?:on|in|into|at|to|with|like|for|the|a|an)\b", "i")
_OF_LOOKING = lazy_pattern(r"\b(?:read|look|open|show|print|display|view|see|access|leak)(?:s|ing|ed)?\b|読|見|開|閲覧|参照|表示", "i")
"""Matches what limits looking at something, too."""
_ENDS = frozenset(
    str.split("""in from for on at to into onto with by because bc cause if when unless until while and or but here there again anymore ever please as is are be
    that which who since so than of no not before after during between per via""")
)
"""Words at which the object of a sentence ends."""
_LIGHT = frozenset(
    str.split("""use using add adding put make making write writing create creating build building do doing have having want need like touch go come get see
    back let leave keep introduce bring pull take any the a an my our your this that these those it them all new special extra more other such stuff thing
    things just really even directly manually ever longer""")
)
"""Words in front of or within an object that do not say what it is."""
_MOST_WORDS = 3
"""A longer part of a sentence tells something, and its object is unclear."""
_LEAST = 3
_CLAUSE = lazy_pattern(r"[,;]\s|\s[–—-]\s|[.!?]\s|[、。，．！？\n]|(?:ので|けど|から)(?=\s)")
_PART = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./:@-]*[A-Za-z0-9_]|[ァ-ヴー]{2,}|[一-龯]{2,}|は")
_ENGLISH_OF = dict(
    pair.split("=")
    for pair in str.split("""モック=mock スタブ=stub キャッシュ=cache リネーム=rename ロック=lock ログ=log コメント=comment テーブル=table カラム=column
    インデックス=index マイグレーション=migration ブランチ=branch タグ=tag コンテナ=container イメージ=image クラスタ=cluster クラスター=cluster キュー=queue
    ジョブ=job バッチ=batch セッション=session クッキー=cookie トークン=token パスワード=password ライブラリ=library パッケージ=package フック=hook
    トリガー=trigger リトライ=retry タイムアウト=timeout スリープ=sleep スナップショット=snapshot フィクスチャ=fixture シード=seed スキーマ=schema
    デプロイ=deploy リリース=release ロールバック=rollback スレッド=thread ポーリング=polling サブモジュール=submodule シンボリックリンク=symlink
    本番=prod 検証=staging 削除=delete 暗号=crypto 依存=dependency 権限=permission 認証=auth 例外=exception 環境変数=env""")
)
"""Japanese words of people who write software, and the word for it in code and commands."""
_WORD = lazy_pattern(r"[A-Za-z][A-Za-z0-9]+")
_OF_A_FOLDER = ("フォルダ", "ディレクトリ", "の中", "配下")


def limits(sentence: str) -> bool:
    """Return whether a sentence forbids or limits something."""
    sentence = repaired(sentence)
    return (_LIMITS_IN_JAPANESE if has_kana(sentence) else _LIMITS).search(sentence) is not None


def forbids(sentence: str) -> bool:
    """Return whether a sentence says what must not be done or used. That something did not work forbids nothing."""
    if has_kana(sentence):
        return _FORBIDS_IN_JAPANESE.search(sentence) is not None
    return any(pattern.search(sentence) for pattern in (_VERBAL, _NOMINAL, _NOT_SO))


def limits_looking(sentence: str) -> bool:
    """Return whether what a sentence forbids or limits may be looking at something. Whoever must not touch a file may read it and its history."""
    return _OF_LOOKING.search(sentence) is not None


def objects(sentence: str) -> list[str]:
    """Return the alternatives by which an input shows that it is about what a sentence forbids or limits, each one or several lower-case words."""
    sentence = repaired(sentence)
    is_japanese = has_kana(sentence)
    found: dict[str, None] = {}
    for clause in _CLAUSE.split(sentence):
        if (_LIMITS_IN_JAPANESE if is_japanese else _LIMITS).search(clause):
            found.update(dict.fromkeys(_named_in(clause)))
            found.update(dict.fromkeys(_forbidden_in_japanese(clause) if is_japanese else _forbidden_in_english(clause)))
    return list(found)


def _named_in(clause: str) -> Iterator[str]:
    for quoted, plain in _NAME.findall(clause):
        if (quoted or not _ENGLISH_WORDS.match(plain)) and len((quoted or plain).strip("-")) >= _LEAST:
            yield (quoted or plain).lower()


def _forbidden_in_english(clause: str) -> Iterator[str]:
    yield from (_PLACES[place.lower()] for place in _INTO_A_PLACE.findall(clause))
    for pattern in (_VERBAL, _NOMINAL):
        for rest in pattern.findall(clause):
            words = [word.strip("`'\"*_").lower() for word in rest.split()]
            kept: list[str] = []
            for word in words:
                if word in _ENDS:
                    break
                kept += [word] if word not in _LIGHT and word not in ENGLISH else []
            if any(_NAME.match(word) and not _ENGLISH_WORDS.match(word) for word in kept):
                continue
            # "Never commit" forbids what `text.commands.forms` finds in a command, and "do not bother" nothing.
            is_verb_alone = pattern is _VERBAL and len(kept) == 1 and words[0] == kept[0]
            if 0 < len(kept) <= _MOST_WORDS and not is_verb_alone and any(len(word) >= _LEAST and word not in ASKING for word in kept):
                yield " ".join(_singular(part) for word in kept for part in _WORD.findall(word))


def _forbidden_in_japanese(clause: str) -> Iterator[str]:
    topic: list[str] = []
    kept: list[str] = []
    for one in _PART.finditer(clause) if _FORBIDS_IN_JAPANESE.search(clause) else ():
        part = one[0]
        # Whoever must not change a folder may read it (`folders`).
        if clause.startswith(_OF_A_FOLDER, one.end()) or ("/" in part and "." not in part.rpartition("/")[2]):
            continue
        if part == "は":
            topic, kept = kept or topic, []
        elif part[0].isascii() and part != "NG":
            kept.append(part.lower())
        elif part in _ENGLISH_OF:
            kept.append(_ENGLISH_OF[part])
    named = (kept or topic)[-2:]
    if any(len(word) >= _LEAST for word in named):
        yield " ".join(map(_singular, named))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _LEAST and word.endswith("s") and not word.endswith("ss") and word.isalnum() else word
