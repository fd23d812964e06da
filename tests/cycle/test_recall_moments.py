"""RECALL at each of its moments (Self-improving memory cycle, phase 3): what is shown, once, and what the log says about it."""

import pytest

from memorybank.config.cycle import Budgets, CycleSettings, PhaseSwitches, RecallEvents, RecallSettings, ResidentSummarySettings
from memorybank.cycle.event import PROMPT, SUBAGENT_START, SUCCESS, TOOL_BEFORE
from memorybank.cycle.recall import query, recollect
from memorybank.cycle.recall.exposing import expose
from memorybank.cycle.router import HookRouter
from memorybank.injection import RESIDENT_HEADING
from memorybank.text.untrusted.fence import FENCE_CLOSE, FENCE_OPEN
from tests.cycle.recalling import SUMMARY, Remembering, before, failure, prompt, start, subagent
from tests.cycle.test_comes_up_again import ASKED_AND_FOUND

NOTES = {
    "planning/retry.md": "---\ntags: [uploads]\n---\n# Upload retries\n\nUploads are retried three times with jitter, see src/upload.py.\n",
    "shared/再送.md": "# 再送の上限\n\nアップロードの再送は三回まで。詳細は src/upload.py を参照。\n",
    "shared/other.md": "# Release calendar\n\nThe release train leaves every second Thursday.\n",
}


@pytest.fixture
def memory(bank, fixed_clock):
    """The notes above, indexed; settings as keywords."""

    def make(notes=NOTES, settings=None):
        return Remembering(bank(notes), fixed_clock, settings).index()

    return make


@pytest.mark.parametrize(("text", "key"), [("how many retries do uploads make?", "planning/retry.md"), ("再送の上限はアップロードで何回？", "shared/再送.md")])
def test_a_prompt_about_a_note_brings_it_with_source_date_and_reason(memory, text, key):
    remembering = memory()
    found = remembering.ask(prompt(text))
    assert f"note:{key}" in found.sources
    assert f"[note {key}; 2025-09-07; recalled for " in found.text
    assert found.text.startswith(FENCE_OPEN)
    assert found.text.endswith(FENCE_CLOSE)
    assert "Release calendar" not in found.text


@pytest.mark.parametrize("text", ["write a poem about the sea", "カレーの作り方を教えて", "ok", "続けて", "uploads", ""])
def test_silence_is_a_good_answer(memory, text):
    remembering = memory()
    assert remembering.ask(prompt(text)) is None


def test_a_short_prompt_is_asked_together_with_what_was_said_before(memory):
    remembering = memory()
    session = remembering.session("now")
    session.prompt("please change how uploads are retried")
    assert remembering.ask(prompt("yes, go on")).sources == ("note:planning/retry.md",)


def test_what_a_person_marked_as_private_asks_nothing(memory):
    remembering = memory()
    assert remembering.ask(prompt("hello <private>how many retries do uploads make?</private>")) is None


