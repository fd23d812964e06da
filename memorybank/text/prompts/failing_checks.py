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
    r"(?:(?:is|are|was|were|keeps?|still|now|again|just|always) ){0,3}(?:fail(?:s|ing|ed)?\b|broken?\b|red\b"
    r"|(?:show|giv|gave|report|has|have|throw|print|produc|return|end|exit)\w* (?:[\w-]+ ){0,5}?(?:errors?|failures?|warnings?)\b"
    r"|(?:and )?(?:i|we) (?:get|got|see|saw|have) (?:[\w-]+ ){0,4}?(?:errors?|failures?|warnings?)\b|does(?:n't| not) (?:pass|work|run|compile|build)\b)"
)
_BEFORE = r"^(?:.{0,60}\b(?:why|when|that|but|and|also|now|still|because)\W+)?(?:(?:does|is|i|we|you) )?(?:(?:re)?(?:run|ran|running|try|trying) )?"
_ENGLISH = (
    lazy_pattern(rf"[`\"“]([^`\"”]{{3,60}})[`\"”],? {_FAILS}", "i"),
    lazy_pattern(rf"{_BEFORE}([\w./@-]+(?: [\w./@:-]+){{0,4}}?),? {_FAILS}", "i"),
    lazy_pattern(r"\bfail(?:s|ing|ed)?\b[^`\"“]{0,40}\brun(?:ning)?:? [`\"“]([^`\"”]{3,60})[`\"”]", "i"),
)
_JAPANESE = (
    lazy_pattern(
        r"(?:[`「\"]([^`」\"]{3,60})[`」\"]|(?<![\w`])([\w./@-]{1,40}(?: [\w./@:-]{1,40}){0,4}))\s?"
        r"(?:(?:を(?:実行|走らせ)|したら|すると)[^。、]{0,8}[、\s]?)?(?:が|は|で|も|の)?[^。、`「」]{0,10}?"
        r"(?:失敗(?:し|する|中|です)|エラー|落ち(?:る|た|ま|て)|通ら(?:な|ず)|通りません|こけ|コケ)"
    ),
)
_SAYS_NO_TARGET = frozenset(str.split("the a an it this that these sure your my our all"))
_SUPPOSED = (
    lazy_pattern(r"\b(?:if|unless|until|should|must|would|could|may|might|expected|supposed|make sure|no longer|never|once)\b|[`\"”] (?:when|so that)\b", "i"),
    lazy_pattern(r"(?:たら|れば|なら|場合|とき|時)(?!間)(?!.{0,40}(?:失敗|エラー|通ら))|ように|べき|はず|かもしれ|なくな"),
)


def failing_check(sentence: str) -> str:
    """Return the form of the check that a sentence says was run and fails, without spaces; "" if it says of none."""
    patterns, supposed = (_ENGLISH, _SUPPOSED[0]) if sentence.isascii() else (_JAPANESE + _ENGLISH[:1], _SUPPOSED[1])
    if supposed.search(sentence):
        return ""
    for pattern in patterns:
        for found in pattern.finditer(sentence):
            form = next(iter(of_command(next(filter(None, found.groups())))), "")
            program, *words = form.split(" ")
            if (is_program(program) or "/" in program) and checks(form) and _SAYS_NO_TARGET.isdisjoint(words[:1]):
                return form.replace(" ", "_")
    return ""
