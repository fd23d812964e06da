"""Every command that changes a file which a person, an editor or git may save at the same time: what runs, and what the editor saves.

A world is a folder with a bank, a repository's other files and a home folder. `HARNESSED` names the functions of the package whose changes
these callers prove; `tests/house/test_changes.py` compares it with the functions that change such files.
"""

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from memorybank.adopt import apply
from memorybank.adopt import finding as adoptable
from memorybank.adopt import plan as adoption_plan
from memorybank.bank import personal, recording
from memorybank.bank.bank import Bank
from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.config import sources
from memorybank.config.settings import Settings
from memorybank.cycle.base import describe as describe_cycle
from memorybank.cycle.finish import learned_notes, session_note
from memorybank.cycle.know import rejected
from memorybank.doctor import safety
from memorybank.drafting import page
from memorybank.editing import outside
from memorybank.editing.write import finish_interrupted
from memorybank.episodes import archive as weeks
from memorybank.episodes import purged, repair
from memorybank.episodes import store as episodes
from memorybank.episodes.entry import Episode
from memorybank.episodes.running import EpisodesLock
from memorybank.hosts import install, plugin
from memorybank.hosts.program import Program
from memorybank.merging import install as git_install
from memorybank.storage.layout import Layout
from memorybank.text import generated
from memorybank.text.needle import PurgeNeedle
from tests.crash.recorder import Passing, replaced
from tests.crash.scenarios import finish_session, log_session

NOW = 1_758_112_496_789
MARK = "途中で保存 saved meanwhile".encode()
KEY, OTHER, CRLF = "planning/設計.md", "shared/links.md", "crlf.md"
NOTES = {
    KEY: "---\ntags: [db]\n---\n# 設計\n\n要点を書く。\n".encode(),
    OTHER: "---\ntags: [db/x]\n---\n[設計](../planning/設計.md) and [[設計]]\n".encode(),
    CRLF: b"\xef\xbb\xbf# Bytes\r\n\r\nline ends stay\r\n",
}
SECRET = "hunter2 correct horse"
_TIMES = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}T\d{6,9}Z?")


@dataclass(frozen=True)
class ChangeCaller:
    """One command.

    file: the file that the editor saves, relative to the world
    prepare: adds to a world what the command needs
    run: the command; it runs again after a crash. It returns what the person reads, such as the path of a backup
    saved: returns the editor's version of the file's bytes, None for no file; it contains `mark`
    texts: of a person, in files that commands write themselves; they are always found
    settle: what brings derived truth, such as the dates of all notes, up to date before worlds are compared
    """

    name: str
    file: str
    run: Callable[["World", FixedClock], str | None]
    prepare: Callable[["World"], None] = lambda world: None
    saved: Callable[[bytes | None], bytes] = lambda data: (data or b"") + MARK + b"\n"
    mark: bytes = MARK
    texts: tuple[bytes, ...] = ()
    settle: Callable[["World", FixedClock], None] = lambda world, clock: None


