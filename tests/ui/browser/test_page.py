"""What a person does with the page, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

TABS = ("/", "/notes", "/sessions", "/knowledge", "/archive", "/settings")
NOTE = "/note?key=implementation/uploads.md"
PAGES = (
    *("/", "/claims", "/conflicts", "/trust", "/notes", "/notes?q=staging", "/links", NOTE, NOTE.replace("note?", "note/recall?") + "&q=uploads+staging"),
    *(NOTE.replace("note?", "note/history?"), NOTE.replace("note?", "note/edit?"), "/sessions", "/sessions/one?session=5d2f0c1e", "/recall"),
    *("/recall?q=uploads+staging+proxy", "/episodes", "/knowledge", "/archive", "/rotation", "/settings", "/health", "/nowhere"),
)
"""Every page, as a person sees it with something on it."""


def path(tab) -> str:
    """Where a tab is, below the page's folder."""
    return re.sub(r"https?://[^/]+/[^/]+", "", tab.url)


def address(tab, path: str) -> str:
    """Another place of the same page."""
    return re.sub(r"(https?://[^/]+/[^/]+).*", r"\1", tab.url) + path


def no_wider_than_its_window(tab) -> bool:
    return tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")


LOOKS = [
    pytest.param({"dark": dark, "width": width, "height": height, "language": language}, id=f"{width}-{language[:2]}-{'dark' if dark else 'light'}")
    for width, height in ((1280, 900), (390, 844))
    for language in ("en-GB", "ja-JP")
    for dark in (False, True)
]
SCREENS = 3
LONG = ("/note?", "/note/edit")
"""Pages as long as the text of a note."""


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_shows_itself(town_of, visit, picture, axe, look):
    """At two widths, in light and dark, in both languages: nothing is wider than the window, no list is longer than three screens, axe finds nothing."""
    tab = visit(town_of(), **look)
    name = f"{look['width']}-{look['language'][:2]}-{'dark' if look['dark'] else 'light'}"
    found: list[str] = []
    for number, each in enumerate(PAGES):
        tab.goto(address(tab, each))
        tab.wait_for_load_state()
        assert tab.evaluate("document.documentElement.lang") == look["language"][:2]
        if not no_wider_than_its_window(tab):
            found.append(f"{each} is wider than its window")
        if tab.evaluate("document.documentElement.scrollHeight") > SCREENS * look["height"] and not each.startswith(LONG):
            found.append(f"{each} is longer than {SCREENS} screens: {tab.evaluate('document.documentElement.scrollHeight')}")
        tab.evaluate(axe)  # the policy of the page lets no script of the page do this
        for violation in tab.evaluate(
            "axe.run().then(result => result.violations.map(each => [each.id, each.help, each.nodes.slice(0, 3).map(node => node.html)]))"
        ):
            found.append(f"{each}: {violation}")
        picture(tab, f"{name}-{number:02}{re.sub('[^a-z]+', '-', each.partition('?')[0])}")
    assert found == []


def test_the_login_is_clean_too(town_of, visit, axe, picture):
    served = town_of()
    tab = visit(served).context.browser.new_context().new_page()
    tab.goto(served.link.partition("#")[0])
    tab.wait_for_selector("#login")
    tab.evaluate(axe)
    assert tab.evaluate("axe.run().then(result => result.violations.map(each => each.id))") == []
    picture(tab, "login")
    tab.context.close()


def test_a_private_file_leads_to_the_page(town_of, visit, tmp_path):
    """What `memorybank ui` opens: the token is in no address of a program, and the person is logged in."""
    from memorybank.ui import opening

    served = town_of()
    tab = visit(served).context.browser.new_context().new_page()
    file = tmp_path / "open.html"
    file.write_text(opening._PAGE.format(link=served.link), encoding="utf-8")
    tab.goto(f"file://{file}")
    tab.wait_for_selector("nav.tabs")
    assert "#" not in tab.url
    tab.context.close()


