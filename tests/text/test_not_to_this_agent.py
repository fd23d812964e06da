"""Text for a program or another agent, a reviewer's list and requirements for the product do not become rules. Statements about the work do."""

import pytest

from memorybank.text.prompts.statements import statements
from memorybank.text.prompts.typed import instructs, is_of_program, typed

REST = " Read the files named below, compare them with the ticket, and hand back one short summary of what you found. Work only from what you were given."
続き = (
    "対象のファイルを順番に読み、チケットの内容と照らし合わせて、食い違いがあれば一件ずつ短くまとめてから報告する。"
    "与えられた材料だけを使い、ほかのことには手を付けずに終わること。"
)


@pytest.mark.parametrize(
    "prompt",
    [
        f"You are helping configure lint gates for an unattended run.\nThe user writes rules in plain English. Convert them.{REST}",
        f"You are the live narrator for a coding run. Never regenerate from scratch.{REST}",
        f"You are tasked with triaging flaky jobs. Always answer with one label.{REST}",
        f"You are acting as the release gatekeeper. Never approve a diff without tests.{REST}",
        f"You are an expert Terraform engineer. Always prefer modules.{REST}",
        f"You are Atlas, a planning agent. Never write code.{REST}",
        f"Your task is to classify the goal below. Never ask questions.{REST}",
        f"Act as a strict reviewer. Always name the line.{REST}",
        "# Task\n\nReturn JSON only, with exactly these keys: verdict, reason. Always include both.\n\nUser request: rename the queue\nMode: draft\n"
        "Use {working_dir} for paths inside the run and never write outside of it at all.",
        f"あなたは無人実行の受け入れ条件を整える担当です。必ず日本語で答えること。{続き}",
        f"あなたはコードの変更を要約するナレーターです。絶対に作り話をしないこと。{続き}",
        f"あなたの役割は、入力された依頼を三種類に分類することです。必ずJSONのみを返すこと。{続き}",
    ],
)
def test_a_text_for_an_agent_with_a_role_states_nothing(prompt):
    assert instructs(prompt)
    assert statements(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "You are a bit fast today. Please slow down: ask me before you touch anything in infra/, and never push without my ok, because I have to tell them"
        " first, and they sit in another time zone.",
        "You are right, the cache was stale, sorry for the noise. From now on always run `make warm` before you measure anything, otherwise the numbers are"
        " garbage and nobody can compare them with last week.",
        "You are the best! Now one thing for later: never edit the generated clients by hand, they are overwritten by the nightly job, and last time we lost"
        " two days of work because nobody noticed for a week.",
        "あなたはさっきテストを消しましたよね。今後は必ず消す前に聞いてください。前にも同じことがあって、復旧に半日かかりました。バックアップもなかったので、本当に大変でした。"
        "次からは気をつけて、確認してから進めるようにお願いします。",
    ],
)
def test_a_remark_about_this_agent_is_no_role(prompt):
    assert not instructs(prompt)
    assert statements(prompt)


LONG = " It took two hours to find out why the last run broke, so please read the log first, then change little, and say in two lines what it was."
長い = "前回の失敗を調べるのに二時間かかったので、まずログを読み、小さく直して、何が起きたかを二行で書いてください。余計な変更が入ると、見直すのが大変です。"


@pytest.mark.parametrize(
    "prompt",
    [
        f"Your task is to fix the flaky test in auth. Never push to main without asking me.{LONG}",
        f"Your goal is to get CI green again. From now on, always run make lint before you commit.{LONG}",
        f"You are responsible for what you push: never push without green tests.{LONG}",
        f"You are assisting me with the release. Never tag without my OK.{LONG}",
        f"You are a fast worker, but never push to main without asking me first.{LONG}",
        f"Always return JSON from the endpoints, never XML. The route is /users/{{user_id}}/orders.{LONG}",
        f"あなたの仕事は速いですが、今後は必ずテストを実行してからコミットしてください。{長い}",
        f"あなたは毎回勝手にプッシュするので禁止です。今後は必ず私に確認してからプッシュすること。{長い}",
    ],
)
def test_a_long_prompt_of_a_person_is_one_whatever_it_begins_with(prompt):
    assert not instructs(prompt)
    assert not is_of_program(prompt)
    assert statements(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        f"You are the best assistant, thank you! The build works now. Next, please add a progress bar to the upload page.{LONG}",
        f"You are an expert in Rust. I have a problem with this closure: it answers with exactly one value.{LONG}",
        f"You are a coding assistant working in my repo. Never push to main without asking me first. Fix the importer, its output is below.{LONG}",
        f"あなたはこのプロジェクトの担当者です。エクスポートが失敗するので、直してほしいです。{長い}",
        f"あなたは優秀なエンジニアです。与えられた課題を見て、直してください。{長い}",
    ],
)
def test_a_person_may_tell_an_agent_its_role(prompt):
    assert not is_of_program(prompt)