@pytest.mark.parametrize("path", ["src/upload.py", "./src/upload.py"])
def test_a_call_brings_what_names_its_file(memory, path):
    remembering = memory()
    found = remembering.ask(before("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, cwd=remembering.root()))
    assert set(found.sources) == {"note:planning/retry.md", "note:shared/再送.md"}
    assert "recalled for src/upload.py" in found.text


OWN = ["mcp__memorybank__search", "mcp__memorybank__recall", "mcp__plugin_memorybank_memorybank__search"]
OTHERS = ["mcp__notes__search", "mcp__notmemorybank__search", "Grep", "memorybank"]


@pytest.mark.parametrize("tool", [*OWN, *OTHERS])
def test_a_question_to_memory_is_answered_by_the_tool_alone(memory, tool):
    """This holds before the call, at its failure, and at its result if the host showed nothing before the call. Elsewhere the same words find the note."""
    remembering = memory()
    asked = {"query": "how often are uploads retried with jitter", "path": "src/upload.py"}
    found = []
    for number, event in enumerate([before(tool, asked, delivery=True), failure(tool, asked, "no upload retries with jitter", delivery=True)]):
        event.session_id = f"s{number}"
        found.append(HookRouter(remembering.base, frozenset([TOOL_BEFORE])).answer(event))
    after = failure(tool, asked, None, session="s3", delivery=True)
    after.status = SUCCESS
    found.append(HookRouter(remembering.base, frozenset()).answer(after))
    assert [each is None for each in found] == [tool in OWN] * 3


def test_the_end_of_a_path_is_enough_and_a_bare_name_while_it_is_rare(memory):
    remembering = memory({"a.md": "# Ranking\n\nSee cycle/ranking.py.", "b.md": "# Jitter\n\njitter.py is subtle."})
    found = remembering.ask(before("Read", {"file_path": "lib/cycle/ranking.py"}, cwd=remembering.root()))
    assert found.sources == ("note:a.md",)
    assert remembering.ask(before("Read", {"file_path": "lib/jitter.py"}, cwd=remembering.root())).sources == ("note:b.md",)
    many = memory({f"n{number}.md": f"# Note {number}\n\nindex.py matters." for number in range(8)})
    assert many.ask(before("Read", {"file_path": "web/index.py"}, cwd=many.root())) is None


def test_a_note_itself_and_what_links_to_it_are_anchors(memory):
    remembering = memory({"planning/a.md": "# Alpha\n\nbody", "shared/b.md": "# Beta\n\nsee [[planning/a]]"})
    found = remembering.ask(before("Read", {"file_path": ".claude/memory/active/planning/a.md"}, cwd=remembering.root()))
    assert set(found.sources) == {"note:planning/a.md", "note:shared/b.md"}


def test_a_memory_is_given_to_a_context_once(memory):
    remembering = memory()
    event = prompt("how many retries do uploads make?")
    assert remembering.ask(event).sources == ("note:planning/retry.md",)
    assert remembering.ask(event) is None
    found = remembering.ask(before("Edit", {"file_path": "src/upload.py"}, cwd=remembering.root()))
    assert found.sources == ("note:shared/再送.md",)
    assert remembering.ask(prompt("how many retries do uploads make?", session="other")).sources == ("note:planning/retry.md",)
    assert remembering.ask(prompt("how many retries do uploads make?", agent="agent-2", role="explorer")).sources == ("note:planning/retry.md",)


@pytest.mark.parametrize("source", ["compact", "clear", "startup"])
def test_a_new_epoch_is_a_new_context_and_a_resume_is_none(memory, source):
    remembering = memory()
    session = remembering.session("now")
    session.line("session_start", source="startup")
    event = prompt("how many retries do uploads make?")
    assert remembering.ask(event) is not None
    session.line("session_start", source="resume")
    assert remembering.ask(event) is None
    session.epoch = 2
    session.line("session_start", source=source)
    assert remembering.ask(event) is not None


def test_what_was_shown_before_the_last_64_kilobytes_is_remembered_too(memory):
    remembering = memory()
    event = prompt("how many retries do uploads make?")
    session = remembering.session("now")
    session.line("session_start", source="startup")
    assert remembering.ask(event) is not None
    for number in range(80):
        session.run(f"echo {number}", output="x" * 1_500)
    remembering.fold()
    assert remembering.ask(event) is None


def test_an_exposure_line_says_what_was_shown_and_why_and_never_the_text(memory):
    remembering = memory()
    found = remembering.ask(prompt("how many retries do uploads make? see src/upload.py"))
    (line,) = remembering.lines("now")
    shown = {exposure["memory"]: exposure for exposure in line["exposures"] if exposure["shown"]}
    assert tuple(shown) == found.sources
    first = shown["note:planning/retry.md"]
    assert first["why"][0] == "file:src/upload.py"
    assert set(first["why"][1:]) == {"retri", "upload"} | {"src", "py"}
    assert first["anchors"] == ["note:planning/retry.md"], "the trigger held the file: touching it again proves nothing"
    assert first["score"] == pytest.approx(min(1.0, sum(first["parts"].values())), abs=0.001)
    assert first["tokens"] == found.tokens("note:planning/retry.md") > 0
    assert line["trigger"] == {"event": "prompt", "tool": None, "tool_use_id": None, "anchors": ["file:src/upload.py"]}
    assert "retried three times" not in str(line)
    assert [exposure["rank"] for exposure in line["exposures"]] == list(range(1, len(line["exposures"]) + 1))


def test_at_most_three_that_came_near_are_logged(memory):
    notes = {f"n{number}.md": f"# Upload retries {number}\n\nUploads are retried with jitter {number}." for number in range(12)}
    remembering = memory(notes)
    found = remembering.ask(prompt("how do uploads retry with jitter?"))
    (line,) = remembering.lines("now")
    assert len(found.sources) <= 5
    assert sum(not exposure["shown"] for exposure in line["exposures"]) == 3


def test_what_came_near_is_shown_when_there_is_a_place_for_it(memory):
    remembering = memory(settings=CycleSettings(recall=RecallSettings(top_k=1)))
    event = before("Edit", {"file_path": "src/upload.py"}, cwd=remembering.root())
    first, second = remembering.ask(event), remembering.ask(event)
    assert {*first.sources, *second.sources} == {"note:planning/retry.md", "note:shared/再送.md"}
    assert remembering.ask(event) is None


def test_a_deleted_note_is_never_shown_though_the_index_has_it(memory):
    remembering = memory()
    (remembering.scratch.active / "planning/retry.md").unlink()
    assert remembering.ask(prompt("how many retries do uploads make?")) is None


def wrapped(remembering, *names, **fields):
    """Sessions in which tests fail with the wrapper before them and run without it."""
    for number, name in enumerate(names):
        session = remembering.session(name, days_ago=1 + number)
        session.prompt("make the tests pass")
        session.run("rtk npm test", error="Error: unknown command npm", tool_use_id=f"{name}-call", **fields)
        session.run("npm test", output="ok", **fields)
        remark = {"after": f"{name}-call", "text": "The wrapper rtk does not know npm, because its list of programs is fixed."}
        session.turn_end(f"The tests of {name} pass without the wrapper.", remarks=[remark])
        session.end()


CALL = {"command": "rtk npm test"}
FIX = "`rtk npm test` fails here (2 sessions): use `npm test`"


def test_a_known_problem_is_told_before_the_call_that_fails(memory):
    remembering = memory({})
    wrapped(remembering, "earlier", "before")
    remembering.fold()
    found = remembering.ask(before("Bash", CALL))
    assert FIX in found.text
    assert [source.partition(":")[0] for source in found.sources] == ["problem"]
    assert remembering.ask(before("Bash", {"command": "npm test"})) is None
    assert remembering.ask(before("Bash", CALL)) is None, "once a context"


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("I allow you to commit with --no-verify.", False),
        ("今後は --no-verify でコミットしてもいいです。", False),
        ("Never commit with --no-verify.", True),
    ],
)
def test_a_permission_of_one_session_is_not_told_in_another(memory, said, is_told):
    remembering = memory({})
    session = remembering.session("earlier", days_ago=2)
    session.prompt(said)
    session.turn_end("Committed.")
    session.end()
    remembering.fold()
    commit = {"command": "git commit -m x"}
    shown = [remembering.ask(before("Bash", commit)), remembering.ask(failure("Bash", commit, "the pre-commit hook failed"), query.FAILURE)]
    assert any(found is not None and "--no-verify" in found.text for found in shown) == is_told


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("The command npm is unknown to the wrapper rtk: a pre-existing problem, not from my change.", False),
        ("wrapper rtk に command npm がないのは既存の問題で、この変更とは関係ありません。", False),
        ("The command npm is unknown to the wrapper rtk, because its list of programs is fixed.", True),
    ],
)
def test_what_was_broken_before_another_change_excuses_no_failure(memory, said, is_told):
    remembering = memory({})
    session = remembering.session("earlier", days_ago=2)
    session.run("rtk npm test", error="Error: unknown command npm", tool_use_id="call")
    session.turn_end("The tests pass.", remarks=[{"after": "call", "text": said}])
    session.end()
    found = remembering.fold().ask(failure("Bash", CALL, "Error: unknown command npm"), query.FAILURE)
    assert (found is not None and "npm" in found.text) == is_told


