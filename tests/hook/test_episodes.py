"""Episodes at the start of a session, through the process that a host starts: told once, within their share, and as `memorybank recall` shows."""

import json
import time
from pathlib import Path

import pytest

from memorybank.clock import DAY, day_of
from memorybank.episodes import entry, list_file

pytestmark = pytest.mark.slow


@pytest.fixture
def today():
    """Now (ms); a test that would run over midnight waits for nobody: it takes the day as it finds it."""
    return time.time_ns() // 1_000_000


def days(today, count, text, source="events/colleague"):
    dates = [day_of(today - ago * DAY) for ago in range(count, 0, -1)]
    return [entry.made(date, text.format(date=date), "x", kind="day", by="extractive", covers=[(date, source, "d")]) for date in dates]


def write(host, entries):
    path = Path(list_file.path_of(host.bank.layout))
    path.parent.mkdir(exist_ok=True)
    path.write_text(entry.file_text(entries), encoding="utf-8")


@pytest.mark.parametrize(
    "text", ["Wanted: uploads that retry. Result on {date}: three times, with jitter.", "目的: 再送の改善。{date} の結果: 三回まで再送する。"]
)
def test_a_session_starts_with_the_days_before_it_as_recall_shows_them(host, today, text):
    write(host, days(today, 40, text))
    shown = host.command("recall", "--explain")
    said = host.said("SessionStart", source="startup")
    assert said and said == shown.partition("\n\nmoment: ")[0].rstrip("\n")
    told = [line for line in said.splitlines() if line.startswith("[2")]
    assert [line[1:11] for line in told] == [day_of(today - ago * DAY) for ago in range(7, 0, -1)], "oldest first, within the lookback of a week"
    assert "## Episodic memory" in said and "may be stale" in said
    assert f"episode:{day_of(today - DAY)}" in shown.partition("moment: ")[2]


def test_the_share_is_kept_and_what_is_left_out_is_named(host, today):
    write(host, days(today, 40, "{date}: " + "長い一日だった。" * 60))
    host.bank.configure("cycle", json.dumps({"memory": {}, "budgets": {"episodes": 900}}))
    said = host.said("SessionStart", source="startup")
    section = said[said.index("## Episodic memory") : said.index("</memorybank-memory>")]
    assert len(section.encode("utf-16-le")) // 2 <= 900
    assert day_of(today - DAY) in section and "memorybank episodes show DATE" in section


@pytest.mark.parametrize(("file", "values"), [("cycle", {"memory": {}, "budgets": {"episodes": 0}}), ("episodes", {"lookback": "0"}), ("episodes", [])])
def test_it_can_be_switched_off(host, today, file, values):
    """A file that nobody can understand may have said so too."""
    write(host, days(today, 3, "{date}: it was switched off"))
    host.bank.configure(file, json.dumps(values))
    assert "switched off" not in host.said("SessionStart", source="startup")


def test_each_conversation_is_told_once_and_a_compacted_one_again(host, today, lines):
    write(host, days(today, 3, "{date}: told once"))
    first = host.said("SessionStart", source="startup")
    assert first.count("told once") == 3
    exposed = [exposure for line in lines() if line["event"] == "exposure" for exposure in line["exposures"]]
    assert [exposure["memory"] for exposure in exposed if exposure["shown"]] == [f"episode:{day_of(today - ago * DAY)}" for ago in (3, 2, 1)]
    assert all(exposure["tokens"] > 0 and exposure["anchors"] == [] for exposure in exposed) and "told once" not in str(exposed)
    assert "told once" not in host.said("SessionStart", source="resume")
    assert host.said("SessionStart", source="compact").count("told once") == 3


def test_a_sub_agent_and_a_prompt_are_not_given_the_days(host, today):
    write(host, days(today, 3, "{date}: for the start alone"))
    assert "for the start alone" not in host.said("SubagentStart", agent_id="a1", agent_type="reviewer")
    assert "## Episodic memory" not in host.said("UserPromptSubmit", prompt="what is for the start alone?", prompt_id="p1")


