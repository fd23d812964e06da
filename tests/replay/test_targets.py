"""Targets and hits, in handwritten cases and compared with an oracle that implements only their definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config.cycle import CycleSettings
from memorybank.replay.targets import WITHIN, ShownMemory, ViewingScope, hits, is_plain, timeline

from .told import DAY, NOW, line

SETTINGS = CycleSettings()


def shown(anchors, offset=0, session="later", agent="main", memory="m", rank=1, tokens=10):
    return ShownMemory(session, agent, offset, "prompt", rank, memory, tuple(anchors), tokens, frozenset(anchors))


def of(lines, notes=None):
    return timeline(lines, notes or {}, SETTINGS)


EARLIER = line("tool_after", "earlier", anchors=["file:src/a.py"])


def test_the_first_use_of_what_another_context_touched_is_a_target_once():
    later = [line("tool_before", "later", at=NOW + 1, offset=n, anchors=["file:src/a.py", "file:src/new.py"]) for n in (10, 20)]
    (target,) = of([EARLIER, *later]).targets
    assert (target.anchor, target.offset, target.novel, target.kind) == ("file:src/a.py", 10, True, "file")


def test_what_only_this_context_or_nobody_touched_is_none():
    assert of([EARLIER, line("tool_before", "earlier", at=NOW + 1, offset=10, anchors=["file:src/a.py", "file:b.py"])]).targets == []


def test_an_error_that_comes_again_is_no_use():
    assert of([line("tool_after", "earlier", anchors=["err:E"]), line("tool_after", "later", at=NOW + 1, anchors=["err:E"])]).targets == []


@pytest.mark.parametrize(
    ("anchor", "plain"),
    [
        *[(f"cmd:{mark}", True) for mark in ("git status", "git commit -m _", "rtk git status", "ls _", "rm _", "write notes.md", "uvx git log", "cat a.py")],
        *[(f"cmd:{mark}", False) for mark in ("pytest tests", "cargo test", "mise run test", "npm run build", "gh pr view _", "rtk bun run test", "make")],
        ("file:git", False),
    ],
)
def test_git_and_the_plain_shell_are_no_targets(anchor, plain):
    assert is_plain(anchor) == plain
    use = line("tool_before", "later", at=NOW + 1, offset=10, anchors=[anchor])
    assert (of([line("tool_after", "earlier", anchors=[anchor]), use]).targets == []) == plain


def test_a_folder_is_no_target():
    """`src` is a folder because other calls name files below it, in whichever session."""
    listed = line("tool_after", "earlier", anchors=["file:src", "file:docs", "file:tools/run", "file:docs.md"])
    uses = [line("tool_before", "later", at=NOW + 1, offset=10, anchors=["file:src", "file:docs", "file:tools/run", "file:tools", "file:docs.md"])]
    below = line("tool_after", "third", at=NOW + 2, anchors=["file:src/deep/a.py", "file:docs/設計.md"])
    assert {target.anchor for target in of([listed, *uses, below]).targets} == {"file:tools/run", "file:docs.md"}


def test_what_the_viewer_may_not_see_is_no_target_until_it_is_released():
    hidden = line("tool_after", "earlier", "sub", anchors=["file:src/a.py"], privacy="agent-only", role="planner")
    assert of([hidden, line("tool_before", "later", at=NOW + 29 * DAY, anchors=["file:src/a.py"])]).targets == []
    assert len(of([hidden, line("tool_before", "later", at=NOW + 31 * DAY, anchors=["file:src/a.py"])]).targets) == 1
    assert len(of([hidden, line("tool_before", "later", "sub", at=NOW + 1, anchors=["file:src/a.py"], role="planner")]).targets) == 1


def test_what_a_note_holds_is_a_target():
    note = ViewingScope("note", None, None, False, None, None, None)
    (target,) = of([line("tool_before", "later", anchors=["file:src/a.py"])], {"file:src/a.py": [note]}).targets
    assert target.novel


def test_what_a_prompt_or_an_output_named_is_not_novel():
    prompt = line("prompt", "later", at=NOW + 1, offset=10, anchors=["file:src/a.py"])
    listed = line("tool_after", "later", at=NOW + 1, offset=10, outputs={"head": "Found 1 file\n/replayed/src/a.py"})
    longer = line("tool_after", "later", at=NOW + 1, offset=10, outputs={"head": "src/a.pyx lib-src/a.py"})
    use = line("tool_before", "later", at=NOW + 2, offset=20, anchors=["file:src/a.py"])
    assert of([EARLIER, prompt, use]).targets[0].seen == 10
    assert of([EARLIER, listed, use]).targets[0].seen == 10
    assert of([EARLIER, longer, use]).targets[0].novel


def test_a_japanese_path_is_found_in_a_sentence():
    earlier = line("tool_after", "earlier", anchors=["file:docs/設計.md"])
    read = line("tool_after", "later", at=NOW + 1, offset=10, outputs={"head": "次は docs/設計.md を直す"})
    use = line("tool_before", "later", at=NOW + 2, offset=20, anchors=["file:docs/設計.md"])
    assert of([earlier, read, use]).targets[0].seen == 10


def test_a_sub_agent_has_seen_what_it_was_told_to_do():
    task = line("tool_before", "later", at=NOW + 1, offset=10, tool="Agent", inputs={"prompt": "look at src/a.py"})
    use = line("tool_before", "later", "sub", at=NOW + 2, offset=20, anchors=["file:src/a.py"])
    assert not of([EARLIER, task, use]).targets[0].novel


def test_a_hit_is_shown_before_the_use_and_before_anybody_named_it():
    prompt = line("prompt", "later", at=NOW + 1, offset=10, anchors=["file:src/a.py"])
    use = line("tool_before", "later", at=NOW + 2, offset=20, anchors=["file:src/a.py"])
    found = of([EARLIER, prompt, use])
    assert len(hits(found, [shown(["file:src/a.py"], 5)])) == 1
    assert hits(found, [shown(["file:src/a.py"], 15)]) == {}
    assert hits(found, [shown(["file:src/a.py"], 25)]) == {}
    assert hits(found, [shown(["file:src/b.py"], 5)]) == {}
    assert hits(found, [shown(["file:src/a.py"], 5, agent="sub")]) == {}


def test_a_use_after_twenty_calls_is_no_hit():
    calls = [line("tool_after", "later", at=NOW + 1, offset=10 + n) for n in range(WITHIN)]
    use = line("tool_before", "later", at=NOW + 2, offset=100, anchors=["file:src/a.py"])
    assert hits(of([EARLIER, *calls, use]), [shown(["file:src/a.py"], 5)]) == {}
    assert len(hits(of([EARLIER, *calls[1:], use]), [shown(["file:src/a.py"], 5)])) == 1


ANCHORS = st.lists(st.sampled_from(["file:a.py", "file:b/c.py", "cmd:make", "err:E"]), max_size=2, unique=True)
EVENTS = st.tuples(st.sampled_from(["s", "t"]), st.sampled_from(["main", "sub"]), st.sampled_from(["prompt", "tool_before", "tool_after"]), ANCHORS)
PRIVACY = st.sampled_from(["public", "agent-only"])
SHOWN = st.tuples(st.sampled_from(["s", "t"]), st.sampled_from(["main", "sub"]), st.integers(0, 40), ANCHORS)


@given(st.lists(st.tuples(EVENTS, PRIVACY), max_size=30), st.lists(SHOWN, max_size=12))
def test_targets_and_hits_are_what_the_definition_says(told, given_):
    lines = [
        line(event, session, agent, NOW + number, number * 2, anchors, privacy=privacy)
        for number, ((session, agent, event, anchors), privacy) in enumerate(told)
    ]
    memories = [shown(anchors, offset * 2 - 1, session, agent, f"m{number}") for number, (session, agent, offset, anchors) in enumerate(given_)]
    found = of(lines)
    expected = set()
    hit = set()
    for at, use in enumerate(lines):
        own = [other for other in lines[:at] if (other.session, other.agent) == (use.session, use.agent)]
        for anchor in use.anchors:
            first = not any(anchor in other.anchors and other.event != "prompt" for other in own)
            others = [other for other in lines[:at] if anchor in other.anchors and (other.session, other.agent) != (use.session, use.agent)]
            held = any(other.cell.privacy == "public" or other.agent == use.agent for other in others)
            if use.event == "prompt" or anchor.startswith("err:") or not first or not held:
                continue
            expected.add((use.session, use.agent, anchor, use.offset))
            for memory in memories:
                before = [other for other in own if other.offset > memory.offset and other.event == "tool_after"]
                unseen = not any(anchor in other.anchors and other.offset < memory.offset for other in own)
                same = (memory.session, memory.agent) == (use.session, use.agent)
                if same and anchor in memory.anchors and memory.offset <= use.offset and unseen and len(before) < WITHIN:
                    hit.add((use.session, use.agent, anchor, use.offset, memory.memory))
    assert {target[:4] for target in found.targets} == expected
    assert {(*target[:4], memory.memory) for target, matching in hits(found, memories).items() for memory in matching} == hit
