"""An error in a prompt or after a call is answered by what was done about the same error, or by nothing."""

import pytest

from memorybank.cycle.recall import query
from tests.cycle.recalling import Remembering, before, failure, prompt

PASTED = """{said}
./components/orders/OrderForm.tsx:{line}
Type error: {message}

> 981 |   <AlertIcon title="x" />"""
FONT = (
    "Error printing invoice: Error: ENOENT: no such file or directory, open '{root}/node_modules/pdfkit/js/data/Helvetica.afm'"
    "\n    at PDFService.print (lib/pdf.ts:13:16)"
)
CAUSE = "PDFKit loads its `Helvetica.afm` from a path that the bundler changes, so the file is missing at run time."
REMEDY = "I replaced pdfkit with pdf-lib, because pdf-lib needs no font files: `lib/pdf.ts` embeds Helvetica itself."
CAUSE_JA = "pdfkit はフォント `Helvetica.afm` を実行時に読むため、バンドル後のパスでは見つかりません。"
REMEDY_JA = "フォントファイルが要らないので、pdfkit を pdf-lib に置き換えました。`lib/pdf.ts` が Helvetica を埋め込みます。"
OTHERS = (
    ("Fix the build", "The build is successful. `./components/orders/OrderForm.tsx` line 981 got a `<div title>`, because icons take no title."),
    ("make the order form faster", "`OrderForm.tsx` asks for prices once, because each key press had sent a request of its own."),
    ("ビルドを直して", "`OrderForm.tsx` の 981 行目で、アイコンに title を渡せないため `<div title>` で囲みました。ビルドは通ります。"),
    ("Why does the invoice page load slowly?", "The invoice page reads all lines of all orders, because the filter is applied in the browser."),
)


@pytest.fixture
def bank_of(bank, fixed_clock):
    """bank_of(session, …) → a bank in which each tuple of requests and answers was a session, besides `OTHERS`."""

    def make(*sessions, steps=()):
        remembering = Remembering(bank({}), fixed_clock)
        for number, texts in enumerate((*sessions, *OTHERS)):
            session = remembering.session(f"earlier-{number}", days_ago=2 + number)
            for request, answer in zip(texts[::2], texts[1::2], strict=True):
                session.prompt(request)
                for step in steps if number == 0 else ():
                    step(session)
                session.turn_end(answer)
            session.end()
        now = remembering.session("now")
        now.line("session_start", source="startup")
        return remembering.fold()

    return make


def text_of(injection):
    return "" if injection is None else injection.text


def shown(remembering, text):
    return text_of(remembering.ask(prompt(text)))


def after(remembering, command, error):
    return text_of(remembering.ask(failure("Bash", {"command": command}, error), query.FAILURE))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("build fails: Failed to compile.", "Expected 1 arguments, but got 2."),
        ("fix npm run build:", "Property 'business_name' does not exist on type 'Transporter'."),
        ("more fails, make sure you build to check things are fine.  .Failed to compile.", "Cannot find name 'handleCreateOrder'."),
        ("ビルドが失敗します。直してください。", "モジュール '../utils/logger.js' またはそれに対応する型宣言が見つかりません。"),
        ("seeing this error when I open the order form", "Type 'number' is not assignable to type 'string'."),
    ],
)
def test_an_error_of_the_same_file_is_another_one(bank_of, said, message):
    assert shown(bank_of(), PASTED.format(said=said, line="71:63", message=message)) == ""


def test_nor_does_one_line_with_the_error_bring_what_shares_its_file(bank_of):
    said = "build fails: ./components/orders/OrderForm.tsx:981:37 Type error: Property 'business_name' does not exist on type 'Transporter'."
    assert shown(bank_of(), said) == ""