class World:
    """A folder with a bank at `project/.claude/memory`, and a home folder."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.project = os.path.join(root, "project")
        self.home = os.path.join(root, "home")
        self.layout = Layout(os.path.join(self.project, "bank"))
        self.environ = {"HOME": self.home, "XDG_CONFIG_HOME": f"{self.home}/config", "XDG_STATE_HOME": f"{self.home}/state"}

    def bank(self, clock: FixedClock) -> Bank:
        return Bank(self.layout, Settings(), clock)

    def path(self, name: str) -> str:
        return os.path.join(self.root, *name.split("/"))

    def is_of_person(self, path: str) -> bool:
        """Whether a person wrote the bytes of a file, so that no command may lose them."""
        return path.startswith(("project/", "home/")) and not path.startswith(_OURS)

    def present(self, name: str) -> bytes | None:
        """Return the bytes of a file, or None when it does not exist."""
        try:
            with open(self.path(name), "rb") as stream:
                return stream.read()
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as stream:
            stream.write(data)
        os.utime(self.path(name), ns=((NOW - 20 * DAY) * 1_000_000,) * 2)


def normalised(world: World) -> dict[str, bytes]:
    """The files of a world that people see, without instants: {path: bytes}."""
    found = {}
    for folder, _, names in os.walk(world.root):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), world.root)
            if not path.startswith(_HIDDEN) and ".mb-tmp-" not in name:
                with open(os.path.join(folder, name), "rb") as stream:
                    found[_TIMES.sub(b"T", path.encode()).decode()] = _TIMES.sub(b"T", stream.read().replace(world.root.encode(), b"W"))
    return found


BANK = "project/bank/"
_HIDDEN = (*(f"{BANK}{name}/" for name in ("backups", "log", "cache", "indexes", "metadata", "archive")), "home/state/")
_OURS = (
    *_HIDDEN,
    *(f"{BANK}{name}" for name in ("dates.jsonl", ".gitattributes", "episodes/", "active/sync/sessions/", "active/learned/", "summary.md", "summary.draft.md")),
    "home/plugin/",
    "home/config/",
    "home/.claude/",
)
"""Files that commands write themselves. What people add to them is in `texts`."""
ACTIVE = BANK + "active/"


def notes(world: World) -> None:
    """Three notes with recorded dates, and a bookmark."""
    for key, data in NOTES.items():
        world.write(ACTIVE + key, data)
    world.write(BANK + "bookmarks.json", _json({"version": "1.0", "bookmarks": [{"path": KEY, "added_at": "", "note": "大切"}], "of mine": 1}))
    recording.begin(world.bank(FixedClock(NOW - DAY)), "init")


def own_settings(world: World, clock: FixedClock) -> None:
    outside.finish(sources.own_path(world.environ))


def all_dates(world: World, clock: FixedClock) -> None:
    recording.record_all(world.bank(clock))


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def json_member(data: bytes | None) -> bytes:
    """A person adds a member to a JSON object."""
    return _json({**json.loads(data or b"{}"), "of a person": MARK.decode()})


def bookmark_of_person(data: bytes | None) -> bytes:
    document = json.loads(data or b'{"version": "1.0", "bookmarks": []}')
    return _json({**document, "bookmarks": [*document["bookmarks"], {"path": CRLF, "note": MARK.decode()}]})


PULLED = b'{"kind":"adopt","at":"2001-02-03T04:05:06.007Z"}\n'


def pulled_dates(data: bytes | None) -> bytes:
    """git merges a line of another clone."""
    return PULLED + (data or b"")


def line_of_person(data: bytes | None) -> bytes:
    line = {"memory": "rule:0a0a0a0a", "verdict": "rejected", "at": isoformat(NOW), "by": "command", "what": MARK.decode()}
    return (data or b"") + json.dumps(line, ensure_ascii=False).encode() + b"\n"


def episode_of_person(data: bytes | None) -> bytes:
    return _json([*json.loads(data or b"[]"), {"date": "2025-01-02", "summary": MARK.decode(), "by": "person"}])


def week_of_person(data: bytes | None) -> bytes:
    document = json.loads(data or b'{"week": "2025-W38", "entries": []}')
    entry = {"date": "2025-09-16", "summary": MARK.decode()}
    return _json({**document, "entries": [*document["entries"], {"digest": weeks.digest_of(entry), "entry": entry}]})


# commands


def rate(world: World, clock: FixedClock) -> None:
    world.bank(clock).notes.rate(KEY, 5)


def replace(world: World, clock: FixedClock) -> None:
    bank = world.bank(clock)
    note = bank.notes.read(KEY, record_view=False)
    bank.notes.replace(KEY, note.text.replace("要点", "結論"), note.digest)


def edit_in_editor(world: World, clock: FixedClock) -> None:
    draft = world.bank(clock).notes.draft(KEY)
    with open(draft.path, "rb+") as stream:
        data = stream.read().replace("要点".encode(), "結論".encode())
        stream.seek(0)
        stream.write(data)
    draft.save()


def move(world: World, clock: FixedClock) -> None:
    if _has(world, KEY, clock):
        world.bank(clock).notes.rename(KEY, "shared/新しい.md")


def move_with_links(world: World, clock: FixedClock) -> None:
    bank = world.bank(clock)
    if _has(world, KEY, clock):
        bank.notes.rename_with_links(bank.notes.plan_links(KEY, "深い/新しい.md"))


def rename_tag(world: World, clock: FixedClock) -> None:
    bank = world.bank(clock)
    if any(found.tag.partition("/")[0] == "db" for found in bank.notes.tags()):
        bank.notes.rename_tag(bank.notes.plan_tags("db", "データ"))


def renamed_before(world: World) -> None:
    notes(world)
    rename_tag(world, FixedClock(NOW))


def undo_change(world: World, clock: FixedClock) -> None:
    rotation = world.bank(clock).rotation
    for change in [*rotation.undoable_changes()]:
        rotation.undo_change(change)


def forget(world: World, clock: FixedClock) -> None:
    rotation = world.bank(clock).rotation
    if _has(world, KEY, clock):
        rotation.execute(rotation.plan_forget([KEY]), yes=True)


def unmarked(world: World) -> None:
    notes(world)
    os.unlink(world.path(BANK + "bookmarks.json"))


def forgotten_before(world: World) -> None:
    unmarked(world)
    forget(world, FixedClock(NOW - DAY))


def restore(world: World, clock: FixedClock) -> None:
    world.bank(clock).archive.restore(KEY)


def undo_rotation(world: World, clock: FixedClock) -> None:
    world.bank(clock).rotation.undo()


def add_bookmark(world: World, clock: FixedClock) -> None:
    world.bank(clock).notes.bookmark_add(OTHER, "参照")


def remove_bookmark(world: World, clock: FixedClock) -> None:
    world.bank(clock).notes.bookmark_remove(KEY)


def remember(world: World, clock: FixedClock) -> None:
    world.bank(clock).notes.remember("検索は SQLite の FTS5 で行う")


def write_session_note(world: World, clock: FixedClock) -> None:
    finish_session(world.layout, clock)


def logged(world: World) -> None:
    notes(world)
    log_session(world.layout, "src/a.py")


def noted(world: World) -> None:
    logged(world)
    write_session_note(world, FixedClock(NOW))
    log_session(world.layout, "src/b.py")


SESSION_NOTE = ACTIVE + "sync/sessions/2025-09-17-" + sha256(b"claude-code s1").hexdigest()[:8] + ".md"


def noted_secret(world: World) -> None:
    notes(world)
    log_session(world.layout, f"src/{SECRET}.py")
    write_session_note(world, FixedClock(NOW))


def purge_session_note(world: World, clock: FixedClock) -> None:
    session_note.purge(world.layout, PurgeNeedle(SECRET), clock)


def proven(body: str) -> learned_notes.ProvenNote:
    data = generated.sealed(f"---\nversion: 1\n---\n\n# 規則 {SECRET}\n{body}".encode())
    return learned_notes.ProvenNote("rule:0b0b0b0b", "learned/rule-x-0b0b0b0b.md", data, "規則")


PROVEN, PROVEN_LATER = proven(""), proven("\n二度目\n")


def learn(world: World, clock: FixedClock, note: learned_notes.ProvenNote = PROVEN) -> None:
    learned_notes.LearnedNoteWriter(describe_cycle(world.layout, clock)).put(note)


def learn_more(world: World, clock: FixedClock) -> None:
    learn(world, clock, PROVEN_LATER)


def learned(world: World) -> None:
    notes(world)
    learn(world, FixedClock(NOW))


def withdraw(world: World, clock: FixedClock) -> None:
    learned_notes.withdraw(world.layout, PROVEN.memory, clock)


def purge_learned(world: World, clock: FixedClock) -> None:
    learned_notes.purge(world.layout, PurgeNeedle(SECRET), clock)


PERSON_PAGE = b"---\nupdated_at: 2025-09-01T00:00:00Z\n---\n\nA person wrote this.\n"


def drafted_page(world: World) -> None:
    notes(world)
    world.write(BANK + "summary.md", page.rendered("Drafted before.", NOW - DAY).encode())
    world.write(BANK + "summary.draft.md", b"an older draft\n")


def written_page(world: World) -> None:
    notes(world)
    world.write(BANK + "summary.md", PERSON_PAGE)
    world.write(BANK + "summary.draft.md", b"an older draft\n")


def refresh(world: World, clock: FixedClock, *, force: bool = False) -> str:
    with page.locked(world.layout, clock):
        finish_interrupted(world.layout, clock)
        before = page.read_page(world.layout)
        decision = page.decide(None if before is None else before.decode(), "新しい要約。", clock.now(), force=force)
        return page.carry_out(world.layout, decision, before, clock)[1]


def force_refresh(world: World, clock: FixedClock) -> str:
    return refresh(world, clock, force=True)


def drafted_secret(world: World) -> None:
    notes(world)
    for name in ("summary.md", "summary.draft.md"):
        world.write(BANK + name, page.rendered(f"Drafted with {SECRET}.", NOW - DAY).encode())


def purge_page(world: World, clock: FixedClock) -> None:
    page.purge(world.layout, PurgeNeedle(SECRET), clock)


def purge_bank(world: World, clock: FixedClock) -> None:
    world.bank(clock).purge(SECRET)


def reject(world: World, clock: FixedClock) -> None:
    rejected.add(world.layout, PROVEN.memory, is_rejected=True, by="command", what="規則", clock=clock)


def rejected_before(world: World) -> None:
    notes(world)
    reject(world, FixedClock(NOW))


def undo_reject(world: World, clock: FixedClock) -> None:
    rejected.add(world.layout, PROVEN.memory, is_rejected=False, by="command", what="規則", clock=clock)


def adoptable_docs(world: World) -> None:
    notes(world)
    world.write("project/docs/guide.md", "# 手引き\n\n読む。\n".encode())
    world.write("home/vault/私.md", "# 私\n".encode())
    world.write("home/config/memorybank/config.json", _json({"language": "ja"}))
    world.write(BANK + "config/sources_config.json", _json({"version": "1.0", "sources": []}))


def _adopt(world: World, clock: FixedClock, name: str, path: str, *, copy: bool) -> None:
    world.layout.repository = world.project
    if not any(source.name == name for source in sources.load(world.layout, world.environ).sources):
        found = adoptable.at(world.layout, world.environ, world.path(path), name, "docs" if "docs" in path else "obsidian")
        planned = adoption_plan.make(world.layout, [found], clock.now(), copy=[name] if copy else [])
        if planned.files or not copy:
            apply.apply(world.layout, planned, clock, world.environ)


def adopt_copy(world: World, clock: FixedClock) -> None:
    _adopt(world, clock, "docs", "project/docs", copy=True)


def adopt_in_place(world: World, clock: FixedClock) -> None:
    _adopt(world, clock, "docs", "project/docs", copy=False)


def adopt_own(world: World, clock: FixedClock) -> None:
    _adopt(world, clock, "vault", "home/vault", copy=False)


def adopted(adopt: Callable[[World, FixedClock], None]) -> Callable[[World], None]:
    def prepare(world: World) -> None:
        adoptable_docs(world)
        adopt(world, FixedClock(NOW))

    return prepare


def undo_adoption(world: World, clock: FixedClock) -> None:
    made = [each for each in apply.adoptions.read(world.layout) if not each.is_undone]
    if made:
        apply.undo(world.layout, made[-1].id, clock, world.environ)


def configured(world: World) -> None:
    notes(world)
    world.write(BANK + "config/episodes_config.json", _json({"timezone": "Asia/Tokyo"}))


def set_config(world: World, clock: FixedClock) -> None:
    world.bank(clock).episodes.set_lookback("5")


def ignoring(world: World) -> None:
    notes(world)
    world.write(BANK + ".gitignore", b"mine\n")


ELSEWHERE, COPIED = "home/state/repository", "shared/写し.md"


def copyable(world: World) -> None:
    """A repository's bank with a note; the bank of the world is the personal one."""
    notes(world)
    world.write(f"{ELSEWHERE}/active/{COPIED}", "# 写し\n\n要点。\n".encode())


