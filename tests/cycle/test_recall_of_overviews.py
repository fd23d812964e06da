"""An overview of the project answers who asks for it. At other moments only its clause about what they name is shown, until that changes."""

import pytest

from memorybank.cycle.know.gist import gist
from memorybank.cycle.recall import recollect
from tests.cycle.recalling import Remembering, before, prompt

ENGLISH = (
    "Hi, please give me a short overview of the code.",
    "The code is small. crc.rs has the checksum, manifest.rs the line format with parse and format, walk.rs collects the files, main.rs dispatches make and"
    " verify. `diff` is advertised in the usage text but not implemented, and xattr.rs is an empty stub.",
)
JAPANESE = (
    "まず構成を簡単に説明してください。",
    "構成は、税と送料が pricing.py、在庫の引き当てが stock.py、決済代行の通知が webhooks.py です。front はカートの合計と表示だけです。"
    "coupons.py は2024年のもので、どこからも使われていません。",
)
OTHERS = (("Sort the fields of the admin page.", "They are sorted by name."), ("フッターの電話番号を変えて", "フッターの電話番号を変えました。"))


@pytest.fixture
def told(bank, fixed_clock):
    """told(overview, *edited) → a bank whose first session told the overview; a later one edited files."""

    def make(overview, *edited):
        remembering = Remembering(bank({}, git=True), fixed_clock)
        for number, (request, answer) in enumerate((overview, *OTHERS)):
            session = remembering.session(f"earlier-{number}", days_ago=9 - number)
            session.prompt(request)
            for path in edited if number == 1 else ():
                session.edit(path, "a", "b")
            session.turn_end(answer)
            session.end()
        remembering.session("now").line("session_start", source="startup")
        return remembering.fold()

    return make


def shown(remembering, event):
    injection = remembering.ask(event)
    return "" if injection is None else injection.text


@pytest.mark.parametrize(("overview", "text", "said"), [
    (ENGLISH, "give me an overview of the code: manifest, checksum, usage", "crc.rs has the checksum"),
    (ENGLISH, "where is the checksum and the line format of the manifest?", "crc.rs has the checksum"),
    (JAPANESE, "決済代行の通知と在庫の引き当てはどのファイルですか？", "webhooks.py"),
    (JAPANESE, "送料と決済代行と引き当ての構成を教えてください", "pricing.py"),
])  # fmt: skip
def test_who_asks_for_it_is_shown_all_of_it(told, overview, text, said):
    assert said in shown(told(overview), prompt(text))


@pytest.mark.parametrize(("overview", "text"), [
    (ENGLISH, "does the manifest line format parse a checksum with spaces?"),
    (ENGLISH, "why is the usage text advertised in two languages, and verify not?"),
    (JAPANESE, "決済代行の通知で在庫の引き当てが解放されないのはなぜですか？"),
    (JAPANESE, "カートの合計の表示と送料がおかしくなるのはなぜですか？"),
])  # fmt: skip
def test_another_question_is_not_shown_it(told, overview, text):
    assert "stub" not in (text := shown(told(overview), prompt(text)))
    assert "coupons" not in text


@pytest.mark.parametrize(("overview", "text", "said", "others"), [
    (ENGLISH, "what does xattr.rs do for the manifest and the usage text?", "xattr.rs is an empty stub", "crc.rs"),
    (JAPANESE, "coupons.py はまだ在庫や送料で使いますか？", "coupons.py は2024年のもの", "pricing.py"),
])  # fmt: skip
def test_of_a_part_that_is_named_its_clause_is_shown(told, overview, text, said, others):
    shown_text = shown(told(overview), prompt(text))
    assert said in shown_text
    assert others not in shown_text


@pytest.mark.parametrize(("overview", "path", "text"), [
    (ENGLISH, "src/xattr.rs", "what does xattr.rs do for the manifest and the usage text?"),
    (JAPANESE, "shop/coupons.py", "coupons.py はまだ在庫や送料で使いますか？"),
])  # fmt: skip
def test_not_once_a_later_session_worked_on_it(told, overview, path, text):
    text = shown(told(overview, path), prompt(text))
    assert "stub" not in text and "2024" not in text


def test_a_read_is_not_shown_the_other_parts(told):
    remembering = told(ENGLISH)
    text = shown(remembering, before("Read", {"file_path": f"{remembering.root()}/src/walk.rs"}))
    assert "crc.rs" not in text and "stub" not in text


@pytest.mark.parametrize(("overview", "part"), [(ENGLISH, "stub"), (JAPANESE, "coupons")])
def test_a_start_does_not_repeat_it(overview, part):
    ((_, text),) = gist([(1, overview[0])], [(2, overview[1])])
    assert part not in text


def test_a_person_is_told_why(told):
    remembering = told(ENGLISH)
    draft, composed = recollect.preview(
        remembering.base, prompt("why is the usage text advertised in two languages, and verify not?"), "prompt", remembering.clock.now()
    )
    draft.sources.close()
    assert not composed.shown
    assert {one.why.code for one in composed.left_out if one.memory.kind == "finding"} <= {"recall.overview"}
