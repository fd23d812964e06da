"""What a person sees of an import: one large transcript is not silent until it is done."""

from memorybank.hosts import import_run, importing
from memorybank.hosts.transcripts import found

from .written import working_day


def test_the_share_of_a_transcript_grows_with_its_events(place):
    working_day().write(place.folder)
    (group,) = found.related(found.at_paths("claude-code", [str(place.folder)]))
    shares: list[float] = []
    counts = importing.take_in(place.base, group, dry_run=True, step=shares.append)
    assert shares.count(0) == counts.lines, "once a line while the transcript is read"
    assert shares == sorted(shares) and shares[-1] == 1 and len(shares) == counts.lines + sum(counts.found.values())


def test_a_transcript_counts_as_many_bytes_as_are_done(place):
    working_day().write(place.folder)
    groups = found.related(found.at_paths("claude-code", [str(place.folder)]))
    steps: list[tuple[str, int, int]] = []
    import_run.run(place.base, "claude-code", groups, progress=lambda *step: steps.append(step))
    reading = [(done, total) for label, done, total in steps if label == import_run.READING]
    assert reading == sorted(reading) and {total for _, total in reading} == {sum(transcript.size for transcript in groups[0])}
    assert reading[0][0] == 0 and reading[-1][0] == reading[-1][1] and len({done for done, _ in reading}) > 3


def test_silent_workers_are_shown_as_they_were(place, monkeypatch):
    monkeypatch.setattr(import_run, "_SILENT_SECONDS", 0)
    steps: list[int] = []
    shares = [[["one"]], [["two"]]]
    monkeypatch.setattr(import_run, "_size", lambda group: 1)
    answers = [[], *[None] * 20]
    real = import_run.wait
    monkeypatch.setattr(import_run, "wait", lambda pipes, seconds: [] if answers.pop(0) == [] else real(pipes))
    assert sorted(size for size, _ in import_run._shared(shares, lambda group: importing.ImportCounts(), steps.append)) == [1, 1]
    assert steps == [0]
