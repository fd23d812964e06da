"""The patterns by which `text.statements` recognises statements, as data: (kind, words of which every match contains one, pattern).

A pattern is compiled only when a sentence contains one of its words, because each hook process would otherwise pay for all. English patterns
are tried in order on a sentence without its introductory words ("please", "ok", "I think"); the first match decides.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

CONSTRAINT, PREFERENCE, ENVIRONMENT, PROCEDURE = "constraint", "preference", "environment", "procedure"

FILLERS = lazy_pattern(
    r"^(?:(?:or|please|pls|ok|okay|alright|yes|yeah|yep|(?:no|nope)(?=[,.;])|and|also|but|so|well|hey|hmm+|oh|ah|sorry|then|again|wait|btw|important"
    r"|reminder|note|one more thing"
    r"|actually|right|great|thanks|because|since|i mean|like|as said|(?:i (?:also )?(?:think|feel|believe|reckon|mean)|i'd say"
    r"|imo)(?: that)?)(?:[,:;!.]|\s-)*\s+)+",
    "i",
)
DOUBTS = lazy_pattern(
    r"\b(?:maybe|perhaps|wonder|wondering|guess|probably|might|not sure|unsure|in theory|what if|assuming|suppose|hope|we could|for now|right now|yet"
    r"|this time|(?<!from )(?<!of )(?<!starting )today|tomorrow"
    r"|yesterday|for the moment|at the moment|at this point|temporarily|until (?:then|i|we)|so far|in this (?:case|pr|branch|commit))\b",
    "i",
)
"""Words of a sentence that is doubted or holds only for the moment."""
QUESTION = lazy_pattern(
    r"[?？]\W*$|,\s*(?:right|or|no|correct)\W*$"
    r"|^(?:what|why|how|who|whom|which|where|is|are|was|were|does|did|do (?:we|you|i|they)|can|could|would|will|should|shall|have you|has|am i|any"
    r"|that|if|so that)\b",
    "i",
)
IT = r"(?:it|this|that|there|these|those|they|he|she|i|if|what|which|first|then|second|third|next|finally)\b"
"""Beginnings of a sentence that only makes sense at the moment: later nobody can tell what it refers to."""
NAME = r"(?-i:`[^`]{2,60}`|\"[^\"]{2,60}\"|'[^']{2,60}'|\b[A-Za-z]\w*(?:[._/:@-]\w+)+|\b[A-Za-z]*[a-z][A-Z]\w+)"
"""Matches something with a name: code, a path, an identifier."""
_PROGRAM = r"(?-i:npm|pnpm|yarn|bun|make|mise|cargo|go|uv|poetry|pytest|docker|gradle|mvn|just|rake|task|deno|tox|nox|git)"
_BROKEN = r"(?:failing|fails?|broken|flaky|(?:showing|throwing) errors|does not (?:work|exist)|doesn't (?:work|exist))\b"
_LASTING = (
    r"(?:always|never|exactly one|at all times|at any ?time|every ?where|in every|for every|for each|in each|with every|with each|whenever|each time"
    r"|every time|anyway|ever)"
)
_MUST = r"(?:should|must|needs? to|has to|have to)"
_LANDMARK = (
    r"(?:commit(?:ting|s)?|push(?:ing)?|merg(?:e|ing)|releas(?:e|ing)|deploy(?:ing|s|ment)?|rebas(?:e|ing)|tag(?:ging)?|open(?:ing)? (?:a )?(?:pr"
    r"|pull request)"
    r"|publish(?:ing)?|(?:a|each|every|any) (?:change|edit|commit|release|deploy|pr|pull request|fix)|chang(?:e|ing) (?:the|a|any)|edit(?:ing)?"
    r"|updat(?:e|ing) (?:the|a|any)|add(?:ing)? (?:a|an|new))"
)
_DO = (
    r"(?:run|check|update|add|write|bump|tag|ask|make|use|regenerate|rebuild|format|lint|test|start|stop|restart|push|pull|rebase|do|don't|never|show|create"
    r"|verify|set)\b"
)
_YOU_MUST = r"(?:please |always |you (?:should |must |need to |have to )?|we (?:should |must |need to |have to |always )?|make sure (?:to |you )?)*"


def table(*rows: tuple[str, tuple[str, ...], str]) -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    """Return the rows with patterns that ignore case and are compiled when a sentence contains one of their words."""
    return tuple((kind, words, lazy_pattern(pattern, "i")) for kind, words, pattern in rows)


ALWAYS_TRUE = table(
    (
        PROCEDURE,
        (".md", "claude", "agents", "gemini"),
        r".*\b(?:add|update|write|mention|note|put|include|document)\b.{0,40}\b(?:CLAUDE|AGENTS|GEMINI|CONTRIBUTING)(?:\.md)?\b.{0,20}?(?:\bthat\b"
        r"|:)\s*\S.{10,}",
    ),
    (CONSTRAINT, ("never",), r"(?:can|could|would|will) you (?:please )?never\b"),
    (PREFERENCE, ("always",), r"(?:can|could|would|will) you (?:please )?always\b"),
    (
        ENVIRONMENT,
        ("fail", "broken", "flaky", "error", "n't", "not "),
        rf"(?:when (?:i )?run(?:ning)? |running |the )?{NAME}(?: [\w:-]+){{0,2}},? (?:is |are |keeps? |still |always |currently )*{_BROKEN}",
    ),
    (
        ENVIRONMENT,
        ("fail", "broken", "flaky", "error"),
        rf"(?:when (?:i )?run(?:ning)? |running )?{_PROGRAM}(?: [\w:.-]+){{1,4}}? (?:is |keeps? |still |always )*{_BROKEN}",
    ),
    (PROCEDURE, ("remember to", "forget to"), r"(?:always )?(?:remember to|don't forget to|do not forget to|never forget to) \S"),
    (
        ENVIRONMENT,
        ("remember", "in mind", "reference", "fyi", "forget that", "a note", "take note", "future"),
        r"(?:remember(?: that)?|(?:you should )?keep in mind(?: that)?|bear in mind(?: that)?|for (?:future )?reference|fyi|don't forget that"
        r"|do not forget that"
        r"|note for the future|make a note (?:that|of)|take note that)(?=[\s:,])(?! (?:me|when we|how we|the (?:first|last) time)\b)(?:.*\s)?\S+ \S",
    ),
)
"""Valid even when the sentence asks or doubts."""

STATED = table(
    (
        PROCEDURE,
        ("once a", "after a", "when a", "whenever", "once every", "after e", "before e", "before a"),
        rf"(?:once|after|before|when|whenever) (?:a|an|any|each|every) [^,]{{2,60}},\s*{_YOU_MUST}(?:delete|remove|open|close|tell|{_DO})"
        rf"|{_YOU_MUST}{_DO} \S.*\b(?:before|after) (?:each|every|any) \w",
    ),
    (
        CONSTRAINT,
        ("stay", "remain", "nothing", "only ", "fine to", "ok to", "okay to", "cannot", "can't"),
        rf"(?!{IT}).*\b{_MUST} (?:stay|remain) \S|nothing (?:in |from |under )?.{{0,40}}\b(?:may|should|must|can)\b|only [\w-]+s (?:may|can|should"
        rf"|must|are allowed to)\b"
        r"|(?:it is|it's) (?:always )?(?:fine|ok|okay) to (?:skip|use|commit|push|merge|ignore|bypass|break|drop|rewrite|force)\b(?!.*\b(?:this|that"
        r"|it|these)\b)"
        r"|we (?:cannot|can't|can not) (?!find|see|reproduce|get)\w+ .*\b(?:before|until|without|unless)\b",
    ),
    (
        PROCEDURE,
        ("before", "after", "when", "once", "every time", "each time"),
        rf"(?:before|after|when|whenever|once|each time|every time) (?:you |we |i )?(?:are |have )?{_LANDMARK}\b(?:.*(?:,| then)\s*|(?:(?!\b(?:i|we|it"
        rf"|they|is|are)\b)[^,])*?\s){_YOU_MUST}{_DO}"
        rf"|{_YOU_MUST}(?:keep |{_DO}).*\b(?:whenever|every time|each time) (?:you|we|i)\b|{_YOU_MUST}{_DO} \S.*\b(?:before|after|whenever|each time"
        rf"|every time) (?:you |we |i )?(?:are |have )?{_LANDMARK}(?! it\b| this\b| that\b| these\b)",
    ),
    (
        PROCEDURE,
        ("run ", "use ", "call ", "start ", "execute "),
        r"you (?:just |only )?(?:should|need to|have to|must)(?: just| only)? (?:run|use|call|start|execute) [`\"']?[\w./-]+ .*\b(?:that will"
        r"|which will|to set|and then|so that|first|every|before|after)\b"
        r"|to (?:run|build|test|deploy|release|start|install|debug|update|regenerate) .{2,60}(?:,| you (?:need|have) to| you must)? ?\b(?:run|use|call"
        r"|start|set|first|please)\b",
    ),
    (
        CONSTRAINT,
        ("not ", "n't", "dont", "no ", "never"),
        r"(?:do not|don't|dont|never|not|no)\s+(?!change|do\b|fix|edit|modify|touch anything|implement|start|worry|mind|need|think|see\b|idea"
        r"|way)\w+\s+(?:.*\s)?"
        r"(?:anything|any|anyone|anybody|anywhere|everything|ever|at all|under any|without|directly|unless|in (?:the )?(?:future|production|main)"
        r"|to (?:main|master|production|prod))\b",
    ),
    (
        CONSTRAINT,
        ("never",),
        r"(?:you (?:should |must )?|we (?:should |must )?)?never\s+(?!mind|seen?\b|heard|had|got|been|was|worked|returns?\b|ends?\b|really|\w+ed\b)\w+\s+\S"
        rf"|(?!{IT}).*\b(?:must|should|shall|may|can|to) never\b|it should never\b|(?:make sure|ensure)\b.*\bnever\b",
    ),
    (
        CONSTRAINT,
        (
            *(" ever", "allow", "permit", "forbid", "prohibit", "off limits", "off-limits", "supposed to", "meant to", "expected", "no one"),
            *("nobody", "circumstances"),
        ),
        r".*\b(?:not|never|[a-z]+n't) (?:.*\s)?ever\b(?! since)|.*\b(?:not|isn't|aren't|never) (?:be )?(?:allowed|permitted)\b|.*\b(?:forbidden"
        r"|prohibited)\b|.*\boff[ -]limits\b"
        r"|.*\bis not (?:supposed|meant) to\b|.*\bnot expected (?:that|to)\b|.*\bunder no circumstances\b|.*\b(?:no one|nobody) (?:may|should|must)\b"
        r"|(?:i|we) (?:hereby )?(?:allow|permit|forbid) \S"
        r"|you(?:'re| are) (?:allowed|not allowed|permitted) to\b",
    ),
    (CONSTRAINT, ("may", "must", "permission", "free to"), r"you (?:may|are free to|have my permission to|are not to|must) (?!have|be\b|know|want)\S"
                                                           r"|you have (?:my )?permission\b"),
    (
        CONSTRAINT,
        ("should", "must", "need", "has to", "have to", "may "),
        rf"(?!{IT}|when\b).*\b{_MUST}\b.*\b{_LASTING}\b|.*\bonly (?:the|a|an|our|one|[`\"'])[^,]{{0,60}}\b(?:should|must|may)\b"
        rf"|.*\bthey should not\b.*\banyway\b"
        rf"|(?:each|every|all) [^,]{{1,100}}\b{_MUST}\b",
    ),
    (
        CONSTRAINT,
        ("make sure", "ensure", "be sure"),
        r".*\b(?:make sure|ensure|be sure (?:to|that))\b.*\b(?:once|whenever|each time|every time|always|won't|in the future|ever|should ask"
        r"|specifically be told)\b",
    ),
    (
        CONSTRAINT,
        ("should not", "shouldn't", "must not", "mustn't", "may not", "shall not"),
        rf"(?:in .{{2,40}}?,? )?(?!{IT})(?!when\b|you\b).{{1,80}}? (?:should(?: not|n't)|must(?: not|n't)|may not|shall not) (?!be (?:hard|difficult"
        rf"|a problem|too|the case|an issue|needed)|have\b)(?!.*\bhere\W*$)",
    ),
    (
        PREFERENCE,
        ("always",),
        r"(?:(?:you|we) (?:should |must |need to |have to )?|i want you to |make sure (?:to |you )?|let's |(?:for|in|on"
        r"|with) [^,]{2,40},? (?:please )?)?always\s+"
        r"(?!a\b|the\b|forget|break|ignore|miss|do (?:this|that|it)|had|got|been|was|is\b|are\b|there\b|here\b|\w+ed\b|\w+ing\b|(?!pass\b|process\b"
        r"|address\b|press\b|discuss\b|access\b)\w+s\b)\w+\s+\S"
        r"|.*\bwe always (?:want|need|expect)\b"
        rf"|(?:.*[,;:]\s+)?(?:please )?(?:from now on )?always (?:{NAME})"
        r"|.*[,;:]\s+(?:please )?(?:from now on )?always\s+(?!a\b|the\b|forget|break|ignore|miss|had|got|been|was|is\b|are\b|there\b|here\b|\w+ed\b|\w+ing\b"
        r"|(?!pass\b|process\b|address\b|press\b|discuss\b|access\b)\w+s\b)\w+\s+\S",
    ),
    (
        PREFERENCE,
        ("prefer", "rather", "preference", "convention", "want", "hate", "dislike", " like", "expect"),
        r".*\bi(?:'d| would)? (?:really |much |strongly |generally |usually |always )?(?:prefer|rather)\b(?! (?:go with|take|have|do|use)? ?(?:option"
        r"|the (?:first|second|third|last|other|new|old)|this|that|it\b|number|\d|[a-d]\b))|.*\bwe (?:generally |usually |always |much )?prefer\b"
        r"|.*\b(?:my|our) (?:preference|convention) is\b|.*\bthe convention (?:here )?is\b|prefer \S"
        r"|.*\bi (?:don't|do not|dont) want (?!to (?:see|do|lose|wait|know)\b|this|that|it\b)\S|.*\bwe (?:don't|do not|dont) want\b"
        r"|.*\bi(?: really)? (?:hate|dislike) \S"
        r"|.*\bi (?:don't|do not|dont) like (?!this|that|it\b|the\b|how|your|turn)\S|.*\bi always (?:want|like|expect)\b|.*\bi like (?:my|to have"
        r"|it when|when|short|small|long|simple|clear|explicit|plain|early)\b|i want .*\balways\b|we want .* to (?:stay|remain|keep)\b"
        r"|.*\bwe (?:always|never) want\b|in this (?:repo|repository|project) we want\b",
    ),
    (
        PREFERENCE,
        ("be ", "i want", "i'd like", "i expect", "favo", "avoid", "stick to", "stick with", "follow", "case for"),
        r"be (?:brief|concise|terse|precise)\b|i(?:'d like| want| expect) (?:all|every|each|commits?|commit messages|tests|answers|names|functions"
        r"|comments|docs|messages|errors|logs|prs) "
        r"(?!(?:of|the|these|those)\b)\S|.*\bwe (?:always |generally |usually |try to )?(?:favou?r|avoid) \S|(?:stick to|stick with|follow) (?:the "
        r"|our )?(?:existing|usual|established) \S"
        r"|(?:always )?use (?:snake|kebab|camel|pascal|upper|lower|title|sentence)[-_ ]?case for\b",
    ),
    (
        PREFERENCE,
        ("no need",),
        r".*\bno need (?:to (?!do|run|commit|push|wait|change|fix|worry)|for (?!now|this|that|it\b))\S",
    ),
    (
        PREFERENCE,
        ("not ", "n't", "dont", "stop "),
        r"(?:(?:do not|don't|dont) (?:create|add|write|use|generate|commit|include|put|introduce|leave|log|print|mention|import|mock)|stop \w+ing) "
        r"(?!.*\b(?:for (?:this|that|it|now)|here|instead)\b)(?:[`\"'][^`\"']+[`\"']|(?!the\b|this|that|these|those|it\b|them|my\b|your|a\b|an\b"
        r"|more\b|to\b|any)(?:[\w-]+ ){0,3}?[\w-]+(?<!s)s\b)",
    ),
    (
        PREFERENCE,
        ("in this ",),
        r"(?:use|run|write|keep|put|call|name|prefer|don't|do not) .*\bin this (?:repo|repository|project|codebase)\W*$",
    ),
    (PREFERENCE, ("everywhere",), r"(?!.*\b(?:is|are|was|has|have|where)\b).{0,80}\beverywhere\b"),
    (
        PREFERENCE,
        ("style", "convention", "spelling", "english", "japanese", "casing", "indentation", "tabs", "spaces", "emoji", "conventional commits"),
        r"(?:always )?(?:use|write|answer|reply|respond|stick to|stick with|keep|follow) (?:.{0,50}\s)?(?:style|conventions?|spelling|english|japanese"
        r"|casing|indentation|tabs|spaces|emojis?|conventional commits)\W*(?:here|please)?\W*$",
    ),
    (
        PREFERENCE,
        ("no ",),
        r"(?:from (?:here|now) on,? )?no (?:emojis?|comments?|abbreviations?|duplicates?|duplication|magic numbers|mocks?|force push(?:es)?"
        r"|more)\b(?! (?:found|here|yet|so far|were|are|was|in (?:the|this|that)\b|than)) ?(?!$)\S*",
    ),
    (
        PREFERENCE,
        (
            *("from now on", "going forward", "future", "as a ", "by default", "general", "every time", "each time", "in this ", ", always"),
            *("should", "must", "need to", "have to", "are to"),
        ),
        r"(?:from now on|going forward|in (?:the )?future|as a (?:general )?rule|by default|in general|generally|every time|each time|in this (?:repo"
        r"|repository|project|codebase))\b[,:]?\s+"
        r"(?!i |it\b|this|that|the\b|there|he\b|she\b|they|my\b|your|why|when|you (?!should|must)|we (?:got|had|saw|did))\S+ \S"
        r"|(?!i |i'd|it\b|this|that|the\b|there|he\b|she\b|they|my\b|your|why|when|you (?!should|must)|we (?:got|had|saw|did)).+\b(?:from now on"
        r"|going forward|in (?:the )?future|every time|each time|as a rule|in general|, always)\W*$"
        r"|(?:commit messages?|commits|branch(?: names?|es)|pull requests?|prs?|pr titles?|changelog entries|tests|comments|(?:variable|function|file"
        r"|class) names?|error messages|log messages"
        r"|migrations|imports|docstrings) (?:should|must|need to|have to|are to) (?!pass\b|now|work\b|be (?:fixed|green|updated|removed|moved|run)\b)\S",
    ),
    (
        ENVIRONMENT,
        ("i'm ", "i am ", "i use", "i run", "i work", "i develop", "my ", "installed"),
        r"(?:i'm|i am|i) (?:on|using|running|use|run|work on|develop on) (?:\w+ )?(?:macos|mac|linux|ubuntu|debian|windows|wsl|fish|zsh|bash|nix|nixos"
        r"|arch|fedora|vim|neovim|emacs|docker|podman"
        r"|postgres|python \d|node \d|colima)\b|my (?:machine|laptop|editor|shell|terminal|computer|os) (?:is|has|runs|uses)\b|i (?:don't"
        r"|do not) have .{2,40} installed\b",
    ),
    (
        ENVIRONMENT,
        (" is ", " are ", " live", " run", " listen", " come", " sit"),
        rf"(?!{IT}|you\b|when\b)(?:the |our |all |each |every )?(?:[\w`\"'./:@-]+ ){{1,6}}?(?:is|are|lives?|runs?|listens?|comes?|sits?) (?:always "
        rf"|only |also |now )?"
        r"(?:located (?:in|at|under)|stored (?:in|at|under|on)|hosted (?:on|at|by)|deployed (?:to|on|by|from|every|with)|called \S+|named \S+"
        r"|owned by|on self-hosted|generated (?:by|from|with)|deprecated"
        r"|read[- ]only|rate[- ]limited|built (?:by|with|from)|written in|in (?:var|src|tmp|docs?|config|etc|lib)/|under \S+/|on port|at (?:https?:"
        r"|localhost)"
        r"|behind (?:a|the) (?:vpn|proxy|firewall)|the source of truth)",
    ),
    (
        ENVIRONMENT,
        ("our ", "this project", "this repo", "this app", "this package", "this library", "this codebase"),
        r"(?:our (?:[\w-]+ ){1,4}?(?:uses?|runs?|targets?|supports?|requires?|depends?|lives?)|this (?:project|repo|repository|codebase|app|package"
        r"|library) (?:is|uses|targets|supports|runs|needs|requires|follows|has)) "
        r"(?!broken|failing|too\b|not (?:working|correct)|missing|wrong|slow|out of|to\b)\S",
    ),
    (
        ENVIRONMENT,
        (
            *("on purpose", "by design", "intentional", "deliberate", "only ", "installed", "checked in", "vendored", "pinned"),
            *("was ", "were ", "been ", " go", "belong", "minutes", "hours", "newer"),
        ),
        rf"(?!{IT}|you\b|when\b|i\b)(?:.*\b(?:on purpose|by design|intentional(?:ly)?|deliberate(?:ly)?)\b"
        r"|.{2,50} only (?:works?|pass(?:es)?|runs?|builds?|compiles?) (?:with|on|in|under|if) \S"
        r"|[^,]{2,50} (?:is|are)(?: not|n't)? (?:installed|checked in|vendored|pinned|gitignored)\b(?! yet)"
        r"|[^,]{2,50} (?:was|were|has been|have been) (?:retired|deprecated|replaced by|superseded)\b"
        r"|[^,]{2,40} (?:goes|go|belongs?) (?:in|into|under|to) [`\"']?[\w.-]+/|.{2,50} (?:needs?|requires?) .{2,30} or (?:newer|later)\b"
        rf"|{NAME}(?: \w+)? takes? (?:about |around |up to |roughly )?\w+ (?:minutes|hours)\b)",
    ),
    (
        ENVIRONMENT,
        ("maintained", "supported", "no longer", " live", "needs a"),
        rf"(?!{IT}|you\b|we\b|when\b).{{3,60}}?(?:(?:isn't|is not|aren't|are not) (?:maintained|supported)\b|no longer (?:maintained|supported|used"
        rf"|needed|exists?)\b| (?:needs?|requires?) a running\b| lives? (?:in|under|at|on) \S)",
    ),
    (
        ENVIRONMENT,
        ("the ", "our "),
        r"(?:the|our) (?!issue|problem|question|idea|point|thing|goal|error|difference|risk|fix|bug|reason|other|first|second|last|only|main|next"
        r"|test|change|result|plan)"
        r"(?!.*\b(?:function|method|tests?|code|comment|field|logic"
        r"|loop)\b)(?=.*" + NAME + r")(?:[\w`\"'/.-]+ ){1,5}?(?:is|are|owns?|keeps?|holds?|requires?|expects?|uses?|stores?) "
        r"(?!now|not (?:working|correct|right)|still|missing|wrong|just|failing|broken|fine|ok|to\b|gone|done|too\b|very|so\b|really|hard|already|also"
        r"|it\b|that\b|this\b|defined|duplicated|called)\S.{1,90}$",
    ),
)  # fmt: skip
"""Valid only when the sentence is a statement."""

WE = lazy_pattern(
    r"(?:^|[,;:(]\s*|\b(?:that|since|because|and|as|but)\s+)(?:here |for .{2,40}?,? |in .{2,40}?,? )?we (?P<how>(?:only|always|never|now|usually"
    r"|normally|generally|explicitly|deliberately"
    r"|don't|do not|dont|no longer|intentionally|currently)\s+)*(?P<what>use|are using|target|have|run|keep|store|deploy|write|support|put|name"
    r"|commit|test|build|publish|release|follow|ship|target|host"
    r"|gitignore|track|pin|generate|squash|rebase|merge|tag|rely on|depend on|assume|choose|chose|choosed|document|own|call|handle|need"
    r"|add)\b(?!\s*$)(?P<rest>.*)",
    "i",
)
"""What a team does, has and uses."""
WEAK = frozenset(str.split("have need call handle test put name add merge track write run"))
"""Verbs that may also describe the moment. They count only with a name, or with a word like "always"."""
NO_FACT = lazy_pattern(
    r"\s+(?:to\b|the wrong\b|a (?:bug|issue|problem|conflict|question|naming|new|way|look|go|similar|test)\b|an (?:issue|error|idea|internal)\b"
    r"|some\b|any (?:issue|idea|problem)"
    r"|this\b|that\b|it\b|these\b|those\b|more\b|now\b|in\b|here\b|had\b|no (?:idea|clue|choice)|the (?:same|right) (?:issue|problem)|them\b|two\b"
    r"|which\b|what\b)",
    "i",
)

UNDOING = lazy_pattern(
    r"^\W*(?:(?:no|nope|please|wait|actually|sorry|ok|just)\W+)*(?:(?:revert|undo|ignore|remove|put|roll|stop|try|do|keep|leave|change|move|go|rename"
    r"|use|make|set|call)\b.*"
    r"\b(?:this|that|these|those|it|them|back)\b|don't do (?:this|that)\b|(?:that|this)(?:'s| is)? (?:wrong|not (?:right|correct)),? i\b|(?:revert"
    r"|undo)\b)|(?:元|もと)に戻|取り消し",
    "i",
)
"""Corrections that have no meaning without the turn that they answer."""

ONLY_ALWAYS = lazy_pattern(r"^\W*(?:always|every time|each time|from now on|いつも|毎回|必ず|今後も?|これからも?)\W*$", "i")
"""Sentences that say of the one before that it lasts: "Use uv. Always."."""

ONLY_REMEMBER = lazy_pattern(
    r"^\W*(?:please |and )*(?:remember|memori[sz]e|keep in mind|don't forget|do not forget)(?: (?:this|that|it|these))?\W*$|^\W*(?:これ"
    r"|それ|この\S{1,4}|以上)?[をも]?(?:覚えて|記憶して|忘れないで|メモして)\S*$",
    "i",
)
"""Sentences that only refer to the one before."""
