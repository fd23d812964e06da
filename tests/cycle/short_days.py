"""Short days of work and questions, made by rule: what was asked, what was found, and how long the closing message is. English and Japanese."""

from itertools import cycle
from typing import NamedTuple

from memorybank.cycle import event as names
from memorybank.cycle.event import Event

ENGLISH = (
    (
        "Why does the nightly export time out?",
        "The export times out because `fetch_rows` holds one transaction for 47 minutes.",
        ("`fetch_rows`", "47 minutes"),
    ),
    ("Which port does the staging proxy use?", "The staging proxy listens on port 8443, set in `deploy/proxy.toml`.", ("8443", "`deploy/proxy.toml`")),
    ("Why is the invoice total off by a cent?", "The total is rounded twice, in `line_total` and again in `sum_lines`.", ("`line_total`", "`sum_lines`")),
    ("How much memory does the indexer need?", "The indexer peaks at 1.8 GB when a note exceeds 64 KB.", ("1.8 GB", "64 KB")),
    ("Who deletes the uploads?", "A cron job runs `bin/sweep --older 30d` at 02:14 every day.", ("`bin/sweep --older 30d`", "02:14")),
    ("Is the cache shared between tenants?", "No: the cache key starts with the tenant id since release 3.9.2.", ("tenant id", "3.9.2")),
    ("Why did the login test start to fail?", "The login test fails since `SESSION_TTL` dropped from 3600 to 60.", ("`SESSION_TTL`", "3600", "60")),
    ("Which index does the search query use?", "The planner picks `idx_notes_term`, so a lookup reads 12 pages.", ("`idx_notes_term`", "12 pages")),
    ("How many retries does the mailer make?", "The mailer retries 5 times and then writes to `mail/dead.jsonl`.", ("5 times", "`mail/dead.jsonl`")),
    ("Why is the Docker image so large?", "The image is 2.3 GB because `COPY . .` takes the `node_modules` folder along.", ("2.3 GB", "`node_modules`")),
    ("What does exit code 74 mean here?", "Exit code 74 means that the lock file `run/leader.lock` is stale.", ("74", "`run/leader.lock`")),
    ("Why do dates shift by a day?", "Dates shift because `parse_day` reads UTC while the page sends Asia/Tokyo.", ("`parse_day`", "Asia/Tokyo")),
    ("Can we drop Python 3.10?", "Python 3.10 can go: only `compat/tomllib_shim.py` still needs it.", ("3.10", "`compat/tomllib_shim.py`")),
    ("Where does the duplicate row come from?", "The duplicate comes from `on_retry`, which inserts order 90117 again.", ("`on_retry`", "90117")),
    ("How slow is the first page?", "The first page takes 840 ms, 610 ms of which are `load_fonts`.", ("840 ms", "`load_fonts`")),
    ("Why is the webhook rejected?", "The webhook is rejected because the clock of worker-7 is 312 s ahead.", ("worker-7", "312 s")),
    ("Which flag turns the preview off?", "`--no-preview` turns it off, and `PREVIEW=0` does so for all users.", ("`--no-preview`", "`PREVIEW=0`")),
    ("Why does the parser hang?", "The parser hangs on lines over 65,536 characters in `scan_token`.", ("65,536", "`scan_token`")),
)
JAPANESE = (
    ("夜間の書き出しはなぜ止まるのですか", "書き出しが止まるのは `fetch_rows` が47分間ロックを持つためです。", ("`fetch_rows`", "47分")),
    ("検証環境のポートはどれですか", "検証環境は8443番で待ち受け、`deploy/proxy.toml` で決まります。", ("8443", "`deploy/proxy.toml`")),
    ("請求書の合計が1円ずれる理由を調べて", "`line_total` と `sum_lines` で二重に丸めています。", ("`line_total`", "`sum_lines`")),
    ("索引にはどれだけメモリが必要ですか", "64KBを超えるノートがあると索引は1.8GBまで使います。", ("64KB", "1.8GB")),
    ("アップロードを消しているのは何ですか", "毎日02:14に `bin/sweep --older 30d` が消しています。", ("02:14", "`bin/sweep --older 30d`")),
    ("キャッシュは共有されていますか", "いいえ、3.9.2版からキーはテナントIDで始まります。", ("3.9.2", "テナントID")),
    ("ログインの試験が落ちるのはなぜですか", "`SESSION_TTL` が3600から60に下がったのが原因です。", ("`SESSION_TTL`", "3600", "60")),
    ("メールの再送は何回ですか", "再送は5回で、その後 `mail/dead.jsonl` に書かれます。", ("5回", "`mail/dead.jsonl`")),
    ("イメージが大きい理由は何ですか", "`COPY . .` が `node_modules` を含むため2.3GBになります。", ("`node_modules`", "2.3GB")),
    ("終了コード74の意味を教えて", "終了コード74は `run/leader.lock` が古いことを示します。", ("74", "`run/leader.lock`")),
    ("日付が一日ずれるのはなぜですか", "`parse_day` はUTCで読み、画面はAsia/Tokyoで送るためです。", ("`parse_day`", "Asia/Tokyo")),
    ("最初の表示が遅い原因を調べて", "最初の表示は840msで、うち610msは `load_fonts` です。", ("840ms", "`load_fonts`")),
)
OPENERS = {
    "en": ("", "Done. ", "Perfect! Now I understand the problem. ", "Here's what I found:\n\n", "All 37 tests pass.\n\n## Summary\n\n", "Great question! "),
    "ja": (
        "",
        "完了しました。",
        "調査しました。",
        "承知しました。結論から言うと、",
        "すべてのテストが通りました。\n\n## まとめ\n\n",
        "結果は以下の通りです。\n\n",
    ),
}
DETAILS = {
    "en": (
        "## Details\n\n| Step | Where |\n|---|---|\n| read | the loader |\n| write | the sink |\n\n",
        "- The loader was looked at first\n- Then the sink\n- Nothing else had to be touched\n\n",
        "The rest of the chain behaves as its page describes, and nobody has to change the setup for it.\n\n",
        "```\nloader -> sink\n```\n\n",
    ),
    "ja": (
        "## 詳細\n\n| 手順 | 場所 |\n|---|---|\n| 読み込み | ローダー |\n| 書き出し | シンク |\n\n",
        "- まずローダーを見ました\n- 次にシンクを見ました\n- ほかに触る所はありません\n\n",
        "残りの処理は文書の説明どおりに動いていて、設定を変える必要はありません。\n\n",
        "```\nloader -> sink\n```\n\n",
    ),
}
LENGTHS = (80, 200, 500, 1_000, 1_900, 4_000)
AROUND = {
    "en": (("Run the tests, please.", "All 37 tests pass."), ("Commit it.", "Committed as `4f5e6d7`.")),
    "ja": (("テストを流してください。", "すべてのテストが通りました。"), ("コミットしてください。", "コミットしました。")),
}


