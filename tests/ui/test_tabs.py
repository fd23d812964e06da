"""The tabs and their pages: what the week brought, sessions, recall of a note, editing with a preview, versions, pages of lists, errors in both languages."""

import html
import re
from types import SimpleNamespace

import pytest

from memorybank import Bank
from memorybank.ui import words
from memorybank.ui.serve import _bring_up_to_date
from memorybank.ui.views import READS, TABS
from tests.bank.test_activity import shown
from tests.claims.conftest import PlantedRepository
from tests.conftest import DAY, NOW
from tests.cycle.conftest import Session

from .conftest import form_of, visible

KEY = "planning/proxy.md"
EMPTY = sorted(READS - {"/note", "/note/recall", "/note/history", "/note/edit", "/note/picture", "/sessions/one", "/knowledge/edit", "/archive/object"})
"""The pages that need nothing to show."""


@pytest.fixture
def worked(bank, fixed_clock):
    """A session of yesterday that was reminded of a note and used it."""
    scratch = bank({KEY: "# The proxy\n\nSee `src/upload.py` and [b](../shared/b.md).\n", "shared/b.md": "---\ntags: [検索]\n---\n# B\n\n潮汐表\n"})
    work = Session(scratch.layout, fixed_clock, "newest", NOW - DAY)
    work.prompt("Why does the upload <b>stop</b>?")
    work.expose(shown(f"note:{KEY}", anchors=["file:src/upload.py"]))
    work.edit("src/upload.py")
    work.turn_end("The proxy cut it.")
    work.end()
    _bring_up_to_date(Bank.open(str(scratch.root), clock=fixed_clock))
    return scratch


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("path", EMPTY)
def test_every_page_of_an_empty_bank_says_what_to_do(serve, bank, language, path):
    page = serve(bank(), languages=language)
    text = page.get(path).text
    assert f'<html lang="{language}">' in text and visible(text.partition("<main")[2])
    tab = next(each for each in TABS if any(path == known for known, _ in each.pages))
    assert words.text_of(language, f"tab.{tab.name}") in text and 'aria-current="page"' in text


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "agents were reminded 1 time. Used or marked as helpful: 1."), ("ja", "1 セッションで 1 回の想起があり、そのうち 1 回は使われたか")],
)
def test_home_says_what_was_shown_and_whether_it_helped(serve, worked, language, told):
    text = visible(serve(worked, languages=language).get("/").text)
    assert told in text and "The proxy" in text


def test_home_lists_what_needs_a_person(serve, bank, tmp_path):
    made = PlantedRepository(tmp_path / "planted")
    made.commit(0, add=["src/main.py", "src/parser.py"])
    made.commit(10, delete=["src/parser.py"])
    made.note("planning/a.md", "# A\n\nParsed by `src/parser.py`.\n", 5)
    assert "gone 1" in visible(serve(SimpleNamespace(root=made.active.parent)).get("/").text)
    assert "Nothing needs you." in serve(bank({"a.md": "# A\n"})).get("/").text


def test_sessions_lead_to_their_turns_with_reasons_and_outcomes(serve, worked):
    page = serve(worked)
    listed = page.get("/sessions").text
    assert "reminded 1 time, helped 1" in visible(listed) and "<b>stop" not in listed
    turns = page.get("/sessions/one", session="newest")
    told = visible(turns.text)
    assert "found by src/upload.py、proxy" in told or "found by src/upload.py, proxy" in told
    assert "The proxy cut it." in told and "used" in told and "<b>stop" not in turns.text
    assert page.get("/sessions/one", session="nobody").status == 404 and page.get("/sessions/one").status == 400


def test_everything_shown_can_be_marked_and_leads_back(serve, worked):
    page = serve(worked)
    fields = form_of(page.get("/sessions/one", session="newest").text, "/tick")
    answer = page.post("/tick", id=fields["id"], back=html.unescape(fields["back"]), verdict="wrong")
    assert answer.headers["location"].startswith("/sessions/one?session=newest&told=told.wrong")
    assert "marked wrong" in visible(page.follow(answer).text)
    for back in ("//evil.example", "https://evil.example/", "/nowhere", "javascript:alert(1)"):
        assert page.post("/tick", id=fields["id"], back=back, verdict="helpful").headers["location"].startswith("/?told=")


def test_a_note_says_when_it_was_shown_and_why_a_prompt_would_or_would_not(serve, worked):
    page = serve(worked)
    told = visible(page.get("/note/recall", key=KEY, q="Does the proxy cut src/upload.py?").text)
    assert "Shown to agents 1 time" in told and "Yes, as number 1." in told and "src/upload.py" in told
    assert "none of the words of the question is in it" in page.get("/note/recall", key=KEY, q="paint the fence").text
    assert "質問の語がひとつも含まれない" in serve(worked, languages="ja").get("/note/recall", key=KEY, q="paint the fence").text


