"""What the page says, as a person reads it, and what its forms do: the same as the commands."""

import html
import json
import re
import shlex
import sqlite3
from urllib.parse import quote

import pytest

from memorybank import Bank
from memorybank.config.cycle import CycleSettings
from memorybank.cycle import policy as policies
from memorybank.log import key
from memorybank.log import policy as log

from .conftest import OWN, form_of, visible

OLD = "# Old {0}\n\nwords of {0}\n"


@pytest.fixture
def notes(bank):
    return bank(
        {
            "planning/proxy.md": "---\ntitle: The proxy\ntags: [staging]\n---\n# The proxy\n\n"
            "It cuts *uploads*. See [検索](../shared/検索.md) and [out](../../../x.md).\n",
            "shared/検索.md": "---\ntitle: 検索の索引\n---\n# 検索の索引\n\n日本語は二文字ずつ索引する。\n",
        }
    )


def test_search_marks_what_matched_in_both_languages(serve, notes):
    page = serve(notes)
    assert "<mark>uploads</mark>" in page.get("/notes", q="uploads").text
    assert re.search(r"<mark>[^<]*索引[^<]*</mark>", page.get("/notes", q="索引").text)
    assert "planning/proxy.md" in page.get("/notes", q="cuts *uploads*", type="content").text


def test_filters_are_those_of_the_command(serve, notes):
    page = serve(notes)
    assert "planning/proxy.md" not in visible(page.get("/notes", q="", category="shared").text)
    assert "検索の索引" not in visible(page.get("/notes", q="", tag="staging").text)
    assert "No hits" in page.get("/notes", q="", since="2025-09-16").text
    assert "planning/proxy.md" in page.get("/notes", q="", until="2025-09-07").text
    assert "No hits" in page.get("/notes", q="proxy", min_importance="9.9").text


@pytest.mark.parametrize("fields", [{"since": "soon"}, {"min_importance": "nan"}, {"min_importance": "11"}, {"type": "psychic"}, {"kind": "ghost"}, {"q": "?"}])
def test_a_question_that_cannot_be_asked_is_told_in_its_place(serve, notes, fields):
    answer = serve(notes).get("/notes", **{"q": "proxy", **fields})
    assert answer.status == 200 and 'class="problem"' in answer.text


def test_htmx_gets_the_part_that_changes(serve, notes):
    page = serve(notes)
    part = page.get("/notes?q=proxy", ("hx-request", "true"))
    assert "<html" not in part.text and 'id="results"' in part.text
    assert "<html" in page.get("/notes?q=proxy", ("hx-request", "true"), ("hx-history-restore-request", "true")).text


def test_a_note_is_rendered_and_its_score_explained(serve, notes):
    page = serve(notes)
    text = page.get("/note", key="planning/proxy.md").text
    assert "<em>uploads</em>" in text and f'href="/note?key={quote("shared/検索.md")}"' in text
    assert ">out</a>" in text and "x.md" not in text, "a link out of the bank leads nowhere"
    total = re.search(r'<tfoot>.*?([0-9.]+)</td><td class="drawn">', text, re.DOTALL)
    parts = [float(found) for found in re.findall(r'data-label="Contribution">([-0-9.]+)<', text)]
    assert total and abs(sum(parts) - float(total[1])) < 1e-9
    assert "planning/proxy.md" in page.get("/note", key="shared/検索.md").text, "linked from"


def test_a_note_shows_the_pictures_of_the_bank(serve, bank):
    """Of another place only the words: the page loads nothing from the network."""
    scratch = bank({"planning/map.md": "# Map\n\n![the harbour](../shared/図/港.png) ![far](https://example.org/a.png) ![gone](x.pdf)\n"})
    (scratch.active / "shared/図").mkdir(parents=True)
    (scratch.active / "shared/図/港.png").write_bytes(b"\x89PNG\r\n\x1a\n...")
    page = serve(scratch)
    found = re.findall(r"<img[^>]*>", page.get("/note", key="planning/map.md").text)
    assert [re.search(r'alt="([^"]*)"', each)[1] for each in found] == ["the harbour", "far", "gone"]
    [source] = re.findall(r'src="([^"]*)"', "".join(found))
    assert page.get(html.unescape(source)).headers["content-type"] == "image/png"


