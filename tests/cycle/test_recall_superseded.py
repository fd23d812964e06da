"""Of two decisions about one subject an agent is shown the later one; what else the earlier note says stays, with the mark."""

from types import SimpleNamespace

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, isoformat
from memorybank.cycle.know import rejected
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, before, prompt, start

ASKED = "which database does the job queue use, is it redis?"
HEARTBEAT = "Workers write their heartbeat to `workers.log` every two seconds."


def dated(text, day, front=""):
    at = isoformat(NOW - (200 - day) * DAY)
    return f"---\ncreated: {at}\nupdated: {at}\n{front}---\n{text}\n"


@pytest.fixture
def memory(bank, fixed_clock):
    made = Remembering(bank({}), fixed_clock)
    for name in ("invoices", "mails", "search", "login", "exports", "reports"):
        made.note(f"shared/{name}.md", f"# {name.title()}\n\nWhat {name} do is described in the handbook of the office.\n")
    return made


def queue(memory, front="", earlier="We use Redis for the job queue."):
    memory.note("planning/queue.md", dated(f"# Job queue\n\n{earlier}", 1))
    memory.note("planning/queue-2.md", dated("# Storage\n\nThe job queue moved from Redis to PostgreSQL.", 50, front))
    return memory.index()


def left_out(composed):
    return {one.memory.memory: str(one.why) for one in composed.left_out}


def test_the_later_decision_is_shown_and_the_reason_says_why_not_the_earlier(memory):
    composed = queue(memory).preview(prompt(ASKED))
    assert [one.memory.memory for one in composed.shown] == ["note:planning/queue-2.md"]
    assert left_out(composed)["note:planning/queue.md"] == "superseded by planning/queue-2.md, 2025-04-20"


def test_the_later_note_takes_the_place_of_the_earlier_one_whatever_its_words(memory):
    memory.note("planning/3-cache.md", dated("# Cache of rendered invoices\n\nRendered invoices are cached for an hour.", 1))
    memory.note("planning/9-renderer.md", dated("# Renderer\n\nSupersedes [[3-cache]]. It is quick enough.", 50)).index()
    composed = memory.preview(prompt("for how long are rendered invoices cached?"))
    shown = [one.memory.memory for one in composed.shown]
    assert "note:planning/9-renderer.md" in shown and "note:planning/3-cache.md" not in shown


def test_other_statements_of_the_earlier_note_are_shown_with_the_mark(memory):
    queue(memory, earlier=f"We use Redis for the job queue. {HEARTBEAT}")
    text = memory.ask(prompt("where do the workers of the job queue write their heartbeat?")).text
    assert f"We use Redis for the job queue. (superseded by planning/queue-2.md, 2025-04-20) {HEARTBEAT}" in text


def test_a_note_that_the_event_names_is_shown_with_the_mark(memory):
    queue(memory)
    text = memory.ask(prompt("what does planning/queue.md say about redis and the job queue?")).text
    assert "We use Redis for the job queue. (superseded by planning/queue-2.md, 2025-04-20)" in text


def test_a_note_that_the_agent_may_not_see_supersedes_nothing(memory):
    text = queue(memory, front="privacy: private\nagent_created: reviewer\n").ask(prompt(ASKED)).text
    assert "We use Redis for the job queue." in text
    assert "superseded" not in text


def test_a_note_that_nobody_accepted_supersedes_nothing(memory):
    queue(memory)
    memory.base._gate = SimpleNamespace(is_open=True, admits=lambda layout, path: not path.endswith("queue-2.md"))
    text = memory.ask(prompt(ASKED)).text
    assert "We use Redis for the job queue." in text
    assert "superseded" not in text


def test_a_pair_that_a_person_kept_is_shown_as_before(memory):
    queue(memory)
    [pair] = Bank.open(memory.scratch.layout.root, clock=memory.clock).decisions.superseded()
    rejected.add(memory.scratch.layout, pair.id, is_rejected=True, by=rejected.COMMAND, what="", clock=memory.clock)
    assert "We use Redis for the job queue.\n" in memory.ask(prompt(ASKED)).text


