"""Learning never removes a right answer. What a person wrote is shown every time the question comes, however it is answered and after any amount of other
work, also under a policy of an earlier version that excludes whole folders.
"""

import pytest

from memorybank.config.cycle import CycleSettings
from memorybank.cycle import policy
from memorybank.cycle.base import describe
from memorybank.cycle.finish import macro
from memorybank.cycle.fold import cache, logs
from memorybank.log import policy as policy_log
from tests.conftest import DAY
from tests.cycle.recalling import Remembering, before, prompt, start

pytestmark = pytest.mark.slow

KEY = "planning/deploy-window.md"
NOTE = "# Deploy window\n\nDeploys to production are allowed on Tuesday and Thursday between 10:00 and 15:00, see ops/deploy.yaml.\n"
QUESTION = "when is the deploy window for production?"
FACTS = {
    "staging host": "The staging host is reached through the bastion at bastion.example.org.",
    "invoice numbering": "Invoice numbering restarts each April with the fiscal year.",
    "feature toggles": "Feature toggles live in the table toggles and are cached for a minute.",
    "translation files": "Translation files come from the agency and are never edited by hand.",
    "password hashing": "Password hashing uses argon2id with 64 MB of memory.",
    "avatar images": "Avatar images are stored in the bucket avatars-eu in three sizes.",
    "payment webhook": "The payment webhook retries for three days before it gives up.",
    "time zones": "Time zones are stored as IANA names, never as offsets.",
    "schema migrations": "Schema migrations run in a job of their own before the rollout.",
    "crash reports": "Crash reports go to the mobile team's board, not to support.",
    "請求書の番号": "請求書の番号は毎年四月に一から始まる。",
    "検証環境": "検証環境のデータベースは毎晩作り直される。",
}
EARLIER = ("note/-/planning", "note/-/shared", "note@prompt/-", "lesson@tool_before/cmd", "group/bash/-", "note/-/-")
"""What earlier versions kept back: folders, and notes at a moment."""
ENOUGH = 60_000.0


@pytest.fixture(params=[(), EARLIER], ids=["no policy", "a policy of an earlier version"])
def life(request, bank, fixed_clock):
    """A bank with the note and twelve facts, with or without a policy."""
    facts = {f"planning/fact-{number}.md": f"# {name}\n\n{text}\n" for number, (name, text) in enumerate(FACTS.items())}
    found = Life(bank({KEY: NOTE, **facts}), fixed_clock)
    if request.param:
        own = policy.values_of(CycleSettings())
        policy_log.append(found.base.layout, found.base.key(), lambda _: policy.PolicyRecord(own, own, request.param).fields(), found.base.clock)
    return found