def test_names_in_double_brackets_lead_to_the_note_that_the_index_means(serve, bank):
    scratch = bank({"planning/a.md": "# A\n\n[[用語集]], [[shared/用語集|words]], [[nowhere]]\n", "shared/用語集.md": "# 用語集\n"})
    text = serve(scratch).get("/note", key="planning/a.md").text.partition('<div class="actions">')[0]
    assert re.findall(r'<a href="(/note[^"]*)"[^>]*>([^<]*)</a>', text.partition('<div class="text">')[2]) == [
        (f"/note?key={quote('shared/用語集.md')}", name) for name in ("用語集", "words")
    ]
    assert ">nowhere</a>" in text


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("---\ntitle: Tide & table\n---\nwords\n", ["Tide &amp; table"]),
        ("# *Tide*  table\n\nwords\n", ["<em>Tide</em>  table"]),
        ("Tide\n====\n\nwords\n", ["Tide"]),
        ("---\ntitle: Tide\n---\n# Another\n", ["Tide", "Another"]),
        ("words alone\n", ["a"]),
    ],
)
def test_a_note_has_its_title_once(serve, bank, text, headings):
    page = serve(bank({"planning/a.md": text}))
    assert re.findall(r"<h1>(.*?)</h1>", page.get("/note", key="planning/a.md").text) == headings


def test_each_tab_has_a_name_of_its_own(serve, notes):
    """With five of them open, one is found."""
    page = serve(notes)
    names = [
        re.search(r"<title>(.*?)</title>", page.get(path).text)[1] for path in ("/", "/notes", "/health", "/rotation", f"/note?key={quote('shared/検索.md')}")
    ]
    assert names == ["Home · scratch", "Notes · scratch", "Health · scratch", "Rotation · scratch", "検索の索引 · scratch"]


def test_hits_do_not_say_their_title_twice(serve, notes):
    page = serve(notes)
    assert page.get("/notes").text.count("The proxy") == 1
    assert "The <mark>proxy</mark>" in page.get("/notes", q="proxy").text
    scratch = notes
    for number in range(25):
        scratch.write(f"sync/{number}.md", f"# Trial {number}\n\nengine\n")
    first = page.get("/notes", q="engine").text
    assert "1–12 of" in visible(first) and first.count('class="snippet"') == 12


def test_the_page_gives_reasons_in_its_language(serve, old):
    page = serve(old, languages="ja")
    assert "90 日経過（30 日超）、重要度" in page.get("/rotation").text
    assert "内容：長さ" in page.get("/note", key="planning/old-00.md").text


@pytest.mark.parametrize(("language", "said"), [("en", "4 notes would leave by their age, and stay until 2025-10-01"), ("ja", "古さでは 4 件が対象")])
def test_the_page_shows_what_the_grace_of_a_new_bank_keeps(serve, old, fixed_clock, language, said):
    Bank.create(old.root, zone="UTC", clock=fixed_clock)
    shown = serve(old, languages=language).get("/rotation").text
    assert said in shown and "memorybank rotate --no-grace" in shown


def test_a_view_is_recorded_only_where_the_page_may_write(serve, notes):
    serve(notes, allow_write=False).get("/note", key="planning/proxy.md")
    assert not (notes.root / "log/access.jsonl").exists()
    serve(notes).get("/note", key="planning/proxy.md")
    assert '"view"' in (notes.root / "log/access.jsonl").read_text(encoding="utf-8")


def test_rating_and_bookmark_are_those_of_the_commands(serve, notes):
    page = serve(notes)
    assert "Rated 8.5." in page.follow(page.post("/note/rate", key="planning/proxy.md", rating="8.5")).text
    assert "rating: 8.5" in (notes.active / "planning/proxy.md").read_text(encoding="utf-8")
    for wrong in ("11", "-1", "nan", "x", ""):
        assert page.post("/note/rate", key="planning/proxy.md", rating=wrong).status == 400
    shown = page.follow(page.post("/note/bookmark", key="shared/検索.md"))
    assert "bookmarked" in shown.text and form_of(shown.text, "/note/bookmark")["remove"] == "yes"
    page.post("/note/bookmark", key="shared/検索.md", remove="yes")
    assert "検索" not in (notes.root / "bookmarks.json").read_text(encoding="utf-8")


