"""The gist of a session in a few sentences: what it was about, and what came of it. Computed by rules and without a model.

The subject of a commit says best what a session was about. Without one, the task does (a branch or a ticket), with the first request that names
something. Of the answers, the sentence is chosen that tells most about it: a first sentence before the items that follow, and a cause or a value before
plain words. Without a commit, what its answer goes on to say follows, then what other answers say.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import HOUR
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import JAPANESE, language_of
from memorybank.cycle.know.sameness import of_text
from memorybank.summarize import listed
from memorybank.summarize.findings import PLAIN, changes, worth
from memorybank.summarize.left_open import left_in
from memorybank.summarize.listed import BETWEEN, MORE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts import typed
from memorybank.text.prompts.routine import is_routine
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prose import passages
from memorybank.text.prose.momentary import lasting, without_supposed
from memorybank.text.prose.open_points import without_open_sections
from memorybank.text.prose.openers import answer_first
from memorybank.text.prose.overviews import without_overviews
from memorybank.text.prose.plans import plans
from memorybank.text.words.ordinary import SHARES
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Said = tuple[int, str]
    """(instant in ms, text)"""

LONGEST_ABOUT, LONGEST_RESULT, LONGEST_REST = 110, 180, 280
"""Characters of what a session was about, of each result, and of the results after the first together."""
_MOST_SUBJECTS = 2
_LEAST_IN_SUBJECT = 2
_MANY_TERMS = (3, 2)
"""Content words of a commit's subject that says something, and of a request. One with many is preferred."""
_LEAST_IN_ITEM = 4
"""Content words of a result without a full stop."""
_LEAST_NEW = 1
"""Content words of a result that are not among those of what was worked on."""
_LEAST_IN_REST, _LEAST_IN_ITEM_OF_REST = 3, 6
"""Content words of a further result that are not among those of the results before it: of a complete sentence, and of an item of a list."""
_PAUSE = 6 * HOUR
_MOST_SITTINGS = 12
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
_POLITE = lazy_pattern(
    r"^(?:(?:ok(?:ay)?|so|now|hi|hey|hmm|well|great|thanks|and|but|also|then|first)\b[,.!:]?\s+)*"
    r"(?:(?:(?:can|could|would|will) (?:you|we)|please|let['’]?s|i(?:['’]d| would) like (?:you |us )?to|(?:i|we) (?:need|want|should)(?: (?:you|us))? to"
    r"|you should)\s+(?:(?:please|also|now|maybe|just)\s+)*)?",
    "i",
)
_CLAUSE = lazy_pattern(r",? (?:but|because|so that|since|whereas|although)\b|[;:] | [-–—] |[；：]|(?<=が)、|(?:ので|から|けど|けれど)、", "i")
"""Matches where a clause ends."""
_ADDRESS = lazy_pattern(r"\(?https?://\S+\)?")
_KIND = 24
"""Maximum characters of the kind that some projects put before a commit's subject."""
_OF_RECORDS = lazy_pattern(
    r"^(?:update|bump|add|edit)\w*(?: to)? (?:the )?(?:changelog|readme|version)\b|^(?:wip\b|merge\b|initial commit)"
    r"|^(?:変更履歴|CHANGELOG|README)\S{0,6}(?:更新|追記|追加)",
    "i",
)
"""Subjects of commits that only record what others did."""
_NEEDS_MORE = lazy_pattern(
    r"^\W*(?!(?:step|phase|stage|part) \d+ (?:is|was|now|works)\b)"
    r"(?:step|fix|phase|option|line|part|change|task|test|case|item|section|bug|issue|problem)s?\s+[\dA-Z(#]"
    r"|^\W*#?\d+[ (:.)]|^\W*to\b|^[)\]}.,;:→]|^\W*(?:ステップ|手順|項目)\s*\d{1,2}(?![のはがま\d])"
    r"|^\W*(?:problem|issue|bug|before|currently?|note|observation|question|example|summary)\b[^.]{0,20}[:—-]|^\W*renumbered\b"
    r"|^\W*(?:good news|right|exactly|yes)\W*[-—,!:]|^\W*i can(?:['’]t|not)\b|^\W*i (?:can )?(?:see|understand)\b|\blooks? (?:good|fine|great|correct)\b"
    r"|^\W*(?:now|next|first|i have)\b|^\W*(?:次に|まず)|[?？:：][^\w?？:：]*$"
    r"|\b(?:maybe|perhaps|probably)\b",
    "i",
)
"""Matches a sentence that means little without what is around it: an item by its number, a problem, how the agent came to it, what it supposes, praise, a
question, an introduction."""
_OF_FILES = lazy_pattern(
    r"\bpre-?existing\b|\b(?:untracked|unstaged|uncommitted) (?:changes|files)\b|\b\d+ files? changed\b|\b(?:single|one) commit\b|\bworking tree\b"
    r"|^\W*(?:committed|pushed)\b|\bremains? (?:unstaged|untracked|uncommitted)\b|\bahead of origin\b"
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
_REPEATS = 0.1
"""Factor on a sentence that only says that what was asked for is done, and names it."""
_INCOMPLETE = 0.5
"""Factor on a sentence without an end: an item of a list, often without a verb."""
_ENDS = (".", "!", "?", "。", "！", "？", ".)", "。）")
_FENCED = lazy_pattern(r"(?:^|\n)[ \t]*(?:```|~~~).*?(?:\n[ \t]*(?:```|~~~)|$)", "s")


def gist(asked: Sequence[Said], answers: Sequence[Said], subjects: Sequence[Said] = (), done: Sequence[Said] = (), tasks: Sequence[Said] = ()) -> list[Said]:
    """Return what was worked on in each sitting of a session and what came of it, `about → result • further result`, in order of time. A sitting of which
    neither can be said has no item, and the instant of an item is that of its last part. A request is in quotation marks, after the name of the task.

    asked: the person's prompts.
    answers: the last words of each turn.
    subjects: the subjects of the commits.
    done: what was fixed and changed, the best first; the first of a sitting stands for a result that nobody put into words.
    tasks: the task at each moment that has one.
    """
    found = []
    for begin, end in _sittings(sorted(at for said in (asked, answers, subjects) for at, _ in said)):
        prompts = _within(asked, begin, end)
        task = next((task for _, task in reversed(_within(tasks, begin, end))), None)
        committed = _subjects(_within(subjects, begin, end))
        requested = committed or _requested(prompts)
        about = _of_task(task, requested, prompts)
        terms = set(content_terms(about[1])) if about is not None else set()
        most = 0 if committed is not None else LONGEST_REST
        believed = [(at, without_overviews(answer)) for at, answer in _lasting(list(accepted(_within(answers, begin, end), prompts)))]
        results = _results(believed, terms, most) or _within(done, begin, end)[:1]
        if committed is None and requested is not None and results:
            about = _of_task(task, _request_for(results[0], requested, prompts), prompts)
        results += _left_open(believed, results)
        parts = [*([about[1]] if about is not None else []), *([MORE.join(text for _, text in results)] if results else [])]
        found += [(max(at for at, _ in (*([about] if about is not None else []), *results)), BETWEEN.join(parts))] if parts else []
    return found[-_MOST_SITTINGS:]


def _sittings(instants: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield (first, last) instant of each run of instants without a long pause."""
    for number, at in enumerate(instants):
        if number == 0 or at - instants[number - 1] > _PAUSE:
            begin = at
        if number + 1 == len(instants) or instants[number + 1] - at > _PAUSE:
            yield begin, at


def _within(said: Iterable[Said], begin: int, end: int) -> list[Said]:
    return [(at, text) for at, text in said if begin <= at <= end]


def _of_task(task: str | None, about: Said | None, asked: Sequence[Said]) -> Said | None:
    """Return what a session was about after the name of its task, by which the start of a session knows those of its own; the name alone, if it says something,
    of a session whose prompts name nothing."""
    name = listed.name_of(task) if task is not None else ""
    if about is None:
        return (asked[-1][0], name) if asked and len(set(content_terms(name))) >= _LEAST_IN_SUBJECT else None
    return (about[0], f"{listed.of_task(name)}{about[1]}") if name else about


def _subjects(subjects: Iterable[Said]) -> Said | None:
    """Return the last subjects of commits, without those that only record what others did."""
    found = {bare: at for at, subject in subjects if _says_what(bare := without_kind(subject))}
    chosen = list(found)[-_MOST_SUBJECTS:]
    while len(chosen) > 1 and len("; ".join(chosen)) > LONGEST_ABOUT:
        del chosen[0]
    return (found[chosen[-1]], wording.one_line("; ".join(chosen), LONGEST_ABOUT)) if chosen else None


def _says_what(subject: str) -> bool:
    return len(set(content_terms(subject))) >= _LEAST_IN_SUBJECT and _OF_RECORDS.search(subject) is None


def without_kind(subject: str) -> str:
    """Return a commit's subject without the kind that some projects put before it (`feat(ui): `)."""
    kind, colon, rest = subject.partition(": ")
    return rest if colon and rest and len(kind) <= _KIND and " " not in kind else subject


def _requested(asked: Sequence[Said]) -> Said | None:
    """Return the first request that names something: the sentence of the prompt that asks, a whole one if possible, without its polite beginning, or the title
    of what was pasted."""
    for least in _MANY_TERMS:
        for at, prompt in asked:
            said = [sentence for sentence in _asked_in(prompt) if _names_something(sentence, least)]
            if said:
                asking = list(filter(_asks, said)) or said[:1]
                chosen = next((sentence for sentence in asking if len(sentence) <= LONGEST_ABOUT), asking[0])
                bare = _POLITE.sub("", chosen)
                text = _clauses(f"{bare[0].upper()}{bare[1:]}" if bare != chosen else chosen, least)
                return at, text if text == typed.title(prompt) else f"「{text}」" if language_of(text) == JAPANESE else f"“{text}”"
    return None


def _request_for(result: Said, requested: Said, asked: Sequence[Said]) -> Said:
    """Return what was requested first, or the request that a result answers if that is about something else."""
    last = next((prompt for prompt in reversed(asked) if prompt[0] <= result[0]), requested)
    is_same = last[0] <= requested[0] or set(content_terms(requested[1])) & set(content_terms(f"{last[1]}\n{result[1]}"))
    return requested if is_same else _requested([last]) or requested


def _clauses(sentence: str, least: int) -> str:
    """Return a sentence, or its clauses as far as it may be long, if they name something; without such clauses it is cut."""
    text = wording.one_line(sentence.rstrip(" .。"), LONGEST_ABOUT)
    if not text.endswith("…"):
        return text
    ends = [end.start() for end in _CLAUSE.finditer(text)]
    return next((text[:end] for end in reversed(ends) if _names_something(text[:end], least)), text)


def _asked_in(prompt: str) -> list[str]:
    """Return the sentences that the person typed; without any, the title of what was pasted, or the first line of a pasted error."""
    own = sentences(_ADDRESS.sub("", typed.typed(prompt)))
    if own:
        return own
    title = typed.title(prompt)
    if title:
        return [title]
    from memorybank.text.commands.error_excerpt import error_excerpt_lines  # late: most people type something

    return error_excerpt_lines(prompt)[:1]


def _names_something(sentence: str, least: int) -> bool:
    terms = set(content_terms(_POLITE.sub("", sentence)))
    is_vague = len(terms) < least or SHARES.keys() >= terms
    return not (is_vague or sentence.endswith((":", "：")) or sentence[0] == "(" or is_routine(sentence))


def _asks(sentence: str) -> bool:
    return sentence.endswith(("?", "？")) or _POLITE.sub("", sentence) != sentence


def accepted(answers: Iterable[Said], asked: Sequence[Said]) -> Iterator[Said]:
    """Yield the answers that the person did not refute in the next prompt. What a person merely calls wrong is left out, too."""
    said = list(answers)
    for number, (at, answer) in enumerate(said):
        following = next(((later, prompt) for later, prompt in asked if later > at), None)
        reply = next((text for later, text in said[number + 1 :] if following is not None and later > following[0]), "")
        question = next((prompt for earlier, prompt in reversed(asked) if earlier <= at), "")
        if following is not None:
            from memorybank.text.prompts.refuting import objects, refutes, upholds  # late: many sessions have one prompt

            if refutes(following[1], answer, reply, question) or (objects(following[1]) and not upholds(reply, answer, following[1])):
                continue
        yield at, answer


def _results(answers: Iterable[Said], about: set[str], left: int) -> list[Said]:
    """Return what came of the session: the sentence that tells most, what its answer goes on to say, and the best sentences of the other answers.

    about: terms of what the session was about.
    left: characters of the results after the first together. An item of a list means little without it, unless it says much.
    """
    told = [(at, list(_weighed(answer, about))) for at, answer in answers]
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
    said = set(content_terms(found[0][1]))
    for at, sentence in further:
        terms = set(content_terms(sentence))
        size = len(MORE) + len(sentence)
        least = _LEAST_NEW if changes(sentence) else _LEAST_IN_REST if sentence.endswith(_ENDS) else _LEAST_IN_ITEM_OF_REST
        if size <= left and len(terms - said) >= least and _stands_alone(sentence):
            found.append((at, sentence))
            said |= terms
            left -= size
    return [one for one in found if not any(one[0] < at and _is_undone(one[1], text) for at, text in found)]


def _is_undone(sentence: str, later: str) -> bool:
    """Return whether one of two sentences about the same denies something and the other one does not: "we never corrected them", and then "corrected"."""
    one, other = of_text(sentence), of_text(later)
    both = {*one.terms} & {*other.terms}
    return one.is_negated != other.is_negated and len(both) >= _LEAST_SAME and 2 * len(both) >= min(len({*one.terms}), len({*other.terms}))


def _lasting(answers: Sequence[Said]) -> list[Said]:
    """Return answers without what they leave open or only supposed, and without the state of their moment if a later one tells more than a commit."""
    found: list[Said] = []
    goes_on = False
    for at, answer in reversed(answers):
        done = without_open_sections(answer)
        found.append((at, lasting(done) if goes_on else without_supposed(done)))
        goes_on = goes_on or not all(_OF_GIT.search(sentence) or _OF_FILES.search(sentence) for sentence in _telling(answer))
    return found[::-1]


def _left_open(answers: Sequence[Said], results: Sequence[Said]) -> list[Said]:
    """Return the sentence about what is still to be done in the last answer, or in the one before it if the last only reports a commit."""
    for at, answer in reversed(answers[-_LAST:]):
        told = list(_telling(answer))
        said = [sentence for sentence in left_in(told) if len(sentence) <= LONGEST_RESULT]
        if said:
            return [(at, sentence) for sentence in said if not any(sentence in text for _, text in results)][:1]
        if not all(_OF_GIT.search(sentence) or _OF_FILES.search(sentence) for sentence in told):
            break
    return []


def _weighed(answer: str, about: set[str]) -> Iterator[tuple[float, str]]:
    """Yield (weight as the result of a session, sentence) of each sentence of an answer that tells something; the weight is 0 for one that cannot be the
    first result. about: terms of what the session was about."""
    factor = _LEADS
    for sentence in _telling(answer):
        value = worth(sentence)
        if value < PLAIN and (value == 0.0 or _OF_GIT.search(sentence)):
            continue
        weight = factor * min(value, _MOST_WORTH)
        factor = 1.0 if value >= PLAIN else factor
        terms = set(content_terms(sentence))
        is_complete = sentence.endswith(_ENDS)
        weight *= 1.0 if is_complete else _INCOMPLETE
        weight *= _REMARKS if _REMARK.search(sentence) else _CHANGES if changes(sentence) else 1.0
        weight *= _UNRELATED + _PER_SHARED * min(_MOST_SHARED, len(terms & about))
        if len(terms - about) < (_LEAST_NEW if is_complete else _LEAST_IN_ITEM):
            weight *= _REPEATS if is_complete and len(terms) >= _LEAST_IN_SUBJECT else 0.0
        yield (weight if len(sentence) <= LONGEST_RESULT and _stands_alone(sentence) else 0.0), sentence


def _stands_alone(sentence: str) -> bool:
    is_cut = sentence.count("`") % 2 == 1 or sentence.count('"') % 2 == 1
    return not (is_cut or passages.leads_in(sentence) or _NEEDS_MORE.search(sentence) or plans(sentence) or _OF_FILES.search(sentence))


def _telling(answer: str) -> Iterator[str]:
    """Yield the sentences of the beginning of an answer, from the point where it answers, without code and Markdown."""
    yield from sentences(_FENCED.sub("\n", answer_first(answer[:_READ])))
