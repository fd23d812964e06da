"""What came of a session: the sentences of its answers that tell most about what was worked on, and what is left to do."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.phrases import JAPANESE, language_of
from memorybank.cycle.know.sameness import of_text
from memorybank.summarize.confirming import only_confirms
from memorybank.summarize.findings import CHEERS, PLAIN, carries, changes, is_manner, passes, worth
from memorybank.summarize.left_open import left_in
from memorybank.summarize.listed import MORE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prose import passages
from memorybank.text.prose.momentary import is_momentary, lasting, without_supposed
from memorybank.text.prose.open_points import without_open_sections
from memorybank.text.prose.openers import answer_first
from memorybank.text.prose.plans import plans
from memorybank.text.words.pointing import opens
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Said = tuple[int, str]
    """(instant in ms, text)"""

LONGEST_RESULT = 180
"""Characters of each result."""
LEAST_IN_SUBJECT = 2
"""Content words of a subject that says something."""
_LEAST_IN_ITEM = 4
"""Content words of a result without a full stop."""
_LEAST_NEW = 1
"""Content words of a result that are not among those of what was worked on."""
_LEAST_IN_REST, _LEAST_IN_ITEM_OF_REST = 3, 6
"""Content words of a further result that are not among those of the results before it: of a complete sentence, and of an item of a list."""
_READ = 2_000
"""Characters of one answer that are read. Agents write what matters first."""
_MOST_WORTH = 2.5
"""Worth from which a sentence does not count for more: many values in one sentence are details."""
_LEADS = 2.0
"""Factor on the first telling sentence of an answer."""
_UNRELATED, _PER_SHARED, _MOST_SHARED = 0.6, 0.3, 3
"""Factor on a sentence, what each content word adds that it shares with what the session was about, and how many of these count."""
_LATER = 0.98
"""Share of the best sentence's weight from which a later one replaces it."""
_NEEDS_MORE = lazy_pattern(
    r"^\W*(?!(?:step|phase|stage|part) \d+ (?:is|was|now|works)\b)"
    r"(?:step|fix|phase|line|part|change|task|test|case|item|section|bug|issue|problem)s?\s+[\dA-Z(#]"
    r"|^\W*(?!stage \d+ (?:is|was|now|works)\b)(?:stage|option|approach|alternative)s?\s+(?:\d|[(#]|(?-i:[A-Z])\b)|^\W*tiers?\s+\d+\s*[:—–-]"
    r"|^\W*#?\d+[ (:.)]|^\W*to\b|^[)\]}.,;:→]|^\W*(?:ステップ|手順|項目)\s*\d{1,2}(?![のはがま\d])"
    r"|^\W*(?:problem|issue|bug|before|currently?|note|observation|question|example|summary)\b[^.]{0,20}[:—-]|^\W*renumbered\b"
    r"|^\W*(?:good news|right|exactly|yes)\W*[-—,!:]|^\W*i (?:can(?:['’]t|not)|do(?:n['’]t| not) have)\b|^\W*i (?:can )?(?:see|understand)\b"
    r"|\blooks? (?:good|fine|great|correct)\b|^\W*(?:now|next|first|i have)\b|^\W*(?:次に|まず)|[?？:：][^\w?？:：]*$"
    r"|\b(?:maybe|perhaps|probably)\b|^\W*\w+://\S+$",
    "i",
)
"""Matches a sentence that means little without what is around it: an item by its number, a problem, how the agent came to it, what it supposes, praise, a
question, an introduction, an address."""
_OF_FILES = lazy_pattern(
    r"\bpre-?existing\b|\b(?:untracked|unstaged|uncommitted) (?:changes|files)\b|\b\d+ files? changed\b|\b(?:single|one) commit\b|\bworking tree\b"
    r"|^\W*(?:committed|pushed)\b|\bremains? (?:unstaged|untracked|uncommitted)\b|\bahead of origin\b|\bdiverged\b"
    r"|\b(?:up[ -]to[ -]date|in sync|synced) (?:with|on)\b"
    r"|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|\bchanges are saved\b|\ball clean\b|既存の(?:変更|差分)|未コミット",
    "i",
)
"""Matches what an agent says of the state of the files after a commit."""
_OF_GIT = lazy_pattern(r"\b(?:commit(?:s|ted)?|push(?:ed)?)\b|コミット|プッシュ", "i")
_LEAST_SAME = 3
"""Minimum number of terms that two sentences about the same have in common."""
_LAST = 2
"""Answers at the end of a sitting among which the one that says what is left to do is looked for."""
_CHANGES, _REMARKS = 1.75, 0.5
"""Factors on a sentence that says what holds from then on, and on a side remark."""
_REMARK = lazy_pattern(
    r"^\W*(?:also )?(?:note(?: that\b|:)|by the way|btw|fyi|incidentally|interestingly|as an? (?:aside|side note)|for (?:what it['’]s worth|the record))"
    r"|\b(?:that|this|it|which) (?:only )?(?:costs?|takes|adds)\b|\b(?:nobody|no ?one|nothing else|none of them) (?:is|are|was|were|changed?)\b"
    r"|^\W*(?:nice|well done|good (?:idea|catch|choice)|great)\b"
    r"|^(?:なお|ちなみに|余談|補足|参考まで|ところで|おまけ)|影響(?:は|も)(?:ありません|ない|なし)|(?:良い|よい|いい)(?:案|判断|考え)",
    "i",
)
"""Matches a side remark: what something costs, whom it does not affect, praise."""
_TALKS = lazy_pattern(
    r"^\W*(?:(?P<proposes>my (?:recommendation|suggestion|advice)\b|(?:the )?(?:recommendation|suggestion)s?(?:\W*[:—–]| (?:is|would be|remains|stands)\b)"
    r"|i(?:['’]d| would)? (?:strongly )?(?:recommend|suggest|propose)\b)|my (?:mistake|bad)\b"
    r"|you (?:were|weren['’]t|are (?:right|correct|absolutely)|used|asked|said|mentioned|caught|noticed|pointed)\b"
    r"|you (?:raised?|made?|make) (?:an?|the|some) (?:\w+ ){0,2}(?:points?|questions?|concerns?|case|call|choice|decision|argument)\b"
    r"|you['’]re (?:making|asking|right|absolutely)\b|(?:that|this)(?:['’]s| is)(?: (?:completely|totally|perfectly|very|quite|entirely|a))* "
    r"(?:understandable|prudent|fair|reasonable|sensible|(?:great|good|valid) (?:point|question|idea|call|catch|concern|plan|approach|choice|instinct))\b"
    r"|i (?:was(?! able\b)|had been|should have|shouldn['’]t have|misunderstood|misread|overlooked|apologi[sz]e|made (?:an?|the) (?:\w+ )?(?:error|mistake))\b"
    r"|your (?:\w+ )?(?:analysis|diagnosis|intuition|guess|suspicion|observation|assessment|instinct|hunch|theory|hypothesis|reasoning)s? (?:was|is|were|are) "
    r"(?:spot|right|correct|exactly|absolutely)\b(?![^.:]{0,30}: )"
    r"|we (?:were|(?:['’]ve|have|had) been) (?:preparing|trying|planning|going|deep|talking|discussing)\b|we['’]ve been\b)"
    r"|^(?:私の(?:おすすめ|お勧め|推奨|提案)|(?:おすすめ|お勧め|推奨|ご提案)(?:は|として)|(?:誤解し|勘違いし|見落とし)て(?:い|おり)?ま|おっしゃ"
    r"|ご指摘(?!の(?:箇所|点|件|問題|バグ|不具合))|お気持ち|(?:ご|あなたの)(?:推察|推測|分析|見立て|読み)(?:の|は|が)[^、。]{0,6}(?:とおり|通り|正し|的確|当たっ)[^、。]{0,8}[。！!]?$|案\s?[A-CＡ-Ｃ1-9１-９](?![\d０-９件]|を(?:採用|実装|選)))"
    r"|(?:を|が)(?:おすすめ|お勧め|推奨)(?:し|いたし)?(?:ます|です)[。！]?$",
    "i",
)
"""Matches a sentence about the conversation: a proposal, what the person said, how the agent came to be wrong."""
_TALK = 0.2
"""Factor on such a sentence."""
_TELLS_TO = lazy_pattern(
    r"\W*(?:then |next |now |also |please |just |you (?:need|have|must|should|can)(?: to)? |you['’]ll need to )*"
    r"(?:use|create|keep|go to|click|open|enable|disable|select|choose|visit|install|sign up|log in|run|send|try|look for|make sure|skip|start|remember|ask"
    r"|restart|reload|copy|paste|replace|consider|proactively|set (?!to\b)|you (?:need|have|must|should|can) )\b"
    r"(?!-| (?:of|times?|sizes?|queues?|boxes|connections?)\b)|.{0,80}(?:して|って|んで)(?:ください|みて)",
    "i",
)
"""Matches an instruction to the reader. It may answer a question, but does not report a result."""
_HOLDS = lazy_pattern(
    r"\b(?:because|since|due to|so that)\b|ため|ので|から[、。]|\w=\w|\bas `"
    r"|\d\s?(?:秒|分|時間|日|件|%|(?:[mµ]?s|min|h|[kKMG]i?B|seconds?|minutes?|hours?|days?)\b)",
    "i",
)
"""Matches a cause, an assignment, or a value with its unit: a sentence with one states a fact, too."""
_REPEATS = 0.1
"""Factor on a sentence that only says that what was asked for is done, and names it."""
_INCOMPLETE = 0.5
"""Factor on a sentence without an end: an item of a list, often without a verb."""
_ENDS = (".", "!", "?", "。", "！", "？", ".)", "。）")
_MARKED = lazy_pattern(r"^(?:[^\w\s\"'`“”‘’「『（(\[<@#/~.$&+*-]\s*)+")
"""Matches signs before a sentence: ticks, pictures, rulers, arrows."""
_LINK = lazy_pattern(r"!?\[([^\]\n]{1,200})\]\([^)\s]{1,300}\)")
_FENCED = lazy_pattern(r"(?:^|\n)[ \t]*(?:```|~~~).*?(?:\n[ \t]*(?:```|~~~)|$)", "s")