def copy_to_personal(world: World, clock: FixedClock) -> None:
    here = Bank(Layout(world.path(ELSEWHERE)), Settings(), clock)
    personal.copy(here, world.bank(clock), COPIED)


def switch_personal_off(world: World, clock: FixedClock) -> None:
    personal.switch_off(world.project, world.environ)


@dataclass
class Patient:
    layout: Layout
    clock: FixedClock


def fix_ignores(world: World, clock: FixedClock) -> None:
    list(safety.ignore(Patient(world.layout, clock)))


DAYS = [{"date": f"2025-09-{day}", "summary": f"{day} 日の要約 {SECRET}", "by": "extractive"} for day in (15, 16)]
TOLD = tuple(f"{day} 日の要約".encode() for day in (15, 16))
EPISODES = BANK + "episodes/episodic_memory.json"
TOPICS = BANK + "episodes/topic_clusters.json"
WEEK = BANK + "episodes/archives/2025-W38.json"


def told(world: World) -> None:
    notes(world)
    world.write(EPISODES, _json(DAYS))
    topic = {"cluster_id": "topic_1", "auto_label": "検索", "persona_label": None, "episodes": []}
    world.write(TOPICS, _json({"version": "1.0", "clusters": [topic], "of mine": 1}))


def tell_day(world: World, clock: FixedClock) -> None:
    with EpisodesLock(world.layout, "memorybank episodes update", clock):
        new = Episode({"date": "2025-09-17", "summary": "十七日の要約", "by": "extractive"})
        episodes.EpisodeStore(world.layout, clock).change(lambda known: [*(one for one in known if one.first != "2025-09-17"), new])


