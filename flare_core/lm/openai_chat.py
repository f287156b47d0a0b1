"""A language model behind an OpenAI-compatible endpoint.

    model = OpenAIChat("http://127.0.0.1:8000/v1", "my-model", capabilities=probed.capabilities)
    for piece in model.stream(Prompt("You write reports.", "Photosynthesis"), max_tokens=64, cancel=Never()):
        print(piece.text, end="")

The `openai` package does the talking (addresses, keys, retries, server-sent events). Its chunks are taken as parsed
JSON, not as its pydantic models, which cost more time than everything else together and know no server's additions.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Literal, cast

import openai
from openai import AsyncOpenAI, AsyncStream
from openai._types import RequestOptions

from flare_core.events import Capabilities, ModelInfo
from flare_core.lm.address import Address
from flare_core.lm.bounds import NOT_PACKED, abounded, most_chunks
from flare_core.lm.completion import Chunk, Patience, StreamedCompletion
from flare_core.lm.continuation import Instruction, instruction
from flare_core.lm.dialect import Dialect
from flare_core.lm.failures import Place
from flare_core.lm.loop import LoopThread
from flare_core.lm.request import body, messages
from flare_core.ports import Cancel, Prompt

PATH = "/chat/completions"
NO_KEY = "none"
"""The `openai` package insists on a key, also where none is sent."""
CONNECT = 10.0
"""Seconds to wait for a connection."""
RETRIES = 2
"""How often the `openai` package sends a request again after 408, 409, 429, 5xx or no connection."""


class OpenAIChat:
    """Implements `ports.LanguageModel`: streamed chat completions at temperature 0, with probabilities."""

    def __init__(
        self,
        base_url: str | Address,
        model: str,
        *,
        api_key: str = "",
        capabilities: Capabilities | None = None,
        dialect: Dialect | None = None,
        kind: Literal["embedded", "endpoint"] = "endpoint",
        slots: int = 1,
        alternatives: int = 5,
        continue_with: Instruction = instruction,
        patience: Patience | None = None,
        retries: int = RETRIES,
    ) -> None:
        """`alternatives`: how many likely tokens to ask for in each place. `continue_with` words the request to go on
        with a started answer, for models that do not continue one. Raises UsageError for an address that is none."""
        address = base_url if isinstance(base_url, Address) else Address.parse(base_url)
        capabilities = capabilities or Capabilities()
        self.info = ModelInfo(name=model, kind=kind, base_url=address.shown, slots=slots, capabilities=capabilities)
        self.dialect = dialect or Dialect()
        self._place = Place(address.shown, model, tuple(secret for secret in (api_key, *address.secrets) if secret))
        self._alternatives = alternatives
        self._continue_with = continue_with
        self._patience = patience or Patience()
        self._options = options(api_key)
        self._client = client(address, api_key, retries, self._place)
        self._loop = LoopThread(name=f"lm {model}")

    def stream(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        stop: Sequence[str] = (),
        lane: int = 0,
        vary: bool = False,
        cancel: Cancel,
    ) -> StreamedCompletion:
        """Send the request at once; what comes of it is the completion's to tell."""
        knows = self.info.capabilities
        continues = bool(knows.continues)
        request = body(
            self.info.name,
            messages(prompt, continues=continues, instruction=self._continue_with),
            capabilities=knows,
            dialect=self.dialect,
            alternatives=self._alternatives,
            max_tokens=max_tokens,
            stop=stop,
        )
        if vary:
            request |= self.dialect.varying
        if self.dialect.pins_slots:
            request["id_slot"] = lane % self.info.slots
        return self.send(request, started="" if continues else prompt.started, cancel=cancel)

    def send(
        self, request: dict[str, Any], *, started: str = "", cancel: Cancel, patience: Patience | None = None
    ) -> StreamedCompletion:
        """Send a ready-made body. `started` is the text that a new message of the model is to be joined to."""
        completion = StreamedCompletion(
            cancel=cancel,
            place=self._place,
            tokens="logprobs" in request,
            patience=patience or self._patience,
            started=started,
            most=most_chunks(request),
        )
        completion.attach(self._loop.start(lambda: completion.pump(lambda: self._open(request)), completion.ended))
        return completion

    def close(self) -> None:
        """Cancel what still runs and release the connections. Safe to call twice."""
        self._loop.close(self._client.close)

    async def _open(self, request: dict[str, Any]) -> AsyncGenerator[Chunk]:
        if request.get("stream"):
            stream = await self._client.post(
                PATH, cast_to=object, body=request, options=self._options, stream=True, stream_cls=AsyncStream[object]
            )
            return cast(AsyncGenerator[Chunk], stream.__aiter__())
        whole = await self._client.post(PATH, cast_to=object, body=request, options=self._options)
        return _once(cast(Chunk, whole))


async def _once(chunk: Chunk) -> AsyncGenerator[Chunk]:
    yield chunk


def client(address: Address, api_key: str, retries: int, place: Place) -> AsyncOpenAI:
    """The `openai` package's client. Waiting for answers is timed elsewhere."""
    return AsyncOpenAI(
        base_url=address.url,
        api_key=api_key or NO_KEY,
        default_headers=NOT_PACKED,
        http_client=openai.DefaultAsyncHttpxClient(
            event_hooks={"response": [abounded(place)]},
            follow_redirects=False,  # what is sent is meant for this server alone
        ),
        default_query=address.query or None,
        max_retries=retries,
        timeout=openai.Timeout(None, connect=CONNECT),
    )


def options(api_key: str) -> RequestOptions:
    """For each request: without a key no `Authorization` is sent."""
    return {} if api_key else {"headers": {"Authorization": openai.omit}}
