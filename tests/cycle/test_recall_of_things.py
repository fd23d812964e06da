"""A file is shown what people ordered about the things that its name or an edit is about, and a search the word of a glossary that it is for."""

import pytest

from memorybank.clock import FixedClock
from memorybank.cycle.event import MAIN, SUCCESS, TOOL_AFTER, TOOL_BEFORE, Event
from memorybank.cycle.router import HookRouter
from memorybank.text.prompts import things
from memorybank.text.words.terms import content_terms
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, before, prompt

ENGLISH = {
    "shared/conventions.md": "# Conventions\n\n## Code\n\n- Fares are integer øre everywhere, also in fixtures.\n- Money is whole cents in the ledger.\n"
    "- All timestamps are UTC; only the kiosk converts them.\n- Errors of the API carry a `reason` in kebab-case.\n"
    "- Passwords are hashed with argon2id, never md5.\n- Named exports only.\n\n## Git\n\n- Commits: `FB-12 area: what`.\n",
    "shared/glossary.md": "# Words\n\n- **sailing**: one departure of one boat\n- **standby**: a vehicle without a place that waits at the quay.\n"
    "- **deadhead**: a sailing without passengers.\n- **test**: a trip for the crew\n",
    "planning/summer.md": "# Last summer\n\nThe price list was wrong in June. Coordinates were swapped once.\n",
}  # fmt: skip
JAPANESE = {
    "shared/規約.md": "# 規約\n\n- 日時はすべて UTC で保存し、画面だけ JST に直す。\n"
    "- 金額は税抜きの整数で持つ。float は使わない。\n- 在庫数はマイナスにしない。\n"
    "- clinic/ の関数には必ず戻り値の型を書く。\n",
    "shared/用語.md": "# 用語\n\n- **枠**: 15分の予約の単位。\n- **飛び込み**: 予約なしで来た患者。\n- **再診**: 前の受診から90日以内。\n",
}


@pytest.fixture(scope="module")
def banks(shared_bank):
    return {id(notes): Remembering(shared_bank(notes), FixedClock(NOW)).index() for notes in (ENGLISH, JAPANESE)}


def looks(file, tool="Read"):
    return lambda root: before(tool, {"file_path": f"{root}/{file}"})


def edits(file, new, old="a"):
    return lambda root: before("Edit", {"file_path": f"{root}/{file}", "old_string": old, "new_string": new})


def searches(pattern):
    return lambda root: before("Grep", {"pattern": pattern, "path": root})


def runs(command):
    return lambda root: before("Bash", {"command": command})


@pytest.mark.parametrize(("notes", "call", "said"), [
    (ENGLISH, looks("src/fares/total.ts"), "integer øre"),
    (ENGLISH, looks("src/price.ts"), "whole cents"),
    (ENGLISH, edits("src/ticket.ts", "const fare = order.fareOf(kind)"), "integer øre"),
    (ENGLISH, edits("src/ticket.py", "sold_at = datetime.now()"), "All timestamps are UTC"),
    (ENGLISH, looks("api/errors.ts"), "kebab-case"),
    (ENGLISH, searches("STANDBY_MINUTES"), "waits at the quay"),
    (ENGLISH, runs("grep -rn deadhead src | head"), "without passengers"),
    (ENGLISH, edits("src/hash.ts", "return md5(password)"), "argon2id"),
    (JAPANESE, looks("app/price.py"), "税抜きの整数"),
    (JAPANESE, edits("app/models.py", "price: float = 0.0"), "float は使わない"),
    (JAPANESE, edits("app/visit.py", "visited_at = datetime.utcfromtimestamp(0)"), "UTC で保存"),
    (JAPANESE, looks("app/stock/count.py"), "マイナスにしない"),
    (JAPANESE, searches("飛び込み"), "予約なしで来た"),
])  # fmt: skip
def test_a_call_is_shown_what_holds_for_the_thing(banks, notes, call, said):
    remembering = banks[id(notes)]
    found = remembering.preview(call(remembering.root())).injection
    assert found is not None and said in found.text
    assert found.text.count("\n- ") == 1, "only this sentence"


