"""What an earlier session said about a file comes back when the file is touched for a request like that one, in English and Japanese."""

from pathlib import Path

import pytest

from memorybank.cycle.event import MAIN, SUCCESS, TOOL_AFTER, TOOL_BEFORE, Event
from memorybank.cycle.fold import cache, schema
from memorybank.cycle.recall import outcomes, recollect
from memorybank.cycle.router import HookRouter
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, assert_gives_way_when_rejected, before

UPLOADS = (
    "src/upload/retry.py",
    "Uploads of large attachments give up after a timeout. Please make the retry back off exponentially.",
    "`src/upload/retry.py`: the retry of an upload waits 2, 4 and 8 seconds now, because the gateway answers a timeout with 503 for six seconds.\n\n"
    "The changelog has an entry.",
    "large attachments still fail with a timeout of the gateway: can the upload retry wait for longer?",
    "the gateway answers a timeout with 503 for six seconds",
)
INVOICES = (
    "billing/invoice.py",
    "請求書の消費税の端数処理を切り捨てに変更してほしい。",
    "`billing/invoice.py` の `tax_of` で消費税の端数を請求書ごとに切り捨てるように変更しました。明細ごとに丸めると合計が1円ずれるためです。",
    "請求書の消費税の端数処理がまだおかしい。明細の合計と合わない。",
    "明細ごとに丸めると合計が1円ずれるため",
)
OTHER = ("docs/tone.md", "Rewrite the introduction of the tone guide.", "`docs/tone.md` begins with an example now, because readers skip the rules.")


@pytest.fixture
def worked(bank, fixed_clock):
    """worked((file, request, answer), …) → a bank in which each of them was a session, and a current session with a request."""

    def make(*works, asks):
        remembering = Remembering(bank({}), fixed_clock)
        for number, (file, request, answer) in enumerate(works):
            session = remembering.session(f"earlier-{number}", days_ago=2 + number)
            session.prompt(request)
            session.edit(file, old="a", new="b")
            session.turn_end(answer)
            session.end()
        now = remembering.session("now")
        now.line("session_start", source="startup")
        now.prompt(asks)
        return remembering.fold()

    return make


def touching(remembering, file, tool="Edit", **fields):
    return before(tool, {"file_path": f"{remembering.root()}/{file}", "old_string": "a", "new_string": "b"}, **fields)


def after(tool, remembering, file, **fields):
    return Event(
        host="claude-code", name=TOOL_AFTER, session_id="now", tool=tool, inputs={"file_path": f"{remembering.root()}/{file}"}, status=SUCCESS, output="…",
        agent_id=MAIN, agent_role=MAIN, tool_use_id="toolu_1", **fields,
    )  # fmt: skip


@pytest.mark.parametrize("tool", ["Edit", "Write", "Read"])
@pytest.mark.parametrize("work", [UPLOADS, INVOICES], ids=["english", "japanese"])
def test_a_file_brings_what_was_said_about_it_for_a_request_like_this_one(worked, work, tool):
    file, request, answer, asks, said = work
    remembering = worked((file, request, answer), OTHER, asks=asks)
    found = remembering.ask(touching(remembering, file, tool))
    assert said in found.text
    assert file in found.text
    assert "session earlier-" in found.text


def test_of_a_long_answer_the_part_that_names_the_file_is_shown(worked):
    file, request, _, asks, _ = UPLOADS
    cause = "Root cause: `close` in `src/upload/retry.py` closed the connection of the gateway too early."
    rest = "The log of the proxy showed it only at the level of details, which nobody had enabled on that machine. "
    remembering = worked(
        (file, request, f"{cause} {rest}Since the timeout of large attachments and of the gateway differ, the upload of large attachments failed first."),
        OTHER,
        asks=asks,
    )
    assert "closed the connection" in remembering.ask(touching(remembering, file)).text


def test_it_comes_once(worked):
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    assert remembering.ask(touching(remembering, UPLOADS[0])) is not None
    assert remembering.ask(touching(remembering, UPLOADS[0])) is None


PLACES = {"claude-code": (frozenset((TOOL_BEFORE, TOOL_AFTER)), True), "gemini": (frozenset((TOOL_AFTER,)), True), "silent": (frozenset(), False)}


@pytest.mark.parametrize("host", PLACES)
def test_what_is_known_of_a_file_comes_with_its_contents(worked, host):
    """For reading, no process is started before the call, so the result is the first moment."""
    delivers, is_shown = PLACES[host]
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    found = HookRouter(remembering.base, delivers).answer(after("Read", remembering, UPLOADS[0], delivery=is_shown))
    assert (found is not None and UPLOADS[4] in found.text) == is_shown


def firings(remembering):
    remembering.fold()
    (row,) = (row for row in outcomes.collect_stats(cache.writable(remembering.scratch.layout), NOW).moments if row.moment == TOOL_BEFORE)
    cache.close()
    return row.firings, row.injected


def test_a_read_result_that_asks_memory_is_a_firing(worked):
    """Whether something is shown or not. A result of which nothing can be known asks nothing."""
    remembering = worked(UPLOADS[:3], INVOICES[:3], asks=UPLOADS[3])
    delivers = frozenset((TOOL_BEFORE, TOOL_AFTER))
    for number, (file, counts) in enumerate((("src/other.py", (0, 0)), (INVOICES[0], (1, 0)), (UPLOADS[0], (2, 1)))):
        HookRouter(remembering.base, delivers).answer(after("Read", remembering, file, delivery=True, strong_id=f"toolu_{number}"))
        assert firings(remembering) == counts