def broken_list(world: World) -> None:
    told(world)
    world.write(EPISODES, _json(DAYS)[:-3])


def repair_list(world: World, clock: FixedClock) -> None:
    with EpisodesLock(world.layout, "memorybank episodes repair", clock):
        repair.repair(episodes.EpisodeStore(world.layout, clock), clock)


def purge_episodes(world: World, clock: FixedClock) -> None:
    with EpisodesLock(world.layout, "memorybank purge", clock):
        purged.purge(world.layout, PurgeNeedle(SECRET), clock)


REPLACED = BANK + "episodes/archives/replaced/" + episodes.replaced_name("2025-09-14", json.dumps(DAYS[0]).encode())


def replaced_text(world: World) -> None:
    told(world)
    world.write(REPLACED, json.dumps(DAYS[0]).encode())


def archived_week(world: World) -> None:
    told(world)
    weeks.write(world.layout, "2025-W38", [Episode(DAYS[0])], FixedClock(NOW))


def archive_week(world: World, clock: FixedClock) -> None:
    weeks.write(world.layout, "2025-W38", [Episode(day) for day in DAYS], clock)


def label_topic(world: World, clock: FixedClock) -> None:
    world.bank(clock).episodes.topics.label("topic_1", "探す")


def group_topics(world: World, clock: FixedClock) -> None:
    world.bank(clock).episodes.topics.update()