@pytest.mark.parametrize(("notes", "call"), [
    (ENGLISH, looks("src/boats.ts")),
    (ENGLISH, looks("api/error_page.tsx")),
    (ENGLISH, looks("src/coordinates.ts")),
    (ENGLISH, edits("src/boat.ts", "export const nextBoat = boats.at(1)")),
    (ENGLISH, edits("README.md", "The fare is paid on board.")),
    (ENGLISH, edits("src/hash.ts", "return argon2id(password)")),
    (ENGLISH, edits("src/ticket.ts", "const fare = 2", old="const fare = 1")),
    (ENGLISH, searches("test")),
    (ENGLISH, searches("quay")),
    (ENGLISH, runs("ls src")),
    (JAPANESE, looks("clinic/main.py")),
    (JAPANESE, edits("app/views.py", "title = '一覧'")),
    (JAPANESE, searches("def main")),
])  # fmt: skip
def test_other_calls_and_edits_that_follow_it_are_shown_nothing(banks, notes, call):
    remembering = banks[id(notes)]
    assert remembering.preview(call(remembering.root())).injection is None


@pytest.mark.parametrize(("sentence", "term", "added", "is_followed"), [
    ("Passwords are hashed with argon2id, never md5.", "password", "argon2id", True),
    ("Passwords are hashed with argon2id, never md5.", "password", "md5", False),
    ("Passwords are hashed with argon2id, never md5.", "password", "argon2id md5", False),
    ("Passwords are hashed with argon2id, never md5, sha1 or bcrypt.", "password", "sha1 argon2id", False),
    ("Prices are integer cents, never float.", "price", "price float", False),
    ("Prices are integer cents, never float.", "price", "price cents", True),
    ("Never use floats for prices, use cents.", "price", "cents", True),
    ("Prices are Decimals rather than floats.", "price", "floats", False),
    ("Don't store prices as floats; store cents.", "price", "floats", False),
    ("Never store a fare without its currencycode.", "fare", "currencycode", True),
    ("金額は整数で持ち、float は使わない。", "金額", "float", False),
    ("金額は bigint 型で持ち、float は使わない。", "金額", "bigint", True),
    ("パスワードは md5 ではなく argon2id でハッシュする。", "パスワード", "md5", False),
    ("パスワードは md5 ではなく argon2id でハッシュする。", "パスワード", "argon2id", True),
    ("Passwords use argon2id; md5 is forbidden", "password", "argon2id md5", False),
    ("Passwords use argon2id; md5 is forbidden", "password", "argon2id", True),
    ("Passwords use argon2id. `md5`, `sha1` and `crc` are not allowed.", "password", "argon2id sha1", False),
    ("momentjs is deprecated", "date", "momentjs", False),
    ("momentjs is no longer used", "date", "momentjs", False),
    ("momentjs は使わなくてよい、dayjs で", "日付", "momentjs", False),
    ("Dates use dayjs, momentjs must not be used.", "date", "momentjs", False),
    ("Never use `print`, `console.log` or `debugger` — use `logger`.", "output", "logger console.log", False),
    ("Never use `print`, `console.log` or `debugger` — use `logger`.", "output", "print logger", False),
    ("Never use `print`, `console.log` or `debugger` — use `logger`.", "output", "debugger logger", False),
    ("Never use `print`, `console.log` or `debugger` — use `logger`.", "output", "logger", True),
    ("Passwords are hashed with argon2id, never md5 or sha1.", "password", "bcrypt.hash(password)", False),
    ("Passwords are hashed with argon2id, never md5 or sha1.", "password", "argon2id.hash(password)", True),
    ("パスワードは md5 を使わず argon2id でハッシュする", "パスワード", "md5 argon2id", False),
    ("パスワードは md5 を使わず argon2id でハッシュする", "パスワード", "md5", False),
    ("パスワードは md5 を使わず argon2id でハッシュする", "パスワード", "argon2id", True),
    ("パスワードは argon2id でハッシュする。md5 は不可", "パスワード", "md5", False),
    ("パスワードは argon2id でハッシュする。md5、sha1 は禁止", "パスワード", "md5", False),
    ("日付に momentjs を使うな。", "日付", "momentjs", False),
    ("パスワードは argon2id でハッシュする。", "パスワード", "bcrypt でハッシュ", False),
    ("パスワードは argon2id 以外でハッシュしない。", "パスワード", "argon2id", True),
])  # fmt: skip
def test_an_edit_follows_an_order_with_a_name_that_it_wants(sentence, term, added, is_followed):
    assert things.is_followed(sentence, term, content_terms(added)) is is_followed


def test_each_sentence_of_a_note_is_shown_once(bank, fixed_clock):
    remembering = Remembering(bank(ENGLISH), fixed_clock).index()
    root = remembering.root()
    assert "integer øre" in remembering.ask(looks("src/fare.ts")(root)).text
    assert remembering.ask(looks("src/fare.test.ts")(root)) is None
    assert "argon2id" in remembering.ask(looks("src/password.ts")(root)).text
    assert remembering.ask(looks("src/fare.ts")(root)) is None
    assert "FB-12" in remembering.ask(runs('git commit -m "fix it"')(root)).text