@pytest.mark.parametrize(("tool", "file"), [("Edit", UPLOADS[0]), ("Grep", UPLOADS[0]), ("Read", "src/upload/retry_test.py")])
def test_other_results_start_no_recall(worked, tool, file, monkeypatch):
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    monkeypatch.setattr(recollect, "Draft", None)
    assert HookRouter(remembering.base, frozenset((TOOL_BEFORE, TOOL_AFTER))).answer(after(tool, remembering, file, delivery=True)) is None


def test_a_cache_that_cannot_be_read_says_nothing(worked):
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    Path(schema.path(remembering.scratch.layout)).write_bytes(b"no database")
    assert HookRouter(remembering.base, frozenset((TOOL_BEFORE, TOOL_AFTER))).answer(after("Read", remembering, UPLOADS[0], delivery=True)) is None


@pytest.mark.parametrize("name", ["src/\udce9.py", "src/\x00.py", "a" * 5_000, ""])
def test_a_name_that_no_file_of_the_log_has_loses_no_event(worked, name):
    """A name that is not UTF-8 reaches a hook as lone surrogates, which SQLite does not take."""
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    router = HookRouter(remembering.base, frozenset((TOOL_BEFORE, TOOL_AFTER)))
    assert router.answer(after("Read", remembering, name, delivery=True)) is None
    assert router.answer(touching(remembering, name, tool_use_id="toolu_2", delivery=True)) is None
    assert router.refused is None
    assert [len(remembering.lines("now", event)) for event in (TOOL_AFTER, TOOL_BEFORE)] == [1, 1]


@pytest.mark.parametrize(
    "asks",
    ["Translate the messages of the login page to French.", "ログイン画面の文言をフランス語にして。", "can you fix the tests?", "ok", "続けて"],
)
def test_another_request_for_the_same_file_brings_nothing(worked, asks):
    remembering = worked(UPLOADS[:3], OTHER, asks=asks)
    assert remembering.ask(touching(remembering, UPLOADS[0])) is None


def test_a_file_that_was_not_changed_brings_nothing(worked):
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    assert remembering.ask(touching(remembering, "src/upload/retry_test.py")) is None
    assert remembering.ask(touching(remembering, "src/other/retry.py")) is None
    assert remembering.ask(before("Read", {"file_path": "/elsewhere/src/upload/retry.py"})) is None


def test_an_answer_that_does_not_name_the_file_is_about_something_else(worked):
    file, request, answer = UPLOADS[:3]
    remembering = worked((file, request, answer.replace("retry.py", "old_retry.py")), OTHER, asks=UPLOADS[3])
    assert remembering.ask(touching(remembering, file)) is None


@pytest.mark.parametrize(("sessions", "is_shown"), [(3, True), (4, False)])
def test_a_file_that_most_work_changes_says_nothing(worked, sessions, is_shown):
    others = [(UPLOADS[0], OTHER[1], OTHER[2])] * (sessions - 1)
    remembering = worked(UPLOADS[:3], *others, asks=UPLOADS[3])
    assert (remembering.ask(touching(remembering, UPLOADS[0])) is not None) == is_shown


def test_a_session_that_changed_a_file_in_many_turns_counts_with_its_last(worked):
    file, request, answer, asks, said = UPLOADS
    remembering = worked(OTHER, asks=asks)
    session = remembering.session("long", days_ago=3)
    for number in range(30):
        session.prompt(f"Rename the variable {number} of the page." if number < 29 else request)
        session.edit(file, old="a", new="b")
        session.turn_end(f"Renamed variable {number} everywhere." if number < 29 else answer)
    remembering.fold()
    assert said in remembering.ask(touching(remembering, file)).text


def test_a_path_relative_to_the_working_folder_names_the_same_file(worked):
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    call = before("Edit", {"file_path": "upload/retry.py", "old_string": "a", "new_string": "b"}, cwd=f"{remembering.root()}/src")
    assert remembering.ask(call) is not None


def test_a_follow_up_is_read_with_the_request_before_it(worked):
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    remembering.session("now").prompt("yes, please try that with the wider window")
    remembering.fold()
    assert remembering.ask(touching(remembering, UPLOADS[0])) is not None


def test_a_context_that_was_shown_enough_is_left_alone(worked):
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    shown = [{"memory": f"answer:other.{number}", "kind": "finding", "shown": True, "tokens": 20} for number in range(3)]
    remembering.session("now").expose(*shown)
    assert remembering.ask(touching(remembering, UPLOADS[0])) is None


def test_what_a_person_rejected_gives_way_and_is_listed_with_its_reason(worked):
    remembering = worked(UPLOADS[:3], OTHER, asks=UPLOADS[3])
    assert_gives_way_when_rejected(remembering, touching(remembering, UPLOADS[0]))


def test_what_others_may_not_see_stays_with_them(worked):
    file, request, answer, asks, _ = UPLOADS
    remembering = worked(OTHER, asks=asks)
    session = remembering.session("private", days_ago=3)
    hidden = {"acl": "session"}
    session.prompt(request, **hidden)
    session.edit(file, old="a", new="b", **hidden)
    session.turn_end(answer, **hidden)
    remembering.fold()
    assert remembering.ask(touching(remembering, file)) is None
