"""The notes that people of a generated history had written before it begins: what a feature is and where it lives, at that time."""

import random
from collections.abc import Iterator

from history_project import JAPANESE, Feature, Project
from history_talk import Talk


def notes(project: Project) -> Iterator[tuple[str, str]]:
    """(path below the notes' folder, text) for about every second feature that exists from the start."""
    chance = random.Random(project.chance.random())
    for feature in project.features:
        if feature.begins == project.begins and chance.random() < 0.5:
            folder = chance.choice(("planning", "implementation", "shared"))
            yield f"{folder}/{feature.area[0]}-{feature.aspect[0]}.md", _text(feature, Talk(feature.home, chance), project.begins)


def _text(feature: Feature, talk: Talk, now: int) -> str:
    side = int(feature.home == JAPANESE)
    title = f"{feature.area[2][0]}の{feature.aspect[2][0]}" if side else f"{feature.area[1][0].capitalize()}: {feature.aspect[1][0]}"
    body = talk.question(feature), talk.goal(feature)
    where = ("関係するファイル" if side else "Where it lives", [feature.source.at(now), *(member.path.at(now) for member in feature.members[:3])])
    listed = "\n".join(f"- `{path}`" for path in where[1])
    return f"# {title}\n\n{body[0]}\n\n{body[1]}\n\n## {where[0]}\n\n{listed}\n"
