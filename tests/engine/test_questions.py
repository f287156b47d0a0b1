"""Explicit queries: one generated question for each uncertain span (METHOD 2.3)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from flare_core.events import QueryFormed, QueryKind
from tests.engine.story import Written, tale, write
from tests.fakes import Asked, FakeModel, FakeSource, Said, author, passage, toks

DRAFT = "Marie moved to Paris{.1} and there she met her later husband Pierre{.1} Curie in 1894{.1}."
FOUND = FakeSource(lambda query: [] if query == "Marie Curie" else [passage(query[:60])])


class Asking:
    """A model that writes DRAFT first and answers side questions as told."""

    def __init__(self, question: Any = "Who or what is {term}?", extract: Any = "") -> None:
        self.question, self.extract = question, extract
        self.questions: list[str] = []
        """What it was shown when a question was asked for."""
        self.extracts: list[str] = []

    def __call__(self, asked: Asked) -> Said:
        user = asked.prompt.user
        if "Ask one question" in user:
            self.questions.append(user)
            return self._answer(self.question, re.findall(r"answer is “(.*)”", user)[-1])
        if "a star stands" in user:
            self.extracts.append(user)
            return self._answer(self.extract, re.findall(r"begins at “\*(.*)”", user)[-1])
        return author(lambda n, passages: DRAFT if n == 1 and not passages else tale(n))(asked)

    def _answer(self, answer: Any, term: str) -> Said:
        return [answer(term) if callable(answer) else answer.format(term=term)]


def ask(model: Asking, **settings: Any) -> Written:
    return write(FakeModel(model), FOUND, **{"query": "question", "sentences": 1, **settings})


def formed(written: Written) -> list[QueryFormed]:
    return [event for event in written.all(QueryFormed) if event.sentence > 0]


def test_one_question_is_asked_for_each_span() -> None:
    written = ask(Asking())
    assert written.queries == ["Who or what is Paris?", "Who or what is Pierre Curie in 1894?"]
    assert [(q.kind, q.span.text) for q in formed(written) if q.span] == [
        (QueryKind.QUESTION, "Paris"),
        (QueryKind.QUESTION, "Pierre Curie in 1894"),
    ]
    assert written.purposes == ["draft", "question", "question", "regenerate"]
    assert written.outcomes[0] == "retrieved"


def test_the_passages_of_all_questions_are_merged_rank_first() -> None:
    written = ask(Asking(), top_k=2)
    assert [len(lines) for lines in written.shown] == [0, 0, 0, 2]


def test_beta_chooses_the_spans_and_theta_only_whether_to_ask() -> None:
    written = ask(Asking(), theta=0.5, beta=0.05)
    assert written.queries == ["Marie moved to Paris and there she met her later husband Pierre Curie in 1894."]
    assert formed(written)[0].kind == QueryKind.SENTENCE


def test_spans_are_widened_to_whole_words() -> None:
    model = Asking()
    pieces = [*toks("Marie came from War"), ("saw", 0.1), *toks(" on foot.")]
    for widen, term in (("word", "Warsaw"), ("none", "saw")):
        said = FakeModel(lambda asked: pieces if "Write a detailed" in asked.prompt.user else model(asked))
        written = write(said, FOUND, query="question", sentences=1, expand_spans=widen)
        assert written.queries == [f"Who or what is {term}?"]


@pytest.mark.parametrize(("reply", "asked"), [
    ("Who is {term}", []), ("{term}.", []), ("", []), ("Who is {term}?\nAnd what?", [2]),
    ('"Who is {term}?"', [2]), ("“Who is {term}?”", [2]), ("{term}是谁？", [2]), ("من هو {term}؟", [2]),
])  # fmt: skip
def test_a_reply_that_is_no_question_is_not_used(reply: str, asked: list[int]) -> None:
    written = ask(Asking(reply), empty_query="skip")
    assert [len(written.queries)] == (asked or [0])
    assert written.outcomes[0] == ("retrieved" if asked else "nothing_to_ask")


def test_one_rejected_reply_leaves_the_others() -> None:
    written = ask(Asking(lambda term: "I do not know" if term == "Paris" else "Who?"))
    assert written.queries == ["Who?"]


def test_where_every_reply_is_rejected_the_sentence_can_be_asked() -> None:
    written = ask(Asking("No."))
    assert formed(written)[0].kind == QueryKind.SENTENCE
    assert "no usable question" in formed(written)[0].note
    assert written.outcomes[0] == "retrieved"


@pytest.mark.parametrize(("sees", "first"), [(True, "Marie Curie\nMarie moved"), (False, "Marie moved")])
def test_whether_the_question_generator_sees_the_topic(sees: bool, first: str) -> None:
    model = Asking()
    ask(model, question_sees_input=sees)
    assert [user.startswith(first) for user in model.questions] == [True, True] or sees
    assert all(("Marie Curie\n" in user) == sees for user in model.questions)


def test_the_question_generator_sees_what_was_written_before_and_the_draft() -> None:
    model = Asking()
    said = FakeModel(
        lambda asked: (
            author(lambda n, p: DRAFT if n == 2 and not p else tale(n))(asked)
            if "Write a detailed" in asked.prompt.user
            else model(asked)
        )
    )
    write(said, FOUND, query="question", sentences=2)
    assert all(f"{tale(1)} Marie moved to Paris" in user for user in model.questions)


# --- terms that the model names


def test_a_term_is_asked_for_from_a_star_before_the_span() -> None:
    model = Asking(extract="*{term}")
    written = ask(model, expand_spans="model")
    assert "later husband *Pierre Curie in 1894." in model.extracts[1]
    assert "moved to *Paris and" in model.extracts[0]
    assert written.purposes == ["draft", "extract", "question", "extract", "question", "regenerate"]


def test_the_star_stands_at_the_span_and_not_at_an_equal_word_before_it() -> None:
    model = Asking(extract="{term}")
    said = FakeModel(
        lambda asked: toks("In May, men may say May{.1}.") if "Write a d" in asked.prompt.user else model(asked)
    )
    write(said, FOUND, query="question", sentences=1, expand_spans="model")
    assert "In May, men may say *May." in model.extracts[0]


@pytest.mark.parametrize(("reply", "term"), [
    ("Paris and there", "Paris and there"), ("*Paris and", "Paris and"), ("Paris", "Paris"), ("the city of Paris", ""),
    ("moved to Paris", ""),
    ("Paris, France", ""), ("", ""),
])  # fmt: skip
def test_a_term_must_begin_with_the_span_and_stand_in_the_draft(reply: str, term: str) -> None:
    model = Asking(extract=lambda span: reply if span == "Paris" else "")
    written = ask(model, expand_spans="model")
    assert written.queries[0] == (
        f"Who or what is {term}?" if term else "Marie moved to Paris and there she met her later husband Pierre "
        "Curie in 1894."
    )  # fmt: skip


@pytest.mark.parametrize("empty_query", ["skip", "sentence"])
def test_no_term_at_all_means_the_whole_sentence(empty_query: str) -> None:
    """METHOD 2.3, step 4: no terms is not the same as no questions."""
    written = ask(Asking(extract=""), expand_spans="model", empty_query=empty_query)
    assert written.queries == ["Marie moved to Paris and there she met her later husband Pierre Curie in 1894."]
    assert written.outcomes[0] == "retrieved"


def test_uncertain_marks_alone_mean_the_whole_sentence() -> None:
    model = Asking()
    said = FakeModel(lambda asked: toks("In May,{.1} she left.") if "Write a d" in asked.prompt.user else model(asked))
    written = write(said, FOUND, query="question", sentences=1, empty_query="skip")
    assert written.queries == ["In May, she left."]


def test_quotes_around_a_term_are_left_out() -> None:
    model = Asking()
    said = FakeModel(
        lambda asked: toks('She wrote "{.1}Radium{.1}"{.1} then.') if "Write a d" in asked.prompt.user else model(asked)
    )
    written = write(said, FOUND, query="question", sentences=1, expand_spans="none")
    assert written.queries == ["Who or what is Radium?"]


# --- implicit ones, for comparison


def test_a_mask_leaves_one_query_without_the_uncertain_words() -> None:
    written = ask(Asking(), query="mask")
    assert written.queries == ["Marie moved to and there she met her later husband Curie in ."]
    assert formed(written)[0].kind == QueryKind.MASKED and len(formed(written)[0].masked) == 3


def test_the_topic_can_stand_in_front_of_a_query() -> None:
    assert ask(Asking(), query="mask", topic_in_query=True).queries[0].startswith("Marie Curie Marie moved to and")
