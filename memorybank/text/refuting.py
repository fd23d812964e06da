"""Whether a person says in a prompt that the answer before it is false: "No, that's wrong. It is 300", "Actually it's five", 「違います。午前4時です」.

An objection to something else refutes nothing: an order ("no, don't commit yet"), a wish ("no, I want it in blue"), the reply to a question of the agent.
A mild objection ("actually …", "isn't it …?") refutes an answer if it gives another value, or denies one that the answer contains, or if the agent
concedes.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.sentences import is_reason, joined, sentences
from memorybank.text.terms import content_terms
from memorybank.text.typed import typed

_OPENING = 3
"""Sentences of a prompt in which an objection to the answer is looked for."""
_LONGEST = 300
"""Characters of the words with which a person corrects an answer."""
_READ = 4_000
"""Characters of an answer that are compared."""
_FILLERS = lazy_pattern(
    r"^\W*(?:(?:ok(?:ay)?|so|and|but|well|hey|hmm*|hm+|oh|ah|uh|um|sorry|wait|thanks|thank you|claude|no+|nope|nah|i think|i['’]m afraid|afraid|careful"
    r"|one thing|くそ|あの|えっと|うーん|すみません|すいません|ごめん(?:なさい)?|でも|あれ|ちょっと|ありがとう(?:ございます)?|いや|いえ"
    r"|いいえ)(?![\w'’])[\s,.:;!、。！—–-]*)+",
    "i",
)
_SAYS_NO = lazy_pattern(
    r"^\W*(?:(?:ah|oh|hmm+|well|sorry|but|wait|ok(?:ay)?)\W+)*(?:no+|nope|nah)\b(?!\.\s?\d)"
    r"(?=\s*(?:$|[,.;:!—–-])| (?:it|that|this|they|we|there|the|its|only|you)\b)"
    r"|^\W*(?:いや|いえ|いいえ)(?=[、,。！!\s…]|$)",
    "i",
)
_FIRST_NO = lazy_pattern(
    r"^\W*(?:(?:ah|oh|hmm+|well|sorry|but|wait|ok(?:ay)?)\W+)*(?:no+|nope|nah|いや|いえ|いいえ)"
    r"(?![\w'’])[\s,.:;!、。！—–-]*(?:(?:sorry|wait|actually)[\s,]+)*",
    "i",
)
_THAT = r"(?:that|this|it|your answer|the answer|the (?:first|second|last) (?:part|point|sentence|statement|claim)|all of (?:that|this|it))"
_QUITE = r"(?:(?:quite|entirely|really|actually|exactly|completely|totally|at all|just|simply|plain|still|also|no longer|any ?more|even|strictly) )*"
_FALSE = lazy_pattern(
    rf"^\W*{_THAT}(?:['’]s| is| was| are)? {_QUITE}(?:wrong|false|incorrect|untrue|inaccurate|mistaken|a mistake"
    r"|outdated|out of date|obsolete|nonsense|backwards)\b"
    r"(?! (?:file|branch|place|folder|direction|approach|repo))"
    rf"|^\W*{_THAT}(?:['’]s not| is not| was not| isn['’]?t| wasn['’]?t| ain['’]?t| no longer is) {_QUITE}"
    r"(?:right|true|correct|accurate|it\b|so\b|the (?:case|reason|cause|problem|issue|limit|value|one)|how (?:it|this|that|they|we)\b|what (?:it|the)\b)"
    rf"|^\W*{_THAT} (?:doesn['’]t|does not|can['’]t|cannot|can not) (?:be right|be true|be correct|be it|match)\b"
    r"|^\W*(?:wrong|incorrect|false|untrue|not (?:true|right|correct|so|quite(?: right| true| correct)?|accurate|really|any ?more))\s*(?:$|[,.;:!—–-])"
    r"|^\W*you(?:['’]re| are) (?:\w+ )?(?:wrong|mistaken|confusing|mixing)\b|^\W*you (?:got|have|had) (?:that|this|it) (?:wrong|backwards)\b"
    r"|^\W*you (?:misread|mixed up|confused)\b|^\W*i (?:don['’]?t|do not) (?:think|believe) (?:so\b|that['’]?s|that is|this is|it['’]?s|it is)"
    r"|^\W*(?:(?:それ|これ|今の|さっきの|その\S{1,10}?|最後の\S{0,6}?)は\s?|全然|まったく|全く|少し|ちょっと)*"
    r"(?:違います|違いました|違う(?=[。、！!\s]|[よねな]|と思|って|ん?です|ので|けど|$)|違って(?:い|ま)|ちがいます|ちがう(?=[。、！!\s]|[よねな]|$)"
    r"|間違い(?:です|でした|だ|ですね)|間違って(?:いる|いま|る|ま)|間違えて(?:いま|ま)|まちがい(?:です|だ)|まちがって|誤り(?:です|だ)|誤って(?:い|ま)"
    r"|正しくな|正しくあり"
    r"|そうでは(?:な|あり)|そうじゃ(?:な|あり)|事実ではな|本当ではな|もう古い|古い(?:情報|値|話|内容)です)"
    r"|^\W*正しくは(?=[、,\s]|\S)",
    "i",
)
_ORDERS = lazy_pattern(
    r"^\W*(?:just |please |first |better |rather |only |instead,? |then |now |actually,? )*(?:do|don['’]?t|not|never|stop|wait|leave|keep|use|put|make|go"
    r"|try|add|remove"
    r"|change|move|rename|revert|undo|write|read|call|set|run|push|commit|merge|open|delete|drop|start|continue|ignore|forget|let['’]?s|let me|let|skip"
    r"|show|give|tell"
    r"|create|fix|check|take|bring|turn|restore|split|squash|rebase|deploy|hold|hang|thanks|thank|worries|need|problem|more|other|further|rush|hurry|way"
    r"|idea|big deal"
    r"|matter|offense|doubt|comment|changes?|tests?|questions?|objections?)\b(?! (?:is|are|was|were|has|have|does|do)\b)"
    r"|^\W*(?:i|we)(?:['’]d| would)? (?:really )?(?:want|need|prefer|meant|mean|said|asked|wish|like|hope|wanted|told|already (?:said|asked|told))\b"
    r"|^\W*no \w+|\b(?:in (?:the )?future|from now on|next time|going forward|whenever|when (?:you|u|we|i))\b|今後|これから|次から"
    r"|^\W*i (?:do|did|don['’]t|can|could|would|won['’]t)\b"
    r"|^\W*i(?:['’]ll| will|['’]m going)\b|^\W*we(?:['’]ll| will| should| can| could)\b"
    r"|^\W*you (?:should|must|can|could|need|may|do|don['’]t|forgot|missed|were|weren['’]t|broke|shouldn['’]t|mustn['’]t)\b"
    r"|\bplease\b|\binstead\W*$"
    r"|^\W*(?:it|that|this)(?:['’]s| is| looks| was) (?:totally |perfectly |already |all |just |really )*(?:fine|ok(?:ay)?|good|great|all right|all|it"
    r"|enough|perfect|not"
    r" (?:needed|necessary|urgent|important|yet))\b"
    r"|(?:ください|下さい|くださいね|お願い(?:します|いたします)?|ましょう|(?:し|やめ|待っ|戻し|使っ|見|直し|変え|書い|出し|残し)て(?:ね|よ)?|ないで(?:ね"
    r"|よ)?|やめて|結構です"
    r"|大丈夫です|不要です|(?:要|い)りません|いいです(?:よ)?|後で|あとで|まだです|ほしいです?|欲しいです?|たいです)[。！!\s]*$",
    "i",
)
"""Matches what a person wants done, or declines, rather than how something is."""
_STATES = lazy_pattern(
    r"\b(?:is|are|was|were|has|have|had|does|did|do|can|cannot|could|may|might|must|should|will|would|only|never|always)\b|['’](?:s|re|ve|ll)\b|n['’]t\b"
    r"|\b(?:it|they|that|this|there|he|she|we|which|who) (?:\w+ly )?[a-z]+|\b[a-z]{3,}(?:s|ed)\b|[\u3041-\u9fff]",
    "i",
)
_OTHERWISE = lazy_pattern(
    r"^\W*(?:actually|in fact|in reality|hmm*\b|no+\b|nope|(?:is|was|are|does|do|did|were)n['’]t\b)|^\W*(?:実は|実際|本当は|確か|たしか|いや|いえ|あれ)", "i"
)
"""Begins a sentence that says something else than the answer."""
_DOUBTS = lazy_pattern(
    r"^\W*(?:as far as i (?:know|remember|can (?:tell|see))|afaik|i (?:thought|believe|think|guess|see)|are you sure|really\b|since when|but\b"
    r"|the (?:docs?|code|file|log|config|readme|settings?)\b|you (?:also )?(?:said|wrote)\b|why\b)"
    r"|^\W*(?:でも|本当(?:に|です)|ほんと|\S{0,20}?(?:(?:では|じゃ)(?:ない|あり)(?:ません|です)?|のはず))",
    "i",
)
"""Begins a sentence that doubts the answer."""
_ADMITS = lazy_pattern(
    r"\b(?:i (?:was|stand) (?:wrong|mistaken|corrected)|my (?:mistake|bad|error|apologies|answer was wrong)|i (?:misread|misspoke|overlooked|confused|mixed up)"
    r"|sorry for the (?:confusion|mistake|error)|apologies\b|i apologi[sz]e|thanks? (?:you )?for (?:the )?correct\w*)"
    r"|^\W*(?:失礼|申し訳|すみません|すいません|訂正|誤り|誤って|間違|私の(?:誤|間違))",
    "i",
)
"""Matches a reply in which the agent admits an error of its own."""
_AGREES = lazy_pattern(
    r"^\W*(?:(?:ah|oh|ok(?:ay)?|yes|thanks|thank you|hm+)\b\W*)*(?:you(?:['’]re| are) (?:\w+ )?(?:right|correct)\b(?! to (?:ask|question|wonder|worry)))"
    r"|^\W*(?:おっしゃる(?:通|とお)|仰る(?:通|とお)|ご指摘|その通|そのとお|確かに|たしかに)",
    "i",
)
"""Matches a reply in which the agent agrees with the person, who may have corrected it or only gone on."""
_DENIED = lazy_pattern(
    r"\bnot (?:in |on |at |the |by |from |every )?[`\"“]?([\w./@:-]*\w)|([\w./@:-]*\w|[ァ-ヶー]+|[一-龥]+)\S{0,4}?(?:では|じゃ)(?:なく|ない|あり)", "i"
)
_VALUE = lazy_pattern(r"[\d_./`]|[^\x00-\x7f]")
"""Matches a value or a name, not a word of everyday language."""
_SMALL = frozenset(("one", "two", "once"))
"""Numbers that are often no value."""
_AROUND, _REPLY = " .,。、!！", 300
"""Characters around a sentence; of a reply, those in which an agent admits an error."""
_NUMBER = lazy_pattern(
    r"\d[\d,.:]*\d|\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand"
    r"|once|twice"
    r"|daily|hourly|weekly)\b",
    "i",
)
_COUNTS_MORE = lazy_pattern(r"\b(?:more|another|others?|also|too|still|left|again)\b|あと|もう|他に|ほかに|まだ", "i")
_POINTS = lazy_pattern(r"^\W*(?:please )?(?:look|see|check|read|try|think|go|search)\b(?: (?:again|it up|closer|carefully|at it))*\W*$", "i")
"""Matches a sentence that sends the agent to look, and states nothing."""
_ASKS = lazy_pattern(r"[?？]\W*$")


def refutes(prompt: str, answer: str, reply: str = "") -> bool:
    """Return whether a prompt says that the answer before it is false.

    reply: what the agent answered to the prompt, as far as that is known.
    """
    said = sentences(typed(prompt))[:_OPENING]
    if not said:
        return False
    if any(map(_calls_false, said)):
        return True
    known = answer[:_READ]
    if _SAYS_NO.search(said[0]):
        first = _FIRST_NO.sub("", said[0], count=1).strip(_AROUND)
        stated = [first] * bool(first) + [sentence.strip(_AROUND) for sentence in said[1:]]
        is_reply = _ASKS.search(answer.rstrip()) is not None
        if stated and not is_reply and _is_statement(stated[0]):
            return True
    admits, agrees = _ADMITS.search(reply[:_REPLY]) is not None, _AGREES.search(reply) is not None
    return any(_contradicts(sentence, known, admits=admits, agrees=agrees) for sentence in said)


def corrected(prompt: str) -> str:
    """Return what a person says in place of the answer that a prompt refutes, in about 300 characters; "" if that is only an objection."""
    said = [_capital(rest) for sentence in sentences(typed(prompt)) if (rest := _stated(sentence))]
    kept: list[str] = []
    for sentence in said:
        if _ASKS.search(sentence) or _POINTS.search(sentence) or (_ORDERS.search(sentence) and not (kept and is_reason(sentence))):
            continue
        if len(joined((*kept, sentence))) > _LONGEST:
            break
        kept.append(sentence)
    return joined(kept)


def _calls_false(sentence: str) -> bool:
    """Return whether a sentence says that something is false. 「そうではなくて、青にしてください」 is only an order."""
    bare = _FILLERS.sub("", sentence)
    if _ASKS.search(sentence) or not (_FALSE.search(sentence) or _FALSE.search(bare)):
        return False
    return not (bare.startswith("そう") and _ORDERS.search(bare))


def _stated(sentence: str) -> str:
    """Return a sentence of a correction without the words that only object; "" for one that has no others."""
    bare = _FILLERS.sub("", sentence).strip()
    found = _FALSE.match(bare)
    if found is None or found[0].startswith("正しくは"):
        return bare
    rest = bare[found.end() :]
    rest = rest.partition(":")[2] or rest if rest.startswith((" ", ":")) and ":" in rest[:12] else rest
    rest = rest.lstrip(" ,.;:!—–-、。！よねなので").removeprefix("くて、").removeprefix("くて").removeprefix("く、")
    return rest if (len(content_terms(rest)) >= 1 and not rest.startswith(("it ", "that "))) or _NUMBER.search(rest) else ""


def _capital(sentence: str) -> str:
    return f"{sentence[0].upper()}{sentence[1:]}" if sentence[:1].islower() and sentence.partition(" ")[0].isalpha() else sentence


def _is_statement(sentence: str) -> bool:
    return _ORDERS.search(sentence) is None and _ASKS.search(sentence) is None and _STATES.search(sentence) is not None


def _contradicts(sentence: str, answer: str, *, admits: bool, agrees: bool) -> bool:
    """Return whether a sentence gives another value than the answer, or denies one of it; or doubts the answer, and the agent admits that it was wrong."""
    bare = _FILLERS.sub("", sentence)
    if _ORDERS.search(bare):
        return False
    is_other = any(_OTHERWISE.search(one) is not None for one in (sentence, bare))
    is_doubt = is_other or any(_DOUBTS.search(one) is not None for one in (sentence, bare))
    is_about = not set(content_terms(answer)).isdisjoint(content_terms(bare))
    if admits and (is_doubt or (is_about and (_ASKS.search(sentence) is not None or _is_statement(bare)))):
        return True
    numbers, own = (set(map(str.lower, _NUMBER.findall(text))) for text in (answer, bare))
    is_another_value = bool(own - numbers and numbers - own) and _COUNTS_MORE.search(bare) is None
    is_agreed = agrees and bool(own - numbers - _SMALL) and (is_doubt or is_about)
    if is_another_value and (is_agreed or (is_other and not _ASKS.search(sentence))):
        return True
    denied = [one for found in _DENIED.findall(bare) for one in found if one and one in answer]
    return not _ASKS.search(sentence) and any(_VALUE.search(one) is not None for one in denied) and (bool(own) or is_doubt or not bare.isascii())
