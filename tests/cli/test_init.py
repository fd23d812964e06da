"""`init` makes a bank once, and never touches what is there."""

from memorybank.storage.layout import IGNORED


def test_init_makes_the_folders_and_says_what_to_do_next(tmp_path, process):
    class Place:
        repository = tmp_path

    (tmp_path / ".git").mkdir()
    result = process(Place, "init")
    assert result.code == 0 and "memorybank remember" in result.out
    root = tmp_path / ".claude" / "memory"
    for folder in ("active/planning", "active/implementation", "active/sync", "active/shared", "config"):
        assert (root / folder).is_dir()
    assert (root / ".gitignore").read_text().splitlines()[1:] == list(IGNORED)
    assert (root / "bookmarks.json").read_text() == '{\n  "version": "1.0",\n  "bookmarks": []\n}\n'


def test_init_in_a_bank_with_broken_settings_still_creates_what_is_missing(bank, run):
    scratch = bank({"a.md": "# A\n"})
    scratch.configure("rotation", "{")
    assert run(scratch, "init").code == 0
    assert (scratch.root / "bookmarks.json").exists() and not (scratch.root / "dates.jsonl").exists()


def committed(scratch):
    """The files of a bank without its index."""
    return {name: state for name, state in scratch.snapshot().items() if name.partition("/")[0] not in ("cache", "log")}


def test_a_second_init_changes_nothing(bank, process):
    scratch = bank({"planning/a.md": "# A\n"})
    process(scratch, "init")
    before = committed(scratch)
    assert "nothing changed" in process(scratch, "init").out
    assert committed(scratch) == before


def test_init_never_overwrites(bank, process):
    scratch = bank({})
    (scratch.root / "bookmarks.json").write_text("mine")
    (scratch.root / ".gitignore").write_text("log/\n")
    result = process(scratch, "init")
    assert (scratch.root / "bookmarks.json").read_text() == "mine"
    assert (scratch.root / ".gitignore").read_text() == "log/\n"
    assert "backups/" in result.err and " log/" not in result.err


def test_init_in_a_subfolder_uses_the_repository_root(tmp_path, process):
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()

    class Place:
        repository = tmp_path / "src"

    process(Place, "init")
    assert (tmp_path / ".claude" / "memory" / "active").is_dir()


def test_the_home_folder_is_refused(tmp_path, process):
    class Place:
        repository = tmp_path

    result = process(Place, "init", HOME=str(tmp_path))
    assert result.code == 2 and "--bank" in result.err
    assert not (tmp_path / ".claude").exists()


def test_bank_names_another_folder(bank, process, tmp_path):
    scratch = bank({})
    assert process(scratch, "--bank", str(tmp_path / "elsewhere"), "init").code == 0
    assert (tmp_path / "elsewhere" / "active" / "shared").is_dir()


def test_git_sees_only_what_is_meant_to_be_committed(bank, process):
    scratch = bank({"planning/a.md": "# A\n"}, git=True)
    process(scratch, "init")
    for folder in ("log", "cache", "indexes", "metadata", "backups"):
        (scratch.root / folder).mkdir(exist_ok=True)
        (scratch.root / folder / "x.json").write_text("{}")
    seen = [line[3:] for line in scratch.git("status", "--porcelain", "-uall").splitlines()]
    assert sorted(seen) == [
        ".claude/memory/" + name
        for name in (".gitattributes", ".gitignore", "active/planning/a.md", "bookmarks.json", "config/episodes_config.json", "dates.jsonl")
    ]


def test_init_indexes_the_notes_of_a_clone(bank, process):
    scratch = bank({"planning/a.md": "# Kettle\n", "設計/b.md": "# 急須\n"})
    result = process(scratch, "init")
    assert result.code == 0 and result.out.endswith("indexed 2 notes\n") and result.err == ""
    assert "indexed" not in process(scratch, "init").out


def test_init_of_an_empty_bank_makes_no_index(tmp_path, process):
    class Place:
        repository = tmp_path

    (tmp_path / ".git").mkdir()
    assert "indexed" not in process(Place, "init").out
    assert not (tmp_path / ".claude" / "memory" / "cache").exists()


def test_init_says_what_prevents_the_index(bank, process):
    scratch = bank({"planning/a.md": "# Kettle\n"})
    scratch.configure("scoring", "{")
    result = process(scratch, "init")
    assert result.code == 0 and "the notes are not indexed" in result.err and "memorybank index" in result.err
