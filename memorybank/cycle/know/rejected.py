"""`rejected.jsonl`: the memories that people rejected, so that they are never recalled again. It is committed with the notes, so a team shares it.

One JSON object a line: `memory` (its merge id), `verdict` (`rejected` or `restored`), `at`, `by` (`command`, `commit <id>`) and `what`
(its text, if everybody may see it). The newest line of a memory counts. Other lines, such as the markers of a merge conflict, are
skipped and kept.

The rejection of a finding also covers findings that say the same (`sameness`), whatever their id: a finding is recognised by `what`. If not
everybody may see it, the line has a member `claim` instead: digests of its words under the bank's key. The rejection then covers other tellings on
this machine, and the file reveals nothing of the text.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.cycle.fold.kinds import ANSWER, FIX, FOUND, REASON, REFUTED, REMARK, SAID
from memorybank.errors import MemorybankError
from memorybank.reasons.reason import Reason
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from memorybank.clock import Clock
    from memorybank.cycle.know.sameness import FindingWords
    from memorybank.cycle.know.search import Passage
    from memorybank.storage.layout import Layout

NAME = "rejected.jsonl"
REJECTED, RESTORED = "rejected", "restored"
COMMAND = "command"
MAX_BYTES = 1 << 20
_LOCK_SECONDS = 2.0
_PASSAGES = {ANSWER: ANSWER, REMARK: ANSWER, REFUTED: ANSWER, FOUND: ANSWER, REASON: ANSWER, FIX: FIX, SAID: SAID}
"""{kind of a passage: what it is compared as}: the words of an agent or model are never compared with a person's, nor an edit with either."""


class Verdict(Value):
    """The newest line of one memory: when (ms) and by whom it was judged, and its text, or else digests of its words."""

    memory: str
    is_rejected: bool
    at: int
    by: str
    what: str
    words: FindingWords | None = None


class Rejections:
    """What people rejected, by id and by what it says.

    verdicts: the newest of each memory, rejecting or not
    key: returns the bank's key; called only where a line contains digests
    """

    __slots__ = ("_digests", "_found", "_key", "_words", "verdicts")

    def __init__(self, verdicts: dict[str, Verdict], key: Callable[[], bytes | None]) -> None:
        self.verdicts = verdicts
        self._key = key
        self._digests: dict[str, str] = {}
        self._found: dict[str, Verdict | None] = {}
        self._words: dict[str, list[tuple[Verdict, FindingWords]]] | None = None

    def of(self, memory: str) -> Verdict | None:
        """Return the verdict that rejects this id, or None."""
        verdict = self.verdicts.get(memory)
        return verdict if verdict is not None and verdict.is_rejected else None

    def of_passage(self, passage: Passage) -> Verdict | None:
        """Return the verdict that rejects a passage: its own, else the newest on one that says the same. A passage that was restored itself
        is not rejected for its likeness."""
        if passage.memory in self.verdicts:
            return self.of(passage.memory)
        if passage.memory not in self._found:
            self._found[passage.memory] = self._alike(passage)
        return self._found[passage.memory]

    def _alike(self, passage: Passage) -> Verdict | None:
        if self._words is None:
            self._words = self._read_words()
        rejected = self._words.get(_PASSAGES[passage.kind])
        if not rejected:
            return None
        from memorybank.cycle.know import sameness

        exact: dict[bool, list[FindingWords]] = {}
        for verdict, words in rejected:
            is_keyed = verdict.words is not None
            if not sameness.may_say_same(words, self._keyed(passage.terms) if is_keyed else passage.terms):
                continue
            if is_keyed not in exact:
                held = [sameness.of_text(text) for text in _texts_of(passage)]
                exact[is_keyed] = [sameness.FindingWords(self._keyed(one.terms), self._keyed(one.names), one.is_negated) for one in held] if is_keyed else held
            if any(sameness.says_same(words, one) for one in exact[is_keyed]):
                return verdict
        return None

    def _read_words(self) -> dict[str, list[tuple[Verdict, FindingWords]]]:
        """Return {what is compared: the rejected ones, newest first}."""
        found: dict[str, list[tuple[Verdict, FindingWords]]] = {}
        if not self.verdicts:
            return found
        from memorybank.cycle.know import sameness

        for verdict in reversed(self.verdicts.values()):
            kind = _PASSAGES.get(verdict.memory.partition(":")[0])
            words = verdict.words or (sameness.of_text(verdict.what) if kind is not None and verdict.what else None)
            if kind is not None and words is not None and verdict.is_rejected and (verdict.words is None or self._key() is not None):
                found.setdefault(kind, []).append((verdict, words))
        return found

    def _keyed(self, terms: Collection[str]) -> list[str]:
        from memorybank.cycle.know import sameness

        key = self._key() or b""
        self._digests.update((term, sameness.digest(key, term)) for term in terms if term not in self._digests)
        return [self._digests[term] for term in terms]


