"""Prompts for measuring recall: some that no generated note is about, and some that paraphrase a note.

Both languages have equal shares. The same seed gives the same prompts. `unrelated` has two sets of subjects, so that thresholds tuned on
one can be checked on the other.
"""

import random
import re

_split = str.split

_ENGLISH_ASKS = (
    "Can you explain how {} works?", "Write a short poem about {}.", "What is the best way to learn {}?", "Help me plan {} for next weekend.",
    "Summarise the history of {} in five sentences.",
    "Why do people like {} so much?", "I'm stuck with {}, any ideas?", "Compare {} and {}.", "Please add {} to the page we talked about.",
    "How much does {} usually cost?",
    "Draft an email to my landlord about {}.", "Is {} safe for children?", "Give me three exercises about {}.",
    "Translate this sentence about {} into French.", "List common mistakes with {}.",
    "Could you refactor the part that handles {}?", "Make {} look nicer on small screens.", "What changed in {} since last year?",
    "Explain {} to a ten-year-old.", "Find a cheaper alternative to {}.",
)  # fmt: skip
_ENGLISH_SUBJECTS = (
    (
        "sourdough bread", "the French revolution", "a kitchen garden", "quantum entanglement", "watercolour painting", "the offside rule",
        "a birthday party for twins", "mortgage interest",
        "a React carousel with swipe gestures", "CSS grid gutters in Safari", "the solar eclipse", "a haiku contest", "knee pain after running",
        "vegan lasagna", "the Roman aqueducts",
        "Kubernetes ingress annotations", "a Fibonacci exercise in Haskell", "the tides in Brittany", "chess openings for beginners",
        "a WebGL particle fountain", "Portuguese verbs", "thunderstorms",
        "a cover letter for a bakery", "jazz harmony", "sunscreen", "an Excel pivot chart", "regexes for phone numbers", "a hamster cage",
        "Bayesian inference", "the Swiss train timetable",
    ),
    (
        "homemade yoghurt", "the Ottoman empire", "a rooftop terrace", "black holes", "wood carving", "the tie-break in tennis", "a farewell dinner",
        "student loans", "a Svelte date picker",
        "flexbox wrapping on iPads", "lunar craters", "a limerick about penguins", "back pain from sitting", "gluten-free pancakes",
        "Gothic cathedrals", "Terraform modules for DNS zones",
        "quicksort in Prolog", "coral reefs", "backgammon strategy", "a shader for water ripples", "Finnish grammar", "hailstones",
        "a reference for my nanny", "drum fills", "mosquito bites",
        "a Google Sheets budget", "parsing postal addresses", "an aquarium filter", "linear regression", "the ferry to Naxos",
    ),
)  # fmt: skip
_JAPANESE_ASKS = (
    "{}について簡単に説明してください。", "{}の歴史を五行でまとめて。", "{}の作り方を教えてください。",
    "週末に{}をしたいのですが、何から始めればいいですか？", "{}と{}はどう違いますか？",
    "{}の費用はだいたいいくらですか？", "{}が苦手な人へのアドバイスをください。", "{}についての俳句を詠んで。", "子どもに{}を教えるコツは？",
    "{}の画面をもっと見やすくしてほしい。",
    "{}のおすすめを三つ挙げて。", "大家さんに{}のことでメールを書いて。", "{}がうまくいきません。助けて。", "{}を英語で何と言いますか？",
    "初心者向けの{}の本はありますか？",
)  # fmt: skip
_JAPANESE_SUBJECTS = (
    (
        "カレーライス", "明治維新", "家庭菜園", "量子もつれ", "水彩画", "サッカーのオフサイド", "誕生日会", "住宅ローン", "スマホ向けの横スクロール",
        "皆既日食", "膝の痛み", "将棋の戦法", "梅酒",
        "京都の紅葉", "ギターの練習", "ハムスターの飼い方", "婚約指輪", "折り紙の鶴", "花粉症", "ロシア語の発音", "台風の進路", "ピアノの調律",
        "盆栽の剪定", "相撲の番付", "茶道の作法",
    ),
    (
        "味噌汁", "戦国大名", "ベランダの日よけ", "ブラックホール", "木彫りの熊", "テニスのタイブレーク", "送別会", "奨学金", "折りたたみメニュー",
        "月のクレーター", "腰のストレッチ", "囲碁の定石",
        "パンケーキ", "沖縄の珊瑚", "ドラムの叩き方", "熱帯魚の水槽", "ひな人形", "書道の筆", "蚊よけ", "フィンランドの気候", "雹の被害",
        "三味線の弦", "生け花", "歌舞伎の隈取", "剣道の段位",
    ),
)  # fmt: skip

