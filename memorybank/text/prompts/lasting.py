"""The words by which a permission, or the end of a duty or rule, lasts. Most prompts have none, which is found out before `permissions` is loaded."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

KEPT = r"(?:rule|ban|restriction|prohibition|requirement|convention|policy|instruction|freeze)s?"
THE = r"(?:the|that|this|my|our|your)"
DECIDED_FINE = r"(?:OK|許可|自由)(?:という(?:こと)?|すること)?にし(?:ます|ました|よう|た(?!ら))"
KEPT_JA = r"(?:ルール|規則|決まり|制限|禁止|制約|凍結)"
RULE_JA = r"(?:ルール|規則|決まり|きまり|取り決め)"
GIVEN_UP = "off the table|scrapped|not happening|a no-?go|out of the question"
GIVEN_UP_JA = "白紙|撤回|取りやめ|取り下げ|見送"
"""What is said of a decision that no longer holds."""
FINE = r"(?:(?:\b(?:is|are|be)|['’](?:s|re)) (?:now )?(?:totally |perfectly |all )?(?:fine|ok(?:ay)?|all right|alright|allowed)\b)"
_DROP = r"(?:forget|ignore|drop|scrap|ditch|discard|lift|cancel|withdraw|revoke|remove|disregard|undo)"
END = (
    rf"(?:\b(?:{_DROP}|never ?mind)(?: about)? {THE}(?= (?:[\w./`-]+ ){{0,4}}{KEPT}\b)"
    rf"|\b(?:don['’]?t|do not|no longer) need {THE}(?= (?:[\w./`-]+ ){{0,4}}{KEPT}\b.{{0,400}}\b(?:any ?more|any longer)\b)"
    r"|\bforget what i (?:said|told you)\b|\bi(?:['’]ve)? changed my mind\b|\bi take (?:that|it|this) back\b"
    r"|\b(?:it(?:['’]s| is)|that(?:['’]s| is)) (?:no longer|not) (?:true|the case|right|valid)(?: any ?more| any longer)? that\b"
    rf"|\b{THE}(?= (?:[\w./`-]+ ){{0,4}}{KEPT}\b.{{0,400}}\b(?:no longer (?:applies|holds|exists|counts)|(?:doesn['’]?t|does not) (?:apply|hold|count)"
    r" any(?: ?more| longer)|(?:is|was|has been) (?:now )?(?:lifted|withdrawn|revoked|dropped|gone|obsolete|over|void|off|cancel+ed|history)\b))"
    rf"|{KEPT_JA}(?:の(?:話|件))?(?:は|を|のことは|って言ってたけど|、)?(?:もう|本日で|今日で)?(?:忘れて|撤回|取り消|取消|解除|廃止|無効|なしに"
    rf"|なくし|終わり|終了"
    r"|やめ(?:ます|る|ました|よう))|解禁"
    rf"|{RULE_JA}(?:の(?:話|件))?(?:は|も)(?:、)?(?:もう|やっぱり|やはり)?(?:なし|無し|ナシ|不要|いらない|要らない|いりません|要りません|気にしなくて|守らなくて|取り下げ)"
    rf"|{RULE_JA}(?:は|を|も)(?:もう)?(?:取り下げ|破棄|外して|外します|なくして)"
    r"|という(?:の|こと|決まり|ルール)は(?:、)?(?:もう|現在は)?(?:正しく(?:な|あ)|当てはまら|成り立(?:た|ち)|古[いく]|違[いう])\S{0,8})"
)
"""Match what is ended by name, and what ends it."""
_ENDS_RULE = lazy_pattern(END, "i")
_KEEPS_RULE = lazy_pattern(
    rf"\b(?:don['’]?t|do not|never|not|cannot|can['’]?t|you|they|people|agents?)(?: (?:\w+ly|to|ever|just|even))? {_DROP}(?: about)? {THE}\b"
    r"|(?:不要|なし|無効|廃止|撤回|解除|取り消し|終わり|終了)(?:では|じゃ)(?:な|あり)"
    r"|(?:撤回|取り消|取消|解除|廃止|無効に|なしに|破棄|取り下げ)[しさせ]?(?:ない|ず|ません)",
    "i",
)
"""Matches who says that a rule must not be ended, or is ignored: "don't forget the rule", 「ルールを廃止しないで」."""
_LASTS = lazy_pattern(
    r"\b(?:from (?:now|here) on|going forward|in (?:the )?future|no longer|anymore"
    r"|any (?:more|longer)(?=\W*$|[.,;:]| because| since)|always|any ?time|whenever you|as (?:often|much) as|for good)\b"
    rf"|{FINE}.{{0,400}}\bagain\b|\bmay be \w+.{{0,400}} again\b"
    r"|\byou (?:can|may) (?!(?:try|run|start|continue|retry|go|do|build|test|ask|check)\b)(?:\w+ly )?\w+ (?!it\b|this\b|that\b|them\b).{1,400} again\b"
    r"|もう(?!一|少|ちょっと|すぐ)|これから(?:は|も)|今後|以後|以降|今度から|次(?:回)?から|いつでも|常に|また(?!は)|再び|解禁"
    rf"|{DECIDED_FINE}",
    "i",
)

_ONLY_ONCE = lazy_pattern(
    r"\b(?:(?:just|only) this (?:once|time)|(?:just|only) once|for (?:just )?this once|this one time|as an exception|exceptionally)\b"
    r"|今回(?:だけ|のみ|に限|限り|は特別|は例外)|(?:一度|一回)(?:だけ|限り|きり)|例外(?:的に|として)",
    "i",
)


def may_last(text: str) -> bool:
    """Return whether a text contains words that say that a permission lasts. Most contain none, which is found out quickly."""
    return _LASTS.search(text) is not None or is_end_of_rule(text)


def is_end_of_rule(text: str) -> bool:
    """Return whether a sentence ends a rule by name."""
    # No match continues in the next line, and most lines contain none of the words.
    return any(_ENDS_RULE.search(line) for line in text.split("\n")) and _KEEPS_RULE.search(text) is None


def is_for_once(text: str) -> bool:
    """Return whether a text says of something that it holds for one case only."""
    return _ONLY_ONCE.search(text) is not None