@pytest.fixture
def old(bank):
    return bank({f"planning/old-{number:02}.md": OLD.format(number) for number in range(4)}, days_old=90)


def test_the_button_runs_the_plan_that_was_shown(serve, old, fixed_clock):
    """Also when time went by meanwhile, as long as the plan says the same."""
    page = serve(old)
    form = form_of(page.get("/rotation").text, "/rotation/run")
    fixed_clock.instant += 60_000
    answer = page.post("/rotation/run", **{name: value for name, value in form.items() if name != "form_key"})
    assert answer.status == 200 and "4 notes archived" in answer.text
    assert not list(old.active.rglob("*.md"))
    back = page.post("/rotation/undo", rotation=form_of(answer.text, "/rotation/undo")["rotation"])
    assert "4 notes restored" in back.text and len(list(old.active.rglob("*.md"))) == 4
    assert "0 notes restored" in page.post("/rotation/undo").text, "twice equals once"


@pytest.mark.parametrize("change", ["edit", "new", "gone", "bookmark", "rules"])
def test_a_plan_that_changed_is_shown_and_not_run(serve, old, change):
    page = serve(old)
    form = form_of(page.get("/rotation").text, "/rotation/run")
    if change == "edit":
        old.write("planning/old-00.md", "# Old 0\n\nother words\n", days_old=90)
    elif change == "new":
        old.write("planning/old-99.md", OLD.format(99), days_old=90)
    elif change == "gone":
        (old.active / "planning/old-00.md").unlink()
    elif change == "bookmark":
        page.post("/note/bookmark", key="planning/old-00.md")
    else:
        form["type"] = "importance_based"
    there = sorted(path.name for path in old.active.rglob("*.md"))
    answer = page.post("/rotation/run", plan=form["plan"], type=form["type"])
    assert answer.status == 409 and "The plan has changed" in answer.text
    assert sorted(path.name for path in old.active.rglob("*.md")) == there
    if change != "rules":
        assert page.post("/rotation/run", **{name: value for name, value in form_of(answer.text, "/rotation/run").items() if name != "form_key"}).status == 200


def test_the_brake_asks_a_second_time(serve, bank):
    much = bank({f"planning/old-{number:02}.md": OLD.format(number) for number in range(11)}, days_old=90)
    page = serve(much)
    form = form_of(page.get("/rotation").text, "/rotation/run")
    asked = page.post("/rotation/run", plan=form["plan"], type="manual")
    assert asked.status == 200 and len(list(much.active.rglob("*.md"))) == 11
    sure = form_of(asked.text, "/rotation/run")
    assert sure["sure"] == "yes"
    assert "11 notes archived" in page.post("/rotation/run", plan=sure["plan"], type="manual", sure="yes").text


def test_the_archive_is_listed_found_read_and_restored(serve, old):
    page = serve(old)
    form = form_of(page.get("/rotation").text, "/rotation/run")
    page.post("/rotation/run", plan=form["plan"], type="manual")
    listed = page.get("/archive", q="old-02")
    assert "Old 2" in listed.text and "Old 1<" not in listed.text
    name = form_of(listed.text, "/archive/restore")["id"]
    assert "words of 2" in page.get("/archive/object", id=name).text
    assert "Restored as planning/old-02.md" in page.follow(page.post("/archive/restore", id=name)).text
    assert (old.active / "planning/old-02.md").read_bytes() == OLD.format(2).encode()
    assert "restored 2025-09-17; the archive keeps the copy" in visible(page.get("/archive", q="old-02").text)
    assert "the archive keeps the copy" not in page.get("/archive", q="old-01").text


def test_a_damaged_archive_object_is_an_error_with_its_next_step(serve, old):
    page = serve(old)
    form = form_of(page.get("/rotation").text, "/rotation/run")
    page.post("/rotation/run", plan=form["plan"], type="manual")
    name = form_of(page.get("/archive").text, "/archive/restore")["id"]
    [path] = old.root.rglob(f"{name}.md.zst")
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    answer = page.get("/archive/object", id=name)
    assert answer.status == 409 and "That did not work" in answer.text


