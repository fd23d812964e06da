"""Sentences that tell what somebody else said, what held elsewhere or formerly, or what was only imagined. None is a rule of the person who tells it.

What decides is grammar: who is the subject of a verb of saying, whether a sentence that comments it has the statement in quotation marks, whether the
past of a group is meant, whether the next sentence asks if it is so. In doubt a relayed rule is none.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.english_work import WORKS
from memorybank.text.prompts.reversing import reverses
from memorybank.text.words.scripts import has_kana

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SAYS = (
    r"(?:says|said|writes|wrote|claims|claimed|insists|insisted|recommends|recommended|suggests|suggested|argues|argued|asks|asked|tells|told|thinks|thought"
    r"|believes|believed|reports|reported|warns|warned|mentions|mentioned|commented|states|stated|advises|advised|proposes|proposed|demands|demanded|replied"
    r"|explains|explained|confirms|confirmed|posted|teaches|taught|reads|wants|wanted)"
)
_SAY = rf"(?:(?:keeps?|kept) \w+ing|{_SAYS}|say|write|claim|insist|recommend|suggest|argue|think|believe|advise|want)"
_OWN = r"(?:(?:the |our )?(?:[\w-]+ )?(?:team|policy|policies|guidelines?|conventions?|rules?|style guide|ci|check|lint|linter)|we|i|you)\b"
_NAMED = r"(?: (?!(?:must|should|shall|may|can|is|are|was|has|have|always|never|please|that|which|who|to)\b)[\w'@./-]+){0,5}"
_COMPLEMENT = (
    r"(?: (?:me|us|him|her|them|everyone|everybody))?(?: (?:in|on|to|at|from|under|about) [^:,\"“]{1,40}?)?"
    r"(?:,? *[:\"“]|,| that\b| to (?:always|never|not|only)\b| (?:we|you|one|it|every|all|always|never)\b)"
)
_BY_OTHERS = lazy_pattern(
    rf"^\W*+(?:(?:and|but|so|also|well|because|since|btw|fyi)\b\W*+)*+(?:(?:on|in|at|from) [^,:]{{1,30}}?,? (?=it|they|he|she))?(?!{_OWN})"
    rf"(?:(?:the|an?|my|our|your|his|her|their|some|this|that|one)\b{_NAMED}|(?:somebody|someone|people|they|he|she|it|others|everybody|everyone){_NAMED}"
    rf") {_SAY}{_COMPLEMENT}"
    rf"|^\W*(?:and |but |so )?(?!(?:i|we|you|it|never|always|please|that|this|no|don)\b)(?-i:[A-Z][\w'-]+)(?: (?:from|in|of|at) [\w-]+)? {_SAYS}{_COMPLEMENT}"
    rf"|^\W*(?:according to (?!(?:the |our )?(?:team|polic|guideline|convention|rules?\b|style guide))|in the words of\b"
    rf"|as (?!i\b|we\b)(?:[\w'-]+ ){{1,4}}{_SAY}\b)|[,\"”] (?!as (?:i|we)\b|i\b|we\b|you\b)(?:[\w'-]{{1,40}} ){{1,6}}(?:{_SAYS}|say)\W{{0,40}}$"
    r"|\b(?:i|we)(?: (?:was|were|got|have been)|['’]ve been) (?:told|taught|advised)\b",
    "i",
)
_LASTS = rf"\b(?:never|always|ever|any|in general|generally|we|everywhere|from now on|tabs|spaces|emojis?|{WORKS})\b"
_PROPOSED = lazy_pattern(
    rf"^(?!.*{_LASTS})\W*(?!(?:we|i|it|you|that|this|which)\b)(?:\w[\w'’-]* ){{1,5}}?"
    r"(?:suggest(?:s|ed)|propos(?:es|ed)|recommend(?:s|ed)|want(?:s|ed)|prefer(?:s|red)|(?:brought|brings) up|came up with|mention(?:s|ed)|ask(?:s|ed) for"
    r"|would (?:like|prefer)|(?:is )?push(?:es|ing) for|had the idea of) "
    r"[^,;.–—]{1,80}(?:[,;]| [–—]| -| but| and)(?: (?:but|and|though|personally|honestly|still|so)\b,?){0,3} "
    r"i(?:['’]d| would| do|['’]m| am|['’]ve)?(?: not|n['’]t)? ?(?:\w+ly |much |really )?(?:rather|prefer|like|want|hate|dislike|fond|keen)\b"
    r"|^(?![^。]{0,200}(?:絶対|今後|これから|必ず|常に|一切|禁止|ルール|方針|うち|コミット|テスト|コメント|命名|インデント|タブ|ドキュメント|ないで))"
    r"[^。、「」]{1,16}?(?:が|は|から|で|の案は)[^。、「」]{1,40}?(?:提案|勧め|薦め|推し|推薦|要望|案で|案だ|(?<=の案は)[^。、]{1,20}(?:です|だ))[^。、]{0,12}?"
    r"(?:けど|けれど|が|ので|のに|けれども)、[^。]{0,80}?(?:たくな|(?:方|ほう)が(?:いい|良い|好)|好き|好み|嫌|避けたい|[てで](?:ほしい|欲しい)|まま)",
    "i",
)
"""Matches what somebody proposed and what the person thinks of it: an opinion on one request. One on commits or tests may last."""
_PAST = "(?:wrote|went|had|did|was|were|took|gave|came|knew|saw|began|broke|chose|forgot|spoke|threw)"
_ELSEWHERE = lazy_pattern(
    r"^\W*(?:(?:and|but|so|also|well)\b\W*)*(?:(?:in|at|on|with|for|during) (?:my|our|an?|his|her|their) (?:previous|former|old|last|earlier|other) [\w-]+"
    r"|(?:my|our|his|her|their) (?:previous|former|old|last) [\w-]+(?: (?!(?:is|are|has|have|was|were)\b)[\w-]+)?"
    r" (?:always|never|only|used|would|had|did|\w+ed)\b(?! (?:call|use|be)\b)|when i (?:was|worked|used)\b|back (?:then|in the day|at)\b|in those days\b"
    r"|(?:they|he|she|people|others|other teams|competitors) (?:always|never|only|all)\b|(?:over )?(?:at|in) [\w ]{2,30},? they\b)"
    rf"|\b(?:always|never) {_PAST}\b|\b(?:we|i|they|he|she) (?:always|never) (?!(?:embed|seed|need|feed|speed|exceed|proceed)\b)\w+ed\b"
    r"|\b(?:we|i|they|he|she|people) (?:always |never )?used to\b(?!.{0,400}\b(?:now|but|today)\b)",
    "i",
)
_IMAGINED = lazy_pattern(
    r"\bi (?:(?:just|once|recently|even|have|had)\s)*(?:dream(?:t|ed)|imagined?|heard\b(?! back)|saw (?:that|somewhere)\b"
    r"|read (?:that|somewhere|in|on|about|once|an?|the)\b|(?:was )?wonder)"
    r"|^\W*(?:imagine|suppose|pretend|assume|let['’]?s say|what if)\b|\bin (?:a|my|the) (?:dream|movie|film|novel)\b"
    r"|\b(?:the (?:old )?joke|joking|kidding|as the (?:old )?(?:saying|proverb|song|slogan) goes|as they say|haha+|lol)\b",
    "i",
)
_ASKED = lazy_pattern(
    r"^\W*+(?:(?:and|but|so|ok(?:ay)?|also|well|btw|fyi|update)\b\W*+)*+(?:(?:i|we)(?:['’]ve| have| had)?\s)?(?:(?:just|also|already|finally|now)\s)*+"
    r"(?:(?:talked|spoke|spoken|chatted|discussed (?:it|this)|discussed|checked|checked back|met|had (?:a|another) (?:call|chat|meeting)) (?:to|with)"
    r"|got off the phone with|wrote (?:to|an? e?-?mail to)|phoned|called|rang|asked|e-?mailed|mailed|pinged|messaged|texted)"
    r"(?! (?:you|claude|that|it|this|them|for)\b) [^,:;.—–]{1,60}?(?:[,:;]| ?[—–]| -| and(?= (?:they|he|she)\b)) ",
    "i",
)
"""Matches whom a person asked or talked to, before what came of it."""
_DECIDED = lazy_pattern(
    r"\b(?:no longer|decided|agreed|dropped|cancel+ed|from (?:now|here) on|going forward|not allowed|forbidden)\b"
    r"|^(?:(?:and|so|please|we)\b\W*)*(?:never|always|do not|don['’]?t|stop|no more|ask)\b",
    "i",
)
_THEY_SAY = lazy_pattern(rf"\b(?:they|he|she) (?:all )?{_SAY}\b|\baccording to\b", "i")
_OWN_JA = "(?:私|僕|俺|自分|うち|我々|弊社|チーム)(?:たち|ら)?"
_BY_OTHERS_JA = lazy_pattern(
    rf"^(?!{_OWN_JA}(?:は|が|で))[^。「」]{{1,24}}?(?:が|は|から|も)、?[^。]*(?:と|よう(?:に)?)(?:主張|推奨|要望|要求|指摘|述べ|勧め|助言|提案)"
    rf"|^(?!{_OWN_JA}(?:は|が|で))[^。「」]{{1,16}}?(?:が|から|は(?=[^。「」]{{0,8}}「))[^。]*(?:と|って)(?:言|書|いっ)"
    r"|^[^。、「]{1,24}?(?:に|へ)(?:電話|連絡|確認|相談|質問|メール)し(?:た|ました)[^。]*って[よねさ]?[。！!]*$"
    rf"|^(?!{_OWN_JA}は)[^。「」]{{1,16}}は[^。]*と(?:言って|考えて|思って)い(?:る|ます|た|ました)(?!け|が|で|の|よ)"
    r"|によると|によれば|いわく|曰く|[てなだうい]そう(?:です|だ)[。よね！!]*$|らしい(?:です)?[。よね！!]*$|とのこと(?:です|だ)?[。！!]*$"
    r"|(?:と|って)(?:言われ|いわれ|聞(?:い(?!て(?:から|[くほ]))|き(?:ま|お))|聞かされ|教わ|教えられ|(?:[^。、]{1,8}で)?読(?:んだ|みま)"
    r"|書いてあ|書かれて|[^。「」、]{0,3}あり(?:ます|ました)[。]?$)|(?:と|との|という)(?:コメント|連絡|報告|要望|指摘|問い合わせ|意見|要求|返事|回答)(?:が|を)"
)
_ELSEWHERE_JA = lazy_pattern(
    r"^\W*(?:前の|以前|昔|かつて|当時|前職)(?![^。]*(?:廃止|移行|変更|やめ|変え|決め|移し|切り替え)(?:しました|ました|した|た))"
    r"[^。]*(?:ました|でした|[っいんたし]た|だった)(?:な[あぁ]?|よ|ね|けど)*[ー〜。！!]*$"
    r"|^\W*(?:他社|競合|よその?|(?:他|別|ほか)の(?:会社|チーム|プロジェクト))[^、。]{0,6}[はがで]"
)
_FOUND = lazy_pattern(
    r"^(?!.*\b(?:rules?|conventions?|polic(?:y|ies)|decision|decided|agreed|plan|always|never|from now on|in (?:the )?future|going forward|use|please|should"
    r"|must)\b)\W*(?:(?:so|but|and|because|since|as|it turned out(?: that)?)\b\W*)*"
    r"(?:the|its?|this|that|these|all|both)\b[^,;.:]{0,60}? (?:(?:was|were|had been)(?! \w*(?:ed|chosen|written|built|made|set|read|meant|kept|done|put)\b)"
    r"|came|arrived|returned|contained|turned out)\b[^,;.:–—]{0,80} (?:instead of|rather than)\b"
    r"|^(?![^。]*(?:ルール|決まり|決め|方針|規約|使うの|正しく|すみません|ごめん|間違))[^。、]{1,24}は[^。]{1,30}(?:ではな|じゃな)[^。]{1,30}"
    r"(?:でした|だった)[。！!]*$",
    "i",
)
"""Matches what somebody found: 「ファイルは UTF-8 ではなく cp932 でした」, "the file was cp932 instead of UTF-8"."""
_IMAGINED_JA = lazy_pattern(r"夢(?:を見|で見|の中|だった)|想像(?:し|する)|^\W*(?:仮に|もし)|冗談|ジョーク|ことわざ|格言|名言")
_ASKED_ABOUT = lazy_pattern(
    r"^\W*(?:do you (?:agree|think so|believe)|(?:is|isn['’]?t) (?:that|this|it) (?:even |really |still )?"
    r"(?:true|right|correct|so|sensible|reasonable|a good idea)"
    r"|what do you (?:think|say)|can you believe|(?:agreed?|really|true|right|correct|or not)\W*\?|should (?:we|i)(?: really)? (?:do|follow|believe)\b)"
    r"|^\W*(?:(?:これ|それ|この\S{1,6}|その\S{1,6})(?:は|って|で)?)?(?:本当|正し|合って|あって|どう思|信じ|賛成|妥当|おかしく)[^。]{0,14}(?:[?？]|か[。]?$)",
    "i",
)
_MARKS = (('"', '"'), ("“", "”"), ("「", "」"))
_LONGEST_QUOTATION = 5
"""Maximum number of sentences from the one in which a quotation begins to the one in which it ends. A mark without its other half is none."""


def is_reported(sentence: str) -> bool:
    """Return whether a sentence tells what somebody else said, what held elsewhere or formerly, or what was imagined."""
    patterns = (_BY_OTHERS_JA, _ELSEWHERE_JA, _IMAGINED_JA, _PROPOSED, _FOUND) if has_kana(sentence) else (_BY_OTHERS, _ELSEWHERE, _IMAGINED, _PROPOSED, _FOUND)
    return any(pattern.search(sentence) is not None for pattern in patterns) or _is_told(sentence)


def is_found(sentence: str) -> bool:
    """Return whether a sentence says what something turned out to be in contrast to something else, which nobody decided."""
    return _FOUND.search(sentence) is not None


def _is_told(sentence: str) -> bool:
    """Return whether a sentence says what came of asking somebody, and that is no decision: "I called the carrier: labels always have to be A6"."""
    asked = _ASKED.match(sentence)
    if asked is None:
        return False
    came = sentence[asked.end() :]
    return _THEY_SAY.search(sentence) is not None or not (reverses(came) or _DECIDED.search(came) is not None)


def is_relayed(said: Iterable[str], following: str) -> bool:
    """Return whether one of these texts is reported, or the sentence after them asks if it is so."""
    return _ASKED_ABOUT.search(following) is not None or any(map(is_reported, said))


def continued(said: Sequence[str]) -> set[int]:
    """Return the places of the sentences that begin within a quotation, or after a sentence that announces what somebody said."""
    found = {place + 1 for place, sentence in enumerate(said) if sentence.endswith((":", "：")) and is_reported(f"{sentence} x")}
    for begins, ends in _MARKS:
        begin = None
        for place, sentence in enumerate(said):
            is_open = sentence.count(begins) % 2 if begins == ends else sentence.count(begins) - sentence.count(ends)
            if begin is None and is_open > 0:
                begin = place
            elif begin is not None and is_open:
                found.update(range(begin + 1, place + 1) if place - begin < _LONGEST_QUOTATION else ())
                begin = None
    return found
