"""The good pages: an invented valley, its town, its mine, its observatory. None of it exists."""

from __future__ import annotations

from tests.local_site.page import Page, article_html

VALLEY, NEWS, COMPANY, BOOK = (
    "kelmar-valley.example",
    "veldmark-news.example",
    "tarnhelm-instruments.example",
    "encyclopaedia.kelmar.example",
)

_WRITTEN: list[tuple[str, str, str, str, list[str], str]] = [
    (BOOK, "/veldmark-observatory", "Veldmark Observatory", "2019-03-14", [
        "The Veldmark Observatory stands on the Hollen ridge, 1,912 metres above the Kelmar valley. It was built "
        "between 1931 and 1936 by the engineer Ilse Brandvoll, who paid for the dome with the profits of a clock "
        "factory. The first light of its telescope was on 9 October 1936.",
        "Its main instrument is a reflecting telescope with a mirror of 2.14 metres, cast in Tarnhelm and ground by "
        "hand during four winters. For eleven years it was the largest mirror of the northern valleys. The mirror was "
        "recoated with aluminium in 1988, and its mounting was replaced in 2004 after an earthquake.",
        "In 1957 the astronomer Oda Fenn discovered at Veldmark the variable star that is now called Fenn's Lantern. "
        "It brightens every 37 days, and nobody has explained why. Since 2011 a small robotic telescope beside the "
        "old dome watches it on every clear night.",
        "Visitors may climb the ridge on foot or take the cog railway, which runs from May to October. The "
        "observatory opens its doors on the first Saturday of each month.",
    ], "Ilse Brandvoll"),
    (BOOK, "/ilse-brandvoll", "Ilse Brandvoll", "2018-11-02", [
        "Ilse Brandvoll (1889–1963) was an engineer and clockmaker from the village of Nessendal. She studied "
        "mechanics in secret, since the technical school of Veldmark admitted women only from 1919.",
        "Her clock factory employed 340 people in 1928. Its tower clocks, known for their silent escapement, hang in "
        "more than sixty towns. She sold the factory in 1937 to Tarnhelm Instruments and spent the rest of her life "
        "improving the mounting of the Veldmark telescope.",
        "Brandvoll never married. She left her library of nine thousand books to the town, on condition that it "
        "should stay open until ten in the evening. It does to this day.",
    ], "silent escapement"),
    (BOOK, "/orsten-mine", "Orsten copper mine", "2020-06-30", [
        "The Orsten mine was a copper mine in the upper Kelmar valley, worked from 1642 until 1978. At its height in "
        "1871 it gave work to 1,150 miners and produced 2,300 tonnes of copper in a year.",
        "The deepest shaft, called Long Anna, reaches 1,004 metres below ground. Water was lifted by eleven wheels, "
        "one above the other, until steam engines took over in 1849. The wheels can still be seen in the museum.",
        "Mining ended when the price of copper fell and the lower galleries were flooded. Since 1994 the warm water "
        "of the flooded galleries heats the school, the hospital and four hundred houses in Orsten.",
    ], "Long Anna"),
    (BOOK, "/lumifern", "Lumifern", "2021-04-18", [
        "The lumifern (Pteris candens) is a fern that glows faintly in the dark. It grows only in the abandoned "
        "galleries of the Orsten mine and in two caves above lake Ysse. The glow comes from bacteria that live in its "
        "roots and not from the plant itself.",
        "The botanist Tomas Reyk described the lumifern in 1902. He thought that it fed on copper, which turned out to "
        "be wrong: it merely tolerates more copper than any other fern, up to 6 grams in a kilogram of soil.",
        "Lumifern has been protected since 1973. Attempts to grow it in gardens have failed, because the bacteria die "
        "at temperatures over 14 degrees.",
    ], "Pteris candens"),
    (COMPANY, "/history", "The history of Tarnhelm Instruments", "2022-01-10", [
        "Tarnhelm Instruments was founded in 1894 by the brothers Karl and Aron Tarn as a workshop for surveying "
        "levels. Its first success was a pocket barometer, of which 80,000 were sold before 1914.",
        "In 1937 the company bought the clock factory of Ilse Brandvoll. During the following years it turned to "
        "optics, and since 1961 it makes seismographs, for which it is known in ninety countries.",
        "Today Tarnhelm employs 1,870 people. Half of the company belongs to a foundation that pays for the "
        "scholarships of the Kelmar polytechnic.",
    ], "pocket barometer"),
    (COMPANY, "/products/seismograph-k7", "Seismograph K7", "2023-05-05", [
        "The K7 is a broadband seismograph for stations without mains power. It uses 0.4 watts, which a solar panel "
        "the size of a book can deliver, and records ground motion between 0.008 and 50 hertz.",
        "More than 3,200 K7 instruments are in use, among them those of the Kelmar valley network, which located the "
        "earthquake of 2004 within 900 metres. A K7 weighs 5.6 kilograms and is delivered with a steel base plate.",
    ], "0.4 watts"),
    (NEWS, "/2024/cog-railway", "Cog railway to the observatory reopens", "2024-05-03", [
        "The cog railway to the Veldmark observatory will run again from Saturday. It had been closed for nineteen "
        "months after a landslide carried away 240 metres of track below the Hollen tunnel.",
        "Repairs cost 6.8 million crowns, of which the canton paid two thirds. The line, opened in 1911, climbs 1,020 "
        "metres in 44 minutes. New batteries let the trains feed power back into the grid on their way down.",
        "Mayor Helga Strand said that the first train would be free for everybody who had helped to clear the track.",
    ], "nineteen months"),
    (NEWS, "/2023/lake-ysse-level", "Lake Ysse at its lowest level since 1947", "2023-08-29", [
        "The level of lake Ysse has fallen to 611.2 metres, the lowest since measurements began in 1947. Three weeks "
        "without rain and the dry winter are the causes, says the water board of the Kelmar valley.",
        "Ferries to the island of Torv no longer land at the old pier. The remains of a bridge of oak, which "
        "archaeologists date to 1180, have appeared near the mouth of the river Kelm.",
    ], "611.2 metres"),
    (VALLEY, "/festival-of-lanterns", "The festival of lanterns", "2022-10-01", [
        "Every year on 9 October the people of Veldmark carry lanterns up the Hollen ridge. The custom began in 1937, "
        "one year after the first light of the telescope, and was forbidden from 1941 to 1944.",
        "Each lantern holds 37 small mirrors, one for every day of the period of Fenn's Lantern. The oldest lantern, "
        "made of copper from Orsten, is carried by the youngest pupil of the school.",
    ], "37 small mirrors"),
    (VALLEY, "/cheese", "Kelmar blue, the cheese of the valley", "2021-09-12", [
        "Kelmar blue is made from the milk of grey mountain cows and ripens for 14 months in the dry galleries above "
        "the Orsten mine. Only nine dairies may use the name. A wheel weighs 11 kilograms.",
        "The blue veins come from a mould that was first found on leather boots of miners. It is now kept in a bank "
        "of cultures at the polytechnic.",
    ], "14 months"),
]  # fmt: skip

