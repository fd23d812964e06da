"""What recall weighs, in words: the values in force, who set them, what each version changed, and going back to one."""

from typing import Any

from memorybank.bank.policy import Policies, changes
from memorybank.cycle.policy import PolicyRecord
from memorybank.errors import UsageError
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site

PATH = "/settings"
SIZE = 2


def show(site: Site, request: PageRequest) -> Answer:
    policies = site.open().policy
    records, refused = policies.history()
    page = request.page_of(SIZE)
    state = policies.state()
    groups: dict[str, list[Any]] = {}
    for setting in state.settings:
        groups.setdefault(setting.key.rpartition(".")[0], []).append(setting)
    history = _with_changes(policies, records)
    values = {
        "state": state,
        "groups": groups,
        "history": page.part(history),
        "latest": state.record.version,
        "pager": page.of(len(history)),
        "refused": refused,
        "suppressed": policies.suppressed(),
    }
    return RenderedPage("settings.html", values)


def rollback(site: Site, request: PageRequest) -> Answer:
    version = request.text("version")
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise UsageError(f"{version[:40]!r} is not a version", next_step="choose one from the history")
    record = site.open().policy.rollback(int(version), request.text("reason"))
    return Redirect(PATH, "told.rolled_back", str(record.version))


def _with_changes(policies: Policies, records: list[PolicyRecord]) -> list[dict[str, Any]]:
    """Return the records, newest first, each with its changes from the one before. The first one is compared with the settings."""
    before = [policies.version(0), *records][: len(records)]
    return [{"record": record, "changes": changes(earlier, record)} for earlier, record in zip(before, records, strict=True)][::-1]