@pytest.mark.parametrize(
    ("said", "command", "is_told"),
    [
        ("Always run `npm run fmt` together with `npm run lint`.", "npm run lint", True),
        ("We always run `mise run test:ci` before a release.", "mise run test", True),
        ("Always use `npm run lint` here.", "rtk npm run lint", True),
        ("Always run the formatter before you commit.", "git commit -m x", True),
        ("Never push to the release branch.", "git push origin main", True),
        ("コミットする前に必ずフォーマットすること。", "git commit -m x", True),
        ("The trailer must always match exactly one commit in entire/sessions.", "git commit -m x", False),
        ("The `sessions` branch must always have the logs for each of these commits.", "git branch --list", False),
        ("Never create a branch without a base commit.", "git branch --list", False),
        ("最後のコミットには必ずトレーラーが一つある。", "git commit -m x", False),
    ],
)
def test_a_rule_is_shown_at_a_call_that_it_names_or_whose_action_it_governs(memory, said, command, is_told):
    remembering = memory({})
    session = remembering.session("earlier", days_ago=2)
    session.prompt(said)
    session.turn_end("Understood.")
    session.end()
    found = remembering.fold().ask(before("Bash", {"command": command}))
    assert (found is not None and said in found.text) == is_told


@pytest.mark.parametrize(
    ("error", "is_told"),
    [
        ("1 test failed: exports the ledger at midnight in Europe/Paris\nExpected: true\nReceived: false", False),
        ("1 test failed: rounds the total to cents\nExpected: true\nReceived: false", True),
    ],
)
def test_what_was_said_about_one_test_is_not_shown_when_another_fails(memory, error, is_told):
    remembering = memory({})
    session = remembering.session("earlier", days_ago=2)
    failed = "1 test failed: rounds the total to cents\nRan 200 tests across 12 files\nexpected 1.00 but received 1.004 from the ledger"
    session.run("npm test", error=failed, tool_use_id="call")
    session.turn_end("Fixed.", remarks=[{"after": "call", "text": 'The "rounds the total to cents" test failed because the expected total was wrong.'}])
    session.end()
    found = remembering.fold().ask(failure("Bash", {"command": "npm test"}, error), query.FAILURE)
    assert (found is not None and "expected total" in found.text) == is_told