LONG = "# House rules of the shop\n\n" + "The shop sells vouchers and rents boats. " * 12
LONG_JAPANESE = "# 店の規約\n\n" + "この店ではボートの貸し出しと回数券の販売をしています。" * 16


@pytest.mark.parametrize(("note", "asks", "file", "said"), [
    (LONG + "\n\n- Money is integer cents everywhere.\n", "what are the house rules of the shop for vouchers and boats?", "src/price.ts", "integer cents"),
    (LONG_JAPANESE + "\n\n- 金額は税抜きの整数で持つ。\n", "店の規約でボートの貸し出しと回数券の販売はどうなっていますか？", "app/price.py", "税抜き"),
])  # fmt: skip
def test_an_order_that_an_excerpt_left_out_is_shown_at_the_call(bank, fixed_clock, note, asks, file, said):
    remembering = Remembering(bank({"shared/rules.md": note}), fixed_clock).index()
    excerpt = remembering.ask(prompt(asks))
    assert excerpt is not None and said not in excerpt.text
    assert said in remembering.ask(looks(file)(remembering.root())).text
    assert remembering.ask(looks(file)(remembering.root())) is None


@pytest.mark.parametrize(("note", "asks", "file", "said"), [
    ("# House rules of the shop\n\nThe shop rents boats:\n\n- Money is integer cents.\n- Boats are blue.\n", "what are the house rules of the shop?",
     "src/price.ts", "integer cents"),
    ("# 店の規約\n\n- 金額は整数で持つ。\n- ボートは青い。\n", "店の規約でボートの金額はどうなっていますか？", "app/price.py", "整数"),
])  # fmt: skip
def test_an_order_that_an_excerpt_contains_is_not_shown_again(bank, fixed_clock, note, asks, file, said):
    remembering = Remembering(bank({"shared/rules.md": note}), fixed_clock).index()
    assert said in remembering.preview(looks(file)(remembering.root())).injection.text
    assert said in remembering.ask(prompt(asks)).text
    assert remembering.ask(looks(file)(remembering.root())) is None


def test_a_read_asks_only_where_a_note_may_say_something(bank, fixed_clock):
    remembering = Remembering(bank(ENGLISH), fixed_clock).index()
    router = HookRouter(remembering.base, frozenset((TOOL_BEFORE, TOOL_AFTER)))

    def read(file):
        inputs = {"file_path": f"{remembering.root()}/{file}"}
        return Event(host="claude-code", name=TOOL_AFTER, session_id="now", tool="Read", inputs=inputs, status=SUCCESS, output="…", agent_id=MAIN,
                     agent_role=MAIN, tool_use_id="toolu_1", delivery=True)  # fmt: skip

    assert router.moment(read("src/boats.ts")) is None
    assert router.moment(read("src/price.ts")) == TOOL_BEFORE
    assert "whole cents" in router.answer(read("src/price.ts")).text


@pytest.mark.parametrize(("body", "terms"), [
    ("# Rules\n\n- Money is integer cents everywhere.\n", ["monei", "price", "amount"]),
    ("# Rules\n\n- Never log e-mail addresses.\n", ["address"]),
    ("# Log\n\n- Store durations as whole seconds, always.\n", ["durat"]),
    ("# 規約\n\n- 金額は整数で持つ。\n", ["price", "金額"]),
    ("# Log\n\n- Prices were floats until June.\n", []),
    ("# 記録\n\n- 金額は小数でした。\n", []),
    ("# Log\n\nThe price list has two pages.\n", []),
    ("# Search\n\nThe database index must be rebuilt after every import.\n", []),
    ("# Rules\n\n- The search index is rebuilt after every import.\n- Types are written in singular.\n", []),
    ("# Shop\n\nPrices must always be stored as integer cents.\n", ["price"]),
    ("# Users\n\nPasswords must never be logged.\n", ["password"]),
    ("# Users\n\nTokens may only be stored encrypted.\n", ["token"]),
    ("# Users\n\nCustomer emails must always be hashed.\n", ["email"]),
    ("# Staff\n\nThe team is always happy to help.\n", []),
    ("# Shop\n\nA voucher is never negative.\n", ["voucher"]),
    ("# 予定\n\n会議は必ず 10 時に始まる。\n", []),
    ("# 在庫\n\n在庫数は必ず整数で持つ。\n", ["stock"]),
])  # fmt: skip
def test_a_sentence_is_found_by_its_subject_and_its_synonyms(body, terms):
    found = [term for named, _ in things.of_note(body) for term in named]
    assert set(terms) <= set(found) and bool(found) == bool(terms)
