"""Finds the check that a person ran and that fails: "`mise run test:ci` is failing", 「npm run lint が通らない」.

A person who says so in several sessions runs a check that the agents left out. Conditions and wishes ("if `npm test` fails", "it must fail") say
nothing about a run.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands.forms import is_program, of_command
from memorybank.text.commands.purposes import checks
from memorybank.text.pattern import lazy_pattern

_FAILS = (
    r"(?:(?:and|but) )?(?:it )?(?:(?:is|are|was|were|keeps?|still|now|again|just|always) ){0,3}(?:fail(?:s|ing|ed)?\b|broken?\b|red\b|crash(?:es|ed|ing)?\b"
    r"|complain(?:s|ed|ing)?\b|errors? out\b|(?:show|giv|gave|report|has|have|throw|threw|print|produc|return|end|exit)\w* (?:[\w-]+ ){0,5}?"
    r"(?:errors?|failures?|warnings?)\b(?! (?:object|array|message|code|for)s?\b)|(?:and )?(?:i|we)? ?(?:get|got|see|saw|have) (?:[\w-]+ ){0,4}?"
    r"(?:errors?|failures?|warnings?)\b|does(?:n't| not) (?:pass|work|run|compile|build)\b)"
)
_BEFORE = r"^(?:.{0,60}\b(?:why|when|that|but|and|also|now|still|because)\W+)?(?:(?:does|i|we|you) )?(?:(?:re)?(?:run|ran|running|try|trying) )?"
_WORD = r"(?!(?:is|are|was|were|not|and|or|but|to|has|it|in|on|for|with)\b)[\w./@:-]+"
_ENGLISH = (
    lazy_pattern(rf"[`\"“]([^`\"”]{{3,60}})[`\"”],? {_FAILS}", "i"),
    lazy_pattern(rf"{_BEFORE}((?!(?:it|this|that|they)\b)[\w./@-]+(?: {_WORD}){{0,4}}?)(?: (?:in|on|for) [\w./@-]+)?,? {_FAILS}", "i"),
    lazy_pattern(
        r"\b(?:tests?|checks?|ci|build|lint(?:er|ing)?|types)\b.{0,20} fail(?:s|ing|ed)?\b[^`\"“]{0,40}\brun(?:ning)?:? [`\"“]([^`\"”]{3,60})[`\"”]", "i"
    ),
)
_JAPANESE = (
    lazy_pattern(
        r"(?:[`「\"]([^`」\"]{3,60})[`」\"]|(?<![A-Za-z0-9_./`-])([A-Za-z0-9_./@-]{1,40}(?: [A-Za-z0-9_./@:-]{1,40}){0,4}))\s?"
        r"(?:(?:を(?:実行|走らせ)|したら|すると)[^。、]{0,8}[、\s]?)?(?:が|は|で|も)?(?!通[るっり])[^。、`「」A-Za-z]{0,8}?"
        r"(?:失敗(?:し(?:て(?!も)|た(?!テスト|ら|時|とき|場合)|ま(?:す|し))|する(?!こと|ケース|場合)|中|です|[。！!]?$)|落ち(?:る|た|ま(?:す|し)|て(?!も))"
        r"|(?:通|動)(?:らな|らず|りませ|かな|きませ)|こけ[るたてま]|コケ[るたてま]|怒られ|赤[いくに]"
        r"|エラー(?:[。！!]?$|です|にな(?:る|っ|りま[すし])|(?:が|を)?(?:\d+ ?[件個]?)?(?:が|も)?(?:出|で)(?:る|た|てい|てる|て$|ま[すし])|を?吐|があ)"
        r"|警告が(?:出|で)(?:る|た|てい|てる|ま[すし]))"
    ),
)
_SAYS_NO_TARGET = frozenset(str.split("the a an it this that these sure your my our all"))
_CHECKS_NOTHING = frozenset(str.split("git gh rm rmdir unlink cp mv mkdir touch chmod curl wget ssh sudo kubectl helm brew apt systemctl"))
_DOES_MORE = frozenset(str.split("deploy publish release destroy drop reset delete remove push apply migrate purge wipe clean"))
"""Words of a command that must not be run only because it also checks something."""
_OF_SCRIPT = lazy_pattern(r"(?:\./[\w-]+|(?:\./)?(?:[\w.-]+/)*(?:bin|scripts?|tools?|ci|hack|dev)/(?:[\w.-]+/)*[\w-]+)(?:\.(?:sh|bash|py|rb))?\Z")
"""Matches the path of what is run, not that of the code that is worked on."""
_PARTS = lazy_pattern("[^a-z]+")
_SUPPOSED = (
    lazy_pattern(
        r"\b(?:if|unless|until|whether|should|must|would|could|may|might|expected|supposed|make sure|no longer|never|once|what happens|what to do|anymore"
        r"|(?:check|verify|confirm|see|assert) that|(?:before|without) (?:the|your|my|our) (?:change|fix)|instead|replaced|deprecated|removed|ignor\w+|fixed"
        r"|stop|works? (?:now|again|fine)|(?:is|are|that's|it's) (?:fine|ok|okay|normal)|not (?!sure|pass|work|run|compile|build)|(?:says?|said)|reports? that"
        r"|title|heading|commit message|(?:an)?other (?:repo|project)\w*|(?:no|zero|0|without(?: any)?) (?:[\w-]+ )?(?:errors?|failures?|warnings?))\b"
        r"|[`\"”] (?:when|so that)\b|don't|[,;:] (?:please )?use\b|^\W*when(?:ever)? (?!(?:i|we|you|running)\b)"
        r"|^\W*(?:please )?(?:does|is|did|do|has|have|will|verify|add|write|rename|document|print|create|implement|log|handle|display|mention)\b",
        "i",
    ),
    lazy_pattern(
        r"(?:たら|れば|なら|場合|とき|時)(?!間)(?!.{0,40}(?:失敗|エラー|通ら|落ち|こけ|コケ|怒|動か))|ように|べき|はず|かもしれ|なくな|ますか|るか|たか"
        r"|不要|無視|気にし|想定|直(?:し(?:た|ま)|っ)|修正(?:した|しました|済)|解決(?:した|しました|済)|ないで(?!す)|やめ|廃止|代わり|ではなく|使わな"
        r"|と(?:書|記載)|[別他]の(?:リポ|プロ)|ケースのテスト|機能を|処理を"
    ),
)
_CLAUSE_END = lazy_pattern(r"[,;:] |[、。]")
_LONGEST_REPORT = 80
_AROUND = (
    (
        lazy_pattern(r"\W*(?:(?:when|running|now|again|still|but|and|also|i|the)\W+)*", "i"),
        lazy_pattern(r"(?: (?:in|on|for|with) (?:(?:the|my|our) )?[\w./-]+(?: [\w-]+){0,2})?[.!:]*", "i"),
    ),
    (lazy_pattern(r"(?:手元で|まだ|また|今|なぜか|\W)*"), lazy_pattern(r"(?:(?:て)?(?:いま|い)?(?:した|します|ます|す|る|た|です))?[。！!]*")),
)
"""Match what may stand before and after a report of which every word is about the run."""
_ENGLISH_CALL = rf"(?:[`\"“]([^`\"”]{{3,60}})[`\"”]|([\w./@-]+(?: {_WORD}){{0,4}}))"
_ENDED = (
    lazy_pattern(
        rf"\b(?:(?:stop|don't|do not|never|need to|needn't|no longer|not)(?: (?!run|us|call|forget|hesitate)\w+){{0,2}} (?:run|us|call)(?:e|ning|ing)?"
        rf"|instead of|rather than) {_ENGLISH_CALL}",
        "i",
    ),
    lazy_pattern(
        rf"(?:^|[,;.] ){_ENGLISH_CALL} (?:(?:is|was|has been|got) (?:now )?(?:gone|removed|deleted|deprecated|obsolete|replaced|dropped)|no longer)\b", "i"
    ),
    lazy_pattern(
        r"[`「\"]?(?<![A-Za-z0-9_./-])([A-Za-z0-9_./@-]{1,40}(?: [A-Za-z0-9_./@:-]{1,40}){0,4})[`」\"]?\s?(?:は|を|の|も)?[^。A-Za-z]{0,8}?"
        r"(?:(?:実行し|走らせ|回さ|使わ)な|やめ|不要|[い要]らな|廃止|削除(?:した|しました|され)|代わり|ではなく|じゃなく|なくなり|なくなっ)"
    ),
)


def failing_check(sentence: str) -> str:
    """Return the form of the check that a sentence says was run and fails; "" if it says of none."""
    patterns, supposed = (_ENGLISH, _SUPPOSED[0]) if sentence.isascii() else (_JAPANESE + _ENGLISH[:1], _SUPPOSED[1])
    if supposed.search(sentence):
        return ""
    for pattern in patterns:
        for found in pattern.finditer(sentence):
            forms = of_command(next(filter(None, found.groups())))
            if forms and all(map(_is_check, forms)):
                return forms[0]
    return ""


def bare_report(sentence: str) -> str:
    """Return the clause of a report that says nothing but that a check fails; "" if it says more: an order, a value, a reason."""
    english = sentence.isascii()
    before, after = _AROUND[not english]
    for clause in map(str.strip, _CLAUSE_END.split(sentence)):
        for pattern in (_ENGLISH if english else _JAPANESE) if len(clause) <= _LONGEST_REPORT and "=" not in clause else ():
            found = pattern.search(clause)
            if found is not None and before.fullmatch(clause, 0, found.start()) and after.fullmatch(clause, found.end()) and failing_check(clause):
                return clause.rstrip(".!:。！").replace('"', "`")
    return ""


def ended_check(sentence: str) -> str:
    """Return the form of the check that nobody should run any more, as a sentence says, perhaps with words after it; "" if it says so of none."""
    for pattern in _ENDED[:-1] if sentence.isascii() else _ENDED:
        for found in pattern.finditer(sentence):
            if (form := next(iter(of_command(next(filter(None, found.groups())))), "")) and _is_check(form):
                return form
    return ""


def _is_check(form: str) -> bool:
    program, *words = form.split(" ")
    is_run = is_program(program) if "/" not in program else _OF_SCRIPT.match(program) is not None
    if not is_run or program in _CHECKS_NOTHING or not _SAYS_NO_TARGET.isdisjoint(words[:1]):
        return False
    return checks(form) and _DOES_MORE.isdisjoint(_PARTS.split(form.lower()))
