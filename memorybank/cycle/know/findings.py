"""Findings: answers of earlier sessions to the current question, and what was said after the same failure.

A match is measured against the question: the shared words must be rare enough together (`least_sum`) and be enough of the question (`LEAST_SHARE`).
A question about something unknown therefore finds nothing, however long it is. Where there are many passages, some share rare words with any question by
chance; there, a passage must also name something that the question names, or say hardly anything else.
"""

from __future__ import annotations

__light__ = True

from math import inf, log

from memorybank.cycle.fold.kinds import ANSWER, ANSWERS, BY_MODEL, REFUTED, SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.question_words import QuestionWords, count_of
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.terms import content_terms, is_hiragana

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from memorybank.cycle.know.earlier import Earlier, Portion
    from memorybank.cycle.know.search import Passage, Rarity

FINDING = "finding"
IDS = tuple(f"{kind}:" for kind in (*ANSWERS, SAID))
"""Beginnings of the ids of findings."""
LEAST_SUM = 12.5
"""Minimum rarity in common, in nats, among `SMALL` passages: about three rare words."""
LEAST_SHARE, _AMONG_MANY = 0.3, 0.4
"""Minimum share of the question, and that among more than `SMALL` passages where the prompt refers to no earlier time."""
_COVERED = 0.3
"""Among more than `SMALL` passages: the minimum share of the words of a passage that a question contains, if they name nothing in common."""
_TO_A_QUESTION = (ANSWER, *BY_MODEL)
"""Kinds of passages that answer a question which asks for no reason. A remark within a turn states a cause, and is about what was done at that moment."""
_MOST_OF_IT, _MUCH, _NAMES = 0.5, 1.35, 6
"""A share of `_MOST_OF_IT` is most of a question; `_MUCH` times `least_sum` is much; a word in at most `_NAMES` passages names a thing."""
SAME_QUESTION, _ALL_OF_IT = 0.6, 0.9
"""Minimum share of a prompt that an earlier sentence contains if it asks the same, and if it is about the same although all its words are ordinary."""
_BESIDE_THE_BEST, _SECOND = 0.75, 0.9
"""Parts of the rank of the best: an answer is compared from the first on, and shown as the second one from the second on."""
_MOST, _MOST_SAID = 2, 1
_EASED, _REASON = 0.7, 1.3
"""Where a prompt asks for a reason: the factor on `LEAST_SUM` for what states one, and on its rank. Where it refers to an earlier time, the first factor
applies to all passages, and to `LEAST_SHARE`, and the number of passages does not matter: the person knows that it was said. Among
many, these nats are much."""
_LEAST_ASKED = 2
_OF_WORDS = 0.5
"""Share of the required rarity that the shared words must reach when each word counts once. In Japanese, one long word has several terms."""
_DIGITS = 9
_ALIKE = 0.5
"""Passages that share at least this part of their words say the same."""
_PASSING = lazy_pattern(
    r"\W*(?:\d+[.)]\s*)?(?:key |main |what['’]?s |open )?(?:benefits?|advantages?|pros|praise|strengths|positives|working (?:well|correctly)"
    r"|test(?:s|ing)? results?|verification|next steps?|questions?|files? (?:affected|changed|modified|updated))\b"
    r"|.{0,6}(?:変更(?:した)?ファイル|メリット|利点|良い点|テスト結果|次のステップ|質問|確認事項)",
    "i",
)
"""A heading below which an agent praises, reports that checks passed, lists files, or says what it would do or like to know next. None of it answers a later
question."""
_PART = lazy_pattern(r"(?<=[A-Za-z0-9][-_.])(?:\d{1,3}(?=[-_.])|(?<=\.)(?:md|mdx|txt|rst|adoc)\b)", "i")
"""Matches a number within a name, and the extension of a document: `plan-stage-67-04-dates.md`."""
_LONGEST_STEP = 200
"""Characters of a passage that may be nothing but a plan or a guess."""
SMALL = 400
"""Passages for which `LEAST_SUM` is right."""
_LONGEST_QUESTION = 280
"""Characters. A longer prompt that asks for no reason describes code or quotes a review, and the agent is about to read what it names. Among many passages,
some report of an earlier change to the same code always fits, and only reasons, decisions and limits say what the code does not."""


