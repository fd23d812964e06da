"""After a failed call an agent is shown how earlier sessions went on after the same failure, in English and Japanese."""

import pytest

from memorybank.cycle.fold import logs, schema
from memorybank.cycle.fold.phrases import JAPANESE, phrase
from memorybank.cycle.know import rejected, rules
from memorybank.cycle.recall import query
from memorybank.storage import database
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, before, failure, prompt

HOOK = "src/cart.ts(3,4): error TS2322: Type 'string' is not assignable to type 'number'.\nhusky - pre-commit script failed (code 2)"
OTHER = "src/tax.ts(90,1): error TS18046: 'rate' is of type 'unknown'.\nhusky - pre-commit script failed (code 1)"
COMMIT = {"command": "git commit -m 'tax: round half up'"}
CASE, 件 = "for that case only: “{}”", "その件に限り「{}」"


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock)


def filled(remembering):
    """Some passages, among which rare words are rare."""
    for number, other in enumerate(("The tone guide begins with an example.", "請求書の一覧は日付の順に並びます。", "The index is made in slices.")):
        work = remembering.session(f"other{number}", days_ago=4)
        work.prompt("Please go on with the next point of the list.")
        work.turn_end(other)
        work.end()
    return remembering.fold()


def at_failure(remembering, inputs=COMMIT, error=OTHER, tool="Bash", **fields):
    found = remembering.ask(failure(tool, inputs, error, **fields), query.FAILURE)
    return found.text if found is not None else ""


def answered(remembering, *prompts, command="git commit -m 'cart'", error=HOOK, **fields):
    work = remembering.session("before", days_ago=3)
    work.prompt("Let the cart add up the prices.", **fields)
    work.run(command, error=error, **fields)
    work.turn_end("The hook refuses the commit. Shall I change the other file?", **fields)
    for said in prompts:
        work.prompt(said, **fields)
        work.turn_end("Understood.", **fields)
    work.run(f"{command} --no-verify", **fields)
    work.end()
    return filled(remembering)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("The mirror, always. There is no origin here.", "the user answered, for good: “The mirror, always.”"),
        ("今後は mirror にプッシュしてください。", "the user answered, for good: “今後は mirror にプッシュしてください。”"),
    ],
    ids=["english", "japanese"],
)
def test_an_answer_that_holds_for_good_is_quoted_as_one(remembering, said, shown):
    error = "fatal: 'origin' does not appear to be a git repository"
    assert phrase("answered_for_good", JAPANESE, said=said, error=error).endswith(f"利用者は今後のこととして「{said}」と答えた")
    answered(remembering, said, command="git push origin main", error=error)
    text = at_failure(remembering, {"command": "git push origin main"}, error)
    assert shown in text and "permission" not in text and "確認" not in text


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Wait, somebody else edits that file. I allow you to commit with --no-verify.", CASE),
        ("そのファイルは山田さんが編集中です。今回は --no-verify でコミットしていいです。", 件),
    ],
    ids=["english", "japanese"],
)
def test_what_a_person_answered_is_shown_after_the_same_failure_as_the_answer_to_that_case(remembering, said, shown):
    answered(remembering, said)
    text = at_failure(
        remembering, COMMIT, OTHER if shown == CASE else f"{OTHER}\nエラー: 型が合わないため、コミットできませんでした。修正してから再度実行してください。"
    )
    first, second = said.replace("。", "。|").replace("file. ", "file.|").strip("|").split("|")
    assert shown.format(f"{first} / {second}") in text
    assert ("no standing permission" in text) or ("継続的な許可ではない" in text)


@pytest.mark.parametrize(("now", "is_shown"), [("test_cart_rounds_down_the_voucher", True), ("test_ledger_prints_seven_columns", False)])
def test_what_a_person_answered_to_a_test_that_failed_says_nothing_about_another_test(remembering, now, is_shown):
    error = "FAILED tests/test_shop.py::{}\nAssertionError: the expected total of the basket and the computed one differ\n1 failed, 80 passed"
    answered(remembering, "That voucher is right, keep the test.", command="pytest -q", error=error.format("test_cart_rounds_down_the_voucher"))
    assert ("keep the test" in at_failure(remembering, {"command": "pytest -q"}, error.format(now))) is is_shown


