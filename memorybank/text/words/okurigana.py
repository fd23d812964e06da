"""Business words that Japanese makes of two verbs, or of a verb and a noun, with kana in between: 取り置き, 引き当て, 払い戻し, 届け先.

Without a dictionary, kana between kanji is grammar (直して動かす), so such a word would be two single characters, which say nothing. It is recognised by
the form of its first verb and by its second character, and represented by its kanji: 取置. So its spellings meet: 取り置き, 取置き, 取置.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.scripts import is_kanji

_FIRST = str.split("""
    言い 洗い 追い 買い 使い 払い 貰い 争い 扱い 請い 救い 誘い 拾い 縫い 振い 願い 行い 習い 引き 置き 書き 巻き 抜き 焼き 敷き 突き 吹き 描き 解き 割き 招き
    磨き 叩き 弾き 開き 聞き 歩き 働き 動き 生き 行き 浮き 急ぎ 継ぎ 注ぎ 泳ぎ 稼ぎ 騒ぎ 貸し 出し 押し 渡し 返し 戻し 消し 足し 差し 刺し 指し 回し 残し 話し
    申し 蒸し 探し 流し 落し 起し 卸し 干し 崩し 隠し 示し 試し 通し 落とし 起こし 打ち 持ち 立ち 待ち 勝ち 撃ち 断ち 保ち 呼び 飛び 選び 並び 結び 運び 学び
    遊び 積み 読み 組み 編み 包み 囲み 畳み 頼み 踏み 盗み 飲み 住み 刻み 噛み 歩み 産み 取り 売り 切り 割り 送り 乗り 入り 残り 戻り 作り 造り 張り 貼り 降り
    借り 振り 折り 刷り 釣り 掘り 彫り 織り 狩り 刈り 守り 走り 繰り 掛り 掛かり 預かり 終わり 止まり 下がり 上がり 当たり 切れ 入れ 売れ 割れ 忘れ 遅れ 流れ
    汚れ 慣れ 離れ 連れ 触れ 受け 付け 掛け 届け 預け 助け 開け 空け 避け 分け 漬け 負け 請け 上げ 下げ 投げ 締め 止め 詰め 留め 集め 決め 納め 埋め 閉め 染め
    勤め 責め 立て 当て 捨て 建て 育て 充て 並べ 調べ 食べ 比べ 重ね 束ね 訪ね 寄せ 任せ 見せ 載せ 乗せ 伏せ 合わせ 押さえ 抑え 植え 据え 抱え 数え 控え 替え
    換え 構え 備え 支え 迎え 揃え 煮え 燃え 落ち 閉じ 綴じ 生じ 封じ 足り 延び 伸び 起き 尽き
""")
_VERBS = frozenset(
    "上下入出付掛込当置取引切替換戻越立抜落倒止詰締留寄集分割渡返受払売買貸借押消積扱継決残組巻回開閉外揃張貼折曲刷流送届預並足増減差納交乗降放重混崩請負据"
)
"""The second character of a compound of two verbs. Not 始 続 終 直 過, which say how something is done: 使い続ける, 書き直す."""
_NOUNS = frozenset("場先状荷値札皿手口主元高金券票箱品物賃代枠番台板網図紙地店屋役師庫証帳蔵車機線")
_ORDINARY = frozenset(
    str.split("""
    読込 書込 呼出 切替 切換 立上 立下 起上 組込 取込 取出 取入 取上 取組 取掛 書換 書替 書出 書足 書入 書分 書下 書戻 読取 読出 読替 読返 読上 貼付 埋込 振分
    並替 割当 割込 切出 切分 切取 切落 洗出 追付 追掛 追込 追出 抜出 抜取 巻戻 差替 差込 入替 入込 入換 置換 置替 使分 使回 使込 使切 言換 言替 言回 言付 言出
    聞出 聞取 聞返 聞回 引出 引込 引掛 引張 飛出 飛込 走出 走込 動出 動回 話掛 申出 申付 申立 申上 申請 選出 選取 選分 打込 打出 打消 押込 押出 押付 押下 受入
    受継 受止 落込 落付 流込 流出 送込 送出 送付 送返 投込 投出 投入 渡込 立込 立入 立止 立出 立戻 作込 作出 作替 作分 作上 組替 組上 試込 探出 探当 調出 調上
    詰込 持出 積上 繰返 繰出 繰上 付込 付替 付出 付足 踏込 張付 残込 吹出 突込 突出 突付 消込 折返 折込 掛込 通込 通出 使物
    """)
)
"""Compounds that programmers use all the time, of what a program or they do. They say no more than their parts."""
_BETWEEN = lazy_pattern("[\u3005\u4e00-\u9fff][\u3041-\u3093]{1,2}(?=[\u4e00-\u9fff])")
_FORMS = frozenset(_FIRST)
_SECOND = frozenset((*_VERBS, *_NOUNS))


def compounds(run: str) -> list[tuple[int, int, str]]:
    """Return (offset of the first kanji, offset of the second, both) of each compound in a run of Japanese: (0, 2, 取置) for 取り置き."""
    found: list[tuple[int, int, str]] = []
    for match in _BETWEEN.finditer(run):
        begin, end = match.span()
        pair = run[begin] + run[end]
        is_compound = match[0] in _FORMS and run[end] in _SECOND and pair not in _ORDINARY and not is_kanji(run[end + 1 : end + 2])
        if is_compound and (not found or found[-1][1] != begin):
            found.append((begin, end, pair))
    return found


def spellings(pair: str) -> list[str]:
    """Return the other beginnings with which two kanji may be written if they are such a compound: 取り置 for 取置. The final kana does not matter."""
    if pair[1] not in _SECOND or pair in _ORDINARY:
        return []
    return [form + pair[1] for form in _FIRST if form[0] == pair[0]]


def as_written(pair: str, text: str) -> str:
    """Return the spelling of a compound in a text: 取り置き for 取置. Return the two kanji if they are none."""
    for spelling in spellings(pair):
        _, found, after = text.partition(spelling)
        if found:
            return spelling + next((form[1:] for form in _FIRST if form[0] == pair[1] and after.startswith(form[1:])), "")
    return pair