_VILLAGES = (
    "Nessendal Torv Hollenby Ysseford Graunau Birkmoor Sundal Ostrevik Lindholt Farwick Meeresk Tolvan Ravnsted Ekholm"
).split()
_CRAFTS = (
    "bell casting",
    "basket weaving",
    "violin making",
    "salt boiling",
    "slate cutting",
    "bee keeping",
    "rope making",
)


def _village(i: int, name: str) -> Page:
    craft, founded, people, height = _CRAFTS[i % 7], 1103 + 37 * i, 210 + 173 * i, 540 + 41 * i
    title = f"{name}, a village of the Kelmar valley"
    paragraphs = [
        f"{name} is a village in the Kelmar valley with {people} inhabitants, {height} metres above the sea. It was "
        f"first mentioned in {founded}, in a deed that settled a quarrel about {3 + i} mills.",
        f"The people of {name} have lived from {craft} since the seventeenth century. Of the {12 + i} workshops of "
        f"that time {2 + i % 4} remain, and the last master still takes apprentices. A museum in the old school shows "
        f"tools, patterns and the account books of the guild.",
        f"A bus connects {name} with Veldmark {4 + i} times a day. In winter the road is closed for about {i + 2} "
        f"weeks, and skiers carry the mail.",
    ]
    body = article_html(title, paragraphs, date=f"2020-02-{i + 1:02d}").encode()
    return Page(VALLEY, f"/villages/{name.lower()}", body, title=title, about=" ".join(paragraphs), contains=craft)


def articles() -> list[Page]:
    """All good pages in English."""
    written = [
        Page(host, path, article_html(title, paragraphs, date=date).encode(), title=title,
             about=" ".join(paragraphs), contains=contains)
        for host, path, title, date, paragraphs, contains in _WRITTEN
    ]  # fmt: skip
    return written + [_village(i, name) for i, name in enumerate(_VILLAGES)]