@pytest.mark.parametrize(
    ("edited_then", "edited_now", "is_shown"), [("", "", True), ("", "src/tax.ts", False), ("src/cart.ts", "src/tax.ts", True), ("", "a.py", True)]
)
def test_what_a_person_answered_about_a_file_of_others_says_nothing_about_an_own_one(remembering, edited_then, edited_now, is_shown):
    for name, edited, days_ago in (("before", edited_then, 3.0), ("now", edited_now, 0.0)):
        work = remembering.session(name, days_ago=days_ago)
        work.prompt("Let the cart add up the prices.")
        if edited:
            work.edit(edited, "x", "y")
        if name == "before":
            work.run("git commit -m 'cart'", error=HOOK)
            work.turn_end("The hook refuses the commit. Shall I change the other file?")
            work.prompt("Wait, somebody else edits that file. I allow you to commit with --no-verify.")
            work.turn_end("Understood.")
            work.end()
    filled(remembering)
    assert ("--no-verify" in at_failure(remembering)) is is_shown


def test_such_an_answer_never_becomes_a_rule(remembering):
    """It binds no start and no call, and is shown at no commit before that fails, and after no other failure."""
    answered(remembering, "I allow you to commit with --no-verify.")
    asked = [
        remembering.ask(before("Bash", COMMIT, session="b")),
        remembering.ask(before("Bash", {"command": "git commit --no-verify -m x"}, session="c")),
        remembering.ask(failure("Bash", {"command": "git push"}, "error: failed to push some refs to the server", session="d"), query.FAILURE),
        remembering.ask(failure("Bash", COMMIT, "fatal: cannot lock the index of this repository", session="e"), query.FAILURE),
        remembering.ask(prompt("commit", session="f")),
    ]
    assert not any(found is not None and "--no-verify" in found.text for found in asked)
    assert "--no-verify" in at_failure(remembering)
    connection = database.open_reading(schema.path(remembering.scratch.layout), schema.VERSION)
    connection.create_function("sees", 8, lambda *row: True)
    assert [rule.shown for rule in rules.stated(connection, "now", NOW) if not rule.is_permission] == []
    connection.close()


def test_two_prompts_may_answer_one_failure(remembering):
    answered(remembering, "Wait, somebody else edits that file.", "Then I allow you to commit with --no-verify.", "Add the tax to the cart now.")
    text = at_failure(remembering)
    assert CASE.format("Wait, somebody else edits that file. / Then I allow you to commit with --no-verify.") in text


@pytest.mark.parametrize("said", ["commit", "Please commit and push.", "コミットしてください"])
def test_the_next_step_answers_nothing(remembering, said):
    answered(remembering, said)
    assert "answered" not in at_failure(remembering)


@pytest.mark.parametrize("then", [("edit", "src/cart.ts"), ("run", "npm run build")])
def test_after_other_work_a_prompt_answers_nothing(base, cache, session, then):
    work = session()
    work.prompt("Let the cart add up the prices.")
    work.run("git commit -m cart", error=HOOK)
    getattr(work, then[0])(then[1])
    work.turn_end("Done.")
    work.prompt("Show the sum in the header, too.")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT count(*) FROM passages WHERE kind = 'said' AND failure IS NOT NULL").fetchone() == (0,)


def test_of_several_failures_one_of_a_linter_is_not_answered(base, cache, session):
    work = session()
    work.prompt("Let the cart add up the prices.")
    work.run("git commit -m cart", error=HOOK)
    work.run("npm run lint:fix", error="src/other.ts:3:4 lint/correctness: this import is unused")
    work.run("git status")
    work.turn_end("It fails.")
    work.prompt("Leave that file alone, Mia edits it.")
    logs.fold(base, cache, wait=True)
    rows = cache.execute("SELECT form, text FROM passages p JOIN failures f ON f.id = p.failure WHERE kind = 'said'").fetchall()
    assert rows == [("git commit", "Leave that file alone, Mia edits it.")]


@pytest.mark.parametrize("command", ["npm run lint", "bun run typecheck"])
def test_an_answer_about_a_linter_is_about_other_code(remembering, command):
    answered(remembering, "Leave the unused import of the cart alone.", command=command)
    assert at_failure(remembering, {"command": command}) == ""


def test_a_private_answer_is_shown_to_nobody_else(remembering):
    answered(remembering, "I allow you to commit with --no-verify.", acl="session", privacy="private", hold=True)
    assert "--no-verify" not in at_failure(remembering)


