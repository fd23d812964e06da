"""Translates what the bank says into Japanese: reasons, ways to keep a note, parts of an importance, alerts, why recall was silent.

An alert is a value with an id and numbers. Reasons are English sentences, also in the archive and in the event logs. As in a message
catalogue, the English form is the key; text at a name in braces is copied. A sentence that is not listed (an error, a finding of doctor)
stays English.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from memorybank.metrics.alerts import Alert

_NUMBER = r"[-+]?[\d.,]+%?"
_SENTENCES: tuple[tuple[str, str], ...] = (
    # rules of rotation
    ("bookmarked", "ブックマーク済み"),
    ("rated {n} by a person (8 or more stays)", "人の評価 {n}（8 以上は残す）"),
    ("restored {n} day(s) ago (stays {m} day(s))", "{n} 日前に復元（{m} 日間は残す）"),
    ("importance {n}, {m} or more", "重要度 {n}（{m} 以上）"),
    ("modified {n} day(s) ago (stays {m} day(s))", "{n} 日前に更新（{m} 日間は残す）"),
    ("{n} MB, larger than {m} MB", "{n} MB（上限 {m} MB を超過）"),
    ("importance {n}, below {m}, and {d} day(s) old", "重要度 {n}（{m} 未満）、{d} 日経過"),
    ("{d} day(s) old, more than {e}, and importance {n}, below {m}", "{d} 日経過（{e} 日超）、重要度 {n}（{m} 未満）"),
    ("active/ is larger than {n} MB", "active/ が {n} MB を超過"),
    ("no rule asks it to leave", "該当する規則なし"),
    ("the rules allow it to leave, but nothing has to", "規則では退避できるが、今は必要なし"),
    *(
        (
            f"rule {rule}, but nothing leaves by its age until {{day}}: {since} on {{began}}",
            f"{name}だが、{{day}} までは古さを理由に退避しない（{reason}：{{began}}）",
        )
        for rule, name in (("low", "低い重要度"), ("medium", "中程度の重要度"))
        for since, reason in (
            ("the bank was created", "バンクの作成"),
            ("notes were adopted", "ノートの取り込み"),
            ("the bank was first used on this machine", "このマシンでの利用開始"),
        )
    ),
    (
        "this shallow clone hides when {n} notes were last changed, so they can count as too young; 'git fetch --unshallow' gets their dates",
        "浅いクローンのため {n} 件の最終変更日が分からず、実際より新しいとみなします。「git fetch --unshallow」で日付を取得できます",
    ),
    (
        "{n} notes beyond max_preserve_count ({m}) rank as {x} instead of {y} or more",
        "max_preserve_count（{m} 件）を超える {n} 件は、{y} 以上ではなく {x} とみなします",
    ),
    (
        "the bookmark file cannot be read, so every note is preserved; mend it, then rotate",
        "ブックマークのファイルを読めないため、すべてのノートを残します。修復してからローテーションしてください",
    ),
    ("{key} is false", "{key} が false です"),
    # what keeps a note
    ("rate 8+ or bookmark", "8 以上の評価か、ブックマーク"),
    ("rate 8+, bookmark or read (+{n})", "8 以上の評価、ブックマーク、閲覧のどれか（あと {n}）"),
    ("rate 8+, bookmark or link (+{n})", "8 以上の評価、ブックマーク、リンクのどれか（あと {n}）"),
    ("rate 8+, bookmark, read or link (+{n})", "8 以上の評価、ブックマーク、閲覧、リンクのどれか（あと {n}）"),
    ("rate 8+, bookmark, or shorten", "8 以上の評価、ブックマーク、短縮のどれか"),
    ("its age, until {day}", "新しさ（{day} まで）"),
    ("the restore, until {day}", "復元（{day} まで）"),
    ("bookmark", "ブックマーク"),
    ("rating", "評価"),
    ("importance", "重要度"),
    # parts of an importance
    ("not rated, counts as 5", "未評価（5 とみなす）"),
    ("a person's rating", "人の評価"),
    ("an importance is at most 10", "重要度は 10 まで"),
    ("a part is at most 10", "各要素は 10 まで"),
    ("{n} character(s)", "{n} 文字"),
    ("{n} important keyword(s)", "重要なキーワード {n} 個"),
    ("{n} like {text}", "{text} と {n} 類似"),
    ("no older note is like it", "似た古いノートなし"),
    ("plain text", "地の文のみ"),
    ("headings", "見出し"),
    ("lists", "箇条書き"),
    ("code", "コード"),
    ("links", "リンク"),
    ("modified {n} day(s) ago", "{n} 日前に更新"),
    ("{n} edit(s)", "編集 {n} 回"),
    ("edits unknown: neither an edit record nor git history", "編集回数は不明（編集記録も git の履歴もない）"),
    ("times {n} on the day of the last edit", "最終編集の当日は {n} 倍"),
    ("{v} view(s), {e} edit(s), {s} share(s), {t} min of viewing in {n} day(s)", "{n} 日間に閲覧 {v} 回、編集 {e} 回、共有 {s} 回、表示 {t} 分"),
    (
        "{v} view(s), {e} edit(s), {s} share(s), {t} min of viewing, shown by recall on {d} day(s) in {n} day(s)",
        "{n} 日間に閲覧 {v} 回、編集 {e} 回、共有 {s} 回、表示 {t} 分、想起で提示 {d} 日",
    ),
    (
        "{a} of {n} sentence(s) with a decision, rule, cause or definition, {s} different figures and identifiers",
        "文 {n} 中 {a} に決定・規則・原因・定義、異なる数値・識別子 {s} 個",
    ),
    (
        "{a} of {n} sentence(s) with a decision, rule, cause or definition, {s} different figures and identifiers, written to be looked up",
        "文 {n} 中 {a} に決定・規則・原因・定義、異なる数値・識別子 {s} 個（参照用のノート）",
    ),
    (
        "{a} of {n} sentence(s) with a decision, rule, cause or definition, {s} different figures and identifiers, a log, draft or stub",
        "文 {n} 中 {a} に決定・規則・原因・定義、異なる数値・識別子 {s} 個（記録・下書き・断片）",
    ),
    ("confirmed by uses and links from other notes", "利用と被リンクによる裏づけ"),
    ("estimated from the text, as far as it is confirmed", "本文とその裏づけからの推定"),
    ("not rated, estimated from the text, as far as it is confirmed", "未評価（本文とその裏づけから推定）"),
    ("links raise a part by {n} at most", "リンクによる加点は {n} まで"),
    ("unknown: the access log is younger than {n} day(s)", "不明（アクセス記録が {n} 日に満たない）"),
    ("links to {n} note or file", "リンク先のノート・ファイル {n} 件"),
    ("links to {n} notes or files", "リンク先のノート・ファイル {n} 件"),
    ("links to {n} URL(s)", "リンク先の URL {n} 件"),
    ("linked from {n} note(s)", "リンク元のノート {n} 件"),
    # search
    ("in-place edits of the last {n} s may not be in this answer", "直近 {n} 秒以内に上書きされた内容は含まれないことがあります"),
    ("another process is updating the index; this answer is from before its update", "索引を更新中の別の処理があり、更新前の結果です"),
    # recall
    ("too few words say what it is about", "手がかりになる語が足りません"),
    ("nothing that is known has enough in common with it", "十分に一致する記憶がありません"),
    ("nothing is known yet", "まだ記憶がありません"),
    ("memory is switched off at this moment ({text})", "この時点の想起は無効です（{text}）"),
    ("too little in common: {n} of the words", "一致が少なすぎます（語の {n}）"),
    ("one word in common is a coincidence", "一致が 1 語だけでは偶然"),
    ("the match may be a coincidence: {n} of the words, and common ones", "偶然でもありうる一致（よくある語のみ、全体の {n}）"),
    ("another note fits far better: {n} of the words, compared to {m}", "はるかによく合うノートがほかにある（語の {n}、そちらは {m}）"),
    ("its score is below {n}", "得点が {n} 未満"),
    ("beyond the first {n} or the budget", "上位 {n} 件または文字数の枠を超過"),
    ("beyond the budget for the start of a session", "セッション開始時の枠を超過"),
    ("this context has it already", "この会話にはすでに提示済み"),
    ("the episodes of earlier days contain it", "これまでの日の内容に含まれる"),
    ("its note is missing", "ノートが見つかりません"),
    ("suppressed by policy {n}, which excludes {occasion}", "第 {n} 版のポリシーにより抑制（{occasion} を除外）"),
    ("suppressed by learning since {day}: shown {n} time(s) at this moment, and not used", "{day} から学習により抑制（この時点で {n} 回提示、使用なし）"),
    ("rejected by a person on {day} ({by})", "{day} に人が却下（{by}）"),
    ("says the same as {memory}, rejected by a person on {day} ({by})", "{memory} と同じ内容：{day} に人が却下（{by}）"),
    ("restored on {day} ({by})", "{day} に却下を取り消し（{by}）"),
    ("rejected with it, because they say the same: {memories}", "同じ内容のためともに却下：{memories}"),
    ("`{remedy}` helped in {n} of {m} sessions in which the call failed", "失敗した {m} セッションのうち {n} で `{remedy}` が有効"),
    ("people asked for it in {n} sessions", "{n} セッションで人が求めた"),
    ("a person stated it ({kind}), and nothing later replaced it", "人が述べ、その後置き換えられていない（{kind}）"),
    ("superseded on {day} by {memory}: {text}", "{day} に {memory} が置き換え：{text}"),
    (
        "{model} read it in what a person said, and no person stated anything about the same subject",
        "{model} が人の発言から読み取り、同じことを述べた人はいない",
    ),
    ("{model} named it, with a quote from the session", "{model} がセッションの引用とともに挙げた"),
    ("an agent stated it as a cause or decision", "エージェントが原因または決定として述べた"),
    ("an agent stated it as a cause or decision after a failed call", "失敗した呼び出しの後にエージェントが原因または決定として述べた"),
    ("edits after which a call that had failed worked", "失敗していた呼び出しを成功させた編集"),
    ("an agent ended a turn with it", "エージェントの最後の回答"),
    ("never shown to an agent so far", "まだエージェントに示されていない"),
    ("shown {n} times, last on {day}; used {m} times", "{n} 回提示（最後は {day}）、使用 {m} 回"),
    ("marked helpful by a person on {day}", "{day} に人が「役に立った」と評価"),
    ("marked wrong by a person on {day}", "{day} に人が「誤り」と評価"),
    ("marked helpful by an agent on {day}", "{day} にエージェントが「役に立った」と評価"),
    ("marked wrong by an agent on {day}", "{day} にエージェントが「誤り」と評価"),
    ("`{call}` fails here ({n} sessions): use `{remedy}`", "`{call}` はここでは失敗（{n} セッション）：`{remedy}` を使う"),
    ("`{call}` fails here ({n} sessions): run `{remedy}` first", "`{call}` はここでは失敗（{n} セッション）：先に `{remedy}`"),
    ("`{call}` failed: {error}; worked with `{remedy}`", "`{call}` が失敗：{error}（`{remedy}` で成功）"),
    ("`{call}` failed: {error}", "`{call}` が失敗：{error}"),
    ("asked: {text}", "依頼：{text}"),
    ("the same task", "同じ作業"),
    ("the same error", "同じエラー"),
    ("what a person asked for", "人が求めたこと"),
    ("a failure of the last day", "この 1 日の失敗"),
    ("the same call, which succeeded before", "以前に成功した同じ呼び出し"),
    ("its weight among the memories of this project", "このプロジェクトの記憶の中での重み"),
    ("being recent", "新しさ"),
    ("work of the same agent role", "同じ役割のエージェントの作業"),
    ("having been of use before", "以前に役立った"),
    ("it is of the days before this session", "このセッションより前の日のもの"),
)
_ALERTS: dict[str, tuple[str, str]] = {
    "storage_high": (
        "active/ は {value:.1f} MB です。{limit:.1f} MB を超えると上限に近くなります",
        "「memorybank rotate --dry-run」で候補を確認できます。上限は config/rotation_config.json の max_directory_size_mb です",
    ),
    "index_failing": (
        "直近 {value:.0f} 回の索引処理が失敗しました",
        "「memorybank index」の出力を確認してください。「memorybank rebuild」は派生ファイルをすべて作り直します",
    ),
    "search_slow": (
        "検索は平均 {value:.0f} ms で、{limit:.0f} ms を超えています",
        "「memorybank index --optimize」で索引を圧縮し、「memorybank watch」で検索の前に変更を取り込めます。"
        "上限は config/index_config.json の monitoring.search_mean_ms です",
    ),
    "index_mismatch": (
        "すべて確認しても、索引とノートが {value:.0f} か所で食い違っています",
        "「memorybank index --check」で箇所を確認し、「memorybank rebuild」で索引を作り直せます",
    ),
}
"""Id of an alert: (message, next step)."""
_NAMES: dict[str, str] = {
    "manual": "すべての規則",
    "forget": "人の指示",
    "forgotten": "人の指示",
    "size_based": "サイズ",
    "time_based": "経過日数",
    "importance_based": "重要度",
    "size": "サイズ",
    "directory_size": "全体のサイズ",
    "low": "低い重要度",
    "medium": "中程度の重要度",
    "grace": "新しいバンクの猶予",
    "preserve": "保持",
    "keep": "そのまま",
    "content.substance": "内容：要点の密度",
    "content.length": "内容：長さ",
    "content.structure": "内容：構造",
    "content.keyword": "内容：キーワード",
    "content.uniqueness": "内容：独自性",
    "content.confirmed": "内容：裏づけ",
    "temporal.decay": "時間：新しさ",
    "temporal.edit_frequency": "時間：編集頻度",
    "temporal.edited_today": "時間：当日の編集",
    "temporal.cap": "時間：上限",
    "access": "利用",
    "access.estimate": "利用：推定",
    "access.use": "利用：実績",
    "access.cap": "利用：上限",
    "relationship.estimate": "関係：推定",
    "relationship.internal": "関係：リンク",
    "relationship.external": "関係：外部リンク",
    "relationship.backlinks": "関係：被リンク",
    "relationship.cap": "関係：上限",
    "user": "人の評価",
    "clamp": "上限",
    "day": "1日",
    "brief": "短い日",
    "supplement": "追記",
    "week": "1週間",
    "error": "エラー",
    "extractive": "抜粋",
    "settings": "設定",
    "policy": "ポリシー",
    "note": "ノート",
    "episode": "エピソード",
    "topic": "トピック",
    "in force": "有効",
    "superseded": "置き換え済み",
    "rejected": "却下",
    "problem": "問題と対処",
    "rule": "ルール",
    "finding": "わかったこと",
    "files": "関連ファイル",
    "together": "一緒に扱うもの",
    "session": "セッション",
}
"""Names that have their own place on the page: rules of rotation, parts of an importance, kinds of episodes and of memories."""


def translated(language: str, text: str) -> str:
    """Return a sentence of the bank in the language of the page.

    Several sentences separated by commas are translated if all of them are known. An unknown sentence stays as it is.
    """
    return text if language != "ja" else _japanese(text)


def alert_text(language: str, alert: Alert) -> tuple[str, str]:
    """Return (message, next step) of an alert in the language of the page."""
    if language != "ja":
        return alert.message, alert.next_step
    message, next_step = _ALERTS[alert.id]
    return message.format(value=alert.value, limit=alert.limit), next_step


def translated_name(language: str, name: str) -> str:
    """Return the name of a rule, kind or part in the language of the page."""
    return text_of if language == "ja" and (text_of := _NAMES.get(name)) else name


def because(language: str, found: Sequence[str]) -> str:
    """Return what earned a memory its place: words of the question, which stay as they are, and sentences of the bank."""
    return ("、" if language == "ja" else ", ").join(translated(language, each) if " " in each else each for each in found)


@lru_cache(maxsize=4096)
def _japanese(text: str) -> str:
    found = _one(text)
    if found is None:
        parts = [_one(part) for part in text.split(", ")]
        known = [part for part in parts if part is not None]
        found = "、".join(known) if len(known) == len(parts) else text
    return found


def _one(text: str) -> str | None:
    for form, japanese in _forms():
        if match := form.fullmatch(text):
            return japanese.format(**match.groupdict())
    return None


@lru_cache(maxsize=1)
def _forms() -> list[tuple[re.Pattern[str], str]]:
    return [(_form(english), japanese) for english, japanese in _SENTENCES]


def _form(english: str) -> re.Pattern[str]:
    """Return the pattern of an English form. `{n}`, or any single letter, matches a number; other names match anything; `(s)` an optional s."""
    parts = re.split(r"(\{\w+\}|\(s\))", english)
    return re.compile("".join("s?" if part == "(s)" else _place(part[1:-1]) if part.startswith("{") else re.escape(part) for part in parts))


def _place(name: str) -> str:
    return f"(?P<{name}>{_NUMBER if len(name) == 1 else '.+'})"
