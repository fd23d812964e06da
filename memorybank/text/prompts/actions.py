"""Rules about an action: "never publish from a laptop" is about `npm publish`, 「applyは必ず僕がやる」 about `terraform apply`.

A sentence seldom names the program. So it has to use the action as a verb, in a clause that forbids, limits or demands something, and what it does this to
must be nothing in particular, or occur in the call: "never delete the fixtures" says nothing about `kubectl delete pod`.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.objects import limits
from memorybank.text.words.scripts import has_kana

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_EVERYDAY = frozenset(
    str.split("""run test build start stop check add get set show list open create edit fix use make do copy install help status view exec log diff init new
    info find search read write print watch serve dev lint format fmt clean plan config version ci all up down ps images code app api docs pr issue pip
    cache import export call mock type load save move rename""")
)
"""Sub-commands that are words of everyday work, or that most sessions run: without their program, a rule that contains one is about anything."""
_ON_ITS_OWN = frozenset(("publish", "deploy", "release", "destroy"))
"""Actions that one project has for one purpose, whatever a sentence says that they are done to."""
_NOUNS = {"migrate": ("migration", "migrations"), "deploy": ("deployment", "deployments"), "install": ("installation",), "publish": ("publication",)}
"""What people do, other than the verb itself: "run migrations"."""
_DOES = frozenset(str.split("run running runs start starting trigger triggering execute executing perform performing do doing launch kick off no any"))
_LEAST = 4
_CLAUSE = lazy_pattern(r"[,;:()!?\n–—]|[.](?=\s|$)")
_TOKEN = lazy_pattern(r"[A-Za-z][\w.'’@/-]*")
_DEMANDS = lazy_pattern(
    r"\b(?:always|every time|whenever|before|forbidden|prohibited|banned|off[- ]limits|myself|mine|my (?:job|call|task|business)|leave"
    r"|i (?:do|run|will|want)|i['’]ll)\b",
    "i",
)
"""Matches what makes a clause a rule besides what forbids or limits something."""
_OWNED = lazy_pattern(
    r"(?:僕|私|俺|わたし|ぼく|こちら|自分|人間|担当者?|さん|チーム)(?:が|で|に)|の(?:仕事|担当|役目)|必ず|いつも|常に|毎回|確認|許可|承認|頼|任せ"
)
"""Matches the same in Japanese."""
_BEFORE_VERB = frozenset(
    str.split("""to not never always must should please before after when whenever while only and or then first you we i no avoid without stop can cannot may
    will would let ever just also directly nobody anyone nor of by from instead dont doesnt cant i'll we'll let's start keep ci manually""")
)
_PASSIVE = frozenset(("only", "never"))
_AFTER_VERB = frozenset(
    str.split("""in from for on at to into onto with by because cause if when whenever unless until till while and or but here there again anymore ever please
    as since so than of not before after during between per via without outside inside through yourself myself manually directly locally alone straight
    automatically only never first yet now today is are must needs requires blindly anywhere remotely under twice just""")
)
"""Words before which a verb has no object."""
_ARTICLES = frozenset(str.split("the a an any our my your this that these those new all some more other another"))
_ANYTHING = frozenset(str.split("anything something everything it them things stuff change changes package packages code release releases version versions"))
_AFTER_JAPANESE = lazy_pattern(
    r"[`」』”\s]{0,3}(?:は|を|も|って|なんて|する|すん|し(?!た|て(?:い|あ|る))|せず|させ|の?(?:前|後|とき|時)|は?(?:禁止|厳禁|不可|なし|ng|だめ|ダメ)|だけは)"
)
"""Matches what follows an action in Japanese that a sentence is about, or demands."""
_OBJECT_BEFORE = lazy_pattern(r"([A-Za-z][\w./-]{0,60}|[ァ-ヴー]{1,30}|[一-龯]{1,20})(?:を|の|は(?:必ず|絶対に?|決して|勝手に)?)[`「『“\s]{0,3}$")
_ANYTHING_JAPANESE = frozenset(str.split("変更 何 これ それ 全部 全て パッケージ インフラ 本番 環境 サーバー サーバ サービス アプリ 手元 手動"))
_JAPANESE = {
    action: tuple(words.split("/"))
    for action, _, words in (
        pair.partition("=")
        for pair in str.split("""publish=パブリッシュ/公開 deploy=デプロイ release=リリース apply=アプライ/適用 destroy=デストロイ/破棄 reset=リセット
        rollback=ロールバック upgrade=アップグレード update=アップデート restore=リストア/復元 migrate=マイグレーション/マイグレート delete=削除 prune=プルーン
        amend=アメンド restart=再起動/リスタート seed=シード drop=ドロップ scale=スケール force-unlock=強制解除/ロック解除/強制アンロック""")
    )
}
"""What people say in Japanese for an action."""


