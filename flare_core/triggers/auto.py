"""theta="auto": the threshold that would have made the target share of the drafts so far retrieve.

The paper tunes theta on a development set (Table 9) and finds that retrieving for 40 to 80 % of the sentences is
good (Figure 5); a small model needs another theta than a large one, so it is taken from the model's own drafts.
"""

from __future__ import annotations

from collections.abc import Sequence

PRIOR = (0.1, 0.4)
"""What is believed of a draft's lowest probability before any draft was seen."""


def auto_theta(seen: Sequence[float], target: float) -> float:
    """The `target` quantile of the drafts' lowest probabilities `seen` so far, `PRIOR` counted in; in 0..1.

    With the rule p < theta, about `target` of such drafts would retrieve.
    """
    ordered = sorted((*seen, *PRIOR))
    place = target * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
