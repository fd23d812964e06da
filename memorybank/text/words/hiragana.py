"""Names in hiragana. Most hiragana is grammar, so a name is looked for only where a run of Japanese begins: ほたるの設定, すばる予約, 「しらなみ、…」."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_LEAST, _MOST = 3, 7
_FIRST, _LAST = "\u3041", "\u309f"
_PARTICLES = ("について", "での", "との", "では", "には", "とは", "から", "まで", "って", "の", "は", "が", "を", "に", "で", "と", "も", "へ", "や")
_ENDS = lazy_pattern(
    r"(?:[てたねよか]|さい|せん|まし|ます|です|ない|たい|けど|ので|から|たら|れば|よう|そう|だろう|でしょう|なら|まで|など|だけ|しか|くらい|ぐらい"
    r"|ばかり|って|という|みたい|らしい|んだ|のに)$"
)
"""Matches a run of nothing but hiragana that ends as a clause does."""
_NO_NAMES = frozenset(
    str.split("""
    あそこ こちら そちら あちら どちら どなた どんな こんな そんな あんな どうして どうやって なんで なんだか なんか いくつ いくら どのくらい どれくらい これら
    それら しかし そして それから それで だから なので ただし つまり もしも もしか やはり やっぱ やっぱり とりあえず ひとまず ちょっと すこし もっと ずっと
    きっと たぶん おそらく ぜんぶ すべて みんな いつも ときどき たまに やっと ようやく さっき さきほど あとで まえに つぎに さいご はじめ はじめに ほかに べつに
    おなじ おなじく できれば できるだけ なるべく かならず どうも どうか すみません すいません ごめん ごめんなさい ありがとう おはよう こんにちは おつかれ
    おつかれさま おねがい よろしく いいえ ところ とき つもり ほんと ほんとう ほんとに ほんの ちゃんと きちんと しっかり ゆっくり はやく ちなみに あわせて まとめ
    まとめて かわりに かわり そのまま このまま いったん いきなり まったく ぜんぜん あまり あんまり かなり とても すごく めっちゃ めちゃくちゃ たくさん いろいろ
    いろんな さらに しかも または あるいは および ついで ついでに おまけに たとえば いわゆる どうせ せっかく むしろ さすが さすがに まさか やばい だめだ うまく
    うまい わかった なるほど たしか たしかに もちろん もともと そもそも あらかじめ さっさ はっきり ざっと ざっくり がっつり ください ぐらい くらい ばかり だけど
    だった である できる できない やり方 やりかた やった やって やる みる みて する して した しない される あるいは ときに うちの うち ぼくら おれら わたし
    わたしたち あなた みなさん どこか だれか いつか なにか どれか ひとつ ふたつ みっつ いまの いまは まだまだ もうすぐ ふつう ふつうに ときは おかしい おかしく
    へんな へんに きれい きれいに わざわざ わざと もういちど もう一度 いちど いつの どこの だれの なにを なにが なにも どこも どれも だれも そこそこ まあまあ
    ほとんど あたり まわり うえの したの なかの なかに そとの よこの となり うしろ まえの あとの あとは つまらない ないと ないで なくて なくなる なって なった
    なる なら ならない いけない
    """)
)


def name_at_start(section: str, *, is_whole: bool) -> str:
    """Return the name that a section of hiragana at the start of a run is, without particles; "" if it is none.

    is_whole: whether the run consists of nothing else.
    """
    if len(section) > _MOST + 2 or section in _NO_NAMES:
        return ""
    name = section
    for particle in _PARTICLES:
        if section.endswith(particle):
            name = section.removesuffix(particle)
            break
    if not _LEAST <= len(name) <= _MOST or name in _NO_NAMES or (is_whole and name == section and _ENDS.search(name)):
        return ""
    return name


def may_begin_with_name(run: str) -> bool:
    """Return whether a run of Japanese begins with enough hiragana."""
    return all(_FIRST <= sign <= _LAST for sign in run[:_LEAST]) and len(run) >= _LEAST