OF_SETTINGS = ("終わり".encode(), b"opus")
SETTINGS = "home/.claude/settings.json"
PROGRAM = Program("/usr/bin/python3", "/opt/memorybank/hook.py")


def with_settings(world: World) -> None:
    notes(world)
    world.write(SETTINGS, _json({"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say 終わり"}]}]}}))


def install_hooks(world: World, clock: FixedClock) -> None:
    environ = {**world.environ, "CLAUDE_CONFIG_DIR": world.path("home/.claude")}
    install.execute(install.plan_install("claude-code", "user", world.project, PROGRAM, environ), environ)


def with_hooks(world: World) -> None:
    with_settings(world)
    install_hooks(world, FixedClock(NOW))


def uninstall_hooks(world: World, clock: FixedClock) -> None:
    environ = {**world.environ, "CLAUDE_CONFIG_DIR": world.path("home/.claude")}
    install.execute(install.plan_uninstall("claude-code", "user", world.project, environ), environ)


def with_plugin(world: World) -> None:
    plugin.write(world.path("home/plugin"), plugin.plan(world.path("home/plugin"), "0.9"))


def write_plugin(world: World, clock: FixedClock) -> None:
    with replaced(Passing()):  # what is in the folder when the plan is made was shown to the person
        planned = plugin.plan(world.path("home/plugin"), "1.0")
    plugin.write(world.path("home/plugin"), planned)


