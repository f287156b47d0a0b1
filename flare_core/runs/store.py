"""The store: every run and its log in one SQLite file, which several processes may have open."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import URL, Connection, Engine, create_engine, func, insert, select, update
from sqlalchemy import event as hooks
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from flare_core.errors import LogError
from flare_core.events import EVENT, AnyEvent, RunEnded, Status
from flare_core.paths import data_dir
from flare_core.runs.info import ACTIVE, RunInfo, RunStatus
from flare_core.runs.schema import EVENTS, RUNS, migrate
from flare_core.spec import RunSpec

BUSY_SECONDS = 10
"""How long to wait for another process that is writing."""
WAY_OUT = "Set FLARE_HOME to a folder that can be written to."


class Row(NamedTuple):
    """An event as it is kept: its JSON is written once and never parsed on the way to a browser."""

    seq: int
    type: str
    json: str


class Store:
    """Runs and their logs on disk. All methods may be called from any thread.

    Raises LogError where the file cannot be used or a log cannot be read.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        """Open or make the database; by default `runs.db` in Flare's data folder."""
        self._writing, self._opening = threading.Lock(), threading.Lock()
        self._file: tuple[int, int] | None = None
        with _folder_made():
            self.path = Path(path) if path is not None else data_dir() / "runs.db"
        self._engine = _open(self.path)
        with self._read():
            pass

    def create_run(self, run_id: str, spec: RunSpec, *, at: float, request_id: str | None = None) -> str:
        """Enter a run as queued and return its id: that of the earlier run where `request_id` is known."""
        row = {
            "id": run_id,
            "request_id": request_id,
            "topic": spec.topic,
            "spec": spec.model_dump_json(),
            "status": RunStatus.QUEUED,
            "created_at": at,
            "heartbeat": at,
        }
        with self._write() as connection:
            if request_id is not None:
                known = connection.scalar(select(RUNS.c.id).where(RUNS.c.request_id == request_id))
                if known is not None:
                    return str(known)
            connection.execute(insert(RUNS).values(row))
        return run_id

    def append(self, run_id: str, event: AnyEvent) -> str:
        """Write one event; see `append_many`. Returns its JSON."""
        return self.append_many(run_id, (event,))[0]

    def append_many(self, run_id: str, events: Iterable[AnyEvent]) -> list[str]:
        """Write events, all or none, and return their JSON. `RunEnded` ends the run in the same step.

        An event that is not durable is left out. Raises LogError where the log has such a number already
        (another process wrote to it) or there is no such run.
        """
        batch = list(events)
        texts = [event.model_dump_json() for event in batch]
        rows = [
            {"run_id": run_id, "seq": event.seq, "type": event.type, "json": text}
            for event, text in zip(batch, texts, strict=True)
            if event.durable
        ]
        if not rows:
            return texts
        try:
            with self._write() as connection:
                connection.execute(insert(EVENTS), rows)
                for event in batch:
                    if isinstance(event, RunEnded):
                        values = {"status": event.status.value, "ended_at": event.at}
                        connection.execute(update(RUNS).where(RUNS.c.id == run_id).values(values))
        except IntegrityError as error:
            raise LogError(f"Event {rows[0]['seq']} does not fit the log of run {run_id}.") from error
        return texts

    def rows(self, run_id: str, after: int = 0, limit: int | None = None) -> list[Row]:
        """The log after event number `after`, unparsed."""
        wanted = select(EVENTS.c.seq, EVENTS.c.type, EVENTS.c.json)
        wanted = wanted.where(EVENTS.c.run_id == run_id, EVENTS.c.seq > after).order_by(EVENTS.c.seq)
        with self._read() as connection:
            return [Row(*row) for row in connection.execute(wanted.limit(limit))]

    def events(self, run_id: str, after: int = 0, limit: int | None = None) -> list[AnyEvent]:
        """The log after event number `after`; empty for an unknown run."""
        return [parse(run_id, row) for row in self.rows(run_id, after, limit)]

    def set_status(self, run_id: str, status: RunStatus, *, only_from: Collection[RunStatus] = ()) -> bool:
        """Note where a run stands, if it stands at one of `only_from`; whether that was so."""
        change = update(RUNS).where(RUNS.c.id == run_id).values(status=status)
        if only_from:
            change = change.where(RUNS.c.status.in_(only_from))
        with self._write() as connection:
            return connection.execute(change).rowcount > 0

    def get_run(self, run_id: str) -> RunInfo | None:
        """What is known of a run."""
        with self._read() as connection:
            row = connection.execute(_infos().where(RUNS.c.id == run_id)).one_or_none()
        return None if row is None else _info(row)

    def list_runs(self, limit: int = 50) -> list[RunInfo]:
        """The newest runs first."""
        with self._read() as connection:
            newest = _infos().order_by(RUNS.c.created_at.desc(), RUNS.c.id).limit(limit)
            return [_info(row) for row in connection.execute(newest)]

    def beat(self, run_ids: Collection[str], at: float) -> None:
        """Say that the process that writes these runs is alive."""
        with self._write() as connection:
            connection.execute(update(RUNS).where(RUNS.c.id.in_(run_ids)).values(heartbeat=at))

    def with_status(self, run_ids: Collection[str], status: RunStatus) -> list[str]:
        """Those of the runs that stand there."""
        with self._read() as connection:
            wanted = select(RUNS.c.id).where(RUNS.c.id.in_(run_ids), RUNS.c.status == status)
            return list(connection.scalars(wanted))

    def end_abandoned(self, *, silent_since: float, at: float, but: Collection[str] = ()) -> list[str]:
        """End the active runs whose process gave no sign of life since then; their ids.

        Each gets a last event that says so. Two processes may do this at the same time.
        """
        silent = select(RUNS.c.id).where(
            RUNS.c.status.in_(ACTIVE), RUNS.c.heartbeat < silent_since, RUNS.c.id.not_in(but)
        )
        with self._read() as connection:
            if connection.scalars(silent).first() is None:
                return []
        with self._write() as connection:
            run_ids = list(connection.scalars(silent))
            for run_id in run_ids:
                last = connection.scalar(select(func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == run_id))
                end = RunEnded(
                    seq=(last or 0) + 1,
                    at=at,
                    status=Status.INTERRUPTED,
                    reason="cut_off",
                    message="The process that wrote this report ended before the report did.",
                    remedy="What was written is kept. Start the topic again for a whole report.",
                )
                row = {"run_id": run_id, "seq": end.seq, "type": end.type, "json": end.model_dump_json()}
                connection.execute(insert(EVENTS).values(row))
                ended = {"status": end.status.value, "ended_at": at}
                connection.execute(update(RUNS).where(RUNS.c.id == run_id).values(ended))
        return run_ids

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        """A transaction that writes: one at a time in this process, in turn with other processes."""
        with self._writing, self._read() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                with suppress(SQLAlchemyError):  # a full disk has rolled back already
                    connection.exec_driver_sql("ROLLBACK")
                raise

    def _open_again(self) -> None:
        """Make the tables where they are missing: in a new file, also one that took the place of a deleted one."""
        with self._opening:
            if self._file is not None and self._file == _identity(self.path):
                return
            self._engine.dispose()  # its connections lead to the deleted file
            with _folder_made():
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._engine.connect() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                try:
                    migrate(connection)
                    connection.exec_driver_sql("COMMIT")
                except BaseException:
                    with suppress(SQLAlchemyError):
                        connection.exec_driver_sql("ROLLBACK")
                    raise
            self._file = _identity(self.path)

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        try:
            if self._file is None or self._file != _identity(self.path):
                self._open_again()
            with self._engine.connect() as connection:
                yield connection
        except IntegrityError:
            raise
        except SQLAlchemyError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> LogError:
        cause = getattr(error, "orig", None) or error
        return LogError(f"The runs cannot be kept in {self.path}: {cause}.", WAY_OUT)