def test_a_rule_is_not_shown_when_a_later_note_replaces_it(memory):
    """What a person said stands in a learned note, by which a note that was written later is compared with it."""
    work = memory.session("earlier")
    work.prompt("Never push to main.")
    work.turn_end("Done.")
    memory.index().fold()
    assert "Never push to main" in memory.ask(before("Bash", {"command": "git push origin main"})).text
    [rule] = [one.memory.memory for one in memory.preview(start("third")).shown if one.memory.kind == "rule"]
    quoted = dated("# Never push to main.\n\n> Never push to main.", 1, "agent_created: main\n")
    memory.note(f"learned/rule-push-{rule.partition(':')[2]}.md", quoted)
    memory.note("planning/pushing.md", dated("# Pushing\n\nAlways push to main.", 190)).index()
    composed = memory.preview(start("fourth"))
    assert left_out(composed)[rule] == "superseded by planning/pushing.md, 2025-09-07"
    text = memory.ask(before("Bash", {"command": "git push origin main"}, session="other")).text
    assert "Always push to main." in text
    assert "Never push" not in text


@pytest.mark.parametrize("first, second", [("Orders service", "Mail service"), ("Mail service", "Orders service")])
def test_the_value_of_another_service_does_not_hide_the_one_that_is_asked_for(memory, first, second):
    values = {"Orders service": "The timeout is 30 seconds. Retry 3 times.", "Mail service": "The timeout is 90 seconds. Retry 10 times."}
    for title, day in ((first, 1), (second, 50)):
        memory.note(f"shared/{title.split()[0].lower()}.md", dated(f"# {title}\n\n{values[title]}", day))
    text = memory.index().ask(prompt("what is the timeout of the orders service?")).text
    assert "Orders service: The timeout is 30 seconds." in text
    assert "superseded" not in text


TAKEN_BACK = {
    "English": (
        "Never commit directly to main.",
        "You can commit directly to main from now on.",
        "Should I commit this directly to main?",
        "The branch main deploys to staging at every push.",
    ),
    "Japanese": (
        "mainに直接コミットしないでください。",
        "もうmainに直接コミットしていいです。",
        "この変更はmainに直接コミットしてもよいですか？",
        "mainへのプッシュで検証環境に配備される。",
    ),
}


def of_colleague(memory, language, *more):
    """A colleague was told the same rule: the note of that session is in the bank, its log is not."""
    rule, permission, *_ = TAKEN_BACK[language]
    work = memory.session("first", days_ago=9)
    work.prompt(rule)
    work.turn_end("Done.")
    title = rule.rstrip(".。")
    note = f"---\ntitle: {title}\nsession_id: colleague\ntags: [session]\n---\n\n# {title}\n\n## Decided\n\n" + "".join(f"- {said}\n" for said in (rule, *more))
    return memory.note("sync/sessions/2025-09-08-0a1b2c3d.md", note), permission


@pytest.mark.parametrize("language", TAKEN_BACK)
@pytest.mark.parametrize("says_more", [False, True])
def test_a_colleagues_session_is_not_recalled_for_a_rule_that_was_taken_back(memory, language, says_more):
    rule, _, asked, else_said = TAKEN_BACK[language]
    _, permission = of_colleague(memory, language, *([else_said] if says_more else []))
    memory.fold().index()
    assert "session:colleague" in [one.memory.memory for one in memory.preview(prompt(asked)).shown]
    later = memory.session("second", days_ago=3)
    later.prompt(permission)
    later.turn_end("Done.")
    memory.fold()
    composed = memory.preview(prompt(asked))
    if says_more:
        text = composed.injection.text
        mark = "(taken back by a person, 2025-09-14)" if language == "English" else "(2025-09-14 に利用者が撤回)"
        assert mark in text and else_said.rstrip(".。") in text
    else:
        assert composed.injection is None or rule.rstrip(".。") not in composed.injection.text
        assert left_out(composed)["session:colleague"] == "a person took it back on 2025-09-14"


@pytest.mark.parametrize(
    ("said", "later", "mark"),
    [
        (
            "Always use port 8080 for the preview server.",
            "From now on use port 9090 for the preview server.",
            "replaced by a person, 2025-09-13",
        ),
        (
            "プレビューサーバーは必ず8080番ポートで起動してください。",
            "今後はプレビューサーバーを9090番ポートで起動してください。",
            "2025-09-13 に利用者が変更",
        ),
    ],
    ids=["English", "Japanese"],
)
def test_a_replaced_rule_is_marked_in_its_language_in_the_days_of_a_start(memory, said, later, mark):
    for number, text in enumerate((said, later)):
        work = memory.session(f"said-{number}", days_ago=5 - number)
        work.prompt(text)
        work.edit("src/server.py")
        work.turn_end("The preview server was started again, and its page is there.")
        work.end()
    memory.fold()
    days = memory.ask(start()).text.partition("## Episodic memory")[2].partition("## Known")[0]
    assert days.count(mark) == 1
    assert days.index(said.rstrip(".。")) < days.index(mark) < days.index(later.rstrip(".。"))