def test_a_failure_brings_what_works_and_what_others_said_of_it(memory):
    remembering = memory({})
    wrapped(remembering, "earlier", "before")
    found = remembering.fold().ask(failure("Bash", CALL, "Error: unknown command npm"), query.FAILURE)
    assert found.text.index(FIX) < found.text.index("its list of programs is fixed")
    assert found.text.count("its list of programs is fixed") == 1, "two sessions said the same"


def test_once_is_a_coincidence_and_a_failure_without_a_remedy_no_problem(memory):
    remembering = memory({})
    wrapped(remembering, "earlier")
    for name in ("other", "another"):
        remembering.session(name).run("make bench", error="Error: target missed")
    remembering.fold()
    assert remembering.ask(before("Bash", CALL)) is None
    assert remembering.ask(before("Bash", {"command": "make bench"})) is None
    assert remembering.ask(failure("Bash", {"command": "make bench"}, "Error: target missed"), query.FAILURE) is None


def test_what_only_went_well_is_not_shown_at_a_failure(memory):
    remembering = memory()
    session = remembering.session()
    session.run("npm test", output="ok")
    remembering.fold()
    assert remembering.ask(failure("Bash", {"command": "npm test"}, "Error: something else"), query.FAILURE) is None


def test_a_context_is_not_told_what_it_did_itself(memory):
    remembering = memory({})
    wrapped(remembering, "earlier", "now")
    remembering.fold()
    assert remembering.ask(before("Bash", CALL)) is None
    assert remembering.ask(before("Bash", CALL, session="later")) is not None


def test_a_sub_agent_gets_what_its_task_asks_for_and_never_the_resident_summary(memory):
    remembering = memory({"a.md": "---\nagent_created: reviewer\n---\n# Review rules\n\nCheck the migrations for locks."})
    (remembering.scratch.root / "summary.md").write_text(SUMMARY)
    assert remembering.ask(subagent("reviewer")) is None, "nothing is asked, and nothing shown for being there"
    found = remembering.ask(subagent("reviewer", prompt="check the migrations for locks"))
    assert found.sources == ("note:a.md",)
    assert RESIDENT_HEADING not in found.text
    assert remembering.ask(start(agent_id="agent-7", agent_role="reviewer")) is None


def test_what_a_sub_agent_is_told_to_do_asks_for_it(memory):
    remembering = memory()
    session = remembering.session("now")
    session.before("Agent", "t1", inputs={"prompt": "find out how uploads are retried", "subagent_type": "explorer"})
    found = remembering.ask(subagent("explorer"), SUBAGENT_START)
    assert found.sources[0] == "note:planning/retry.md"