def came_of(answers: Iterable[Said], about: set[str], left: int) -> list[Said]:
    """Return what came of the session: the sentence that tells most, what its answer goes on to say, and the best sentences of the other answers.

    about: terms of what the session was about.
    left: characters of the results after the first together. An item of a list means little without it, unless it says much.
    """
    told = [(at, list(_weighed(answer, about))) for at, answer in answers]
    times: dict[str, int] = {}
    for sentence in (sentence for _, weighed in told for _, sentence in weighed):
        times[sentence] = times.get(sentence, 0) + 1
    told = [(at, [one for one in weighed if not is_manner(one[1], times[one[1]], about)]) for at, weighed in told]
    ranked = [(weight, number, place) for number, (_, weighed) in enumerate(told) for place, (weight, _) in enumerate(weighed) if weight]
    if not ranked:
        return []
    most = max(weight for weight, _, _ in ranked)
    _, number, place = max((one for one in ranked if one[0] >= _LATER * most), key=lambda one: one[1:])
    at, weighed = told[number]
    others = [(*max(weighed), at) for other, (at, weighed) in enumerate(told) if weighed and other != number]
    further = [(at, sentence) for _, sentence in weighed[:place] if changes(sentence)]
    further += [(at, sentence) for _, sentence in weighed[place + 1 :]]
    further += [(at, sentence) for weight, sentence, at in sorted(others, reverse=True) if weight]
    found = [(at, weighed[place][1])]
    left //= 2 if language_of(weighed[place][1]) == JAPANESE else 1  # its characters say twice as much
    said = set(content_terms(found[0][1]))
    for at, sentence in further:
        terms = set(content_terms(sentence))
        size = len(MORE) + len(sentence)
        least = _LEAST_NEW if changes(sentence) else _LEAST_IN_REST if sentence.endswith(_ENDS) else _LEAST_IN_ITEM_OF_REST
        if size <= left and len(terms - said) >= least and _stands_alone(sentence) and not _says_little(sentence, about):
            found.append((at, sentence))
            said |= terms
            left -= size
    return [one for one in found if not any(one[0] < at and _is_undone(one[1], text) for at, text in found)]


