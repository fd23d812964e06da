"""Recognises prompts that only ask to go on with earlier work ("go on", "phase 2 now", "what's next?", 「移行の続き、次は何だっけ」), and what work they name.

Only the first sentence counts: "go on. tabs, not spaces" continues too. A prompt with much else to say is about that.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.steps import STEP, step_of
from memorybank.text.words.scripts import is_japanese
from memorybank.values import Value

_LONGEST, _SHORT = 200, 90
"""Characters of a prompt that can be about nothing but what came before, and of its first sentence."""
_MOST_SENTENCES = 3
"""Number of sentences that are searched for the first one that is not a greeting."""
_MOST_WORDS = 4
"""Words of the work that a prompt names. More are a request of its own."""
_BEFORE = frozenset(
    (
        *("ok", "okay", "so", "now", "then", "and", "please", "pls", "right", "hi", "hey", "hello", "good", "morning", "again", "back", "great", "well"),
        *("yes", "yep", "sure", "let's", "lets", "let", "us", "can", "could", "you", "we", "would", "just", "i'm", "i", "am", "ready", "for", "to"),
        *("today", "time", "want"),
    )
)
"""Words before what is asked that say nothing."""
_AFTER = frozenset(
    ("please", "pls", "plz", "now", "then", "thanks", "thank", "you", "today", "again", "ok", "okay", "here", "too", "first", "there", "so", "far", "still")
)
_ENGLISH = lazy_pattern(
    r"(?:(?:go|carry|keep) (?:on|going)|continue|proceed|resume|move on|go ahead|pick (?:it |this |that )?(?:back )?up|on(?:to| to| with)|next|back to work)"
    r"(?: (?:with|on|at|from|to|in|where (?:we|you|i) (?:were|stopped|left off)))?(?: (?P<work>.+))?"
    r"|(?:do |finish |and |start |begin |tackle |implement |take |build |with )*"
    r"(?:the (?:rest|next (?:one|step|phase|part|stage|task|item|thing|bit))|what(?:'s| is) (?:left|next))(?: (?:of|from|in) (?P<rest>.+))?"
    r"|(?:what(?:'s| is| was| comes| are|s)?|whats) (?:the )?(?:up )?"
    r"(?:next|left|still open|still missing|still left|still to do|remaining|left to do|to do next)"
    r"(?: (?:step|phase|part|stage|task|item|thing|up|to do|to be done))?(?: (?:of|from|in|on|for|with) (?P<next>.+))?"
    r"|what (?:remains|else is (?:left|open|missing)|do we have left|should we do next|do we do next)(?: (?:of|from|in|on|for|to do) ?(?P<remains>.*))?"
    r"|(?:is |are )?(?:there )?(?:anything|something|any (?:steps?|phases?|tasks?|parts?|points?|work)) (?:else |still )?"
    r"(?:left|open|missing|remaining|unfinished|to do)(?: (?:to do|open))?(?: (?:of|from|in|on|for|with) (?P<any>.+))?"
    r"|where (?:were|are|did) (?:we|i|you)(?: (?:stop|leave off|left off|get to|end|stand|at))?(?: (?:with|on|in) (?P<where>.+))?"
    r"|(?:(?:go|start|begin|do|implement|tackle|run|take|build|work|continue|carry|move|on|to|with|the|it's|its) )*"
    r"(?=(?:phase|step|stage|part|milestone) )(?P<step>.+)",
    "i",
)
"""Matches all of a sentence that asks to go on, without the words before and after it that say nothing."""
_CLAUSE = lazy_pattern(
    r"\b(?:when|if|because|after|until|while|unless|that|which|where|fails?|is|are|was|has|have|may|must|should|will|would|needs?|can|does|doesn['’]t|not|shows?|prints?|says?)\b|[:;`/]",
    "i",
)
"""Matches what shows that more is said than the name of some work."""
_FILLER = frozenset(
    (
        *("the", "a", "an", "of", "our", "my", "your", "this", "that", "it", "with", "on", "in", "to", "for", "from", "where", "next", "rest", "left"),
        *("work", "thing", "things", "stuff", "plan", "list", "task", "tasks"),
        *("last", "previous", "time", "session", "yesterday", "earlier", "before", "morning", "afternoon", "evening", "night", "week"),
    )
)
_POLITE = (
    r"(?:ください|下さい|くれ(?:ます)?か?|もら(?:えます|える|える?と)か?|いただけますか|お願い(?:します|しますね|できますか|ね)?|おねがい(?:します)?|頼みます|頼む"
    r"|ほしい|欲しい|いきましょう|いこう|行こう|やって|やりましょう|やろう|始めて|始めましょう|片付けて|進めて|進みましょう|進んで|入って|取りかかって|していい|いい"
    r"|です|ます|よろしく|よ|ね|から|か|で|に|へ|を|も|、|\s)"
)
_BEGINNING = (
    r"(?:先|次|する|やる|やり(?:たい|ます)|行く|いく|行き(?:たい|ます)|いき(?:たい|ます)|入(?:ろう|りたい|る|りましょう)|着手|開始|実装|作業|再開|続き|続行|の(?=続|実装|作業)"
    r"|始め(?:よう|る|たい)|はじめ(?:て|よう|る)|取り?かか(?:ろう|る|りたい)|取り掛か(?:って|ろう|る)|移(?:って|ろう|る|りたい)|進(?:もう|む|みたい|めたい|めよう)"
    r"|し(?:て|よう|たい|ましょう)|今日|今から|まで|な|っ|ー|plz|please|pls|go|OK)"
)
"""What else follows the name of a step with which a prompt asks to go on."""
_JAPANESE = lazy_pattern(
    rf"(?:続けて|続行(?:して)?|再開(?:して|しよう)?|(?:先に?|そのまま|次に?)進め?て|進めて)(?:{_POLITE}){{0,8}}+$"
    rf"|(?:続き|残り(?:の作業|のタスク|の分)?)(?:{_POLITE}){{0,8}}+$"
    r"|(?:(?:続き|残り)[、はの\s]*)?(?:次|つぎ)(?:は|って|に)?(?:、)?(?:何|なに|なん|どこ|どれ)[^。]{0,12}$"
    rf"|(?:次|つぎ)の?(?:ステップ|フェーズ|段階|工程|タスク)?(?:{_POLITE}){{1,8}}+$"
    r"|(?:残り|残って(?:い)?る(?:もの|の|作業|タスク)?|残作業|残タスク|やり残し)(?:は|って|が)?(?:、)?(?:何|なに|なん|どれ|ある|あります|あった)[^。]{0,10}$"
    r"|何(?:が|か)(?:まだ)?残って[^。]{0,12}$|(?:あと|後)(?:は)?(?:何|なに)[^。]{0,12}$|どこまで(?:やった|やりました|進んだ|進みました|行った|いった|でした|だった|やって)[^。]{0,8}$"
    r"|ステップ\d{1,2}(?:\s?[（(](?P<aside>[^（）()]{1,24})[)）]|(?:の|\s)(?P<name>[^\s、。のをがはにで]{2,12})(?=を|に|お願い|やろう|やって|いこう|始め))?"
    rf"(?:{_POLITE}|{_BEGINNING}){{0,10}}+$"
)
_JAPANESE_FILLER = lazy_pattern(
    r"おはよう(?:ございます)?|こんにちは|お疲れ様(?:です)?|今日(?:は|も)?|昨日の?|了解(?:です|しました)?|承知(?:しました)?|はい|それで|ありがとう(?:ございます)?|先日の?|先週の?|この前の?|さっきの?|前回の?|では|じゃあ|さて|よし|とりあえず|引き続き|それでは"
    r"|計画|プラン|作業|タスク|ステップ\d{1,2}|(?:その|この)(?:あと|後)"
)
_JAPANESE_CLAUSE = lazy_pattern(r"まで|たら|ので|から、|けど|なら|(?:した|する)とき|だら|が、")
"""Matches what shows that a Japanese sentence says more than the name of some work."""
_JAPANESE_WORDS = lazy_pattern(r"[A-Za-z][\w.-]*|[\u30a0-\u30ff]{2,}|[\u4e00-\u9fff]+")


class Continued(Value):
    """What a prompt asks to go on with. work: the words that name it; "" for whatever came last. step: the number of a phase or step of a plan, 0 for none."""

    work: str
    step: int


def continued_by(prompt: str) -> Continued | None:
    """Return what a prompt asks to go on with; None if it asks for something else."""
    text = prompt.strip()
    if not text or len(text) > _LONGEST:
        return None
    said = next((sentence for sentence in sentences(text)[:_MOST_SENTENCES] if not _only_leads_in(sentence)), "")
    if len(said) > _SHORT:
        return None
    named = plain(said)
    work = in_japanese(named) if is_japanese(named) else in_english(named)
    if work is None:
        return None
    step = STEP.search(said)
    return Continued(work, step_of(step) if step is not None else 0)


def plain(said: str) -> str:
    """Return a sentence with the names of phases and steps as `phase 2`, and ステップ2 in a Japanese one."""
    name = "ステップ" if is_japanese(said) else "phase "
    return STEP.sub(lambda found: f"{name}{step_of(found)}", said)


def _only_leads_in(said: str) -> bool:
    """Return whether a sentence consists of words before a request: "ok thanks", 「では、」."""
    return not _JAPANESE_FILLER.sub("", said).strip(" 。、！!.") or all(word.strip(" ,.!").lower() in _BEFORE for word in said.split())


def in_english(said: str) -> str | None:
    """Return the words of a sentence that name the work which it asks to go on with; None if it asks for something else."""
    words = said.replace("’", "'").rstrip(" .!?…").replace(",", " ").split()
    while words and words[0].lower() in _BEFORE:
        del words[0]
    while words and words[-1].lower() in _AFTER:
        del words[-1]
    found = _ENGLISH.fullmatch(" ".join(words))
    if found is None:
        return None
    rest = next((found[name] for name in ("work", "rest", "next", "remains", "any", "where", "step") if found[name]), "")
    if _CLAUSE.search(rest) is not None:
        return None
    named = [word.strip('()"“”') for word in STEP.sub(" ", rest).split()]
    named = [word for word in named if word.lower().removesuffix("'s") not in _FILLER | _AFTER]
    return " ".join(named) if len(named) <= _MOST_WORDS else None


def in_japanese(said: str) -> str | None:
    """Return the same of a Japanese sentence."""
    bare = said.rstrip(" 。！？!?…")
    found = _JAPANESE.search(bare)
    if found is None:
        return None
    if _JAPANESE_CLAUSE.search(bare[: found.start()]) is not None:
        return None
    aside = found["aside"] or found["name"] or ""
    named = _JAPANESE_WORDS.findall(_JAPANESE_FILLER.sub(" ", f"{bare[: found.start()]} {aside}"))
    named = [word for word in named if word not in ("続", "次", "残", "何", "作業")]
    return " ".join(named) if len(named) <= _MOST_WORDS // 2 + 1 else None
