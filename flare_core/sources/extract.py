"""Extraction in processes that can be killed: a page that hangs or crashes its parser costs its own slot only.

Plain child processes with pipes, and no `multiprocessing`: its `spawn` and `forkserver` import the main script again
in each child, and under Streamlit that is the page's script. It would also send pickles back, out of a process that
has just parsed a hostile file. Threads are no way out either: lxml cannot be interrupted, and crashes have been
reported when trafilatura runs in several (its issues 840 and 925).
"""

from __future__ import annotations

import atexit
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

from flare_core.errors import SourceError, Stopped
from flare_core.events import PageOutcome
from flare_core.ports import Cancel
from flare_core.sources import frames
from flare_core.sources.contracts import Extracted, Fetched
from flare_core.sources.loop import POLL_S

COMMAND = (sys.executable, "-P", "-m", "flare_core.sources.extract_worker")
MOST_TASKS = 300
"""Pages after which a process is replaced, whatever it has leaked."""
BROKEN = "the page broke the program that reads it"
START_S = 60.0
"""Seconds that a process may need to start."""
_KEPT_ENVIRONMENT = (
    "PATH SYSTEMROOT TEMP TMP TMPDIR LANG LC_ALL LC_CTYPE LD_LIBRARY_PATH DYLD_LIBRARY_PATH PYTHONHOME VIRTUAL_ENV"
).split()
"""What a child inherits: no keys and no passwords go to a process that parses hostile files."""


class Died(Exception):
    """The process ended before it answered."""


class OutOfTime(Died):
    """It was ended because it took too long."""


class _Worker:
    """One child process, used by one thread at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        self._process = subprocess.Popen(  # noqa: S603 - a fixed command, no shell
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        self._ready = False
        self._killed = False
        self.tasks = 0

    def ask(self, head: dict[str, Any], body: bytes, timeout_s: float) -> dict[str, Any]:
        """The answer to one task. Raises Died, also after a timeout or `kill` by another thread, and SourceError."""
        if not self._ready:
            try:
                self._answer(START_S)
            except Died:
                if self._killed:
                    raise
                remedy = "Are trafilatura and pypdfium2 installed?"
                raise SourceError("The process that reads pages could not be started.", remedy) from None
            self._ready = True
        self.tasks += 1
        return self._answer(timeout_s, head, body)

    def _answer(self, timeout_s: float, head: dict[str, Any] | None = None, body: bytes = b"") -> dict[str, Any]:
        """Reading blocks; the timer ends it by ending the process, which works on every system."""
        late = threading.Event()

        def end() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(timeout_s, end)
        timer.daemon = True
        timer.start()
        try:
            if head is not None:
                frames.write(cast(BinaryIO, self._process.stdin), head, body)
            message = frames.read(cast(BinaryIO, self._process.stdout))
        except (OSError, ValueError) as error:
            raise (OutOfTime if late.is_set() else Died) from error
        finally:
            timer.cancel()
        if message is None:
            raise OutOfTime if late.is_set() else Died
        return message[0]

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return not self._killed and self._process.poll() is None

    def kill(self) -> None:
        """End the process at once."""
        self._killed = True
        self._process.kill()

    def close(self) -> None:
        """End the process and wait until it is gone."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                cast(BinaryIO, pipe).close()
            except OSError:
                continue  # bytes that were not sent to a dead process


