"""The default stop words of both languages in the form in which they are compared: lower case, before stemming.

The first ten are the specification's sample. Japanese text is matched by bigrams, so a Japanese stop word is a function word of one or two
kana, or a longer one whose bigrams mean nothing else. Content words are never stop words.
"""

_ENGLISH = """
the a an and or but in on at to
about above after again against all also am any are as be because been before being below between both by
can could did do does doing done down during each either else ever every few for from further
had has have having he her here hers herself him himself his how however
i if into is it its itself just me more most my myself
no nor not now of off once only other our ours ourselves out over own
same she should so some such than that their theirs them themselves then there these they this those through too
under until up us very was we were what when where whether which while who whom whose why will with within would
you your yours yourself yourselves
isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't hadn't
i'm i've i'd i'll you're you've it's that's there's let's we're we've they're
"""

_JAPANESE = """
は が を に で と も の へ や か な ね よ
です ます でし まし した して する され れる られ せる ある あり いる いた なる なり なっ ない なく
こと もの ため とき ところ から まで より など ほど だけ しか ても でも では には へは とは との での への
この その あの どの これ それ あれ どれ ここ そこ どこ そして また および または ので のに けど
について における によって により として という といった ている ています ました ません でした
"""

STOP_WORDS = tuple(dict.fromkeys((_ENGLISH + _JAPANESE).split()))
