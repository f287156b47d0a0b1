"""A language model made of a script, behind real HTTP on loopback: deterministic, no latency, many bad habits.

    with fake_lm([["Paris", (" is", -0.1), (" big", -2.0, {" small": -2.5}), "."]]) as server:
        model = server.model()                       # an OpenAIChat that knows what the fake can do
        "".join(piece.text for piece in model.stream(Prompt("", "Tell me"), max_tokens=9, cancel=Never()))
        server.requests[0].body["messages"]          # what was sent
        server.requests[0].closed.wait(1)            # the client hung up before the end

A *token* is a `str` (log-probability -0.01) or a tuple: text or bytes, log-probability (None: null), and optionally
the alternatives as a dict. A *script* is a list of replies, one a call, each a list of tokens; or a function
`(Call) -> tokens` which sees `call.system`, `call.user`, `call.started`, `call.number` (from 1) and may go on for ever:
`max_tokens` and `stop` are obeyed by the server. When a list of replies is used up, the calls fail with status 500.

Bad habits are `Quirks`, for the whole server or, as `Reply(tokens, quirks)`, for one call. Probes of `flare_core.lm`
are answered by the server itself and use up no reply. `fake_lm_process` runs a fake in another process, which
leaves this one's interpreter lock alone: for benchmarks. By hand: `python -m tests.fake_lm script.json`.
"""

from tests.fake_lm.process import fake_lm_process
from tests.fake_lm.script import Call, Quirks, Reply, Script, Tok
from tests.fake_lm.server import FakeServer, Recorded, fake_lm

__all__ = ["Call", "FakeServer", "Quirks", "Recorded", "Reply", "Script", "Tok", "fake_lm", "fake_lm_process"]
