"""Claude Code is shown what is still true: the mark of a file that moved, and of two decisions about one subject only the later one."""

import subprocess

from .conftest import shown
from .test_claude_code import HOST

UPLOADS = "how often are uploads retried"
QUEUE = "which database keeps the queue of brewing orders"
DEPLOY = "デプロイは何曜日に行いますか"
DAY = "2026-0{}-{:02}T10:00:00Z"


def commit(project, month: int, day: int, **notes: str) -> None:
    """Write notes and commit everything as on a day of 2026."""
    for name, text in notes.items():
        project.note(f"planning/{name.replace('_', '-')}.md", text)
    date = DAY.format(month, day)
    environment = {**project.environment(), "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    for command in (("init", "-q", "-b", "main"), ("add", "-A", "."), ("-c", "user.name=Mo", "-c", "user.email=mo@example.org", "commit", "-qm", "day")):
        subprocess.run(["git", *command], cwd=project.project, env=environment, check=True, capture_output=True)


def test_the_mark_of_a_moved_file_is_right_behind_the_statement(play):
    """The file is renamed after the note was written and indexed; the next session is shown the note about it."""
    project = play(HOST, {UPLOADS: ["three times"]})
    (project.project / "src").mkdir()
    (project.project / "src/upload.py").write_text("\n".join(f"line {number}" for number in range(40)))
    commit(project, 1, 10, uploads="# Uploads\n\nUploads are retried three times in `src/upload.py`. Then they fail.\n")
    project.memorybank("index")
    (project.project / "src/upload.py").rename(project.project / "src/transfer.py")
    commit(project, 3, 2)
    project.memorybank("status")  # any command; without one, a session looks it up at its end
    assert project.prompt(UPLOADS).status == 0
    (request,) = project.model.asked(UPLOADS)
    head = subprocess.run(["git", "rev-parse", "--short=7", "HEAD"], cwd=project.project, check=True, capture_output=True, text=True).stdout.strip()
    mark = f"(src/upload.py was renamed to src/transfer.py in {head})"
    assert f"Uploads are retried three times in `src/upload.py`. {mark} Then they fail." in shown(request)


def test_only_the_decision_in_force_is_shown(play):
    project = play(HOST, {QUEUE: ["PostgreSQL"], DEPLOY: ["月曜"]})
    commit(project, 1, 10, queue="# Queue\n\nWe use Redis for the queue of brewing orders.\n", deploy="# デプロイ\n\nデプロイは金曜に行う。\n")
    later = "# Queue on PostgreSQL\n\nThe queue of brewing orders moved from Redis to PostgreSQL.\n"
    commit(project, 3, 2, queue_2=later, deploy_2="# デプロイの曜日\n\nデプロイは月曜だけ。\n")
    project.memorybank("index")
    assert project.prompt(QUEUE).status == 0
    (request,) = project.model.asked(QUEUE)
    assert "The queue of brewing orders moved from Redis to PostgreSQL." in shown(request)
    assert "We use Redis" not in shown(request)
    assert project.prompt(DEPLOY).status == 0
    (request,) = project.model.asked(DEPLOY)
    assert "デプロイは月曜だけ" in shown(request)
    assert "金曜に行う" not in shown(request)


def test_an_earlier_note_keeps_its_other_statements_with_the_mark(play):
    asked = "where do the workers of the brewing queue write their heartbeat"
    project = play(HOST, {asked: ["to workers.log"]})
    both = "# Brewing queue\n\nNOTE-OLD: we use Redis for the brewing queue. NOTE-HEART: its workers write their heartbeat to `workers.log`.\n"
    commit(project, 1, 10, queue=both)
    commit(project, 3, 2, queue_2="# Storage\n\nThe brewing queue moved from Redis to PostgreSQL.\n")
    project.memorybank("index")
    assert project.prompt(asked).status == 0
    request = project.model.asked(asked)[0]
    assert "NOTE-OLD: we use Redis for the brewing queue. (superseded by planning/queue-2.md, 2026-03-02) NOTE-HEART" in shown(request)
