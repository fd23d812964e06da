"""The names in a sentence: the words that distinguish one rule from another, and those by which a permission says which rule it takes back.

In doubt, two sentences are about different things, and a permission takes nothing back. Then both are kept.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.permissions import is_end_of_duty, is_end_of_rule, permission_of, without_reason
from memorybank.text.word_terms import ENGLISH, stem_of
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Set

_WORD = lazy_pattern(r"[A-Za-z0-9_](?:[\w@+#]|[./:](?=\w))*|[ァ-ヴー]+|[一-龥々]+", "a")
_DIRECTIONS = frozenset(str.split("off out down up from without before after outside inside below under above over during between within against"))
"""Function words that tell two sentences apart: "copy from production", "turn off"."""
_BINDING_WORDS = frozenset(
    str.split("""alwai never ever must may might shall forbidden forbid prohibit ban avoid stop anyth everyth someth anybodi anyon nobodi everywher anywher
    actual realli simpli freeli just directli yourself manual first instead rather also too okai ok fine pleas thank hei claud sure good ye no not cannot won
    rule rememb forget today hand local use run execut have do noth one it gui way pretti mandatori compulsori
    必 絶対 常 毎回 今後 以後 以降 次回 今度 決 一切 二度 勝手 直接 禁止 不可 許可 解禁 不要 必要 問題 大丈夫 構 要 良 願 下 頂 全 全部 今 次
    実行 使用 利用 使 行 再 際 時 用 等 的 中 側 形 事 物 方 駄目 徹底 基本 是非""")
)
"""Words that say how strictly, how long or by what general verb, and not what a rule is about."""
_JAPANESE_FRAME = lazy_pattern(
    r"(?:という|との)?(?:ルール|規則|決まり|制限|制約)(?:は|を|のことは|も)?|忘れ(?:てください|て|ます)"
    r"|撤回\S*|取り消\S*|取消\S*|解除\S*|廃止\S*|無効\S*|これから(?:は|も)?|いつでも|また"
)
_FRAME = lazy_pattern(
    r"\b(?:forget|ignore|drop|scrap|discard|lift|cancel|withdraw|revoke|remove|disregard)(?: about)? (?:the|that|this|my|our|your) (?:[\w-]+ )?"
    r"(?:rule|ban|restriction|prohibition|requirement|convention|policy|instruction)s?\b"
    r"|\b(?:the|that|this|my|our|your) (?:rule|ban|restriction|prohibition|requirement)\b"
    r"|\b(?:is|was|has been|are) (?:now )?(?:lifted|withdrawn|revoked|dropped|gone|obsolete|over)\b"
    r"|\bno longer (?:needs?|needed|have|has|want|wanted|requires?|required|expect)\b"
    r"|\bno longer (?:necessary|forbidden|prohibited|banned|appl(?:y|ies)|holds|exists)\b"
    r"|\b(?:do not|don['’]?t|does not) (?:\w+ly )?(?:need|have|want|require|expect)(?: you| us| anybody)?\b|\bneed(?: not|n['’]?t)\b|\bno need\b"
    r"|\b(?:can|could|may|might)\b|\b(?:are|is|be|['’]re|['’]s)? ?(?:now )?(?:allowed|free|fine|ok(?:ay)?|all right|alright)\b|\bhave (?:my |our )?permission\b"
    r"|\bi (?:now )?allow you\b|\bfeel free\b|\bfrom (?:now|here) on\b|\bgoing forward\b|\bin (?:the )?future\b|\bno longer\b|\bany ?more\b|\bany longer\b"
    r"|\bany ?time\b|\bwhenever you (?:want|like|need|wish)\b|\bas (?:often|much) as you (?:want|like|need|wish)\b|\bfor good\b|\bagain\b",
    "i",
)
"""Matches the words of a permission that do not say what is allowed."""
_LIMITED = lazy_pattern(
    r"\b(?:but|except|excluding|only|other than|apart from|not)\b(?! (?:need|have|want|require|expect)\b)|ただし|以外|(?<!削)除[くきい]|のみ|だけ|しか", "i"
)
"""Matches a permission with a limit or an exception."""
_LEADING_REASON = lazy_pattern(r"^\W*(?:since|because|as|now that)\b[^,]*,\s*|^.*?,\s*so (?=(?:you|we|it|there|feel)\b)", "i")
_ORDERED_TWICE = lazy_pattern(r"(?:don['’]?t|do not|never) forget|忘れ(?:ないで|ずに)|な(?:ければ|いと|くては)(?:なら|いけ|だめ|ダメ)\S*", "i")
"""Matches two negations that order something."""
_CLAUSE = lazy_pattern(
    r"(?<=[.;:!?])\s+|,\s+|[。！？、，；]\s*|\s[-–—]+\s|\s(?=(?:instead of|rather than)\b)"
    r"|\s(?=(?:and|but) (?:never|always|don['’]?t|do not|not|please)\b)|(?<=ではなく)",
    "i",
)
_OPENS = lazy_pattern(
    r"^\W*(?:(?:and|but|so|also|please)\s+)*(?:in|for|on|when|whenever|if|before|after|with|during|as|at|from|while|once|inside|to|unless|under)\b|(?<!ない)[はにでもがら]$",
    "i",
)
"""Matches a clause that says for what the next one holds."""
_NEGATES = lazy_pattern(
    r"\b(?:never|not|cannot|avoid|forbid(?:den)?|prohibit(?:ed)?|stop|ban(?:ned)?|nobody|instead of|rather than|no(?! (?:matter|longer|need)\b))\b|n['’]t\b"
    r"|ない|ません|せず|禁止|不可|やめ|避け|だめ|ダメ|駄目|るな(?:[。よ]|$)|ではなく|じゃなく",
    "i",
)
_ADDS_NOTHING = lazy_pattern(r"^\W*(?:not even|even|especially|including|ever|by the way|nobody|no one|not just)\b|(?:から|ため)(?:です|だ)?$", "i")
"""Matches a clause that only stresses the one before, or gives its reason."""
_ORDERS_MORE = lazy_pattern(
    r"^\W*(?:(?:and|then|also|but|so)\s+)*(?:always|please|run|use|add|write|update|make|never|open|ask|keep|put|check|commit|push|create|name|sort|tag|list"
    r"|set)\b|(?:てください|て下さい|すること|てね)$",
    "i",
)
_OWN_CONDITION = lazy_pattern(
    r"\b(?:before|after|when(?:ever)?|every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|(?:前|後)に|とき|際|たび|ごと|毎", "i"
)
_OCCASION = lazy_pattern(
    r"\b(?:before|after|when|whenever|while|each time|every time|(?:to|in|for|with|on|at|of) (?:each|every|all)|each|every)\b.*$"
    r"|^.*?(?:前|後)に(?:は)?|^.*?(?:とき|時|際)(?:は|に)|^.*?(?:たび|ごと|毎)に",
    "i",
)
"""Matches on which occasion a duty arises."""
_SPEAKING = frozenset(str.split("ask tell check confirm wait report announc say 聞 確認 相談 連絡 報告 尋 待"))
"""What is done about something else, and names no rule alone."""
_TOUCHING = frozenset(str.split("touch edit chang modifi 触 編集 変更"))
_WITHOUT = lazy_pattern(r"なしで|なしに|ずに|(?<!し|い)(?<!では|じゃ)なく(?!て|な)")
_KANA_VERB = lazy_pattern(r"(?<=[をにはでとがもへ])([ぁ-ゖ]{2,6}?)(?:[てで]も?(?:いい|よい|良い|大丈夫|構|かま|問題)|なくて)")
_GENERAL_VERBS = ("しな", "やら")
_KANA_STEM = lazy_pattern(r"[いっんきぎしちりみび]$")
_VERBS_ALONE = frozenset(
    str.split("push commit merg deploy rebas releas delet format build")
    + str.split("プッシュ コミット マージ デプロイ リベース リリース ダウンロード コピー 削除 変更 追加 書 消 直 送")
)
"""What is done to something, and may be done to anything."""
_VALUE = lazy_pattern(
    r"\b(?:is|are|was|called|named|runs? on)\b|[:=]\s|\b(?:takes?|lasts?|costs?|has|have)\b(?= \d)"
    r"|(?:は|が)(?=[^はが]*(?:です|である|だ|[\d０-９])\S{0,6}[。]?$)",
    "i",
)
"""Matches what comes between a thing and its value."""
_UNITS = frozenset(
    str.split("second minut hour dai week month year ms percent mb gb kb line char charact space time column request token byte")
    + str.split("秒 分 時間 日 週 月 年 行 文字 件 回 円 個 人 点 字")
)
_CHANGES = lazy_pattern(r"\b(?:instead|from now on|now|switched|moved|changed|no longer|actually)\b|今後|これから|もう|代わり|変更|変え|移行", "i")


@lru_cache(maxsize=1024)
def names(text: str) -> tuple[str, ...]:
    """Return the words of a text that say what it is about, in order: stems, identifiers, and runs of kanji or katakana."""
    found = []
    for word in _WORD.findall(text.replace("-", " ").replace("’", "'")):
        lowered = word.lower().rstrip("/.:")
        if lowered.isascii() and lowered.isalpha():
            if len(lowered) == 1 or (lowered in ENGLISH and lowered not in _DIRECTIONS):
                continue
            lowered = lowered if lowered in _DIRECTIONS else stem_of(lowered)
        if lowered and lowered not in _BINDING_WORDS:
            found.append(lowered)
    return tuple(dict.fromkeys(found))


def ends(permission: str, rule: str) -> bool:
    """Return whether a permission for good, or an end of a duty or rule, takes a rule back: it names what one clause of the rule orders or forbids, all of
    it and nothing else, and no other clause stands on its own."""
    allowed = _allowed(permission)
    if not allowed:
        return False
    is_duty, is_named = is_end_of_duty(permission), is_end_of_rule(permission)
    verbs = [_KANA_STEM.sub("", verb)[:2] for verb in _KANA_VERB.findall(permission) if verb not in _GENERAL_VERBS]
    clauses = _clauses(without_reason(rule))
    before: list[str] = []
    for place, clause in enumerate(clauses):
        own = _named(clause)
        forbids = _NEGATES.search(_ORDERED_TWICE.sub(" ", clause)) is not None
        # "You can push without asking" ends the duty to ask.
        frees = not forbids and not is_duty and "without" in allowed
        ended = allowed - {"without"} if frees else allowed
        required = [one for one in own if one not in _DIRECTIONS] if frees else _required(clause, own, is_duty=is_duty, is_named=is_named)
        if (
            (is_named or frees or forbids != is_duty)
            and _stand_in(ended, {*before, *own})
            and all(verb in clause for verb in verbs)
            and _covers(ended, required)
            and not _others_stand(clauses, place, is_duty=is_duty or frees)
        ):
            return True
        before += own
    return False


def differ(one: str, other: str) -> bool:
    """Return whether two sentences name different things: each has a word that the other lacks, other than a value that only one of them can have.

    A value comes last, after the same names: "The server is called otter", "from now on, indent with spaces".
    """
    mine, theirs = _first(one), _first(other)
    if not mine or not theirs or _stand_in(set(mine), theirs) or _stand_in(set(theirs), mine):
        return False
    is_changed = _CHANGES.search(one) is not None
    return not (_differs_last(one, mine, theirs, is_changed=is_changed) and _differs_last(other, theirs, mine, is_changed=is_changed))


def _differs_last(text: str, mine: list[str], theirs: list[str], *, is_changed: bool) -> bool:
    """Return whether a sentence differs from another only in what it says at the end of the same names."""
    at = next(place for place, word in enumerate(mine) if not _stand_in({word}, theirs))
    if at == 0:
        return False
    tail = set(mine[at:])
    value = _VALUE.search(text)
    if value is not None and not tail.intersection(names(text[: value.start()])):
        return True
    further = [word for word in mine[at:] if _stand_in({word}, theirs)]
    is_japanese = any("ぁ" <= sign <= "ゖ" for sign in text)
    return is_changed and len(further) <= is_japanese


def _first(text: str) -> list[str]:
    """Return the names of the first clause that has any, without values and their units."""
    for clause in _clauses(without_reason(text)):
        found = [word for word in _named(clause) if word not in _UNITS and not word[0].isdigit()]
        if found:
            return found
    return []


def _named(clause: str) -> list[str]:
    found = list(names(_FRAME.sub(" ", clause) if clause.isascii() else _JAPANESE_FRAME.sub(" ", clause)))
    return [*found, "without"] if not clause.isascii() and _WITHOUT.search(clause) is not None else found


def _allowed(permission: str) -> Set[str]:
    """Return the names of what a permission allows; none of one with a limit."""
    plain = _LEADING_REASON.sub("", without_reason(permission), count=1)
    if _LIMITED.search(_FRAME.sub(" ", plain)) is not None:
        return frozenset()
    parts = _clauses(plain)
    # What comes after the permission gives its reason; what comes before says for what it holds.
    last = next((place for place, part in enumerate(parts) if permission_of(part)), len(parts) - 1)
    return frozenset(word for part in parts[: last + 1] for word in _named(_FRAME.sub(" ", part)))


def _clauses(text: str) -> list[str]:
    """Return the clauses of a text, each with what opens it: "In api/, never use print" is one."""
    found: list[str] = []
    opening = ""
    for part in _CLAUSE.split(text):
        if not part or not part.strip():
            continue
        whole = f"{opening} {part}".strip()
        if _OPENS.search(part.strip()) is not None and not (found and part.isascii()):
            opening = whole
            continue
        found.append(whole.rstrip(".。 "))
        opening = ""
    return [*found, opening] if opening else found


def _required(clause: str, own: list[str], *, is_duty: bool, is_named: bool) -> list[str]:
    """Return the names without which nobody says what a clause is about. Whoever ends a duty need not say on which occasions it arose, and "the rule about
    app/payment.py" is the one not to touch it."""
    if is_named:
        return [word for word in own if word not in _TOUCHING]
    if not is_duty:
        return own
    main = _named(_OCCASION.sub(" ", clause, count=1))
    return main if not _SPEAKING.issuperset(main) else own