@pytest.mark.parametrize(
    ("asked", "cause", "reply", "remedy"),
    [("what's going on?", CAUSE, "use option 1", REMEDY), ("これは何?", CAUSE_JA, "1番でお願いします", REMEDY_JA)],
    ids=["english", "japanese"],
)
def test_the_same_error_brings_what_was_found_and_done_about_it(bank_of, asked, cause, reply, remedy):
    remembering = bank_of((f"{asked}\n{FONT.format(root='D:/ROOT')}", cause, reply, remedy))
    pasted = f"seeing this error when I try to print\n\nproduction\nLogs\n{FONT.format(root='/ROOT')}"
    for session, again in enumerate((pasted, FONT.format(root="/app").partition("\n")[0])):
        text = text_of(remembering.ask(prompt(again, session=f"now-{session}")))
        assert "pdf-lib" in text
        assert "Helvetica.afm" in text


def test_so_does_the_same_error_of_a_call(bank_of):
    remembering = bank_of((FONT.format(root="D:/ROOT"), CAUSE, "use option 1", REMEDY))
    error = FONT.format(root="/srv").removeprefix("Error printing invoice: ")
    assert "pdf-lib" in after(remembering, "node scripts/print.js", error)


@pytest.mark.parametrize("file", ["Courier.afm", "logo.png"])
def test_the_same_kind_of_error_about_another_file_does_not(bank_of, file):
    remembering = bank_of((FONT.format(root="D:/ROOT"), CAUSE, "use option 1", REMEDY))
    error = f"Error printing invoice: Error: ENOENT: no such file or directory, open '/ROOT/assets/{file}'"
    assert shown(remembering, f"what's going on?\n{error}\n    at PDFService.print (lib/pdf.ts:13:16)") == ""
    assert after(remembering, "node scripts/print.js", error) == ""


def test_who_pastes_it_again_in_the_session_says_that_the_first_answer_did_not_end_it(bank_of):
    first = "I set the font to Courier in `lib/pdf.ts`, because standard fonts need no file."
    last = "`next.config.ts` marks pdfkit as external, because webpack had bundled it away from its font files."
    text = shown(bank_of((FONT.format(root="/a"), first, f"still:\n{FONT.format(root='/a')}", last)), FONT.format(root="/b"))
    assert "external" in text
    assert "Courier" not in text


def test_what_is_asked_besides_the_error_is_answered(bank_of):
    said = PASTED.format(said="Why does the invoice page load slowly? And please fix this error too:", line="71:63", message="Expected 1 arguments, but got 2.")
    assert "filter is applied in the browser" in shown(bank_of(), said)


@pytest.mark.parametrize(
    ("answer", "message", "finding"),
    [
        (
            "`business_name` became `name` in `Transporter`, because the table has no such column.",
            "Property 'business_name' does not exist on type 'Transporter'.",
            "became `name`",
        ),
        ("`business_name` は列がないため `name` に変えました。", "Property 'business_name' does not exist on type 'Transporter'.", "`name` に変えました"),
        ("Without `LABEL_HOST` the label printer is not found, so set it in `.env`.", "Cannot find name 'LABEL_HOST'.", "so set it in `.env`"),
    ],
)
def test_what_was_said_about_the_name_in_the_message_is_shown(bank_of, answer, message, finding):
    assert finding in shown(bank_of(("tidy the types", answer)), PASTED.format(said="build fails:", line="7:6", message=message))


def test_a_pasted_error_may_have_been_one_of_a_call(bank_of):
    error = "Error: Cannot find module 'bwip-js'"

    def steps(session):
        session.run("node scripts/labels.js", error=error)
        session.run("npm rebuild bwip-js --build-from-source")
        session.run("node scripts/labels.js")

    remembering = bank_of(("print the labels", "The labels are printed."), steps=[steps])
    assert "npm rebuild bwip-js" in shown(remembering, f"now I get\n{error}\n    at load (scripts/labels.js:3:1)")
    assert shown(remembering, "now I get\nError: Cannot find module 'qrcode'\n    at load (scripts/labels.js:3:1)") == ""