def test_a_rejected_answer_stays_out(remembering):
    answered(remembering, "I allow you to commit with --no-verify.")
    (shown,) = remembering.preview(failure("Bash", COMMIT, OTHER), query.FAILURE).shown
    rejected.add(remembering.scratch.layout, shown.memory.memory, is_rejected=True, by=rejected.COMMAND, what="", clock=remembering.clock)
    assert at_failure(remembering) == ""


FLASH = "Error: timed out while waiting for target halted\nFATAL ERROR: command exited with status 1"
ビルド = "qemu: uncaught target signal 11 (Segmentation fault)\nエラー: 画像のビルドに失敗しました"
AFTERWARDS = [
    ("west flash -d build/c1", FLASH, "Flashing: the J-Link runner works while the firmware sleeps, OpenOCD does not.", "J-Link runner works"),
    ("docker buildx build -t grader .", ビルド, "画像は larkbox のビルダーで作りました。手元の qemu ではだめでした。", "larkbox のビルダー"),
]


def explained(remembering, command, error, said, other="", **fields):
    work = remembering.session("before", days_ago=3)
    work.prompt("Please look at the samples of the buffer.", **fields)
    work.run(command, error=other or error, **fields)
    work.run(f"{command} --runner jlink", **fields)
    work.turn_end(said, **fields)
    work.end()
    return filled(remembering)


@pytest.mark.parametrize(("command", "error", "said", "shown"), AFTERWARDS, ids=["english", "japanese"])
def test_what_was_said_after_the_same_failure_needs_little_in_common_with_it(remembering, command, error, said, shown):
    explained(remembering, command, error, said)
    assert shown in at_failure(remembering, {"command": command}, error)


@pytest.mark.parametrize(("command", "error", "said", "shown"), AFTERWARDS, ids=["english", "japanese"])
def test_what_was_said_after_another_failure_needs_more(remembering, command, error, said, shown):
    explained(remembering, command, error, said, other="Error: the probe of this rig is reserved until noon")
    assert shown not in at_failure(remembering, {"command": command}, error)


@pytest.mark.parametrize(
    ("command", "error", "said"),
    [
        ("west flash -d build/c1", FLASH, "It seems target 8 is halted because the J-Link runner is missing, as the timeout shows."),
        (
            "west flash -d build/c1",
            FLASH,
            "After the reset OpenOCD still timed out while waiting for the halted target, which is puzzling because the J-Link runner works.",
        ),
        ("docker buildx build -t grader .", ビルド, "qemu の uncaught target signal 11 で画像のビルドに失敗したのは不思議です。larkbox では動くからです。"),
    ],
)
def test_a_cause_that_was_only_supposed_is_not_shown_after_the_same_failure(remembering, command, error, said):
    explained(remembering, command, error, said)
    assert said not in at_failure(remembering, {"command": command}, error)


def test_what_was_said_before_the_failure_is_not_about_it(remembering):
    command, error, said, shown = AFTERWARDS[0]
    work = remembering.session("before", days_ago=3)
    work.prompt("Please look at the samples of the buffer.")
    work.turn_end(said)
    work.prompt("Now flash it.")
    work.run(command, error=error)
    work.turn_end("It failed.")
    work.end()
    filled(remembering)
    assert shown not in at_failure(remembering, {"command": command}, error)


MISSED = "String to replace not found in file.\nString: {}"
REMARKS = [
    "It does not match because the indentation uses tabs.",
    "The text does not match because it lost the tabs of the indentation.",
    "It does not match because of the tabs of the indentation.",
]
所見 = ["インデントがタブなので一致しません。", "タブのインデントが失われたため一致しませんでした。", "原因はタブのインデントです。"]


def missed(remembering, said, **fields):
    for number, remark in enumerate(said):
        work = remembering.session(f"before{number}", days_ago=3 - number / 2)
        work.prompt("Move the button to the left.")
        work.edit("src/a.tsx", status="failure", error=MISSED.format(f"<Button{number}>"), tool_use_id=f"call{number}", **fields)
        work.turn_end("Moved.", remarks=[{"after": f"call{number}", "text": remark}])
        work.end()
    return filled(remembering)


