"""Merges old weeks: the episodes of a week become one entry. The originals go to `episodes/archives/` before they leave the list.

A week runs from Monday to Sunday. It can be merged when its Sunday is more than 180 days ago (whenever its entries were written), when final entries
cover everything that the sources hold of it, and when there are at least two entries to merge.
Source: episodic memory specification, section 6 (weekly summaries after 180 days, the raw entries kept separately).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memorybank.episodes import archive, coverage, dates
from memorybank.episodes.entry import BRIEF, CHAT, DAY, SUPPLEMENT, WEEK, Episode, made
from memorybank.episodes.store import EpisodeStore
from memorybank.episodes.update import EpisodeRunSettings
from memorybank.summarize import lines
from memorybank.summarize.summarizer import ChatText, DayText, weaker
from memorybank.text.words.language import identify

MERGE_AFTER_DAYS = 180
WEEK_CHARACTERS = 1_200


@dataclass(frozen=True, slots=True)
class MergeableWeek:
    """A week that can be merged.

    name: ISO 8601 week, such as `2025-W38`
    entries: the entries to merge, oldest first
    covers: everything that the merged entry will cover
    """

    name: str
    first: str
    last: str
    entries: tuple[Episode, ...]
    covers: tuple[tuple[str, str, str], ...]


def mergeable_weeks(inventory: Mapping[str, Mapping[str, str]], entries: Sequence[Episode], today: str) -> list[MergeableWeek]:
    """Return the weeks that can be merged, oldest first. inventory: {date: {source: digest of all its messages}}."""
    newest = dates.plus(today, -MERGE_AFTER_DAYS)
    mondays = sorted({dates.monday(entry.first) for entry in entries if entry.first and entry.last < newest})
    found = (_week(monday, inventory, entries) for monday in mondays if dates.plus(monday, 6) < newest)
    return [week for week in found if week is not None]


def merge(store: EpisodeStore, week: MergeableWeek, setting: EpisodeRunSettings) -> Episode | None:
    """Merge one week: archive its entries, read the archive back, replace the list. Returns None when somebody changed the week in the meantime.

    The caller holds the lock. Raises what the summarizer raises, and ValidationFailed when the archive is damaged.
    """
    entry = _summarised(week, setting)
    # Archive before replacing the list: after a crash in between, the entries are in both places, and the next run merges the week again.
    archive.write(store.layout, week.name, [member for member in week.entries if member.kind != WEEK], store.clock)
    members = frozenset(member.encoded for member in week.entries)
    merged = False

    def edit(entries: list[Episode]) -> list[Episode]:
        nonlocal merged
        # A person or git may have changed the list while the summarizer worked. Their version wins, and nothing is replaced.
        merged = members <= {other.encoded for other in entries}
        return [*(other for other in entries if other.encoded not in members), entry] if merged else entries

    store.change(edit, kept_elsewhere=frozenset(member.encoded for member in week.entries if member.kind != WEEK))
    return entry if merged else None


def merge_all(store: EpisodeStore, weeks: Sequence[MergeableWeek], setting: EpisodeRunSettings, step: Callable[[int, int, str], None]) -> list[Episode]:
    """Merge weeks one after another. Each is saved as soon as it is done. step: called with (weeks done, total, name of the week)."""
    merged = []
    for number, week in enumerate(weeks):
        step(number, len(weeks), week.name)
        entry = merge(store, week, setting)
        if entry is not None:
            merged.append(entry)
    step(len(weeks), len(weeks), "")
    return merged


def unfold(store: EpisodeStore, name: str) -> list[Episode]:
    """Put the original entries of a merged week back into the list. They also stay in the archive.

    Returns the entries, [] when there is no archive. The caller holds the lock.
    """
    found = archive.read(store.layout, name)
    monday = dates.week_of(name)
    if not found or monday is None:
        return []
    sunday = dates.plus(monday, 6)

    def edit(entries: list[Episode]) -> list[Episode]:
        kept = [other for other in entries if not (other.kind == WEEK and monday <= other.first and other.last <= sunday)]
        have = {other.encoded for other in kept}
        return [*kept, *(entry for entry in found if entry.encoded not in have)]

    store.change(edit)
    return found


def _week(monday: str, inventory: Mapping[str, Mapping[str, str]], entries: Sequence[Episode]) -> MergeableWeek | None:
    sunday = dates.plus(monday, 6)
    inside = [entry for entry in entries if entry.first and monday <= entry.first <= sunday]
    if len(inside) < 2 or not all(_is_final(entry, sunday) for entry in inside) or sum(entry.is_showable for entry in inside) == 0:
        return None
    known = coverage.covered_digests(inside)
    covers = {cover for entry in inside for cover in entry.covers}
    for date in dates.between(monday, sunday):
        for source, digest in inventory.get(date, {}).items():
            if source.startswith(CHAT) and any(entry.covers_chat_of(date) for entry in inside):
                covers.add((date, source, digest))
            elif digest not in known.get((date, source), ()):
                return None
    return MergeableWeek(dates.week_name(monday), monday, sunday, tuple(inside), tuple(sorted(covers)))


def _is_final(entry: Episode, sunday: str) -> bool:
    """Return whether an entry can be merged: a final text that no later run will rewrite, and that ends within the week."""
    return entry.kind in (DAY, SUPPLEMENT, BRIEF, WEEK) and not entry.draft and entry.last <= sunday


def _summarised(week: MergeableWeek, setting: EpisodeRunSettings) -> Episode:
    shown = [entry for entry in week.entries if entry.is_showable]
    read = [(entry, lines.parsed(entry.summary, entry.date)) for entry in shown]
    parts = tuple(part for _, found in read for part in found)
    said = tuple(ChatText(entry.date, entry.summary) for entry, found in read if not found)
    text = " ".join(entry.summary for entry in shown)
    most = min(WEEK_CHARACTERS, len(text))
    summary = setting.summarizer.summarise(DayText(dates.written(week.first, week.last), "ja" if identify(text) == "ja" else "en", most, parts, said))
    return made(
        dates.written(week.first, week.last),
        setting.redact(summary.text).strip() or text[:most],
        setting.calendar.stamp(setting.clock.now()),
        kind=WEEK,
        by=summary.by,
        covers=week.covers,
        draft=weaker(summary.by, setting.configured),
        truncated=summary.truncated,
        compressed=True,
        original_count=sum(entry.original_count or 1 for entry in week.entries),
    )
