"""Sources: who may declare them, what nobody may change through the bank, and what never sees them."""

import json
import os

import pytest

from memorybank.bank import Bank
from memorybank.config import sources
from memorybank.editing import own_settings
from memorybank.errors import Conflict, UsageError

ADR = "docs/adr/0002-retry-with-jitter.md"


def declare(made, *entries: dict[str, object]) -> None:
    (made.root / "config" / "sources_config.json").write_text(json.dumps({"sources": list(entries)}), encoding="utf-8")


def quality(made) -> dict[str, object]:
    found = json.loads(made.run("metrics", "--json").out)["memory_bank_metrics"]
    return {name: value for group in ("storage_metrics", "quality_metrics") for name, value in found[group].items()}


def loaded(made):
    return sources.load(made.layout)


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"name": "x", "kind": "docs", "path": "/etc"}, "source_outside"),
        ({"name": "x", "kind": "docs", "path": "../other"}, "source_outside"),
        ({"name": "x", "kind": "docs", "path": "docs/../../other"}, "source_outside"),
        ({"name": "x", "kind": "docs", "path": "~/Vault"}, "source_outside"),
        ({"name": "x", "kind": "docs", "path": ".git"}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": ".claude/memory"}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": ".claude/memory/log"}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": "linked"}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": "linked/inside"}, "source_invalid"),
        ({"name": "", "kind": "docs", "path": "docs"}, "source_invalid"),
        ({"name": "../x", "kind": "docs", "path": "docs"}, "source_invalid"),
        ({"name": "x" * 61, "kind": "docs", "path": "docs"}, "source_invalid"),
        ({"name": "x", "kind": "program", "path": "docs"}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": ""}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": "docs\0"}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": 7}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": "docs", "except": ["../secret"]}, "source_invalid"),
        ({"name": "x", "kind": "docs", "path": "docs", "except": "adr"}, "source_invalid"),
        ("docs", "source_invalid"),
    ],
)
def test_a_bank_that_names_what_it_must_not_is_ignored_and_reported(world, tmp_path, entry, code):
    made = world("documentation")
    outside = tmp_path / "elsewhere"
    (outside / "inside").mkdir(parents=True)
    (outside / "inside" / "secret.md").write_text("# Zanzibar\n\nThe zanzibar key.\n", encoding="utf-8")
    os.symlink(outside, made.project / "linked")
    declare(made, entry)
    found = loaded(made)
    assert found.sources == ()
    assert [problem.code for problem in found.problems] == [code]
    assert "config.sources" in made.run("doctor").out
    assert "zanzibar" not in made.run("search", "zanzibar key").out.lower().replace("'zanzibar", "")


