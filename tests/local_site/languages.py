"""Good pages in other languages and in all kinds of encodings, labelled, unlabelled and mislabelled."""

from __future__ import annotations

from tests.local_site.page import Page, article_html

HOST = "tongues.kelmar.example"

# fmt: off
_RU = ["Обсерватория Велдмарка стоит на хребте Холлен. Её построила инженер Ильза Брандволл между 1931 и 1936 годами.",
       "Главный телескоп имеет зеркало диаметром два метра. Каждую ясную ночь здесь наблюдают переменные звёзды.",
       "Посетители поднимаются на гору по зубчатой железной дороге, которая работает с мая по октябрь."]
_JA = ["ベルドマーク天文台は、ホレン尾根に建てられた歴史的な天文台です。技師イルゼ・ブランドヴォルが建設しました。",
       "主望遠鏡の鏡の直径は二メートルです。晴れた夜には毎晩、変光星を観測しています。町の図書館には古い地図があります。",
       "山頂へは歯車式の鉄道で登ることができます。列車は五月から十月まで運転されています。"]
_ZH = ["维尔德马克天文台位于霍伦山脊上，由工程师伊尔莎·布兰德沃尔于一九三一年至一九三六年间建造。",
       "主望远镜的镜面直径为两米。每个晴朗的夜晚，天文学家都在这里观测变星。城市图书馆保存着古老的地图。",
       "游客可以乘坐齿轨铁路上山，列车从五月到十月运行。每月第一个星期六免费开放。"]
_DE = ["Die Sternwarte von Veldmark steht auf dem Hollenrücken und wurde von der Ingenieurin Ilse Brandvoll erbaut.",
       "Ihr größtes Gerät ist ein Spiegelteleskop mit einem Spiegel von zwei Metern, der von Hand geschliffen wurde.",
       "Die Zahnradbahn fährt von Mai bis Oktober; für Gäste kostet die Fahrt 12 € – für Kinder die Hälfte."]
_FR = ["L'observatoire de Veldmark se dresse sur la crête de Hollen. L'ingénieure Ilse Brandvoll l'a fait bâtir.",
       "Son instrument principal est un télescope à miroir de deux mètres, poli à la main pendant quatre hivers.",
       "Le chemin de fer à crémaillère circule de mai à octobre, et l'entrée est libre le premier samedi du mois."]
_KO = ["벨드마르크 천문대는 홀렌 능선에 있는 역사적인 천문대입니다. 기술자 일제 브란드볼이 지었습니다.",
       "주 망원경의 거울 지름은 이 미터입니다. 맑은 밤마다 변광성을 관측합니다.",
       "방문객은 오월부터 시월까지 산악 열차를 타고 올라갈 수 있습니다. 매달 첫째 토요일에는 무료로 문을 엽니다."]
_AR = ["يقع مرصد فلدمارك على مرتفع هولن، وقد بنته المهندسة إيلزه براندفول بين عامي 1931 و1936.",
       "يبلغ قطر مرآة التلسكوب الرئيسي مترين، وترصد فيه النجوم المتغيرة في كل ليلة صافية.",
       "يمكن للزوار الصعود بالقطار المسنن من مايو إلى أكتوبر، والدخول مجاني في أول سبت من كل شهر."]
# fmt: on


def _page(path: str, lang: str, text: list[str], encoding: str, header: str | None, meta: str | None) -> Page:
    head = f'<meta charset="{meta}">' if meta else ""
    title = text[0][:20]
    body = article_html(title, text, lang=lang, head=head).encode(encoding)
    content_type = "text/html" + (f"; charset={header}" if header else "")
    return Page(HOST, path, body, content_type, title=title, about=" ".join(text), contains=text[1][:20])


def languages() -> list[Page]:
    """Path, language, text, true encoding, what the header says, what the page says."""
    return [
        _page("/ru-labelled", "ru", _RU, "windows-1251", None, "windows-1251"),
        _page("/ru-header-only", "ru", _RU, "windows-1251", "windows-1251", None),
        _page("/ru-unlabelled", "ru", _RU, "koi8-r", None, None),
        _page("/ja-labelled", "ja", _JA, "shift_jis", "Shift_JIS", "shift_jis"),
        _page("/ja-unlabelled", "ja", _JA, "euc-jp", None, None),
        _page("/zh-labelled", "zh", _ZH, "gb18030", None, "gb18030"),
        _page("/zh-header-only", "zh", _ZH, "gb18030", "GB18030", None),
        _page("/zh-utf-16", "zh", _ZH, "utf-16", None, None),
        _page("/de-utf-16-unlabelled", "de", _DE, "utf-16-le", None, None),
        _page("/de-mislabelled-by-header", "de", _DE, "utf-8", "iso-8859-1", None),
        _page("/de-mislabelled-by-page", "de", _DE, "windows-1252", "windows-1252", None),
        _page("/fr-unknown-charset", "fr", _FR, "utf-8", "x-unheard-of", None),
        _page("/ko", "ko", _KO, "utf-8", "utf-8", None),
        _page("/ar", "ar", _AR, "utf-8", None, None),
    ]