def test_a_session_starts_with_the_resident_summary_then_problems_and_rules(memory):
    remembering = memory(settings=CycleSettings(budgets=Budgets(episodes=0)))
    (remembering.scratch.root / "summary.md").write_text(SUMMARY)
    wrapped(remembering, "earlier", "before")
    remembering.session("stated", days_ago=3).prompt("Never edit the generated schema by hand.")
    found = remembering.fold().ask(start())
    parts = [
        RESIDENT_HEADING,
        "We deploy on Mondays.",
        "## Known here",
        FIX,
        '"Never edit the generated schema by hand."',
    ]
    places = [found.text.index(part) for part in parts]
    assert places == sorted(places)
    assert "retried three times" not in found.text, "no note is shown for being there"
    assert "pass without the wrapper" not in found.text, "nobody has said yet whether this session continues the last one"
    assert remembering.lines("now", "resident_exposure")[0]["digest"]
    assert found.utf16 <= 9_500


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("We should not display the badge of the agent in the report.", False),
        ("レポートにはバッジを表示しないようにすること。", False),
        ("We should never display raw tokens in any report.", True),
        ("トークンは絶対に表示しないようにすること。", True),
    ],
)
def test_what_one_screen_should_show_is_no_standing_rule(memory, said, is_told):
    remembering = memory({}, settings=CycleSettings(budgets=Budgets(episodes=0)))
    remembering.session("stated", days_ago=3).prompt(said)
    found = remembering.fold().ask(start())
    assert (found is not None and said in found.text) == is_told


def test_a_bare_file_name_is_shown_with_its_path_where_only_one_such_file_was_edited(memory):
    remembering = memory({}, settings=CycleSettings(budgets=Budgets(episodes=0)))
    session = remembering.session("earlier", days_ago=2)
    session.prompt("Why does the nightly ledger export stop at midnight?")
    for path in ("shop/ledger/export.py", "shop/api/index.py", "shop/web/index.py"):
        session.edit(path)
    session.turn_end("The nightly ledger export stops at midnight because `export.py:12` holds the vacuum lock; see index.py and process.env too.")
    session.end()
    remembering.fold()
    said = "because `shop/ledger/export.py:12` holds the vacuum lock; see index.py and process.env too."
    assert said in remembering.ask(prompt("The nightly ledger export stops at midnight again, why?")).text
    assert said.partition(" holds")[0] in remembering.ask(prompt("Continue where we left off.", session="another")).text


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("because `ledger/export.py:12` holds the vacuum lock", "because `shop/ledger/export.py:12` holds the vacuum lock"),
        ("because `shop/ledger/export.py` holds the vacuum lock", "because `shop/ledger/export.py` holds the vacuum lock"),
        ("because api/index.py of `web/export.py` holds the vacuum lock", "because shop/api/index.py of `web/export.py` holds the vacuum lock"),
    ],
)
def test_a_path_from_within_a_folder_is_shown_from_the_repository(memory, said, shown):
    """Where the end of exactly one edited file's path is meant; a complete path and one that nobody edited stay."""
    remembering = memory({}, settings=CycleSettings(budgets=Budgets(episodes=0)))
    session = remembering.session("earlier", days_ago=2)
    session.prompt("Why does the nightly ledger export stop at midnight?")
    for path in ("shop/ledger/export.py", "old/shop/ledger/export.py.txt", "old/shop/ledger/export.pyi", "shop/api/index.py", "shop/web/index.py"):
        session.edit(path)
    session.turn_end(f"The nightly ledger export stops at midnight {said}.")
    session.end()
    remembering.fold()
    assert f"midnight {shown}." in remembering.ask(prompt("The nightly ledger export stops at midnight again, why?")).text


@pytest.mark.parametrize(
    ("asked", "answered", "with_a_subject"),
    [
        (
            "can you address the PR comments?",
            "The PR comments are addressed: the reviewer was right, because the retry of uploads in the gateway stopped after the fifth attempt.",
            "can you address the PR comments about the retry of uploads in the gateway?",
        ),
        (
            "プルリクのコメントに対応してください。",
            "コメントに対応しました。原因は、ゲートウェイのアップロード再送が五回目の試行で止まっていたためです。",
            "ゲートウェイのアップロード再送についてのコメントに対応してください。",
        ),
    ],
)
def test_a_routine_step_does_not_bring_what_the_same_step_led_to_elsewhere(memory, asked, answered, with_a_subject):
    remembering = memory({})
    session = remembering.session("earlier", days_ago=2)
    session.prompt(asked)
    session.turn_end(answered)
    session.end()
    remembering.fold()
    assert remembering.ask(prompt(asked)) is None
    assert answered.partition("：")[0].partition(":")[0] in remembering.ask(prompt(with_a_subject, session="another")).text