def test_a_valid_entry_beside_invalid_ones_counts(world):
    made = world("documentation")
    declare(
        made,
        {"name": "x", "kind": "docs", "path": "/etc"},
        {"name": "adr", "kind": "decisions", "path": "docs/adr"},
        {"name": "adr", "kind": "docs", "path": "docs"},
    )
    assert [source.name for source in loaded(made).sources] == ["adr"]
    assert len(loaded(made).problems) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", "\xff\xfe", '{"sources": 7}', '{"sources": [[]]}', "null", "{" * 5000])
def test_a_broken_declaration_stops_nothing(world, text):
    made = world("documentation")
    (made.root / "config" / "sources_config.json").write_bytes(text.encode("latin-1"))
    assert loaded(made).sources == ()
    assert made.run("search", "anything").code == 0
    assert made.run("list").code == 0


def test_own_settings_of_another_bank_do_not_count(world):
    made = world("obsidian")
    made.adopt("vault")
    text = made.own_settings.read_text(encoding="utf-8")
    made.own_settings.write_text(text.replace(str(made.root), "/somewhere/else/.claude/memory"), encoding="utf-8")
    assert loaded(made).sources == ()
    assert "firmware" not in made.run("search", "label printer firmware").out.replace("'label printer firmware'", "")


def test_a_copied_bank_cannot_bring_the_sources_of_a_person(world):
    """What a person declared for one bank is not declared for a clone of it."""
    made = world("obsidian")
    made.adopt("vault")
    moved = made.project.with_name("clone")
    made.project.rename(moved)
    made.project = moved
    assert loaded(made).sources == ()


@pytest.mark.parametrize(
    "arguments",
    [
        ["rate", ADR, "9"],
        ["forget", ADR],
        ["mv", ADR, "planning/"],
        ["bookmark", "add", ADR],
        ["edit", ADR, "--editor", "true"],
        ["rate", f"./{ADR}", "9"],
        ["forget", f"./{ADR}"],
        ["mv", f"./{ADR}", "x.md"],
    ],
)
def test_nothing_writes_to_a_source(world, arguments):
    made = world("documentation")
    made.adopt("docs", "adr")
    before, originals = made.truth(), made.originals()
    done = made.run(*arguments)
    assert done.code == 2
    assert f"edit {ADR} itself" in done.err
    assert (made.truth(), made.originals()) == (before, originals)


def test_nothing_writes_to_a_source_in_python(world):
    made = world("documentation")
    made.adopt("adr")
    bank = Bank.open(made.root)
    note = bank.notes.read(ADR)
    view = bank.seen_by("planner")
    for change in (
        lambda: bank.notes.rate(ADR, 9),
        lambda: bank.notes.replace(ADR, "x", note.digest),
        lambda: bank.notes.rename(ADR, "x.md"),
        lambda: bank.notes.draft(ADR),
        lambda: bank.rotation.plan_forget([ADR]),
        lambda: view.rate(f"note:./{ADR}", 9),
        lambda: view.bookmark(f"note:./{ADR}"),
    ):
        with pytest.raises(UsageError, match="only read"):
            change()
    assert "full jitter" in view.read(f"note:./{ADR}").text


def test_rotation_publishing_and_counts_never_see_sources(world):
    made = world("documentation", "instructions")
    made.run("add", "A note", "--body", "The form of decisions.")
    made.run("index")
    published = {path.name: path.read_bytes() for path in (made.root / "indexes").iterdir()}
    metrics = quality(made)
    made.adopt("--all")
    for path in (made.project / "docs").rglob("*.md"):
        os.utime(path, ns=(10**18, 10**18))  # 2001: what rotates by age would take all of them
    made.run("index")
    assert {path.name: path.read_bytes() for path in (made.root / "indexes").iterdir()} == published
    assert quality(made) == metrics
    planned = made.run("rotate", "--dry-run", "--all", "--json").out
    assert "docs/" not in planned
    assert "CLAUDE.md" not in planned
    assert "docs/" not in made.run("list", "--all").out


def test_a_rebuild_gives_the_same_bytes(world):
    made = world("documentation", "memory-bank")
    made.adopt("--all")
    made.run("index")
    before = {path.name: path.read_bytes() for path in (made.root / "indexes").iterdir()}
    assert made.run("rebuild", "--as-of", "2025-09-17T12:34:56.789Z").code == 0
    assert {path.name: path.read_bytes() for path in (made.root / "indexes").iterdir()} == before


def test_dates_come_from_git(world):
    made = world("documentation")
    os.utime(made.project / ADR, None)
    made.adopt("adr")
    (entry,) = [each for each in Bank.open(made.root).adoption.files() if each.key.endswith("jitter.md")]
    assert entry.date_source == "git" or entry.date_source == "recorded"


def test_links_find_titles_aliases_permalinks_and_paths(world):
    made = world("obsidian", "basic-memory", "documentation")
    made.adopt("vault", "basic-memory", "docs", "adr")
    made.run("add", "Own note", "--body", "Compare [[ZPL printer]], [[荷物の地図]], [[specs/query-parser]] and docs/guides/uploads.md.")
    made.run("add", "uploads", "--body", "A note of the bank with a name that a document has too.")
    links = {(source.rpartition("/")[2], target.rpartition("/")[2]) for source, target in Bank.open(made.root).notes.links()}
    assert {
        ("Overview.md", "Label printer.md"),
        ("Overview.md", "再送の方針.md"),
        ("Label printer.md", "Overview.md"),  # by an alias in another case
        ("Search Ranking.md", "query-parser.md"),  # by its title
        ("Search Ranking.md", "Tokenizer.md"),  # by its permalink
        ("own-note.md", "Label printer.md"),
        ("own-note.md", "Overview.md"),
        ("own-note.md", "query-parser.md"),
        ("own-note.md", "uploads.md"),
        ("index.md", "0001-record-decisions.md"),
        ("index.md", "uploads.md"),
        ("uploads.md", "0002-retry-with-jitter.md"),
    } <= links


def test_a_link_follows_an_alias_that_moves(world):
    made = world("obsidian")
    made.adopt("vault")
    bank = Bank.open(made.root)
    folder = made.home / "Vault/Projects/parcels"
    overview = folder / "Overview.md"
    printer = str(folder / "Hardware/Label printer.md")
    assert (printer, str(overview)) in bank.notes.links()
    overview.write_text(overview.read_text(encoding="utf-8").replace("Parcel map, ", ""), encoding="utf-8")
    assert (printer, str(overview)) not in bank.notes.links()
    other = folder / "Map.md"
    other.write_text("---\naliases: [parcel map]\n---\n\n# Map\n", encoding="utf-8")
    assert (printer, str(other)) in bank.notes.links()
    other.unlink()
    assert (printer, str(other)) not in bank.notes.links()


def test_inline_and_nested_tags(world):
    made = world("obsidian", "documentation")
    made.adopt("vault", "docs")
    for tag in ("db", "DB", "db/postgres", "設計", "hardware"):
        found = made.run("search", "", "--type", "recent", "--tag", tag, "--json").out
        assert "Vault" in found, tag
    assert json.loads(made.run("search", "", "--type", "recent", "--tag", "d", "--json").out)["hits"] == []
    tags = {line.split()[0] for line in made.run("tags").out.split("\n")[1:] if line}
    assert {"db", "db/postgres", "設計", "hardware", "project"} <= tags
    assert "412" not in tags, "a number refers to an issue"


def test_what_vanishes_at_its_origin_vanishes_here(world):
    made = world("obsidian")
    made.adopt("vault")
    assert "4.12" in made.run("search", "printer firmware").out
    (made.home / "Vault/Projects/parcels/Hardware/Label printer.md").unlink()
    assert "4.12" not in made.run("search", "printer firmware").out
    (made.home / "Vault").rename(made.home / "Unmounted")
    assert "三回" not in made.run("search", "再送は三回").out
    assert "does not exist" in made.run("doctor").out
    (made.home / "Unmounted").rename(made.home / "Vault")
    assert "三回" in made.run("search", "再送は三回").out


def test_an_edit_at_the_origin_is_seen(world):
    made = world("documentation")
    made.adopt("adr")
    made.run("search", "jitter")
    made.write(made.project / ADR, "# 2. Retry\n\nUploads are retried nine times with decorrelated waiting.\n")
    os.utime(made.project / ADR)
    assert "decorrelated" in made.run("search", "decorrelated waiting").out


def test_copies_of_secrets_are_left_out(world):
    made = world()
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    made.write(made.project / "docs" / "key.md", f"# Key\n\nexport GITHUB_TOKEN={token}\n")
    made.write(made.project / "docs" / "fine.md", "# Fine\n")
    shown = made.adopt("docs", "--copy").out
    assert "left out: ./docs/key.md: it seems to contain a secret" in shown
    assert "docs: 1 file was copied into active/; your next commit includes it" in shown
    assert [path.name for path in (made.root / "active").rglob("*.md")] == ["fine.md"]


def test_undo_says_what_an_earlier_adoption_still_reads(world):
    made = world("memory-bank")
    made.adopt("memory-bank")
    made.adopt("memory-bank", "--copy")
    assert "still read in place, by an earlier adoption: memory-bank" in made.run("adopt", "--undo").out
    assert "still read" not in made.run("adopt", "--undo").out


def test_a_file_without_markdown_is_refused(world):
    made = world()
    made.write(made.project / "rules.txt", "no Markdown")
    done = made.run("adopt", "--from", str(made.project / "rules.txt"), "--yes")
    assert done.code == 2 and "contains no Markdown file" in done.err
    assert not (made.root / "config" / "sources_config.json").exists()


def test_an_edited_copy_survives_undo(world):
    made = world("memory-bank")
    made.adopt("memory-bank", "--copy")
    brief = made.root / "active/memory-bank/projectbrief.md"
    brief.write_text(brief.read_text(encoding="utf-8") + "\nA person's line.\n", encoding="utf-8")
    done = made.run("adopt", "--undo")
    assert done.code == 1
    assert "stayed" in done.out
    assert "A person's line." in brief.read_text(encoding="utf-8")
    assert [path.name for path in (made.root / "active").rglob("*.md")] == ["projectbrief.md"]


@pytest.mark.parametrize("how", [(), ("--copy",)])
def test_an_adoption_that_was_killed_before_its_record_is_undone_as_a_change(world, monkeypatch, how):
    made = world("documentation")
    before = made.truth()

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("memorybank.adopt.apply.adoptions.append", killed)
        patched.setattr("memorybank.adopt.apply.changes.undo", lambda *_: None)  # a killed process takes nothing back
        made.run("adopt", "adr", *how, "--yes")
    assert made.truth() != before
    refused = made.run("adopt", "--undo")
    assert refused.code == 3
    assert "memorybank undo --list" in refused.err
    assert "  adopt  " in made.run("undo", "--list").out
    assert made.run("undo").code == 0
    assert made.truth() == before


def test_own_settings_that_were_edited_since_keep_the_edit(world):
    made = world("obsidian")
    made.own_settings.parent.mkdir(parents=True)
    made.own_settings.write_text('{ "summarizer": {"use": "extractive"} }\n', encoding="utf-8")
    made.adopt("vault")
    settings = json.loads(made.own_settings.read_text(encoding="utf-8"))
    assert settings["summarizer"] == {"use": "extractive"}
    settings["summarizer"]["preset"] = "ollama"
    made.own_settings.write_text(json.dumps(settings), encoding="utf-8")
    assert made.run("adopt", "--undo").code == 0
    assert json.loads(made.own_settings.read_text(encoding="utf-8")) == {"summarizer": {"use": "extractive", "preset": "ollama"}}


def test_broken_own_settings_are_not_touched(world):
    made = world("obsidian", "documentation")
    made.own_settings.parent.mkdir(parents=True)
    made.own_settings.write_text("{ broken", encoding="utf-8")
    before = made.truth()
    done = made.run("adopt", "vault", "adr", "--yes")
    assert done.code == 6
    assert made.truth() == before


def test_the_summary_is_drafted(world):
    made = world("memory-bank")
    made.adopt("memory-bank")
    text = (made.root / "summary.md").read_text(encoding="utf-8")
    assert "Sell the last seat" in text
    assert "advisory locks" in text
    assert made.run("summary", "show").code == 0
    assert "nothing" not in made.run("summary", "show").out[:40]


def test_a_private_summary_is_only_a_draft(world):
    made = world("claude-code")
    made.adopt("claude-memory")
    assert not (made.root / "summary.md").exists()
    assert "small commits" in (made.root / "summary.draft.md").read_text(encoding="utf-8")
    made.git("add", "-A")
    made.git("commit", "-q", "-m", "everything")
    assert "summary.draft.md" not in made.git("ls-files")


def test_an_existing_summary_is_not_replaced(world):
    made = world("memory-bank")
    page = made.root / "summary.md"
    page.write_text("---\nupdated_at: 2026-01-01T00:00:00Z\n---\nMine.\n", encoding="utf-8")
    made.adopt("memory-bank")
    assert page.read_text(encoding="utf-8").endswith("Mine.\n")
    assert (made.root / "summary.draft.md").exists()


def test_adopting_twice_and_nothing(world):
    made = world("documentation")
    made.adopt("adr")
    assert made.run("adopt", "adr", "--yes").code == 2
    assert made.run("adopt", "nonsense", "--yes").code == 3
    assert made.run("adopt", "--undo", "nonsense").code == 3
    assert made.run("adopt", "--copy").code == 2
    assert made.run("adopt", "--name", "x").code == 2
    assert made.run("adopt", "adr", "--from", "docs").code == 2
    assert made.run("adopt", "--from", str(made.home)).code == 2
    assert made.run("adopt", "--from", str(made.root)).code == 2
    assert made.run("adopt", "--from", "nowhere").code == 3
    assert made.run("adopt", "--from", "docs", "--kind", "zoo").code == 2
    assert made.run("adopt", "--undo").code == 0
    assert made.run("adopt", "--undo").code == 3


def test_without_yes_nothing_happens(world):
    made = world("documentation")
    before = made.truth()
    shown = made.run("adopt", "--all")
    assert shown.out.endswith("nothing was changed; to adopt it, add --yes\n")
    assert json.loads(made.run("adopt", "--all", "--json").out)["adopted"] is False
    made.run("adopt", "--all", "--yes", "--dry-run")
    assert made.truth() == before


def test_undo_takes_it_back_too(world):
    made = world("documentation")
    before = made.truth()
    made.adopt("--all")
    assert made.run("undo").code == 0
    assert made.truth() == before


def test_several_adoptions_are_taken_back_one_by_one(world):
    made = world("documentation", "memory-bank")
    start = made.truth()
    made.adopt("adr")
    first = made.truth()
    made.adopt("memory-bank", "--copy")
    made.adopt("docs")
    made.run("adopt", "--undo")
    made.run("adopt", "--undo")
    assert made.truth() == first
    made.run("adopt", "--undo")
    assert made.truth() == start


def test_a_folder_by_its_path(world, tmp_path):
    made = world()
    notes = tmp_path / "elsewhere" / "研究 ノート"
    made.write(notes / "メモ.md", "# 観測\n\n望遠鏡の校正は毎週火曜日に行う。\n")
    made.adopt("--from", str(notes), "--name", "kenkyu")
    assert "火曜日" in made.run("search", "望遠鏡の校正").out
    assert made.run("show", str(notes / "メモ.md")).out.startswith("# 観測")
    made.adopt("--from", "docs", "--name", "d") if (made.project / "docs").exists() else None


def test_odd_files_of_a_source(world):
    made = world()
    docs = made.project / "docs"
    made.write(docs / "crlf.md", "")
    (docs / "crlf.md").write_bytes(b"---\r\ntitle: Windows\r\n---\r\n\r\n# Windows\r\n\r\nThe quokka line.\r\n")
    (docs / "latin.md").write_bytes("# Grüße\n\nnaïve wombat\n".encode("latin-1"))
    (docs / "empty.md").write_bytes(b"")
    (docs / "nul.md").write_bytes(b"# NUL\n\0\n")
    os.symlink("/etc/passwd", docs / "passwd.md")
    os.mkfifo(docs / "pipe.md")
    (docs / "folder.md").mkdir()
    made.write(docs / "folder.md" / "inner.md", "# Inner\n\nAn echidna.\n")
    before = made.originals()
    made.adopt("docs")
    assert "quokka" in made.run("search", "quokka line").out
    assert "wombat" in made.run("search", "wombat").out
    assert "echidna" in made.run("search", "echidna").out
    assert "root:" not in made.run("search", "root", "--type", "content").out
    assert made.originals() == before


def test_a_vault_around_the_repository(world):
    """A bank inside somebody's vault: the repository is not read a second time, and nothing is written outside the bank."""
    made = world("documentation")
    vault = made.project.parent
    (vault / ".obsidian").mkdir()
    made.write(vault / "Ideas.md", "# Ideas\n\nA pangolin logo.\n")
    made.write(vault / "home" / "x.md", "# Home\n")
    before = made.originals()
    made.adopt("adr")
    made.adopt("--from", str(vault), "--name", "around")
    assert "pangolin" in made.run("search", "pangolin logo").out
    listed = json.loads(made.run("list", "--sources", "--json").out)
    around = next(each for each in listed if each["name"] == "around")
    assert not [path for path in around["paths"] if str(made.project) in path]
    assert made.originals() == before


def test_thousands_of_files(world, request):
    made, count = world(), 3_000 if request.config.getoption("--all") else 600
    for number in range(count):
        path = made.project / "docs" / f"part{number % 30}" / f"page-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Page {number}\n\nThe subject of page {number} is item{number}x.\n", encoding="utf-8")
    made.adopt("docs")
    assert f"page-{count - 1}.md" in made.run("search", f"item{count - 1}x").out
    (made.project / "docs" / "part1" / "page-1.md").unlink()
    made.write(made.project / "docs" / "part2" / "new.md", "# New\n\nA narwhal.\n")
    assert "narwhal" in made.run("search", "narwhal").out
    assert "page-1.md" not in made.run("search", "item1x").out


