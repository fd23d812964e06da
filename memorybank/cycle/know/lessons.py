"""Lessons: what earlier answers say about an error like this one, whether or not something failed in their session.

A closing message often names what the next session will run into ("without `DATABASE_URL` the tests use 5432, which is your own server"). Errors in
the code that is being changed (diagnostics, failed tests, linters) say themselves what is wrong, and so do those of git.

Where the same failure occurred in a session, what the session said afterwards about the error, the call, or what made it work needs less in common with it.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWERS, FIX, REMARK
from memorybank.cycle.fold.repairs import checks_style, lasting
from memorybank.cycle.know import search
from memorybank.text.commands import error_excerpt, forms, programs, refusals
from memorybank.text.commands.corrected import is_check
from memorybank.text.commands.error_names import is_about, names_of
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prose.open_points import heads_what_is_left
from memorybank.text.words.code_names import contains
from memorybank.text.words.scripts import parts_of_other_words
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memorybank.cycle.know.called import FailedCall
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

LEAST, AFTERWARDS = 1.2, 0.4
"""Parts of `findings.LEAST_SUM` that a lesson and a failed call must have in common; the second after the same failure."""
_MOST_LINES = 8
_MOST_SESSIONS, _MOST_READ = 3, 30
"""Sessions with the same failure of which passages are compared, and passages of each, the newest first."""
_PATH = lazy_pattern(r"(?:~|\.{0,2}/|[\w.@-]{1,100}/)[\w./@\[\]-]*|\b[\w-]{1,100}\.[A-Za-z]{1,4}\b(?::\d+)*")
"""Paths and files: that an answer names a file which an error names, too, says nothing about the error."""
_QUOTED = lazy_pattern(r"\"[^\"]*\"|'[^']*'")
_TEACHES = lazy_pattern(
    r"\b(?:because|since|so that|otherwise|unless|only|without|must|needs?|has to|have to|requires?|never|not|no longer|cannot|fails?|failed|failures?"
    r"|breaks?|instead|rather than|caused?|trap|obstacle|falls? back|refuses?|dies|works?|worked|comes from|by default)\b|n['’]t\b"
    r"|ため|ので|から[、。]|原因|ないと|必要(?!に応じ)|のみ|だけ|だめ|ダメ|落ち|失敗|ください|指定|代わり|ではなく|ません|できない|既定",
    "i",
)
"""Matches a sentence that says on what something depends, not only what was done."""


def about(earlier: Earlier, failed: FailedCall, met: Mapping[int, tuple[str, int]], least: float) -> list[Passage]:
    """Return the lessons about a failed command, the best first.

    met: {failure: (session, instant)} of the same failures in other sessions.
    least: nats of `findings.LEAST_SUM` in this bank.
    """
    called = forms.parts(failed.command)
    refused = refusals.word_refused(failed.command, failed.error)
    is_own = bool(called) and (
        called[-1][0].startswith("git ") or is_check(list(map(programs.name, called[-1][1]))) or error_excerpt.is_about_code(failed.error)
    )
    if not called or checks_style(failed.command) or (is_own and not met):
        return []
    wrong = {term for line in failed.lines[:_MOST_LINES] for term in lasting(line).intersection(_words(line))}
    program = programs.name(called[-1][1][0])
    run = {f"`{form.split()[0]} " for form in (program, *forms.of_inner(failed.command))}
    command = {*_words(_QUOTED.sub(" ", failed.command.partition("\n")[0])), *content_terms(program)}
    names = [names for line in failed.lines[:_MOST_LINES] if (names := names_of(line))]
    rarity = earlier.rarity
    telling = wrong | _repairs(earlier, met).difference(_words(failed.command))
    said = telling | command
    rarity.learn(said)
    found = {passage.memory: passage for passage in _afterwards(earlier, met)}
    after = set(found)
    if not is_own:
        taught = [*map(search.read, earlier.looked_at(sorted(wrong | command), ANSWERS, least * LEAST * search.LEAST_RANK))]
        search.weigh(rarity, wrong | command, taught)  # their share of the question, as of other findings
        found.update((passage.memory, passage) for passage in taught)
    lessons = []
    for memory, passage in found.items():
        common = said.intersection(passage.terms)
        if telling.isdisjoint(common) or rarity.sum(common) < least * AFTERWARDS or not earlier.finds(passage):
            continue  # before its text is read, which takes longest
        whole = f"{passage.heading}\n{passage.text}"
        if names and not any(is_about(whole, of_line) for of_line in names) and not any(code in whole for code in run):
            continue
        if heads_what_is_left(passage.heading) or (refused is not None and not contains(passage.text, refused)):
            continue
        words = set(_words(passage.text)).difference(parts_of_other_words(common, failed.error, passage.text))
        passage.matched = [term for term in passage.terms if term in common and term in words]
        passage.sum = rarity.sum(passage.matched)
        passage.rank = passage.sum * (1 + (memory in after))
        is_lesson = passage.sum >= least * LEAST and not wrong.isdisjoint(passage.matched) and _teaches(passage)
        is_after = not is_own and memory in after and passage.sum >= least * AFTERWARDS and not telling.isdisjoint(passage.matched)
        if is_lesson or (is_after and _teaches(passage)):
            lessons.append(passage)
    return sorted(lessons, key=search.order)


def _afterwards(earlier: Earlier, met: Mapping[int, tuple[str, int]]) -> list[Passage]:
    """Return what the last sessions with these failures said afterwards."""
    since: dict[str, int] = {}
    for session, at in met.values():
        if session in since or len(since) < _MOST_SESSIONS:
            since[session] = at
    marks = ",".join("?" * len(ANSWERS))
    condition = f"session = ? AND kind IN ({marks}) AND at BETWEEN ? AND ? AND {search.IS_SEEN} ORDER BY offset DESC, p.id LIMIT ?"
    said = (earlier.selected(condition, (session, *ANSWERS, at, earlier.now, _MOST_READ)) for session, at in since.items())
    return [passage for passages in said for passage in passages]


def _repairs(earlier: Earlier, met: Mapping[int, tuple[str, int]]) -> set[str]:
    """Return the words of what ended these failures: an answer that has them explains it."""
    ended = f"SELECT text FROM passages WHERE failure IN ({','.join(map(str, met))}) AND +kind = '{FIX}' AND {search.IS_SEEN}"  # `+`: see `Earlier.said`
    return {term for (text,) in earlier.connection.execute(ended) for term in _words(text)} if met else set()


def _words(text: str) -> list[str]:
    # No path contains a space, and the pattern takes long for each word that begins like one.
    return content_terms(" ".join([_PATH.sub(" ", word) if "/" in word or "." in word or "~" in word else word for word in text.split()]))


def _teaches(passage: Passage) -> bool:
    """Return whether a passage says on what something depends, as remarks do: only those that state a cause or a decision are kept."""
    return passage.kind == REMARK or any(
        _TEACHES.search(sentence) and not set(passage.matched).isdisjoint(content_terms(sentence)) for sentence in sentences(passage.text)
    )
