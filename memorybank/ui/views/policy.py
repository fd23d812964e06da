"""What recall learned: the policy in force, the changes of each version, and the way back."""

from typing import Any

from memorybank.bank.policy import Policies, changes
from memorybank.cycle.policy import PolicyRecord
from memorybank.errors import UsageError
from memorybank.ui.asked import Answer, PageRequest, Redirect, RenderedPage, Site

MOST = 50


def show(site: Site, asked: PageRequest) -> Answer:
    policies = site.open().policy
    records, refused = policies.history()
    values = {"state": policies.state(), "history": _with_changes(policies, records)[:MOST], "count": len(records), "refused": refused}
    return RenderedPage("policy.html", values)


def rollback(site: Site, asked: PageRequest) -> Answer:
    version = asked.text("version")
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise UsageError(f"{version[:40]!r} is not a version", next_step="choose one from the history")
    record = site.open().policy.rollback(int(version), asked.text("reason"))
    return Redirect("/policy", "told.rolled_back", str(record.version))


def _with_changes(policies: Policies, records: list[PolicyRecord]) -> list[dict[str, Any]]:
    """Return the records, newest first, each with its changes from the one before. The first one is compared with the settings."""
    before = [policies.version(0), *records][: len(records)]
    return [{"record": record, "changes": changes(earlier, record)} for earlier, record in zip(before, records, strict=True)][::-1]