def answering(earlier: Earlier, text: str, *, why: bool = False, recalls: bool = False) -> tuple[list[Passage], list[Passage], list[Passage]]:
    """Return (answers, what people typed) that a question is about, the best first, with remarks among the answers where it asks for a reason. The third list
    is everything typed that has words in common with it.

    text: the question.
    why: whether the question asks for a reason. What states one then needs less in common with it.
    recalls: whether it refers to an earlier time. What was said then needs less in common with it.
    """
    asked = _terms(text)
    if count_of(asked) < _LEAST_ASKED:
        return [], [], []
    from memorybank.text.prompts.questions import asks  # late: starts and failures ask nothing

    is_question = asks(text)
    rarity = earlier.rarity
    describes = not recalls and is_description(rarity, text, why=why)
    if is_question:
        from memorybank.cycle.know.repeated import counted_once

        rarity = counted_once(earlier, asked)
    question = _Question(earlier, rarity, text, asked, why=why, recalls=recalls, describes=describes)
    if search.most_in_common(earlier.connection, rarity, asked) < question.needed:
        return [], [], []
    question.read(*(earlier.portions(rarity, asked, kinds, question.read_from, decided=False) for kinds in ((SAID,), ANSWERS if why else _TO_A_QUESTION)))
    best = [one for one in question.best if one.rank >= _SECOND * question.best[0].rank and (one.kind != SAID or question.is_about(one))]
    if best and not is_question:
        from memorybank.summarize.confirming import says_nothing_new  # "has been removed" answers "is it still used?", and not "remove it"

        best = [one for one in best if not says_nothing_new(one.text, question.words.terms)]
    answers = apart(best, _MOST)
    for passage in filter(question.is_met_by, question.refused):
        earlier.finds(passage)
    # What a person typed is shown only if it asks the same and matches at least as well as the best answer: a question is worth less than an answer.
    bar = answers[0].sum if answers else question.least
    typed = [passage for passage in question.said if passage not in answers and passage.sum >= bar and passage.share >= SAME_QUESTION]
    return answers, question.meant(typed) if why or is_question else question.last_requests(typed), question.said


def _terms(text: str) -> list[str]:
    """Return the terms of a question that may be its subject, without the extensions of documents and the numbers within names.

    A name in hiragana may also be grammar, which would make every other word a smaller part of the question. `turns` looks for such names.
    """
    parts = set(map(str.lower, _PART.findall(text)))
    return [term for term in dict.fromkeys(content_terms(text)) if not (is_hiragana(term) or term in parts)]


