"""Topics of episodes at a prompt, where the settings ask for them (`topics.inject`). They follow the memories that have evidence and share their
budget and number.

A topic is chosen by its similarity alone, calibrated on the bank's own episodes. No call can show that a topic was used.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.config.group import MAX_FILE_BYTES
from memorybank.cycle import event as events
from memorybank.cycle.recall.ranking import TOPIC, Memory, Recollection
from memorybank.errors import MemorybankError
from memorybank.storage import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.episodes.topics.similarity import TopicMatch


def find(base: CycleContext, query: QueryContext) -> list[Recollection]:
    """Return the topics that a prompt is about, the nearest first; [] at other moments, and when the settings do not ask for topics."""
    if query.moment != events.PROMPT or not _may_be_wanted(base):
        return []
    from memorybank.config import episodes as episode_settings  # late: most banks do not inject topics
    from memorybank.episodes.topics import similarity, store

    settings = episode_settings.load(base.layout)
    if settings is None or not settings.topics.inject:
        return []
    try:
        stored = store.read(base.layout)
    except (MemorybankError, OSError):  # not readable: the prompt gets no topics
        return []
    return [_recollection(match) for match in similarity.search(query.text, stored.topics, stored.measure)]


def _may_be_wanted(base: CycleContext) -> bool:
    """Whether the settings could ask for topics: a file that never contains the key leaves it at its default, off."""
    try:
        data = disk.read(f"{base.layout.config}/episodes_config.json", MAX_FILE_BYTES)
    except (MemorybankError, OSError):  # missing or not readable: topics stay off
        return False
    return b"inject" in data or b"\\" in data  # JSON can write any letter as an escape


def _recollection(match: TopicMatch) -> Recollection:
    topic = match.topic
    memory = Memory(
        f"{TOPIC}:{topic.id}",
        TOPIC,
        0,
        clock.parse(f"{topic.last}T00:00:00Z") or 0,
        importance=match.similarity,
        author="agent",
        text=f"{topic.label}: {topic.summary}" if topic.summary else topic.label,
    )
    memory.matched = match.words
    memory.match = match.similarity
    memory.sources = sorted(topic.written)
    return Recollection(memory, {"context_match": match.similarity})
