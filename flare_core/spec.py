"""The run spec: everything that decides what a run does. Form, command line and documentation read its fields.

Each field carries a label (`title`), help (`description`) and a range; `group` places them in a form.
Hyper-parameters are those of METHOD 2.5 (the paper's Table 9).
"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from flare_core.errors import UsageError
from flare_core.presets import PRESETS

MAX_TOPIC = 2000
"""Characters of a topic."""

Theta = Literal["auto", "never", "always"] | Annotated[float, Field(ge=0, le=1)]


class RunSpec(BaseModel):
    """What a run is asked to do. Frozen; equal specs on the same model and sources give equal runs."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    topic: str = Field(
        title="Topic",
        description="What the report is about: a name, a question, a task. Any script.",
        json_schema_extra={"group": "what"},
    )
    sources: tuple[str, ...] = Field(
        ("encyclopedia",),
        title="Sources",
        description="Where passages come from: encyclopedia, web, or site:URL. Several are asked together.",
        json_schema_extra={"group": "what"},
    )
    lang: str = Field(
        "en",
        pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        title="Language",
        description="Language of the report and of the sources, as a code: en, fr, es, de, zh, …",
        json_schema_extra={"group": "what"},
    )
    sentences: int = Field(
        8,
        ge=1,
        le=1000,
        title="Sentences",
        description="The report ends after this many sentences.",
        json_schema_extra={"group": "what"},
    )
    words: int | None = Field(
        None,
        ge=10,
        le=50_000,
        title="Words",
        description="The report ends with the sentence that reaches this many words; empty for no such bound.",
        json_schema_extra={"group": "what"},
    )
    strategy: Literal["direct", "single", "none"] = Field(
        "direct",
        title="Strategy",
        description="direct: retrieve whenever the draft of the next sentence is uncertain (FLARE). "
        "single: retrieve once, with the topic. none: never retrieve.",
        json_schema_extra={"group": "method"},
    )
    preset: Literal["default", "paper", "released"] = Field(
        "default",
        title="Preset",
        description="default: what measured best on the embedded model (docs/presets.md). paper: as the paper says it. "
        "released: as the authors' code does it.",
        json_schema_extra={"group": "method"},
    )
    theta: Theta = Field(
        "auto",
        title="θ (theta)",
        description="Retrieve when a token of the draft is less likely than this. never, always, a number "
        "from 0 to 1, or auto: keeps the share of retrieving sentences near the target.",
        json_schema_extra={"group": "method"},
    )
    target_share: float = Field(
        0.5,
        ge=0.05,
        le=0.95,
        title="Target share",
        description="For theta=auto: the share of sentences that should retrieve.",
        json_schema_extra={"group": "method"},
    )
    beta: float | None = Field(
        None,
        ge=0,
        le=1,
        title="β (beta)",
        description="Tokens less likely than this are masked in the query, or asked about. Empty: the same as θ.",
        json_schema_extra={"group": "method"},
    )
    query: Literal["mask", "question"] = Field(
        "mask",
        title="Query",
        description="mask: the draft without its uncertain words. question: one generated question for each "
        "uncertain span.",
        json_schema_extra={"group": "method"},
    )
    mask_unit: Literal["word", "token"] = Field(
        "word",
        title="Mask",
        description="Leave out whole words, or single tokens as the paper does.",
        json_schema_extra={"group": "method"},
    )
    compare: Literal["<", "<="] = Field(
        "<",
        title="Comparison",
        description="p < θ as in the paper, or p ≤ θ as in the authors' code.",
        json_schema_extra={"group": "method"},
    )
    initial: bool = Field(
        True,
        title="Initial retrieval",
        description="Retrieve with the topic before the first sentence.",
        json_schema_extra={"group": "method"},
    )
    draft_docs: Literal["none", "first", "last"] = Field(
        "last",
        title="Passages in drafts",
        description="none: drafts after the first see no passages (paper). first: they see those of the "
        "topic. last: they see those retrieved last (authors' code).",
        json_schema_extra={"group": "method"},
    )
    keep_first: bool = Field(
        True,
        title="Keep first passages",
        description="The topic's passages stay in front of those of each later retrieval.",
        json_schema_extra={"group": "method"},
    )
    question_sees_input: bool = Field(
        True,
        title="Question sees the topic",
        description="The question generator is shown the topic too (paper), or only the text (authors' code).",
        json_schema_extra={"group": "method"},
    )
    empty_query: Literal["sentence", "skip"] = Field(
        "sentence",
        title="When nothing is left to ask",
        description="A draft of which every word is masked: search with the whole sentence, or do not search "
        "(authors' code).",
        json_schema_extra={"group": "method"},
    )
    topic_in_query: bool = Field(
        False,
        title="Topic in front of the query",
        description="A masked sentence often loses its subject; the topic brings it back.",
        json_schema_extra={"group": "method"},
    )
    until: Literal["length", "stop"] = Field(
        "length",
        title="When the model stops early",
        description="length: begin a new paragraph and go on. stop: end the report (paper).",
        json_schema_extra={"group": "method"},
    )
    expand_spans: Literal["word", "model", "none"] = Field(
        "word",
        title="Widen spans",
        description="What a question is asked about: whole words, the term that the model names for the span "
        "(authors' code), or the tokens alone (paper).",
        json_schema_extra={"group": "method"},
    )
    top_k: int = Field(
        3,
        ge=1,
        le=20,
        title="Passages (k)",
        description="Passages kept for each retrieval.",
        json_schema_extra={"group": "method"},
    )
    draft_tokens: int = Field(
        128,
        ge=8,
        le=512,
        title="Draft tokens",
        description="A sentence that is longer than this is cut there (the paper's look-ahead).",
        json_schema_extra={"group": "method"},
    )
    lm: str | None = Field(
        None,
        title="Model server",
        description="embedded, the base URL of an OpenAI-compatible server, or the path of a GGUF file. "
        "Empty: OPENAI_BASE_URL or OPENAI_API_KEY where set, else embedded.",
        json_schema_extra={"group": "model"},
    )
    model: str | None = Field(
        None,
        title="Model",
        description="Model name at that server. Empty: the first that the server names.",
        json_schema_extra={"group": "model"},
    )
    budget_tokens: int | None = Field(
        None,
        ge=1,
        title="Token budget",
        description="Generated tokens, thrown-away drafts included.",
        json_schema_extra={"group": "budget"},
    )
    budget_searches: int | None = Field(
        None,
        ge=0,
        title="Search budget",
        description="Searches sent; none is sent after this many.",
        json_schema_extra={"group": "budget"},
    )
    budget_minutes: float | None = Field(
        None,
        gt=0,
        allow_inf_nan=False,
        title="Time budget",
        description="Minutes; the sentence in work is finished.",
        json_schema_extra={"group": "budget"},
    )

    @field_validator("topic")
    @classmethod
    def _clean_topic(cls, topic: str) -> str:
        cleaned = "".join(
            " " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c
            for c in topic
            if unicodedata.category(c) not in ("Cs", "Co", "Cn")
        )
        cleaned = " ".join(cleaned.split())
        if not any(c.isalnum() for c in cleaned):
            raise ValueError("The topic is empty. Name what the report should be about.")
        if len(cleaned) > MAX_TOPIC:
            raise ValueError(
                f"The topic has {len(cleaned):,} characters, at most {MAX_TOPIC:,} can be used. Shorten it."
            )
        return cleaned

    @field_validator("sources")
    @classmethod
    def _known_sources(cls, sources: tuple[str, ...]) -> tuple[str, ...]:
        for source in sources:
            if source not in ("encyclopedia", "web") and not source.lower().startswith(
                ("site:http://", "site:https://")
            ):
                raise ValueError(
                    f"Unknown source {source!r}. Known are encyclopedia, web and site:URL (http or https)."
                )
        return tuple(dict.fromkeys(sources))

    @model_validator(mode="after")
    def _sources_where_needed(self) -> RunSpec:
        if not self.sources and self.strategy != "none":
            raise ValueError("At least one source is needed to retrieve from.")
        return self