_ENGLISH_ABOUT = (
    "What do we know about {}?",
    "I want to change {}; is anything written about it?",
    "Please look into {} and tell me what we decided.",
    "can you fix {}",
    "How did we do {} last time?",
)
_JAPANESE_ABOUT = (
    "{}について教えて",
    "{}の件は以前どう決めましたか？",
    "{}を直したいのですが注意点はありますか",
    "{}を調べて修正してください",
    "{}のことを覚えていますか",
)
_ENGLISH_JOINTS = (" ", " and ", " of the ", " with ", " when ", ", ")
_JAPANESE_JOINTS = ("の", "と", "を", "で", "が", "、")
_FUNCTION = frozenset(
    _split("the to of and a in is for that it on with as be this are was by not or we from when at an if which has so but then only after before each")
)


def unrelated(seed: int, count: int, subjects: int = 0) -> list[str]:
    """Return prompts about bread, poems, sports, travel and unrelated code, every second one in Japanese. subjects: which of the two sets."""
    chance = random.Random(f"unrelated {seed} {subjects}")
    found: dict[str, None] = {}
    while len(found) < count:
        asks, things = (_ENGLISH_ASKS, _ENGLISH_SUBJECTS[subjects]) if len(found) % 2 == 0 else (_JAPANESE_ASKS, _JAPANESE_SUBJECTS[subjects])
        ask = chance.choice(asks)
        found[ask.format(*chance.sample(things, ask.count("{}")))] = None
    return list(found)


def about(text: str, chance: random.Random, title: str = "") -> str | None:
    """Return a question about the content of a generated note: four to six content words of one of its sentences, or of its title and a sentence,
    in another order, with other words around them. None if the note has no suitable sentence."""
    japanese = bool(re.search("[\u3041-\u30ff\u4e00-\u9fff]", text[:400]))
    words_of = _japanese_words if japanese else _english_words
    sentences = [words for words in map(words_of, _sentences(text)) if len(words) >= 4]
    if not sentences:
        return None
    words = chance.choice(sentences)
    words = chance.sample(words, min(chance.randint(4, 6), len(words)))
    if title and chance.random() < 0.5:
        words = list(dict.fromkeys([*words_of(title), *words[:3]]))
    chance.shuffle(words)
    asked, joints = (_JAPANESE_ABOUT, _JAPANESE_JOINTS) if japanese else (_ENGLISH_ABOUT, _ENGLISH_JOINTS)
    subject = words[0] + "".join(chance.choice(joints) + word for word in words[1:])
    return chance.choice(asked).format(subject)


def _sentences(text: str) -> list[str]:
    """Return the plain sentences of a generated note, without front matter, code, links or addresses."""
    body = text.split("\n---\n", 1)[1] if text.startswith("---\n") else text
    parts = re.split(r"(?<=[.。])\s*|\n", re.sub(r"```.*?```", "", body, flags=re.S))
    return [part for part in parts if not any(sign in part for sign in ("](", "[[", "://", "#", "`"))]


def _english_words(sentence: str) -> list[str]:
    return list(dict.fromkeys(word for word in re.findall(r"[A-Za-z_]{3,}", sentence) if word.lower() not in _FUNCTION))


def _japanese_words(sentence: str) -> list[str]:
    """Return runs of kanji or katakana of at least two characters."""
    return list(dict.fromkeys(re.findall(r"[\u4e00-\u9fff々]{2,}|[\u30a1-\u30ff]{2,}", sentence)))
