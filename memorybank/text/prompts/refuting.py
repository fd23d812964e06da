"""Whether a person says in a prompt that the answer before it is false: "No, that's wrong. It is 300", "Actually it's five", 「違います。午前4時です」.

In doubt an answer stays: hiding a right answer is worse than showing a wrong one with the correction after it. So a prompt refutes an answer only on
evidence:

- It says that the answer is wrong, and gives another value or a statement about the same thing. Without one, the agent has to concede and say something
  else.
- "No," alone is none. What follows has to contradict the answer: another value of the same kind, or its negation.
- A doubt ("I thought it was 99", 「30日と書いてあります」) is none, unless the agent concedes and has the other value.

An objection to something else refutes nothing: an order, a wish, the reply to a question of the agent, "that's not true for staging" (`limits`).
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts import objections as is_
from memorybank.text.prompts.about import UNITS, denies, is_among, names, says_change
from memorybank.text.prompts.contrasts import Values, gives_another, is_kept_by, new_values, taken_over
from memorybank.text.prompts.sentences import is_reason, joined, sentences
from memorybank.text.prompts.typed import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_OPENING = 3
"""Sentences of a prompt in which an objection to the answer is looked for."""
_LONGEST = 300
"""Characters of the words with which a person corrects an answer."""
_READ, _REPLY = 4_000, 300
"""Characters of an answer that are compared; of a reply, those in which an agent admits an error."""
_AROUND = " .,。、!！"
_LEAST_SHARED = 2
_SHORT = 200
"""Maximum characters of a prompt that gives another value without saying that the answer is false."""
_ONLY_DOUBTS = lazy_pattern(r"^\W*(?:本当|ほんとう?|確か)(?:に|です)?か?\W*$")
_WITHOUT_APOSTROPHE = lazy_pattern(
    r"\b(?:(that|there|it(?=s (?:\d+|not|only|now|called|the|an?|in|on|at|wrong|from|been)\b))(s)"
    r"|(is|was|are|were|does|did|do|has|have|should|could|would)n(t))\b",
    "i",
)
"""Matches "thats" and "isnt"; "its" only where it cannot be a possessive."""
_DELIMITERS = (",", ";", ":", ".", "!", "—", "–", "-")
_FORM = lazy_pattern(r"\b(?:how|what) \w+$", "i")
_ONLY_FILE = lazy_pattern(r"^\W*(?:please )?(?:look|see|check|read) (?:at|in|into|up)?\b", "i")
"""Begins a sentence that sends the agent to a file."""
_VALUE = lazy_pattern(r"[\d_./`]|[^\x00-\x7f]")
"""Matches a value or a name, not a word of everyday language."""
_SIGNS = dict.fromkeys(map(ord, "/._:"), " ")
_ONLY_OBJECTS = lazy_pattern(r"^\W*you\b", "i")
"""Begins an objection that ends with its sentence: "You misread the table"."""


def refutes(prompt: str, answer: str, reply: str = "", question: str = "") -> bool:
    """Return whether a prompt says that the answer before it is false.

    reply: what the agent answered to the prompt, as far as that is known.
    question: what the answer answers.
    """
    said = _sentences(prompt)[:_OPENING]
    if not said or is_.LISTED.search(joined(said)) or any(is_.ELSEWHERE.search(one) or _agrees(one) for one in said):
        return False
    known, begin = answer[:_READ], reply[:_REPLY]
    about = {*_words(known), *_words(question)}
    if reply and upholds(reply, known, prompt):
        return False
    if any(map(_calls_false, said)):
        stated = [rest for sentence in said if (rest := _stated(sentence))]
        is_said = any(_is_contrary(one, known, about, is_called_false=True) for one in stated)
        return is_said or (bool(reply) and _is_conceded(joined(stated), known, about, begin))
    if is_.SAYS_NO.search(said[0]) and not is_.ASKS.search(answer.rstrip()):
        first = is_.FIRST_NO.sub("", said[0], count=1).strip(_AROUND)
        if _is_contrary(first or joined(said[1:2]).strip(_AROUND), known, about, is_called_false=False):
            return True
    # Only a question has an answer that another value makes false: after an order, the other value is the next order.
    begin = begin if not question or any(is_.QUESTIONS.search(one) for one in sentences(question)) else ""
    return any(_contradicts(sentence, known, about, begin, joined(said)) for sentence in said)


def objects(prompt: str) -> bool:
    """Return whether a prompt only says that the answer before it is false, or also sends the agent to look again."""
    said = _sentences(prompt)
    return any(map(_calls_false, said)) and not any(_stated(one) and not is_.POINTS.search(_stated(one)) for one in said)


def upholds(reply: str, answer: str, prompt: str) -> bool:
    """Return whether a reply repeats an answer, and denies what the prompt between them says instead, or leaves it out."""
    stated = joined([rest for sentence in _sentences(prompt)[:_OPENING] if (rest := _stated(sentence))])
    return not _concedes(reply) and is_kept_by(reply, answer[:_READ], stated)


def limits(prompt: str) -> bool:
    """Return whether a prompt says that the answer before it is false in one case, and how it is there: "that's not true for staging, there it is …"."""
    said = _sentences(prompt)[:_OPENING]
    if any(is_.ELSEWHERE.search(one) or is_.ASKS.search(one) for one in said):
        return False
    for place, sentence in enumerate(said):
        following = said[place + 1 :]
        if (found := is_.LIMITED_JAPANESE.match(sentence)) is not None:
            rest = sentence[found.end() :].partition("、")[2]
        else:
            bare = is_.FILLERS.sub("", sentence)
            found = is_.FALSE.match(bare)
            rest = bare[found.end() :] if found is not None else ""
            if not is_.LIMITED.search(rest) or is_.TEXTS.search(rest):
                continue
            rest = rest.partition(",")[2] or rest.partition(":")[2]
        if any(_is_statement(one) and names(one) for one in (rest.strip(), *following[:1]) if one):
            return True
    return False


def corrected(prompt: str) -> str:
    """Return what a person says in place of the answer that a prompt refutes, in about 300 characters; "" if that is only an objection.

    It consists of sentences that can be read alone.
    """
    every = _sentences(prompt)
    if limits(prompt):
        return joined([one for one in every[:_OPENING] if not is_.ORDERS.search(one)])
    if is_.LISTED.search(joined(every[:_OPENING])):
        return ""
    kept: list[str] = []
    for sentence in [_capital(rest) for sentence in every if (rest := _stated(sentence))]:
        if is_.ASKS.search(sentence) or is_.POINTS.search(sentence) or (is_.ORDERS.search(sentence) and not (kept and is_reason(sentence))):
            continue
        if _agrees(sentence) or not is_.STATES.search(sentence) or any(one.search(sentence) for one in (_ONLY_FILE, is_.PRAISES, is_.ELSEWHERE)):
            continue
        if len(joined((*kept, sentence))) > _LONGEST:
            break
        kept.append(sentence)
    return joined(kept)


def _sentences(prompt: str) -> list[str]:
    """Return the sentences that a person typed, with the apostrophes that many leave out."""
    return sentences(_WITHOUT_APOSTROPHE.sub(lambda found: f"{found[1]}'s" if found[1] else f"{found[3]}n't", typed(prompt)))


def _calls_false(sentence: str) -> bool:
    """Return whether a sentence says that the answer is false, not only that something of its own is. 「そうではなくて、青にしてください」 is only an order."""
    bare = is_.FILLERS.sub("", sentence)
    if is_.ASKS.search(sentence):
        return False
    for one in (sentence, bare):
        found = is_.FALSE.search(one)
        if found is None:
            continue
        is_whole = (
            not found[0].isascii()
            or found[0].endswith(_DELIMITERS)
            or _ONLY_OBJECTS.search(found[0])
            or _FORM.search(found[0])
            or is_.RESTS.search(one[found.end() :])
        )
        if is_whole or found[0].lower().lstrip().startswith("i "):
            return not (bare.startswith("そう") and is_.ORDERS.search(bare))
    return False


def _stated(sentence: str) -> str:
    """Return a sentence of a correction without the words that only object; "" for one that has no others."""
    bare = is_.FILLERS.sub("", sentence).strip()
    found = is_.FALSE.match(bare)
    if found is None or found[0].startswith("正しくは"):
        return bare
    rest = bare[found.end() :]
    if found[0].isascii() and not found[0].endswith(_DELIMITERS) and not rest.lstrip().startswith(_DELIMITERS):
        # "That's wrong for our users!", "You misread the table, it is 30": what follows the case or the object may stand alone.
        rest = rest.partition(", ")[2] if _ONLY_OBJECTS.search(found[0]) or is_.RESTS.search(rest) else ""
    rest = rest.lstrip(" ,.;:!—–-、。！よねなので").removeprefix("くて、").removeprefix("くて").removeprefix("く、")
    return rest if names(rest) or new_values(rest, "") else ""


def _capital(sentence: str) -> str:
    return f"{sentence[0].upper()}{sentence[1:]}" if sentence[:1].islower() and sentence.partition(" ")[0].isalpha() else sentence


def _is_statement(sentence: str) -> bool:
    return is_.ORDERS.search(sentence) is None and is_.ASKS.search(sentence) is None and is_.STATES.search(sentence) is not None


def _agrees(sentence: str) -> bool:
    bare = is_.FILLERS.sub("", sentence)
    return not _calls_false(sentence) and (is_.RIGHT.search(sentence) is not None or is_.RIGHT.search(bare) is not None)


def _concedes(reply: str) -> bool:
    return any(one.search(reply[:_REPLY]) is not None for one in (is_.ADMITS, is_.APOLOGIZES, is_.AGREES))


def _is_conceded(stated: str, answer: str, about: set[str], reply: str) -> bool:
    """Return whether a reply to "that's wrong" says something else than the answer."""
    is_conceded, is_about = _concedes(reply), _is_about(reply, about)
    if is_.ADMITS.search(reply) or is_.APOLOGIZES.search(reply) or (gives_another(reply, answer) and (is_conceded or is_about)):
        return True
    is_other = is_about and len(_words(reply) - about) >= _LEAST_SHARED
    return (is_conceded and is_other) or (_is_statement(stated) and taken_over(stated, answer, reply))


def _words(text: str) -> set[str]:
    """Return the names in a text without numbers and units, identifiers also in parts."""
    found = names(text) + names(text.translate(_SIGNS))
    return {word for word in found if not word[0].isdigit() and word not in UNITS}


def _shared(words: Collection[str], about: Collection[str]) -> set[str]:
    return {word for word in words if is_among((word,), about)}


def _is_about(sentence: str, about: set[str]) -> bool:
    return bool(_shared(_words(sentence), about))


def _is_contrary(sentence: str, answer: str, about: set[str], *, is_called_false: bool) -> bool:
    """Return whether a sentence after "no" contradicts the answer: gives another value of the same kind, denies it, or limits it ("only"); after "that's
    wrong", whether it says how it is instead."""
    bare = is_.FILLERS.sub("", sentence) or sentence
    if is_called_false and not _words(bare) and not is_.ASKS.search(bare) and not is_.ORDERS.search(bare):
        return gives_another(bare, answer)  # 「そうじゃなくて80」
    if not _is_statement(sentence) or is_.OF_THE_PERSON.search(bare) or is_.PRAISES.search(bare):
        return False
    own = _words(bare)
    shared = _shared(own, about)
    is_about = bool(shared) or is_.ITSELF.search(bare) is not None or sentence.startswith("正しくは")
    if gives_another(bare, answer) and (is_called_false or is_about or len(own) <= 1):
        return True
    if is_called_false:
        return is_about and (own > shared or bool(new_values(bare, answer)))
    is_denied = denies(bare) and len(shared) >= _LEAST_SHARED and len(own - shared) <= 1
    return is_denied or (bool(shared) and own > shared and is_.ONLY.search(bare) is not None)


