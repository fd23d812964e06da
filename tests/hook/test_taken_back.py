"""A permission for good takes back the rule that it ends, everywhere and at once; a permission for one case takes back nothing."""

import json

import pytest

from memorybank.summarize.listed import BETWEEN

RULES = {
    "English": ("Never commit directly to main. Add a readme.", "Never commit directly to main", "Should I commit this directly to main?"),
    "Japanese": ("mainに直接コミットしないでください。READMEを足してください。", "mainに直接コミットしないで", "mainに直接コミットしてもよい？"),
}
FOR_GOOD = [
    ("English", "Actually, you can commit directly to main from now on."),
    ("English", "It's fine to commit directly to main again."),
    ("English", "Forget the rule about committing directly to main."),
    ("Japanese", "もうmainに直接コミットしていいです。"),
    ("Japanese", "mainへの直接コミット禁止のルールは忘れてください。"),
]
FOR_ONCE = [
    ("English", "You can commit directly to main just this once."),
    ("English", "You may commit directly to main for now."),
    ("Japanese", "今回だけmainに直接コミットしてもいいです。"),
]


@pytest.fixture
def host(host_with_a_plan):
    return host_with_a_plan


def session(host, number, *prompts, ends=True):
    """Another session in which a person says this. Returns what the last prompt was shown."""
    host.session = f"{number:08d}-1111-4222-8333-444455556666"
    host.said("SessionStart", source="startup")
    told = ""
    for place, text in enumerate(prompts):
        told = host.said("UserPromptSubmit", prompt=text, prompt_id=f"p{number}-{place}")
        host.fire(host.tool(place, "Write", file_path=str(host.project / f"README{number}.md"), content="# Readme\n\nWhat this is and how to begin.\n"))
        stopped(host, "The readme explains how to begin with the project and where its settings are.")
    if ends:
        host.fire(host.payload("SessionEnd", reason="other"))
    return told


def stopped(host, said="Done."):
    done = host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message=said, background_tasks=[]))
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout)["systemMessage"] if done.stdout else ""


def learned(host):
    return sorted(path.name for path in (host.bank.active / "learned").glob("rule-*"))


def is_marked(line):
    """Whether a line says, in its language, that a person took it back."""
    return ("利用者が撤回" if any("ぁ" <= sign <= "ん" for sign in line.partition("(")[0]) else "taken back by a person") in line


def moments(host, asked):
    """What a later session is shown at its start, at a prompt about the rule, and before a commit."""
    host.session = "99999999-1111-4222-8333-444455556666"
    begun = host.said("SessionStart", source="startup")
    told = host.said("UserPromptSubmit", prompt=asked, prompt_id="p9")
    call = {"tool_name": "Bash", "tool_input": {"command": "git commit -m wip"}, "tool_use_id": "t9"}
    return "\n".join((begun, told, host.said("PreToolUse", **call)))


@pytest.mark.slow
@pytest.mark.parametrize(("language", "permission"), FOR_GOOD)
def test_a_rule_that_was_taken_back_is_shown_nowhere(host, language, permission):
    said, rule, asked = RULES[language]
    session(host, 1, said)
    assert len(learned(host)) == 1 and rule in moments(host, asked)
    session(host, 2, permission)
    assert learned(host) == []
    assert all(is_marked(line) and BETWEEN in line for line in moments(host, asked).split("\n") if rule in line), "what came of that session"
    assert rule not in host.command("know", "list", "--kind", "rule")
    notes = [path.read_text(encoding="utf-8") for path in (host.bank.active / "sync" / "sessions").glob("*.md")]
    assert any(rule in note for note in notes), "a session note is a record"


@pytest.mark.slow
@pytest.mark.parametrize(("language", "permission"), FOR_ONCE)
def test_a_permission_for_one_case_takes_back_nothing(host, language, permission):
    said, rule, asked = RULES[language]
    session(host, 1, said)
    session(host, 2, permission)
    assert len(learned(host)) == 1 and rule in moments(host, asked) and rule in host.command("know", "list", "--kind", "rule")


@pytest.mark.slow
@pytest.mark.parametrize(("language", "permission"), [FOR_GOOD[0], FOR_GOOD[3]])
def test_the_session_itself_is_not_held_to_it_any_more(host, language, permission):
    session(host, 1, RULES[language][0])
    call = {"tool_name": "Bash", "tool_input": {"command": "git commit -m wip"}, "tool_use_id": "t1"}
    host.session = "22222222-1111-4222-8333-444455556666"
    host.said("UserPromptSubmit", prompt=permission, prompt_id="p2")
    assert RULES[language][1] not in host.said("PreToolUse", **call)
    host.session = "33333333-1111-4222-8333-444455556666"
    host.said("UserPromptSubmit", prompt="Continue.", prompt_id="p3")


