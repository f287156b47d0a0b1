"""Words that tell whether a full stop ends a sentence, by language: data, no logic.

`sentencex` brings abbreviations for some 300 languages; these tables add what it lacks, and what it cannot
know: whether an abbreviation may also be the last word of a sentence. Entries but the openers are in lower
case, without their last full stop and without spaces (`z.b` stands for `z. B.` too); an entry of one letter
means exactly that letter (French `M`, English `p`).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """The words of one language that matter beside a full stop."""

    never_last: frozenset[str]
    """Titles and connectives: something always follows (`Dr.`, `e.g.`, `vs.`)."""
    before_number: frozenset[str]
    """Abbreviations only when a number follows (`No. 1`, `Fig. 3`, `c. 1920`)."""
    maybe_last: frozenset[str]
    """Abbreviations that end a sentence only if an opener follows (`Inc.`, `Jr.`, `St.`)."""
    mostly_last: frozenset[str]
    """Abbreviations that end a sentence before any capital (`etc.`)."""
    openers: frozenset[str]
    """Capitalised words that start sentences and hardly ever are part of a name (`The`, `He`, `However`)."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _words(never: str, number: str = "", maybe: str = "", mostly: str = "", openers: str = "") -> Words:
    return Words(_set(never), _set(number), _set(maybe), _set(mostly), _set(openers))


ENGLISH = _words(
    "mr mrs ms messrs mx dr prof rev hon gov sen rep pres gen col lt capt cmdr sgt maj adm fr mme mlle e.g "
    "i.e a.k.a eg ie vs v cf viz approx esp incl mt",
    "no nos fig figs eq eqs sec sect ch chap vol vols p pp par art arts c ca circa b d r fl ver v para pt "
    "tab ex app op ref refs ed n l",
    "jr sr esq inc ltd co corp bros llc plc st ave blvd rd dept univ assn assoc est ph.d m.d b.a m.a",
    "etc al",
    "The This That These Those There Then Thus Therefore They Their He His She Her Hers It Its We Our You "
    "Your My In On At By For From With Without When While Where What Who Why How If As After Before Since "
    "Until During Despite Although Though Because But And Or So Yet However Moreover Furthermore Meanwhile "
    "Nevertheless Both Some Many Most Several Each Every Other Others Another All Not No Yes Only Also Even "
    "Today Later Here Such To Under Over Between Among According One Two Three Is Are Was Were Do Does Did",
)