@pytest.mark.parametrize(
    ("asked", "is_shown"),
    [
        ("put the new limit into the changelog", True),
        ("新しい上限を changelog に書いてください", True),
        ("why does claude end with an error when it starts?", False),
        ("起動時に claude がエラーで終わるのはなぜ？", False),
    ],
)
def test_the_name_of_an_agent_asks_for_no_file(memory, asked, is_shown):
    remembering = memory({})
    session = remembering.session("earlier", days_ago=2)
    session.prompt("Raise the limit of uploads.")
    session.edit("CHANGELOG.md")
    session.edit("CLAUDE.md")
    session.turn_end("Raised.")
    session.end()
    found = remembering.fold().ask(prompt(asked))
    assert (found is not None and "CHANGELOG.md" in found.text) == is_shown
    assert found is None or "CLAUDE.md" not in found.text


@pytest.mark.parametrize(
    ("heading", "is_shown"),
    [
        ("Cause", True),
        ("原因", True),
        ("Testing the export", True),
        ("4. Benefits", False),
        ("Key advantages", False),
        ("Praise", False),
        ("What's working well", False),
        ("Test results", False),
        ("Next steps", False),
        ("Questions for you", False),
        ("メリット", False),
        ("テスト結果", False),
        ("次のステップ", False),
    ],
)
def test_praise_of_a_proposal_is_no_answer(memory, heading, is_shown):
    remembering = memory({})
    session = remembering.session("earlier", days_ago=2)
    session.prompt("Can we keep the author in one place?")
    said = "The author comes from `author_of_repository()`, because the nightly export and the shadow branches share its fallback."
    session.turn_end(f"Done.\n\n## {heading}\n\n- {said}\n")
    session.end()
    found = remembering.fold().ask(prompt("Which fallback does author_of_repository have for the nightly export and the shadow branches?"))
    assert (found is not None and "share its fallback" in found.text and "(asked" not in found.text) == is_shown


def test_what_the_start_told_is_not_told_at_the_call(memory):
    remembering = memory({})
    wrapped(remembering, "earlier", "before")
    assert FIX in remembering.fold().ask(start()).text
    assert remembering.ask(before("Bash", CALL)) is None
    assert remembering.ask(before("Bash", CALL, session="another")) is not None


def test_the_last_sessions_are_told_by_their_gist_and_once(memory):
    remembering = memory({})
    for number, name in enumerate(("earlier", "before")):
        session = remembering.session(name, days_ago=1 + number)
        session.prompt(f"Can you find out why the export of {name} loses rows?")
        session.edit(f"src/{name}.py")
        cause = f"The export of {name} reads pages of 100 rows and skipped the last one, because `has_more` was false there."
        session.turn_end(f"Done.\n\n{cause}\n\nAll tests pass.")
        session.end()
    text = remembering.fold().ask(start()).text
    for name in ("earlier", "before"):
        told = f"“Find out why the export of {name} loses rows?” → The export of {name} reads pages of 100 rows and skipped the last one, because"
        assert text.count(told) == 1 and "Can you" not in text and "All tests pass" not in text


def resident_of(remembering, source):
    session = remembering.session("now")
    if source != "resume":
        remembering.epoch = getattr(remembering, "epoch", 0) + 1
    session.epoch = max(1, getattr(remembering, "epoch", 1))
    session.count = 100 * session.epoch
    session.line("session_start", source=source)
    found = remembering.ask(start(source=source))
    return "We deploy on" in found.text and found.text.partition("We deploy on ")[2].partition(".")[0] if found is not None else None


def test_the_resident_summary_is_the_same_after_a_compact_and_read_again_at_clear(memory):
    """Resident summary ticket: it is read once when a session starts, and the same text is kept for the session."""
    remembering = memory({})
    path = remembering.scratch.root / "summary.md"
    path.write_text(SUMMARY)
    assert resident_of(remembering, "startup") == "Mondays"
    path.write_text(SUMMARY.replace("Mondays", "Fridays"))
    assert resident_of(remembering, "compact") == "Mondays"
    assert resident_of(remembering, "clear") == "Fridays"
    assert resident_of(remembering, "resume") in (None, False), "nothing changed since it was given"
    path.write_text(SUMMARY.replace("Mondays", "Sundays"))
    assert resident_of(remembering, "resume") == "Sundays"
    path.unlink()
    assert resident_of(remembering, "startup") in (None, False)


@pytest.mark.parametrize(
    "settings",
    [
        CycleSettings(memory=ResidentSummarySettings(enabled=False)),
        CycleSettings(memory=ResidentSummarySettings(inject_summary=False)),
        CycleSettings(phases=PhaseSwitches(recall=False)),
    ],
)
def test_the_resident_summary_can_be_switched_off(memory, settings):
    remembering = memory({}, settings)
    (remembering.scratch.root / "summary.md").write_text(SUMMARY)
    assert remembering.ask(start()) is None
    assert remembering.lines("now", "resident_exposure") == []