@pytest.mark.parametrize(
    "remark",
    [
        "There's a file locking issue with the Prisma client, because the dev server is running.",
        "Prisma クライアントのファイルがロックされています。開発サーバーが動いているためです。",
    ],
)
def test_a_remark_on_another_error_of_the_same_command_is_not_shown(bank_of, remark):
    error = "Type error: Property 'business_name' is missing in type 'Row'."

    def steps(session):
        call = "call-1"
        session.run("npm run build", error="Failed to compile.\n\n./lib/db.ts:3:4\nType error: Property 'stock' is missing in type 'Row'.", tool_use_id=call)
        session.run("npm run build")

    remembering = bank_of(("fix the build", remark), steps=[steps])
    assert after(remembering, "npm run build", f"Failed to compile.\n\n./app/route.ts:45:13\n{error}") == ""


INSTALLED = ("npm install pdfkit @types/pdfkit", "cd web && pnpm add pdfkit", "yarn add pdfkit@0.15")


@pytest.mark.parametrize("command", INSTALLED)
@pytest.mark.parametrize("remedy", [REMEDY, REMEDY_JA], ids=["english", "japanese"])
def test_the_reason_is_shown_before_a_package_comes_back_that_was_replaced(bank_of, command, remedy):
    def steps(session):
        session.run("npm uninstall pdfkit @types/pdfkit && npm install pdf-lib")

    remembering = bank_of(("use option 1", remedy), steps=[steps])
    assert "pdf-lib" in text_of(remembering.ask(before("Bash", {"command": command})))


@pytest.mark.parametrize("command", ["npm install pdf-lib", "npm install", "npm uninstall pdfkit", "npm install sharp", "cat node_modules/pdfkit/package.json"])
def test_other_calls_are_not_shown_it(bank_of, command):
    def steps(session):
        session.run("npm uninstall pdfkit @types/pdfkit && npm install pdf-lib")

    remembering = bank_of(("use option 1", REMEDY), steps=[steps])
    assert text_of(remembering.ask(before("Bash", {"command": command}))) == ""


@pytest.mark.parametrize("answer", ["Removed the unused packages.", "使っていないパッケージを消しました。", "I removed `pdfkit`."])
def test_without_a_reason_nothing_is_shown(bank_of, answer):
    def steps(session):
        session.run("npm uninstall pdfkit")

    assert text_of(bank_of(("tidy package.json", answer), steps=[steps]).ask(before("Bash", {"command": "npm install pdfkit"}))) == ""


def test_nor_when_a_later_session_brought_it_back(bank_of):
    def steps(session):
        session.run("npm uninstall pdfkit && npm install pdf-lib")

    back = ("go back to pdfkit", "Switched from pdf-lib back to pdfkit, because pdf-lib cannot draw the tables.")
    text = text_of(bank_of(back, ("use option 1", REMEDY)).ask(before("Bash", {"command": "npm install pdfkit"})))
    assert "needs no font files" not in text


@pytest.mark.parametrize("done", ["Replaced pdfkit with pdf-lib - a modern library for PDF files", "pdfkit を pdf-lib に置き換えました。テストは通ります。"])
def test_the_error_that_led_to_the_removal_of_a_package_is_its_reason(bank_of, done):
    def steps(session):
        session.run("npm uninstall pdfkit && npm install pdf-lib")

    remembering = bank_of((FONT.format(root="/ROOT"), done), steps=[steps])
    text = text_of(remembering.ask(before("Bash", {"command": "npm install pdfkit"})))
    assert "pdf-lib" in text
    assert "Helvetica.afm" in text
    missing = "./lib/pdf.ts:1:1\nModule not found: Can't resolve '{}'"
    assert "pdf-lib" in text_of(remembering.ask(prompt(f"Build error occurred\n{missing.format('pdfkit')}", session="now-2")))
    assert text_of(remembering.ask(prompt(f"Build error occurred\n{missing.format('sharp')}", session="now-3"))) == ""