def _contradicts(sentence: str, answer: str, about: set[str], reply: str, said: str) -> bool:
    """Return whether a sentence gives another value than the answer, or denies it, and says so, or the agent takes that over.

    reply: the beginning of the reply.
    said: the first sentences of the prompt.
    """
    bare = is_.FILLERS.sub("", sentence)
    if is_.ORDERS.search(bare) or is_.PRAISES.search(bare):
        return False
    is_asked = is_.ASKS.search(sentence) is not None
    is_other = any(is_.OTHERWISE.search(one) is not None for one in (sentence, bare)) and is_.SAYS_NO.search(sentence) is None
    is_doubt = is_other or any(is_.DOUBTS.search(one) is not None for one in (sentence, bare))
    if is_other and not is_asked and gives_another(bare, answer) and not is_.OF_THE_PERSON.search(bare):
        return True
    is_said = len(said) <= _SHORT and not is_asked and (_is_statement(bare) or denies(bare))
    if reply and (is_doubt or is_said) and _is_granted(bare, answer, about, reply, said, is_doubt=is_doubt):
        return True
    denied = [] if is_asked else [one for found in is_.DENIED.findall(bare) for one in found if one and one in answer]
    if any(_VALUE.search(one) is not None for one in denied) and is_doubt:
        return True
    # "It's not nginx, it's the CDN", 「nginxではなくCDNです」: what is denied is a word of the answer, and a value stands in its place.
    is_value = any(_VALUE.search(one) is not None or _is_about(one, about) for one in denied)
    return is_value and bool(new_values(said, answer)) and (is_.ITSELF.search(bare) is not None or not bare.isascii() or bool(_VALUE.search(denied[0])))