class _Question:
    """A question, and what was found for it.

    least: nats that an answer must have in common with it.
    needed: nats in common without which a passage cannot matter. They become more when an answer is found.
    read_from: nats in common from which on a passage is read.
    said: what people typed, the best first if one of it asks the same, else in any order.
    best: the passages that say enough and rank with the best of these; none if not one of these is about the question.
    refused: those that may not be shown.
    """

    def __init__(self, earlier: Earlier, rarity: Rarity, text: str, asked: Sequence[str], *, why: bool, recalls: bool, describes: bool) -> None:
        mass = rarity.sum(asked)
        self._earlier = earlier
        self._mass = mass or 1.0
        self.rarity = rarity
        self._text = text
        self.words = QuestionWords(rarity, text)
        self._is_ascii = text.isascii()
        self._names: Collection[str] | None = None
        self.why = why
        self._describes = describes
        self.least = min(least_sum(rarity), LEAST_SUM) if recalls else least_sum(rarity)
        self.same = SAME_QUESTION * mass
        self._eased = _EASED if recalls else 1.0
        is_large = rarity.passages > SMALL
        self._by_chance = is_large and not recalls
        self._much = 1.0 if is_large and recalls else _MUCH
        self._share = _AMONG_MANY if self._by_chance else LEAST_SHARE * self._eased
        self._least_about = self.least * (_EASED if why else self._eased)
        self.needed = min(max(self._least_about, self._share * mass), self.same)
        self.read_from = self.needed * _BESIDE_THE_BEST * search.LEAST_RANK
        self.said: list[Passage] = []
        self.best: list[Passage] = []
        self.refused: list[Passage] = []
        self._asked = set(asked)
        self._found: list[Passage] = []
        self._unranked: list[Passage] = []
        self._reasons: set[str] = set()
        self._shown: dict[int, bool] = {}

    def read(self, of_people: Iterator[Portion], of_agents: Iterator[Portion]) -> None:
        """Read passages of both, where more may be in common first, until none that is left can matter."""
        rests = [inf, inf]
        while any(rests) and max(rests) >= self.needed:
            is_typed = rests[0] >= rests[1]
            portion, rests[not is_typed] = next(of_people if is_typed else of_agents)
            self.said += filter(self._is_shown, portion) if is_typed else ()
            self._compare(portion)
        self.refused = [passage for passage in self._found if self._may_be_met_by(passage) and not self._is_shown(passage) and passage.why is not None]
        if any(passage.share >= SAME_QUESTION for passage in self.said):
            self._rank([passage for passage in self._unranked if passage.kind == SAID and self._is_shown(passage)])
            self.said.sort(key=self._plain)

    def _is_shown(self, passage: Passage) -> bool:
        """Return whether a passage may be shown, and what may be shown of it has enough in common with the question to be read."""
        if passage.id not in self._shown:
            is_shown = self._earlier.weighs(self.rarity, self._mass, passage) and passage.sum + search.ROUNDING >= self.read_from
            self._shown[passage.id] = is_shown
            if is_shown and self.why:
                from memorybank.summarize.findings import decides  # late, as below: only prompts ask, and most prompts find nothing

                # A person who says why something was decided answers the question, as an agent does.
                self._reasons.update([passage.memory] if decides(passage.text) else ())
        return self._shown[passage.id]

    def _may_be_met_by(self, passage: Passage) -> bool:
        """Return False if a passage of which it is not decided yet what may be shown has too little in common with the question."""
        return passage.sum >= self._least_about and passage.share >= self._share

    def _compare(self, portion: Sequence[Passage]) -> None:
        """Add passages to those that may answer."""
        self._found += portion
        self._unranked += portion
        # Deciding what may be shown of a passage and reading what it says takes longest, so that comes last. Ranks matter only among passages of which one
        # answers, and they take a look-up of all words, so those passages get none that are below the best ones even if they consist of nothing but words
        # of the question.
        first = self.best[0] if self.best else next((one for one in portion if self._may_be_met_by(one) and self._is_shown(one) and self.is_met_by(one)), None)
        if first is None:
            return
        if not self.best:
            self._rank([first])
        bar = _BESIDE_THE_BEST * first.rank - search.ROUNDING
        near = [passage for passage in self._unranked if passage.sum * (_REASON if self.why else 1.0) >= bar and self._is_shown(passage)]
        self._rank([passage for passage in near if passage.sum * self._factor(passage) >= bar])
        ranked = sorted((passage for passage in self._found if passage.rank), key=search.order)
        least = _BESIDE_THE_BEST * next(passage.rank for passage in ranked if self._answers(passage))
        self.best = [passage for passage in ranked if passage.rank >= least and self._answers(passage)]
        self.needed = min(least / (_REASON if self.why else 1.0), self.same)

    def _rank(self, passages: Sequence[Passage]) -> None:
        """Give passages that have no rank yet their ranks."""
        search.rank(self.rarity, self._asked, passages)
        for passage in passages:
            passage.rank *= self._factor(passage)
        ranked = {passage.id for passage in passages}
        self._unranked = [passage for passage in self._unranked if passage.id not in ranked]

    def _factor(self, passage: Passage) -> float:
        """Return the factor on the rank of a passage, which is more where it states the reason that the question asks for."""
        return _REASON if passage.memory in self._reasons else 1.0

    def _answers(self, passage: Passage) -> bool:
        """Return whether a passage says enough, and more than the question: a person who repeats a limit does not ask for it."""
        is_more = passage.kind != SAID or len(passage.matched) < len(set(passage.terms))
        return says_enough(passage) and is_more and (not self._describes or outlasts(passage))

    def is_met_by(self, passage: Passage) -> bool:
        """Return whether a passage is about the question and answers it."""
        return self.is_about(passage) and self._answers(passage)

    def _plain(self, passage: Passage) -> tuple[float, int, str]:
        """Return the sort key of a passage whether or not it states a reason."""
        rank, at, memory = search.order(passage)
        return round(rank / self._factor(passage), _DIGITS), at, memory

    def meant(self, typed: Sequence[Passage]) -> list[Passage]:
        """Return those of the earlier questions that have their subject in common with this one, and statements with all its words."""
        is_statement = {one.id for one in typed if one.share >= _ALL_OF_IT and not one.text.endswith(("?", "？"))}
        return [one for one in typed if one.id in is_statement or self.words.may_be_subject({*one.matched}, _NAMES)]

    def last_requests(self, typed: Sequence[Passage]) -> list[Passage]:
        """Return the last of those that match a request best. One that names nothing ("add tests too") was about another thing each time."""
        alike = [one for one in typed if one.rank >= _SECOND * typed[0].rank and self.words.named({*one.matched})]
        return sorted(alike, key=lambda one: -one.at)[:_MOST_SAID]

    def is_about(self, passage: Passage) -> bool:
        """Return whether they have rare words in common, and in addition most of the question, very many nats, or a word that names a thing. With less than
        `LEAST_SHARE` of the question, only the last counts. Among many passages, they must also name the same, or the passage says hardly anything else."""
        least = self.least * (_EASED if passage.memory in self._reasons else self._eased)
        if passage.sum < least or passage.share < self._share:
            return False
        matched = set(passage.matched)
        share = passage.share
        if not self._is_ascii:
            by_words = self.words.sum(matched)
            share = by_words / self.words.mass if by_words >= _OF_WORDS * least else 0.0
        if share == 0.0 or (share < _MOST_OF_IT and not self.words.may_be_subject(matched, _NAMES)):
            return False
        is_enough = passage.share >= _MOST_OF_IT or (passage.share >= LEAST_SHARE and passage.sum >= least * self._much)
        if not is_enough and min(map(self.rarity.count, passage.matched)) > _NAMES:
            return False
        return not self._by_chance or len(passage.matched) >= _COVERED * len(set(passage.terms)) or self._names_the_same(passage.text.lower())

    def _names_the_same(self, text: str) -> bool:
        from memorybank.text.words import code_names

        if self._names is None:
            self._names = code_names.names_and_files_in(self._text)
        return any(code_names.contains(text, name) for name in self._names)


