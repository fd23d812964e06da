"""Patterns of sentences with which people object to what an agent said, and of replies in which it concedes. `refuting` judges them."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

FILLERS = lazy_pattern(
    r"^\W*(?:(?:ok(?:ay)?|so|and|but|well|hey|hmm*|hm+|oh|ah|uh|um|lol|haha|huh|sorry|wait|thanks|thank you|claude|no+|nope|nah|i think"
    r"|i['’]m afraid|afraid|careful|one thing|くそ|あの|えっと|うーん|すみません|すいません|ごめん(?:なさい)?|でも|あれ|ちょっと"
    r"|ありがとう(?:ございます)?|いや|いえ|いいえ)(?![\w'’])[\s,.:;!、。！—–-]*)+",
    "i",
)
SAYS_NO = lazy_pattern(
    r"^\W*(?:(?:ah|oh|hmm+|well|lol|haha|um|uh|sorry|but|wait|ok(?:ay)?)\W+)*(?:no+|nope|nah)\b(?!\.\s?\d)(?=\s*(?:$|[,.;:!。、！—–-])| (?:it|that"
    r"|this|they|we|there|the|its|only|you)\b)|^\W*(?:いや|いえ|いいえ)(?=[、,。！!\s…]|$)",
    "i",
)
FIRST_NO = lazy_pattern(
    r"^\W*(?:(?:ah|oh|hmm+|well|lol|haha|um|uh|sorry|but|wait|ok(?:ay)?)\W+)*(?:no+|nope|nah|いや|いえ|いいえ)"
    r"(?![\w'’])[\s,.:;!、。！—–-]*(?:(?:sorry|wait|actually)[\s,]+)*",
    "i",
)
_THAT = r"(?:that|this|it|your answer|the answer|the (?:first|second|last) (?:part|point|sentence|statement|claim)|all of (?:that|this|it))"
_QUITE = r"(?:(?:quite|entirely|really|actually|exactly|completely|totally|at all|just|simply|plain|still|also|no longer|any ?more|even|strictly) )*"
FALSE = lazy_pattern(
    rf"^\W*{_THAT}(?:['’]s| is| was| are)? {_QUITE}(?:wrong|false|incorrect|untrue|inaccurate|mistaken|a mistake"
    r"|outdated|out of date|obsolete|nonsense|backwards)\b(?! (?:file|branch|place|folder|direction|approach|repo))"
    rf"|^\W*{_THAT}(?:['’]s not| is not| was not| isn['’]?t| wasn['’]?t| ain['’]?t| no longer is) {_QUITE}"
    r"(?:right|true|correct|accurate|it\b|so\b|the (?:case|reason|cause|problem|issue|limit|value|one)|how (?:it|this|that|they|we)\b|what (?:it|the)\b)"
    rf"|^\W*{_THAT} (?:doesn['’]t|does not|can['’]t|cannot|can not) (?:be right|be true|be correct|be it|match)\b"
    r"|^\W*(?:wrong|incorrect|false|untrue|not (?:true|right|correct|so|quite(?: right| true| correct)?|accurate|really|any ?more))\s*(?:$"
    r"|[,.;:!—–-])|^\W*you(?:['’]re| are) (?:\w+ )?(?:wrong|mistaken|confusing|mixing)\b|^\W*you (?:got|have|had) (?:that|this|it) (?:wrong"
    r"|backwards)\b|^\W*you (?:misread|mixed up|confused)\b|\byou (?:made|mixed|messed) (?:that|this|it|them) up\b"
    r"|^\W*(?:the )?other way (?:a)?round\b|^\W*the opposite\b|^\W*i (?:don['’]?t|do not) (?:think|believe) (?:so\b|that['’]?s|that is|this is"
    r"|it['’]?s|it is)|^\W*(?:(?:それ|これ|今の|さっきの|その\S{1,10}?|最後の\S{0,6}?)は?\s?|全然|まったく|全く|少し|ちょっと|違う(?=違う"
    r"|[、。 ]?違う)){0,3}[、。 ]?(?:違います|違いました|違う(?=[。、！!\s]|[よねな]|と思|って|ん?です|ので|けど|$)|違って(?:い|ま)|ちがいます"
    r"|ちがう(?=[。、！!\s]|[よねな]|$)|間違い(?:です|でした|だ|ですね)|間違って(?:いる|いま|る|ま)|間違えて(?:いま|ま)|まちがい(?:です|だ)"
    r"|まちがって|誤り(?:です|だ)|誤って(?:い|ま)|正しくな|正しくあり|嘘(?:です|だ)|そうでは(?:な|あり)|そうじゃ(?:な|あり)|事実ではな|本当ではな"
    r"|もう古い|逆(?:です|だ)|古い(?:情報|値|話|内容)です)|^\W*正しくは(?=[、,\s]|\S)|情報が古い|^\W*(?:ダメ|だめ)(?:だ|です)",
    "i",
)
ORDERS = lazy_pattern(
    r"^\W*(?:just |please |first |better |rather |only |instead,? |then |now |actually,? )*(?:do|don['’]?t|not|never|stop|wait|leave|keep|use|put"
    r"|make|go|try|add|remove|change|move|rename|revert|undo|write|read|call|set|run|push|commit|merge|open|delete|drop|start|continue|ignore|forget"
    r"|let['’]?s|let me|let|skip|show|give|tell|create|fix|check|take|bring|turn|restore|split|squash|rebase|deploy|hold|hang|thanks|thank|worries"
    r"|need|problem|more|other|further|rush|hurry|way|idea|big deal|matter|offense|doubt|comment|changes?|tests?|questions?|objections?)\b(?! (?:is"
    r"|are|was|were|has|have|does|do)\b)|^\W*(?:i|we)(?:['’]d| would)? (?:really )?(?:want|need|prefer|meant|mean|said|asked|wish|like|hope|wanted"
    r"|told|already (?:said|asked|told))\b|^\W*no \w+|^\W*(?:can|could|would|will) (?:we|you|i)\b|\bshould (?:appear|show|say|read|look|use)\b"
    r"|\b(?:in (?:the )?future|from now on|next time|going forward|whenever|when (?:you|u|we|i))\b|今後|これから|次から|^\W*i (?:do|did|don['’]t|can"
    r"|could|would|won['’]t)\b|^\W*i(?:['’]ll| will|['’]m going)\b|^\W*we(?:['’]ll| will| should| can| could)\b|^\W*you (?:should|must|can|could"
    r"|need|may|do|don['’]t|forgot|missed|were|weren['’]t|broke|shouldn['’]t|mustn['’]t)\b|\bplease\b|\binstead\W*$|^\W*(?:it|that|this)(?:['’]s| is"
    r"| looks| was) (?:totally |perfectly |already |all |just |really )*(?:fine|ok(?:ay)?|good|great|all right|all|it|enough|perfect|not (?:needed"
    r"|necessary|urgent|important|yet))\b|(?:ください|下さい|くださいね|お願い(?:します|いたします)?|ましょう|(?:し|やめ|待っ|戻し|使っ|見|直し|変え"
    r"|書い|出し|残し)て(?:ね|よ)?|ないで(?:ね|よ)?|やめて|結構です|大丈夫です|不要です|(?:要|い)りません|いいです(?:よ)?|後で|あとで|まだです"
    r"|ほしいです?|欲しいです?|たいです)[。！!\s]*$",
    "i",
)
"""Matches what a person wants done, or declines, rather than how something is."""
STATES = lazy_pattern(
    r"\b(?:is|are|was|were|has|have|had|does|did|do|can|cannot|could|may|might|must|should|will|would|only|never|always)\b|['’](?:s|re|ve|ll)\b"
    r"|n['’]t\b|\b(?:it|they|that|this|there|he|she|we|which|who) (?:\w+ly )?[a-z]+|\b[a-z]{3,}(?:s|ed)\b|[\u3041-\u9fff]",
    "i",
)
OTHERWISE = lazy_pattern(
    r"^\W*(?:actually|in fact|in reality|hmm*\b|no+\b|nope|(?:is|was|are|does|do|did|were)n['’]t\b)|^\W*(?:実は|実際|本当は|確か|たしか|いや|いえ|あれ)", "i"
)
"""Begins a sentence that says something else than the answer."""
DOUBTS = lazy_pattern(
    r"^\W*(?:as far as i (?:know|remember|can (?:tell|see))|afaik|i (?:thought|believe|think|guess|see)|are you sure|really\b|since when|but\b"
    r"|the (?:docs?|code|file|log|config|readme|settings?)\b|you (?:also )?(?:said|wrote)\b|why\b)|^\W*(?:でも|本当(?:に|です)|ほんと"
    r"|\S{0,20}?(?:(?:では|じゃ)(?:ない|なか|あり)(?:ません|です)?|のはず))|はず(?:です|だ|では|なの)|(?:でし|だっ)たっけ|ですっけ|(?:書いて"
    r"|なって)(?:あり|あった|ある|い(?:ます|る|た))|(?:では|じゃ)(?:ない|なか|あり)\S{0,12}[?？]",
    "i",
)
"""Matches a sentence that doubts the answer."""
ADMITS = lazy_pattern(
    r"\b(?:i (?:was|stand) (?:wrong|mistaken|corrected)|my (?:mistake|bad|error|apologies|answer was wrong)|i (?:misread|misspoke|overlooked"
    r"|confused|mixed up)|sorry for the (?:confusion|mistake|error)|apologies\b|i apologi[sz]e|thanks? (?:you )?for (?:the )?correct\w*)"
    r"|\bno evidence\b|^\W*(?:(?:失礼|申し訳|すみません|すいません)\S*?。?)?(?:訂正|誤り|誤って|間違|私の(?:誤|間違))"
    r"|[。、]\s*(?:(?:先ほど|さっき|前)の\S{1,12}?は)?(?:(?:間違い|誤り|間違って|誤って)(?:い|おり|でし)(?:まし)?た|訂正し(?:ます|ました))|根拠が(?:な|あり)",
    "i",
)
APOLOGIZES = lazy_pattern(r"^\W*sorry\b|^\W*(?:失礼|申し訳|すみません|すいません)", "i")
"""Matches a reply in which the agent admits an error of its own."""
AGREES = lazy_pattern(
    r"^\W*(?:(?:ah|oh|ok(?:ay)?|yes|thanks|thank you|hm+)\b\W*)*(?:you(?:['’]re| are) (?:\w+ )?(?:right|correct)\b(?! to (?:ask|question|wonder"
    r"|worry)))|^\W*(?:right|indeed|good catch)\b(?=[,.:;!—–-])|^\W*(?:おっしゃる(?:通|とお)|仰る(?:通|とお)|ご指摘|その通|そのとお|確かに|たしかに)",
    "i",
)
"""Matches a reply in which the agent agrees with the person, who may have corrected it or only gone on."""
_NAMED, _IS_NOT = r"[\w./@:-]", r"(?:では|じゃ)(?:なく|ない|あり)"
DENIED = lazy_pattern(
    rf"\bnot (?:in |on |at |the |by |from |every )?[`\"“]?({_NAMED}{{0,80}}\w)|(?:(?<!{_NAMED})|(?<={_IS_NOT}))({_NAMED}{{0,80}}\w)\S{{0,4}}?{_IS_NOT}", "i"
)
"""Matches what a sentence denies. A Japanese name is looked for only at its beginning, or where another one has just been denied: to try each of its
characters would take quadratic time on what people paste."""
POINTS = lazy_pattern(r"^\W*(?:please )?(?:look|see|check|read|try|think|go|search)\b(?: (?:again|it up|closer|carefully|at it))*\W*$", "i")
"""Matches a sentence that sends the agent to look, and states nothing."""
QUESTIONS = lazy_pattern(r"[?？][^\w?？]*$|か[。.]?$")
ASKS = lazy_pattern(r"[?？][^\w?？]*$")

BESIDES = lazy_pattern(
    r"\b(?:wants?|prefers?|also|too|as well|used to|back then|formerly|previously|in the old)\b|^\W*(?:except|not)? ?(?:on|in|for|with|under|at) "
    r"|も(?:あ|使|同)|以前は|昔は|(?<![事以])前は|旧",
    "i",
)
"""Matches what holds next to the answer, held before it, or holds in a case of its own."""
IS_IT = lazy_pattern(r"^\W*(?:it|that|this|they|there)(?:['’](?:s|re)| is| are)\b", "i")
LIMITED = lazy_pattern(r"^\W{0,2}(?:only |just )?(?:for|in|on|under|with|when|if|during|at|outside|everywhere)\b(?! all\b)", "i")
"""Begins what follows "that's not true" and names a case: "for staging", "in the README"."""
LIMITED_JAPANESE = lazy_pattern(r"^\W*[^、。]{1,20}(?:で|場合|時)は[、 ]?(?:違い|違う|ちがい|ちがう|正しくな|間違)")
RESTS = lazy_pattern(
    r"^\s*(?:$|[,.;:!?()—–-]|(?:though|any ?more|at all|either|now|since|because|as|too|again|sorry|actually|anyway|there|i['’]m afraid|unfortunately)\b)", "i"
)
"""What may follow "that is not correct". A noun ("English in the error message") would say that something else is not correct."""
TEXTS = lazy_pattern(r"^[^,;:]{0,30}\b(?:readme|docs?|documentation|comments?|error messages?|changelog|text|tests?|ticket|too|as well)\b", "i")
"""Matches a case that is only a text, which does not say how something is."""
ELSEWHERE = lazy_pattern(
    r"\b(?:other|another|wrong|different) (?:tab|window|chat|thread|terminal|session|project|branch|repo)\b|\bignore (?:my|that|this|what"
    r"|the last)\b|\bnever ?mind\b|\bmy last (?:message|prompt)\b|別件|(?:別|ほか|他)の(?:件|話|チャット|タブ|画面|スレッド|質問|プロジェクト"
    r"|ウィンドウ)|(?:タブ|ウィンドウ|チャット|画面)(?:に|で|の話|を間違)|無視して|^\W*間違えた|話に戻",
    "i",
)
"""Matches a prompt about something else than the answer."""
LISTED = lazy_pattern(r"^\W*no\.? ?\d|^\W*\d+ (?:on|of|in|from) (?:the|my|your|our) list\b", "i")
"""Matches "no. 3 on the list"."""
RIGHT = lazy_pattern(
    r"\byou(?:['’]re| are|['’]ve got it| were) (?:\w+ )?(?:right|correct)\b|\b(?:it|that|this|answer|20 \w+)(?:['’]s| is| was| looks"
    r"| sounds) (?:\w+ )?(?:right|correct|true|fine|good|great|perfect|ok(?:ay)?|exactly|enough|all)\b(?! (?:for|in"
    r"|on)\b)(?<!not right)(?<!not correct)(?<!not true)(?<!not fine)(?<!not good)(?<!not enough)(?<!not exactly)(?<!not all)|^\W*(?:exactly|correct"
    r"|right|true|fine|great|perfect|good|(?:ah |oh )?(?:yes|yep|yeah|yup)\b(?!,? but))\b|^\W*(?:やっぱり(?:[。、]|$)|そうだった)|\b(?:keep|kept"
    r"|leave|left) (?:it|that|this)\b|\bworks? (?:fine|well|great|now)\b|合って(?:い(?:ます|る)|ます|る)|正しいです|正しい(?:[。！!よね]|と思|$)"
    r"|その(?:通|とお)り|問題(?:あり|な)|(?:それ|これ)でいい",
    "i",
)
"""Matches a sentence that agrees with the answer."""
PRAISES = lazy_pattern(
    r"^\W*(?:thanks|thank you|nice|cool|great|wow|way|interesting|good)\b|助か|すご|凄い|素晴|ありがと|勉強に|知らなかった|なるほど|了解"
    r"|わかりました|いいと思|(?:ここ|これ)まで",
    "i",
)
"""Matches courtesy, which objects to nothing."""
OF_THE_PERSON = lazy_pattern(r"^\W*(?:i|i['’](?:m|ve|d|ll)|my|me)\b|^\W*(?:私|僕|俺|自分)[はがも]", "i")
"""Begins a sentence about the person who writes."""
ITSELF = lazy_pattern(r"^\W*(?:(?:since|after|until) [^,]{1,30}, )?(?:it|they|there|its|those|these|s?he)\b(?!['’]?s? (?:should|must|ought))", "i")
"""Begins a sentence about what the answer is about."""
ONLY = lazy_pattern(r"\b(?:only|solely|nobody but|no one but)\b|だけ|のみ|しか", "i")
