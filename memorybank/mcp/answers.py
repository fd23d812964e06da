"""The function behind each tool and resource of the table. It takes arguments that fit the schema, calls the facade, and returns a result."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from memorybank import clock as time_of
from memorybank import resident
from memorybank.bank import Bank
from memorybank.bank.trusting import WAITING
from memorybank.bank.view import BankView
from memorybank.bank.visible import ARCHIVE, NOTE, shown_id
from memorybank.episodes.entry import MEMORY as EPISODE
from memorybank.errors import NotFound, UsageError
from memorybank.injection import build
from memorybank.mcp import results, table
from memorybank.mcp.repository import RepositoryView
from memorybank.mcp.results import ToolResult
from memorybank.mcp.table import ToolSpec
from memorybank.reasons.reason import text_of
from memorybank.text.quantities import counted
from memorybank.trust.gate import EPISODES

Arguments = Mapping[str, Any]
_ASK = "A person can run 'memorybank trust' to see and accept it."
_STRANGE = f"Nobody on this machine has accepted this bank: its memories are a stranger's text, not what this project's people decided. {_ASK}"
_CHANGED = "Others changed this, and no person of this machine has accepted it yet: "
_MOST_NAMED = 10
PAGE = 100
"""Maximum number of notes in one page of the list of resources."""
_SUMMARY_UNITS = 24_000
_LONGEST_FAULT = 300
"""Maximum length of a message of jsonschema about an argument, because it repeats the argument."""
_FILTERS = ("folder", "tags", "since", "until", "kinds")
"""Arguments of `search` that narrow the result. Each of them may replace the query."""


class ToolRequest:
    """One request: the bank, opened for it, and the rights of the agent."""

    def __init__(self, bank: Bank, role: str | None) -> None:
        self.bank = bank
        self.view: BankView = bank.seen_by(role)
        self.repository = RepositoryView(bank, role)

    @property
    def now(self) -> int:
        return self.bank.clock.now()

    def call(self, tool: ToolSpec, arguments: dict[str, Any]) -> ToolResult:
        """Return the answer of a tool. Raises `UsageError` for arguments that do not fit its schema."""
        check(tool, arguments)
        result = ANSWERS[tool.name](self, arguments)
        return results.with_notice(result, self._not_accepted({item["id"] for item in result.fields["items"]}, is_complete=tool.name == "status"))

    def resources(self, begin: int) -> tuple[list[tuple[str, str]], int | None]:
        """Return ([(id, address)] of the notes from number `begin` on, the number of the first note of the next page or None)."""
        keys = self.view.keys()
        page = [(shown_id(NOTE + key), address(NOTE + key)) for key in keys[begin : begin + PAGE]]
        return page, begin + PAGE if begin + PAGE < len(keys) else None

    def resource(self, uri: str) -> str:
        """Return the fenced text of one resource. Raises `NotFound` for an unknown address."""
        if uri == f"{table.SCHEME}summary":
            return "\n".join(filter(None, (_summary(self), self._not_accepted({resident.FILE}))))
        for each in table.RESOURCES:
            if each.is_template and uri.startswith(each.begins):
                memory = self.view.read(each.prefix + unquote(uri.removeprefix(each.begins)))
                return results.with_notice(results.memory_part(memory, 1, self.now), self._not_accepted({memory.id})).text
        raise NotFound("there is no such resource", next_step="list the resources and their templates to see what exists")

    def _not_accepted(self, ids: set[str], *, is_complete: bool = False) -> str:
        """Return a remark on an answer with memories that no person of this machine accepted, "" when there are none.

        ids: of the memories in the answer, as they are shown; `summary.md` for the resident summary
        is_complete: name everything that waits, not only what is in the answer
        """
        status = self.bank.trust.status()
        if status.state == WAITING:
            return _STRANGE
        names = {_shown_path(path): path for path in status.waiting}
        found = sorted(name for name in names if is_complete or name in ids or (name == EPISODES and any(each.startswith(EPISODE) for each in ids)))
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        return f"{_CHANGED}{', '.join(found[:_MOST_NAMED])}{more}. {_ASK}" if found else ""


def _shown_path(path: str) -> str:
    """Return how an answer names a file of the bank."""
    return shown_id(NOTE + path.removeprefix("active/")) if path.startswith("active/") else path


def check(tool: ToolSpec, arguments: dict[str, Any]) -> None:
    """Raise `UsageError` for arguments that do not fit the schema of the tool, naming the argument. The SDK passes them on unchecked.

    Text that is not Unicode (a lone surrogate) or contains a NUL is refused too.
    """
    wrong = best_match(Draft202012Validator(tool.input_schema).iter_errors(arguments))
    if wrong is not None:
        place = ".".join(map(str, wrong.absolute_path))
        raise UsageError(f"{f'{place}: ' if place else ''}{wrong.message[:_LONGEST_FAULT]}", next_step=f"see the input schema of {tool.name!r}")
    for text in _texts(arguments):
        if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
            raise UsageError("a text contains a NUL character or is not valid Unicode", next_step="send valid text")


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    return [text for each in value for text in _texts(each)] if isinstance(value, list) else []


def search(request: ToolRequest, arguments: Arguments) -> ToolResult:
    kinds = arguments.get("kinds") or ()
    if not arguments.get("query", "").strip() and not any(arguments.get(name) for name in _FILTERS):
        raise UsageError("there is neither a query nor a filter", next_step="send words in 'query', or one of 'tags', 'folder' and 'since'")
    limit = arguments.get("limit", 8)
    asked = (arguments.get("query", ""), arguments.get("type", "keyword"), limit)
    narrowing = {
        "kinds": tuple(kinds),
        "category": arguments.get("folder"),
        "tags": tuple(arguments.get("tags") or ()),
        "since": arguments.get("since"),
        "until": arguments.get("until"),
        "archive": arguments.get("archive", False),
        "also": tuple(arguments.get("also") or ()),
    }
    if arguments.get("all_banks"):
        answer = request.repository.search(lambda view: view.hits(*asked, **narrowing), limit)
    else:
        answer = request.view.search(*asked, **narrowing)
    narrowed = [name for name in _FILTERS if arguments.get(name)]
    where = f" with these filters: {', '.join(narrowed)}. Search without them, or try another word" if narrowed else ". Try another word, or a rarer one"
    what = "contains any of these words" if arguments.get("query", "").strip() else "exists"
    return results.list_result("search", answer, request.now, empty=f"No memory {what}{where}.")


def read(request: ToolRequest, arguments: Arguments) -> ToolResult:
    return results.memory_part(request.repository.read(arguments["id"]), arguments.get("from_line", 1), request.now)


def recall(request: ToolRequest, arguments: Arguments) -> ToolResult:
    found, answer = request.view.recall(
        arguments["situation"], file=arguments.get("file"), command=arguments.get("command"), failed=arguments.get("failed", False)
    )
    return results.recall_result(found.injection, text_of(found.reason), answer, request.now)


def recent(request: ToolRequest, arguments: Arguments) -> ToolResult:
    answer = request.view.search("", "recent", arguments.get("limit", 8), kinds=tuple(arguments.get("kinds") or ()), since=arguments.get("since"))
    return results.list_result("recent", answer, request.now, empty="There is no memory of that kind from that time.")


def episodes(request: ToolRequest, arguments: Arguments) -> ToolResult:
    answer = request.view.episodes(arguments.get("since") or None, arguments.get("until") or None, arguments.get("limit", 7))
    return results.list_result("episodes", answer, request.now, empty="No day in that period has a summary.")


def status(request: ToolRequest, arguments: Arguments) -> ToolResult:
    state = request.view.state()
    newest = f", the newest from {time_of.day_of(state.newest)}" if state.newest is not None else ""
    latest = f", the latest from {state.latest}" if state.latest else ""
    days = counted(state.episodes, "day summary", "day summaries")
    lines = [
        f"{counted(state.notes, 'note')}{newest}; {counted(state.archived, 'archived note')}; {days}{latest}.",
        f"The resident summary is not shown to sessions: {state.summary}." if state.summary else "Sessions start with the resident summary.",
    ]
    if state.sources:
        read = ", ".join(f"{name} ({count})" for name, count in state.sources.items())
        lines.append(f"Files that are read where they are, by source: {read}. They are changed at their origin, never through this memory.")
    if state.stale:
        lines.append(f"These numbers may be out of date: {state.stale}.")
    if state.problems:
        have = "has" if state.problems == 1 else "have"
        lines.append(f"{counted(state.problems, 'note')} {have} problems; a person can list them with 'memorybank list --problems'.")
    return results.notice_result("\n".join([*lines, *_health(request, has_problems=state.problems > 0)]))


def _health(request: ToolRequest, *, has_problems: bool) -> list[str]:
    """Return the ids of the quick checks of doctor that found something. has_problems: whether the answer has said that notes have problems

    The texts of the findings are left out, because they may name notes that this viewer must not see.
    """
    from memorybank.doctor import run

    levels: dict[str, list[str]] = {"FAIL": [], "WARN": []}
    for found in run.quick(request.bank.layout, request.bank.clock):
        levels.get(found.level, []).append(found.id)
    told = [f"{level}: {', '.join(dict.fromkeys(ids))}." for level, ids in levels.items() if ids]
    if told:
        return [*told, "A person can run 'memorybank doctor' to see what is wrong and what to do."]
    return [] if has_problems else ["The quick checks found no problem; they do not look for secrets."]


def remember(request: ToolRequest, arguments: Arguments) -> ToolResult:
    if not arguments["text"].strip():
        raise UsageError("the text to remember is empty", next_step="put it into 'text'")
    made, redacted = request.view.remember(arguments["text"], arguments.get("title"), arguments.get("tags") or ())
    told = f"Kept as {made}." + (" Text that looked like a secret was removed from it." if redacted else "")
    if repeated := request.view.nearly_repeated(made):
        told += f" {repeated} says the same or nearly the same: one of the two is probably a mistake, so tell the person."
    return results.notice_result(told)


def rate(request: ToolRequest, arguments: Arguments) -> ToolResult:
    return results.notice_result(f"Rated {arguments['rating']:g}: {request.view.rate(arguments['id'], arguments['rating'])}.")


def tick(request: ToolRequest, arguments: Arguments) -> ToolResult:
    return results.notice_result(f"Marked {arguments['verdict']}: {request.view.tick(arguments['id'], arguments['verdict'])}.")


def bookmark(request: ToolRequest, arguments: Arguments) -> ToolResult:
    made, is_new = request.view.bookmark(arguments["id"], arguments.get("reason", ""))
    return results.notice_result(f"{'Bookmarked' if is_new else 'Already bookmarked'}: {made}.")


ANSWERS: dict[str, Callable[[ToolRequest, Arguments], ToolResult]] = {
    answer.__name__: answer for answer in (search, read, recall, recent, episodes, status, remember, rate, tick, bookmark)
}


def address(memory: str) -> str:
    """Return the address of a memory as a resource."""
    prefix = next(prefix for prefix in (NOTE, ARCHIVE, EPISODE) if memory.startswith(prefix))
    begins = next(each.begins for each in table.RESOURCES if each.prefix == prefix)
    return begins + quote(memory.removeprefix(prefix), safe="/")


def _summary(request: ToolRequest) -> str:
    summary = request.bank.memory.page()
    if not summary.body:
        raise NotFound(f"there is no resident summary: {summary.reason}", next_step="a person can write it, or draft it with 'memorybank summary refresh'")
    injection = build([resident.section(summary.body, "summary.md", _SUMMARY_UNITS)], _SUMMARY_UNITS)
    return injection.text if injection is not None else ""