def _is_undone(sentence: str, later: str) -> bool:
    """Return whether one of two sentences about the same denies something and the other one does not: "we never corrected them", and then "corrected"."""
    one, other = of_text(sentence), of_text(later)
    both = {*one.terms} & {*other.terms}
    return one.is_negated != other.is_negated and len(both) >= _LEAST_SAME and 2 * len(both) >= min(len({*one.terms}), len({*other.terms}))


def lasting_in(answers: Sequence[Said]) -> list[Said]:
    """Return answers without what they leave open or only supposed, and without the state of their moment if a later one tells more than a commit."""
    found: list[Said] = []
    goes_on = False
    for at, answer in reversed(answers):
        done = without_open_sections(answer)
        found.append((at, lasting(done) if goes_on else without_supposed(done)))
        goes_on = goes_on or not all(_OF_GIT.search(sentence) or _OF_FILES.search(sentence) for sentence in _telling(answer))
    return found[::-1]


def left_open(answers: Sequence[Said], results: Sequence[Said]) -> list[Said]:
    """Return the sentence about what is still to be done in the last answer, or in the one before it if the last only reports a commit."""
    for at, answer in reversed(answers[-_LAST:]):
        told = list(_telling(answer))
        said = [sentence for sentence in left_in(told) if len(sentence) <= LONGEST_RESULT]
        if said:
            return [(at, sentence) for sentence in said if not any(sentence in text for _, text in results)][:1]
        if not all(_OF_GIT.search(sentence) or _OF_FILES.search(sentence) for sentence in told):
            break
    return []


