"""The tab of what is known: listed, shown with sources, and judged with the same effect as the commands."""

import html
import json
import re
from urllib.parse import unquote

import pytest

from memorybank.bank import Bank
from memorybank.log import events, extracted
from memorybank.log import key as log_key
from memorybank.log.extracted import ExtractedLine, ExtractionLine, QuoteSource
from memorybank.ui import pages
from memorybank.ui.serve import _bring_up_to_date
from tests.conftest import DAY, NOW
from tests.cycle.conftest import Session

from .conftest import form_of, visible

RULE = "Never edit the generated schema by hand."
FINDING = "The flaky upload came from the proxy, which drops idle connections after 30 seconds."
所見 = "アップロードが失敗する原因は、30秒でアイドル接続を切るプロキシです。"


@pytest.fixture
def taught(bank, fixed_clock):
    """Three sessions that met a problem, a rule, two findings (one Japanese); the last session was shown both findings."""
    scratch = bank()
    for number, answer in enumerate((FINDING, 所見, "The build works now that the compiler runs without its wrapper.")):
        work = Session(scratch.layout, fixed_clock, f"session-{number}", NOW - (3 - number) * DAY)
        work.prompt("Build it, please." if number else f"Build it, please. {RULE}")
        work.run("rtk bun run build", error="error: unrecognized subcommand 'bun'")
        work.run("bun run build")
        work.turn_end(answer)
        work.end()
    ids = {known.text: known.id for known in Bank.open(str(scratch.root), clock=fixed_clock).knowledge.list()}
    later = Session(scratch.layout, fixed_clock, "later", NOW - DAY // 2)
    line = {"rank": 1, "score": 1.0, "parts": {}, "match": 0, "why": [], "anchors": [], "tokens": 1, "shown": True}
    later.expose(*({**line, "memory": ids[text]} for text in (FINDING, 所見)))
    _bring_up_to_date(Bank.open(str(scratch.root), clock=fixed_clock))
    return scratch


def names(text: str) -> dict[str, str]:
    """{text: id} of the rows of the page."""
    rows = re.findall(r'(?s)<li><p class="summary"><a class="go" href="[^"]*[?]id=([^"]*)">(.*?)</a></p>', text)
    return {html.unescape(said): unquote(html.unescape(name)) for name, said in rows}


def everything(page) -> str:
    """The lists of all groups, one after the other."""
    return "".join(page.get("/knowledge", kind=kind).text for kind in ("problem", "rule", "finding", "reason", "rejected"))


def section(text: str, heading: str) -> str:
    return next(part for part in text.split("<section>") if f"<h2>{heading}</h2>" in part)


def test_problems_rules_and_findings_are_listed(serve, taught):
    text = everything(serve(taught))
    assert "`rtk bun run build` fails here (3 sessions): use `bun run build`" in html.unescape(section(text, "Problems"))
    assert RULE in section(text, "Rules")
    shown = section(text, "Findings")
    assert FINDING in shown and 所見 in shown and "without its wrapper" in shown
    assert "Nothing yet." in section(text, "Rejected")
    assert "`rtk bun run build` fails here" in html.unescape(serve(taught).get("/knowledge").text), "the first group that has entries"


def test_an_entry_has_its_sources_and_why_it_counts(serve, taught):
    page = serve(taught)
    ids = names(everything(page))
    told = visible(page.get("/knowledge", id=ids[FINDING]).text)
    assert "session-0" in told and FINDING in told and "an agent ended a turn with it" in told and "shown 1 time, " in told
    (problem,) = (name for name in ids.values() if name.startswith("problem:"))
    assert visible(page.get("/knowledge", id=problem).text).count("unrecognized subcommand") == 3
    assert page.get("/knowledge", id="answer:nothing").status == 404


def test_the_japanese_page_is_japanese(serve, taught):
    page = serve(taught, languages="ja")
    text = everything(page)
    assert "`rtk bun run build` はここでは失敗する（3セッション）: `bun run build` を使う" in html.unescape(text) and 所見 in text
    ids = names(text)
    for name in ids.values():
        details = Bank.open(str(taught.root)).knowledge.show(name)
        assert all(pages.said("ja", why) != str(why) for why in details.why), details.why
    told = visible(page.get("/knowledge", id=ids[FINDING]).text)
    assert "エージェントの最後の回答" in told and f"依頼：{RULE}" in told and "出典" in told


def test_what_a_model_named_is_marked(serve, taught, fixed_clock):
    said = next(line for line in events.read(taught.layout, events.name_of("session-0")) if line.fields["event"] == "prompt")
    source = QuoteSource(said.fields["id"], said.offset, "inputs", NOW)
    item = ExtractedLine("session-0", "llm:m<b>", "rule", "コンパイラは包まずに呼ぶ", "", "Build it, please.", (), source)
    extracted.append(taught.layout, log_key.ensure(taught.layout), ExtractionLine("session-0", "llm:m<b>", NOW, 1, {}), (item,), fixed_clock)
    page = serve(taught)
    rules = section(page.get("/knowledge", kind="rule").text, "Rules")
    assert "コンパイラは包まずに呼ぶ" in rules and "made by a model (llm:m&lt;b&gt;)" in rules and rules.count("made by a model") == 1
    (name,) = (one.id for one in Bank.open(str(taught.root)).knowledge.list() if one.made_by)
    seen = visible(page.get("/knowledge", id=name).text)
    assert "made by a model (llm:m" in seen and "Build it, please." in seen
    assert all(pages.said("ja", why) != str(why) for why in Bank.open(str(taught.root)).knowledge.show(name).why)


def test_reject_and_restore_do_what_the_commands_do(serve, taught):
    page = serve(taught)
    name = names(everything(page))[所見]
    fields = form_of(page.get("/knowledge", id=name).text, "/knowledge/reject")
    assert fields["id"] == name
    rejected = page.follow(page.post("/knowledge/reject", id=name)).text
    assert f"Rejected: {name}." in rejected and 所見 in section(rejected, "Rejected")
    assert 所見 not in section(page.get("/knowledge", kind="finding").text, "Findings")
    (line,) = (taught.root / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["memory"] == name
    assert "/knowledge/reject" not in page.get("/knowledge", id=name).text
    restored = page.follow(page.post("/knowledge/restore", id=name)).text
    assert 所見 in section(restored, "Findings") and 所見 not in page.get("/knowledge", kind="rejected").text


@pytest.mark.parametrize("verdict", ["helpful", "wrong"])
def test_ticks_are_those_of_a_person(serve, taught, verdict):
    page = serve(taught)
    name = names(everything(page))[FINDING]
    assert f"marked {verdict} by a person on 2025-09-17" in visible(page.follow(page.post("/tick", id=name, verdict=verdict)).text)


def test_what_is_not_there_is_an_error_with_its_next_step(serve, taught):
    page = serve(taught)
    name = names(everything(page))[FINDING]
    for path, fields, status in (
        ("/knowledge/reject", {}, 400),
        ("/knowledge/reject", {"id": "answer:nothing"}, 404),
        ("/knowledge/restore", {"id": name}, 404),
        ("/tick", {"id": name, "verdict": "splendid"}, 400),
    ):
        assert page.post(path, **fields).status == status
    assert not (taught.root / "rejected.jsonl").exists() and not (taught.root / "log" / "ticks.jsonl").exists()


def test_a_page_that_may_not_write_names_the_commands(serve, taught):
    text = html.unescape(visible(everything(serve(taught, allow_write=False))))
    assert "memorybank know reject rule:" in text and re.search(r"memorybank tick answer:\S+ helpful", text)


def test_nothing_known_is_said(serve, bank):
    assert "memorybank know extract" in visible(serve(bank()).get("/knowledge").text)


def test_what_the_log_says_stays_text(serve, bank, fixed_clock):
    scratch = bank()
    work = Session(scratch.layout, fixed_clock, "hostile", NOW - DAY)
    work.prompt("Look at the template of the cart.")
    work.turn_end("The page broke because of <img src=x onerror=alert(1)> and <script>alert(1)</script> in the template of the cart.")
    page = serve(scratch)
    one = page.get("/knowledge", id="answer:hostile").text
    page.post("/knowledge/reject", id="answer:hostile")
    for text in (one, section(page.get("/knowledge", kind="rejected").text, "Rejected")):
        assert "<script>alert" not in text and "<img" not in text and "&lt;img src=x" in text
