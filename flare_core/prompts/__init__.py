"""Prompts: one file each, with a part for the system and one for the user; their digests go into the log.

A file holds `## system` and `## user`; `$name` is filled in. What is filled in never becomes part of the
template, and passages are fenced (`fence`), since pages are hostile.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from string import Template

from flare_core.events import Passage, PromptVersion
from flare_core.ports import Prompt

_SPECIAL = re.compile(r"<\|?/?\s*(?:im_start|im_end|system|assistant|user|endoftext|eot_id|s|INST)\s*\|?>", re.I)
MAX_PASSAGE = 1600
"""Characters of one passage that are shown to the model."""


def render(name: str, started: str = "", /, **values: str) -> Prompt:
    """The prompt `name` with its values filled in; `started` is the beginning of the answer."""
    system, user = _parts(name)
    return Prompt(Template(system).substitute(values), Template(user).substitute(values).strip(), started)


def go_on(user: str, started: str) -> str:
    """The user's message for a model that cannot be handed the beginning of its answer."""
    last = " ".join(started.split()[-8:])
    return render("continue", user=user, started=started, last=last).user


def version(name: str) -> PromptVersion:
    """Which text of the prompt is installed."""
    return PromptVersion(name=name, digest=hashlib.sha256(_read(name).encode()).hexdigest()[:12])


def fence(passages: Iterable[Passage]) -> str:
    """The passages, best first, one a line; markers that a chat template reads are broken.

    They carry no numbers: citations are bound by construction, and a small model would copy the numbers.
    """
    return "\n".join(f"- {_flat(p.text)[:MAX_PASSAGE]}" for p in passages)


def _flat(text: str) -> str:
    return " ".join(_SPECIAL.sub(" ", text).split())


@cache
def _read(name: str) -> str:
    return (files(__package__) / f"{name}.md").read_text(encoding="utf-8")


@cache
def _parts(name: str) -> tuple[str, str]:
    _, system, user = re.split(r"^## (?:system|user)\n", _read(name), flags=re.M)
    return system.strip(), user.strip()
