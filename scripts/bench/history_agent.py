"""The coding agent of a generated history. It knows nothing of earlier sessions and works as real agents do: it searches, changes, tests and fails."""

import random
from collections.abc import Sequence

import history_decisions as decisions
import history_words as words
from history_customs import EDIT, LIBRARIES
from history_project import Failure, Feature, Preference, Project
from history_session import HistoryAgent, PlayedHistorySession, absolute
from history_talk import Talk
from history_truth import Truth

KNOWS_WITHOUT_MEMORY = 0.5
"""How often an agent that remembers nothing does a chore as people want it, because the project's files show how. Else a person says it again."""
TO_THE_FIRST_CALL = 26_000
"""Ms within which the first call for a chore begins. What is shown with that call comes before its result."""


class Worker:
    """One agent in one session."""

    def __init__(self, project: Project, truth: Truth, session: PlayedHistorySession, talk: Talk, told: dict[str, list[tuple[int, int]]]) -> None:
        self.project, self.truth, self.session, self.talk = project, truth, session, talk
        self.chance: random.Random = session.chance
        self.told = told
        """What people have said so far, by the chore's name: (when, the number of its wishes that are known from then on)."""

    # ---- single calls

    def read(self, path: str, feature: Feature | None = None, agent: HistoryAgent | None = None) -> None:
        self.session.call("Read", {"file_path": absolute(path)}, self.talk.content(feature), agent=agent)

    def edit(self, path: str, feature: Feature | None = None, adds: str = "") -> None:
        old, new = self.talk.content(feature), self.talk.content(feature)
        new = f"{old}\n{adds}" if adds else new
        if self.chance.random() < 0.06:
            self.session.call("Edit", {"file_path": absolute(path), "old_string": old, "new_string": new}, error="String to replace not found in file.")
            self.read(path, feature)
        elif self.chance.random() < 0.05:
            self.session.call("Write", {"file_path": absolute(path), "content": new}, f"File written: {path}")
            self.session.main.touched.append(path)
            return
        self.session.call("Edit", {"file_path": absolute(path), "old_string": old, "new_string": new}, f"The file {absolute(path)} has been updated.")
        self.session.main.touched.append(path)

    def run(self, command: str, kind: str, feature: Feature | None = None, output: str = "", error: str | None = None) -> None:
        if self.chance.random() < 0.12 and not error:
            command += " 2>&1 | tail -20"
        inputs = {"command": command, "description": self.talk.description(kind, feature)}
        self.session.call("Bash", inputs, output, error=f"Exit code 1\n\n{error}" if error else None)

    def look(self, feature: Feature, agent: HistoryAgent | None = None) -> None:
        """Search for a word. The result is sometimes a feature that only looks similar."""
        word = self.chance.choice((feature.aspect[0], self.chance.choice(words.IDENTIFIERS), self.chance.choice(feature.details)[0]))
        near = feature.source.at(self.session.at).rpartition("/")[0]
        step = self.chance.random()
        if step < 0.2:
            command = f"grep -rn {word} {near} | head -20"
            self.session.call("Bash", {"command": command, "description": self.talk.description("look", feature)}, self.talk.content(feature), agent=agent)
        else:
            inputs = {"pattern": word, **({"path": absolute(near)} if step < 0.35 else {})}
            self.session.call("Grep", inputs, self.found(feature), agent=agent)
        if self.chance.random() < 0.45:
            other = self.chance.choice(self.alive_alike(feature) or [feature])
            self.read(other.source.at(self.session.at), other, agent)

    def found(self, feature: Feature) -> str:
        """Return the hits of a search: unrelated files, files that only look similar, sometimes the right one."""
        now, chance = self.session.at, self.chance
        others = chance.sample(self.alive_alike(feature), min(2, len(self.alive_alike(feature))))
        paths = [*(other.source.at(now) for other in others), self.misc(), *([feature.source.at(now)] if chance.random() < 0.4 else [])]
        chance.shuffle(paths)
        return "\n".join((f"Found {len(paths)} files", *map(absolute, paths)))

    def misc(self) -> str:
        return self.project.here(self.chance.choice(self.project.misc), self.session.at)

    def alive_alike(self, feature: Feature) -> list[Feature]:
        return [other for other in self.project.alike(feature) if other.begins <= self.session.at]

    # ---- work on a feature

    def explore(self, feature: Feature) -> None:
        now, chance = self.session.at, self.chance
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            self.look(feature)
        stale = feature.source.before(now)
        if stale and chance.random() < 0.1:
            self.session.call("Read", {"file_path": absolute(stale)}, error="File does not exist.")
        source = feature.source.at(now)
        if chance.random() < 0.3:
            second = chance.choice((feature.test.at(now), self.misc()))
            self.session.reads_together([(source, self.talk.content(feature)), (second, self.talk.content(feature))])
        else:
            self.read(source, feature)

    def change(self, feature: Feature, everything: bool = True) -> None:
        """Edit the source and, each with its own probability, the files that belong to it; test; meet failures. everything: False for a short second round."""
        now, chance = self.session.at, self.chance
        self.edit(feature.source.at(now), feature)
        members = list(feature.members)
        if chance.random() < 0.4:
            chance.shuffle(members)
        for member in members:
            if chance.random() < member.share * (1 if everything else 0.3):
                until = self.session.at
                self.change_member(feature, member.path.at(now), member.made_by.at(now) if member.made_by else None)
                self.truth.together(member, now, self.session.session_id, until, self.session.at)
        if chance.random() < 0.25:
            self.read(self.misc())
        failures = [*feature.failures, *self.project.shared_failures]
        met = [failure for failure in failures if chance.random() < failure.share * (1 if everything else 0.3)]
        for failure in met:
            self.fail(failure, feature)
        if not met:
            self.run(feature.runner.at(now), "test", feature, self.talk.passed())
        self.folder_wishes()

    def change_member(self, feature: Feature, path: str, made_by: str | None) -> None:
        if made_by and self.chance.random() < 0.7:
            self.run(made_by, "make", feature, f"wrote {path}")
            if self.chance.random() < 0.4:
                return
            self.read(path, feature)
            return
        if self.chance.random() < 0.55:
            self.read(path, feature)
        self.edit(path, feature)

    def scratch(self, feature: Feature) -> None:
        """Write a throw-away script, named after the work and never needed again."""
        path = f"scratch/{feature.aspect[0]}_{feature.area[0]}_{self.chance.randint(10, 999)}.py"
        self.session.call("Write", {"file_path": absolute(path), "content": self.talk.content(feature)}, f"File written: {path}")
        self.run(f"python {path}", "look", feature, self.talk.passed())

    # ---- failures

    def fail(self, failure: Failure, feature: Feature) -> None:
        """Play a failure: the command fails, the agent makes some attempts, then applies the fix, and the command succeeds."""
        now, chance = self.session.at, self.chance
        command = feature.runner.at(now)
        self.broken(failure, now, command, feature)
        for _ in range(chance.choice((0, 1, 1, 2, 3, 4))):
            step = chance.random()
            if step < 0.4:
                self.look(feature)
            elif step < 0.7:
                self.read(chance.choice((feature.source.at(now), self.misc())), feature)
            else:
                self.edit(feature.source.at(now), feature)
                self.broken(failure, now, command, feature)
        how, what = failure.fix.before(now) or failure.fix.at(now)
        stale = how, self.project.here(what, now)
        if stale != failure.fix.at(now) and chance.random() < 0.35:
            self.mend(stale, failure, feature)
            self.broken(failure, now, command, feature)
        until = self.session.at
        self.mend(failure.fix.at(now), failure, feature)
        self.run(command, "test", feature, self.talk.passed())
        self.truth.mended(failure, now, self.session.session_id, until, self.session.at)

    def broken(self, failure: Failure, since: int, command: str, feature: Feature) -> None:
        """Run the command that fails. since: when it first failed, which decides what fixes it."""
        chance = self.chance
        slots = {"n": chance.randint(2, 400), "m": chance.randint(2, 400), "p": chance.randint(1024, 65535)}
        hashes = {"h": f"{chance.getrandbits(40) | 1 << 39:010x}", "g": f"{chance.getrandbits(40) | 1 << 39:010x}"}
        error = failure.error[failure.side].format(**slots, **hashes)
        trace = f'  File "{absolute(feature.source.at(self.session.at))}", line {chance.randint(5, 400)}'
        around = chance.choice((f"{trace}\n{error}", f"{error}\n{self.talk.content(feature)}", f"{self.talk.content(feature).splitlines()[0]}\n{error}", error))
        self.run(command, "test", feature, error=around)
        self.truth.failed(failure, since, self.session.session_id, f"Exit code 1\n\n{around}")

    def mend(self, fix: tuple[str, str], failure: Failure, feature: Feature) -> None:
        """Apply a fix."""
        how, what = fix
        if how == EDIT:
            if self.chance.random() < 0.5:
                self.read(what, feature)
            self.edit(what, feature, failure.adds)
        else:
            self.run(what, "fix", feature, "ok")

    # ---- work that people want done in their way

    def chore(self, preference: Preference) -> None:
        """A person asks for a chore. The agent does it as it was told, or as agents usually do and is then corrected."""
        chore, chance = preference.chore, self.chance
        filled = {"lib": chance.choice(LIBRARIES), "n": f"{chance.randint(1, 4)}.{chance.randint(0, 30)}"}
        self.session.prompt(self.talk.pick(chore.asked).format(**filled))
        if chance.random() < 0.4:
            self.read(chance.choice(("Makefile", "pyproject.toml", "package.json", "docs/index.md")))
        self.do_as_wished(preference, filled)
        self.session.turn_end(self.talk.done())

    def folder_wishes(self) -> None:
        """Do the chores that are due because a file below their folder was changed."""
        for preference in self.project.preferences:
            folder = preference.chore.folder
            due = folder and any(path.startswith(folder) for path in self.session.main.touched)
            if due and (self.known_wishes(preference) or self.chance.random() < 0.35):
                self.do_as_wished(preference, {})

    def do_as_wished(self, preference: Preference, filled: dict[str, str]) -> None:
        chore, now = preference.chore, self.session.at
        said = self.known_wishes(preference)
        due = sum(1 for when, _, _ in preference.told if when <= now)
        wanted = preference.commands.values[due][1]
        if due:
            self.truth.obeyed(preference, now, self.session.session_id, now + TO_THE_FIRST_CALL)
        if said >= due and (due == 0 or self.chance.random() < KNOWS_WITHOUT_MEMORY):
            self.steps(preference, wanted, filled)
            return
        self.steps(preference, preference.commands.values[max(0, due - 1)][1], filled)
        self.session.turn_end(self.talk.done())
        wish = self.chance.choice(preference.told[due - 1][1 + self.talk.side])
        if said < due:
            self.session.prompt(wish)
            self.told.setdefault(chore.name, []).append((self.session.at, due))
            self.truth.told(preference, self.session.at, self.session.session_id)
        else:
            self.session.prompt(self.talk.repeated(wish))
            self.truth.told(preference, self.session.at, self.session.session_id)
        self.steps(preference, wanted, filled)

    def known_wishes(self, preference: Preference) -> int:
        """Return what is known at this time. Sessions overlap, so a wish that another session states later today is not known yet."""
        return max((count for when, count in self.told.get(preference.chore.name, ()) if when <= self.session.at), default=0)

    def steps(self, preference: Preference, commands: Sequence[str], filled: dict[str, str]) -> None:
        for command in commands:
            self.run(command.format(**filled), "chore", None, "ok")

    # ---- decisions

    def decide(self, feature: Feature) -> str:
        """Return the sentence that states what is decided about a feature; the person says it, or the agent at the end of its turn."""
        choice = feature.decision.at(self.session.at) if feature.decision else None
        return self.talk.about(decisions.STATED, feature, choice) if choice else ""

    def ask(self, feature: Feature) -> None:
        """Let a person ask why something is as it is. The agent knows it only when it happens to find the reason."""
        choice, since = feature.decision.at(self.session.at), self.session.at
        self.session.prompt(self.talk.about(decisions.ASKED, feature, choice))
        self.explore(feature)
        knows = self.chance.random() < 0.5
        self.truth.asked(feature, since, self.session.session_id, self.session.at)
        self.session.turn_end(self.talk.about(decisions.ANSWERED if knows else decisions.WRONG_GUESSES, feature, choice))
        if knows:
            self.truth.decided(feature, since, self.session.session_id, self.session.at)

    # ---- around the work

    def popular(self, paths: Sequence[str], feature: Feature) -> None:
        for path in (self.project.here(path, self.session.at) for path in paths):
            if self.chance.random() < 0.4:
                self.read(path, feature)
            self.edit(path, feature)

    def dead_end(self, feature: Feature) -> None:
        """Follow a long wrong track: read and change unrelated files, then revert the changes."""
        paths = [self.misc() for _ in range(3)]
        for _ in range(self.chance.randint(6, 14)):
            step = self.chance.random()
            if step < 0.45:
                self.read(self.chance.choice(paths), feature)
            elif step < 0.6:
                self.look(feature)
            elif step < 0.85:
                self.edit(self.chance.choice(paths), feature)
            else:
                self.run(feature.runner.at(self.session.at), "test", feature, error=self.talk.stuck())
        self.run(f"git checkout -- {paths[0]}", "git", feature)

    def delegate(self, feature: Feature) -> None:
        """Let a sub-agent search, mostly in the wrong places."""
        chance, session = self.chance, self.session
        role = chance.choice(("Explore", "Explore", "reviewer", "researcher"))
        with session.delegate(role, self.talk.description("look", feature), self.talk.question(feature)) as agent:
            for _ in range(chance.randint(4, 10)):
                step = chance.random()
                if step < 0.35:
                    library, stem = chance.choice(words.VENDOR), chance.choice((feature.area[0], feature.aspect[0], "core"))
                    self.read(f"vendor/{library}/{stem}_{chance.randint(10, 999)}.js", feature, agent)
                elif step < 0.6:
                    self.look(feature, agent)
                else:
                    other = chance.choice([feature, *self.alive_alike(feature)])
                    self.read(other.source.at(session.at), other, agent)

    def save(self, feature: Feature) -> None:
        """Sometimes review or commit the work."""
        step = self.chance.random()
        if step < 0.1:
            self.run(f'git commit -am "{feature.area[1][0]}: {self.chance.choice(feature.details)[1][0]}"', "git", feature, "1 file changed")
        elif step < 0.35:
            self.run(f"git diff {feature.source.at(self.session.at)}", "git", feature, self.talk.content(feature))
