"""The pages that the run of sample_run.py finds: plain, hostile, Chinese, Arabic."""

from __future__ import annotations

from flare_core.events import (
    Passage,
)

STARTED = 1_796_040_000.0
HOSTILE = (
    '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script> $E=mc^2$ :red[alarm] '
    "![track](https://evil.example/pixel?q=1) [click](javascript:window.pwned=1) `code` **bold** :material/home:"
)


def passage(name: str, title: str, url: str, text: str, date: str | None = None, licence: str | None = None) -> Passage:
    host = url.split("/")[2] if "//" in url else ""
    return Passage(
        id=name,
        text=text,
        title=title,
        url=url,
        host=host,
        source="web" if licence is None else "encyclopedia",
        date=date,
        retrieved_at=STARTED + 12,
        licence=licence,
    )


WIKI = passage(
    "p-curie",
    "Marie Curie",
    "https://en.wikipedia.org/wiki/Marie_Curie",
    "Maria Salomea Skłodowska-Curie, known as Marie Curie, was a Polish and naturalised-French physicist and chemist "
    "who conducted pioneering research on radioactivity. She was the first woman to win a Nobel Prize, the first "
    "person to win a Nobel Prize twice, and the only person to win a Nobel Prize in two scientific fields. She was "
    "born in Warsaw, in what was then the Kingdom of Poland, on 7 November 1867.",
    date="2026-09-02",
    licence="CC BY-SA 4.0",
)
NOBEL = passage(
    "p-nobel",
    "Marie Curie – Biographical",
    "https://www.nobelprize.org/prizes/physics/1903/marie-curie/biographical/",
    "Marie Curie, née Maria Sklodowska, was born in Warsaw on November 7, 1867, the daughter of a secondary-school "
    "teacher. Together with her husband, she was awarded half of the Nobel Prize for Physics in 1903, for their study "
    "into the spontaneous radiation discovered by Becquerel. In 1911 she received a second Nobel Prize, this time in "
    "Chemistry, in recognition of her work in radioactivity.",
    date="1967",
)
POLISH = passage(
    "p-museum",
    "Muzeum Marii Skłodowskiej-Curie",
    "https://muzeum.example.pl/zbiory",
    "Muzeum mieści się w kamienicy przy ulicy Freta 16 w Warszawie, gdzie urodziła się uczona.",
)
HOSTILE_PAGE = passage(
    "p-hostile",
    f"Notebooks {HOSTILE}",
    "javascript:window.pwned=1",
    f"Her laboratory notebooks are kept in lead-lined boxes at the Bibliothèque nationale. {HOSTILE} Readers sign a "
    "waiver. " * 3,
)
CHINESE = passage(
    "p-zh",
    "瑪麗·居禮",
    "https://zh.wikipedia.org/wiki/瑪麗·居禮",
    "瑪麗亞·斯克沃多夫斯卡·居禮，通稱居禮夫人，波蘭裔法國籍物理學家、化學家。"
    "她是放射性研究的先驅者，是首位獲得諾貝爾獎的女性。她的筆記本至今仍具放射性 ☢️👩🏽‍🔬。",
    date="2025-12-30",
    licence="CC BY-SA 4.0",
)
ARABIC = passage(
    "p-ar",
    "ماري كوري",
    "https://ar.wikipedia.org/wiki/ماري_كوري",
    "ماري سكوودوفسكا كوري عالمة فيزياء وكيمياء بولندية المولد، فرنسية الجنسية. "
    "عُرفت بسبقها وأبحاثها في مجال اضمحلال النشاط الإشعاعي.",
    date="2026-01-15",
    licence="CC BY-SA 4.0",
)
