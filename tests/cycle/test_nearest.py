"""Where recall finds nothing, `recall --explain` names what came nearest, rules included, with the true reason. Hooks do not look for it."""

import pytest

from memorybank.bank import Bank
from memorybank.cycle.recall import nearest
from memorybank.reasons.reason import text_of
from tests.cycle.recalling import before, prompt
from tests.cycle.test_words_of_people import memory as memory


def near(memory, text, **options):
    found = Bank.open(str(memory.scratch.root), clock=memory.clock).memory.recall(text, session="another", **options)
    assert found.injection is None
    return {one.kind: " ".join(map(text_of, one.why)) for one in found.near}


@pytest.mark.parametrize(
    ("rule", "question", "shared"),
    [
        (
            "Always use uv in this project, never pip.",
            "measure the disk space that browsers, images, the pip cache and old logs take on this laptop",
            "pip",
        ),
        ("本番のデータベースには絶対に直接接続しないでください。", "開発用の接続設定ファイルを整理して", "接続"),
    ],
)
def test_a_rule_with_a_word_of_a_prompt_is_named(memory, rule, question, shared):
    memory.said(rule)
    why = near(memory, question)["rule"]
    assert why.startswith("a rule is shown at the start of a session and at the calls that it is about") and shared in why
    assert memory.ask(prompt(question)) is None


def test_a_rule_with_a_word_of_a_call_is_named(memory):
    memory.said("Always use uv in this project, never pip.")
    why = near(memory, "ls -la /home/me/.cache/pip", tool="Bash").get("rule", "")
    assert "pip" in why and "not about this call" in why


def test_a_note_below_the_least_match_is_named_with_its_match(memory):
    (memory.scratch.active / "planning" / "staging.md").write_text("# Staging\n\nThe staging cluster is rebuilt every Monday by the operators.\n")
    why = near(memory, "who rebuilt the printer queue of the accounting department with new drivers and labels?")
    assert why["note"].startswith("too little in common: 0.")


def test_nothing_is_named_where_no_word_is_shared(memory):
    assert near(memory, "zzyzx quuxify frobnicate") == {}


def test_a_hook_does_not_look_for_it(memory, monkeypatch):
    monkeypatch.setattr(nearest, "of", lambda *_: pytest.fail("a hook looked for the nearest memory"))
    assert memory.ask(prompt("who rebuilt the printer queue of the accounting department?")) is None
    assert memory.ask(before("Bash", {"command": "ls -la"})) is None


@pytest.mark.parametrize("said", ["The staging cluster is rebuilt every Monday.", "ステージングのクラスタは毎週月曜に再構築される。"])
def test_a_note_that_is_withheld_is_the_reason_not_that_nothing_matches(memory, said):
    """A headline that nothing has enough in common, above a row with another reason, contradicts it."""
    path = memory.scratch.active / "planning" / "staging.md"
    path.write_text(f"# Staging cluster\n\n<<<<<<< HEAD\n{said}\n=======\n{said} Not.\n>>>>>>> a\n")
    found = Bank.open(str(memory.scratch.root), clock=memory.clock).memory.recall("when is the staging cluster rebuilt?", session="another")
    assert found.injection is None and found.reason is not None and found.reason.code == "silence.left_out"
    assert text_of(found.reason) == "what is about it is left out: its file has both sides of a git conflict"


@pytest.mark.parametrize(
    ("rule", "question", "word", "label"),
    [
        (
            "Always test the gateway libraries with a double.",
            "print the libraries of the accounting department on the new printer of the third floor",
            "libraries",
            "librari",
        ),
        ("本番のデータベースには絶対に直接接続しないでください。", "開発用の接続設定ファイルを整理して", "接続", "続設"),
    ],
)
def test_words_in_common_are_written_as_in_the_question(memory, rule, question, word, label):
    """Not as stems, or as pairs of characters."""
    memory.said(rule)
    why = near(memory, question)["rule"]
    assert word in why and label not in why.replace(word, "")