class ShortDay(NamedTuple):
    """turns: (request, whether something is done, closing message); values: what the result must keep."""

    name: str
    language: str
    question: str
    values: tuple[str, ...]
    turns: tuple[tuple[str, bool, str], ...]


def days() -> list[ShortDay]:
    """Thirty of them, half with three turns, of which the first, the middle or the last one holds the finding."""
    made = []
    for language, rows in (("en", ENGLISH), ("ja", JAPANESE)):
        for number, (question, finding, values) in enumerate(rows):
            text = closing(language, finding, OPENERS[language][number % 6], LENGTHS[(number + number // 6) % 6])
            turns = [(question, number % 4 > 1, text)]
            if number % 2:
                around = [(asked, True, said) for asked, said in AROUND[language]]
                turns = [*around[: number // 2 % 3], *turns, *around[number // 2 % 3 :]]
            made.append(ShortDay(f"{language}-{number}", language, question, values, tuple(turns)))
    return made


def closing(language: str, finding: str, opener: str, length: int) -> str:
    """A closing message of about so many characters: what opens it, the finding, then details."""
    text = f"{opener}{finding}\n\n"
    for detail in cycle(DETAILS[language]):
        if len(text) + len(detail) > length:
            return text.strip()
        text += detail
    raise AssertionError("unreachable: the details come again and again")


def played(day: ShortDay, at: int) -> list[Event]:
    """The events of its one session, from an instant (ms) on, ten seconds apart."""
    found: list[Event] = []

    def add(name: str, **fields: object) -> None:
        found.append(Event(host="claude-code", name=name, session_id=day.name, at=at + 10_000 * len(found), **fields))  # type: ignore[arg-type]  # any field of an event

    for number, (asked, done, said) in enumerate(day.turns):
        add(names.PROMPT, prompt=asked)
        if done:
            add(names.TOOL_AFTER, tool="Bash", tool_use_id=f"{number}a", inputs={"command": "pytest -q"}, output="37 passed in 2.10s", status=names.SUCCESS)
            add(
                names.TOOL_AFTER,
                tool="Bash",
                tool_use_id=f"{number}b",
                inputs={"command": 'git commit -m "Tidy the loader"'},
                output="ok",
                status=names.SUCCESS,
            )
        add(names.TURN_END, last_message=said, status=names.SUCCESS)
    add(names.SESSION_END)
    return found