WORDS: dict[str, Words] = {
    "en": ENGLISH,
    "de": _words(
        "dr prof hr fr frl hrn st z.b d.h u.a i.d.r s vgl bzw ca sog inkl exkl gem lt z.t v.a dipl ing",
        "nr abb abs art bd kap s tab ziff anm bsp aufl jg",
        "co ag e.v jh jhd mio mrd str",
        "usw etc",
        "Der Die Das Den Dem Ein Eine Einen Er Sie Es Ihr Wir Ich Im In Am An Auf Aus Bei Mit Nach Seit Von "
        "Vor Zu Zum Zur Für Dieser Diese Dieses Dort Dann Danach Da Doch Aber Und Oder Auch Als Wenn Weil "
        "Während Heute Später So Seine Seitdem Sein Trotzdem Jedoch Deshalb Daher Außerdem Obwohl",
    ),
    "fr": _words(
        "M mm mme mmes mlle mlles dr pr me mgr st ste cf p.ex c.-à-d env",
        "n no nos fig p pp art chap vol t éd ex av apr",
        "cie av",
        "etc al j.-c",
        "Le La Les L Un Une Des Ce Cet Cette Ces Il Elle Ils Elles On Nous Vous Je En Dans Au Aux À Par "
        "Pour Avec Sans Sur Sous Après Avant Depuis Pendant Lorsque Quand Si Mais Et Ou Or Donc Car "
        "Cependant Toutefois Ainsi Puis Son Sa Ses Leur Leurs Plusieurs Aujourd",
    ),
    "es": _words(
        "sr sra sres sras srta dr dra D dña prof lic ing gral p.ej cf vs aprox",
        "n núm nº fig p pp pág págs art cap vol ed",
        "cía s.a ee.uu ud uds av",
        "etc a.c d.c",
        "El La Los Las Un Una Unos Unas Este Esta Estos Estas Ese Esa Esto Él Ella Ellos Ellas Yo En De Del "
        "Al A Con Sin Por Para Desde Hasta Cuando Donde Si Pero Y O Sin Además Después Antes Luego Así Su "
        "Sus Se Lo Le No También Hoy Aunque Según",
    ),
    "it": _words(
        "sig sigg dott prof ing avv on mons cfr es s vs ca",
        "n nn fig p pp art cap vol ed",
        "s.p.a",
        "ecc a.c d.c",
        "Il Lo La I Gli Le Un Uno Una Questo Questa Questi Egli Lui Lei Essi Loro Noi In Nel Nella Di Del "
        "Da Dal Con Per Su Tra Fra Dopo Prima Quando Se Ma E O Poi Così Suo Sua Oggi Anche Non Si Tuttavia",
    ),
    "pt": _words(
        "sr sra srs dr dra prof profa eng p.ex cf vs aprox D",
        "n nº fig p pp pág art cap vol ed",
        "ltda s.a cia",
        "etc a.c d.c",
        "O A Os As Um Uma Este Esta Esse Essa Ele Ela Eles Elas Eu Em No Na Nos Nas De Do Da Com Sem Por "
        "Para Desde Quando Se Mas E Ou Depois Antes Assim Seu Sua Hoje Também Não Segundo",
    ),
    "nl": _words(
        "dr prof mr mevr dhr drs ir ing bijv d.w.z m.a.w o.a resp ca",
        "nr fig blz p pag art hfst dl",
        "jr sr b.v n.v",
        "enz etc",
        "De Het Een Dit Dat Deze Die Hij Zij Ze Wij We Ik Er In Op Aan Bij Met Naar Van Voor Na Toen Daarna "
        "Maar En Of Als Omdat Ook Zijn Haar Vandaag Later",
    ),
    "ru": _words(
        "т.е т.к т.н т г-н г-жа им ул пр пл проф акад доц д-р св см ср напр тов гр",
        "рис табл стр с гл п пп ст т № илл ок",
        "г гг в вв руб коп тыс млн млрд кг км м",
        "т.д т.п н.э др пр",
        "Он Она Оно Они Его Её Их Это Этот Эта Эти Тот Та Те В Во На По При После Перед С Со К Ко Из От До "
        "За Для Однако Но И А Или Если Когда Потом Затем Там Тогда Так Поэтому Мы Вы Я Сегодня Кроме Также "
        "Не",
    ),
    "pl": _words(
        "prof dr mgr inż ok np tj tzn ul św im ks gen płk",
        "nr str s rys tab poz art r",
        "r w",
        "itd itp",
        "W Na Po Od Do Z Za Przed On Ona Oni One To Ten Ta Te Jego Jej Ich Jednak Ale I A Gdy Kiedy Potem "
        "Następnie Dlatego Także Nie Jest Był Była",
    ),
    "hi": _words("डॉ प्रो श्री श्रीमती सुश्री पं मो इं स्व", "सं क्र पृ"),
    "mr": _words("डॉ प्रा श्री सौ पं"),
    "bn": _words("ড ডা মো প্রফেসর ডঃ"),
    "ar": _words("د أ م ا.د أ.د د.م ص", "ص ج ط م ه ق"),
    "fa": _words("د م", "ص ش ج"),
}
"""Tables by ISO 639-1 code; every other language uses the English one beside sentencex's own rules."""

ORDINAL_DOT = _set("da de no nb nn fi cs sk hu sl hr sr bs et lv lt is")
"""Languages where `3.` means "third"."""

LETTERED = _set(
    "vitamin plan hepatitis influenza type class grade group appendix exhibit section option part category "
    "figure team model phase building route war"
)
"""Words after which a single capital is a label, not an initial (`vitamin C.`)."""

AFTER_CLOCK = _set(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Eastern Central Pacific Mountain Greenwich "
    "EST EDT CST CDT PST PDT MST GMT UTC BST CET ET PT"
)
"""Capitalised words that go on with a time of day (`3 p.m. Eastern`)."""
