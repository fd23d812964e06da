"""The phrases by which `text.signals` tells corrections, preferences and "remember", as data.

English phrases are lower case without signs but apostrophes; they stand at the beginning of a sentence, fillers left out.
Light imports only: hooks load this file.
"""

from __future__ import annotations


def _phrases(text: str) -> tuple[str, ...]:
    """Phrases between slashes, each with a blank at its end, so that they end with a word."""
    return tuple([phrase.strip() + " " for phrase in text.split("/")])


FILLERS = _phrases("""please / pls / ok / okay / alright / and / also / but / so / well / hey / hm / hmm / oh / ah / sorry / claude / then /
    again / just / uh / ugh / wait / no wait / one more thing / note / important / reminder / in general / generally / thanks / thank you / great""")
OBLIGATIONS = _phrases("""you should / you must / you need to / you have to / we should / we must / we need to / we / i want you to /
    i'd like you to / i need you to / make sure to / make sure you / make sure that you / make sure we / be sure to / let's / could you / can you /
    would you""")
WRONG = _phrases("""that's wrong / that is wrong / this is wrong / that was wrong / wrong file / wrong place / wrong approach / wrong direction /
    wrong branch / that's not right / that is not right / this is not right / that isn't right / this isn't right / that's incorrect /
    that is incorrect / that's not what i / that is not what i / that isn't what i / this is not what i / this isn't what i / not what i /
    that's not how / that is not how / not like that / not like this / don't do that / do not do that / don't do this / stop doing / stop adding /
    stop using / stop changing / stop removing / stop creating / stop editing / stop writing / undo that / undo this / undo it / undo your /
    undo the last / revert that / revert this / revert it / revert your / roll that back / roll it back / roll this back / put it back /
    change it back / you broke / you forgot / you missed / you ignored / you misunderstood / you misread / you were supposed / you weren't supposed /
    you should have / you shouldn't have / you should not have / you deleted the wrong / you removed the wrong / you changed the wrong /
    you edited the wrong / you didn't do what / you did not do what / i said / i told you / i already told / i already said / i asked for /
    i asked you to / i didn't ask / i did not ask / i never asked / i meant / i didn't mean / i did not mean / why did you / why would you /
    actually no""")
ALONE = ("no ", "nope ", "wrong ", "incorrect ", "not that ", "not this ", "stop ", "that's wrong ", "that is wrong ", "this is wrong ")
"""Whole sentences that say no; what is wanted stands in the next one."""
NO = _phrases("no / nope / no no / nah")
NO_GOES_ON = _phrases("""use / don't / do not / not / it should / it must / it needs / that's wrong / that is wrong / that's not / that is not /
    that isn't / this is wrong / this is not / this isn't / i said / i meant / i want / i wanted / i asked / put / make / instead / you should /
    you must / you need / wrong / the other / only / just use / keep / leave / change / move / rename / remove / revert / undo / stop / we use /
    we don't / we do not / actually / it's not / it's the / it's called / it's supposed / it's in / it is not / rather / try / do it / go back /
    read / write / call / set / add / without / you misunderstood / you forgot""")
NO_IS_FINE = _phrases("""it's fine / it's ok / it's okay / it's good / that's fine / that's ok / that's good / that's all / that's it /
    it is fine / go ahead / keep going / keep it / leave it / do it later / not yet / not now / not really / not needed / not necessary /
    it's not needed""")
DIRECTIONS = _phrases("use / actually use / make it / call it / put it / it should be / should be / do it / go with / write it")
PREFERENCES = _phrases("""i prefer / we prefer / i'd prefer / i would prefer / prefer / i'd rather / i would rather / don't ever / do not ever /
    my preference is / our convention is / the convention here is / we don't use / we do not use / we only use / we always / we never / i like my /
    i always want / i never want""")
LASTING_STARTS = _phrases("""from now on / going forward / in future / in the future / for the future / as a rule / by default / for future /
    next time / every time you / whenever you / for all future / in this project / in this repo / in this repository / in this codebase""")
LASTING_ENDS = (" from now on", " going forward", " in the future", " in future", " next time", " every time")
REMEMBERED = _phrases("""remember that / remember to / remember this / remember the / remember we / remember i / remember our / remember my /
    remember it / remember for / don't forget that / do not forget that / never forget that / keep in mind / bear in mind / make a note that /
    make a note of / take note that / note for the future / for future reference / memorize / memorise / remember""")