def test_a_note_is_edited_with_a_preview_and_taken_back(town_of, visit, picture):
    served = town_of()
    path_of_note = served.scratch.active / "implementation/uploads.md"
    before = path_of_note.read_bytes()
    tab = visit(served)
    tab.goto(address(tab, NOTE.replace("note?", "note/edit?")))
    assert tab.input_value("#text").encode() == before
    tab.fill("#text", tab.input_value("#text") + "\nAnother **try**.\n")
    expect(tab.locator("#preview strong").first).to_have_text("try")
    picture(tab, "edit", full=False)
    assert path_of_note.read_bytes() == before
    tab.click("button[value=save]")
    tab.wait_for_selector(".told")
    assert path_of_note.read_bytes() == before + b"\nAnother **try**.\n"
    tab.click(".subpages a[href*='/note/history']")
    tab.click("main a:has-text('Compare with now') >> nth=0")
    expect(tab.locator("pre.lines ins").first).to_be_visible()
    picture(tab, "history", full=False)
    tab.click("form[action$='/note/undo'] button")
    tab.wait_for_selector(".told")
    assert path_of_note.read_bytes() == before


def test_a_session_shows_what_came_of_its_reminders_and_they_are_marked(town_of, visit):
    served = town_of()
    tab = visit(served)
    tab.click("nav.tabs a[href$='/sessions']")
    tab.click("ol.rows a.go >> nth=0")
    expect(tab.locator("ol.turns h2").nth(1)).to_contain_text("How often do uploads retry")
    tab.click(".shown form[action$='/tick'] button[value=helpful] >> nth=0")
    tab.wait_for_selector(".told:has-text('helpful')")
    assert path(tab).startswith("/sessions/one")
    expect(tab.locator(".outcome.helpful").first).to_be_visible()
    tab.click("nav.tabs a[href$='/']")
    expect(tab.locator("main")).to_contain_text("Used or marked as helpful:")


def test_a_prompt_is_tried_and_what_is_left_out_has_a_reason(town_of, visit):
    tab = visit(town_of())
    tab.goto(address(tab, "/recall"))
    tab.fill("#q", "How often do uploads retry behind the staging proxy?")
    tab.keyboard.press("Enter")
    expect(tab.locator(".judged .is-shown").first).to_contain_text("Because of:")
    expect(tab.locator("#recalled")).to_contain_text("retry")


def test_keys_move_through_pages_and_tabs(town_of, visit):
    tab = visit(town_of())
    tab.goto(address(tab, "/notes?sort=title"))
    tab.locator("#q").blur()
    tab.keyboard.press("n")
    expect(tab).to_have_url(re.compile("page=2"))
    tab.locator("#q").blur()
    tab.keyboard.press("p")
    expect(tab).not_to_have_url(re.compile("page="))
    tab.locator("#q").blur()
    tab.keyboard.press("g")
    tab.keyboard.press("3")
    expect(tab).to_have_url(re.compile("/sessions"))
    tab.keyboard.press("/")
    expect(tab).to_have_url(re.compile("/notes"))


def test_search_answers_while_one_types(town_of, visit, picture):
    """English and Japanese; the address follows, the filters hold, Back from a hit returns to the question."""
    tab = visit(town_of())
    tab.goto(address(tab, "/notes"))
    expect(tab.locator("input:focus")).to_have_count(1)  # letters typed before that would be lost
    tab.keyboard.type("staging proxy", delay=20)
    expect(tab.locator("#results mark").first).to_have_text("staging")
    expect(tab.locator("#results li").first).to_contain_text("implementation/proxy.md")
    expect(tab).to_have_url(re.compile(r"q=staging(\+|%20)proxy"))
    assert "category" not in tab.url
    picture(tab, "search", full=False)
    tab.fill("#q", "再送の上限")
    expect(tab.locator("#results")).to_contain_text("検索の索引")
    expect(tab.locator("#results mark").first).to_be_visible()
    tab.click(".filters summary")
    tab.select_option("select[name=kind]", "episode")
    expect(tab.locator("#results")).not_to_contain_text("検索の索引")
    expect(tab).to_have_url(re.compile("kind=episode"))
    tab.select_option("select[name=kind]", "note")
    expect(tab).to_have_url(re.compile("kind=note"))
    tab.reload()
    assert tab.input_value("#q") == "再送の上限" and tab.input_value("select[name=kind]") == "note"
    tab.click("#results a.go >> nth=0")
    tab.wait_for_selector("article")
    tab.go_back()
    expect(tab.locator("#q")).to_have_value("再送の上限")
    tab.fill("#q", "zzqqxx")
    expect(tab.locator("#results li")).to_have_count(0)


