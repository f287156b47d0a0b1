"""theta="auto": the threshold that keeps the share of retrieving sentences near a target.

The paper tunes theta on a development set (Table 9) and finds that retrieving for 40 to 80 % of the sentences is
good (Figure 5); a small model needs another theta than a large one, so it is taken from the model's own drafts.
"""

from __future__ import annotations

from collections.abc import Sequence

PRIOR = (0.1, 0.4)
"""What is believed of a draft's lowest probability before any draft was seen."""
GAIN = 2.0
"""How strongly an error of the share made so far moves the quantile: drafts grow surer or less sure along a report."""


def auto_theta(seen: Sequence[tuple[float, bool]], target: float) -> float:
    """Theta for the next draft, in 0..1.

    `seen` holds, for each draft so far, its lowest probability and whether it retrieved. Theta is the `target`
    quantile of those probabilities, `PRIOR` counted in, so that about `target` of such drafts retrieve under
    p < theta; the quantile is moved against the error made so far, since drafts change as a report goes on.
    """
    fired = sum(retrieved for _, retrieved in seen)
    error = GAIN * (target * len(seen) - fired) / (len(seen) + len(PRIOR))
    quantile = min(max(target + error, 0.0), 1.0)
    return _quantile(sorted([low for low, _ in seen] + list(PRIOR)), quantile)


def _quantile(ordered: Sequence[float], quantile: float) -> float:
    """The quantile of rising values, linear between two of them."""
    place = quantile * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
