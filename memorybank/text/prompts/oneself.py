"""What a person says about themself: "I'm not a developer", "I don't know TypeScript well", 「プログラミング初心者なので」.

Such a clause lasts although the rest of its sentence asks for something now. It says who reads the answers, so it is kept alone. What is said about users of
the product, about one thing of the conversation ("I'm new to this bug") or under a condition says nothing about the person.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.scripts import is_japanese

_BEGIN = (
    r"(?:^|[,;.(] ?|\s[–—-]\s?|\b(?:because|since|but|and|remember that|keep in mind that|note that|as(?= i['’ ])) )"
    r"(?:(?:ok|okay|hi|hello|hey|sorry|also|btw|fyi|note|please|well|again|remember|personally|honestly|and|but|so)\b[,:]? ){0,3}"
)
_VERY = r"(?:(?:really|very|quite|pretty|totally|completely|relatively|fairly|still|also|all that|that|so|too|super|absolutely|just|only|actually) ){0,3}"
_NOT = r"(?:don['’]?t|do not|can['’]?t|cannot|can not|couldn['’]?t)"
_THING = (
    r"(?!(?!(?:programm|cod|test|script|debugg|network|engineer|comput|model)ing\b)\w+ing\b|(?:names|words|people|numbers)\b)"
    r"(?!(?:this|that|these|those|it|them|the|an?|your|how|what|why|where|when|which|if|whether|who|any of)\b)"
)
_PLACE = r"(?:(?:this|the|your|our) (?:whole )?(?:code ?base|project|repo|repository|language|framework|stack|tech stack|team|company)\b)"
_OF_NOW = (
    r"(?![\w.#+-]+(?: [\w.#+-]+)? (?:bug|issue|error|ticket|thread|discussion|chat|session|task|problem|feature|function|file|pr|branch|change|plan|idea)s?\b)"
)
_FIELD = (
    rf"(?:{_PLACE}|{_OF_NOW}{_THING}[\w.#+/-]{{1,30}}"
    r"(?: (?!(?:so|and|but|because|please|yet|well|very|at|before|enough|or|now|any|anymore|by|quite|pretty|fairly|really|rather)\b)"
    r"[\w.#+/-]{1,30}){0,2}(?![\w'’]))"
)
_ROLE = (
    r"(?:developer|dev|programmer|coder|(?:[\w-]+ )?engineer|techie|techn\w+ person|tech person|designer|statistician|[\w#+.-]+ (?:expert|specialist"
    r"|professional)|mathematician|sysadmin|dba|native (?:english )?speaker|scientist|computer person)"
)
_BY_TRADE = (
    r"(?:beginner|newbie|noob|novice|student|hobbyist|amateur|layman|layperson|non-?(?:developer|dev|programmer|coder|engineer|techie)|designer|teacher"
    r"|product (?:manager|owner)|project manager|researcher|scientist|(?:[\w-]+ )?(?:developer|engineer|programmer) by trade|marketer|writer|founder|lawyer"
    r"|doctor|musician|artist)"
)
_NO = r"(?:no|little|zero|not much|not a lot of|hardly any|very little|limited|almost no)"
_ENGLISH = lazy_pattern(
    rf"{_BEGIN}(?P<said>(?:i(?:['’]m| am) (?:really |definitely |sadly |also |still )?(?:not {_VERY}(?:much of )?an?|no) (?:(?!\w+ed\b)[\w#+.-]+ ){{0,2}}?"
    rf"(?:{_ROLE}s?\b(?!['’]| (?:of|on|for|in|at) (?!all\b))|(?:expert|specialist) (?:in|on|at|with) (?P<about_10>{_FIELD}))"
    rf"|i(?:['’]m| am) (?:not {_VERY}|{_VERY}non-?)(?:technical|tech-savvy|tech savvy)\b"
    rf"|i(?:['’]m| am) (?:just |only |still |also |really )?(?:an? )?(?:(?:complete|total|absolute|self-taught|ux|ui|graphic|data|game|web|[a-z]+ing"
    rf"|(?-i:[A-Z])[\w+#.]*) ){{0,2}}(?:{_BY_TRADE})\b(?!['’]| of\b)|i(?:['’]m| am) {_VERY}new to (?P<about_1>{_FIELD})"
    rf"|i(?:['’]m| am) (?:not {_VERY}(?:familiar|experienced|"
    rf"comfortable(?= (?:with|in|at) [\w.#+-]+(?:$|[,.;!)]| (?:so|and|but|because|yet)\b))|fluent|good|proficient|well[- ]versed)"
    rf"|{_VERY}(?:unfamiliar|inexperienced)) (?:with|in|at) (?!all\b)(?P<about_2>{_FIELD})"
    rf"|i {_NOT} (?:really |actually |even )?(?:know|understand|speak|read|write) (?:much |a lot |anything |any |a word )?(?:about |of )?(?P<about_3>{_FIELD})"
    r"(?: (?:very |so |that |too |all that |really )?(?:well|much))"
    rf"|i {_NOT} (?:really |actually |even )?know (?:much|a lot|anything|any|a thing|the first thing) (?:about |of )?(?P<about_4>{_FIELD})"
    r"|i (?:can['’]?t|cannot|can not|don['’]?t|do not) (?:really |actually |even )?(?:code|program|read code|write code|read or write code|understand code)\b"
    r"(?=\W*$|[,;.!)]| (?:so|and|but|at all|myself|well|very|because|yet|please)\b)"
    rf"|i {_NOT} (?:really )?speak (?P<about_7>(?-i:[A-Z])\w+)"
    rf"|i know (?:very little|next to nothing|almost nothing|nothing|little|not much)(?: about| of) (?P<about_5>{_FIELD})"
    rf"|i(?:['’]ve| have) (?:absolutely )?(?:(?:got )?{_NO} )(?:prior |real |previous |formal )?(?:experience|background|knowledge) (?:with|in|of"
    rf"|about) (?P<about_6>{_FIELD})"
    rf"|i(?:['’]ve| have) (?:absolutely )?(?:got )?{_NO} (?:prior |real |previous |formal )?(?:[\w-]+) (?:experience|background|knowledge|skills)\b"
    r"|i(?:['’]ve| have) never (?:used|written|programmed(?: in)?|coded(?: in)?|worked with|touched|learned|learnt|done(?: any)?) (?:any |a line of )?"
    r"(?P<about_8>(?-i:[A-Z])[\w.#+-]*|code|programming)(?= before\b|[,.;!]|$)(?: before\b)?"
    r"|i come from an? [\w#+ -]{2,30}? (?:background|world)|my background is (?:in )?(?:[\w#+-]+(?: [\w#+-]+)?)"
    r"|i(?:['’]m| am) (?:an? )?(?:colou?r[- ]?blind|dyslexic|visually impaired)(?: person)?"
    r"|(?:english|japanese) (?:is not|isn['’]t) my (?:first|native) (?:language)|my (?:native|first) (?:language|tongue) is (?-i:[A-Z])\w+"
    r"|my (?P<about_9>[A-Za-z#+]{2,15}) (?:is|isn['’]t|are) (?:not )?(?:very |really |quite |pretty |so |that |a bit |rather ){0,2}(?:poor|bad|rusty|weak|basic"
    r"|limited|great|good)(?= ?(?:[,;.!)]|$|so\b|and\b|because\b))))",
    "i",
)
_MY = frozenset(
    str.split(
        "english japanese german french spanish chinese rust python go java typescript javascript sql c c++ c# php ruby swift kotlin css math maths coding"
    )
)
_SUPPOSED = lazy_pattern(r"\b(?:if|when|unless|imagine|pretend|assume|assuming|suppose|as though|say|says|said|like) (?:that )?[\"“']?$", "i")
_EXPLAINS = lazy_pattern(
    r"^\W*(?:(?:please|and|also|now|can you|could you|would you|then)\b,? ){0,3}(?P<said>(?:explain|describe|tell me|walk me through|break (?:it|this"
    r"|that) down)"
    r"\b[^.;!?]{0,80}?\b(?:so that|so|in a way that|such that|in terms that|for) (?:an? |any |even an? |someone )?(?:[\w-]+ )?(?:non-?(?:developer|dev"
    r"|programmer|coder|engineer|technical (?:person|people|reader))s?|beginners?|layman|layperson|laypeople|novice)\b(?: (?:can|could|would"
    r"|will) [\w ]{2,30})?)",
    "i",
)

_SELF = r"(?:私|僕|俺|自分|わたし|ぼく|当方)"
_LEAD = (
    r"(?:^|[、。（])(?:(?:また|あと|なお|ただ|まだ|ちなみに|すみません(?:が)?|申し訳ない(?:です)?が|実は|正直(?:に言うと)?|全く(?:の)?"
    r"|まったく(?:の)?|完全に|ほぼ|何分|なにぶん)[、 ]?){0,3}"
    rf"(?:{_SELF}(?:自身)?(?:は|が|も|って)[、 ]?)?(?:(?:まだ|全く(?:の)?|まったくの|完全な|ただの|普段は|本業は|もともと|元々)[、 ]?){{0,2}}"
)
_LATIN = r"[A-Za-z][A-Za-z0-9+#.]{0,20}(?: [A-Za-z][A-Za-z0-9+#.]{0,20})?"
_TOPIC = (
    rf"(?:{_LATIN}|プログラミング|コーディング|プログラム|コード|開発|システム開発|ソフトウェア開発|(?:Web|ウェブ|アプリ)(?:開発)?|フロントエンド"
    rf"|バックエンド|インフラ|データベース"
    r"|ネットワーク|サーバー?|クラウド|フレームワーク|統計学?|数学|英語|日本語|技術(?:的な(?:こと|話))?|専門用語|機械学習|深層学習|デザイン"
    r"|セキュリティ|この(?:言語|分野|コードベース|プロジェクト)|ターミナル|コマンド(?:ライン)?|黒い画面|IT|パソコン)"
)
_ROLE_JA = (
    r"(?:非(?:エンジニア|開発者|プログラマー?|技術者|IT(?:系|職)?|技術職)|(?:ド)?素人|初心者|初学者|未経験(?:者)?|門外漢|文系(?:出身)?"
    r"|駆け出し(?:の?エンジニア|の?プログラマー?)?|ビギナー)"
)
_NO_ROLE_JA = r"(?:エンジニア|開発者|プログラマー?|技術者|専門家|IT系)"
_TRADE_JA = r"(?:デザイナー|学生|研究者|営業(?:職)?|教師|ライター|マーケター|プロダクトマネージャー|プロジェクトマネージャー|PM|医師|経営者|事務職)"
_SO = (
    r"(?:なので(?!す)|なのです(?:が|けど)?|なため|なもので|なんで"
    r"|なんです(?:が|けど)|ですので|ですから|です(?:が|けど)?|であるため|だから|だけど|で(?=、)|だ(?=[。、]|$)|である|$)"
)
_ABLE = r"(?:でも|にも|に|が)[^、。]{0,8}?(?:分か|わか|理解|解る|判る)[^、。]{0,10}?(?:ように|よう(?=、)|レベルで|言葉で)"
_LITTLE = (
    r"(?:(?:あまり|余り|全然|全く|まったく|ほとんど|殆ど|それほど|そこまで|そんなに|正直|まだ|一切|何も)[、 ]?){0,2}"
    r"(?:詳しく(?:は)?(?:ない|ありません|なく)|疎い|疎く|不慣れ|慣れてい?(?:ない|ません|なく)|明るく(?:ない|ありません)|苦手|(?:知識|経験|素養)(?:が"
    r"|は|も)(?:ない|ありません|なく|乏し|浅)"
    r"|(?:触る|使う|書く|扱う)?(?:の)?(?:は|が)?(?:今回が)?(?:初めて|はじめて)(?!の)|未経験|よく(?:は)?(?:知らない|知りません|分かっていない"
    r"|わかっていない|分からない|わからない|分かりません|わかりません))"
    r"(?:んです(?:が|けど)?|です(?:が|けど|ので|から)?|もので|な(?:ので|ため|んで|んです)|い?(?:ので|んで|ため|から)|(?:で)?(?=[、。]|$))(?!か)"
)
_JAPANESE = lazy_pattern(
    rf"{_LEAD}(?P<said>(?:(?P<about_1>{_TOPIC})(?:の|に関しては|については|は|に|が)?)?{_ROLE_JA}(?:の{_SELF}{_ABLE}|{_SO}(?!か))"
    rf"|{_NO_ROLE_JA}(?:では|じゃ)(?:ない|ありません|なく)(?:の{_SELF}{_ABLE}|ので|ため|から|んで|んです(?:が|けど)?|です|けど|、|。|$)(?!か)"
    rf"|(?!(?:API|UI|URL|CI|PR|ID|DB|CSV|JSON|HTML|PDF|README|error|log|bug|issue)s?[は がのにを])"
    rf"(?P<about_2>{_TOPIC})(?:を(?:触る|使う|書く|扱う)の)?(?:に(?:は|関しては)?|について(?:は)?|は|が|の)?{_LITTLE}"
    r"|(?:コード|プログラム|プログラミング|英語|日本語)(?:は|が|も)(?:全く|まったく|全然|ほとんど|あまり)?(?:書け|読め(?![^。]{0,40}(?:画像|スクショ|スクリーンショット|文字化け|貼|フォント|崩れ|直して))|でき|話せ|わから|分から|わかり"
    r"|分かり)(?:ない|ません)(?:ので|ため|から|んで|んです(?:が|けど)?|です|けど|、|。|$)(?!か)"
    r"|(?:プログラミング|コーディング|開発|技術的な|IT|エンジニア)(?:の)?(?:知識|経験|素養)(?:は|が|も)?(?:ほとんど|全く|まったく|あまり)?(?:ない"
    r"|ありません|ゼロ|皆無)(?:なのです(?:が|けど)?|な?ので|な?ため|から|んで|です|けど|、|。|$)(?!か)"
    r"|色覚(?:異常|特性|多様性)[^、。]{0,6}(?:ので|ため|です)|色(?:弱|盲)(?:なので|です))"
    rf"|(?:^|[、。])(?P<work>{_SELF}(?:は|も)(?:普段は?|本業は?|もともと)?[^、。はがを]{{0,8}}{_TRADE_JA}{_SO})(?!か)",
    "i",
)
_NO_LONGER = lazy_pattern(
    rf"{_BEGIN}(?P<said>i(?:['’]m| am) (?:not|no longer) (?:an? )?(?:(?:complete|total|absolute|real) )?(?:beginner|newbie|noob|novice|layman|layperson)\b"
    rf"(?: any ?more)?|i(?:['’]m| am) (?:not|no longer) {_VERY}new to (?P<about_1>{_FIELD})(?: any ?more)?"
    rf"|i know (?P<about_2>{_FIELD}) {_VERY}well (?:by )?now\b"
    rf"|i(?:['’]m| am) {_VERY}(?:familiar|comfortable|fluent) (?:with|in) (?P<about_3>{_FIELD}) (?:by )?now\b)"
    rf"|(?:^|[、。])(?P<said_ja>(?:もう|今は|既に|すでに)[、 ]?(?:(?P<about_4>{_TOPIC})(?:の|は))?(?:初心者|素人|初学者)(?:では|じゃ)(?:ない|ありません|なく)"
    rf"|(?P<about_5>{_TOPIC})(?:に(?:は|も)?|は)(?:もう|だいぶ|大分|かなり|すっかり|[、 ])*"
    r"(?:慣れ(?:て(?:き|い))?|詳しくなり?|詳しくなっ)(?:ました|た)(?!ら|か))",
    "i",
)
"""Matches that what a person once said of themself holds no longer."""
_SO_THAT = lazy_pattern(
    r"(?:なのです(?:が|けど)?|な?ので|な?ため|なもので|なんで|(?<=い)んで|もので|んです(?:が|けど)?|です(?:が|けど|ので|から)?|だから|だけど|から|けど|[、。])+$"
)
"""Matches the end of a clause that only leads to the request after it."""
_EXPLAINS_JA = lazy_pattern(
    rf"(?:^|[、。めかをは])(?P<said>(?:(?:全く(?:の)?|まったくの|完全な)?(?:{_TOPIC}の?)?{_ROLE_JA}){_ABLE}[^、。]{{0,12}}?(?:教えて|説明して|解説して|話して))"
)
_FOR_OTHERS = lazy_pattern(
    r"ユーザー?(?!名)|利用者|お?客(?:様|さん)?|顧客|読者|向け|社員|メンバー|チームの|README|資料|ドキュメント|文書|マニュアル|手順書|記事|ブログ"
    r"|ヘルプ|ページ(?:に|を|で)|画面|アプリ(?:に|を|で)|もし|仮に|場合|つもり"
    r"|\b(?:users?|customers?|readers?|docs?|documentation|readme|page|button|screen|blog|article|copy|persona|act as|role-?play)\b",
    "i",
)
"""Matches who or what else a sentence may speak of: readers of the product and its texts, or a case that is only assumed."""
_MAY = lazy_pattern(
    r"\bi(?:['’](?:m|ve)| (?:am|don|do|can|cannot|couldn|know|have|come))\b|\b(?:my|explain|describe|tell|walk|break|english|japanese)\b"
    r"|エンジニア|開発者|プログラマ|技術者|専門家|IT|人|者|学|門外漢|文系|駆け|ビギナー|職|詳し|疎|慣れ"
    r"|明る|苦手|知|経験|素養|初めて|はじめて|分か|わか|書け|読め|でき|話せ|色|私|僕|俺|自分|わたし|ぼく|当方|なりま",
    "i",
)
"""Matches every such sentence, and is compiled in a hundredth of the time of the others."""
_LONGEST, _LONE_WORD = 300, 3
OF_ONESELF = "oneself:"
"""Begins the subject of such a statement."""
_TECHNICAL = "engineer"
_WITHOUT_SKILL = lazy_pattern(
    r"\b(?:developer|dev|programmer|coder|engineer|techie|techn\w+ person|tech person|computer person|technical|tech[- ]savvy|code|coding|programming|program"
    r"|beginner|newbie|noob|novice|layman|layperson|non-?\w+)\b"
    r"|エンジニア|開発者|プログラ|技術|素人|初心者|初学者|門外漢|コード|コーディング|文系|(?-i:(?<![A-Za-z])IT(?![A-Za-z]))",
    "i",
)


def of_oneself(sentence: str) -> str:
    """Return the clause of a sentence in which a person says who they are, or what they do not know; "" for none."""
    if len(sentence) > _LONGEST or _MAY.search(sentence) is None or _FOR_OTHERS.search(sentence) is not None:
        return ""
    over = _NO_LONGER.search(sentence)
    if over is not None:
        return "" if _SUPPOSED.search(sentence, 0, over.start()) else over["said"] or over["said_ja"]
    if not sentence.isascii() and is_japanese(sentence):
        found = _JAPANESE.search(sentence) or _EXPLAINS_JA.search(sentence)
        said = "" if found is None else (found.groupdict().get("work") or found["said"]).rstrip("、。")
        short = _SO_THAT.sub("", said)
        return short if len(short) > _LONE_WORD else said  # 「素人」 alone says of nobody that they are one
    found = _ENGLISH.search(sentence) or _EXPLAINS.search(sentence)
    if found is None or _SUPPOSED.search(sentence, 0, found.start("said")) is not None:
        return ""
    mine = found.groupdict().get("about_9")
    return found["said"].rstrip(".") if mine is None or mine.lower() in _MY else ""


def is_of_person(text: str) -> bool:
    """Return whether a text contains such a clause that is about the person who typed it. One that only says for whom an answer is to be understandable may be
    about that answer alone."""
    return of_oneself(text) != "" and _EXPLAINS.search(text) is None and _EXPLAINS_JA.search(text) is None


def subject_of_oneself(text: str) -> str:
    """Return the key of a statement that is such a clause, the same for all that are about the same; "" for another statement."""
    if of_oneself(text) != text:
        return ""
    found = _NO_LONGER.search(text) or (_JAPANESE if is_japanese(text) else _ENGLISH).search(text)
    groups = found.groupdict() if found is not None else {}
    named = next((said for name, said in groups.items() if said and name.startswith("about_")), "")
    if named and _WITHOUT_SKILL.search(named) is None:
        return f"{OF_ONESELF}{named.lower().replace(' ', '-')}"
    return f"{OF_ONESELF}{_TECHNICAL if _WITHOUT_SKILL.search(text) is not None else text.lower()}"


def holds_no_longer(text: str) -> bool:
    """Return whether such a clause ends an earlier one: "I'm no longer new to Rust"."""
    return _NO_LONGER.search(text) is not None