def work(host, session, prompt, answer, file):
    """A session that changes something, as a host reports it."""
    host.session = session
    host.fire(host.payload("SessionStart", source="startup"))
    host.fire(host.payload("UserPromptSubmit", prompt=prompt, prompt_id="p1"))
    host.fire(host.tool(1, "Edit", file_path=str(host.project / file), old_string="slow", new_string="fast"))
    host.fire(host.payload("Stop", last_assistant_message=answer, stop_hook_active=False))


def test_what_no_episode_tells_yet_is_told_in_a_few_words_each_once(host):
    """Finished sessions of today and one that goes on by their gists; none of them again below."""
    work(host, "first-0000", "Make the parser faster with a table", "The parser uses a table now and takes half the time.", "src/parser.py")
    host.fire(host.payload("SessionEnd", reason="other"))
    work(host, "goes-on-000", "検索の順位を直してください", "頻度の低い語を重く数えるようにしました。", "src/検索.py")
    work(host, "last-00000", "Document the release calendar", "Releases are every second Monday, except in August.", "docs/calendar.md")
    host.fire(host.payload("SessionEnd", reason="other"))
    host.session = "now"
    said = host.said("SessionStart", source="startup")
    earlier, _, _ = said.partition("## Known here")
    assert ", first-00] “Make the parser faster with a table” → The parser uses a table now and takes half the time." in earlier
    assert ", goes-on-] 「検索の順位を直してください」 → 頻度の低い語を重く数えるようにしました。" in earlier
    assert ", last-000] “Document the release calendar” → Releases are every second Monday, except in August." in earlier
    for text in ("Make the parser faster", "takes half the time", "検索の順位を直して", "Document the release calendar"):
        assert said.count(text) == 1, text


def test_what_not_everybody_may_see_is_told_to_nobody(host):
    host.bank.configure("cycle", json.dumps({"memory": {}, "privacy_rules": ["vault/**"]}))
    work(host, "first-0000", "Ordinary work", "Ordinary answer.", "src/a.py")
    host.session = "private-00"
    host.fire(host.tool(1, "Edit", file_path=str(host.project / "vault" / "canary-7.txt"), old_string="canary-8", new_string="canary-9"))
    host.fire(host.payload("SessionEnd", reason="other"))
    host.session = "now"
    said = host.said("SessionStart", source="startup")
    assert "Ordinary work" in said and "canary" not in said


def test_after_a_hosts_compact_the_beginning_of_the_session_is_told(host):
    """Its raw log is gone; what came before it in the same session is no memory of another one."""
    work(host, "long-00000", "Make the parser of date ranges faster", "The table is in place.", "src/parser.py")
    host.fire(host.payload("UserPromptSubmit", prompt="Now cover the parser with fuzz tests", prompt_id="p2"))
    said = host.said("SessionStart", source="compact")
    assert "Make the parser of date ranges faster" in said and "Cover the parser with fuzz tests" in said
    assert "Cover the parser" not in host.said("SessionStart", source="resume"), "told already"


def test_an_episode_speaks_for_the_sessions_it_covers(host, today):
    """One session by one voice: its episode's where one is told, else what came of it."""
    work(host, "last-00000", "Document the release calendar", "Releases are every second Monday, except in August.", "docs/calendar.md")
    host.fire(host.payload("SessionEnd", reason="other"))
    age(host, "last-00000")
    yesterday = day_of(today - DAY)
    host.session = "before"
    assert "every second Monday" in host.said("SessionStart", source="startup")
    alone = [entry.made(yesterday, "Alone: the calendar.", "x", kind="day", by="extractive", covers=[(yesterday, "events/last-00000", "d")])]
    write(host, alone)
    host.session = "now"
    said = host.said("SessionStart", source="startup")
    assert "Alone: the calendar." in said and "The calendar is documented" not in said
    both = [(yesterday, "events/last-00000", "d"), (yesterday, "events/colleague", "e")]
    write(host, [entry.made(yesterday, "Both: the calendar and more.", "x", kind="day", by="extractive", covers=both)])
    host.session = "later"
    said = host.said("SessionStart", source="startup")
    assert "Both: the calendar and more." in said and "The calendar is documented" not in said