def test_a_note_is_found_opened_rated_and_kept(town_of, visit):
    served = town_of()
    tab = visit(served)
    tab.goto(address(tab, "/notes"))
    tab.fill("#q", "uploads retry")
    expect(tab).to_have_url(re.compile("q=uploads"))
    expect(tab.locator("#results mark").first).to_be_visible()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.locator("#q").blur()
    tab.keyboard.press("j")
    assert asked == [], "who leaves the field has asked already: a second answer would take the chosen hit away"
    tab.keyboard.press("Enter")
    tab.wait_for_selector("article .text")
    assert path(tab).startswith("/note?key=implementation")
    tab.fill("input[name=rating]", "9")
    tab.click("form[action$='/note/rate'] button")
    tab.wait_for_selector(".told")
    assert "rating: 9" in (served.scratch.active / "implementation/uploads.md").read_text(encoding="utf-8")
    assert "told" not in tab.url
    tab.click("form[action$='/note/bookmark'] button")
    tab.wait_for_selector("input[name=remove]", state="attached")
    tab.click("article a:has-text('the proxy')")
    tab.wait_for_selector("text=It resets every Monday")


def test_a_filter_that_is_set_asks_at_once(town_of, visit):
    tab = visit(town_of())
    tab.goto(address(tab, "/notes"))
    tab.fill("#q", "uploads")
    expect(tab).to_have_url(re.compile("q=uploads"))
    tab.fill("input[name=tag]", "uploads")
    tab.locator("input[name=tag]").blur()
    expect(tab).to_have_url(re.compile("tag=uploads"))


def test_a_rotation_asks_twice_when_it_is_much_and_comes_back(town_of, visit, picture):
    served = town_of()
    before = served.scratch.snapshot("active")
    assert "active/sync/old-plan.md" in before
    tab = visit(served)
    tab.goto(address(tab, "/rotation"))
    tab.click("button.danger")
    tab.wait_for_selector("[role=alert] button.danger")
    picture(tab, "brake", full=False)
    assert {name: value[0] for name, value in served.scratch.snapshot("active").items()} == {name: value[0] for name, value in before.items()}
    tab.click("[role=alert] button.danger")
    tab.wait_for_selector("h1:has-text('14 notes archived')")
    picture(tab, "rotated")
    assert not (served.scratch.active / "sync/old-plan.md").exists()
    tab.click("form[action$='/rotation/undo'] button")
    tab.wait_for_selector("h1:has-text('14 notes restored')")
    files = {name: value for name, value in before.items() if value[0]}
    assert {name: value for name, value in served.scratch.snapshot("active").items() if value[0]} == files


def test_two_tabs_a_plan_that_changed_runs_nothing(town_of, visit, picture):
    """The other tab bookmarked a note of the plan: this tab shows a message and the current plan."""
    served = town_of()
    one = visit(served)
    one.goto(address(one, "/rotation"))
    one.wait_for_selector("button.danger")
    other = one.context.new_page()
    other.goto(address(one, "/note?key=sync/trial-03.md"))
    other.click("form[action$='/note/bookmark'] button")
    other.wait_for_selector(".told")
    before = served.scratch.snapshot("active")
    with one.expect_response(lambda response: response.url.endswith("/rotation/run")) as answered:
        one.click("button.danger")
    assert answered.value.status == 409
    one.wait_for_selector("[role=alert]")
    picture(one, "changed", full=False)
    assert "sync/trial-03.md" not in one.inner_text("main table >> nth=0")
    assert served.scratch.snapshot("active") == before