def spellings(action: str) -> list[str]:
    """Return texts in lower case one of which every sentence contains that `is_limited_by` finds to be about an action."""
    if action in _EVERYDAY or len(action) < _LEAST:
        return []
    return [action[:-1] if action[-1] in "ey" else action, *([action.replace("-", " ")] if "-" in action else []), *_JAPANESE.get(action, ())]


def is_limited_by(sentence: str, action: str, words: Collection[str]) -> bool:
    """Return whether a sentence says whether, when or how to do what a sub-command does.

    words: those of the call, in lower case.
    """
    named = spellings(action)
    lowered = sentence.lower()
    if not any(one in lowered for one in named):
        return False
    if has_kana(sentence):
        return any(_is_japanese(part, action, words) for part in sentence.replace("！", "。").split("。"))
    return any(_is_english(clause, action, words) for clause in _CLAUSE.split(lowered))


def _is_english(clause: str, action: str, words: Collection[str]) -> bool:
    if not limits(clause) and _DEMANDS.search(clause) is None:
        return False
    if "-" in action:  # a name, which no sentence contains by chance
        return f" {action} ".replace("-", " ") in f" {' '.join(_TOKEN.findall(clause))} ".replace("-", " ")
    stem = action[:-1] if action.endswith("e") else action
    active = {action, f"{action}s", f"{action}es", f"{stem}ing", f"{stem}{stem[-1]}ing", *([f"{action[:-1]}ies"] if action.endswith("y") else [])}
    passive = {f"{action[:-1]}ied" if action.endswith("y") else f"{stem}ed"}
    tokens = [token.rstrip(".'’-/").replace("’", "'") for token in _TOKEN.findall(clause)]
    nouns = {*_NOUNS.get(action, ()), f"{action}s"}
    return any(
        (token in active and _is_verb(tokens, place) and _is_about(tokens[place + 1 :], action, words))
        or (token in nouns and _is_done(tokens, place, words) and _is_about(tokens[place + 1 :], "", words))
        or (token in passive and place and tokens[place - 1] in _PASSIVE)
        for place, token in enumerate(tokens)
    )


def _is_verb(tokens: Sequence[str], place: int) -> bool:
    before = tokens[place - 1] if place else ""
    return not before or before in _BEFORE_VERB or before.endswith("n't")


def _is_done(tokens: Sequence[str], place: int, words: Collection[str]) -> bool:
    """Return whether a noun for an action stands after a verb for doing it, or after the program: "run migrations", "helm upgrades"."""
    before = [token for token in tokens[:place] if token not in _ARTICLES]
    return not before or before[-1] in _DOES or before[-1] in words


def _is_about(after: Sequence[str], action: str, words: Collection[str]) -> bool:
    """Return whether an action is done to nothing in particular, or to something that the call names. after: the words after the verb."""
    done_to = []
    for token in after:
        if token in _AFTER_VERB:
            break
        if token not in _ARTICLES:
            done_to.append(token)
    return action in _ON_ITS_OWN or _ANYTHING.issuperset(done_to) or any(one in words or one.rstrip("s") in words for one in done_to)


def _is_japanese(part: str, action: str, words: Collection[str]) -> bool:
    if not limits(part) and _OWNED.search(part) is None:
        return False
    part = part.lower()
    for end, before in _places(part, action):
        if _AFTER_JAPANESE.match(part, end):
            done_to = _OBJECT_BEFORE.search(before)
            if done_to is None or action in _ON_ITS_OWN or done_to[1] in _ANYTHING_JAPANESE or done_to[1] in words:
                return True
    return False


def _places(part: str, action: str) -> Iterator[tuple[int, str]]:
    """Yield (where a word for an action ends, the text before it) for each occurrence that is not a part of a longer word."""
    for word in (action, action.replace("-", " "), *_JAPANESE.get(action, ())):
        at = part.find(word)
        while at >= 0:
            end = at + len(word)
            if not _continues(part[:at][-1:], word[0]) and not _continues(part[end : end + 1], word[-1]):
                yield end, part[:at]
            at = part.find(word, at + 1)


def _continues(sign: str, word: str) -> bool:
    """Return whether a sign next to a word belongs to the same word."""
    if word.isascii():
        return sign.isascii() and (sign.isalnum() or (sign != "" and sign in "-_./"))
    return "ァ" <= sign <= "ヿ" if "ァ" <= word <= "ヿ" else "一" <= sign <= "龯"
