"""Plain chat logs: headers outside fences, a message's own time stamp, archives, duplicates, encodings."""

import pytest

from memorybank.episodes import chat
from memorybank.episodes.chat import ChatLog
from memorybank.episodes.dates import LocalCalendar

TOKYO = LocalCalendar("Asia/Tokyo")
LOG = """何かの前書き
## USER:田中
明日の会議の資料をまとめて。2025-10-01 の件も。

2025-10-20 (Mon) 12:34:56
## AGENT:ルシアン
【Thoughts】ここは考え。
2025-01-01 (Wed) 00:00:00
【/Thoughts】
まとめました。
```
## USER: これは見出しではない
```

2025-10-20 (Mon) 12:35:30 | gemini-2.5-flash
## SYSTEM:
通知
## USER:田中
<thinking>hidden</thinking>ありがとう

2025-10-21 (Tue) 00:00:01
"""


def folder(tmp_path, **files):
    (tmp_path / "log_archives").mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = tmp_path / "log.txt" if name == "log" else tmp_path / "log_archives" / f"{name}.txt"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return ChatLog(str(tmp_path), "room", TOKYO, lambda text: text)


def test_messages_have_a_role_a_name_a_text_and_their_own_stamp():
    found = chat.parse(LOG, TOKYO)
    assert [(message.role, message.name) for message in found] == [("user", "田中"), ("agent", "ルシアン"), ("system", ""), ("user", "田中")]
    assert found[0].text == "明日の会議の資料をまとめて。2025-10-01 の件も。" and TOKYO.stamp(found[0].at) == "2025-10-20T12:34:56+09:00"
    assert found[1].text == "まとめました。\n```\n## USER: これは見出しではない\n```"
    assert found[2].at is None and found[3].text == "ありがとう"


def test_days_are_those_of_the_zone_and_an_unstamped_message_belongs_to_the_next_one(tmp_path):
    log = folder(tmp_path, log=LOG)
    assert sorted(log.digests()) == ["2025-10-20", "2025-10-21"]
    assert [message.role for message in log.read("2025-10-21").messages] == ["system", "user"]
    told = log.material(log.read("2025-10-20").messages)
    assert told.language == "ja" and [what.who for _, what in told.items] == ["田中", "ルシアン"]


def test_what_stands_in_the_log_and_in_an_archive_counts_once(tmp_path):
    alone = folder(tmp_path / "a", log=LOG).digests()
    assert folder(tmp_path / "b", log=LOG[LOG.index("## AGENT") :], **{"2025-10": LOG.encode("cp932")}).digests() == alone


def test_a_log_in_cp932_is_read(tmp_path):
    assert "会議" in folder(tmp_path, log=LOG.encode("cp932")).read("2025-10-20").messages[0].text


@pytest.mark.parametrize(
    ("turns", "oldest"),
    [(None, "2025-10-20T12:34:56+09:00"), (1, "2025-10-21T00:00:01+09:00"), (2, "2025-10-20T12:34:56+09:00"), (9, "2025-10-20T12:34:56+09:00"), (0, "now")],
)
def test_the_boundary_is_the_oldest_stamp_of_the_turns_that_are_sent(turns, oldest):
    """A date within a text or a thought has no effect."""
    now = TOKYO.instant("2025-10-22T09:00:00")
    found = chat.boundary(chat.parse(LOG, TOKYO), now, turns)
    assert ("now" if found == now else TOKYO.stamp(found)) == oldest


def test_a_log_without_a_stamp_or_from_the_future_begins_now():
    assert chat.boundary(chat.parse("## USER:\nhello 2020-01-01\n", TOKYO), 5) == 5
    assert chat.boundary(chat.parse("## USER:\nhello\n2999-01-01 (Tue) 00:00:00\n", TOKYO), 5) == 5


def test_secrets_are_taken_out_before_anything_is_made_of_them(tmp_path):
    log = ChatLog(folder(tmp_path, log=LOG).folder, "room", TOKYO, lambda text: text.replace("会議", "[REDACTED]"))
    assert "会議" not in str([what.text for _, what in log.material(log.read("2025-10-20").messages).items])


def test_links_are_no_logs(tmp_path):
    (tmp_path / "elsewhere.txt").write_text(LOG, encoding="utf-8")
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "log.txt").symlink_to(tmp_path / "elsewhere.txt")
    assert ChatLog(str(tmp_path / "room"), "room", TOKYO, str).digests() == {}
