"""Whether a permission takes a rule back. In doubt it does not: it has to name what one clause of the rule orders or forbids, all of it and nothing else."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.about import DIRECTIONS, clauses, denies, is_among, names
from memorybank.text.prompts.called import SAYS_NO_NAME, called
from memorybank.text.prompts.lasting import is_end_of_rule
from memorybank.text.prompts.objectless import lacks_object
from memorybank.text.prompts.permissions import FRAME, LASTING, allows, is_end_of_duty, permission_of, without_reason
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.pointing import points
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Set

_LEADING_REASON = lazy_pattern(r"^\W*(?:since|because|as|now that)\b[^,]*,\s*|^.*?,? so (?=\w)|^[\w ]+:\s", "i")
_LIMITED = lazy_pattern(
    r"\b(?:but|except|excluding|only|other than|apart from|not)\b(?! (?:need|have|want|require|expect)\b)|ただし|以外|(?<!削)除[くきい]|のみ|だけ|しか", "i"
)
"""Matches a permission with a limit or an exception."""
_ADDS_NOTHING = lazy_pattern(r"^\W*(?:not even|even|especially|including|ever|by the way|nobody|no one|not just)\b|(?:から|ため)(?:です|だ)?$", "i")
"""Matches a clause that only stresses the one before, or gives its reason."""
_ORDERS_MORE = lazy_pattern(
    r"^\W*(?:(?:and|then|also|but|so)\s+)*(?:always|please|run|use|add|write|update|make|never|open|ask|keep|put|check|commit|push|create|name|sort"
    r"|tag|list|set)\b|(?:てください|て下さい|すること|てね)$|を[^、。を]{1,10}(?:し|て|[きぎちりみびいえけせめれ])$",
    "i",
)
_OWN_CONDITION = lazy_pattern(
    r"\b(?:before|after|when(?:ever)?|every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|(?:前|後)に|とき|際|たび|ごと|毎", "i"
)
_OCCASION = lazy_pattern(
    r"\b(?:before|after|when|whenever|while|each time|every time|(?:to|in|for|with|on|at|of) (?:each|every|all)|each|every)\b.*"
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
_GENERAL_VERBS = ("しな", "やら", "なく")
_KANA_STEM = lazy_pattern(r"[いっんきぎしちりみび]$")
_BETWEEN = " \t\n,;、，"
_JOINS_ON = lazy_pattern(r"\b(?:and|but|so)$", "i")
_JOINED_ON = lazy_pattern(r"^[\s,;、，.。]*(?:(?:and|but|so)\b)?[\s,;、，]*", "i")
_COMPLETE = lazy_pattern(r"^[\x00-\x7f]+$|(?:ください|下さい|こと|ます|です|ない(?:で)?|[うくすつむぶる]|禁止)[。！!]*$")
"""Matches what can stand alone. A Japanese clause in the middle of a sentence has no end of its own."""
_VERBS_ALONE = frozenset(
    str.split("push commit merg deploi rebas releas delet format build")
    + str.split("プッシュ コミット マージ デプロイ リベース リリース ダウンロード コピー 削除 変更 追加 書 消 直 送")
)
"""What is done to something, and may be done to anything."""


def ends(permission: str, rule: str) -> bool:
    """Return whether a permission for good, or an end of a duty or rule, takes a rule back: it names what one clause of the rule orders or forbids, all of
    it and nothing else, and no other clause stands on its own."""
    return _ended(permission, rule) == (rule, False)


def part_ended(permission: str, rule: str) -> str:
    """Return the clause of a rule that a permission takes back while others stand, as written; "" if there is none. One that cannot be told apart is all."""
    clause, others_stand = _ended(permission, rule)
    return (clause if clause in rule else rule) if others_stand else ""


def may_mean(ended: str, rule: str) -> bool:
    """Return whether a sentence that ends a rule by name ("forget the emoji rule") may mean this one: a clause has the name, and no other stands on its own."""
    said = without_reason(ended)
    if not is_end_of_rule(said) or not called(said):
        return False
    own = next(clause for clause in clauses(said) if called(clause))
    # "The rule about generated files in eslint" is another one.
    wanted = called(said).union(set(_named(own)) - SAYS_NO_NAME - DIRECTIONS)
    parts = clauses(without_reason(rule))
    return any(is_among(wanted, names(clause)) and not _others_stand(parts, place, is_duty=not denies(clause)) for place, clause in enumerate(parts))


def rest_of(rule: str, clause: str) -> str:
    """Return what a rule says without one of its clauses, "" if what is left is no complete sentence."""
    before, _, after = rule.partition(clause)
    first, last = _JOINS_ON.sub("", before.rstrip(_BETWEEN)).rstrip(_BETWEEN), _JOINED_ON.sub("", after)
    rest = first + after if first and last else first or last
    is_complete = rest != "" and _COMPLETE.search(rest) is not None and not lacks_object(rest)
    return f"{rest[0].upper()}{rest[1:]}" if is_complete else ""


def _ended(permission: str, rule: str) -> tuple[str, bool]:
    """Return (what of a rule a permission takes back: all of it, one clause, or ""; whether other clauses stand)."""
    part = ""
    if set(names(permission)).isdisjoint(names(rule)) and all(map(str.isascii, names(permission))):
        return "", False  # before what takes longer
    said = sentences(permission)
    place = next((place for place, one in enumerate(said) if permission_of(one) == LASTING), 0)
    before, permission = said[:place][-1:], " ".join(said[place:])
    allowed = _allowed(permission)
    if not allowed:
        return "", False
    # "The sandbox is free of charge. Tests may call it now."
    meant = names(before[0]) if before and points(permission) else ()
    is_duty, is_named = is_end_of_duty(permission), is_end_of_rule(permission)
    is_allowed = allows(permission)
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
        ):
            if not _others_stand(parts, place, is_duty=is_duty or frees):
                return rule, False
            part = part or clause
        opening += own
    return part, part != ""


@lru_cache(maxsize=512)
def _named(clause: str) -> list[str]:
    found = list(names(FRAME.sub(" ", clause)))
    return [*found, "without"] if not clause.isascii() and _WITHOUT.search(clause) is not None else found


def _allowed(permission: str) -> Set[str]:
    """Return the names of what a permission allows; none of one with a limit."""
    plain = without_reason(permission)
    rest = _LEADING_REASON.sub("", plain, count=1)
    if permission_of(rest) and not permission_of(plain[: len(plain) - len(rest)]):
        plain = rest
    if _LIMITED.search(FRAME.sub(" ", plain)) is not None:
        return frozenset()
    parts = clauses(plain)
    # What comes after the permission gives its reason; what comes before says for what it holds.
    last = max((place for place, part in enumerate(parts) if permission_of(part)), default=len(parts) - 1)
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
