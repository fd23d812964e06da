"""What in a Japanese sentence says how an agent is to work with the person who types it, in the future and in all sessions, as rows of evidence
(`evidence_japanese`): orders with a time to come, what the person does not want done, and how the agent is to deal with them. What speaks against it is here
where it is about the plan of the moment."""

from __future__ import annotations

__light__ = True

from memorybank.text.prompts.stated import CONSTRAINT, PREFERENCE, PROCEDURE

_END = r"[ねよなー〜～。!！、\s」』)）]*$"
_WORK = r"(?:コミット|プッシュ|マージ|追加|作成|変更|削除|リネーム|書き換え|上書き|整形|フォーマット|インストール|実行|編集|公開|アップロード|共有|生成|更新)"
_ACT = rf"(?:{_WORK}し|書き|書か|足し|足さ|増や|増やし|増やさ|残し|入れ|混ぜ|触り|触ら|いじり|いじら|消し|消さ|作り|直さ|進め|載せ)"
_WRITES = r"(?:書[いき]|追記|追加|更新|編集|修正|変更|記録|記載|記憶|加え|足し|拡充|反映)"
_THAT = r"(?:ように|こと(?:を|も)|旨を|って|」と)、?"
ROWS: tuple[tuple[int, str, str, str], ...] = (
    (3, CONSTRAINT, "not any more",
        r"(?:もう|二度と|いい加減|いいかげん|これ以上)(?!一|少|ちょっと|すぐ|大丈夫|十分|終わ)[^。]*(?:ないで|の[をはも]やめ|ことはやめ|なくて(?:いい|よい|良い)|ないよう)"),
    (10, PREFERENCE, "how the agent deals with the person",
        r"迎合|忖度|お世辞|おべっか|イエスマン|鵜呑みにし?(?:ない|せず)|(?:私|僕|俺|自分)が[^、。]{0,12}(?:間違|誤)[^、。]{0,12}(?:たら|とき|時|場合|れば)"
        r"[^。]*(?:指摘|教え|言っ|止め|反論)"),
    (8, PREFERENCE, "language of the answers",
        rf"^(?:日本|英|中国|韓国|ドイツ|フランス|スペイン)語で(?:お願い(?:します|いたします)?|頼みます?|(?:答え|(?:回答|返事|返答|会話)し|話し)て\S{{0,4}}){_END}"),
    (5, CONSTRAINT, "what a person does not want done",
        rf"{_ACT}たく(?:は)?(?:ない|ありません)(?!か)|(?<!な)[てで](?:は)?(?:ほしく|欲しく|もらいたく|いただきたく)(?:は)?(?:ない|ありません(?!で))"
        rf"|(?:[^、。]{{2}}の|こと)(?:は|が|も)(?:すごく|とても|本当に|正直)?(?:嫌|いや|イヤ)(?:です|だ(?!っ)|な(?:ので|んで|の)|{_END})"),
    (8, CONSTRAINT, "what a person does not bear",
        rf"{_ACT}?(?:さ)?れ(?:ると|るのは|るのが)[^、。]{{0,6}}(?:困(?!難)|迷惑|嫌|いや|イライラ|怖|こわ|不安)(?!な(?:人|方|ユーザー?|お?客))(?!.*(?:[たっ]た|でした){_END})"),
    (8, PROCEDURE, "rule for a file of instructions",
        rf"{_THAT}(?:(?:CLAUDE|AGENTS|GEMINI)(?:\.md)?|ルール|規約|指示書|メモリ)(?:ファイル)?(?:に|を|へ|にも)[^、。]{{0,12}}{_WRITES}"
        rf"|(?:CLAUDE|AGENTS|GEMINI)(?:\.md)?(?:に|へ|にも)[^。]{{4,}}?(?:と|よう(?:に)?|こと[をも]?|旨を?)(?:書[いき]|追記|追加|記載|記録|記憶|加え)"),
    (2, PREFERENCE, "what a kind does not need",
        r"(?:もの|こと|場合|とき|毎回|いちいち)(?:は|について(?:は|も))?[^。]*なくて(?:も)?(?:いい|よい|良い|構わ|大丈夫)"),
    # Against: the plan of the moment.
    (-8, "", "something pointed at", r"^(?:なお、?|※)?こちら[はも]"),
    (-6, "", "what one thing does not need",
        r"(?:本(?!番)|この|その|当該)[^、。]{1,12}(?:へ|に|で)の?(?:反映|変更|追加|対応|修正|更新|実装|適用)は(?:不要|必要(?:が|は)?(?:な|あり)|いら|要ら)"),
    (-6, "", "what is to come", r"今後[^。]*(?:なる予定|する予定|ように(?:なり|し)ます|ようになる)"),
    (-4, "", "a plan", r"ように(?:改良|改修|変更|修正|対応|実装)します|将来(?:的な|の)(?:実装|予定|計画|構想)"),
    (-6, "", "code of the matter at hand", r"[をは]\s?(?:true|false|null|None|undefined)(?:に|と|で)"),
    (-2, "", "a number of things", r"(?<!車)両(?=[ァ-ヶA-Za-z])"),
    (-8, "", "what was repaired", r"(?:エラー|警告|問題|不具合|症状|バグ|ずれ|崩れ|遅延)(?:は|が|も)(?:全部|すべて|完全に)?(?:なくなり|消え|解消|出なくなり)"),
    (-5, "", "what the product does when it is used",
        r"(?:指定|クリック|入力|選択|リクエスト|送信)され[^、。]{0,8}(?:たら|場合|とき|れば|と|なら)(?:は|に)?、(?!.*(?:聞い|相談|確認|止め|教え|知らせ|報告))"),
)  # fmt: skip