def test_each_moment_can_be_switched_off(memory):
    moments = {
        "prompt": prompt("how many retries do uploads make?"),
        "tool_before": before("Edit", {"file_path": "src/upload.py"}),
        "failure": failure("Bash", {"command": "x src/upload.py"}, "uploads retried three times with jitter"),
        "session_start": start(),
        "subagent_start": subagent("explorer", prompt="find out how uploads are retried"),
    }

    def remembering(settings=None):
        made = memory(settings=settings)
        (made.scratch.root / "summary.md").write_text(SUMMARY)
        return made

    for moment, event in moments.items():
        settings = CycleSettings(recall=RecallSettings(enabled=RecallEvents(**{moment: False})))
        assert remembering(settings).ask(event, moment) is None, moment
        assert remembering().ask(event, moment) is not None, moment


def test_a_log_that_is_switched_off_still_lets_memory_answer(memory):
    remembering = memory(settings=CycleSettings(phases=PhaseSwitches(record=False)))
    assert remembering.ask(prompt("how many retries do uploads make?")) is not None
    assert remembering.lines("now") == []


def test_a_young_bank_without_any_cache_answers_prompts_and_is_otherwise_silent(bank, fixed_clock):
    remembering = Remembering(bank(NOTES), fixed_clock)
    for event in (before("Edit", {"file_path": "src/upload.py"}), start(), subagent("x")):
        assert remembering.ask(event) is None
    answer = remembering.ask(prompt("how many retries do uploads make?"))
    assert answer.sources == ("note:planning/retry.md",) and "The index lacks" not in answer.text
    assert not (remembering.scratch.root / "cache").exists()


SESSION_NOTE = "---\nsession_id: earlier\nagent_created: main\n---\n# Uploads retried with jitter\n\nThe jitter of retried uploads was halved in the client.\n"


def test_the_note_of_a_session_whose_log_lies_here_says_nothing_beside_its_findings(memory):
    remembering = memory({"sync/sessions/2025-09-01-abcdef01.md": SESSION_NOTE})
    assert "note" in remembering.ask(prompt("halve the jitter of retried uploads", session="first")).text, "a colleague's session"
    session = remembering.session("earlier", days_ago=1)
    session.prompt("Halve the jitter of retried uploads.")
    session.turn_end("The jitter of retried uploads was halved in the client.")
    found = remembering.fold().ask(prompt("halve the jitter of retried uploads"))
    assert found.text.count("was halved in the client") == 1
    assert not any(source.startswith("session:") for source in found.sources)


COLLEAGUES = """---
session_id: theirs
agent_created: main
files: [src/upload.py]
---
# Uploads retried with jitter

## Result

- The jitter of retried uploads was counted twice, so `src/upload.py` halves it.

## Goal

- Why do retried uploads have so much jitter in the nightly benchmark? Please look.
"""


@pytest.mark.parametrize(
    ("event", "moment"),
    [
        (before("Edit", {"file_path": "src/upload.py"}), None),
        (before("Bash", {"command": "pytest tests/nightly_test_of_uploads.py"}), None),
        (failure("Bash", {"command": "pytest tests/uploads.py"}, "FAILED test_nightly: the test of the uploads fails with jitter"), query.FAILURE),
        (prompt("look at the failing test"), None),
    ],
    ids=["edit", "command", "failure", "prompt"],
)
def test_a_colleagues_session_is_not_recalled_for_a_file_or_a_few_words(memory, event, moment):
    found = memory({"sync/sessions/2025-09-01-abcdef01.md": COLLEAGUES}).ask(event, moment)
    assert found is None or "session:theirs" not in found.sources


def test_a_colleagues_session_answers_with_its_result(memory):
    found = memory({"sync/sessions/2025-09-01-abcdef01.md": COLLEAGUES}).ask(prompt("why do retried uploads have so much jitter in the nightly benchmark?"))
    assert "session:theirs" in found.sources and "counted twice" in found.text and "Please look" not in found.text


def test_a_finding_is_told_once_though_several_sessions_repeat_it(memory):
    remembering = memory({})
    for number, (asked, found, _, _) in enumerate(ASKED_AND_FOUND):
        session = remembering.session(f"other{number}", days_ago=5 + number)
        session.prompt(asked)
        session.turn_end(found)
    for number in range(2):
        session = remembering.session(f"s{number}", days_ago=1 + number)
        session.prompt("Why are invoices of March doubled in the ledger?")
        session.turn_end("The invoices of March are doubled in the ledger because the importer ran twice on the first.")
    found = remembering.fold().ask(prompt("why were the invoices of March doubled in the ledger?"))
    assert found.text.count("because the importer ran twice") == 1


