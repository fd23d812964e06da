"""How much summaries keep of the recall of full texts, on public data: see scripts/bench/summaries, which prints the numbers in docs/episodes.md."""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from memorybank.summarize.summarizer import COMMITS, GOALS

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench" / "summaries"
DATA = os.environ.get("MEMORYBANK_EVAL_DATA")
TRANSCRIPTS = os.environ.get("MEMORYBANK_TRANSCRIPTS")
LATER = 1_790_000_000_000
"""After every transcript."""
FULL = 1_100
"""Characters from which a summary of at most 1,200 has no space for another request."""
LEAST_SESSIONS = 6
"""Sessions that are named by what they were about; in a smaller folder, half of them."""
HEADED = re.compile(r"(?:- |  )?(?:Result|Decided|Open|Wanted|Changed|Commits|Failed and fixed|Also|結果|決定|未解決|目的|変更|コミット|失敗と修正|ほか): ")


@pytest.mark.full
@pytest.mark.skipif(not DATA, reason="MEMORYBANK_EVAL_DATA is not set: what summaries keep is not measured")
def test_summaries_keep_85_percent_of_the_recall_at_20_percent_of_the_characters():
    """Takes about five minutes."""
    done = subprocess.run([sys.executable, str(SCRIPT), "--data", str(DATA), "--days", "20"], capture_output=True, encoding="utf-8", timeout=1_200)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not TRANSCRIPTS, reason="MEMORYBANK_TRANSCRIPTS is not set: whether real days can be retold is not checked")
def test_a_real_day_tells_of_each_session_what_was_wanted_and_every_commit(bank, monkeypatch, capsys):
    """In at most 1,200 characters.

    A day of many sessions is a list: a line for each session, which begins with the subject of a commit, the task or the request. On any other
    day all commits are named, and the request of each session, except where its result and the other answers leave no space for it.
    """
    from memorybank.bank import Bank
    from memorybank.cli.main import run
    from memorybank.clock import FixedClock

    scratch = bank()
    scratch.configure("episodes", '{"timezone": "Asia/Tokyo"}')
    monkeypatch.chdir(scratch.repository)
    assert run(("import", "claude-code", str(TRANSCRIPTS))) == 0
    episodes = Bank.open(str(scratch.root), clock=FixedClock(LATER)).episodes
    episodes.update()
    days = {entry.date: entry.summary for entry in episodes.readable() if entry.is_showable}
    sessions = defaultdict(list)
    recorded = sum(len(source.digests()) for source in episodes.sources())
    for source in episodes.sources():
        for date in sorted(set(source.digests()) & set(days)):
            sessions[date].append(RealSession(source, date))
    wanted = squeezed = named = nameless = 0
    for date, told in sessions.items():
        text = days[date]
        assert len(text) <= 1_200
        if is_list(text, len(told)):
            lines = [line.removeprefix("- ") for line in text.split("\n")]
            assert len(lines) == len(told), date
            for line, session in zip(lines, sorted(told, key=lambda session: session.begins), strict=True):
                if session.is_named_by(line):
                    named += 1
                else:  # a session that only said "commit" and committed nothing is identified by its result
                    assert session.answered(line), (date, line)
                    nameless += 1
            continue
        for session in told:
            missing = [commit for commit in session.commits if " ".join(commit.split()[:3]) not in text]
            assert not missing, (date, missing)
            if any(goal[:16] in text for goal in session.goals):
                wanted += 1
            else:
                assert len(told) > 1 and len(text) >= FULL and any(map(session.answered, text.split("\n"))), (date, session.name)
                squeezed += 1
    assert wanted + named >= min(LEAST_SESSIONS, recorded / 2)
    assert nameless * 10 <= named and squeezed * 3 <= wanted, (named, nameless, wanted, squeezed)


class RealSession:
    """What one session said on one day, from its events, and the ways in which a line of a list may name it."""

    def __init__(self, source, date):
        messages = source.read(date).messages
        events = [message.line for message in messages if message.line is not None]
        material = [what for _, what in source.material(messages).items]
        self.name = source.name
        self.begins = min(event.at for event in events)
        self.goals = [part.text for part in material if part.section == GOALS]
        self.commits = [part.text for part in material if part.section == COMMITS]
        self.tasks = {event.task.rpartition("/")[2] for event in events if event.task}
        self.requests = plain(" ".join(message.text for message in messages if message.role == "user"))
        self.answers = plain(" ".join(message.text for message in messages if message.role != "user"))

    def is_named_by(self, line):
        about = line.partition(" → ")[0]
        if any(about.startswith(task) for task in self.tasks) or any(about.startswith(commit[:16]) for commit in self.commits):
            return True
        return plain(about.strip("“「"))[:16] in self.requests

    def answered(self, line):
        """Whether the line repeats something from this session's answers."""
        said = plain(line.partition(": ")[2] if HEADED.match(line) else line)
        return len(said) >= 16 and said[:16] in self.answers


def plain(text):
    """The letters and digits alone: summaries leave out Markdown, and line ends become spaces."""
    return re.sub(r"\W+", "", text).lower()


def is_list(text, sessions):
    """Whether a summary has one line per session instead of headed answers. Days with 400 characters for each session have answers."""
    lines = text.split("\n")
    return sessions > 3 and all(line.startswith("- ") for line in lines) and not any(map(HEADED.match, lines))