def age(host, *sessions):
    """Let finished sessions have been yesterday's: their logs and what says that they are finished, then fold anew."""
    from datetime import UTC, datetime, timedelta

    from memorybank.clock import Clock
    from memorybank.log import events, lines, organize

    def earlier(text):
        moment = datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(UTC) - timedelta(days=1)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    logs = [(Path(events.path_of(host.bank.layout, session)), "timestamp") for session in sessions]
    for path, name in (*logs, (Path(organize.path(host.bank.layout)), "at")):
        found = [line.fields for line in lines.read(str(path))]
        path.unlink()
        moved = [{**{key: value for key, value in fields.items() if key != "crc"}, name: earlier(fields[name])} for fields in found]
        lines.append(str(path), moved, clock=Clock())
    for path in (host.bank.root / "cache").glob("cycle.sqlite3*"):
        path.unlink()


def test_a_list_that_cannot_be_read_tells_nothing_and_harms_nobody(host):
    path = Path(list_file.path_of(host.bank.layout))
    path.parent.mkdir()
    for data in (b"[broken", b"\xff\xfe", b"{}", b"null", b"[1, [], {}]", b'[\n  {\n    "date": "9"\n  },\n  {\n  }\n]\n'):
        path.write_bytes(data)
        host.said("SessionStart", source="startup")
        assert path.read_bytes() == data
    assert not (host.bank.root / "log" / "hook_errors.jsonl").exists()


def test_an_unknown_zone_or_lookback_is_told_by_its_default(host, today):
    write(host, days(today, 2, "{date}: told"))
    host.bank.configure("episodes", json.dumps({"timezone": "Nowhere/Land", "lookback": "soon", "unknown": 1}))
    assert host.said("SessionStart", source="startup").count(": told") == 2


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "Pacific/Kiritimati"])
def test_the_boundary_is_the_day_of_the_banks_zone_whatever_zone_the_machine_has(host, today, zone):
    from datetime import datetime
    from zoneinfo import ZoneInfo

    host.bank.configure("episodes", json.dumps({"timezone": zone}))
    local = datetime.fromtimestamp(today / 1000, ZoneInfo(zone)).date().isoformat()
    write(host, days(today + 2 * DAY, 9, "{date}: told"))
    for machine in (zone, "UTC"):
        host.session = f"on-{machine.replace('/', '-')}"
        done = host.fire(host.payload("SessionStart", source="startup"), TZ=machine)
        told = [line[1:11] for line in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"].splitlines() if line.startswith("[2")]
        assert told and max(told) < local and day_of(today - 3 * DAY) in told


def test_the_day_of_a_session_is_told_at_the_first_turn_of_the_next_and_stands_at_the_start_after_it(host, today):
    """Without a command, offline, after the answer was out; the list is committed with the bank. (The deadlines are those of a busy machine.)"""
    host.bank.configure("cycle", json.dumps({"memory": {}, "deadlines_ms": {"process": 10_000, "outbox_turn_end": 9_000, "outbox_session_start": 290}}))
    work(host, "yesterday-0", "検索を直してください。日本語の単語も見つかるようにしてください。", "日本語の単語も見つかるようになりました。", "src/検索.py")
    work(host, "yesterday-1", "Make the parser faster with a table of ranges", "The parser uses a table now.", "src/parser.py")
    for session in ("yesterday-0", "yesterday-1"):
        host.session = session
        host.fire(host.payload("SessionEnd", reason="other"))
    age(host, "yesterday-0", "yesterday-1")
    path = Path(list_file.path_of(host.bank.layout))
    host.session = "now"
    assert host.said("SessionStart", source="startup").count("日本語の単語も見つかるようになりました") == 1
    assert not path.exists(), "a start does not wait for it"
    host.fire(host.payload("Stop", last_assistant_message="Hello.", stop_hook_active=False))
    (told,) = json.loads(path.read_text(encoding="utf-8"))
    assert told["date"] == day_of(today - DAY) and {cover["source"] for cover in told["covers"]} == {"events/yesterday-0", "events/yesterday-1"}
    assert not (host.bank.root / "log" / "hook_errors.jsonl").exists()
    before = path.read_bytes()
    for event in ("Stop", "SessionEnd"):
        host.fire(host.payload(event, last_assistant_message="Hello.", reason="other"))
    assert path.read_bytes() == before
    host.session = "later"
    said = host.said("SessionStart", source="startup")
    assert f"[{told['date']}]\n{told['summary'].splitlines()[0]}" in said and "日本語の単語も見つかるようになりました" in said and "## Last session" not in said
