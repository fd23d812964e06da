"""Days about planted themes, in words made up for the test: no theme has a name, and any two share half of their words."""

import random

from memorybank.episodes.entry import made

CREATED = "2025-12-01T00:00:00Z"
_SIGNS = "山川森林空海雲雨雪風花草木石土火水金銀銅鉄糸布紙筆墨本書机椅窓門庭池橋道車船馬牛羊鳥魚虫貝米麦豆茶酒塩油"


def words(language, count, chance):
    found = {}
    while len(found) < count:
        made_up = (
            "".join(chance.sample(_SIGNS, 2)) if language == "ja" else "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(3)) + "k"
        )
        found[made_up] = None
    return list(found)


def texts(language, themes=4, days=9, seed=1, size=24):
    """Return [(text, theme)]. Half of the words of each theme are shared by all."""
    chance = random.Random(f"{language} {seed}")
    pool = words(language, size // 2 * (themes + 1), chance)
    common, own = pool[: size // 2], pool[size // 2 :]
    found = []
    for theme in range(themes):
        vocabulary = common + own[theme * size // 2 : (theme + 1) * size // 2]
        found += [(text(language, vocabulary, chance), theme) for _ in range(days)]
    chance.shuffle(found)
    return found


def text(language, vocabulary, chance, sentences=8):
    lines = [chance.sample(vocabulary, 5) for _ in range(sentences)]
    if language == "ja":
        return "".join("".join(f"{word}{chance.choice('はをにが')}" for word in line) + "見る。" for line in lines)
    return " ".join(" ".join(line).capitalize() + "." for line in lines)


def without_theme(language, days=30, seed=1):
    """Return days whose words come from one pool."""
    chance = random.Random(f"{language} {seed} none")
    pool = words(language, 120, chance)
    return [text(language, pool, chance) for _ in range(days)]


def date(number):
    return f"2025-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}"


def episode(number, text, source="events/s"):
    return made(date(number), text, CREATED, kind="day", by="extractive", covers=[(date(number), source, f"d{number}")])


def episodes(texts, begin=0):
    return [episode(begin + number, text) for number, text in enumerate(texts)]