@pytest.mark.parametrize("said", [REMARKS, 所見], ids=["english", "japanese"])
def test_after_a_second_edit_that_missed_what_three_sessions_found_out_is_shown(remembering, said):
    """An edit that missed once is usually right the second time."""
    missed(remembering, said)
    assert at_failure(remembering, {"file_path": "src/b.tsx"}, MISSED.format("<Panel>"), tool="Edit") == ""
    work = remembering.session("now")
    work.prompt("Move the panel to the left.")
    work.edit("src/b.tsx", status="failure", error=MISSED.format("<Panel>"))
    remembering.fold()
    text = at_failure(remembering, {"file_path": "src/b.tsx"}, MISSED.format("<Panel>"), tool="Edit")
    assert sum(remark in text for remark in said) == 1


@pytest.mark.parametrize("said", [REMARKS[:2], [REMARKS[0], "The button was moved because the panel is narrow.", "It was renamed because of the route."]])
def test_what_fewer_found_out_is_not(remembering, said):
    missed(remembering, said)
    assert at_failure(remembering, {"file_path": "src/b.tsx"}, MISSED.format("<Panel>"), tool="Edit") == ""


TESTS = "--- FAIL: TestVoucher{} (0.00s)\nthe expected total of the basket and the computed total of the voucher differ\nmake: *** [check] Error 1"
試験 = "--- FAIL: TestVoucher{} (0.00s)\n伝票の合計と明細の合計が一致しません\nmake: *** [check] Error 1"
PORT = "dial tcp 127.0.0.1:5544: connection refused by the database of the voucher tests\nmake: *** [check] Error 1"


@pytest.mark.parametrize(
    ("remark", "error"),
    [
        ("The voucher test fails because the database container of the voucher is stopped, `make up` starts it.", TESTS.format("Rounds")),
        ("voucher のテストが失敗したのは、database のコンテナが止まっているためです。", 試験.format("Rounds")),
    ],
    ids=["english", "japanese"],
)
@pytest.mark.parametrize("is_same", [True, False])
def test_a_remark_explains_only_the_complaint_before_it(remembering, remark, error, is_same):
    work = remembering.session("before", days_ago=3)
    work.prompt("Run the checks, please.")
    work.run("make check", error=PORT, tool_use_id="call")
    work.turn_end("It works now.", remarks=[{"after": "call", "text": remark}])
    work.end()
    filled(remembering)
    assert (remark in at_failure(remembering, {"command": "make check"}, PORT if is_same else f"{error}\nthe voucher database")) is is_same


UNKNOWN = (
    "src/pages/{}.razor(25,13): error RZ9996: Unrecognized child content inside component 'HarborCard'. The component 'HarborCard' accepts child content"
    " through the following top-level items: 'Header', 'Body'."
)


@pytest.mark.parametrize(
    "remark", ["`HarborCard` requires an explicit `Body`.", "`HarborCard` は `Body` を書かないと受け付けられません。"], ids=["english", "japanese"]
)
def test_what_a_component_requires_is_said_when_the_same_error_comes_again(remembering, remark):
    work = remembering.session("before", days_ago=3)
    work.prompt("Move the header into the card, please.")
    work.run("dotnet build", error=UNKNOWN.format("Berths"), tool_use_id="call")
    work.turn_end("It builds now.", remarks=[{"after": "call", "text": remark}])
    work.end()
    filled(remembering)
    assert remark in at_failure(remembering, {"command": "dotnet build"}, UNKNOWN.format("Ledger"))
    assert remark not in at_failure(remembering, {"command": "dotnet build"}, "src/pages/Ledger.razor(3,1): error CS0246: The type 'Tide' could not be found")


@pytest.mark.parametrize(
    ("remark", "asked", "correction", "is_shown"),
    [
        ("`quay_masters` requires the migration 0042.", "Are you sure?", "I was wrong: `quay_masters` lacks the view, not the migration 0042.", True),
        ("`quay_masters` requires the migration 0042.", "No, undo the header.", "I reverted it: the header of `Berths` is out of `Card` again.", False),
        ("`quay_masters` は 0042 が必須です。", "本当に？", "訂正します。`quay_masters` に足りないのはビューで、0042 ではありません。", True),
        ("`quay_masters` は 0042 が必須です。", "いや、見出しは戻して。", "取り消しました。`Berths` の見出しは `Card` の外です。", False),
    ],
)
def test_a_remark_has_a_correction_of_what_it_says_and_none_of_what_its_turn_was_for(remembering, remark, asked, correction, is_shown):
    error = "error: the harbour ledger 'Berth' has no column tide_level in relation quay_masters"
    work = remembering.session("before", days_ago=3)
    work.prompt("Move the header into the `Card` of `Berths`.")
    work.run("make ledger", error=error, tool_use_id="call")
    work.turn_end("The header of `Berths` is in `Card`, `quay_masters` is as before.", remarks=[{"after": "call", "text": remark}])
    work.prompt(asked)
    work.turn_end(correction)
    work.end()
    filled(remembering)
    text = at_failure(remembering, {"command": "make ledger"}, error)
    assert remark in text and (correction[-12:] in text) is is_shown