def test_the_update_button_is_locked_while_an_update_runs(town_of, visit, picture):
    """In this tab, in another one, and for a run that a terminal started; how far it is, and then its end."""
    waits = (
        "import sys, json, threading\n"
        "from memorybank.clock import Clock\n"
        "from memorybank.episodes.running import EpisodesLock\n"
        "from memorybank.storage.layout import describe\n"
        "with EpisodesLock(describe(sys.argv[1]), 'memorybank episodes update', Clock()) as run:\n"
        "    run.at(3, 12, '2025-09-11')\n"
        "    open(sys.argv[1] + '/began', 'w').close()\n"
        "    import os\n"
        "    while not os.path.exists(sys.argv[1] + '/go-on'): threading.Event().wait(0.05)\n"
        "print('12 days summarised')\n"
    )
    served = town_of(update=waits)
    tab = visit(served)
    tab.goto(address(tab, "/episodes"))
    tab.click("form[action$='/episodes/update'] button")
    tab.wait_for_selector("text=3 of 12 days, now at 2025-09-11")
    assert tab.locator("form[action$='/episodes/update'] button").is_disabled()
    picture(tab, "updating", full=False)
    other = tab.context.new_page()
    other.goto(tab.url)
    assert other.locator("form[action$='/episodes/update'] button").is_disabled()
    (served.scratch.root / "go-on").touch()
    for each in (tab, other):
        each.wait_for_selector("text=The update has finished")
        assert each.locator("form[action$='/episodes/update'] button").is_enabled()
    assert "12 days summarised" in tab.inner_text("#progress")


def test_the_update_button_is_the_command(town_of, visit):
    """What it starts is `memorybank episodes update`: days that were due have their episodes, and the tab names the newest."""
    served = town_of()
    tab = visit(served)
    tab.goto(address(tab, "/episodes"))
    assert "2025-09-08" in tab.inner_text("dl.facts")
    tab.click("form[action$='/episodes/update'] button")
    tab.wait_for_selector("text=The update has finished", timeout=60_000)
    tab.reload()
    assert "2025-09-16" in tab.inner_text("dl.facts")


def test_how_far_back_episodes_are_told_is_chosen_tried_and_kept(town_of, visit):
    served = town_of()
    tab = visit(served, language="ja-JP")
    tab.goto(address(tab, "/episodes"))
    assert tab.locator("select[name=lookback] option").all_inner_texts() == ["過去1週間", "過去2週間", "過去1ヶ月", "過去3ヶ月"]
    tab.select_option("select[name=lookback]", "2w")
    tab.click("main form[action$='/episodes'] button")
    tab.click("form[action$='/episodes/lookback'] button")
    tab.wait_for_selector(".told")
    assert '"lookback": "2w"' in (served.scratch.root / "config/episodes_config.json").read_text(encoding="utf-8")
    assert '"chat_logs"' in (served.scratch.root / "config/episodes_config.json").read_text(encoding="utf-8")


def test_an_archived_note_comes_back_and_a_policy_too(town_of, visit):
    served = town_of()
    tab = visit(served)
    tab.click('header nav a[href$="/archive"]')
    tab.locator("ul.rows a.go").first.click()
    tab.click("form[action$='/archive/restore'] button")
    tab.wait_for_selector(".told:has-text('Restored')")
    tab.goto(address(tab, "/settings"))
    assert tab.locator("ol.rows > li").count() == 2
    tab.locator("form[action$='/settings/rollback'] button").first.click()
    tab.wait_for_selector(".told:has-text('Version 3')")
    assert "0.3" in tab.inner_text("main")


def test_without_script_everything_works_as_forms(town_of, visit):
    served = town_of()
    tab = visit(served, javascript=False)
    tab.fill("#q", "再送の上限")
    tab.click(".search .ask button")
    assert "検索の索引" in tab.inner_text("#results")
    tab.goto(address(tab, "/rotation"))
    tab.click("button.danger")
    tab.click("[role=alert] button.danger")
    assert "14 notes archived" in tab.inner_text("h1")
    tab.click("form[action$='/rotation/undo'] button")
    assert "14 notes restored" in tab.inner_text("h1")


