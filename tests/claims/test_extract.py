"""Extraction is bounded, whatever a note contains, and never names what is not below the repository."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.claims import extract
from memorybank.claims.disk import PathsOnDisk
from memorybank.claims.extract import claims_of


def subjects(text: str, folder: str | None = None) -> list[str]:
    return [claim.subject for claim in claims_of(text, folder)]


def test_a_claim_has_the_line_on_which_it_is_written():
    text = "# Title\n\nFirst line\nsecond with `src/a.py` in it.\n\n- one\n- `src/b.py`\n\n| a | b |\n| `src/c.py` | 設定は`src/d.py`。 |\n"
    assert [(claim.subject, claim.line) for claim in claims_of(text, first_line=5)] == [("src/a.py", 8), ("src/b.py", 11), ("src/c.py", 14), ("src/d.py", 14)]


def test_windows_line_ends_change_nothing():
    text = "Retried in `src/a.py`.\n\n- [plan](../plan.md)\n- [[retry]]\n"
    assert claims_of(text.replace("\n", "\r\n"), "x/y") == claims_of(text, "x/y")


@pytest.mark.parametrize(
    "text",
    [
        "`src/a.py " * 400_000,
        "[" * 2_000_000,
        "](" * 1_000_000,
        "[a](" + "b" * 4_000_000,
        "[[" * 1_000_000,
        "a/" * 2_000_000,
        "。" * 1_000_000 + "src/a.py",
        "- " * 1_000_000,
        "> " * 1_000_000 + "`" * 1_000_000,
        "`" * 3_000_000,
        "http://" * 500_000,
        "x" * (64 << 20),
        "\n" * (8 << 20),
        "branch " * 500_000,
        "commit a1b2c3d " * 200_000,
    ],
    ids=range(15),
)
def test_a_hostile_text_takes_about_a_second_at_most(text):
    begun = time.process_time()
    assert len(claims_of(text, "notes")) <= extract.MOST
    assert time.process_time() - begun < 3


def test_ten_thousand_claims_are_the_first_two_hundred():
    text = "\n\n".join(f"See `src/file{number}.py`." for number in range(10_000))
    assert subjects(text) == [f"src/file{number}.py" for number in range(extract.MOST)]


@given(st.text(alphabet="a.b/~[]()`!<>|#*-:\n 設。ー\0%\\", max_size=300), st.sampled_from((None, ".claude/memory/active/planning")))
def test_no_subject_leads_out_of_the_repository(text, folder):
    for claim in claims_of(text, folder):
        path = claim.place or claim.subject
        if claim.kind == "path":
            assert not path.startswith(("/", "~", "../")) and ".." not in path.split("/") and "\0" not in path


def test_existence_is_never_looked_up_through_a_link(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("x")
    root = tmp_path / "repository"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("x")
    (root / "link").symlink_to(tmp_path / "outside")
    disk = PathsOnDisk(str(root))
    assert disk.has("src/a.py") and disk.has("src") and disk.has("link")
    for path in ("link/secret.txt", "../outside/secret.txt", "src/../../outside/secret.txt", "/etc/passwd", "", "src/a.py/x", "src/\0", "x" * 5000):
        assert not disk.has(path), path
