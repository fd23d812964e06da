"""What in an English sentence says how an agent is to work with the person who types it, in the future and in all sessions, as rows of evidence
(`evidence_english`): orders with a time to come, what the person does not want done, and how the agent is to deal with them. What speaks against it is here
where it is about the plan of the moment: what is put off, what is used for one act, what is over."""

from __future__ import annotations

__light__ = True

from memorybank.text.prompts.english_work import ALONE, TASK, WAY
from memorybank.text.prompts.stated import CONSTRAINT, PREFERENCE, PROCEDURE

_FROM_NOW = r"(?:from (?:now|here) on(?:wards?)?|going forward|henceforth)"
_TO_COME = rf"(?:in (?:the )?futur[a-z]?(?! tense)|next time|{_FROM_NOW}|(?:for|in) (?:all )?(?:future|later) (?:work|sessions|changes))"
_NO_VERB = (
    r"(?:we|i|it|the|there|this|that|these|those|they|he|she|our|my|your|you|an?|users?|customers?|people|if|when|once|some|all|more|most|other|no|one|would"
    r"|could|should|will|can|might|may|what|who|how|why|where)\b"
)
_WORK = r"(?:commit|push|add|create|write|generate|put|leave|keep|introduce|touch|edit|install|publish|upload|share|mix|rewrite|delete|reformat|rename|see)"
_CLAUSE = r"(?:^|[,;:.–—(-] ?|\b(?:and|so|please|but|to|must|should|you|then|just|always) )"
_POINTS = r"(?:it|this|that|them|these|those)\b"
_LATER = r"(?:resolve|solve|fix|refactor|address|tackle|rework|implement|handle|change|clean|migrate|upgrade|deal|work|rename|move|start|optimi[sz]e|polish)"
ROWS: tuple[tuple[int, str, str, str], ...] = (
    (4, PREFERENCE, "order for the future",
        rf"^(?:(?:then|and|so|but|also|please)\b,? )*{_TO_COME},? (?:(?:please|pls|always|just|only|also)\b,? )*(?:you (?:should|must|need to|have to|can)"
        rf"|try to|make sure (?:to|you)|be sure to)? ?(?!{_NO_VERB})[a-z]+(?<!s)(?<!ed)(?<!ing) (?!(?:will|would|might|may|can|could|is|are|has|have)\b)\S"
        rf"|^(?:please |pls |just |also )*(?:{TASK}|{WAY}|tell|ask|show|give|teach|warn|push|talk|speak|think|verify|stop|start)\b"
        rf"(?!.*\b(?:so|in case|because|which|that|will|would|if)\b).* {_FROM_NOW}\W*$"),
    (4, PREFERENCE, "how the agent deals with the person",
        rf"{_CLAUSE}(?:push(?:ing)? back (?=(?:when|if|whenever|more|on me|against me)\b)"
        r"|(?:challenge|contradict|correct|interrupt|stop) (?:me|my [\w-]+)(?= (?:when|whenever|as soon as|more)\b|\W*$)"
        r"|(?:tell|warn) me (?:when|whenever) (?:i(?:'m| am)|my|you(?:'re| are) (?!done|ready|finished)|you (?:don't|do not|cannot|can't))\b"
        r"|(?:do not|don't|never) (?:just |always |simply )?(?:agree with me|flatter|sugar-?coat|praise me|be (?:sycophantic|a yes-?man)"
        r"|tell me (?:only )?what i want|let me (?!know|down|forget|out)[a-z]+ )"
        r"|be (?:honest|candid|frank|critical|skeptical|sceptical) (?:with|to|towards) me)"),
    (3, CONSTRAINT, "what a person does not want done",
        rf"\bi (?:\w+ly )?(?:never|don't|do not) (?:ever )?(?:want|like) (?:you )?to (?:ever )?{_WORK} (?!{_POINTS})"),
    (5, CONSTRAINT, "what a person does not bear",
        rf"\bi (?:can't|cannot|can not) (?:stand|bear) {ALONE}(?!\W*$)|\b(?:annoys|bothers|irritates|infuriates) me (?:when|that|if|how) "
        r"|\bdrives me (?:crazy|mad|nuts|insane|up the wall) (?:when|that|if|how) "),
    (5, CONSTRAINT, "what a person fears",
        rf"\bi(?:'m| am) (?:\w+ ){{0,2}}(?:af+raid|scared|wary|nervous|uneasy|uncomfortable|not comfortable|paranoid) (?:to let you \w+ (?!{_POINTS})"
        rf"|(?:of|about|with) (?:you|letting you) \w+ (?!{_POINTS})\S)"),
    (8, PROCEDURE, "rule for a file of instructions",
        r"\b(?:add|update|write|note|put|include|extend|edit|change)\b.{0,40}\b(?:CLAUDE|AGENTS|GEMINI)(?:\.md)?\b[^.;]{0,45}? to (?!reflect|include|describe"
        r"|match|fix|mention|contain|cover|show|document|improve|prevent|be\b|make|remove|clean|correct|add\b|have\b|say\b|explain|see\b|get\b|list\b|point|link"
        r"|support|use\b|sync|update|align|the\b|an?\b|this\b|that\b|it\b)(?:\w+ly )?[a-z]+ \w"),
    # Against: the plan of the moment.
    (-8, "", "put off",
        rf"\bi (?:don't|do not) want to {_LATER}\b.* (?:before|until|till|first|at this point)\b"
        r"|\b(?:don't|do not) (?:need|want|have|use|support) .{1,60}\byet\b"),
    (-6, "", "what is to come", r"^in (?:the )?future,? (?!you\b)[\w ]{1,30}? (?:will|would|could|might|may)\b"),
    (-6, "", "a means for one act", r"^(?:please |just |also |now |ok |then )*use [^,;.]{2,40}? to \w+ (?:your|this|these|those)\b"),
    (-4, "", "a style for one thing", r"^(?:please |now |just )*apply (?:the|an?|this|that|your|my) "),
    (-6, "", "what one thing does not need",
        r"\bno need (?:to|for) (?:[a-z]+|\w+ing) (?:it|this|that|them|the [\w-]+)\b(?!.*\b(?:for|when|whenever|each|every|any|if|unless|again|any ?more|ever"
        r"|always|after|before|on|because|since|as|it's|we|you)\b)"),
    (-8, "", "what was repaired",
        r"\b(?:errors?|warnings?|problems?|issues?|bugs?|symptoms?|flicker\w*|lag) (?:is|are|has|have|went)(?: \w+)? (?:gone|away|disappeared|vanished|fixed"
        r"|resolved|solved)\b"),
    (-5, "", "what the product does when it is used",
        r"^(?:if|when|whenever|once) (?:the |an? |no )?[\w`.=-]+(?: [\w`.=-]+){0,3} (?:is|are|was|were|has been)(?: not)? (?:given|passed|specified|provided"
        r"|clicked|pressed|selected|submitted|entered|toggled)\b(?!.*\b(?:ask|tell|stop|warn|i|me|us|you|we)\b)"),
    (-14, "", "message of a program", r"^[\w./-]{1,80}\.[a-z]{1,5}:\d+(?::\d+)?:? "),
)  # fmt: skip