def test_the_memory_tab_tells_the_newest_episode_and_keeps_a_lookback(serve, bank):
    scratch = bank()
    scratch.episodes({"date": "2025-09-14", "summary": "harbour map drawn"}, {"date": "2025-09-16", "summary": "桟橋を直した"})
    page = serve(scratch)
    text = page.get("/episodes").text
    assert "2025-09-16" in visible(text).partition("Episodes, newest first")[0] and "桟橋を直した" in text
    assert page.post("/episodes/lookback", lookback="fortnight").status == 400
    assert "1m back" in page.follow(page.post("/episodes/lookback", lookback="1m")).text
    assert (scratch.root / "config/episodes_config.json").read_text() == '{\n  "lookback": "1m"\n}\n'
    assert page.get("/episodes", episode="episode:2025-09-14").text.count("harbour map drawn") == 1
    assert page.get("/episodes", episode="episode:2020-01-01").status == 404


def test_what_else_stands_in_the_settings_stays(serve, bank):
    scratch = bank()
    scratch.configure("episodes", '{"timezone": "Asia/Tokyo", "lookback": "1w", "unknown": {"a": [1]}}')
    serve(scratch).post("/episodes/lookback", lookback="3m")
    kept = json.loads((scratch.root / "config/episodes_config.json").read_text(encoding="utf-8"))
    assert list(kept.items()) == [("timezone", "Asia/Tokyo"), ("lookback", "3m"), ("unknown", {"a": [1]})]


def test_an_update_is_started_once(serve, bank):
    page = serve(bank())
    assert page.post("/episodes/update").headers["location"] == "/episodes"
    assert page.updates.started == 1
    assert "already" in page.follow(page.post("/episodes/update")).text
    assert page.updates.started == 1
    assert re.search(r'<button type="submit" class="" disabled', page.get("/episodes").text)


def test_a_run_of_a_terminal_locks_the_button_too(serve, bank, fixed_clock):
    from memorybank.episodes.running import EpisodesLock

    scratch = bank()
    page = serve(scratch)
    with EpisodesLock(scratch.layout, "memorybank episodes update", fixed_clock) as run:
        run.at(3, 12, "2025-09-11")
        assert "3 of 12 days, now at 2025-09-11" in page.get("/episodes", ("hx-request", "true")).text
        page.post("/episodes/update")
        assert page.updates.started == 0
    assert "disabled" not in page.get("/episodes", ("hx-request", "true")).text


def test_policy_shows_what_changed_and_goes_back(serve, bank, fixed_clock):
    from memorybank import Bank

    scratch = bank()
    policy = Bank.open(str(scratch.root), clock=fixed_clock).policy
    policy.set("min_match", "0.4", "too chatty")
    policy.set("top_k", "3", "<b>less</b>")
    page = serve(scratch)
    text = page.get("/settings").text
    assert "&lt;b&gt;less&lt;/b&gt;" in text and re.search(r"<del>0\.25</del>.*<ins>0\.4</ins>", text, re.DOTALL)
    assert "Version 3 is in force" in page.follow(page.post("/settings/rollback", version="1", reason="back")).text
    assert policy.state().record.values["top_k"] != 3 and policy.state().record.rollback_of == 1
    assert "Excluded" not in visible(text) and "Ignored, because" not in visible(text)
    assert page.post("/settings/rollback", version="99").status == 404
    assert page.post("/settings/rollback", version="-1").status == 400


def test_a_bank_that_breaks_while_the_page_runs_is_told(serve, notes):
    page = serve(notes)
    notes.configure("rotation", "{ not json")
    answer = page.get("/rotation")
    assert answer.status == 409 and "rotation_config.json" in answer.text and "config validate" in answer.text


def test_what_to_type_is_one_word_of_a_shell(serve, bank):
    """A note may be called anything; what is copied from the page must not run it."""
    scratch = bank({"planning/'; touch x #.md": "# A\n"})
    text = serve(scratch, allow_write=False).get("/note", key="planning/'; touch x #.md").text
    [command] = re.findall(r'<code class="command">(memorybank rate .*?)</code>', text)
    assert shlex.split(html.unescape(command)) == ["memorybank", "rate", "planning/'; touch x #.md", "8"]


