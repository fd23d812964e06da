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
from memorybank.cycle.know.results import LEAST_IN_SUBJECT, came_of, lasting_in, left_open
from memorybank.summarize import listed
from memorybank.summarize.listed import BETWEEN, MORE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts import typed
from memorybank.text.prompts.routine import is_routine
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prose.overviews import without_overviews
from memorybank.text.words.ordinary import SHARES
from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Said = tuple[int, str]
    """(instant in ms, text)"""

LONGEST_ABOUT, LONGEST_REST = 110, 280
"""Characters of what a session was about, and of the results after the first together."""
_MOST_SUBJECTS = 2
_MANY_TERMS = (3, 2)
"""Content words of a commit's subject that says something, and of a request. One with many is preferred."""
_OF_ANY_TASK = frozenset(
    str.split(
        "actual analys analysi analyz app applic bit care carefulli chang check code codebas complet continu current deep deepli detail entir everyth first fix"
        " follow fulli help idea implement important issu know littl look made make much need next plan previou previous problem progress project question repo"
        " repositori review see session sever someth start state statu step task thing thoroughli time understand variou want whole work"
        " 問題 分析 修正 全体 確認 続き 対応 調査 実装 改善 変更 作業 内容 詳細 最初 現状 状況 計画"
        " コー ード 理解 説明 全部 部読 読ん 願い プロ ロジ ジェ ェク クト アプ プリ"
    )
)
"""Terms of a request that names nothing: "We have the following issue, which we want to analyze first", 「問題を調査して修正してください」."""
_PAUSE = 6 * HOUR
_MOST_SITTINGS = 12
_POLITE = lazy_pattern(
    r"^(?:(?:ok(?:ay)?|so|now|hi|hey|hmm|well|great|thanks|and|but|also|then|first)\b[,.!:]?\s+)*"
    r"(?:(?:(?:can|could|would|will) (?:you|we)|please|let['’]?s|i(?:['’]d| would) like (?:you |us )?to|(?:i|we) (?:need|want|should)(?: (?:you|us))? to"
    r"|you should)\s+(?:(?:please|also|now|maybe|just)\s+)*)?",
    "i",
)
_CLAUSE = lazy_pattern(r",? (?:but|because|so that|since|whereas|although)\b|[;:] | [-–—] |[；：]|(?<=が)、|(?:ので|から|けど|けれど)、", "i")
"""Matches where a clause ends."""
_MENTION = lazy_pattern(r"(?<!\S)@[\w./-]+")
"""Matches a file that a prompt hands over, which says nothing of what is wanted."""
_ADDRESS = lazy_pattern(r"\(?https?://\S+\)?")
_KIND = 24
"""Maximum characters of the kind that some projects put before a commit's subject."""
_OF_RECORDS = lazy_pattern(
    r"^(?:update|bump|add|edit)\w*(?: to)? (?:the )?(?:changelog|readme|version)\b|^(?:wip\b|merge\b|initial commit)"
    r"|^(?:変更履歴|CHANGELOG|README)\S{0,6}(?:更新|追記|追加)",
    "i",
)
"""Subjects of commits that only record what others did."""


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
        believed = [(at, without_overviews(answer)) for at, answer in lasting_in(list(accepted(_within(answers, begin, end), prompts)))]
        results = came_of(believed, terms, most) or _within(done, begin, end)[:1]
        if committed is None and requested is not None and results:
            about = _of_task(task, _request_for(results[0], requested, prompts), prompts)
        results += left_open(believed, results)
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
        return (asked[-1][0], name) if asked and len(set(content_terms(name))) >= LEAST_IN_SUBJECT else None
    return (about[0], f"{listed.of_task(name)}{about[1]}") if name else about


def _subjects(subjects: Iterable[Said]) -> Said | None:
    """Return the last subjects of commits, without those that only record what others did."""
    found = {bare: at for at, subject in subjects if _says_what(bare := without_kind(subject))}
    chosen = list(found)[-_MOST_SUBJECTS:]
    while len(chosen) > 1 and len("; ".join(chosen)) > LONGEST_ABOUT:
        del chosen[0]
    return (found[chosen[-1]], wording.one_line("; ".join(chosen), LONGEST_ABOUT)) if chosen else None


def _says_what(subject: str) -> bool:
    return len(set(content_terms(subject))) >= LEAST_IN_SUBJECT and _OF_RECORDS.search(subject) is None


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
    """Return what was requested first, or the request that a result answers if the result has more words in common with that one."""
    last = next((prompt for prompt in reversed(asked) if prompt[0] <= result[0]), requested)
    answered = _requested([last]) if last[0] > requested[0] else None
    if answered is None:
        return requested
    said = set(content_terms(result[1]))
    first, own = (len(said.intersection(content_terms(one[1]))) for one in (requested, answered))
    return answered if own > first or not (first or set(content_terms(requested[1])).intersection(content_terms(last[1]))) else requested


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
    terms = set(content_terms(_POLITE.sub("", _MENTION.sub("", sentence))))
    is_vague = len(terms) < least or SHARES.keys() >= terms or terms - ASKING <= _OF_ANY_TASK
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
