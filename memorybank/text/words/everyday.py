"""Words of everyday language, which name nothing: a rare word that is none of them, and not ordinary in texts about software, is probably a name."""

from __future__ import annotations

__light__ = True

from memorybank.text.words.ordinary import SHARES, share_of
from memorybank.text.words.word_terms import ASKING, ASKING_JAPANESE, MODAL

_WORDS = frozenset(
    str.split("""
    accid achiev across ad adult advanc advic afford afraid afternoon ag ago agre ahead aim air aliv almost alon along alright although amount ancient
    angri anim annoi announc anoth answer anybodi anymor anyon anywai anywher apart apolog appar appli appreci approach appropri approv april area
    argu arm around arrang arriv art articl asap asid asleep assum attach attack attempt attend attent attract auditor august aunt author autumn
    averag avoid aw awai awar babi bad badli bag balanc ball band bank bare basic bath battl beach bear beat beauti becom bed beg behav behaviour
    belief believ bell belong benefit besid best bet beyond big bigger bill bird birth bit bite bitter blame blank bless blew blind blood blow board
    boat boi book bore born borrow boss bother bottl brain bread breakfast breath bridg brief briefli bright bring broke brother btw bu budget bui
    built bump burn burnt burst busi calcul calm came camera camp cap car card care carefulli careless carri cash cat catch caus celebr centr central
    centuri certain certainli chain chair challeng chanc charg cheap cheat cheer circl citi claim clearli clever climb clock cloth cloud clue coat
    coffe cold colleagu collect colleg combin come comfort common compani compar competit complain complaint complex concern conclus condit confid
    confirm confus connect consid constantli construct continu contract contrast convers convinc cook cool cope corner cost cough countri coupl courag
    cours cousin cowork crash crazi cream credit crime cross crowd crucial cry cup curios curiou cut dad dai damag danc danger dare databas daughter
    dead deal dealt dear death debat decad decemb decent decis deep definit degre delai deliv demand deni depart deploi deploy describ deserv desir
    desk desktop despit destroi detect determin devic die diet difficult difficulti dinner direct director dirti disappear disappoint discov discuss
    diseas distanc divid doctor doe dog dollar doubt downgrad dream dress drink drive dry due dust duti eager ear earli earlier earn earth easili east
    eat eaten economi edg educ effort eight either elder eleven els elsewher emploi encount encourag enemi energi engin enjoi enorm enough entir escap
    especi essenti establish eventu everybodi everyon everyth everywher evid evil exact exactli exam excel excit excus exercis expens experi expert
    explan extrem ey face fact factori fair fairli faith fall famili familiar famou fan far farm fashion faster fat father fault favor favorit favour
    fear februari fed feed feel feet fellow fenc fight figur fill film finger finish fire firm fish fit five flat flight floor flow flower fly focu
    folk follow fond food foot forc foreign forest forev forget forgiv formal former forth fortun forward four frankli freedom freez frequent fresh
    fridai friend friendli frozen fruit fulli fun funni furthermor futur fyi ga gain game garden gather gave general gentl genuin gift girl given glad
    glanc glass goal god goe gold gone goodby govern grab grade gradual grai grand grant grass grate great greatli green greet grei ground grow growth
    guarante guard guess guest gui guilti habit hair hall hand handi hang happi happili hardli hardwar hassl hate hear heart heat heaven heavi heavili
    hei hello hesit hi high higher highli hill hit hmm hold hole holidai home honest honestli hook hope hopefulli horribl hors hospit host hot hotel
    hotfix hous howev huge human hundr hungri hurri hurt husband ic ideal idiot ill imagin immedi impact import important imposs impress incid includ
    incorrect increas inde independ indic individu industri initi injuri inner insist inspir instal instanc instant instantli instruct instrument
    intend intent interest introduc invent invest invit involv iron island januari job joi join joke journei judg juic juli jump june keen kept kick
    kid kill kindli king kiss kitchen knee knew knife knock knowledg known lack ladi laggi lake land laptop larger late latter laugh launch law lawyer
    lazi lead leader leaf lean leap least leav lectur leg legal lend less lesson lie life lift likewis linux lip listen liter littl live loan lock lol
    lone longer lose loss lost lot loud love low luck lucki lunch mac macbook mad made magazin mainli maintain major man manner march market marri
    mass master materi matter mayb meal meantim meanwhil measur meat medic meet member mention mere mess metal middl midnight mile milk million mind
    mine minor mirror mistak mix moder modern moment mondai monei monkei mood moon moreov morn mostli mother motion mount mountain mous mouth movement
    movi murder muscl music mysteri narrow nation natur near nearbi nearli neat neatli necessari neck neg neighbor neighbour neither nervou
    nevertheless newer newspap nice night nine nobodi nois nonsens noon nope north nose noth novemb nowadai nowher nuclear nudg nurs obei obviou
    obvious occas occasion occur ocean octob odd offer offic offici often oh oil older onc ongo opinion opportun oppos opposit ordinari organ origin
    otherwis ought outcom outdat overal ow owner pace pai paid pain paint pair pale paper pardon park parti particularli partli partner past patch
    patienc patient paus payment pc pdf peac peculiar percent perfect perfectli perform perhap period perman permit persist persuad phase photo pick
    piec pile pink piti plainli planet plant plate pleasant pleasur plenti plu pocket polic polit poor popul popular possess possibli post potenti
    pound pour power practic prai prais precis prefer prepar presenc presid pretend pretti prevent previous price pride primari princ principl prior
    prison prize probabl proce procedur prod product profess professor profit promis promot promptli proof properli protect proud prove provid punish
    pure purpl purpos pursu put qualiti quarter queen quickli quiet quietli race radio rain rais ran randomli rapid rapidli rare rate reach readi
    realis realiti realiz realli recal receiv recent recogn recognis recommend recov red reflect refus regard regardless regret regularli reject
    relationship relax releas relev reli reliabl relief remain remark repair repli requir research reserv resist respect respond rest restaur retir
    reveal reward rice rich rid ride ring rise risk river road rock roll rollback rollout roof room rough roughli round royal rub rude ruin rush sad
    safe safeti sai said sake salari sale salt sand satisfi saturdai saw scale scare scene school scienc score sea season seat secret secretari secur
    seek seem seen seldom selfish sell sens sensibl sensit sent septemb seriou serious serv settl seven shake shame shape share sharp shine ship shirt
    shock shoe shoot shop shore shortli shot shoulder shout shower shut shy sick sigh sight silenc silent silli silver simpli sinc sincer sing sink
    sister sit situat six skill skin skip sky sleep slide slight slightli slip slower slowli smaller smart smell smile smoke smooth snow soap social
    societi soft softwar soil soldier solid solut solv somebodi somehow someon sometim somewhat son song soon soonish sorri soul sound soup south
    spare speak special speech speed spend spirit spite spoil spoon sport spot spread spring squar stage stai stair stand star stare station steadi
    steal steel steep stick stomach stone stori storm straight strang stranger street strength stress stretch strict strike strong struggl stuck
    student studi studio stuff stupid subtl succe success successfulli sudden suddenli suffer suffici sugar suggest sum summer sun sundai sunni suppli
    suppos surfac surpris surround survei surviv suspect swear sweet swim sword sympathi tablet tackl tail taken talk tall tast tax tea teach teacher
    teammat tear technic telephon temporari ten tend tens terribl theater theori therefor thick thin thingi third thirsti thirti thorough thoroughli
    though thought thousand threat throat throughout throw thu thursdai thx tidi tie tight till tini tip tire togeth toi told tomorrow tone tongu
    tonight took tooth touch tough tour toward tower town trade tradit traffic train travel treasur treat tri trial trick tricki trip tripl troubl
    truck truli trust truth tuesdai turn tweak twelv twenti twice twist typic ugli ultim unabl uncertain uncl unclear unexpect unfortun unhappi
    uninstal union univers unknown unless unlik unsur unusu upcom upgrad upset urg urgent vacat vagu vallei valuabl variou vast veget vehicl versu
    victori video villag violent virtual visit vital voic volum vote wage wake walk wall wander war warm wash wast watch water wave weak weapon wear
    weather wed wednesdai weekend weight weird welcom well went west wet whatev wheel whenev wherev whichev white whoever wider wife wild win wind
    wine wing winter wire wise wish within woman wonder wood workaround worker world worri wors worst worth worthwhil wound wrote yard yeah yell yep
    young youth yup zone
    abstract accident accord accur adjust adopt advantag affect ah align alongsid altern amend analyz approxim aspect assembli assess assign assist
    associ assur authent backward biggest blue bold boundari cannot capabl categori caught children chose chosen classic classifi comparison compat
    concept concret convent core coverag creation cycl de dedic depth di discoveri distinct dont draft driven easier ed elimin enforc equival et
    evalu ex examin exclud exclus expand expans explor extern factor fake feedback fewer forgot foundat framework generic grace guidanc guidelin ha
    harder head histor ident inconsist insight intellig interrupt isol ly mainten maximum meant medium met min minimum nativ net note optim
    outlin overview pend permiss platform polici pop port preserv prioriti pro problemat proceed profession program re recoveri rel remot reset
    restrict resum revis sampl schedul scratch secondari self shift signific spent stabl stat statement statist succeed super suspend tech
    thei timelin trail transit tune un understood unnecessari violat visual vs writer
    abl wai
    使用 利用 可能 時間 場合 場所 必要 時点 自分 以上 以下 今回 前回 次回
    月曜 火曜 水曜 木曜 金曜 土曜 日曜 曜日 午後 夕方 昼休 半年
    上が 上げ 上に 上司 下が 下げ 下に 世界 中で 乗せ 乗っ 事実 今年 今月 今朝 今週 仕事 付い 付け 会社 低い 低く 何か 何が 何で 何の 何を 何件 何個
    何分 何時 何秒 作っ 作り 作る 使い 使う 使え 使っ 使わ 先日 先月 先生 先週 入っ 入る 入れ 全て 全員 全然 出し 出す 出た 出て 出る 分か 分間 切っ
    切り 切る 切れ 判断 前に 前の 助け 勉強 動い 動か 動き 動く 勝手 午前 午後 危険 去年 友達 取っ 取る 取れ 受け 古い 古く 合っ 合わ 同じ 同様 同僚 呼び 呼ぶ
    呼ん 困っ 困り 国内 地域 場面 増え 増や 変え 変わ 外し 外れ 多い 多く 多分 大き 大体 大変 始ま 始め 学校 安全 安心 実際 客様 家族 小さ 少し 少な
    希望 年間 引く 引っ 弱い 強い 当時 当然 待っ 待つ 後で 後に 心配 忘れ 思う 思っ 急ぎ 急に 悪い 悪く 意外 意見 意識 感じ 感覚 戻し 戻す 戻っ 戻る
    押さ 押し 押す 担当 持っ 持つ 探し 探す 教え 新し 日間 早い 早く 昨夜 時刻 普段 普通 書い 書く 最初 最後 最終 月間 期待 期間 期限 本当 本番 来た 来て
    来る 来年 来月 来週 様子 次に 次の 止ま 止め 残し 残っ 残り 毎回 毎日 毎月 毎朝 毎週 比較 気分 気持 決ま 決め 決定 注目 海外 消え 消し 消す 減ら
    減り 渡し 渡す 無理 無駄 特に 特別 現実 理解 直し 直す 直っ 直る 直前 直後 相手 瞬間 知っ 知り 知識 短い 短く 研究 社会 社長 秒間 立ち 立っ 納得
    終え 終わ 経験 結局 結構 絶対 続き 続け 締切 練習 置い 置き 置く 考え 聞い 聞く 至急 興味 良い 落ち 落と 行き 行く 行っ 見え 見た 見て 見る 覚え
    言う 言っ 試し 試す 読み 読む 読ん 課長 調べ 起き 起こ 起動 足し 足り 軽い 軽く 載せ 近い 送っ 送る 途中 通し 通っ 通り 通る 速い 速く 週間 遅い
    数え 遅く 違い 違う 違っ 遠い 選び 選ん 部屋 部長 重い 重く 長い 長く 閉じ 開い 開く 開け 関心 電話 面倒 頼み 頼む 願い 顧客 高い 高く
    """)
)
"""Terms as `terms.content_terms` returns them."""
OF_PATHS = frozenset(str.split("js jsx tsx ts mjs cjs py pyi rb rs kt php sh md yml scss txt src lib dist cfg ini toml"))
"""Parts of the paths of files, which say of what kind a file is."""
_GRAMMAR = frozenset(
    str.split("""
    によ これ より いう とい れに よう のよ して それ とし ある する のま があ この まま れと その はな なく よる ため まだ では うな って にす
    のた にな なっ った のと とき はま ゃあ じゃ しく もし あり るこ がな ない こと ちら まず ぞれ れぞ れば いっ でも とす どう るの あっ なる
    はこ うい こち いの てい れは どち よく いく くつ つか なん うの でい がそ だけ どこ とな れで たい いた いて だい そう であ たの はど ます
    ずれ いず をそ どの いい した っと ちょ
    """)
)
"""Pairs of hiragana that are no part of a name."""
_NO_NAMES = _WORDS | _GRAMMAR | OF_PATHS | ASKING | ASKING_JAPANESE | MODAL


_ADVERB, _SHORTEST_ADVERB = "li", 7
"""How the stem of an English adverb ends ("accordingly"), and how long it is at least."""


def is_name(term: str) -> bool:
    """Return whether a term of `terms.content_terms` is probably a name: of a thing, a place, a product, or of something particular."""
    return not (term in _NO_NAMES or term.isdigit() or share_of(term) or (term.endswith(_ADVERB) and len(term) >= _SHORTEST_ADVERB))


def is_ordinary_word(written: str) -> bool:
    """Return whether a Japanese word, as it is written, names nothing."""
    return written in SHARES or written in _NO_NAMES
