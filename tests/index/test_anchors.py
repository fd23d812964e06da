"""Files and notes that a note names, and how many notes hold a term: what recall finds memories by."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from memorybank.clock import FixedClock
from memorybank.config.settings import load
from memorybank.index import anchors, changes
from memorybank.index.fold import fold
from memorybank.index.working import open_index
from memorybank.notes.note import Link
from memorybank.text.words import tokens
from tests.conftest import NOW, ScratchBank


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See src/upload.py, `tests/test_upload.py` and pyproject.toml.", ["file:src/upload.py", "file:tests/test_upload.py", "file:pyproject.toml"]),
        ("```sh\npython scripts/bench/run.py --fast\n```", ["file:scripts/bench/run.py"]),
        ("fixed in ./src/upload.py:120 (see src/upload.py#L5).", ["file:src/upload.py"]),
        ("再送は src/upload.py にある。設定はconfig/app.jsonを見る。", ["file:src/upload.py", "file:設定はconfig/app.json", "file:config/app.json"]),
        ("詳細はdocs/設計.mdを参照。upload.pyを直す。", ["file:詳細はdocs/設計.md", "file:docs/設計.md", "file:upload.py"]),
        (".claude/memory/active/planning/retry.md says so", ["note:planning/retry.md"]),
        ("https://example.org/a/b.py and 2025/09/17 and ../outside.py and ~/x/y.py and /etc/passwd", []),
        ("version 1.2.3 costs 3.5 s, e.g. a", []),
    ],
)
def test_paths_are_found_in_prose_and_code(text, found):
    assert list(anchors.find(text, "shared/a.md", ())) == found


def test_a_relative_link_names_a_file_of_the_repository():
    links = (Link("link", "../../../../src/main.py"), Link("link", "other.md"), Link("external", "https://example.org/x.py"))
    assert anchors.find("", "shared/a.md", links) == ("file:src/main.py",)


def test_a_list_of_files_is_about_none_in_particular():
    assert len(anchors.find("\n".join(f"src/file{number}.py" for number in range(500)), "a.md", ())) == anchors.MOST


def state(scratch: ScratchBank, now: int = NOW) -> tuple[dict[str, int], set[tuple[str, str]]]:
    with open_index(scratch.layout, load(scratch.layout), FixedClock(now)) as index:
        fold(index)
        found = dict(index.connection.execute("SELECT term, notes FROM frequencies"))
        named = set(index.connection.execute("SELECT anchor, key FROM anchors JOIN notes ON notes.id = anchors.note"))
    return found, named


def expected(scratch: ScratchBank) -> dict[str, int]:
    """Counted from the notes themselves."""
    found: dict[str, int] = {}
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW)) as index:
        for columns in index.connection.execute("SELECT title, headings, tags, body FROM tokens"):
            for term in {term for column in columns for term in column.split()}:
                found[term] = found.get(term, 0) + 1
    return found


def test_frequencies_and_anchors_follow_every_change(bank):
    scratch = bank({"planning/a.md": "# Retry\n\nsrc/upload.py retries.", "shared/b.md": "# 再送\n\nsrc/upload.py を直す。", "c.md": "plain"})
    found, named = state(scratch)
    assert found == expected(scratch)
    assert found["retri"] == 1
    assert found["upload"] == 2
    assert ("file:src/upload.py", "planning/a.md") in named
    scratch.write("planning/a.md", "# Other\n\nsrc/other.py now")
    (scratch.active / "c.md").unlink()
    found, named = state(scratch)
    assert found == expected(scratch)
    assert "retri" not in found
    assert {anchor for anchor, key in named if key == "planning/a.md"} == {"file:src/other.py"}


def test_many_changes_are_counted_from_the_vocabulary(bank, monkeypatch):
    """One way or the other: the same numbers."""
    notes = {f"n{number}.md": f"# Note {number}\n\nword{number % 7} 記憶{number % 3} shared" for number in range(40)}
    one = bank(notes)
    few = state(one)
    monkeypatch.setattr(changes, "COUNTED_ANEW", 10)
    other = bank(notes)
    assert state(other)[0] == few[0] == expected(one)
    assert few[0][tokens.tokens("shared")[0]] == 40


class Frequencies(RuleBasedStateMachine):
    """Notes come, change and go; the table always says what the notes say."""

    def __init__(self) -> None:
        super().__init__()
        import tempfile
        from pathlib import Path

        self.folder = tempfile.TemporaryDirectory()
        self.bank = ScratchBank(Path(self.folder.name))

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(key=st.sampled_from(("a.md", "b.md", "設計.md")), text=st.sampled_from(("", "alpha beta", "beta gamma src/a.py", "記憶の索引", "beta 記憶 src/b.py")))
    def write(self, key: str, text: str) -> None:
        self.bank.write(key, text)

    @rule(key=st.sampled_from(("a.md", "b.md", "設計.md")))
    def delete(self, key: str) -> None:
        (self.bank.active / key).unlink(missing_ok=True)

    @rule()
    def compare(self) -> None:
        assert state(self.bank)[0] == expected(self.bank)


TestFrequencies = Frequencies.TestCase


WORDS = "amber birch cedar domino ember fjord grape hazel igloo jewel koala lemon mango nylon otter pearl quartz raven saffron tulip umber velvet walnut xenon"


@pytest.mark.parametrize(("title", "named", "said"), [
    ("# Rules", "Money Passwords Errors Dates Orders Customers Payments Invoices", "- {} are stored as integers, never floats.\n"),
    ("# 規約", "金額 日時 在庫 予約 顧客 請求 支払 割引", "- {}は必ず整数で持つ。\n"),
])  # fmt: skip
def test_each_rule_and_each_word_of_a_long_page_has_an_anchor(title, named, said):
    """Synonyms take what is left."""
    rules = "".join(said.format(subject) for subject in (*named.split(), *WORDS.split()))
    words = "".join(f"- **{word}x**: {word} of the shop\n" for word in WORDS.split())
    found = anchors.of_conventions(f"{title}\n\n{rules}\n## Words\n\n{words}")
    assert {f"for:{word}" for word in WORDS.split()} <= set(found)
    assert len([one for one in found if one.startswith("means:")]) == len(WORDS.split())
    assert len(found) <= anchors.MOST_OF_CONVENTIONS