def test_a_note_draws_its_neighbours(serve, worked):
    drawn = re.search(r'(?s)<svg class="local".*?</svg>', serve(worked).get("/note", key=KEY).text)[0]
    assert 'href="/note?key=shared/b.md"' in drawn or "shared%2Fb.md" in drawn
    assert "The proxy" in drawn


def test_an_edit_is_previewed_saved_and_taken_back(serve, worked):
    page = serve(worked)
    fields = form_of(page.get("/note/edit", key=KEY).text, "/note/edit")
    before = (worked.active / KEY).read_bytes()
    previewed = page.post("/note/edit", key=KEY, before=fields["before"], text="# New\r\n\r\n*words* <script>alert(1)</script>", do="preview")
    assert "<em>words</em>" in previewed.text and "<script>alert" not in previewed.text and (worked.active / KEY).read_bytes() == before
    saved = page.follow(page.post("/note/edit", key=KEY, before=fields["before"], text="# New\r\n\r\nwords  \r\n", do="save"))
    assert "Saved: planning/proxy.md." in saved.text and (worked.active / KEY).read_bytes() == b"# New\n\nwords  \n"
    history = page.get("/note/history", key=KEY).text
    change = form_of(history, "/note/undo")["change"]
    compared = page.get(html.unescape(re.search(r'href="([^"]*version=[^"]*)"', history)[1]))
    assert "<ins>+words  </ins>" in compared.text and "<del>-# The proxy</del>" in compared.text
    assert "Taken back" in page.follow(page.post("/note/undo", change=change)).text and (worked.active / KEY).read_bytes() == before
    assert page.post("/note/undo", change="nothing").status == 404


def test_a_save_of_somebody_else_is_shown_and_not_replaced(serve, worked):
    """Both texts are on the page: theirs to read, the person's own still in the field. Saving once more is made for the text that was shown."""
    page = serve(worked)
    fields = form_of(page.get("/note/edit", key=KEY).text, "/note/edit")
    worked.write(KEY, "# Theirs\n")
    answer = page.post("/note/edit", key=KEY, before=fields["before"], text="# Mine\n", do="save")
    assert answer.status == 409 and "# Theirs" in answer.text and "# Mine" in answer.text and (worked.active / KEY).read_text() == "# Theirs\n"
    again = form_of(answer.text, "/note/edit")["before"]
    assert page.post("/note/edit", key=KEY, before=again, text="# Both\n", do="save").status == 303
    assert (worked.active / KEY).read_text() == "# Both\n"


@pytest.mark.parametrize(
    ("data", "saved"),
    [
        (b"# A\r\n\r\nb\r\n", b"# A\r\n\r\nc\r\n"),
        ("\ufeff# A\n\nb\n".encode(), None),
        (b"# A\r\n\nb\n", None),
        (b"# A\n\nb\xff\n", None),
        ("# A\n\n\u202eb &amp; <b>\n".encode(), "# A\n\n\u202ec &amp; <b>\n".encode()),
        (b"\n\n# A\n\nb", b"\n\n# A\n\nc"),
    ],
)
def test_the_editor_gives_back_every_byte_that_nobody_edited(serve, bank, data, saved):
    """Or it does not open the note at all, and names the command."""
    scratch = bank({"a.md": data})
    page = serve(scratch)
    form = page.get("/note/edit", key="a.md")
    if form.status == 400:
        assert saved is None and "memorybank edit a.md" in form.text
        return
    # A browser leaves out the first line end of a text field and sends CR LF.
    text = html.unescape(re.search(r"(?s)<textarea[^>]*>\n(.*?)</textarea>", form.text)[1])
    page.post("/note/edit", key="a.md", before=form_of(form.text, "/note/edit")["before"], text=text.replace("b", "c", 1).replace("\n", "\r\n"), do="save")
    written = (scratch.active / "a.md").read_bytes()
    assert written == (saved if saved is not None else data.replace(b"b", b"c", 1))


def test_a_long_text_fits_into_its_form_and_no_other(serve, bank):
    scratch = bank({"a.md": "# A\n"})
    page = serve(scratch)
    text = "# A\n\n" + "潮" * 30_000
    before = form_of(page.get("/note/edit", key="a.md").text, "/note/edit")["before"]
    assert page.post("/note/edit", key="a.md", before=before, text=text, do="save").status == 303
    assert (scratch.active / "a.md").read_text(encoding="utf-8") == text
    assert page.post("/note/rate", key="a.md", rating="潮" * 30_000).status == 413
    assert page.post("/note/edit", key="a.md", before=before, text="潮" * 200_000, do="save").status == 413


