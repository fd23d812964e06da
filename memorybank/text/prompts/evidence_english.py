"""What in an English sentence speaks for and against its being valid after the task, as data (`evidence`)."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.english_facts import PASSING, ROWS, STOPS, SYMPTOM
from memorybank.text.prompts.english_orders import ROWS as ORDERS
from memorybank.text.prompts.english_work import ALONE, CHECKS, COMMAND, EVENT, NAME, NOT_DONE, TASK, WAY, WORK, WORK_NOT_DONE, WORKS
from memorybank.text.prompts.evidence import EvidenceTable
from memorybank.text.prompts.stated import CONSTRAINT, ENVIRONMENT, PREFERENCE, PROCEDURE

_SHORT = lazy_pattern(r"\b(do|does|did|is|are|was|were|has|have|had|could|should|would|must|need|wo|ca)nt\b", "i")
_SHORT_WORD = lazy_pattern(r"[tTwWbBcCpPiI\u0130\u0131](?<![\w/-][\s\S])(?i:(?<=t)hru|(?<=w)/o|(?<=b)c|(?<=c)uz|(?<=p)l[sz]|(?<=i)m|(?<=i)ve)(?![\w/-])")
"""A set at the beginning lets a search skip to where a match can begin."""
_WORDS = {"thru": "through", "w/o": "without", "bc": "because", "cuz": "because", "pls": "please", "plz": "please", "im": "i'm", "ive": "i've"}
_SHORT_SIGNS = tuple(f"{verb}nt" for verb in str.split("do does did is are was were has have had could should would must need wo ca"))
"""One of these is in everything that `_SHORT` matches."""


def _spelled(sentence: str) -> str:
    """Return a sentence with the spellings of people who type fast written out: "dont" as "don't", "thru" as "through"."""
    lowered = sentence.lower()
    if "nt" in lowered and any(sign in lowered for sign in _SHORT_SIGNS):
        sentence = _SHORT.sub(lambda found: f"{found[1]}n't", sentence)
    return _SHORT_WORD.sub(lambda found: _WORDS[found[0].lower()], sentence)


_INTRODUCTION = lazy_pattern(
    r"^(?:(?:or|please|pls|ok|okay|alright|yes|yeah|yep|(?:no|nope)(?=[,.;:])|and|also|but|so|well|hey|hmm+|oh|ah|sorry|then|wait|btw|important"
    r"|reminder|(?:note|be aware)(?: that)?"
    r"|one more thing|quick thing|actually|right|great|thanks|because|since|i mean|(?:i (?:also )?(?:think|feel|believe|reckon|mean)|i'd say"
    r"|imo)(?: that)?|you are an? (?:[\w-]+ ){0,4}?(?:expert|engineer|developer|architect|specialist|assistant|agent)(?: (?:in|for|with) [\w+#-]+)?(?=[,.]))"
    r"(?:[,:;!.]|\s-)*\s+)+",
    "i",
)
_REPEATED = lazy_pattern(
    r"^(?:again[,:]|how (?:many times|often) (?:do|must|should) i (?:have to |need to )?(?:say|tell you|repeat)[^,:]{0,12}[,:?]"
    r"|(?:as|like) (?:i )?(?:already )?(?:said|mentioned|told you)(?: before| already)?[,:]?"
    r"|(?:i|we)(?:'ve| have)? (?:already |just )?(?:told you|said|asked you)(?: (?:it|this))?(?: (?:before|already|\w+ times|twice))?(?: that| to)?[,:]?) ",
    "i",
)
"""Beginnings by which a person repeats what was said before."""
_QUESTION = lazy_pattern(
    r"^(?!.*\b(?:claude|agents|gemini)(?:\.md)? that\b|(?:can|could|would|will) you (?:please )?(?:never|always)\b)"
    r"(?:.*(?<!, ok)(?<!/ ok)(?<! okay)(?<! please)(?<! pls)[?？][^\w?？]*$|.*,\s*(?:right|or|no|correct)\W*$"
    r"|(?:what|why|how|who|whom|which|where|is|are|was|were|does|did|do (?:we|you|i|they)|can|could|would|will|should|shall|have you|has|am i|any(?! code)"
    r"|that|so that|explain(?!.*\b(?:from (?:now|here) on|going forward|always)\b)|(?:remind|tell|show) me (?:what|why|how|which|who|where|when))\b)",
    "i",
)
"""A question, unless it asks for something to be done always or to be written into a file of instructions."""
_REASON = lazy_pattern(r"[,;] (?:because|since|otherwise|or else)\b.*", "i")

ENGLISH = EvidenceTable(
    _spelled,
    _INTRODUCTION,
    _REPEATED,
    _QUESTION,
    _REASON,
    # For: how long and how widely it holds.
    (3, "", "for all time",
        r"\b(?:always|never(?! (?:mind|got|seen?|had|saw|heard|been|was|[a-z]+(?<!s)s\b))|ever|every ?time|each time|at all times|at any ?time"
        r"|from (?:now|here) on|going forward|in (?:the )?future|as a (?:general )?rule|by default|in general|generally|usually|whenever"
        r"|without exception|any ?more|no longer|everywhere|these days|for good|anywhere|at all|on purpose|by design)\b"),
    (3, "", "as always",
        r"\bas (?:always|usual|ever)\b|\b(?:like|same as) (?:always|everywhere|last time|the others)\b|\bthe usual (?:way|rules?|style)\b"),
    (5, CONSTRAINT, "order that begins with never or always",
        r"^(?:never (?!mind\b|ever\b|got\b|saw\b|had\b|seen\b|heard\b|been\b|was\b|again\b|\w+ed\b)|always (?!a\b|the\b|had\b|got\b|was\b|been\b|\w+ed\b"
        r"|\w+ing\b|\w+(?<![su])s\b))[a-z]+ \S"),
    (1, CONSTRAINT, "order never to",
        r"(?:^|[,;:] |\b(?:please|should|must|to|we|you|and|sure \w+ \w+) )never (?!mind|got\b|saw|had|seen|heard|been|was)\w+[a-z]\b(?<!ed)|\bnever\W*$"
        r"|\bnot \w+ .*\bever\b|\bunder no circumstances\b|n't ever\b|, ever\b"),
    (4, CONSTRAINT, "what never happens to a kind",
        r"^(?!(?:the|it|this|that|he|she|there|which|what)\b)[a-z-]+(?: [a-z-]+)? never (?!was|has|does|is\b)[a-z]+s (?!away|up|through|back|again"
        r"|anything|when|if|at all)\w+"),
    (3, PREFERENCE, "order to do always",
        r"(?<!\bi )(?<!\bit )(?<!they )(?<!\bis )\balways (?!a\b|the\b|get|forget|break|miss|do (?:this|that|it)|there|here|had|got|was\b"
        r"|are\b)\w+(?<!s)(?<!ed)(?<!ing)(?<!een)\b|^next time,? (?:please )?(?!we\b|i\b|it\b|the\b|there\b|you\b)\w+ \w"),
    (1, "", "all of a kind",
        r"\b(?:every|each|all|any|anything|nothing|nobody|no one|everyone|everything|anyone|across the (?:whole|entire))\b|^only (?!in\b|for\b|on\b)[\w-]+ "),
    (3, CONSTRAINT, "what each of a kind has",
        r"\b(?:every|each) (?!time\b|one\b|day\b|night\b|week\b|(?:\w+ )?(?:second|minute|hour|run|request)s?\b)(?:[\w-]+ ){1,3}?"
        r"(?:needs|gets|has|goes|lives|carries|starts|ends|comes|takes|belongs|uses|requires)\b"),
    (3, CONSTRAINT, "what happens otherwise", r"\botherwise\b|\bor else\b|[,;] else \w+|[,;] or (?:the |our )?\w+ (?:will |\w+s\W*$)"),
    (4, PROCEDURE, "whenever somebody does something",
        r"(?:^|[,;:] |\b(?:ask|tell) (?:me )?(?:first )?)(?:before|after|when|whenever|if|once(?! an? (?:second|minute|hour|day|night|week|month|year)\b)"
        r"|unless|as soon as|any time) (?:(?:in doubt|unsure|(?:[\w]+ ){0,4}unclear)\b|(?:you|we|someone|somebody|anyone)(?:'re|'ve)? "
        rf"(?!can\b|get|see\b|saw|got|look|click|do (?:this|that)|continue|start\b|begin|go\b)\w+|an? [\w ]+|any|each|every|something|{EVENT}\w*ing\b)"),
    (3, PROCEDURE, "around a step of work",
        rf"\b(?:before|after|when|whenever|each time|every time|unless) (?:you |we |i |anyone )?(?:are |have )?{EVENT}(?:e|es|s|ing|t?ting)?\b(?! (?:it"
        r"|this|that)\b)|\b(?:before|after|when|while) \w+ing (?!the |this|that|it\b)(?:[\w-]+ )?[\w-]+s\b|\b(?:before|after) (?:each|every|any"
        r"|an?) |\b(?:before|after) the (?:tests|build)\b|\bunless (?:\w+ly )?(?:i|we|it is|it's|you"
        r"|asked|told|requested|needed|necessary)\b|^(?:before|after) \w+ing[,:]|\bwithout (?:asking|a|an|my) "),
    (4, PREFERENCE, "a measure", r"\b(?:one|a single|at most|no more than) [\w/ -]+ (?:per|at a time|each|for each)\b"),
    (4, PROCEDURE, "what to do for a purpose",
        r"\byou(?:'ll| will) need .* (?:for|to)\b|\byou (?:just )?(?:should|need to|have to|must) (?:just )?(?:run|use|call) [`\"'./]"
        r"|^to \w+ .{2,60}?(?:,| you| please)? (?:use|run|call|set|start|ask) \S"
        rf"|{CHECKS}"),
    (3, CONSTRAINT, "what a team does not do", NOT_DONE),
    (4, "", "work that a team does not do", WORK_NOT_DONE),
    (1, "", "of a team or project",
        r"\b(?:our|nobody|everyone|team|company|customers?|contributors|ci|prod|production|staging)\b|\b(?:in|for|across) (?:this|the|our) (?:whole "
        r"|entire )?(?:repo|repository|project|code ?base|monorepo|package|team)\b|\bon (?:this|my|our|these) (?:machine|box|laptop|computer|host"
        r"|server|network|pc|mac)s?\b|^this (?:repo|repository|project|code ?base|app|package|library)\b"),
    # For: who says what.
    (4, "", "habit of a team",
        r"(?:^|[,;:(] ?|^(?:for|in|on|with) [\w./ -]{2,25}?,? |\b(?:that|since|because|and|as|but|so|here|project|repo) )we (?:\w+ly |always |never "
        r"|now |only |no longer |don't |do not |still |all )*(?:use|squash|host|deploy|target|support|pin|ship|publish|follow|go with|go through|store|write"
        r"|release|build|test|gitignore|track|rely|depend|prefer|favou?r|avoid|merge|rebase|tag|develop|maintain|own|generate|have no|don't have|commit"
        r"|chose|choosed|choose) (?!the (?:wrong|same|old|new)|this|that|it\b|them|these|those|both|now|a (?:bug|new|problem))|\bwe(?:'re"
        r"| are)(?: now)? (?:an?|on (?!the|track|it)|using|targeting|all) |\bwe(?:'ve| have)? (?:switched|moved|migrated|standardi[sz]ed|dropped|decided"
        r"|agreed|settled|banned|removed)(?! on to)\b"),
    (4, ENVIRONMENT, "what a team has",
        r"\bwe(?:'re| are)(?: now)? on the [\w-]+ (?:tier|plan|version|licen[cs]e|subscription|branch|image)\b|\bwe (?:only )?have (?:only "
        r"|just )?(?:one|two|\d+)\b|^our (?:own )?[\w-]+(?: [\w-]+)? (?!class\b|is\b|has\b|was\b)[a-z]+s (?!(?:fail|slow|broken)\b)"),
    (5, PREFERENCE, "what a person likes",
        r"\bi(?:'d| would)? (?:really |much |strongly |generally |usually |always )*(?:prefer|rather|hate|dislike|like (?:my|small|short|long|simple"
        rf"|clear|explicit|plain|early|to have(?= (?:all|every\w*|each|my|small|tests|commits|docs|names|them)\b)|it when)"
        rf"|care about|don't (?:care|like|want)|do not (?:like|want)) {ALONE}"
        r"|\bi(?:'d like| want| expect) (?:all|every|each|you to (?:always|never)|commits?|tests|names|small|docs|messages|commit)\b"
        r"|\bwe (?:(?:don't|do not|always|never) (?:want|like)\b|prefer|favou?r)|^prefer\b"
        r"|\b(?:my (?:preference|default)|important (?:to|for) (?:me|us)|the convention|(?:repo|project|code ?base) we want)\b|\bwe want .* to (?:stay|remain"
        r"|be)\b|\bi (?:only|always|usually|mostly) (?:use|work|read|write|look|test)\b|\brather would\b"),
    (2, CONSTRAINT, "prohibition",
        r"(?:^|[,;:.–—-] |\b(?:please|and|so|to|must|should|you|just|but|then) )(?:do not|don't|dont|never|stop \w+ing|avoid|leave \w+ \w+ alone)\b"
        r"(?! (?:worry|mind|think|know|see))|\bno direct\b"),
    (4, CONSTRAINT, "whose business it is",
        r"\b(?:is|are|stays?|remains?) (?:mine|ours|theirs|yours)\b|\bno business\b|\bhands off\b|\boff (?:the table|limits)\b|\b(?:is|are) (?:taboo|sacred"
        r"|untouchable)\b|[,;] nobody (?!else|knows|has|was|is)\w+s\b"),
    (3, CONSTRAINT, "order to leave alone", r"\bleave (?:\w+ ){1,3}?(?:alone|as is)\b|\bstay (?:out of|away from)\b|\bdon't ask for\b"),
    (2, CONSTRAINT, "prohibition of any",
        r"(?:^|[,;] |\b(?:please|must|should|to|we|you|just) )(?:do not|don't|dont|never|not) (?!change|fix|edit|touch|implement)\w+ (?:.* )?(?:anything"
        r"|any|anyone|anywhere|at all|directly|(?:to|on) (?:main|master))\b"),
    (3, PREFERENCE, "no things of a kind",
        r"(?:^|[,;:] )no (?!idea|need|wait|problem|way|change|more questions|worries|one|it|that|this|longer|i|we|you|the|they\b)(?!.* (?:is|are|was"
        r"|were) )(?:[\w-]+ )?[\w-]+s?\b"),
    (2, CONSTRAINT, "no things of a kind in a place",
        r"(?:^|[,;:] )no (?!one\b|way\b|idea\b|need\b|problem\b|matter\b|longer\b|difference\b|changes?\b|news\b)[\w`.()-]+(?: [\w-]+)? (?:in|on"
        r"|from|into|inside|outside|within|under) (?!(?:this|that|these|those|it)\b)\w+"),
    (3, PREFERENCE, "one of a kind only",
        r"(?:^|[,;:] )(?!(?:it|this|that|you|we|i|they|not|but|and|or|is|are|the|read|for|if|can|happens|so|\d+)\b)[\w./`'-]+(?: (?!(?:is|are|was"
        r"|can|does|do|will|it|should"
        r"|would|to|happens|has|have|time|step|part|one|but|we|i|you|for)\b)[\w./-]+)? only(?= (?:for|in|on|where|when|if|please)\b|[,.;!]|$)"),
    (4, PREFERENCE, "one for this, another for that",
        r"^(?:[\w./-]+ ){1,3}(?:is |are )?(?:for|in|on|from|under) (?!(?:the|this|that|me|now)\b)[^,;]{3,40}[,;] (?:and "
        r"|but )?(?:[\w./-]+ ){1,3}(?:is |are |goes |go )?(?:for|in|on|from|under|only|where) "),
    (1, PREFERENCE, "without things of a kind",
        r"(?:do not|don't|dont|never|stop|avoid|without|no) (?:\w+ing |\w+ )?(?:any |more |new |unused )?(?:[\w`.-]+ ){0,2}?"
        rf"(?:{WORKS}|[a-z]{{4,}}s)\b"),
    (4, CONSTRAINT, "obligation",
        r"\b(?:must|shall|may(?! (?:not |also )*want\b)|(?:has|have) to (?!much|many)|(?:cannot|can't) (?!find|see|get)\w+ .*\b(?:before|until|unless|without)"
        r"|are to|ought to|mustn't|supposed to|allowed|permitted|permission|off[- ]limits|forbidden|prohibited|banned|exactly (?:one|the same))\b"),
    (1, CONSTRAINT, "advice", r"\b(?:should|shouldn't|needs? to|'ll need)\b"),
    (2, CONSTRAINT, "negated obligation",
        r"\b(?:must|should|shall|may|can) ?(?:not|n't|never)\b|\b(?:shouldn't|mustn't)\b|\b(?:does not|doesn't|do not|don't) belong\b"
        r"|(?<!\bi )\b(?:can't|cannot)\b|\bnot (?:be )?(?:allowed|permitted|expected)\b"),
    (2, PREFERENCE, "order about the way",
        r"^(?:always |never |please |just |rather |then |stop |don't |do not |by default,? |from (?:now|here) on,? |going forward,? "
        rf"|in general,? )*{WAY}\b"),
    (2, PREFERENCE, "a means for things of a kind",
        r"^(?:please |always |just )*(?:use|prefer|take) (?!(?:the|this|that|it|these|those|an?|my|your)\b)[\w`./ -]{2,40}? (?:for|in"
        r"|over) (?!(?:the|this|that|it|now|these|those)\b)[\w -]*[a-z]s\b"),
    (2, PREFERENCE, "order about things of a kind",
        rf"\b(?:{WAY}|create|add|generate|introduce|import|mock|include|leave|print|writing|using|adding)(?: any| all| our| unused| new| to)? (?!the |a "
        rf"|an |this |my |your ){WORK}\b(?! (?:in|of|for|to) (?:the|this|that|my|your)\b)"
        rf"|(?:\bin (?!the )|(?:n't|\bnot|\bnever|\bno)\b.*\bin (?=the ))(?:your |our |all )?{WORK}(?: please)?\W*$"),
    (2, PREFERENCE, "how things of a kind are",
        rf"^(?:all |every |each |the |our |new |small |no |generated |only )*{WORK}(?: in [\w ]+| on \w+)? (?:are(?! (?:failing|red))|is|must|should|may"
        r"|explain|uses?|has|need|have to|go|get|end|stay|start|live|can)\b"),
    (2, "", "things of a kind",
        r"^(?:(?!the\b|these|those|this|that|some|two|three|both|it\b|does\b|is\b|was\b|as\b|has\b|yes\b|his\b|its\b|i\b|can\b)[\w-]+ ){0,3}(?!is\b"
        r"|does\b|this\b|was\b|yes\b|has\b|us\b|as\b|its\b|thanks|tests|class|pass)[\w-]*[a-z](?<!s)s (?:are(?! (?:failing|red|broken|missing|now|still"
        r"|there|both))|go|get|live|happen|need|run|explain|merge|end up|belong|come|have|use|must|should|may|depend|stay|break|build|read|only"
        r"|arrive|set|return|take|carry|ship|start|end|map|pass(?! now| again)|follow|own|cover|never|always|do not|don't)\b"),
    (4, PREFERENCE, "how long a text may be",
        rf"\b(?:keep|make|leave) (?:the |your |all )*(?:[\w-]+ )?{WORKS}\b.{{0,15}}\b(?:short|brief|terse|concise|small|simple|plain|to the point)\b"),
    (2, PREFERENCE, "a limit",
        r"[,;-] ?(?:and )?nothing (?:else|more)\b|\b(?:max(?:imum)?|at most|up to|no more than|not more than|fewer than|less than"
        r"|nothing longer than|under|below|limited to|max(?:imum)? (?:[\w-]+ ){1,3}?(?:is|of|are)?) ?(?:of )?(?:\d+|one|two|three|four|five|ten|a dozen)\b"),
    (4, CONSTRAINT, "who may do something",
        r"^only (?:run|use|commit|push|deploy|stage|modify|change|edit|touch) .* (?:when|if|after|once) |^(?:nothing|nobody|no one) (?!to\b|else|happen"
        r"|chang|work|is\b|was\b|came|shows)|^only (?!the\b|one\b|show\b)[\w-]+(?: [\w-]+)? (?:may|can|should|must|merge|approve|push|deploy|release|edit"
        r"|[a-z]+s)\b"),
    (4, CONSTRAINT, "permission",
        r"\byou (?:may|can always|are allowed|'re allowed|are free|have (?:my )?permission)\b|\bi allow\b|\b(?:it is|it's) (?:fine|ok|okay) to \w+ (?!it"
        r"|this|that)|\bno need (?:to|for) (?!do|run|change|fix|the|wait|this|that)|\bno worries about\b|\b(?:is|are) (?:fine|ok|okay"
        r"|good enough) (?:for|in|on) (?!(?:now|me|this)\b)\w|^\w+ing .*\b(?:is|are) (?:fine|ok|okay|allowed)\b|\b(?:don't|doesn't) (?:have|need) to\b"),
    (3, PREFERENCE, "language and style",
        r"\b(?:english|japanese|spelling|tabs|spaces|snake_case|snake case|kebab|casing|sentence case|conventions?|style|emojis?|conventional commits"
        r"|naming scheme|co-authored-by|signed-off-by|sign-?offs?)\b|\bbe (?:brief|concise|terse|precise|short|direct|blunt)\b"),
    (1, CONSTRAINT, "by which means",
        r"(?:\b(?:not|never|no|avoid|stop|nothing|nobody|only)|n't)\b.*\b(?:by hand|manually|directly|on your own)\b"
        r"|\b(?:without (?:asking|a|an|my)|(?:ask|check with) (?:me |us |them |her |him )?(?:first|before)|together with)\b"),
    (1, "", "one thing in place of another",
        r"\b(?:instead of|rather than|and not|over|in place of)\b|, not \w+\b|^(?:here |[\w-]+,? )?we use [\w .-]+ not \w+"),
    (1, "", "something with a name", NAME),
    (1, "", "a reason",
        r"\b(?:because|since|otherwise|so that|or else)\b|[,;] (?:it|they|ci|so|as|(?:the|our|your) \w+ (?:\w+s\b|can't|don't|won't|only)) "),
    (6, PROCEDURE, "request not to forget", r"\b(?:remember to|(?:don't|do not) forget to)\b"),
    (6, ENVIRONMENT, "request to remember",
        r"\bremember[:,] |(?<!\bi )(?<!you )\bremember (?:we|our) |\b(?:update|(?:add|save|put|write) (?:this|it|that) (?:to|in|into))(?: your| the)?"
        r" memor\w{1,2}\b|\b(?:remember (?:that|also)|(?:keep|bear) (?:(?:this|that|it) )?in mind|fyi|(?:don't|do not) forget that|for (?:future )?reference"
        r"|make a note|take note)\b"),
    (8, PROCEDURE, "rule for a file of instructions",
        r"\b(?:add|update|write|mention|note|put|include|document)\b.{0,40}\b(?:CLAUDE|AGENTS|GEMINI)(?:\.md)?\b.{0,20}?(?:\b(?:but )?(?:that|make sure)\b|:)"),
    (6, CONSTRAINT, "care for what comes later",
        r"\b(?:make sure|ensure|be sure)\b.*\b(?:once|whenever|every time|in (?:the )?future|won't|never|always)\b"),
    # For: facts.
    (1, ENVIRONMENT, "state", r"\b(?:is|are|lives?|runs|listens|needs?|requires?|takes|owns|goes|belongs|happens|works|uses|targets|has)\b"),
    (5, ENVIRONMENT, "not in use any more",
        r"(?:\b(?:was|were) (?:now )?(?:deprecated|retired|replaced|dropped)\b|(?:\b(?:is|are|got|has been)|'s) (?:now )?(?:gone|dead|deprecated"
        r"|retired|outdated|obsolete|replaced|closed|blocked|dropped|history|legacy)\b)|(?:\bnot|n't) (?:installed|maintained|supported|used|configured)\b"),
    (4, ENVIRONMENT, "place, owner or need",
        r"\b(?:read[- ]only|source of truth|rate[- ]limited|on purpose|by design|(?:is|are) (?:called|hosted|located|owned|stored|generated|vendored"
        r"|pinned|checked in)|(?<!can )(?<!could )(?<!should )(?<!may )lives? (?:in|at|under|on)|listens? on|runs? (?:on|in|through)"
        rf"|self-hosted|(?:through|via) {NAME}|only (?:works?|pass(?:es)?)"
        r"|or newer|takes? (?:about|around|up)|needs? an? running|go(?:es)? (?:into|under|through)|written in|built (?:by|with)|on port|happens? (?:on|in|at"
        r"|automatically)|belongs? (?:in|to|under)|gets? (?:its|their) own|stays? (?:in|under|until)|(?:is|are) (?:taken|reserved|pinned|shared"
        r"|capped)(?: (?:by|for|to|with|on|at)\b))\b"),
    (4, ENVIRONMENT, "one's own",
        r"\b(?:i'm|i am) (?:on|using) \w|\bmy (?:machine|laptop|editor|shell|os|computer) (?:is|has|runs|uses)\b|\bi use \w|\bour (?:[\w-]+ ){1,3}(?:only"
        r"|always|never|uses?|is|are|runs?|needs?|targets?|has|lives?)\b|\bthis (?:repo|repository|project|code ?base|app|package|library) (?:is|uses"
        r"|targets|supports|runs|needs|requires|follows|has)\b"),
    (4, ENVIRONMENT, "where something is",
        rf"(?:^|[,;] (?:and )?)(?:the |our )?[\w-]+(?: [\w-]+)?(?: (?:is|are|lives?|sits?|comes?|goes?|go|come|arrives?)) (?:in|at|on|under|from|through|via"
        rf"|behind) (?:the |our )?(?:\.{{0,2}}/)?{NAME}|\byou (?:now )?(?:have|have got|'ve got) access to (?!this|that|it\b|these)\w"),
    (4, ENVIRONMENT, "what something is",
        r"(?:^|[,;] )(?:the |our |my )?(?!(?:it|this|that|there|he|she|what|which)\b)[\w-]+(?: [\w-]+)? is (?:at |still )?"
        r"(?:`[^`]{2,60}`|/\w[\w/.-]+|\d{2,5}(?=\W|$)|[a-z]\w*(?:[._/:@-]\w+){2,}|[A-Z]+_[A-Z_]+)|^\d{2,5} is (?:the|our|my|for)\b"),
    (3, ENVIRONMENT, "own or separate",
        r"\b(?:have|has|get|gets|keep|keeps|use|uses) (?:their |its |a )?(?:own|separate|different|distinct) |\bdefaults? to\b"),
    (3, ENVIRONMENT, "state that stays",
        r"\b(?:is|are|stays?) (?:immutable|frozen|fixed|final|append-only|write-once|private|public|shared|separate|not ours|there(?= *[,;.]))\b"),
    (7, PROCEDURE, "what there is to be used",
        r"\bthere(?:'s| is| are) .*\b(?:use|run|call|follow|take) (?:it|them|those|that|these|one)\b"),
    (6, ENVIRONMENT, "tool for a purpose",
        r"^there(?: is|'s) (?:now )?an? (?:[\w-]+ )?(?:script|wrapper|command|target|task|tool|alias|recipe|helper) "),
    (8, ENVIRONMENT, "command that fails",
        rf"^(?:when (?:i )?run(?:ning)? |running |the )?(?:{NAME}|{COMMAND})(?: [\w:-]+){{0,2}} (?:is |are |keeps? |still |always )*(?:failing|fails?"
        r"|broken|flaky|does(?: not|n't) work)\b"),
    *ROWS,
    *ORDERS,
    # Against: what only the conversation knows.
    (-3, "", "nothing named",
        r"^(?!(?:it is|it's) (?:fine|ok|okay)|there(?: is|'s) (?:now )?an? |there(?:'s| is| are) .*\b(?:use|run|call|follow|take)\b)(?:it|this|that"
        r"|there|these|those|they|he|she|what|which|first|second|third"
        r"|finally)\b(?! (?:repo|project|package|codebase|repository|library|app|machine|box|laptop|computer|network|team|company)\b)"),
    (-2, "", "something pointed at",
        r"\b(?:this|these|those|(?<!thing )(?<!s )that) (?!repo|project|repository|package|codebase|app|library|machine|box|laptop|computer|network"
        r"|team|company|pc|mac|is why|will|the|we|are|should|you|he|she|repeat|explain|sort of|kind of)\w+"
        r"|\b(?:this|that|these|those)\W*$|^[^,;]*\b(?:it|them)\W*$|^(?:don't |do not )?(?:call|give|keep|leave|make|move|put|use|set|name) (?:it"
        r"|them)\b|\b(?:above|below|following)\b|\bhere\b(?!\W*$|,| (?:we|not|and not|instead)\b)|\bthere\b"),
    (-8, "", "the rest, which only the conversation names",
        r"^(?!.*\b(?:when(?:ever)?|always|every|each|from now on|going forward|in (?:the )?future|in general)\b).*"
        r"(?:(?<!, )\b(?:not|never|avoid|without)|n['’]t)\b[^,;:]{0,40}(?<!\bor )"
        r"\b(?:any other (?:things?|files?|parts?|code|changes?|places?|stuff)|anything else|the rest)\b"
        r"[^,;]{0,12}$|^(?:leave|keep) (?:everything|all|anything) else\b[^,;]{0,24}$"),
    (-14, "", "talk",
        r"^(?:nobody|no one) (?:knows|cares|remembers|noticed|has \w+ed)\b|^(?:don't|do not) be (?:silly|ridiculous|afraid|shy|sorry|sad|mad|rude)\W*$"
        r"|^(?:always|never) (?:a (?:pleasure|joy|dull)|nice|great to|good to|fun|been)\b|^i(?:'ve| have) never\b[^,;]*\bbefore\W*$"),
    (-3, "", "what the moment has",
        r"^(?:\W*(?:just|please|then|and|so) )*(?:re)?(?:use|keep|take|follow|do|leave|show|try) (?:only )?what(?:ever|soever)?\b"),
    (-14, "", "mistakes not named", r"\b(?:such|these|those|this kind of|the same|dumb) (?:\w+ )?(?:mistakes?|errors? (?!are|must|should|need)|things?)\b"),
    (-2, "", "it, in the middle", r"[a-z,;] (?:it|this|that) (?:can|could|should|would|may|might)\b|\bfor (?:it|this)\b|\bif (?:that|it|this) can\b"),
    (-4, "", "order about the matter at hand", r"^(?:keep|make|leave|put|do|have|let) (?:it|this|that|them)\b"),
    (-2, "", "one of several",
        r"\bthe (?:first|second|third|other|last|new|same|latter|former)\b(?! (?:naming|release))|\b(?:approach|proposal|number \d)\b|\boption\b"
        r"|\b[1-9]\. |(?<![-\w])[A-D]\W*$"),
    (-3, "", "code of the matter at hand", r"\w\(\)|(?-i:(?<![\w/.-])(?!camelCase|macOS)[a-z]{3,}[A-Z]\w+)"),
    (-1, "", "a number of things", r"\b(?:two|three|four|both|one more|another)\b"),
    (-1, "", "the one thing", r"^the [\w-]+(?: [\w-]+)? (?:is|are|should|must|needs?|has|does|always|never)\b"),
    # Against: the moment.
    (-4, "", "of the moment",
        r"\b(?:(?:for|right) now|(?<!from )(?<!we )now(?!\W*$)|yet|today|tomorrow|yesterday|currently|already|at the moment|at this point|for the moment"
        r"|still(?! (?:used|needed|supported|required) (?:by|in|for)\b)|temporarily|this (?:time|once)"
        r"|just once|tonight|meanwhile|later|lately|recent(?:ly)?|so far|latest|twice|this (?:week|month|sprint|afternoon|morning"
        r"|evening)|(?:last|next) (?:night|week|month|sprint|(?<=last )time|year)"
        r"|(?:by|until|till) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|tonight|then)|for the (?:demo|meeting|call|release|launch"
        r"|presentation|talk|test)|but (?:first|then))\b"),
    (-14, "", "what passes", PASSING),
    (-14, "", "a fault", rf"{SYMPTOM}|{STOPS}"),
    (-1, "", "a step", r"\b(?:just|next(?! to| time)|then|again|last|first|(?<!from )(?<!we )now)\b"),
    (-2, "", "what happened",
        r"\b(?:i|you|he|she|it|they) (?:just |already |also |only |never |then |even )*(?:was|were|had|got|did|went|saw|ran|made|found|wrote|tried"
        r"|(?!need)\w+ed)\b|\b(?:i've|i have|it has) (?:been )?\w+ed\b|\bi'm \w+ing\b|\bi am \w+ing\b|\bwas\b(?! retired)|\bnever got\b"),
    (-4, "", "what one meets with",
        r"\b(?:i|we|you|they|he|she|players?|users?) (?:always|never|often|keep|usually|sometimes|still) (?:get|got|see|have|hit|run into|end up"
        r"|forget|miss|wonder|\w+ing)\b|\balways (?:at |in |on )?the same\b|\bhelps? \w+ always\b|\bhappens? (?:to|with) (?:me|us|you)\b"),
    (-4, "", "a fault",
        r"\b(?:fail\w*|crash\w*|errors?(?! (?:messages?|enums?|types?|class(?:es)?|codes?|handl\w+|variants?|envelope|format|go\b|must|should"
        r"|are (?:never|always|not)|carry))|broken|unstable|flaky|(?<!the )wrong|missing|empty|blank|weird|bug|issue|problem|strange|404|500"
        r"|incorrect|red|slow|faster|too (?:long|slow|many|much|large)|out of memory|half way|hangs?|conflict\w*)\b"),
    # Against: the task.
    (-3, "", "order for now",
        rf"^(?:please |just |now |then |you |and |also |first |lets |let's |next |i'd like to |i want to |we (?:can|could|should) )*{TASK}\b"
        rf"|^(?:this: )?instead of .*, {TASK}\b|\band make sure (?:that )?(?:it|everything|all|things|they)(?: all)? (?:works?|runs?|pass(?:es)?|is|are)\b"),
    (-2, "", "order about one thing",
        rf"^(?:please |just |now |then |and |also |don't |do not )*(?:{TASK}|use|touch|run|keep|make|leave) (?:the|my|your|an?|one|some|two|his|her)\b"),
    (-3, "", "one thing left as it is", r"^(?:please |just )?leave (?:the|that|this|those|these) [\w-]+(?: (?!alone\b|as\b)[\w-]+)?(?=[,.;!]|$)"),
    (-1, "", "order that follows",
        rf"(?:, |\band |\bthen |; )(?:please |just |then |also )?{TASK} (?:it|this|that|the|again|them)\b|(?:, |\band )(?:commit|push|fix|continue)\W*"),
    (-14, "", "to be repaired",
        r"[,;:.–-] ?(?:so |and )?(?:please |pls )?(?:fix|repair|correct|change) (?:it|this|that)\b(?: please| pls| asap| now)?\W*$"),
    (-3, "", "what is found instead", r"\bbut (?:the|it|there|i|then|in|on)\b.*\b(?:goes|is|are|was|shows|gets?|does|has|returns|prints|says)\b"),
    (-4, "", "in one file, for now", r"^only (?:in|for) (?-i:`?[\w/-]+\.[a-z]{1,4}\b)"),
    (-2, "", "plan",
        r"(?<!me )\b(?:the|this) plan\b|\bwe(?:'| wi)ll (?!always|never)|\bwe (?:need(?= an?\b)|(?:need|should|must|could|can) (?!not|never|always))"),
    (-2, "", "part of a page or text", r"\b(?:header|footer|title|section|listed|listing|report)\b"),
    (-4, "", "part of a screen",
        r"\b(?:buttons?|pages?|tab|modal|sidebar|list view|screen|columns?|icons?|layout|fonts?|click\w*|display\w*|shows?(?! me)|shown"
        r"|spin(?:ner|s)|dialog|dropdown|menu|view|visible|hidden|window|sticky|colou?rs?|render\w*|select(?:ed)?)\b"),
    # Against: doubt and what others say.
    (-2, "", "doubt",
        r"\b(?:maybe|perhaps|may (?:not )?want|wonder\w*|guess|probably|might|(?<!\bif )(?:not sure|unsure)|in theory|what if|assuming|suppose|hope|could"
        r"|would(?! (?:rather|prefer|like))|seems?|somehow|i (?:can't|cannot|don't) (?:see|find)|looks like|feels? like|if possible|let's say|think)\b"),
    (-2, "", "what others say",
        r"(?<!before )\b(?:he|she|they|docs|reviewer|documentation|readme|message|it|error|someone|who|you) (?:says?|said|wrote|writes|mentions?|tells?"
        r"|claims?)\b|\b(?:that says|says (?:the|that)|complains?|complaining|according to|feedback)\b"),
    (-4, "", "what others want",
        r"^(?:the |our |my |a |an )?(?!(?:ci|check|lint|linter|policy|we|you|i)\b)[\w']+(?: (?:on|in|at) (?:the )?\w+)? (?:says?|said|wants?|asks?"
        r"|asked|reports?|reported|told|wrote|thinks?|called|complains?)\b"
        r"|^(?:an? )?(?:customer|user|client|caller|support|sales|reviewer)s? (?:on the (?:phone|line)|just|here|at the door)\b"),
    (-3, "", "a value",
        r"^(?:about |max |only )?\d+(?:[.,]\d+)? ?(?:s|ms|min|h|sec|seconds?|minutes?|hours?|days?|px|%|percent|[kmg]i?b|fps|hz|degrees?)(?: |\W|$)"),
    (-5, "", "no work now", r"(?:^|[,;:-] ?)no (?:edits?|code|coding|commits?|fix(?:es)?|implementation|actions?|work)(?: yet| please)?\W*$"),
    (-4, "", "printed by a program", r"(?:\.\.\.|…)\W*$|\bfound (?:on|in|for|at)\b"),
    (-10, "", "message of a program",
        r"^(?:(?:cannot|could not|unable to|failed to) (?!(?:push|merge|deploy|release|commit|publish|install)\b)|must (?:specify|provide|supply) )"
        r"(?!.*\b(?:here|because|since|we|us|our|you|i|this|please|never|always|instead|approv\w+|reviews?|ask\w*)\b)[^,;:–—]+$"),
    (-2, "", "a long sentence", r"^.{160,}"),
)  # fmt: skip