@pytest.mark.parametrize("asked", ["run npm run build and fix the building issues", "fix the tests please", "ビルドエラーを直して", "lintが落ちています。"])
def test_who_only_asks_to_repair_the_build_is_shown_nothing(bank_of, asked):
    done = ("fix npm run build issues", "The build is successful. `items` was wrapped in parentheses, because the type allows `undefined`.")
    assert shown(bank_of(done, ("ビルドエラーを直して", "ビルドは成功しました。`items` が undefined になり得るため、括弧で囲みました。")), asked) == ""


@pytest.mark.parametrize(
    ("asked", "finding"),
    [
        ("why is the filter of the invoice page applied in the browser?", "reads all lines"),
        ("fix the slow invoice page: where is its filter applied?", "reads all lines"),
    ],
)
def test_a_prompt_that_names_its_matter_is_answered(bank_of, asked, finding):
    assert finding in shown(bank_of(), asked)


LOAD = "Error: Cannot find module 'bwip-js'\n    at load (a.js:3:1)"
WRONG = "The lock file was stale, so I ran `npm ci`, because the module `bwip-js` was missing from it."
RIGHT = "The hoisting was the cause: `node-linker=hoisted` in `.npmrc`, because pnpm hides `bwip-js` from the label script."
STAYS = (
    *("still the same error", "nope, still broken", "it still fails", "still not fixed", "still getting it after npm ci", "that didn't help"),
    *("didn't work, the error is still there", "not working", "no, that was wrong", "same error again", "まだ同じエラーが出ます", "直っていません"),
    *("that did not help, you were wrong: it is the hoisting", "だめでした", "まだ動きません"),
)


@pytest.mark.parametrize("reply", STAYS)
@pytest.mark.parametrize("between", [(), ("yes, do it", "Done: the lock file is new, because `npm ci` wrote it.")], ids=["at once", "once accepted"])
def test_an_answer_after_which_the_error_stays_is_not_shown(bank_of, reply, between):
    text = shown(bank_of((LOAD, WRONG, *between, reply, RIGHT)), f"I get\n{LOAD}")
    assert "node-linker=hoisted" in text
    assert "lock file" not in text


def test_what_stays_after_something_else_is_not_the_error(bank_of):
    won = "The header of `OrderForm` now has `bg-blue`, because Tailwind won."
    other = ("make the header of OrderForm blue", "The header is blue.", "it's still not blue", won)
    text = shown(bank_of((LOAD, RIGHT, *other)), f"I get\n{LOAD}")
    assert "node-linker=hoisted" in text
    assert "bg-blue" not in text


@pytest.mark.parametrize(
    "reply",
    [
        "sure, and now make the header of OrderForm blue",
        "ok let's move on to the header of OrderForm",
        "use it in the header too",
        "はい、次はヘッダーを青にしてください",
        "1を2に変えて、ヘッダーを青にして",
    ],
)
def test_a_request_that_only_begins_like_an_acceptance_ends_the_matter(bank_of, reply):
    blue = "The header of `OrderForm` now has the class `bg-blue`, because the design wants `bwip-js` labels blue."
    text = shown(bank_of((LOAD, RIGHT, reply, blue)), f"I get\n{LOAD}")
    assert "node-linker=hoisted" in text
    assert "bg-blue" not in text


RETRIES = (
    "How does the webhook sender retry when the partner drops requests?",
    "The webhook sender retries 5 times with a doubled delay, because most outages are short.",
)
SIGNUP = ("Where does the signup form validate?", "The signup form validates in `lib/signup/rules.ts`, because the API shares these rules.")
BILLING = ("How do we handle errors in the billing module?", "The billing module returns `Result` types, because exceptions were swallowed by the queue.")
RETRIES_JA = ("webhook sender のリトライは何回ですか？", "webhook sender のリトライは 5 回です。パートナーの停止は短いためです。")