def parse(run_id: str, row: Row) -> AnyEvent:
    """The event in a row. Raises LogError."""
    try:
        return EVENT.validate_json(row.json)
    except ValidationError as error:
        raise LogError(
            f"Event {row.seq} ({row.type}) of run {run_id} cannot be read.", "Was it written by a newer Flare?"
        ) from error


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file this is, whatever its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextmanager
def _folder_made() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LogError(f"The folder for the runs cannot be made: {error}.", WAY_OUT) from error


def _open(path: Path) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": BUSY_SECONDS},
        isolation_level="AUTOCOMMIT",
        max_overflow=64,
    )

    @hooks.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: Any) -> None:
        for setting in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {setting}")

    return engine


def _infos() -> Any:
    last = select(func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.id).scalar_subquery()
    return select(RUNS, func.coalesce(last, 0).label("last_seq"))


def _info(row: Any) -> RunInfo:
    return RunInfo(
        id=row.id,
        topic=row.topic,
        status=RunStatus(row.status),
        started=row.created_at,
        ended=row.ended_at,
        last_seq=row.last_seq,
        spec=_spec(row.spec),
    )


def _spec(text: str) -> RunSpec:
    """A spec that this version would refuse is still shown."""
    try:
        return RunSpec.model_validate_json(text)
    except ValidationError:
        return RunSpec.model_construct(**json.loads(text))