def test_a_page_that_only_shows_says_what_to_type(town_of, visit, picture):
    served = town_of(allow_write=False)
    before = served.scratch.snapshot()
    tab = visit(served)
    for each in PAGES:
        tab.goto(address(tab, each))
        for button in tab.locator("form[method=post] button").all():
            assert button.is_disabled()
            assert button.locator("xpath=..").locator("code.command").inner_text().startswith("memorybank ")
    picture(tab, "read-only")
    assert served.scratch.snapshot() == before


def test_the_link_logs_in_where_the_login_stands_already(town_of, visit):
    """A person who opened the address without its token pastes the complete link into the same tab."""
    served = town_of()
    tab = visit(served).context.browser.new_context().new_page()
    tab.goto(served.link.partition("#")[0])
    tab.wait_for_selector("#login")
    tab.goto(served.link)
    tab.wait_for_selector("#q")
    assert "#" not in tab.url and tab.evaluate("document.cookie") == ""
    tab.context.close()


def test_a_page_whose_command_has_ended_says_so(town_of, visit):
    """Typing that brings nothing is not taken for a search without hits; and it says so no more when the page answers again."""
    tab = visit(town_of())
    tab.goto(address(tab, "/notes"))
    tab.context.set_offline(True)
    tab.fill("#q", "staging")
    expect(tab.locator("#gone")).to_be_visible()
    tab.context.set_offline(False)
    tab.fill("#q", "staging proxy")
    expect(tab.locator("#results")).to_contain_text("implementation/proxy.md")
    expect(tab.locator("#gone")).to_be_hidden()


def test_a_note_shows_its_pictures_and_leads_on(town_of, visit, picture):
    """A picture of the bank is loaded; one of the network is only words."""
    served = town_of()
    served.scratch.write(
        "planning/roadmap.md", "# Roadmap\n\n![the harbour](../shared/pictures/harbour.gif) ![far](https://example.org/a.png)\n\n[[glossary]]\n"
    )
    folder = served.scratch.active / "shared/pictures"
    folder.mkdir()
    (folder / "harbour.gif").write_bytes(bytes.fromhex("47494638396101000100800000ff000000000021f90400000000002c00000000010001000002024401003b"))
    tab = visit(served)
    tab.goto(address(tab, "/note?key=planning/roadmap.md"))
    expect(tab.locator(".text img[src]")).to_have_count(1)
    assert tab.locator(".text img[src]").evaluate("async image => (await image.decode(), image.naturalWidth)") == 1
    picture(tab, "pictures")
    tab.click(".text a:has-text('glossary')")
    tab.wait_for_selector("text=a place for a ship")


def test_an_empty_bank_says_how_to_begin(town_of, visit):
    tab = visit(town_of(built=False))
    for each in TABS:
        tab.click(f'header nav a[href$="{each}"]')
        tab.wait_for_load_state()
        assert tab.locator("main").inner_text().strip()
    tab.click('nav.tabs a[href$="/"]')
    assert "memorybank add" in tab.inner_text("main")


def test_the_pictures_of_the_readme(town_of, visit, picture):
    """What MEMORYBANK_PICTURES keeps of this test is what docs/pictures shows."""
    served = town_of()
    tab = visit(served, width=1000, height=760)
    picture(tab, "readme-home", full=False)
    tab.goto(address(tab, "/notes"))
    expect(tab.locator("input:focus")).to_have_count(1)  # letters typed before that would be lost
    tab.keyboard.type("staging proxy", delay=20)
    expect(tab.locator("#results mark").first).to_have_text("staging")
    expect(tab.locator("#results li").first).to_contain_text("implementation/proxy.md")
    picture(tab, "readme-search", full=False)
    dark = visit(served, width=900, height=760, dark=True)
    dark.goto(address(dark, "/rotation"))
    expect(dark.locator("button.danger")).to_be_visible()
    picture(dark, "readme-rotation", full=False)
    narrow = visit(served, width=400, height=760, language="ja-JP")
    narrow.goto(address(narrow, "/sessions/one?session=5d2f0c1e"))
    expect(narrow.locator("ol.turns")).to_be_visible()
    picture(narrow, "readme-session", full=False)
