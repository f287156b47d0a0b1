"""Citation numbers: in order of first use, one for each source, given when rendering."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flare_core.report.citations import cited_numbers, numbered, sources
from flare_core.report.fold import ReportState
from tests.fakes import passage
from tests.report.logs import A2, A, B, C, accepted, ranked, report


def numbers(state: ReportState) -> list[list[int]]:
    given = numbered(state)
    return [cited_numbers(sentence, state, given) for sentence in state.accepted]


def test_numbers_follow_the_order_of_first_use() -> None:
    state = report(accepted(1, "One.", B), accepted(2, "Two.", A, B), accepted(3, "Three.", C, A), found=[A, B, C])
    assert numbers(state) == [[1], [1, 2], [2, 3]]


def test_two_passages_of_one_page_share_a_number() -> None:
    state = report(accepted(1, "One.", A), accepted(2, "Two.", A2, A), found=[A, A2])
    assert numbers(state) == [[1], [1]]
    (source,) = sources(state)
    assert source.passages == (A, A2) and source.sentences == (1, 2)


def test_sources_are_listed_by_number_with_their_sentences() -> None:
    state = report(accepted(1, "One.", B), accepted(2, "Two.", A, B), found=[A, B])
    assert [(s.number, s.passage.id, s.sentences) for s in sources(state)] == [(1, "B", (1, 2)), (2, "A", (2,))]


def test_sources_that_were_shown_but_not_cited_come_last_and_once() -> None:
    state = report(accepted(1, "One.", B), ranked([C, A], 1), ranked([A2, C], 2), found=[A, B])
    assert [(s.number, s.passage.url) for s in sources(state)] == [(1, B.url), (None, A.url), (None, C.url)]
    assert sources(state)[1].passages == (A, A2)


def test_passages_that_were_dropped_are_no_sources() -> None:
    state = report(accepted(1, "One.", A), ranked([B], 1, kept=False), found=[A])
    assert [s.passage.id for s in sources(state)] == ["A"]


def test_another_passage_of_a_cited_page_is_not_listed_as_unused() -> None:
    state = report(accepted(1, "One.", A), found=[A, A2])
    assert [s.number for s in sources(state)] == [1]


def test_evidence_that_the_log_does_not_hold_cites_nothing() -> None:
    state = report(accepted(1, "One.", passage("Z")), accepted(2, "Two.", A), found=[A])
    assert numbers(state) == [[], [1]]


uses = st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=8)


@given(uses)
def test_numbers_are_gapless_and_first_used_in_order(cites: list[list[int]]) -> None:
    pages = [passage(f"P{n}", url=f"https://example.org/{n % 4}") for n in range(6)]
    state = report(*[accepted(n, "S.", *[pages[i] for i in row]) for n, row in enumerate(cites, 1)], found=pages)
    given = numbered(state)
    order = [n for row in numbers(state) for n in row]
    seen = list(dict.fromkeys(order))
    assert sorted(seen) == list(range(1, len(given) + 1))
    assert all(max(seen[:i], default=0) >= n - 1 - 4 for i, n in enumerate(seen))
    listed = sources(state)
    assert [s.number for s in listed if s.number] == sorted(given.values())
    assert len({s.passage.url for s in listed}) == len(listed)
