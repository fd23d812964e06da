"""The extractive summarizer: what it includes, what it leaves out, and that it never exceeds its budget. English and Japanese."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.summarize import content, coverage, sentences
from memorybank.summarize.coverage import SentenceCandidate
from memorybank.summarize.extractive import ALSO_SHARE, ExtractiveSummarizer
from memorybank.summarize.lines import label
from memorybank.summarize.summarizer import SECTIONS, ChatText, DayText, SessionItem, budget_of

from .conftest import DAYS

ROOT = Path(__file__).resolve().parents[2]


def summary(day, budget=None, also=True):
    return ExtractiveSummarizer(also).summarise(DayText(day.date, day.language, budget or day.budget, day.parts, day.said)).text


def test_a_day_that_fits_is_told_whole_and_in_order(day):
    text = summary(day, 5_000)
    places = [text.index(label(part.section, day.language) + part.text[:10]) for part in sorted(day.parts, key=lambda part: SECTIONS.index(part.section))]
    assert places == sorted(places) and all(part.text in text for part in day.parts)
    assert label("also", day.language) not in text


@pytest.mark.parametrize("budget", [550, 600])
def test_every_question_of_the_day_is_answered_first(day, budget):
    """What was wanted, changed, fixed and decided, and what is open: each has its line, however much was said in chats."""
    talk = tuple(ChatText("USER", message.text) for message in DAYS[day.language].said) + tuple(
        ChatText("AGENT", text)
        for text in ("The weather report mentions rain over Lisbon and Porto until Thursday.", "明日の天気は東京も大阪も雨の予報です。") * 3
    )
    text = summary(DayText(day.date, day.language, budget, day.parts, talk))
    for section in {part.section for part in day.parts}:
        assert label(section, day.language).strip() in text, section


def test_of_several_goals_the_first_is_told_and_of_open_ends_the_last():
    parts = [
        SessionItem("goals", f"Wish number {number} concerns the {word} service of the shop." + " And so on." * 9)
        for number, word in enumerate(("cart", "mail", "tax"))
    ]
    parts += [SessionItem("open_ends", f"The {word} question has not been answered by anybody." + " And so on." * 9) for word in ("first", "second", "third")]
    text = summary(DayText("2025-09-16", "en", 260, tuple(parts)))
    assert "number 0" in text and "third question" in text


def test_a_session_in_which_something_was_only_asked_is_left_out_beside_others():
    asked = [SessionItem("goals", "The server does not start", "one"), SessionItem("open_ends", "the last turn was interrupted", "one")]
    answered = [SessionItem("goals", "Add the cart", "two"), SessionItem("results", "The cart keeps its items for a day.", "two")]
    text = summary(DayText("2025-09-16", "en", 2_000, (*asked, *answered)))
    assert "does not start" not in text and "for a day" in text
    assert "does not start" in summary(DayText("2025-09-16", "en", 2_000, tuple(asked)))


@pytest.mark.parametrize(("open_", "close"), [(" (", ")"), ("（", "）")])
def test_what_was_changed_is_told_by_its_files_before_how(open_, close):
    names = ("app/cart.py", "app/mail.py", "tests/test_cart.py")
    parts = [SessionItem("changed", f"{name}{open_}edited, 2 changes{close}: `return None  # {name} {'x' * 90}` → `return total`") for name in names]
    text = summary(
        DayText("2025-09-16", "en", 260, (SessionItem("goals", "Totals of the cart are wrong."), *parts, SessionItem("changed", "and 9 more files")))
    )
    assert all(name in text for name in names) and "return" not in text.split("Also")[0] and "more files" not in text


@pytest.mark.parametrize(("budget", "is_told"), [(300, True), (150, False)])
def test_of_a_fix_that_is_too_long_the_command_is_shortened_and_half_a_remedy_is_left_out(budget, is_told):
    command = "cd deploy && make all TARGET=production REGION=eu-west-1 " + "VERBOSE=1 " * 30
    fix = f"`{command}` failed 3 times: missing credentials for the registry. It succeeded after deploy/login.sh (edited): added `registry login`."
    text = summary(DayText("2025-09-16", "en", budget, (SessionItem("fixes", fix), SessionItem("goals", "Deploy the shop."))))
    assert ("`cd deploy && make all" in text) == ("missing credentials" in text) == ("It succeeded after deploy/login.sh" in text) == is_told


def session_parts(name, subject, language="en"):
    """Return the parts of one long session."""
    if language == "ja":
        return (
            SessionItem("goals", f"{subject}を実装する。", name),
            *(
                SessionItem("commits", f"{subject}の{what}を追加した", name)
                for what in ("読み込み部分", "書き出し部分", "検索画面と並べ替え", "設定の検査と表示")
            ),
            SessionItem(
                "fixes",
                f"`make {name}` が4回失敗: {subject}の表がない。その後成功（直前の変更: config/{name}.exs: added `server: false,`; lib/{name}/表.ex）。",
                name,
            ),
            SessionItem("results", f"## まとめ\n\n{subject}はすべて動く。\n\n- {subject}の試験は百二十件\n- 文書も書いた", name),
            SessionItem("open_ends", f"{subject}の速度はまだ計っていない。", name),
        )
    return (
        SessionItem("goals", f"Work on the {subject} epic.", name),
        *(
            SessionItem("commits", f"add the {subject} {what}", name)
            for what in ("reader with all its formats", "writer", "search page with sorting", "checks of settings")
        ),
        SessionItem(
            "fixes",
            f"`make {name}` failed 4 times: no table of {subject}. It succeeded after config/{name}.exs: added `server: false,`; lib/{name}/table.ex.",
            name,
        ),
        SessionItem("results", f"## Summary\n\nThe {subject} epic is complete.\n\n- 120 tests of {subject}\n- {subject} pages in the README", name),
        SessionItem("open_ends", f"The speed of {subject} has not been measured.", name),
    )


SUBJECTS = {"en": ("annotation", "transcript", "telemetry"), "ja": ("注釈", "書き起こし", "遠隔計測")}


@pytest.mark.parametrize("language", SUBJECTS)
def test_of_parallel_sessions_each_is_told_by_itself(language):
    """What was wanted, done, fixed and left open in each of three sessions, without mixing them, in the order in which they began."""
    parts = [session_parts(f"s{number}", subject, language) for number, subject in enumerate(SUBJECTS[language])]
    mixed = tuple(part for row in zip(*parts, strict=True) for part in row)
    text = summary(DayText("2025-09-16", language, 1_200 if language == "en" else 700, mixed))
    told = text.split("\n- ")
    assert len(told) == 3 and text.startswith("- ")
    for number, (said, subject) in enumerate(zip(told, SUBJECTS[language], strict=True)):
        for section in ("goals", "commits", "fixes", "open_ends"):
            assert label(section, language).strip() in said, (section, said)
        assert f"`make s{number}`" in said
        assert said.count(subject) >= 6 and not any(other in said for other in SUBJECTS[language] if other != subject)


def test_a_long_session_leaves_a_short_one_its_room():
    long = tuple(
        SessionItem("results", " ".join(f"The {word} of module {number} was rewritten for speed." for word in ("parser", "writer")), "a")
        for number in range(80)
    )
    text = summary(
        DayText(
            "2025-09-16",
            "en",
            600,
            (
                SessionItem("goals", "Make it fast.", "a"),
                *long,
                SessionItem("goals", "Start the server.", "b"),
                SessionItem("results", "It does not answer.", "b"),
            ),
        )
    )
    assert "- Result: It does not answer.\n  Wanted: Start the server." in text


def test_more_sessions_than_can_be_told_alone_are_told_together_at_the_end():
    parts = tuple(part for number in range(12) for part in session_parts(f"s{number}", f"subject{number}"))
    text = summary(DayText("2025-09-16", "en", 1_000, parts))
    assert 2 < text.count("\n- ") + 1 < 12
    assert len([line for line in text.split("\n- ")[-1].split("\n") if line.strip().startswith(("Wanted: ", "- Wanted: "))]) == 1


def test_commits_that_do_not_fit_are_told_by_their_beginnings():
    words = ("reader", "writer", "parser", "lexer", "page", "index")
    parts = (
        SessionItem("goals", "Rewrite it.", "a"),
        *(SessionItem("commits", f"rewrite the {word} so that it copes with the new format of the archive", "a") for word in words),
    )
    text = summary(DayText("2025-09-16", "en", 420, parts))
    assert all(f"rewrite the {word}" in text for word in words)


def test_of_fixes_the_one_that_took_longest_is_told():
    parts = (SessionItem("goals", "Ship it.", "a"), SessionItem("fixes", "`lint` failed: a blank. It succeeded after a.py.", "a"))
    parts += (SessionItem("fixes", "`deploy --all` failed 9 times: the registry refused the token of the robot. It succeeded after deploy/login.sh.", "a"),)
    assert "failed 9 times" in summary(DayText("2025-09-16", "en", 205, parts))


def test_no_answer_is_cut_to_a_few_words():
    parts = (
        SessionItem("goals", "Ship it.", "a"),
        SessionItem("open_ends", "The registry of the second region refuses every token that the robot gets from the vault since the change of keys.", "a"),
    )
    assert summary(DayText("2025-09-16", "en", 60, parts)) == "Wanted: Ship it."


FILLER = {
    "en": ["Hey Mel! How are you?", "Wow, that's so cool!", "Thanks so much, you're amazing!", "Yeah, totally. I agree!", "Good luck and take care, bye!"],
    "ja": [
        "おはようございます！",
        "ありがとうございます。とても嬉しいです！",
        "なるほど、すごいですね。",
        "了解です。よろしくお願いします。",
        "はい、そうですね！",
    ],
}
FACTS = {
    "en": [
        "I adopted a beagle named Biscuit from the shelter in Leeds.",
        "My sister Nadia starts her residency at the children's hospital in March.",
        "The kitchen renovation went 2,300 euros over budget because of the wiring.",
    ],
    "ja": [
        "保護施設から柴犬の小麦を引き取りました。",
        "姉の直美が三月から小児病院で研修を始めます。",
        "台所の改装は配線のせいで二十万円も予算を超えました。",
    ],
}


@pytest.mark.parametrize("language", FILLER)
def test_greetings_praise_and_agreement_are_left_out(language):
    said = []
    for number, fact in enumerate(FACTS[language]):
        said += [ChatText("Ann", text) for text in FILLER[language][number:]] + [ChatText("Bob", fact)]
    text = summary(DayText("2025-09-16", language, sum(map(len, FACTS[language])) + 60, said=tuple(said)), also=False)
    assert all(fact in text for fact in FACTS[language]) and not any(sentence in text for whole in FILLER[language] for sentence in sentences.cut(whole))


def test_a_line_says_who_said_it():
    said = (ChatText("Ann", FACTS["en"][0]), ChatText("Ann", FACTS["en"][1]), ChatText("Bob", FACTS["en"][2]))
    assert summary(DayText("2025-09-16", "en", 1_000, said=said)) == f"Ann: {FACTS['en'][0]} {FACTS['en'][1]}\nBob: {FACTS['en'][2]}"


def test_the_closing_line_names_what_no_sentence_says_within_its_share():
    said = tuple(ChatText("Ann", f"The {word} workshop in {town} was about {craft}.") for word, town, craft in ROWS)
    day = DayText("2025-09-16", "en", 200, said=said)
    *lines, last = summary(day).split("\n")
    assert last.startswith("Also: ") and len(last) <= day.budget * ALSO_SHARE and "Ann" not in last
    assert not any(word in " ".join(lines) for word in last.removeprefix("Also: ").split(", "))
    assert "Also" not in summary(day, also=False)


ROWS = [
    ("morning", "Ghent", "pottery"), ("evening", "Lyon", "weaving"), ("summer", "Turin", "glazing"), ("winter", "Graz", "carving"),
    ("spring", "Porto", "dyeing"), ("autumn", "Delft", "binding"), ("weekend", "Cork", "etching"),
]  # fmt: skip

PIECES = st.sampled_from(
    [
        *FACTS["en"],
        *FACTS["ja"],
        *FILLER["en"],
        *FILLER["ja"],
        "```\ncode();\n```",
        "- a list item without an end",
        "| a | b |",
        "",
        "x" * 900,
        "語" * 700,
        "Dr. No? e.g. \u202e\x00 \ud83d",
    ]
)


@given(
    parts=st.lists(st.tuples(st.sampled_from(SECTIONS), PIECES, st.sampled_from(["", "a", "b", "記"])), max_size=12),
    said=st.lists(st.tuples(st.sampled_from(["", "USER", "直美"]), st.lists(PIECES, max_size=4).map(" ".join)), max_size=9),
    budget=st.integers(0, 1_300),
    language=st.sampled_from(["en", "ja"]),
    also=st.booleans(),
)
def test_no_summary_is_longer_than_its_budget(parts, said, budget, language, also):
    """The same day always gives the same text, and a day with content and enough budget never gives an empty one."""
    day = DayText("2025-09-16", language, budget, tuple(SessionItem(*part) for part in parts), tuple(ChatText(*message) for message in said))
    made = ExtractiveSummarizer(also).summarise(day)
    assert len(made.text) <= budget and made == ExtractiveSummarizer(also).summarise(day) and made.by == "extractive"
    if budget >= 60 and any(content.terms(text) for _, text, _ in parts):
        assert made.text


@pytest.mark.slow
def test_the_same_in_every_process(day):
    """Under another hash seed and locale: a summary must not depend on the order of sets."""
    code = (
        "from tests.summarize.conftest import DAYS\nfrom memorybank.summarize.extractive import ExtractiveSummarizer\n"
        "from dataclasses import replace\nimport hashlib\n"
        "told = [ExtractiveSummarizer().summarise(replace(day, budget=n)).text for day in DAYS.values() for n in range(0, 500, 7)]\n"
        "print(hashlib.sha256(repr(told).encode()).hexdigest())"
    )
    found = set()
    for seed, place in (("0", "C"), ("1", "C.UTF-8"), ("77", "ja_JP.UTF-8")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": place, "PYTHONPATH": str(ROOT)}
        found.add(subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True, text=True, timeout=60).stdout)
    assert len(found) == 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It works. Really? Yes!", ["It works.", "Really?", "Yes!"]),
        ("Dr. Smith said 3.5 is fine, e.g. here. Done", ["Dr. Smith said 3.5 is fine, e.g. here.", "Done"]),
        ('She said "no." Then she left.', ['She said "no."', "Then she left."]),
        ("See https://a.example/b.c for it. Wait... what?!", ["See https://a.example/b.c for it.", "Wait...", "what?!"]),
        ("今日は雨。でも「行くよ。」と言った！本当？？はい。", ["今日は雨。", "でも「行くよ。」と言った！", "本当？？", "はい。"]),
        ("「雨だ。」傘を持った（借り物。）から大丈夫。", ["「雨だ。」", "傘を持った（借り物。）から大丈夫。"]),
        (
            "# Title\n\n- **first** item\n2. [second](x.md) one\n\n```py\ncode. here.\n```\n---\n| --- | --- |\nlast",
            ["Title:", "first item", "second one", "last"],
        ),
        ("Done: 1. first thing 2) second. Third? 3. last", ["Done:", "first thing", "second.", "Third?", "last"]),
        ("All tasks: | Commit | Task | |---|:--| | `3bb` | Parser |", ["All tasks: Commit, Task, `3bb`, Parser"]),
        (
            "All tasks:\n\n| Commit | Task | Note |\n|---|:--|---|\n| `3bb` | Parser | — |\n| `4cc` | 字句解析 | 速い |",
            ["All tasks:", "`3bb`: Parser", "`4cc`: 字句解析, 速い"],
        ),
        ("before\n---\nafter | that\n\n✅ done", ["before", "after | that", "done"]),
        ("~~~\n```\nin code.\n~~~\nout", ["out"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text, parts):
    assert sentences.cut(text) == parts


@given(st.lists(st.tuples(st.frozensets(st.sampled_from("abcdefg"), max_size=4), st.integers(1, 9)), max_size=7), st.integers(0, 20))
def test_the_choice_is_near_the_best_there_is(items, budget):
    """Compared with every subset: at least (1 - 1/√e) of the best coverage (Lin & Bilmes 2011, Theorem 1, with the best single sentence)."""
    candidates = [SentenceCandidate(terms, cost) for terms, cost in items]
    weights = {term: 1_000 + 100 * at for at, term in enumerate("abcdefg")}

    def worth(chosen):
        return sum(weights[term] for term in frozenset().union(*(candidates[at].terms for at in chosen)))

    subsets = [[at for at in range(len(items)) if bits >> at & 1] for bits in range(1 << len(items))]
    best = max(worth(subset) for subset in subsets if sum(candidates[at].cost for at in subset) <= budget)
    chosen = coverage.select(candidates, weights, budget)
    assert sum(candidates[at].cost for at in chosen) <= budget and chosen == sorted(set(chosen))
    assert worth(chosen) >= 0.39 * best


@pytest.mark.parametrize(
    ("characters", "budget"), [(0, 0), (40, 40), (199, 199), (999, 200), (1_000, 200), (1_001, 200), (3_000, 600), (6_000, 1_200), (90_000, 1_200)]
)
def test_a_summary_is_a_fifth_of_the_day_and_at_least_200_characters_where_there_are_so_many(characters, budget):
    assert budget_of(characters) == budget
