"""The notes that people of a generated history wrote before it begins: what a feature is and where its files were at that time."""

import random
from collections.abc import Iterator

from history_project import JAPANESE, Feature, Project
from history_talk import Talk


def notes(project: Project) -> Iterator[tuple[str, str]]:
    """(path below the notes' folder, text) for about every second feature that exists from the start.

    With drift for every one, and all are of the days before the history, when the shop was written in PHP: nothing that they name is used again.
    """
    chance = random.Random(f"notes {project.seed}")
    for feature in project.features:
        if feature.begins == project.begins and (project.drift or chance.random() < 0.5):
            folder = chance.choice(("planning", "implementation", "shared"))
            places = (
                _old(feature) if project.drift else [feature.source.at(project.begins), *(member.path.at(project.begins) for member in feature.members[:3])]
            )
            yield f"{folder}/{feature.area[0]}-{feature.aspect[0]}.md", _text(feature, Talk(feature.home, chance), places)


def _old(feature: Feature) -> list[str]:
    area, aspect = feature.area[0], feature.aspect[0]
    return [f"php/{area}/{aspect}.php", f"php/{area}/{aspect}.phtml", f"php/sql/{area}_{aspect}.sql"]


def _text(feature: Feature, talk: Talk, places: list[str]) -> str:
    side = int(feature.home == JAPANESE)
    title = f"{feature.area[2][0]}の{feature.aspect[2][0]}" if side else f"{feature.area[1][0].capitalize()}: {feature.aspect[1][0]}"
    where = "関係するファイル" if side else "Where it lives"
    listed = "\n".join(f"- `{path}`" for path in places)
    return f"# {title}\n\n{talk.answer(feature)}\n\n{talk.answer(feature)}\n\n## {where}\n\n{listed}\n"
