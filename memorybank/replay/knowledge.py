"""What people and agents said that had been said before in another session: rules, findings, reasons. Pure, and without labels.

- A *rule* is wanted before a person's sentence that orders or corrects, when sentences typed in earlier sessions did with the same words:
  one with `ENOUGH` of them, or several with two. Nothing tells a lasting rule from a request that comes again.
- A *finding* is wanted before the closing message of a turn, when an earlier session's closing message held the same rare words
  (in at most `RARE` sessions) and nothing that the person or the agent had said in this session did.
- A *reason* is wanted before a sentence of a closing message or of a commit message that says why, by the same rare words.

They are what was repeated, not what would have helped: chance is among them, so a share means something only beside the random arm's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memorybank.cycle.event import PROMPT, TOOL_BEFORE, TURN_END, Event
from memorybank.replay.standing import ENOUGH, SHARE, Wanted, Way, words_of

RULE, FINDING, REASON = "rule", "finding", "reason"
RARE = 3
"""Sessions: a word that more of them say tells no one thing."""
_FEW = 0.15
"""Of the sessions in which a person typed something: a rule has at least one word that no more than these hold."""
_THEME = 2
"""Earlier sessions that asked for the same in two words; once may be chance."""
_LEAST = {RULE: 2, FINDING: ENOUGH, REASON: 2}
"""Words that two passages must share."""
_LONGEST_SENTENCE = 300
_SHORT = 8
"""Words of a sentence that mostly orders something ("commit and update the changelog")."""
_LONGEST_TYPED = 600
"""Characters: a longer prompt was pasted."""
_ENDS = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？])")
_ORDERS = re.compile(
    r"\b(?:always|never|must|should|shouldn't|make sure|ensure|remember|prefer|avoid|instead|rather|everywhere|without|please|"
    r"did you|have you|can you|can we|could you|could we)\b|(?:^|please |that they |you )do(?: not|n'?t) |^no[ ,]|"
    r"ないで|しない|してはいけ|べき|必ず|常に|絶対|禁止|ではなく|じゃなくて|やめて|ください",
    re.IGNORECASE,
)
_PASTED = re.compile(r"^[^\w\"'`「『]|https?://|[{}|<>=;✓⚠]|\w/\w|\w\(|\.\w+:\d|:$")
_WHY = re.compile(
    r"\b(?:because|since|root cause|caused by|due to|instead of|rather than|must not|must never|cannot|can't|reverted?|so that|otherwise|workaround)\b|"
    r"ため|ので|から。|原因|ではなく|代わりに|してはいけ",
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"git\b.*?\bcommit\b.*?-m\s+(?:\"\$\(cat <<'?EOF'?\n(.*?)\n\s*EOF|\"((?:[^\"\\]|\\.)*)\"|'([^']*)')", re.DOTALL)


class _Passage(NamedTuple):
    """words: what it says; known: what was said in its session before; wants: whether it may want what an earlier one says."""

    session: str
    agent: str
    position: int
    words: frozenset[str]
    known: frozenset[str]
    wants: bool = True


def knowledge(played: Sequence[Event]) -> list[Wanted]:
    """Every rule, finding and reason that was wanted and known."""
    found: dict[str, list[_Passage]] = {RULE: [], FINDING: [], REASON: []}
    said: dict[str, frozenset[str]] = {}
    for position, event in enumerate(played):
        session, agent = event.session_id, event.agent_id
        known = said.get(session, frozenset())
        if event.name == PROMPT and event.human and event.prompt:
            if len(event.prompt) <= _LONGEST_TYPED:
                found[RULE] += [
                    _Passage(session, agent, position, words_of(sentence), known, _is_order(sentence))
                    for sentence in sentences(event.prompt)
                    if not _PASTED.search(sentence)
                ]
            said[session] = known | words_of(event.prompt)
        for text in _told(event):
            if event.name == TURN_END:
                found[FINDING].append(_Passage(session, agent, position, words_of(text), known))
            found[REASON] += [_Passage(session, agent, position, words_of(sentence), known) for sentence in sentences(text) if _WHY.search(sentence)]
            said[session] = said.get(session, frozenset()) | words_of(text)
    return [wanted for kind, passages in found.items() for wanted in _said_again(kind, passages)]


def sentences(text: str) -> Iterator[str]:
    """The sentences and lines of a text that are no longer than one that somebody typed."""
    return (sentence.strip() for sentence in _ENDS.split(text) if 1 < len(sentence.strip()) <= _LONGEST_SENTENCE)


def _is_order(sentence: str) -> bool:
    """Whether a person wants something: by a word that says so, or because the sentence is short and no question."""
    return bool(_ORDERS.search(sentence)) or (len(sentence.split()) <= _SHORT and not sentence.endswith(("?", "？")))


def _told(event: Event) -> Iterable[str]:
    """What the agent said to people: the end of a turn, the message of a commit."""
    if event.name == TURN_END and event.last_message:
        return [event.last_message]
    command = event.inputs.get("command") if event.name == TOOL_BEFORE else None
    return ["".join(message.groups("")) for message in _MESSAGE.finditer(command)] if isinstance(command, str) else []


def _said_again(kind: str, passages: Sequence[_Passage]) -> Iterator[Wanted]:
    """The passages whose words another session's earlier one held; the words of one are wanted once a session."""
    spread = Counter(word for _, word in {(passage.session, word) for passage in passages for word in passage.words})
    most = max(RARE, _FEW * len({passage.session for passage in passages})) if kind == RULE else RARE
    common = {word for word, sessions in spread.items() if sessions > most}
    holders: dict[str, list[int]] = {}
    wanted: dict[str, set[str]] = {}
    for number, passage in enumerate(passages):
        asked = passage.words if kind == RULE else passage.words - passage.known - common
        votes = Counter(holder for word in asked if passage.wants for holder in holders.get(word, ()) if passages[holder].session != passage.session)
        same = [holder for holder in votes if _says_the_same(kind, asked & passages[holder].words, passage, passages[holder], common)]
        best = max(same, key=lambda holder: (votes[holder], holder), default=None)
        if best is not None and (votes[best] >= ENOUGH or kind != RULE or len({passages[holder].session for holder in same}) >= _THEME):
            shared = asked & passages[best].words
            before = wanted.setdefault(passage.session, set())
            if len(shared - before) >= _LEAST[kind]:
                yield Wanted(kind, passage.session, passage.agent, passage.position, (Way(shared),))
            before |= shared
        for word in passage.words:
            holders.setdefault(word, []).append(number)


def _says_the_same(kind: str, shared: frozenset[str], one: _Passage, other: _Passage, common: set[str]) -> bool:
    if len(shared) < _LEAST[kind]:
        return False
    return kind != RULE or (len(shared) >= SHARE * min(len(one.words), len(other.words)) and not shared <= common)