NOT_VERBS = frozenset(
    str.split("""got had has have was were did does is are am been saw made found knew went came ran wrote worked took gave told said felt meant
    mind know knows thought the a an in on at with when if this that it and or not been returns seem seems here there happy good great nice glad up
    ready done look say give willing sure nice better worse too more""")
)
"""What follows `always` or `never` in a statement."""
VERBS_ON_S = frozenset(str.split("pass process address access discuss express press cross focus compress bypass assess guess dismiss miss stress alias"))
STATEMENTS = frozenset(
    str.split("""i i'm i'll i've i'd that's there's he's she's they're we're you're what's who's here's it it's this that the there we we'll they
    he she you your my our a an if when what how why who maybe perhaps does did is are was were will would should could can""")
)
"""What a sentence that orders nothing begins with."""

REQUESTS = tuple(
    str.split("""して ください 下さい お願い お願いします おねがい ないで ように すること しよう 使って 使おう 使え 書いて やって やめて べき
    べきだ べきです 欲しい ほしい ほしいです 欲しいです 頼む 頼みます 禁止 禁止です 直して 変えて 戻して 入れて 付けて つけて 出して 置いて おいて
    いこう いきましょう しましょう くれ 読んで 呼んで 守って 見せて 保って 分けて 残して 消して 見て 確かめて 調べて 答えて 話して 返して 任せて
    待って 聞いて 通して""")
)
"""How a Japanese sentence that asks for something ends (`ね`, `よ`, `な` left out)."""
JAPANESE_WRONG_STARTS = tuple(
    str.split("""違う 違います ちがう ちがいます 違くて そうじゃな そうではな そこじゃな そこではな それじゃな それではな いや、そう いや、違
    いえ、違 間違って 間違えて 間違いです 元に戻して もとに戻して 元に戻せ やり直し やりなおし 勝手に 余計な 頼んだのは お願いしたのは 言ったのは""")
)
JAPANESE_WRONG = tuple(str.split("頼んでない 頼んでいない 頼んでいません そうじゃない そうではない 勝手に変え 勝手に消 勝手に直 勝手に追加 違うよ 違いますよ"))
JAPANESE_TOLD = tuple(
    str.split("って言った って言いました と言ったはず と言いました と言ったでしょう と言ったのに って言ったのに って言ったでしょ と言いましたよ")
)
"""What a sentence ends with that repeats an order."""
JAPANESE_INSTEAD = tuple(str.split("ではなく じゃなくて じゃなく の代わりに のかわりに やっぱり やはり"))
JAPANESE_LASTING = tuple(
    str.split(
        "いつも 常に 毎回 必ず 今後 これからは これから先 次から 次回から 次回以降 以後 以降は 二度と 絶対 デフォルトで 基本的に 原則 普段から ルールとして"
    )
)
JAPANESE_RULES = tuple(
    str.split("""を使う を使います で使う を使用する を使用します 使わない 使いません 使用しない 使用しません を書く を書きます 先に書く 先に書きます 語で書く
    語で書きます 書かない 書きません にする にします を実行する を実行します 実行しない 実行しません を走らせる を走らせます を回す を回します を通す を通します
    を付ける を付けます をつける をつけます 付けない つけない を入れる を入れます 入れない を確認する を確認します に従う に従います を避ける を避けます
    を優先する を優先します 答える 答えます コミットする コミットします コミットしない コミットしません プッシュしない プッシュしません マージしない
    マージしません デプロイしない デプロイしません 編集しない 編集しません 変更しない 変更しません 削除しない 削除しません 追加しない 追加しません commitしない
    pushしない mergeしない""")
)
"""How a sentence ends that is a rule with one of the lasting words, in its plain form, blanks left out: いつもuvを使う, …を実行すること. What a thing does by
itself (いつも失敗する, サーバーが…を使う) is told of it and is no rule."""
JAPANESE_TASTE = tuple(str.split("方が好き ほうが好き 方が好み ほうが好み が好みです 方を好み ほうを好み 派です が嫌いです"))
JAPANESE_REMEMBER = tuple(
    str.split(
        "覚えておいて 覚えといて 覚えて下さい 覚えてください 覚えてね 覚えておくこと 記憶して 忘れないで メモしておいて メモしといて 心に留めて 覚えておこう"
    )
)