def path(layout: Layout) -> str:
    """Return the path of the file."""
    return os.path.join(layout.root, NAME)


def verdicts(layout: Layout) -> dict[str, Verdict]:
    """Return {memory: its newest verdict}, the oldest first; {} when the file is missing or cannot be read."""
    try:
        return _verdicts(disk.read(path(layout), MAX_BYTES))
    except (FileNotFoundError, MemorybankError):
        return {}


def _verdicts(data: bytes) -> dict[str, Verdict]:
    found: dict[str, Verdict] = {}
    for line in data.split(b"\n"):
        verdict = _verdict(line)
        if verdict is None:
            continue
        before = found.pop(verdict.memory, verdict)
        found[verdict.memory] = verdict if before.at <= verdict.at else before
    return dict(sorted(found.items(), key=lambda item: item[1].at))


def rejections(layout: Layout) -> dict[str, Verdict]:
    """Return the verdicts that reject."""
    return {memory: verdict for memory, verdict in verdicts(layout).items() if verdict.is_rejected}


def add(layout: Layout, memory: str, *, is_rejected: bool, by: str, what: str, clock: Clock, words: FindingWords | None = None) -> Verdict:
    """Append a verdict. It is durable when this returns.

    words: digests of a finding that not everybody may see.
    Raises LockTimeout after 2 s.
    """
    from memorybank.editing.write import update  # imported here because hooks only read

    at = clock.now()

    def with_line(data: bytes | None) -> bytes:
        nonlocal at
        data = data or b""
        before = _verdicts(data).get(memory)
        # A clock that went back must not let the older verdict win.
        at = max(clock.now(), before.at if before is not None else 0)
        said = words.to_json() if words is not None else None
        verdict = REJECTED if is_rejected else RESTORED
        fields = {"memory": memory, "verdict": verdict, "at": time_of.isoformat(at), "by": by, "what": what, "claim": said}
        end = b"" if not data or data.endswith(b"\n") else b"\n"
        return data + end + jsontext.encode_bytes({name: value for name, value in fields.items() if value}) + b"\n"

    update(layout, "memorybank know", clock, NAME, with_line, timeout=_LOCK_SECONDS)
    return Verdict(memory, is_rejected, at, by, what, words)


def why(verdict: Verdict, memory: str) -> Reason:
    """Return the reason why a memory is not shown, for a person."""
    day = time_of.day_of(verdict.at)
    if verdict.memory == memory:
        return Reason("recall.rejected", day=day, by=verdict.by)
    return Reason("recall.rejected_alike", memory=verdict.memory, day=day, by=verdict.by)


def _verdict(line: bytes) -> Verdict | None:
    try:
        fields = jsontext.decode(line)
    except ValueError:
        return None
    if not isinstance(fields, dict) or not isinstance(fields.get("memory"), str) or fields.get("verdict") not in (REJECTED, RESTORED):
        return None
    from memorybank.cycle.know import sameness

    at = time_of.parse(str(fields.get("at")))
    told = (str(fields.get("by") or ""), str(fields.get("what") or ""))
    return Verdict(fields["memory"], fields["verdict"] == REJECTED, at or 0, *told, sameness.of_json(fields.get("claim")))


def _texts_of(passage: Passage) -> list[str]:
    """Return the text of a passage as `what` contains it; of a model's answer also without its question, as an agent would have said it."""
    titled = f"{passage.heading}: {passage.text}" if passage.heading else passage.text
    return [titled, passage.text] if passage.kind == FOUND else [titled]
