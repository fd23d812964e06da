"""Sentences by which a person says that a call which they stopped was not wanted: "why are you pushing? I do that myself", 「コミットは手動でやります」.

People stop calls for many reasons: to read, to ask, to have another text in a file. So the sentence must object, and name what the call does; and nothing about
the moment ("not yet", 「まだ」) counts. A doubt about a command that is quoted needs no stopped call: "I'm not sure about `git add .`".
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import corrected, exact, forms
from memorybank.text.commands.actions import of_forms
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

STOPPED, DOUBTED = "stopped:", "doubted:"
"""Begin the keys under which it is kept that a person stopped a call, or doubted one."""
_LONGEST_WORD = 80
_STAGES = "git add"
_EVERYTHING = {"-A": ".", "--all": ".", "./": ".", "*": "."}
_OBJECTS = lazy_pattern(
    r"\bdo(?:n['’]t| not) (?!know|think|understand|see|remember|worry|have|forget|get\b|mind|care|bother|hesitate)"
    r"|\b(?:never|stop|rather|instead|myself|manually|by hand|overkill|forbidden)\b"
    r"|\b(?:should|must)(?:n['’]t| not)\b|\bno need\b|\bnot (?:sure about|necessary|needed|what i)\b|\bwhy (?:the \w+ )?(?:are|do|did|would) you\b"
    r"|\b(?:did(?:n['’]t| not)|never) (?:say|ask|tell|want|mean)\b|\bi(?:['’]ll| will| already (?!\w+ed\b|did|gave|told|said)| always)\b|\bwhat are you doing\b"
    r"|やめ|止め|(?:し|[さわかたらまばが])ないで|ではなく|じゃなく|勝手に|不要|[要い]らない|なんで|なぜ|どうして|頼んで|言って(?:い)?(?:ない|ません)|禁止|[だダ][めメ]"
    r"|(?:自分|自身|こちら|手動|手作業|手)で|(?:私|僕|俺)が|必要(?:は|が)?(?:ない|ありません)",
    "i",
)
_MOMENT = lazy_pattern(
    r"\b(?:yet|first|wait|hold on|pause|hang on|(?:a|one) (?:second|sec|moment|minute)|later|for now|right now|now\W*$|before (?:you|we|i)|after|until|till"
    r"|unless|today|tonight|this (?:one|time|commit|branch|change))\b"
    r"|まだ|先に|待っ|あとで|後で|一旦|いったん|今(?:は|回|日|すぐ)?(?!後)|前に|その前|とりあえず|まで|この(?:コミット|ブランチ|変更)",
    "i",
)
_WANTS = lazy_pattern(
    r"\bwhy (?:(?:did|do|have|are|were) you (?:stop\w*|not|n['’]t)|(?:did|do|have|are|were)n['’]t you)\b"
    r"|\b(?:do not|don['’]t|never) (?:just )?(?:stop|only|wait|pause)\b|\bdon['’]t just\b|\bgo (?:ahead|on)\b"
    r"|\b(?:by (?:mistake|accident)|accidentally|did(?:n['’]t| not) mean to|mistakenly|allow|permission)\b"
    r"|(?:なぜ|なんで|どうして)[^。]{0,60}(?:止め|やめ|しない|せず|してない|していない)|(?:止め|やめ)(?:ない|ず)|(?:間違|誤)って|続けて|許可",
    "i",
)
"""Matches a sentence that wants what was stopped: it was stopped by mistake, or should not have been."""
_OF_TEXT = lazy_pattern(r"\bcommit (?:messages?|title|text|body|subject)|コミット(?:の)?(?:メッセージ|文|タイトル)", "i")
"""Matches what a person wants another text for. The call itself is none of it."""
_SAID_AS = dict(
    pair.split("=")
    for pair in str.split("""commit=commit/コミット push=push/プッシュ merge=merge/merging/マージ rebase=rebas/リベース install=install/インストール
    deploy=deploy/デプロイ start=start/起動 dev=start/launch/run/起動/立ち上げ serve=start/launch/run/起動/立ち上げ reset=reset/リセット stash=stash/スタッシュ
    publish=publish/公開 migrate=migrat/マイグレ restart=restart/再起動 rm=delet/remov/削除/消し/消す/消さ checkout=checkout/check-out/チェックアウト""")
)
"""What people say for what a command does."""
_DOUBTS = lazy_pattern(
    r"\b(?:not (?:\w+ )?(?:sure|happy|keen|comfortable|convinced)|uneasy|worried|nervous|wary|hesitant"
    r"|(?:do not|don['’]t) (?:\w+ )?(?:like|trust|want)|dislike|hate)"
    r"(?: (?:about|with|of|that|to|the|you|us|using|use|run|running|on|idea)){0,4} `(?P<code>[^`\n]{4,80})`"
    r"(?! (?:to|fail|break|crash|report|print|show|tak)\w*)"
    r"|`(?P<said>[^`\n]{4,80})` ?(?:は|って|を使うの[はが]|というの[はが]|だと|で)(?!失敗|エラー|落ち)[^。`]{0,14}"
    r"(?:(?:不安|心配)(?!(?:は|も)?(?:[要い]り?ま|[要い]らな|な[いくし]|ありま|無用))|怖(?!くな)|嫌|避け|まずい|危(?!険(?:で|では)?(?:な|あり))|気が進ま|やめ)",
    "i",
)


def keys(command: str) -> list[str]:
    """Return what identifies the parts of a command: `git add .`, `SKIP= git commit`."""
    return list(dict.fromkeys(key for key, _, _ in _parts(command)))


def written(path: str) -> str:
    """Return what identifies the creation of a file."""
    return f"write {path}"


def against(said: Iterable[str], command: str) -> tuple[int, list[str]]:
    """Return (the place of the first sentence that says that a command was not wanted, what identifies the parts of it that are meant); (0, []) without one.

    Whatever a person says who stops a command that gets past a check, it is about that.
    """
    parts = _parts(command)
    past_checks = [key for key, _, bypasses in parts if bypasses]
    for place, sentence in enumerate(said):
        if objects(sentence):
            named = {form for form, _ in forms.parts_named_in(sentence, command)}
            meant = past_checks or [key for key, form, _ in parts if form in named or _names_action(sentence.lower(), form)]
            if meant:
                return place, meant
    return 0, []


def asked_for(prompts: Iterable[str], command: str) -> list[str]:
    """Return what identifies the parts of a command, without those that get past a check, whose action one of these prompts names without objecting."""
    said = [sentence.lower() for prompt in prompts for sentence in sentences(prompt) if not objects(sentence)]
    return [key for key, form, bypasses in _parts(command) if not bypasses and any(_names_action(one, form) for one in said)]


def objects(sentence: str) -> bool:
    """Return whether a sentence objects to something, and neither only to its being done now nor to its having been stopped."""
    return _OBJECTS.search(sentence) is not None and _MOMENT.search(sentence) is None and _WANTS.search(sentence) is None


def doubted(sentence: str) -> list[str]:
    """Return what identifies a command that a sentence quotes and doubts."""
    found = _DOUBTS.search(sentence) if "`" in sentence else None
    return keys(found["code"] or found["said"]) if found is not None else []


def _parts(command: str) -> list[tuple[str, str, bool]]:
    """Return (what identifies it, form, whether it gets past a check) of the parts of a command.

    A part is identified by its words, without texts and places of one machine; also by its form and a variable that gets it past a check.
    """
    found: list[tuple[str, str, bool]] = []
    for form, assigned, words in forms.parts_with_variables(command):
        found += [(f"{name}= {form}", form, True) for one in assigned if corrected.bypasses(name := one.partition("=")[0]) or corrected.bypasses(one)]
        told = [_EVERYTHING.get(word, word) if form == _STAGES else word for word in words]
        told = ["_" if not word.isprintable() or " " in word or len(word) > _LONGEST_WORD else word for word in told]
        if len(told) > 1 and exact.MACHINE.search(" ".join(told)) is None:
            found.append((" ".join(told), form, any(map(corrected.bypasses, told))))
    return found


def _names_action(sentence: str, form: str) -> bool:
    """Return whether a sentence in lower case names what a command does: "why are you pushing?", 「コミットは自分で」."""
    words = [word for word in (*of_forms([form]), form.partition(" ")[0]) if word in _SAID_AS]
    sentence = _OF_TEXT.sub("", sentence)
    return any(name in sentence for word in words for name in _SAID_AS[word].split("/"))
