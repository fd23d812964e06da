"""What a context was shown by one memory is not shown again by another one that says the same sentences, in English and Japanese."""

import pytest

from memorybank.cycle.recall import repeated
from tests.cycle.recalling import Remembering, before, prompt

KEY = b"k" * 32
ENGLISH = (
    "holds.ts",
    "Could you please give people a quarter of an hour to pay?",
    "`HOLD_MINUTES` in `holds.ts` is 15 instead of 10, because the bank's second factor may take twelve minutes.",
    "why is HOLD_MINUTES not ten any more, did the second factor take longer?",
    "second factor may take twelve minutes",
)
JAPANESE = (
    "limits.py",
    "支払いの待ち時間をのばしてください。",
    "`limits.py` の `PAY_MINUTES` を15分にしました。二段階認証に12分かかる銀行があるためです。",
    "PAY_MINUTES はなぜ15分なのですか。二段階認証のためですか。",
    "二段階認証に12分かかる銀行がある",
)


@pytest.mark.parametrize(("file", "request_", "answer", "asks", "said"), [ENGLISH, JAPANESE])
@pytest.mark.parametrize("asked_first", [True, False])
def test_a_finding_is_shown_at_the_prompt_or_at_the_call(bank, fixed_clock, file, request_, answer, asks, said, asked_first):
    remembering = Remembering(bank({}), fixed_clock)
    session = remembering.session("earlier", days_ago=2)
    session.prompt(request_)
    session.edit(file, old="a", new="b")
    session.turn_end(answer)
    session.end()
    now = remembering.session("now")
    now.line("session_start", source="startup")
    remembering.fold()
    call = before("Edit", {"file_path": f"{remembering.root()}/{file}", "old_string": "1", "new_string": f"{answer.split('`')[1]} = {answer.split('`')[3]}"})
    first, second = (prompt(asks), call) if asked_first else (call, prompt(asks))
    shown = [found.text for event in (first, second) if (found := remembering.ask(event)) is not None]
    assert sum(said in text for text in shown) == 1, shown


@pytest.mark.parametrize(("shown", "text", "is_said"), [
    ("- Result: The worker retries three times, then it stops.", "The worker retries three times, then it stops.", True),
    ("the user said: “Why?” Then: The worker retries three times, then it stops.", "The worker retries three times, then it stops", True),
    ("The worker retries three times. The queue is kept on disk until then.", "The queue is kept on disk until then.", True),
    ("決定: 再試行は三回までにしました。\n結果: テストは通りました。", "再試行は三回までにしました。", True),
    ("利用者の発言：「なぜですか」その後：再試行は三回までにしました。", "再試行は三回までにしました。", True),
    ("The worker retries three times, then it stops.", "The worker retries five times, then it stops.", False),
    ("The worker retries three times, then it stops.", "The worker retries three times, then it stops. The queue is kept on disk.", False),
    ("The worker retries three times, then…", "The worker retries three times, then it stops.", False),
    ("Done.", "Done.", False),
    ("The limit is 15. A second factor may take long here.", "The limit is 12. A second factor may take long here.", False),
    ("再試行は三回までにしました。", "再試行は五回までにしました。", False),
    ("Port of the staging database: 5433", "Port of the staging database: 6000", False),
    ("本番への金曜日のデプロイ：禁止", "本番への金曜日のデプロイ：許可", False),
])  # fmt: skip
def test_a_text_is_said_if_each_of_its_sentences_is(shown, text, is_said):
    said = set(repeated.digests(KEY, shown))
    assert repeated.is_said(KEY, text, said) is is_said


def test_the_log_has_no_sentence(bank, fixed_clock):
    remembering = Remembering(bank({"shared/conventions.md": "# Conventions\n\n- Money is integer cents everywhere.\n"}), fixed_clock).index()
    remembering.ask(before("Read", {"file_path": f"{remembering.root()}/src/price.ts"}))
    (line,) = remembering.lines("now")
    assert line["sentences"] and all(len(one) == 12 for one in line["sentences"])
    assert "integer" not in str(line["sentences"])