def _is_granted(bare: str, answer: str, about: set[str], reply: str, said: str, *, is_doubt: bool) -> bool:
    """Return whether a reply says what a sentence says instead of the answer, or admits that what the sentence denies is false."""
    if is_.BESIDES.search(bare) is not None:
        return False
    own, new = _words(_ONLY_DOUBTS.sub("", bare)), new_values(bare, answer)
    shared = _shared(own, about)
    foreign = {word for word in own - shared if not any(word in value for value in new)}
    is_itself = is_.ITSELF.search(bare) is not None
    if new and taken_over(bare, answer, reply):
        if is_doubt or is_.ADMITS.search(reply) or is_.AGREES.search(reply) or new_values(answer, "") & new_values(said, ""):
            return True
        is_another = gives_another(bare, answer) or not new_values(answer, "")
        return is_another and (is_.IS_IT.search(bare) is not None or (says_change(bare) if is_itself else not foreign))
    if new and is_doubt and _concedes(reply) and gives_another(bare, answer) and any(map(Values(reply).has, new)):
        return True
    if not (shared or is_itself or not foreign):
        return False
    if is_.ADMITS.search(reply) is not None and gives_another(reply, answer):
        return True
    return _concedes(reply) and len(foreign) <= 1 and denies(bare) and is_.ASKS.search(bare) is None
