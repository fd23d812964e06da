"""Words that say nothing about the subject of a text. They are never searched for and never become keywords."""

__light__ = True

ENGLISH = frozenset(
    str.split("""a about above after again against all also am an and any are as at be because been before being below between both but by
    can could did do does doing done down during each else ever few for from further get got had has have having he her here hers
    herself him himself his how i if in into is it its itself just let like me more most much my myself no nor not now of off on
    once only onto or other our ours ourselves out over own please same shall she should so some such tell than that the their
    theirs them themselves then there these they this those through to too under until up upon us very was we were what when where
    whether which while who whom whose why will with would yes yet you your yours yourself yourselves
    ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn weren won wouldn""")
)
"""The last line contains the remains of contractions (`didn't` → `didn`)."""

JAPANESE = frozenset(
    str.split("""こと もの ため よう とき ところ これ それ あれ どれ ここ そこ どこ この その あの どの など ほか また および または ただし
    場合 以下 以上 必要 可能 利用 使用 時間 時点 場所 全て 各々 自分 今回 前回 次回 一つ 二つ 何か""")
)
"""Words in kanji and kana that are useless as keywords."""

ASKING = frozenset(
    str.split("""add anyth ask chang check choos creat decid explain find fix get give go happen help implement investig keep know learn let look make mean
    need ok okai pleas question remov remind rememb run see show someth start stop take tell thank thing think time todai try understand updat us wai want
    work write written wrong""")
)
"""Stems of words that say what is wanted rather than what it is about. Nearly every prompt contains some."""
MODAL = frozenset(str.split("abl happen mai mani might much must per quit rather still two via without"))
"""Stems of words that modify others. A text that contains one of them in common with a prompt is not about the same subject for that reason."""
ASKING_JAPANESE = frozenset(
    str.split("注意点 注意 以前 修正 説明 方法 質問 追加 作成 内容 対応 調査 確認 希望 教示 依頼 状況 具体的 簡単 最近 現在 今日 昨日 一緒 他")
)
"""The same in Japanese, each a run of one script."""
