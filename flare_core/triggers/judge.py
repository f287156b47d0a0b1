"""The decision for one draft, from the spec and the probabilities alone; the engine and the replay both call it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flare_core.events import Token, Verdict
from flare_core.spec import RunSpec
from flare_core.triggers.auto import auto_theta
from flare_core.triggers.threshold import below, lowest

BETA_WITHOUT_THETA = 0.4
"""beta where theta is `always` and beta is not set: the paper's best (Table 5)."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the trigger says of a draft; the fields are those of the event `decided`."""

    verdict: Verdict
    retrieve: bool
    rule: str
    theta: float | None
    beta: float | None
    lowest: float | None
    below: tuple[int, ...] = ()
    unknown: int = 0


def judge(
    spec: RunSpec,
    tokens: Sequence[Token],
    *,
    aligned: bool = True,
    seen: Sequence[tuple[float, bool]] = (),
    repeats: int = 0,
) -> Judgement:
    """Whether to retrieve for a draft (equation 3).

    `seen` holds the lowest probability of each earlier draft and whether it retrieved, for theta="auto"; `repeats`
    is the number of the sentence that the draft nearly repeats (0 for none, its own where it goes in circles).
    """
    theta = auto_theta(seen, spec.target_share) if spec.theta == "auto" else spec.theta
    number = theta if isinstance(theta, float | int) else None
    beta: float | None = spec.beta if spec.beta is not None else (BETA_WITHOUT_THETA if number is None else number)
    if spec.strategy != "direct" or theta == "never":
        beta = None
    low = lowest(tokens)
    unknown = sum(1 for token in tokens if token.p is None)

    def say(verdict: Verdict, retrieve: bool, rule: str, under: tuple[int, ...] = ()) -> Judgement:
        return Judgement(verdict, retrieve, rule, number, beta, low, under, unknown)

    if spec.strategy != "direct" or theta == "never":
        return say(Verdict.NEVER, False, "Retrieval is set to never.")
    if repeats:
        return say(Verdict.REPEATS, True, f"The draft repeats sentence {repeats} or itself: other evidence is needed.")
    if theta == "always":
        return say(Verdict.ALWAYS, True, "Retrieval is set to always.")
    if low is None or number is None:
        return say(Verdict.NO_PROBABILITIES, False, "The model gave no token probabilities for this draft.")
    if not aligned:
        return say(Verdict.UNALIGNED, False, "The tokens do not join to the text, so nothing is decided from them.")
    under = below(tokens, number, spec.compare)
    verdict = Verdict.UNCERTAIN if under else Verdict.CONFIDENT
    return say(verdict, bool(under), _rule(spec, number, low, under, tokens), under)


def _rule(spec: RunSpec, theta: float, low: float, under: tuple[int, ...], tokens: Sequence[Token]) -> str:
    counted = sum(1 for token in tokens if token.p is not None)
    auto = " (auto)" if spec.theta == "auto" else ""
    if not under:
        return f"No token of {counted} is {_under(spec)} θ = {theta:.2f}{auto}; the lowest is {low:.2f}."
    worst = sorted(under, key=lambda i: tokens[i].p or 0.0)[:3]
    listed = ", ".join(f"“{' '.join(tokens[i].text.split())[:40] or '␣'}” ({tokens[i].p:.2f})" for i in worst)
    more = ", …" if len(under) > len(worst) else ""
    noun, verb = "token" if counted == 1 else "tokens", "is" if len(under) == 1 else "are"
    return f"{len(under)} of {counted} {noun} {verb} {_under(spec)} θ = {theta:.2f}{auto}: {listed}{more}."


def _under(spec: RunSpec) -> str:
    return "below" if spec.compare == "<" else "at or below"