@pytest.mark.parametrize(
    ("prompt", "order"),
    [
        (
            "You are an expert React developer. Fix the form in src/Form.tsx so that it checks the address before it is sent, and never use inline styles,"
            " the design system has classes for all of that.",
            "never use inline styles, the design system has classes for all of that.",
        ),
        (
            "あなたは経験豊富なエンジニアです。レポートが遅い原因を調べて直してください。四秒もかかります。"
            "今後、依存パッケージは勝手に追加しないでください。社内の審査が必要です。",
            "今後、依存パッケージは勝手に追加しないでください。",
        ),
    ],
)
def test_what_a_person_orders_after_a_role_is_an_order(prompt, order):
    assert [found.text for found in statements(prompt)] == [order]


def test_a_role_alone_is_no_sign_of_a_program():
    prompt = f"You are the owner of this module from today on, and you know it better than the rest of the team.{LONG}"
    assert not is_of_program(prompt)
    assert is_of_program(f"{prompt}\nUser request: rename the queue")


@pytest.mark.parametrize("line", ["You are fast.", "You are a chef and a helper.", "あなたは速いです。", "あなたは料理の担当です。"])
def test_lines_that_begin_like_a_role_take_linear_time(line):
    assert isinstance(typed("Fix the export.\n" + f"{line}\n" * 4000), str)


def test_what_the_person_orders_below_a_persona_stays():
    role = "You are Prep Chef GPT, a proactive chef assistant that helps a family plan and prepare its food each week, with a box of vegetables as a start."
    own = typed(f"Create persona.md with this:\n{role}\nIt plans five meals.\nNever push it.\n\nRun the linter afterwards, and always name the ticket.")
    assert own == "Create persona.md with this:\nNever push it.\n\nRun the linter afterwards, and always name the ticket."


