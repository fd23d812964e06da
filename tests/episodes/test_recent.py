"""The newest entries, found without decoding the rest: the same as from the entire list, whatever the file contains."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.episodes import list_file
from memorybank.episodes.entry import Episode, document_text, documents, file_text, made, sort
from memorybank.storage.layout import Layout

DATES = [f"2025-09-{day:02d}" for day in range(1, 29)]


def entry(date, text, extra):
    made_of = made(date, text, "x", kind="day", by="extractive", covers=[(date[:10], "events/a", "d")])
    return made_of.with_fields(**extra)


ENTRIES = st.one_of(
    st.builds(
        entry,
        st.sampled_from([*DATES, "2025-09-01~2025-09-07", "2025-09-15～2025-09-21", " 2025-09-20 ", "2025-13-40", "", "someday"]),
        st.one_of(st.text(max_size=40), st.sampled_from(['"},\n  {\n', "<<<<<<< ours", "検索を直した。", '\n    "date": "2025-09-28"'])),
        st.dictionaries(st.sampled_from(["note", "date2"]), st.one_of(st.text(max_size=9), st.lists(st.integers()), st.none()), max_size=2),
    ),
    st.sampled_from([Episode(value) for value in (None, 7, [], {}, {"summary": "no date"}, {"summary": "later", "date": "2025-09-27"})]),
)


def same(layout, date):
    wanted = [entry.encoded for entry in sort(list(list_file.read(layout).entries)) if entry.last >= date]
    assert [entry.encoded for entry in list_file.read_since(layout, date)] == wanted


@given(st.lists(ENTRIES, max_size=12), st.sampled_from(DATES), st.booleans(), st.sampled_from([1, 7, 64, 1 << 15]))
def test_it_is_the_end_of_the_whole_list(entries, date, sorted_, block):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(list_file, "_BLOCK", block)
        layout = Layout(str(FOLDER))
        Path(list_file.path_of(layout)).write_text(file_text(sort(entries) if sorted_ else entries), encoding="utf-8", errors="replace")
        same(layout, date)


@given(st.lists(ENTRIES, max_size=12))
def test_the_text_of_a_document_is_that_of_the_whole_list(entries):
    layout = Layout(str(FOLDER))
    Path(list_file.path_of(layout)).write_text(file_text(entries), encoding="utf-8", errors="replace")
    wanted = {memory: document_text(found) for memory, found in documents(list_file.read(layout).entries).items()}
    assert {memory: list_file.current_document(layout, memory) for memory in wanted} == wanted
    assert list_file.current_document(layout, "episode:2031-01-01") == ""


def test_a_document_is_read_without_decoding_earlier_days(monkeypatch):
    """A prompt that an old index matches with yesterday would otherwise decode a list of years, twice."""
    layout = Layout(str(FOLDER))
    Path(list_file.path_of(layout)).write_text(file_text([entry(date, f"{date} の要約。", {}) for date in DATES]), encoding="utf-8")
    decoded = []
    monkeypatch.setattr(list_file, "Episode", lambda value: decoded.append(value) or Episode(value))
    assert list_file.current_document(layout, f"episode:{DATES[-1]}") == f"{DATES[-1]} の要約。"
    assert len(decoded) == 1


@pytest.fixture(autouse=True, scope="module")
def _folder(tmp_path_factory):
    global FOLDER
    FOLDER = tmp_path_factory.mktemp("recent")
    (FOLDER / "episodes").mkdir()


@pytest.mark.parametrize("how", ["pretty", "compact", "crlf", "cut", "conflict", "garbage", "latin", "empty", "link"])
def test_a_file_in_any_other_form_is_read_as_a_whole(how, tmp_path):
    (tmp_path / "episodes").mkdir()
    layout = Layout(str(tmp_path))
    path = Path(list_file.path_of(layout))
    text = file_text([entry(date, f"{date} の要約。", {}) for date in DATES])
    import json

    data = {
        "pretty": json.dumps(json.loads(text), indent=4),
        "compact": json.dumps(json.loads(text)),
        "crlf": text.replace("\n", "\r\n"),
        "cut": text[:-30],
        "conflict": text.replace('  {\n    "date": "2025-09-20"', '<<<<<<< a\n  {\n    "date": "2025-09-20"').replace(
            '  {\n    "date": "2025-09-21"', '=======\n>>>>>>> b\n  {\n    "date": "2025-09-21"'
        ),
        "garbage": "[\n  {\n} nonsense\n  }\n]\n",
        "latin": text.encode().replace("の".encode(), b"\xff"),
        "empty": "",
        "link": text,
    }[how]
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    if how == "link":
        os.rename(path, tmp_path / "elsewhere.json")
        path.symlink_to(tmp_path / "elsewhere.json")
    for date in ("2025-09-01", "2025-09-19", "2025-09-20", "2025-09-28", "2025-10-01"):
        same(layout, date)


def test_no_list_has_no_entries(tmp_path):
    assert list_file.read_since(Layout(str(tmp_path)), "2025-09-01") == ()