@pytest.mark.parametrize(
    "said",
    [
        "Wait, somebody else edits that file. I allow you to commit with --no-verify.",
        "そのファイルは山田さんが編集中です。今回は --no-verify でコミットしていいです。",
    ],
    ids=["english", "japanese"],
)
def test_what_a_person_answered_to_a_complaint_of_a_hook_says_nothing_about_its_tests(remembering, said):
    """A hook runs several checks one after the other, and prints what those before the last one said, too."""
    log = "$ bun test src/\n[Parser] Warning: could not parse the answer of the evaluator as a list\n{}husky - pre-commit script failed (code 1)"
    answered(remembering, said, error=log.format("1232 pass, 0 fail\n$ tsc --noEmit\nsrc/cart.ts(3,4): error TS2322: Type 'string' is not assignable\n"))
    assert "--no-verify" not in at_failure(
        remembering, error=log.format("1231 pass, 1 fail\n(fail) tmp/clones/a.test.ts > renders the list\n"), session="tests"
    )
    assert "--no-verify" in at_failure(remembering, error=log.format("1232 pass, 0 fail\n$ tsc --noEmit\nsrc/tax.ts(9,1): error TS18046: 'rate' is unknown\n"))


LOCK = "Error: Error acquiring the state lock"
KEYS = "Error: no valid credential sources found."
REACHES, ALLOCATED = "Error: cannot reach postgres", "Error: port is already allocated"


@pytest.mark.parametrize(
    ("commands", "said", "answered"),
    [
        ((("terraform plan", KEYS), ("AWS_PROFILE=stg terraform plan", LOCK)), "Ask Sato first, always.", LOCK),
        ((("terraform -chdir=infra plan", KEYS), ("AWS_PROFILE=stg terraform -chdir=infra plan", LOCK)), "持ち主に聞いて。", LOCK),
        ((("npm test", REACHES), ("docker compose up -d", ALLOCATED)), "Stop the other project first.", ALLOCATED),
        ((("npm test", REACHES), ("docker compose up -d", ALLOCATED)), "postgres runs on db2.", REACHES),
        ((("terraform plan", LOCK), ("terraform plan", LOCK)), "持ち主に聞いて。", LOCK),
    ],
)
def test_an_answer_is_about_the_failure_that_nothing_has_repaired(base, cache, session, commands, said, answered):
    work = session()
    work.prompt("Do it.")
    for command, error in commands:
        work.run(command, error=error)
    work.turn_end("It fails.")
    work.prompt(said)
    logs.fold(base, cache, wait=True)
    assert {row[0] for row in cache.execute("SELECT line FROM passages p JOIN failures f ON f.id = p.failure WHERE kind = 'said'")} == {answered}


@pytest.mark.parametrize(
    ("tool", "is_shown"), [("KillShell", False), ("KillBash", False), ("TaskStop", False), ("TaskOutput", False), ("BashOutput", False), ("Skill", True)]
)
def test_what_a_person_says_after_a_call_with_the_id_of_a_process_is_no_answer_to_it(remembering, tool, is_shown):
    """Its id is of that session alone, and what fails with it is over."""
    error = "Error: Shell ea88f9 is not running, so it cannot be killed (status: killed)"
    work = remembering.session("before", days_ago=3)
    work.prompt("Let the cart add up the prices.")
    inputs = {"skill": "deploy"} if tool == "Skill" else {"shell_id": "ea88f9"}
    work.line("tool_after", tool=tool, inputs=inputs, files=[], anchors=[], status="failure", error=error)
    work.turn_end("It is not running. Shall I start it?")
    work.prompt("Leave the server of Berta alone, start another one on port 8017.")
    work.turn_end("Understood.")
    work.end()
    text = at_failure(filled(remembering), inputs, error, tool)
    assert ("8017" in text) == is_shown
