"""A bank with a life behind it, for pictures and clicks: notes in two languages, an archive, sessions, episodes, learned policy, days that are due."""

import gc
import json

from memorybank.clock import DAY, day_of

FOLDERS = ("planning", "implementation", "sync", "shared")
NOTES = {
    "planning/roadmap.md": (
        "Roadmap of the ferry service",
        "planning",
        "Tickets first, then the harbour map.\n\n- see [uploads](../implementation/uploads.md)\n- and [[glossary]]",
    ),
    "planning/航路計画.md": ("航路計画", "planning", "冬の航路は風で決める。\n\n- [用語集](../shared/用語集.md) を参照\n- TODO 霧の日の運航基準を決める"),
    "implementation/uploads.md": (
        "Uploads retry three times",
        "uploads",
        "## Why\n\nThe staging proxy cuts connections after 30 s.\n\n```python\nfor attempt in range(3):\n    upload(part)\n```\n\n"
        "| part | limit |\n|---|---|\n| photo | 8 MB |\n| log | 64 MB |\n\nThe loop is in `uploads.py`. NOTE never retry a `409`. See [the proxy](proxy.md) and https://example.org/.",
    ),
    "implementation/proxy.md": (
        "The staging proxy",
        "staging",
        "It resets every Monday. Uploads in flight are cut; see uploads.md.\n\nWARNING it answers 200 for what it dropped.",
    ),
    "implementation/検索の索引.md": ("検索の索引", "search", "日本語は二文字ずつ索引する。再送の上限は三回。\n\n詳細は [uploads](uploads.md)。"),
    "sync/handover.md": ("Handover of Friday", "sync", "Anna takes the harbour map. Open: the tide table is read twice."),
    "shared/glossary.md": ("Glossary", "shared", "- **berth**: a place for a ship\n- **manifest**: what it carries"),
    "shared/用語集.md": ("用語集", "shared", "- **桟橋**：船をつける場所\n- **積荷目録**：運ぶものの一覧"),
    "shared/decisions.md": ("Decisions", "shared", "1. Dates are UTC.\n2. No daemon.\n3. [Uploads](../implementation/uploads.md) retry three times."),
}


def build(scratch, clock) -> None:
    """Write everything as it would have come to be, up to the clock's now."""
    from memorybank import Bank
    from memorybank.cycle.fold import cache

    now = clock.now()
    for at, (key, (title, tag, text)) in enumerate(NOTES.items()):
        scratch.write(key, f"---\ntitle: {title}\ntags: [{tag}]\n---\n# {title}\n\n{text}\n", at=now - at * 4 * DAY)
    for number in range(16):
        words = f"Notes of trial {number}: the engine ran {number + 2} hours.\n" if number % 3 else f"試運転{number}の記録：機関は{number + 2}時間動いた。\n"
        scratch.write(f"sync/trial-{number:02}.md", f"# Trial {number}\n\n{words}", at=now - (70 + number * 20) * DAY)
    scratch.write("sync/old-plan.md", "# The old plan\n\nA ferry twice a day.\n", at=now - 400 * DAY)
    scratch.configure("episodes", json.dumps({"timezone": "UTC", "chat_logs": ["chat"]}))
    bank = Bank.open(str(scratch.root), clock=clock)
    clock.instant = now - 20 * DAY
    first = bank.rotation.plan()
    bank.rotation.execute(_only(first, "sync/trial-", 4), yes=True)
    _chat(scratch, now, range(20, 8, -1))
    clock.instant = now - 8 * DAY
    bank.episodes.update()
    bank.policy.set("min_match", "0.3", "too chatty")
    clock.instant = now - 2 * DAY
    bank.policy.set("top_k", "4", "two more fit")
    _session(scratch, clock)
    clock.instant = now
    _chat(scratch, now, range(20, 0, -1))
    bank.index.update()
    cache.close()  # what a hook leaves open ends with its process
    gc.collect()


def _only(plan, prefix, count):
    kept = [each for each in plan.leaving if each.key.startswith(prefix)][:count]
    assert len(kept) == count
    return plan.with_changes(decisions=(*kept, *(each for each in plan.decisions if each.action != "archive")))


def _chat(scratch, now: int, days) -> None:
    folder = scratch.repository / "chat"
    folder.mkdir(exist_ok=True)
    said = []
    for back in days:
        day = day_of(now - back * DAY)
        said.append(
            f"## USER:\nThe tide table of {day} is wrong: berth {back} is dry at noon. Fix tide.py so that it reads the table once.\n\n{day} (Mon) 09:00:00\n"
        )
        said.append(f"## AGENT:\n潮汐表を一度だけ読むように tide.py を直しました。桟橋{back}の満潮は正午です。テストは通りました。\n\n{day} (Mon) 09:20:00\n")
        said.append(f"## USER:\nGood. Next is the manifest of ship {back}: it lists cargo twice.\n\n{day} (Mon) 10:00:00\n")
    (folder / "log.txt").write_text("\n".join(said), encoding="utf-8")


def _session(scratch, clock) -> None:
    """One session of an agent, as its hooks report it."""
    from memorybank.cycle.base import describe
    from memorybank.cycle.router import HookRouter
    from memorybank.hosts.detect import detect

    folder = str(scratch.repository)
    common = {"session_id": "5d2f0c1e-ferry", "cwd": folder, "transcript_path": "/nowhere.jsonl", "permission_mode": "default"}
    edit = {"tool_name": "Edit", "tool_input": {"file_path": f"{folder}/uploads.py", "old_string": "a", "new_string": "b"}, "tool_use_id": "t1"}
    for payload in (
        {"hook_event_name": "SessionStart", "source": "startup"},
        {"hook_event_name": "UserPromptSubmit", "prompt": "How often do uploads retry behind the staging proxy?"},
        {"hook_event_name": "PreToolUse", **edit},
        {"hook_event_name": "PostToolUse", **edit, "tool_response": {"filePath": "uploads.py"}},
        {"hook_event_name": "Stop", "last_assistant_message": "Uploads retry three times, because the staging proxy cuts them.", "stop_hook_active": False},
        {"hook_event_name": "UserPromptSubmit", "prompt": "再送の上限は何回ですか。検索の索引も確認して。"},
        {"hook_event_name": "Stop", "last_assistant_message": "Done.", "stop_hook_active": False},
        {"hook_event_name": "SessionEnd", "reason": "other"},
    ):
        clock.instant += 60_000
        environ = {"CLAUDECODE": "1"}
        dialect = detect({**common, **payload}, environ, None)
        router = HookRouter(describe(scratch.layout, clock), dialect.delivers)
        event = dialect.to_event({**common, **payload}, environ, None)
        router.answer(event)
        router.finish(event)
