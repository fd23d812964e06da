"""The words of generated notes: real words where they are frequent, invented ones of the same shape in the long tail.

Frequencies follow Zipf and Mandelbrot: weight 1 / (rank + 2.7). Everything follows from the seed.
"""

import random
from dataclasses import dataclass
from itertools import accumulate

_split = str.split
ENGLISH_WORDS = 40_000
JAPANESE_WORDS = 24_000

_FUNCTION = _split("the to of and a in is for that it on with as be this are was by not or we from when at an if which has so but then only after before each")
_HEAD = _split("""
note memory index search file agent session rule decision error test user time config rotation archive score cache query token server client request response
deploy release branch commit merge review database table schema migration worker queue retry timeout lock thread process memory bank path link key value
parser format version default option command hook event log metric alert backup restore import export module function class method argument return value
project plan goal task issue bug fix change feature team meeting owner deadline budget customer contract design architecture interface protocol security
permission password certificate network proxy gateway cluster container image volume storage disk latency throughput benchmark profile memory leak garbage
collector compiler runtime library package dependency upgrade rollback incident outage postmortem runbook checklist onboarding glossary convention style
documentation example tutorial reference translation encoding unicode calendar timezone currency invoice payment refund account profile notification email
""")
_ONSETS = _split("b c d f g h j k l m n p r s t v w br cl cr dr fl gr pl pr sc sh sk sl sp st str tr th wh ch")
_VOWELS = _split("a e i o u ai ea ee io oo ou")
_CODAS = ["", "", "", "b", "ck", "d", "l", "m", "n", "nd", "nt", "p", "r", "rt", "s", "st", "t", "x"]
_ENDINGS = ["", "", "", "", "s", "ed", "ing", "er", "tion", "ly", "ness", "able"]

_KANJI = (
    "記憶検索設定認証期限規則設計実装同期計画共有変更確認問題原因対応結果試験環境構築運用監視障害復旧手順資料会議決定方針理由背景課題目標担当者予定作業進捗"
    "報告書類保存削除更新追加修正改善評価性能速度容量圧縮展開暗号鍵署名権限利用者管理画面入力出力通信接続切断再送遅延負荷分散並列処理順序依存関係構造木枝葉根"
    "文字列数値配列辞書型関数引数戻値例外警告通知履歴版番号日付時刻週月年間隔開始終了成功失敗条件分岐反復回数上限下限境界平均最大最小合計差分比率精度安全"
)
_JAPANESE_HEAD = _split("""
記憶 検索 設定 認証 期限 規則 設計 実装 同期 計画 共有 変更 確認 問題 原因 対応 結果 試験 環境 構築 運用 監視 障害 復旧 手順 資料 会議 決定 方針 理由 背景
課題 目標 担当者 予定 作業 進捗 報告 メモ トークン サーバー クライアント データベース テーブル スキーマ キャッシュ インデックス ログ エラー テスト ファイル パス
リンク キー バージョン オプション コマンド フック イベント バックアップ アーカイブ ローテーション スコア ユーザー セッション エージェント プロジェクト チーム
リリース ブランチ コミット レビュー デプロイ ワーカー キュー タイムアウト ロック メモリ ネットワーク セキュリティ パスワード 証明書 権限 暗号化 翻訳 文字コード
""")
_KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニノハヒフホマミムメモラリルレロワンガギグゴザジズダデドバビブボパピプポ"

PARTICLES = _split("は が を に で と も の から まで より では には")
PREDICATES = _split("する した して いる である なる ない なった できる できない 必要がある 見直した 決めた 避ける 残す 分かった 使う 変える")


@dataclass(frozen=True)
class Words:
    """Words, most frequent first, with cumulative weights for `random.choices`."""

    words: list[str]
    cumulative: list[float]

    def draw(self, chance: random.Random, count: int) -> list[str]:
        return chance.choices(self.words, cum_weights=self.cumulative, k=count)

    def ranked(self, first: int, last: int) -> list[str]:
        """Return the words of these ranks. Words of a few low ranks are in every note, words of high ranks in almost none."""
        return self.words[first:last]


def english(seed: int) -> Words:
    chance = random.Random(f"english {seed}")
    words = dict.fromkeys([*_FUNCTION, *_HEAD])
    while len(words) < ENGLISH_WORDS:
        syllables = chance.choices((1, 2, 3), (2, 5, 3))[0]
        stem = "".join(chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS) for _ in range(syllables))
        words[stem + chance.choice(_ENDINGS)] = None
        if len(words) % 50 == 0:
            words[f"{chance.choice(_HEAD)}_{stem}"] = None
            words[f"{stem}{chance.choice(_HEAD).title()}"] = None
    return _zipf(list(words))


def japanese(seed: int) -> Words:
    """Return content words: compounds of two to four kanji and katakana words."""
    chance = random.Random(f"japanese {seed}")
    words = dict.fromkeys(_JAPANESE_HEAD)
    while len(words) < JAPANESE_WORDS:
        if chance.random() < 0.7:
            words["".join(chance.choices(_KANJI, k=chance.choices((2, 3, 4), (6, 2, 2))[0]))] = None
        else:
            words["".join(chance.choices(_KATAKANA, k=chance.randint(3, 6))) + chance.choice(("", "", "ー", "ション", "ング"))] = None
    return _zipf(list(words))


def _zipf(words: list[str]) -> Words:
    return Words(words, list(accumulate(1 / (rank + 2.7) for rank in range(1, len(words) + 1))))
