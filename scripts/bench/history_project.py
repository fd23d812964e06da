"""The project of a generated history: features whose files belong together, failures and their fixes, and when each habit holds.

All of this is the planted truth. `history_agent` plays sessions by it alone.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import history_acceptance as acceptance
import history_customs as customs
import history_decisions as decisions
import history_words as words

ENGLISH, JAPANESE = "en", "ja"
POPULAR = (
    "CHANGELOG.md", "app/registry.py", "config/settings.toml", "web/src/routes.ts", "docs/index.md", "services/wiring.go", "docs/glossary.md", "app/errors.py",
    "config/roles.yaml", "web/src/menu.ts", "app/urls.py", "docs/変更履歴.md", "services/limits.yaml", "tests/support/samples.py",
)  # fmt: skip
"""Files that nearly every piece of work touches some of. They are known from the house rules that the prompt repeats."""
MOVED = ("web/", "frontend/")
LAST_DEVELOPMENT_SEED = 100
Entry = tuple[str, list[str], list[str]]
_MAKERS = (
    ("schemas/json/{}.json", "tests/golden/{}.json", "make fixtures-{}", "just fixtures-{}"),
    ("schemas/proto/{}.proto", "web/generated/{}.ts", "npm run codegen:{}", "pnpm run gen:{}"),
    ("db/migrate/{}.sql", "app/legacy/{}_view.py", "scripts/regen_{}.sh", "tools/views/{}.sh"),
    ("db/seeds/{}.sql", "fixtures/records/{}.json", "scripts/reseed_{}.sh", "tools/seeds/{}.sh"),
    ("deploy/{}/values.yaml", "ops/alerts/{}.yaml", "bin/render {}", "bin/compose-alerts {}"),
)
"""(what is changed, what has to be generated again afterwards, the command that does so, the command after the tools changed)"""
_LONE = ("ops/dashboards/{}.json", "fixtures/{}.csv", "policies/{}.yaml", "tools/{}.py", "docs/運用/{}.md")


class Habit:
    """A value that changes over time: (from ms, value) in order of time. Before the first entry there is no value."""

    def __init__(self, *values: tuple[int, Any]) -> None:
        self.values = list(values)

    def at(self, now: int) -> Any:
        held = [value for begins, value in self.values if begins <= now]
        return held[-1] if held else None

    def before(self, now: int) -> Any:
        """Return the value before the present one, or None if there was none."""
        held = [value for begins, value in self.values if begins <= now]
        return held[-2] if len(held) > 1 else None

    def spans(self) -> list[tuple[int, int | None, Any]]:
        """Return (from, until or None, value) of every value."""
        ends = [begins for begins, _ in self.values[1:]]
        return [(begins, end, value) for (begins, value), end in zip(self.values, [*ends, None], strict=True)]


@dataclass
class Member:
    """A file that is changed with a feature's source. share: of the feature's changes; made_by: the command that writes it again, if one does;
    surprising: nothing in its name or folder leads from the source to it."""

    path: Habit
    share: float
    surprising: bool = False
    made_by: Habit | None = None


@dataclass
class Failure:
    """A failure and its fix. error: in English and in Japanese, with slots; fix: (`edit`, path) or (`run`, command); share: of the work on its feature
    where it occurs; adds: the line that an edit brings into the file each time, because the same error wants the same
    repair; side: the index of the language in which the program reports it, whoever runs it."""

    error: tuple[str, str]
    fix: Habit
    share: float
    adds: str
    side: int
    feature: "Feature | None" = None


@dataclass
class Feature:
    """A feature. home: the language of the people who mostly work on it; stack: `py` `web` `go`; ends: when work on it stops, or None.
    details, symptoms: its subjects, and its recurring complaints (indexes of `history_words.SYMPTOMS_…`). decision: a `history_decisions.Choice` that
    holds from some time on, or None."""

    name: str
    area: Entry
    aspect: Entry
    details: list[Entry]
    symptoms: list[int]
    home: str
    stack: str
    source: Habit
    test: Habit
    runner: Habit
    members: list[Member]
    weight: float
    begins: int
    ends: int | None
    failures: list[Failure] = field(default_factory=list)
    decision: Habit | None = None

    def is_alive(self, now: int) -> bool:
        return self.begins <= now and (self.ends is None or now < self.ends)


@dataclass
class Preference:
    """A chore as this project does it. chore: of `history_customs`; commands: what an agent that was told runs; told: (when, English, Japanese) each time
    the wish is new. home: the language in which it is first said."""

    chore: customs.Chore
    commands: Habit
    told: list[tuple[int, Sequence[str], Sequence[str]]]
    home: str


class Project:
    """A project built from a seed. begins, ends: ms of the entire history; drift: whether habits change on the way (`moved` says when the web folder moves)."""

    FEATURES = 60

    def __init__(self, seed: int, begins: int, ends: int, japanese: float, drift: bool) -> None:
        self.chance = random.Random(f"history project {seed} {drift}")
        self.seed, self.begins, self.ends, self.drift, self.japanese = seed, begins, ends, drift, japanese
        self.moved = self.moment(0.33, 0.42)
        self.new_runner = self.moment(0.58, 0.66)
        self._codenames = self.chance.sample(words.CODENAMES, len(words.CODENAMES))
        self._named = 0
        self.features = self._features()
        self.shared_failures = [self._failure(None) for _ in range(10)]
        self.preferences = [self._preference(chore) for chore in (acceptance.ACCEPTANCE_CHORES if seed > LAST_DEVELOPMENT_SEED else customs.CHORES)]
        self.popular = list(POPULAR)
        self.misc = self._misc()
        self.vendor = [f"vendor/{name}/{stem}.js" for name in words.VENDOR for stem in (*(area[0] for area in words.AREAS[:8]), "core", "merge", "export")]

    def moment(self, earliest: float, latest: float) -> int:
        """Return a random moment between these shares of the history, in ms."""
        return self.begins + int((self.ends - self.begins) * self.chance.uniform(earliest, latest))

    def codename(self) -> str:
        """Return the next name without a meaning: `heron`, and when all are used, `grey_heron`."""
        round_, index = divmod(self._named, len(self._codenames))
        self._named += 1
        return "_".join((*words.SHADES[:round_][-1:], self._codenames[index]))

    def here(self, path: str, now: int) -> str:
        """Return the current place of a file: with drift everything below web/ moves to frontend/."""
        return f"{MOVED[1]}{path[len(MOVED[0]) :]}" if self.drift and now >= self.moved and path.startswith(MOVED[0]) else path

    def lasting(self, *values: tuple[int, Any]) -> Habit:
        """Return a habit whose values are or contain paths, with the move of the web folder at its time."""
        changes = dict(values)
        if self.drift and any(MOVED[0] in str(value) for _, value in values):
            held = [value for begins, value in values if begins <= self.moved]
            changes.setdefault(self.moved, held[-1])
        return Habit(*((at, _moved(changes[at]) if self.drift and at >= self.moved else changes[at]) for at in sorted(changes)))

    def alike(self, feature: Feature) -> list[Feature]:
        """Return the features that share the area or the aspect. Their names and words are easily confused with those of this feature."""
        return [other for other in self.features if other is not feature and (other.area is feature.area or other.aspect is feature.aspect)]

    def _features(self) -> list[Feature]:
        pairs = [(area, aspect) for area in words.AREAS for aspect in words.ASPECTS]
        self.chance.shuffle(pairs)
        chosen: list[Feature] = []
        for index in range(self.FEATURES):
            chosen.append(self._feature(*pairs[index], index))
        return chosen

    def _feature(self, area: Entry, aspect: Entry, index: int) -> Feature:
        chance = self.chance
        home = JAPANESE if chance.random() < self.japanese else ENGLISH
        stack = ("py", "py", "web", "web", "go")[index % 5]
        stem = aspect[0] if chance.random() < 0.7 else self.codename()
        begins = self.begins if index < self.FEATURES * 0.6 else self.moment(0.05, 0.5)
        retired = chance.random() < (0.35 if self.drift else 0.15)
        ends = self.moment(0.4, 0.75) if retired else None
        source, test, runner = self._places(stack, area[0], stem)
        members = [Member(test, 0.8), *self._conventional(area, aspect, stem, home), *self._surprising()]
        details, symptoms = chance.sample(words.DETAILS, 3), chance.sample(range(len(words.SYMPTOMS_EN)), 3)
        weight = 0.5 + chance.random()
        name = f"{area[0]}/{stem}"
        feature = Feature(name, area, aspect, details, symptoms, home, stack, source, test, runner, members, weight, begins, ends)
        feature.failures = [self._failure(feature) for _ in range(chance.choice((1, 1, 2)))]
        feature.decision = self._decision() if chance.random() < 0.6 else None
        return feature

    def _places(self, stack: str, area: str, stem: str) -> tuple[Habit, Habit, Habit]:
        """Return the source, the test and the command that runs the test."""
        start, place = self.begins, {"py": "app", "go": "services", "web": "web/src"}[stack]
        name = f"{place}/{area}/{stem.title()}Panel" if stack == "web" else f"{place}/{area}/{stem}"
        if stack == "py":
            test = f"tests/{area}/test_{stem}.py"
            later = [(self.new_runner, f"hatch test {test}")] if self.drift else []
            return Habit((start, f"{name}.py")), Habit((start, test)), Habit((start, f"pytest -q {test}"), *later)
        if stack == "go":
            return Habit((start, f"{name}.go")), Habit((start, f"{name}_test.go")), Habit((start, f"go test ./{place}/{area} -run Test{stem.title()}"))
        test = f"{name}.test.tsx"
        return self.lasting((start, f"{name}.tsx")), self.lasting((start, test)), self.lasting((start, f"npx vitest run {test}"))

    def _conventional(self, area: Entry, aspect: Entry, stem: str, home: str) -> list[Member]:
        """Return the files that anybody would look for: those of the area and of the feature's name."""
        page = f"docs/設計/{area[2][0]}{aspect[2][0]}.md" if home == JAPANESE and self.chance.random() < 0.7 else f"docs/{area[0]}/{stem}.md"
        offered = [(f"config/{area[0]}.toml", 0.4), (page, 0.5), (f"locales/ja/{area[0]}.json", 0.3), (f"app/{area[0]}/models.py", 0.35)]
        return [Member(Habit((self.begins, path)), share) for path, share in self.chance.sample(offered, self.chance.choice((1, 2, 2, 3)))]

    def _surprising(self) -> list[Member]:
        """Return members that their names do not suggest: a schema and what is generated from it elsewhere, or a single file with a name of its own."""
        chance, start = self.chance, self.begins
        found: list[Member] = []
        changes = [self.moment(0.35, 0.7)] if self.drift and chance.random() < 0.6 else []
        times = [start, *changes]
        if chance.random() < 0.7:
            first, second, command, later = chance.choice(_MAKERS)
            found.append(Member(Habit((start, first.format(self.codename()))), 0.65, True))
            names = Habit(*((at, self.codename()) for at in times))
            made = {at: command.format(names.at(at)) for at in times}
            if self.drift and chance.random() < 0.5:
                made |= {at: later.format(names.at(at)) for at in sorted({*times, self.new_runner}) if at >= self.new_runner}
            path = self.lasting(*((at, second.format(names.at(at))) for at in times))
            found.append(Member(path, 0.9, True, Habit(*((at, made[at]) for at in sorted(made)))))
        if not found or chance.random() < 0.5:
            shape = chance.choice(_LONE)
            found.append(Member(Habit(*((at, shape.format(self.codename())) for at in times)), 0.7, True))
        return found

    def _failure(self, feature: Feature | None) -> Failure:
        chance = self.chance
        english, japanese, how, by = chance.choice(customs.FAILURES)
        code, ident = self.codename(), chance.choice(words.IDENTIFIERS)
        changes = [self.moment(0.35, 0.7)] if chance.random() < (0.6 if self.drift else 0.15) else []
        fixes = []
        for at in [self.begins, *changes]:
            fixes.append((at, (how, by.format(other=self.codename()))))
            how, by = chance.choice([(row[2], row[3]) for row in customs.FAILURES])
        known = {"code": code, "ident": ident, **{slot: "{" + slot + "}" for slot in "nmphg"}}
        share = chance.uniform(0.3, 0.5) if feature else 0.025
        adds = f"{code}_{ident} = {chance.randint(2, 90)}"
        return Failure((english.format(**known), japanese.format(**known)), self.lasting(*fixes), share, adds, int(chance.random() < self.japanese), feature)

    def _decision(self) -> Habit:
        """Return what is decided about a feature, and with drift sometimes the contrary later."""
        first = decisions.choice(self.chance, self.codename())
        values = [(self.begins, first)]
        if self.drift and self.chance.random() < 0.5:
            values.append((self.moment(0.45, 0.7), decisions.reversed_choice(self.chance, first, self.codename())))
        return Habit(*values)

    def _preference(self, chore: customs.Chore) -> Preference:
        first = self.moment(0.03, 0.3)
        home = JAPANESE if self.chance.random() < self.japanese else ENGLISH
        commands: list[tuple[int, tuple[str, ...]]] = [(self.begins, chore.usual), (first, chore.wanted)]
        told: list[tuple[int, Sequence[str], Sequence[str]]] = [(first, *chore.told)]
        if self.drift and self.chance.random() < 0.5:
            again = self.moment(0.45, 0.7)
            commands.append((again, chore.later))
            told.append((again, (chore.told_later[0],), (chore.told_later[1],)))
        return Preference(chore, Habit(*commands), told, home)

    def _misc(self) -> list[str]:
        """Return files that belong to no feature. Each is touched now and then, without a pattern."""
        folders = ("app/core", "app/util", "web/src/shared", "services/internal", "tools", "tests/support")
        endings = {"web/src/shared": "ts", "services/internal": "go"}
        paths = [f"{folder}/{stem}.{endings.get(folder, 'py')}" for folder in folders for stem in words.MISC_STEMS]
        self.chance.shuffle(paths)
        return paths


def _moved(value: Any) -> Any:
    """Return a path, a command or a tuple that contains some, after the move."""
    return tuple(map(_moved, value)) if isinstance(value, tuple) else value.replace(*MOVED)