def test_a_source_is_not_edited(serve, worked):
    assert serve(worked).get("/note/edit", key="nothing.md").status == 404
    locked = serve(worked, allow_write=False).get("/note/edit", key=KEY).text
    assert "memorybank edit planning/proxy.md" in locked and "readonly" in locked


def test_lists_are_paged_and_keep_their_filters(serve, bank):
    scratch = bank({f"planning/n{number:02}.md": f"---\ntags: [潮]\n---\n# N{number:02}\n\nengine\n" for number in range(40)})
    page = serve(scratch)
    first = page.get("/notes", category="planning", tag="潮", sort="title").text
    assert "1–12 of 40" in visible(first) and "N00" in first and "N12" not in first
    second = page.get(html.unescape(re.search(r'rel="next" href="([^"]*)"', first)[1])).text
    assert "13–24 of 40" in visible(second) and "N12" in second and "N00" not in second
    hits = page.get("/notes", q="engine", page="2").text
    assert "13–24 of" in visible(hits) and hits.count('class="snippet"') == 12
    for number in ("0", "-1", "x", "99999999", "７"):
        assert page.get("/notes", page=number).status == 200
    beyond = page.get("/notes", category="planning", page="999")
    assert beyond.status == 303 and beyond.headers["location"].endswith("/notes?category=planning&page=4")
    assert "No hits" in page.get("/notes", tag="nothing").text
    assert 'value="潮"' in first and '<option value="planning">' in first, "filters suggest what there is"


def test_knowledge_is_put_into_one_s_own_words(serve, bank, fixed_clock):
    scratch = bank()
    work = Session(scratch.layout, fixed_clock, "one", NOW - DAY)
    work.prompt("Build it, please. Never edit the generated schema by hand.")
    work.turn_end("Done.")
    work.end()
    page = serve(scratch)
    name = form_of(page.get("/knowledge").text, "/knowledge/reject")["id"]
    assert "Never edit the generated schema" in page.get("/knowledge/edit", id=name).text
    saved = page.follow(page.post("/knowledge/edit", id=name, text="Run make schema.\r\n"))
    assert "The entry is rejected." in saved.text and "Run make schema." in saved.text
    assert "Never edit" in page.get("/knowledge", kind="rejected").text


def test_a_conflict_is_shown_with_both_statements_and_can_be_kept(serve, bank):
    scratch = bank(
        {
            "a.md": "---\nupdated: 2025-01-01\n---\n# Retries\n\nSuperseded by [b](b.md).\n",
            "b.md": "---\nupdated: 2025-09-01\n---\n# Retries again\n\nThree retries.\n",
        }
    )
    page = serve(scratch)
    form = form_of(page.get("/conflicts").text, "/conflicts/keep")
    assert "the entire note" in page.get("/conflicts").text and "conflicts" in page.get("/").text
    assert "still holds" in page.follow(page.post("/conflicts/keep", id=form["id"])).text
    assert "No note contradicts another." in page.get("/conflicts").text


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/note?key=nothing.md", 404, "見つかりませんでした"),
        ("/note", 400, "入力に誤りがあります"),
        ("/nowhere", 404, "そのページはありません"),
        ("/archive/object?id=x", 404, "見つかりませんでした"),
        ("/notes?since=soon", 200, "入力に誤りがあります"),
    ],
)
def test_an_error_is_said_in_japanese_and_its_english_text_is_marked(serve, bank, path, status, said):
    answer = serve(bank(), languages="ja").get(path)
    assert answer.status == status and said in answer.text
    english = re.findall(r'<span lang="en">([^<]*)</span>', answer.text.partition("<main")[2])
    assert path == "/nowhere" or english
    assert not re.search(r"[A-Za-z]{4,} [A-Za-z]{3,}", visible(re.sub(r'<(\w+) lang="en">[^<]*</\1>|<code.*?</code>', "", answer.text.partition("<main")[2])))


def test_every_error_has_a_japanese_sentence():
    from memorybank import errors

    codes = {each.code for each in vars(errors).values() if isinstance(each, type) and issubclass(each, errors.MemorybankError)}
    assert codes <= set(words.ERRORS)


def test_every_check_on_the_page_has_a_japanese_sentence(serve, bank):
    from memorybank.doctor.table import CHECKS

    assert {check.id for check in CHECKS if check.quick} == set(words.CHECKS)
    scratch = bank()
    (scratch.root / ".gitignore").unlink(missing_ok=True)
    assert words.CHECKS["safety.ignored"] in serve(scratch, languages="ja").get("/health").text
    assert words.CHECKS["safety.ignored"] not in serve(scratch).get("/health").text


def test_settings_are_said_in_words(serve, bank):
    from memorybank.cycle.policy import KEYS

    for language in ("en", "ja"):
        text = html.unescape(visible(serve(bank(), languages=language).get("/settings").text))
        assert all(words.text_of(language, f"policy_key.{key}") in text for key in KEYS)