def test_a_text_for_another_agent_is_not_what_the_person_typed():
    role = "You are Prep Chef GPT, a proactive chef assistant that helps a family plan and prepare its food each week, with a box of vegetables as a start.\n\n"
    prompt = f"Create persona.md and add this to it\n\n{role}Never assume they want meat or dairy by default."
    assert "Prep Chef" not in typed(prompt)
    assert statements(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        'Factual errors in the doc\n\n- Line 12 contradicts D3: "the worker reads the queue" is stale, the path is polling, never push.\n- Limits must be 20.',
        "Some issues in our spec:\n\n- Section 4 still says the token never expires.\n- Retries must be capped at 5, always with jitter.",
        "Another agent reviewed your chunk 2 work:\n\n1. The parser must never allocate more than 8 MB.\n2. Always close the handle before the rename.",
        "Line 40 says that the importer never retries.",
        "I'll dump a bunch of feedback at you. Can you help me categorize and structure the feedback?\n\nPrefer oat milk to cream\nDon't serve the soup cold",
        "I'll dump my feedback. Can you help me structure the feedback? Feel free to ask me about it.\n\nPrefer oat milk to cream\nToo much salt",
        "Then create a notes.md file with the text below in it:\nAlways wash the rice twice.\nNever stir the pot.",
        "レビューの指摘:\n- 12行目はD3と矛盾している。ワーカーは必ずポーリングする。\n- リトライは常に5回までとする。",
        "仕様書の問題点\n\n- 第4節は第2節と矛盾しています。トークンは絶対に期限切れにしないこと。",
    ],
)
def test_a_list_of_what_a_reviewer_found_states_nothing(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Add the following rules:\n- Never mock the database.\n- Always use pnpm.",
        "Save the following:\n- Never mock the database.",
        "Add tests for this\nNever mock the database.",
        "Please group the comments by file. Always use pnpm, never npm.",
        "Organize the review notes and fix what is wrong. Never push to main without asking me.",
        "Remaining issues\nNever push to main. Always ask me first.",
        "Errors in the export:\n- the date is wrong\n\nNever push to main.",
        "次のルールを追加して：\n- DBは絶対にモックしない。\n- 必ずpnpmを使う。",
        "残りの不具合\nmainには絶対にプッシュしないこと。",
        "指摘事項：\n- 日付がずれている。\n\n今後は必ずpnpmを使うこと。",
        "Can you group these errors by module?\nand always run ruff before committing",
        "Issues:\n1. Never use eval.\n2. The parser must always close the file.\n\nNever use eval.",
        "Some issues with your change:\n- Never use print, use the logger\n- Always add a test",
        "このフィードバックを分類して\n必ずruffを実行してからコミットすること",
        "指摘事項：\n- evalは絶対に使わない。\n\nevalは絶対に使わない。",
    ],
)
def test_what_is_no_item_of_a_list_of_faults_stays_an_order(prompt):
    assert statements(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "We need to make sure that once we add more agents this won't say \"Chopsky\" but uses the agent's name",
        "For example, one thing we learned was that we should always buy fresh lemons because they brighten up a dish.",
        "When we started using fresh basil, the sauce got better.",
        "The user has to type DELETE before the account is gone.",
        "A guest may see the price but must not see the stock.",
        "The motor must not turn while the lid is open.",
        "Users must be able to log in without a phone number.",
        "If we had a monorepo, we'd have to version everything together.",
        "if you want to share more details, I can help make a decision.",
        "ゲストは価格を見られるが、在庫は絶対に見られないようにすること。",
        "モーターは蓋が開いている間は絶対に回らないこと。",
        "例えば、レモンは必ず生のものを買うべきだと学びました。",
    ],
)
def test_what_the_product_does_is_no_rule(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Prefer rg to grep",
        "Commits must name the ticket.",
        "The changelog must be updated with every PR.",
        "Every migration must be reversible.",
        "Generated files must never be edited by hand.",
        "our analytics events have to be registered in tracking-plan.json, unregistered ones are dropped silently",
        "her data must not show up in any analysis anymore.",
        "Tests may not touch the network.",
        "The staging database must never be reset without asking.",
        "Review comments must always be resolved before you merge.",
        "Money must be integer cents, never floats.",
        "Users must never see a stack trace.",
        "User input must always be escaped.",
        "Contractors may not merge.",
        "Passwords must be hashed with argon2.",
        "Exceptions must not be swallowed.",
        "Make sure the worker never retries a POST.",
        "Admins must approve every deploy.",
        "The button must always use the design tokens.",
        "The id field must never be renamed.",
        "The API field must be snake_case.",
        "The sensor must be read through the HAL, never directly.",
        "The sidebar must never import from pages/.",
        "Each player must only have one name.",
        "Do not use sleep, it freezes the UI.",
        "Handlers must never block the UI.",
        "センサーはテストで必ずモックすること。",
        "敵は必ずオブジェクトプールから生成すること。",
        "モーターは実機で回さないでください。",
        "ユーザーは必ずログインすること。",
        "ユーザーは会員と呼ぶこと。",
        "ユーザーは必ず一つ以上のグループに所属すること。",
        "鍵はログに絶対に見えないようにすること。",
        "ユーザーには必ず日本語で返答すること。",
        "お客様には絶対に値引きを約束しない。",
        "ユーザーは絶対に物理削除しない。",
        "管理者以外は絶対にマージしない。",
        "設定は環境変数でできるようにすること。",
        "Add these to CLAUDE.md: never edit generated files, always run make lint",
        "We group issues by milestone. Never close one yourself.",
        "会議のメモをまとめてください。今後は議事録をmdで書くこと。",
        "コミットは必ずチケット番号で始めること。",
        "本番のDBには絶対に書き込まないこと。",
        "テストは必ずネットワークなしで動くようにすること。",
        "今後はレビューの指摘を必ずチケットに残すこと。",
    ],
)
def test_what_is_said_about_the_work_is_a_rule(prompt):
    assert statements(prompt)