@pytest.mark.parametrize(
    ("said", "finding"),
    [
        ("TypeError: x is undefined in the console. Why does the invoice page apply its filter in the browser?", "reads all lines"),
        ("I get TypeError: x is undefined. Also how does the webhook sender retry when the partner drops requests?", "doubled delay"),
        ("Validation Error: the signup form shows it twice. Where does the signup form validate?", "rules.ts"),
        ("why does the invoice page show 'Error: timeout'? It loads slowly", "reads all lines"),
        ('Show a toast with the text "Error: payment failed" when the webhook sender retries 5 times', "doubled delay"),
        ("Error handling: please use Result types everywhere in the billing module, how did we handle errors there?", "swallowed by the queue"),
        ("エラー: 「残高不足」 が出ます。webhook sender のリトライは何回ですか？", "5 回"),
    ],
)
def test_a_question_on_the_line_of_an_error_is_answered(bank_of, said, finding):
    assert finding in shown(bank_of(RETRIES, SIGNUP, BILLING, RETRIES_JA), said)


DESTROYS = (
    "The volume held an old schema, so I ran `docker compose down -v`, because `bwip-js` lives there.",
    "I ran `npx prisma migrate reset --force`, because the `bwip-js` table had drifted.",
    "I ran git push --force origin main, because the branch with `bwip-js` had diverged.",
    "I emptied the cache with `rm -rf /var/lib/labels`, because `bwip-js` was cached there.",
    "I ran `DROP TABLE labels` in psql, because `bwip-js` had another column.",
    "`bwip-js` のスキーマが古いため、`docker compose down -v` を実行しました。",
    "`bwip-js` の表が壊れているため、データベースを削除しました。",
)


@pytest.mark.parametrize("answer", DESTROYS)
def test_a_remedy_that_destroys_data_is_not_offered(bank_of, answer):
    assert shown(bank_of((LOAD, answer)), f"I get\n{LOAD}") == ""
    text = shown(bank_of((LOAD, f"{RIGHT} {answer}")), f"I get\n{LOAD}")
    assert "node-linker=hoisted" in text
    assert answer[-20:-1] not in text


@pytest.mark.parametrize(
    "answer",
    [
        "I ran `rm -rf node_modules` and `npm ci`, because `bwip-js` was half installed.",
        "`bwip-js` が壊れていたため、`rm -rf node_modules` のあと `npm ci` を実行しました。",
    ],
)
def test_what_can_be_built_again_may_be_removed(bank_of, answer):
    assert "npm ci" in shown(bank_of((LOAD, answer)), f"I get\n{LOAD}")


@pytest.mark.parametrize("reason", ["its bundle is 2 MB smaller", "その方が 2 MB 小さいため"])
def test_an_error_of_another_turn_did_not_lead_to_a_removal(bank_of, reason):
    def steps(session):
        session.run("npm uninstall pdfkit && npm install pdf-lib")

    zod = "Error: Cannot find module 'zod'\n    at load (a.js:3:1)"
    done = f"I replaced pdfkit with pdf-lib, because {reason}." if reason.isascii() else f"{reason}、pdfkit を pdf-lib に置き換えました。"
    remembering = bank_of((zod, "Installed `zod`, because the schema needs it.", "make the bundle smaller", done), steps=[steps])
    text = text_of(remembering.ask(before("Bash", {"command": "npm install pdfkit"})))
    assert "pdf-lib" in text
    assert "zod" not in text


def test_what_is_installed_anew_is_not_removed(bank_of):
    def steps(session):
        session.run("npm uninstall pdfkit && npm install pdfkit")

    remembering = bank_of(("repair pdfkit", "I installed pdfkit anew, because its folder was half written."), steps=[steps])
    assert text_of(remembering.ask(before("Bash", {"command": "npm install pdfkit"}))) == ""