class Life(Remembering):
    """Successive sessions, each with its hooks, its end and the learning at its end. The clock advances by a day or less."""

    def __init__(self, scratch, clock):
        super().__init__(scratch, clock)
        self.index()
        self.number = 0

    def begin(self, after=DAY):
        self.clock.instant += after
        self.number += 1
        self.base = describe(self.scratch.layout, self.clock)
        session = self.session(f"{self.number:04x}-session", at=self.clock.now())
        session.line("session_start", source="startup")
        self.ask(start(session.session))
        return session

    def says(self, session, text):
        session.prompt(text)
        return self.ask(prompt(text, session=session.session))

    def end(self, session):
        session.end()
        cache.close()
        connection = cache.writable(self.scratch.layout)
        logs.fold(self.base, connection, wait=True)
        macro.finish(self.base, connection, lambda: ENOUGH)
        cache.close()

    def works(self, topic, *, touching=()):
        """A session about something else. Its calls touch files that notes name, and none of the notes' content is used."""
        session = self.begin(after=DAY // 4)
        self.says(session, f"refactor the {topic} parser and keep its tests green")
        for path in touching:
            self.ask(before("Read", {"file_path": path}, session=session.session))
            session.read(path)
        session.edit(f"src/{topic}.py", "a", "b")
        session.run(f"pytest -q tests/test_{topic}.py", output="12 passed")
        session.turn_end(f"The {topic} parser is split into two functions now, and all tests pass.")
        self.end(session)


def is_shown(injection, memory):
    return injection is not None and memory in injection.sizes


def test_a_note_is_shown_on_each_of_thirty_days_on_which_it_is_asked_for(life, request):
    """Answered in words each time: no call ever touches an anchor of the note."""
    missed = []
    for day in range(30 if request.config.getoption("--all") else 10):
        session = life.begin()
        if not is_shown(life.says(session, QUESTION), f"note:{KEY}"):
            missed.append(day)
        session.turn_end("Tuesday or Thursday, 10:00 to 15:00." if day % 2 else "The answer is in the note.")
        life.end(session)
    assert missed == []


def test_twelve_facts_are_there_after_fifty_sessions_of_other_work(life, request):
    for number in range(50 if request.config.getoption("--all") else 8):
        life.works(f"module{number}")
    missed = []
    for number, name in enumerate(FACTS):
        session = life.begin()
        asked = f"what do we know about {name}?" if name.isascii() else f"{name}はどうなっている？"
        if not is_shown(life.says(session, asked), f"note:planning/fact-{number}.md"):
            missed.append(name)
        life.end(session)
    assert missed == []


def test_work_that_uses_no_note_mutes_none(life, request):
    """The note is shown at a call in every session, since it names the file, and nobody ever acts on it."""
    sessions = 25 if request.config.getoption("--all") else 10
    for number in range(sessions):
        life.works(f"module{number}", touching=["ops/deploy.yaml"])
    told = [exposure for number in range(1, sessions + 1) for line in life.lines(f"{number:04x}-session") for exposure in line["exposures"]]
    assert sum(exposure["shown"] for exposure in told if exposure["memory"] == f"note:{KEY}") == sessions
    session = life.begin()
    assert is_shown(life.says(session, QUESTION), f"note:{KEY}")
    assert is_shown(life.ask(before("Read", {"file_path": "ops/deploy.yaml"}, session="another")), f"note:{KEY}")


def test_the_next_change_of_the_policy_drops_what_is_not_obeyed(life):
    """Read and ignored, and dropped by the first record that learning or a person writes."""
    before_it = policy_log.read(life.base.layout, life.base.key())[0]
    anchors = [f"file:never/{place}.py" for place in range(30)]
    for number in range(7):
        idle = life.begin()
        idle.expose(*(_derived(f"answer:{number}.{place}", anchor) for place, anchor in enumerate(anchors)))
        idle.run("make", output="built")
        life.end(idle)
    records = [policy.of_fields(fields) for fields in policy_log.read(life.base.layout, life.base.key())[0]]
    assert len(records) > len(before_it)
    assert all(one.by == policy.LEARNING for one in records[len(before_it) :])
    assert records[-1].exclusions == ("finding@prompt",)
    assert "finding@prompt is left out" in records[-1].reason
    session = life.begin()
    assert is_shown(life.says(session, QUESTION), f"note:{KEY}")


def _derived(memory, anchor):
    parts = {"importance": 0.2, "recency": 0.1, "role_fit": 0.1, "outcome": 0.05}
    told = {"memory": memory, "kind": "finding", "rank": 1, "score": 0.5, "parts": parts, "match": 0.5, "why": ["cmd:x"], "anchors": [anchor], "tokens": 9}
    return {**told, "shown": True}


def test_a_finding_is_shown_on_each_of_twelve_days_on_which_it_is_asked_for(life):
    """Answered in words of its own and without a call: nothing shows whether it helped."""
    session = life.begin()
    life.says(session, "The nightly stock sync loses its database connection around two in the morning, why?")
    session.turn_end(
        "The nightly stock sync loses its database connection because the server closes connections that idle for 900 seconds; `jobs/stock_sync.py` sets"
        " pool_recycle to 840 now."
    )
    life.end(session)
    missed = []
    for day in range(12):
        session = life.begin()
        injection = life.says(session, "why does the nightly stock sync lose its database connection?")
        if injection is None or "900 seconds" not in injection.text:
            missed.append((day, injection and injection.text))
        session.turn_end("Because of how long it stays open.")
        life.end(session)
    assert missed == []


REPEATED = {
    "the same words": (
        ["What is the timeout of the payment gateway?"],
        "The payment gateway timeout is 45 seconds, because the bank closes idle sessions after 60 seconds.",
        "It is 45 seconds.",
        "60 seconds",
    ),
    "other words": (
        ["Tell me the timeout of the payment gateway", "how long is the payment gateway timeout?", "payment gateway timeout?"],
        "The payment gateway timeout is 45 seconds, because the bank closes idle sessions after 60 seconds.",
        "The payment gateway timeout is 45 seconds, as before.",
        "45 seconds",
    ),
    "an answer without its words": (
        ["Which library renders the invoices as PDF?"],
        "Invoices are rendered by WeasyPrint, because ReportLab cannot embed the Japanese fonts.",
        "WeasyPrint.",
        "WeasyPrint",
    ),
    "Japanese": (
        ["倉庫の在庫はどのテーブルに保存されていますか？", "倉庫の在庫のテーブルを教えてください", "倉庫の在庫を保存しているテーブルは？"],
        "倉庫の在庫は stock_levels テーブルに保存されています。旧システムの inventory テーブルは読み取り専用だからです。",
        "stock_levels テーブルです。",
        "stock_levels",
    ),
}


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", REPEATED)
def test_a_short_question_is_answered_on_each_of_thirty_days(bank, fixed_clock, name, request):
    """Its few words are in more passages each day, and become no less its words."""
    questions, answer, later, said = REPEATED[name]
    life = Life(bank({}), fixed_clock)
    missed = []
    for day in range(31 if request.config.getoption("--all") else 11):
        session = life.begin()
        question = questions[day % len(questions)]
        injection = life.says(session, question)
        if day and (injection is None or said not in injection.text):
            missed.append((day, question))
        session.turn_end(later if day else answer)
        life.end(session)
    assert missed == []