@pytest.mark.slow
@pytest.mark.parametrize(("language", "permission"), [FOR_GOOD[0], FOR_GOOD[3]])
def test_nobody_is_told_of_a_rule_right_after_taking_it_back(host, language, permission):
    session(host, 1, RULES[language][0])
    host.session = "22222222-1111-4222-8333-444455556666"
    host.said("UserPromptSubmit", prompt=permission, prompt_id="p2")
    assert stopped(host) == ""


def test_an_edited_note_stays_and_is_shown_with_the_mark_or_not_at_all(host):
    said, rule, asked = RULES["English"]
    session(host, 1, said)
    (name,) = learned(host)
    path = host.bank.active / "learned" / name
    path.write_text(path.read_text(encoding="utf-8") + "\nBranches directly off main are named after their ticket.\n", encoding="utf-8")
    mine = path.read_bytes()
    session(host, 2, FOR_GOOD[0][1])
    assert path.read_bytes() == mine
    assert all(is_marked(line) for line in moments(host, asked).split("\n") if rule in line)


def test_a_rule_that_is_said_again_is_in_force_again(host):
    said, rule, asked = RULES["English"]
    session(host, 1, said)
    session(host, 2, FOR_GOOD[0][1])
    session(host, 3, said)
    assert len(learned(host)) == 1 and rule in moments(host, asked)


HALVES = [
    (
        "Always run make lint before you commit, and always sign your commits.",
        "You no longer need to sign your commits.",
        "always sign your commits",
        "Always run make lint before you commit",
        "Should I run make lint before I commit, and sign the commits?",
    ),
    (
        "コミットの前に必ずmake lintを実行してください。コミットには必ず署名してください。",
        "コミットの署名はもう必要ありません。",
        "コミットには必ず署名",
        "コミットの前に必ずmake lintを実行してください。",
        "コミットの前に必ずmake lintを実行してコミットに署名すべきですか？",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("said", "permission", "half", "rest", "asked"), HALVES, ids=["English", "Japanese"])
def test_the_half_of_a_rule_that_was_taken_back_is_ordered_nowhere(host, said, permission, half, rest, asked):
    session(host, 1, said)
    session(host, 2, permission)
    told = moments(host, asked)
    assert rest in told
    assert all(is_marked(line) for line in told.split("\n") if half in line)
    assert not any(half in (host.bank.active / "learned" / name).read_text(encoding="utf-8") for name in learned(host))
    session(host, 3, said)
    assert half in moments(host, asked), "what is said again is in force again"


def test_a_half_that_cannot_be_cut_off_is_marked(host):
    session(host, 1, "コミットの前に必ずmake lintを実行し、コミットには必ず署名してください。")
    session(host, 2, "コミットへの署名はもう不要です。")
    lines = [line for line in moments(host, "コミットの前に必ずmake lintを実行すべきですか？").split("\n") if "必ず署名" in line]
    assert lines and all(is_marked(line) for line in lines)


GIVEN = [
    ("English", "You can commit directly to main just this once.", "May I commit directly to main?"),
    ("English", "From now on you may commit directly to main.", "May I commit directly to main?"),
    ("English", "You may install pytest without asking.", "Should I install pytest without asking?"),
    ("English", "Commit directly to main just this once.", "Should I commit directly to main?"),
    ("Japanese", "今回だけmainに直接コミットしていいです。", "mainに直接コミットしていいですか？"),
    ("Japanese", "今回だけmainに直接コミットしてください。", "mainに直接コミットしてください"),
    ("Japanese", "もうステージングのデータは削除していいです。", "ステージングのデータは削除していいですか？"),
    ("Japanese", "今後は確認なしでマージしていいです。", "確認なしでマージしていいですか？"),
]


@pytest.mark.cases(2)
@pytest.mark.parametrize(("language", "permission", "asked"), GIVEN)
def test_a_permission_is_shown_to_no_agent(host, language, permission, asked):
    for number in (1, 2):
        session(host, number, RULES[language][0], permission)
    words = permission.rstrip("。.")
    assert words not in moments(host, asked), "in another session"
    assert words not in host.command("recall", asked) and words not in host.command("recall")
    host.command("summary", "refresh")
    assert words not in moments(host, asked), "in a drafted summary"
    host.session = "77777777-1111-4222-8333-444455556666"
    host.said("SessionStart", source="startup")
    assert words not in host.said("UserPromptSubmit", prompt=f"What did the last session do? {asked}", prompt_id="p7")