def _stand_in(words: Collection[str], known: Collection[str]) -> bool:
    """Return whether all words are among the known ones, or parts of Japanese compounds among these."""
    return all(word in known or (not word.isascii() and any(word in one for one in known)) for word in words)


def _covers(words: Collection[str], required: Collection[str]) -> bool:
    """Return whether all that is required is named, and that is more than a verb."""
    return bool(required) and not _SPEAKING.issuperset(required) and all(one in words or _is_made_of(one, words) for one in required) and not _is_verb(words)


def _is_made_of(run: str, words: Collection[str]) -> bool:
    """Return whether a run of Japanese consists of named words: 変更履歴更新 of 変更履歴 and 更新."""
    for word in sorted(words, key=len, reverse=True):
        run = run.replace(word, "") if not word.isascii() else run
    return not run


def _is_verb(words: Collection[str]) -> bool:
    """Return whether only an action is named: "you can push again" may answer anything."""
    return _VERBS_ALONE.issuperset(words)


def _others_stand(clauses: list[str], place: int, *, is_duty: bool) -> bool:
    """Return whether another clause forbids something else, or orders something other than a way around what was forbidden."""
    for number, clause in enumerate(clauses):
        if number == place or _ADDS_NOTHING.search(clause) is not None or not _named(clause):
            continue
        if _NEGATES.search(_ORDERED_TWICE.sub(" ", clause)) is not None and not (is_duty and number > place and not _ORDERS_MORE.search(clause)):
            return True
        if _ORDERS_MORE.search(clause) is not None and (is_duty or _OWN_CONDITION.search(clause) is not None):
            return True
    return False