def says_enough(passage: Passage) -> bool:
    """Return whether one sentence of a passage says enough to be an answer; of what a person typed, whether it gives a reason or a limit.

    What a model named always does, because it was asked for answers.
    """
    if passage.says_enough is None:
        passage.says_enough = _says_enough(passage)
    return passage.says_enough


def _says_enough(passage: Passage) -> bool:
    if passage.kind in BY_MODEL:
        return True
    if passage.kind == SAID:
        return outlasts(passage)
    from memorybank.summarize.confirming import says_nothing_new
    from memorybank.summarize.findings import tells

    said = sentences(passage.text)
    if (passage.heading and _PASSING.match(passage.heading)) or not any(map(tells, said)):
        return False
    from memorybank.text.words.pointing import opens

    if opens(passage.text):
        return False
    from memorybank.text.prose.momentary import is_supposed
    from memorybank.text.prose.plans import plans

    if says_nothing_new(passage.text, ()):
        return False
    return len(passage.text) > _LONGEST_STEP or not all(plans(sentence) or is_supposed(sentence) for sentence in said)


def is_description(rarity: Rarity, text: str, *, why: bool) -> bool:
    """Return whether a prompt describes code rather than asks for something, in a bank with many passages. why: whether it asks for a reason."""
    return rarity.passages > SMALL and len(text) > _LONGEST_QUESTION and not why


def outlasts(passage: Passage) -> bool:
    """Return whether a passage says what the code itself does not: a reason, a decision or a limit."""
    from memorybank.summarize.findings import decides, limits

    return passage.kind in BY_MODEL or decides(passage.text) or limits(passage.text)


def newest(earlier: Earlier, most: int, *, refuted: bool = False) -> list[Passage]:
    """Return the latest passages that answer a question, the newest first. refuted: also those that people refuted."""
    kinds = (*ANSWERS, *((REFUTED,) if refuted else ()))
    marks = ",".join("?" * len(kinds))
    return earlier.selected(f"kind IN ({marks}) AND at <= ? AND {search.IS_SEEN} ORDER BY at DESC, p.id LIMIT ?", (*kinds, earlier.now, most))


def named(earlier: Earlier, memory: str) -> list[Passage]:
    """Return the passages whose id begins like this: at most one when the id is complete, two when it is ambiguous."""
    condition = f"substr(memory, 1, length(?1)) = ?1 AND at <= ?2 AND {search.IS_SEEN} ORDER BY memory <> ?1, at DESC, p.id LIMIT 2"
    return earlier.selected(condition, (memory, earlier.now))


def least_sum(rarity: Rarity) -> float:
    """Return the minimum rarity in common: `LEAST_SUM` among `SMALL` passages. Among more, chance alone brings more words in common."""
    return LEAST_SUM * log(1 + (rarity.passages + 0.5) / 1.5) / log(1 + (SMALL + 0.5) / 1.5)


def apart(passages: Sequence[Passage], most: int) -> list[Passage]:
    """Return the first `most` of these passages, without those that say the same as an earlier one."""
    chosen: list[Passage] = []
    for passage in passages:
        if not any(say_the_same(passage.terms, other.terms) for other in chosen):
            chosen.append(passage)
        if len(chosen) == most:
            break
    return chosen


def say_the_same(one: Collection[str], other: Collection[str]) -> bool:
    """Return whether two passages with these terms share most of their words."""
    return len(set(one).intersection(other)) > _ALIKE * min(len(one), len(other))
