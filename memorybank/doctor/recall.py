"""Checks of recall: what is not shown, so that nobody has to wonder why a memory never appears."""

from collections.abc import Iterator

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import OK, WARN, Symptom

_POLICY = "log/policy.jsonl"


def kept_back(context: DoctorContext) -> Iterator[Symptom]:
    """Report exclusions of earlier versions that name no occasion, and list every occasion and memory that is not shown, with the reason."""
    policies = context.bank.policy
    ignored = policies.state().ignored_exclusions
    if ignored:
        what = f"exclusions of an earlier version that name no occasion and are ignored: {len(ignored):,}"
        step = "list them with 'memorybank policy show'; the next change of the policy drops them; exclude occasions with 'memorybank policy set exclusions …'"
        yield Symptom(WARN, what, _POLICY, step)
    for one in policies.suppressed():
        step = "see why with 'memorybank policy history'; show every kind again with 'memorybank policy set exclusions none'" if "@" in one.what else ""
        yield Symptom(OK, f"{one.what} is not shown at {one.moment}: {one.reason}", suggestion=step)
