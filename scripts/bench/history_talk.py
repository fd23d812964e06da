"""What people and agents say in generated histories, in English or Japanese: prompts that paraphrase, descriptions, outputs, closing messages."""

import random
from collections.abc import Sequence

import history_words as words
from history_decisions import Choice
from history_project import ENGLISH, Entry, Feature

_GOALS = (
    (
        "The {aspect} of {area} {symptom}. Please look into it.",
        "{area}: the {aspect} {symptom}. It has to do with the {detail}.",
        "Can you fix the {aspect} for {area}? It {symptom}.",
        "People complain about {area}; the {aspect} {symptom}, mostly the {detail}.",
        "Next: {aspect} in {area}. It {symptom}.",
        "I want the {detail} right in the {aspect} ({area}). At the moment it {symptom}.",
        "There is a ticket that says the {aspect} of our {area} {symptom}. Find out why and change it.",
        "We promised that {area} gets a better {aspect}: it {symptom}.",
        "{detail} and {detail2} in {area}, {aspect}: it {symptom}.",
        "please improve the {aspect} around {area}, the {detail2} is what matters",
        "Somebody from sales says the {aspect} {symptom}. That is {area}, I think. Also think of the {detail}.",
        "work on {area} / {aspect} today. It {symptom}.",
    ),
    (
        "{area}の{aspect}が{symptom}。調べて直してください。",
        "{area}の件です。{aspect}の{detail}を直したいです。{symptom}。",
        "{aspect}({area})で{detail}を見直して。{symptom}。",
        "お客様から{area}について苦情が来ています。{aspect}が{symptom}。",
        "次は{area}の{aspect}です。{symptom}。",
        "{detail}と{detail2}に関係しますが、{area}の{aspect}が{symptom}。",
        "営業から{aspect}が{symptom}と言われました。たぶん{area}です。",
        "{area}まわりの{aspect}を改善してください。大事なのは{detail2}です。",
        "今日は{area}の{aspect}をお願いします。{symptom}。",
        "{area}の{aspect}の{detail}、{symptom}。原因から説明してください。",
    ),
)
_FOLLOW_UPS = (
    (
        "Good. Now do the same for the {detail}.",
        "Looks right, but what about {detail}?",
        "continue",
        "Also cover the {detail2} with a test.",
        "go on",
        "One more thing: the {detail2}.",
        "Thanks. Please finish what is left of the {aspect}.",
        "ok, and the rest of it?",
    ),
    (
        "いいですね。{detail}も同じようにしてください。",
        "続けて",
        "{detail2}の試験も足してください。",
        "{detail}はどうですか？",
        "残りの{aspect}も仕上げて。",
        "もう一点、{detail2}もお願いします。",
    ),
)
_QUESTIONS = (
    (
        "How does the {aspect} of {area} work? Don't change anything yet.",
        "Explain to me where the {detail} of {area} is handled ({aspect}).",
        "Why does the {aspect} of {area} behave like this? Only look.",
    ),
    (
        "{area}の{aspect}はどういう仕組みですか？まだ変更しないで。",
        "{area}の{detail}はどこで処理していますか？({aspect})",
        "{aspect}の動きを説明してください。{area}です。見るだけで。",
    ),
)
_STANDING = (
    ("Also add it to {popular}.", "{popular} will have to change with it.", "It belongs into {popular} too.", "(see {popular})"),
    ("{popular} にも書いて。", "{popular} も合わせて直して。", "({popular} も更新)"),
)
_INTERRUPTS = (
    ("no, not there: this is about the {aspect}.", "Stop. That is the wrong place, I mean {area}."),
    ("そこではなく{aspect}の方です。", "止めて。{area}の話です。"),
)
_REPEATS = (("As I said before: {wish}", "no. {wish}", "{wish}"), ("前にも言いましたが、{wish}", "違います。{wish}", "{wish}"))
_LASTS = (
    (
        "Done: the {aspect} of {area} handles the {detail} now. Changed {files}; tests pass.",
        "The {detail} was computed too early. I changed {files} and the tests are green.",
        "I fixed the {aspect}. What is left: the {detail2}.",
        "Changed {files}. The {area} part behaves as you described now.",
        "All done, everything passes.",
    ),
    (
        "{area}の{aspect}を直しました。{files} を変更し、試験も通っています。",
        "{detail}の計算が早すぎたのが原因でした。{files} を修正しました。",
        "{aspect}の修正が終わりました。{detail2}は残っています。",
        "対応しました。試験は全部通っています。",
    ),
)
_ANSWERS = (
    (
        "The {aspect} takes the {detail} from the request and leaves the {detail2} to the model.",
        "It is spread over two places: the {detail} first, then the {detail2}.",
        "Short answer: the {area} part never looks at the {detail}.",
    ),
    (
        "{aspect}は{detail}を先に決めて、{detail2}は後で計算しています。",
        "{area}では{detail}を見ていません。",
        "処理は二か所に分かれています。先に{detail}、次に{detail2}です。",
    ),
)
_DONE = (("Done.", "That went through.", "Finished, no errors.", "Ready."), ("終わりました。", "問題なく完了しました。", "できました。"))
_DESCRIPTIONS = {
    "test": (("Run the {aspect} tests", "Check whether the tests pass", "Run tests for {area}"), ("{aspect}の試験を実行", "試験を確認", "{area}の試験")),
    "make": (("Write the derived file anew", "Regenerate", "Bring generated files up to date"), ("生成物を作り直す", "派生ファイルを更新")),
    "fix": (("Try to get rid of the error", "Repair the environment", "Fix the cause"), ("エラーの原因を取り除く", "環境を直す")),
    "chore": (("Do as asked", "Next step", "Run the step"), ("依頼された作業", "次の手順")),
    "git": (("Look at what changed", "Save the work"), ("変更を確認", "作業を保存")),
    "look": (("Look around", "Find the place", "See what is there"), ("場所を探す", "中身を見る")),
}
_READS = (
    ("def {a}(value):\n    return {b}(value.{c})", "const {a} = use{b}({c})", "if {a}.{b} is None:\n    raise ValueError({c})", "# {detail}: see {b}"),
    ("# {detail}の扱いは{b}を参照", "def {a}(value):  # {detail}"),
)


