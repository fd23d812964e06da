"""`memorybank trust`."""

from typing import TYPE_CHECKING

import click

from memorybank import clock
from memorybank.cli import output, page
from memorybank.cli.asking import require_consent
from memorybank.cli.call import CommandCall, examples
from memorybank.errors import UsageError
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank.trusting import Speech, TrustStatus, TrustSurvey

_WHY = {
    "created": "this machine created it",
    "key": "this machine recorded sessions in it before",
    "person": "you accepted it",
    "settings": "your own settings name it",
    "uncommitted": "git did not track it when memorybank first looked, so it did not come with a clone",
    "environment": "MEMORYBANK_TRUST=all is set",
}
_MOST_LISTED = 20


@click.command(
    epilog=examples(
        "memorybank trust                 show what agents would be shown, and ask",
        "memorybank trust --yes           accept it without a question",
        "memorybank trust --follow        accept it, and whatever arrives by git from now on",
        "memorybank trust --revoke        show agents nothing from it again",
        "memorybank trust --show --json   only print what waits",
    )
)
@click.option("-y", "--yes", is_flag=True, help="Accept without a question.")
@click.option("--follow/--no-follow", default=None, help="Whether to accept changes that arrive by git from now on without asking.")
@click.option("--revoke", is_flag=True, help="Show agents nothing from this bank until somebody accepts it again.")
@click.option("--show", is_flag=True, help="Only print what waits and what agents would be shown; change nothing.")
@output.text_format_option("Lines of text, or a JSON object.")
@click.pass_obj
def command(call: CommandCall, yes: bool, follow: bool | None, revoke: bool, show: bool, form: str) -> None:
    """Let agents on this machine be shown what this bank contains.

    A bank that came with a repository is not shown to agents until a person accepts it, because its author could then speak to them. Searching it works
    all the same. Afterwards, files that others change and that arrive by git wait for a person again, unless you pass --follow. Your decision is kept
    outside the repository.
    """
    if revoke and (yes or show or follow is not None):
        raise UsageError("--revoke cannot be combined with other options", next_step="run 'memorybank trust --revoke' alone")
    bank = call.open(read_only=True)
    if revoke:
        _print_status(form, bank.trust.revoke())
        return
    survey = bank.trust.survey()
    is_settled = survey.status.state == "trusted" and follow in (None, survey.status.follows)
    if show or is_settled:
        _print_survey(form, survey)
        return
    if form != "json":
        _print_survey(form, survey, is_asked=not yes)
    if not yes:
        refusal, step = "accepting a bank needs a person's consent", "read what it contains, then run 'memorybank trust --yes'"
        if form == "json":
            raise UsageError(refusal, next_step=step)
        require_consent("Let agents be shown this?", refusal=refusal, next_step=step)
    _print_status(form, bank.trust.accept(follow=follow))


def _print_status(form: str, status: "TrustStatus") -> None:
    if output.as_json(form, _fields(status)):
        return
    page.say(_sentence(status))


def _print_survey(form: str, survey: "TrustSurvey", *, is_asked: bool = True) -> None:
    """Print what agents would be shown. is_asked: whether to begin with what they are shown so far, which accepting the bank changes"""
    if form == "json":
        speaks = [{"path": one.path, "what": one.what, "warning": one.warning or None, "diff": one.diff or None} for one in survey.speaks]
        counts = {"notes": survey.notes, "learned_notes": survey.learned, "episodes": survey.episodes}
        output.write_json({**_fields(survey.status), **counts, "speaks": speaks})
        return
    if is_asked:
        page.say(_sentence(survey.status))
    if survey.status.state == "trusted":
        return
    if survey.status.state == "waiting":
        learned, episodes = counted(survey.learned, "learned note"), counted(survey.episodes, "episode")
        page.say(f"It contains {counted(survey.notes, 'note')}, {learned} and {episodes}.")
    listed = [one for one in survey.speaks if is_asked or one.warning or survey.status.state == "changed"]
    most = len(listed) if output.has_pager() else _MOST_LISTED
    lines = [line for one in listed[:most] for line in _described(one)]
    if len(listed) > most:
        lines.append(f"  and {len(listed) - most:,} more: memorybank trust --show --json")
    output.paged("".join(f"{line}\n" for line in lines), pager=True)


def _described(one: "Speech") -> list[str]:
    """Return the lines about one file: what it is, and what agents would be shown of it or what changed in it."""
    head = f"  {output.clean(one.path)}: {one.what}{f'; {one.warning}' if one.warning else ''}"
    return [head, *(f"      {output.clean(line)}" for line in one.diff.splitlines())]


def _sentence(status: "TrustStatus") -> str:
    if status.state == "waiting":
        return "Agents are shown nothing from this bank: nobody on this machine has accepted it."
    since = "" if status.at is None else f" since {clock.day_of(status.at)}"
    why = f"{_WHY[status.by]}{', and you accept what arrives by git' if status.follows else ''}"
    if status.state == "changed":
        waiting = counted(len(status.waiting), "file")
        return f"Agents are shown this bank{since}, but {waiting} that others changed {'waits' if len(status.waiting) == 1 else 'wait'} for you."
    return f"Agents are shown this bank{since}: {why}."


def _fields(status: "TrustStatus") -> dict[str, object]:
    at = None if status.at is None else clock.isoformat(status.at)
    return {"state": status.state, "by": status.by or None, "at": at, "follow": status.follows, "waiting": list(status.waiting)}