def test_the_page_speaks_the_browser_s_language_and_the_chosen_one(serve, notes):
    page = serve(notes, languages="fr, ja;q=0.8, en;q=0.2")
    assert '<html lang="ja">' in page.get("/").text and "検索" in page.get("/").text
    chosen = page.get("/language/en").headers["set-cookie"].partition(";")[0]
    assert '<html lang="en">' in page.ask("GET", "/", [*OWN, ("cookie", f"{page.cookies}; {chosen}"), ("accept-language", "ja")]).text
    assert page.get("/language/xx").status == 404


def test_who_changes_the_language_stays_where_they_are(serve, notes):
    """On the same note, with the same question. Each opening of a note is a view, which changes its importance."""

    def without_scores(text):
        return re.sub(r"\d+\.\d+|[\d,]+ views?|(?<=class=\")score \w+", "", text)

    page = serve(notes)
    for _ in range(5):  # from the fifth view on, another one changes no part of the score
        page.get("/note", key="shared/検索.md")
    for path, fields in (("/note", {"key": "shared/検索.md"}), ("/", {"q": "検索 & <b>", "kind": "note"}), ("/rotation", {})):
        link = html.unescape(re.search(r'href="([^"]*)" lang="ja"', page.get(path, **fields).text)[1])
        back = page.get(link).headers["location"]
        assert without_scores(page.get(back).text) == without_scores(page.get(path, **fields).text)


def test_the_overview_is_status_and_metrics(serve, old, notes):
    """Healthy or not, what would leave, the specification's 13 numbers; unknown is not 0."""
    text = visible(serve(old).get("/health").text)
    assert "4 notes now" in text and "Healthy" in text
    names = ("total_files", "compression_ratio", "average_search_time_ms", "score_distribution", "duplicate_ratio")
    assert all(name in text for name in names) and "average_search_time_ms unknown" in text
    notes.write("planning/key.md", "# Key\n\nthe bank's own file\n")
    (notes.root / "bookmarks.json").write_text("{ broken", encoding="utf-8")
    broken = visible(serve(notes).get("/health").text)
    assert "bookmarks.json" in broken
    notes.write("shared/reset.md", "<<<<<<< HEAD\nMonday.\n=======\nFriday.\n>>>>>>> topic\n")
    broken = visible(serve(notes).get("/health").text)
    assert "2 notes have problems" in broken and "shared/reset.md:1" in broken
    home = serve(notes).get("/")
    assert "2 notes have problems" in visible(home.text) and "/health" in home.text and "Nothing needs you" not in home.text


def test_a_hit_in_a_note_with_a_conflict_has_a_mark(serve, notes):
    assert "both sides of a git conflict" not in visible(serve(notes).get("/notes?q=staging").text)
    notes.write("shared/reset.md", "# Staging\n\n<<<<<<< HEAD\nStaging on Monday.\n=======\nStaging on Friday.\n>>>>>>> topic\n")
    assert "its file has both sides of a git conflict" in visible(serve(notes).get("/notes?q=staging").text)


@pytest.mark.parametrize("error", [ZeroDivisionError("CANARY"), OSError(28, "No space left on device"), sqlite3.OperationalError("database is locked")])
def test_whatever_goes_wrong_is_a_page_and_the_next_request_works(serve, notes, monkeypatch, error):
    """A bug's message quotes data, so it is not shown."""
    from memorybank.bank.bank import Bank

    page = serve(notes)
    with monkeypatch.context() as broken:

        def fails(*_: object, **__: object) -> None:
            raise error

        broken.setattr(Bank, "search", fails)
        answer = page.get("/notes", q="proxy")
    assert answer.status in (409, 500) and "That did not work" in answer.text and "CANARY" not in answer.text
    assert page.get("/notes", q="proxy").status == 200


@pytest.mark.parametrize(("path", "part"), [("/notes", "results"), ("/episodes", "progress"), ("/recall", "recalled")])
def test_what_goes_wrong_while_one_types_stands_where_the_answer_would(serve, notes, path, part):
    """The error replaces the hits: neither a complete page inside the page, nor silence next to old hits."""
    page = serve(notes)
    notes.configure("index", "{ not json")
    answer = page.get(path, ("hx-request", "true"))
    assert answer.status == 409 and answer.text.startswith(f'<div id="{part}"') and "config validate" in answer.text and "<html" not in answer.text


