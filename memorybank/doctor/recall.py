"""Checks of recall: what is not shown, so that nobody has to wonder why a memory never appears."""

from collections.abc import Iterator

from memorybank.doctor.context import Context
from memorybank.doctor.finding import OK, WARN, Symptom

_POLICY = "log/policy.jsonl"


def kept_back(context: Context) -> Iterator[Symptom]:
    """Report exclusions of earlier versions that name no occasion, and list every occasion and memory that is not shown, with the reason."""
    policies = context.bank.policy
    ignored = policies.state().not_obeyed
    if ignored:
        what = f"exclusions of an earlier version that name no occasion, and are not obeyed: {len(ignored):,}"
        step = "'memorybank policy show' lists them; the next change of the policy drops them, and 'memorybank policy set exclusions …' excludes occasions"
        yield Symptom(WARN, what, _POLICY, step)
    for one in policies.suppressed():
        step = "'memorybank policy history' says why; 'memorybank policy set exclusions none' shows every kind again" if "@" in one.what else ""
        yield Symptom(OK, f"{one.what} is not shown at {one.moment}: {one.reason}", suggestion=step)
