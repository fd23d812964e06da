"""Content search finds every line that holds the text: what ripgrep finds, in both scripts, mid-word too."""

import random
import re
import shutil
import subprocess
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import ResourceExhausted, UsageError
from memorybank.search import content
from memorybank.text.words.tokens import fold

ENGLISH = ["Cache", "cached", "parseConfig", "snake_case", "E_TIMEOUT", "the", "I", "don't", "2025-09-17", "a.b*c", "[x]"]
JAPANESE = ["検索", "検索エンジン", "日本語の", "カタカナ", "ノート", "を作る", "語"]
WORDS = ENGLISH + JAPANESE


def lines_of(data):
    """The oracle: (line number, line) of a file, split at line feeds only."""
    lines = data.decode().split("\n")
    return list(enumerate(lines[:-1] if lines[-1] == "" else lines, 1))


def oracle(notes, needle):
    return {(key, number) for key, text in notes.items() for number, line in lines_of(text.encode()) if needle.lower() in line.lower()}


def found(answer):
    return [(hit.key, hit.lines[0]) for hit in answer.hits]


def generated(seed, count=60):
    chance = random.Random(seed)
    notes = {}
    for number in range(count):
        lines = ["".join(chance.choice(WORDS) + chance.choice(["", " ", "、", "-"]) for _ in range(chance.randrange(8))) for _ in range(chance.randrange(1, 9))]
        front = f"---\ntitle: {chance.choice(ENGLISH[:7])} {chance.choice(JAPANESE)}\n---\n" if number % 3 == 0 else ""
        notes[f"{'abc'[number % 3]}/{number}.md"] = front + "\n".join(lines) + "\n"
    return notes


def needles(notes, seed, count):
    """Pieces of real lines, cut anywhere."""
    chance = random.Random(seed)
    lines = sorted({line for text in notes.values() for line in text.split("\n") if line.strip()})
    for _ in range(count):
        line = chance.choice(lines)
        start = chance.randrange(len(line))
        needle = line[start : start + chance.randrange(1, 7)]
        if needle.strip():
            yield chance.choice((needle, needle.upper(), needle.lower()))


@pytest.fixture(params=["as shipped", "few tried in order of importance"])
def tried(request, monkeypatch):
    """Small banks never leave the first way of reading; here both ways are taken."""
    if request.param != "as shipped":
        monkeypatch.setattr(content, "TRIED_FIRST", 1)
        monkeypatch.setattr(content, "STORED_ORDER_SPEEDUP", 1000)


def test_every_line_is_found_and_no_other(ask, tried):
    notes = generated(1)
    asked = ask(notes)
    for needle in needles(notes, 2, 150):
        assert set(found(asked(needle, type="content", limit=10_000))) == oracle(notes, needle), needle


@pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep is not installed; the oracle written in Python runs all the same")
def test_the_same_lines_as_ripgrep(ask, bank):
    notes = generated(3)
    asked = ask(notes)
    active = asked.index.layout.active
    for needle in needles(notes, 4, 40):
        output = subprocess.run(
            ["rg", "-a", "--hidden", "--no-ignore", "-i", "-n", "-F", "--no-heading", "-e", needle, "."],
            cwd=active,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        expected = {(match[1], int(match[2])) for match in re.finditer(r"^\./(.*?\.md):(\d+):", output, re.MULTILINE)}
        assert set(found(asked(needle, type="content", limit=10_000))) == expected, needle


def test_the_first_lines_are_the_same_whatever_the_limit(ask, tried):
    """Stopping early changes nothing but the number of lines."""
    notes = {key: (f"---\nrating: {number % 4 * 3}\n---\n" if number % 2 else "") + text for number, (key, text) in enumerate(generated(5).items())}
    asked = ask(notes)
    for needle in needles(notes, 6, 25):
        everything = found(asked(needle, type="content", limit=10_000))
        for limit in (1, 3, 10):
            assert found(asked(needle, type="content", limit=limit)) == everything[:limit], needle


def test_lines_are_ordered_by_importance_then_number_of_lines_then_path(ask):
    notes = {"a.md": "zebra\n", "b.md": "zebra\nzebra\n", "c.md": "---\nrating: 10\n---\nzebra\n", "d.md": "zebra\nZebra\n"}
    asked = ask({key: text + "\n" * 20 for key, text in notes.items()})
    importance = {hit.key: hit.importance for hit in asked("zebra", type="content").hits}
    counts = {"a.md": 1, "b.md": 2, "c.md": 1, "d.md": 2}
    expected = sorted(notes, key=lambda key: (-importance[key], -counts[key], key))
    assert list(dict.fromkeys(key for key, _ in found(asked("zebra", type="content")))) == expected


def test_compatibility_forms_are_found_too(ask):
    asked = ask({"a.md": "ｱｸｾｽ\nＡＰＩ\nStraße\n㍻\n"})
    assert [found(asked(text, type="content")) for text in ("アクセス", "api", "STRASSE", "平成", "ＡPＩ")] == [[("a.md", n)] for n in (1, 2, 3, 4, 2)]


def test_signs_are_literal_and_whole_files_are_searched(ask):
    asked = ask({"a.md": '---\ntitle: "x*y"\n---\n```\na.b(c)\n```\n100% "q" \\d\n'})
    assert [found(asked(text, type="content")) for text in ("x*y", "a.b(", "%", '"q"', "\\d", "title:")] == [[("a.md", n)] for n in (2, 5, 7, 7, 7, 2)]


def test_crlf_and_other_line_signs_do_not_shift_numbers(ask):
    asked = ask({"a.md": "one\r\ntwo\x0b\x85\u2028x\r\nthree zebra\r\nno end zebra"})
    assert found(asked("zebra", type="content")) == [("a.md", 3), ("a.md", 4)]
    assert asked("three zebra", type="content").hits[0].snippet == "three zebra"


def test_regular_expressions_by_line(ask):
    asked = ask({"a.md": "E_TIMEOUT 30\nE_RESET\nerror 5\nＥ7\n\n", "b.md": "検索語\n"})
    assert found(asked(r"^E_[A-Z]+$", type="content", regex=True)) == [("a.md", 2)]
    assert found(asked(r"検.語", type="content", regex=True)) == [("b.md", 1)]
    assert found(asked(r"ｅ\d", type="content", regex=True)) == [("a.md", 4)]
    assert found(asked(r"\bnothing\b", type="content", regex=True)) == []


@pytest.mark.parametrize(("text", "regex"), [("", False), ("  ", False), ("a\nb", False), ("(", True), ("[a", True), ("a{99999999999}", True)])
def test_what_cannot_be_looked_for_is_a_usage_error(ask, text, regex):
    with pytest.raises(UsageError):
        ask({"a.md": "x\n"})(text, type="content", regex=regex)


def test_a_long_line_is_cut_around_the_match(ask):
    (hit,) = ask({"a.md": "x" * 900 + "zebra" + "y" * 900 + "\n"})("zebra", type="content").hits
    assert len(hit.snippet) <= 240
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["zebra"]


@pytest.mark.parametrize("regex", [False, True])
@given(text=st.text(st.sampled_from("ab検索\n"), max_size=40), needle=st.text(st.sampled_from("ab検索"), min_size=1, max_size=3), stretch=st.integers(1, 50))
def test_line_numbers_of_a_text(text, needle, regex, stretch):
    from memorybank.search.query import Query

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(content, "_STRETCH", stretch)
        found = content.matching_lines(fold(text), content.needle_of(Query(needle, "content", regex=regex)))
        assert list(found) == [number for number, line in enumerate(text.split("\n")) if needle in line]


def test_a_pattern_that_never_ends_is_stopped(ask, monkeypatch):
    asked = ask({"a.md": "a" * 60 + "!\n"})
    with monkeypatch.context() as impatient, pytest.raises(ResourceExhausted, match="regular expression"):
        impatient.setattr(content, "PATIENCE", 0.2)
        asked("(a+)+$", type="content", regex=True)
    assert found(asked("a+!$", type="content", regex=True)) == [("a.md", 1)]


def test_outside_the_main_thread_a_pattern_is_looked_for_all_the_same():
    """Only the main thread can take the signal that the bound stands on."""
    results = []
    worker = threading.Thread(target=lambda: results.append(_entered(content.deadline(1.0))))
    worker.start()
    worker.join()
    assert results == [True]


def _entered(bound):
    with bound:
        return True