class ExtractionPool:
    """Up to `workers` processes, started when first needed, used by all threads of this process.

    >>> with ExtractionPool() as pool:                                                # doctest: +SKIP
    ...     [page.text for page in pool.extract_all(fetched, cancel=Never())]
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        timeout_s: float = 5.0,
        wait_s: float = 20.0,
        command: Sequence[str] = COMMAND,
    ) -> None:
        """`timeout_s` is the time for one page, `wait_s` the time that it may wait for its turn, both in seconds."""
        self.size = workers or min(4, os.cpu_count() or 2)
        self._timeout_s = timeout_s
        self._wait_s = wait_s
        self._command = command
        self._turns = threading.BoundedSemaphore(self.size)
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._closed = False

    def __enter__(self) -> ExtractionPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warm(self) -> None:
        """Start the processes without waiting for them."""
        with self._lock:
            while not self._closed and len(self._idle) + len(self._busy) < self.size:
                self._idle.append(_Worker(self._command))

    def extract_all(self, pages: Sequence[Fetched], *, deadline_s: float = 12.0, cancel: Cancel) -> list[Extracted]:
        """See `Extractor.extract_all`. A cancel, or the deadline, kills the processes that work for this call."""
        return _Call(self, pages).results(time.monotonic() + deadline_s, cancel)

    def extract(self, page: Fetched, mine: set[_Worker] | None = None) -> Extracted:
        """One page, waiting for a free process. `mine` holds the process while it works."""
        if page.kind is None:
            return Extracted(PageOutcome.NOT_TEXT, detail=page.detail or "not a page of text")
        if not self._turns.acquire(timeout=self._wait_s):
            return Extracted(PageOutcome.TIMED_OUT, detail="too many other pages were waiting to be read")
        began = time.monotonic()
        try:
            worker = self._take()
            holders = mine if mine is not None else set()
            holders.add(worker)
            head = {"kind": page.kind, "url": page.final_url, "charset": page.charset, "timeout_s": self._timeout_s}
            alive = False
            try:
                answer = worker.ask(head, page.content, self._timeout_s)
                alive = True
            except OutOfTime:
                return _lost(PageOutcome.TIMED_OUT, f"reading it took longer than {self._timeout_s:g} s", began)
            except Died:
                return _lost(PageOutcome.NO_TEXT, BROKEN, began)
            finally:
                holders.discard(worker)
                self._give_back(worker, broken=not alive)
            return _parsed(answer, began)
        finally:
            self._turns.release()

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise Stopped
            while self._idle and not self._idle[-1].alive:
                self._idle.pop().close()
            worker = self._idle.pop() if self._idle else _Worker(self._command)
            self._busy.add(worker)
            return worker

    def _give_back(self, worker: _Worker, *, broken: bool = False) -> None:
        with self._lock:
            self._busy.discard(worker)
            if not (broken or self._closed or worker.tasks >= MOST_TASKS):
                self._idle.append(worker)
                return
        worker.close()

    def close(self) -> None:
        """End all processes; what they were reading is lost."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            for worker in self._busy:
                worker.kill()
        for worker in idle:
            worker.close()


class _Call:
    """One `extract_all`: a few daemon threads that take pages until none is left."""

    def __init__(self, pool: ExtractionPool, pages: Sequence[Fetched]) -> None:
        self._pool = pool
        self._pages = pages
        self._todo: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[int, Extracted | BaseException]] = queue.SimpleQueue()
        self._mine: set[_Worker] = set()
        self._stopped = threading.Event()

    def results(self, ends: float, cancel: Cancel) -> list[Extracted]:
        """All results; what is not there at `ends` (monotonic seconds) timed out."""
        found: dict[int, Extracted] = {}
        for i in range(len(self._pages)):
            self._todo.put(i)
        for _ in range(min(len(self._pages), self._pool.size)):
            threading.Thread(target=self._work, name="flare-extract", daemon=True).start()
        try:
            while len(found) < len(self._pages) and time.monotonic() < ends:
                if cancel.is_set():
                    raise Stopped
                try:
                    i, result = self._done.get(timeout=POLL_S)
                except queue.Empty:
                    continue
                if isinstance(result, BaseException):
                    raise result
                found[i] = result
        finally:
            self._stopped.set()
            for worker in tuple(self._mine):
                worker.kill()
        late = Extracted(PageOutcome.TIMED_OUT, detail="no time was left to read it")
        return [found.get(i, late) for i in range(len(self._pages))]

    def _work(self) -> None:
        while not self._stopped.is_set():
            try:
                i = self._todo.get_nowait()
            except queue.Empty:
                return
            try:
                self._done.put((i, self._pool.extract(self._pages[i], self._mine)))
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                self._done.put((i, error))


def _lost(outcome: PageOutcome, detail: str, began: float) -> Extracted:
    return Extracted(outcome, detail=detail, ms=(time.monotonic() - began) * 1000)


def _parsed(answer: dict[str, Any], began: float) -> Extracted:
    """The answer as a value; an answer of another shape is a broken process."""
    try:
        texts = {name: answer[name] for name in ("title", "date", "extractor")}
        if not all(value is None or isinstance(value, str) for value in texts.values()):
            raise TypeError
        text, detail = str(answer["text"]), str(answer["detail"])
        ms = (time.monotonic() - began) * 1000
        return Extracted(PageOutcome(answer["outcome"]), text, detail=detail, ms=ms, **texts)
    except (KeyError, TypeError, ValueError):
        return _lost(PageOutcome.NO_TEXT, BROKEN, began)


_shared: ExtractionPool | None = None
_shared_lock = threading.Lock()


def shared_pool() -> ExtractionPool:
    """The pool of this process, closed when it ends."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = ExtractionPool()
            atexit.register(_shared.close)
        return _shared