GIT_HOOK = "home/config/hooks/post-merge"
OF_GIT_HOOK = ("echo 取り込み".encode(),)


def with_git_hook(world: World) -> None:
    notes(world)
    world.write(GIT_HOOK, b"#!/bin/sh\n" + OF_GIT_HOOK[0] + b"\n")


def install_git_hook(world: World, clock: FixedClock) -> None:
    path = world.path(GIT_HOOK)
    before = outside.read(path, 1 << 20)
    after = git_install.in_script(before, "bank", ["memorybank index || :"])
    installation = git_install.GitInstallation(
        Layout(world.layout.root, repository=world.project), git_install.GitProgram("/usr/bin/python3", "/opt/for_git.py")
    )
    git_install.carry_out(installation, [git_install.GitPart(git_install.HOOK_PART, path, git_install.MISSING, before, after)], clock)


def resolve_note(world: World, clock: FixedClock) -> None:
    finish_interrupted(world.layout, clock)
    merged = NOTES[OTHER] + b"\nmerged\n"
    if world.present(ACTIVE + OTHER) != merged:
        git_install.save_merged(world.layout, f"active/{OTHER}", NOTES[OTHER], merged, clock)


def _has(world: World, key: str, clock: FixedClock) -> bool:
    """Whether the note is there, after an interrupted change was finished."""
    try:
        world.bank(clock).notes.resolve(key)
    except Exception:
        return False
    return os.path.lexists(world.layout.note_path(key))


