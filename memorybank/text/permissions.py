"""Permissions, and ends of duties and rules: for one case, or for good. One for good takes back what a person ordered or forbade before.

"You can commit directly to main from now on" and 「CHANGELOGはもう更新しなくていいです」 end a rule. "Just this once" and 「今回だけ」 end none. In doubt a
permission takes nothing back: it has to name what one clause of the rule orders or forbids, all of it and nothing else.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.about import DIRECTIONS, clauses, denies, is_among, names
from memorybank.text.pattern import lazy_pattern
from memorybank.text.sentences import sentences
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Set

ONCE, UNSAID, LASTING = "once", "unsaid", "lasting"
_KEPT = r"(?:rule|ban|restriction|prohibition|requirement|convention|policy|instruction|freeze)s?"
_THE = r"(?:the|that|this|my|our|your)"
_KEPT_JA = r"(?:ルール|規則|決まり|制限|禁止|制約|凍結)"
_FINE = r"(?:(?:\b(?:is|are|be)|['’](?:s|re)) (?:now )?(?:totally |perfectly |all )?(?:fine|ok(?:ay)?|all right|alright|allowed)\b)"
_NO_DUTY = (
    r"(?:\b(?:do not|don['’]?t|does not|doesn['’]t) (?:\w+ly )?(?:need|have|want|require|expect)(?: you| us| anybody)?(?: to)?\b|\bneed(?: not"
    r"|n['’]?t)\b|\bno need\b(?: to\b| for\b)?|\bno longer (?:needs?|needed|have|has|want(?:ed)?|necessary|requires?|required|expect|forbidden"
    r"|prohibited|banned|appl(?:y|ies))\b|\bno (?:point|sense) (?:in )?)"
)
_END = (
    rf"(?:\b(?:forget|ignore|drop|scrap|discard|lift|cancel|withdraw|revoke|remove|disregard)(?: about)? {_THE}(?= (?:[\w-]+ )?{_KEPT}\b)"
    r"|\bforget what i (?:said|told you)\b|\bi(?:['’]ve)? changed my mind\b|\bi take (?:that|it|this) back\b"
    rf"|\b{_THE}(?= (?:[\w-]+ )?{_KEPT}\b.*\b(?:no longer (?:applies|holds|exists)|(?:is|was|has been) (?:now )?(?:lifted|withdrawn|revoked|dropped"
    rf"|gone"
    r"|obsolete|over)\b))"
    rf"|{_KEPT_JA}(?:の(?:話|件))?(?:は|を|のことは|って言ってたけど|、)?(?:もう|本日で|今日で)?(?:忘れて|撤回|取り消|取消|解除|廃止|無効|なしに"
    rf"|なくし|終わり|終了"
    r"|やめ(?:ます|る|ました|よう))|解禁)"
)
"""Match what allows something, ends a duty, and ends a rule by name."""
_ALLOWS = lazy_pattern(
    r"\byou (?:can|could|may|might|are (?:now )?(?:allowed|free)|have (?:my |our )?permission)\b|\byou(?:'re| are) (?:now )?(?:allowed|free) to\b"
    r"|\b(?:can|may) (?:\w+ it |\w+ )?(?:now|again)\b|\b(?:can|may) be \w+\b(?=.*\b(?:now|again)\b)"
    rf"|\bi (?:now )?allow\b|\bfeel free\b|\b(?:whenever|however) you (?:want|like|need|wish)\b|{_FINE}"
    r"|[てで]も?(?:いい|よい|良い|OK|大丈夫|構いません|構わない|かまいません|かまわない|問題ない|問題ありません)|許可(?:する|します)",
    "i",
)
_FORBIDS = lazy_pattern(
    r"\b(?:may|might|can|could) (?:not|never|only)\b|\b(?:can(?:['’]t|not)|couldn['’]t|never|not (?:allowed|fine|ok(?:ay)?)|only (?:if|when|after"
    r"|once))\b|\b(?:i wish|we could)\b|(?:許可|確認|断り)(?:なく|なし)|ないで|ては(?:いけ|だめ|ダメ|なら)|禁止(?:する|します|です)",
    "i",
)
"""Matches a sentence with the words of a permission that forbids, limits or wishes something."""
_ENDS_DUTY = lazy_pattern(
    rf"\b(?:we|you|i|nobody|no one) {_NO_DUTY}|\bno need (?:to|for)\b|\bno (?:point|sense)\b"
    r"|\bno longer (?:need(?:ed|s)?|necessary|required|wanted|forbidden|prohibited|banned|appl(?:y|ies))\b"
    r"|なくて(?:も)?(?:いい|よい|良い|OK|大丈夫|構いません|構わない)|不要|必要(?:は|が|も)?(?:ない|ありません|なくな)|いらない|要らない",
    "i",
)
_ENDS_RULE = lazy_pattern(_END, "i")
_FRAME = lazy_pattern(
    rf"{_END}|{_NO_DUTY}|{_FINE}|\bi told you (?:not )?to\b|\b(?:{_THE} )?{_KEPT}\b(?= (?:about|on|against|of|for|that|to|not|is|was|has"
    rf"|no longer)\b|\W*$)"
    r"|\b(?:is|was|has been|are) (?:now )?(?:lifted|withdrawn|revoked|dropped|gone|obsolete|over)\b|\b(?:can|could|may|might)\b|\b(?:allowed|free"
    r"|fine|okay|alright)\b|\bhave (?:my |our )?permission\b|\bi (?:now )?allow you\b|\bfeel free\b|\bfrom (?:now|here) on\b|\bgoing forward\b"
    r"|\bin (?:the )?future\b|\bno longer\b|\bany ?more\b|\bany longer\b|\bany ?time\b|\bfor good\b|\bagain\b|\b(?:whenever|however) you (?:want"
    r"|like|need|wish)\b|\bas (?:often|much) as (?:you|they) (?:want|like|need|wish)\b"
    rf"|(?:という|との)?{_KEPT_JA}(?:は|を|のことは|も)?|忘れ(?:てください|て|ます)|撤回\S*|取り消\S*|取消\S*|解除\S*|廃止\S*|無効\S*|これから(?:は"
    rf"|も)?|いつでも|また"
    r"|(?:この)?前に?(?:言った|言いました)|の(?:話|件)",
    "i",
)
"""Matches the words of a permission that do not say what is allowed."""
_LASTS = lazy_pattern(
    r"\b(?:from (?:now|here) on|going forward|in (?:the )?future|no longer|anymore"
    r"|any (?:more|longer)(?=\W*$|[.,;:]| because| since)|always|any ?time|whenever you|as (?:often|much) as|for good)\b"
    rf"|{_FINE}.*\bagain\b|\bmay be \w+.* again\b"
    r"|\byou (?:can|may) (?!(?:try|run|start|continue|retry|go|do|build|test|ask|check)\b)(?:\w+ly )?\w+ (?!it\b|this\b|that\b|them\b).+ again\b"
    r"|もう(?!一|少|ちょっと|すぐ)|これから(?:は|も)|今後|以後|以降|今度から|次(?:回)?から|いつでも|常に|また(?!は)|再び|解禁",
    "i",
)
_PLAINLY = lazy_pattern(
    r"\b(?:allow(?:ed)?|permit(?:ted)?|you (?:may|can|could))\b|てもいい|て(?:も)?よい|てかまわない|許可|\b(?:push|amend|commit|rebas|merg|revert"
    r"|skip|overwrit|delet)\w*\b[^.,;]{0,30}\b(?:is|are|['’]s) (?:totally |perfectly )?(?:ok(?:ay)?|fine|all right)\b|(?:push|プッシュ|amend"
    r"|コミット|リベース|マージ|上書き|削除)[^。、]{0,12}(?:(?-i:OK)|大丈夫|問題ない)",
    "i",
)
_FREES = lazy_pattern(r"\bneed(?:ed)? to\b|\bneed(?: not|n['’]?t)\b|なくて(?:も)?(?:いい|よい|良い|大丈夫|構)", "i")
"""Matches the end of a duty to do something. "We don't need headings" is an order to leave them out."""
_BINDS = lazy_pattern(r"\b(?:not|cannot|never|always|must|only)\b|n['’]t\b|ない|なく(?!て)|なし|必ず|絶対|禁止", "i")
"""Matches a sentence with "may" or "allowed" that is a rule nevertheless: "before you can merge, it must be tested"."""
_FOR_ONE_CASE = lazy_pattern(
    r"\b(?:(?:just|only|this|that) (?:this |that )?once|(?:just|only) (?:this|that|here)\b|this (?:time|one|commit|branch|pr|release|task|file"
    r"|change|case|session)|(?:for|right|just) now|for (?:today|tonight|the moment|the time being|once|this|that)|today|tonight|tomorrow|temporarily"
    r"|until|till|as an exception|exceptionally|in this case|once|if|unless|provided|as long as|while)\b|今回|今だけ|今は|今日(?!で)|本日(?!で)"
    r"|(?:一度|一回|いちど)(?:だけ|なら|限り)|一旦|いったん|とりあえず|ひとまず|当面|しばらく|例外|(?:この|その)(?:件|PR|プルリク|コミット|ブランチ"
    r"|作業|変更|ファイル|セッション|リリース)|に限|限り|までは?|なら|たら|場合|ときだけ|時だけ|ときは|時は",
    "i",
)
_REASON = lazy_pattern(r"[,;:]? (?:because|since|as (?:it|we|the)|otherwise|or else|so that)\b.*$|(?:^|(?<=、))[^、]{2,}?(?:ので|ため|から)、", "i")
_LEADING_REASON = lazy_pattern(r"^\W*(?:since|because|as|now that)\b[^,]*,\s*|^.*?,? so (?=\w)|^[\w ]+:\s", "i")
_LIMITED = lazy_pattern(
    r"\b(?:but|except|excluding|only|other than|apart from|not)\b(?! (?:need|have|want|require|expect)\b)|ただし|以外|(?<!削)除[くきい]|のみ|だけ|しか", "i"
)
"""Matches a permission with a limit or an exception."""
_ADDS_NOTHING = lazy_pattern(r"^\W*(?:not even|even|especially|including|ever|by the way|nobody|no one|not just)\b|(?:から|ため)(?:です|だ)?$", "i")
"""Matches a clause that only stresses the one before, or gives its reason."""
_ORDERS_MORE = lazy_pattern(
    r"^\W*(?:(?:and|then|also|but|so)\s+)*(?:always|please|run|use|add|write|update|make|never|open|ask|keep|put|check|commit|push|create|name|sort"
    r"|tag|list|set)\b|(?:てください|て下さい|すること|てね)$",
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
_KINDS = frozenset(str.split("column file folder directori modul tabl branch crate packag class function field servic command flag"))
_WITHOUT = lazy_pattern(r"なしで|なしに|ずに|(?<!し|い)(?<!では|じゃ)なく(?!て|な)")
_KANA_VERB = lazy_pattern(r"(?<=[をにはでとがもへ])(?:もう)?([ぁ-ゖ]{2,6}?)(?:[てで]も?(?:いい|よい|良い|大丈夫|構|かま|問題)|なくて)")
_GENERAL_VERBS = ("しな", "やら")
_PRONOUN = lazy_pattern(r"\b(?:it|them|that|this|there)\b|それ|これ|そこ|ここ", "i")
_KANA_STEM = lazy_pattern(r"[いっんきぎしちりみび]$")
_VERBS_ALONE = frozenset(
    str.split("push commit merg deploi rebas releas delet format build")
    + str.split("プッシュ コミット マージ デプロイ リベース リリース ダウンロード コピー 削除 変更 追加 書 消 直 送")
)
"""What is done to something, and may be done to anything."""


def may_last(text: str) -> bool:
    """Return whether a text contains words that say that a permission lasts. Most contain none, which is found out quickly."""
    return _LASTS.search(text) is not None or is_end_of_rule(text)


@lru_cache(maxsize=512)
def permission_of(text: str) -> str:
    """Return how long the permission, or the end of a duty or rule, in a sentence holds: `ONCE`, `LASTING`, or `UNSAID`. "" for a sentence without one."""
    if not is_end_of_rule(text) and not is_end_of_duty(text) and (_ALLOWS.search(text) is None or _FORBIDS.search(text) is not None):
        return ""
    if _FOR_ONE_CASE.search(text) is not None:
        return ONCE
    return LASTING if may_last(text) else UNSAID


def is_permission(text: str, *, has_ended: bool) -> bool:
    """Return whether a sentence only allows something. 「見出しはいらない、次から」 is an order where nobody ordered headings before.

    has_ended: whether it took back an earlier rule.
    """
    held = permission_of(text)
    if (held == LASTING and (has_ended or not is_end_of_duty(text))) or (held and is_end_of_duty(text) and _FREES.search(text) is not None):
        return True
    return _PLAINLY.search(text) is not None and _BINDS.search(text) is None


def is_end_of_duty(text: str) -> bool:
    """Return whether a sentence says that something need not be done."""
    return _ENDS_DUTY.search(text) is not None


def is_end_of_rule(text: str) -> bool:
    """Return whether a sentence ends a rule by name."""
    return _ENDS_RULE.search(text) is not None


def without_reason(text: str) -> str:
    """Return what a sentence orders or forbids, without the reason that it gives."""
    return _REASON.sub("", text, count=1) or text


def ends(permission: str, rule: str) -> bool:
    """Return whether a permission for good, or an end of a duty or rule, takes a rule back: it names what one clause of the rule orders or forbids, all of
    it and nothing else, and no other clause stands on its own."""
    if set(names(permission)).isdisjoint(names(rule)) and all(map(str.isascii, names(permission))):
        return False  # before what takes longer
    said = sentences(permission)
    place = next((place for place, one in enumerate(said) if permission_of(one) == LASTING), 0)
    before, permission = said[:place][-1:], " ".join(said[place:])
    allowed = _allowed(permission)
    if not allowed:
        return False
    # "The sandbox is free of charge. Tests may call it now."
    meant = names(before[0]) if before and _PRONOUN.search(permission) is not None else ()
    is_duty, is_named = is_end_of_duty(permission), is_end_of_rule(permission)
    is_allowed = _ALLOWS.search(permission) is not None
    verbs = [_KANA_STEM.sub("", verb)[:2] for verb in _KANA_VERB.findall(permission) if verb not in _GENERAL_VERBS]
    parts = clauses(without_reason(rule))
    opening: list[str] = []
    for place, clause in enumerate(parts):
        own = _named(clause)
        forbids = denies(clause)
        # "You can push without asking" ends the duty to ask.
        frees = not forbids and not is_duty and "without" in allowed
        ended = allowed - {"without"} if frees else allowed
        required = (
            [one for one in own if one not in DIRECTIONS] if frees or (meant and not is_duty) else _required(clause, own, is_duty=is_duty, is_named=is_named)
        )
        if (
            (is_named or frees or forbids != is_duty or (forbids and is_allowed))
            and is_among(ended, {*opening, *own})
            and all(verb in clause for verb in verbs)
            and _covers({*ended, *meant}, required, is_named=is_named)
            and not _others_stand(parts, place, is_duty=is_duty or frees)
        ):
            return True
        opening += own
    return False


@lru_cache(maxsize=512)
def _named(clause: str) -> list[str]:
    found = list(names(_FRAME.sub(" ", clause)))
    return [*found, "without"] if not clause.isascii() and _WITHOUT.search(clause) is not None else found


def _allowed(permission: str) -> Set[str]:
    """Return the names of what a permission allows; none of one with a limit."""
    plain = without_reason(permission)
    rest = _LEADING_REASON.sub("", plain, count=1)
    if permission_of(rest) and not permission_of(plain[: len(plain) - len(rest)]):
        plain = rest
    if _LIMITED.search(_FRAME.sub(" ", plain)) is not None:
        return frozenset()
    parts = clauses(plain)
    # What comes after the permission gives its reason; what comes before says for what it holds.
    last = next((place for place, part in enumerate(parts) if permission_of(part)), len(parts) - 1)
    return frozenset(word for part in parts[: last + 1] for word in _named(part))


def _required(clause: str, own: list[str], *, is_duty: bool, is_named: bool) -> list[str]:
    """Return the names without which nobody says what a clause is about. Whoever ends a duty need not say on which occasions it arose, and "the rule about
    app/payment.py" is the one not to touch it."""
    if is_named:
        return [word for word in own if word not in _TOUCHING and word not in _VERBS_ALONE]
    if not is_duty:
        # 「本番からコピーしてもいい」 leaves out the topic of 「テスト用のデータは本番からコピーしないで」.
        topic, _, rest = clause.partition("は")
        spoken = _named(rest)
        return spoken if topic[-1:] not in "にでと" and not _VERBS_ALONE.issuperset(spoken) and len(spoken) > 1 else own
    main = _named(_OCCASION.sub(" ", clause, count=1))
    return [word for word in main if word.isascii() or word not in _VERBS_ALONE] if not _SPEAKING.issuperset(main) else own


