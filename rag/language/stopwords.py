"""Function words: what stands in every text and therefore tells nothing about its subject.

Short on purpose. A word joins only when it carries no subject in any text of its language; a missing
one costs a little precision, a wrong one hides what a question is about. Negations are left out of
the lists where they change an answer's meaning as a word of their own, so "not" stays content.
"""

from __future__ import annotations

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """
            a an the and or but if then than so as of at by for from in into on onto to with without about
            over under between through during before after above below up down out off again is am are was
            were be been being do does did doing done have has had having will would shall should can could
            may might must i me my mine you your yours he him his she her hers it its we us our ours they
            them their theirs this that these those there here who whom whose which what when where why how
            all any both each some such own same too very just also only please tell it's that's what's i'm
            don't doesn't let's
        """,
        "ru": """
            и в во на с со к ко о об обо от до из у за по под над при про для без между через перед после
            или а но же ли бы что чтобы как когда где куда откуда почему зачем если то так тоже также еще
            уже только даже вот это этот эта эти этого этой этих этом этому этим тот та те того той тех том
            тому тем такой такая такие я меня мне мной ты тебя тебе вы вас вам вами он она оно они его ее
            их ему ей им ими нем ней них мы нас нам нами мой моя мое мои твой ваш ваша ваше ваши наш наша
            наше наши свой своя свое свои себя кто кого кому чего чему чем какой какая какое какие каком
            каких который которая которое которые которого которой которых есть быть был была было были
            будет будут можно нужно надо там тут здесь пожалуйста скажи подскажите сколько ну да
        """,
        "es": """
            el la los las un una unos unas lo y e o u pero si que qué de del al a ante con contra desde en
            entre hacia hasta para por según sin sobre tras como cómo cuando cuándo donde dónde quien quién
            quienes cual cuál cuales cuáles cuanto cuánto cuántos cuántas porque es son era eran fue fueron
            ser sido siendo está están estaba estar he ha han había haber hay hace hacer puede pueden puedo
            se su sus mi mis tu tus nuestro nuestra nuestros nuestras me te le les nos os yo tú él ella
            ellos ellas usted ustedes este esta estos estas ese esa esos esas eso esto aquel aquella más
            muy ya también
        """,
        "id": """
            yang dan atau di ke dari pada untuk dengan dalam oleh sebagai adalah ialah ini itu tersebut
            juga akan telah sudah sedang dapat bisa boleh harus ada apa apakah siapa mana dimana kapan
            mengapa kenapa bagaimana berapa saya aku kamu anda dia ia mereka kami kita nya karena jika
            kalau maka agar supaya tetapi tapi namun saat ketika seperti secara para lebih lagi hanya saja
            pun lah tentang antara tolong
        """,
        "de": """
            der die das den dem des ein eine einen einem einer eines und oder aber wenn als wie was wer wo
            wann warum welche welcher welches ist sind war waren sein wird werden wurde hat haben hatte
            kann können muss soll ich du er sie es wir ihr mich dich sich mir dir uns euch mein dein unser
            zu zum zur von vom mit bei nach aus auf in im an am für über unter durch auch nur noch schon so
            dass bitte
        """,
        "fr": """
            le la les l un une des du de d et ou mais si que qu qui quoi quel quelle quels quelles où quand
            comment pourquoi combien dans en sur sous par pour avec sans à au aux ce cet cette ces c est
            sont était être été a ont avait avoir il elle ils elles je j tu nous vous on me te se s lui
            leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos y plus aussi très
        """,
        "pt": """
            o a os as um uma uns umas e ou mas se que de do da dos das em no na nos nas por pelo pela para
            com sem sobre como quando onde quem qual quais quanto porque é são era foi foram ser está estão
            estar tem têm ter há pode podem eu tu ele ela eles elas você vocês nós me te lhe seu sua seus
            suas meu minha este esta esse essa isto isso aquele aquela mais muito já também
        """,
        "it": """
            il lo la i gli le l un uno una e o ma se che chi cosa quale quali quando dove come perché
            quanto di del della dei delle dello a al alla ai alle da dal dalla in nel nella con su sul
            sulla per tra fra è sono era erano essere stato ha hanno aveva avere può io tu lui lei noi voi
            loro mi ti si ci vi suo sua mio mia questo questa questi queste quello quella anche più
        """,
        "ko": """
            이 그 저 것 수 등 및 또는 그리고 하지만 그러나 무엇 뭐 무슨 어떤 어떻게 왜 언제 어디 누가 누구
            얼마 몇 있다 없다 있는 있나요 있습니까 하나요 합니까 인가요 입니까 입니다 합니다 됩니다 하는
            되는 해요 돼요 나는 저는 우리 제가 내가 당신 좀 더 대해 대한 위해 위한 통해 알려줘 알려주세요
            해줘 해주세요
        """,
    }.items()
}
"""Lower-case words by ISO 639-1 code, for languages that put spaces between words (ё written as е)."""

_KOREAN_ENDINGS = """
    은 는 이 가 을 를 의 에 에서 에게 께 으로 로 와 과 도 만 까지 부터 보다 처럼 이나 나 라 이라 이라고
    라고 입니다 합니다 됩니다 했습니다 되었습니다 습니다 인가요 하나요 되나요 나요 입니까 합니까 됩니까
    이다 하다 한다 된다 했다 됐다 하는 되는 하고 되고 하여 해서 하면 되면 하기 되기 에는 에서는 으로는 로는
    이며 이고 예요 이에요 려면 하려면 되려면 은요 지 하지
"""

KOREAN_ENDINGS: tuple[str, ...] = tuple(sorted(_KOREAN_ENDINGS.split(), key=len, reverse=True))
"""Particles and verb endings that hang on a Korean word, longest first."""

KOREAN_PARTICLES: frozenset[str] = frozenset("은는을를의에와과")
"""One-syllable particles that no two-syllable noun ends in as a rule: 값을 is 값 with a particle."""

_CHINESE_WORDS = """
    什么 怎么 怎样 如何 为何 哪些 哪个 哪里 多少 是否 可以 可能 能够 需要 应该 我们 你们 他们 它们 这个
    那个 这些 那些 一个 没有 因为 所以 如果 但是 而且 或者 以及 还有 已经 进行 通过 对于 关于 由于 其中
    请问 告诉 什麼 怎麼 為何 哪裡 我們 你們 他們 這個 那個 這些 沒有 因為 還有 已經 進行 通過 對於 關於
"""

CHINESE_WORDS: frozenset[str] = frozenset(_CHINESE_WORDS.split())
"""Pairs of Chinese characters that carry no subject."""

CHINESE_CHARACTERS: frozenset[str] = frozenset(
    "的了吗嗎呢吧啊是在和与與及或就都也很把被让讓从從向对對而但之其这這那哪您你我他她它们們请請"
)
"""Single Chinese characters that carry no subject."""
