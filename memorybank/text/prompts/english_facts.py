"""What speaks for an English sentence besides "always" and "never": facts that recur or hold of a whole kind, conventions, labels, limits, steps and orders in
few words ("keep out of vendor", "the export is for CI only"), as rows of evidence (`evidence_english`). What speaks against it is here where it is about the
matter of a project: what its product does, and what a text contains."""

from __future__ import annotations

__light__ = True

from memorybank.text.prompts.english_work import WORKS
from memorybank.text.prompts.objectless import ANSWER
from memorybank.text.prompts.stated import CONSTRAINT, ENVIRONMENT, PREFERENCE, PROCEDURE

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MACHINE = r"(?:machine|box|laptop|computer|host|server|network|pc|mac)"
PASSING = (
    r"(?:^|[,;:–—-] |\b(?:because|since|fyi|as) )(?:(?!(?:while|when|if|until|unless|once|before|after|never|not|must|only|because|since)\b)[\w#./'-]+ ){0,3}?"
    r"(?:[\w#./'-]+ (?:is|are) (?:running|on hold|in progress|ongoing|under ?way|going on|full|paused|not merged)"
    r"|(?:ticket|issue|pr|mr|pull request)s?(?: #?\d+)? (?:is|are) (?:open|closed|merged|approved))(?= *(?:[,;:.!]| [-–—]|$))"
    r"|\b(?:i'm|i am|is) (?:on|in|at) (?:an?|the|my) (?:train|plane|bus|meeting|call|phone|road|way|hotspot|hotel|airport)\b"
    r"|^\W*(?:(?:ok|okay|so|and|now)\W+)*(?:(?:phases?|steps?|parts?|prs?|tasks?|tickets?|issues?|stages?|milestones?|items?) )?#?\d[\w.]*(?: \w+){0,2}"
    r" (?:is|are|has been|have been)(?: (?:now|all|already|also))* (?:checked in|merged|pushed|committed|deployed|released|finished"
    r"|done|completed?|landed|shipped)\b"
    r"|^(?!.*\b(?:always|never)\b)\W*(?:unless|if) you(?:['’]re| are) (?:trying to (?:say|tell|imply)|saying|suggesting|implying)\b"
)
"""Matches a state that passes: "the deploy is running, don't push anything", "4.3 is merged"; and what the agent may mean. An order because of one ends with
it."""
SYMPTOM = (
    r"^\W*(?:\[(?:plugin:)?[\w:./@-]{1,60}\] ?){1,3}\W*(?:\w*error\b|e[a-z]{3,12}:)|(?-i:\bE(?:NOENT|ACCES|PERM|EXIST|BUSY|CONN[A-Z]+|ADDR[A-Z]+)\b:)"
    r"|^\W*nothing (?:looks?|works?|worked|changed|changes|happens|happened|shows?|loads?|moved?|is (?:working|showing|different))\b"
    r"|^\W*(?:your|the|these|those) (?:changes?|fix(?:es)?|edits?|updates?) (?:\w+ )?(?:(?:do|did|does|are|is|have|has)(?: not|n['’]?t))"
    r" (?:\w+ )?(?:work|help|fix|improve|change|do)|^(?!.*\b(?:always|never|must|run|check|restart|use)\b)\W*(?:after|when|while|as soon as)\b.{1,80}"
    r"(?:\bthere (?:is|are) no\b|\b(?:drops?|falls?|slows?|hangs?|freezes?|crash(?:es)?|stalls?|disappears?|spikes?|flickers?)\b)"
)
"""Matches what goes wrong: a pasted error in one line, what does not work, what happens after something. With "always" or an order it is a procedure."""
STOPS = r"^\W*(?:(?:please|just|now|ok|okay|and)\W+)*stop \w+ing(?: \w+){0,3}(?:,| and| then)+ (?!.*\b(?:always|never|again|any ?more|from now on)\b)[a-z]+ "
"""Matches an order to do something else now: "stop implementing and explain your choices"."""
_NOT_OF_WORK = (
    rf"(?!.*(?:`|\w/|/\w|\w_\w|\.\w|\b(?:you|me|us|ours?|your|claude|nobody|ci|prod|production|staging|repo|repository|project|code ?base|team|review\w*"
    r"|ask\w*|committed|merged|pushed|deployed|edited|touched|checked in|documented|formatted|stored|kept|named|prefixed|versioned|generated|imports?|depends?"
    r"|reset|restart\w*|servers?|services?|jobs?|quer(?:y|ies)|log|written|in english|folders?"
    rf"|database|frontend|backend|compatible|any ?more|from now on|{WORKS})\b))"
)
"""What developers work on and with, and how they keep data. Who says what must be so of something else describes the product: "a guest may see the price"."""
_NOT_FOR_GOOD = r"(?!.*\b(?:always|never|cannot|only|from now on|forbidden|prohibited|nobody|no one|not allowed)\b)"
_NOT_BINDING = rf"{_NOT_FOR_GOOD}(?!.*\b(?:must|may|shall)(?: not|n't)\b)"
"""An order that binds for good is a rule, whatever it is about."""
_IN_CODE = r"(?!.*(?:\b(?:mock\w*|tests?|called|named|uses?|imports?)\b|\w_\w|\w/))"
"""What is said with code in mind: "the sensor must be mocked", "players must use the pool"."""
_ACTORS = r"(?:motor|sensor|player|enem(?:y|ie)|ball|paddle|bullet|sprite|robot|valve|lid)s?"
"""What moves in a game or a machine."""
ROWS: tuple[tuple[int, str, str, str], ...] = (
    (3, "", "what recurs",
        r"^(?!.*\b(?:should|could|would|must|needs? to|can|have to|never|always|another|others?|but|want|instead)\b)"
        r"(?=.*\b(?:is|are|gets?|has|have|runs?|does|do|goes?|[a-z]{3,}s)\b)(?:.*\b(?:"
        rf"(?:every|each) (?:other |single |second )?(?:{_DAY}|night|week|weekend|month|morning|evening|quarter|day|release|sprint)s?"
        rf"|(?:on|at|over) (?:{_DAY}s|weekends|holidays|night(?! of))|nightly|weekly|daily|hourly|once an? (?:day|week|month)"
        r"|after \d+ (?:days|weeks|months))\b)"),
    (3, CONSTRAINT, "labelled as a rule",
        r"^(?:(?:general|house|new|team|project|repo|another|our|my|the|one|coding|style|basic|golden) )*(?:rules?|conventions?|polic(?:y|ies)|guidelines?"
        r"|house style)(?: (?:for|in|of|here|on|is|at) ?[^:,]{0,30}?)? ?[:=–—]"),
    (5, PROCEDURE, "steps of a kind of work",
        r"^(?:for|on) (?:[\w-]+ )?(?:releas|hotfix|deploy|rollback|roll-?out|migration|backup|upgrad|onboarding|incident|outage|merg|tagg?)\w*: (?:[^,]+, )+"
        r"|^(?!.*\b(?:repro|reproduc)\w*)(?:how (?:to|we) \w+|(?:[\w-]+ ){1,2}(?:steps|procedure|process|workflow|checklist))(?: (?:for|of|to) [\w ]+)?: "
        r"|^to [\w-]+ (?:an?|any|every|new) (?:[\w-]+ )?(?:release|hotfix|rollback|deployment|migration|tag|version|backup|package|environment)s? we "),
    (4, CONSTRAINT, "what holds of all of a kind",
        r"^(?:all|every|each|our) (?:our )?(?:[\w-]+ ){1,3}?(?:is|are) (?:always )?(?:in (?:utc|cents|english|(?-i:[A-Z]{2,}))|stored|kept|served|defined"
        r"|declared|named|prefixed|signed|encrypted|versioned|immutable|nullable|idempotent|async|iso|utc|(?:[\w-]+ )?(?:integers?|strings?|ints?|floats?"
        r"|decimals?|uuids?|enums?|booleans?|cents|timestamps?|lower-?case|upper-?case|snake_case|camelcase|kebab-case))\b"
        r"|^no [\w-]+(?: [\w-]+)? (?:talks?|calls?|imports?|depends?|knows?|writes?|reads?) "),
    (4, CONSTRAINT, "done in one way only",
        r"\b(?:is|are|gets?|happens?) (?:\w+ )?only (?:done |made |run )?(?:by|from|through|via|inside)\b"
        r"|^only (?:the|our) [\w -]+? (?:writes? to|reads from|deploys?|pushes|publishes|touches|owns|merges|releases)\b"),
    (2, "", "what something takes only", r"\bonly (?:accepts?|allows?|talks?|speaks?|supports?|runs?|works?) "),
    (2, "", "a part of the infrastructure",
        r"^(?:the |our )?(?:[\w-]+ )?(?:gateway|cluster|network|firewall|registry|mirror|proxy|vpn|runners?|bucket|warehouse|broker|license server) "),
    (2, PREFERENCE, "what is not meant by it", r"^(?!the\b|make\b|ensure\b|it\b)(?:[\w.-]+ ){1,6}(?:are|is) [\w .-]+, (?:not|never) [\w.-]+(?: [\w.-]+)?\W*$"),
    (4, ENVIRONMENT, "on this machine",
        rf"^(?!.*\b(?:down|full|dead|crash\w*|hangs?)\b)(?:on (?:this|my|our|these) {_MACHINE}s?,? (?:[\w.-]+ )+(?:is|are|has|needs?|runs?|listens?|lives?)\b"
        rf"|(?:this|my|our) {_MACHINE} (?:has|is (?!really|very|so\b|too|quite|new|old|hot|slow|almost|nearly|out)|runs|uses|needs|cannot|can't)\b)"),
    (2, CONSTRAINT, "what a kind always has",
        r"^(?!(?:the|it|this|that|there|these|those)\b)[\w-]*s(?: [a-z-]+)? always (?:get|have|need|carry|include|go|start|end|live|use|come|belong)\b"
        r"(?!.*\b(?:errors?|fail\w*|wrong|null|empty|stuck|missing|[45]\d\d)\b)"),
    (9, ENVIRONMENT, "what a project does not have",
        r"^(?:because |since |and |but |note |that )*there(?:'s| is| are) no (?!need|error|point|reason|tests?\b|difference|way|problem|issue|change|bug|harm"
        r"|doubt|hurry|rush|sense|such|warning|space|comment|check|handling|validation)[\w.-]+(?: (?!for|to|in|with)[\w.-]+)?"
        rf" (?:here|(?:in|for|on) (?:this|the|our) (?:repo|repository|project|code ?base|team|company|{_MACHINE}))\W*$"),
    (3, CONSTRAINT, "order not to, about what the sentence names first",
        r"^(?:fyi |the |our )?`?[\w.-]*/[\w./*-]*`? (?:is|are|comes?|belongs?) [^,;–—]{2,60}?(?:[,;]| [-–—]) (?:so )?(?:please )?"
        r"(?:never|don't|do not) (?!show|use)\w"),
    (2, "", "in this repository",
        r"^in (?:this|the|our) (?:repo|repository|project|code ?base|monorepo|package|team),? (?!fix|add|change|please|can|we need)[\w-]+s? "),
    (2, "", "made by a tool or by others",
        r"(?:not|n't|never) (?:\w+ )?(?:edit|touch|change|modify|format|reformat|rename|move|patch|fix|delete|lint)\w* (?:the |any |our )?(?:\w+ ){0,2}?"
        r"(?:auto-?)?(?:generated|vendored|third[- ]party|upstream|minified|compiled|checked-in|shared|legacy|archived)\b"),
    (1, "", "a limit and nothing else", r"^max(?:imum)? [\w -]+? (?:is |of |are )?\d+\b(?!.*\bbut\b)"),
    (4, CONSTRAINT, "not without something before it", r"(?:don't|do not|never|no|nothing) .*\bwithout (?:\w+ing|my|an?|approval|permission|review)\b"),
    (2, CONSTRAINT, "what is not done in a folder",
        r"(?:\b(?:not|never|leave)\b|n't\b)[^.;]{1,40}\b(?:folder|directory|dir)\b|\b(?:folder|directory|dir)\b.{1,60}(?:\b(?:not|never)\b|n't\b)"),
    (3, CONSTRAINT, "a place to stay out of", r"^(?:please |just )*(?:keep|stay) (?:out of|away from) (?!(?:the way|this|that|it|my|trouble)\b)\S"),
    (3, CONSTRAINT, "for whom it is", r"\b(?:is|are) (?:for|by) (?:the )?[\w-]+(?: [\w-]+)? only\b"),
    (3, PREFERENCE, "an answer that always holds", ANSWER),
    (3, PREFERENCE, "another language", r"\bin (?:german|french|spanish|chinese|korean|italian|portuguese|dutch)\b"),
    # Against: the matter of the project.
    (-8, "", "what the product does",
        rf"^{_NOT_BINDING}(?:(?:the |an? |each |every |our )?(?:user|guest|customer|visitor|player)s? (?:must|shall|should|may|ha(?:s|ve) to)\b"
        rf"|{_NOT_OF_WORK}(?!(?:if|when|whenever|before|after|unless|because|since|nothing|we|i)\b)(?:in the [\w -]{{1,30}}?, )?"
        r"(?:[\w'-]+ ){0,6}?(?:shall|should|may|ha(?:s|ve) to)\b)"
        rf"|^{_NOT_FOR_GOOD}{_IN_CODE}(?:(?:the |an? |each |every )?(?:guest|visitor|player)s? may (?!not)"
        rf"|(?:the |an? |each |every )?{_ACTORS} must not \w+ while\b)"
        rf"|^{_NOT_BINDING}{_IN_CODE}(?:(?:the |an? |each |every )?{_ACTORS} (?:must|may|shall|should) (?!be \w+(?:ed|ad|en) (?:by|through|from|in|with)\b)"
        r"|the (?:[\w-]+ )?(?:sidebar|button|dialog|popup|tooltip|dropdown|checkbox|turret) must\b)"),
    (-7, "", "what the product is wanted to do",
        rf"^{_NOT_BINDING}(?:.*\b(?:make sure|ensure)\b.*\b(?:this|it) (?:won't|doesn't|can't)\b"
        rf"|{_NOT_OF_WORK}.*\b(?:make sure|ensure)\b.*\b(?:the [\w-]+|[\w-]+s) (?:won't|doesn't|don't|can't)\b)"),
    (-14, "", "an example", r"^(?:for (?:example|instance)|e\.?g\.?)(?!\w)"),
    (-14, "", "what was only imagined", r"^if (?:we|i|you|they|there) (?:had|were|was)\b.*(?:'d|\bwould) "),
    (-5, "", "what came of it once", r"^(?:when|once) (?:i|we|they|he|she) (?!need)(?:\w+ed|began|got|went|tried)\b"),
    (-14, "", "what a text contains",
        r"^\W*(?:lines?|section|chapter|paragraph|page|§) ?\d[\d.]*\b|\bcontradicts?\b(?! me\b)|\b(?:the|this|an?) stale (?:sentence|line|claim)\b"),
    (-14, "", "a proposal", r"^(?:the )?(?:(?:cheapest|best|simplest|easiest|quickest|real|proposed|suggested|possible) )+(?:fix|solution|option|way)\b[^.;]*:"
        r"|\bif you(?:'d)? (?:want|like|prefer)\b.*\bi(?:'ll| can)\b"),
)  # fmt: skip