def test_a_preview_writes_nothing_and_says_the_same(memory):
    remembering = memory()
    event = prompt("how many retries do uploads make?")
    remembering.preview(event)
    before_it = remembering.scratch.snapshot("log")
    previewed = remembering.preview(event).injection.text
    assert remembering.scratch.snapshot("log") == before_it
    assert previewed == remembering.ask(event).text


def test_two_hooks_at_once_give_a_memory_once(memory):
    """What another process exposed between the ranking and the lock is seen under the lock."""
    remembering = memory()
    event = prompt("how many retries do uploads make?")
    late = recollect.Draft(remembering.base, event, "prompt", remembering.clock.now())
    assert remembering.ask(event) is not None
    assert expose(remembering.base, event, late).injection is None
    assert sum(exposure["shown"] for line in remembering.lines("now") for exposure in line["exposures"]) == 1


def test_a_hosts_own_prompt_asks_nothing(memory):
    """Whatever it looks like."""
    remembering = memory()
    router = HookRouter(remembering.base, frozenset((PROMPT,)))
    assert router.answer(prompt("how many retries do uploads make?", human=False)) is None
    assert router.answer(prompt("how many retries do uploads make?", session="another")) is not None


def test_a_sub_agents_calls_are_answered_too(memory):
    remembering = memory()
    session = remembering.session("now")
    session.before("Agent", "t1", inputs={"prompt": "find out how uploads are retried", "subagent_type": "explorer"})
    found = remembering.ask(before("Read", {"file_path": "src/upload.py"}, agent="agent-7", role="explorer", cwd=remembering.root()))
    assert "note:planning/retry.md" in found.sources


@pytest.mark.parametrize("broken", ["bank.sqlite3", "cycle.sqlite3"])
def test_a_damaged_cache_silences_only_itself(memory, broken):
    remembering = memory()
    wrapped(remembering, "earlier", "before")
    remembering.fold()
    path = remembering.scratch.root / "cache" / broken
    path.write_bytes(path.read_bytes()[:4096] + bytes(len(path.read_bytes()) - 4096))
    found = remembering.ask(before("Bash", {"command": "rtk npm test && cat src/upload.py"}, cwd=remembering.root()))
    assert found is not None
    assert ("note:" in str(found.sources)) == (broken == "cycle.sqlite3")


@pytest.mark.parametrize("result", ["", "The feature stands on both pages, because visitors never scrolled to it."])
def test_a_request_says_something_only_by_its_result(bank, fixed_clock, result):
    remembering = Remembering(bank({}), fixed_clock)
    session = remembering.session("earlier", days_ago=1)
    session.prompt("Let's highlight the remediation feature on the welcome page and the how-it-works page, in addition to the existing features.")
    if result:
        session.turn_end(result)
    remembering.session("now").line("session_start", source="startup")
    remembering.fold()
    found = remembering.ask(prompt("Could we highlight the remediation feature on the welcome page and the how-it-works page?"))
    assert (found is not None and result in found.text) == bool(result)


@pytest.mark.parametrize(
    ("said", "is_shown"),
    [
        ("Run the nightly export again and look whether `author_of_repository()` falls back to the shadow branches.", False),
        ("Actually, I think there might be another fallback of `author_of_repository()` for the nightly export and the shadow branches.", False),
        ("The nightly export of `author_of_repository()` and the shadow branches passes with 0 issues in the fallback.", False),
        ("もう一度 `author_of_repository()` の nightly export を実行してください。 fallback は shadow branches です。", True),
        ("もう一度 `author_of_repository()` の nightly export を fallback と shadow branches で実行してください。", False),
        ("The nightly export of `author_of_repository()` has a fallback for the shadow branches.", True),
    ],
)
def test_a_next_step_a_guess_and_the_report_of_a_check_are_no_answers(memory, said, is_shown):
    remembering = memory({})
    session = remembering.session("earlier", days_ago=2)
    session.prompt("Can we keep the author in one place?")
    session.turn_end(said)
    session.end()
    found = remembering.fold().ask(prompt("Which fallback does author_of_repository have for the nightly export and the shadow branches?"))
    assert (found is not None and "fallback" in found.text and "(asked" not in found.text) == is_shown
