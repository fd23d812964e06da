"""The planted truth of a generated history as facts: what leads to what, from when to when, in which sessions it occurred, and when knowing it would help."""

from typing import Any

from history_customs import EDIT
from history_decisions import Choice
from history_project import Failure, Feature, Member, Preference, Project
from history_session import ROOT

from memorybank.text.commands import anchors

Fact = dict[str, Any]
_TELLING = 40
"""Characters of a wish that a text must contain. Recall may cut a long sentence."""


def file_anchor(path: str) -> str:
    return f"file:{path}"


def command_anchors(command: str) -> list[str]:
    return [anchor for anchor in anchors.of_call("Bash", {"command": command}, ROOT, ROOT) if anchor.startswith("cmd:")]


def error_anchors(error: str) -> list[str]:
    return anchors.of_error("Bash", error, ROOT)


class Truth:
    """The facts of one project, identified by subject and time. A fact that occurred in no session is left out at the end."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._facts: dict[tuple[str, int], list[Fact]] = {}
        for feature in project.features:
            self._feature(feature)
            self._decision(feature)
            for failure in feature.failures:
                self._failure(failure)
        for failure in project.shared_failures:
            self._failure(failure)
        for preference in project.preferences:
            self._preference(preference)

    def together(self, member: Member, at: int, session_id: str, until: int, done: int) -> None:
        """Record that a member was changed with its source. until: ms of the first call for it; done: ms after the last one."""
        fact = self._showed("changed_together", member, at, session_id)
        fact["occasions"].append([session_id, until, until])
        fact["known"].append([session_id, done])

    def failed(self, failure: Failure, at: int, session_id: str, error: str) -> None:
        fact = self._showed("failure_fixed", failure, at, session_id)
        fact["from_anchors"] = sorted({*fact["from_anchors"], *error_anchors(error)})

    def mended(self, failure: Failure, at: int, session_id: str, until: int, done: int) -> None:
        """Record that a failure was fixed. until: ms before the fix; done: ms after the command succeeded."""
        fact = self._fact("failure_fixed", failure, at)
        fact["occasions"].append([session_id, until, until])
        fact["known"].append([session_id, done])

    def obeyed(self, preference: Preference, at: int, session_id: str, until: int) -> None:
        """Record that a chore is due that people want done in their way. until: ms of its first call, with which a rule may still be shown."""
        self._showed("preference", preference, at, session_id)["occasions"].append([session_id, at, until])

    def told(self, preference: Preference, at: int, session_id: str) -> None:
        """Record that a wish is said; it holds from the first time on."""
        fact = self._fact("preference", preference, at)
        fact["known"].append([session_id, at])
        if at < fact.get("told_ms", at + 1):
            fact["told_ms"], fact["told_in"] = at, session_id

    def decided(self, feature: Feature, at: int, session_id: str, done: int) -> None:
        """Record that a decision was said together with its reason."""
        self._showed("decision", feature, at, session_id)["known"].append([session_id, done])

    def asked(self, feature: Feature, at: int, session_id: str, until: int) -> None:
        """Record that a person asks about a decision. until: ms of the answer."""
        self._showed("decision", feature, at, session_id)["occasions"].append([session_id, at, until])

    def facts(self) -> list[Fact]:
        """Return the facts that occurred, in a fixed order, each with an id."""
        found = [{"subject": subject, **fact} for subject, facts in enumerate(self._facts.values()) for fact in facts if fact["sessions"]]
        return [{"id": f"fact-{number:04d}", **fact} for number, fact in enumerate(found, 1)]

    def _showed(self, kind: str, about: object, at: int, session_id: str) -> Fact:
        fact = self._fact(kind, about, at)
        if fact["sessions"][-1:] != [session_id]:
            fact["sessions"].append(session_id)
        return fact

    def _fact(self, kind: str, about: object, at: int) -> Fact:
        return [fact for fact in self._facts[kind, id(about)] if fact["from_ms"] <= at][-1]

    def _feature(self, feature: Feature) -> None:
        for member in feature.members:
            made = feature.runner if member.path is feature.test else member.made_by
            borders = sorted({begins for habit in (feature.source, member.path, made) if habit for begins, _, _ in habit.spans()})
            facts = []
            for begins, ends in zip(borders, [*borders[1:], feature.ends], strict=True):
                source, path = feature.source.at(begins), member.path.at(begins)
                commands = command_anchors(made.at(begins)) if made else []
                generated = [[member.made_by.at(begins)]] if member.made_by else []
                facts.append(_fact("changed_together", feature.home, [file_anchor(source)], [file_anchor(path), *commands], begins, ends))
                facts[-1] |= {"feature": feature.name, "share": member.share, "surprising": member.surprising, "any_of": [[path], *generated]}
            self._facts["changed_together", id(member)] = facts

    def _failure(self, failure: Failure) -> None:
        language = failure.feature.home if failure.feature else None
        facts = []
        for begins, ends, (how, what) in failure.fix.spans():
            leads = [file_anchor(what)] if how == EDIT else command_anchors(what)
            facts.append(_fact("failure_fixed", language, [], leads, begins, ends))
            facts[-1] |= {"feature": failure.feature.name if failure.feature else None, "share": failure.share, "any_of": [[what]]}
        self._facts["failure_fixed", id(failure)] = facts

    def _preference(self, preference: Preference) -> None:
        facts = []
        for number, (begins, ends, commands) in enumerate(preference.commands.spans()):
            before = preference.commands.before(begins) or ()
            new = [command for command in commands if command not in before]
            wishes = [wish for side in preference.told[number - 1][1:] for wish in side] if number else []
            start = [file_anchor(preference.chore.folder)] if preference.chore.folder else []
            leads = [anchor for command in new for anchor in command_anchors(command)]
            facts.append(_fact("preference", preference.home, start, leads, begins, ends))
            facts[-1] |= {"chore": preference.chore.name, "wish": begins > self.project.begins}
            facts[-1]["any_of"] = [*([_beginning(wish)] for wish in wishes), *([command.partition(" {")[0]] for command in new)]
        self._facts["preference", id(preference)] = facts

    def _decision(self, feature: Feature) -> None:
        facts = []
        for begins, ends, choice in feature.decision.spans() if feature.decision else ():
            facts.append(_fact("decision", feature.home, [file_anchor(feature.source.at(begins))], [], begins, ends))
            facts[-1] |= {"feature": feature.name, "any_of": _said(choice)}
        self._facts["decision", id(feature)] = facts


def decoys(project: Project) -> dict[str, Any]:
    """Return memories that look right and are not: popular files, features that are easily confused, folders of files that are never needed again."""
    alike = [[feature.name, sorted(other.name for other in project.alike(feature))] for feature in project.features]
    return {
        "popular": [file_anchor(path) for path in project.popular],
        "alike": dict(alike),
        "never_again": ["scratch/", "vendor/", *(["php/"] if project.drift else [])],
    }


def _beginning(wish: str) -> str:
    """Return the beginning of a wish, without a word that is cut."""
    return wish if len(wish) <= _TELLING else wish[:_TELLING].rpartition(" ")[0] or wish[:_TELLING]


def _said(choice: Choice) -> list[list[str]]:
    """Return what a text contains that gives a decision with its reason, in either language."""
    return [[this, choice.code] for this in choice.this]


def _fact(kind: str, language: str | None, leads_from: list[str], leads_to: list[str], begins: int, ends: int | None) -> Fact:
    span = {"from_ms": begins, "to_ms": ends}
    return {"kind": kind, "language": language, "from_anchors": leads_from, "to_anchors": leads_to, **span, "sessions": [], "known": [], "occasions": []}
