"""The tables of the cycle's cache, `cache/cycle.sqlite3`: a fold of every `log/events/*.jsonl`. Everything in it is derived.

A session that is finished and had no event for a month is retired: what only its own continuation or its own finishing reads leaves the cache
(`fold.retired`), so the number of events of old sessions does not matter. If somebody continues it, these rows are folded again first.

The order of folding must not matter. What a fold stores for a line depends only on earlier lines of the same file, so any interleaving of folds gives the
same rows (except for row numbers). What joins files is computed when read (`importance.of_event`), or follows from two rows alone, whichever of them comes
second (`fold.statement_rows`).

An instant is an int in ms; a factor is 0 to 1; `file` is `files.id`; `offset` is where the line begins in its file.

**cell**: rows are partitioned by who may see them, so that no restricted text hides in a public memory: `acl`, `privacy`, `hold` (lowered by a rule,
never released by time) and the parts of session, agent and role that these two need.

What the fold reads of an exposure line: `exposures: [{memory, kind, rank, score, parts, match, why, anchors, terms, tokens, shown}]`. `anchors` are the
memory's anchors that the trigger did not hold already (at most 12). An anchor that its agent had not touched earlier in this session is awaited: a call
of the same context that touches it, among the next 20 of this agent, is the use. So is a text of the agent that contains the `terms`. So uses follow from
one file alone, for notes as for other memories.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.storage.layout import Layout

VERSION = 67
"""Increased with every change below, and when statements are recognised in another way. A cache of another version is replaced by one that is built again."""

SESSION = "session"
"""Kind of the memory that the summary of a session is: `session:<session id>`."""
EXTRACTED_LOG, EXTRACTED_OFFSET = "extracted.jsonl", "extracted_offset"
TICKS_LOG, TICKS_OFFSET = "ticks.jsonl", "ticks_offset"
"""The logs of what models named (`log.extracted`) and of verdicts (`log.ticks`), which most hooks never load, and how far each was folded (in `meta`)."""

_TOKEN_CHARACTERS = "!#$%&()*+,-./:;<=>?@[]^_`{|}~"
"""Every ASCII sign except quotes and back-slash, as in the index: only the spaces between terms separate them."""

TABLES: tuple[str, ...] = (
    # offset: folded so far; last_event, last_at: of its newest event; retired: whether it is retired
    """CREATE TABLE files (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, offset INTEGER NOT NULL,
        session TEXT, last_event TEXT, last_at INTEGER NOT NULL DEFAULT 0, retired INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX files_kept ON files (last_at) WHERE retired = 0",
    # what statistics need of a retired session: the instants of its first and last event, and numbers of events; memory_before: calls at which memory was
    # asked for; done, done_at_once, tries: actions that succeeded, at the first attempt, and their attempts
    """CREATE TABLE retired (
        file INTEGER PRIMARY KEY, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, starts INTEGER NOT NULL, prompts INTEGER NOT NULL,
        memory_before INTEGER NOT NULL, calls INTEGER NOT NULL, failures INTEGER NOT NULL, turns INTEGER NOT NULL, successes INTEGER NOT NULL,
        done INTEGER NOT NULL, done_at_once INTEGER NOT NULL, tries INTEGER NOT NULL
    )""",
    # one row for each line that is an event, of a retired session only for those with a passage; signal: -1 corrected, refused or stopped, .5 written by
    # a person, 1 to be remembered; sketch: 128 bytes, the hashed terms of its text, for novelty; empty for an intent, and for all but the last
    # 200 other events of a log; asked: memory was asked for at this result of a call; corrected: offset of the line that said its outcome
    """CREATE TABLE events (
        file INTEGER NOT NULL, offset INTEGER NOT NULL, event_id TEXT NOT NULL, at INTEGER NOT NULL, agent TEXT NOT NULL, epoch INTEGER NOT NULL,
        task TEXT, event TEXT NOT NULL, status TEXT, fingerprint TEXT, latency INTEGER, tokens INTEGER,
        novelty REAL NOT NULL, signal REAL NOT NULL, sketch BLOB NOT NULL,
        asked INTEGER NOT NULL, corrected INTEGER, PRIMARY KEY (file, offset)
    ) WITHOUT ROWID""",
    "CREATE UNIQUE INDEX events_event ON events (event_id)",
    # finished sessions, as everybody may see them; detail: the items of the summary as JSON, "" for an old session, of whose text the beginning is left
    # (`finish.summaries`)
    """CREATE TABLE summaries (
        id INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, text TEXT NOT NULL, detail TEXT NOT NULL
    )""",
    "CREATE INDEX summaries_last ON summaries (last_at)",
    "CREATE INDEX summaries_whole ON summaries (last_at) WHERE detail <> ''",
    # what people asked; offset: of the prompt; cell … role: who may see it; corrects: offset of the prompt whose answer it refutes. The next table holds
    # the files edited during the turn
    """CREATE TABLE turns (
        id INTEGER PRIMARY KEY, file INTEGER NOT NULL, offset INTEGER NOT NULL, at INTEGER NOT NULL,
        cell TEXT NOT NULL, acl TEXT NOT NULL, privacy TEXT NOT NULL, hold INTEGER NOT NULL, session TEXT, agent TEXT, role TEXT, corrects INTEGER
    )""",
    "CREATE UNIQUE INDEX turns_prompt ON turns (file, offset)",
    "CREATE TABLE turn_files (turn INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (turn, name)) WITHOUT ROWID",
    "CREATE INDEX turn_files_name ON turn_files (name)",
    "CREATE INDEX turn_files_at_top ON turn_files (name) WHERE name NOT LIKE '%/%'",
    # the commands that worked in the last two turns of each log
    "CREATE TABLE turn_commands (turn INTEGER NOT NULL, offset INTEGER NOT NULL, command TEXT NOT NULL, PRIMARY KEY (turn, offset)) WITHOUT ROWID",
    # what was said, in passages; kind: said (typed by a person), answer (last words of a turn), remark (a cause or decision stated within it),
    # fix (the edits after which a failed call worked, or `→ ` and the form in which it worked; heading: its error), found and reason (named by
    # a model; heading: the question, the subject), pasted (the message of an error in a prompt), refuted (an answer or remark that the person refuted);
    # turn: NULL when no prompt of a person began it;
    # failure: of a remark, the failed call before it; of a fix, the call it fixed; of what a person typed, the failed call that it answers
    """CREATE TABLE passages (
        id INTEGER PRIMARY KEY, memory TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, file INTEGER NOT NULL, offset INTEGER NOT NULL, turn INTEGER,
        at INTEGER NOT NULL, cell TEXT NOT NULL, acl TEXT NOT NULL, privacy TEXT NOT NULL, hold INTEGER NOT NULL, session TEXT, agent TEXT, role TEXT,
        heading TEXT NOT NULL, text TEXT NOT NULL, failure INTEGER
    )""",
    "CREATE INDEX passages_session ON passages (session, kind, offset)",
    "CREATE INDEX passages_at ON passages (kind, at)",
    "CREATE INDEX passages_failure ON passages (failure) WHERE failure IS NOT NULL",
    # contentless: rowid = passages.id
    f"CREATE VIRTUAL TABLE passage_text USING fts5(text, content='', detail=none, tokenize=\"ascii tokenchars '{_TOKEN_CHARACTERS}'\")",
    "CREATE TABLE passage_terms (id INTEGER PRIMARY KEY, terms TEXT NOT NULL)",
    # what passages give as values and say to be no longer so (`text.prompts.changing`). The last table has what follows from two of them: the newer one
    # changes what the older one says (`fold.outdated`)
    "CREATE TABLE given (frame TEXT NOT NULL, passage INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (frame, passage, value)) WITHOUT ROWID",
    "CREATE INDEX given_passage ON given (passage)",
    "CREATE TABLE changes (term TEXT NOT NULL, passage INTEGER NOT NULL, PRIMARY KEY (term, passage)) WITHOUT ROWID",
    "CREATE INDEX changes_passage ON changes (passage)",
    "CREATE TABLE outdated (older INTEGER NOT NULL, newer INTEGER NOT NULL, PRIMARY KEY (older, newer)) WITHOUT ROWID",
    "CREATE INDEX outdated_newer ON outdated (newer)",
    # turns that made a commit
    "CREATE TABLE commits (turn INTEGER PRIMARY KEY)",
    # what passages say about how commands must be run (`fold.advised`): at a call of this form, or of a program, that lacks these options or variables
    # and names one of these things, as far as there are any
    """CREATE TABLE advice (
        form TEXT NOT NULL, passage INTEGER NOT NULL, lacks TEXT NOT NULL, names TEXT NOT NULL, PRIMARY KEY (form, passage, lacks, names)
    ) WITHOUT ROWID""",
    # which actions a person did themself or asked for, and how they said so (`text.prompts.deeds`); text: the sentence
    """CREATE TABLE deeds (
        id INTEGER PRIMARY KEY, file INTEGER NOT NULL, offset INTEGER NOT NULL, at INTEGER NOT NULL, action TEXT NOT NULL, how TEXT NOT NULL,
        text TEXT NOT NULL, cell TEXT NOT NULL, acl TEXT NOT NULL, privacy TEXT NOT NULL, hold INTEGER NOT NULL, session TEXT, agent TEXT, role TEXT
    )""",
    "CREATE UNIQUE INDEX deeds_place ON deeds (action, at, file, offset, how)",
    # how many passages contain a term
    "CREATE TABLE frequencies (term TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID",
    # lasting statements of people; kind, subject, text: see `text.prompts.statements`; replaced, wanted: purposes of the commands that the person did not want,
    # and of those that ran then with the words that named them, one a line (`fold.answered`); terms: `content_terms` of the text, separated by spaces;
    # about: purposes of the commands that it followed or that followed it; objects: what it forbids or limits (`text.prompts.objects`); traits: what it says by
    # its own words (`text.prompts.traits`), separated by spaces
    """CREATE TABLE statements (
        id INTEGER PRIMARY KEY, file INTEGER NOT NULL, offset INTEGER NOT NULL, place INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
        subject TEXT NOT NULL, text TEXT NOT NULL, terms TEXT NOT NULL, replaced TEXT NOT NULL DEFAULT '', wanted TEXT NOT NULL DEFAULT '',
        about TEXT NOT NULL DEFAULT '', objects TEXT NOT NULL DEFAULT '', traits TEXT NOT NULL,
        cell TEXT NOT NULL, acl TEXT NOT NULL, privacy TEXT NOT NULL, hold INTEGER NOT NULL, session TEXT, agent TEXT, role TEXT
    )""",
    "CREATE UNIQUE INDEX statements_place ON statements (file, offset, place)",
    "CREATE INDEX statements_permission ON statements (at) WHERE instr(traits, 'permission')",
    "CREATE INDEX statements_commands ON statements (id) WHERE replaced <> '' OR wanted <> ''",
    # the terms of the subjects of statements, except those that only expect something
    "CREATE TABLE statement_terms (term TEXT NOT NULL, statement INTEGER NOT NULL, PRIMARY KEY (term, statement)) WITHOUT ROWID",
    # what the newer of two statements does to the older one: `replaces`, `repeats`, or `leaves` with what is left of it (`fold.comparing`)
    "CREATE TABLE relations (older INTEGER NOT NULL, newer INTEGER NOT NULL, relation TEXT NOT NULL, PRIMARY KEY (older, newer)) WITHOUT ROWID",
    "CREATE INDEX relations_newer ON relations (newer)",
    # what a model named in a session (log/extracted.jsonl), as everybody may see it; kind: rule, found or reason (the last two are passages too);
    # made_by: the model; subject: of a rule, as in `text.prompts.statements`; at: of the line that the quote is from
    """CREATE TABLE extracted (
        memory TEXT NOT NULL, session TEXT NOT NULL, kind TEXT NOT NULL, made_by TEXT NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL,
        quote TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (memory, session)
    ) WITHOUT ROWID""",
    "CREATE INDEX extracted_session ON extracted (session)",
    # calls that failed; form: of the command (`text.commands.forms`), else the tool; error: its terms; line: of the error, what is wrong; command: as it was
    # run, until it is repaired; mended: offset of the success that repaired it. The table `remedies` holds what was done instead of it, or first, to make it
    # work, with the exact command (`text.commands.exact`); with how = `refused` it says that the word in the form does not exist here, so that nothing
    # remedies the call
    """CREATE TABLE failures (
        id INTEGER PRIMARY KEY, file INTEGER NOT NULL, offset INTEGER NOT NULL, at INTEGER NOT NULL, form TEXT NOT NULL, call TEXT, error TEXT NOT NULL,
        said TEXT NOT NULL, line TEXT NOT NULL, command TEXT NOT NULL, mended INTEGER,
        cell TEXT NOT NULL, acl TEXT NOT NULL, privacy TEXT NOT NULL, hold INTEGER NOT NULL, session TEXT, agent TEXT, role TEXT
    )""",
    "CREATE UNIQUE INDEX failures_offset ON failures (file, offset)",
    "CREATE INDEX failures_form ON failures (form, at DESC, session, offset DESC)",
    "CREATE INDEX failures_open ON failures (file, agent, offset) WHERE mended IS NULL",
    "CREATE TABLE remedies (failure INTEGER NOT NULL, how TEXT NOT NULL, remedy TEXT NOT NULL, command TEXT NOT NULL, PRIMARY KEY (failure, how, remedy))"
    " WITHOUT ROWID",
    # the edits and commands that worked since a failure of an agent, until it is repaired; name: of the file, "" for a command; done: what changed in the
    # file ("" when that is unknown), or the command as it was run
    "CREATE TABLE steps_since (failure INTEGER NOT NULL, offset INTEGER NOT NULL, name TEXT NOT NULL, done TEXT NOT NULL, PRIMARY KEY (failure, offset))"
    " WITHOUT ROWID",
    # the logs in which a command of this form ran; worked: a call that everybody may see succeeded; command: what these calls have in common
    "CREATE TABLE forms (form TEXT NOT NULL, file INTEGER NOT NULL, worked INTEGER NOT NULL, command TEXT NOT NULL, PRIMARY KEY (form, file)) WITHOUT ROWID",
    "CREATE INDEX forms_worked ON forms (file) WHERE worked",
    # how often a word ("" for none) followed a program: this shows which programs wrap others
    "CREATE TABLE chains (program TEXT NOT NULL, word TEXT NOT NULL, uses INTEGER NOT NULL, PRIMARY KEY (program, word)) WITHOUT ROWID",
    # how programs were started (`text.commands.launching`), "" for the name alone, also of the operators of the shell that it understood, and that it was
    # not found so (`!` and the way), or missed a module (`?` and the module): when last (ms), and in which session
    """CREATE TABLE launches (
        how TEXT NOT NULL, program TEXT NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (how, program)
    ) WITHOUT ROWID""",
    # the anchors that an agent has touched in a session
    "CREATE TABLE met (file INTEGER NOT NULL, agent TEXT NOT NULL, anchor TEXT NOT NULL, PRIMARY KEY (file, agent, anchor)) WITHOUT ROWID",
    # cross-impact: what shares a file; kind a (session/agent), t (task), f (another file, or the fingerprint of a call); of each kind the first
    # values in their order, as many as are counted, so that the rows do not depend on the order of folding
    "CREATE TABLE sharers (anchor TEXT NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (anchor, kind, value)) WITHOUT ROWID",
    # one row for each memory of an exposure line; excluded: a shadow that would have been shown; parts: a JSON object; anchored: whether it shared an anchor
    # with the trigger; policy: the version by which it was ranked; terms: words that would show that it was used; awaited: number of anchors that would make
    # it used; anchors: these, one a line, until one is touched; warned: a call (anchor) that it said to fail, met_at: offset where it failed; used_at: of
    # its use, used: the anchor that was used, or `said`; sample: its worth, 0..1, NULL while unknown
    """CREATE TABLE exposures (
        id INTEGER PRIMARY KEY, memory TEXT NOT NULL, file INTEGER NOT NULL, offset INTEGER NOT NULL, rank INTEGER NOT NULL,
        session TEXT NOT NULL, agent TEXT NOT NULL, epoch INTEGER NOT NULL, at INTEGER NOT NULL,
        event TEXT NOT NULL, shown INTEGER NOT NULL, excluded INTEGER NOT NULL, score REAL NOT NULL, tokens INTEGER NOT NULL,
        parts TEXT NOT NULL, match REAL NOT NULL, anchored INTEGER NOT NULL, kind TEXT NOT NULL, policy INTEGER NOT NULL, terms TEXT NOT NULL,
        awaited INTEGER NOT NULL, anchors TEXT NOT NULL DEFAULT '', warned TEXT, met_at INTEGER, used_at INTEGER, used TEXT, sample REAL
    )""",
    "CREATE INDEX exposures_memory ON exposures (memory, shown, at)",
    "CREATE INDEX exposures_context ON exposures (session, agent, epoch)",
    # verdicts of people and agents on memories (log/ticks.jsonl); id: where the line ends there; worth: 1 helpful, 0 wrong
    "CREATE TABLE ticks (id INTEGER PRIMARY KEY, memory TEXT NOT NULL, at INTEGER NOT NULL, worth REAL NOT NULL, by TEXT NOT NULL)",
    "CREATE INDEX ticks_memory ON ticks (memory, at)",
    # from finished sessions only: an agent's calls of one fingerprint up to the first success; tries: results up to it, NULL without a success;
    # latency: of that success. Of each fingerprint the latest ones (`improve.samples`)
    """CREATE TABLE attempts (
        fingerprint TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL, at INTEGER NOT NULL,
        first_failed INTEGER NOT NULL, tries INTEGER, latency INTEGER, PRIMARY KEY (fingerprint, session, agent)
    ) WITHOUT ROWID""",
    # the last human prompt of each agent of each session
    """CREATE TABLE contexts (
        session TEXT NOT NULL, agent TEXT NOT NULL, epoch INTEGER NOT NULL, prompt TEXT NOT NULL, PRIMARY KEY (session, agent)
    ) WITHOUT ROWID""",
    # the resident summary as a session received it, so that it is the same after a host's compact; at: when (ms)
    "CREATE TABLE renderings (session TEXT PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID",
    # finished sessions, as in log/organize.jsonl: what is summarised, and which steps are done; lines, head: see there;
    # round: offset of its latest round there, which orders the rounds;
    # note: key of its note; note_tree: in which worktree
    """CREATE TABLE finished (
        session TEXT PRIMARY KEY, covered_to INTEGER NOT NULL, round INTEGER NOT NULL, at INTEGER NOT NULL, lines INTEGER NOT NULL,
        head TEXT NOT NULL, steps TEXT NOT NULL,
        note TEXT, note_tree TEXT
    ) WITHOUT ROWID""",
    # the rounds that lack a step: the last one is written last
    "CREATE INDEX finished_waiting ON finished (session) WHERE instr(steps, 'episodes') = 0",
    # single values: organize_offset, ticks_offset, extracted_offset (of the logs of these names, folded so far); finished_at (when the latest round of a
    # session began); index_ms, publish_ms, episodes_ms, maintain_ms (expected duration of a step), …_last_ms (duration of the last one); publish_seen
    # (when somebody had last published before a hook found that it takes too long)
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
)


def path(layout: Layout) -> str:
    """Return the path of a bank's cycle cache."""
    return f"{layout.cache}/cycle.sqlite3"
