"""Claude Code, played whole: what its model was sent, and what the log holds afterwards."""

import json
import re
from pathlib import Path

import pytest

from tests.cycle.test_comes_up_again import ASKED_AND_FOUND

from .conftest import count, events, shown
from .model_server import HOLD, Call, Refusal

HOST = "claude-code"
KETTLE = "how do I start the copper kettle"
LIVE = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
"""Prompts come on stdin, so that one process can hold several and commands like /compact between them."""


def bash(command: str) -> Call:
    return Call("Bash", {"command": command, "description": "a step of the test"})


def agent(prompt: str, **more: object) -> Call:
    return Call("Agent", {"description": "a part", "prompt": prompt, "subagent_type": "general-purpose", **more})


def said(*prompts: str) -> str:
    """Prompts as lines of stream-json."""
    return "".join(json.dumps({"type": "user", "message": {"role": "user", "content": prompt}}) + "\n" for prompt in prompts)


def session_of(run) -> str:
    return run.lines[-1]["session_id"]


BREW = bash("sh ./brew.sh")


def exposed(lines: list[dict]) -> list[str]:
    """The ids of the memories that the log says were shown, in order."""
    return [each["memory"] for line in lines if line["event"] == "exposure" for each in line["exposures"] if each["shown"]]


def test_memory_arrives_once_and_every_event_is_recorded_once(play):
    project = play(HOST, {KETTLE: [[bash("echo hi")], "done"]})
    run = project.prompt(KETTLE)
    assert run.status == 0
    requests = project.model.asked(KETTLE)
    assert [(count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER"), count(request, "NOTE-急須")) for request in requests] == [(1, 1, 0)] * 2
    log = project.log()
    assert events(log) == ["session_start", "prompt", "tool_before Bash", "tool_after Bash success", "turn_end success", "session_end"]
    assert {line["session_id"] for line in log} == {session_of(run)}
    assert {(line["agent_id"], line["agent_role"]) for line in log} == {("main", "main")}
    assert exposed(log).count("note:implementation/copper-kettle.md") == 1
    assert [line["inputs"]["text"] for line in log if line["event"] == "prompt"] == [KETTLE]


def test_a_personal_rule_opens_the_session_and_a_personal_fact_answers_its_prompt(play):
    prompt = "how do I renew the token of the samovar VPN"
    project = play(HOST, {prompt: ["like this"]})
    project.memorybank("init", "--personal")
    project.memorybank("--personal", "add", "RULE-敬体: always answer in British English", "--tag", "rule")
    project.memorybank("--personal", "remember", "FACT-VPN: the token of the samovar VPN is renewed at the helpdesk.")
    project.prompt(prompt)
    (request,) = project.model.asked(prompt)
    assert (count(request, "RESIDENT-ALPHA"), count(request, "RULE-敬体"), count(request, "FACT-VPN")) == (1, 1, 1)
    assert shown(request).index("RESIDENT-ALPHA") < shown(request).index("RULE-敬体")
    assert {memory.partition(":")[0] for memory in exposed(project.log()) if "token" in memory or "敬体" in memory} == {"personal"}
    committed = b"".join(path.read_bytes() for path in project.bank.rglob("*") if path.is_file() and not {"log", "cache"} & set(path.parts))
    assert b"FACT-VPN" not in committed


def test_a_japanese_prompt_finds_a_japanese_note(play):
    prompt = "急須の茶渋はどうやって落としますか"
    project = play(HOST, {prompt: ["重曹で"]})
    project.prompt(prompt)
    (request,) = project.model.asked(prompt)
    assert (count(request, "NOTE-急須"), count(request, "NOTE-COPPER")) == (1, 0)
    assert [line["inputs"]["text"] for line in project.log() if line["event"] == "prompt"] == [prompt]


def test_an_unrelated_prompt_gets_the_resident_summary_and_no_note(play):
    project = play(HOST, {"count the words of this sentence": ["six"]})
    project.prompt("count the words of this sentence")
    (request,) = project.model.asked("count the words of this sentence")
    assert (count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER"), count(request, "NOTE-急須")) == (1, 0, 0)


def test_tools_keep_their_status_files_and_error(play):
    project = play(HOST, {"work": []})
    path = str(project.project / "a.txt")
    project.model.script = {
        "work": [
            [Call("Write", {"file_path": path, "content": "one\ntwo\n"})],
            [Call("Edit", {"file_path": path, "old_string": "two", "new_string": "三"})],
            [Call("Read", {"file_path": path})],
            [bash("echo out; echo oh no >&2; exit 3")],
            [bash("grep -c 三 a.txt")],
            "done",
        ]
    }
    assert project.prompt("work").status == 0
    log = project.log()
    assert events(log) == [
        "session_start",
        "prompt",
        *("tool_before Write", "tool_after Write success"),
        *("tool_before Edit", "tool_after Edit success"),
        "tool_after Read success",
        *("tool_before Bash", "tool_after Bash failure"),
        *("tool_before Bash", "tool_after Bash success"),
        "turn_end success",
        "session_end",
    ]
    after = [line for line in log if line["event"] == "tool_after"]
    assert [line.get("files", []) for line in after[:3]] == [["a.txt"]] * 3
    assert "oh no" in after[3]["error"]
    assert after[3]["inputs"]["command"] == "echo out; echo oh no >&2; exit 3"
    assert len({line["tool_use_id"] for line in after}) == 5


def test_a_call_brings_the_note_about_its_file(play):
    project = play(HOST, {"count": []})
    path = str(project.project / "grinder.toml")
    read, edit = Call("Read", {"file_path": path}), Call("Edit", {"file_path": path, "old_string": "3", "new_string": "4"})
    project.model.script = {"count": [[read], [edit], "four"]}
    project.prompt("count")
    assert [count(request, "NOTE-BURR") for request in project.model.asked("count")] == [0, 0, 1]


def test_a_turn_whose_last_command_failed_is_a_failure(play):
    project = play(HOST, {"work": [[bash("exit 3")], "I give up"]})
    project.prompt("work")
    assert events(project.log())[-3:] == ["tool_after Bash failure", "turn_end failure", "session_end"]


@pytest.fixture
def mended(play):
    """A project in which `sh ./brew.sh` failed, a file was written, and it succeeded; then the file was lost."""

    def project_with(settings: object = None):
        project = play(HOST, {"brew tea": [], "more, please": [[BREW], "done"]})
        if settings:
            project.configure(settings)
        (project.project / "brew.sh").write_text("test -f kettle.toml || { echo 'error: no kettle configured' >&2; exit 1; }\n")
        path = project.project / "kettle.toml"
        write = Call("Write", {"file_path": str(path), "content": "descale = true\n"})
        project.model.script |= {"brew tea": [[BREW], [write], [BREW], "brewed"]}
        first = session_of(project.prompt("brew tea"))
        path.unlink()
        second = session_of(project.prompt("more, please"))
        assert first != second
        logs = project.logs()
        assert [line["status"] for line in logs[first] if line["event"] == "tool_after"] == ["failure", "success", "success"]
        assert [line["status"] for line in logs[second] if line["event"] == "tool_after"] == ["failure"]
        return project

    return project_with


def test_the_next_session_is_told_at_its_start_what_failed_and_what_mended_it(mended):
    first = mended().model.asked("more, please")[0]
    assert "`sh ./brew.sh` failed: error: no kettle configured. It succeeded after kettle.toml." in shown(first)


def test_a_command_that_failed_before_brings_what_mended_it(mended):
    """Nothing is said at the start here: the memory comes with the call."""
    before, after = mended({"recall": {"enabled": {"session_start": False}}}).model.asked("more, please")
    assert shown(before) == ""
    assert "it worked after `kettle.toml`" in shown(after)
    assert "(it had failed with: error: no kettle configured)" in shown(after)


@pytest.mark.parametrize("asked", [ASKED_AND_FOUND[number] for number in (0, 5, 9)], ids=lambda asked: asked[3])
def test_a_question_that_comes_up_again_brings_what_was_found(play, asked):
    """Three of the twelve pairs whose other half runs without a client (tests/cycle/test_comes_up_again.py)."""
    question, answer, again, finding = asked
    project = play(HOST, {question: [answer], again: ["as said before"]})
    project.prompt(question)
    project.prompt(again)
    (request,) = project.model.asked(again)
    assert finding in shown(request)


@pytest.mark.parametrize("language", ["english", "japanese"])
def test_a_search_brings_what_was_found_out_about_it(play, language):
    """This version of the client has no search tool of its own; its agent searches in the shell."""
    answer = {
        "english": "`ensureDescaled` must run before the boiler is filled, because lime in the valve makes the pressure sensor report zero.",
        "japanese": "`ensureDescaled` はボイラーに水を入れる前に呼ぶこと。弁に石灰が付くと圧力センサーが 0 を返すためです。",
    }[language]
    project = play(HOST, {"look at the valve": [answer], "count the cups": [[bash("grep -rn 'ensureDescaled' src")], "seen"]})
    project.configure({"recall": {"enabled": {"session_start": False}}})  # a start shows the episode of the first session
    (project.project / "src").mkdir()
    (project.project / "src" / "boiler.ts").write_text("export function ensureDescaled() {}\n")
    project.prompt("look at the valve")
    project.prompt("count the cups")
    before, after = project.model.asked("count the cups")
    finding = "before the boiler is filled" if language == "english" else "圧力センサーが 0 を返す"
    assert (finding in shown(before), finding in shown(after)) == (False, True)


def test_parallel_calls_are_each_recorded_once(play):
    calls = [bash(f"echo {name}") for name in "abcde"] + [bash("exit 1")]
    project = play(HOST, {"all at once": [calls, "done"]})
    project.prompt("all at once")
    log = project.log()
    for event in ("tool_before", "tool_after"):
        lines = [line for line in log if line["event"] == event]
        assert sorted(line["inputs"]["command"] for line in lines) == sorted(call.inputs["command"] for call in calls)
        assert len({line["tool_use_id"] for line in lines}) == len(calls)
    assert sorted(line["status"] for line in log if line["event"] == "tool_after") == ["failure"] + ["success"] * 5


def test_a_sub_agent_has_its_own_role_and_never_the_resident_summary(play):
    task = "descale the copper kettle now"
    project = play(HOST, {"delegate": [[agent(task, run_in_background=False)], "done"], task: [[bash("echo copper kettle")], "descaled"]})
    project.prompt("delegate")
    inside = project.model.asked(task)
    assert [count(request, "RESIDENT-ALPHA") for request in inside] == [0, 0]
    assert max(count(request, "NOTE-COPPER") for request in inside) <= 1
    assert [count(request, "RESIDENT-ALPHA") for request in project.model.asked("delegate")] == [1, 1]
    log = project.log()
    (identifier,) = {line["agent_id"] for line in log} - {"main"}
    own = [line for line in log if line["agent_id"] == identifier]
    assert {line["agent_role"] for line in own} == {"general-purpose"}
    assert [event for event in events(own) if event != "subagent_start"] == ["tool_before Bash", "tool_after Bash success", "turn_end success"]
    main = [line for line in log if line["agent_id"] == "main"]
    assert events(main) == ["session_start", "prompt", "tool_before Agent", "tool_after Agent success", "turn_end success", "session_end"]


def test_a_background_agent_s_message_is_no_human_s_prompt(play):
    script = {"delegate": [[agent("brew slowly")], "waiting"], "brew slowly": [[bash("echo brewed")], "brewed"]}
    project = play(HOST, script)
    project.prompt("delegate")
    prompts = {line["inputs"]["text"]: line.get("human", True) for line in project.log() if line["event"] == "prompt"}
    assert prompts.pop("delegate") is True
    assert set(prompts.values()) == {False}
    assert all(text.startswith("<task-notification>") for text in prompts)


def test_a_resumed_session_is_given_only_what_changed(play):
    """The host adds another text to the ones it has: what the model was given stays there once, the changed summary comes once."""
    project = play(HOST, {KETTLE: ["so"], "and the copper kettle again": ["so"], "once more the copper kettle": ["so"]})
    first = session_of(project.prompt(KETTLE))
    project.summary("RESIDENT-BETA: everything is different now.")
    assert session_of(project.again("and the copper kettle again")) == first
    project.again("once more the copper kettle")
    for prompt, changed in zip(project.model.script, (0, 1, 1), strict=True):
        (request,) = project.model.asked(prompt)
        assert (count(request, "RESIDENT-ALPHA"), count(request, "RESIDENT-BETA"), count(request, "NOTE-COPPER")) == (1, changed, 1)
    log = project.log()
    assert events(log) == ["session_start", "prompt", "turn_end success", "session_end"] * 3
    assert [line["source"] for line in log if line["event"] == "session_start"] == ["startup", "resume", "resume"]
    assert {line["epoch"] for line in log} == {1}


def test_notes_that_nobody_indexed_are_known_at_the_second_session_at_the_latest(play):
    project = play(HOST, {"say hi": ["hi"], KETTLE: ["so"]}, indexed=False)
    project.prompt("say hi")
    project.prompt(KETTLE)
    (request,) = project.model.asked(KETTLE)
    assert (count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) == (1, 1)


def test_clear_begins_anew(play):
    project = play(HOST, {KETTLE: ["so"], "the copper kettle, please": ["so"]})
    project.play([*LIVE], said(KETTLE, "/clear", "the copper kettle, please"))
    (request,) = project.model.asked("the copper kettle, please")
    assert (count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) == (1, 1)
    logs = list(project.logs().values())
    assert len(logs) == 2
    assert [events(log) for log in logs] == [["session_start", "prompt", "turn_end success", "session_end"]] * 2
    assert {log[0]["source"]: log[-1]["reason"] for log in logs} == {"startup": "clear", "clear": "other"}


def test_after_a_compaction_the_model_has_the_memory_again_and_once(play):
    project = play(HOST, {KETTLE: ["so"], "the copper kettle, please": ["so"]})
    project.play([*LIVE], said(KETTLE, "/compact", "the copper kettle, please"))
    (request,) = project.model.asked("the copper kettle, please")
    assert (count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) == (1, 1)
    log = project.log()
    turn = ["prompt", "turn_end success"]
    assert events(log) == ["session_start", *turn, "compact_before", "session_start", *turn, "session_end"]
    assert [line["epoch"] for line in log if line["event"] in ("prompt", "session_start")] == [1, 1, 2, 2]


def test_a_killed_session_loses_nothing_and_goes_on(play):
    """SIGKILL while the model thinks: no Stop, no SessionEnd. What happened before is recorded, the next start goes on in the same log."""
    project = play(HOST, {KETTLE: [[bash("exit 3")], HOLD], "go on": ["done"]})
    running = project.start(project.client.prompt(KETTLE))
    assert project.model.holding.wait(60)
    running.kill()
    running.end()
    before = ["session_start", "prompt", "tool_before Bash", "tool_after Bash failure"]
    assert events(project.log()) == before
    project.memorybank("log", "verify")
    project.model.release()
    assert project.again("go on").status == 0
    assert events(project.log()) == [*before, "session_start", "prompt", "turn_end success", "session_end"]
    (request,) = project.model.asked("go on")
    assert (count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) == (1, 1)


def test_a_turn_that_the_model_refused_is_never_a_success(play):
    """Claude Code kills the hook of StopFailure when it was started with -p: the turn's end may be missing."""
    project = play(HOST, {KETTLE: [Refusal(400)]})
    assert project.prompt(KETTLE).status == 1
    assert [event for event in events(project.log()) if event != "turn_end failure"] == ["session_start", "prompt", "session_end"]


def test_the_end_of_a_session_keeps_its_budget(play):
    """Claude Code gives SessionEnd hooks 1.5 s, then SIGTERM (unless settings name a longer time: a plugin's cannot). After a session of
    32 commands that is enough for all steps."""
    steps = [[bash(f"echo {step} {number} > made-{step}.txt") for number in range(10)] for step in range(3)]
    project = play(HOST, {"much work": [*steps, [bash("exit 1")], [bash("echo mended")], "done"]})
    debug = project.home / "debug.log"
    run = project.prompt("much work", "--debug-file", str(debug), CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS="1500")
    (said,) = re.findall(r"SessionEnd:other .*hook\.py.*\] (.*)", debug.read_text())
    assert said == "completed with status 0"
    assert events(project.log())[-1] == "session_end"
    records = [json.loads(line) for line in (project.bank / "log/organize.jsonl").read_text().splitlines()]
    steps_done = {record["step"]: record["covered_to"] for record in records if record["session_id"] == session_of(run)}
    assert list(steps_done)[-1] == "publish"
    assert set(steps_done.values()) == {(project.bank / f"log/events/{session_of(run)}.jsonl").stat().st_size}
    (note,) = (project.bank / "active/sync/sessions").glob("*.md")
    assert session_of(run) in note.read_text(encoding="utf-8")


def test_nothing_runs_after_a_session(play):
    project = play(HOST, {KETTLE: [[bash("echo hi")], "done"]})
    assert project.processes() == {}
    project.prompt(KETTLE)
    left = project.processes()
    assert not [command for command in left.values() if "memorybank" in command or "hook.py" in command]
    assert project.settled() == {}


def test_the_host_has_nothing_to_say_about_the_hooks(play):
    """No hook failed, printed to stderr, or was refused; nobody reads a message about memorybank."""
    project = play(HOST, {KETTLE: [[bash("exit 3"), bash("echo hi")], "done"]})
    run = project.prompt(KETTLE, "--verbose", "--include-hook-events", "--output-format", "stream-json")
    responses = [line for line in run.lines if line.get("subtype") == "hook_response"]
    assert len(responses) >= 6
    assert [line for line in responses if line.get("exit_code") or line.get("stderr") or line.get("outcome") != "success"] == []
    assert "hook error" not in run.out.lower()


def test_a_host_whose_memorybank_is_gone_works_on(play):
    project = play(HOST, {KETTLE: [[bash("echo hi")], "done"]})
    settings = project.project / ".claude" / "settings.local.json"
    text = settings.read_text()
    assert "hook.py" in text
    settings.write_text(text.replace("hook.py", "gone.py"))
    run = project.prompt(KETTLE, "--verbose", "--include-hook-events", "--output-format", "stream-json")
    assert run.status == 0 and run.lines[-1]["result"] == "done"
    assert [line for line in run.lines if line.get("subtype") == "hook_response" and (line.get("exit_code") or line.get("stderr"))] == []
    assert project.logs() == {}


def plugin(project, folder: Path) -> str:
    project.memorybank("hooks", "plugin", str(folder))
    return str(folder)


def test_the_plugin_is_valid(play, tmp_path):
    project = play(HOST, {}, hooks=False)
    run = project.play(["plugin", "validate", "--strict", plugin(project, tmp_path / "plug in")])
    assert run.status == 0, run.out + run.err


def test_the_plugin_of_the_repository_is_installed_from_its_folder(play):
    """`plugins/` is a marketplace with one plugin."""
    project = play(HOST, {KETTLE: ["done"]}, hooks=False)
    for arguments in (["marketplace", "add", str(Path(__file__).resolve().parents[2] / "plugins")], ["install", "memorybank@memorybank"]):
        run = project.play(["plugin", *arguments])
        assert run.status == 0, run.out + run.err
    project.prompt(KETTLE)
    assert [(count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) for request in project.model.asked(KETTLE)] == [(1, 1)]
    assert events(project.log()) == ["session_start", "prompt", "turn_end success", "session_end"]


@pytest.mark.parametrize("hooks", [False, True], ids=["alone", "beside installed hooks"])
def test_the_plugin_does_what_installed_hooks_do_and_both_together_no_more(play, tmp_path, hooks):
    project = play(HOST, {KETTLE: [[bash("echo hi")], "done"]}, hooks=hooks)
    project.prompt(KETTLE, "--plugin-dir", plugin(project, tmp_path / "plug in"))
    assert [(count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) for request in project.model.asked(KETTLE)] == [(1, 1)] * 2
    assert events(project.log()) == ["session_start", "prompt", "tool_before Bash", "tool_after Bash success", "turn_end success", "session_end"]