def _covers(words: Collection[str], required: Collection[str], *, is_named: bool) -> bool:
    """Return whether all that is required is named (most of it, to end a rule by name), and that is more than a verb: "you can push again" may answer
    anything."""
    is_enough = bool(required) and not _SPEAKING.issuperset(required) and not _VERBS_ALONE.issuperset(words)
    has_name = any(not one.isalpha() for one in required)  # "the column patient_name" is named by its name
    missing = [one for one in required if one not in words and not _is_made_of(one, words) and not (has_name and one in _KINDS)]
    return is_enough and (not missing or (is_named and len(missing) * 2 < len(required)))


def _is_made_of(run: str, words: Collection[str]) -> bool:
    """Return whether a run of Japanese consists of named words: 変更履歴更新 of 変更履歴 and 更新."""
    for word in sorted(words, key=len, reverse=True):
        run = run.replace(word, "") if not word.isascii() else run
    return not run


def _others_stand(parts: list[str], place: int, *, is_duty: bool) -> bool:
    """Return whether another clause forbids something else, or orders something other than a way around what was forbidden."""
    for number, clause in enumerate(parts):
        if number == place or _ADDS_NOTHING.search(clause) is not None or not _named(clause):
            continue
        if denies(clause) and not (is_duty and number > place and not _ORDERS_MORE.search(clause)):
            return True
        if _ORDERS_MORE.search(clause) is not None and (is_duty or _OWN_CONDITION.search(clause) is not None):
            return True
    return False
