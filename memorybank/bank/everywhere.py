"""Searches several banks, such as all banks of a repository, each by its own index, settings and access rules. Untrusted banks are left out."""

from collections.abc import Callable, Iterable, Sequence
from posixpath import dirname, join
from typing import TYPE_CHECKING, NamedTuple

from memorybank.bank.trusting import CHANGED, WAITING
from memorybank.errors import MemorybankError, UsageError
from memorybank.index import queries
from memorybank.search.hit import Hit, SearchAnswer, option_of
from memorybank.search.query import BY_MEANING, EPISODE
from memorybank.search.ranking import rarity
from memorybank.storage.layout import BANK, Layout
from memorybank.trust import gate

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank
    from memorybank.reasons.reason import Reason


class LeftOutBank(NamedTuple):
    """A bank that a search left out, or of which it left out files. bank: its name"""

    bank: str
    reason: str
    next_step: str

    def to_json(self) -> dict[str, str]:
        return self._asdict()


class RepositoryAnswer(NamedTuple):
    """The merged answer of several banks. banks: names of those that were searched"""

    answer: SearchAnswer
    banks: tuple[str, ...]
    left_out: tuple[LeftOutBank, ...]


def search(
    banks: Iterable[Layout],
    own: str | None,
    opened: Callable[[str], "Bank"],
    asked: Callable[["Bank"], SearchAnswer],
    limit: int,
    named: Callable[[Layout], str] | None = None,
) -> RepositoryAnswer:
    """Return the best hits of several banks.

    opened: opens the bank with a root
    own: root of the bank that belongs to the working folder; None without one. It is searched as on its own, whether or not a person accepted it
    asked: searches one bank
    limit: maximum number of hits
    named: returns the name of a bank in the answer; default: its folder, relative to the repository
    """
    ranked: list[tuple[tuple[float, ...], Hit]] = []
    stale: list[Reason] = []
    searched: list[str] = []
    left_out: list[LeftOutBank] = []
    first = answer = SearchAnswer("", "", ())
    for layout in sorted(banks, key=lambda each: (each.root != own, each.root)):
        name = layout.relative(layout.root) if named is None else named(layout)
        try:
            bank = opened(layout.root)
            answer, reason = (asked(bank), "") if layout.root == own else _accepted(bank, asked)
            scale = _scale(bank) if answer.hits else 1.0
        except UsageError:
            raise  # the query is malformed, in every bank
        except (MemorybankError, OSError) as error:
            if layout.root == own:
                raise
            left_out.append(_unusable(name, error))
            continue
        if reason:
            left_out.append(LeftOutBank(name, reason.partition(":")[0], f"memorybank {option_of(name)} trust"))
        if reason != gate.WAITS:
            searched.append(name)
            first = first if first.type else answer
        stale += [each for each in answer.stale if each not in stale]
        place = _placed if named is None else _on_machine
        ranked += [((*_order(hit, scale), len(searched), number), place(hit, name, layout)) for number, hit in enumerate(answer.hits)]
    hits = _distinct([hit for _, hit in sorted(ranked, key=lambda each: each[0])])
    return RepositoryAnswer(first.with_changes(hits=tuple(hits[:limit]), stale=tuple(stale)), tuple(searched), tuple(left_out))


def _unusable(name: str, error: MemorybankError | OSError) -> LeftOutBank:
    """Return a bank that cannot be searched: it is broken, its folder is not readable, or the disk is not there."""
    if isinstance(error, MemorybankError):
        return LeftOutBank(name, error.message, error.next_step)
    return LeftOutBank(name, error.strerror or str(error), f"memorybank {option_of(name)} doctor")


def _accepted(bank: "Bank", asked: Callable[["Bank"], SearchAnswer]) -> tuple[SearchAnswer, str]:
    """Return the hits of a bank in what a person accepted, and why others are missing."""
    status = bank.trust.status()
    if status.state == WAITING:
        return SearchAnswer("", "", ()), gate.WAITS
    answer = asked(bank)
    if status.state != CHANGED:
        return answer, ""
    withheld = set(bank.trust.withheld([path for hit in answer.hits for path in _files(hit)]))
    hits = tuple(hit for hit in answer.hits if withheld.isdisjoint(_files(hit)))
    return answer.with_changes(hits=hits), gate.changed(len(status.waiting))


def _files(hit: Hit) -> Sequence[str]:
    """Return the files of the bank, relative to it, whose acceptance decides about a hit."""
    if hit.archive_id is not None:
        place = f"archive/by_date/{hit.archive_id[:4]}/{hit.archive_id[4:6]}/{hit.archive_id}"
        return (f"{place}.md.zst", f"{place}.md")
    if hit.kind == EPISODE:
        return (gate.EPISODES,)
    if hit.source:
        return () if hit.key.startswith("/") else (gate.SOURCES,)  # the person's own settings name sources with absolute paths
    return (f"active/{hit.key}",)


def _scale(bank: "Bank") -> float:
    """Return the number by which the scores of a bank are divided: with it, a word that one note contains counts the same in every bank."""
    with bank.opened() as index:
        return rarity(1, sum(queries.importance_counts(index.connection).values()))


def _order(hit: Hit, scale: float) -> tuple[float, ...]:
    """Return the sort key of a hit across banks; hits of equal keys keep the order of their bank."""
    if hit.match_type == "keyword":
        return (hit.is_weak, -hit.score / scale)
    if hit.match_type in BY_MEANING:
        return (hit.is_weak, -hit.score)  # a share of a full match, which is the same in every bank
    if hit.match_type == "content":
        return ()
    return (-(hit.importance or 0.0),) if hit.match_type == "importance" else (-float(hit.modified),)


def _on_machine(hit: Hit, bank: str, layout: Layout) -> Hit:
    """Return a hit with the name of its bank, and with its absolute path."""
    published = f"{BANK}/"
    path = join(layout.root, hit.path.removeprefix(published)) if hit.path.startswith(published) else join(layout.base, hit.path)
    return hit.with_changes(bank=bank, path=path)


def _placed(hit: Hit, bank: str, layout: Layout) -> Hit:
    """Return a hit with its bank, and with its path relative to the repository."""
    return hit.with_changes(bank=bank, path=hit.path if hit.source else join(dirname(dirname(bank)), hit.path))


def _distinct(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits without repetitions: several banks can read the same document in place."""
    seen: set[tuple[str, tuple[int, int]]] = set()
    found = []
    for hit in hits:
        if not hit.source or (hit.path, hit.lines) not in seen:
            found.append(hit)
        seen.add((hit.path, hit.lines))
    return found