@pytest.mark.parametrize(
    ("folder", "refused"),
    [
        ("Vault/memory", True),
        ("Vault/Projects/parcels/bank", True),
        ("Vault/Projects/parcels/.claude/memory", False),
        (".claude/projects/-x/memory/.claude/memory", True),
        (".codex/memories/bank", True),
        ("work/.claude/memory", False),
    ],
)
def test_a_new_bank_does_not_litter_a_vault_or_an_agents_folder(world, folder, refused):
    made = world("obsidian", "claude-code")
    path = made.home / folder
    before = made.originals()
    done = made.run("--bank", str(path), "init")
    assert done.code == (2 if refused else 0), done.err
    if refused:
        assert "memorybank init" in done.err
        assert made.originals() == before


def test_config_validate_names_ignored_sources(world):
    made = world("documentation")
    declare(made, {"name": "x", "kind": "docs", "path": "/etc"})
    shown = made.run("config", "validate")
    assert "source_outside" in shown.out
    assert shown.code == 0, "an ignored source stops no command"


def test_two_adoptions_at_once_declare_a_source_once(world):
    made = world("documentation")
    bank = Bank.open(made.root)
    first, second = (bank.adoption.plan([bank.adoption.find().named("adr")]) for _ in range(2))
    bank.adoption.adopt(first)
    before = made.truth()
    with pytest.raises(Conflict):
        bank.adoption.adopt(second)
    assert made.truth() == before