def _tells_to(sentence: str) -> bool:
    return _TELLS_TO.match(sentence) is not None and not changes(sentence) and _HOLDS.search(sentence) is None


def _talks(sentence: str) -> bool:
    """Return whether a sentence is about the conversation, and not what changed: "You asked for 30 s, so the timeout is now 30 s." """
    found = _TALKS.search(sentence)
    return found is not None and (found["proposes"] is not None or not changes(sentence))


def _says_little(sentence: str, about: set[str]) -> bool:
    """Return whether a sentence instructs the reader, is about the conversation, or only says that what was asked for is done."""
    return _tells_to(sentence) or _talks(sentence) or only_confirms(sentence, about)


def _weighed(answer: str, about: set[str]) -> Iterator[tuple[float, str]]:
    """Yield (weight as the result of a session, sentence) of each sentence of an answer that tells something; the weight is 0 for one that cannot be the
    first result. about: terms of what the session was about."""
    factor = _LEADS
    for sentence in _telling(answer):
        value = worth(sentence)
        terms = set(content_terms(sentence))
        if value <= CHEERS or passes(sentence) or (value < PLAIN and _OF_GIT.search(sentence)):
            continue
        if not (carries(sentence) or len(terms & about) >= LEAST_IN_SUBJECT):
            continue
        weight = factor * min(value, _MOST_WORTH)
        factor = 1.0 if value >= PLAIN else factor
        is_complete = sentence.endswith(_ENDS)
        weight *= 1.0 if is_complete else _INCOMPLETE
        is_remark = _REMARK.search(sentence) is not None or _tells_to(sentence) or is_momentary(sentence)
        weight *= _REMARKS if is_remark else _CHANGES if changes(sentence) else 1.0
        weight *= _UNRELATED + _PER_SHARED * min(_MOST_SHARED, len(terms & about))
        if len(terms - about) < (_LEAST_NEW if is_complete else _LEAST_IN_ITEM):
            weight *= _REPEATS if is_complete and len(terms) >= LEAST_IN_SUBJECT else 0.0
        weight *= _TALK if _talks(sentence) else 1.0
        weight *= not only_confirms(sentence, about)
        yield (weight if len(sentence) <= LONGEST_RESULT and _stands_alone(sentence) else 0.0), sentence


def _stands_alone(sentence: str) -> bool:
    is_cut = sentence.count("`") % 2 == 1 or sentence.count('"') % 2 == 1 or sentence.count("(") > sentence.count(")")
    return not (is_cut or opens(sentence) or passages.leads_in(sentence) or _NEEDS_MORE.search(sentence) or plans(sentence) or _OF_FILES.search(sentence))


def _telling(answer: str) -> Iterator[str]:
    """Yield the sentences of the beginning of an answer, from the point where it answers, without code and Markdown (`passages.with_subjects`)."""
    said = sentences(_LINK.sub(r"\1", _FENCED.sub("\n", answer_first(answer[:_READ]))))
    yield from passages.with_subjects(filter(None, (_MARKED.sub("", sentence).rstrip("=") for sentence in said)), LONGEST_RESULT)