def make_spec(topic: str, preset: str = "default", **chosen: Any) -> RunSpec:
    """A spec from a preset, with what the user chose on top of it (None counts as not chosen).

    Raises UsageError with one line for each wrong value.
    """
    if preset not in PRESETS:
        raise UsageError(f"Unknown preset {preset!r}.", f"Known are {', '.join(PRESETS)}.")
    values = {**PRESETS[preset], **{name: value for name, value in chosen.items() if value is not None}}
    if unknown := set(values) - set(RunSpec.model_fields):
        raise UsageError(f"Unknown setting {', '.join(sorted(unknown))}.")
    return checked({"topic": topic, "preset": preset, **values})


def checked(values: dict[str, Any]) -> RunSpec:
    """The spec with these values. Raises UsageError with one line for each wrong one."""
    try:
        return RunSpec.model_validate(values)
    except ValidationError as error:
        raise UsageError("\n".join(dict.fromkeys(_plain(problem) for problem in error.errors()))) from None


def _plain(problem: Any) -> str:
    """One validation problem in the words of the field's label and help."""
    message = problem["msg"].removeprefix("Value error, ")
    name = str(problem["loc"][0]) if problem["loc"] else ""
    if problem["type"] == "value_error" or name not in RunSpec.model_fields:
        return str(message)
    field = RunSpec.model_fields[name]
    if name == "theta":
        return f"{field.title} must be auto, never, always or a number from 0 to 1, not {problem['input']!r}."
    return f"{field.title}: {message}, not {problem['input']!r}."