def test_an_error_half_way_leaves_everything_as_it_was(world, monkeypatch):
    made = world("documentation", "obsidian")
    bank = Bank.open(made.root)
    planned = bank.adoption.plan([bank.adoption.find().named(name) for name in ("adr", "docs", "vault")], copy=["docs"])
    before = made.truth()
    monkeypatch.setattr(own_settings, "write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        bank.adoption.adopt(planned)
    assert made.truth() == before
    assert made.run("adopt", "--undo").code == 3, "nothing is left to take back"


def test_an_older_adoption_is_taken_back_without_the_newer_one(world):
    made = world("documentation", "obsidian")
    first = json.loads(made.run("adopt", "adr", "--yes", "--json").out)["id"]
    made.adopt("docs")
    made.adopt("vault")
    undone = made.run("adopt", "--undo", first)
    assert undone.code == 0, undone.err
    assert sorted(source.name for source in loaded(made).sources) == ["docs", "vault"]
    assert made.run("adopt", "--undo", first).code == 0, "twice is once"
    assert sorted(source.name for source in loaded(made).sources) == ["docs", "vault"]


def test_a_vault_that_is_the_repository(world):
    made = world("documentation")
    (made.project / ".obsidian").mkdir()
    made.write(made.project / "Areas" / "Idea.md", "---\naliases: [Big idea]\n---\n# Idea\n\nA tapir logo. #brand/logo\n")
    made.write(made.project / "Home.md", "# Home\n\nSee [[big idea]] and [[Uploads]].\n")
    made.adopt("--all")
    assert "tapir" in made.run("search", "", "--type", "recent", "--tag", "brand").out
    assert ("./Home.md", "./Areas/Idea.md") in Bank.open(made.root).notes.links()
    by_name = {each["name"]: each["paths"] for each in json.loads(made.run("list", "--sources", "--json").out)}
    assert by_name["vault"] == ["Areas/Idea.md", "Home.md"]
    assert "docs/index.md" in by_name["docs"], "a file belongs to the most specific source"
    assert made.run("index", "--check").out == "index and notes agree\n"


def test_problems_of_sources_are_listed(world):
    made = world()
    docs = made.project / "docs"
    made.write(docs / "fine.md", "# Fine\n")
    made.write(docs / "odd.md", "---\ncreated: 2025-13-45\n---\n# Odd\n")
    os.symlink("/etc/hosts", docs / "link.md")
    made.adopt("docs")
    shown = made.run("list", "--problems").out
    assert "./docs/odd.md" in shown
    assert "fine.md" not in shown
