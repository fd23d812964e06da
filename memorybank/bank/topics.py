"""The topics of a bank's episodes: connects the list of episodes, the settings, the lock and the file of topics."""

from collections.abc import Callable
from typing import NamedTuple

from memorybank.bank.arguments import BankFacade
from memorybank.clock import isoformat
from memorybank.episodes import list_file as episodes
from memorybank.episodes.entry import Episode
from memorybank.episodes.running import EpisodesLock
from memorybank.episodes.topics import similarity, store, update
from memorybank.episodes.topics.similarity import TopicMatch
from memorybank.episodes.topics.store import StoredTopics
from memorybank.episodes.topics.topic import Topic
from memorybank.errors import NotFound, UsageError
from memorybank.log import key as log_key
from memorybank.text.secrets.redact import redact

LONGEST_LABEL = 120


class TopicUpdate(NamedTuple):
    """The result of an update.

    stored: the current topics
    changed: whether the file was, or would be, written
    set_aside: new name of a topics file that could not be read, or ""
    episodes: number of episodes from which topics were made
    alone: number of these episodes without a topic
    unnamed: fixed topics that no episode is close to
    """

    stored: StoredTopics
    changed: bool
    set_aside: str
    episodes: int
    alone: int
    unnamed: tuple[str, ...]


class TopicsFacade(BankFacade):
    """The operations of `memorybank episodes topics`."""

    def stored(self) -> StoredTopics:
        """Return the topics on disk. Raises `ValidationFailed` for a file that cannot be read."""
        found = store.read(self._bank.layout)
        store.refuse_broken(self._bank.layout, found)
        return found

    def update(self, *, dry_run: bool = False, step: Callable[[int, int], None] = lambda done, total: None) -> TopicUpdate:
        """Group the episodes of the list again.

        dry_run: whether to write nothing
        Raises `LockTimeout` while another run is in progress, `ValidationFailed` for a list of episodes that cannot be read.
        """
        if dry_run:
            return self._update(write=False, step=step)
        with EpisodesLock(self._bank.layout, "memorybank episodes topics update", self._bank.clock) as run:
            return self._update(write=True, step=_both(run, step))

    def search(self, question: str) -> list[TopicMatch]:
        """Return the topics that a question is about: at most two, nearest first."""
        found = self.stored()
        return similarity.search(question, found.topics, found.measure)

    def label(self, name: str, text: str | None) -> Topic:
        """Name a topic, or take its name back.

        name: its id, or its label as it is shown
        text: the name, None to take it back
        Raises `NotFound` for an unknown topic, `UsageError` for an invalid label or one that another topic has.
        """
        words = None if text is None else self._checked(text)
        layout = self._bank.layout
        with EpisodesLock(layout, "memorybank episodes topics label", self._bank.clock):
            labelled: Topic | None = None

            def edit(before: StoredTopics) -> StoredTopics:
                nonlocal labelled
                topic = self._named(before, name)
                if words is not None and any(words == other.label and other.id != topic.id for other in before.topics):
                    raise UsageError(f"another topic already has the label {words!r}", next_step="choose a label that tells them apart")
                labelled = changed = topic.with_fields(persona_label=words)
                if changed.raw == topic.raw and not before.merged:
                    return before
                topics = [changed if other.id == topic.id else other for other in before.topics]
                return before.changed(topics=topics, updated=self._now)

            store.change(layout, self._bank.clock, edit)
            assert labelled is not None
            return labelled

    def is_stale(self) -> bool:
        """Return whether the list of episodes has changed since the topics were made."""
        return update.digest_of(self._episodes()) != self.stored().made_of

    def _update(self, *, write: bool, step: Callable[[int, int], None]) -> TopicUpdate:
        bank = self._bank
        found = episodes.read(bank.layout)
        (episodes.refuse_unwritable if write else episodes.refuse_broken)(bank.layout, found)
        listed = found.entries
        fixed = bank.settings.episodes.topics.fixed
        after, changed = StoredTopics(), False

        def edit(before: StoredTopics) -> StoredTopics:
            nonlocal after, changed
            after = update.update(before, listed, fixed, self._now, step)
            changed = not after.same(before) or before.merged
            return after if changed else before

        if write:
            aside = store.change(bank.layout, bank.clock, edit, renew=True)
        else:
            before, aside = store.read(bank.layout), ""
            edit(StoredTopics() if before.broken else before)
        changed = changed or bool(aside)
        held = {name for topic in after.topics for name in topic.episodes}
        named = {topic.auto_label for topic in after.topics if topic.is_fixed}
        told = update.showable(listed)
        alone = sum(episode.id not in held for episode in told)
        return TopicUpdate(after, changed, aside, len(told), alone, tuple(name for name in fixed if name not in named))

    def _episodes(self) -> tuple[Episode, ...]:
        found = episodes.read(self._bank.layout)
        episodes.refuse_broken(self._bank.layout, found)
        return found.entries

    @property
    def _now(self) -> str:
        return isoformat(self._bank.clock.now())

    def _checked(self, text: str) -> str:
        words = redact(" ".join(text.split()), log_key.load(self._bank.layout))
        if not words or len(words) > LONGEST_LABEL or not words.isprintable():
            raise UsageError(f"a label has 1 to {LONGEST_LABEL} printable characters", next_step="give a shorter one, or --clear to take it back")
        return words

    @staticmethod
    def _named(stored: StoredTopics, name: str) -> Topic:
        """Return the topic with this id, or the only one with this label."""
        found = [topic for topic in stored.topics if topic.id == name] or [topic for topic in stored.topics if name in (topic.persona_label, topic.auto_label)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(topic.id for topic in stored.topics[:8]) + (" …" if len(stored.topics) > 8 else "")
        raise NotFound(f"no topic {name!r}", next_step=f"'memorybank episodes topics list' lists them: {known or 'there is none yet'}")


def _both(run: EpisodesLock, step: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """Combine two progress callbacks: one for the lock file, one for the person."""

    def told(done: int, total: int) -> None:
        run.at(done, total, "")
        step(done, total)

    return told