NOTE, DATES, BOOKMARKS = ACTIVE + KEY, BANK + "dates.jsonl", BANK + "bookmarks.json"
CALLERS = (
    ChangeCaller("rate", NOTE, rate, notes, settle=all_dates),
    ChangeCaller("rate, dates", DATES, rate, notes, pulled_dates, PULLED.strip(), settle=all_dates),
    ChangeCaller("replace", NOTE, replace, notes, settle=all_dates),
    ChangeCaller("edit", NOTE, edit_in_editor, notes, settle=all_dates),
    ChangeCaller("edit, the copy", BANK + "backups/edits/20250917T123456Z-1/設計.md", edit_in_editor, notes, settle=all_dates),
    ChangeCaller("mv", NOTE, move, notes, settle=all_dates),
    ChangeCaller("mv, bookmarks", BOOKMARKS, move, notes, bookmark_of_person, settle=all_dates),
    ChangeCaller("mv --links", ACTIVE + OTHER, move_with_links, notes, settle=all_dates),
    ChangeCaller("tags rename", ACTIVE + OTHER, rename_tag, notes, settle=all_dates),
    ChangeCaller("undo of tags rename", ACTIVE + OTHER, undo_change, renamed_before, settle=all_dates),
    ChangeCaller("forget", NOTE, forget, unmarked, settle=all_dates),
    ChangeCaller("archive restore", NOTE, restore, forgotten_before, settle=all_dates),
    ChangeCaller("undo of forget", NOTE, undo_rotation, forgotten_before, settle=all_dates),
    ChangeCaller("bookmark add", BOOKMARKS, add_bookmark, notes, bookmark_of_person),
    ChangeCaller("bookmark remove", BOOKMARKS, remove_bookmark, notes, bookmark_of_person),
    ChangeCaller("remember", ACTIVE + "shared/検索は-sqlite-の-fts5-で行う.md", remember, notes, settle=all_dates),
    ChangeCaller("remember, dates", DATES, remember, notes, pulled_dates, PULLED.strip(), settle=all_dates),
    ChangeCaller("session note", SESSION_NOTE, write_session_note, logged),
    ChangeCaller("session note again", SESSION_NOTE, write_session_note, noted),
    ChangeCaller("session note purged", SESSION_NOTE, purge_session_note, noted_secret),
    ChangeCaller("learned note", ACTIVE + PROVEN.key, learn, notes),
    ChangeCaller("learned note again", ACTIVE + PROVEN.key, learn_more, learned),
    ChangeCaller("learned note withdrawn", ACTIVE + PROVEN.key, withdraw, learned),
    ChangeCaller("learned note purged", ACTIVE + PROVEN.key, purge_learned, learned),
    ChangeCaller("summary", BANK + "summary.md", refresh, notes),
    ChangeCaller("summary again", BANK + "summary.md", refresh, drafted_page),
    ChangeCaller("summary, a person's draft", BANK + "summary.draft.md", refresh, drafted_page, texts=(b"an older draft\n",)),
    ChangeCaller("summary, older draft", BANK + "summary.draft.md", refresh, drafted_secret),
    ChangeCaller("summary --force", BANK + "summary.md", force_refresh, written_page, texts=(PERSON_PAGE,)),
    ChangeCaller("draft of the summary", BANK + "summary.draft.md", refresh, written_page, texts=(PERSON_PAGE, b"an older draft\n")),
    ChangeCaller("summary purged", BANK + "summary.md", purge_page, drafted_secret),
    ChangeCaller("draft purged", BANK + "summary.draft.md", purge_page, drafted_secret),
    ChangeCaller("purge", SESSION_NOTE, purge_bank, noted_secret, settle=all_dates),
    ChangeCaller("know reject", BANK + "rejected.jsonl", reject, notes, line_of_person),
    ChangeCaller("know undo", BANK + "rejected.jsonl", undo_reject, rejected_before, line_of_person),
    ChangeCaller("adopt a copy", ACTIVE + "imported/docs/guide.md", adopt_copy, adoptable_docs),
    ChangeCaller("adopt in place", BANK + "config/sources_config.json", adopt_in_place, adoptable_docs, json_member),
    ChangeCaller(
        "adopt, own settings", "home/config/memorybank/config.json", adopt_own, adoptable_docs, json_member, texts=(b'"language": "ja"',), settle=own_settings
    ),
    ChangeCaller("personal copy", ACTIVE + COPIED, copy_to_personal, copyable, settle=all_dates),
    ChangeCaller(
        "personal off",
        "home/config/memorybank/config.json",
        switch_personal_off,
        adoptable_docs,
        json_member,
        texts=(b'"language": "ja"',),
        settle=own_settings,
    ),
    ChangeCaller("undo of a copy", ACTIVE + "imported/docs/guide.md", undo_adoption, adopted(adopt_copy)),
    ChangeCaller("undo of adopt in place", BANK + "config/sources_config.json", undo_adoption, adopted(adopt_in_place), json_member),
    ChangeCaller(
        "undo of own settings",
        "home/config/memorybank/config.json",
        undo_adoption,
        adopted(adopt_own),
        json_member,
        texts=(b'"language": "ja"',),
        settle=own_settings,
    ),
    ChangeCaller("config", BANK + "config/episodes_config.json", set_config, configured, json_member),
    ChangeCaller(".gitignore", BANK + ".gitignore", fix_ignores, ignoring),
    ChangeCaller("episodes update", EPISODES, tell_day, told, episode_of_person, texts=TOLD),
    ChangeCaller("episodes repair", EPISODES, repair_list, broken_list, texts=TOLD),
    ChangeCaller("episodes purge", EPISODES, purge_episodes, told, episode_of_person, texts=TOLD),
    ChangeCaller("episodes purge, replaced text", REPLACED, purge_episodes, replaced_text, lambda data: json.dumps({"of": MARK.decode()}).encode(), b"\\u9014"),
    ChangeCaller("merged week", WEEK, archive_week, archived_week, week_of_person, texts=TOLD),
    ChangeCaller("topics label", TOPICS, label_topic, told, json_member, texts=TOLD),
    ChangeCaller("topics update", TOPICS, group_topics, told, json_member, texts=TOLD),
    ChangeCaller("hooks install", SETTINGS, install_hooks, with_settings, json_member, texts=OF_SETTINGS),
    ChangeCaller("hooks uninstall", SETTINGS, uninstall_hooks, with_hooks, json_member, texts=OF_SETTINGS),
    ChangeCaller("plugin", "home/plugin/README.md", write_plugin, with_plugin),
    ChangeCaller("git install, hook", GIT_HOOK, install_git_hook, with_git_hook, texts=OF_GIT_HOOK),
    ChangeCaller("git resolve", ACTIVE + OTHER, resolve_note, notes),
)