def is_japanese(language: str) -> bool:
    return language != ENGLISH


class Talk:
    """Produces everything that is said in one session, in its language. chance: the session's random generator."""

    def __init__(self, language: str, chance: random.Random) -> None:
        self.chance = chance
        self.side = int(is_japanese(language))

    def pick(self, both: Sequence[Sequence[str]]) -> str:
        return self.chance.choice(both[self.side])

    def saying(self, entry: Entry) -> str:
        """Return one way to say it, more often than not the usual one."""
        sayings = entry[1 + self.side]
        return sayings[0] if self.chance.random() < 0.55 else self.chance.choice(sayings)

    def goal(self, feature: Feature) -> str:
        return self._about(self.pick(_GOALS), feature)

    def follow_up(self, feature: Feature) -> str:
        return self._about(self.pick(_FOLLOW_UPS), feature)

    def question(self, feature: Feature) -> str:
        return self._about(self.pick(_QUESTIONS), feature)

    def interrupt(self, feature: Feature) -> str:
        return self._about(self.pick(_INTERRUPTS), feature)

    def answer(self, feature: Feature) -> str:
        return self._about(self.pick(_ANSWERS), feature)

    def about(self, both: Sequence[Sequence[str]], feature: Feature, choice: Choice) -> str:
        """Return one way to say something about a decision."""
        return self._about(self.pick(both), feature, **choice.words(self.side))

    def done(self) -> str:
        return self.pick(_DONE)

    def standing(self, popular: Sequence[str]) -> str:
        return self.pick(_STANDING).format(popular=("、" if self.side else ", ").join(popular))

    def repeated(self, wish: str) -> str:
        return self.pick(_REPEATS).format(wish=wish)

    def last(self, feature: Feature, files: Sequence[str]) -> str:
        named = ("、" if self.side else ", ").join(f"`{path}`" for path in files[:3]) or ("関連する箇所" if self.side else "the place in question")
        return self._about(self.pick(_LASTS), feature, files=named)

    def description(self, kind: str, feature: Feature | None) -> str:
        text = self.pick(_DESCRIPTIONS[kind])
        if feature is None:
            return text.split(" {")[0].replace("{aspect}の", "").replace("{area}の", "")
        return self._about(text, feature)

    def content(self, feature: Feature | None) -> str:
        """Return two or three lines of a file."""
        chance = self.chance
        lines = []
        for _ in range(chance.randint(2, 3)):
            shape = chance.choice(_READS[self.side] if self.side and chance.random() < 0.5 else _READS[0])
            detail = self.saying(chance.choice(feature.details if feature else words.DETAILS))
            names = chance.sample(words.IDENTIFIERS, 3)
            lines.append(shape.format(a=names[0], b=names[1], c=names[2], detail=detail))
        return "\n".join(lines)

    def stuck(self) -> str:
        """Return an error of a wrong track, for which there is no fix."""
        return ("AssertionError: {} != {}", "検証エラー: {} と {} が違います")[self.side].format(*self.chance.sample(words.IDENTIFIERS, 2))

    def passed(self) -> str:
        count, seconds = self.chance.randint(3, 60), self.chance.uniform(0.2, 30)
        return self.chance.choice((f"{count} passed in {seconds:.2f}s", f"ok  {seconds:.3f}s", f"Tests  {count} passed ({count})"))

    def _about(self, text: str, feature: Feature, **known: str) -> str:
        first, second = self.chance.sample(feature.details, 2)
        symptoms = words.SYMPTOMS_JA if self.side else words.SYMPTOMS_EN
        symptom = symptoms[self.chance.choice(feature.symptoms)] if self.chance.random() < 0.5 else self.chance.choice(symptoms)
        known |= {"area": self.saying(feature.area), "aspect": self.saying(feature.aspect), "detail": self.saying(first), "detail2": self.saying(second)}
        return text.format(symptom=symptom, **known)