def test_a_part_asked_for_after_a_restart_brings_the_login(serve, notes):
    page = serve(notes)
    answer = page.ask("GET", "/", [*OWN, ("hx-request", "true")])
    assert answer.status == 401 and answer.headers["hx-refresh"] == "true"
    assert "hx-refresh" not in page.ask("GET", "/", OWN).headers


@pytest.mark.parametrize(
    ("language", "left_out", "ignored"),
    [("en", "Excluded: files@prompt", "Ignored, because they are from an earlier version"), ("ja", "除外中: files@prompt", "以前の版の除外のため無効")],
)
def test_policy_marks_what_an_earlier_version_excluded(serve, bank, fixed_clock, language, left_out, ignored):
    scratch = bank()
    own = policies.values_of(CycleSettings())
    made = policies.PolicyRecord(own, own, ("files@prompt", "note/-/planning"), at=fixed_clock.instant, by=policies.LEARNING)
    log.append(scratch.layout, key.ensure(scratch.layout), lambda _: made.fields(), fixed_clock)
    text = visible(serve(scratch, languages=language).get("/settings").text)
    assert left_out in text and "note/-/planning" in text.partition(ignored)[2] and "files@prompt" not in text.partition(ignored)[2].partition("note/-/")[0]


@pytest.mark.parametrize(
    ("language", "kind", "why"),
    [("en", "note", "one word in common is a coincidence"), ("ja", "ノート", "一致が 1 語だけでは偶然")],
)
def test_recall_names_the_kind_of_each_memory_and_why_it_was_left_out(serve, bank, language, kind, why):
    others = {f"planning/{number}.md": f"# Plan {number}\n\nStep {number} of the garden wall.\n" for number in range(3)}
    scratch = bank({**others, "b.md": "# Jitter\n\nA word about other things."})
    text = serve(scratch, languages=language).get("/recall", q="a word about lasagna", moment="prompt").text
    [row] = [row for row in re.findall(r"(?s)<li class=\"is-near\">.*?</li>", text) if "Jitter" in row]
    assert f" {kind} " in visible(row) + " " and why in visible(row)


@pytest.mark.parametrize(
    ("language", "rank", "weak", "all_weak"), [("en", "top 50 %", "weak match", "Only weak matches"), ("ja", "上位 50 %", "弱い一致", "弱い一致のみです")]
)
def test_hits_show_their_rank_and_weak_matches(serve, bank, language, rank, weak, all_weak):
    scratch = bank({"jitter.md": "# Jitter\n\nA word about the garden wall.\n", "upload.md": "---\nrating: 9\n---\n# Uploads\n\nThey retry three times.\n"})
    page = serve(scratch, languages=language)
    told = visible(page.get("/notes", q="garden lasagna recipe oven").text)
    assert weak in told and all_weak in told
    told = visible(page.get("/notes", q="uploads retry").text)
    assert rank in told and weak not in told
    assert rank in visible(page.get("/note", key="upload.md").text)


@pytest.mark.parametrize(("since", "found"), [("yesterday", False), ("昨日", False), ("2 weeks ago", True)])
def test_the_page_takes_dates_in_words(serve, notes, since, found):
    text = serve(notes).get("/notes", since=since).text
    assert ("planning/proxy.md" in text) == found and f'value="{since}"' in text


@pytest.mark.parametrize(("path", "most"), [("/note/recall?q=proxy&key=", 2), ("/note/history?key=", 1), ("/note/edit?key=", 1)])
def test_a_page_of_one_note_does_not_look_through_the_folder_for_each_question(serve, notes, monkeypatch, path, most):
    """A bank of ten thousand notes takes half a second to list. Recall looks once more: it brings the index up to date itself."""
    from memorybank.notes import scan

    page = serve(notes, allow_write=True)
    key = Bank.open(str(notes.root)).catalogue.notes(limit=1).notes[0].key
    listed = []
    monkeypatch.setattr(scan, "sweep", lambda layout, sweep=scan.sweep: listed.append(layout) or sweep(layout))
    address, _, query = (path + quote(key)).partition("?")
    assert page.get(address + "?" + query).status == 200
    assert len(listed) <= most
