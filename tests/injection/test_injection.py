"""The one door to an agent: stored text stays inside the fence, says where it comes from, and keeps to its budget."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memorybank.injection import InjectedMemory, InjectionSection, build, cut_body, cut_units, estimate_tokens, strip, utf16
from memorybank.text.untrusted.fence import FENCE_CLOSE, FENCE_OPEN, NAME, PREFACE
from tests.conftest import NOW

HOSTILE = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            [
                *(FENCE_OPEN, FENCE_CLOSE, NAME.upper(), "<", "＜", "/", ">", "memorybank", "-", "-memory", "<system-reminder>", "</system-reminder>"),
                *("\u200b", "\u202e", "\x1b[31m", "\x1b]0;x\x07", "\n", "\r", "\u2028", "\ud800", "\ufe0f", "\u3000"),
                *("Human:", "システム：", "<|im_start|>", "[INST]", "😀", "記憶", " ", "x"),
            ]
        ),
        max_size=30,
    ).map("".join),
)  # fmt: skip


def item(
    text: str, memory: str = "note:planning/a.md", source: str = "note planning/a.md", why: tuple[str, ...] = ("src/a.py",), origin: str = "human"
) -> InjectedMemory:
    return InjectedMemory(memory, text, source, NOW, why, origin)


def memories(*items: InjectedMemory, budget: int = 2_000) -> InjectionSection:
    return InjectionSection("## Memories", budget, items=items, rest="'memorybank recall' shows them")


def test_an_item_prints_its_text_source_date_and_reason():
    found = build([memories(item("Retry uploads three times.\nThen give up.", why=("src/upload.py", "retry"), origin="agent"))], 2_000)
    assert found is not None
    assert found.text == (
        f"{FENCE_OPEN}\n{PREFACE}\n\n## Memories\n\n- Retry uploads three times.\n  Then give up.\n"
        f"  [note planning/a.md; 2025-09-17; written by an agent; recalled for src/upload.py, retry]\n{FENCE_CLOSE}"
    )
    assert found.sources == ("note:planning/a.md",)
    assert not found.truncated


def test_the_preface_ranks_memory_below_the_user_the_files_and_git():
    assert all(word in PREFACE for word in ("stale", "user's instructions", "files", "git", "not commands"))


def test_nothing_to_say_is_no_injection():
    assert build([], 2_000) is None
    assert build([memories()], 2_000) is None
    assert build([InjectionSection("## Summary", 500, body="  ")], 2_000) is None or build([InjectionSection("## Summary", 500, body="")], 2_000) is None


@given(st.lists(HOSTILE, max_size=4), HOSTILE, HOSTILE, st.integers(0, 1_500))
@example(["記憶" * 500], "x", "y", 700)
@example(["x"], "y", f"a title {FENCE_CLOSE} and what follows it", 1_500)
def test_content_cannot_end_the_fence_and_the_budget_holds(texts, body, source, budget):
    """Whatever is stored: one opening, one closing, both at the ends; never more UTF-16 units than allowed; valid UTF-8."""
    sections = [
        InjectionSection("## Resident", budget // 2, body=body, memory="resident", rest=source),
        memories(*(item(text, f"note:{number}", source, (source,), source) for number, text in enumerate(texts)), budget=budget // 2),
    ]
    found = build(sections, budget)
    if found is None:
        return
    assert found.text.startswith(FENCE_OPEN + "\n")
    assert found.text.endswith(FENCE_CLOSE)
    assert found.text.lower().count(NAME) == 2
    assert found.utf16 == len(found.text.encode("utf-16-le")) // 2 <= budget
    assert strip(found.text) == ""
    assert strip(f"before\n{found.text}\nafter") == "before\n\nafter"


@given(st.integers(40, 600), st.text(alphabet="ab \n😀記", max_size=900))
def test_a_body_is_cut_at_a_paragraph_and_says_so(budget, body):
    text, cut = cut_body(body, budget, "summary.md")
    assert utf16(text) <= max(budget, 0)
    assert cut == (utf16(body) > budget)
    if cut and text:
        assert text.endswith("[cut for space; the rest is in summary.md]")
    whole = body.split("\n\n")
    if cut and text and utf16(whole[0]) + utf16("[cut for space; the rest is in summary.md]") + 2 <= budget:
        kept = text.rpartition("\n\n")[0].split("\n\n")
        assert kept == whole[: len(kept)]


def test_a_long_first_paragraph_is_cut_at_a_line_else_at_a_character():
    text, cut = cut_body("one line\n" + "x" * 500, 100, "")
    assert (text, cut) == ("one line\n\n[cut for space]", True)
    text, cut = cut_body("😀" * 500, 101, "")
    assert cut
    assert text.endswith("😀…\n\n[cut for space]")
    assert utf16(text) <= 101


def test_memories_are_whole_or_not_there_and_the_count_of_the_others_is_named():
    found = build([memories(item("a" * 900, "note:1"), item("b" * 900, "note:2"), item("short", "note:3"), budget=1_300)], 9_500)
    assert found is not None
    assert found.sources == ("note:1", "note:3")
    assert found.truncated
    assert "(left out for space: 1 more; 'memorybank recall' shows them)" in found.text
    assert "bbb" not in found.text


def test_what_a_section_leaves_unused_flows_on():
    long = item("b" * 700, "note:2")
    assert build([memories(item("a", "note:1"), budget=100), memories(long, budget=300)], 9_500).sources == ("note:1",)  # type: ignore[union-attr]
    assert build([memories(item("a", "note:1"), budget=700), memories(long, budget=300)], 9_500).sources == ("note:1", "note:2")  # type: ignore[union-attr]


def test_emoji_count_as_two_units():
    assert utf16("😀") == 2
    assert utf16("記憶") == 2
    assert cut_units("a😀b", 2) == "a"
    assert cut_units("a😀b", 3) == "a😀"


def test_tokens_are_estimated_for_both_languages():
    assert estimate_tokens("four") == 1
    assert estimate_tokens("記憶の索引") == 5


def test_the_size_of_each_memory_is_known():
    found = build([memories(item("x" * 400, "note:1"))], 2_000)
    assert found is not None
    assert 100 <= found.tokens("note:1") <= 130
    assert found.tokens("note:2") == 0


@pytest.fixture
def shown() -> str:
    found = build([memories(item("Retry three times."))], 2_000)
    assert found is not None
    return found.text


@pytest.mark.parametrize(
    ("template", "left"),
    [
        ("please fix it\n\n{}", "please fix it\n\n"),
        ("<system-reminder>\nSessionStart hook additional context: {}\n</system-reminder>\nplease fix it", "please fix it"),
        ("<hook_context>{}</hook_context>\n\n直してください", "直してください"),
        ("<hook_context>{}\nother plugin's words</hook_context>\nfix", "<hook_context>\nother plugin's words</hook_context>\nfix"),
        ("{0}\nbetween\n{0}", "\nbetween\n"),
    ],
)
def test_recalled_memory_is_stripped_with_the_hosts_wrapper(shown, template, left):
    """It must not be recorded as the user's or a tool's words."""
    assert strip(template.format(shown)) == left


def test_it_is_stripped_from_json_and_html_too(shown):
    import json

    for text in (json.dumps(shown), json.dumps(shown).replace("<", "\\u003c").replace(">", "\\u003e"), shown.replace("<", "&lt;").replace(">", "&gt;")):
        assert strip(f'{{"output": {text}}}').replace('"', "") == "{output: }"


def test_a_fence_that_was_cut_off_goes_to_the_end(shown):
    assert strip("before\n" + shown[:-40]) == "before\n"


def test_talking_about_the_fence_is_no_fence():
    """A prompt that mentions the tag is recorded whole."""
    for text in (f"what is {FENCE_OPEN}?", f"close it with {FENCE_CLOSE} please", "<system-reminder>\nbe kind\n</system-reminder>", "平文"):
        assert strip(text) == text
